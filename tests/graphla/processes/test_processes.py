"""Child processes of a program that has used graphla's threads, however they are started."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.graphla.processes.calls import PROGRAMS


@pytest.mark.timeout(200)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_child_answers(program: str) -> None:
    where = {**os.environ, "GRAPHLA_THREADS": "2"}
    command = [sys.executable, "-W", "ignore", "-m", "tests.graphla.processes.calls", program]
    ended = subprocess.run(command, env=where, capture_output=True, text=True, timeout=180, check=False)
    assert ended.returncode == 0, ended.stderr
