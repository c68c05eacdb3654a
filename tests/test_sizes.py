"""Lines of code are counted as the report says, and a file that is too long is named."""

import pytest

from tests import sizes

PYTHON = '''"""A docstring
of two lines."""

import os  # code


NUMBER = 1
"""What it is."""


def f():
    """Another."""
    # a comment
    return """a
string"""
'''


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [("a.py", PYTHON, 5), ("a.py", "", 0), ("a.cuh", "// A.\n#pragma once\n\nint x;  // code\n  // B.\n", 2)],
)
def test_what_a_line_of_code_is(name, text, lines):
    assert sizes.count_code(name, text) == lines


def test_files_that_are_too_long_are_named():
    here = {"a.py": 300, "b.py": 301, "c.py": 400, "d.py": 401, "e.py": 300}
    longer = dict.fromkeys(("c.py", "d.py", "e.py", "gone.py"), (400, ""))
    said = list(sizes.list_offences(here, longer))
    assert [line.split(" lines")[0] for line in said] == [
        "b.py has 301",
        "d.py has 401",
        "e.py has 300",
        "gone.py has 0",
    ]


def test_the_report_says_what_grew():
    here = {"graphla/a/b/x.py": 7, "graphla/a/x.cuh": 3, "tests/x.py": 5}
    before = {"graphla/a/x.py": 5, "graphla/a/x.cuh": 3, "semirings/x.py": 1}
    lines = [line.split() for line in sizes.write_report(here, before)]
    assert lines[1:] == [
        ["graphla/a", "7", "+2", "3"],
        ["semirings", "-1"],
        ["tests", "5", "+5"],
        ["in", "all", "12", "+6", "3"],
    ]
    assert all("+" not in line for line in sizes.write_report(here, None))


def test_the_base_is_read_from_git(tmp_path, monkeypatch):
    monkeypatch.setattr(sizes, "ROOT", tmp_path)
    (tmp_path / "semirings").mkdir()
    kept, changed, new = (tmp_path / "semirings" / f"{name}.py" for name in ("kept", "changed", "new"))
    kept.write_text("a = 1\n"), changed.write_text("a = 1\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "none"))
    sizes.run_git("init", "-q", "-b", "main")
    sizes.run_git("add", ".")
    sizes.run_git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "First")
    changed.write_text("a = 1\nb = 2\n"), new.write_text("c = 3\n")
    here, base = sizes.read_here(), sizes.find_base(None)
    assert here == {"semirings/kept.py": 1, "semirings/changed.py": 2, "semirings/new.py": 1}
    assert sizes.read_at(base, here) == {"semirings/kept.py": 1, "semirings/changed.py": 1}
    assert sizes.find_base("main") == base
    monkeypatch.setattr(sizes, "ROOT", tmp_path / "semirings" / "..")
    sizes.run_git("branch", "-q", "-m", "other")
    assert sizes.find_base(None) is None
