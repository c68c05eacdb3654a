"""Stored digests: answers are the same bits as before, on one thread and on several."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import answers

COMPUTE = "import json; from tests import answers; print(json.dumps(answers.compute()))"


@pytest.mark.parametrize("threads", [1, 3])
def test_answers_are_those_stored(threads: int) -> None:
    """``python -m tests.answers`` stores them anew, where one is to change."""
    environment = {**os.environ, "GRAPHLA_THREADS": str(threads), "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", COMPUTE], env=environment, capture_output=True, text=True, check=True)
    found, stored = json.loads(done.stdout), json.loads(answers.STORED.read_text("utf-8"))
    assert found.keys() == stored.keys()
    assert [name for name in stored if found[name] != stored[name]] == []
