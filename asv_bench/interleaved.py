"""Two revisions side by side: ``python asv_bench/interleaved.py BASE [--to REVISION] [--bench REGEX] [--rounds N]``.

Each revision is checked out into a worktree of its own, and both are measured in turn (base, new, new, base …) by
the benchmarks of this tree, so that what slows the machine for a while slows both. A case is the least of its
rounds; the table shows new over base. The default `--to` is this tree as it stands, changes included.
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
def worktree(revision: str | None, folder: Path) -> Iterator[Path]:
    """A checkout of a revision for as long as it is needed; this tree for None."""
    if revision is None:
        yield ROOT
        return
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--detach", "--quiet", str(folder), revision], check=True)
    try:
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def measured(tree: Path, bench: str) -> dict[str, float]:
    """Every case by name, from a process that imports graphla from `tree`."""
    with tempfile.TemporaryDirectory() as output:
        paths = os.pathsep.join(filter(None, (str(tree), os.environ.get("PYTHONPATH"))))
        command = [sys.executable, str(HERE / "run_here.py"), "--bench", bench, "--output", output]
        done = subprocess.run(
            command, env={**os.environ, "PYTHONPATH": paths}, cwd=tree, capture_output=True, text=True
        )
        if done.returncode:
            print(done.stderr.strip().splitlines()[-1], file=sys.stderr)
        found = [json.loads(path.read_text())["results"] for path in Path(output).glob("*/*-existing.json")]
    return dict(pair for results in found for name, row in results.items() for pair in named(name, row))


def named(name: str, row: list) -> Iterator[tuple[str, float]]:
    """The cases of a row of results that have a value."""
    for case, value in zip(product(*row[1]), row[0], strict=True):
        if value is not None and value == value:
            yield f"{name}({', '.join(case)})" if case else name, value


def least(rounds: list[dict[str, float]]) -> dict[str, float]:
    """The least of each case over the rounds."""
    return {name: min(r[name] for r in rounds if name in r) for name in dict.fromkeys(k for r in rounds for k in r)}


def table(base: dict[str, float], new: dict[str, float]) -> None:
    """One line a case, what got slower first."""
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
        worktree(asked.base, Path(folder) / "base") as old,
        worktree(asked.to, Path(folder) / "new") as new,
    ):
        trees = {"base": old, "new": new}
        for number in range(asked.rounds):
            for which in ("base", "new") if number % 2 == 0 else ("new", "base"):
                print(f"round {number + 1} of {asked.rounds}: {which}", file=sys.stderr, flush=True)
                runs[which].append(measured(trees[which], asked.bench))
    table(least(runs["base"]), least(runs["new"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
