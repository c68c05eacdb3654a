"""Calls of operators on expressions, of masks, and of what writes an expression into a container."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from graphla import agg, binary, indexunary, monoid, select, semiring, unary
from graphla.language.expr import Expr
from tests.fuzz.calls.algebra import anew
from tests.fuzz.calls.call import Call, aim_at, call_function, make_operands, on, plain

SIGNS = ("+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "|", "&", "@", "^")
IN_PLACE = ("+=", "-=", "*=", "/=", "//=", "%=", "**=", "|=", "&=", "@=", "^=")


def keep_above(x: Any, i: Any, j: Any, thunk: Any) -> Any:
    return x > thunk


def list_calls() -> Iterator[Call]:
    for name in ("v", "A"):
        yield from list_methods(name)
        yield from list_signs(name)
        yield from list_updates(name)
    yield from list_signs("s")
    yield from list_products()
    yield from list_operators()
    yield from list_selections()


def list_methods(name: str) -> Iterator[Call]:
    other = make_operands()["w" if name == "v" else name]
    yield on(name, "apply", op=binary.plus, right=1)
    yield on(name, "apply", op=binary.plus, left=1)
    yield on(name, "apply", op=unary.abs)
    yield on(name, "apply", op=indexunary.valuegt, right=1)
    yield on(name, "select", op="valuegt", thunk=3)
    yield on(name, "ewise_add", other=other, op=binary.plus)
    yield on(name, "ewise_mult", other=other, op=binary.plus)
    yield on(name, "ewise_union", other=other, op=binary.plus, left_default=0, right_default=0)
    new = {"dtype": "FP64", "mask": make_operands()[name].S, "name": "sum"}
    yield aim_at(
        call_function(f"({name} + other).new", lambda o, **given: (o[name] + other).new(**given), **new), Expr.new
    )
    yield call_function(
        f"({name} + other)[…]", lambda o, index: (o[name] + other)[index], index=0 if name == "v" else (0, 1)
    )
    yield call_function(
        f"({name} + other).dup", lambda o, **given: (o[name] + other).dup(**given), dtype="FP64", clear=False
    )


def list_signs(name: str) -> Iterator[Call]:
    other = make_operands()["w" if name == "v" else name]
    for sign in SIGNS:
        yield call_function(f"{name} {sign} other", partial(combine, f"mine {sign} other", name), other=other)
        yield call_function(f"other {sign} {name}", partial(combine, f"other {sign} mine", name), other=other)
    for sign in IN_PLACE if name != "s" else ():
        yield call_function(f"{name} {sign} other", partial(combine_in_place, f"mine {sign} other", name), other=other)
    if name != "s":
        for sign in "|&":
            yield call_function(f"{name}.S {sign} other", partial(combine, f"mine.S {sign} other", name), other=other.S)


def combine(expression: str, name: str, operands: dict[str, Any], other: Any) -> Any:
    """The value of an infix expression of one of the operands and another value."""
    return eval(expression, {"mine": operands[name], "other": other})


def combine_in_place(statement: str, name: str, operands: dict[str, Any], other: Any) -> None:
    """Run a statement that changes one of the operands by another value."""
    exec(statement, {"mine": operands[name], "other": other})


def list_updates(name: str) -> Iterator[Call]:
    other, mask = make_operands()["w" if name == "v" else name], make_operands()[name].S
    yield on(name, "update", value=other)
    yield call_function(f"{name}(how) << 1", lambda o, how: o[name](how).update(1), how=binary.plus)
    how = {"mask": mask, "accum": binary.plus, "replace": True, "direction": "push"}
    yield call_function(f"{name}(…) << other", lambda o, **given: o[name](**given).update(other), **how)
    yield call_function(f"{name}(…) << 1", lambda o, **given: o[name](**given).update(1), **how)
    part = slice(0, 2) if name == "v" else (slice(0, 2), slice(0, 2))
    yield call_function(
        f"{name}(…)[…] << 1", lambda o, index, **given: o[name](**given)[index].update(1), index=part, **how
    )
    within = {"mask": None, "accum": binary.plus, "replace": False}
    yield call_function(
        f"{name}[…](…) << 1", lambda o, index, **given: o[name][index](**given).update(1), index=part, **within
    )
    yield call_function(
        f"{name}(input_mask=…) << part",
        lambda o, input_mask: o[name](input_mask=input_mask).update(o[name][(slice(None),) * o[name].ndim]),
        input_mask=mask,
    )
    new = {"dtype": "INT8", "complement": False, "mask": mask, "name": "m"}
    yield call_function(f"{name}.S.new", lambda o, **given: o[name].S.new(**given), **new)


def list_products() -> Iterator[Call]:
    o = make_operands()
    yield on("v", "vxm", other=o["A"], op=semiring.plus_times)
    yield on("v", "inner", other=o["w"], op=semiring.plus_times)
    yield on("v", "outer", other=o["w"], op=binary.times)
    yield on("A", "mxm", other=o["A"], op=semiring.plus_times)
    yield on("A", "mxv", other=o["v"], op=semiring.plus_times)
    yield on("A", "kronecker", other=o["A"], op=binary.times)
    yield on("A", "star", op=semiring.min_plus)
    yield on("A", "power", n=2, op=semiring.plus_times)
    yield on("v", "reduce", op=monoid.plus, allow_empty=True)
    yield on("A", "reduce_scalar", op=monoid.plus, allow_empty=False)
    yield on("A", "reduce_rowwise", op=monoid.plus)
    yield on("A", "reduce_columnwise", op=agg.mean)


def list_operators() -> Iterator[Call]:
    v = make_operands()["v"]
    ops = (unary.abs, binary.plus, binary.firsti, monoid.plus, semiring.min_plus, indexunary.rowindex)
    for op in ops:
        yield call_function(f"{op!r}(x)", lambda _, x, op=op: op(x), x=v)
        yield call_function(f"{op!r}(x, y)", lambda _, x, y, op=op: op(x, y), x=v, y=1)
        yield call_function(f"{op!r}(x, thunk=y)", lambda _, x, y, op=op: op(x, thunk=y), x=v, y=1)
    fills = {"left_default": 0, "right_default": 0}
    yield call_function("binary.plus(v | w, …)", lambda o, **given: binary.plus(o["v"] | o["w"], **given), **fills)
    yield call_function("agg.mean(x)", lambda _, x, **how: agg.mean(x, **how), x=make_operands()["A"], rowwise=True)
    yield call_function("agg.sum(x)", lambda _, x, **how: agg.sum(x, **how), x=make_operands()["A"], columnwise=True)
    yield plain("agg.mean.reduce", agg.mean.reduce, of=make_operands()["A"], axis=1)
    yield call_function("agg.sum[…]", lambda o, dtype: agg.sum[dtype](o["v"]), dtype="FP64")


def list_selections() -> Iterator[Call]:
    o = make_operands()
    yield call_function("select.valuegt(x, thunk)", lambda _, x, thunk: select.valuegt(x, thunk), x=o["v"], thunk=1)
    yield call_function("select.tril[…](x)", lambda _, dtype, x: select.tril[dtype](x), dtype="INT64", x=o["A"])
    for name in ("value", "row", "column"):
        yield plain(f"select.{name}", getattr(select, name), comparison=o["A"] > 1)
        yield call_function(f"select.{name}(A > x)", lambda o, x, name=name: getattr(select, name)(o["A"] > x), x=1)
    yield plain("select.register_anonymous", select.register_anonymous, function=keep_above, name="above")
    yield plain("select.register_new", anew(select.register_new), function=keep_above)
    yield plain("select.register_new name", select.register_new, name="plus clip", function=keep_above)
    yield plain("select.index", select.index, comparison=o["v"] > 1)
