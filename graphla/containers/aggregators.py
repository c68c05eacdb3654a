"""Aggregators: sums, counts, means, spreads and norms of the entries of a row, a column or a whole.

An aggregator is one algebraic line over `fold`, the reduction by a monoid along the axis that was asked for. Counts are
INT64; whatever divides or takes roots computes in FP64, so that no sum of a narrow type wraps on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from graphla.common.arguments import find_int, show, to_bool
from graphla.common.config import compute_freely
from graphla.common.errors import DomainMismatch, InvalidOption
from graphla.containers.execute import find_engine
from graphla.language.apply import Apply, Reduce
from graphla.language.expr import Expr, require_entries, to_operand
from graphla.planning.degrees import find_cached_transpose
from graphla.planning.plan import read_operand
from graphla.storage import CompressedMatrix
from graphla.storage.convert import cast_indices, measure_rows
from graphla.storage.deferred import SentinelArray
from semirings import Monoid, binary, indexunary, monoid, semiring, unary
from semirings.dtypes import ALL, BOOL, FC64, FP64, INT64, DType, lookup, unify
from semirings.errors import DomainError
from semirings.registry import Extensions, Namespace


@dataclass(frozen=True)
class Fold:
    """⊕ over the rows (axis 1) or columns (axis 0) of what is folded as a vector, or over everything as a scalar.

    The host computes with scalars.
    """

    axis: int | None

    def __call__(self, op: Monoid, of: Expr[Any], wide: DType | None = None) -> Any:
        """Fold what is there, in the dtype `wide` if one is given: no converted copy is made."""
        return Reduce(to_operand(of, op.name), op, self.axis, wide).new()

    def subtract_mean(self, of: Any, mean: Any) -> Any:
        """Each entry less the mean of its row, its column or of all."""
        if self.axis is None:
            return of if mean.is_empty else of - mean.value
        there = mean.diag()
        return semiring.any_rminus(there @ of) if self.axis == 1 else semiring.any_minus(of @ there)


@dataclass(frozen=True, eq=False)
class Aggregator:
    """What is made of many entries: called on a matrix or a vector, or given to a reduction.

    Attributes
    ----------
    name : str
        Its name in `graphla.agg`.
    line : callable
        ``line(fold, x)``: the equation.
    monoid : Monoid, optional
        The monoid that does the same, if there is one: of nothing its identity is the aggregate.

    Notes
    -----
    `compose` makes one of others: ``Aggregator.compose("range", [agg.max, agg.min], lambda high, low: high - low)``.

    Examples
    --------
    >>> from graphla import Vector, agg
    >>> v = Vector.from_coo([0, 2], [3, 4], size=5)
    >>> agg.mean(v).new().value, v.reduce(agg.hypot).new().value
    (3.5, 5.0)
    """

    name: str
    line: Callable[[Fold, Any], Any]
    sort: ClassVar[str] = "agg"

    monoid: Monoid | None = None

    @classmethod
    def compose(cls, name: str, parts: Sequence[Aggregator], finish: Callable[..., Any]) -> Aggregator:
        """An aggregator of the values of others.

        Parameters
        ----------
        name : str
            Its name, for messages.
        parts : sequence of Aggregator
            The others.
        finish : callable
            ``finish(p, q, …)`` of the vectors of their values, as an expression.

        Returns
        -------
        Aggregator
            A new one.

        Examples
        --------
        >>> from graphla import Vector, agg
        >>> spread = agg.Aggregator.compose("spread", [agg.max, agg.min], lambda high, low: high - low)
        >>> spread(Vector.from_coo([0, 2], [3, 7])).new().value
        4
        """
        return cls(name, lambda fold, x: finish(*(to_operand(part.line(fold, x), part.name) for part in parts)))

    def __getitem__(self, dtype: object) -> TypedAggregator:
        """The aggregator whose result is cast to a type: ``agg.sum[float]``.

        Raises
        ------
        DomainError
            If it has no meaning for entries of the type.
        """
        kind = lookup(dtype)
        if kind not in self:
            raise DomainError(f"{self!r} does not work with {kind}; it does with {', '.join(map(repr, self.types))}")
        return TypedAggregator(self, kind)

    def __contains__(self, dtype: object) -> bool:
        """Whether it has a meaning for entries of a type."""
        return lookup(dtype) in self.types

    @cached_property
    def types(self) -> dict[DType, DType]:
        """The types of entries that it has a meaning for, and the type of the aggregate of each."""
        found = ((t, self._find_result_type(t)) for t in ALL)
        return {t: result for t, result in found if result is not None}

    def _find_result_type(self, dtype: DType) -> DType | None:
        """The type of the aggregate of one entry; None if it has no meaning."""
        try:
            return self.reduce(Expr._containers[1].from_coo([0], [True], dtype, size=1, engine="cpu"), None).dtype
        except (DomainError, DomainMismatch):
            return None

    def __call__(self, of: Any, *, rowwise: bool = False, columnwise: bool = False) -> Expr[Any]:
        """The aggregate of everything, of each row (`rowwise`) or of each column (`columnwise`), as an expression."""
        rowwise, columnwise = to_bool(rowwise, "rowwise"), to_bool(columnwise, "columnwise")
        if rowwise and columnwise:
            raise InvalidOption(f"agg.{self.name}: rowwise and columnwise cannot both be True")
        return self.reduce(of, 1 if rowwise else 0 if columnwise else None)

    def reduce(self, of: Expr[Any], axis: int | None) -> Expr[Any]:
        """The aggregate of everything, or of each row or column, as an expression.

        Parameters
        ----------
        of : Matrix, Vector or expression
            What is aggregated.
        axis : int or None
            1 for each row, 0 for each column, None for everything.

        Returns
        -------
        Expr
            An expression of one value, or of a vector.

        Raises
        ------
        DomainMismatch
            If a vector is asked for rows or columns.
        InvalidOption
            If an axis is given for a vector.

        Examples
        --------
        >>> from graphla import Vector, agg
        >>> agg.mean.reduce(Vector.from_coo([0, 2], [3, 4], size=5), None).new().value
        3.5
        """
        x = require_entries(of, f"agg.{self.name}")
        if axis is not None and find_int(axis) not in (0, 1):
            raise InvalidOption(f"agg.{self.name}: axis={show(axis)}: give 1 for rows, 0 for columns, None for all")
        if axis is not None and x.rank != 2:
            raise InvalidOption(f"agg.{self.name}: rowwise and columnwise have no meaning for a vector")
        with compute_freely():
            return self.line(Fold(axis), x)

    def __repr__(self) -> str:
        return f"agg.{self.name}"


@dataclass(frozen=True)
class TypedAggregator:
    """An aggregator whose result is cast to a type.

    Attributes
    ----------
    of : Aggregator
        The aggregator.
    type : DType
        The type of the result.
    """

    of: Aggregator
    type: DType
    sort: ClassVar[str] = "agg"

    @property
    def name(self) -> str:
        """The name of the aggregator."""
        return self.of.name

    @property
    def return_type(self) -> DType:
        """The type of the result: that to which it is cast."""
        return self.type

    @property
    def parent(self) -> Aggregator:
        """The aggregator, bound to no type."""
        return self.of

    @property
    def monoid(self) -> Monoid | None:
        """As of the aggregator."""
        return self.of.monoid

    def __call__(self, of: Any, *, rowwise: bool = False, columnwise: bool = False) -> Expr[Any]:
        """The aggregate of everything, of each row or of each column."""
        return self.of(of, rowwise=rowwise, columnwise=columnwise).new(self.type)

    def reduce(self, of: Expr[Any], axis: int | None) -> Expr[Any]:
        """The aggregate along an axis."""
        return self.of.reduce(of, axis).new(self.type)

    def __repr__(self) -> str:
        return f"{self.of!r}[{self.type}]"


class Aggregators(Namespace[Aggregator]):
    """The aggregators by name, and their class."""

    Aggregator = Aggregator


agg = Aggregators("agg")
"""The aggregators, by name."""


def register(name: str, line: Callable[[Fold, Any], Any], same: Monoid | None = None) -> None:
    agg.add(name, Aggregator(name, line, same))


def count_each(x: Any) -> Expr[Any]:
    """1 for each entry, in INT64."""
    return Apply(x, binary.pair, 1)


def to_real(x: Any) -> Any:
    """The entries in FP64."""
    return x.new(FP64)


def choose_mean_dtype(x: Any) -> DType:
    """The dtype of a mean: that of floating point and of complex numbers, else FP64."""
    return x.dtype if x.dtype.kind in "fc" else FP64


def count(fold: Fold, x: Any) -> Any:
    """The number of entries: the lengths of stored rows, else a product with ones; that of all is known."""
    if fold.axis is None:
        return Expr._containers[0].from_value(x.nvals or None, INT64)
    along = x if fold.axis == 1 else x.T
    held, transposed = read_operand(along)
    rows = find_cached_transpose(held) if transposed else held
    if isinstance(rows, CompressedMatrix):
        lengths: Any = SentinelArray(cast_indices(measure_rows(rows.indptr), "int64"), 0)
        return Expr._containers[1]._from_storage(lengths, find_engine(x))  # type: ignore[attr-defined]
    ones = Expr._containers[1].from_scalar(True, along.shape[1], engine=find_engine(x))
    return semiring.plus_pair(along @ ones).new(INT64)


def square(held: Any) -> Any:
    """x², of a container."""
    return binary.times(held & held)


def compute_mean(fold: Fold, x: Any) -> Any:
    """Σ x / n, in FP64; of complex numbers in FC64."""
    return (fold(monoid.plus, x, FC64 if x.dtype.kind == "c" else FP64) / count(fold, x)).new()


def sum_squares(fold: Fold, x: Any) -> Any:
    """Σ x², in INT64 or FP64."""
    return fold(monoid.plus, square(x.new(unify(x.dtype, INT64))))


def sum_inverses(fold: Fold, x: Any) -> Any:
    if x.dtype == BOOL:
        raise DomainMismatch("agg.sum_of_inverses: truths have no inverses, BOOL: cast them to numbers, .dup('FP64')")
    return fold(monoid.plus, 1 / to_real(x))


def compute_variance(fold: Fold, x: Any, fewer: int) -> Any:
    """Σ (x - mean)² / (n - fewer), from the deviations: a difference of two sums would lose what they share."""
    wide, entries = to_real(x), count(fold, x)
    mean = (fold(monoid.plus, wide) / entries).new()
    return fold(monoid.plus, square(fold.subtract_mean(wide, mean).new())) / (entries - fewer)


def compute_peak_to_peak(fold: Fold, x: Any) -> Any:
    return binary.minus(fold(monoid.max, x) & fold(monoid.min, x))


def list_indices(fold: Fold, x: Any) -> Any:
    """The column of each entry if rows are folded, else its row; that of a vector's entry is its index."""
    if fold.axis is None and x.rank == 2:
        raise InvalidOption(
            "agg.argmin and its kin: an entry of a whole matrix has two indices; give this aggregator to "
            "reduce_rowwise or reduce_columnwise"
        )
    return (indexunary.colindex if fold.axis == 1 else indexunary.rowindex)(x).new()


def select_extremes(fold: Fold, keys: Any, extreme: Monoid) -> Any:
    """The entries of `keys` that are the least or the greatest of their row, their column or all."""
    found = fold(extreme, keys)
    if fold.axis is None:
        return keys if found.is_empty else keys.select("==", found.value)
    there = found.diag()
    equal = semiring.any_eq(there @ keys) if fold.axis == 1 else semiring.any_eq(keys @ there)
    return keys.dup(mask=equal.new().V)


def find_index(fold: Fold, x: Any, extreme: Monoid) -> Any:
    """The smallest index at which the extreme value stands."""
    return fold(monoid.min, list_indices(fold, select_extremes(fold, x.new(), extreme)))


def pick_value(fold: Fold, x: Any, extreme: Monoid) -> Any:
    """The value at the smallest or the largest index; of a whole matrix row by row."""
    if fold.axis is None and x.rank == 2:
        x = to_operand(pick_value(Fold(1), x, extreme), "agg.first")
    there = select_extremes(fold, list_indices(fold, x), extreme).new()
    return fold(monoid.any, x.new(mask=there.S))


for name, op in {
    "sum": monoid.plus,
    "prod": monoid.times,
    "all": monoid.land,
    "any": monoid.lor,
    "min": monoid.min,
    "max": monoid.max,
    "any_value": monoid.any,
    "bitwise_all": monoid.band,
    "bitwise_any": monoid.bor,
}.items():
    register(name, lambda fold, x, op=op: fold(op, x), op)

register("count", count)
register("count_nonzero", lambda fold, x: fold(monoid.plus, x != 0))
register("count_zero", lambda fold, x: fold(monoid.plus, x == 0))
register("exists", lambda fold, x: fold(monoid.any, count_each(x)))
register("sum_of_squares", sum_squares)
register("sum_of_inverses", sum_inverses)
register("hypot", lambda fold, x: unary.sqrt(sum_squares(fold, x).new(FP64)))
register("logaddexp", lambda fold, x: unary.log(fold(monoid.plus, unary.exp(to_real(x)))))
register("logaddexp2", lambda fold, x: unary.log2(fold(monoid.plus, unary.exp2(to_real(x)))))
register("argmin", lambda fold, x: find_index(fold, x, monoid.min))
register("argmax", lambda fold, x: find_index(fold, x, monoid.max))
register("first", lambda fold, x: pick_value(fold, x, monoid.min))
register("last", lambda fold, x: pick_value(fold, x, monoid.max))
register("first_index", lambda fold, x: fold(monoid.min, list_indices(fold, x)))
register("last_index", lambda fold, x: fold(monoid.max, list_indices(fold, x)))
register("L1norm", lambda fold, x: fold(monoid.plus, abs(x)))
register("Linfnorm", lambda fold, x: fold(monoid.max, abs(x)))
register("mean", lambda fold, x: compute_mean(fold, x).new(choose_mean_dtype(x)))
register("peak_to_peak", compute_peak_to_peak)
register("varp", lambda fold, x: compute_variance(fold, x, 0).new(choose_mean_dtype(x)))
register("vars", lambda fold, x: compute_variance(fold, x, 1).new(choose_mean_dtype(x)))
register("stdp", lambda fold, x: unary.sqrt(compute_variance(fold, x, 0)).new(choose_mean_dtype(x)))
register("stds", lambda fold, x: unary.sqrt(compute_variance(fold, x, 1)).new(choose_mean_dtype(x)))
register(
    "geometric_mean",
    lambda fold, x: (fold(monoid.times, to_real(x)) ** (1 / to_real(count(fold, x))).new()).new(choose_mean_dtype(x)),
)
register("harmonic_mean", lambda fold, x: count(fold, x) / sum_inverses(fold, x))
register(
    "root_mean_square", lambda fold, x: unary.sqrt(sum_squares(fold, x) / count(fold, x)).new(choose_mean_dtype(x))
)
agg.alias("L0norm", "count_nonzero")
agg.alias("L2norm", "hypot")
agg.ss = Extensions(agg, ("argmin", "argmax", "first", "first_index", "last", "last_index"))
