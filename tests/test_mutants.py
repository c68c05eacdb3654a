"""Planted faults: where they go, and that a test which turns red is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import kept, mutants

TEXT = '''"""One < two."""
from numpy import int64
# a < b
def f(A, q):
    """If a < b,
    c < d."""
    return (~A.S, replace) if q < 1 else q + 1
'''


def test_code_is_changed_and_words_are_not() -> None:
    found = list(mutants.list_mutants(TEXT, "f.py"))
    assert {each.line for each in found} == {7}
    assert [each.new for each in found] == [
        "return (~A.S, replace) if q <= 1 else q + 1", "return (~A.S, replace) if q < 1 else q + 2",
        "return (A.S, replace) if q < 1 else q + 1", "return (~A.S) if q < 1 else q + 1",
    ]  # fmt: skip


def test_a_fault_is_planted_seen_and_taken_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "f.py").write_text("def f(x):\n    return x + 1\n")
    (tmp_path / "test_f.py").write_text("from f import f\n\n\ndef test_f():\n    assert f(1) == 2\n")
    monkeypatch.setattr(mutants, "list_tests", lambda _: ["test_f.py"])
    (mutant,) = mutants.list_mutants((tmp_path / "f.py").read_text(), "f.py")
    assert mutants.try_mutant(tmp_path, mutant) == "test_f.py::test_f"
    assert mutants.run_tests(tmp_path, ["test_f.py"]) == "none"
    (tmp_path / "test_f.py").write_text("def test_f():\n    assert False\n")
    assert mutants.try_mutant(tmp_path, mutant) == "unclear: test_f.py::test_f fails without the fault, too"


def test_each_module_has_tests_near_it() -> None:
    for place in mutants.PLACES:
        for path in (kept.ROOT / "graphla").glob(place):
            assert mutants.list_tests(str(path.relative_to(kept.ROOT)))[0] not in ("tests", "tests/graphla")


def test_rows_are_appended_under_one_head(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    for count in (1, 2):
        kept.keep("runs", "abc", subject="a, b", count=count)
    head, *rows = (tmp_path / "runs.csv").read_text().splitlines()
    assert head == "subject,count,date,commit"
    assert [row.split(",20")[0] for row in rows] == ['"a, b",1', '"a, b",2']
