"""Calls that make scalars, vectors and matrices, change them, and export them."""

from __future__ import annotations

from collections.abc import Iterator

import graphblas as gb

from graphla import Matrix, Scalar, Vector, binary
from tests.fuzz.calls.call import Call, call_function, make_operands, on, plain

HOW = {"name": None, "engine": "cpu"}
COO = {"values": [1, 2], "dtype": "INT64", "dup_op": binary.plus, **HOW}
CSR = {"indptr": [0, 1, 2], "indices": [1, 0], "values": [1, 2], "dtype": "INT64", "nrows": 2, "ncols": 2, **HOW}
DENSE = {"missing_value": 0, "dtype": "INT64", **HOW}
ARROW = {"value": "z", "dup_op": "plus", "engine": "cpu"}
TABLE = {"x": [0, 1], "y": [1, 0], "z": [1.0, 2.0]}


def list_calls() -> Iterator[Call]:
    yield from list_constructors()
    yield from list_exports()
    yield from list_changes()
    yield from list_comparisons()


def list_constructors() -> Iterator[Call]:
    sizes, o = {"nrows": 2, "ncols": 2}, make_operands()
    yield plain("Vector", Vector, dtype="INT8", size=3, **HOW)
    yield plain("Matrix", Matrix, dtype="INT8", nrows=3, ncols=2, **HOW)
    yield plain("Scalar", Scalar, dtype="INT8", value=3, is_cscalar=True, name="s")
    yield plain("Scalar.from_value", Scalar.from_value, value=3, dtype="INT8", is_cscalar=True, name="s")
    yield plain("Vector.from_coo", Vector.from_coo, indices=[0, 1], size=3, **COO)
    yield plain("Matrix.from_coo", Matrix.from_coo, rows=[0, 1], columns=[1, 0], **sizes, **COO)
    yield plain("Matrix.from_csr", Matrix.from_csr, **CSR)
    yield plain("Matrix.from_csc", Matrix.from_csc, **CSR)
    lines = {"indptr": [0, 1, 2], "indices": [1, 0], "values": [1, 2], "dtype": "INT64", "nrows": 9, "ncols": 9, **HOW}
    yield plain("Matrix.from_dcsr", Matrix.from_dcsr, compressed_rows=[0, 5], **lines)
    yield plain("Matrix.from_dcsc", Matrix.from_dcsc, compressed_cols=[0, 5], **lines)
    yield plain("Vector.from_dense", Vector.from_dense, values=[1, 0], copy=True, **DENSE)
    yield plain("Matrix.from_dense", Matrix.from_dense, values=[[1, 0]], **DENSE)
    yield plain("Vector.from_pairs", Vector.from_pairs, pairs=[(0, 1)], dtype="INT64", size=2, dup_op=None, **HOW)
    yield plain("Vector.from_dict", Vector.from_dict, entries={0: 1}, dtype="INT64", size=2, **HOW)
    yield plain("Vector.from_scalar", Vector.from_scalar, value=1, size=2, dtype="INT64", **HOW)
    yield plain("Matrix.from_scalar", Matrix.from_scalar, value=1, dtype="INT64", **HOW, **sizes)
    edges = {"edges": [(0, 1)], "values": [1], "dtype": "INT64", "dup_op": "plus", **sizes, **HOW}
    yield plain("Matrix.from_edgelist", Matrix.from_edgelist, **edges)
    dicts = {"nested": {0: {1: 2}}, "dtype": "INT64", "order": "rowwise", **sizes, **HOW}
    yield plain("Matrix.from_dicts", Matrix.from_dicts, **dicts)
    matrix = o["A"].to_scipy_sparse()
    yield plain("Matrix.from_scipy_sparse", Matrix.from_scipy_sparse, matrix=matrix, dup_op="plus", **HOW)
    yield plain("Vector.from_arrow", Vector.from_arrow, table=TABLE, index="x", size=2, **ARROW)
    yield plain("Matrix.from_arrow", Matrix.from_arrow, table=TABLE, row="x", column="y", **sizes, **ARROW)
    theirs = gb.Vector.from_coo([0], [1], size=2), gb.Matrix.from_coo([0], [1], [2], nrows=2, ncols=2)
    yield plain("Vector.from_graphblas", Vector.from_graphblas, source=theirs[0], engine="cpu")
    yield plain("Matrix.from_graphblas", Matrix.from_graphblas, source=theirs[1], engine="cpu")


def list_exports() -> Iterator[Call]:
    yield on("v", "to_coo", dtype="FP64", indices=True, values=True, sort=True)
    yield on("A", "to_coo", dtype="FP64", rows=True, columns=True, values=True, sort=True)
    yield on("A", "to_csr", dtype="FP64", sort=True)
    yield on("A", "to_csc", dtype="FP64", sort=True)
    yield on("A", "to_dcsr", dtype="FP64", sort=True)
    yield on("A", "to_dcsc", dtype="FP64", sort=True)
    yield on("A", "to_dicts", order="rowwise")
    yield on("A", "to_edgelist", dtype="FP64", values=True, sort=True)
    yield on("A", "to_networkx", edge_attribute="weight")
    for name in ("v", "A"):
        yield on(name, "to", engine="cpu")
        yield on(name, "head", count=1)
        yield on(name, "wait", how="complete")
        yield on(name, "to_dense", fill_value=0, dtype="FP64")
        yield on(name, "to_numpy", fill_value=0)
        yield on(name, "to_arrow", labels=["a", "b", "c", "d"])
        yield on(name, "to_scipy_sparse", format="csr")
        yield on(name, "dup", dtype="FP64", clear=False, mask=make_operands()[name].S, name="copy")
        yield on(name, "dup", clear=True)
    yield on("v", "to_arrow", labels=None, value_labels=list("abcdefghij"))
    yield on("v", "get", index=0, default=None)
    yield on("A", "get", row=0, col=1, default=None)
    yield on("s", "get", default=None)
    yield on("s", "wait", how="complete")
    for method in ("dup", "new"):
        yield on("s", method, dtype="FP64", is_cscalar=True, name="s")
    yield on("s", "dup", clear=False)
    yield on("s", "new", mask=None)


def list_changes() -> Iterator[Call]:
    yield on("v", "resize", size=3)
    yield on("A", "resize", nrows=3, ncols=3)
    yield on("v", "reposition", offset=1, size=5)
    yield on("A", "reposition", row_offset=1, column_offset=0, nrows=5, ncols=5)
    yield on("v", "build", indices=[0], values=[1], dup_op=None, clear=True, size=4)
    build = {"rows": [0], "columns": [1], "values": [1], "dup_op": None, "clear": True, "nrows": 4, "ncols": 4}
    yield on("A", "build", **build)
    yield on("v", "diag", k=1, dtype="FP64", name="D")
    yield on("A", "diag", k=1, dtype="FP64", name="d")
    yield on("A", "setdiag", values=1, k=1, mask=None, accum=None)
    for name, index in (("v", 0), ("A", (0, 1))):
        yield call_function(f"{name}[…]", lambda o, index, name=name: o[name][index], index=index)
        yield call_function(f"… in {name}", lambda o, index, name=name: index in o[name], index=index)
        yield call_function(f"del {name}[…]", lambda o, index, name=name: o[name].__delitem__(index), index=index)
        yield call_function(
            f"{name}[…] = value",
            lambda o, index, value, name=name: o[name].__setitem__(index, value),
            index=index, value=1,
        )  # fmt: skip
    part = {"rows": slice(0, 2), "columns": [0, 1], "value": 1}
    yield call_function(
        "A[…, …] = value", lambda o, rows, columns, value: o["A"].__setitem__((rows, columns), value), **part
    )
    yield call_function("A[…, …]", lambda o, rows, columns: o["A"][rows, columns], rows=0, columns=[0, 1])
    yield call_function("s.value = …", lambda o, value: setattr(o["s"], "value", value), value=2)
    yield on("s", "update", value=4)


def list_comparisons() -> Iterator[Call]:
    for name, other in (("v", "w"), ("A", "A")):
        yield on(name, "isequal", other=make_operands()[other], check_dtype=False)
        yield on(name, "isclose", other=make_operands()[other], rel_tol=1e-7, abs_tol=0.0, check_dtype=False)
    yield on("s", "isequal", other=5, check_dtype=False)
    yield on("s", "isclose", other=5, rel_tol=1e-7, abs_tol=0.0, check_dtype=False)
