"""What a problem takes, as options: kinds of values by annotation, vertices by number or by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import click
import numpy as np

from graphla.common.arguments import suggest
from graphla.common.errors import InvalidGraph
from graphla.common.typing import Vertex
from graphla.containers.labels import Number


@dataclass(frozen=True)
class Argument:
    """An argument of a problem: its name, its options, how its value is taken from theirs, and its default."""

    name: str
    options: tuple[click.Option, ...]
    take: Callable[[dict[str, Any]], Any]
    default: Any = None


class VertexText(str):
    """A vertex as a user names it: by its number, or by its label once the graph is open."""

    __slots__ = ()

    def find(self, G: Any) -> int:
        """The number of the vertex: that of its label, or what it says itself where no label is a number."""
        labels = G._labels
        names = {} if labels is None else {str(label): number for label, number in labels.numbers.items()}
        if self in names:
            return Number(names[self])
        try:
            if labels is not None and labels.numeric:
                raise ValueError
            return Number(self)
        except ValueError:
            known = f"the graph has labels{suggest(self, names)}" if names else "the graph has no labels"
            numbers = "" if labels is not None and labels.numeric else f"; numbers go from 0 to {G.n - 1:,}"
            raise InvalidGraph(f"{str(self)!r} is no vertex: {known}{numbers}") from None


class VertexType(click.ParamType):
    """A vertex; whether there is one is known once the graph is open."""

    name = "vertex"

    def convert(self, value: Any, param: Any, ctx: Any) -> VertexText:
        return VertexText(value)


VERTEX = VertexType()


class ArrayType(click.ParamType):
    """The array of a file, as --output writes it."""

    name = "file.npy"

    def convert(self, value: Any, param: Any, ctx: Any) -> np.ndarray[Any, Any]:
        try:
            return np.asarray(np.lib.format.open_memmap(value, mode="r"))
        except OSError as error:
            self.fail(f"{value}: {error.strerror}", param, ctx)
        except ValueError:
            self.fail(f"{value}: this is no file .npy", param, ctx)


@dataclass(frozen=True)
class Form:
    """How values of a type are given: what click is told, and what they become."""

    kind: Mapping[str, Any]
    read: Callable[[Any], Any] = lambda value: value
    several: bool = False

    @property
    def is_truth(self) -> bool:
        """Whether the value is given by the name of the option alone."""
        return "is_flag" in self.kind


SIMPLE = {
    bool: Form({"is_flag": True}),
    int: Form({"type": int}),
    float: Form({"type": float}),
    str: Form({"type": str}),
    np.dtype: Form({"type": str}),
}
SEVERAL = {"type": VERTEX, "multiple": True, "metavar": "VERTEX"}


def find_form(hint: Any) -> Form | None:
    """How values of this annotation are given; None if it cannot be said in words."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return next((form for form in map(find_form, get_args(hint)) if form is not None), None)
    if origin is np.ndarray:
        return Form({"type": ArrayType()})
    if origin is Literal:
        return Form({"type": click.Choice([str(each) for each in get_args(hint)])})
    if isinstance(origin, type) and get_args(hint)[:1] in ((int,), (Vertex,), (Any,)):
        if issubclass(origin, Mapping):
            return Form(SEVERAL, lambda values: dict.fromkeys(values, 1) if values else None, True)
        if issubclass(origin, Sequence):
            return Form(SEVERAL, lambda values: list(values) or None, True)
    return SIMPLE.get(hint)


def find_vertices(value: Any, G: Any) -> Any:
    """A value with numbers in place of what the user called vertices."""
    if isinstance(value, VertexText):
        return value.find(G)
    if isinstance(value, dict):
        return {find_vertices(each, G): weight for each, weight in value.items()}
    return type(value)(find_vertices(each, G) for each in value) if isinstance(value, list | tuple) else value
