"""What `make gpu-test` runs under compute-sanitizer, with a tool that only writes down what it is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphla.common.errors import NotSupported
from tests import sanitize


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sanitize, "require_cupy", lambda: None)


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compute-sanitizer on PATH: it notes its arguments and fails where `fails` names the tool."""
    program = tmp_path / "compute-sanitizer"
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\n! grep -qsx "$2" {tmp_path}/fails\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path


def test_both_tools_run_over_both_suites(tool: Path, gpu: None) -> None:
    assert sanitize.main() == 0
    calls = (tool / "calls").read_text().splitlines()
    assert [line.split()[1] for line in calls] == ["memcheck", "memcheck", "racecheck", "racecheck"]
    assert all("--error-exitcode 86" in line and " -m gpu " in line for line in calls)
    assert [line.count("--kernel-name-exclude kernel_substring=cupy") for line in calls] == [0, 0, 1, 1]


def test_a_finding_is_the_exit_status(tool: Path, gpu: None) -> None:
    (tool / "fails").write_text("racecheck\n")
    assert sanitize.main() == 2


def test_too_long_is_a_failure(tool: Path, gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: Any, timeout: float, **__: Any) -> Any:
        raise subprocess.TimeoutExpired("compute-sanitizer", timeout)

    monkeypatch.setattr(sanitize.subprocess, "run", run)
    assert sanitize.main() == 4


def test_no_tool(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("PATH", "CUDA_PATH", "CUDA_HOME"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(sanitize, "FOLDERS", ("/nowhere",))
    assert sanitize.main() == 1
    assert "neither on PATH nor in /nowhere: install the CUDA toolkit" in capsys.readouterr().err


def test_no_gpu_is_no_success(tool: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse() -> None:
        raise NotSupported("no NVIDIA GPU is visible")

    monkeypatch.setattr(sanitize, "require_cupy", refuse)
    assert sanitize.main() == 1
    assert "no NVIDIA GPU is visible" in capsys.readouterr().err
    assert not (tool / "calls").exists()


@pytest.mark.parametrize("suite", sanitize.SUITES)
def test_each_word_chooses_a_test(suite: str) -> None:
    """A test that is renamed would be left out in silence."""
    for word in sanitize.SUITES[suite].split(" or "):
        command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-m", "gpu", suite, "-k", word]
        listed = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent.parent, check=False)
        assert listed.returncode == 0, f"{word}: {listed.stdout}"
