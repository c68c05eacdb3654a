"""Print the table of ratios against SciPy: ``python asv_bench/bars.py``."""

from __future__ import annotations

import os

from benchmarks.bars import AgainstScipy, Roads, Start
from benchmarks.csgraph import Csgraph

BARS = {
    "track_bfs_fast": 0.5,
    "track_bfs_algebraic": 1.0,
    "track_sssp_fast": 0.5,
    "track_sssp_algebraic": 2.0,
    "track_floyd_warshall": 0.1,
    "track_elimination": 0.1,
    "track_roads_bfs_by_statements": 15.0,
    "track_roads_bfs_in_a_loop": 2.0,
    "track_roads_sssp_algebraic": 8.0,
    "track_roads_sssp_delta_stepping": 2.5,
    "track_import": 0.3,
    "track_read_new_york": 1.0,
    "track_csgraph_components": 0.06,
    "track_csgraph_strong_components": 0.5,
    "track_csgraph_floyd_warshall": 0.1,
    "track_csgraph_dijkstra": 0.7,
    "track_csgraph_import": 0.35,
}

if __name__ == "__main__":
    print(f"{len(os.sched_getaffinity(0))} cores")
    for suite in (AgainstScipy(), Roads(), Start(), Csgraph()):
        for name in (name for name in dir(suite) if name.startswith("track_")):
            value = getattr(suite, name)()
            verdict = "ok" if value <= BARS[name] else "OVER"
            print(
                f"{name.removeprefix('track_'):20} {value:8.3f} {suite.unit:6} bar {BARS[name]:5.2f}  {verdict}",
                flush=True,
            )
