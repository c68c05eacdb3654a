"""The common part of the commands that solve a problem: open, solve, verify, trace, write."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from graphla.doors.cli import _show
from graphla.doors.cli._graphs import open_graph
from graphla.doors.cli._options import parse_settings
from graphla.doors.cli._output import is_stdout, write, write_columns
from graphla.doors.cli._work import Tell, run_interruptibly, run_with_progress
from graphla.measuring.watching import Trace
from graphla.measuring.watching.compiling import seconds_compiling

SHORT = 10.0
"""A first call of at most so many seconds is repeated for its trace, so that the trace contains no compiling."""


HIGHEST = 5
"""How many of the highest vertices are shown."""
SECOND = "parents", "next_hops", "sizes", "levels"
"""What a problem may give beside its answer: a second array."""


@dataclass(frozen=True)
class Solution:
    """The answers to a problem, and facts about the run."""

    graph: Any
    answers: tuple[Any, ...]
    facts: dict[str, Any]
    in_file: bool = False
    """Whether the method itself has written the answer to the output file."""


def solve(problem: Any, where: tuple[Any, ...], extra: dict[str, Any], asked: dict[str, Any], **form: Any) -> Solution:
    """Open the graph, solve the problem, and verify and trace it if requested; `form` is passed to the problem only."""
    refuse_two_arrays(asked["output"], extra)
    G = open_graph(asked["graph"], asked)
    streams = streams_output(problem, asked)
    request = {**extra, **parse_settings(asked["settings"]), **({"output": asked["output"]} if streams else {})}
    method = problem.choose(G, asked["method"], request)

    def call(tell: Tell) -> Any:
        return wait_for_device(
            G, problem(G, *where, method=method.name, **make_progress_option(method, tell), **request, **form)
        )

    wanted = bool(asked["trace"] or asked["trace_to"])
    answer, seconds, watched = run_timed(f"{problem.name} by {method.name}", call, wanted, streams)
    answers = answer if isinstance(answer, tuple) else (answer,)
    if asked["verify"]:
        run_interruptibly("verifying", lambda: problem.verify(G, *where, *answers, **problem.definition(request)))
    if watched is not None:
        show_trace(watched, asked["trace"], asked["trace_to"])
    return Solution(G, answers, collect_facts(problem, G, method, seconds, asked["verify"]), streams)


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


def make_progress_option(method: Any, tell: Tell) -> dict[str, Any]:
    """Make the option that moves the progress bar, for a method that reports progress."""
    if "progress" not in method.options:
        return {}
    return {"progress": lambda done, total: tell(f"{done} of {total}", done, total)}


def refuse_two_arrays(path: Path | None, extra: dict[str, Any]) -> None:
    """Raise a usage error if two arrays are requested in an .npy file, which holds one."""
    second = next((name for name in SECOND if extra.get(name)), None)
    if path is not None and path.suffix.lower() == ".npy" and second is not None:
        raise click.UsageError(f"{path}: .npy holds one array, and {second} are a second one: use .npz")


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


def list_highest(values: Any) -> list[int]:
    """List the vertices of the highest values, the first of them first."""
    indices, held = (values.engine.to_host(part) for part in values.to_coo())
    return indices[(-held).argsort(kind="stable")[:HIGHEST]].tolist()


def deliver(solution: Solution, names: tuple[str, ...], absent: Any, asked: dict[str, Any]) -> None:
    """Write the answers to the output file, if there is one, and print the facts."""
    path = asked["output"]
    if path is not None and not solution.in_file:
        to_host = solution.graph.engine.to_host
        fills = (absent, -1)
        host = [
            to_host(a.to_dense(fill) if hasattr(a, "to_dense") else a)
            for a, fill in zip(solution.answers, fills, strict=False)
        ]
        columns = dict(zip(names, host, strict=False))
        run_interruptibly(f"writing {path}", lambda: write_columns(path, columns, absent))
    written = {"written_to": str(path)} if path is not None else {}
    _show.print_facts("", {**solution.facts, **written}, asked["as_json"], err=is_stdout(path))
