"""What `make gpu-test` runs under compute-sanitizer, with a tool that only writes down what it is told."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from graphla.common.errors import NotSupported
from graphla.engine.cuda import graphs
from tests import sanitize
from tests.fuzz import full_loops

FILES = Counter({"tests/one.py": 3, "tests/two.py": 5})
OUT_OF_BOUNDS = "========= Invalid __global__ write of size 4 bytes"


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compute-sanitizer on PATH that notes its arguments, and reports an access where `fails` names its tool."""
    program = tmp_path / "compute-sanitizer"
    report = f'if grep -qsx "$2" {tmp_path}/fails; then echo "{OUT_OF_BOUNDS}"; exit 86; fi'
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n{report}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(sanitize, "require_cupy", lambda: None)
    choose = lambda parts: {f: n for f, n in FILES.items() if any(part in f for part in parts or [""])}  # noqa: E731
    monkeypatch.setattr(sanitize, "count_tests", choose)
    return tmp_path


def run(folder: Path, *arguments: str) -> int:
    return sanitize.main(["--record", str(folder / "kept.csv"), "--processes", "1", *arguments])


def read_calls(folder: Path) -> list[str]:
    return (folder / "calls").read_text().splitlines() if (folder / "calls").exists() else []


def test_each_tool_runs_over_each_file(tool: Path) -> None:
    assert run(tool) == 0
    calls = read_calls(tool)
    assert [(line.split()[1], line.split()[-1]) for line in calls] == [
        (name, file) for name in sanitize.TOOLS for file in ("tests/two.py", "tests/one.py")
    ]
    assert all("--error-exitcode 86" in line and " -m gpu " in line for line in calls)
    assert [line.count("kernel_substring=cupy") for line in calls] == [0, 0, 1, 1, 1, 1, 1, 1]
    kept = sanitize.read_checks(tool / "kept.csv")
    assert {(check.tests, check.outcome) for check in kept.values()} == {(3, "clean"), (5, "clean")}


@pytest.mark.parametrize(("tests", "processes"), [(19, ""), (20, "-n 2"), (500, "-n 8")])
def test_many_tests_share_processes(tests: int, processes: str) -> None:
    command = " ".join(sanitize.make_command("tool", "memcheck", "tests/many.py", tests))
    assert processes in command
    assert ("-n " in command) == bool(processes)


def test_what_is_printed_begins_with_the_first_finding() -> None:
    output = (
        "collected" * sanitize.SHOWN
        + "\n========= Invalid read\n  at leave_rows\n"
        + "." * 9 * sanitize.SHOWN
        + "failed"
    )
    assert sanitize.quote_output(output).startswith("========= Invalid read\n  at leave_rows\n.")
    assert sanitize.quote_output(output).endswith(".failed")
    assert "one failed" in sanitize.quote_output("one failed")


def test_a_run_goes_on_where_it_was(tool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tool, "--tool", "memcheck", "--file", "two") == 0
    assert run(tool, "--tool", "memcheck") == 0
    assert [line.split()[-1] for line in read_calls(tool)] == ["tests/two.py", "tests/one.py"]
    assert "1 kept from before" in capsys.readouterr().out
    assert run(tool, "--tool", "memcheck", "--again") == 0
    assert len(read_calls(tool)) == 4


def test_what_is_of_another_commit_runs_again(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(tool, "--tool", "memcheck") == 0
    monkeypatch.setattr(sanitize, "read_output", lambda *_: "another1")
    assert run(tool, "--tool", "memcheck") == 0
    assert len(read_calls(tool)) == 4
    assert {check.commit for check in sanitize.read_checks(tool / "kept.csv").values()} == {"another1"}


def test_a_finding_is_kept_and_runs_again(tool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tool / "fails").write_text("racecheck\n")
    assert run(tool, "--file", "one") == 1
    outcomes = {check.tool: check.outcome for check in sanitize.read_checks(tool / "kept.csv").values()}
    assert outcomes.pop("racecheck") == "1 findings, first: Invalid __global__ write of size 4 bytes"
    assert set(outcomes.values()) == {"clean"}
    assert OUT_OF_BOUNDS in capsys.readouterr().out
    (tool / "fails").unlink()
    assert run(tool, "--file", "one") == 0
    assert len(read_calls(tool)) == 5


def test_too_long_is_a_failure(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(command: list[str], **how: Any) -> Any:
        if command[0].endswith("compute-sanitizer"):
            raise subprocess.TimeoutExpired("compute-sanitizer", how["timeout"])
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(sanitize.subprocess, "run", stop)
    assert run(tool, "--tool", "memcheck", "--seconds", "2") == 1
    kept = sanitize.read_checks(tool / "kept.csv")
    assert {check.outcome for check in kept.values()} == {"stopped after 2 seconds"}


def test_a_file_that_no_test_is_in_is_no_success(tool: Path) -> None:
    assert run(tool, "--file", "nowhere") == 1


@pytest.mark.parametrize(
    ("status", "output", "says"),
    [
        (0, "", "clean"),
        (1, "FAILED tests/a.py::test_b - boom", "1 tests fail, first: tests/a.py::test_b"),
        (139, "", "exit status 139"),
        (86, "========= Uninitialized __global__ memory read of size 4\n", "1 findings, first: Uninitialized"),
        (86, "========= Barrier error detected. Divergent thread(s)\n", "1 findings, first: Barrier error"),
        (86, "========= Error: Race reported between Write and Read\n", "1 findings, first: Error: Race"),
    ],
)
def test_what_came_of_a_run(status: int, output: str, says: str) -> None:
    assert sanitize.describe_run(status, output).startswith(says)


def test_no_tool(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("PATH", "CUDA_PATH", "CUDA_HOME"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(sanitize, "FOLDERS", ("/nowhere",))
    assert sanitize.main([]) == 1
    assert "neither on PATH nor in /nowhere: install the CUDA toolkit" in capsys.readouterr().err


def test_no_gpu_is_no_success(tool: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse() -> None:
        raise NotSupported("no NVIDIA GPU is visible")

    monkeypatch.setattr(sanitize, "require_cupy", refuse)
    assert run(tool) == 1
    assert "no NVIDIA GPU is visible" in capsys.readouterr().err
    assert not read_calls(tool)


def test_the_tests_of_some_files_are_found() -> None:
    found = sanitize.count_tests(["graphla/engine/cuda/test_c", "nowhere"])
    assert found["tests/graphla/engine/cuda/test_cells.py"] > 40
    assert all(file.startswith("tests/graphla/engine/cuda/test_c") for file in found)
    assert not sanitize.count_tests(["nowhere"])


def test_rounds_of_a_loop_are_repeated_by_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool breaks graphs with conditional nodes: as a plugin it has the same kernels launched one by one."""
    pools: list[Any] = []
    cuda = SimpleNamespace(set_allocator=pools.append, Memory=lambda size: size, MemoryPointer=lambda *held: held)
    monkeypatch.setattr(sanitize, "require_cupy", lambda: SimpleNamespace(cuda=cuda))
    monkeypatch.setattr(graphs, "load_driver", graphs.load_driver)
    monkeypatch.setattr(full_loops, "ROUNDS_HOW", known := set(full_loops.ROUNDS_HOW))
    sanitize.pytest_configure()
    left = np.array([4])
    how, graph = graphs.repeat(None, lambda: left.__isub__(1), left, 9, True)
    assert (left.tolist(), graph) == ([0], None)
    assert [pools[0](size) for size in (0, 5, 8)] == [(0, 0), (8, 0), (8, 0)]  # to the end of a word
    assert "tests/conditional_node.cu" in how
    assert how in known  # a test that asks how a loop ran takes this for an answer
