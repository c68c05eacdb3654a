"""All-pairs shortest paths on the GPU: checks, then median times of products, Floyd–Warshall and variants of the tiles.

Run `python asv_bench/gpu/apsp.py [check] [product] [closure] [sides] [signed] [large] [phases] [variants]` from
the root of the repository; `apsp_graphs.py` times whole graphs. Times are medians between CUDA events.
The data are random; a rate is updates (one sum, one minimum) per second.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from scipy.sparse import csr_array

import graphla as gl
from graphla.algorithms.apsp import tiles
from graphla.engine.cuda.engine import CudaEngine
from graphla.engine.cuda.launch import nvrtc_load
from graphla.engine.cuda.matmat import tropical
from semirings import lor_land, max_min, min_plus, plus_times
from semirings.dtypes import lookup

ENGINE = CudaEngine(cp, nvrtc_load)
VARIANTS: dict[str, list[tuple[str, str]]] = {
    "as it is": [],
    "sums by fused multiply-add": [
        ("__float_as_int(a0 + b0), __float_as_int(a1 + b1)",
         "__float_as_int(__fmaf_rn(a0, ONE, b0)), __float_as_int(__fmaf_rn(a1, ONE, b1))"),
        ("struct NonNegativeFloat", "__constant__ float ONE = 1.0f;\nstruct NonNegativeFloat"),
    ],
    "one order of k in both operands": [
        ("some[2 * f + reversed], odd[e + f] = some[2 * f + !reversed]", "some[2 * f], odd[e + f] = some[2 * f + 1]"),
        ("(reversed ? together - 1 - turn : turn)", "turn"),
    ],
    "integers: one pipe": [("if (odd) c = __vimin3_u32", "if (false) c = __vimin3_u32")],
    "integers: all sums by multiply-add": [("if (odd) c = __vimin3_u32", "if (true) c = __vimin3_u32")],
    "integers: every fourth sum by multiply-add": [("(x + y) % 2", "(x + 2 * y) % 4 == 0")],
    "unrolled 4": [("unrolled = sizeof(T) > 4 ? 1 : 8", "unrolled = sizeof(T) > 4 ? 1 : 4")],
    "unrolled 2": [("unrolled = sizeof(T) > 4 ? 1 : 8", "unrolled = sizeof(T) > 4 ? 1 : 2")],
    "two stages": [("TILE_STAGES = 3", "TILE_STAGES = 2")],
    "five stages of 8": [("depth = 64 / widest", "depth = 32 / widest"), ("TILE_STAGES = 3", "TILE_STAGES = 5")],
}  # fmt: skip


def measure_milliseconds(work: Callable[..., Any], *args: Any, repeats: int = 5) -> float:
    """Return the median time between two CUDA events around `work`, after one run that is not timed."""
    work(*args)
    times = []
    for _ in range(repeats):
        begin, end = cp.cuda.Event(), cp.cuda.Event()
        begin.record()
        work(*args)
        end.record()
        end.synchronize()
        times.append(cp.cuda.get_elapsed_time(begin, end))
    return float(np.median(times))


def show(**row: Any) -> None:
    print(json.dumps({k: round(v, 3) if isinstance(v, float) else v for k, v in row.items()}), flush=True)


def make_random(n: int, dtype: str, low: int = 1, high: int = 1000) -> Any:
    cells = cp.random.default_rng(n).integers(low, high, (n, n), dtype=np.int32).astype(dtype)
    return cells + cp.random.default_rng(1).random((n, n), dtype=np.float32).astype(dtype) if dtype[0] == "f" else cells


def check() -> None:
    """Compare with SciPy up to 2048 vertices, and with sampled rows of Dijkstra above."""
    from scipy.sparse.csgraph import dijkstra, floyd_warshall

    rng = np.random.default_rng(3)
    for n, density, dtype in ((1, 1, "float32"), (37, 0.2, "int32"), (500, 0.02, "float32"), (1000, 0.3, "float64"),
                              (1500, 0.01, "int32"), (2048, 0.5, "float32"), (2000, 0.02, "int64")):  # fmt: skip
        W = np.where(rng.random((n, n)) < density, rng.integers(1, 100, (n, n)), 0).astype(dtype)
        expected = floyd_warshall(W.astype(float))
        G = gl.Graph(W, engine=ENGINE)
        for options in ({}, {"next_hops": True}, *([{"dtype": "INT16"}] if dtype == "int32" else [])):
            D = gl.apsp(G, method="blocked_floyd_warshall", dense=True, **options)
            D, H = D if isinstance(D, tuple) else (D, None)
            got = cp.asnumpy(D)
            far = np.inf if got.dtype.kind == "f" else np.iinfo(got.dtype).max
            same = np.array_equal(got, np.where(np.isinf(expected), far, expected))
            show(check=n, got=str(got.dtype), same=same, **options)
            if H is not None and n <= 500:
                gl.apsp.verify(G, D, H)
    A, B = (cp.random.default_rng(seed).random((1000, 1000), dtype=np.float32) < 0.03 for seed in (1, 2))
    C = tropical.multiply(ENGINE, lor_land, A, B, lookup("BOOL"))
    show(check="lor_land", same=bool(((A.astype(np.float32) @ B.astype(np.float32) > 0) == C).all()))
    n = 6000
    W = np.where(rng.random((n, n)) < 0.003, rng.integers(1, 256, (n, n)), 0).astype(np.float32)
    G, rows = gl.Graph(W, engine=ENGINE), rng.integers(0, n, 20)
    got = G.engine.to_host(gl.apsp(G, method="blocked_floyd_warshall", dense=True)[rows])
    show(
        check=n,
        sampled=len(rows),
        same=bool(np.array_equal(got, dijkstra(csr_array(W), indices=rows).astype(np.float32))),
    )


def time_product(semiring: Any, dtype: str, n: int) -> tuple[Any, Any, float]:
    """Return two random operands and the milliseconds of their product."""
    A, B = make_random(n, dtype), make_random(n, dtype).T.copy()
    return A, B, measure_milliseconds(tropical.multiply, ENGINE, semiring, A, B, lookup(dtype))


def time_products() -> None:
    for n in (4096, 8192):
        for semiring, dtype in ((min_plus, "float32"), (min_plus, "int32"), (min_plus, "float64"), (max_min, "float32"),
                                (plus_times, "float32"), (min_plus, "int64"), (lor_land, "bool")):  # fmt: skip
            if n > 4096 and dtype in ("float64", "int64"):
                continue
            A, B, ms = time_product(semiring, dtype, n)
            show(product=semiring.name, dtype=dtype, n=n, ms=ms, tera=n**3 / ms / 1e9)
            if n == 4096 and semiring is min_plus:
                C = tropical.multiply(ENGINE, semiring, A, B, lookup(dtype))
                show(same=bool((C[17] == (A[17][:, None] + B).min(0)).all()))


def copy_and_close(W: Any, kind: Any, side: int) -> None:
    tiles.close_blocks(ENGINE, W.copy(), kind, side)


def make_half_empty(n: int, dtype: str) -> Any:
    """Return random weights for half of all arcs."""
    W = make_random(n, dtype)
    W[cp.random.default_rng(2).random((n, n), dtype=np.float32) < 0.5] = tiles.largest(dtype)
    return W


def time_closure(W: Any, kind: Any, side: int) -> float:
    """Return the milliseconds of a closure, without those of copying its operand."""
    whole = measure_milliseconds(copy_and_close, W, kind, side, repeats=3)
    return whole - measure_milliseconds(W.copy, repeats=3)


def time_closures(sizes: tuple[int, ...] = (4096, 8192, 16384), types: tuple[str, ...] = ("float32", "int32", "int16"),
             sides: tuple[int, ...] = (0,), signed: bool = False) -> None:  # fmt: skip
    for n in sizes:
        for dtype in types:
            W, kind = make_half_empty(n, dtype), tiles.choose_numbers(np.dtype(dtype), not signed)
            for side in sides:
                ms = time_closure(W, kind, side or tiles.choose_side(n, kind.per_word))
                show(closure=kind.name, n=n, side=side, ms=ms, tera=n**3 / ms / 1e9)


def load_changed(changes: list[tuple[str, str]], text: str, expression: str, *, cooperative: bool = False) -> Any:
    """Load a kernel after replacements in its text."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return nvrtc_load(text, expression, cooperative=cooperative)


def time_variants() -> None:
    n = 8192
    A, B = make_random(n, "float32"), make_random(n, "float32").T.copy()
    K, L = make_random(n, "int32"), make_random(n, "int32").T.copy()
    for name, changes in VARIANTS.items():
        engine = CudaEngine(cp, partial(load_changed, changes))
        floats = measure_milliseconds(tropical.multiply, engine, min_plus, A, B, lookup("FP32"), repeats=3)
        ints = measure_milliseconds(tropical.multiply, engine, min_plus, K, L, lookup("INT32"), repeats=3)
        show(variant=name, floats_ms=floats, tera=n**3 / floats / 1e9, ints_ms=ints, ints_tera=n**3 / ints / 1e9)


def large() -> None:
    time_closures((24_000 // 256 * 256 + 256,), ("float32",))


def time_phases() -> None:
    """Time each launch of a pivot block."""
    n, side = 8192, 256
    W = make_random(n, "float32")
    kind = tiles.choose_numbers(np.dtype("float32"), True)
    spent: dict[str, list[Any]] = {}

    class Timed:
        def __init__(self, kernel: Any, name: str) -> None:
            self.kernel, self.name = kernel, name
            self.resident_blocks = kernel.resident_blocks

        def __call__(self, *args: Any) -> None:
            begin, end = cp.cuda.Event(), cp.cuda.Event()
            begin.record()
            self.kernel(*args)
            end.record()
            spent.setdefault(self.name, []).append((begin, end))

    engine = CudaEngine(
        cp, lambda text, expression, **options: Timed(nvrtc_load(text, expression, **options), expression)
    )
    tiles.close_blocks(engine, W.copy(), kind, side)
    spent.clear()
    tiles.close_blocks(engine, W.copy(), kind, side)
    cp.cuda.Device().synchronize()
    for name, pairs in spent.items():
        times = [cp.cuda.get_elapsed_time(*pair) for pair in pairs]
        show(phase=name, median_ms=float(np.median(times)), total_ms=float(sum(times)))


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["check", "product", "closure"]
    show(device=cp.cuda.runtime.getDeviceProperties(0)["name"].decode())
    if "check" in wanted:
        check()
    if "product" in wanted:
        time_products()
    if "closure" in wanted:
        time_closures()
    if "sides" in wanted:
        time_closures((8192, 16384), ("float32", "int16"), (128, 256, 512))
    if "signed" in wanted:
        time_closures((8192,), ("float32",), signed=True)
    if "large" in wanted:
        large()
    if "phases" in wanted:
        time_phases()
    if "variants" in wanted:
        time_variants()
