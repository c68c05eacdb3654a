"""The argument GRAPH: a file, a generator with its parameters, or a shipped sample."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from graphla.cli._work import attended
from graphla.errors import InvalidGraph, NotSupported

WEIGHTS = re.compile(r"(\d+)\.\.(\d+)")


def open_graph(text: str, engine: str | None = None, weights: tuple[int, int] | None = None) -> Any:
    """The graph that `text` names, on an engine, with weights drawn for its edges if asked."""
    from graphla import Graph
    from graphla.engine import engine_named

    chosen = engine_named(engine)
    G = attended(f"opening {text}", lambda: Graph(entries(text, weights), name=text, engine=chosen, dup="min"))
    if not G.n:
        raise InvalidGraph(f"{text}: the graph has no vertices")
    return G


def entries(text: str, weights: tuple[int, int] | None) -> Any:
    """The entries of the graph that `text` names, weighted by pair if asked."""
    from graphla.generate import pair_weights

    found = raw_entries(text)
    return found if weights is None else pair_weights(found, *weights)


def raw_entries(text: str) -> Any:
    """A `Coo` from a sample, a file or a generator, whichever `text` names."""
    from graphla import datasets, generate, io

    if text in datasets.names():
        return datasets.load(text)
    if Path(text).exists():
        return io.read_coo(Path(text))
    if is_spec(text):
        return generate.from_spec(text)
    samples = ", ".join(datasets.names())
    raise InvalidGraph(
        f"{text}: there is no such file; a graph is a file, a generator with its size such as kron:18 "
        f"(`graphla generate` lists them), or one of the samples: {samples}"
    )


def is_spec(text: str) -> bool:
    """Whether `text` looks like ``name:parameters``."""
    return re.match(r"[a-z][a-z0-9_-]*(:|$)", text) is not None and "/" not in text and "." not in text.split(":")[0]


class WeightRange(click.ParamType):
    """``lo..hi``: whole numbers, lo ≤ hi."""

    name = "lo..hi"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        match = WEIGHTS.fullmatch(value) if isinstance(value, str) else None
        if match is None or int(match[1]) > int(match[2]):
            self.fail(f"{value!r} is no range: write two whole numbers, as in 1..255", param, ctx)
        return int(match[1]), int(match[2])


def no_such_generator(name: str, known: list[str]) -> NotSupported:
    """The error for an unknown generator."""
    return NotSupported(f"there is no generator {name!r}; there are: {', '.join(known)}")
