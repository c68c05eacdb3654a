"""Wrong arguments: every public call, its arguments replaced by something that does not belong there.

A call may accept what it is given, or refuse it with an error of graphla that says what was expected. Anything else (an
AttributeError from inside, a raw text of NumPy or Numba, a hang) is a fault of ours. A seed stands for a call: each of
its arguments is replaced by each wrong value, then some arguments at once by values drawn at random. On an engine of
kernels those calls are tried that are given a graph, for what is checked too little there ends in a kernel.
"""

from __future__ import annotations

import datetime
import signal
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import graphla as gl
from graphla import agg, binary, indexunary, monoid, select, semiring, unary
from graphla.common.errors import GraphlaError
from graphla.engine import get_engine
from tests.fuzz.calls import Call, list_calls, make_operands

SECONDS = {"cpu": 30.0, "cuda": 60.0}
"""After so long a call hangs, by the engine; a first call compiles for some seconds."""
CALLED = {"body", "progress"}
"""Arguments that are functions of the user: what these raise is theirs."""
TOGETHER = 20
"""How many times some arguments of a call are replaced at once."""


def list_wrong_values() -> dict[str, Any]:
    """What a user may hand in by mistake, by the name under which a failure is reported."""
    o = make_operands()
    return {
        "None": None, "text": "nonsense", "empty text": "", "bytes": b"x", "negative": -1, "huge": 10**30,
        "fraction": 1.5, "nan": float("nan"), "inf": float("inf"), "complex": 1j, "object": object(), "empty list": [],
        "nested list": [[1, 2], [3]], "list of text": ["a", "b"], "list of None": [None], "dict": {"a": 1},
        "set": {1, 2}, "function": len, "lambda": lambda *symbols: None, "type": int, "property": int.real,
        "date": np.datetime64("2026-01-01"), "duration": np.timedelta64(1, "s"), "day": datetime.date(2026, 1, 1),
        "array of objects": np.array([{}, None], object), "array 0-d": np.array(1.5), "truth": np.True_,
        "array 3-d": np.zeros((2, 2, 2)), "array of text": np.array(["x", "y"]), "array of NaN": np.array([np.nan]),
        "range": range(-3, 0), "slice": slice("a", None), "no step": slice(None, None, 0), "ellipsis": ...,
        "tuple": (0, 1, 2, 3), "vector": o["v"], "matrix": o["A"], "scalar": o["s"],
        "empty scalar": gl.Scalar("INT64"), "graph": o["G"], "transpose": o["A"].T, "mask": o["v"].S,
        "mask of a matrix": ~o["A"].V, "infix": o["v"] | o["w"], "product": o["A"] @ o["v"],
        "expression": binary.plus(o["v"] | o["w"]), "reduction": o["v"].reduce("plus"), "extract": o["v"][0],
        "unary": unary.abs, "binary": binary.plus, "positional": binary.firsti, "typed": binary.plus["FP64"],
        "indexunary": indexunary.tril, "monoid": monoid.plus, "semiring": semiring.min_plus, "aggregator": agg.mean,
        "select": select.tril, "namespace": binary, "replace": gl.replace, "module": np, "class": gl.Vector,
        "other size": gl.Vector("INT64", 7), "other shape": gl.Matrix("FP32", 2, 9), "dtype": np.float32,
        "one for each": np.array([9, 4, 1, 0]), "any one for each": np.array([-3, 2**40, 7, -(2**63)]),
        "fraction for each": np.array([1e300, 0.5, 2.0**63, 0.0]), "full": gl.Vector.from_dense([9.0, 5.0, 0.0, 1.0]),
        "complex vector": gl.Vector.from_coo([0], [1j], size=4), "iterator": iter([1]), "generator": (k for k in "ab"),
    }  # fmt: skip


def draw_value(rng: Any) -> tuple[str, Any]:
    """A number at an end of some type, or an array of a random dtype and shape; or one of the fixed values."""
    kind = rng.integers(3)
    if kind == 0:
        value: Any = int(rng.choice([-1, 1])) * 2 ** int(rng.choice([62, 63, 64, 80])) + int(rng.integers(-1, 2))
    elif kind == 1:
        shape = tuple(rng.integers(0, 4, rng.integers(0, 4)))
        dtype = str(rng.choice(["?", "i1", "u8", "f4", "f8", "c16", "U3", "O", "M8[s]", "S2", "V4"]))
        value = np.zeros(shape, dtype)
    else:
        fixed = list_wrong_values()
        name = str(rng.choice(list(fixed)))
        return name, fixed[name]
    return repr(value), value


@dataclass(frozen=True)
class Fault:
    """A call that failed with an error that is not one of ours."""

    call: str
    replaced: dict[str, str]
    error: BaseException

    def __str__(self) -> str:
        text = str(self.error).split("\n")[0][:110]
        shown = ", ".join(f"{name} = {value}" for name, value in self.replaced.items())
        return f"{self.call}, {shown}: {type(self.error).__name__}: {text}"


def find_faults(call: Call, seed: int, seconds: float = SECONDS["cpu"]) -> Iterator[Fault]:
    """What goes wrong when each argument in turn, and then some at once, are replaced by wrong values."""
    for argument in call.arguments:
        for name, value in list_wrong_values().items():
            if argument in CALLED and callable(value):
                continue
            yield from try_call(call, {argument: (name, value)}, seconds)
    rng = np.random.default_rng(seed)
    names = list(call.arguments)
    for _ in range(TOGETHER):
        chosen = rng.choice(names, rng.integers(1, len(names) + 1), replace=False)
        yield from try_call(call, {str(name): draw_value(rng) for name in chosen if name not in CALLED}, seconds)


def try_call(call: Call, replaced: dict[str, tuple[str, Any]], seconds: float) -> Iterator[Fault]:
    """Call with some arguments replaced; a fault if an error comes out that is not one of ours."""
    with gl.config.set(), chdir(tempfile.gettempdir()), stop_after(seconds), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call.run(**{name: value for name, (_, value) in replaced.items()})
        except GraphlaError:
            return
        except Exception as error:
            yield Fault(call.name, {name: shown for name, (shown, _) in replaced.items()}, error)


@contextmanager
def stop_after(seconds: float) -> Iterator[None]:
    """Raise an error in a ``with`` block that takes longer."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"no answer within {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def forget_registered() -> Iterator[None]:
    """Let go of the operators that are registered in a ``with`` block: some promise laws that do not hold."""
    before = [(names, set(names)) for names in (unary, binary, indexunary, monoid, semiring)]
    try:
        yield
    finally:
        for names, known in before:
            for name in set(names) - known:
                del names._entries[name]
                for holder in (names, select):
                    vars(holder).pop(name, None)


def move(call: Call, engine: Any) -> Call:
    """The call with its graphs and containers on an engine."""
    kinds = gl.Graph, gl.Vector, gl.Matrix
    moved = {name: each.to(engine) if isinstance(each, kinds) else each for name, each in call.arguments.items()}
    return replace(call, arguments=moved)


def check(seed: int, engine: Any = "cpu") -> None:
    """Try wrong arguments of one call; seeds count the calls, or those with a graph if the engine is not the CPU's."""
    every, engine = list_calls(), get_engine(engine)
    if engine.name != "cpu":
        every = [move(each, engine) for each in every if isinstance(each.arguments.get("G"), gl.Graph)]
    with forget_registered():
        found = list(find_faults(every[seed % len(every)], seed, SECONDS[engine.name]))
    assert not found, "\n".join(map(str, found))
