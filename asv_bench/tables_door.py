"""What graphs from tables cost, and tables back: ``python asv_bench/tables_door.py [scale]``.

pandas, Polars and DuckDB take part where they are installed.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import graphla as gl


def clock(run: Callable[[], Any]) -> float:
    """The least seconds of three runs."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)


def make_tables(numbers: Any, texts: Any) -> Iterator[tuple[str, Any]]:
    """The same arcs in each library."""
    yield "pyarrow, integers", numbers
    yield "pyarrow, texts", texts
    if importlib.util.find_spec("pandas"):
        yield "pandas, texts", texts.to_pandas()
    if importlib.util.find_spec("polars"):
        yield "Polars, texts", importlib.import_module("polars").from_arrow(texts)
    if importlib.util.find_spec("duckdb"):
        yield "DuckDB, texts", importlib.import_module("duckdb").sql("select * from texts")


def main() -> None:
    """Print the nanoseconds per row."""
    scale = int(sys.argv[1]) if len(sys.argv) > 1 else 18
    n, m = 1 << scale, 8 << scale
    rng = np.random.default_rng(1)
    (u, v), w, names = rng.integers(0, n, (2, m)), rng.random(m), np.char.add("v", np.arange(n).astype(str))
    numbers = pa.table({"source": u, "target": v, "w": w})
    texts = pa.table({"source": pa.array(names[u]), "target": pa.array(names[v]), "w": w})
    asked: Any = {"weight": "w", "dup": "first", "engine": "cpu"}
    arrays = clock(lambda: gl.Graph((u, v, w), n=n, dup="first", engine="cpu"))
    print(f"{m:,} rows, {n:,} vertices\n{'arrays':24}{1e9 * arrays / m:8.0f} ns a row", flush=True)
    for title, table in make_tables(numbers, texts):
        spent = clock(lambda table=table: gl.Graph.from_arrow(table, **asked))
        print(f"{title:24}{1e9 * spent / m:8.0f} ns a row", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "arcs.parquet")
        parquet.write_table(texts, file)
        print(f"{'Parquet, texts':24}{1e9 * clock(lambda: gl.read(file, **asked)) / m:8.0f} ns a row", flush=True)
    G = gl.Graph.from_arrow(texts, **asked)
    ranks = gl.pagerank(G)
    print(f"{'ranks with labels':24}{1e9 * clock(lambda: ranks.to_arrow(G.labels)) / n:8.0f} ns a vertex", flush=True)


if __name__ == "__main__":
    main()
