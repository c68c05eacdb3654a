"""The eleven scalar types of GraphBLAS, with their limits and their names in NumPy and in CUDA C++.

The package knows no arrays, so a type is a plain record. `lookup` accepts whatever a user may call it;
`unify` is the promotion rule of NumPy, which GraphBLAS users meet in python-graphblas as well.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from semirings.errors import UnknownDType

__all__ = ["ALL", "FLOATS", "INTEGERS", "DType", "Number", "lookup", "unify"]

Number = bool | int | float


@dataclass(frozen=True, eq=False)
class DType:
    """A scalar type; there is one record of each, equal to itself alone.

    Attributes
    ----------
    name : str
        The name in GraphBLAS, ``"INT32"``.
    kind : str
        ``"b"`` Boolean, ``"i"`` signed, ``"u"`` unsigned, ``"f"`` floating point.
    bits : int
        The width; 8 for BOOL, as it is stored.
    min, max : bool, int or float
        The ends of the type; the infinities for floating point.
    numpy : str
        The name of the type in NumPy.
    c : str
        The name of the type in CUDA C++.
    """

    name: str
    kind: str
    bits: int
    min: Number
    max: Number
    numpy: str
    c: str

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Callable[[object], "DType"], tuple[str]]:
        return lookup, (self.name,)


def _signed(bits: int, c: str) -> DType:
    return DType(f"INT{bits}", "i", bits, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1, f"int{bits}", c)


def _unsigned(bits: int, c: str) -> DType:
    return DType(f"UINT{bits}", "u", bits, 0, 2**bits - 1, f"uint{bits}", c)


def _floating(bits: int, c: str) -> DType:
    return DType(f"FP{bits}", "f", bits, float("-inf"), float("inf"), f"float{bits}", c)


BOOL = DType("BOOL", "b", 8, False, True, "bool", "bool")
INT8, INT16 = _signed(8, "signed char"), _signed(16, "short")
INT32, INT64 = _signed(32, "int"), _signed(64, "long long")
UINT8, UINT16 = _unsigned(8, "unsigned char"), _unsigned(16, "unsigned short")
UINT32, UINT64 = _unsigned(32, "unsigned int"), _unsigned(64, "unsigned long long")
FP32, FP64 = _floating(32, "float"), _floating(64, "double")

INTEGERS = (INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64)
FLOATS = (FP32, FP64)
ALL = (BOOL, *INTEGERS, *FLOATS)

_BY_NAME = {name: dtype for dtype in ALL for name in (dtype.name, dtype.numpy)}
_BY_PYTHON_TYPE: dict[object, DType] = {bool: BOOL, int: INT64, float: FP64}


def lookup(x: object) -> DType:
    """The scalar type that `x` stands for.

    Parameters
    ----------
    x : DType, str, type or numpy.dtype
        A type, its name in GraphBLAS or NumPy, ``bool``, ``int`` or ``float``, or anything with such a
        ``name``.

    Raises
    ------
    UnknownDType
        If nothing of the name exists.

    Examples
    --------
    >>> lookup("float32"), lookup("INT8"), lookup(int)
    (FP32, INT8, INT64)
    """
    if isinstance(x, str) and x in _BY_NAME:
        return _BY_NAME[x]
    if isinstance(x, DType):
        return x
    if isinstance(x, type) and x in _BY_PYTHON_TYPE:
        return _BY_PYTHON_TYPE[x]
    name = x if isinstance(x, str) else getattr(x, "name", getattr(x, "__name__", None))
    if isinstance(name, str) and name in _BY_NAME:
        return _BY_NAME[name]
    raise UnknownDType(f"there is no scalar type {x!r}; there are {', '.join(t.name for t in ALL)}")


def unify(*dtypes: DType) -> DType:
    """The common type of several, by NumPy's rule of promotion.

    Examples
    --------
    >>> unify(INT32, FP32), unify(UINT8, INT8), unify(BOOL, INT16)
    (FP64, INT16, INT16)
    """
    return reduce(_unify_pair, dtypes)


def _unify_pair(a: DType, b: DType) -> DType:
    if a == b or b.kind == "b":
        return a
    if a.kind == "b":
        return b
    if a.kind == b.kind:
        return a if a.bits >= b.bits else b
    if "f" in (a.kind, b.kind):
        floating, integer = (a, b) if a.kind == "f" else (b, a)
        return floating if integer.bits <= 16 else FP64
    signed, unsigned = (a, b) if a.kind == "i" else (b, a)
    if signed.bits > unsigned.bits:
        return signed
    return _BY_NAME.get(f"INT{2 * unsigned.bits}", FP64)
