"""Programs of users under a type checker: it accepts what is right, and refuses each mistake where it stands.

A line of a program that is wrong ends in ``# E:`` and the rules of pyright that report it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))
Errors = dict[int, set[str]]
"""The rules that are broken, by line."""


@cache
def run_pyright() -> dict[str, Errors]:
    """What pyright reports on all programs in one run, by file."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(HERE)]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    assert report["summary"]["filesAnalyzed"] == len(PROGRAMS)
    found: dict[str, Errors] = defaultdict(lambda: defaultdict(set))
    for one in report["generalDiagnostics"]:
        found[Path(one["file"]).name][one["range"]["start"]["line"] + 1].add(one.get("rule", one["message"]))
    return found


def read_marks(program: Path) -> Errors:
    """What the comments of a program announce."""
    marks = {n: re.search(r"# E: (.*)", line) for n, line in enumerate(program.read_text().splitlines(), 1)}
    return {n: set(mark[1].split()) for n, mark in marks.items() if mark}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_pyright_reports_what_is_marked_and_nothing_else(program: Path) -> None:
    assert dict(run_pyright()[program.name]) == read_marks(program)


def test_there_are_marked_mistakes_and_unmarked_programs() -> None:
    counts = [len(read_marks(program)) for program in PROGRAMS]
    assert max(counts) >= 50
    assert min(counts) == 0
