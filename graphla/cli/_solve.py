"""What bfs, sssp and apsp have in common: open, solve, verify, trace, write."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from graphla.cli import _show
from graphla.cli._graphs import open_graph
from graphla.cli._options import settings_of
from graphla.cli._output import write, write_columns
from graphla.cli._work import Tell, attended, reported
from graphla.watching import Trace
from graphla.watching.compiling import seconds_compiling

SHORT = 10.0
"""Seconds up to which a first call is made again for its trace, so that the trace shows no compiling."""


@dataclass(frozen=True)
class Solution:
    """Answers of a problem, and how they came about."""

    graph: Any
    answers: tuple[Any, ...]
    facts: dict[str, Any]
    in_file: bool = False
    """Whether the method itself wrote the answer to the file that was asked for."""


def solved(
    problem: Any, where: tuple[Any, ...], extra: dict[str, bool], asked: dict[str, Any], **form: Any
) -> Solution:
    """Open the graph, solve the problem, and do with it whatever else was asked for; `form` goes to the call alone."""
    refuse_two_in_npy(asked["output"], extra)
    G = open_graph(asked["graph"], asked["engine"], asked["weights"])
    streams = streamed(problem, asked)
    request = {**extra, **settings_of(asked["settings"]), **({"output": asked["output"]} if streams else {})}
    method = problem.choose(G, asked["method"], request)

    def call(tell: Tell) -> Any:
        return finished(G, problem(G, *where, method=method.name, **told(method, tell), **request, **form))

    wanted = bool(asked["trace"] or asked["trace_to"])
    answer, seconds, watched = called(f"{problem.name} by {method.name}", call, wanted, streams)
    answers = answer if isinstance(answer, tuple) else (answer,)
    if asked["verify"]:
        attended("verifying", lambda: problem.verify(G, *where, *answers))
    if watched is not None:
        show_trace(watched, asked["trace"], asked["trace_to"])
    return Solution(G, answers, facts_of(problem, G, method, seconds, asked["verify"]), streams)


def called(title: str, call: Callable[[Tell], Any], wanted: bool, streams: bool) -> tuple[Any, float, Trace | None]:
    """The answer, the seconds of the first call, and a trace if asked for: of a second call, if that is short.

    An answer that goes to its file while the method works is not computed twice.
    """
    watched = Trace() if wanted else None
    started = time.perf_counter()
    with watched if watched is not None else nullcontext():
        answer = reported(title, call)
    seconds = time.perf_counter() - started
    if watched is not None and seconds < SHORT and not streams:
        with Trace() as watched:
            answer = reported(f"{title}, once more for its trace", call)
    return answer, seconds, watched


def streamed(problem: Any, asked: dict[str, Any]) -> bool:
    """Whether the answer goes to its file while the method works: into .npy, by a method that takes `output`."""
    path, name = asked["output"], asked["method"]
    methods = [problem.methods[name]] if name is not None else problem.methods.values()
    return path is not None and path.suffix.lower() == ".npy" and any("output" in m.options for m in methods)


def told(method: Any, tell: Tell) -> dict[str, Any]:
    """The option that moves the bar, for a method that says how far it is."""
    if "progress" not in method.options:
        return {}
    return {"progress": lambda done, total: tell(f"{done} of {total}", done, total)}


def refuse_two_in_npy(path: Path | None, extra: dict[str, bool]) -> None:
    """A file .npy holds one array; say so before the work."""
    if path is not None and path.suffix.lower() == ".npy" and any(extra.values()):
        raise click.UsageError(f"{path}: .npy holds one array, and {next(iter(extra))} are a second one: use .npz")


def finished(G: Any, answer: Any) -> Any:
    """The answer, once the device is done."""
    if G.engine.xp.__name__ == "cupy":
        G.engine.xp.cuda.Device().synchronize()
    return answer


def facts_of(problem: Any, G: Any, method: Any, seconds: float, verified: bool) -> dict[str, Any]:
    """What was solved, how, and how long it took."""
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
    """The trace on standard error, or in a file as its suffix says."""
    if wanted:
        click.echo(str(watched), err=True)
    if path is None:
        return
    if path.suffix.lower() in (".png", ".svg"):
        write(path, lambda stream: watched.plot(stream, format=path.suffix[1:].lower()))
    else:
        put = {".json": watched.to_chrome, ".html": watched.to_html, ".txt": watched.__str__}[path.suffix.lower()]
        write(path, lambda stream: stream.write(put().encode()))


def delivered(solution: Solution, names: tuple[str, ...], absent: Any, asked: dict[str, Any]) -> None:
    """Write the answers where they are wanted, and print the facts."""
    path = asked["output"]
    if path is not None and not solution.in_file:
        to_host = solution.graph.engine.to_host
        fills = (absent, -1)
        host = [
            to_host(a.to_dense(fill) if hasattr(a, "to_dense") else a)
            for a, fill in zip(solution.answers, fills, strict=False)
        ]
        columns = dict(zip(names, host, strict=False))
        attended(f"writing {path}", lambda: write_columns(path, columns, absent))
    written = {"written_to": str(path)} if path is not None else {}
    _show.facts("", {**solution.facts, **written}, asked["as_json"])
