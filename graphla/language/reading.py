"""What may be read from an expression as from the container that it gives: ``(A + B).nvals``."""

# pyright: reportReturnType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, overload

from graphla.language.kinds import (
    AMatrix,
    AnyMatrix,
    AnyVector,
    AScalar,
    AVector,
    IsMatrix,
    IsScalar,
    IsVector,
    R,
    ReduceLike,
)

if TYPE_CHECKING:
    from graphla.common.typing import ApplyLike, BinaryLike, DTypeLike, IndexFunction, Number, Order, SemiringLike
    from graphla.language.expr import Expr, Product, ScalarLike
    from graphla.language.masks import MaskView
    from semirings import IndexUnaryOp


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
    def T(self: Readable[AMatrix]) -> Expr[AMatrix]: ...

    @property
    def ndim(self) -> int: ...

    @property
    def nrows(self: Readable[AnyMatrix]) -> int: ...

    @property
    def ncols(self: Readable[AnyMatrix]) -> int: ...

    @property
    def size(self: Readable[AnyVector]) -> int: ...

    @property
    def nvals(self) -> int: ...

    if TYPE_CHECKING:
        name: str | None
    else:
        name = None

    @property
    def value(self: Readable[IsScalar]) -> Any: ...

    @property
    def is_empty(self: Readable[IsScalar]) -> bool: ...

    @property
    def is_cscalar(self: Readable[IsScalar]) -> bool: ...

    @property
    def is_grbscalar(self: Readable[IsScalar]) -> bool: ...

    @overload
    def get(self: Readable[IsScalar], default: Number | None = None) -> Any: ...

    @overload
    def get(self: Readable[AnyVector], index: int, default: Number | None = None) -> Any: ...

    @overload
    def get(self: Readable[AnyMatrix], row: int, col: int, default: Number | None = None) -> Any: ...

    def get(self, *where: Any, **default: Any) -> Any: ...

    @overload
    def head(self: Readable[AnyVector], count: int) -> tuple[Any, Any]: ...

    @overload
    def head(self: Readable[AnyMatrix], count: int) -> tuple[Any, Any, Any]: ...

    def head(self, count: int) -> Any: ...

    @overload
    def diag(
        self: Readable[IsVector[AMatrix, Any]], k: int = 0, *, dtype: DTypeLike | None = None, name: str | None = None
    ) -> AMatrix: ...

    @overload
    def diag(
        self: Readable[IsMatrix[AVector, Any]], k: int = 0, *, dtype: DTypeLike | None = None, name: str | None = None
    ) -> AVector: ...

    def diag(self, k: int = 0, *, dtype: DTypeLike | None = None, name: str | None = None) -> Any: ...

    @overload
    def dup(
        self: Readable[AScalar],
        dtype: DTypeLike | None = None,
        *,
        clear: bool = False,
        is_cscalar: bool | None = None,
        name: str | None = None,
    ) -> AScalar: ...
    @overload
    def dup(
        self: Readable[AVector],
        dtype: DTypeLike | None = None,
        *,
        clear: bool = False,
        mask: MaskView | Expr[Any] | None = None,
        name: str | None = None,
    ) -> AVector: ...
    @overload
    def dup(
        self: Readable[AMatrix],
        dtype: DTypeLike | None = None,
        *,
        clear: bool = False,
        mask: MaskView | Expr[Any] | None = None,
        name: str | None = None,
    ) -> AMatrix: ...
    def dup(self, dtype: DTypeLike | None = None, **how: Any) -> Any: ...

    def wait(self, how: Literal["materialize", "complete"] = "materialize") -> R: ...

    def to_networkx(self: Readable[AnyMatrix], edge_attribute: str | None = "weight") -> Any: ...

    def isequal(self, other: Expr[R] | R, *, check_dtype: bool = False) -> bool: ...

    def isclose(
        self, other: Expr[R] | R, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False
    ) -> bool: ...

    @overload
    def to_coo(
        self: Readable[AnyVector],
        dtype: DTypeLike | None = None,
        *,
        indices: bool = True,
        values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any]: ...

    @overload
    def to_coo(
        self: Readable[AnyMatrix],
        dtype: DTypeLike | None = None,
        *,
        rows: bool = True,
        columns: bool = True,
        values: bool = True,
        sort: bool = True,
    ) -> tuple[Any, Any, Any]: ...

    def to_coo(self, dtype: DTypeLike | None = None, **parts: bool) -> Any: ...

    def to_csc(
        self: Readable[AnyMatrix], dtype: DTypeLike | None = None, *, sort: bool = True
    ) -> tuple[Any, Any, Any]: ...

    def to_csr(
        self: Readable[AnyMatrix], dtype: DTypeLike | None = None, *, sort: bool = True
    ) -> tuple[Any, Any, Any]: ...

    def to_dcsc(
        self: Readable[AnyMatrix], dtype: DTypeLike | None = None, *, sort: bool = True
    ) -> tuple[Any, Any, Any, Any]: ...

    def to_dcsr(
        self: Readable[AnyMatrix], dtype: DTypeLike | None = None, *, sort: bool = True
    ) -> tuple[Any, Any, Any, Any]: ...

    def to_cupyx_sparse(self: Readable[AnyMatrix]) -> Any: ...

    @overload
    def to_dense(
        self: Readable[AnyVector], fill_value: Number | None = None, dtype: DTypeLike | None = None
    ) -> Any: ...

    @overload
    def to_dense(
        self: Readable[AnyMatrix], fill_value: Number | None = None, dtype: DTypeLike | None = None
    ) -> Any: ...

    def to_dense(self, fill_value: Number | None = None, dtype: DTypeLike | None = None) -> Any: ...

    def to_dict(self: Readable[AnyVector]) -> dict[int, Any]: ...

    def to_dicts(self: Readable[AnyMatrix], order: Order = "rowwise") -> dict[int, dict[int, Any]]: ...

    def to_edgelist(
        self: Readable[AnyMatrix], dtype: DTypeLike | None = None, *, values: bool = True, sort: bool = True
    ) -> tuple[Any, Any]: ...

    def to_numpy(self, fill_value: Number | None = None) -> Any: ...

    def to_scipy_sparse(self: Readable[AnyMatrix], format: str = "csr") -> Any: ...

    def apply(self, op: ApplyLike, right: ScalarLike | None = None, *, left: ScalarLike | None = None) -> Expr[R]: ...

    def select(
        self, op: IndexUnaryOp | str | IndexFunction | Expr[R] | MaskView, thunk: ScalarLike | None = None
    ) -> Expr[R]: ...

    def ewise_add(self, other: Expr[R], op: BinaryLike = "plus") -> Expr[R]: ...

    def ewise_mult(self, other: Expr[R], op: BinaryLike = "times") -> Expr[R]: ...

    def ewise_union(
        self, other: Expr[R], op: BinaryLike, left_default: ScalarLike, right_default: ScalarLike
    ) -> Expr[R]: ...

    def mxm(self: Readable[AMatrix], other: Expr[AMatrix], op: SemiringLike = "plus_times") -> Product[AMatrix]: ...

    def mxv(
        self: Readable[IsMatrix[AVector, Any]], other: Expr[AVector], op: SemiringLike = "plus_times"
    ) -> Product[AVector]: ...

    def vxm(self: Readable[AVector], other: Expr[AnyMatrix], op: SemiringLike = "plus_times") -> Product[AVector]: ...

    def inner(
        self: Readable[IsVector[Any, AScalar]], other: Expr[AnyVector], op: SemiringLike = "plus_times"
    ) -> Product[AScalar]: ...

    def outer(
        self: Readable[IsVector[AMatrix, Any]], other: Expr[AnyVector], op: BinaryLike = "times"
    ) -> Expr[AMatrix]: ...

    def kronecker(self: Readable[AMatrix], other: Expr[AMatrix], op: BinaryLike = "times") -> Expr[AMatrix]: ...

    def power(self: Readable[AMatrix], n: int, op: SemiringLike = "plus_times") -> Expr[AMatrix]: ...

    @overload
    def reposition(self: Readable[AVector], offset: int, *, size: int | None = None) -> AVector: ...

    @overload
    def reposition(
        self: Readable[AMatrix],
        row_offset: int,
        column_offset: int,
        *,
        nrows: int | None = None,
        ncols: int | None = None,
    ) -> AMatrix: ...

    def reposition(self, *offsets: int, **sizes: int | None) -> Any: ...

    def reduce(
        self: Readable[IsVector[Any, AScalar]], op: ReduceLike = "plus", *, allow_empty: bool = True
    ) -> Expr[AScalar]: ...

    def reduce_columnwise(self: Readable[IsMatrix[AVector, Any]], op: ReduceLike = "plus") -> Expr[AVector]: ...

    def reduce_rowwise(self: Readable[IsMatrix[AVector, Any]], op: ReduceLike = "plus") -> Expr[AVector]: ...

    def reduce_scalar(
        self: Readable[IsMatrix[Any, AScalar]], op: ReduceLike = "plus", *, allow_empty: bool = True
    ) -> Expr[AScalar]: ...


READ_FROM_VALUE = tuple(name for name in vars(Readable) if not name.startswith("_"))
