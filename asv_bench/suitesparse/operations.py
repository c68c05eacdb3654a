"""Every operation of the language, products left out: a function of the operands by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

Case = Callable[[Any], Callable[[], Any]]
"""Prepares what the operation needs, and returns the call that is timed."""


def update(held: Any, change: Callable[[Any], Any]) -> Callable[[], Any]:
    """Return a call that changes a copy."""

    def call() -> Any:
        copy = held.dup()
        change(copy)
        return copy

    return call


def write(text: str, into: str = "A") -> Case:
    """Return the case of a statement about C, a copy of an operand."""
    code = compile(text, text, "exec")
    return lambda o: update(getattr(o, into), lambda C: exec(code, {"o": o, "C": C, **collect_names(o)}))


def take(text: str) -> Case:
    """Return the case of an expression of the operands."""
    code = compile(f"lambda: {text}", text, "eval")
    return lambda o: eval(code, {"o": o, **collect_names(o)})


def bind(run: Callable[..., Any], *makers: Callable[[Any], Any]) -> Case:
    """Return the case of ``run(o, …)`` with what the makers prepare of the operands."""
    return lambda o: partial(run, o, *(make(o) for make in makers))


def assign(index: Callable[[Any], Any], source: Callable[[Any], Any], accumulate: bool = False) -> Case:
    """Return the case of ``C[I, J] << part``, the same part of another matrix."""

    def prepare(o: Any) -> Callable[[], Any]:
        places, part = index(o), source(o)

        def change(C: Any) -> None:
            if accumulate:
                C[places](o.add) << part
            else:
                C[places] << part

        return update(o.A, change)

    return prepare


def order_rows(o: Any) -> Any:
    return o.index(o.row_order)


def order_columns(o: Any) -> Any:
    return o.index(o.column_order)


def index_block(o: Any) -> Any:
    return o.block_rows, o.block_columns


def index_quarter(o: Any) -> Any:
    return o.quarter_rows, o.quarter_columns


def scatter(o: Any, places: Any, C: Any) -> None:
    C[places] << o.x


def collect_names(o: Any) -> dict[str, Any]:
    """Return the names that statements use; operands are made when they are read."""
    names = {name: getattr(o, name) for name in ("op", "ring", "agg", "add", "mul", "replace", "most", "n", "m", "lib")}
    return names | {"one": o.number(1), "limit": o.number(0 if o.dtype == "bool" else 100), "np": np}


ELEMENT_WISE: dict[str, Case] = {
    "A | P": take("add(o.A | o.P).new()"),
    "A | M": take("add(o.A | o.M).new()"),
    "A & P": take("mul(o.A & o.P).new()"),
    "A & M": take("mul(o.A & o.M).new()"),
    "A | A.T": take("add(o.A | o.A.T).new()"),
    "ewise_union": take("o.A.ewise_union(o.M, add, one, one).new()"),
    "x | half": take("add(o.x | o.half).new()"),
    "x & half": take("mul(o.x & o.half).new()"),
    "half | half": take("add(o.half | o.half).new()"),
    "few | few": take("add(o.few | o.few).new()"),
    "x + x": take("add(o.x | o.x).new()"),
    "apply ainv, A": take("o.A.apply('ainv' if o.dtype != 'bool' else 'lnot').new()"),
    "apply bound, A": take("o.A.apply(add, right=one).new()"),
    "apply rowindex, A": take("o.A.apply('rowindex').new()"),
    "apply ainv, x": take("o.x.apply('ainv' if o.dtype != 'bool' else 'lnot').new()"),
    "apply bound, half": take("o.half.apply(add, right=one).new()"),
    "apply index, x": take("o.x.apply('index').new()"),
    "tril": take("o.A.select('tril', -1).new()"),
    "triu": take("o.A.select('triu', 1).new()"),
    "offdiag": take("o.A.select('offdiag').new()"),
    "rowle": take("o.A.select('rowle', n // 2).new()"),
    "colle": take("o.A.select('colle', m // 2).new()"),
    "valuege": take("o.A.select('valuege', limit).new()"),
    "valuene": take("o.A.select('valuene', limit).new()"),
    "valuege, x": take("o.x.select('valuege', limit).new()"),
    "valuege, half": take("o.half.select('valuege', limit).new()"),
}
REDUCTIONS: dict[str, Case] = {
    "rows plus": take("o.A.reduce_rowwise(add).new()"),
    "rows max": take("o.A.reduce_rowwise(most).new()"),
    "rows any": take("o.A.reduce_rowwise('any').new()"),
    "columns plus": take("o.A.reduce_columnwise(add).new()"),
    "columns max": take("o.A.reduce_columnwise(most).new()"),
    "scalar plus": take("o.A.reduce_scalar(add).new()"),
    "scalar max": take("o.A.reduce_scalar(most).new()"),
    "rows count": take("o.A.reduce_rowwise(agg.count).new()"),
    "rows mean": take("o.A.reduce_rowwise(agg.mean).new()"),
    "x plus": take("o.x.reduce(add).new()"),
    "half max": take("o.half.reduce(most).new()"),
}
EXTRACTS: dict[str, Case] = {
    "A[quarter, quarter]": take("o.A[o.quarter_rows, o.quarter_columns].new()"),
    "A[p, p]": bind(lambda o, p, q: o.A[p, q].new(), order_rows, order_columns),
    "A[quarter, :]": take("o.A[o.quarter_rows, :].new()"),
    "A[:, quarter]": take("o.A[:, o.quarter_columns].new()"),
    "A[: n / 2, : m / 2]": take("o.A[: n // 2, : m // 2].new()"),
    "A[n / 2 :, :]": take("o.A[n // 2 :, :].new()"),
    "A[:, 5]": take("o.A[:, 5].new()"),
    "A[5, :]": take("o.A[5, :].new()"),
    "A[64, 64]": take("o.A[o.block_rows, o.block_columns].new()"),
    "A[64, :]": take("o.A[o.block_rows, :].new()"),
    "A.T[64, :]": take("o.A.T[o.block_columns, :].new()"),
    "x[p]": bind(lambda o, p: o.x[p].new(), order_columns),
    "half[p]": bind(lambda o, p: o.half[p].new(), order_columns),
    "x[64]": take("o.x[o.block_columns].new()"),
    "x[: m / 2]": take("o.x[: m // 2].new()"),
    "A.get(3, 4)": take("o.A.get(3, 4)"),
    "A[3, 4].new()": take("o.A[3, 4].new()"),
    "x.get(5)": take("o.x.get(5)"),
}
WRITES: dict[str, Case] = {
    "C(M.S) << A": write("C(o.M.S) << o.A", "P"),
    "C(M.V) << A": write("C(o.M.V) << o.A", "P"),
    "C(M.S, replace) << A": write("C(o.M.S, replace) << o.A", "P"),
    "C(~M.S, replace) << A": write("C(~o.M.S, replace) << o.A", "P"),
    "C(~M.V) << A": write("C(~o.M.V) << o.A", "P"),
    "C(M.V) << 1": write("C(o.M.V) << one"),
    "C(M.S) << 1": write("C(o.M.S) << one"),
    "C(A.S) << 1": write("C(o.A.S) << one"),
    "C(plus) << M": write("C(add) << o.M"),
    "C(M.S, plus) << A": write("C(o.M.S, add) << o.A"),
    "C << A | M": write("C << add(o.A | o.M)"),
    "C(M.S) << A.T": write("C(o.M.S) << o.A.T", "P"),
    "C[64, 64] << 1": write("C[o.block_rows, o.block_columns] << one"),
    "C[64, 64] << block": assign(index_block, lambda o: o.P[index_block(o)].new()),
    "C[64, :] << rows": assign(lambda o: (o.block_rows, slice(None)), lambda o: o.P[o.block_rows, :].new()),
    "C[quarter, quarter] << part": assign(index_quarter, lambda o: o.P[index_quarter(o)].new()),
    "C[quarter, quarter](plus) << part": assign(index_quarter, lambda o: o.P[index_quarter(o)].new(), accumulate=True),
    "C[5, :] << x": write("C[5, :] << o.few"),
    "C[:, 5] << y": write("C[:, 5] << o.y"),
    "C[3, 4] = 1": write("C[3, 4] = one"),
    "64 elements set": write("for i in range(64): C[i, 2 * i] = one"),
    "64 elements deleted": write("for i in range(64): del C[i, i + 1]"),
    "x(half.S) << x": write("C(o.half.S) << o.x", "x"),
    "x(~half.V, replace) << x": write("C(~o.half.V, replace) << o.x", "x"),
    "x(plus) << half": write("C(add) << o.half", "x"),
    "half(few.S) << 1": write("C(o.few.S) << one", "half"),
    "x[p] << x": lambda o: update(o.x, partial(scatter, o, order_columns(o))),
    "x[64] << 1": write("C[o.block_columns] << one", "x"),
    "x[5] = 1": write("C[5] = one", "x"),
    "x << 1": write("C << one", "x"),
    "A.dup(dtype)": take("o.A.dup(dtype='FP64' if o.dtype != 'float64' else 'FP32')"),
}


def list_coo(o: Any, mixed: bool) -> tuple[Any, ...]:
    order = o.order if mixed else slice(None)
    return o.index(o.graph.rows[order]), o.index(o.graph.columns[order]), o.values[order]


def build(mixed: bool, repeated: bool = False) -> Case:
    """Return the case of a matrix from coordinates; repeated cells share half of the columns."""

    def prepare(o: Any) -> Callable[[], Any]:
        rows, columns, values = list_coo(o, mixed)
        shape = {"nrows": o.n, "ncols": o.m, **o.where}
        if repeated:
            columns = columns // columns.dtype.type(2)
            return lambda: o.lib.Matrix.from_coo(rows, columns, values, dup_op=o.add, **shape)
        return lambda: o.lib.Matrix.from_coo(rows, columns, values, **shape)

    return prepare


def build_vector(repeated: bool) -> Case:
    def prepare(o: Any) -> Callable[[], Any]:
        places = o.index(o.column_order // (2 if repeated else 1))
        values = o.x.to_coo()[1]
        more = {"dup_op": o.add} if repeated else {}
        return lambda: o.lib.Vector.from_coo(places, values, size=o.m, **more, **o.where)

    return prepare


def convert_csr(o: Any) -> Callable[[], Any]:
    arrays = o.A.to_csr()
    return lambda: o.lib.Matrix.from_csr(*arrays, ncols=o.m, **o.where)


def transpose(o: Any) -> Callable[[], Any]:
    """Transpose anew: neither library may share what it has."""
    if o.ours:

        def call() -> Any:
            o.A._storage._cache.pop("transposed", None)
            return o.A.T.new()

        return call
    return lambda: o.A.T.new()


CONVERSIONS: dict[str, Case] = {
    "from_coo, sorted": build(mixed=False),
    "from_coo, mixed": build(mixed=True),
    "from_coo, repeats": build(mixed=True, repeated=True),
    "from_coo x": build_vector(repeated=False),
    "from_coo x, repeats": build_vector(repeated=True),
    "from_csr": convert_csr,
    "to_coo": take("o.A.to_coo()"),
    "to_csr": take("o.A.to_csr()"),
    "to_coo x": take("o.half.to_coo()"),
    "to_dense x": take("o.half.to_dense(fill_value=one)"),
    "transpose": transpose,
    "diag of x": take("o.x.diag()"),
    "diag of A": take("o.A.diag()"),
    "kronecker": bind(
        lambda o, B, D: B.kronecker(D, o.mul).new(), lambda o: o.A[index_block(o)].new(), lambda o: o.A[:64, :64].new()
    ),
    "outer": bind(lambda o, v: v.outer(o.x, o.mul).new(), lambda o: o.x[o.block_columns].new()),
    "isequal": bind(lambda o, B: o.A.isequal(B), lambda o: o.A.dup()),
}
