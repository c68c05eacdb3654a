"""``graphla gap``."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click
from click.core import ParameterSource

from graphla.doors.cli import _options, _show
from graphla.doors.cli._main import FAILED

KERNELS = "bfs", "sssp", "pr", "cc", "bc", "tc"


@click.command("gap", short_help="Run the GAP Benchmark Suite.")
@click.argument("graphs", nargs=-1, required=True, metavar="GRAPH...")
@_options.add_reading_options
@_options.engine
@_options.weights
@click.option("--kernel", "kernels", type=click.Choice(KERNELS), multiple=True, help="Only this one; may be repeated.")
@click.option("--trials", type=click.IntRange(1), help="Trials of each kernel.  [default: 64, 64, 16, 16, 16, 3]")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="The most rounds of PageRank, which stops once a round changes the ranks by at most 1e-4.",
)
@click.option("--no-validation", is_flag=True, help="Leave out the check of each answer.")
@_options.as_json
def command(graphs: tuple[str, ...], kernels: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """The GAP Benchmark Suite: six kernels, with its sources, its parameters and its number of trials.

    The kernels are breadth-first search with parents, shortest paths with whole weights from 1 to 255 (a graph with
    weights keeps its own), PageRank, connected components, betweenness from four sources, and triangles of the
    undirected graph. Each answer is checked; the exit code is 1 if one was wrong. The first call on a graph also
    prepares what is kept with it (the transpose, an order of the vertices); its time stands apart. Loops are dropped;
    of repeated arcs the lightest stays unless --dup says otherwise.

    \b
    Examples:
      graphla gap kron:16
      graphla gap kron:20 road.gr --engine cuda --no-validation --json
      graphla gap web.mtx --kernel bfs --kernel pr --trials 5
    """
    from graphla.doors.cli._graphs import open_graph
    from graphla.doors.cli._work import run_with_progress
    from graphla.measuring.benchmarks.gap import run

    options = {"trials": asked["trials"], "rounds": asked["rounds"], "validate": not asked["no_validation"]}
    chosen, results = kernels or KERNELS, []
    if click.get_current_context().get_parameter_source("dup") is ParameterSource.DEFAULT:
        asked["dup"] = "min"  # as GAP builds graphs
    for text in graphs:
        G = open_graph(text, asked)
        results += run_with_progress(f"gap on {text}", lambda tell, G=G: run(G, chosen, progress=tell, **options))
    if as_json:
        click.echo(json.dumps([{**asdict(each), "average_seconds": each.average} for each in results]))
    else:
        print_trials(results, asked["no_validation"])
        print_averages(results)
    if any(each.fault and each.method for each in results):
        raise click.exceptions.Exit(FAILED)


def print_trials(results: list[Any], unchecked: bool) -> None:
    """Print a line for each kernel and graph: trials, times, and how many answers are right."""
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    table = Table(title="GAP: trials", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for head in ("graph", "kernel", "method", "trials", "average", "least", "most", "first call", "right"):
        table.add_column(head, justify="left" if head in ("graph", "kernel", "method", "right") else "right")
    for each in results:
        if not each.method:
            table.add_row(escape(each.graph), each.kernel, escape(f"refused: {each.fault}"))
            continue
        times = each.average, min(each.seconds), max(each.seconds), each.first_seconds
        right = "not checked" if unchecked else f"{each.verified} of {len(each.seconds)}"
        shown = [_show.format_duration(time) for time in times]
        table.add_row(escape(each.graph), each.kernel, each.method, str(len(each.seconds)), *shown, right)
    _show.make_console().print(table)
    for each in results:
        if each.fault and each.method:
            click.echo(f"{each.graph}, {each.kernel}: WRONG: {each.fault}")


def print_averages(results: list[Any]) -> None:
    """Print GAP's table: a row for each kernel, a column for each graph, average seconds."""
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    graphs = list(dict.fromkeys(each.graph for each in results))
    averages = {(each.kernel, each.graph): each.average for each in results}
    table = Table(title="GAP: average seconds", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.add_column("kernel")
    for graph in graphs:
        table.add_column(escape(graph), justify="right")
    for kernel in dict.fromkeys(each.kernel for each in results):
        values = [averages[kernel, graph] for graph in graphs]
        table.add_row(kernel.upper(), *("–" if value is None else f"{value:.5f}" for value in values))
    _show.make_console().print(table)
