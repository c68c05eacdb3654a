"""SciPy's tests of what graphla computes itself, with the engine answering small graphs, too."""

from __future__ import annotations

import pytest
from scipys_tests import OURS, collect_tests

from graphla.doors.csgraph import inputs

pytestmark = pytest.mark.filterwarnings("default")

globals().update(collect_tests(OURS))


@pytest.fixture(autouse=True)
def engine_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "WORTH_AN_ENGINE", 1)
