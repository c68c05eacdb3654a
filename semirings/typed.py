"""Types for a scalar expression, and its steps in order: what both renderers start from.

Each primitive computes in one type, the common type of its operands, to which they are cast. A constant has
no type of its own and takes the one of what it meets, if it fits there. So the renderers meet primitives on
operands of one type alone, and agree because every cast is already in the tree.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from semirings.dtypes import BOOL, COMPLEX, FC32, FC64, FLOATS, FP32, FP64, INT64, DType, Number, real_part, unify
from semirings.errors import DomainError
from semirings.nodes import Call, Expression, Literal, Symbol, call

__all__ = ["Atom", "Step", "Steps", "cast_number", "linearise", "result_type"]

ORDERINGS = frozenset({"lt", "le", "gt", "ge", "min", "max", "sign"})
PARTS = frozenset({"real", "imag", "arg"})
COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
TESTS = frozenset({"isnan", "isinf", "isfinite"})
ROUNDINGS = frozenset({"floor", "ceil", "trunc", "round"})
BITS = frozenset({"and", "or", "xor", "invert"})
SHIFTS = frozenset({"shl", "shr"})
FLOATING = frozenset(
    {"truediv", "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan"}
    | {"asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "atan2", "hypot", "fmod"}
    | {"erf", "erfc", "lgamma", "tgamma", "frexpe", "copysign", "ldexp"}
)


MEANINGLESS_ON_COMPLEX = (
    ORDERINGS | ROUNDINGS | BITS | SHIFTS | {"floordiv", "mod", "fmod", "atan2", "hypot", "cbrt", "expm1", "log1p"}
    | {"add_saturating", "add_to_max", "add_to_min", "asin", "acos", "atan", "asinh", "acosh", "atanh"}
    | {"erf", "erfc", "lgamma", "tgamma", "frexpe", "copysign", "ldexp"}
)  # fmt: skip
"""Primitives that need an order, bits or a whole number, and functions that are not written for complex numbers."""


class Weak(IntEnum):
    """The type of a constant before it meets another: what it can become."""

    BIT = 0  # 0, 1 and the infinities fit any type
    INTEGER = 1  # any type of numbers
    REAL = 2  # floating point alone
    COMPLEX = 3  # complex types alone


Natural = DType | Weak


@dataclass(frozen=True)
class Atom:
    """An operand of a step: a name or a constant, with its type."""

    value: str | Number
    dtype: DType


@dataclass(frozen=True)
class Step:
    """One primitive on atoms: ``target = op(args)``, computed in the type `at`, giving `target.dtype`."""

    target: Atom
    op: str
    args: tuple[Atom, ...]
    at: DType


@dataclass(frozen=True)
class Steps:
    """An expression as a straight line: its steps in order, and the atom that holds the result."""

    steps: tuple[Step, ...]
    result: Atom


def cast_number(value: Number, dtype: DType) -> Number:
    """A Python number as a value of `dtype`; an infinity is the end of the type.

    Raises
    ------
    DomainError
        If the number does not fit the type.
    """
    if dtype.kind == "c":
        return complex(value)
    if isinstance(value, complex):
        raise DomainError(f"the constant {value!r} does not fit {dtype}; give operands of a complex type")
    if isinstance(value, float) and math.isinf(value):
        return dtype.max if value > 0 else dtype.min
    if dtype.kind == "f":
        return float(value)
    fits = value == value and value == int(value) and dtype.min <= value <= dtype.max
    if not fits:
        raise DomainError(f"the constant {value!r} does not fit {dtype}; give operands of a type that holds it")
    return bool(value) if dtype.kind == "b" else int(value)


def combine(naturals: Sequence[Natural]) -> Natural:
    """The common type of operands, some of which may be constants."""
    strong = [t for t in naturals if isinstance(t, DType)]
    weak = max((t for t in naturals if isinstance(t, Weak)), default=Weak.BIT)
    if not strong:
        return weak
    common = unify(*strong)
    if weak is Weak.COMPLEX:
        return unify(common, FC32)
    if weak is Weak.REAL and common.kind not in "fc":
        return FP64
    return INT64 if weak is Weak.INTEGER and common is BOOL else common


def result_type(expression: Expression, types: Mapping[str, DType]) -> DType:
    """The type of an expression whose symbols have the given types."""
    return _Typing(types).find_root_type(expression)


def linearise(expression: Expression, types: Mapping[str, DType], out: DType | None = None) -> Steps:
    """The typed steps of an expression, whose result is cast to `out`.

    Raises
    ------
    DomainError
        If a primitive has no meaning on the types.
    """
    typing = _Typing(types)
    result = typing.lower(expression, typing.find_root_type(expression))
    if out is not None:
        result = typing.cast(result, out)
    return Steps(tuple(typing.steps), result)


class _Typing:
    """One pass over an expression: the type of each node, and the steps so far."""

    def __init__(self, types: Mapping[str, DType]) -> None:
        self.types = types
        self.steps: list[Step] = []
        self.naturals: dict[Expression, Natural] = {}
        self.done: dict[tuple[Expression, DType], Atom] = {}

    def find_root_type(self, expression: Expression) -> DType:
        """The type of the whole; a constant takes the common type of the operands."""
        natural = self.get_natural(expression)
        operands = [t for name, t in self.types.items() if name not in ("i", "k", "j")]
        common = combine([natural, *operands]) if isinstance(natural, Weak) else natural
        return common if isinstance(common, DType) else FP64

    def get_natural(self, node: Expression) -> Natural:
        if node not in self.naturals:
            self.naturals[node] = self._find_natural(node)
        return self.naturals[node]

    def _find_natural(self, node: Expression) -> Natural:
        if isinstance(node, Symbol):
            return self.types[node.name]
        if isinstance(node, Literal):
            return find_weak(node.value)
        assert isinstance(node, Call)
        if node.op in COMPARISONS | TESTS:
            self.find_operand_type(node)
            return BOOL
        natural = self.find_operand_natural(node)
        if node.op == "complex":
            return unify(natural, FC32) if isinstance(natural, DType) else FC64
        if node.op in PARTS | {"abs"} and isinstance(natural, DType):
            return unify(real_part(natural), FP32) if node.op in PARTS else real_part(natural)
        return natural

    def find_operand_natural(self, node: Call) -> Natural:
        """The type in which a primitive computes."""
        if node.op == "where":
            self.get_natural(node.args[0])  # a condition without a meaning is refused as well
        args = node.args[1:] if node.op == "where" else node.args[:1] if node.op in SHIFTS else node.args
        common = combine([self.get_natural(arg) for arg in args])
        if common in COMPLEX:
            if node.op in MEANINGLESS_ON_COMPLEX or node.op == "complex":
                raise DomainError(f"{node.op!r} has no meaning on {common}; of its parts it has: creal, cimag, abs")
            return common
        if node.op == "conj":
            return common
        if node.op in PARTS or node.op == "complex":
            return unify(common, FP32) if isinstance(common, DType) else FP64
        if node.op in FLOATING:
            least = FP64 if node.op == "truediv" and common not in FLOATS else FP32
            return unify(common, least) if isinstance(common, DType) else Weak.REAL
        if node.op in BITS | SHIFTS and common in (*FLOATS, Weak.REAL):
            raise DomainError(f"the bitwise {node.op!r} has no meaning on {common}; it is for integers and BOOL")
        return common

    def find_operand_type(self, node: Call) -> DType:
        natural = self.find_operand_natural(node)
        if isinstance(natural, DType):
            return natural
        return {Weak.REAL: FP64, Weak.COMPLEX: FC64}.get(natural, INT64)

    def lower(self, node: Expression, want: DType) -> Atom:
        """The atom that holds `node` as a value of type `want`; its steps are appended."""
        key = (node, want)
        if key not in self.done:
            self.done[key] = self._lower(node, want)
        return self.done[key]

    def _lower(self, node: Expression, want: DType) -> Atom:
        if isinstance(node, Literal):
            return Atom(cast_number(node.value, want), want)
        if isinstance(node, Symbol):
            return self.cast(Atom(node.name, self.types[node.name]), want)
        assert isinstance(node, Call)
        natural = self.get_natural(node)
        if node.op in COMPARISONS | TESTS:
            at = self.find_operand_type(node)
            return self.cast(self.test(node, at), want)
        if node.op in PARTS | {"abs", "complex", "conj"} and (found := self.lower_complex(node)) is not None:
            return self.cast(found, want)
        at = natural if isinstance(natural, DType) else FP64 if node.op in FLOATING else want
        return self.cast(self.lower_primitive(node, at), want)

    def lower_complex(self, node: Call) -> Atom | None:
        """A primitive between complex and real numbers; None where it has nothing to do with complex ones."""
        at, natural = self.find_operand_type(node), self.get_natural(node)
        result = natural if isinstance(natural, DType) else at
        args = [self.lower(arg, at) for arg in node.args]
        if node.op == "complex" or at in COMPLEX:
            return self.add_step(node.op, args, result if node.op == "complex" else at, result)
        if node.op in ("real", "conj"):
            return args[0]
        if node.op == "imag":
            return Atom(cast_number(0, at), at)
        if node.op == "arg":
            return self.lower(call("atan2", 0, node.args[0]), at)
        return None

    def test(self, node: Call, at: DType) -> Atom:
        if node.op in TESTS and at.kind not in "fc":
            return Atom(node.op == "isfinite", BOOL)
        args = [self.lower(arg, at) for arg in node.args]
        if at is BOOL and args[1].value is False:  # a truth asked for twice
            return args[0] if node.op == "ne" else self.add_step("invert", args[:1], at, at)
        return self.add_step(node.op, args, at, BOOL)

    def lower_primitive(self, node: Call, at: DType) -> Atom:
        if node.op == "where":
            condition, yes, no = (
                self.lower(node.args[0], BOOL),
                *(self.lower(arg, at) for arg in node.args[1:]),
            )
            if (yes.value, no.value) == (1, 0):
                return self.cast(condition, at)
            return self.add_step("where", [condition, yes, no], at, at)
        if node.op == "unify":
            return self.lower(node.args[0], at)
        args = [self.lower(arg, at) for arg in node.args]
        if node.op in ROUNDINGS and at.kind != "f":
            return args[0]
        if node.op == "mod" and at.kind == "f":
            return self.lower(_floor_modulo(*node.args), at)
        if node.op == "pow" and at.kind in "iu":
            real = self.add_step("pow", [self.cast(arg, FP64) for arg in args], FP64, FP64)
            return self.cast(real, at)
        return self.add_step(node.op, args, at, at)

    def cast(self, atom: Atom, want: DType) -> Atom:
        if atom.dtype == want:
            return atom
        if not isinstance(atom.value, str) and (want.kind in "fc" or atom.dtype is BOOL) and atom.dtype not in COMPLEX:
            return Atom(cast_number(atom.value, want), want)
        return self.add_step("cast", [atom], atom.dtype, want)

    def add_step(self, op: str, args: list[Atom], at: DType, result: DType) -> Atom:
        target = Atom(f"t{len(self.steps)}", result)
        self.steps.append(Step(target, op, tuple(args), at))
        return target


def _floor_modulo(x: Expression, y: Expression) -> Expression:
    """The remainder with the sign of the divisor, from the one with the sign of the dividend."""
    rest = call("fmod", x, y)
    return call("where", (rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def find_weak(value: Number) -> Weak:
    if isinstance(value, complex):
        return Weak.COMPLEX
    if isinstance(value, float):
        return Weak.BIT if math.isinf(value) else Weak.REAL
    return Weak.BIT if value in (0, 1) else Weak.INTEGER
