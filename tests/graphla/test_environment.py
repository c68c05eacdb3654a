"""Environment variables: a value that cannot be used is named with its variable and what is allowed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from graphla.common import environment
from graphla.common.errors import InvalidOption

NUMBERS = ("x", "0", "-1", "1.5", "1e3", "²", "9" * 20)


@pytest.mark.parametrize("text", NUMBERS)
def test_a_count_is_refused_by_name(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHLA_THREADS", text)
    with pytest.raises(InvalidOption, match=r"GRAPHLA_THREADS='.*': give a whole number from 1 on"):
        environment.read_count("GRAPHLA_THREADS")


@pytest.mark.parametrize("text", ["x", "0", "-1", "nan", "inf", "1 s"])
def test_seconds_are_refused_by_name(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHLA_MPI_PATIENCE", text)
    with pytest.raises(InvalidOption, match=r"GRAPHLA_MPI_PATIENCE='.*': give a number of seconds .* for 8"):
        environment.read_seconds("GRAPHLA_MPI_PATIENCE", 8)


@pytest.mark.parametrize("text", ["x", "2", "-1", "ja"])
def test_a_switch_is_refused_by_name(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHLA_QUIET", text)
    with pytest.raises(InvalidOption, match=r"GRAPHLA_QUIET='.*': give 1 or 0"):
        environment.read_switch("GRAPHLA_QUIET", False)


def test_a_choice_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHLA_ENGINE", "cpuu")
    with pytest.raises(InvalidOption, match=r"GRAPHLA_ENGINE='cpuu': there are 'cpu', 'cuda'"):
        environment.read_choice("GRAPHLA_ENGINE", ("cpu", "cuda"))


@pytest.mark.parametrize(("text", "value"), [(" 3 ", 3), ("007", 7), ("", None)])
def test_a_count_is_read(text: str, value: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHLA_THREADS", text)
    assert environment.read_count("GRAPHLA_THREADS") == value


@pytest.mark.parametrize(("text", "value"), [("1", True), ("On", True), ("0", False), ("no", False), ("", True)])
def test_a_switch_is_read(text: str, value: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHLA_NCCL", text)
    assert environment.read_switch("GRAPHLA_NCCL", True) is value


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("THREADS", "x"),
        ("QUIET", "maybe"),
        ("ANNOUNCE", "7"),
        ("ENGINE", "gpu"),
        ("CACHE_LIMIT", "lots"),
        ("CACHE", "~nobody-here/x"),
    ],
)
def test_the_command_line_names_the_variable(variable: str, value: str, tmp_path: os.PathLike[str]) -> None:
    where = {**os.environ, "GRAPHLA_CACHE": str(tmp_path), f"GRAPHLA_{variable}": value}
    command = [sys.executable, "-m", "graphla", "apsp", "kron:8"]
    ended = subprocess.run(command, env=where, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 2, ended
    assert f"GRAPHLA_{variable}={value!r}" in ended.stderr
    assert "error of graphla's own" not in ended.stderr
