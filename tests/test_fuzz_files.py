"""A small share of the mutated files; `make slow` reads more, and ``python -m tests.fuzz files`` any number."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from tests.fuzz import files


def test_some_mutated_files() -> None:
    for seed in range(300):
        files.check(seed, "cpu")


@pytest.mark.slow
def test_many_mutated_files_in_a_process_of_their_own() -> None:
    """A crash would end this one."""
    command = [sys.executable, "-m", "tests.fuzz", "files", "--count", "10000", "--seed", "1000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_fault_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "find_fault", lambda case, engine: "it holds a 5" if b"5" in case.data else None)
    seed = next(seed for seed in range(100) if files.find_fault(files.make(random.Random(seed)), "cpu"))
    with pytest.raises(AssertionError, match=r"it holds a 5\nCase\(name='a\.[\w.]+', data=b'5'\)"):
        files.check(seed, "cpu")
