"""Options that several commands share."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import click

from graphla.common.arguments import suggest
from graphla.common.config import ENGINES
from graphla.doors.cli._graphs import Columns, WeightRange
from graphla.doors.cli._output import Target
from graphla.problem.registry import list_names


class ProblemName(click.ParamType):
    """The name of a problem; which there are is looked up when one is given."""

    name = "problem"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        names = sorted(list_names())
        if value in names:
            return value
        return self.fail(f"{value!r} is not one of {', '.join(names)}{suggest(value, names)}", param, ctx)


Decorated = Callable[..., Any]

engine = click.option(
    "--engine", type=click.Choice(ENGINES), help="Where to compute; by default the GPU if there is one."
)
weights = click.option(
    "--weights",
    type=WeightRange(),
    help="Give the edges whole weights between lo and hi, drawn from the pair of vertices: "
    "the same at every run and in both directions.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one object of JSON instead of a table.")


def add_reading_options(function: Decorated, from_format: str = "--from") -> Decorated:
    """Add the options that say how a graph is read; `from_format` is the name of that of its format."""
    parts = [
        click.option(
            from_format, "from_format", help="The format of the file; by default its name or its beginning tells."
        ),
        click.option(
            "--columns",
            type=Columns(),
            help="The columns of a table, whose vertices may have names: of Parquet or Feather, by default "
            "source,target, or of .csv and .tsv.",
        ),
        click.option("--undirected", is_flag=True, help="Add the reverse of every arc that is not there already."),
        click.option(
            "--dup",
            type=click.Choice(["error", "first", "min", "sum"]),
            default="error",
            show_default=True,
            help="What arcs that occur more than once become.",
        ),
    ]
    for part in reversed(parts):
        function = part(function)
    return function


def add_graph_argument(function: Decorated) -> Decorated:
    """Add the argument GRAPH, and the options for reading it, for its engine and its weights."""
    return click.argument("graph")(add_reading_options(engine(weights(function))))


def add_solve_options(function: Decorated) -> Decorated:
    """Add the options that all problems share."""
    parts = [
        click.option("--method", help="The method; by default the best that fits. `graphla methods` lists them."),
        click.option(
            "--set", "settings", multiple=True, metavar="NAME=VALUE", help="An option of the method; may be repeated."
        ),
        click.option(
            "--output",
            type=Target(".npz", ".npy", ".csv", ".txt", stdout=True),
            help="Write the answer to a file: .npz and .npy hold arrays, .csv and .txt a line for each entry; - writes "
            "the lines of .csv to the standard output, and what is said of the run to standard error.",
        ),
        click.option("--verify", is_flag=True, help="Check the answer against what defines it."),
        click.option(
            "--trace",
            is_flag=True,
            help="Show each matrix operation, or each level of a compiled search: plan, size, time. The first "
            "call compiles; one below 10 s is made again, and the second is shown.",
        ),
        click.option(
            "--trace-to",
            type=Target(".json", ".html", ".txt", ".png", ".svg"),
            help="Write the trace: .json opens in Perfetto, .html in a browser, .png and .svg are pictures.",
        ),
        as_json,
    ]
    for part in reversed(parts):
        function = part(function)
    return add_graph_argument(function)


def parse_settings(pairs: tuple[str, ...]) -> dict[str, Any]:
    """Parse ``("delta=3", "gather=fine")`` into keyword arguments; numbers, None and booleans get their types."""
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.isidentifier():
            raise click.UsageError(f"--set {pair}: write name=value, as in --set delta=3")
        settings[name] = parse_value(text)
    return settings


def parse_value(text: str) -> Any:
    """Parse a Python literal; return any other text unchanged."""
    try:
        return ast.literal_eval(text.capitalize() if text in ("true", "false", "none") else text)
    except (ValueError, SyntaxError):
        return text
