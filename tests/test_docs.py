"""Every example that a reader meets runs: the README, the docstrings and the pages.

`make docs` runs the pages that have cells; this module runs the others.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import packages_distributions
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import graphblas as gb
import pytest
from PIL import Image

import graphla as gl
from graphla.planning import few_rows, plan, words
from tests.networkx_suite import write_entry_points
from tests.pages import compile_page, find_blocks

ROOT = Path(__file__).parents[1]
EVERY = (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/*.md"), *ROOT.glob("docs/*.ipynb"))
NOTEBOOKS = sorted(page for page in EVERY if any(find_blocks(page, "{code-cell}")))
PAGES = sorted(page.relative_to(ROOT) for page in EVERY if page not in NOTEBOOKS and compile_page(page))
COMMANDS = sorted(
    {
        line
        for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
        for _, text in find_blocks(page, "console")
        for line in text.splitlines()
        if line.startswith("graphla ")
    }
)
ENVIRONMENT = {**os.environ, "GRAPHLA_ENGINE": "cpu", "MPLBACKEND": "Agg", "COLUMNS": "100"}


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command of Python's in a folder of its own, on the CPU."""
    python = [sys.executable, "-W", "error::DeprecationWarning", *command]
    if not list(folder.glob("*.dist-info")):
        write_entry_points(folder)
    environment = {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}
    return subprocess.run(python, cwd=folder, env=environment, capture_output=True, text=True, timeout=250)


def list_modules() -> list[str]:
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


@pytest.mark.parametrize("name", list_modules())
def test_docstrings_hold(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(gl.config, "engine", "cpu")
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in list_examples(name):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def list_examples(name: str) -> Iterator[doctest.DocTest]:
    """The examples of every docstring in the text of a module, also of classes that say another module is theirs."""
    module = importlib.import_module(name)
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
            title = f"{name}.{getattr(node, 'name', '')}"
            yield doctest.DocTestParser().get_doctest(text, vars(module).copy(), title, module.__file__, 0)


def test_every_docstring_that_shows_an_example_is_found() -> None:
    titles = {test.name for name in list_modules() for test in list_examples(name) if test.examples}
    assert {"graphla.common.errors.NotConverged", "graphla.algorithms.bfs.__call__"} <= titles


def test_the_pages_are_found() -> None:
    assert {Path("README.md"), Path("CONTRIBUTING.md"), Path("docs/index.md")} <= set(PAGES)
    assert {"tutorial.md", "algebra.md"} <= {page.name for page in NOTEBOOKS}


def test_the_cells_of_a_page_use_what_the_page_defines(tmp_path: Path) -> None:
    for page in NOTEBOOKS:
        cells = "\n".join(text for _, text in find_blocks(page, "{code-cell}"))
        (tmp_path / f"{page.parent.name}_{page.stem}.py").write_text(cells, "utf-8")
    check = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", "--output-format", "concise", "."]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda page: page.stem)
def test_a_page_of_cells_has_nothing_that_the_build_would_not_run(page: Path) -> None:
    assert list(find_blocks(page, "python")) == []
    assert "kernelspec" in page.read_text("utf-8").partition("\n# ")[0], "without the head, cells are shown and not run"


def test_notebooks_are_kept_without_what_cells_gave() -> None:
    pages = [page for page in NOTEBOOKS if page.suffix == ".ipynb"]
    cells = [cell for page in pages for cell in json.loads(page.read_text("utf-8"))["cells"]]
    assert pages
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells if "outputs" in cell)
    assert len({cell["id"] for cell in cells}) == len(cells)


def test_what_the_cells_import_comes_with_the_extra_docs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (*project["dependencies"], *list_required(project["optional-dependencies"], "docs"))
    promised = {requirement_name(line) for line in lines}
    ours = {"graphla", "semirings", *(path.stem for path in (ROOT / "docs").glob("*.py"))}
    for name in sorted(set().union(*map(list_imported, NOTEBOOKS)) - ours - sys.stdlib_module_names):
        given = {requirement_name(each) for each in packages_distributions()[name]}
        assert given & promised, f"a cell imports {name}: name its package in the extra docs"


def list_required(extras: dict[str, list[str]], name: str) -> Iterator[str]:
    """The requirements of an extra, and of the extras of graphla that it names."""
    for line in extras[name]:
        found = re.fullmatch(r"graphla\[([\w,]+)\]", line)
        for each in found[1].split(",") if found else ():
            yield from list_required(extras, each)
        yield line


def list_imported(page: Path) -> set[str]:
    """The top-level modules that the cells of a page import."""
    nodes = [node for _, text in find_blocks(page, "{code-cell}") for node in ast.walk(ast.parse(text))]
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name.partition(".")[0] for name in plain | {n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)}}


def requirement_name(line: str) -> str:
    """The name of a requirement, as package indexes compare names."""
    return re.split(r"[^\w.-]", line)[0].lower().replace("_", "-")


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=lambda page: page.stem)
def test_links_of_pages_outside_the_docs_lead_somewhere(page: Path) -> None:
    """Sphinx checks those of its own pages."""
    text = page.read_text("utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"", text)
    for path, _, anchor in (("".join(link)).partition("#") for link in links if "://" not in "".join(link)):
        target = page.parent / path if path else page
        assert target.exists(), path
        assert not anchor or anchor in list_anchors(target), f"{path}#{anchor}"


def list_anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MyST name them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.fixture
def docs(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """The modules that the pages import, by name."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return importlib.import_module


def test_a_word_whose_page_the_search_does_not_find_is_seen(docs: Callable[[str], Any]) -> None:
    pytest.importorskip("sphinx")
    finding = docs("finding")
    words = {"install": {"install"}, "isochrone": {"start"}, "gallery": "gallery"}
    index = SimpleNamespace(lang=SimpleNamespace(stem=str), _mapping=words, _title_mapping={"subgraph": {"recipes"}})
    lost = {*finding.find_lost(index, {"tables"})}
    assert {"isochrone", "dynamic"} <= lost
    assert not {"install", "subgraph", "gallery", "pandas"} & lost


def test_the_reference_shows_the_call_of_a_problem_once(docs: Callable[[str], Any]) -> None:
    pytest.importorskip("sphinx.ext.autosummary")
    signatures, lines = docs("signatures"), gl.pagerank.describe().splitlines()
    assert any("damping=0.85" in line for line in lines)
    assert signatures.show_call("graphla.pagerank").startswith("(G[, damping")
    assert signatures.show_call("graphla.shortest_path") == ""
    signatures.drop_call(None, "function", "pagerank", gl.pagerank, None, lines)
    assert not any("damping=0.85" in line for line in lines)
    assert lines[0].startswith("PageRank: ")


def test_the_tables_of_the_readme_are_those_of_the_data(docs: Callable[[str], Any]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert docs("readme").fill(text) == text, "run python docs/readme.py"
    assert "**0" in text, "the README shows no figure of graphla"


def test_a_table_of_the_readme_that_is_typed_over_is_seen(docs: Callable[[str], Any]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    figure = docs("measured").list_compared()[0].ms
    assert docs("readme").fill(text.replace(f"**{figure}**", "**0.001**")) == text
    with pytest.raises(ValueError, match="h200"):
        docs("readme").fill(text.replace("<!-- h200 -->", ""))


def test_every_other_library_stands_beside_a_figure_of_ours(docs: Callable[[str], Any]) -> None:
    measured = docs("measured")
    ours = {(row.problem, row.spec) for row in measured.figures()}
    assert {(other.problem, other.spec) for other in measured.others()} <= ours
    assert len(ours) == len({(row.problem, row.spec, row.method) for row in measured.figures()}) - 1  # `algebraic`
    assert all(float(row.ms) > 0 for row in (*measured.figures(), *measured.others()))


def test_figures_of_the_data_stand_nowhere_else(docs: Callable[[str], Any]) -> None:
    """A page that shows the tables of the data has none of their rows typed into it."""
    measured = docs("measured")
    pages = "".join(page.read_text(encoding="utf-8") for page in ROOT.glob("docs/**/*.md"))
    typed = [row for row in measured.list_compared() if f"| {row.title} | {row.ms} |" in pages]
    assert typed == []
    assert all(f"h200.{table}()" in pages for table in ("bfs", "sssp", "products", "closures", "against_others"))


def test_figures_and_results_of_the_h200_are_of_one_commit(docs: Callable[[str], Any]) -> None:
    """`asv_bench/gpu/record.py` and `asv_bench/run_here.py` are run at one commit."""
    newest = docs("tables").Run.on("nvidia-h200")[0].facts["commit_hash"]
    assert {row.commit for row in docs("measured").figures()} == {newest}


def test_sizes_have_three_digits_and_a_prefix(docs: Callable[[str], Any]) -> None:
    sizes = [docs("measured").size(number) for number in ("", "16384", "2690000", "128000000", "1050000000")]
    assert sizes == ["", "16,384", "2.69 M", "128 M", "1.05 G"]


def test_the_best_of_the_others_is_named_and_the_best_without_reordering(docs: Callable[[str], Any]) -> None:
    other, figure = docs("measured").Other, docs("measured").figures()[0]
    slow, quick = (other("p", "s", name, ms, note, "") for name, ms, note in (("A", "9", ""), ("B", "3", "reordering")))
    row = replace(figure, problem="bfs", spec="s", ms="1.5")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(docs("measured"), "others", lambda: (replace(slow, problem="bfs"), replace(quick, problem="bfs")))
        assert docs("h200").beside_best(row)[3:] == ("**1.5**", "3 (B, reordering); 9 (A)", "2.0\u00a0×")


def test_thresholds_are_all_told(docs: Callable[[str], Any]) -> None:
    shown = {row[0].strip("`"): row[1:] for row in docs("tables").thresholds().rows}
    assert set(shown) == {
        name for name, value in (vars(few_rows) | vars(plan) | vars(words)).items() if isinstance(value, int | float)
    }
    assert all(reason for _, reason in shown.values())


def test_pictures_for_dark_pages_are_as_large_as_the_others() -> None:
    dark = sorted((ROOT / "docs/_static").glob("*-dark.png"))
    assert dark
    for path in dark:
        with Image.open(path) as night, Image.open(path.with_name(path.name.replace("-dark", ""))) as day:
            assert night.size == day.size, f"run python docs/pictures.py {path.stem.removesuffix('-dark')}"


def test_every_picture_of_a_page_is_there_and_has_a_text() -> None:
    for page in ROOT.glob("docs/**/*.md"):
        for target, options in re.findall(
            r"^```\{(?:figure|image)\} (\S+)\n((?::.*\n)*)", page.read_text("utf-8"), re.M
        ):
            assert (page.parent / target).exists(), (page, target)
            assert ":alt: " in options, (page, target)


def find_unlisted_names(theirs: Any, ours: Any) -> set[str]:
    """What python-graphblas has in a namespace or a class, and graphla has not."""
    return {name for name in dir(theirs) if not name.startswith("_")} - set(dir(ours))


def test_the_page_names_all_that_is_missing_and_nothing_else() -> None:
    text = (ROOT / "docs/coming_from.md").read_text(encoding="utf-8")
    section = text.split("What is not here, of python-graphblas", 1)[1].split("\n## ", 1)[0]
    listed = set(re.findall(r"`(?:gb\.|select\.)?(\w+)`", section))
    missing: set[str] = set()
    for kind in ("Matrix", "Vector", "Scalar", "unary", "binary", "indexunary", "monoid", "select", "agg"):
        missing |= find_unlisted_names(getattr(gb, kind), getattr(gl, kind))
    beside = {"name", "Aggregator", "TypedAggregator"}  # an attribute; told above
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


def test_architecture_names_files_that_exist() -> None:
    """Each path on the page is one of the repository, of the package, or the end of one."""
    text = (ROOT / "docs/architecture.md").read_text()
    named = [path for path in re.findall(r"`([\w./]+(?:\.py|\.cuh|/))`", text) if "<" not in path]
    every = [
        str(path.relative_to(ROOT)) + ("/" if path.is_dir() else "")
        for path in ROOT.rglob("*")
        if ".venv" not in path.parts
    ]
    missing = [path for path in named if not any(known == path or known.endswith(f"/{path}") for known in every)]
    assert len(named) > 40
    assert not missing


def test_a_library_that_is_ahead_on_the_cpu_stands_in_bold(docs: Callable[[str], Any]) -> None:
    told = {"problem": "bfs", "graph": "roads", "note": "", "date": "2026-01-01", "machine": "2 threads"}
    times = {"graphla": "2", "A": "3", "B": "1.5", "C": ""}
    rows = [{**told, "library": name, "ms": ms} for name, ms in times.items()]
    make = docs("beside_peers").make_table
    assert "| **2 / 1.5 B** |" in str(make(rows))
    assert "Of 1 pairs another library is ahead in 1." in str(make(rows))
    assert "| 2 / 3 A |" in str(make(rows[:2]))
    assert "ahead in 0." in str(make(rows[:2]))
    assert "/" not in str(make(rows[:1])).split("| `bfs` |")[1]
