"""Scalars, vectors and matrices as a type checker tells them apart, below the classes that users call by these names.

A class of containers says what it is by one attribute that no object has. So an expression of matrices knows that the
sum of a row is a vector, and no module here imports `Matrix`.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, TypeVar

from graphla.common.typing import MonoidLike

M_co = TypeVar("M_co", covariant=True)
V_co = TypeVar("V_co", covariant=True)
S_co = TypeVar("S_co", covariant=True)


class IsScalar(Protocol):
    """What `Scalar` is."""

    @property
    def _is_scalar(self) -> None: ...


class IsVector(Protocol[M_co, S_co]):
    """What `Vector` is: outer products are of the class M, entries of S."""

    @property
    def _is_vector(self) -> tuple[M_co, S_co]: ...


class IsMatrix(Protocol[V_co, S_co]):
    """What `Matrix` is: rows are of the class V, entries of S."""

    @property
    def _is_matrix(self) -> tuple[V_co, S_co]: ...


AnyVector: TypeAlias = IsVector[Any, Any]
AnyMatrix: TypeAlias = IsMatrix[Any, Any]

R = TypeVar("R", covariant=True)
"""The container that an expression is computed into: `Scalar`, `Vector` or `Matrix`."""
AScalar = TypeVar("AScalar", bound=IsScalar)
AVector = TypeVar("AVector", bound=AnyVector)
AMatrix = TypeVar("AMatrix", bound=AnyMatrix)


class Aggregates(Protocol):
    """An aggregator of `graphla.agg`."""

    @property
    def name(self) -> str: ...

    def reduce(self, of: Any, axis: int | None) -> Any: ...


ReduceLike: TypeAlias = MonoidLike | Aggregates
"""What reduces: a monoid, the operator of one, an aggregator, or the name of one."""
