"""``graphla graphalytics``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from graphla.common.typing import EngineName
from graphla.doors.cli import _options, _show
from graphla.doors.cli._main import FAILED

ALGORITHMS = "bfs", "pr", "wcc", "cdlp", "lcc", "sssp"


@click.command("graphalytics", short_help="Run the LDBC Graphalytics benchmark.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--graph", "graphs", multiple=True, help="Only the data set of this name; may be repeated.")
@click.option(
    "--algorithm", "algorithms", type=click.Choice(ALGORITHMS), multiple=True, help="Only this one; may be repeated."
)
@click.option("--repeat", type=click.IntRange(1), default=3, show_default=True, help="Timed runs of each algorithm.")
@_options.engine
@_options.as_json
def command(
    folder: Path,
    graphs: tuple[str, ...],
    algorithms: tuple[str, ...],
    repeat: int,
    engine: EngineName | None,
    as_json: bool,
) -> None:
    """LDBC Graphalytics: run six algorithms on the data sets of a folder and validate their output.

    A data set NAME is NAME.properties, NAME.v, NAME.e, and the reference output NAME-BFS, NAME-PR, NAME-WCC,
    NAME-CDLP, NAME-LCC, NAME-SSSP. The properties state the parameters. Answers are compared by the rules of the
    benchmark: BFS and CDLP exactly, PR, LCC and SSSP within 0.01 %, WCC up to the names of the components. EVPS are
    edges and vertices per second. The exit code is 1 if an answer was wrong.

    \b
    Examples:
      graphla graphalytics datagen-7_5-fb
      graphla graphalytics data --graph example-directed --algorithm cdlp --json
    """
    from graphla.common.errors import InvalidOption
    from graphla.doors.cli._work import run_interruptibly, run_with_progress
    from graphla.measuring.benchmarks.graphalytics import find_datasets, load, run

    datasets = find_datasets(folder)
    names = [each.name for each in datasets]
    for name in graphs:
        if name not in names:
            raise InvalidOption(f"--graph {name}: {folder} has: {', '.join(names)}")
    results = []
    for dataset in datasets:
        if graphs and dataset.name not in graphs:
            continue
        loaded = run_interruptibly(f"reading {dataset.name}", lambda dataset=dataset: load(dataset, engine))
        results += run_with_progress(
            dataset.name,
            lambda tell, dataset=dataset, loaded=loaded: run(
                dataset, loaded, algorithms or None, repeats=repeat, progress=tell
            ),
        )
    if as_json:
        click.echo(json.dumps([{**asdict(each), "median_seconds": each.median, "evps": each.evps} for each in results]))
    else:
        print_results(results)
    if any(each.fault and each.method for each in results):
        raise click.exceptions.Exit(FAILED)


def print_results(results: list[Any]) -> None:
    """Print a line for each algorithm and data set."""
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    table = Table(title="LDBC Graphalytics", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for head in ("graph", "vertices", "edges", "algorithm", "method", "seconds", "EVPS", "output"):
        table.add_column(head, justify="right" if head in ("vertices", "edges", "seconds", "EVPS") else "left")
    for each in results:
        sizes = escape(each.graph), f"{each.vertices:,}", f"{each.edges:,}", each.algorithm.upper()
        if each.method:
            table.add_row(*sizes, each.method, f"{each.median:.6f}", f"{each.evps:.3g}", describe_output(each))
        else:
            table.add_row(*sizes, escape(f"refused: {each.fault}"))
    _show.make_console().print(table)
    for each in results:
        if each.fault and each.method:
            click.echo(f"{each.graph}, {each.algorithm.upper()}: WRONG: {each.fault}")


def describe_output(result: Any) -> str:
    """How the answer was validated."""
    if result.fault:
        return "wrong"
    return f"right ({result.rule})" if result.validated else "no reference"
