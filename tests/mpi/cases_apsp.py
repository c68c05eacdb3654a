"""All pairs on many ranks, against one process."""

import contextlib
from pathlib import Path

import numpy as np

import graphla as gl
from graphla.common.errors import InvalidOption, NegativeCycle, NotSupported
from graphla.mpi import all_pairs
from tests.mpi.cases_communicator import raises


def draw(n, dtype="FP32", low=1, high=9, seed=0):
    rng = np.random.default_rng(seed)
    tails, heads = np.unique(rng.integers(0, n, (2, 4 * n)), axis=1)
    weights = rng.integers(low, high, tails.size)
    return gl.Graph((tails, heads, weights.astype(np.dtype(gl.Vector(dtype, 1).dtype.numpy))), n=n, engine="cpu")


def case_floyd_warshall_is_that_of_one_process(world):
    for n in (1, 2, 63, 64, 65, 300):
        for dtype in ("FP32", "INT32", "UINT32"):
            G = draw(n, dtype)
            rows = gl.mpi.apsp(G, method="blocked_floyd_warshall")
            assert rows.bounds[-1] == n
            assert rows.gather().isequal(gl.apsp(G), check_dtype=True), (n, dtype)


def case_floyd_warshall_takes_negative_weights(world):
    potential = np.random.default_rng(1).integers(-20, 20, 150)
    for dtype in ("FP64", "INT32", "INT64"):
        positive = draw(150, dtype)
        tails, heads, values = positive.A.to_coo()
        G = gl.Graph((tails, heads, values + (potential[heads] - potential[tails]).astype(values.dtype)), engine="cpu")
        assert G.min_weight < 0
        assert gl.mpi.apsp(G).gather().isequal(gl.apsp(G), check_dtype=True)


def case_a_negative_cycle_is_found_on_every_rank(world):
    G = gl.Graph(([0, 100, 101], [100, 101, 100], [1, 2, -3]), n=200, engine="cpu")
    raises(NegativeCycle, gl.mpi.apsp, G)


def case_the_sweep_is_that_of_one_process(world):
    G = draw(70, "INT32")
    rows = gl.mpi.apsp(G, method="sssp_sweep", dense=True)
    assert len(rows.local) == len(rows.own)
    np.testing.assert_array_equal(rows.local, gl.apsp(G, dense=True)[rows.own])


def case_distances_that_do_not_fit_are_widened_everywhere(world):
    G = gl.Graph((np.arange(150), np.arange(1, 151), np.full(150, 2**30, np.int32)), engine="cpu")
    for method in all_pairs.METHODS:
        rows = gl.mpi.apsp(G, method=method)
        assert rows.local.dtype.name == "INT64"
        assert rows.gather().isequal(gl.apsp(G), check_dtype=True)


def case_what_a_method_cannot_do_is_refused(world):
    G = gl.Graph(([0], [1], [-1]), engine="cpu")
    assert "smallest weight is -1" in raises(NotSupported, lambda: gl.mpi.apsp(G, method="sssp_sweep"))
    assert "there are" in raises(InvalidOption, lambda: gl.mpi.apsp(G, method="johnson"))
    assert "no folder" in raises(InvalidOption, lambda: gl.mpi.apsp(G, output="/nowhere/at/all.npy"))
    assert "stay in memory" in raises(
        NotSupported, lambda: gl.mpi.apsp(G, method="blocked_floyd_warshall", output="a.npy")
    )


@contextlib.contextmanager
def small_batches(cells):
    before, all_pairs.CELLS = all_pairs.CELLS, cells
    yield
    all_pairs.CELLS = before


class Stop(Exception):
    """Raised by a function of the progress."""


def stop_after(rows):
    def progress(done, total):
        if done >= rows:
            raise Stop(f"stopped after {done} of {total}")

    return progress


def case_a_file_is_written_by_all_and_resumed_by_any_number_of_ranks(world):
    path = Path(world.share_object(make_folder() if world.rank == 0 else None)) / "d.npy"
    G, seen = draw(61, "INT32"), []
    wanted = gl.apsp(G, dense=True)
    with small_batches(61 * 4):
        raises(Stop, lambda: gl.mpi.apsp(G, output=path, progress=stop_after(20)))
        world.barrier()
        assert not path.exists()
        if world.rank == 0:
            alone = gl.apsp(G, method="sssp_sweep", output=path, progress=lambda *at: seen.append(at), dense=True)
            assert seen[0][0] > 20 or len(seen) == 1
            np.testing.assert_array_equal(alone, wanted)
            path.unlink()
            with contextlib.suppress(Stop):
                gl.apsp(G, method="sssp_sweep", output=path, progress=stop_after(1))
        world.barrier()
        matrix = gl.mpi.apsp(G, output=path)
    np.testing.assert_array_equal(matrix._storage.values, wanted)
    assert sorted(each.name for each in path.parent.iterdir()) == ["d.npy"]


def make_folder():
    import tempfile

    return tempfile.mkdtemp()


def case_floyd_warshall_on_emulated_gpus(world):
    from graphla.engine.cuda.engine import CudaEngine
    from tests.emulator import make_loader

    engine = CudaEngine(np, make_loader(build="plain"))
    for n, dtype in ((300, "FP32"), (500, "INT16")):
        G = draw(n, dtype)
        there = gl.Graph(G.A.to(engine), engine=engine)
        rows = gl.mpi.apsp(there, dtype=dtype, method="blocked_floyd_warshall", dense=True)
        np.testing.assert_array_equal(rows.local, gl.apsp(G, dtype=dtype, dense=True)[rows.own])
