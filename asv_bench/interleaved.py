"""Compare two revisions: ``python asv_bench/interleaved.py BASE [--to REVISION] [--bench REGEX] [--rounds N]``.

Each revision is checked out into its own worktree. The benchmarks of this tree measure both in turn (base, new, new,
base …), so that a slow phase of the machine affects both. The value of a case is the minimum over the rounds; the table
shows new over base. By default `--to` is this tree, including uncommitted changes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
NOTABLE = 1.1


@contextmanager
def check_out(revision: str | None, folder: Path) -> Iterator[Path]:
    """Check out a revision for the length of a ``with`` block; yield this tree for None."""
    if revision is None:
        yield ROOT
        return
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--detach", "--quiet", str(folder), revision], check=True)
    try:
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def measure(tree: Path, bench: str) -> dict[str, float]:
    """Measure every case in a process that imports graphla from `tree`; return the values by name."""
    with tempfile.TemporaryDirectory() as output:
        paths = os.pathsep.join(filter(None, (str(tree), os.environ.get("PYTHONPATH"))))
        command = [sys.executable, str(HERE / "run_here.py"), "--bench", bench, "--output", output]
        done = subprocess.run(
            command, env={**os.environ, "PYTHONPATH": paths}, cwd=tree, capture_output=True, text=True
        )
        if done.returncode:
            print(done.stderr.strip().splitlines()[-1], file=sys.stderr)
        found = [json.loads(path.read_text())["results"] for path in Path(output).glob("*/*-existing.json")]
    return dict(pair for results in found for name, row in results.items() for pair in list_cases(name, row))


def list_cases(name: str, row: list) -> Iterator[tuple[str, float]]:
    """Yield the name and value of each case of a row of results that has a value."""
    for case, value in zip(product(*row[1]), row[0], strict=True):
        if value is not None and value == value:
            yield f"{name}({', '.join(case)})" if case else name, value


def find_least(rounds: list[dict[str, float]]) -> dict[str, float]:
    """Return the minimum of each case over the rounds."""
    return {name: min(r[name] for r in rounds if name in r) for name in dict.fromkeys(k for r in rounds for k in r)}


def print_table(base: dict[str, float], new: dict[str, float]) -> None:
    """Print one line per case, the largest slowdown first."""
    ratios = {name: new[name] / base[name] for name in base.keys() & new.keys() if base[name] > 0}
    for name in sorted(ratios, key=lambda name: -ratios[name]):
        mark = "+" if ratios[name] > NOTABLE else "-" if ratios[name] < 1 / NOTABLE else " "
        print(f"{mark} {ratios[name]:7.3f}  {base[name]:12.6g} {new[name]:12.6g}  {name}")
    for title, only in (("base", base.keys() - new.keys()), ("new", new.keys() - base.keys())):
        if only:
            print(f"only in {title}: {', '.join(sorted(only))}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("base", help="a revision: a branch, a tag, a hash, HEAD~1")
    parser.add_argument("--to", help="another revision; by default this tree as it stands")
    parser.add_argument("--bench", default="problems|operations", help="a regular expression")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    runs: dict[str, list[dict[str, float]]] = {"base": [], "new": []}
    with (
        tempfile.TemporaryDirectory() as folder,
        check_out(asked.base, Path(folder) / "base") as old,
        check_out(asked.to, Path(folder) / "new") as new,
    ):
        trees = {"base": old, "new": new}
        for number in range(asked.rounds):
            for which in ("base", "new") if number % 2 == 0 else ("new", "base"):
                print(f"round {number + 1} of {asked.rounds}: {which}", file=sys.stderr, flush=True)
                runs[which].append(measure(trees[which], asked.bench))
    print_table(find_least(runs["base"]), find_least(runs["new"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
