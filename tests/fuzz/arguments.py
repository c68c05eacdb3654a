"""Wrong arguments: every public call, one argument at a time replaced by something that does not belong there.

A call may accept what it is given, or refuse it with an error of graphla that says what was expected. Anything else (an
AttributeError from inside, a raw text of NumPy or Numba, a hang) is a fault of ours.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import graphla as gl
from graphla import agg, binary, indexunary, monoid, select, semiring, unary
from graphla.errors import GraphlaError
from graphla.language.expr import Expr


@dataclass(frozen=True)
class Call:
    """A call that works, and the arguments of it that may be replaced."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]

    def with_wrong(self, name: str, value: Any) -> Any:
        return self.function(**{**self.arguments, name: value})


def fresh() -> dict[str, Any]:
    """Operands for one call: a call may change them."""
    return {
        "v": gl.Vector.from_coo([0, 2], [3, 4], size=4, engine="cpu"),
        "w": gl.Vector.from_coo([1, 2], [1, 2], size=4, engine="cpu"),
        "A": gl.Matrix.from_coo([0, 1, 3], [1, 2, 0], [5, 6, 7], nrows=4, ncols=4, engine="cpu"),
        "s": gl.Scalar.from_value(5),
        "G": gl.Graph(([0, 1, 2], [1, 2, 0], [1, 2, 3]), n=4, engine="cpu"),
    }


def wrong_values() -> dict[str, Any]:
    """What a user may hand in by mistake, by the name under which a failure is reported."""
    o = fresh()
    return {
        "None": None, "text": "nonsense", "bytes": b"x", "negative": -1, "huge": 10**30, "fraction": 1.5,
        "nan": float("nan"), "complex": 1j, "object": object(), "empty list": [], "nested list": [[1, 2], [3]],
        "list of text": ["a", "b"], "dict": {"a": 1}, "set": {1, 2}, "function": len, "type": int,
        "date": np.datetime64("2026-01-01"), "day": datetime.date(2026, 1, 1),
        "array of objects": np.array([{}, None], object),
        "array 3-d": np.zeros((2, 2, 2)), "array of text": np.array(["x", "y"]), "array of NaN": np.array([np.nan]),
        "range": range(-3, 0), "slice": slice("a", None), "ellipsis": ..., "tuple": (0, 1, 2, 3), "vector": o["v"],
        "matrix": o["A"], "scalar": o["s"], "empty scalar": gl.Scalar("INT64"), "graph": o["G"], "transpose": o["A"].T,
        "mask": o["v"].S, "mask of a matrix": ~o["A"].V, "infix": o["v"] | o["w"], "product": o["A"] @ o["v"],
        "expression": binary.plus(o["v"] | o["w"]), "reduction": o["v"].reduce("plus"), "extract": o["v"][0],
        "unary": unary.abs, "binary": binary.plus, "positional": binary.firsti, "indexunary": indexunary.tril,
        "monoid": monoid.plus, "semiring": semiring.min_plus, "aggregator": agg.mean, "select": select.tril,
        "replace": gl.replace, "module": np, "class": gl.Vector, "other size": gl.Vector("INT64", 7),
        "other shape": gl.Matrix("FP32", 2, 9), "dtype": np.float32,
    }  # fmt: skip


def calls() -> Iterator[Call]:
    """Calls that work. Each makes its own operands, for some change them."""

    def on(name: str, attribute: str, **arguments: Any) -> Call:
        return Call(f"{name}.{attribute}", lambda **given: force(getattr(fresh()[name], attribute)(**given)), arguments)

    def of(name: str, function: Callable[..., Any], **arguments: Any) -> Call:
        return Call(name, lambda **given: force(function(fresh(), **given)), arguments)

    o = fresh()
    V, M = gl.Vector, gl.Matrix
    yield Call("Vector", lambda **given: V(**given), {"dtype": "INT8", "size": 3, "engine": "cpu"})
    yield Call("Matrix", lambda **given: M(**given), {"dtype": "INT8", "nrows": 3, "ncols": 2, "engine": "cpu"})
    yield Call("Scalar", lambda **given: gl.Scalar(**given), {"dtype": "INT8", "value": 3})
    yield Call("Scalar.from_value", gl.Scalar.from_value, {"value": 3, "dtype": "INT8"})
    coo = {"values": [1, 2], "dtype": "INT64", "dup_op": binary.plus, "engine": "cpu"}
    yield Call("Vector.from_coo", V.from_coo, {"indices": [0, 1], "size": 3, **coo})
    yield Call("Matrix.from_coo", M.from_coo, {"rows": [0, 1], "columns": [1, 0], "nrows": 2, "ncols": 2, **coo})
    csr = {"indptr": [0, 1, 2], "indices": [1, 0], "values": [1, 2], "dtype": "INT64", "engine": "cpu"}
    yield Call("Matrix.from_csr", M.from_csr, {**csr, "ncols": 2})
    yield Call("Matrix.from_csc", M.from_csc, {**csr, "nrows": 2})
    dense = {"missing_value": 0, "dtype": "INT64", "engine": "cpu"}
    yield Call("Vector.from_dense", V.from_dense, {"values": [1, 0], **dense})
    yield Call("Matrix.from_dense", M.from_dense, {"values": [[1, 0]], **dense})
    yield Call("Vector.from_pairs", V.from_pairs, {"pairs": [(0, 1)], "dtype": "INT64", "size": 2, "dup_op": None})
    yield Call("Vector.from_dict", V.from_dict, {"entries": {0: 1}, "dtype": "INT64", "size": 2})
    yield Call("Vector.from_scalar", V.from_scalar, {"value": 1, "size": 2, "dtype": "INT64", "engine": "cpu"})
    scalar = {"value": 1, "nrows": 2, "ncols": 2, "dtype": "INT64", "engine": "cpu"}
    yield Call("Matrix.from_scalar", M.from_scalar, scalar)
    yield Call("Matrix.from_edgelist", M.from_edgelist, {"edges": [(0, 1)], "values": [1], "nrows": 2, "ncols": 2})
    yield Call("Matrix.from_dicts", M.from_dicts, {"nested": {0: {1: 2}}, "order": "rowwise", "nrows": 2, "ncols": 2})
    yield Call("Matrix.from_scipy_sparse", M.from_scipy_sparse, {"matrix": o["A"].to_scipy_sparse(), "engine": "cpu"})
    for name in ("v", "A"):
        other = o["w"] if name == "v" else o["A"]
        yield on(name, "apply", op=binary.plus, right=1)
        yield on(name, "apply", op=unary.abs)
        yield on(name, "select", op="valuegt", thunk=3)
        yield on(name, "ewise_add", other=other, op=binary.plus)
        yield on(name, "ewise_mult", other=other, op=binary.plus)
        yield on(name, "ewise_union", other=other, op=binary.plus, left_default=0, right_default=0)
        yield on(name, "dup", dtype="FP64")
        yield on(name, "isequal", other=other, check_dtype=False)
        yield on(name, "isclose", other=other, rel_tol=1e-7, abs_tol=0.0)
        yield on(name, "to", engine="cpu")
        yield on(name, "to_dense", fill_value=0)
        yield on(name, "to_numpy", fill_value=0)
        yield of(f"{name} << value", lambda o, value, name=name: o[name].update(value), value=other)
        yield of(f"{name}(accum) << 1", lambda o, accum, name=name: o[name](accum=accum).update(1), accum=binary.plus)
        yield of(f"{name}(how) << 1", lambda o, how, name=name: o[name](how).update(1), how=binary.plus)
        mask = o[name].S
        yield of(f"{name}(mask) << 1", lambda o, mask, name=name: o[name](mask=mask).update(1), mask=mask)
        yield of(f"{name}[…]", lambda o, index, name=name: o[name][index], index=0 if name == "v" else (0, 1))
        yield of(
            f"del {name}[…]", lambda o, index, name=name: o[name].__delitem__(index), index=0 if name == "v" else (0, 1)
        )
        yield of(
            f"{name}[…] = value",
            lambda o, index, value, name=name: o[name].__setitem__(index, value),
            index=0 if name == "v" else (0, 1), value=1,
        )  # fmt: skip
        yield of(f"… in {name}", lambda o, index, name=name: index in o[name], index=0 if name == "v" else (0, 1))
        for sign in ("+", "-", "*", "/", "//", "%", "**", "==", "<", "|", "&", "@", "^"):
            yield of(f"{name} {sign} other", partial(combine, f"mine {sign} other", name), other=other)
            yield of(f"other {sign} {name}", partial(combine, f"other {sign} mine", name), other=other)
    yield on("v", "reduce", op=monoid.plus)
    yield on("v", "get", index=0, default=None)
    yield on("v", "vxm", other=o["A"], op=semiring.plus_times)
    yield on("v", "inner", other=o["w"], op=semiring.plus_times)
    yield on("v", "outer", other=o["w"], op=binary.times)
    yield on("v", "resize", size=3)
    yield on("v", "diag", k=1)
    yield on("v", "reposition", offset=1, size=5)
    yield on("v", "build", indices=[0], values=[1], dup_op=None, clear=True, size=4)
    yield on("A", "get", row=0, col=1, default=None)
    yield on("A", "mxm", other=o["A"], op=semiring.plus_times)
    yield on("A", "mxv", other=o["v"], op=semiring.plus_times)
    yield on("A", "kronecker", other=o["A"], op=binary.times)
    yield on("A", "power", n=2, op=semiring.plus_times)
    yield on("A", "diag", k=1)
    yield on("A", "setdiag", values=1, k=1)
    yield on("A", "resize", nrows=3, ncols=3)
    yield on("A", "reposition", row_offset=1, column_offset=0, nrows=5, ncols=5)
    yield on("A", "build", rows=[0], columns=[1], values=[1], clear=True)
    for way in ("reduce_rowwise", "reduce_columnwise", "reduce_scalar"):
        yield on("A", way, op=monoid.plus)
    yield on("A", "to_dicts", order="rowwise")
    yield on("A", "to_scipy_sparse", format="csr")
    yield of("s << value", lambda o, value: o["s"].update(value), value=4)
    yield of("s(accum) << 1", lambda o, accum: o["s"](accum).update(1), accum=binary.plus)
    yield on("s", "dup", dtype="FP64")
    yield on("s", "isequal", other=5)
    yield on("s", "isclose", other=5, rel_tol=1e-7)
    for kind, op in (
        ("unary", unary.abs),
        ("binary", binary.plus),
        ("monoid", monoid.plus),
        ("semiring", semiring.min_plus),
    ):
        yield of(f"{kind}.{op.name}(x)", lambda o, x, op=op: op(x), x=o["v"])
        yield of(f"{kind}.{op.name}(x, y)", lambda o, x, y, op=op: op(x, y), x=o["v"], y=1)
    yield of("select.valuegt(x, thunk)", lambda o, x, thunk: select.valuegt(x, thunk), x=o["v"], thunk=1)
    yield of("agg.mean(x)", lambda o, x: agg.mean(x), x=o["v"])
    added = {"dtype": "FP64", "mask": o["v"].S}
    yield of("(v + w).new", lambda o, **given: (o["v"] + o["w"]).new(**given), **added)
    arcs = ([0, 1], [1, 0], [1.0, 2.0])
    yield Call("Graph", gl.Graph, {"source": arcs, "n": 3, "dup": "error", "engine": "cpu"})
    yield of("bfs", lambda o, **given: gl.bfs(**{"G": o["G"], **given}), G=o["G"], source=0, method=None)
    yield of("sssp", lambda o, **given: gl.sssp(**{"G": o["G"], **given}), G=o["G"], source=0, method=None)
    yield of("sssp sources", lambda o, sources: gl.sssp(o["G"], sources=sources), sources=[0, 1])
    yield of("apsp", lambda o, **given: gl.apsp(**{"G": o["G"], **given}), G=o["G"], method=None)
    components = {"G": o["G"], "kind": "weak", "sizes": False, "method": None}
    yield of("components", lambda o, **given: gl.components(**{"G": o["G"], **given}), **components)
    ranking = {"damping": 0.8, "tolerance": 1e-4, "max_rounds": 90, "personalization": {0: 1}, "weights": True}
    ranking |= {"dangling": "ignore", "convention": "gap", "dtype": "FP64", "method": None}
    yield of("pagerank", lambda o, **given: gl.pagerank(**{"G": o["G"], **given}), G=o["G"], **ranking)
    yield of("pagerank rounds", lambda o, rounds: gl.pagerank(o["G"], rounds=rounds), rounds=3)
    rounds = {"tolerance": 1e-3, "max_rounds": 50, "weights": True, "dtype": "FP32", "method": None}
    walks = {"alpha": 0.01, "beta": 1.0, **rounds}
    yield of("katz", lambda o, **given: gl.katz(**{"G": o["G"], **given}), G=o["G"], **walks)
    yield of("eigenvector", lambda o, **given: gl.eigenvector(**{"G": o["G"], **given}), G=o["G"], **rounds)
    yield of("hits", lambda o, **given: gl.hits(**{"G": o["G"], **given}), G=o["G"], **rounds)
    yield of("shortest_path", lambda o, source, target: gl.shortest_path(o["G"], source, target), source=0, target=1)
    yield of("closeness", lambda o, **given: gl.closeness(**{"G": o["G"], **given}), G=o["G"])
    yield of("compare", lambda o, problem, G: gl.compare(problem, G, source=0, repeat=1), problem="bfs", G=o["G"])
    yield of("write", lambda o, path, G: gl.write(path, G), path="/nonexistent/x.mtx", G=o["G"])
    yield of("read", lambda o, path: gl.read(path), path="/nonexistent/x.mtx")
    yield of("generate.kronecker", lambda o, **given: gl.generate.kronecker(**given), scale=4, edge_factor=4, seed=1)
    yield of("config.set", lambda o, **given: gl.config.set(**given).__enter__(), engine="cpu", memory_limit=None)


def combine(expression: str, name: str, operands: dict[str, Any], other: Any) -> Any:
    """The value of an infix expression of one of the operands and another value."""
    return eval(expression, {"mine": operands[name], "other": other})


def force(result: Any) -> Any:
    """An expression computed, and anything else as it is."""
    return result.new() if isinstance(result, Expr) and type(result).__name__ not in ("Vector", "Matrix") else result


@dataclass(frozen=True)
class Fault:
    """A call that failed with an error that is not one of ours."""

    call: str
    argument: str
    value: str
    error: BaseException

    def __str__(self) -> str:
        text = str(self.error).split("\n")[0][:110]
        return f"{self.call}, {self.argument} = {self.value}: {type(self.error).__name__}: {text}"


def faults_of(call: Call) -> list[Fault]:
    """What goes wrong when each argument of a call in turn is replaced by each wrong value."""
    found = []
    for argument in call.arguments:
        for name, value in wrong_values().items():
            with gl.config.set():
                try:
                    call.with_wrong(argument, value)
                except GraphlaError:
                    continue
                except Exception as error:
                    found.append(Fault(call.name, argument, name, error))
    return found


def check(seed: int, engine: Any = "cpu") -> None:
    """Try every wrong argument of one call; seeds count the calls."""
    every = list(calls())
    found = faults_of(every[seed % len(every)])
    assert not found, "\n".join(map(str, found))
