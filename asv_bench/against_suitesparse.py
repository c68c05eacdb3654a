"""Time the CPU engine in turn with SuiteSparse:GraphBLAS, and print the ratios.

    python asv_bench/against_suitesparse.py kron16 kron13 kron9
    python asv_bench/against_suitesparse.py uniform hubs grid --dtype int64 --families products few
    GRAPHLA_THREADS=1 python asv_bench/against_suitesparse.py kron13 --above 1

Both libraries run the same lines and use the same number of threads (GRAPHLA_THREADS, by default the cores of the
process). Each operation runs in blocks of calls, ours and theirs in turn, and both results are compared first. The
table has the least milliseconds of a call of each, their ratio, and the median of the ratios of neighboring blocks.
With one thread the time is that of the process, so that other programs disturb little; with more it is the wall clock.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import graphblas as gb
import numpy as np
from suitesparse import FAMILIES, algorithms, operations, products
from suitesparse.operands import GRAPHS, Operands

import graphla as gl

BLOCK = 0.004
"""Seconds that the calls of a block take at least."""
ROUNDS = 5
THREADS = int(os.environ.get("GRAPHLA_THREADS") or len(os.sched_getaffinity(0)))
clock = time.process_time if THREADS == 1 else time.perf_counter


def list_cases(o: Operands, families: list[str]) -> Iterator[tuple[str, str, operations.Case]]:
    """Yield family, name and case of the operations that fit the operands."""
    tables = {
        "elementwise": operations.ELEMENT_WISE,
        "reductions": operations.REDUCTIONS,
        "extracts": operations.EXTRACTS,
        "writes": operations.WRITES,
        "conversions": operations.CONVERSIONS,
        "vectors": products.list_vector_products(o.dtype),
        "few": products.list_few_products(o.dtype),
    }
    if count_terms(o) < products.LARGEST_TERMS and o.square:
        tables["matrices"] = products.MATRIX_PRODUCTS
    if o.square and o.dtype != "bool":
        tables["algorithms"] = algorithms.ALGORITHMS
    for family in families:
        for name, case in tables.get(family, {}).items():
            yield family, name, case


def count_terms(o: Operands) -> float:
    """Return the number of products of A @ A."""
    degrees = np.bincount(o.graph.rows, minlength=max(o.n, o.m))
    return float(degrees[o.graph.columns].sum())


def finish(result: Any) -> Any:
    """Wait for a result: SuiteSparse and graphla put some work off until somebody reads it."""
    if isinstance(result, gb.Matrix | gb.Vector):
        result.wait("materialize")
    if hasattr(result, "nvals"):
        return result.nvals
    return result


def require_same(name: str, ours: Any, theirs: Any) -> None:
    """Raise unless both results hold the same entries; of `any` only the places are compared."""
    if isinstance(theirs, tuple):
        pairs = list(zip(ours, theirs, strict=True))
    elif hasattr(theirs, "to_coo"):
        pairs = list(zip(ours.to_coo(), theirs.to_coo(), strict=True))
        pairs = pairs[:-1] if "any" in name else pairs
    else:
        pairs = [(getattr(ours, "value", ours), getattr(theirs, "value", theirs))]
    for mine, other in pairs:
        np.testing.assert_allclose(np.asarray(mine, float), np.asarray(other, float), rtol=1e-3, err_msg=name)


def time_block(call: Callable[[], Any], count: int) -> float:
    begin = clock()
    for _ in range(count):
        finish(call())
    return (clock() - begin) / count


def measure_in_turn(ours: Callable[[], Any], theirs: Callable[[], Any], seconds: float) -> tuple[float, float, float]:
    """Return the least seconds of ours and of theirs, and the median of the ratios of neighbouring blocks."""
    counts = [max(1, min(500, int(BLOCK / max(time_block(call, 1), 1e-6)))) for call in (ours, theirs)]
    pairs: list[tuple[float, float]] = []
    end = time.perf_counter() + seconds
    while len(pairs) < ROUNDS or time.perf_counter() < end:
        pairs.append((time_block(ours, counts[0]), time_block(theirs, counts[1])))
    return min(p[0] for p in pairs), min(p[1] for p in pairs), statistics.median(p[0] / p[1] for p in pairs)


def compare(graph: str, dtype: str, asked: argparse.Namespace) -> None:
    """Print a line per operation whose ratio is above `above`."""
    cells = GRAPHS[graph]()
    mine, other = Operands(gl, cells, dtype), Operands(gb, cells, dtype)
    print(f"{graph}, {dtype}: {mine.n:,} x {mine.m:,}, {cells.rows.size:,} entries, threads: {THREADS}", flush=True)
    ratios = []
    for family, name, case in list_cases(mine, asked.families):
        if asked.only and not any(word in f"{family} {name}" for word in asked.only):
            continue
        try:
            ours, theirs = case(mine), case(other)
            require_same(name, ours(), theirs())
        except Exception as error:
            print(f"  {family:11} {name:34} {type(error).__name__}: {str(error).strip()[:300]!r}", flush=True)
            continue
        least, least_other, ratio = measure_in_turn(ours, theirs, asked.seconds)
        ratios.append(least / least_other)
        if ratios[-1] >= asked.above:
            row = f"{1e3 * least:10.4f} {1e3 * least_other:10.4f} {ratios[-1]:7.2f} {ratio:7.2f}"
            print(f"  {family:11} {name:34} {row}", flush=True)
    print(f"  {sum(each > 1 for each in ratios)} of {len(ratios)} above 1.0", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+", choices=list(GRAPHS))
    parser.add_argument("--families", nargs="*", default=FAMILIES, choices=FAMILIES)
    parser.add_argument("--only", nargs="*", default=[], help="parts of names: other operations are left out")
    parser.add_argument("--dtype", nargs="*", default=["float32"])
    parser.add_argument("--above", type=float, default=0.0, help="the least ratio that is printed")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each operation")
    asked = parser.parse_args()
    gb.ss.config["nthreads"] = THREADS
    for graph in asked.graphs:
        for dtype in asked.dtype:
            compare(graph, dtype, asked)


if __name__ == "__main__":
    sys.exit(main())
