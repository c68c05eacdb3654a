"""What can go wrong, by kind. Each message names the argument, its value and the way out."""

from __future__ import annotations

from pathlib import Path

from semirings.errors import DomainError, GraphlaError, RegistrationError, TraceError, UnknownDType, UnknownOperator

__all__ = [
    "CacheWarning",
    "CannotWrite",
    "CyclicGraph",
    "DimensionMismatch",
    "DomainError",
    "DomainMismatch",
    "EmptyScalar",
    "GraphlaError",
    "IndexOutOfBounds",
    "InvalidGraph",
    "InvalidIndex",
    "InvalidOption",
    "MismatchedCalls",
    "NegativeCycle",
    "NotConverged",
    "NotEmpty",
    "NotSupported",
    "OutOfMemory",
    "Overflow",
    "RegistrationError",
    "SingularMatrix",
    "TraceError",
    "UnknownDType",
    "UnknownLabel",
    "UnknownOperator",
    "ValueOutOfRange",
    "VerificationError",
]


class InvalidGraph(GraphlaError, ValueError):
    """A graph, a file of one, or an argument about one, is malformed."""


class UnknownLabel(InvalidGraph, KeyError):
    """No vertex has this label."""

    __str__ = Exception.__str__  # that of KeyError puts the text in quotes


class CannotWrite(GraphlaError, OSError):
    """A file cannot be written: the disk is full, the folder is missing, a limit is reached.

    Parameters
    ----------
    path : path
        The file; an attribute of the same name holds it.
    reason : Exception or str
        What the system said; `errno` and `strerror` hold it, as in every OSError.

    Examples
    --------
    >>> import graphla as gl
    >>> try:
    ...     gl.write("/no/such/folder/triangle.mtx", gl.Graph(([0, 1, 2], [1, 2, 0])))
    ... except OSError as error:
    ...     error.strerror
    'No such file or directory'
    """

    def __init__(self, path: Path | str, reason: Exception | str) -> None:
        said = str(getattr(reason, "strerror", None) or reason)
        super().__init__(f"{path}: cannot be written: {said}")
        self.path, self.reason = path, reason
        self.errno, self.strerror = getattr(reason, "errno", None), said

    def __str__(self) -> str:
        return self.args[0]

    def __reduce__(self) -> tuple[type[CannotWrite], tuple[Path | str, Exception | str]]:
        return type(self), (self.path, self.reason)


class CyclicGraph(InvalidGraph):
    """The graph has a cycle, so no order of its vertices exists in which every arc leads forward.

    Parameters
    ----------
    vertices : tuple of int
        The vertices of one cycle in the order of its arcs; an attribute of the same name holds them.

    Examples
    --------
    >>> import graphla as gl
    >>> try:
    ...     gl.topological_order(gl.Graph(([0, 1, 2], [1, 2, 1])))
    ... except gl.errors.CyclicGraph as error:
    ...     error.vertices
    (1, 2)
    """

    def __init__(self, vertices: tuple[int, ...]) -> None:
        self.vertices = vertices
        super().__init__(f"the graph has a cycle, so there is no topological order: {show_cycle(vertices)}")

    def __reduce__(self) -> tuple[type[CyclicGraph], tuple[tuple[int, ...]]]:
        return type(self), (self.vertices,)


def show_cycle(vertices: tuple[int, ...]) -> str:
    """The vertices of a cycle, or the first of them, with arrows."""
    return " → ".join(map(str, (*vertices[:12], "…") if len(vertices) > 12 else vertices + vertices[:1]))


class DimensionMismatch(GraphlaError, ValueError):
    """Shapes of the operands do not fit together."""


class DomainMismatch(GraphlaError, TypeError):
    """An operator has no meaning on a dtype."""


class Overflow(GraphlaError, OverflowError):
    """A result is too large for its dtype, and there is no wider one to compute in."""


class ValueOutOfRange(DomainMismatch, OverflowError):
    """A number that a dtype cannot hold."""


class EmptyScalar(GraphlaError, ValueError):
    """A Scalar without a value was given where a number is needed."""


class NotEmpty(GraphlaError, ValueError):
    """Something that is to be filled holds entries already."""


class IndexOutOfBounds(GraphlaError, IndexError):
    """A row, a column or a vertex that does not exist."""


class InvalidIndex(IndexOutOfBounds, TypeError):
    """Something that is no index stands between brackets."""


class NegativeCycle(GraphlaError, ArithmeticError):
    """A cycle of negative weight can be reached, so no shortest path exists; in max_plus one of positive weight.

    Parameters
    ----------
    vertices : tuple of int
        The vertices of one such cycle in the order of its arcs; an attribute of the same name holds them.
    positive : bool
        Whether its weight is positive, and paths may be as long as one likes; kept likewise.

    Examples
    --------
    >>> import graphla as gl
    >>> try:
    ...     gl.sssp(gl.Graph(([0, 1], [1, 0], [1, -2])), 0)
    ... except gl.errors.NegativeCycle as error:
    ...     sorted(error.vertices)
    [0, 1]
    """

    def __init__(self, vertices: tuple[int, ...], positive: bool = False) -> None:
        self.vertices, self.positive = vertices, positive
        sign = "positive" if positive else "negative"
        super().__init__(f"a cycle of {sign} weight can be reached: {show_cycle(vertices)}")

    def __reduce__(self) -> tuple[type[NegativeCycle], tuple[tuple[int, ...], bool]]:
        return type(self), (self.vertices, self.positive)


class SingularMatrix(GraphlaError, ArithmeticError):
    """A matrix has no inverse, or none to the accuracy of its dtype."""


class NotSupported(GraphlaError, NotImplementedError):
    """A request that this engine, method or format does not answer; the message says which does."""


class InvalidOption(GraphlaError, ValueError):
    """An option of a method has a value that the method cannot use."""


class MismatchedCalls(GraphlaError, RuntimeError):
    """The ranks of a program do different things; GRAPHLA_CHECK=1 finds it before they wait for each other."""


class NotConverged(GraphlaError, RuntimeError):
    """A loop still has work after as many rounds as it was given.

    Parameters
    ----------
    message : str
        What was asked, and the way out.
    residual : float, optional
        How much the last round has changed the answer, where that is known; an attribute of the same name holds it.

    Examples
    --------
    >>> import graphla as gl
    >>> try:
    ...     gl.pagerank(gl.Graph(([0, 0], [1, 2])), max_rounds=1, method="algebraic")
    ... except gl.errors.NotConverged as error:
    ...     round(error.residual, 3)
    0.189
    """

    def __init__(self, message: str, residual: float | None = None) -> None:
        self.residual = residual
        super().__init__(message)

    def __reduce__(self) -> tuple[type[NotConverged], tuple[str, float | None]]:
        return type(self), (str(self), self.residual)


class OutOfMemory(GraphlaError, MemoryError):
    """A result would not fit; the message gives the bytes needed and the bytes there are."""


class VerificationError(GraphlaError, AssertionError):
    """A result breaks a property that its verifier asserts."""


class CacheWarning(RuntimeWarning):
    """Compiled code cannot be cached on disk, or the cached code is unusable; the work goes on without it."""


def __dir__() -> list[str]:
    return __all__


for _name in __all__:  # tracebacks and pickles name the module that users import them from
    if globals()[_name].__module__ == __name__:
        globals()[_name].__module__ = "graphla.errors"
