"""The benchmarks run, cover what is registered, and their kept results tell of a machine without naming it."""

from __future__ import annotations

import ast
import importlib
import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import graphla as gl
from graphla.problem import all_problems

ROOT = Path(__file__).parents[1]
BENCH = ROOT / "asv_bench"
KEPT = sorted((BENCH / "results").glob("*/*.json"))


@pytest.mark.parametrize("program", sorted(BENCH.rglob("*.py")), ids=lambda path: path.name)
def test_programs_import_what_is_there(program: Path) -> None:
    """Also those that run on a GPU alone, which no other test starts."""
    for node in ast.walk(ast.parse(program.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ("graphla", "semirings"):
            module = importlib.import_module(str(node.module))
            for name in (alias.name for alias in node.names if not hasattr(module, alias.name)):
                importlib.import_module(f"{node.module}.{name}")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short run of ours."""
    output = tmp_path_factory.mktemp("results")
    pattern = r"vxm any_pair|mxm plus_pair|bfs.*algebraic|Apsp.time_solve.*kron:9|Peak.*bfs|Read.*npz|import|track_o"
    pattern += r"|matrices.Line.*x\[p\]|kron9.*reductions"
    command = [sys.executable, str(BENCH / "run_here.py"), "--output", str(output), "--bench", pattern]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    return output


def group_by_benchmark(results: Path) -> dict[str, list]:
    """What a run found, by benchmark."""
    return json.loads(next(results.glob("*/*-existing.json")).read_text())["results"]


def test_every_method_of_every_problem_is_a_case(results: Path) -> None:
    listed = json.loads((results / "benchmarks.json").read_text())
    for problem in all_problems().values():
        benchmark = problem.name.title().replace("_", "")
        cases = " ".join(listed[f"problems.{benchmark}.time_solve"]["params"][0])
        for method in problem.methods.values():
            assert all(f"{method.name} {engine} " in cases for engine in method.engines)


def test_a_run_measures_what_is_here_and_skips_what_is_not(results: Path) -> None:
    found = group_by_benchmark(results)["operations.Operation.time_new"]
    value = dict(zip(((o, e) for o in found[1][0] for e in found[1][1]), found[0], strict=True))
    assert value["'vxm any_pair, push'", "'cpu'"] > 0
    assert value["'apply'", "'cpu'"] is None, "not asked for"
    skipped = value["'vxm any_pair, push'", "'cuda'"]
    assert gl.config.engine == "cuda" or skipped is None or skipped != skipped or skipped > 0


def test_a_run_compares_with_suitesparse(results: Path) -> None:
    found = group_by_benchmark(results)
    ratios = [value for value in found["matrices.AgainstSuiteSparse.track_mean"][0] if value is not None]
    assert len(ratios) == 1
    assert ratios[0] > 0
    assert sum(value is not None and value > 0 for value in found["matrices.Line.time_call"][0]) >= 2


def test_times_have_statistics(results: Path) -> None:
    columns = json.loads(next(results.glob("*/*-existing.json")).read_text())["result_columns"]
    row = dict(zip(columns, group_by_benchmark(results)["problems.Apsp.time_solve"], strict=True))
    assert any(repeat and repeat >= 3 for repeat in row["stats_repeat"])


def test_asv_reads_what_a_run_keeps(results: Path) -> None:
    asv = pytest.importorskip("asv.results")
    loaded = asv.Results.load(str(next(results.glob("*/*-existing.json"))))
    assert "operations.Operation.time_new" in loaded.get_all_result_keys()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_kept_results_name_no_host_and_no_folder(path: Path) -> None:
    text = path.read_text()
    assert socket.gethostname() not in text
    assert not any(folder in text for folder in ('"/', "/home", "/root", "/tmp", "site-packages"))
