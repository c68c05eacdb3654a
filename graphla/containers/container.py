"""What matrices and vectors share: how they are written, copied, compared, moved and emptied."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal, Never, Self, cast

import numpy as np

from graphla.common.arguments import show, to_bool, to_real, to_text
from graphla.common.errors import DomainMismatch, NotEmpty, NotSupported
from graphla.common.memory import WAY_OUT
from graphla.common.typing import BinaryLike, Direction, DTypeLike, EngineName
from graphla.containers.execute import estimate_bytes, find_engine, plan_expression, report_out_of_memory, run
from graphla.containers.labels import Names
from graphla.containers.operations import Operations
from graphla.containers.pending import is_watched
from graphla.containers.update import Assigner, Updater, refuse_descriptors, require_how, to_accumulator
from graphla.engine import EngineLike, get_engine
from graphla.engine.protocol import Engine
from graphla.language.expr import Expr, ScalarLike, intersect, unite
from graphla.language.kinds import R
from graphla.language.masks import MaskView, Replace, make_mask, to_mask
from graphla.language.operand import Operand
from graphla.language.places import Index
from graphla.language.recording import Round, refuse_in_loop
from graphla.planning.plan import require_complex
from graphla.planning.steps import CopyStep, Plan
from graphla.storage import Array, BitmapVector, Distributed, FullVector
from graphla.storage.cast import cut_fractions, refuse_misfits
from graphla.storage.convert import are_equal, is_all
from graphla.storage.deferred import SentinelArray
from graphla.storage.formats import as_cells, as_sparse
from graphla.storage.words import WordMatrix
from semirings import BinaryOp, binary, monoid
from semirings.dtypes import BOOL, DType, lookup


class Container(Operand[R], Operations[R]):
    """A matrix or a vector on an engine. With `Scalar` these are the only things that change."""

    engine: Engine
    _names: Names | None = None

    def __init__(self, storage: Any, engine: Engine, name: str | None = None) -> None:
        if name is not None:
            to_text(name, "name")
        self._held = storage if engine.adopt is None else engine.adopt(storage)
        self.engine = engine
        self.name = name
        self.plan: Plan | None = None

    def _name_columns(self, names: Names | None) -> Self:
        """This container, whose indices and values are called so from now on."""
        if names is not None:
            self._names = names
        return self

    @classmethod
    def _from_storage(cls, storage: Any, engine: Engine, name: str | None = None) -> Self:
        """Wrap a storage, whose arrays the container owns from now on."""
        made = cls.__new__(cls)
        Container.__init__(made, storage, engine, name)
        return made

    @classmethod
    def _from_sentinel(cls, values: Array, absent: Any, engine: Engine, way_out: str = WAY_OUT) -> Self:
        """An array of the engine as it is, with no entry where it holds `absent`; looked through when first needed."""
        return cls._from_storage(SentinelArray(values, absent, way_out), engine)

    def __init_subclass__(cls, rank: int | None = None) -> None:
        super().__init_subclass__()
        if rank is not None:
            Expr._containers[rank] = cls
            cls.rank = rank  # type: ignore  (a property of expressions; a class attribute is faster)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays that hold the entries, on the engine; on many ranks those of this rank."""
        held = self._storage.part if isinstance(self._storage, Distributed) else self._storage
        return sum(getattr(getattr(held, part.name), "nbytes", 0) for part in fields(held))

    def __sizeof__(self) -> int:
        """Bytes on the host, for `sys.getsizeof`: arrays on a GPU do not count."""
        return object.__sizeof__(self) + (self.nbytes if self.engine.xp is np else 0)

    def __call__(
        self,
        *how: MaskView | Expr[Any] | BinaryLike | Replace,
        mask: MaskView | Expr[Any] | None = None,
        accum: BinaryLike | None = None,
        replace: bool = False,
        input_mask: MaskView | None = None,
        direction: Direction | None = None,
        **others: Never,
    ) -> Updater[R]:
        """Say how the next ``<<`` writes: a mask, an accumulator, `replace`, a direction, in any order."""
        if others:
            refuse_descriptors(others)
        asked = replace is not False and to_bool(replace, "replace")
        settings: dict[str, Any] = {"mask": mask, "accum": accum, "replace": asked}
        for part in how:
            key, setting = read_setting(part)
            if settings[key] is not None and settings[key] is not False:
                raise DomainMismatch(f"Got multiple values for argument {key!r}: {settings[key]!r} and {part!r}")
            settings[key] = setting
        if settings["replace"] and settings["mask"] is None:
            raise DomainMismatch("'replace' argument may only be True if a mask is provided")
        if input_mask is not None and settings["mask"] is not None:
            raise DomainMismatch("mask and input_mask arguments cannot both be given")
        return Updater(self, direction=direction, input_mask=input_mask, **settings)

    def __lshift__(self, value: Expr[R] | ScalarLike | Round) -> None:
        Updater(self) << value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise DomainMismatch(
            f"{type(self).__name__} can't be directly converted to a numpy array: absent entries have no value. Give "
            ".to_dense() a fill_value, or take .to_coo()"
        )

    def update(self, value: Expr[R] | ScalarLike | Round) -> None:
        """Write a value or an expression into this container; the same as ``self << value``.

        Parameters
        ----------
        value : expression, number or Scalar
            What is written.

        Raises
        ------
        DimensionMismatch
            If the shapes differ.
        DomainMismatch
            If the value does not fit the dtype.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.update(v + v)
        >>> v.to_dict()
        {0: 10, 2: 14}
        """
        Updater(self) << value

    def __setitem__(self, index: Index, value: Expr[Any] | ScalarLike | Round) -> None:
        Assigner(self, index=index) << value

    @classmethod
    def _compute(cls, expression: Expr[Any], dtype: DTypeLike | None, mask: Any, name: str | None) -> Self:
        """A new container with the value of `expression`."""
        refuse_in_loop("make a new container")
        engine = find_engine(expression)
        plan = plan_expression(expression, dtype, mask, engine)
        result = cls._from_storage(run(engine, plan), engine, name)
        result.plan = plan
        return result

    @classmethod
    def _explain(cls, expression: Expr[Any]) -> str:
        engine = find_engine(expression)
        plan = plan_expression(expression, None, None, engine)
        return plan.describe(engine.find_largest(estimate_bytes(engine, plan)), engine.name_rule(plan))

    @classmethod
    def _estimate(cls, expression: Expr[Any]) -> int:
        engine = find_engine(expression)
        return engine.find_largest(estimate_bytes(engine, plan_expression(expression, None, None, engine)))

    def __iadd__(self, other: Expr[R] | ScalarLike) -> Self:
        """``v += w`` is ``v(binary.plus) << w``; the other in-place operators compute the value and assign it."""
        if isinstance(other, Expr) and other.rank == self.rank:
            return self._write(other, binary.plus)
        return self._write(self + other)

    def __isub__(self, other: Expr[R] | ScalarLike) -> Self:
        return self._write(self - other)

    def __imul__(self, other: Expr[R] | ScalarLike) -> Self:
        return self._write(self * other)

    def __itruediv__(self, other: Expr[R] | ScalarLike) -> Self:
        return self._write(self / other)

    def __ifloordiv__(self, other: Expr[R] | ScalarLike) -> Self:
        return self._write(self // other)

    def __imod__(self, other: Expr[R] | ScalarLike) -> Self:
        return self._write(self % other)

    def __ipow__(self, other: Expr[R] | ScalarLike) -> Self:
        return self._write(self**other)

    def __ixor__(self, other: Expr[R] | ScalarLike) -> Self:
        return self._write(self ^ other)

    def __ior__(self, other: Expr[R]) -> Self:
        return self._write(unite(require_truths(self, other, binary.lor), self, other))

    def __iand__(self, other: Expr[R]) -> Self:
        return self._write(intersect(require_truths(self, other, binary.land), self, other))

    def __imatmul__(self, other: Expr[R]) -> Self:
        product = self @ other
        if product.rank != self.rank:
            raise DomainMismatch("@= is not supported where the product is one value: write s << u @ v into a Scalar")
        return self._write(product)

    def _write(self, value: Any, accum: Any = None) -> Self:
        """Write `value` into this container and return it, for the in-place operators."""
        self(accum=accum) << value
        return self

    def dup(
        self,
        dtype: DTypeLike | None = None,
        *,
        clear: bool = False,
        mask: MaskView | Expr[Any] | None = None,
        name: str | None = None,
    ) -> Self:
        """Copy the container.

        Parameters
        ----------
        dtype : dtype, optional
            The dtype of the copy; by default the same.
        clear : bool
            Copy shape and dtype, and no entry.
        mask : mask, optional
            Copy the entries that it lets through.
        name : str, optional
            A name for messages.

        Returns
        -------
        Matrix or Vector
            A container with arrays of its own.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.dup("FP64").to_dict()
        {0: 5.0, 2: 7.0}
        """
        kind = self.dtype
        out = lookup(dtype) if dtype is not None else kind
        if clear is not False and to_bool(clear, "clear"):
            return type(self)(out, *self.shape, name=name, engine=self.engine)._name_columns(self._names)  # type: ignore[call-arg]
        if mask is None and out is kind and isinstance(self._held, WordMatrix):
            return self._from_storage(self._held, self.engine, name)._name_columns(
                self._names
            )  # its arrays are never written again
        held = None if mask is None else make_mask(mask, self.shape)
        if out is not kind:
            require_complex(kind, out)
            if not np.can_cast(kind.numpy, out.numpy, "safe"):
                require_fit(self.engine.xp, getattr(self._storage, "part", self._storage), out)
        plan = Plan(CopyStep(self._storage, False), None, out, held)
        return self._from_storage(run(self.engine, plan), self.engine, name)._name_columns(self._names)

    def wait(self, how: Literal["materialize", "complete"] = "materialize") -> Self:
        """This itself: what was written is computed already.

        Parameters
        ----------
        how : {"materialize", "complete"}
            As in GraphBLAS.

        Returns
        -------
        Matrix or Vector
            This one.

        Examples
        --------
        >>> from graphla import Vector
        >>> Vector("INT8", 3).wait("complete").size
        3
        """
        return require_how(how, self)

    def __copy__(self) -> Self:
        return self.dup(name=self.name)

    def __reduce__(self) -> Any:
        """Copied and pickled with the name of the engine, of which a process has one."""
        return unpickle_container, (type(self), self._storage, self.engine.name, self.name, self._names)

    def isequal(self, other: Expr[R], *, check_dtype: bool = False) -> bool:
        """Whether another container has the same shape, the same structure and equal values.

        Parameters
        ----------
        other : Matrix or Vector
            A container of the same kind on the same engine.
        check_dtype : bool
            Ask for the same dtype, too.

        Returns
        -------
        bool
            Whether it is equal.

        Raises
        ------
        DomainMismatch
            If the other is of another kind.
        NotSupported
            If it lives on another engine.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.isequal(v.dup("FP64")), v.isequal(v.dup("FP64"), check_dtype=True)
        (True, False)
        """
        other, check_dtype = self._to_comparable(other), to_bool(check_dtype, "check_dtype")
        if self.shape != other.shape or self.nvals != other.nvals or (check_dtype and self.dtype != other.dtype):
            return False
        mine, theirs = self._storage, cast("Any", other)._storage
        alike = isinstance(mine, FullVector) and isinstance(theirs, FullVector) and mine.type is theirs.type
        if alike and not is_watched():
            return are_equal(mine.values, theirs.values)
        same: Any = (self & other)._over(binary.eq).new()
        return same.nvals == self.nvals and (self.nvals == 0 or bool(same._reduce_with(monoid.land, None).new().value))

    def isclose(
        self, other: Expr[R], *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False
    ) -> bool:
        """Whether another container has the same structure, and values that differ by rounding alone.

        Parameters
        ----------
        other : Matrix or Vector
            A container of the same kind on the same engine.
        rel_tol : float
            How much values may differ, relative to the other's.
        abs_tol : float
            How much they may differ in any case.
        check_dtype : bool
            Ask for the same dtype, too.

        Returns
        -------
        bool
            Whether it is close.

        Raises
        ------
        DomainMismatch
            If the other is of another kind.
        NotSupported
            If it lives on another engine.

        Notes
        -----
        O(entries).

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.isclose(Vector.from_coo([0, 2], [5, 7.00000001], size=3))
        True
        """
        other, check_dtype = self._to_comparable(other), to_bool(check_dtype, "check_dtype")
        relative, absolute = to_real(rel_tol, "rel_tol", 0), to_real(abs_tol, "abs_tol", 0)
        if self.shape != other.shape or self.nvals != other.nvals or (check_dtype and self.dtype != other.dtype):
            return False
        if isinstance(self._storage, Distributed):
            return self._storage.ranks.are_close(self._storage, cast("Any", other)._storage, relative, absolute)
        xp = self.engine.xp
        mine, theirs = (as_sparse(xp, as_cells(xp, cast("Any", each)._storage)) for each in (self, other))
        if not are_equal(mine.indices, theirs.indices):
            return False
        return is_all(xp.isclose(mine.values, theirs.values, rtol=relative, atol=absolute))

    def _to_comparable(self, other: Any) -> Any:
        """The container that `other` is, or gives."""
        held = other._value if isinstance(other, Expr) else other
        if not isinstance(held, type(self)):
            raise DomainMismatch(
                f"a {type(self).__name__} cannot be compared with {show(other)}. Expected type: {type(self).__name__}"
            )
        if held.engine is not self.engine:
            raise NotSupported(f"the operands live on {self.engine.name} and {held.engine.name}: move one with .to()")
        return held

    @report_out_of_memory
    def to(self, engine: EngineLike) -> Self:
        """The same entries on another engine.

        Parameters
        ----------
        engine : {"cpu", "cuda"} or None
            Where they are to live; None means as `config.engine` says.

        Returns
        -------
        Matrix or Vector
            The container itself if it lives there already, else a copy.

        Raises
        ------
        NotSupported
            If there is no such engine, or no GPU.
        OutOfMemory
            If the copy does not fit in memory.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0], [5], size=3, engine="cpu")
        >>> v.to("cpu") is v
        True
        """
        target = get_engine(engine)
        if target is self.engine:
            return self
        moved = self._from_storage(move_storage(self._storage, self.engine, target), target, self.name)
        return moved._name_columns(self._names)

    def __delitem__(self, index: Index) -> None:
        """Remove the entries at an index, if there are any."""
        Updater(self)[index].remove_entries()

    def clear(self) -> None:
        """Remove every entry.

        Examples
        --------
        >>> from graphla import Vector
        >>> v = Vector.from_coo([0, 2], [5, 7], size=3)
        >>> v.clear()
        >>> v.nvals
        0
        """
        empty = type(self)(self.dtype, *self.shape, engine=self.engine)  # type: ignore[call-arg]
        self._held = empty._storage

    def _build(self, entries: tuple[Any, ...], dup_op: Any, clear: bool, sizes: dict[str, int]) -> None:
        """Fill a container that has no entries as `from_coo` would."""
        if to_bool(clear, "clear"):
            self.clear()
        if self.nvals:
            raise NotEmpty(f"build: there are {self.nvals:,} entries already; give clear=True to drop them")
        made = type(self).from_coo(*entries, self.dtype, dup_op=dup_op, engine=self.engine, **sizes)  # type: ignore
        self._held = made._storage


def read_setting(part: Any) -> tuple[str, Any]:
    """Which setting of an update a positional argument is, and what it says."""
    if isinstance(part, MaskView):
        return "mask", part
    if isinstance(part, Replace):
        return "replace", True
    if isinstance(part, Expr) and part.rank:
        return "mask", to_mask(part)
    return "accum", to_accumulator(part)


def require_truths(left: Any, right: Any, op: BinaryOp) -> BinaryOp:
    """`op`; refuse operands that are not BOOL."""
    if left.dtype != BOOL or getattr(right, "dtype", BOOL) != BOOL:
        raise DomainMismatch(
            f"|= and &= without an operator are not supported for {left.dtype}, they are only supported for BOOL: "
            "name an operator, as in v << binary.plus(v | w)"
        )
    return op


def move_storage(storage: Any, source: Any, target: Any) -> Any:
    """Copy the arrays of a storage to another engine."""
    storage = source.collect(storage)
    arrays: dict[str, Any] = {}
    for part in fields(storage):
        value = getattr(storage, part.name)
        if hasattr(value, "dtype"):
            arrays[part.name] = target.asarray(source.to_host(value))
        elif part.name != "_cache":
            arrays[part.name] = value
    return type(storage)(**arrays)


def unpickle_container(cls: Any, storage: Any, engine: EngineName, name: str | None, names: Names | None = None) -> Any:
    """Rebuild a container from what `Container.__reduce__` gave."""
    return cls._from_storage(storage, get_engine(engine), name)._name_columns(names)


def require_fit(xp: Any, storage: Any, dtype: DType) -> None:
    """Refuse a dtype that does not hold the entries; fractions are cut."""
    values = storage.values[storage.present] if isinstance(storage, BitmapVector) else storage.values
    refuse_misfits(xp, cut_fractions(xp, values, dtype), dtype)
