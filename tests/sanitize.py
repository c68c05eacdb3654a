"""compute-sanitizer over every test that runs on a GPU: accesses, races in shared memory, barriers, unwritten memory.

``python -m tests.sanitize`` is the second half of ``make gpu-test``. It runs each tool over each file of tests, several
at once, and keeps in ``docs/_data/sanitizers.csv`` what each found, when, at which commit and on which GPU. What is
kept as clean for the commit is not run again, so that a run that was stopped goes on where it was.

As a plugin of pytest this module takes CuPy's memory pool away, so that each array is an allocation of its own and an
access past its end is one past an allocation. It also has the host repeat the rounds of loops, which a conditional
node of a CUDA graph repeats elsewhere: under the tool such a node ends in an illegal address in any program, as
``conditional_node.cu`` shows.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

from graphla.common.errors import NotSupported
from graphla.engine.cuda import graphs
from graphla.engine.cuda.launch import require_cupy

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "docs/_data/sanitizers.csv"
OURS = ("--kernel-name-exclude", "kernel_substring=cupy")
"""CuPy's own kernels are not ours to judge; racecheck reports benign races in its reductions."""
TOOLS = {"memcheck": (), "racecheck": OURS, "synccheck": OURS, "initcheck": OURS}
CLEAN = "clean"
FOUND = 86
"""The exit status that the tool is told to give where it reports something."""
FINDING = re.compile(
    r"^=+ (?!.*SUMMARY)((?:Invalid|Error:|Warning:|Barrier|Uninitialized|Program hit).*)", re.MULTILINE
)
ON_GPU = {**os.environ, "GRAPHLA_ENGINE": "cuda"}
SECONDS = 1800
"""The most that one tool may take over one file."""
MANY, EACH = 20, 10
"""So many tests of a file are shared by several processes, each of which takes about so many."""
SHOWN = 8000
"""Characters of the output that are printed, from the first finding on and before the end."""
FOLDERS = ("/usr/local/cuda/bin",)
GATHER = "--collect-only -q -m gpu -p no:cacheprovider"
RUN = (
    "-q -m gpu --timeout 0 -p no:cacheprovider -p no:benchmark -p tests.sanitize "
    "--deselect tests/graphla/test_compare.py::test_a_solve_is_timed_without_pythons_part"
)
"""pytest-benchmark, where it is installed, refuses to share tests; what a tool slows down is not timed."""


@dataclass(frozen=True)
class Check:
    """What a tool said of the tests of a file: `outcome` is ``clean``, or what went wrong."""

    tool: str
    file: str
    tests: int
    outcome: str
    date: str
    commit: str
    gpu: str


def find_sanitizer() -> str | None:
    """The path of compute-sanitizer: on PATH, or where the toolkit is installed."""
    home = os.environ.get("CUDA_PATH") or os.environ.get("CUDA_HOME")
    folders = [os.environ.get("PATH", ""), *([f"{home}/bin"] if home else []), *FOLDERS]
    return shutil.which("compute-sanitizer", path=os.pathsep.join(folders))


def read_output(*command: str) -> str:
    """What a command prints; nothing where it does not run."""
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


def count_tests(parts: Sequence[str] = ()) -> Counter[str]:
    """The files of tests marked ``gpu``, and how many each has; but those that start ranks, or lack all `parts`."""
    named = [str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("tests/**/test_*.py"))]
    files = [name for name in named if "tests/mpi" not in name and any(part in name for part in parts or [""])]
    listed = read_output(sys.executable, "-m", "pytest", *GATHER.split(), *files) if files else ""
    return Counter(line.partition("::")[0] for line in listed.splitlines() if "::" in line)


def read_checks(path: Path) -> dict[tuple[str, str], Check]:
    """What is kept of each tool and file."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as lines:
        rows = [Check(**{**row, "tests": int(row["tests"])}) for row in csv.DictReader(lines)]
    return {(check.tool, check.file): check for check in rows}


def write_checks(path: Path, checks: Iterable[Check]) -> None:
    """Keep them, in the order of their names, in a file that is moved into place."""
    unfinished = path.with_suffix(".new")
    with unfinished.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Check)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(check) for check in sorted(checks, key=lambda each: (each.tool, each.file)))
    unfinished.replace(path)


def make_command(program: str, tool: str, file: str, tests: int) -> list[str]:
    """A tool over the tests of a file, which share several processes where they are many."""
    check = [program, "--tool", tool, "--error-exitcode", str(FOUND), "--target-processes", "all", *TOOLS[tool]]
    shared = ("-n", str(min(8, tests // EACH)), "--dist", "worksteal") if tests >= MANY else ()
    return [*check, sys.executable, "-m", "pytest", *RUN.split(), *shared, file]


def describe_run(status: int, output: str) -> str:
    """What came of a run, in a few words: ``clean``, or the first finding and how many."""
    if status == 0:
        return CLEAN
    findings = FINDING.findall(output)
    failed = re.findall(r"^FAILED (\S+)", output, re.M)
    if findings:
        return f"{len(findings)} findings, first: {findings[0].strip()}"
    return f"{len(failed)} tests fail, first: {failed[0]}" if failed else f"exit status {status}"


def quote_output(output: str) -> str:
    """The first finding and what follows it, and the end."""
    first = FINDING.search(output)
    return f"{output[first.start() if first else len(output) :][:SHOWN]}\n...\n{output[-SHOWN:]}"


def run_command(command: list[str], seconds: float) -> str:
    """Run a command; what came of it, whose output is printed where it is not clean."""
    try:
        ran = subprocess.run(
            command, cwd=ROOT, env=ON_GPU, timeout=seconds, capture_output=True, text=True, check=False
        )
    except subprocess.TimeoutExpired:
        return f"stopped after {seconds:g} seconds"
    outcome = describe_run(ran.returncode, ran.stdout + ran.stderr)
    if outcome != CLEAN:
        print(shlex.join(command), quote_output(ran.stdout), ran.stderr[-SHOWN:], sep="\n", flush=True)
    return outcome


@dataclass
class Watch:
    """The checks that are kept, and how a further one is made."""

    path: Path
    program: str
    seconds: float
    commit: str
    gpu: str

    def __post_init__(self) -> None:
        self.checks, self.lock = read_checks(self.path), Lock()

    def is_done(self, tool: str, file: str) -> bool:
        """Whether the tool found nothing in that file at this commit."""
        check = self.checks.get((tool, file))
        return check is not None and (check.outcome, check.commit) == (CLEAN, self.commit)

    def check(self, asked: tuple[str, str], tests: int) -> Check:
        """Run a tool over a file, and keep what came of it."""
        outcome = run_command(make_command(self.program, *asked, tests), self.seconds)
        made = Check(*asked, tests, outcome, f"{datetime.now(UTC):%Y-%m-%d}", self.commit, self.gpu)
        with self.lock:
            self.checks[asked] = made
            write_checks(self.path, self.checks.values())
        print(f"{made.tool:10}{made.file} ({made.tests} tests): {made.outcome}", flush=True)
        return made


def parse_arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.sanitize", description=str(__doc__).partition("\n")[0])
    parser.add_argument("--tool", action="append", choices=TOOLS, help="this tool; may be repeated  [default: all]")
    parser.add_argument("--file", action="append", help="files with this in their names; may be repeated")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the most a tool may take over a file")
    parser.add_argument("--processes", type=int, default=4, help="so many files at once")
    parser.add_argument("--record", type=Path, default=RECORD, help="where the outcomes are kept")
    parser.add_argument("--again", action="store_true", help="also what was clean at this commit")
    return parser.parse_args(given)


def find_missing() -> str:
    """Why nothing can be checked here; empty if it can."""
    if find_sanitizer() is None:
        return (
            f"compute-sanitizer is neither on PATH nor in {', '.join(FOLDERS)}: install the CUDA toolkit, or set "
            "CUDA_PATH to the folder where it is"
        )
    try:
        require_cupy()
    except NotSupported as error:  # the tests would be skipped, and nothing looked at
        return str(error)
    return ""


def main(given: Sequence[str] | None = None) -> int:
    """Run the tools over the files; 1 if one found something, or nothing could be checked."""
    asked, missing = parse_arguments(given), find_missing()
    if missing:
        print(missing, file=sys.stderr)
        return 1
    commit = read_output("git", "rev-parse", "--short=8", "HEAD").strip() or "unknown"
    gpu = read_output("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").partition("\n")[0]
    watch = Watch(asked.record, str(find_sanitizer()), asked.seconds, commit, gpu)
    files = count_tests(asked.file or ())
    pairs = [(tool, file) for tool in asked.tool or TOOLS for file in sorted(files, key=lambda f: -files[f])]
    todo = [pair for pair in pairs if asked.again or not watch.is_done(*pair)]
    with ThreadPoolExecutor(asked.processes) as pool:
        made = list(pool.map(lambda pair: watch.check(pair, files[pair[1]]), todo))
    unclean = sum(check.outcome != CLEAN for check in made)
    print(f"{len(made)} checks made, {unclean} not clean, {len(pairs) - len(todo)} kept from before; {asked.record}")
    return int(unclean > 0 or not pairs)


def refuse_graphs() -> NoReturn:
    """What `load_driver` does where no loop is to run as a CUDA graph; the plan says so."""
    raise graphs.GraphError("compute-sanitizer does not run conditional nodes: tests/conditional_node.cu")


def allocate(size: int) -> Any:
    """Memory without a pool, up to the end of a word: an atomic on one byte goes through the word that holds it."""
    cuda = require_cupy().cuda
    return cuda.MemoryPointer(cuda.Memory(-(-size // 4) * 4), 0)


def pytest_configure() -> None:
    """Without a pool an array ends where its allocation ends; without graphs the tool sees the kernels of loops."""
    from tests.fuzz import full_loops  # needs pytest, and the documentation's tables read this module without it

    require_cupy().cuda.set_allocator(allocate)
    graphs.load_driver = refuse_graphs
    full_loops.ROUNDS_HOW.add(graphs.repeat(None, refuse_graphs, [0], 1, True)[0])


if __name__ == "__main__":
    sys.exit(main())
