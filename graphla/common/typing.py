"""Types of the arguments that graphla takes.

They are unions and protocols for a type checker; what a function accepts beyond its annotations it says itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, TypedDict

import numpy as np
import numpy.typing

from semirings import BinaryOp, DType, Expression, IndexUnaryOp, Monoid, Semiring, UnaryOp

EngineName: TypeAlias = Literal["cpu", "cuda", "mpi"]
Direction: TypeAlias = Literal["push", "pull"]
Order: TypeAlias = Literal["rowwise", "columnwise", "row", "rows", "col", "cols", "column", "columns", "colwise"]
Number: TypeAlias = bool | int | float | complex | np.bool_ | np.number[Any]
"""A number of Python or of NumPy."""
DTypeLike: TypeAlias = str | type | np.dtype[Any] | DType
"""A dtype of graphla (``"INT32"``), or NumPy's name or type for it."""


class Place(Protocol):
    """Where arrays live: what is asked of an engine by those that stand below the engines."""

    name: ClassVar[EngineName]
    xp: Any

    def release(self) -> None:
        """Free the work space and unused memory."""
        ...


class SupportsDLPack(Protocol):
    """An array of another library, on the host or on a device, that can be read without a copy."""

    def __dlpack__(self) -> Any: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...


ArrayLike: TypeAlias = numpy.typing.ArrayLike | SupportsDLPack
"""A number, a sequence, or an array of NumPy, CuPy or another library."""


class SparseMatrix(Protocol):
    """A sparse matrix or array of SciPy or cupyx."""

    @property
    def shape(self) -> Any: ...

    def tocoo(self) -> Any: ...


class ArrowTable(Protocol):
    """A table of pandas, Polars, DuckDB or pyarrow."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class NetworkXGraph(Protocol):
    """A graph of NetworkX."""

    def adjacency(self) -> Any: ...

    def number_of_nodes(self) -> int: ...


Position: TypeAlias = int | np.integer[Any]
"""One index of one dimension."""
Vertex: TypeAlias = Hashable
"""A vertex by its number, or by its label where the graph has labels."""
Vertices: TypeAlias = Sequence[Vertex] | np.ndarray[Any, Any]
"""Vertices by number, or by label."""


class NoOptions(TypedDict):
    """The options of methods that have none, beyond those of their problem."""


class Ufunc(Protocol):
    """A function of NumPy such as ``numpy.sqrt``; a lambda is inferred from the types of functions below instead."""

    @property
    def nin(self) -> int: ...


UnaryFunction: TypeAlias = Callable[[Expression], object]
BinaryFunction: TypeAlias = Callable[[Expression, Expression], object]
IndexFunction: TypeAlias = Callable[[Expression, Expression, Expression, Expression], object]
"""A function that is traced as an operator; the index function takes a value, its row, its column and a parameter."""
BinaryLike: TypeAlias = BinaryOp | Monoid | str | BinaryFunction
MonoidLike: TypeAlias = Monoid | BinaryOp | str
SemiringLike: TypeAlias = Semiring | str
ApplyLike: TypeAlias = (
    UnaryOp | BinaryOp | IndexUnaryOp | Monoid | str | UnaryFunction | BinaryFunction | IndexFunction | Ufunc
)
"""An operator, the name of one, or a function that becomes one."""
