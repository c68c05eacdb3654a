"""``python -m tests.mutants --count N``: plant faults, one at a time, in a copy of the tree; which test turns red?

A fault that no test sees is a check that is missing, or a line that changes no answer. What came out is kept in
`docs/_data/mutants.csv`. A red test is run once more without the fault: time limits end tests on a busy machine, too.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from tests.kept import ROOT, keep, read_commit

PLACES = "algorithms/**/*.cuh", "algorithms/**/*_cpu.py", "algorithms/**/algebraic.py", "engine/**/*.cuh"
CHANGES = {
    r" < ": " <= ",
    r" > ": " >= ",
    r" == ": " != ",
    r" \+ 1\b": " + 2",
    r" - 1\b": "",
    r"\bmin\(": "max(",
    r"\bmonoid\.min\b": "monoid.max",
    r"\bmonoid\.plus\b": "monoid.max",
    r"\bany_second\b(?=\()": "any_first",
    r"\(~": "(",
    r", replace\)": ")",
    r"\bint64\b": "int32",
    r"\|=": "=",
    r"__sync(threads|warp)\(\)": "(void)0",
    r"\bS::identity\(\)": "T(1)",
}
"""Patterns, and what they become: comparisons, off by one, wrong operators, masks, dtypes, barriers, identities."""
COMMENT = re.compile(r'\s*(#|//|\*|"""|from |import |template|static_assert)')
SECONDS = 600


@dataclass(frozen=True)
class Mutant:
    """A line of a file, and what it becomes."""

    file: str
    line: int
    old: str
    new: str


def list_mutants(text: str, file: str) -> Iterator[Mutant]:
    """Every change of every line of code; docstrings are left out."""
    quoted = False
    for number, line in enumerate(text.splitlines(), 1):
        inside, quoted = quoted, quoted ^ (line.count('"""') % 2 == 1)
        if inside or COMMENT.match(line):
            continue
        for pattern, new in CHANGES.items():
            changed = re.sub(pattern, new, line, count=1)
            if changed != line:
                yield Mutant(file, number, line.strip(), changed.strip())


def list_tests(file: str) -> list[str]:
    """The tests of a module: the folder that mirrors its own, else those that name it; then the fuzzer's share."""
    folder = ROOT / "tests" / Path(file).parent
    while not folder.exists():
        called = f"gl.{folder.name}("
        folder = folder.parent
        named = [path for path in sorted(folder.rglob("test_*.py")) if called in path.read_text()]
        if named:
            return [*(str(path.relative_to(ROOT)) for path in named), "tests/test_fuzz_methods.py"]
    return [str(folder.relative_to(ROOT)), "tests/test_fuzz_methods.py"]


def run_tests(tree: Path, tests: list[str]) -> str:
    """The first test that fails in a tree, or what else ended them; "none" if all pass."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not slow", "-p", "no:cacheprovider", *tests]
    where = {**os.environ, "PYTHONPATH": str(tree)}
    try:
        done = subprocess.run(command, cwd=tree, env=where, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"unclear: more than {SECONDS} s"
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return "none" if done.returncode == 0 else found[1] if found else f"unclear: pytest ended with {done.returncode}"


def try_mutant(tree: Path, mutant: Mutant) -> str:
    """Plant a fault in a tree, run the tests, and take it out again; return what is red with it and green without."""
    path = tree / mutant.file
    kept = path.read_text()
    lines = kept.splitlines(keepends=True)
    lines[mutant.line - 1] = lines[mutant.line - 1].replace(mutant.old, mutant.new)
    path.write_text("".join(lines))
    try:
        red = run_tests(tree, list_tests(mutant.file))
    finally:
        path.write_text(kept)
    if "::" in red and run_tests(tree, [red]) != "none":
        return f"unclear: {red} fails without the fault, too"
    return red


@click.command()
@click.option("--count", default=40, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--like", default="", help="A part of the names of the files.")
def main(count: int, seed: int, like: str) -> None:
    """Plant so many faults; the exit code is 1 if it is not shown that a test sees each."""
    files = sorted({path for place in PLACES for path in (ROOT / "graphla").glob(place) if like in str(path)})
    draw, commit, unseen = random.Random(seed), read_commit(), 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        for file in draw.choices(files, k=count):
            mutants = list(list_mutants(file.read_text(), str(file.relative_to(ROOT))))
            if mutants:
                mutant = draw.choice(mutants)
                red = try_mutant(tree, mutant)
                unseen += "::" not in red
                keep("mutants", commit, **vars(mutant), red=red)
                click.echo(f"{mutant.file}:{mutant.line}: {mutant.new}: {red}")
    sys.exit(unseen > 0)


if __name__ == "__main__":
    main()
