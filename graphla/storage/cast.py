"""The one rule by which a value becomes a value of a dtype: the dtype holds it, or it is refused.

An integer dtype holds whole numbers between its ends, also if they are given as floats (2.0); BOOL takes the truth of a
number. Floating-point dtypes round, and hold what does not become infinite by that. A complex number without an
imaginary part is real.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.errors import DomainMismatch
from graphla.storage.records import Array
from semirings.dtypes import DType

NUMBERS = "biufc"


def cast_values(xp: Any, values: Array, dtype: DType) -> Array:
    """The values in a dtype that holds all of them; themselves if they have it.

    Parameters
    ----------
    xp : module
        The array module of `values`.
    values : array
    dtype : DType

    Raises
    ------
    DomainMismatch
        Naming the first value that does not fit, and the way out.
    """
    target = np.dtype(dtype.numpy)
    if values.dtype.kind not in NUMBERS:
        values = read_objects(values, dtype)
    if values.dtype == target or target.kind == "b" or np.can_cast(values.dtype, target, "safe"):
        return values.astype(target, copy=False)
    refuse(xp, values, misfits(xp, values, target), dtype)
    real = values.real if values.dtype.kind == "c" and target.kind != "c" else values
    return real.astype(target)


def read_objects(values: Array, dtype: DType) -> Array:
    """An array of whole numbers too large for NumPy's own dtypes, one by one; nothing else that is not of a number."""
    held = values.reshape(-1).tolist() if values.dtype.kind == "O" else values.reshape(-1)[:1].tolist()
    for value in held:
        if values.dtype.kind != "O" or not isinstance(value, bool | int | float | complex | np.number):
            raise DomainMismatch(f"{value!r} is no number, and cannot be stored as {dtype}: give numbers")
        if dtype.kind in "iu" and isinstance(value, int) and not dtype.min <= value <= dtype.max:
            raise DomainMismatch(f"{value!r} does not fit {dtype}{ends_of(dtype)}: {way_out(value, dtype)}")
    whole = dtype.kind in "iu" and all(isinstance(value, int) for value in held)
    return np.array(held, dtype.numpy if whole else complex).reshape(values.shape)


def cast_number(value: Any, dtype: DType) -> Any:
    """A number of Python or NumPy as one of NumPy in a dtype that holds it."""
    return cast_values(np, np.asarray(value), dtype)[()]


def misfits(xp: Any, values: Array, target: np.dtype[Any]) -> Array:
    """Flags of the values that the dtype does not hold."""
    if values.dtype.kind == "c" and target.kind != "c":
        return (values.imag != 0) | misfits(xp, values.real, target)
    if target.kind in "fc":
        with np.errstate(over="ignore"):
            return xp.isinf(values.astype(target)) & ~xp.isinf(values)
    ends = np.iinfo(target)
    if values.dtype.kind == "f":
        return ~((values >= float(ends.min)) & (values < float(ends.max) + 1) & (values == xp.trunc(values)))
    held = np.iinfo(values.dtype)
    return (values < max(ends.min, held.min)) | (values > min(ends.max, held.max))


def refuse(xp: Any, values: Array, wrong: Array, dtype: DType) -> None:
    """Raise if a flag is set, for the first value that is wrong."""
    if not bool(wrong.any()):
        return
    value = values.reshape(-1)[int(xp.argmax(wrong.reshape(-1)))].item()
    raise DomainMismatch(f"{value!r} does not fit {dtype}{ends_of(dtype)}: {way_out(value, dtype)}")


def ends_of(dtype: DType) -> str:
    return f", which ends at {dtype.min} and {dtype.max}" if dtype.kind in "iu" else ""


def way_out(value: Any, dtype: DType) -> str:
    """What to do about a value that does not fit."""
    if isinstance(value, complex):
        return "take its real part, or a complex dtype" if dtype.kind != "c" else "take FC64"
    if isinstance(value, float) and dtype.kind in "iu":
        whole = "leave such values out, " if value != value else "round it first, " if abs(value) < 2**63 else ""
        return f"{whole}or take FP64" if whole else "take FP64"
    if value < 0 and dtype.kind == "u":
        return "take a signed dtype"
    return "take FP64" if dtype.kind in "iu" and not -(2**63) <= value < 2**64 else "take a wider dtype"
