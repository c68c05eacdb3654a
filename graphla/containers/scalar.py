"""A single value, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Never

import numpy as np

from graphla.common.arguments import show, to_bool, to_real
from graphla.common.errors import DomainMismatch, EmptyScalar, InvalidOption
from graphla.common.typing import BinaryLike, DTypeLike, Number
from graphla.containers.elementwise import Elementwise
from graphla.containers.execute import find_engine, plan_expression, run
from graphla.containers.pending import is_element, is_watched, read_element
from graphla.containers.select import MIRRORED
from graphla.containers.update import refuse_descriptors, require_how, to_accumulator
from graphla.engine import get_engine
from graphla.engine.protocol import Engine
from graphla.language.apply import Combine, Reduce
from graphla.language.expr import Expr, Shape, has_entries
from graphla.language.extract import Extract
from graphla.language.masks import MaskView, Replace
from graphla.language.operands import infer_dtype
from graphla.language.recording import Recorded, Round, is_recording, note_read, recorders, refuse_in_loop
from graphla.language.scalars import choose_bound_dtype, read_scalar
from graphla.storage.cast import cast_number, cut_values, is_number
from semirings import Monoid
from semirings.dtypes import DType, lookup
from semirings.python import evaluate


class Scalar(Elementwise["Scalar"]):
    """A value of a dtype, or empty.

    Parameters
    ----------
    dtype : dtype
        One of BOOL, INT8 … UINT64, FP32, FP64, FC32, FC64, or NumPy's name or type for it.
    value : number, optional
        None makes an empty scalar.
    is_cscalar : bool, optional
        Of which of two kinds it says that it is, for programs of python-graphblas, which ask. There the kinds are
        stored in different places; here both are a number on the host that may be absent, and do the same.
    name : str, optional
        Its name.

    Examples
    --------
    >>> from graphla import Scalar
    >>> Scalar("FP32", 2.5).value
    2.5
    >>> Scalar("INT32").is_empty
    True
    """

    if TYPE_CHECKING:

        @property
        def _is_scalar(self) -> None: ...

    engine = None  # type: ignore
    name: str | None = None
    _computed = True

    __hash__ = None  # type: ignore[assignment]  (it changes, and equals scalars of other dtypes)

    def __init__(
        self,
        dtype: DTypeLike = "FP64",
        value: Number | None = None,
        *,
        is_cscalar: bool | None = None,
        name: str | None = None,
    ) -> None:
        self._dtype = lookup(dtype)
        self._number: Any = convert(read_scalar(value), self._dtype)
        self.name = name
        self._of: Scalar | None = None  # of a truth, the scalar that was compared with a number: see `select.value`
        self._is_cscalar = is_cscalar is not False

    @classmethod
    def _wrap(cls, value: Any) -> Scalar:
        """A number or an expression of one value as a Scalar."""
        return value._value if isinstance(value, Expr) and not value.rank else cls.from_value(value)

    @property
    def is_cscalar(self) -> bool:
        """Whether it was made as the kind of scalar that python-graphblas calls so."""
        return self._is_cscalar

    @property
    def is_grbscalar(self) -> bool:
        """Whether it was made as the other kind."""
        return not self._is_cscalar

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
        note_read(self)
        return None if self._number is None else self._number.item()

    @value.setter
    def value(self, value: Any) -> None:
        refuse_in_loop("set the value of a Scalar (it may write s << 3)")
        self._number = convert(read_scalar(value), self._dtype)

    @property
    def is_empty(self) -> bool:
        note_read(self)
        return self._number is None

    @property
    def nvals(self) -> int:
        note_read(self)
        return int(self._number is not None)

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
        return default if self.value is None else self.value

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
        self.value = None

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
    def from_value(
        cls,
        value: Expr[Scalar] | Number | None,
        dtype: DTypeLike | None = None,
        *,
        is_cscalar: bool | None = None,
        name: str | None = None,
    ) -> Scalar:
        """Make a scalar with a value.

        Parameters
        ----------
        value : number
            The value.
        dtype : dtype, optional
            Its dtype; by default the one of the value.
        is_cscalar : bool, optional
            As in the constructor.
        name : str, optional
            Its name.

        Returns
        -------
        Scalar
            A new scalar.

        Raises
        ------
        DomainMismatch
            If it is no number, or does not fit the dtype.

        Examples
        --------
        >>> from graphla import Scalar
        >>> Scalar.from_value(2.5).dtype
        FP64
        """
        held = read_scalar(value)
        if (held is not None and not is_number(held)) or (
            held is None and dtype is None and not isinstance(value, Expr)
        ):
            raise DomainMismatch(
                f"from_value: {show(value)} is no number. Expected type: a Scalar. Literal scalars also accepted"
            )
        own = getattr(value, "dtype", None) or np.asarray(held).dtype
        kind = lookup(own if dtype is None else dtype)
        return cls(kind, cut_number(held, kind), is_cscalar=is_cscalar, name=name)

    @classmethod
    def _compute(
        cls,
        expression: Expr[Any],
        dtype: DTypeLike | None,
        mask: Any,
        name: str | None,
        is_cscalar: bool | None = None,
    ) -> Scalar:
        """The value of a reduction or of an extracted place."""
        refuse_in_loop("make a new container")
        if mask is not None:
            raise InvalidOption("mask: no such option, or descriptor, of the .new() of one value")
        if is_cscalar is None:
            is_cscalar = not isinstance(expression, Reduce)
        if isinstance(expression, Extract) and is_element(expression.of, expression.index) and not is_watched():
            kind = expression.dtype
            number = read_element(expression.of, expression.index)
            found = cls(kind, number, is_cscalar=is_cscalar, name=name)
            return found if dtype is None or lookup(dtype) is kind else found.dup(dtype, name=name)
        if isinstance(expression, Combine):
            return cls._combine_now(expression, dtype)
        engine = find_engine(expression)
        plan = plan_expression(expression, dtype, None, engine)
        result = run(engine, plan)
        if isinstance(expression, Extract):
            result = read_value(engine, result)
        if result is None and isinstance(expression, Reduce) and expression.or_identity:
            result = expression.monoid.identity(expression.dtype)
        return cls(plan.dtype, result, is_cscalar=is_cscalar, name=name)

    @classmethod
    def _explain(cls, expression: Expr[Any]) -> str:
        engine = find_engine(expression)
        plan = plan_expression(expression, None, None, engine)
        return plan.describe(plan.nbytes, engine.name_rule(plan))

    @classmethod
    def _estimate(cls, expression: Expr[Any]) -> int:
        return plan_expression(expression, None, None, find_engine(expression)).nbytes

    def __call__(
        self,
        *how: BinaryLike,
        accum: BinaryLike | None = None,
        mask: None = None,
        input_mask: None = None,
        replace: bool = False,
        **others: Never,
    ) -> ScalarUpdater:
        """Say how the next ``<<`` writes: ``s(binary.plus) << v.reduce()`` accumulates.

        Parameters
        ----------
        *how, accum : BinaryOp, Monoid or str
            The accumulator, once.
        mask, input_mask, replace : None
            A scalar has no mask: these are refused.
        **others
            Refused: there are no more settings.
        """
        refuse_descriptors(others)
        for part in how:
            if isinstance(part, (MaskView, Expr)):
                raise DomainMismatch("Mask not allowed for Scalars: a Scalar has one value")
            replace = replace or isinstance(part, Replace)
        if mask is not None or input_mask is not None:
            raise DomainMismatch(f"{'Mask' if mask is not None else 'input_mask'} not allowed for Scalars")
        if replace:
            raise DomainMismatch("'replace' argument may not be True for Scalar: there is no mask to be outside of")
        given = [*how, *([] if accum is None else [accum])]
        if len(given) > 1:
            raise DomainMismatch(f"Got multiple values for argument 'accum': {given}")
        return ScalarUpdater(self, given[0] if given else None)

    def __lshift__(self, value: Expr[Scalar] | Number | Round | None) -> None:
        ScalarUpdater(self, None) << value

    def __bool__(self) -> bool:
        note_read(self)
        return bool(self._number) if self._number is not None else False

    def __int__(self) -> int:
        return int(self._require_value())

    def __float__(self) -> float:
        return float(self._require_value())

    def __complex__(self) -> complex:
        return complex(self._require_value())

    def __index__(self) -> int:
        if self._dtype.kind not in "iu":
            raise NoIndex(f"Scalar of {self._dtype} is no index: only `__index__` of integral ones is defined")
        return self._require_value().__index__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """The value as an array of NumPy without dimensions."""
        return np.array(self._require_value(), dtype)

    def __imatmul__(self, other: Any) -> Never:
        raise DomainMismatch("@= is not supported for a Scalar: a product needs a vector or a matrix on each side")

    def __getitem__(self, index: Any) -> Never:
        raise DomainMismatch("a Scalar is not subscriptable: read it as .value")

    def __setitem__(self, index: Any, value: Any) -> Never:
        raise DomainMismatch("a Scalar does not support item assignment: write s << value")

    def __delitem__(self, index: Any) -> Never:
        raise DomainMismatch("a Scalar does not support item deletion: s.clear() empties it")

    def __eq__(self, other: object) -> bool:  # type: ignore[override]
        if has_entries(other):
            return NotImplemented  # a vector or a matrix compares each of its entries with this
        held = read_scalar(other)
        return bool(self.value == held) if held is None or is_number(held) else False

    def __ne__(self, other: object) -> bool:  # type: ignore[override]
        return NotImplemented if has_entries(other) else not self == other

    def _require_value(self) -> Any:
        note_read(self)
        if self._number is None:
            raise EmptyScalar("this Scalar is empty: ask .is_empty before using its value")
        return self._number

    def _over(self, op: Any, *bound: Any) -> Any:
        """op of this value (and of another); empty if one of them is."""
        if len(bound) == 1 and has_entries(bound[0]):
            return bound[0]._over_left(op, self)
        return self._combine(op, self, *bound)

    def _over_left(self, op: Any, bound: Any) -> Any:
        """op of another value and this one."""
        return self._combine(op, bound, self)

    @classmethod
    def _combine_now(cls, e: Combine[Scalar], dtype: DTypeLike | None) -> Scalar:
        """The value of an expression of the body of a loop."""
        held = [part._value if isinstance(part, Expr) else part for part in e.operands]
        found = next(part for part in held if isinstance(part, Scalar))._combine(e.op, *held)
        return found if dtype is None else found.dup(dtype)

    def _combine(self, op: Any, *operands: Any) -> Any:
        if is_recording():
            return super()._combine(op, *operands)
        op = op.op if isinstance(op, Monoid) else op
        operands = tuple(part._value if isinstance(part, Expr) else part for part in operands)
        check_arity(op, operands)
        types = [part.dtype if isinstance(part, Scalar) else choose_bound_dtype(part, self._dtype) for part in operands]
        held = [read_scalar(part) for part in operands]
        dtype = infer_dtype(op, *types)
        result = Scalar(dtype, None if None in held else evaluate(op, tuple(types), dtype)(*held))
        result._of = self.dup() if op.name in MIRRORED else None
        return result

    def _cast(self, dtype: DType) -> Any:
        return self.dup(dtype)

    def new(
        self,
        dtype: DTypeLike | None = None,
        *,
        mask: None = None,
        is_cscalar: bool | None = None,
        name: str | None = None,
    ) -> Scalar:
        """A copy: a scalar is computed already.

        Parameters
        ----------
        dtype : dtype, optional
            The dtype of the copy; by default the same.
        mask : None
            A scalar takes no mask.
        is_cscalar : bool, optional
            As in the constructor.
        name : str, optional
            Without effect.

        Returns
        -------
        Scalar
            A new scalar.

        Raises
        ------
        DomainMismatch
            If there is a mask.

        Examples
        --------
        >>> from graphla import Scalar
        >>> Scalar("INT32", 5).new("FP32").value
        5.0
        """
        if mask is not None:
            raise DomainMismatch("Mask not allowed for Scalars: a Scalar has one value")
        return self.dup(dtype, is_cscalar=is_cscalar, name=name)

    def dup(
        self,
        dtype: DTypeLike | None = None,
        *,
        clear: bool = False,
        is_cscalar: bool | None = None,
        name: str | None = None,
    ) -> Scalar:
        """Copy the scalar.

        Parameters
        ----------
        dtype : dtype, optional
            The dtype of the copy; by default the same.
        clear : bool
            Copy the dtype and no value.
        is_cscalar : bool, optional
            As in the constructor; by default that of this one.
        name : str, optional
            The name of the copy.

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
        kind = self._dtype if dtype is None else lookup(dtype)
        asked = self._is_cscalar if is_cscalar is None else is_cscalar
        held = None if to_bool(clear, "clear") or self._number is None else cut_number(self.value, kind)
        return Scalar(kind, held, is_cscalar=asked, name=name)

    def wait(self, how: Literal["materialize", "complete"] = "materialize") -> Scalar:
        """This itself: what was written is computed already.

        Parameters
        ----------
        how : {"materialize", "complete"}
            As in GraphBLAS.

        Returns
        -------
        Scalar
            This one.

        Examples
        --------
        >>> from graphla import Scalar
        >>> Scalar("INT8", 3).wait().value
        3
        """
        return require_how(how, self)

    def isequal(self, other: Expr[Scalar] | Number | None, *, check_dtype: bool = False) -> bool:
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
        theirs, dtype = self._read_comparable(other)
        return bool(self.value == theirs and (not to_bool(check_dtype, "check_dtype") or self._dtype == dtype))

    def isclose(
        self,
        other: Expr[Scalar] | Number | None,
        *,
        rel_tol: float = 1e-7,
        abs_tol: float = 0.0,
        check_dtype: bool = False,
    ) -> bool:
        """Whether another scalar has a value that differs by rounding alone.

        Parameters
        ----------
        other : Scalar or number
            The other one.
        rel_tol : float
            How much values may differ, relative to the other's.
        abs_tol : float
            How much they may differ in any case.
        check_dtype : bool
            Ask for the same dtype, too.

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
        relative, absolute = to_real(rel_tol, "rel_tol", 0), to_real(abs_tol, "abs_tol", 0)
        theirs, dtype = self._read_comparable(other)
        if to_bool(check_dtype, "check_dtype") and self._dtype != dtype:
            return False
        if self.is_empty or theirs is None:
            return self.is_empty and theirs is None
        return bool(np.isclose(self._require_value(), theirs, rtol=relative, atol=absolute))

    def _read_comparable(self, other: Any) -> tuple[Any, DType]:
        """The number in `other`, and its dtype: that of this scalar for numbers of Python."""
        held = read_scalar(other)
        if held is not None and not is_number(held):
            raise DomainMismatch(f"a Scalar cannot be compared with {show(other)}. Expected type: Scalar, or a number")
        return held, getattr(other, "dtype", self._dtype)

    def __repr__(self) -> str:
        return f"Scalar {self._dtype.name}: {'empty' if self.is_empty else self.value}"


class ScalarUpdater:
    """A scalar and the accumulator of the next ``<<`` into it."""

    mask = index = direction = None
    replace = False

    def __getitem__(self, index: Any) -> Never:
        raise DomainMismatch("Indexing not supported for Scalars")

    def __setitem__(self, index: Any, value: Any) -> Never:
        raise DomainMismatch("Indexing not supported for Scalars")

    def __delitem__(self, index: Any) -> Never:
        raise DomainMismatch("Indexing not supported for Scalars")

    def __init__(self, out: Scalar, accum: BinaryLike | None) -> None:
        self.out, self.accum = out, to_accumulator(accum, out.dtype)

    def __lshift__(self, value: Expr[Scalar] | Number | Round | None) -> None:
        value = value._resolved if isinstance(value, Expr) else value
        if recorders.anywhere and (recording := recorders.get_innermost()) is not None:
            recording.statements.append(Recorded(self, value))
            return
        if isinstance(value, Extract) and self.accum is not None:
            value = value._value  # in GraphBLAS an element has no accumulator, and is computed first
        new = read_scalar(value.new() if isinstance(value, Expr) and not value.rank else value)
        if self.accum is not None and new is None:
            return
        if self.accum is not None and not self.out.is_empty:
            engine = get_engine()
            parts = tuple(engine.asarray(np.asarray([part], self.out.dtype.numpy)) for part in (self.out._number, new))
            new = engine.to_host(engine.apply_operator(self.accum, parts, (self.out.dtype,) * 2, self.out.dtype))[0]
        self.out.value = new

    update = __lshift__


class NoIndex(DomainMismatch, AttributeError):
    """A Scalar that is no integer was given as an index."""


def check_arity(op: Any, operands: tuple[Any, ...]) -> None:
    """Refuse an operator that is none of one or two numbers, or of as many as there are, and operands that are none."""
    wanted = {"unary": 1, "binary": 2}.get(op.sort, 0)
    if len(operands) != wanted or getattr(op, "positional", None):
        raise DomainMismatch(f"{op!r} was called on a Scalar: give a unary operator, or a binary one of two Scalars")
    for each in operands:
        if not isinstance(each, Scalar) and not is_number(each):
            raise DomainMismatch(f"{op!r} was called on {show(each)}: give a number, or a Scalar")


def convert(value: Any, dtype: DType) -> Any:
    """A number as one of NumPy of `dtype`; refuse what is no number, and what the dtype does not hold."""
    if value is not None and not is_number(value):
        raise DomainMismatch(f"{show(value)} is no number; expected integer or other number to store as {dtype}")
    return None if value is None else cast_number(value, dtype)


def cut_number(value: Any, dtype: DType) -> Any:
    """A number whose fraction is cut if `dtype` is one of integers, as NumPy casts."""
    return None if value is None else cut_values(np, np.asarray(value), dtype)[()]


def read_value(engine: Engine, storage: Any) -> Any:
    """The value of a storage of size one, or None if there is no entry."""
    if storage.nvals == 0:
        return None
    return engine.to_host(storage.values).reshape(-1)[0]


Expr._containers[0] = Scalar
