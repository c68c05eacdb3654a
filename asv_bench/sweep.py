"""Time every operation of the language once, and mark what moves its bytes slowly.

    python asv_bench/sweep.py cpu 15 10
    python asv_bench/sweep.py cuda 20 10 --only extract

For each Kronecker graph (its scale is given; float32 weights) and operation: the median milliseconds, and GB/s of the
bytes that it must move at least, which are its operands and its result. The machine's own stream, a copy, is measured
in the same run, and so is the time of an operation on one entry. `slow` marks what takes more than 20 times the
stream's time beside four times that of one entry. On the CPU the time is that of the process, with one thread, so that
other programs disturb little; on a GPU it is the device's, between two events that a busy device separates from the
host. Products are left out: their work is in their terms (`gpu/matrices.py`,
`against_suitesparse.py`).
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("GRAPHLA_THREADS", "1")

import numpy as np

import graphla as gl
from graphla import agg, binary, indexunary, monoid, select, unary
from graphla.engine import get_engine
from graphla.measuring.comparing.clock import time_both_on_cuda

TWENTIETH = 20
OVERHEAD = 4
"""Times the time of an operation on one entry that any operation may take."""
STREAMED = 1 << 28
"""Bytes of the copy that measures the stream."""
BLOCK = 64
SEED = 7


@dataclass(frozen=True)
class Operation:
    name: str
    call: Callable[[], Any]
    moved: Callable[[Any], int]
    """The bytes that must move, of the result."""


@dataclass(frozen=True)
class Operands:
    """What the operations work on: a graph's matrix, another one, vectors, and indices on the device and in lists."""

    A: gl.Matrix
    B: gl.Matrix
    C: gl.Matrix
    F: gl.Matrix
    x: gl.Vector
    y: gl.Vector
    half: gl.Vector
    order: Any
    quarter: Any
    few: list[int]

    @classmethod
    def make(cls, scale: int, engine: Any) -> Operands:
        A, B = (make_matrix(scale, seed, engine) for seed in (1, 2))
        n, random = A.nrows, np.random.default_rng(SEED)
        x, y = (gl.Vector.from_dense(random.random(n, "float32"), engine=engine) for _ in range(2))
        half = x.select("valuegt", np.float32(0.5)).new()
        F = gl.Matrix.from_dense(random.random((8, n), "float32"), engine=engine)
        order = engine.xp.asarray(random.permutation(n))
        few = sorted(random.choice(n, BLOCK, replace=False).tolist())
        return cls(
            A, B, A.dup(), F, x, y, half, order, engine.xp.asarray(np.sort(random.permutation(n)[: n // 4])), few
        )


def make_matrix(scale: int, seed: int, engine: Any) -> gl.Matrix:
    graph = gl.generate.kronecker(scale, seed=seed, weights=(1, 255), engine=engine.name)
    return gl.Matrix.from_coo(*graph.A.to_coo(), dtype="FP32", nrows=graph.n, ncols=graph.n, engine=engine)


def count_bytes(*containers: Any) -> int:
    return sum(int(getattr(each, "nbytes", 8)) for each in containers)


def list_element_wise(o: Operands) -> Iterator[Operation]:
    """Unions, intersections, apply and select."""
    A, B, x, y, half = o.A, o.B, o.x, o.y, o.half

    def each(name: str, call: Callable[[], Any], *reads: Any) -> Operation:
        return Operation(name, call, lambda result: count_bytes(*reads, result))

    yield each("A | A", lambda: binary.plus(A | A).new(), A, A)
    yield each("A | B", lambda: binary.plus(A | B).new(), A, B)
    yield each("A & B", lambda: binary.times(A & B).new(), A, B)
    yield each("ewise_union A, B", lambda: A.ewise_union(B, "minus", 0, 0).new(), A, B)
    yield each("x | y", lambda: binary.plus(x | y).new(), x, y)
    yield each("x & half", lambda: binary.times(x & half).new(), x, half)
    yield each("half | half", lambda: binary.plus(half | half).new(), half, half)
    yield each("apply unary, A", lambda: unary.ainv(A).new(), A)
    yield each("apply unary, x", lambda: unary.ainv(x).new(), x)
    yield each("apply bound, A + 1", lambda: A.apply(binary.plus, right=1).new(), A)
    yield each("apply index, A", lambda: indexunary.rowindex(A).new(), A)
    yield each("apply index, x", lambda: indexunary.index(x).new(), x)
    yield each("select value, A", lambda: select.valuegt(A, 128).new(), A)
    yield each("select tril, A", lambda: select.tril(A, -1).new(), A)
    yield each("select value, x", lambda: select.valuegt(x, 0.5).new(), x)


def list_reductions(o: Operands) -> Iterator[Operation]:
    """Reductions and aggregators."""
    A, x, half = o.A, o.x, o.half

    def each(name: str, call: Callable[[], Any], *reads: Any) -> Operation:
        return Operation(name, call, lambda result: count_bytes(*reads, result))

    for name in ("plus", "max"):
        yield each(f"reduce rows {name}", lambda name=name: A.reduce_rowwise(name).new(), A)
        yield each(f"reduce columns {name}", lambda name=name: A.reduce_columnwise(name).new(), A)
    yield each("reduce scalar, A", lambda: A.reduce_scalar(monoid.plus).new(), A)
    yield each("reduce x", lambda: x.reduce(monoid.min).new(), x)
    yield each("reduce half", lambda: half.reduce(monoid.plus).new(), half)
    for one in (agg.mean, agg.count, agg.stds):
        yield each(f"{one} of rows", lambda one=one: A.reduce_rowwise(one).new(), A)
        yield each(f"{one} of x", lambda one=one: x.reduce(one).new(), x)


def list_extracts(o: Operands) -> Iterator[Operation]:
    """Rows, columns, blocks and elements taken."""
    A, x, half = o.A, o.x, o.half

    def each(name: str, call: Callable[[], Any], extra: int = 0) -> Operation:
        return Operation(name, call, lambda result: extra + 2 * count_bytes(result))

    indices = o.order.nbytes
    yield each("extract x[order]", lambda: x[o.order].new(), indices)
    yield each("extract half[order]", lambda: half[o.order].new(), indices)
    yield each("extract A[order, order]", lambda: A[o.order, o.order].new(), 2 * indices)
    yield each("extract A[quarter, :]", lambda: A[o.quarter, :].new(), o.quarter.nbytes)
    yield each("extract A[:, quarter]", lambda: A[:, o.quarter].new(), o.quarter.nbytes + A.nbytes)
    yield each("extract A[quarter, quarter]", lambda: A[o.quarter, o.quarter].new(), o.quarter.nbytes)
    yield each("extract A[: n // 2, : n // 2]", lambda: A[: A.nrows // 2, : A.nrows // 2].new())
    yield each("extract A[5, :]", lambda: A[5, :].new())
    yield each("extract A[:, 5]", lambda: A[:, 5].new(), A.nbytes // 2)
    yield each("extract A[64, 64]", lambda: A[o.few, o.few].new())
    yield each("element A[5, 7]", lambda: A.get(5, 7))
    yield each("element x[5]", lambda: x.get(5))


def list_assignments(o: Operands) -> Iterator[Operation]:
    """Writes through masks, accumulators and indices."""
    A, B, C, x, y = o.A, o.B, o.C, o.x.dup(), o.y
    n = A.nrows
    corner, block = A[: n // 2, : n // 2].new(), A[o.few, o.few].new()
    rows = A[o.few, :].new()

    def each(name: str, write: Callable[[], Any], into: Any, *reads: Any, extra: int = 0) -> Operation:
        def call() -> Any:
            write()
            return into

        return Operation(name, call, lambda result: extra + count_bytes(*reads, result))

    yield each("C << A", lambda: C << A, C, A)
    yield each("C(M.S) << B", lambda: C(A.S) << B, C, A, B)
    yield each("C(M.V) << 1", lambda: C(A.V) << 1, C, A)
    yield each("C(~M.S, replace) << B", lambda: C(~A.S, gl.replace) << B, C, A, B)
    yield each("C(plus) << B", lambda: C(binary.plus) << B, C, B)
    yield each("C[: n // 2, : n // 2] << corner", lambda: C[: n // 2, : n // 2] << corner, C, corner)
    yield each("C[64, 64] << block", lambda: C[o.few, o.few] << block, C, block)
    yield each("C[64, 64] << 1", lambda: C[o.few, o.few] << 1, C)
    yield each("C[64, :] << rows", lambda: C[o.few, :] << rows, C, rows)
    yield each("x[order] << y", lambda: x[o.order] << y, x, y, extra=o.order.nbytes)
    yield each("x(M.S) << y", lambda: x(o.half.S) << y, x, y, o.half)
    yield each("x(plus) << y", lambda: x(binary.plus) << y, x, y, x)
    yield each("x << 1", lambda: x << 1, x)
    yield each("element C[5, 7] = 1, read", lambda: (C.__setitem__((5, 7), 1), C.nvals), C)


def list_conversions(o: Operands) -> Iterator[Operation]:
    """Containers made, copied, transposed, exported."""
    A, x, F = o.A, o.x, o.F
    rows, columns, values = A.to_coo()
    n, mixed = A.nrows, A.engine.xp.asarray(np.random.default_rng(SEED).permutation(A.nvals))
    coo = rows[mixed], columns[mixed], values[mixed]

    def each(name: str, call: Callable[[], Any], *reads: Any, extra: int = 0) -> Operation:
        return Operation(name, call, lambda result: extra + count_bytes(*reads, result))

    def transpose() -> Any:
        A._storage._cache.pop("transposed", None)
        return A.T.new()

    def duplicate() -> Any:
        return A.dup(dtype="FP64")

    yield each("transpose A", transpose, A)
    yield each("transpose full 8 x n", lambda: F.T.new(), F)
    yield each("dup to FP64", duplicate, A)
    yield each(
        "from_coo, mixed",
        lambda: gl.Matrix.from_coo(*coo, nrows=n, ncols=n, engine=A.engine),
        *coo,
    )
    yield each(
        "from_coo, sorted", lambda: gl.Matrix.from_coo(rows, columns, values, nrows=n, ncols=n, engine=A.engine), *coo
    )
    yield each(
        "from_coo x, repeats",
        lambda: gl.Vector.from_coo(o.order // 2, x.to_dense(), dup_op=binary.plus, size=n, engine=x.engine),
        x,
        o.order,
    )
    yield Operation("to_coo", lambda: A.to_coo(), lambda result: count_bytes(A, *result))
    yield each("diag of x", lambda: x.diag(), x)
    yield each("diag of A", lambda: A.diag(), extra=12 * n)
    yield each("x.diag() @ A", lambda: gl.semiring.plus_times(x.diag() @ A).new(), x, A)
    yield each("A @ x.diag()", lambda: gl.semiring.plus_times(A @ x.diag()).new(), x, A)
    yield each("outer of 64 and n", lambda: x[o.few].new().outer(x, binary.times).new(), x)
    yield each(
        "kronecker 64 x 64, 64 x 64",
        lambda: A[o.few, o.few].new().kronecker(A[:BLOCK, :BLOCK].new(), binary.times).new(),
    )


def measure(call: Callable[[], Any], engine: Any, repeats: int) -> float:
    """The median seconds of a call: of the device on a GPU, else of the process."""
    for _ in range(2):
        call()
    if engine.name == "cuda":
        return statistics.median(time_both_on_cuda(call, engine)[0] for _ in range(repeats))
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return statistics.median(times)


def measure_stream(engine: Any, repeats: int) -> float:
    """Bytes a second of a copy, read and written."""
    data = engine.xp.zeros(STREAMED, "int8")
    copy = engine.xp.zeros_like(data)
    return 2 * STREAMED / measure(lambda: engine.xp.copyto(copy, data), engine, repeats)


def sweep(scale: int, engine: Any, only: list[str], repeats: int) -> int:
    """Print a line per operation; return how many are slow."""
    o, stream = Operands.make(scale, engine), measure_stream(engine, repeats)
    one = gl.Vector.from_dense([1.0], engine=engine)
    least = measure(lambda: unary.ainv(one).new(), engine, repeats)
    print(
        f"{engine.name}, kron{scale}: {o.A.nrows:,} vertices, {o.A.nvals:,} entries; the machine copies "
        f"{stream / 1e9:.1f} GB/s; an operation on one entry takes {1e6 * least:.1f} us"
    )
    slow = 0
    for operations in (list_element_wise, list_reductions, list_extracts, list_assignments, list_conversions):
        for each in operations(o):
            if not only or any(word in each.name for word in only):
                seconds, moved = measure(each.call, engine, repeats), each.moved(each.call())
                marked = seconds > OVERHEAD * least + TWENTIETH * moved / stream
                slow += marked
                print(
                    f"  {each.name:32} {1e3 * seconds:10.4f} ms {moved / seconds / 1e9:9.2f} GB/s{'  slow' * marked}",
                    flush=True,
                )
    return slow


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=["cpu", "cuda"])
    parser.add_argument("scales", type=int, nargs="+", help="of the Kronecker graphs")
    parser.add_argument("--only", nargs="*", default=[], help="parts of names: other operations are left out")
    parser.add_argument("--repeats", type=int, default=7)
    asked = parser.parse_args()
    for scale in asked.scales:
        slow = sweep(scale, get_engine(asked.engine), asked.only, asked.repeats)
        print(f"  {slow} slow")


if __name__ == "__main__":
    main()
