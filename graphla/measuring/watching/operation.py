"""One recorded operation of a trace: its equation, the facts that decided, the amount of work, time and memory."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from graphla.engine.protocol import Engine
from graphla.engine.tracing import Profile, Wave
from graphla.measuring.watching.equation import format_equation
from graphla.planning.steps import MatVec, Plan
from graphla.storage import BitmapVector, CompressedMatrix, FullVector


@dataclass(frozen=True)
class Operation:
    """One operation of the expression language, or one call of a compiled method.

    Attributes
    ----------
    equation : str
        What was computed, as an equation; for a method, the problem and the name of the method.
    kind : str
        The step of the plan: ``"matvec"``, ``"matmat"``, ``"ewise"``, ``"scalar"`` …; ``"method"`` for a method.
    direction : str or None
        ``"push"`` or ``"pull"``; ``"rows"``, ``"dots"`` or ``"tiles"`` for products of matrices; None for a compiled
        method, which chooses for itself.
    why : tuple of str
        The facts that decided.
    frontier : int or None
        Entries of the vector of a product with a vector; else entries of the first operand.
    edges : int or None
        Arcs that were read, if known: a pull that stops at the first hit does not count them. For a method, the
        arcs that it relaxed, if it counts them.
    result : int or None
        Entries of the target after the operation. For a method, the vertices that it reached, if the problem reports
        them.
    began, seconds : float
        Start, in seconds since the trace began, and duration in seconds.
    nbytes : int
        Bytes of the arrays of the result.
    predicted : int
        Predicted upper bound of the bytes of the result.
    engine : str
        The engine that ran the operation.
    work : float or None
        Arcs that a method relaxed, divided by the arcs of the graph.
    compiling : float
        The part of `seconds` spent compiling, or loading machine code from the cache.
    waves : tuple of Wave
        Levels, or ranges of distance, of a compiled search: vertices and the arcs that leave them, from its result.

    Examples
    --------
    >>> import graphla as gl
    >>> v = gl.Vector.from_coo([0], [1], size=2, engine="cpu")
    >>> with gl.trace() as t:
    ...     w = v.dup()
    >>> t.operations[0].kind, t.operations[0].result
    ('copy', 1)
    """

    equation: str
    kind: str
    direction: str | None
    why: tuple[str, ...]
    frontier: int | None
    edges: int | None
    result: int | None
    began: float
    seconds: float
    nbytes: int
    predicted: int
    engine: str
    work: float | None = None
    compiling: float = 0.0
    waves: tuple[Wave, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain data, for JSON.

        Returns
        -------
        dict
            The attributes by name.

        Examples
        --------
        >>> import graphla as gl
        >>> v = gl.Vector.from_coo([0], [1], size=2, engine="cpu")
        >>> with gl.trace() as t:
        ...     w = v.dup()
        >>> t.operations[0].to_dict()["engine"]
        'cpu'
        """
        return {**asdict(self), "why": list(self.why)}


def describe_plan(engine: Engine, plan: Plan, result: Any, began: float, compiling: float) -> Operation:
    """Record a plan that has run, without its time."""
    step = plan.step
    return Operation(
        equation=format_equation(plan),
        kind=type(step).__name__.removesuffix("Step").lower(),
        direction=getattr(step, "direction", None) or getattr(step, "how", None),
        why=plan.why,
        frontier=count_frontier(step),
        edges=count_arcs_read(engine, step),
        result=getattr(result, "nvals", None),
        began=began,
        seconds=0.0,
        nbytes=count_bytes(result),
        predicted=plan.nbytes,
        engine=engine.name,
        compiling=compiling,
    )


@dataclass(frozen=True)
class MethodCall:
    """A call of a compiled method: its graph and name, its result and relaxed arcs, and when it began."""

    graph: Any
    method: str
    result: Any
    counted: list[Any]
    profile: Profile | None
    began: float
    compiling: float


def describe_call(call: MethodCall, seconds: float) -> Operation:
    """Record a compiled method that has run."""
    counted, arcs = call.counted, call.graph.nvals
    relaxed = sum(int(each if isinstance(each, int) else each.item()) for each in counted) if counted else None
    work = relaxed / arcs if relaxed is not None and arcs else None
    answer = call.result if isinstance(call.result, tuple) else (call.result,)
    waves = tuple(call.profile(call.graph, answer)) if call.profile is not None else ()
    return Operation(
        equation=call.method,
        kind="method",
        direction=None,
        why=() if work is None else (f"{work:.3g} arcs relaxed per arc of the graph",),
        frontier=None,
        edges=relaxed,
        result=sum(wave.vertices for wave in waves) if waves else None,
        began=call.began,
        seconds=seconds,
        nbytes=sum(int(getattr(part, "nbytes", 0)) for part in answer),
        predicted=0,
        engine=call.graph.engine.name,
        work=work,
        compiling=call.compiling,
        waves=waves,
    )


def count_frontier(step: Any) -> int | None:
    """Count the entries of the vector of a product, or of the first operand of another step."""
    operand = next((getattr(step, name) for name in ("vector", "of", "left") if hasattr(step, name)), None)
    return getattr(operand, "nvals", None)


def count_arcs_read(engine: Engine, step: Any) -> int | None:
    """Count the arcs that a matrix-vector product reads: a push reads the rows of the entries, a plain pull all arcs.

    None if the count is unknown, because a pull can stop early or skip masked rows.
    """
    if not isinstance(step, MatVec) or not isinstance(step.matrix, CompressedMatrix):
        return None
    if step.direction == "pull":
        stops = step.semiring.add.terminal(step.out) is not None or step.semiring.add.name == "any"
        return None if stops or step.mask is not None else step.matrix.nvals
    rows = engine.transpose(step.matrix) if step.transposed else step.matrix
    degrees = rows.indptr[1:] - rows.indptr[:-1]
    if isinstance(step.vector, FullVector):
        return rows.nvals
    chosen = step.vector.present if isinstance(step.vector, BitmapVector) else step.vector.indices
    return int(degrees[chosen].sum())


def count_bytes(storage: Any) -> int:
    """Count the bytes of the arrays of a storage; 0 for a plain number."""
    return (
        sum(int(value.nbytes) for value in vars(storage).values() if hasattr(value, "nbytes"))
        if (hasattr(storage, "__dict__"))
        else 0
    )
