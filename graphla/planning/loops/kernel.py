"""One kernel: the plan of a loop as statements at index i around one product of a matrix and a vector.

Each vector has a presence bit for each index. A `KernelBody` is hashable, so its kernel is compiled once. What differs
between loops with the same body (the arrays, the bound numbers, the matrix) is in the `KernelPlan`.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from graphla.planning.degrees import stops_early
from graphla.planning.loops.slots import Unfused
from graphla.planning.loops.statements import BodyReader
from graphla.planning.loops.terms import Call, Entry, Multiply, Part, Presence, SlotMask, Store, Union
from graphla.planning.loops.uses import list_flags, list_names, list_reads, walk
from graphla.planning.steps import Direction, Fact
from graphla.storage import CompressedMatrix, Deferred, VectorStorage
from graphla.storage.deferred import FewEntries
from graphla.storage.frozen import quick
from semirings import Semiring
from semirings.dtypes import DType

MOST_VECTORS, MOST_NUMBERS = 6, 4
"""The most vectors and bound numbers that the loop kernel takes."""
QUEUE_BYTES = 32
"""Bytes per vertex of a frontier as a queue (the vertex, two arc counts of up to eight bytes) and as three lists."""
PRODUCT = -1
"""The slot of the product."""


@dataclass(frozen=True)
class KernelBody:
    """One round: the statements `before`, the product of the matrix and slot `operand` under `mask`, then `after`.

    The loop runs while slot `live` has entries; with ``live=None`` it runs a fixed number of rounds. `early` says that
    a pull often stops at the first term of a row, `flip` that the vector is the first operand of ⊗.
    """

    types: tuple[DType, ...]
    before: tuple[Store, ...]
    after: tuple[Store, ...]
    operand: int
    mask: SlotMask | None
    semiring: Semiring
    matrix: DType
    out: DType
    flip: bool
    early: bool
    live: int | None

    @property
    def written_slots(self) -> tuple[int, ...]:
        """The slots that a round may write to."""
        return tuple(sorted({s.out.slot for s in (*self.before, *self.after)}))

    @property
    def factors(self) -> tuple[DType, DType]:
        """The types of both operands of ⊗."""
        vector = self.types[self.operand]
        return (vector, self.matrix) if self.flip else (self.matrix, vector)


@quick()
class KernelPlan:
    """A loop that an engine runs as one step: up to `limit` rounds of `body`.

    A push reads rows k of the matrix, a pull reads rows i of the result. `push_transposed` and `pull_transposed` say
    which of them uses the cached transpose of `matrix`. With ``direction=None`` each round chooses push or pull.
    """

    body: KernelBody
    slots: tuple[VectorStorage | Deferred, ...]
    numbers: tuple[Any, ...]
    matrix: CompressedMatrix
    push_transposed: bool
    pull_transposed: bool
    direction: Direction | None
    limit: int
    nbytes: int
    facts: tuple[Fact, ...] = ()

    @property
    def matrices(self) -> tuple[CompressedMatrix]:
        """The matrix of the product."""
        return (self.matrix,)

    def empty(self) -> KernelPlan:
        """The plan without contents."""
        return self.refill((), (), (None,), 0)

    def refill(self, slots: tuple[Any, ...], scalars: Sequence[Any], matrices: Sequence[Any], limit: int) -> KernelPlan:
        """The plan of the same loop over other contents; there are no Scalars in it."""
        return KernelPlan(
            self.body, slots, self.numbers, matrices[0], self.push_transposed, self.pull_transposed, self.direction,
            limit, self.nbytes, self.facts,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class KernelAnswer:
    """The result: one storage per slot of `KernelBody.written_slots`, the number of rounds, and of pull rounds."""

    storages: tuple[VectorStorage | Deferred, ...]
    rounds: int
    pulled: int


class BitReader(BodyReader):
    """Reads a body whose containers all have presence bits; the product is computed under the mask as it stands."""

    def find_presence(self, vector: Any) -> Presence:
        return ("flags",)

    def read_slot_mask(self, mask: Presence, shape: tuple[int, ...]) -> None:
        return None


def plan_kernel(
    statements: Sequence[Any], live: Any, condition: Any, limit: int
) -> tuple[KernelPlan, tuple[Any, ...], tuple[()]]:
    """Build the plan of a loop over recorded statements; return it with the vectors in its slots; it has no Scalars.

    Raises
    ------
    Unfused
        If one kernel cannot run the body. The body needs exactly one product, of a matrix and a vector; every vector
        has the size of the matrix. The other statements may be element-wise unions and intersections, applies,
        selects, copies and numbers.
    """
    if condition is not None or getattr(live, "rank", 1) == 2:
        raise Unfused("one kernel goes on by the entries of a vector")
    reader = BitReader([s.update.out for s in statements], set())
    for s in statements:
        reader.write(s.update, s.value)
    steps = [step for step, _ in reader.steps]
    at = find_product(steps)
    multiply, product = steps.pop(at), reader.products[0]
    for k, step in enumerate(steps):
        require_simple(step, multiply.out, is_product=k == at)
    ends = [multiply.operand, *([] if live is None else [reader.find_slot(live)])]
    slots = dict.fromkeys([*(slot for step in steps for slot in list_slots(step)), *ends])
    slots.pop(multiply.out)
    vectors = tuple(reader.vectors[slot] for slot in slots)
    require_room(vectors, reader.numbers, product.matrix)
    places = {slot: place for place, slot in enumerate(slots)} | {multiply.out: PRODUCT}
    stores: list[Any] = [renumber(step, places) for step in steps]
    body = KernelBody(
        types=tuple(reader.types[slot] for slot in slots),
        before=tuple(stores[:at]),
        after=tuple(stores[at:]),
        operand=places[multiply.operand],
        mask=find_slot_mask(stores[at].mask),
        semiring=product.semiring,
        matrix=product.matrix.type,
        out=product.out,
        flip=product.flip,
        early=stops_early(product.semiring, product.out),
        live=None if live is None else places[ends[1]],
    )
    rows_are_k, matrix = product.rows_are_k, product.matrix
    nbytes = matrix.nrows * (QUEUE_BYTES + len(vectors) * 2 + product.out.bits // 8)
    contents, numbers = tuple(map(read_slot, vectors)), tuple(reader.numbers)
    plan = KernelPlan(body, contents, numbers, matrix, not rows_are_k, rows_are_k, product.direction, limit, nbytes)
    return plan, vectors, ()


def find_product(steps: Sequence[Any]) -> int:
    """Where the one product stands among the steps; the statement after it writes what it gives."""
    products = [place for place, step in enumerate(steps) if isinstance(step, Multiply)]
    if len(products) != 1:
        raise Unfused(f"it has {len(products)} products, and a kernel is built around one")
    return products[0]


def require_simple(step: Any, product: int, *, is_product: bool) -> None:
    """Refuse what is no element-wise statement of one operator, or the product, over whole vectors."""
    if not isinstance(step, Store):
        raise Unfused("it assigns to a part of a vector, or computes a number in each round")
    reads = [part for part in walk((step.term, step.present)) if isinstance(part, (Call, Union))]
    if sum(any(True for _ in list_reads(part)) for part in reads) > 1:
        raise Unfused("a statement has several operators")
    if (product in list_slots(step)) != is_product or (is_product and not isinstance(step.term, Entry)):
        raise Unfused("a statement computes with its product")


def list_slots(store: Store) -> list[int]:
    """The slots of a statement: those of its term, its target, that of its mask."""
    term = [slot for part in (store.term, store.present) for slot, _ in (*list_reads(part), *list_flags(part))]
    return [*term, store.out.slot, *(slot for slot, _ in list_flags(store.mask))]


def require_room(vectors: Sequence[Any], numbers: Sequence[Any], matrix: CompressedMatrix) -> None:
    """Refuse what is wider than a kernel, or of another size than its matrix."""
    if matrix.nrows != matrix.ncols:
        raise Unfused("its matrix is not square")
    if any(not hasattr(vector, "_held") or vector.shape != (matrix.nrows,) for vector in vectors):
        raise Unfused(f"it has an operand that is no vector of size {matrix.nrows:,}")
    if len(vectors) > MOST_VECTORS:
        raise Unfused(f"it has more than {MOST_VECTORS} vectors")
    if len(numbers) > MOST_NUMBERS:
        raise Unfused(f"it has more than {MOST_NUMBERS} bound numbers")


def renumber(part: Any, places: dict[int, int]) -> Any:
    """A part whose slots have other numbers."""
    if isinstance(part, tuple):
        given = cast("tuple[Any, ...]", part)
        return ("slot", places[given[1]]) if given[:1] == ("slot",) else tuple(renumber(p, places) for p in given)
    if isinstance(part, Entry):
        return Entry(places[part.slot], part.dtype)
    if isinstance(part, Part):
        return type(part)(*(renumber(getattr(part, name), places) for name in list_names(type(part))))
    return part


def find_slot_mask(mask: Presence) -> SlotMask | None:
    """A mask as the entries of one slot."""
    if mask is True:
        return None
    complement = mask[0] == "not"
    inside = mask[1] if complement else mask
    valued = inside[0] == "and"  # where there is an entry, and it is true
    return SlotMask((inside[1] if valued else inside)[1], complement, not valued)


def read_slot(vector: Any) -> VectorStorage | Deferred:
    """Return the storage of a vector; a few entries in host memory stay there, for a launch can carry them."""
    return vector._held if isinstance(vector._held, FewEntries) else vector._storage
