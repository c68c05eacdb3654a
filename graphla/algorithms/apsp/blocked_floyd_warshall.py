"""Blocked Floyd–Warshall: a block of vertices at a time, and nearly all the work is a tropical product.

For each block K of vertices: close the square D[K, K] under min-plus; then the rows D[K, :] and the columns D[:, K]
over the closed square; then D[i, j] = min(D[i, j], min over k in K of D[i, k] + D[k, j]) everywhere else. O(n³).
Next hops follow from the distances.
What does not fit on the device is streamed through it, and `output` puts it into a file; a run that was stopped goes
on after its last finished block when it is asked for again.

G. Venkataraman, S. Sahni, S. Mukhopadhyaya, "A blocked all-pairs shortest-paths algorithm", J. Exp. Algorithmics 8,
2003; G. J. Katz, J. T. Kider, "All-pairs shortest-paths for large graphs on the GPU", Graphics Hardware 2008.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from graphla.algorithms.apsp import _streamed, _tiles
from graphla.algorithms.apsp._file import ALONE, OUTPUT, PROGRESS, opened
from graphla.algorithms.apsp._keep import keeper
from graphla.algorithms.apsp._rows import held, told
from graphla.algorithms.apsp._start import dtype_of, full, non_negative, refuse_cycle, require_room
from graphla.algorithms.apsp._trace import traced
from graphla.algorithms.sssp._range import require_range
from graphla.problem import Method


def run_cpu(
    G: Any, *, next_hops: bool = False, dtype: Any = None, output: Any = None, progress: Any = None
) -> tuple[Any, Any]:
    """Distances, and next hops if asked for."""
    from graphla.algorithms.apsp._blocked import solve
    from graphla.algorithms.apsp._trace_cpu import traced as traced_on_cpu

    chosen = dtype_of(G, dtype)
    if output is not None:
        return in_file(G, chosen, output, progress, lambda D, *resumed: solve(D, non_negative(G), *resumed))
    require_room(G, chosen, next_hops)
    D = full(G, chosen)
    small = _tiles.narrow(G, chosen)
    narrow = (small.last, small.far) if small else None
    refuse_cycle(G, solve(D, non_negative(G), 0, partial(told, progress), narrow))
    require_range(G, D)
    return D, traced_on_cpu(G, D) if next_hops else None


def run_cuda(
    G: Any, *, next_hops: bool = False, dtype: Any = None, output: Any = None, progress: Any = None
) -> tuple[Any, Any]:
    """Distances, and next hops if asked for, on the device, where they fit; else with the host, or in a file."""
    xp, chosen = G.engine.xp, dtype_of(G, dtype)
    kind = _tiles.exact(G, chosen)

    def stream(D: Any, *resumed: Any) -> int:
        return _streamed.closed(G.engine, D, kind, _streamed.panels_for(G.n, chosen, kind.per_word, xp), *resumed)

    if output is not None:
        return in_file(G, chosen, output, progress, stream)
    if not next_hops and not _tiles.fits(xp, G.n, chosen, kind.per_word):
        return in_host_memory(G, chosen, progress, stream)
    require_room(G, chosen, next_hops)
    D, H = on_device(G, chosen, kind, next_hops)
    return xp.ascontiguousarray(D[: G.n, : G.n]), H


def on_device(G: Any, dtype: np.dtype[Any], kind: _tiles.Numbers, next_hops: bool) -> tuple[Any, Any]:
    """D, padded to whole tiles, and H from it."""
    stride, side = _tiles.padded(G.n, kind.per_word), _tiles.side_of(G.n, kind.per_word)
    D = _tiles.weights(G, dtype, stride)
    refuse_cycle(G, int(_tiles.closed(G.engine, D, kind, side)[0]))
    require_range(G, D[: G.n, : G.n])
    return D, traced(G, D) if next_hops else None


def in_host_memory(G: Any, dtype: np.dtype[Any], progress: Any, closing: Any) -> tuple[Any, None]:
    """D in the memory of the host, streamed through the device; a matrix on the CPU."""
    require_room(G, dtype, False, np)
    D = full(G, dtype)
    refuse_cycle(G, closing(D, 0, partial(told, progress)))
    require_range(G, D)
    return held(D), None


def in_file(G: Any, dtype: np.dtype[Any], output: Any, progress: Any, closing: Any) -> tuple[Any, None]:
    """D in a file; a run that was stopped goes on after the last vertices that its note knows of."""
    file = opened(output, G, dtype, "blocked_floyd_warshall")
    with keeper(file, G) as kept:

        def told_and_kept(done: int, total: int) -> None:
            kept(done)
            told(progress, done, total)

        cycle = closing(kept.D, file.begun or 0, told_and_kept)
    if cycle >= 0:
        file.drop()
    refuse_cycle(G, cycle)
    with file.dropped_by_overflow():
        require_range(G, kept.D)
    return held(file.finish()), None


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
