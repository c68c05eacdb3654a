"""The one rule by which a value becomes one of a dtype: the dtype holds it, or the value is refused.

An integer dtype holds the whole numbers between its ends, also where they are given as floats (2.0). BOOL takes the
truth of a number. Floating-point dtypes round, and hold what does not become infinite by that. A complex number is not
real. `cut_values` is for conversions that are asked for by name (``dup``, ``to_dense(dtype=)``): it cuts fractions.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from graphla.common.errors import DomainMismatch, ValueOutOfRange
from graphla.storage.convert import is_any
from graphla.storage.list_kernels import find_list_kernels
from graphla.storage.records import Array, get_dtype_name
from semirings.dtypes import ALL, DType

NUMBERS = "biufc"
NUMPY_TYPES = frozenset(np.dtype(each.numpy).type for each in ALL)
NUMBER_TYPES = bool, int, float, complex, np.bool_, np.number


def cast_values(xp: Any, values: Array, dtype: DType) -> Array:
    """The values in a dtype that holds all of them; themselves if they have it. O(values), where it narrows.

    Parameters
    ----------
    xp : module
        The array module of `values`.
    values : array
    dtype : DType

    Raises
    ------
    ValueOutOfRange
        Naming the first value that is too large or too small, and the way out.
    DomainMismatch
        The same for a fraction, a NaN, a complex number or what is no number.
    """
    if values.dtype.kind not in NUMBERS:
        values = read_objects(values, dtype)
    refuse_misfits(xp, values, dtype)
    kernels = find_list_kernels(values) if values.ndim else None
    if kernels is None or values.dtype.type not in NUMPY_TYPES or "c" in (values.dtype.kind, dtype.kind):
        return values.astype(dtype.numpy, copy=False)
    return kernels.cast(values.reshape(-1), dtype.numpy).reshape(values.shape)


def cut_values(xp: Any, values: Array, dtype: DType) -> Array:
    """As `cast_values`, but fractions are cut toward zero for an integer dtype."""
    return cast_values(xp, cut_fractions(xp, values, dtype), dtype)


def cut_fractions(xp: Any, values: Array, dtype: DType) -> Array:
    """The values, with fractions cut toward zero for an integer dtype."""
    return xp.trunc(values) if values.dtype.kind == "f" and dtype.kind in "iu" else values


def refuse_misfits(xp: Any, values: Array, dtype: DType) -> None:
    """Raise for the first number that the dtype does not hold, if there is one: an error of `cast_values`."""
    target = np.dtype(dtype.numpy)
    whole = values.dtype.kind in "biu" and target.kind in "fc"  # rounded; none of 64 bits becomes infinite
    if target.kind == "b" or whole or np.can_cast(values.dtype, target, "safe"):
        return
    kernels = find_list_kernels(values) if values.ndim else None
    if kernels is not None and values.dtype == "float64" and target == "float32":
        numbers = values.reshape(-1)
        if kernels.count_infinite(kernels.cast(numbers, "float32")) == kernels.count_infinite(numbers):
            return
    refuse(xp, values, find_misfits(xp, values, target), dtype)


def is_number(value: Any) -> bool:
    """Whether `value` is a number of Python or NumPy."""
    return isinstance(value, NUMBER_TYPES) and not isinstance(value, np.timedelta64)


def cast_number(value: Any, dtype: DType) -> Any:
    """A number of Python or NumPy as one of NumPy in a dtype that holds it."""
    if type(value) in NUMPY_TYPES and get_dtype_name(value.dtype) == dtype.numpy:
        return value
    if value.__class__ is int and dtype.kind in "iu" and dtype.min <= value <= dtype.max:
        return get_number_type(dtype)(value)
    return cast_values(np, np.asarray(value), dtype)[()]


@cache
def get_number_type(dtype: DType) -> Any:
    """The type of one number of a dtype in NumPy."""
    return np.dtype(dtype.numpy).type


def read_objects(values: Array, dtype: DType) -> Array:
    """An array of numbers too large for the integers of NumPy, one by one; nothing else that is not of numbers."""
    held = values.reshape(-1).tolist() if values.dtype.kind == "O" else list(values.reshape(-1)[:1])
    for value in held:
        if values.dtype.kind != "O" or not isinstance(value, (bool, int, float, complex)):
            raise DomainMismatch(f"{value!r} is no number; expected integer or other number to store as {dtype}")
        if dtype.kind in "iu" and isinstance(value, int) and not dtype.min <= value <= dtype.max:
            raise misfit(value, dtype)
    whole = dtype.kind in "iu" and all(isinstance(value, int) for value in held)
    real = not any(isinstance(value, complex) for value in held)
    return np.array(held, dtype.numpy if whole else float if real else complex).reshape(values.shape)


def find_misfits(xp: Any, values: Array, target: np.dtype[Any]) -> Array:
    """Flags of the values that the dtype does not hold."""
    if values.dtype.kind == "c" and target.kind != "c":
        return xp.ones(values.shape, bool)
    if target.kind in "fc":
        with np.errstate(over="ignore"):
            return xp.isinf(values.astype(target)) & ~xp.isinf(values)
    ends = np.iinfo(target)
    if values.dtype.kind == "f":
        return ~((values >= float(ends.min)) & (values < float(ends.max) + 1) & (values == xp.trunc(values)))
    held = np.iinfo(values.dtype)
    return (values < max(ends.min, held.min)) | (values > min(ends.max, held.max))


def refuse(xp: Any, values: Array, wrong: Array, dtype: DType) -> None:
    """Raise for the first value that is wrong, if one is."""
    if is_any(wrong):
        raise misfit(values.reshape(-1)[int(xp.argmax(wrong.reshape(-1)))].item(), dtype)


def misfit(value: Any, dtype: DType) -> DomainMismatch:
    """The error for a value that does not fit, with the way out."""
    if value.__class__ is complex and dtype.kind != "c":
        return DomainMismatch(f"{value!r} is complex and cannot be stored as {dtype}: take its real part, or FC64")
    if dtype.kind not in "iu":
        wider = "FC64" if dtype.kind == "c" else "FP64"
        return ValueOutOfRange(f"{value!r} is out of bounds for {dtype}: take {wider}")
    if value != value or abs(value) == float("inf") or value != int(value):
        way = "round it first, or take FP64" if value == value else "leave such values out, or take FP64"
        return DomainMismatch(f"{value!r} cannot be stored as {dtype}: expected integer; {way}")
    wider = "FP64" if not -(2**63) <= value < 2**64 else "a signed dtype" if dtype.kind == "u" and value < 0 else ""
    return ValueOutOfRange(
        f"Python integer {int(value)} is out of bounds for {dtype.numpy}: it does not fit {dtype}, which ends at "
        f"{dtype.min} and {dtype.max}; take {wider or 'a wider dtype'}"
    )
