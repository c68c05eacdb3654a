"""Python's own numbers in the place of NumPy's scalars: the few functions that rendered text calls.

Integers wrap round, FP32 is rounded, and no operand raises: a pole gives an infinity and what has no value
gives NaN, as IEEE 754 asks.
"""

import cmath
import math
import operator
import struct
from collections.abc import Callable
from types import SimpleNamespace

from semirings.dtypes import INTEGERS, DType

__all__ = ["namespace"]


def _make_wrapper(dtype: DType) -> Callable[[float], int]:
    low, span = int(dtype.min), 2**dtype.bits
    return lambda value: (int(value) - low) % span + low


def _to_single(value: float) -> float:
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def _divide(x: float, y: float) -> float:
    if y != 0:
        return x / y
    return math.nan if x == 0 or x != x else math.copysign(math.inf, x) * math.copysign(1.0, y)


def _power(x: float, y: float) -> float:
    odd = y % 2 == 1
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and odd else math.inf
    except ValueError:
        if x != 0:
            return math.nan
        return math.copysign(math.inf, x) if odd else math.inf


def _make_total(function: Callable[..., float]) -> Callable[..., float]:
    """`function`, with an infinity where it overflows and NaN where it has no value."""

    def call(*args: float) -> float:
        try:
            return function(*args)
        except ValueError:
            return math.nan
        except OverflowError:
            return -math.inf if function in (math.sinh, math.ldexp) and args[0] < 0 else math.inf

    return call


def _log(function: Callable[[float], float], pole: float) -> Callable[[float], float]:
    def call(x: float) -> float:
        return -math.inf if x == pole else math.nan if x < pole else function(x)

    return call


def _arctanh(x: float) -> float:
    return math.copysign(math.inf, x) if abs(x) == 1 else math.nan if abs(x) > 1 else math.atanh(x)


def _gamma(x: float) -> float:
    return math.copysign(math.inf, x) if x == 0 else _make_total(math.gamma)(x)


def _lgamma(x: float) -> float:
    return math.inf if x <= 0 and x % 1 == 0 else _make_total(math.lgamma)(x)


def _make_integral(function: Callable[[float], int]) -> Callable[[float], float]:
    """`function` with a float for its result, the sign of a zero kept."""
    return lambda x: math.copysign(float(function(x)), x) if math.isfinite(x) else x


def _single_complex(value: complex) -> complex:
    return complex(_to_single(value.real), _to_single(value.imag))


def _choose_by_kind(real: Callable[..., float], of_complex: Callable[..., complex]) -> Callable[..., complex]:
    """`real`, or of a complex operand `of_complex`, with NaN where that has no value."""

    def call(*args: complex) -> complex:
        if not any(isinstance(arg, complex) for arg in args):
            return real(*args)
        try:
            return of_complex(*args)
        except (ValueError, ZeroDivisionError, OverflowError):
            return complex(math.nan, math.nan)

    return call


_TOTAL = (
    "sqrt",
    "exp",
    "exp2",
    "expm1",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "hypot",
    "fmod",
    "cbrt",
)


def _complex_log(base: float) -> Callable[[complex], complex]:
    return lambda z: cmath.log(z) / math.log(base) if z != 0 else complex(-math.inf, 0.0)


def _complex_exp2(z: complex) -> complex:
    return cmath.exp(z * math.log(2))


def _complex_divide(x: complex, y: complex) -> complex:
    return x / y


def _complex_power(x: complex, y: complex) -> complex:
    return x**y


def _to_single_complex(z: complex) -> complex:
    return _single_complex(complex(z))


COMPLEX_FUNCTIONS: dict[str, Callable[..., complex]] = {
    **{name: getattr(cmath, name) for name in ("sqrt", "exp", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "exp2": _complex_exp2,
    "log": _complex_log(math.e),
    "log2": _complex_log(2.0),
    "log10": _complex_log(10.0),
    "divide": _complex_divide,
    "power": _complex_power,
}

REAL_FUNCTIONS: dict[str, Callable[..., float]] = {
    **{name: _make_total(getattr(math, name)) for name in _TOTAL},
    "divide": _divide,
    "power": _power,
    "log": _log(math.log, 0.0),
    "log2": _log(math.log2, 0.0),
    "log10": _log(math.log10, 0.0),
}

namespace = SimpleNamespace(
    **{t.numpy: _make_wrapper(t) for t in INTEGERS},
    **{
        name: _choose_by_kind(real, COMPLEX_FUNCTIONS[name]) if name in COMPLEX_FUNCTIONS else real
        for name, real in REAL_FUNCTIONS.items()
    },
    float32=_to_single,
    float64=float,
    complex64=_to_single_complex,
    complex128=complex,
    real=operator.attrgetter("real"),
    imag=operator.attrgetter("imag"),
    conj=operator.methodcaller("conjugate"),
    abs=abs,
    isinf=cmath.isinf,
    isfinite=cmath.isfinite,
    inf=math.inf,
    nan=math.nan,
    arcsin=_make_total(math.asin),
    arccos=_make_total(math.acos),
    arctan=math.atan,
    arcsinh=math.asinh,
    arccosh=_make_total(math.acosh),
    arctanh=_arctanh,
    arctan2=math.atan2,
    fabs=math.fabs,
    copysign=math.copysign,
    log1p=_log(math.log1p, -1.0),
    erf=math.erf,
    erfc=math.erfc,
    gamma=_gamma,
    lgamma=_lgamma,
    ldexp=_make_total(math.ldexp),
    frexp=math.frexp,
    floor=_make_integral(math.floor),
    ceil=_make_integral(math.ceil),
    trunc=_make_integral(math.trunc),
)
"""What the rendered text finds under the names ``np`` and ``math``."""
