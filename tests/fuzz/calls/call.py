"""A call that works, whose arguments can be replaced one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import graphla as gl
from graphla.language.expr import Expr


@dataclass(frozen=True)
class Call:
    """A call that works, and the arguments of it that may be replaced.

    `function` is called with fresh operands and the arguments by name; `target` is the public callable behind it, if it
    is called as it stands.
    """

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]
    target: Any = None

    def run(self, **replaced: Any) -> Any:
        return force(self.function(make_operands(), **{**self.arguments, **replaced}))


def make_operands() -> dict[str, Any]:
    """Operands for one call: a call may change them."""
    return {
        "v": gl.Vector.from_coo([0, 2], [3, 4], size=4, engine="cpu"),
        "w": gl.Vector.from_coo([1, 2], [1, 2], size=4, engine="cpu"),
        "A": gl.Matrix.from_coo([0, 1, 3], [1, 2, 0], [5, 6, 7], nrows=4, ncols=4, engine="cpu"),
        "s": gl.Scalar.from_value(5),
        "G": gl.Graph(([0, 1, 2], [1, 2, 0], [1, 2, 3]), n=4, engine="cpu"),
    }


def on(name: str, attribute: str, /, **arguments: Any) -> Call:
    """A call of a method of one of the operands."""
    target = getattr(type(make_operands()[name]), attribute)
    return Call(f"{name}.{attribute}", lambda o, **given: getattr(o[name], attribute)(**given), arguments, target)


def call_function(name: str, function: Callable[..., Any], /, **arguments: Any) -> Call:
    """A call of a function of the operands and the arguments."""
    return Call(name, function, arguments)


def aim_at(call: Call, target: Any) -> Call:
    """A call of a function of the operands, with the public callable behind it."""
    return replace(call, target=target)


def plain(name: str, function: Callable[..., Any], /, **arguments: Any) -> Call:
    """A call of a public function."""
    return Call(name, lambda _, **given: function(**given), arguments, function)


def force(result: Any) -> Any:
    """An expression computed, and anything else as it is."""
    return result.new() if isinstance(result, Expr) and type(result).__name__ not in ("Vector", "Matrix") else result
