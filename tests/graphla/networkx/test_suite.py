"""A part of NetworkX's own tests; ``python -m tests.networkx_suite`` runs all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.networkx_suite import run

QUICK = ("shortest_paths.tests.test_generic", "components.tests.test_connected", "traversal.tests.test_bfs")


def test_tests_of_networkx_pass(tmp_path: Path) -> None:
    done = run(QUICK, tmp_path)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    answered = re.search(r"graphla answered (\d+) calls of (\d+) functions", done.stdout)
    assert answered, done.stdout
    assert int(answered[1]) > 150
    assert int(answered[2]) > 20


def test_a_wrong_answer_fails_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "from graphla.doors.networkx import backend\nbackend.is_connected = lambda G: not len(G) % 2\n"
    (tmp_path / "lie.py").write_text(text, "utf-8")
    monkeypatch.setenv("PYTEST_PLUGINS", "lie")
    done = run(("components.tests.test_connected",), tmp_path)
    assert "2 failed" in done.stdout or "1 failed" in done.stdout, done.stdout
