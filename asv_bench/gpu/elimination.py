"""All pairs by elimination on a GPU: the phases, all distances, streamed rows, some sources of a large graph.

    python asv_bench/gpu/elimination.py road-NY.pace.gr.xz road-FLA.pace.gr.xz
    python asv_bench/gpu/elimination.py road-NY.pace.gr.xz road-FLA.pace.gr.xz --orders FOLDER

Weights are 1 to 255, the same both ways, float32. Of the first file: the 131,072 vertices that a search from vertex 0
reaches first, all distances on the device; the whole graph, streamed in blocks of 64 rows. Of the others: 4,096 sources
to all vertices. Then the elimination of a cubic grid, whose fronts are large. Rows of some sources are compared with
`gl.sssp`, and panels with the host's. Seconds of the host's phases are wall time, once; the
rest medians by CUDA events with the graph's factor resident. `--orders` names a folder of orders, for timings
of the same order on several machines; ``--save`` fills it.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import graphla as gl
from graphla.algorithms.apsp.elimination import order, structure, sweeps_cuda, tables
from graphla.algorithms.apsp.elimination.eliminate import choose_numbers, eliminate, get_structure, make_sweeps
from graphla.algorithms.apsp.elimination.fronts_cuda import DeviceElimination
from graphla.graphs.generators import pair_weights

PIECE, ROWS, SOURCES = 131_072, 64, 4096
CHECKED = 3


def read(file: str, engine: str) -> gl.Graph:
    """A graph with weights 1 to 255."""
    rows, cols, _ = gl.read(file, engine="cpu").A.to_coo()
    low, high = np.minimum(rows, cols), np.maximum(rows, cols)
    weights = pair_weights(low, high, 1, 255).astype("float32")
    return gl.Graph((rows, cols, weights), name=Path(file).name, engine=engine)


def cut(G: gl.Graph, count: int) -> gl.Graph:
    """The vertices that a search from vertex 0 reaches first, in their own order."""
    levels = gl.bfs(G.to("cpu"), 0).to_numpy(2**30)
    keep = np.sort(np.argsort(levels, kind="stable")[:count])
    return gl.Graph(G.to("cpu").A[keep, keep].new(), name=f"{G.name} {count:,}", engine="cpu").to(G.engine)


def time_once(name: str, work: Callable[[], Any]) -> Any:
    """Run once; print the seconds."""
    begin = time.perf_counter()
    result = work()
    print(f"  {name:52} {time.perf_counter() - begin:9.4f} s, the host", flush=True)
    return result


def time_device(name: str, work: Callable[[], Any], cells: int, repeats: int = 5) -> None:
    """Time by CUDA events after a first run; print median, least, most and the rate."""
    import cupy as cp

    work()
    begin, end, times = cp.cuda.Event(), cp.cuda.Event(), []
    for _ in range(repeats):
        cp.cuda.Device().synchronize()
        begin.record()
        work()
        end.record()
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(begin, end))
    middle = float(np.median(times))
    print(
        f"  {name:52} {middle:9.3f} ms ({min(times):.3f} to {max(times):.3f}), {cells / middle / 1e6:.1f} G/s",
        flush=True,
    )


def prepare(G: gl.Graph, orders: Path | None) -> tuple[Any, Any]:
    """Order, symbolic phase, elimination and the copy to the device, each with its seconds."""
    indptr, indices = (G.engine.to_host(part) for part in (G.csr.indptr, G.csr.indices))
    print(f"{G.name}: {G.n:,} vertices, {G.nvals:,} arcs", flush=True)
    if orders is None:
        found = time_once("order", lambda: order.compute_order(*structure.make_symmetric(indptr, indices)))
    else:
        found = np.load(orders / f"{G.name}.npy")
    compute_order, structure.compute_order = structure.compute_order, lambda *_: found
    structure.analyze(indptr, indices)  # loads the compiled functions
    S = time_once("symbolic phase without the order", lambda: structure.analyze(indptr, indices))
    structure.compute_order = compute_order
    dtype = np.dtype(np.float32)
    eliminate(G, dtype, S)
    panels = report_elimination(G, dtype, S)
    make_sweeps(G, panels)
    tables._placed.clear()
    sweeps = time_once("tasks of the sweeps", lambda: make_sweeps(G, panels))
    heights = S.widths + S.boundaries
    print(
        f"  {S.parent.size:,} supernodes, fronts up to {heights.max()}, {S.cells:,} cells, {S.updates:,} updates, "
        f"{S.updates_per_row / max(1, S.n):.2f} updates per distance, {len(sweeps.plan.levels[False])} levels "
        f"of {[tasks.shape[0] for tasks in sweeps.plan.levels[False]]} tasks",
        flush=True,
    )
    return panels, sweeps


def report_elimination(G: gl.Graph, dtype: Any, S: Any) -> Any:
    """The numeric phase: the tables of the structure, the device with them, launches, and the host's factor."""
    tables._placed.clear()
    time_once("tables to the device", lambda: tables.get_tables(G.engine, S, tables.TILE_SIDE))
    here = G.to("cpu")
    eliminate(here, dtype, S)
    wanted = time_once("elimination on the host", lambda: eliminate(here, dtype, S))
    time_device("elimination on the device", lambda: eliminate(G, dtype, S), S.updates)
    panels = eliminate(G, dtype, S)
    arithmetic, values = panels.arithmetic, panels.arithmetic.convert(G.csr.values, G.engine.xp)
    work = DeviceElimination(G.engine, S, values, arithmetic, choose_numbers(G, arithmetic))
    time_device("its launches", work.run, S.updates)
    held = panels.fetch()
    right = np.array_equal(held.up, wanted.up) and np.array_equal(held.down, wanted.down)
    levels = tables.get_tables(G.engine, S, tables.TILE_SIDE).levels
    print(
        f"  {len(levels)} depths, {sum(len(level.groups) for level in levels)} launches of blocks, "
        f"{sum(level.large.size for level in levels)} fronts by tiles; panels are those of the host: {right}",
        flush=True,
    )
    return panels


def report_cube(side: int, engine: str) -> None:
    """The elimination of a cubic grid, whose separators are large."""
    G = gl.Graph(gl.generate.grid3d(side, weights=(1, 255), engine=engine).A.dup("FP32"))
    S = time_once(f"order and symbolic phase, {side}³", lambda: get_structure(G))
    _, dtype = eliminate(G, np.dtype(np.float32), S), np.dtype(np.float32)
    time_device(f"elimination of {S.updates:.3g} updates", lambda: eliminate(G, dtype, S), S.updates, 1)
    levels = tables.get_tables(G.engine, S, tables.TILE_SIDE).levels
    print(
        f"  fronts up to {(S.widths + S.boundaries).max():,}, {S.parent.size:,} fronts at {len(levels)} depths, "
        f"{sum(level.large.size for level in levels)} by tiles; {S.cells:,} cells",
        flush=True,
    )
    F = gl.factorize(G)
    check(G, lambda sources: F[sources].to_numpy(np.inf), "rows")


def check(G: gl.Graph, compute: Callable[[Any], Any], what: str) -> None:
    """Compare the rows of some sources with searches."""
    sources = np.random.default_rng(1).integers(0, G.n, CHECKED)
    wanted = gl.sssp(G, sources=sources.tolist()).to_numpy(np.inf)
    right = np.array_equal(G.engine.to_host(compute(sources)), wanted)
    print(f"  {what:52} {'right' if right else 'WRONG'}", flush=True)


def compute_rows(G: gl.Graph, sweeps: Any, sources: Any) -> Any:
    out = G.engine.xp.empty((len(sources), G.n), np.float32)
    sweeps.compute(np.asarray(sources), None, out)
    return out


def report_all_pairs(G: gl.Graph, orders: Path | None) -> None:
    """All distances of a graph on the device, and what the parts of a pass take."""
    _, sweeps = prepare(G, orders)
    check(G, lambda sources: compute_rows(G, sweeps, sources), "rows")
    D, every = G.engine.xp.empty((G.n, G.n), np.float32), np.arange(G.n)
    time_device("all distances", lambda: sweeps.compute(every, None, D), G.n * G.n, 3)
    check(G, lambda sources: D[sources], "all distances")
    report_parts(G, sweeps)


def report_parts(G: gl.Graph, sweeps: Any, rows: int | None = None, dtype: Any = np.float32) -> None:
    """The kernels of one pass."""
    import cupy as cp

    width = sweeps.choose_width(rows or G.n)
    out, kernel, spent = cp.empty((width, G.n), dtype), sweeps.kernel, Counter[str]()

    def time_kernel(name: str, *args: Any, **options: Any) -> Any:
        found = kernel(name, *args, **options)

        def launch(*call: Any) -> None:
            begin, end = cp.cuda.Event(), cp.cuda.Event()
            begin.record()
            found(*call)
            end.record()
            end.synchronize()
            spent[name] += cp.cuda.get_elapsed_time(begin, end)

        launch.resident_blocks = getattr(found, "resident_blocks", None)
        return launch

    sweeps.kernel = time_kernel
    sources = sweeps.structure.order[G.n // 2 : G.n // 2 + width]
    for _ in range(2):
        spent.clear()
        sweeps.compute(sources, None, out)
    sweeps.kernel = kernel
    parts = ", ".join(f"{name} {ms:.3f}" for name, ms in spent.items())
    print(f"  a pass of {width} sources, ms: {parts}", flush=True)


def report_stream(G: gl.Graph, orders: Path | None) -> None:
    """All rows, in blocks, by one and by many kernels' workspaces."""
    _, sweeps = prepare(G, orders)
    check(G, lambda sources: compute_rows(G, sweeps, sources), "rows")

    def stream() -> None:
        for _ in sweeps.stream(ROWS):
            pass

    time_device(f"all rows, streamed in blocks of {ROWS}", stream, G.n * G.n, 1)
    report_few_rows(G, sweeps)
    report_parts(G, sweeps)


def report_dtypes(G: gl.Graph) -> None:
    """All distances and the elimination in several dtypes, of weights 1 to 15, so that distances fit in INT16."""
    rows, cols, _ = G.to("cpu").A.to_coo()
    weights = pair_weights(np.minimum(rows, cols), np.maximum(rows, cols), 1, 15).astype("int32")
    H = gl.Graph((rows, cols, weights), n=G.n, engine=G.engine)
    for name in ("float32", "int32", "int16"):
        report_dtype(H, np.dtype(name))


def report_dtype(G: gl.Graph, dtype: np.dtype[Any]) -> None:
    """All distances and the elimination in one dtype."""
    S, every, sources = get_structure(G), np.arange(G.n), np.random.default_rng(1).integers(0, G.n, CHECKED)
    time_device(f"elimination in {dtype}", lambda: eliminate(G, dtype, S), S.updates)
    sweeps, D = make_sweeps(G, eliminate(G, dtype, S)), G.engine.xp.empty((G.n, G.n), dtype)
    time_device(f"all distances in {dtype}", lambda: sweeps.compute(every, None, D), G.n * G.n, 3)
    wanted = gl.sssp(G, sources=sources.tolist()).to_numpy(-1)
    right = np.array_equal(G.engine.to_host(D[sources]), wanted)  # the roads are connected
    print(f"  {dtype!s:52} {'right' if right else 'WRONG'}", flush=True)
    report_parts(G, sweeps, dtype=dtype)


def time_disk(path: Path) -> float:
    """GB/s at which one process writes a file of 1 GiB to the disk."""
    block, begin = bytes(1 << 26), time.perf_counter()
    with path.open("wb", buffering=0) as file:
        for _ in range(16):
            file.write(block)
        os.fsync(file.fileno())
    return 16 * len(block) / (time.perf_counter() - begin) / 1e9


def report_transfer(G: gl.Graph) -> None:
    """All rows to host memory and to a file, beside what the same blocks take on the device alone."""
    from graphla.algorithms.apsp import batches
    from graphla.algorithms.apsp.elimination import elimination

    sweeps, nbytes = make_sweeps(G, eliminate(G, np.dtype(np.float32), get_structure(G))), 4 * G.n * G.n
    print(f"{G.name}: {nbytes / 1e9:.1f} GB of distances", flush=True)
    for _ in range(2):
        begin = time.perf_counter()
        for _ in sweeps.stream(max(1, batches.CELLS // G.n)):
            pass
        G.engine.xp.cuda.Device().synchronize()
        alone = time.perf_counter() - begin
    D = np.empty((G.n, G.n), np.float32)
    for name in ("new pages", "used pages"):
        begin = time.perf_counter()
        elimination.write_rows(G, sweeps, elimination.MemorySink(D), D.dtype, None)
        took = time.perf_counter() - begin
        print(
            f"  to host memory, {name}: {took:.3f} s, {nbytes / took / 1e9:.1f} GB/s; alone {alone:.3f} s", flush=True
        )
    check(G, lambda sources: D[sources], "rows in host memory")
    del D
    with tempfile.TemporaryDirectory() as folder:
        alone = time_disk(Path(folder) / "alone")
        begin = time.perf_counter()
        D = gl.apsp(G, method="elimination", output=f"{folder}/d.npy", dense=True)
        took = time.perf_counter() - begin
        rate = nbytes / took / 1e9
        print(f"  to a file: {took:.3f} s, {rate:.1f} GB/s; the disk alone {alone:.1f} GB/s", flush=True)
        check(G, lambda sources: np.asarray(D[sources]), "rows in the file")


def report_few_rows(G: gl.Graph, sweeps: Any) -> None:
    """Some rows alone, down the tree in one launch and with a launch per level."""
    for rows in (ROWS, 256, 1024):
        block = G.engine.xp.empty((rows, G.n), np.float32)
        for most, way in ((1 << 20, "one launch"), (0, "a launch per level")):
            sweeps_cuda.FEW_WORDS, held = most, sweeps_cuda.FEW_WORDS
            work = partial(sweeps.compute, np.arange(rows), None, block)
            time_device(f"{rows} rows alone, down in {way}", work, rows * G.n, 21)
            sweeps_cuda.FEW_WORDS = held
    report_parts(G, sweeps, ROWS)
    F, sources = gl.factorize(G), np.arange(ROWS)
    time_device(f"F[{ROWS} sources], a Matrix", lambda: F[sources], ROWS * G.n, 21)


def report_sources(G: gl.Graph, orders: Path | None) -> None:
    """Some sources to all vertices, of all parts of the graph."""
    _, sweeps = prepare(G, orders)
    check(G, lambda sources: compute_rows(G, sweeps, sources), "rows")
    sources = np.random.default_rng(2).integers(0, G.n, SOURCES)
    out = G.engine.xp.empty((SOURCES, G.n), np.float32)
    time_device(f"{SOURCES:,} sources, anywhere", lambda: sweeps.compute(sources, None, out), SOURCES * G.n)
    beside = np.arange(SOURCES)
    time_device(f"{SOURCES:,} sources, numbered in a row", lambda: sweeps.compute(beside, None, out), SOURCES * G.n)


def save_orders(graphs: list[gl.Graph], folder: Path) -> None:
    for G in graphs:
        np.save(folder / f"{G.name}.npy", order.compute_order(*structure.make_symmetric(G.csr.indptr, G.csr.indices)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--orders", type=Path, help="a folder of orders that --save has filled")
    parser.add_argument("--save", type=Path, help="write the orders into this folder, and end")
    parser.add_argument("--cube", type=int, default=40, help="the side of a cubic grid to eliminate")
    parser.add_argument("--transfer", type=int, default=0, help="so many vertices of the first file to the host, too")
    asked = parser.parse_args()
    engine = "cpu" if asked.save else "cuda"
    whole = read(asked.files[0], engine)
    piece = cut(whole, PIECE)
    if asked.save:
        save_orders([piece, whole, *(read(file, engine) for file in asked.files[1:])], asked.save)
        return
    report_all_pairs(piece, asked.orders)
    report_dtypes(piece)
    report_stream(whole, asked.orders)
    report_cube(asked.cube, engine)
    if asked.transfer:
        report_transfer(cut(whole, asked.transfer))
    for file in asked.files[1:]:
        report_sources(read(file, engine), asked.orders)


if __name__ == "__main__":
    main()
