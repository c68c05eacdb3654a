"""Time operations on matrices on the CPU in turn with SuiteSparse:GraphBLAS, and print the ratio.

python asv_bench/entries.py [scale]

Both use one thread, and the time is that of the process, so that other programs disturb little. Both results are
compared. The graph is a Kronecker graph of the scale (default 16) with float32 weights.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("GRAPHLA_THREADS", "1")

import graphblas as gb
import numpy as np

import graphla as gl

LARGEST_PRODUCTS = 14
"""The largest scale at which products are timed: A @ A has 0.3 G terms there."""
SPARSE_ROWS = ((4, 0.02), (4, 0.5), (32, 0.02), (32, 0.5))
"""Rows of matrices of few rows, and the share of their entries that is there."""
Pair = tuple[Any, Any]


def make_pair(rows: Any, columns: Any, values: Any, n: int) -> Pair:
    """Make the same matrix in both libraries."""
    ours = gl.Matrix.from_coo(rows, columns, values, nrows=n, ncols=n, engine="cpu")
    return ours, gb.Matrix.from_coo(rows.astype("uint64"), columns.astype("uint64"), values, nrows=n, ncols=n)


def make_sparse_rows(rng: Any, rows: int, share: float, n: int) -> Pair:
    """Make a matrix of few rows with a share of their entries, whose values have exact sums."""
    cells = np.flatnonzero(rng.random(rows * n) < share)
    values = rng.integers(1, 9, cells.size).astype("float32")
    ours = gl.Matrix.from_coo(cells // n, cells % n, values, nrows=rows, ncols=n, engine="cpu")
    return ours, gb.Matrix.from_coo(*map(np.uint64, (cells // n, cells % n)), values, nrows=rows, ncols=n)


def measure(call: Callable[[], Any]) -> float:
    """Return the least milliseconds of seven calls, after one."""
    call()
    times = []
    for _ in range(7):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return 1000 * min(times)


def update(held: Any, change: Callable[[Any], None]) -> Any:
    """Return a changed copy, written out."""
    copy = held.dup()
    change(copy)
    if isinstance(copy, gb.Matrix):
        copy.wait("materialize")
    return copy


def list_operations(A: Any, P: Any, M: Any, op: Any, index: Callable[[Any], Any]) -> dict[str, Callable[[], Any]]:
    """Return operations by name, in the words that both libraries share. M is a part of A, P a permutation of it."""
    rng = np.random.default_rng(1)
    n = A.nrows
    quarter, permutation = index(np.sort(rng.choice(n, n // 4, replace=False))), index(rng.permutation(n))
    block = index(np.sort(rng.choice(n, 64, replace=False)))
    ewise, one = A.ewise_add, op.plus

    def assign_block(C: Any) -> None:
        C[block, block] << 1

    def write_masked(C: Any) -> None:
        C(M.S) << A

    def write_masked_value(C: Any) -> None:
        C(M.V) << 1

    def write_accumulated(C: Any) -> None:
        C(op.plus) << M

    def write_replaced(C: Any) -> None:
        C(~M.S, replace=True) << A

    def element(C: Any) -> None:
        C[3, 4] = 7

    return {
        "A | P": lambda: ewise(P, one).new(),
        "A | M": lambda: ewise(M, one).new(),
        "A & P": lambda: A.ewise_mult(P, op.times).new(),
        "A & M": lambda: A.ewise_mult(M, op.times).new(),
        "ewise_union": lambda: A.ewise_union(M, one, 1, 2).new(),
        "tril": lambda: A.select("tril", -1).new(),
        "valuege": lambda: A.select("valuege", np.float32(100)).new(),
        "rowindex": lambda: A.apply("rowindex").new(),
        "reduce_scalar": lambda: A.reduce_scalar("max").new(),
        "reduce_rowwise": lambda: A.reduce_rowwise("max").new(),
        "A[quarter, quarter]": lambda: A[quarter, quarter].new(),
        "A[p, p]": lambda: A[permutation, permutation].new(),
        "A[quarter, :]": lambda: A[quarter, :].new(),
        "A[:, quarter]": lambda: A[:, quarter].new(),
        "A[:, 5]": lambda: A[:, 5].new(),
        "A[5, :]": lambda: A[5, :].new(),
        "C[64, 64] << 1": lambda: update(A, assign_block),
        "C(M.S) << A": lambda: update(P, write_masked),
        "C(M.V) << 1": lambda: update(A, write_masked_value),
        "C(plus) << M": lambda: update(A, write_accumulated),
        "C(~M.S, replace) << A": lambda: update(P, write_replaced),
        "C[3, 4] = 7": lambda: update(A, element),
    }


def list_row_products(rows: list[Any], A: Any, semiring: Any) -> dict[str, Callable[[], Any]]:
    """Return the products of matrices of few sparse rows by name."""
    return {f"{F.nrows} rows of {F.nvals:,} @ A": lambda F=F: semiring.plus_first(F @ A).new() for F in rows}


def list_products(A: Any, L: Any, vectors: tuple[Any, Any], few: Any, semiring: Any) -> dict[str, Callable[[], Any]]:
    """Return products by name. L is the lower triangle of A; vectors are full and half full; few has 16 full rows."""
    full, half = vectors
    return {
        "plus_times A @ v": lambda: semiring.plus_times(A @ full).new(),
        "min_plus A @ v": lambda: semiring.min_plus(A @ full).new(),
        "any_pair A @ half v": lambda: semiring.any_pair(A @ half).new(),
        "16 full rows @ A": lambda: semiring.max_first(few @ A).new(),
        "C(L.S) << L @ L.T": lambda: semiring.plus_pair(L @ L.T).new(mask=L.S),
        "C(L.S) << L @ L": lambda: semiring.plus_pair(L @ L).new(mask=L.S),
        "A @ A": lambda: semiring.plus_pair(A @ A).new(),
    }


def require_same(name: str, ours: Any, theirs: Any) -> None:
    """Raise unless both results hold the same entries."""
    if hasattr(theirs, "to_coo"):
        for mine, other in zip(ours.to_coo(), theirs.to_coo(), strict=True):
            np.testing.assert_array_equal(mine, other, err_msg=name)
    else:
        assert ours.value == theirs.value, name


def main(scale: int = 16) -> None:
    gb.ss.config["nthreads"] = 1
    rng, n = np.random.default_rng(3), 1 << scale
    rows, columns, _ = map(np.asarray, gl.generate.kronecker(scale).A.to_coo())
    values, permutation = rng.integers(1, 200, rows.size).astype("float32"), rng.permutation(n)
    part = rng.random(rows.size) < 0.3
    (A, X), (P, Y), (M, Z) = (
        make_pair(rows, columns, values, n),
        make_pair(permutation[rows], permutation[columns], values, n),
        make_pair(rows[part], columns[part], values[part], n),
    )
    ours = list_operations(A, P, M, gl.binary, lambda places: places)
    theirs = list_operations(X, Y, Z, gb.binary, lambda places: places.astype("uint64"))
    pairs = [make_sparse_rows(rng, *sizes, n) for sizes in SPARSE_ROWS]
    ours |= list_row_products([pair[0] for pair in pairs], A, gl.semiring)
    theirs |= list_row_products([pair[1] for pair in pairs], X, gb.semiring)
    if scale <= LARGEST_PRODUCTS:
        half, full = rng.random(n) < 0.5, rng.integers(1, 9, n).astype("float32")
        few = rng.integers(1, 9, (16, n)).astype("float32")
        for lib, one, found in ((gl, A, ours), (gb, X, theirs)):
            v, w = lib.Vector.from_dense(full), lib.Vector.from_coo(np.flatnonzero(half), full[half], size=n)
            L = one.select("tril", -1).new()
            found |= list_products(one, L, (v, w), lib.Matrix.from_dense(few), lib.semiring)
    print(f"{'Kronecker ' + str(scale):24s} graphla ms  SuiteSparse ms  ratio")
    for name, call in ours.items():
        require_same(name, call(), theirs[name]())
        mine, other = measure(call), measure(theirs[name])
        print(f"{name:24s} {mine:10.2f} {other:15.2f} {mine / other:6.2f}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
