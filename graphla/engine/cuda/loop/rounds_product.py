"""The products of a round over arrays of fixed size: launches that are the same in each round.

The device chooses push or pull in each round and leaves out the launches of the other one.
"""

from __future__ import annotations

from typing import Any

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.few_pull import PACK_BYTES, FewPullParameters
from graphla.engine.cuda.matmat.few_rows import FEW_THREADS, LANE_THREADS
from graphla.engine.cuda.matvec.pull_even import EVEN_STRETCH, EvenLayout, make_even_layout
from graphla.engine.cuda.records import Filler, read_struct
from graphla.planning.degrees import stops_early
from graphla.planning.few_rows import PULLED_ARC, PULLED_VALUE
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.loops.terms import WIDTHS_AT_ONCE, Multiply, Product

FILE = "loop/rounds_product.cuh"
QUEUED, ENTRIES, PRODUCTS, PUSHES, WORDS = 0, 1, 2, 3, 4  # words of the state
PUSH, PULL = 1, 2
DIRECTIONS = {None: 0, "push": PUSH, "pull": PULL}
CELL_THREADS = 256
MOST_BLOCKS = 2048
BLOCKS_EACH = 8  # on a multiprocessor
FLAGS_EACH = 16
"""Flags that a thread reads at once."""
MOST_ARCS = 1 << 34
"""Arcs of a queue; arc_queue.cuh packs their count with that of its entries."""


RoundBeginParameters = read_struct("loop/rounds_product.cuh", "RoundBeginParameters")
RoundOpenParameters = read_struct("loop/rounds_product.cuh", "RoundOpenParameters")
RoundPushParameters = read_struct("loop/rounds_product.cuh", "RoundPushParameters")
RoundPullParameters = read_struct("loop/rounds_product.cuh", "RoundPullParameters")
RoundCollectParameters = read_struct("loop/rounds_product.cuh", "RoundCollectParameters")


class EntryProduct:
    """A product of a round: its kernels, its work space and the launches that it repeats.

    Attributes
    ----------
    rounds : int
        Not counted: which direction a round took is known to the device alone.
    """

    def __init__(self, engine: KernelEngine, plan: RoundsPlan, phase: Multiply, arrays: Any) -> None:
        self.engine, self.phase = engine, phase
        self.product: Product = plan.products[phase.index]
        self.layout, self.out_layout = plan.layouts[phase.operand], plan.layouts[phase.out]
        self.into = engine.orient(self.product.matrix, self.product.rows_are_k)
        self.even = find_layout(engine, self.into)
        self.x, self.y = arrays.values[phase.operand], arrays.values[phase.out]
        none = engine.get_unread("bool")
        has, found = arrays.present[phase.operand], arrays.present[phase.out]
        self.has_flags, self.has_found = has is not None, found is not None
        self.flags, self.found = none if has is None else has, none if found is None else found
        self.allowed = none if phase.mask is None else arrays.present[phase.mask.slot]
        self.policy = "NoMask" if phase.mask is None else "Outside" if phase.mask.complement else "Inside"
        self.allocate(engine.xp)
        self.launches = self.bind()

    @property
    def rows(self) -> int:
        """Rows of the matrix that have arcs."""
        return int(self.even.filled.shape[0])

    def allocate(self, xp: Any) -> None:
        """Allocate the work space; the state is clear before and after each round."""
        layout, none = self.layout, self.engine.get_unread
        self.words = -(-layout.width // WIDTHS_AT_ONCE)
        self.columns = min(layout.stride, WIDTHS_AT_ONCE)
        self.state = xp.zeros(WORDS, "uint64")
        self.collects = self.rows < self.out_layout.size
        counted = self.has_flags or self.phase.mask is not None
        self.counted, masked = counted, self.phase.mask is not None
        items = layout.size * self.words
        self.queued = self.has_flags and self.can_push()
        self.has = xp.empty(items, "uint32") if self.has_flags else none("uint32")
        self.item = xp.empty(items, "int32") if self.queued else none("int32")
        self.word = xp.empty(items, "uint32") if self.queued else none("uint32")
        self.before = xp.empty(items, "int64") if self.queued else none("int64")
        self.shift = xp.empty(items, "int64") if self.queued else none("int64")
        self.met = xp.empty(max(1, self.rows * self.words), "uint32")
        self.mask = xp.empty(self.out_layout.size * self.words, "uint32") if masked else none("uint32")
        self.out = xp.empty(max(1, self.rows * layout.stride), self.y.dtype) if self.collects else self.y

    def can_push(self) -> bool:
        """Whether a push was not ruled out, and its queue can count its arcs."""
        return self.product.direction != "pull" and self.into.nvals * self.words < MOST_ARCS

    def bind(self) -> list[tuple[Any, int, int, Any]]:
        """List the launches of a round: kernel, blocks, threads and parameters."""
        launches = []
        if self.queued:
            launches.append(self.bind_begin())
        launches.append(self.bind_open())
        if self.queued:
            launches.append(self.bind_push())
        launches += [self.bind_pull(word) for word in range(self.words)]
        if self.has_found:
            launches.append(self.bind_collect())
        return launches

    def run(self) -> None:
        """Launch a round."""
        for kernel, blocks, threads, parameters in self.launches:
            kernel(blocks, threads, parameters)

    def count_blocks(self, cells: int) -> int:
        return max(1, min(MOST_BLOCKS, BLOCKS_EACH * self.engine.device.processors(), -(-cells // CELL_THREADS)))

    def get_kernel(self, name: str, takes: Filler) -> Any:
        """A kernel over the semiring."""
        product = self.product
        return self.engine.get_kernel_over_semiring(FILE, name, product.semiring, *product.types, takes=takes)

    @property
    def entries(self) -> str:
        return "Words" if self.has_flags else "Full"

    @property
    def side(self) -> str:
        return "VectorFirst" if self.product.flip else "MatrixFirst"

    def get_scattered(self) -> Any:
        """The matrix whose rows a push scatters."""
        return self.engine.orient(self.product.matrix, not self.product.rows_are_k)

    def bind_begin(self) -> tuple[Any, int, int, Any]:
        out = self.get_scattered()
        kernel = self.engine.get_own_kernel(
            FILE, f"round_begin<{self.engine.c_type(out.indptr)}>", RoundBeginParameters
        )
        given = RoundBeginParameters(
            flags=self.flags,
            indptr=out.indptr,
            item=self.item,
            word=self.word,
            before=self.before,
            shift=self.shift,
            state=self.state,
            size=self.layout.size,
            stride=self.layout.stride,
        )
        return kernel, self.count_blocks(-(-self.layout.cells // FLAGS_EACH)), CELL_THREADS, given

    def bind_open(self) -> tuple[Any, int, int, Any]:
        layout, arcs = self.layout, self.into.nvals
        early = stops_early(self.product.semiring, self.product.out)
        pulled = PULLED_ARC * self.words + PULLED_VALUE * layout.width
        policies = f"{self.entries}, {'NoMask' if self.phase.mask is None else 'Inside'}"
        kernel = self.get_kernel(f"round_open<S, {policies}>", RoundOpenParameters)
        given = RoundOpenParameters(
            state=self.state,
            y=self.y,
            found=self.found,
            out=self.out,
            met=self.met,
            present=self.flags,
            has=self.has,
            allowed=self.allowed,
            mask=self.mask,
            arcs=float(arcs),
            pulled=pulled,
            probes=float(layout.size * layout.width) if early else float("inf"),
            direction=DIRECTIONS[self.product.direction] if self.queued else PULL,
            origin=layout.size,
            size=self.out_layout.size,
            stride=layout.stride,
            rows=self.rows,
            flags=self.has_found,
        )
        return kernel, self.count_blocks(self.out_layout.cells), CELL_THREADS, given

    def bind_push(self) -> tuple[Any, int, int, Any]:
        out = self.get_scattered()
        kernel = self.get_kernel(f"round_push<S, {self.side}, {self.policy}>", RoundPushParameters)
        given = RoundPushParameters(
            state=self.state,
            item=self.item,
            before=self.before,
            shift=self.shift,
            word=self.word,
            indices=out.indices,
            values=out.values,
            x=self.x,
            allowed=self.allowed,
            y=self.y,
            found=self.found,
            stride=self.layout.stride,
        )
        return kernel, self.count_blocks(out.nvals), CELL_THREADS, given

    def bind_pull(self, word: int) -> tuple[Any, int, int, Any]:
        """The pull of up to 32 columns."""
        into, even, layout, engine = self.into, self.even, self.layout, self.engine
        lanes, pack = self.choose_team()
        types = f"{self.entries}, {self.policy}, {engine.c_type(into.indptr)}, {pack}, {lanes}"
        kernel = self.get_kernel(f"round_pull<S, {self.side}, {types}>", RoundPullParameters)
        first = word * WIDTHS_AT_ONCE
        has, mask = self.has, self.mask
        given = FewPullParameters(
            filled=even.filled,
            indptr=even.indptr,
            first_row=even.first_row,
            indices=into.indices,
            values=into.values,
            x=self.x[first:],
            has=has[word * layout.size :] if self.has_flags else has,
            mask=mask[word * self.out_layout.size :] if self.phase.mask is not None else mask,
            out=self.out[first:],
            found=self.met[word * self.rows :],
            arcs=into.indptr.dtype.type(into.nvals),
            columns=min(layout.width - first, WIDTHS_AT_ONCE),
            first_column=first,
            x_stride=layout.stride,
            out_stride=layout.stride,
        )
        threads = LANE_THREADS if lanes == 1 else FEW_THREADS
        return kernel, -(-into.nvals // EVEN_STRETCH), threads, RoundPullParameters(state=self.state, pull=given)

    def choose_team(self) -> tuple[int, int]:
        """Choose how many lanes take the columns of a word, and how many columns each of them."""
        multiply = self.product.semiring.multiply
        reads = multiply.reads_first if self.product.flip else multiply.reads_second
        item = max(self.y.dtype.itemsize, self.x.dtype.itemsize if reads else 1)
        pack = min(self.columns, max(1, PACK_BYTES // item))
        return self.columns // pack, pack

    def bind_collect(self) -> tuple[Any, int, int, Any]:
        kernel = self.engine.get_own_kernel(
            FILE, f"round_collect<{self.engine.c_type(self.y)}>", RoundCollectParameters
        )
        given = RoundCollectParameters(
            state=self.state,
            filled=self.even.filled,
            met=self.met,
            out=self.out,
            y=self.y,
            found=self.found,
            rows=self.rows,
            width=self.layout.width,
            stride=self.layout.stride,
            counted=self.counted,
            collects=self.collects,
        )
        return kernel, self.count_blocks(self.rows * self.layout.stride), CELL_THREADS, given


def find_layout(engine: KernelEngine, matrix: Any) -> EvenLayout:
    """Equal stretches of arcs of the rows that have some; kept with the matrix."""
    layouts = matrix.cached("even_layouts", lambda _: {})
    return layouts.get(0) or layouts.setdefault(0, make_even_layout(engine, matrix, 0))


def make_products(engine: KernelEngine, plan: RoundsPlan, arrays: Any, phases: Any) -> dict[int, EntryProduct]:
    """The products of matrices and of vectors with flags, by the `id` of their phase."""
    chosen = [phase for phase in phases if isinstance(phase, Multiply) and phase.entries]
    return {id(phase): EntryProduct(engine, plan, phase, arrays) for phase in chosen}
