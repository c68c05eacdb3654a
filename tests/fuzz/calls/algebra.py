"""Calls of `semirings`: operators of one's own, their laws, types and texts."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import semirings
from semirings import binary, cuda, indexunary, laws, maximum, minimum, monoid, semiring, unary, where
from semirings.dtypes import INT64, lookup, real_part, unify
from semirings.python import evaluate, render_function, render_semiring
from tests.fuzz.calls.call import Call, plain

NUMBERS = itertools.count()


def list_calls() -> Iterator[Call]:
    yield from list_registrations()
    yield from list_types()
    yield from list_texts()
    yield from list_namespaces()


def anew(register: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with a name that is free unless one is given."""
    return lambda name=None, **given: register(f"fuzzed_{next(NUMBERS)}" if name is None else name, **given)


def list_registrations() -> Iterator[Call]:
    typed = {"result": None, "domain": (INT64,)}
    yield plain("register_unary", anew(semirings.register_unary), function=lambda x: x + 1, **typed)
    laws = {"commutative": True, "associative": True}
    yield plain("register_binary", anew(semirings.register_binary), function=lambda x, y: x + y, **typed, **laws)
    near = anew(semirings.register_indexunary)
    yield plain("register_indexunary", near, function=lambda x, i, j, thunk: i + thunk, **typed)
    constants = {"identity": 0, "terminal": None, "domain": (INT64,), "is_any": False, "results": None}
    yield plain("register_monoid", anew(semirings.register_monoid), op=binary.plus, **constants)
    promised = {"annihilates": True, "distributes": True}
    yield plain(
        "register_semiring", anew(semirings.register_semiring), add=monoid.min, multiply=binary.plus, **promised
    )
    for name in ("unary", "binary", "indexunary"):
        register = getattr(semirings, f"register_{name}")
        yield plain(f"register_{name} name", register, name="plus clip", function=lambda *symbols: symbols[0])
    yield from list_anonymous()
    yield plain("trace", semirings.trace, function=lambda x, y: minimum(x + y, 3), names=("x", "y"))
    for name, function in (("minimum", minimum), ("maximum", maximum)):
        yield plain(name, lambda x, y, function=function: function(x, y), x=1, y=2)
    yield plain("where", where, condition=True, a=1, b=2)


def list_anonymous() -> Iterator[Call]:
    """Operators by python-graphblas's names for what makes one."""
    for space in (unary, binary, indexunary):
        yield plain(
            f"{space.sort}.register_anonymous", space.register_anonymous, function=take_maximum, name="greatest"
        )
        yield plain(f"{space.sort}.register_new", anew(space.register_new), function=take_maximum)
    constants = {"op": binary.plus, "identity": 0, "terminal": None}
    yield plain("monoid.register_anonymous", monoid.register_anonymous, name="sum", **constants)
    yield plain("monoid.register_new", anew(monoid.register_new), **constants)
    parts = {"add": monoid.min, "multiply": binary.plus}
    yield plain("semiring.register_anonymous", semiring.register_anonymous, name="nearest", **parts)
    yield plain("semiring.register_new", anew(semiring.register_new), **parts)


def take_maximum(*symbols: Any) -> Any:
    return functools.reduce(maximum, symbols)


def list_types() -> Iterator[Call]:
    yield plain("lookup", lambda x: lookup(x), x="INT8")
    yield plain("unify", lambda a, b: unify(a, b), a=lookup("INT8"), b=lookup("FP32"))
    yield plain("real_part", real_part, dtype=lookup("FC32"))
    yield plain("laws.check", laws.check, x=semiring.min_plus, dtype="INT8", samples=2, seed=0, every=False)
    yield plain("laws.values", laws.values, dtype="INT8", samples=2, seed=0)
    yield plain("monoid.plus.identity", monoid.plus.identity, dtype="INT8")
    yield plain("monoid.lor.terminal", monoid.lor.terminal, dtype="BOOL")
    for op in (unary.abs, monoid.plus):
        yield plain(f"{op!r}.result_type", lambda a, op=op: op.result_type(a), a="INT8")
    for op in (binary.plus, semiring.min_plus, indexunary.valuegt):
        yield plain(f"{op!r}.result_type", lambda a, b, op=op: op.result_type(a, b), a="INT8", b="FP32")
    for op in (unary.abs, binary.plus, indexunary.valuegt, monoid.plus, semiring.min_plus):
        yield plain(f"{op!r}[…]", lambda dtype, op=op: op[dtype], dtype="INT8")
    yield plain("binary.plus.reads", binary.plus.reads, name="x")


def list_texts() -> Iterator[Call]:
    yield plain("evaluate", evaluate, op=binary.plus, dtypes=["INT8", "INT8"], out=None)
    yield plain(
        "render_function", render_function, op=binary.plus, name="f", in_dtypes=["INT8", "INT8"], out_dtype=None
    )
    yield plain("python.render_semiring", render_semiring, semiring=semiring.min_plus, a="INT8", b="INT8", out=None)
    yield plain("cuda.render_unary", cuda.render_unary, op=unary.abs, dtype="INT8", out=None, struct="U")
    yield plain("cuda.render_binary", cuda.render_binary, op=binary.plus, a="INT8", b="INT8", out=None, struct="B")
    rule = {"op": indexunary.valuegt, "dtype": "INT8", "thunk": INT64, "out": None, "struct": "I"}
    yield plain("cuda.render_indexunary", cuda.render_indexunary, **rule)
    whole = {"semiring": semiring.min_plus, "a": "INT8", "b": "INT8", "out": None, "struct": "S"}
    yield plain("cuda.render_semiring", cuda.render_semiring, **whole)


def list_namespaces() -> Iterator[Call]:
    yield plain("binary[…]", lambda name: binary[name], name="plus")
    yield plain("… in binary", lambda name: name in binary, name="plus")
    yield plain("binary.…", lambda name: getattr(binary, name) if isinstance(name, str) else None, name="plus")
    yield plain("binary.alias", lambda name, existing: binary.alias(name, existing), name="a b", existing="plus")
    yield plain("binary.add", lambda name, operator: binary.add(name, operator), name="a b", operator=binary.plus)
