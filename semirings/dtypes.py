"""The scalar types: the eleven of GraphBLAS and two complex ones, with their names in NumPy and in CUDA C++.

The package knows no arrays, so a type is a plain record. `lookup` accepts whatever a user may call it;
`unify` is the promotion rule of NumPy, which GraphBLAS users meet in python-graphblas as well.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce, total_ordering

from semirings.errors import UnknownDType

__all__ = ["ALL", "COMPLEX", "FLOATS", "INTEGERS", "REAL", "DType", "Number", "Real", "lookup", "real_part", "unify"]

Real = bool | int | float
Number = Real | complex


@total_ordering
@dataclass(frozen=True, eq=False)
class DType:
    """A scalar type; there is one record of each. It equals its name and what stands for it in Python and NumPy.

    Attributes
    ----------
    name : str
        The name in GraphBLAS, ``"INT32"``.
    kind : str
        ``"b"`` Boolean, ``"i"`` signed, ``"u"`` unsigned, ``"f"`` floating point, ``"c"`` complex.
    bits : int
        The width; 8 for BOOL, as it is stored.
    min, max : bool, int or float
        The ends of the type; the infinities for floating point. Complex numbers have no order: there these are the
        ends of their parts.
    numpy : str
        The name of the type in NumPy.
    c : str
        The name of the type in CUDA C++.

    Examples
    --------
    >>> INT8.bits, INT8.max, INT8.numpy
    (8, 127, 'int8')
    """

    name: str
    kind: str
    bits: int
    min: Real
    max: Real
    numpy: str
    c: str
    _hash: int = field(init=False, repr=False)

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        """Whether `other` is this type, or what stands for it: its name, or a type of Python or NumPy."""
        if self is other:
            return True
        if isinstance(other, DType) or other is None:
            return False
        try:
            return lookup(other) is self
        except UnknownDType:
            return False

    def __hash__(self) -> int:
        """That of the name, which this equals."""
        return self._hash

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(self.name))

    def __lt__(self, other: object) -> bool:
        """Types are ordered as `ALL` lists them: BOOL, signed, unsigned, floating point, complex."""
        return ALL.index(self) < ALL.index(lookup(other))

    def __reduce__(self) -> tuple[Callable[[object], "DType"], tuple[str]]:
        return lookup, (self.name,)


def _make_signed(bits: int, c: str) -> DType:
    return DType(f"INT{bits}", "i", bits, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1, f"int{bits}", c)


def _make_unsigned(bits: int, c: str) -> DType:
    return DType(f"UINT{bits}", "u", bits, 0, 2**bits - 1, f"uint{bits}", c)


def _make_floating(bits: int, c: str) -> DType:
    return DType(f"FP{bits}", "f", bits, float("-inf"), float("inf"), f"float{bits}", c)


def _make_complex(bits: int, c: str) -> DType:
    return DType(f"FC{bits // 2}", "c", bits, float("-inf"), float("inf"), f"complex{bits}", c)


BOOL = DType("BOOL", "b", 8, False, True, "bool", "bool")
INT8, INT16 = _make_signed(8, "signed char"), _make_signed(16, "short")
INT32, INT64 = _make_signed(32, "int"), _make_signed(64, "long long")
UINT8, UINT16 = _make_unsigned(8, "unsigned char"), _make_unsigned(16, "unsigned short")
UINT32, UINT64 = _make_unsigned(32, "unsigned int"), _make_unsigned(64, "unsigned long long")
FP32, FP64 = _make_floating(32, "float"), _make_floating(64, "double")
FC32, FC64 = _make_complex(64, "Complex<float>"), _make_complex(128, "Complex<double>")

INTEGERS = (INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64)
FLOATS = (FP32, FP64)
COMPLEX = (FC32, FC64)
REAL = (BOOL, *INTEGERS, *FLOATS)
ALL = (*REAL, *COMPLEX)

_BY_NAME = {name: dtype for dtype in ALL for name in (dtype.name, dtype.numpy)}
_BY_PYTHON_TYPE: dict[object, DType] = {bool: BOOL, int: INT64, float: FP64, complex: FC64}
_BY_NUMPY_CLASS: dict[type, DType] = {}
"""The types of those classes of `numpy.dtypes` that were looked up: NumPy builds the name anew at each access."""


def lookup(x: object) -> DType:
    """The scalar type that `x` stands for.

    Parameters
    ----------
    x : DType, str, type or numpy.dtype
        A type, its name in GraphBLAS or NumPy, ``bool``, ``int``, ``float`` or ``complex``, or anything with such a
        ``name``.

    Returns
    -------
    DType
        The type.

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
    kind = type(x)
    if kind in _BY_NUMPY_CLASS:
        return _BY_NUMPY_CLASS[kind]
    found = _look_up_name(x)
    if kind.__module__ == "numpy.dtypes":
        _BY_NUMPY_CLASS[kind] = found
    return found


def _look_up_name(x: object) -> DType:
    """The scalar type of the name of `x`."""
    name = x if isinstance(x, str) else getattr(x, "name", getattr(x, "__name__", None))
    for known in (name, name.upper()) if isinstance(name, str) else ():
        if known in _BY_NAME:
            return _BY_NAME[known]
    if is_composite(x):
        raise UnknownDType(
            f"Bad dtype: {x!r} is made of several numbers. User-defined types are not supported: operators are "
            "compiled for single numbers, on a GPU too. Keep each part in a container of its own"
        )
    raise UnknownDType(f"Bad dtype: there is no scalar type {x!r}; there are {', '.join(t.name for t in ALL)}")


def is_composite(x: object) -> bool:
    """Whether `x` describes a record or an array of numbers: a user-defined type of GraphBLAS."""
    text = isinstance(x, str) and "[" in x
    return text or isinstance(x, dict | list) or bool(getattr(x, "names", None)) or bool(getattr(x, "subdtype", None))


def real_part(dtype: DType) -> DType:
    """The type of the parts of a complex number; any other type as it is.

    Parameters
    ----------
    dtype : DType
        Any type.

    Returns
    -------
    DType
        FP32 for FC32, FP64 for FC64, and the type itself for others.

    Examples
    --------
    >>> real_part(FC32), real_part(INT8)
    (FP32, INT8)
    """
    held = lookup(dtype)
    return {FC32: FP32, FC64: FP64}.get(held, held)


def unify(*dtypes: DType) -> DType:
    """The common type of several, by NumPy's rule of promotion.

    Parameters
    ----------
    *dtypes : DType
        One type or more.

    Returns
    -------
    DType
        The least type that holds the values of all.

    Raises
    ------
    UnknownDType
        If none is given.

    Examples
    --------
    >>> unify(INT32, FP32), unify(UINT8, INT8), unify(BOOL, INT16)
    (FP64, INT16, INT16)
    """
    if not dtypes:
        raise UnknownDType("unify: give one dtype or more")
    return reduce(_unify_pair, map(lookup, dtypes))


def _unify_pair(a: DType, b: DType) -> DType:
    if a == b or b.kind == "b":
        return a
    if a.kind == "b":
        return b
    if a.kind == b.kind:
        return a if a.bits >= b.bits else b
    if "c" in (a.kind, b.kind):
        wide, other = (a, b) if a.kind == "c" else (b, a)
        return FC64 if FC64 in (a, b) or _unify_pair(real_part(wide), other) is FP64 else FC32
    if "f" in (a.kind, b.kind):
        floating, integer = (a, b) if a.kind == "f" else (b, a)
        return floating if integer.bits <= 16 else FP64
    signed, unsigned = (a, b) if a.kind == "i" else (b, a)
    if signed.bits > unsigned.bits:
        return signed
    return _BY_NAME.get(f"INT{2 * unsigned.bits}", FP64)
