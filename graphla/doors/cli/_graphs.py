"""The argument GRAPH: a file, a generator with its parameters, or a sample that ships with graphla."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from graphla.common.errors import InvalidGraph
from graphla.doors.cli._work import run_interruptibly

SAMPLES = {"ny": "road-NY"}
"""Short names of the sample graphs."""

WAYS = (
    "a graph is a file, - for the standard input, a generator with its size such as kron:18 "
    f"('graphla generate' lists them), or a sample: {', '.join(SAMPLES)}"
)

WEIGHTS = re.compile(r"(-?\d+)\.\.(-?\d+)")


def open_graph(text: str, asked: dict[str, Any]) -> Any:
    """Open the graph that `text` names, as the options of `_options.add_graph_argument` say."""
    from graphla.engine import get_engine
    from graphla.graphs.reading import build_graph

    chosen = get_engine(asked["engine"])
    entries = read_entries(text, asked["from_format"], asked["undirected"], chosen.xp)
    weighted = replace_weights(entries, asked.get("weights"))
    return run_interruptibly(
        f"making a graph of {text}", lambda: build_graph(weighted, dup=asked["dup"], name=text, engine=chosen)
    )


def replace_weights(coo: Any, weights: tuple[int, int] | None) -> Any:
    """Replace the values by random weights in a range, derived from the vertices of each edge; unchanged for None."""
    from graphla.graphs.generators import pair_weights

    return coo if weights is None else replace(coo, values=pair_weights(coo.rows, coo.cols, *weights))


def read_entries(text: str, format: str | None = None, undirected: bool = False, xp: Any = None) -> Any:
    """Read the sample, the file or (for ``-``) the standard input that `text` names, or run the generator on `xp`."""
    from graphla.graphs.datasets import names, path
    from graphla.graphs.generators import from_spec, is_spec
    from graphla.graphs.io import read_coo
    from graphla.graphs.io.repeats import add_reverse

    if not text.strip():
        raise InvalidGraph(f"GRAPH={text!r}: it names nothing; {WAYS}")
    if text in SAMPLES or text in names():
        text = str(path(SAMPLES.get(text, text)))
    if text == "-" or Path(text).exists():
        file = sys.stdin.buffer if text == "-" else text
        if sys.stderr.isatty():
            return read_coo(file, format, undirected=undirected, progress=True)
        return run_interruptibly(f"reading {text}", lambda: read_coo(file, format, undirected=undirected))
    if is_spec(text):
        made = run_interruptibly(f"generating {text}", lambda: from_spec(text, xp=None if undirected else xp))
        return add_reverse(made) if undirected else made
    raise InvalidGraph(f"{text}: there is no such file; {WAYS}")


class WeightRange(click.ParamType):
    """``lo..hi``: whole numbers, lo ≤ hi."""

    name = "lo..hi"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        match = WEIGHTS.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            self.fail(f"{value!r} is no range: write two whole numbers, as in 1..255", param, ctx)
        low, high = int(match[1]), int(match[2])
        if low > high:
            self.fail(f"{value!r} goes down: write the smaller number first, {high}..{low}", param, ctx)
        return low, high
