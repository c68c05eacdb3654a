"""How long the house is: ``python -m tests.sizes [BASE]`` prints lines of code by folder, and by how much they grew.

A docstring, a comment and a blank are no lines of code: what is public is documented in numpydoc, and a limit on all
lines would be one on documentation (three of four files that exceed it do so by their docstrings). The growth is that
since this branch left `BASE` (``origin/main``, or ``main``). A file longer than `LIMIT` lines ends the program with an
error, unless `LONGER` says why it is.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath

ROOT = Path(__file__).parents[1]
FOLDERS = ("graphla", "semirings", "_graphla_networkx", "tests", "asv_bench")
LIMIT = 300
CASES = "cases that share operands and helpers"
LONGER: dict[str, tuple[int, str]] = {
    "graphla/containers/matrix.py": (429, "the methods of one public class"),
    "graphla/containers/scalar.py": (326, "the methods of one public class"),
    "graphla/planning/plan.py": (328, "every choice of a step, with its thresholds beside each other"),
    "graphla/algorithms/bfs/ranks/peers.cuh": (356, "one cooperative kernel"),
    "graphla/algorithms/triangles/bitmap.cuh": (371, "one kernel in its instances"),
    "tests/emulator/planted_kernels.cuh": (332, "a list of mistakes"),
    "tests/graphla/algorithms/apsp/test_elimination.py": (402, CASES),
    "tests/graphla/cli/test_cli_answers.py": (331, CASES),
    "tests/graphla/engine/test_few_rows.py": (326, CASES),
    "tests/graphla/networkx/test_backend.py": (453, CASES),
    "tests/mpi/cases_language.py": (411, CASES),
}
"""Files that are longer: the most lines that they may have, which only goes down, and why."""


def count_code(name: str, text: str) -> int:
    """Count the lines of a Python or a CUDA text that are no docstring, comment or blank."""
    comment, documented = ("#", list_docstring_lines(text)) if name.endswith(".py") else ("//", set[int]())
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    return sum(bool(line) and not line.startswith(comment) and i not in documented for i, line in lines)


def list_docstring_lines(text: str) -> set[int]:
    """The numbers of the lines of strings that stand alone."""
    return {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def is_counted(name: str) -> bool:
    return name.startswith(tuple(f"{folder}/" for folder in FOLDERS)) and name.endswith((".py", ".cuh"))


def run_git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def read_here() -> dict[str, int]:
    """Lines of code of the files as they are."""
    names = filter(is_counted, run_git("ls-files", "--cached", "--others", "--exclude-standard").splitlines())
    paths = {name: ROOT / name for name in names}
    return {name: count_code(name, path.read_text()) for name, path in paths.items() if path.exists()}


def read_at(revision: str, here: dict[str, int]) -> dict[str, int]:
    """Lines of code of the files as a revision had them; only those that changed since are read."""
    changed = {
        line for line in run_git("diff", "--name-only", "--no-renames", revision).splitlines() if is_counted(line)
    }
    names = [name for name in run_git("ls-tree", "-r", "--name-only", revision).splitlines() if is_counted(name)]
    return {name: here[name] if name not in changed else read_blob(revision, name) for name in names}


def read_blob(revision: str, name: str) -> int:
    return count_code(name, run_git("show", f"{revision}:{name}"))


def find_base(asked: str | None) -> str | None:
    """The revision that this branch left; None where there is no git or no such branch."""
    for branch in [asked] if asked else ["origin/main", "main"]:
        try:
            return run_git("merge-base", branch, "HEAD").strip()
        except (subprocess.CalledProcessError, FileNotFoundError):
            if asked:
                raise
    return None


def find_folder(name: str) -> str:
    """The folder that a file is counted in: two levels of the package, one of the rest."""
    parts = PurePath(name).parts[:-1]
    return "/".join(parts[: 2 if parts[0] == "graphla" else 1])


def sum_by_folder(lines: dict[str, int]) -> Counter[tuple[str, str]]:
    """Lines by folder and kind of file."""
    summed: Counter[tuple[str, str]] = Counter()
    for name, count in lines.items():
        summed[find_folder(name), PurePath(name).suffix] += count
    return summed


def write_report(here: dict[str, int], before: dict[str, int] | None) -> Iterator[str]:
    """A table: a folder, its lines of Python and of CUDA, and the difference."""
    now, then = sum_by_folder(here), sum_by_folder(here if before is None else before)
    yield f"{'lines of code':32}{'Python':>10}{'':8}{'CUDA':>10}"
    folders = sorted({folder for folder, _ in now | then})
    for folder in folders:
        yield f"{folder:32}" + "".join(show(now[folder, kind], then[folder, kind]) for kind in (".py", ".cuh"))
    sums = [[sum(table[f, kind] for f in folders) for table in (now, then)] for kind in (".py", ".cuh")]
    yield f"{'in all':32}" + "".join(show(*both) for both in sums)


def show(now: int, then: int) -> str:
    return f"{now or '':>10}{f'{now - then:+}' if now != then else '':>8}"


def list_offences(here: dict[str, int], longer: dict[str, tuple[int, str]]) -> Iterator[str]:
    """Files above the limit, and entries of `LONGER` that are not needed."""
    for name, count in sorted(here.items()):
        allowed = longer.get(name, (LIMIT, ""))[0]
        if count > allowed:
            yield f"{name} has {count} lines of code, and {allowed} are allowed: split it by its ideas"
    for name in longer:
        if here.get(name, 0) <= LIMIT:
            yield f"{name} has {here.get(name, 0)} lines of code: remove it from LONGER in tests/sizes.py"


def main() -> int:
    here, base = read_here(), find_base(sys.argv[1] if len(sys.argv) > 1 else None)
    print(*write_report(here, read_at(base, here) if base else None), sep="\n")
    offences = list(list_offences(here, LONGER))
    print(*offences, sep="\n", file=sys.stderr)
    return bool(offences)


if __name__ == "__main__":
    sys.exit(main())
