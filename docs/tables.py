"""Tables of the results that are kept in asv_bench/results, so that no figure is typed into a page."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import graphla as gl
from graphla.planning import few_rows, plan, words
from tests.sanitize import CLEAN, RECORD, TOOLS, Check, read_checks

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "asv_bench" / "results"
BARS = {
    "track_bfs_fast": ("breadth-first search, Kronecker 18", "`breadth_first_order`"),
    "track_bfs_algebraic": ("the same as matrix expressions", "`breadth_first_order`"),
    "track_sssp_fast": ("shortest paths, Kronecker 18", "`dijkstra`"),
    "track_sssp_algebraic": ("the same as matrix expressions", "`dijkstra`"),
    "track_floyd_warshall": ("all pairs, dense, 2000 vertices", "`floyd_warshall`"),
}


Found = dict[tuple[str, str], float]
"""A figure by its row and column."""


@dataclass(frozen=True)
class Table:
    """Rows under headings, shown as Markdown."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    before: str = ""

    def __str__(self) -> str:
        rule = tuple("---" for _ in self.headings)
        lines = ["| " + " | ".join(row) + " |" for row in (self.headings, rule, *self.rows)]
        return "\n".join(filter(None, (self.before and f"{self.before}\n", *lines)))

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Tables:
    """One table a machine."""

    each: tuple[Table, ...]

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.each)) or "*No run is kept yet.*"

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Run:
    """A kept run of a machine."""

    facts: dict[str, Any]

    @classmethod
    def on(cls, machine: str) -> list[Run]:
        """The runs of that machine, the newest first; one need not have measured everything."""
        kept = [json.loads(path.read_text()) for path in (RESULTS / machine).glob("*-existing.json")]
        return [cls(facts) for facts in sorted(kept, key=format_started, reverse=True)]

    def cases(self, benchmark: str) -> dict[tuple[str, ...], float]:
        """The value of each case that has one, by its parameters."""
        row = self.facts["results"].get(benchmark, [[], []])
        pairs = zip(product(*row[1]), row[0], strict=True) if row[0] else ()
        return {tuple(p.strip("'") for p in case): v for case, v in pairs if v is not None and v == v}

    def format_said(self) -> str:
        """Machine, date and commit, in a line."""
        told = self.facts["params"]
        where = told.get("gpu") or f"{told['num_cpu']} cores of {told['cpu']}"
        day = datetime.fromtimestamp(format_started(self.facts) / 1000, UTC).date()
        versions = ", ".join(f"{name} {version}" for name, version in self.facts["requirements"].items())
        return f"*{where}, {day}, commit {self.facts['commit_hash'][:8]}, Python {told['python']}, {versions}*"


def format_started(facts: dict[str, Any]) -> int:
    """When the first benchmark of a run began, in milliseconds."""
    return min((row[3] for row in facts["results"].values()), default=0)


def machines() -> list[str]:
    """The machines of which runs are kept, the CPU first."""
    return sorted(folder.parent.name for folder in RESULTS.glob("*/machine.json"))


def select_kept(make: Callable[[Run], Table]) -> Tables:
    """What `make` finds in the newest run of each machine in which it finds anything."""
    made = (next((table for table in map(make, Run.on(machine)) if table.rows), None) for machine in machines())
    return Tables(tuple(table for table in made if table is not None))


def milliseconds(seconds: float | None) -> str:
    """Three digits; a dash for what was not measured."""
    return "–" if seconds is None else f"{seconds * 1e3:.3g}"


def megabytes(nbytes: float | None) -> str:
    """Three digits; a dash for what was not measured."""
    return "–" if nbytes is None else f"{nbytes / 1e6:.3g}"


def against_scipy() -> Tables:
    """Ratios against SciPy, both measured in turn in one process."""

    def make(run: Run) -> Table:
        rows = tuple((what, peer, f"{ratio:.2f} ×") for what, peer, ratio in ratios(run))
        return Table(("graphla", "beside SciPy's", "time of ours / time of SciPy's"), rows, run.format_said())

    return select_kept(make)


def ratios(run: Run) -> list[tuple[str, str, float]]:
    """What was compared with SciPy, with what of SciPy's, and the ratio of the times."""
    found = {name: run.cases(f"bars.AgainstScipy.{name}") for name in BARS}
    return [(what, peer, found[name][()]) for name, (what, peer) in BARS.items() if () in found[name]]


def ratios_to_scipy() -> list[tuple[str, str, float]]:
    """The ratios of the newest run that has any, without markup."""
    made = next(found for machine in machines() for run in Run.on(machine) if (found := ratios(run)))
    return [(what, peer.strip("`"), ratio) for what, peer, ratio in made]


def problems(problem: str) -> Tables:
    """Milliseconds of each method on each graph."""

    def make(run: Run) -> Table:
        cases = run.cases(f"problems.{problem.capitalize()}.time_solve")
        found = {tuple(case.split()): value for (case,), value in cases.items()}
        return find_crossing(
            "method (ms)", {(f"`{m}` on {e}", g.split("?")[0]): v for (m, e, g), v in found.items()}, run
        )

    return select_kept(make)


def device_bytes() -> Tables:
    """The most that a solve takes from CuPy's pool, its result included and the graph left out."""

    def make(run: Run) -> Table:
        found = {
            (f"`{problem} {method}`", graph): value
            for problem in ("bfs", "sssp", "apsp")
            for (case,), value in run.cases(f"problems.{problem.capitalize()}.track_device_bytes").items()
            for method, _, graph in [case.split()]
        }
        return find_crossing("method (MB)", {(m, g.split("?")[0]): v for (m, g), v in found.items()}, run, megabytes)

    return select_kept(make)


def operations() -> Tables:
    """Milliseconds of each operation on each engine."""
    return select_kept(lambda run: find_crossing("operation (ms)", run.cases("operations.Operation.time_new"), run))


def methods(problem: str) -> Tables:
    """The registry's methods: engines, idea, source."""
    found = getattr(gl, problem).methods.values()
    rows = tuple((f"`{m.name}`", ", ".join(m.engines), cell(m.idea), cell(m.source)) for m in found)
    return Tables((Table(("method", "engines", "idea", "source"), rows),))


def thresholds() -> Table:
    """The constants of the plan, each with the reason that stands below it in the source."""
    bodies = (ast.parse(inspect.getsource(module)).body for module in (plan, few_rows, words))
    rows = (
        (f"`{name.targets[0].id}`", f"`{ast.unparse(name.value)}`", cell(reason.value.value))
        for body in bodies
        for name, reason in pairwise(body)
        if isinstance(name, ast.Assign)
        and isinstance(name.targets[0], ast.Name)
        and isinstance(reason, ast.Expr)
        and isinstance(reason.value, ast.Constant)
    )
    return Table(("name", "value", "reason"), tuple(rows))


def cell(text: str) -> str:
    """A text that may stand in a table."""
    return " ".join(text.replace("|", "\\|").split())


def find_crossing(title: str, found: Found, run: Run, shown: Callable[[float | None], str] = milliseconds) -> Table:
    """Figures by (row, column) as a table."""
    rows, columns = unique(r for r, _ in found), unique(c for _, c in found)
    cells = (tuple(shown(found.get((row, column))) for column in columns) for row in rows)
    body = tuple((row, *cell) for row, cell in zip(rows, cells, strict=True))
    return Table((title, *columns), body, run.format_said())


def sanitizers() -> Table:
    """What each tool of compute-sanitizer found in the tests of a folder, and when."""
    checks = list(read_checks(RECORD).values())
    families = sorted({find_family(check.file) for check in checks})
    rows = tuple((family, *(describe_checks(family, tool, checks) for tool in TOOLS)) for family in families)
    commits = ", ".join(sorted({f"{check.commit} on {check.gpu}" for check in checks}))
    return Table(("tests of", *TOOLS), rows, f"*{commits}*")


def find_family(file: str) -> str:
    """The folder of a file of tests, below `tests/graphla`."""
    return Path(file).parent.relative_to("tests/graphla").as_posix()


def describe_checks(family: str, tool: str, checks: Sequence[Check]) -> str:
    """How many tests of a family a tool found clean, and when it looked last; what it found elsewhere."""
    asked = [check for check in checks if check.tool == tool and find_family(check.file) == family]
    clean = sum(check.tests for check in asked if check.outcome == CLEAN)
    unclean = [f"{Path(check.file).name}: {check.outcome}" for check in asked if check.outcome != CLEAN]
    last = max((check.date for check in asked), default="")
    return "; ".join(filter(None, (f"{clean} clean, {last}" if clean else "", *unclean))) or "not run"


def others() -> Tables:
    """Import, first calls, reading, peak memory and tracing."""
    return select_kept(lambda run: Table(("what", "how much"), tuple(small(run)), run.format_said()))


def small(run: Run) -> Iterable[tuple[str, str]]:
    """The figures that stand alone, with their units."""
    for value in run.cases("bars.Start.track_import").values():
        yield "`import graphla`", f"{value:.2f} s"
    for title, name in (("nothing compiled yet", "cold"), ("compiled before", "warm")):
        for (call, engine), value in run.cases(f"start.FirstCall.track_{name}").items():
            yield f"first call in a process, {call} on {engine}, {title}", f"{value:.2f} s"
    for (kind,), value in run.cases("start.Read.time_read").items():
        what = "the roads of New York (xz)" if kind == "ny" else f"Kronecker 14 as {kind}"
        yield f"reading {what}", f"{milliseconds(value)} ms"
    for (problem,), value in run.cases("start.Peak.track_host_peak").items():
        yield f"memory of a first {problem} on Kronecker 16 beyond the graph", f"{value / 1e6:.0f} MB"
    for state in ("off", "on"):
        for (engine,), value in run.cases(f"tracing.Tracing.track_{state}").items():
            yield f"smallest operation on {engine}, tracing {state} / no tracing in the code", f"{value:.2f} ×"


def unique(names: Iterable[str]) -> Sequence[str]:
    """In the order of their first appearance."""
    return list(dict.fromkeys(names))
