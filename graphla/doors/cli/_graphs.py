"""The argument GRAPH: a file, a generator with its parameters, or a sample that ships with graphla."""

from __future__ import annotations

import io
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from graphla.common.errors import InvalidGraph
from graphla.doors.cli._streams import INPUT
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
    entries = read_entries(text, asked, chosen.xp)
    weighted = replace_weights(entries, asked.get("weights"))
    return run_interruptibly(
        f"making a graph of {text}", lambda: build_graph(weighted, dup=asked["dup"], name=text, engine=chosen)
    )


def replace_weights(coo: Any, weights: tuple[int, int] | None) -> Any:
    """Replace the values by random weights in a range, derived from the vertices of each edge; unchanged for None."""
    from graphla.graphs.generators import pair_weights

    return coo if weights is None else replace(coo, values=pair_weights(coo.rows, coo.cols, *weights))


def read_entries(text: str, asked: dict[str, Any], xp: Any = None) -> Any:
    """The arcs of a sample, a file, the standard input, or a generator."""
    from graphla.graphs.datasets import names, path
    from graphla.graphs.generators import from_spec, is_spec
    from graphla.graphs.reverse import add_reverse

    if not text.strip():
        raise InvalidGraph(f"GRAPH={text!r}: it names nothing; {WAYS}")
    if text in SAMPLES or text in names():
        text = str(path(SAMPLES.get(text, text)))
    if text == "-" or Path(text).exists():
        return read_file(text, asked)
    if not is_spec(text):
        raise InvalidGraph(f"{text}: there is no such file; {WAYS}")
    if asked["columns"]:
        raise click.UsageError(f"--columns: {text} is a generator, and only tables have columns with names")
    made = run_interruptibly(f"generating {text}", lambda: from_spec(text, xp=None if asked["undirected"] else xp))
    return add_reverse(made) if asked["undirected"] else made


def read_file(text: str, asked: dict[str, Any]) -> Any:
    """The arcs of a file or of the standard input."""
    from graphla.graphs.io import read_coo
    from graphla.graphs.reading.columns import find_kind, read_columns
    from graphla.graphs.reading.saved import SUFFIX, load
    from graphla.graphs.reverse import add_reverse
    from graphla.storage.convert import coo_from_csr

    file: Any = sys.stdin.buffer if text == "-" else text
    format, undirected, columns = asked["from_format"], asked["undirected"], asked["columns"] or {}
    if Path(text).suffix == SUFFIX and format is None and not columns:
        saved = load(text, engine="cpu")
        coo = replace(coo_from_csr(saved.csr), labels=saved._labels)
        return add_reverse(coo) if undirected else coo
    kind = find_kind(file, format, columns)
    if kind is not None:
        table = NamedBytes(sys.stdin.buffer.read()) if text == "-" else file  # pyarrow goes back and forth in a file
        try:
            coo = run_interruptibly(f"reading {text}", lambda: read_columns(table, kind, columns))
        except InvalidGraph as error:
            raise error if columns else InvalidGraph(f"{error}; --columns names others") from None
        return add_reverse(coo) if undirected else coo
    if sys.stderr.isatty():
        return read_coo(file, format, undirected=undirected, progress=True)
    return run_interruptibly(f"reading {text}", lambda: read_coo(file, format, undirected=undirected))


class NamedBytes(io.BytesIO):
    """What was read from the standard input."""

    name = INPUT


class Columns(click.ParamType):
    """``from,to`` or ``from,to,weight``: names of columns."""

    name = "from,to[,weight]"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        names = value.split(",") if isinstance(value, str) else []
        if not 2 <= len(names) <= 3 or not all(names):
            self.fail(f"{value!r}: write the names of two or three columns, as in payer,payee,amount", param, ctx)
        return dict(zip(("source", "target", "weight"), names, strict=False))


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
