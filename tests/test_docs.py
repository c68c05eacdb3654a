"""Every example that a reader meets runs: the pages, the README, and the docstrings."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import graphblas as gb
import pytest

import graphla as gl
from tests.pages import blocks, code

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page.relative_to(ROOT)
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/methods/*.md"))
    if code(page)
)
COMMANDS = sorted(
    {
        line
        for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
        for _, text in blocks(page, "console")
        for line in text.splitlines()
        if line.startswith("graphla ")
    }
)
ENVIRONMENT = {**os.environ, "GRAPHLA_ENGINE": "cpu", "MPLBACKEND": "Agg", "COLUMNS": "100"}


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command of Python's in a folder of its own, on the CPU."""
    python = [sys.executable, "-W", "error::DeprecationWarning", *command]
    environment = {**ENVIRONMENT, "PYTHONPATH": str(ROOT)}
    return subprocess.run(python, cwd=folder, env=environment, capture_output=True, text=True, timeout=250)


def modules() -> list[str]:
    """Every module of the two packages that shows an example."""
    files = (path for package in ("graphla", "semirings") for path in (ROOT / package).rglob("*.py"))
    shown = (path.relative_to(ROOT).with_suffix("") for path in files if ">>> " in path.read_text(encoding="utf-8"))
    return sorted(".".join(path.parts).removesuffix(".__init__") for path in shown)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_runs(page: Path, tmp_path: Path) -> None:
    done = run("-m", "tests.pages", str(ROOT / page), folder=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_runs(line: str, tmp_path: Path) -> None:
    done = run("-m", *shlex.split(line, comments=True), folder=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", modules())
def test_docstrings_hold(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gl.config, "engine", "cpu")
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


def test_the_pages_are_found() -> None:
    assert {Path("README.md"), Path("docs/tutorial.md"), Path("docs/algebra.md")} <= set(PAGES)


def test_the_figures_of_the_readme_are_those_of_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = [row for row in str(importlib.import_module("tables").against_scipy()).splitlines() if row.startswith("|")]
    assert rows
    assert [row for row in rows if row not in readme] == []
    methods = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs/methods").glob("*.md"))
    bold = re.findall(r"\*\*([\d.]+)\*\*", readme)
    assert bold
    assert [figure for figure in bold if not re.search(rf"[|/] {re.escape(figure)}\b", methods)] == []


def unlisted_names(theirs: Any, ours: Any) -> set[str]:
    """What python-graphblas has in a namespace or a class, and graphla has not."""
    return {name for name in dir(theirs) if not name.startswith("_")} - set(dir(ours))


def test_the_page_names_all_that_is_missing_and_nothing_else() -> None:
    text = (ROOT / "docs/coming_from.md").read_text(encoding="utf-8")
    section = text.split("What is not here, of python-graphblas", 1)[1].split("\n## ", 1)[0]
    listed = set(re.findall(r"`(?:gb\.|select\.)?(\w+)`", section))
    missing: set[str] = set()
    for kind in ("Matrix", "Vector", "Scalar", "unary", "binary", "indexunary", "monoid", "select", "agg"):
        missing |= unlisted_names(getattr(gb, kind), getattr(gl, kind))
    beside = {"name", "register_new", "register_anonymous", "Aggregator", "TypedAggregator"}  # an attribute; told above
    assert missing - listed - beside == set()
    shared = {
        "apply",
        "select",
        "ewise_add",
        "ewise_mult",
        "ewise_union",
        "isclose",
        "first",
    }  # here, but not everywhere
    assert {name for name in listed if hasattr(gl.Matrix, name) or name in gl.binary or name in gl.unary} <= shared
