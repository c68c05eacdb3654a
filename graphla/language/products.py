"""Expressions over two operands: products, element-wise unions and intersections, Kronecker products."""

from __future__ import annotations

from typing import Any, cast

from graphla.common.arguments import show
from graphla.common.errors import DimensionMismatch, DomainMismatch, NotSupported
from graphla.language.expr import Expr, Product, Shape
from graphla.language.kinds import R
from graphla.language.lazy import Lazy
from graphla.language.masked import MaskedProduct
from graphla.language.masks import MaskView
from graphla.language.operands import find_common_engine, infer_dtype
from graphla.storage.frozen import quick
from semirings import BinaryOp, Semiring
from semirings.dtypes import BOOL, DType, unify


class Pair(Lazy[R]):
    """An expression over two operands."""

    left: Any
    right: Any

    @property
    def rank(self) -> int:
        return self.left.rank

    @property
    def shape(self) -> Shape:
        return self.left.shape

    @property
    def engine(self) -> Any:
        one, other = self.left.engine, self.right.engine
        return one if one is other else find_common_engine(one, other)

    @property
    def _sources(self) -> tuple[Any, ...]:
        return *self.left._sources, *self.right._sources


class MatMulPair(Pair[R]):
    """A @ B, with or without its semiring."""

    @property
    def rank(self) -> int:
        return self.left.rank + self.right.rank - 2

    @property
    def shape(self) -> Shape:
        return self.left.shape[:-1] + self.right.shape[1:]

    def require_fit(self) -> None:
        """Refuse operands that do not fit; asked again before they are multiplied, for they may have been resized."""
        left, right = self.left.shape, self.right.shape
        if left[-1] != right[0]:
            product = f"{self.semiring.name}(A @ B)" if isinstance(self, MatMul) else "A @ B"
            raise DimensionMismatch(
                f"{product}: A has shape {left}, B has {right}; the inner sizes {left[-1]} and {right[0]} differ"
            )


@quick(repr=False)
class MatMul(MatMulPair[R], Product[R]):
    """⊕.⊗ over matrices and vectors: C[i, j] = ⊕_k A[i, k] ⊗ B[k, j]."""

    left: Any
    right: Any
    semiring: Semiring

    def __post_init__(self) -> None:
        self.require_fit()
        self.dtype = infer_dtype(self.semiring, self.left.dtype, self.right.dtype)  # type: ignore[misc]

    def mask(self, mask: MaskView) -> MaskedProduct:
        """The product of two matrices where a mask allows it, as an expression.

        Its reduction to a scalar adds up each entry as it is computed: no matrix of them is made.

        Parameters
        ----------
        mask : mask
            ``M.S`` or ``M.V`` of a matrix of the shape of the product, or ``~`` of one.

        Returns
        -------
        MaskedProduct
            The expression.

        Raises
        ------
        DomainMismatch
            If this is no product of two matrices, or `mask` no mask.
        DimensionMismatch
            If the mask has another shape.

        Examples
        --------
        >>> from graphla import Matrix
        >>> from semirings import plus_pair
        >>> L = Matrix.from_coo([1, 2, 2], [0, 0, 1], True, nrows=3, ncols=3)
        >>> plus_pair(L @ L.T).mask(L.S).reduce_scalar("plus").new().value
        1
        """
        if self.rank != 2:
            raise DomainMismatch(f"mask: the product has shape {self.shape}; a product of two matrices has a mask")
        if not isinstance(cast("Any", mask), MaskView):
            raise DomainMismatch(f"mask: mask={show(mask)}: give M.S or M.V of a matrix")
        if mask.of.shape != self.shape:
            raise DimensionMismatch(f"mask: the product has shape {self.shape}, and the mask {mask.of.shape}")
        return MaskedProduct(self, mask)


@quick(repr=False)
class Ewise(Pair[R]):
    """Entry by entry: the union or the intersection of two structures.

    With `fills`, an entry that only one side has meets the other side's fill value; without, it passes.
    """

    left: Any
    right: Any
    op: BinaryOp
    union: bool
    fills: tuple[Any, Any] | None = None

    def __post_init__(self) -> None:
        self.require_fit()
        if self.op.positional:
            raise NotSupported(f"{self.op.name} is positional and works inside a product only")
        left, right = self.left.dtype, self.right.dtype
        result = infer_dtype(self.op, left, right)
        alike = left is right is result
        passes = self.union and self.fills is None and result is not BOOL and not alike
        self.dtype = unify(left, right, result) if passes else result  # type: ignore[misc]

    def require_fit(self) -> None:
        """As for products."""
        left, right = self.left.shape, self.right.shape
        if left != right:
            raise DimensionMismatch(f"{self.op.name}: shapes {left} and {right} differ")


@quick(repr=False)
class Kronecker(Pair[R]):
    """C[i·m + k, j·n + l] = A[i, j] ⊗ B[k, l]."""

    left: Any
    right: Any
    op: BinaryOp

    def __post_init__(self) -> None:
        for side in (self.left, self.right):
            if not isinstance(side, Expr) or side.rank != 2:
                raise DomainMismatch(f"other={show(side)}: kronecker takes two matrices or expressions of matrices")
        if self.op.positional:
            raise NotSupported(f"{self.op.name} is positional and works inside a product only")
        _ = self.dtype

    @property
    def shape(self) -> Shape:
        return tuple(a * b for a, b in zip(self.left.shape, self.right.shape, strict=True))

    @property
    def dtype(self) -> DType:
        return infer_dtype(self.op, self.left.dtype, self.right.dtype)
