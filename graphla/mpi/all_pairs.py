"""All-pairs shortest paths on many ranks: rows of D in memory, or in a file that the ranks write together."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from graphla.algorithms.apsp import choice
from graphla.algorithms.apsp.batches import CELLS, report_progress, wrap_rows
from graphla.algorithms.apsp.distance_file import (
    Unfinished,
    find_fault_of_path,
    find_fault_of_progress,
    make_working_path,
    open_output,
)
from graphla.algorithms.apsp.initial import choose_dtype, is_non_negative
from graphla.algorithms.shared.distance_range import require_range, solve_in_range
from graphla.algorithms.shared.weights import distance_dtype, infinity
from graphla.algorithms.sssp.batched import compute_distances
from graphla.common.arguments import show, to_bool, to_choice
from graphla.common.errors import GraphlaError, InvalidOption, NotSupported
from graphla.common.memory import allocate
from graphla.common.memory import require as require_memory
from graphla.common.typing import DTypeLike
from graphla.containers.matrix import Matrix
from graphla.engine.mpi.agree import run_on_all
from graphla.engine.mpi.communicator import Communicator
from graphla.graphs.graph import Graph
from graphla.mpi.floyd_warshall import solve
from graphla.mpi.rows import Rows, require_one_graph, split_rows

METHODS = ("blocked_floyd_warshall", "sssp_sweep")


def apsp(
    G: Graph,
    *,
    method: str | None = None,
    dtype: DTypeLike | None = None,
    dense: bool = False,
    output: Any = None,
    progress: Any = None,
) -> Rows | Matrix:
    """All-pairs shortest paths on many ranks, each of which computes some of the rows.

    Parameters
    ----------
    G : Graph
        The same graph on every rank, on the rank's own engine.
    method : {"blocked_floyd_warshall", "sssp_sweep"}, optional
        By default the faster one for the graph. ``"sssp_sweep"`` takes no negative weights.
    dtype : dtype, optional
        Compute and return the distances in this dtype, as `graphla.apsp` takes it. It means the first method.
    dense : bool
        Whether the local rows of the result are an array, with infinity where there is no path.
    output : path, optional
        Write the rows to this ``.npy`` file, which every rank must be able to open, by ``"sssp_sweep"``. A call that is
        repeated goes on where a stopped one has ended, on any number of ranks.
    progress : callable, optional
        Called on rank 0 with (done, all) after each part.

    Returns
    -------
    Rows or Matrix
        The rows of this rank; with `output` a matrix on the CPU over the whole file.

    Raises
    ------
    NegativeCycle
        On every rank, if there is a cycle of negative weight.
    InvalidGraph
        If the ranks do not hold one graph.
    NotSupported
        If the method cannot answer; the message says why.
    InvalidOption
        If there is no such method, or an option has none of its values.
    OutOfMemory
        If the rows of a rank do not fit in its memory.
    Overflow
        If a distance does not fit the dtype that was asked for, or no dtype at all.

    See Also
    --------
    graphla.apsp : The same on one process.

    Notes
    -----
    The blocked Floyd–Warshall computes n³ / P sums per rank and sends n² values to each, while they compute. The sweep
    searches from n / P sources per rank; nothing travels.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.mpi.apsp(gl.Graph(([0, 1], [1, 2], [1, 2]))).local.to_dicts()
    {0: {0: 0, 1: 1, 2: 3}, 1: {1: 0, 2: 2}, 2: {2: 0}}
    """
    world, dense = require_one_graph(G), to_bool(dense, "dense")
    for name, value, fault in (
        ("output", output, find_fault_of_path(output)),
        ("progress", progress, find_fault_of_progress(progress)),
    ):
        if fault:
            raise InvalidOption(f"{name}={show(value)}: {fault}")
    chosen = choose_method(G, method, dtype, output)
    if output is not None:
        return solve_in_range(G, lambda wider: sweep_to_file(world, wider, output, progress))
    report = progress if world.rank == 0 else None
    rows, bounds = solve_in_range(G, lambda wider: find_rows(world, wider, chosen, dtype, report))
    local = rows if dense else Matrix._from_sentinel(rows, infinity(rows.dtype), G.engine)
    return Rows(local, bounds, world)


def choose_method(G: Graph, method: Any, dtype: Any, output: Any) -> str:
    """Return the method that was asked for, or the faster one; refuse what it cannot do."""
    if method is not None:
        to_choice(method, "method", METHODS)
    if method is None:
        dense = output is None and choice.estimate_dense_seconds(G) < choice.estimate_sparse_seconds(G)
        method = METHODS[0] if dtype is not None or dense or not is_non_negative(G) else METHODS[1]
    if method == METHODS[1] and not is_non_negative(G):
        raise NotSupported(f"method={method!r}: the smallest weight is {G.min_weight}; {METHODS[0]!r} takes it")
    if method == METHODS[1] and dtype is not None:
        raise NotSupported(f"method={method!r}: its dtype is that of the weights; {METHODS[0]!r} takes dtype")
    if method == METHODS[0] and output is not None:
        raise NotSupported(f"method={method!r}: on many ranks its rows stay in memory; leave out output")
    return method


def find_rows(world: Communicator, G: Graph, method: str, dtype: Any, progress: Any) -> tuple[Any, tuple[int, ...]]:
    """Return the rows of this rank as an array, and the bounds of all."""
    if method == METHODS[0]:
        rows, bounds = solve(world, G, choose_dtype(G, dtype))
        return run_on_all(world, lambda: require_range(G, rows)), bounds
    bounds = split_rows(G.n, world.size)
    own = range(*bounds[world.rank : world.rank + 2])
    return run_on_all(world, lambda: sweep(G, own, progress)), bounds


def sweep(G: Graph, own: range, progress: Any) -> Any:
    """Search from some sources, batch by batch."""
    dtype = distance_dtype(G.csr.values.dtype)
    require_memory(len(own) * G.n * dtype.itemsize, f"{len(own):,} rows of {G.n:,} distances", G.engine.xp)
    D = allocate((len(own), G.n), dtype, "the distances", G.engine.xp)
    for first, last in make_batches(own, G.n):
        rows, _ = compute_distances(G, range(first, last))
        D[first - own.start : last - own.start] = require_range(G, rows)
        report_progress(progress, last - own.start, len(own))
    return D


def make_batches(own: range, n: int) -> list[tuple[int, int]]:
    """Return ranges of sources that are searched together."""
    step = max(1, CELLS // max(1, n))
    return [(first, min(first + step, own.stop)) for first in range(own.start, own.stop, step)]


# --- a file


def sweep_to_file(world: Communicator, G: Graph, output: Any, progress: Any) -> Matrix:
    """Write rows to a file, round by round: in a round each rank computes one batch; then rank 0 records it."""
    dtype = distance_dtype(G.csr.values.dtype)
    file = run_on_all(world, lambda: open_output(output, G, dtype, "sssp_sweep") if world.rank == 0 else None)
    begin = world.share_object(file.begun or 0 if file else None, 0)
    with file or nullcontext():
        rows = run_on_all(world, lambda: file.rows if file else map_rows(output))
        batches = make_batches(range(begin, G.n), G.n * world.size)
        for number in range(0, len(batches), world.size):
            together = batches[number : number + world.size]
            run_on_all(world, lambda together=together: write_batch(G, rows, together, world.rank))
            run_on_all(world, lambda last=together[-1][1]: record(file, last, G.n, progress))
        run_on_all(world, lambda: file.finish() if file else None)
    return wrap_rows(run_on_all(world, lambda: np.load(output, mmap_mode="r")))


def map_rows(output: Any) -> Any:
    """Map the file that rank 0 has made."""
    from pathlib import Path

    try:
        return np.load(make_working_path(Path(output)), mmap_mode="r+")
    except OSError as error:
        raise GraphlaError(f"output={str(output)!r}: this rank cannot open what rank 0 has made: {error}") from None


def write_batch(G: Graph, rows: Any, batches: list[tuple[int, int]], rank: int) -> None:
    """Compute and write the batch of this rank, if the round has one for it."""
    if rank >= len(batches):
        return
    first, last = batches[rank]
    found, _ = compute_distances(G, range(first, last))
    rows[first:last] = G.engine.to_host(require_range(G, found))
    rows.flush()


def record(file: Unfinished | None, done: int, total: int, progress: Any) -> None:
    """Record on rank 0 that the first rows are finished."""
    if file is not None:
        file.record_progress(done)
        report_progress(progress, done, total)
