"""What may be read from an expression as from the container that it gives: ``(A + B).nvals``."""

# pyright: reportReturnType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

if TYPE_CHECKING:
    from graphla.common.typing import ApplyLike, BinaryLike, DTypeLike, IndexFunction, Number, SemiringLike
    from graphla.containers.matrix import Matrix
    from graphla.containers.matrix_export import Order
    from graphla.containers.operations import ReduceLike
    from graphla.containers.scalar import Scalar
    from graphla.containers.vector import Vector
    from graphla.language.expr import Expr, ScalarLike
    from graphla.language.masks import MaskView
    from graphla.language.products import Kronecker, MatMul
    from semirings import IndexUnaryOp

R = TypeVar("R")
"""The container that an expression is computed into: `Scalar`, `Vector` or `Matrix`."""


class Readable(Generic[R]):
    """Declarations of the attributes and methods of containers that do not change them.

    A container has them itself. An expression reads them from its value, which is computed when it is first asked
    for: `graphla.language.lazy` defines them there by the names that this class has.
    """

    @property
    def S(self) -> MaskView: ...

    @property
    def V(self) -> MaskView: ...

    @property
    def T(self: Readable[Matrix]) -> Expr[Matrix]: ...

    @property
    def ndim(self) -> int: ...

    @property
    def nrows(self: Readable[Matrix]) -> int: ...

    @property
    def ncols(self: Readable[Matrix]) -> int: ...

    @property
    def size(self: Readable[Vector]) -> int: ...

    @property
    def nvals(self) -> int: ...

    if TYPE_CHECKING:
        name: str | None
    else:
        name = None

    @property
    def value(self: Readable[Scalar]) -> Any: ...

    @property
    def is_empty(self: Readable[Scalar]) -> bool: ...

    @property
    def is_cscalar(self: Readable[Scalar]) -> bool: ...

    @property
    def is_grbscalar(self: Readable[Scalar]) -> bool: ...

    @overload
    def get(self: Readable[Scalar], default: Number | None = None) -> Any: ...

    @overload
    def get(self: Readable[Vector], index: int, default: Number | None = None) -> Any: ...

    @overload
    def get(self: Readable[Matrix], row: int, col: int, default: Number | None = None) -> Any: ...

    def get(self, *where: Any, **default: Any) -> Any: ...

    @overload
    def head(self: Readable[Vector], count: int) -> tuple[Any, Any]: ...

    @overload
    def head(self: Readable[Matrix], count: int) -> tuple[Any, Any, Any]: ...

    def head(self, count: int) -> Any: ...

    @overload
    def diag(
        self: Readable[Vector], k: int = 0, *, dtype: DTypeLike | None = None, name: str | None = None
    ) -> Matrix: ...

    @overload
    def diag(
        self: Readable[Matrix], k: int = 0, *, dtype: DTypeLike | None = None, name: str | None = None
    ) -> Vector: ...

    def diag(self, k: int = 0, *, dtype: DTypeLike | None = None, name: str | None = None) -> Any: ...

    @overload
    def dup(
        self: Readable[Scalar],
        dtype: DTypeLike | None = None,
        *,
        clear: bool = False,
        is_cscalar: bool | None = None,
        name: str | None = None,
    ) -> Scalar: ...
    @overload
    def dup(
        self: Readable[Vector],
        dtype: DTypeLike | None = None,
        *,
        clear: bool = False,
        mask: MaskView | Expr[Any] | None = None,
        name: str | None = None,
    ) -> Vector: ...
    @overload
    def dup(
        self: Readable[Matrix],
        dtype: DTypeLike | None = None,
        *,
        clear: bool = False,
        mask: MaskView | Expr[Any] | None = None,
        name: str | None = None,
    ) -> Matrix: ...
    def dup(self, dtype: DTypeLike | None = None, **how: Any) -> Any: ...

    def wait(self, how: Literal["materialize", "complete"] = "materialize") -> R: ...

    def to_networkx(self: Readable[Matrix], edge_attribute: str | None = "weight") -> Any: ...

    def isequal(self, other: Expr[R] | R, *, check_dtype: bool = False) -> bool: ...

    def isclose(
        self, other: Expr[R] | R, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False
    ) -> bool: ...

    @overload
    def to_coo(
        self: Readable[Vector],
        dtype: DTypeLike | None = None,
        *,
        indices: bool = True,
        values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any]: ...

    @overload
    def to_coo(
        self: Readable[Matrix],
        dtype: DTypeLike | None = None,
        *,
        rows: bool = True,
        columns: bool = True,
        values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]: ...

    def to_coo(self, dtype: DTypeLike | None = None, **parts: bool) -> Any: ...

    def to_csc(
        self: Readable[Matrix], dtype: DTypeLike | None = None, *, sort: bool = True
    ) -> tuple[Any, Any, Any]: ...

    def to_csr(
        self: Readable[Matrix], dtype: DTypeLike | None = None, *, sort: bool = True
    ) -> tuple[Any, Any, Any]: ...

    def to_dcsc(
        self: Readable[Matrix], dtype: DTypeLike | None = None, *, sort: bool = True
    ) -> tuple[Any, Any, Any, Any]: ...

    def to_dcsr(
        self: Readable[Matrix], dtype: DTypeLike | None = None, *, sort: bool = True
    ) -> tuple[Any, Any, Any, Any]: ...

    def to_cupyx_sparse(self: Readable[Matrix]) -> Any: ...

    @overload
    def to_dense(self: Readable[Vector], fill_value: Number | None = None, dtype: DTypeLike | None = None) -> Any: ...

    @overload
    def to_dense(self: Readable[Matrix], fill_value: Number | None = None, dtype: DTypeLike | None = None) -> Any: ...

    def to_dense(self, fill_value: Number | None = None, dtype: DTypeLike | None = None) -> Any: ...

    def to_dict(self: Readable[Vector]) -> dict[int, Any]: ...

    def to_dicts(self: Readable[Matrix], order: Order = "rowwise") -> dict[int, dict[int, Any]]: ...

    def to_edgelist(
        self: Readable[Matrix], dtype: DTypeLike | None = None, *, values: bool = True, sort: bool = True
    ) -> tuple[Any, Any]: ...

    def to_numpy(self, fill_value: Number | None = None) -> Any: ...

    def to_scipy_sparse(self: Readable[Matrix], format: str = "csr") -> Any: ...

    def apply(self, op: ApplyLike, right: ScalarLike | None = None, *, left: ScalarLike | None = None) -> Expr[R]: ...

    def select(
        self, op: IndexUnaryOp | str | IndexFunction | Expr[R] | MaskView, thunk: ScalarLike | None = None
    ) -> Expr[R]: ...

    def ewise_add(self, other: Expr[R], op: BinaryLike = "plus") -> Expr[R]: ...

    def ewise_mult(self, other: Expr[R], op: BinaryLike = "times") -> Expr[R]: ...

    def ewise_union(
        self, other: Expr[R], op: BinaryLike, left_default: ScalarLike, right_default: ScalarLike
    ) -> Expr[R]: ...

    def mxm(self: Readable[Matrix], other: Expr[Matrix], op: SemiringLike = "plus_times") -> MatMul[Matrix]: ...

    def mxv(self: Readable[Matrix], other: Expr[Vector], op: SemiringLike = "plus_times") -> MatMul[Vector]: ...

    def vxm(self: Readable[Vector], other: Expr[Matrix], op: SemiringLike = "plus_times") -> MatMul[Vector]: ...

    def inner(self: Readable[Vector], other: Expr[Vector], op: SemiringLike = "plus_times") -> MatMul[Scalar]: ...

    def outer(self: Readable[Vector], other: Expr[Vector], op: BinaryLike = "times") -> Kronecker: ...

    def kronecker(self: Readable[Matrix], other: Expr[Matrix], op: BinaryLike = "times") -> Kronecker: ...

    def power(self: Readable[Matrix], n: int, op: SemiringLike = "plus_times") -> Expr[Matrix]: ...

    @overload
    def reposition(self: Readable[Vector], offset: int, *, size: int | None = None) -> Vector: ...

    @overload
    def reposition(
        self: Readable[Matrix],
        row_offset: int,
        column_offset: int,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
    ) -> Matrix: ...

    def reposition(self, *offsets: int, **sizes: int | None) -> Any: ...

    def reduce(self: Readable[Vector], op: ReduceLike = "plus", *, allow_empty: bool = True) -> Expr[Scalar]: ...

    def reduce_columnwise(self: Readable[Matrix], op: ReduceLike = "plus") -> Expr[Vector]: ...

    def reduce_rowwise(self: Readable[Matrix], op: ReduceLike = "plus") -> Expr[Vector]: ...

    def reduce_scalar(self: Readable[Matrix], op: ReduceLike = "plus", *, allow_empty: bool = True) -> Expr[Scalar]: ...


READ_FROM_VALUE = tuple(name for name in vars(Readable) if not name.startswith("_"))
