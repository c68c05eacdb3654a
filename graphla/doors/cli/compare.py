"""``graphla compare``."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import click

from graphla.doors.cli import _options, _show
from graphla.doors.cli._main import FAILED
from graphla.doors.cli._options import ProblemName
from graphla.doors.cli._output import Target, write


@click.command("compare", short_help="All methods and other libraries, side by side.")
@click.argument("problem", type=ProblemName())
@click.argument("graphs", nargs=-1, required=True, metavar="GRAPH...")
@_options.add_reading_options
@_options.engine
@_options.weights
@click.option("--source", type=int, help="The vertex to start from.  [default: 0]")
@click.option("--methods", default="all", show_default=True, help="Names separated by commas, or all.")
@click.option(
    "--peers", default="all", show_default=True, help="Other libraries: names separated by commas, all, none."
)
@click.option("--repeat", type=click.IntRange(1), default=5, show_default=True, help="Timed calls of each.")
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    default=120.0,
    show_default=True,
    help="Seconds for each on a graph; who hangs is stopped, and the others go on.",
)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="For every method, as in --set parents=true."
)
@click.option("--json", "json_to", type=Target(".json"), help="Write everything as JSON.")
@click.option("--csv", "csv_to", type=Target(".csv"), help="Write the table as CSV.")
@click.option("--picture", type=Target(".png", ".svg"), help="Write a picture of the times.")
def command(problem: str, graphs: tuple[str, ...], **asked: Any) -> None:
    """Every method of a problem side by side, with the other libraries that are installed.

    Each answer is verified and compared with the others; then all are timed in turns. A method that fails, refuses
    or hangs is shown as such, and a wrong answer in red with the first vertex that differs. On the GPU two times are
    told: the solve, between CUDA events with the host ahead, and the whole call as its caller waits for it. The exit
    code is 1 if a method of graphla was wrong, failed or was stopped.

    \b
    Examples:
      graphla compare bfs ny kron:16
      graphla compare sssp kron:16 --weights 1..255 --peers scipy,networkx
      graphla compare bfs kron:20 --engine cuda --methods fused,algebraic --picture bfs.png --csv bfs.csv
    """
    from graphla.doors.cli._graphs import open_graph
    from graphla.measuring.comparing import compare

    settings = _options.parse_settings(asked["settings"])
    if taken := settings.keys() & inspect.signature(compare).parameters.keys():
        raise click.UsageError(f"--set {min(taken)}: that is no option of a method; see graphla compare --help")
    found = compare(
        problem,
        [open_graph(text, asked) for text in graphs],
        source=asked["source"],
        methods=parse_names(asked["methods"]),
        peers=parse_libraries(asked["peers"]),
        repeat=asked["repeat"],
        time_limit=asked["time_limit"],
        **settings,
    )
    _show.make_console().print(found)
    write_files(found, asked["json_to"], asked["csv_to"], asked["picture"])
    if not found.ok:
        raise click.exceptions.Exit(FAILED)


def parse_names(text: str) -> Any:
    """``all``, or a list of names."""
    return "all" if text == "all" else [name.strip() for name in text.split(",") if name.strip()]


def parse_libraries(text: str) -> Any:
    """``all`` and ``none``, or a list of names."""
    return {"all": True, "none": False}.get(text, parse_names(text))


def write_files(found: Any, json_to: Path | None, csv_to: Path | None, picture: Path | None) -> None:
    """Write what was asked for, each file whole."""
    if json_to is not None:
        write(json_to, lambda stream: stream.write(found.to_json().encode()))
    if csv_to is not None:
        write(csv_to, lambda stream: stream.write(found.to_csv().encode()))
    if picture is not None:
        write(picture, lambda stream: found.plot(stream, format=picture.suffix[1:].lower()))
