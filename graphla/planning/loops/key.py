"""What decides the plan of a recorded loop, as a tuple that can be compared.

Two loops with the same key have the same plan, up to the contents of their containers: these are listed apart, in the
order in which the statements name them. A key costs a fraction of a plan, so a loop that runs again is planned once.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np

from graphla.language.apply import Reduce
from graphla.language.expr import Expr, is_operand
from graphla.language.operand import Transposed
from graphla.language.products import MatMul
from graphla.language.recording import Round
from graphla.planning.few_rows import FEW_ROWS
from graphla.planning.plan import read_operand
from graphla.storage import CompressedMatrix, FullMatrix, FullVector
from semirings.dtypes import DType
from semirings.operators import Operator

THIN = 8
"""A matrix of few rows or few columns has so many times as many of the others, or is reduced as a sparse one."""

NUMBERS = (bool, int, float, complex)


class NoKey(Exception):
    """A statement holds something of which it is not known what the plan reads of it."""


class LoopKey:
    """Collects the key of a loop.

    Attributes
    ----------
    parts : tuple
        The key.
    leaves : list
        The containers, the Scalars and the arrays of positions, by their first appearance.
    matrix : CompressedMatrix or None
        The first matrix of a product, which keeps plans; a plan depends on each of them as a whole.
    """

    def __init__(self, targets: set[int]) -> None:
        self.targets = targets
        self.parts: Any = []
        self.leaves: list[Any] = []
        self.places: dict[int, int] = {}
        self.matrix: Any = None

    def add(self, value: Any) -> None:
        """Add an expression, an operand, a number or what else a statement holds."""
        kind: Any = type(value)
        if value is None or isinstance(value, Operator):
            self.parts.append(value)
        elif isinstance(value, Expr):
            self.add_expression(value, kind)
        elif kind is Round:
            self.parts.append(kind)
        elif kind in NUMBERS or isinstance(value, np.generic):
            # zeros are equal and differ in sign, and equal numbers differ in type
            self.parts += [kind, value, str(value) if value == 0 else ""]
        elif kind is tuple:
            self.parts.append((kind, len(value)))
            for part in value:
                self.add(part)
        elif isinstance(value, (DType, str, range)):
            self.parts.append((kind, str(value)))
        elif hasattr(kind, "__cuda_array_interface__") or hasattr(kind, "__array_interface__"):
            self.add_leaf(value, (value.dtype.str, value.shape))
        else:
            raise NoKey

    def add_expression(self, e: Any, kind: Any) -> None:
        """Add a container, or an expression with its parts."""
        names = list_fields(kind)
        if names is None:
            self.add_container(e)
            return
        self.parts.append(kind)
        if kind is MatMul:
            self.add_matrix(e.right if is_vector_first(e) else e.left)
        elif kind is Reduce and e.axis is not None and is_sparse(e.of, self.targets):
            self.add_matrix(e.of)
            self.add_leaf(e, None)
        for name in names:
            self.add(getattr(e, name))

    def add_matrix(self, A: Any) -> None:
        """Add the matrix of a product: all of it decides how to multiply."""
        held: Any = A.of if isinstance(A, Transposed) else A
        if not held._computed or held.rank != 2:
            return
        storage = held._storage
        if self.matrix is None and hasattr(storage, "cached"):
            self.matrix = storage
        self.parts.append("first" if storage is self.matrix else storage)  # a matrix must not keep itself

    def add_container(self, container: Any) -> None:
        """Add a matrix, a vector or a Scalar: what a plan reads of it."""
        if id(container) in self.places or container.rank:
            self.add_leaf(container, None if id(container) in self.places else describe_container(container))
            return
        number = container._number
        fact = number is None if id(container) in self.targets or number is None else (type(number), str(number))
        self.add_leaf(container, (container.dtype.name, fact))

    def add_leaf(self, leaf: Any, facts: Any) -> None:
        place = self.places.get(id(leaf))
        if place is None:
            place = self.places[id(leaf)] = len(self.leaves)
            self.leaves.append(leaf)
            self.parts.append(facts)
        self.parts.append(place)

    def add_mask(self, mask: Any) -> None:
        """Add a mask, or None."""
        if mask is None:
            self.parts.append(None)
        else:
            self.parts += [mask.structural, mask.complement]
            self.add(mask.of)


def describe_container(container: Any) -> tuple[Any, ...]:
    """What a plan reads of a matrix or a vector that no product multiplies with as its matrix."""
    storage = get_counted(container)
    return container.engine, container.shape, storage.type.name, is_full(storage)


def is_full(storage: Any) -> bool:
    """Whether a storage has every entry."""
    if isinstance(storage, CompressedMatrix):
        return storage.nvals == storage.nrows * storage.ncols
    return isinstance(storage, (FullVector, FullMatrix)) or storage.nvals == storage.size


def is_vector_first(e: MatMul[Any]) -> bool:
    """Whether the vector of a product, or the matrix of few rows in its place, stands before the matrix."""
    return e.left.rank == 1 or (e.left.rank == e.right.rank == 2 and e.shape[0] <= e.shape[1])


def is_sparse(of: Any, targets: set[int]) -> bool:
    """Whether a matrix is one that the loop multiplies with, and not one with a cell for each possible entry."""
    if not is_operand(of) or id(getattr(of, "of", of)) in targets:
        return False
    storage, _ = read_operand(of)
    thin = min(of.shape) <= FEW_ROWS and THIN * min(of.shape) <= max(of.shape)
    return isinstance(storage, CompressedMatrix) and bool(storage.nvals) and not thin


def get_counted(container: Any) -> Any:
    """The storage of a container, or what is to be one if the number of its entries is known."""
    return container._held if getattr(container._held, "counted", False) else container._storage


@cache
def list_fields(kind: type[Any]) -> tuple[str, ...] | None:
    """The fields of a kind of expression; None of a container."""
    return tuple(each.name for each in fields(kind)) if hasattr(kind, "__dataclass_fields__") else None


def make_loop_key(statements: Sequence[Any], live: Any, condition: Any) -> LoopKey | None:
    """The key of a loop; None if it has none."""
    key = LoopKey({id(s.update.out) for s in statements})
    try:
        for s in statements:
            update = s.update
            key.add(update.out)
            key.add_mask(update.mask)
            key.parts += [update.accum, update.replace]
            if update.out.rank:
                key.add_mask(update.input_mask)
                key.parts.append(update.direction)
                key.add(update.index)
            key.add(s.value)
        key.add(live)
        key.add(condition)
    except NoKey:
        return None
    key.parts = tuple(key.parts)
    return key
