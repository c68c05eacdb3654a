"""Searches of graphs that are spread over the ranks, and Graph500."""

from importlib import import_module
from pathlib import Path

import numpy as np

import graphla as gl
from graphla.algorithms.bfs.ranks import _narrow
from graphla.algorithms.bfs.ranks._peers import PeerLevels
from graphla.algorithms.bfs.ranks.levels import search
from graphla.algorithms.bfs.ranks.rows import build_rows
from graphla.common.errors import VerificationError
from graphla.engine import get_engine
from graphla.engine.cuda.engine import CudaEngine
from graphla.measuring.graph500 import run
from tests.emulator import make_loader
from tests.emulator.kernel import EmulatorError
from tests.mpi.cases_communicator import raises

graph500 = import_module("graphla.mpi.graph500")  # whose name in the package is that of its function

GRAPHS = {
    "skewed": lambda: gl.generate.kronecker(9, engine="cpu"),
    "directed": lambda: gl.generate.rmat(8, 5, symmetric=False, engine="cpu"),
    "path": lambda: gl.generate.path(20, engine="cpu"),
    "grid": lambda: gl.generate.grid2d(15, 15, engine="cpu"),
    "star": lambda: gl.Graph((np.r_[[0] * 399, 1:400], np.r_[1:400, [0] * 399]), engine="cpu"),
    "sinks": lambda: gl.Graph(([0, 1, 2], [1, 2, 250]), n=251, engine="cpu"),  # 250 is searched, too
    "crown": lambda: gl.Graph(crown(), n=6000, engine="cpu"),
    "one": lambda: gl.Graph(([], []), n=1, engine="cpu"),
}


def crown():
    """A path to a vertex of 300 heads with a path of three behind each; the vertices belong to all ranks."""
    heads = np.arange(11, 311)
    tails = np.r_[:10, [10] * 300, heads, heads + 300, heads + 600]
    return 7 * tails % 6000, 7 * np.r_[1:11, heads, heads + 300, heads + 600, heads + 900] % 6000


def spread(world, G, engine):
    """The graph as rows of the ranks, of arcs that each rank has some of, in two pieces."""
    tails, heads, _ = G.A.to_coo()
    own = np.arange(tails.size) % world.size == world.rank

    def draw():
        for half in (0, 1):
            part = own & (np.arange(tails.size) % 5 < 2 if half else np.arange(tails.size) % 5 >= 2)
            yield tails[part].astype(np.int64), heads[part].astype(np.int64)

    return build_rows(world, engine, G.n, draw, G.symmetric)


def check_searches(world, name, engine, sources):
    G = GRAPHS[name]()
    rows = spread(world, G, engine)
    assert rows.nvals == G.nvals
    for source in sources:
        for keep in (False, True):
            levels, parents = (world.all_gather(part) for part in search(rows, source % G.n, keep))
            np.testing.assert_array_equal(levels, gl.bfs(G, source % G.n).to_dense(-1), err_msg=f"{name} {source}")
        gl.bfs.verify(G, source % G.n, *(gl.Vector._from_sentinel(part, -1, G.engine) for part in (levels, parents)))


def case_levels_and_parents_are_right(world):
    for name in GRAPHS:
        check_searches(world, name, get_engine("cpu"), (0, 250))


def case_narrow_levels_between_wide_ones(world):
    """Boxes of few entries: levels of a box and levels over bitmaps follow each other."""
    before = _narrow.BOX, _narrow.LEAST
    _narrow.BOX, _narrow.LEAST = 12, 1
    for name in ("directed", "grid", "sinks"):
        check_searches(world, name, get_engine("cpu"), (0, 250))
    _narrow.BOX, _narrow.LEAST = before


def case_levels_on_emulated_gpus(world):
    engine = CudaEngine(np, make_loader(build="plain"))
    for name in ("skewed", "directed", "star"):
        check_searches(world, name, engine, (0, 250))


def case_graph500_has_the_edges_of_one_process(world):
    before, graph500.PIECE = graph500.PIECE, 1000
    found = gl.mpi.graph500(9, engine="cpu", sources=4, seed=3)
    graph500.PIECE = before
    assert found.edges == run(9, engine="cpu", sources=4, seed=3).edges


def case_graph500_finds_what_breaks_a_rule(world):
    rows, _, _ = graph500.build(world, get_engine("cpu"), 9, 4, 1)
    source = graph500.choose_sources(rows, 1, 1)[0]
    for rule, breaks in BROKEN.items():
        levels, parents = search(rows, source, True)
        graph500.check_tree(rows, source, levels, parents)
        if world.rank == 0:
            breaks(rows, source, levels, parents)
        assert f"rule {rule}" in raises(VerificationError, graph500.check_tree, rows, source, levels, parents), rule


def find_child(rows, source, levels, depth):
    """An own vertex of a level, that is not the source."""
    return int(np.flatnonzero((levels == depth) & (np.arange(rows.own) != rows.to_place(source)))[-1])


def lose_parent(rows, source, levels, parents):
    parents[find_child(rows, source, levels, 2)] = -1


def skip_level(rows, source, levels, parents):
    levels[find_child(rows, source, levels, 2)] = 5


def leave_out(rows, source, levels, parents):
    deepest = find_child(rows, source, levels, int(levels.max()))
    levels[deepest] = parents[deepest] = -1


def take_stranger(rows, source, levels, parents):
    for child in np.flatnonzero(levels >= 2):
        above = np.flatnonzero(levels == levels[child] - 1)
        strangers = np.setdiff1d(above, rows.in_indices[rows.in_indptr[child] : rows.in_indptr[child + 1]])
        if strangers.size:
            parents[child] = rows.to_vertex(strangers[0])
            return
    raise AssertionError("each vertex is joined with all above it")


BROKEN = {1: lose_parent, 2: skip_level, 4: leave_out, 5: take_stranger}


def open_shared_blocks(world, words):
    """Blocks of memory that all ranks map: the own one, and addresses by rank. They live as long as the process."""
    import uuid

    name = world.share_object(f"/dev/shm/graphla-{uuid.uuid4()}" if world.rank == 0 else None)
    np.zeros(words, np.uint32).tofile(f"{name}-{world.rank}")
    world.barrier()
    maps = [np.memmap(f"{name}-{rank}", np.uint32, "r+") for rank in range(world.size)]
    world.barrier()
    Path(f"{name}-{world.rank}").unlink()
    KEPT.extend(maps)
    return np.asarray(maps[world.rank]), [each.ctypes.data for each in maps]


KEPT = []


def case_emulated_peers_find_levels_in_one_launch(world):
    engine = CudaEngine(np, make_loader(build="plain", resident=2))
    for name in ("skewed", "directed", "path", "sinks", "crown")[
        : 5 if world.size <= 2 else 1
    ]:  # ranks that wait take each other's time
        G = GRAPHS[name]()
        rows = spread(world, G, engine)
        peers, steps = PeerLevels(rows, open_shared_blocks), set()
        for source in (0, 250 % G.n):
            for keep in (False, True):
                own, above = peers.search(rows.to_place(source), keep, timed=True)
                levels = world.all_gather(own)
                np.testing.assert_array_equal(levels, gl.bfs(G, source).to_dense(-1), err_msg=f"{name} {source}")
                steps |= {step for _, step in peers.read_times()}
            parents = world.all_gather(above)
            gl.bfs.verify(G, source, *(gl.Vector._from_sentinel(part, -1, G.engine) for part in (levels, parents)))
        assert STEPS.get(name, set()) <= steps, name


PUSH, PUSH_BITS, PULL, QUEUE = 2, 3, 4, 5  # of _direction.cuh
STEPS = {"skewed": {PUSH, PUSH_BITS, PULL, QUEUE}, "crown": {PUSH, PUSH_BITS, QUEUE}}


def case_emulated_peers_do_not_wait_for_ever(world):
    engine = CudaEngine(np, make_loader(build="plain", resident=2))
    rows = spread(world, GRAPHS["path"](), engine)
    peers = PeerLevels(rows, open_shared_blocks)
    peers.search(rows.to_place(0), False)
    peers.parameters = peers.parameters._replace(patience=100_000)
    if world.size > 1 and world.rank == 0:
        assert "trap" in raises(EmulatorError, peers.search, 0, False)
    world.barrier()
