"""Every operator, monoid and semiring that ships, a line each.

The set and the names are those of GraphBLAS, as python-graphblas spells them. On BOOL, plus and max are *or*, times
and min are *and*, minus is *exclusive or*; this follows from the meaning of the primitives there.
"""

from itertools import product

from semirings import expression as e
from semirings.dtypes import BOOL, INTEGERS, DType
from semirings.expression import inf
from semirings.operators import (
    binary,
    monoid,
    register_binary,
    register_indexunary,
    register_monoid,
    register_positional,
    register_semiring,
    register_unary,
    semiring,
)

# Unary operators.
register_unary("identity", lambda x: x)
register_unary("ainv", lambda x: -x)
register_unary("minv", lambda x: e.div(1, x))
register_unary("abs", lambda x: abs(x))
register_unary("lnot", lambda x: x == 0)
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
register_unary("floor", e.floor)
register_unary("ceil", e.ceil)
register_unary("round", e.round_)
register_unary("trunc", e.trunc)
register_unary("signum", e.sign)
register_unary("isinf", e.isinf)
register_unary("isnan", e.isnan)
register_unary("isfinite", e.isfinite)

# Binary operators: arithmetic. `div` cuts the quotient towards zero, as C does; it is called `cdiv` too.
register_binary("plus", lambda x, y: x + y, commutative=True, associative=True)
register_binary("minus", lambda x, y: x - y)
register_binary("rminus", lambda x, y: y - x)
register_binary("times", lambda x, y: x * y, commutative=True, associative=True)
register_binary("div", lambda x, y: e.div(x, y))
register_binary("rdiv", lambda x, y: e.div(y, x))
register_binary("truediv", lambda x, y: x / y)
register_binary("rtruediv", lambda x, y: y / x)
register_binary("floordiv", lambda x, y: x // y)
register_binary("rfloordiv", lambda x, y: y // x)
register_binary("mod", lambda x, y: x % y)
register_binary("pow", lambda x, y: x**y)
register_binary("rpow", lambda x, y: y**x)
register_binary("atan2", e.atan2)
register_binary("hypot", e.hypot, commutative=True)
register_binary("fmod", e.fmod)
register_binary("absdiff", lambda x, y: e.where(x > y, x - y, y - x), commutative=True)
register_binary("min", e.minimum, commutative=True, associative=True)
register_binary("max", e.maximum, commutative=True, associative=True)

# The plus of the tropical semirings: no sum leaves an infinity, none passes the ends of an integer.
register_binary("plus_saturating", lambda x, y: e.add_saturating(x, y), commutative=True)
register_binary("tropical_plus", lambda x, y: e.add_saturating(x, y, inf), commutative=True)
register_binary("arctic_plus", lambda x, y: e.add_saturating(x, y, -inf), commutative=True)

# Choosing an operand, or neither. `any` may choose; it takes the second, so that it can start from any value.
register_binary("first", lambda x, y: x, associative=True)
register_binary("second", lambda x, y: y, associative=True)
register_binary("any", lambda x, y: y, associative=True)
register_binary("pair", lambda x, y: 1, commutative=True, associative=True)

# Logic, on the truth of the operands.
register_binary("lor", lambda x, y: (x != 0) | (y != 0), commutative=True, associative=True)
register_binary("land", lambda x, y: (x != 0) & (y != 0), commutative=True, associative=True)
register_binary("lxor", lambda x, y: (x != 0) ^ (y != 0), commutative=True, associative=True)
register_binary("lxnor", lambda x, y: (x != 0) == (y != 0), commutative=True, associative=True)

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
binary.alias("cdiv", "div")
binary.alias("rcdiv", "rdiv")

# Index-unary operators: of a value, its row, its column and a parameter.
register_indexunary("rowindex", lambda x, i, j, thunk: i + thunk)
register_indexunary("colindex", lambda x, i, j, thunk: j + thunk)
register_indexunary("diagindex", lambda x, i, j, thunk: j - i + thunk)
register_indexunary("positioni", lambda x, i, j, thunk: i)
register_indexunary("positionj", lambda x, i, j, thunk: j)
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


def _all_ones(t: DType) -> int:
    return -1 if t.kind == "i" else int(t.max)


# Monoids: operator, identity, terminal value.
register_monoid("plus", binary.plus, 0, lambda t: True if t is BOOL else None)
register_monoid("times", binary.times, 1, lambda t: None if t.kind == "f" else 0)
register_monoid("min", binary.min, inf.value, -inf.value)
register_monoid("max", binary.max, -inf.value, inf.value)
register_monoid("any", binary.any, 0, is_any=True)
register_monoid("lor", binary.lor, False, True)
register_monoid("land", binary.land, True, False)
register_monoid("lxor", binary.lxor, False)
register_monoid("lxnor", binary.lxnor, True, domain=(BOOL,))
register_monoid("eq", binary.eq, True, domain=(BOOL,))
register_monoid("bor", binary.bor, 0, _all_ones, domain=INTEGERS)
register_monoid("band", binary.band, _all_ones, 0, domain=INTEGERS)
register_monoid("bxor", binary.bxor, 0, domain=INTEGERS)
register_monoid("bxnor", binary.bxnor, _all_ones, domain=INTEGERS)

# Semirings: every addition of a row with every multiplication of it, named addition_multiplication. The saturating
# plus stands in where the plain one would wrap past the infinity of min or max.
ARITHMETIC = "first second pair min max plus minus rminus times div rdiv truediv rtruediv pow hypot absdiff"
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
)
TROPICAL = {"min_plus": "tropical_plus", "max_plus": "arctic_plus"}

# The laws that hold on every type.
ANNIHILATES = frozenset("""plus_times min_plus max_plus min_max max_min""".split())
DISTRIBUTES = ANNIHILATES

for _additions, _multiplications in PRODUCTS:
    for _add, _multiply in product(_additions.split(), _multiplications.split()):
        _name = f"{_add}_{_multiply}"
        register_semiring(
            _name,
            monoid[_add],
            binary[TROPICAL.get(_name, _multiply)],
            annihilates=_name in ANNIHILATES,
            distributes=_name in DISTRIBUTES,
        )
        if _multiply == "pair":
            semiring.alias(f"{_add}_oneb", _name)
