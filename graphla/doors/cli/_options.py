"""Options that several commands share."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import click

from graphla.common.config import ENGINES
from graphla.doors.cli._graphs import WeightRange
from graphla.doors.cli._output import Target
from graphla.problem.registry import list_names


class ProblemName(click.ParamType):
    """The name of a problem; which there are is looked up when one is given."""

    name = "problem"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        names = sorted(list_names())
        return value if value in names else self.fail(f"{value!r} is not one of {', '.join(names)}.", param, ctx)


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


def add_reading_options(function: Decorated) -> Decorated:
    """Add the options that say how a graph is read."""
    parts = [
        click.option(
            "--from", "from_format", help="The format of the file; by default its name or its beginning tells."
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


def add_source_option(function: Decorated) -> Decorated:
    """Add the option for the source vertex."""
    return click.option("--source", type=int, default=0, show_default=True, help="The vertex to start from.")(function)


def add_rounds_options(function: Decorated) -> Decorated:
    """Add the options of centralities that are computed in rounds."""
    parts = [
        click.option("--tolerance", type=float, help="The change of a round at which the rounds end.  [default: 1e-6]"),
        click.option("--rounds", type=int, help="Run so many rounds instead."),
        click.option("--max-rounds", type=int, help="The most rounds before the tolerance is met."),
        click.option("--weighted", is_flag=True, help="Arcs count by their weights."),
        click.option("--dtype", type=click.Choice(["FP32", "FP64"]), help="The dtype of the values."),
    ]
    for part in reversed(parts):
        function = part(function)
    return function


def add_climb_options(function: Decorated) -> Decorated:
    """Add the options of the problems that raise modularity."""
    parts = [
        click.option(
            "--resolution",
            type=click.FloatRange(0),
            default=1.0,
            show_default=True,
            help="Of the modularity: above one communities become smaller, below one larger.",
        ),
        click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="The order of the moves."),
        click.option(
            "--threshold",
            type=click.FloatRange(0),
            default=0.0,
            show_default=True,
            help="A level that raises the modularity by no more than this is the last.",
        ),
        click.option("--max-levels", type=click.IntRange(1), help="The most levels."),
    ]
    for part in reversed(parts):
        function = part(function)
    return function


def take_given(asked: dict[str, Any], *names: str) -> dict[str, Any]:
    """Move the options that were given from the command's arguments to the problem's."""
    given = {name: value for name in names if (value := asked.pop(name)) is not None}
    return given | ({"weights": True} if asked.pop("weighted") else {})


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
