"""A single value, or none."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.containers.execute import engine_of, plan_expression, run
from graphla.containers.masks import MaskView
from graphla.containers.update import to_accumulator
from graphla.engine import get_engine
from graphla.engine.protocol import Engine
from graphla.errors import GraphlaError
from graphla.language.expr import Expr, Shape
from graphla.language.extract import Extract
from graphla.language.operands import infer_dtype
from graphla.language.scalars import bound_dtype, read_scalar
from graphla.typing import DTypeLike, Number
from semirings import BinaryOp, Monoid
from semirings.dtypes import DType, lookup
from semirings.python import evaluate


class Scalar(Expr["Scalar"]):
    """A value of a dtype, or empty.

    Parameters
    ----------
    dtype : dtype
        One of BOOL, INT8 … UINT64, FP32, FP64, FC32, FC64, or what stands for it in NumPy.
    value : number, optional
        None makes an empty scalar.
    name : str, optional
        A name for messages.

    Examples
    --------
    >>> from graphla import Scalar
    >>> Scalar("FP32", 2.5).value
    2.5
    >>> Scalar("INT32").is_empty
    True
    """

    engine = None  # type: ignore
    _computed = True

    def __init__(self, dtype: DTypeLike, value: Number | None = None, *, name: str | None = None) -> None:
        self._dtype = lookup(dtype)
        self._number = None if value is None else np.dtype(self._dtype.numpy).type(value)
        self.name = name

    def __init_subclass__(cls) -> None:
        raise TypeError("Scalar is final")

    @property
    def shape(self) -> Shape:
        return ()

    @property
    def _value(self) -> Scalar:
        return self

    @property
    def _sources(self) -> tuple[Any, ...]:
        return (self._number,)

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def value(self) -> Any:
        """The value as a Python number, or None."""
        return None if self._number is None else self._number.item()

    @property
    def is_empty(self) -> bool:
        return self._number is None

    @property
    def nvals(self) -> int:
        return int(self._number is not None)

    @property
    def ndim(self) -> int:
        """0."""
        return 0

    def get(self, default: Number | None = None) -> Any:
        """The value as a Python number.

        Parameters
        ----------
        default : number, optional
            What is returned of an empty scalar.

        Returns
        -------
        number or None
            The value.

        Examples
        --------
        >>> from graphla import Scalar
        >>> Scalar("INT32").get(3)
        3
        """
        return default if self._number is None else self.value

    def clear(self) -> None:
        """Remove the value.

        Examples
        --------
        >>> from graphla import Scalar
        >>> s = Scalar("INT32", 5)
        >>> s.clear()
        >>> s.is_empty
        True
        """
        self._number = None

    def update(self, value: Expr[Scalar] | Number | None) -> None:
        """Write a value; the same as ``self << value``.

        Parameters
        ----------
        value : expression, number or None
            What is written; None empties the scalar.

        Examples
        --------
        >>> from graphla import Scalar
        >>> s = Scalar("INT32", 5)
        >>> s.update(7)
        >>> s.value
        7
        """
        self << value

    @classmethod
    def from_value(cls, value: Number, dtype: DTypeLike | None = None) -> Scalar:
        """Make a scalar with a value.

        Parameters
        ----------
        value : number
            The value.
        dtype : dtype, optional
            Its dtype; by default the one of the value.

        Returns
        -------
        Scalar
            A new scalar.

        Examples
        --------
        >>> from graphla import Scalar
        >>> Scalar.from_value(2.5).dtype
        FP64
        """
        return cls(lookup(dtype) if dtype is not None else lookup(np.asarray(value).dtype), value)

    @classmethod
    def _compute(cls, expression: Expr[Any], dtype: DTypeLike | None, mask: Any, name: str | None) -> Scalar:
        """The value of a reduction or of an extracted place."""
        plan = plan_expression(expression, dtype, mask)
        result = run(engine_of(expression), plan)
        if isinstance(expression, Extract):
            result = read_value(engine_of(expression), result)
        return cls(plan.dtype, result, name=name)

    @classmethod
    def _explain(cls, expression: Expr[Any]) -> str:
        return str(plan_expression(expression, None, None))

    @classmethod
    def _estimate(cls, expression: Expr[Any]) -> int:
        return plan_expression(expression, None, None).nbytes

    def __call__(self, accum: BinaryOp | Monoid) -> ScalarUpdater:
        return ScalarUpdater(self, accum)

    def __lshift__(self, value: Expr[Scalar] | Number | None) -> None:
        ScalarUpdater(self, None) << value

    def __bool__(self) -> bool:
        return bool(self._some())

    def __int__(self) -> int:
        return int(self._some())

    def __float__(self) -> float:
        return float(self._some())

    def __complex__(self) -> complex:
        return complex(self._some())

    def __index__(self) -> int:
        return self._some().__index__()

    def __eq__(self, other: object) -> bool:  # type: ignore[override]
        return self.value == (other.value if isinstance(other, Scalar) else other)

    def __ne__(self, other: object) -> bool:  # type: ignore[override]
        return not self == other

    def __hash__(self) -> int:
        return hash(self.value)

    def _some(self) -> Any:
        if self._number is None:
            raise GraphlaError("this Scalar is empty: ask .is_empty before using its value")
        return self._number

    def _over(self, op: Any, *bound: Any) -> Scalar:
        """op of this value (and of another); empty if one of them is."""
        return self._combine(op, self, *bound)

    def _over_left(self, op: Any, bound: Any) -> Scalar:
        """op of another value and this one."""
        return self._combine(op, bound, self)

    def _combine(self, op: Any, *operands: Any) -> Scalar:
        op = op.op if isinstance(op, Monoid) else op
        operands = tuple(part._value if isinstance(part, Expr) else part for part in operands)
        types = [part.dtype if isinstance(part, Scalar) else bound_dtype(part, self._dtype) for part in operands]
        held = [read_scalar(part) for part in operands]
        dtype = infer_dtype(op, *types)
        return Scalar(dtype, None if None in held else evaluate(op, tuple(types), dtype)(*held))

    def new(self, dtype: DTypeLike | None = None, *, mask: MaskView | None = None, name: str | None = None) -> Scalar:
        """A copy: a scalar is computed already.

        Parameters
        ----------
        dtype : dtype, optional
            The dtype of the copy; by default the same.
        mask : None
            A scalar takes no mask.
        name : str, optional
            Without effect.

        Returns
        -------
        Scalar
            A new scalar.

        Examples
        --------
        >>> from graphla import Scalar
        >>> Scalar("INT32", 5).new("FP32").value
        5.0
        """
        return self.dup(dtype)

    def dup(self, dtype: DTypeLike | None = None) -> Scalar:
        """Copy the scalar.

        Parameters
        ----------
        dtype : dtype, optional
            The dtype of the copy; by default the same.

        Returns
        -------
        Scalar
            A new scalar.

        Examples
        --------
        >>> from graphla import Scalar
        >>> Scalar("INT32", 5).dup().value
        5
        """
        return Scalar(dtype or self._dtype, self._number)

    def isequal(self, other: Scalar | Number, *, check_dtype: bool = False) -> bool:
        """Whether another scalar has the same value.

        Parameters
        ----------
        other : Scalar or number
            The other one.
        check_dtype : bool
            Ask for the same dtype, too.

        Returns
        -------
        bool
            Whether it is equal; two empty scalars are.

        Examples
        --------
        >>> from graphla import Scalar
        >>> Scalar("INT32", 5).isequal(5)
        True
        """
        same = self == other
        return bool(same and (not check_dtype or self._dtype == getattr(other, "dtype", self._dtype)))

    def isclose(self, other: Scalar | Number, *, rel_tol: float = 1e-7, abs_tol: float = 0.0) -> bool:
        """Whether another scalar has a value that differs by rounding alone.

        Parameters
        ----------
        other : Scalar or number
            The other one.
        rel_tol : float
            How much values may differ, relative to the other's.
        abs_tol : float
            How much they may differ in any case.

        Returns
        -------
        bool
            Whether it is close; two empty scalars are.

        Examples
        --------
        >>> from graphla import Scalar
        >>> Scalar("FP64", 0.1 + 0.2).isclose(0.3)
        True
        """
        theirs = other.value if isinstance(other, Scalar) else other
        if self.is_empty or theirs is None:
            return self.is_empty and theirs is None
        return bool(np.isclose(self._some(), theirs, rtol=rel_tol, atol=abs_tol))

    def __repr__(self) -> str:
        return f"Scalar({self._dtype.name}, {'empty' if self.is_empty else self.value})"


class ScalarUpdater:
    """A scalar and the accumulator of the next ``<<`` into it."""

    def __init__(self, out: Scalar, accum: BinaryOp | Monoid | None) -> None:
        self.out, self.accum = out, to_accumulator(accum)

    def __lshift__(self, value: Expr[Scalar] | Number | None) -> None:
        new = read_scalar(value)
        if self.accum is not None and new is None:
            return
        if self.accum is not None and not self.out.is_empty:
            engine = get_engine()
            parts = tuple(engine.asarray(np.asarray([part], self.out.dtype.numpy)) for part in (self.out._number, new))
            new = engine.to_host(engine.apply_operator(self.accum, parts, (self.out.dtype,) * 2, self.out.dtype))[0]
        self.out._number = None if new is None else np.dtype(self.out.dtype.numpy).type(new)


def read_value(engine: Engine, storage: Any) -> Any:
    """The value of a storage of size one, or None if there is no entry."""
    if storage.nvals == 0:
        return None
    return engine.to_host(storage.values).reshape(-1)[0]


Expr._containers[0] = Scalar
