"""Every operator, monoid and semiring that ships, a line each.

The set and the names are those of GraphBLAS, as python-graphblas spells them. On BOOL, plus and max are *or*,
times and min are *and*, minus is *exclusive or*; this follows from the meaning of the primitives there.
"""

from itertools import product

from semirings import expression as e
from semirings.dtypes import ALL, BOOL, INT64, INTEGERS, DType, unify
from semirings.expression import Expression, inf
from semirings.register import (
    binary,
    indexunary,
    monoid,
    register_binary,
    register_indexunary,
    register_monoid,
    register_positional,
    register_semiring,
    register_unary,
    semiring,
    unary,
)
from semirings.registry import Extensions


def find_nearest_remainder(x: Expression, y: Expression) -> Expression:
    """``x - n y`` with the nearest whole n, the even one of two: the remainder of IEEE 754. Each step is exact."""
    size = e.copysign(y, 1)
    rest = abs(e.fmod(x, size + size))
    once = rest - size
    nearest = e.where(rest > size - rest, e.where(once >= size - once, once - size, once), rest)
    return e.copysign(1, x) * nearest


def shift_either_way(x: Expression, y: Expression) -> Expression:
    """`x` shifted to the left by `y`, or by ``-y = ~y + 1`` to the right where `y` is negative."""
    held = e.unify(x, y)
    return e.where(y >= 0, held << e.minimum(y, 64), (held >> e.minimum(~y, 64)) >> 1)


# Unary operators.
register_unary("identity", lambda x: x)
register_unary("ainv", lambda x: -x)
register_unary("minv", lambda x: e.div(1, x))
register_unary("abs", lambda x: abs(x))
register_unary("lnot", lambda x: e.where(x == 0, 1, 0))
register_unary("bnot", lambda x: ~x, domain=INTEGERS)
register_unary("one", lambda x: 1)
register_unary("sqrt", e.sqrt)
register_unary("cbrt", e.cbrt)
register_unary("exp", e.exp)
register_unary("exp2", e.exp2)
register_unary("expm1", e.expm1)
register_unary("log", e.log)
register_unary("log2", e.log2)
register_unary("log10", e.log10)
register_unary("log1p", e.log1p)
register_unary("sin", e.sin)
register_unary("cos", e.cos)
register_unary("tan", e.tan)
register_unary("asin", e.asin)
register_unary("acos", e.acos)
register_unary("atan", e.atan)
register_unary("sinh", e.sinh)
register_unary("cosh", e.cosh)
register_unary("tanh", e.tanh)
register_unary("asinh", e.asinh)
register_unary("acosh", e.acosh)
register_unary("atanh", e.atanh)
register_unary("floor", e.floor)
register_unary("ceil", e.ceil)
register_unary("round", e.round_)
register_unary("trunc", e.trunc)
register_unary("signum", e.sign)
register_unary("conj", e.conj)
register_unary("creal", e.real)
register_unary("cimag", e.imag)
register_unary("carg", e.arg)
register_unary("erf", e.erf)
register_unary("erfc", e.erfc)
register_unary("lgamma", e.lgamma)
register_unary("tgamma", e.tgamma)
register_unary("frexpe", e.frexpe)
register_unary("frexpx", lambda x: e.ldexp(x, -e.frexpe(x)))
register_unary("isinf", e.isinf)
register_unary("isnan", e.isnan)
register_unary("isfinite", e.isfinite)

# Binary operators: arithmetic. `cdiv` cuts the quotient towards zero, as C does; it is called `div` too.
register_binary("plus", lambda x, y: x + y, commutative=True, associative=True)
register_binary("minus", lambda x, y: x - y)
register_binary("rminus", lambda x, y: y - x)
register_binary("times", lambda x, y: x * y, commutative=True, associative=True)
register_binary("cdiv", lambda x, y: e.div(x, y))
register_binary("rdiv", lambda x, y: e.div(y, x))
register_binary("truediv", lambda x, y: x / y)
register_binary("rtruediv", lambda x, y: y / x)
register_binary("floordiv", lambda x, y: x // y)
register_binary("rfloordiv", lambda x, y: y // x)
register_binary("mod", lambda x, y: x % y)
register_binary("pow", lambda x, y: x**y)
register_binary("rpow", lambda x, y: y**x)
register_binary("cmplx", e.complex_)
register_binary("atan2", e.atan2)
register_binary("hypot", e.hypot, commutative=True)
register_binary("fmod", e.fmod)
register_binary("remainder", find_nearest_remainder)
register_binary("copysign", e.copysign)
register_binary("ldexp", e.ldexp)
register_binary("absdiff", lambda x, y: e.where(x > y, x - y, y - x), commutative=True)
register_binary("min", e.minimum, commutative=True, associative=True)
register_binary("max", e.maximum, commutative=True, associative=True)

# The plus of the tropical semirings: no sum leaves an infinity, none passes the ends of an integer. The infinity
# of `tropical_plus` is the largest value, that of `arctic_plus` the smallest of a signed type; unsigned types have
# none, for their smallest is 0, a length like others.
register_binary("plus_saturating", lambda x, y: e.add_saturating(x, y), commutative=True)
register_binary("tropical_plus", lambda x, y: e.add_saturating(x, y, inf), commutative=True)
register_binary("arctic_plus", lambda x, y: e.add_saturating(x, y, -inf), commutative=True)

# Choosing an operand, or neither. `any` may choose; it takes the second, so that it can start from any value.
# As in python-graphblas the choice is of the common type, and a pair counts: INT64, whatever the operands.
register_binary("first", lambda x, y: x, result=unify, associative=True)
register_binary("second", lambda x, y: y, result=unify, associative=True)
register_binary("absfirst", lambda x, y: abs(e.unify(x, y)))
register_binary("abssecond", lambda x, y: abs(e.unify(y, x)))
register_binary("any", lambda x, y: y, result=unify, associative=True)
register_binary("pair", lambda x, y: 1, result=INT64, commutative=True, associative=True)

# Logic, on the truth of the operands: to 0 or 1 in their type.
register_binary("lor", lambda x, y: e.where((x != 0) | (y != 0), 1, 0), commutative=True)
register_binary("land", lambda x, y: e.where((x != 0) & (y != 0), 1, 0), commutative=True, associative=True)
register_binary("lxor", lambda x, y: e.where((x != 0) ^ (y != 0), 1, 0), commutative=True)
register_binary("lxnor", lambda x, y: e.where((x != 0) == (y != 0), 1, 0), commutative=True)

# Comparisons: to BOOL, and (is...) to 0 or 1 in the type of the operands.
register_binary("eq", lambda x, y: x == y, commutative=True)
register_binary("ne", lambda x, y: x != y, commutative=True)
register_binary("lt", lambda x, y: x < y)
register_binary("le", lambda x, y: x <= y)
register_binary("gt", lambda x, y: x > y)
register_binary("ge", lambda x, y: x >= y)
register_binary("iseq", lambda x, y: e.where(x == y, 1, 0), commutative=True)
register_binary("isne", lambda x, y: e.where(x != y, 1, 0), commutative=True)
register_binary("islt", lambda x, y: e.where(x < y, 1, 0))
register_binary("isle", lambda x, y: e.where(x <= y, 1, 0))
register_binary("isgt", lambda x, y: e.where(x > y, 1, 0))
register_binary("isge", lambda x, y: e.where(x >= y, 1, 0))

# Bits.
register_binary("bor", lambda x, y: x | y, domain=INTEGERS, commutative=True, associative=True)
register_binary("band", lambda x, y: x & y, domain=INTEGERS, commutative=True, associative=True)
register_binary("bxor", lambda x, y: x ^ y, domain=INTEGERS, commutative=True, associative=True)
register_binary("bxnor", lambda x, y: ~(x ^ y), domain=INTEGERS, commutative=True, associative=True)
register_binary("lshift", lambda x, y: x << y, domain=INTEGERS)
register_binary("rshift", lambda x, y: x >> y, domain=INTEGERS)
register_binary("bshift", shift_either_way, domain=INTEGERS)

# One bit, of which the lowest has the number 1. There is none where the number is below 1 or above the width.
register_binary("bget", lambda x, y: e.where(e.unify(x, y) & (1 << (y - 1)) != 0, 1, 0), domain=INTEGERS)
register_binary("bset", lambda x, y: e.unify(x, y) | (1 << (y - 1)), domain=INTEGERS)
register_binary("bclr", lambda x, y: e.unify(x, y) & ~(1 << (y - 1)), domain=INTEGERS)

# Positions in the product of A[i, k] and B[k, j], from zero and (...1) from one.
register_positional("firsti", lambda i, k, j: i)
register_positional("firsti1", lambda i, k, j: i + 1)
register_positional("firstj", lambda i, k, j: k)
register_positional("firstj1", lambda i, k, j: k + 1)
register_positional("secondi", lambda i, k, j: k)
register_positional("secondi1", lambda i, k, j: k + 1)
register_positional("secondj", lambda i, k, j: j)
register_positional("secondj1", lambda i, k, j: j + 1)

binary.alias("oneb", "pair")
binary.alias("div", "cdiv")

# Index-unary operators: of a value, its row, its column and a parameter.
register_indexunary("rowindex", lambda x, i, j, thunk: i + thunk)
register_indexunary("colindex", lambda x, i, j, thunk: j + thunk)
register_indexunary("diagindex", lambda x, i, j, thunk: j - i + thunk)
register_indexunary("positioni", lambda x, i, j, thunk: i)
register_indexunary("positionj", lambda x, i, j, thunk: j)
register_indexunary("positioni1", lambda x, i, j, thunk: i + 1)
register_indexunary("positionj1", lambda x, i, j, thunk: j + 1)
unary.foreign = {name: indexunary[name] for name in ("positioni", "positionj", "positioni1", "positionj1")}
register_indexunary("tril", lambda x, i, j, thunk: j <= i + thunk)
register_indexunary("triu", lambda x, i, j, thunk: j >= i + thunk)
register_indexunary("diag", lambda x, i, j, thunk: j == i + thunk)
register_indexunary("offdiag", lambda x, i, j, thunk: j != i + thunk)
register_indexunary("rowle", lambda x, i, j, thunk: i <= thunk)
register_indexunary("rowgt", lambda x, i, j, thunk: i > thunk)
register_indexunary("colle", lambda x, i, j, thunk: j <= thunk)
register_indexunary("colgt", lambda x, i, j, thunk: j > thunk)
register_indexunary("valueeq", lambda x, i, j, thunk: x == thunk)
register_indexunary("valuene", lambda x, i, j, thunk: x != thunk)
register_indexunary("valuelt", lambda x, i, j, thunk: x < thunk)
register_indexunary("valuele", lambda x, i, j, thunk: x <= thunk)
register_indexunary("valuegt", lambda x, i, j, thunk: x > thunk)
register_indexunary("valuege", lambda x, i, j, thunk: x >= thunk)
indexunary.alias("index", "rowindex")
indexunary.alias("indexle", "rowle")
indexunary.alias("indexgt", "rowgt")


def _make_all_ones(t: DType) -> int:
    return -1 if t.kind == "i" else int(t.max)


TRUTHS = dict.fromkeys(ALL, BOOL)

# Monoids: operator, identity, terminal value. BOOL is counted by plus; the logical ones combine truths.
register_monoid("plus", binary.plus, 0, lambda t: True if t is BOOL else None, results={BOOL: INT64})
register_monoid("times", binary.times, 1, lambda t: None if t.kind in "fc" else 0)
register_monoid("min", binary.min, inf.value, -inf.value)
register_monoid("max", binary.max, -inf.value, inf.value)
register_monoid("any", binary.any, 0, is_any=True)
register_monoid("lor", binary.lor, False, True, results=TRUTHS)
register_monoid("land", binary.land, True, False, results=TRUTHS)
register_monoid("lxor", binary.lxor, False, results=TRUTHS)
register_monoid("lxnor", binary.lxnor, True, results=TRUTHS)
register_monoid("eq", binary.eq, True, results=TRUTHS)
register_monoid("bor", binary.bor, 0, _make_all_ones, domain=INTEGERS)
register_monoid("band", binary.band, _make_all_ones, 0, domain=INTEGERS)
register_monoid("bxor", binary.bxor, 0, domain=INTEGERS)
register_monoid("bxnor", binary.bxnor, _make_all_ones, domain=INTEGERS)

# Semirings: every addition of a row with every multiplication of it, named addition_multiplication. A
# saturating plus stands in where the plain one would pass the infinity of min or max.
DIVISIONS = "cdiv rdiv truediv rtruediv floordiv rfloordiv"
ARITHMETIC = f"first second pair min max plus minus rminus times {DIVISIONS} pow rpow hypot absdiff"
COMPARING = "iseq isne islt isle isgt isge"
LOGICAL = "lor land lxor lxnor"
POSITIONAL = "firsti firsti1 firstj firstj1 secondi secondi1 secondj secondj1"
PREDICATES = "first second pair lor land lxor lxnor eq ne lt le gt ge"
BITWISE = "bor band bxor bxnor"
PRODUCTS = (
    ("min max plus times any", f"{ARITHMETIC} {COMPARING} {LOGICAL} {POSITIONAL}"),
    ("any", "eq ne lt le gt ge"),
    ("lor land lxor lxnor eq", PREDICATES),
    (BITWISE, BITWISE),
    ("max plus", "absfirst abssecond"),
)
TROPICAL = {"min_plus": "tropical_plus", "max_plus": "arctic_plus"}
ALIASES = {"pair": "oneb", "cdiv": "div"}

# The semirings that keep a law on every type. Any operator distributes over `any`.
CLASSICAL = "plus_times min_plus max_plus min_max max_min"
LATTICES = "lor_land land_lor lxor_land lxnor_lor eq_lor bor_band band_bor bxor_band bxnor_bor"
ANNIHILATES = frozenset(
    f"{CLASSICAL} {LATTICES} min_hypot plus_land times_lor times_pair land_pair lxnor_pair eq_pair".split()
) - {"max_plus"}  # whose 0 annihilates nothing where it is unsigned
IDEMPOTENT = [f"{add}_{op}" for add in ("min", "max", "lor", "land") for op in ("first", "second", "pair", add)]
DISTRIBUTES = frozenset(
    [*f"{CLASSICAL} {LATTICES} times_pair lxnor_pair eq_pair bor_bor band_band".split(), *IDEMPOTENT]
)


def _register(add: str, multiply: str) -> None:
    name = f"{add}_{multiply}"
    op = binary[TROPICAL.get(name, multiply)]
    distributes = add == "any" or name in DISTRIBUTES
    register_semiring(name, monoid[add], op, annihilates=name in ANNIHILATES, distributes=distributes)
    if multiply in ALIASES:
        semiring.alias(f"{add}_{ALIASES[multiply]}", name)


# What python-graphblas has under ``ss`` too, as the specification lacks it.
unary.ss = Extensions(unary, ("erf", "erfc", "lgamma", "tgamma", "frexpe", "frexpx", *unary.foreign))
binary.ss = Extensions(binary, POSITIONAL.split())

for additions, multiplications in PRODUCTS:
    for pair in product(additions.split(), multiplications.split()):
        _register(*pair)

semiring.ss = Extensions(semiring, (name for name in semiring if semiring[name].multiply.positional))
