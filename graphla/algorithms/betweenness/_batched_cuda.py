"""Some sources side by side on a GPU: a launch per level on the way out, and one on the way back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from graphla.algorithms.betweenness import _brandes_cuda
from graphla.algorithms.betweenness.settings import Settings
from graphla.engine.cuda.records import read_struct
from graphla.storage import CompressedMatrix
from graphla.storage.convert import copy_array, scatter, tally

KERNELS = Path(__file__).with_name("batched.cuh")
THREADS = 256
PIECE = 1024
"""Arcs of a piece of a row; a hub has many."""
WIDTHS = 4, 32
"""Sources side by side."""
MOST_LEVELS = 2048
"""Levels whose words are kept; a search that goes deeper is left to `brandes`."""
WORDS_BYTES = 1 << 32
"""The same in bytes of words."""
MOST_PATHS = {"float32": 1e30, "float64": 1e290}
"""Numbers of paths that leave room for their inverse."""
LOOKS = 8
"""Pieces that a warp looks at together."""

Array = Any
Obstacle = Literal["levels", "paths"]
LevelParameters = read_struct(KERNELS, "LevelParameters")


@dataclass(frozen=True, eq=False)
class Pieces:
    """Rows, those of more than PIECE entries in pieces, which stand first; `long` lists these rows once."""

    rows: Array
    begins: Array
    ends: Array
    split: int
    long: Array


def cut_rows(engine: Any, rows: CompressedMatrix, least: int) -> Pieces:
    """Cut compressed rows of at least so many entries; the host reads how many pieces and rows there are."""
    xp, n, indptr = engine.xp, rows.nrows, rows.indptr
    names, grid = name_cutting(engine.c_type(indptr)), -(-rows.nrows // THREADS)
    pieces, others = xp.empty(n, np.int32), xp.empty(n, np.int64)
    counting, listing = (engine.kernel(KERNELS, name, beside=names) for name in names)
    counting(grid, THREADS, (np.int32(n), indptr, np.int32(least), np.int32(PIECE), pieces, others))
    before, others = engine.lists.make_pointers(pieces), engine.lists.make_pointers(others)
    split, (long, short) = int(before[-1]), divmod(int(others[-1]), 1 << 32)
    listed, cut = xp.empty(split + short, np.int32), xp.empty(long, np.int32)
    begins, ends = (xp.empty(split + short, indptr.dtype) for _ in range(2))
    listing(grid, THREADS, (np.int32(n), indptr, np.int32(PIECE), before, others, listed, begins, ends, cut))
    return Pieces(listed, begins, ends, split, cut)


def name_cutting(offset: str) -> tuple[str, str]:
    """Name the kernels that cut rows."""
    return f"count_pieces<{offset}>", f"list_pieces<{offset}>"


def begin(G: Any, count: int, real: str) -> None:
    """Begin to compile what searches from so many sources need, with numbers of a C type."""
    offset, width = G.engine.c_type(G.csr.indptr), choose_width(count)
    types = f"{offset}, {real}, {width}"
    G.engine.begin(KERNELS, *name_cutting(offset))
    G.engine.begin(KERNELS, "settle_level", f"push_sources<{types}>", f"finish_rows<{real}, {width}>")
    G.engine.begin(KERNELS, f"count_level<{types}>")
    G.engine.begin(KERNELS, f"sum_level<{types}>")
    G.engine.lists.begin("transpose", "rows", "scan")
    for name in ("scatter<int, long long>", f"scale<{real}>"):
        G.engine.lists.begin_one(name)


def choose_width(count: int) -> int:
    """Return how many sources are searched side by side."""
    return WIDTHS[0] if count <= WIDTHS[0] else WIDTHS[1]


class Batch:
    """The arrays of some sources, at most as many as the words have bits."""

    def __init__(self, G: Any, s: Settings, total: Array) -> None:
        self.G, self.s, self.total, self.real = G, s, total, np.dtype(s.dtype.numpy)
        self.into: Pieces = G.cached("betweenness.into", lambda g: cut_rows(g.engine, g.csc, 1))
        self.out: Pieces = (
            self.into if G.csc is G.csr else G.cached("betweenness.out", lambda g: cut_rows(g.engine, g.csr, 0))
        )

    def add(self, sources: list[int]) -> Obstacle | None:
        """Add what the sources contribute, or say why not."""
        xp, n = self.G.engine.xp, self.G.n
        width = choose_width(len(sources))
        self.width, self.all, self.sources = width, (1 << len(sources)) - 1, xp.asarray(sources, np.int32)
        self.paths, self.shares = xp.zeros(n * width, self.real), xp.zeros(n * width, self.real)
        self.levels = [make_words(xp, n, sources)]
        self.seen = copy_array(self.levels[0])
        obstacle = self.count_paths()
        if obstacle is not None:
            return obstacle
        self.sum_shares()
        if self.s.endpoints:
            lanes = range(len(sources))
            reached = [int(((self.seen >> np.uint32(lane)) & np.uint32(1)).sum()) - 1 for lane in lanes]
            self.total += tally(xp.asarray(sources), n, xp.asarray(reached, np.float64))
        return None

    def count_paths(self) -> Obstacle | None:
        """The way out, unless it goes too deep or has too many paths for the dtype."""
        xp, G = self.G.engine.xp, self.G
        settle = G.engine.kernel(KERNELS, "settle_level")
        while len(self.levels) <= min(MOST_LEVELS, WORDS_BYTES // (4 * G.n)):
            found, any_found = xp.zeros(G.n, np.uint32), xp.zeros(1, np.int32)
            if len(self.levels) == 1:
                self.push_sources(found)
            else:
                self.launch("count_level", self.into, G.csc.indices, frontier=self.levels[-1], mine=found, found=found)
            settle(-(-G.n // THREADS), THREADS, (np.int32(G.n), found, self.seen, any_found))
            if not int(any_found[0]):
                return None if self.paths.max() < MOST_PATHS[self.real.name] else "paths"
            self.levels.append(found)
        return "levels"

    def push_sources(self, found: Array) -> None:
        """The first level of all searches."""
        csr, sources = self.G.csr, self.sources
        types = f"{self.G.engine.c_type(csr.indptr)}, {self.G.engine.c_type(self.paths)}, {self.width}"
        kernel = self.G.engine.kernel(KERNELS, f"push_sources<{types}>")
        kernel(sources.size, THREADS, (csr.indptr, csr.indices, sources, found, self.paths))

    def sum_shares(self) -> None:
        """The way back, from the last level to the one after the sources."""
        finish = self.G.engine.kernel(KERNELS, f"finish_rows<{self.G.engine.c_type(self.paths)}, {self.width}>")
        for depth in range(len(self.levels) - 1, 0, -1):
            last, mine = depth == len(self.levels) - 1, self.levels[depth]
            frontier = mine if last else self.levels[depth + 1]
            self.launch("sum_level", self.out, self.G.csr.indices, frontier=frontier, mine=mine, found=mine, last=last)
            if self.out.long.size:
                arrays = self.out.long, mine, self.paths, self.shares, self.total
                grid = -(-self.out.long.size * 32 // THREADS)
                finish(grid, THREADS, (np.int32(self.out.long.size), *arrays, np.float64(self.s.endpoints)))

    def launch(
        self,
        name: str,
        pieces: Pieces,
        indices: Array,
        *,
        frontier: Array,
        mine: Array,
        found: Array,
        last: bool = False,
    ) -> None:
        """One level of all searches."""
        types = f"{self.G.engine.c_type(pieces.begins)}, {self.G.engine.c_type(self.paths)}, {self.width}"
        kernel = self.G.engine.kernel(KERNELS, f"{name}<{types}>", takes=LevelParameters)
        parameters = LevelParameters(
            count=pieces.rows.size,
            split=pieces.split,
            rows=pieces.rows,
            begins=pieces.begins,
            ends=pieces.ends,
            indices=indices,
            seen=self.seen,
            frontier=frontier,
            mine=mine,
            found=found,
            all=self.all,
            last=last,
            paths=self.paths,
            shares=self.shares,
            total=self.total,
            extra=float(self.s.endpoints),
        )
        kernel(max(1, -(-pieces.rows.size // (THREADS // 32 * LOOKS))), THREADS, parameters)


def make_words(xp: Any, n: int, sources: list[int]) -> Array:
    """The words of the first level: a vertex has a bit for each source that it is."""
    bits: dict[int, int] = {}
    for lane, source in enumerate(sources):
        bits[source] = bits.get(source, 0) | 1 << lane
    words = xp.zeros(n, np.uint32)
    scatter(words, xp.asarray(list(bits)), xp.asarray(list(bits.values()), np.uint32))
    return words


def accumulate(G: Any, s: Settings) -> Array:
    """Sums over the sources, float64: a number per vertex."""
    total = G.engine.xp.zeros(G.n)
    if not G.nvals:
        return total
    batch = Batch(G, s, total)
    for first in range(0, s.sources.size, WIDTHS[1]):
        sources = s.sources[first : first + WIDTHS[1]].tolist()
        obstacle = batch.add(sources)
        if obstacle == "paths" and batch.real == np.float32:
            batch.real = np.dtype(np.float64)
            obstacle = batch.add(sources)
        if obstacle is not None:  # other sources will meet it, too
            return total + _brandes_cuda.accumulate(G, replace(s, sources=s.sources[first:]))
    return total
