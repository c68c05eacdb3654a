"""Measure every row of docs/_data/h200.csv anew on one H200, and write its figures, the commit and the day into it.

    python asv_bench/gpu/record.py --road road-FLA.pace.gr.xz

The rows say what there is to measure; tables, charts and the README read them. After it, `python docs/readme.py` and
`python docs/pictures.py against-others` show the new figures. Searches are verified before they are timed.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import apsp
import bfs
import cupy as cp
import numpy as np
import sssp

import semirings
from graphla import Graph
from graphla.algorithms.apsp import tiles
from graphla.common.errors import VerificationError

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs" / "_data" / "h200.csv"
SOURCES = {"bfs": 16, "sssp": 4}


def format_digits(value: float) -> str:
    """Format three significant digits, or all digits above a thousand."""
    return f"{value:.0f}" if value >= 999.5 else f"{value:#.3g}".rstrip(".")


@lru_cache(maxsize=1)
def read_graph(spec: str, road: str) -> Graph:
    """Read the graph of a search; the last one is cached for the next row."""
    cp.get_default_memory_pool().free_all_blocks()
    return bfs.read(road if spec == "road" else spec)


def measure_bfs(row: dict[str, str], road: str) -> dict[str, Any]:
    """Time levels only, and with parents if the row has them."""
    G = read_graph(row["spec"], road)
    sources = bfs.draw_sources(G, SOURCES["bfs"])
    kinds = {"ms": False, **({"with_parents": True} if row["with_parents"] else {})}
    times = {
        name: np.median(bfs.measure_verified(G, row["method"], parents, sources)) for name, parents in kinds.items()
    }
    return {"vertices": G.n, "arcs": G.nvals, **times}


def measure_sssp(row: dict[str, str], road: str) -> dict[str, Any]:
    """Time distances only and with parents, and count relaxed arcs per arc of the graph."""
    cp.get_default_memory_pool().free_all_blocks()
    G = Graph(sssp.list_graphs(road)[row["spec"]](), engine="cuda")
    sources, method = sssp.choose_sources(G, SOURCES["sssp"]), row["method"]
    distance, _ = sssp.METHODS[method].run(G, sources[0])
    if (said := sssp.check(G, sources[0], distance, False)) != "right":
        raise VerificationError(f"{row['spec']}: {said}")
    alone, tree = (sssp.time_solve(G, sources, method, **options) for options in ({}, {"parents": True}))
    beside = sssp.count_relaxed(G, sources[0], method)
    return {"vertices": G.n, "arcs": G.nvals, "ms": alone, "with_parents": tree, "beside": beside}


def measure_product(row: dict[str, str], road: str) -> dict[str, Any]:
    """Time a product of full matrices; its rate is in 10¹² updates per second."""
    name, dtype, n = row["spec"].split()
    *_, ms = apsp.time_product(getattr(semirings, name), dtype, int(n))
    return {"ms": ms, "beside": int(n) ** 3 / ms / 1e9}


def measure_closure(row: dict[str, str], road: str) -> dict[str, Any]:
    """Time Floyd–Warshall on a matrix with half of its entries."""
    *signed, dtype, n = row["spec"].split()
    kind = tiles.choose_numbers(np.dtype(dtype), not signed)
    ms = apsp.time_closure(apsp.make_half_empty(int(n), dtype), kind, tiles.choose_side(int(n), kind.per_word))
    return {"ms": ms, "beside": int(n) ** 3 / ms / 1e9}


MEASURE = {"bfs": measure_bfs, "sssp": measure_sssp, "product": measure_product, "closure": measure_closure}


def format_row(found: dict[str, Any]) -> dict[str, str]:
    """Format the figures of a row: integers in full, others with three digits."""
    counted = {name: str(value) for name, value in found.items() if isinstance(value, int)}
    return {**{name: format_digits(float(value)) for name, value in found.items() if name not in counted}, **counted}


def write(path: Path, rows: list[dict[str, str]]) -> None:
    """Write the file after each row, so that an interrupted run keeps its results."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--road", default="road-FLA.pace.gr.xz", help="the file of the roads of Florida")
    parser.add_argument("--only", default="", help="a regular expression: rows whose problem, method and spec match")
    parser.add_argument("--commit", help="the commit that is measured, where git cannot tell")
    parser.add_argument("--output", type=Path, default=FIGURES)
    arguments = parser.parse_args()
    device = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    if "H200" not in device:
        parser.error(f"the file holds figures of an H200; this is {device!r}")
    if not Path(arguments.road).exists():
        parser.error(f"--road={arguments.road!r} is no file")
    asked = ["git", "rev-parse", "HEAD"]
    commit = arguments.commit or subprocess.check_output(asked, cwd=ROOT, text=True).strip()
    with FIGURES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if re.search(arguments.only, " ".join((row["problem"], row["method"], row["spec"]))):
            found = format_row(MEASURE[row["problem"]](row, arguments.road))
            row.update(found, commit=commit, date=str(datetime.now(UTC).date()))
            write(arguments.output, rows)
            print(row["problem"], row["method"], row["spec"], found, flush=True)


if __name__ == "__main__":
    main()
