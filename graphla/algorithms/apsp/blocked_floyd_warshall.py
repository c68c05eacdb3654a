"""Blocked Floyd–Warshall: one block of vertices at a time; nearly all the work is a tropical matrix product.

For each block K of vertices: close the square D[K, K] under min-plus; then multiply the rows D[K, :] and the columns
D[:, K] by the closed square; then D[i, j] = min(D[i, j], min over k in K of D[i, k] + D[k, j]) everywhere else. O(n³).
Next hops are traced from the distances.
A matrix that does not fit on the device is streamed through it, and `output` writes it into a file; a repeated call
resumes a stopped run after its last finished block.

G. Venkataraman, S. Sahni, S. Mukhopadhyaya, "A blocked all-pairs shortest-paths algorithm", J. Exp. Algorithmics 8,
2003; G. J. Katz, J. T. Kider, "All-pairs shortest-paths for large graphs on the GPU", Graphics Hardware 2008.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from graphla.algorithms.apsp import _streamed, tiles
from graphla.algorithms.apsp._keep import make_keeper
from graphla.algorithms.apsp._trace import trace_hops
from graphla.algorithms.apsp.batches import report_progress, wrap_rows
from graphla.algorithms.apsp.distance_file import ALONE, OUTPUT, PROGRESS, open_output
from graphla.algorithms.apsp.initial import choose_dtype, is_non_negative, make_full, refuse_cycle, require_room
from graphla.algorithms.apsp.settings import Settings
from graphla.algorithms.shared.distance_range import require_range
from graphla.problem import Method


def run_cpu(G: Any, s: Settings, *, output: Any = None, progress: Any = None) -> tuple[Any, Any]:
    """Compute distances, and next hops if requested."""
    from graphla.algorithms.apsp.blocked_cpu import solve
    from graphla.algorithms.apsp.trace_cpu import trace_hops as trace_hops_on_cpu

    chosen = choose_dtype(G, s.dtype)
    if output is not None:
        return solve_in_file(G, chosen, output, progress, lambda D, *resumed: solve(D, is_non_negative(G), *resumed))
    require_room(G, chosen, s.next_hops)
    D = make_full(G, chosen)
    small = tiles.choose_narrow_numbers(G, chosen)
    narrow = (small.last, small.far) if small else None
    refuse_cycle(G, solve(D, is_non_negative(G), 0, partial(report_progress, progress), narrow))
    require_range(G, D)
    return D, trace_hops_on_cpu(G, D) if s.next_hops else None


def run_cuda(G: Any, s: Settings, *, output: Any = None, progress: Any = None) -> tuple[Any, Any]:
    """Compute distances, and next hops if requested, on the device if they fit, else on the host or in a file."""
    xp, chosen = G.engine.xp, choose_dtype(G, s.dtype)
    kind = tiles.choose_exact_numbers(G, chosen)

    def stream(D: Any, *resumed: Any) -> int:
        return _streamed.close_blocks(
            G.engine, D, kind, _streamed.choose_panels(G.n, chosen, kind.per_word, xp), *resumed
        )

    if output is not None:
        return solve_in_file(G, chosen, output, progress, stream)
    if not s.next_hops and not tiles.fits(xp, G.n, chosen, kind.per_word):
        return solve_in_host_memory(G, chosen, progress, stream)
    require_room(G, chosen, s.next_hops)
    return solve_on_device(G, chosen, kind, s.next_hops)


def solve_on_device(G: Any, dtype: np.dtype[Any], kind: tiles.Numbers, next_hops: bool) -> tuple[Any, Any]:
    """Compute D, and H from it if requested."""
    work, kind = choose_work(G, dtype, kind)
    stride, side = tiles.pad_size(G.n, kind.per_word), tiles.choose_side(G.n, kind.per_word)
    D = tiles.make_weights(G, work, stride)
    refuse_cycle(G, int(tiles.close_blocks(G.engine, D, kind, side)[0]))
    D = tiles.copy_result(G.engine, D, G.n, dtype)
    require_range(G, D)
    return D, trace_hops(G, D) if next_hops else None


def choose_work(G: Any, dtype: np.dtype[Any], kind: tiles.Numbers) -> tuple[np.dtype[Any], tiles.Numbers]:
    """Choose the dtype and the arithmetic of the work: narrower ones if they hold the distances, and there is room."""
    narrow = tiles.choose_work_dtype(G, dtype)
    if narrow == dtype or not tiles.fits(G.engine.xp, G.n, narrow, 1, dtype):
        return dtype, kind
    return narrow, tiles.choose_exact_numbers(G, narrow)


def solve_in_host_memory(G: Any, dtype: np.dtype[Any], progress: Any, closing: Any) -> tuple[Any, None]:
    """Compute D in host memory, streamed through the device; return a matrix on the CPU."""
    require_room(G, dtype, False, np)
    D = make_full(G, dtype)
    refuse_cycle(G, closing(D, 0, partial(report_progress, progress)))
    require_range(G, D)
    return wrap_rows(D), None


def solve_in_file(G: Any, dtype: np.dtype[Any], output: Any, progress: Any, closing: Any) -> tuple[Any, None]:
    """Compute D in a file; a stopped run resumes after the last pivots that its note records."""
    with open_output(output, G, dtype, "blocked_floyd_warshall") as file:
        with make_keeper(file, G) as keeper:

            def report_and_keep(done: int, total: int) -> None:
                keeper(done)
                report_progress(progress, done, total)

            cycle = closing(keeper.D, file.begun or 0, report_and_keep)
        if cycle >= 0:
            file.delete()
        refuse_cycle(G, cycle)
        require_range(G, keeper.D)
        return wrap_rows(file.finish()), None


def refuses(G: Any, request: Any) -> str | None:
    if request.get("output") is not None and request.get("next_hops"):
        return ALONE
    return None


method = Method(
    runs={"cpu": run_cpu, "cuda": run_cuda},
    idea="close a block of vertices, its rows and columns, then one tropical product over it, block by block",
    source="Venkataraman, Sahni, Mukhopadhyaya, JEA 2003; Katz, Kider, Graphics Hardware 2008",
    options={"output": OUTPUT, "progress": PROGRESS},
    refuses=refuses,
    also=("next_hops",),
    rank=50,
)
