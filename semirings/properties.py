"""What may be asked of an operator: its types, its relatives, its laws; and an operator bound to a type."""

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, cast

from semirings.dtypes import ALL, DType, Number, lookup
from semirings.errors import DomainError
from semirings.registry import find, list_operators

__all__ = ["Properties", "TypedOperator"]

MIRRORED = {
    "first": "second",
    "absfirst": "abssecond",
    "minus": "rminus",
    "truediv": "rtruediv",
    "floordiv": "rfloordiv",
    "cdiv": "rdiv",
    "pow": "rpow",
    "lt": "gt",
    "le": "ge",
    "islt": "isgt",
    "isle": "isge",
    "firsti": "secondi",
    "firsti1": "secondi1",
    "firstj": "secondj",
    "firstj1": "secondj1",
}
"""Binary operators and those that give the same with the operands exchanged."""
TRANSPOSED = {"firsti": "secondj", "firsti1": "secondj1", "firstj": "secondi", "firstj1": "secondi1"}
"""The same for positions in a product: of Bᵀ and Aᵀ, where rows are columns."""
IDEMPOTENT = frozenset({"min", "max", "land", "lor", "band", "bor", "any", "first", "second"})
"""Operators with op(x, x) = x."""


def find_mirrored(name: str, pairs: dict[str, str]) -> Any:
    """The binary operator that is paired with that of a name, from either side; None if there is none."""
    other = {**{right: left for left, right in pairs.items()}, **pairs}.get(name)
    return None if other is None else find("binary", other)


class Properties:
    """What all operators can be asked for beside their fields."""

    name: str
    sort: ClassVar[str] = ""

    def __getitem__(self, dtype: object) -> "TypedOperator":
        """The operator bound to a type: operands are cast to it first, as in ``binary.plus[float]``.

        Raises
        ------
        DomainError
            If the operator has no meaning on the type.
        """
        return bind_type(self, lookup(dtype))

    @property
    def types(self) -> dict[DType, DType]:
        """The types that both operands may have, and the type of the result for each."""
        found: dict[DType, DType] = {}
        for dtype in ALL:
            try:
                found[dtype] = self._find_result_type(dtype)
            except DomainError:
                continue
        return found

    def _find_result_type(self, dtype: DType) -> DType:
        operands = {"unary": 1, "monoid": 1}.get(self.sort, 2)
        result: DType = cast("Any", self).result_type(*(dtype,) * operands)
        return result

    @property
    def monoid(self) -> Any:
        """The monoid of this binary operator, or of the addition of this semiring; None if there is none."""
        if self.sort == "monoid":
            return self
        if self.sort == "semiring":
            return cast("Any", self).add
        known = self.__dict__.get("_monoid")
        if known is None:  # none is registered yet: ask again later
            known = next((each for each in list_operators("monoid") if each.op is self), None)
            self.__dict__["_monoid"] = known
        return known

    @property
    def binaryop(self) -> Any:
        """The binary operator of this monoid, or the multiplication of this semiring; itself of a binary operator."""
        field = {"monoid": "op", "semiring": "multiply"}.get(self.sort)
        return getattr(self, field) if field else self if self.sort == "binary" else None

    @property
    def commutes_to(self) -> Any:
        """The operator that gives the same with the operands exchanged; None if there is none of a name."""
        if self.sort == "monoid" or getattr(self, "commutative", False):
            return self
        if self.sort == "semiring":
            return self._find_commuted_semiring()
        return find_mirrored(self.name, MIRRORED) if self.sort == "binary" else None

    def _find_commuted_semiring(self) -> Any:
        """The semiring of Bᵀ and Aᵀ, where (A B)ᵀ has the values of this one's; None if none of a name has."""
        add, op = cast("Any", self).add, cast("Any", self).multiply
        other = find_mirrored(op.name, TRANSPOSED) if op.positional else op.commutes_to
        if other is op:
            return self
        return next((s for s in list_operators("semiring") if s.add is add and s.multiply is other), None)

    @property
    def is_commutative(self) -> bool:
        """Whether the operands may be exchanged."""
        return self.commutes_to is self

    @property
    def is_idempotent(self) -> bool:
        """Whether op(x, x) = x; of a monoid."""
        if self.sort != "monoid":
            raise AttributeError(f"{self!r} is no monoid, and only those have is_idempotent")
        return self.name in IDEMPOTENT

    @property
    def is_positional(self) -> bool:
        """Whether it reads positions instead of values."""
        of = getattr(self, "multiply", self)
        return bool(getattr(of, "positional", None)) or self.name in ("rowindex", "colindex", "diagindex")


@dataclass(frozen=True)
class TypedOperator:
    """An operator bound to a type: ``binary.plus[float]`` casts its operands to FP64 first.

    Attributes
    ----------
    op : Operator
        The operator.
    type : DType
        The type of its operands.
    """

    op: Any
    type: DType

    def __post_init__(self) -> None:
        _ = self.return_type

    @property
    def sort(self) -> str:
        """The kind of the operator: ``"unary"``, ``"binary"`` …"""
        return self.op.sort

    @property
    def name(self) -> str:
        """The name of the operator."""
        return self.op.name

    @property
    def parent(self) -> Any:
        """The operator, bound to no type."""
        return self.op

    @property
    def return_type(self) -> DType:
        """The type of the result."""
        return self.op._find_result_type(self.type)

    @property
    def type2(self) -> DType:
        """The type of the second operand."""
        return self.type

    @property
    def binaryop(self) -> "TypedOperator | None":
        """As of the operator, bound to the type."""
        return self._bind(self.op.binaryop)

    @property
    def monoid(self) -> "TypedOperator | None":
        """As of the operator, bound to the type; of a semiring the addition of what its products are."""
        if self.sort == "semiring":
            return bind_type(self.op.add, self.return_type)
        return self._bind(self.op.monoid)

    @property
    def commutes_to(self) -> "TypedOperator | None":
        """As of the operator, bound to the type."""
        return self._bind(self.op.commutes_to)

    @property
    def is_commutative(self) -> bool:
        """Whether the operands may be exchanged."""
        return self.op.is_commutative

    @property
    def is_idempotent(self) -> bool:
        """Whether op(x, x) = x."""
        return self.op.is_idempotent

    @property
    def is_positional(self) -> bool:
        """Whether it reads positions instead of values."""
        return self.op.is_positional

    @property
    def identity(self) -> Number:
        """The identity of a monoid on the type."""
        return self.op.identity(self.type)

    def _bind(self, op: Any) -> "TypedOperator | None":
        return None if op is None else bind_type(op, self.type)

    def __call__(self, *operands: Any, **defaults: Any) -> Any:
        """The operator called on the operands, each of which is cast to the type first."""
        return self.op(*(_cast(each, self.type) for each in operands), **defaults)

    def __reduce__(self) -> tuple[Any, ...]:
        return bind_type, (self.op, self.type)

    def __repr__(self) -> str:
        return f"{self.op!r}[{self.type}]"


@cache
def bind_type(op: Any, dtype: DType) -> TypedOperator:
    """The operator bound to a type: one record for each."""
    return TypedOperator(op, dtype)


def _cast(operand: Any, dtype: DType) -> Any:
    return operand._cast(dtype) if hasattr(operand, "_cast") else operand
