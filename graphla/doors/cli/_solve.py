"""The common part of the commands that solve a problem: open, solve, verify, trace, write."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click
import numpy as np

from graphla.doors.cli import _show
from graphla.doors.cli._arguments import find_vertices
from graphla.doors.cli._extras import Extra, Solution
from graphla.doors.cli._graphs import open_graph
from graphla.doors.cli._options import parse_settings
from graphla.doors.cli._output import is_stdout, write, write_arrays, write_entries
from graphla.doors.cli._work import Tell, run_interruptibly, run_with_progress
from graphla.measuring.watching import Trace
from graphla.measuring.watching.compiling import seconds_compiling
from graphla.problem.answer import PerVertex

SHORT = 10.0
"""A first call of at most so many seconds is repeated for its trace, so that the trace contains no compiling."""


def answer(problem: Any, extra: Extra, arcs: str, arguments: dict[str, tuple[Any, Any]], asked: dict[str, Any]) -> None:
    """Solve a problem, print the facts and write the answers; `arguments` are values and their defaults by name."""
    given = {name: value for name, (value, _) in arguments.items()}
    if asked["output"] is not None:
        extra.for_file(given, asked["output"])
    arcs = arcs if given.get(extra.arcs_if, True) else ""
    refuse_file(problem, extra, arcs, given, asked["output"])
    if extra.instead(problem, given, asked):
        return
    usual = {name: default for name, (_, default) in arguments.items()}
    found = solve(problem, given, usual, extra.form, asked)
    write_answers(found, extra, arcs, asked["output"])
    print_answers(found, extra, asked)


def refuse_file(problem: Any, extra: Extra, arcs: str, given: dict[str, Any], path: Path | None) -> None:
    """Raise a usage error for a file that cannot hold the answer."""
    if path is None:
        return
    if extra.number:
        raise click.UsageError(f"{path}: a {problem.name} is one number, which is printed; leave out --output")
    seconds = [f"{each.name} are a second one" for each in problem.list_given(given)[1:]]
    if path.suffix.lower() == ".npy" and (arcs or seconds):
        raise click.UsageError(f"{path}: .npy holds one array, and {arcs or seconds[0]}: use .npz or .csv")


def solve(problem: Any, given: dict[str, Any], usual: dict[str, Any], form: Any, asked: dict[str, Any]) -> Solution:
    """Open the graph, solve the problem, and verify and trace it if requested; `form` is passed to the problem only."""
    G = open_graph(asked["graph"], asked)
    given = {name: find_vertices(value, G) for name, value in given.items()}
    where = tuple(given[name] for name in problem.takes if name not in problem.common)
    named = {name: value for name, value in given.items() if name in problem.common or name not in problem.takes}
    changed = {name: value for name, value in named.items() if isinstance(value, np.ndarray) or value != usual[name]}
    streams = streams_output(problem, asked)
    extra = {**parse_settings(asked["settings"]), **({"output": asked["output"]} if streams else {})}
    request = {name: value for name, value in changed.items() if name in problem.common} | extra
    method = problem.choose(G, asked["method"], request)

    def call(tell: Tell) -> Any:
        options = {**changed, **extra, **form, **make_progress_option(method, tell)}
        return wait_for_device(G, problem(G, *where, method=method.name, **options))

    wanted = bool(asked["trace"] or asked["trace_to"])
    with resume(asked["output"] if streams else None):
        answer, seconds, watched = run_timed(f"{problem.name} by {method.name}", call, wanted, streams)
    answers = answer if type(answer) is tuple else (answer,)
    if asked["verify"]:
        definition = problem.definition({**changed, **extra})
        run_interruptibly("verifying", lambda: problem.verify(G, *where, *answers, **definition))
    if watched is not None:
        show_trace(watched, asked["trace"], asked["trace_to"])
    facts = collect_facts(problem, G, method, seconds, asked["verify"])
    return Solution(problem, G, answers, given, facts, streams)


def run_timed(title: str, call: Callable[[Tell], Any], wanted: bool, streams: bool) -> tuple[Any, float, Trace | None]:
    """Return the answer, the seconds of the first call, and a trace if requested.

    If the first call was short, the trace is that of a second call. A method that writes its answer to a file while it
    runs is not called twice.
    """
    watched = Trace() if wanted else None
    started = time.perf_counter()
    with watched if watched is not None else nullcontext():
        answer = run_with_progress(title, call)
    seconds = time.perf_counter() - started
    if watched is not None and seconds < SHORT and not streams:
        with Trace() as watched:
            answer = run_with_progress(f"{title}, once more for its trace", call)
    return answer, seconds, watched


def streams_output(problem: Any, asked: dict[str, Any]) -> bool:
    """Whether the method writes its answer to the file while it runs: to .npy, by a method with the option `output`."""
    path, name = asked["output"], asked["method"]
    methods = [problem.methods[name]] if name is not None else problem.methods.values()
    return path is not None and path.suffix.lower() == ".npy" and any("output" in m.options for m in methods)


@contextmanager
def resume(path: Path | None) -> Iterator[None]:
    """Say that an earlier run is continued, and what a stopped one leaves in its file."""
    if path is None:
        yield
        return
    from graphla.algorithms.apsp.distance_file import make_working_path

    begun = make_working_path(path)
    if begun.exists():
        click.echo(f"going on from {begun}", err=True)
    try:
        yield
    except KeyboardInterrupt:
        if begun.exists():
            click.echo(f"{begun} keeps what is done: the same command goes on from there", err=True)
        raise


def make_progress_option(method: Any, tell: Tell) -> dict[str, Any]:
    """Make the option that moves the progress bar, for a method that reports progress."""
    if "progress" not in method.options:
        return {}
    return {"progress": lambda done, total: tell(f"{done} of {total}", done, total)}


def wait_for_device(G: Any, answer: Any) -> Any:
    """Wait until the device has finished; return the answer."""
    if G.engine.xp.__name__ == "cupy":
        G.engine.xp.cuda.Device().synchronize()
    return answer


def collect_facts(problem: Any, G: Any, method: Any, seconds: float, verified: bool) -> dict[str, Any]:
    """Collect the facts to print: what was solved, how, and how long it took."""
    compiling = seconds_compiling()
    return {
        "problem": problem.name,
        "graph": G.name,
        "vertices": G.n,
        "arcs": G.nvals,
        "engine": G.engine.name,
        "method": method.name,
        "first_call_seconds": seconds,
        **({"of_which_compiling_seconds": compiling} if compiling else {}),
        **({"verified": True} if verified else {}),
    }


def show_trace(watched: Trace, wanted: bool, path: Path | None) -> None:
    """Print the trace to standard error if `wanted`, and write it to a file in the format of its suffix."""
    if wanted:
        click.echo(str(watched), err=True)
    if path is None:
        return
    if path.suffix.lower() in (".png", ".svg"):
        write(path, lambda stream: watched.plot(stream, format=path.suffix[1:].lower()))
    else:
        put = {".json": watched.to_chrome, ".html": watched.to_html, ".txt": watched.__str__}[path.suffix.lower()]
        write(path, lambda stream: stream.write(put().encode()))


def write_answers(found: Solution, extra: Extra, arcs: str, path: Path | None) -> None:
    """Write the answers to the output file, if there is one."""
    if path is None or found.in_file:
        return
    to_host, labels = found.graph.engine.to_host, found.graph.labels
    if arcs:
        names, parts = ["from", "to", "value"], extra.entries(found)
        columns = {name: to_host(part) for name, part in zip(names, parts, strict=False)}
        run_interruptibly(f"writing {path}", lambda: write_entries(path, columns, labels))
        return
    given = found.problem.list_given(found.given)
    fills = find_fill(given[0], found.answers[0]), *(-1 for _ in given[1:])
    arrays = {
        each.name: to_host(value.to_dense(fill) if hasattr(value, "to_dense") else each.to_array(value))
        for each, value, fill in zip(given, found.answers, fills, strict=True)
    }
    run_interruptibly(f"writing {path}", lambda: write_arrays(path, arrays, fills[0], labels))


def find_fill(answer: Any, value: Any) -> Any:
    """What stands in an array where the first answer has no entry."""
    dtype = getattr(value.dtype, "numpy", value.dtype)
    absent = answer.find_absent(dtype)
    if absent is not None:
        return absent
    if isinstance(answer, PerVertex) and value.nvals < math.prod(value.shape):
        return 0  # as of ranks, of which the highest alone are asked for
    return False if np.dtype(dtype).kind == "b" else -1


def print_answers(found: Solution, extra: Extra, asked: dict[str, Any]) -> None:
    """Print what was solved, and what is told of the answers."""
    path = asked["output"]
    places = {name: found.name_vertices([found.given[name]])[0] for name in found.problem.takes}
    told = {**places, **{name: found.given[name] for name in extra.told}}
    written = {"written_to": str(path)} if path is not None else {}
    facts = {**found.facts, **told, **extra.facts(found), **written}
    _show.print_facts("", facts, asked["as_json"], err=is_stdout(path))
