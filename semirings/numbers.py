"""Python's own numbers in the place of NumPy's scalars: the few functions that rendered text calls.

Integers wrap round, FP32 is rounded, and no operand raises: a pole gives an infinity and what has no value
gives NaN, as IEEE 754 asks.
"""

import math
import struct
from collections.abc import Callable
from types import SimpleNamespace

from semirings.dtypes import INTEGERS, DType

__all__ = ["namespace"]


def _wrapper(dtype: DType) -> Callable[[float], int]:
    low, span = int(dtype.min), 2**dtype.bits
    return lambda value: (int(value) - low) % span + low


def _single(value: float) -> float:
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


def _total(function: Callable[..., float]) -> Callable[..., float]:
    """`function`, with an infinity where it overflows and NaN where it has no value."""

    def call(*args: float) -> float:
        try:
            return function(*args)
        except ValueError:
            return math.nan
        except OverflowError:
            return -math.inf if function is math.sinh and args[0] < 0 else math.inf

    return call


def _log(function: Callable[[float], float], pole: float) -> Callable[[float], float]:
    def call(x: float) -> float:
        return -math.inf if x == pole else math.nan if x < pole else function(x)

    return call


def _arctanh(x: float) -> float:
    return math.copysign(math.inf, x) if abs(x) == 1 else math.nan if abs(x) > 1 else math.atanh(x)


def _integral(function: Callable[[float], int]) -> Callable[[float], float]:
    """`function` with a float for its result, the sign of a zero kept."""
    return lambda x: math.copysign(float(function(x)), x) if math.isfinite(x) else x


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

namespace = SimpleNamespace(
    **{t.numpy: _wrapper(t) for t in INTEGERS},
    **{name: _total(getattr(math, name)) for name in _TOTAL},
    float32=_single,
    float64=float,
    inf=math.inf,
    nan=math.nan,
    divide=_divide,
    power=_power,
    arcsin=_total(math.asin),
    arccos=_total(math.acos),
    arctan=math.atan,
    arcsinh=math.asinh,
    arccosh=_total(math.acosh),
    arctanh=_arctanh,
    arctan2=math.atan2,
    fabs=math.fabs,
    copysign=math.copysign,
    log=_log(math.log, 0.0),
    log2=_log(math.log2, 0.0),
    log10=_log(math.log10, 0.0),
    log1p=_log(math.log1p, -1.0),
    floor=_integral(math.floor),
    ceil=_integral(math.ceil),
    trunc=_integral(math.trunc),
)
"""What the rendered text finds under the name ``np``."""
