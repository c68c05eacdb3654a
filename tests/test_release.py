"""What a release is made of agrees with the project, and what checks it sees what is wrong."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from elftools.elf.elffile import ELFFile
from packaging.requirements import Requirement

import graphla as gl
from graphla.engine.cuda.shipped import compute_key
from graphla.problem import all_problems
from release import bare, kernels, smoke
from release.conda import make_recipe
from release.contents import Unfit, check_sdist, check_wheel, compare
from release.notes import NoNotes, find_notes, read_version
from tests.nvrtc import load_library

ROOT = Path(__file__).parents[1]
TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = TOLD["project"]
HOME = PROJECT["urls"]["Homepage"]
SCHEMAS = {
    "github-workflows": sorted(ROOT.glob(".github/workflows/*.yml")),
    "github-issue-forms": sorted(
        set(ROOT.glob(".github/ISSUE_TEMPLATE/*.yml")) - {ROOT / ".github/ISSUE_TEMPLATE/config.yml"}
    ),
    "github-issue-config": [ROOT / ".github/ISSUE_TEMPLATE/config.yml"],
    "dependabot": [ROOT / ".github/dependabot.yml"],
    "citation-file-format": [ROOT / "CITATION.cff"],
}
RUN = """
import graphla as gl, semirings
from pathlib import Path
here = Path(gl.__file__).parent
assert str(here).startswith({target!r}), here
assert (here / "py.typed").exists() and (Path(semirings.__file__).parent / "py.typed").exists()
G = gl.read(gl.datasets.new_york(), engine="cpu")
levels = gl.bfs(G, 0)
gl.bfs.verify(G, 0, levels)
print(levels.nvals, len(list(here.rglob("*.cuh"))))
"""
WITHOUT_POSIX = """
import os, random, logging, multiprocessing, tempfile, numpy  # these ask os for what it has while they are imported
del os.sched_getaffinity, os.register_at_fork, os.geteuid, os.fchmod, os.posix_fallocate
import sys
sys.modules["fcntl"] = None
sys.platform = "win32"
from graphla.common import system
from graphla.engine.cpu.cache import Store, distrust, find_user_cache
from pathlib import Path
assert system.count_cores() == os.cpu_count()
assert distrust(os.stat("/")) is None
assert find_user_cache().parts[-2:] == ("graphla", "Cache")
store = Store(Path("cache"))
store.write("name", b"a\\r\\nb\\n")
assert store.read("name") == b"a\\r\\nb\\n"
"""


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A wheel and an sdist of the tree."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--sdist", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def test_the_archives_hold_what_the_tree_holds(archives: tuple[Path, Path]) -> None:
    wheel, sdist = archives
    assert check_wheel(wheel) > 500
    assert check_sdist(sdist) > 500
    names = zipfile.ZipFile(wheel).namelist()
    assert {Path(name).suffix for name in names} >= {".py", ".cuh", ".xz", ".typed"}


def test_an_archive_that_lacks_a_file_or_has_another_is_refused(archives: tuple[Path, Path]) -> None:
    wheel, _ = archives
    for found, wanted, told in (({"a"}, {"a", "b"}, "lacks: b"), ({"a", "b"}, {"a"}, "holds beside the tree: b")):
        with pytest.raises(Unfit, match=told):
            compare(wheel, found, wanted)


def test_the_wheel_runs_outside_the_checkout(archives: tuple[Path, Path], tmp_path: Path) -> None:
    target = tmp_path / "site"
    install = ["-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(target), str(archives[0])]
    subprocess.run([sys.executable, *install], check=True)
    environment = {**os.environ, "PYTHONPATH": str(target), "GRAPHLA_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(target=str(target))],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["264346", str(len(list((ROOT / "graphla").rglob("*.cuh"))))]


def test_the_text_of_the_package_has_no_relative_link(archives: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(archives[0]) as wheel:
        text = wheel.read(next(name for name in wheel.namelist() if name.endswith("METADATA"))).decode()
    readme = text.partition("\n\n")[2]
    links = re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"", readme)
    assert len(links) > 10
    assert [link for pair in links for link in pair if link and not link.startswith(("https://", "#"))] == []
    assert f"/v{gl.__version__}/docs/_static/" in readme


def test_one_version_and_one_address_stand_everywhere() -> None:
    assert read_version() == gl.__version__
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["version"] == gl.__version__
    texts = (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob(".github/**/*.*"), ROOT / "CITATION.cff")
    named = {
        found for path in texts for found in re.findall(r"https://github\.com/\w+/graphla\b", path.read_text("utf-8"))
    }
    assert named == {HOME}
    hook = TOLD["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]
    assert all(HOME.removeprefix("https://github.com") in each["replacement"] for each in hook)


def test_the_pythons_that_are_tried_are_those_that_are_promised() -> None:
    promised = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert tuple(promised) == bare.VERSIONS
    assert PROJECT["requires-python"] == f">={promised[0]}"
    workflow = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text("utf-8"))
    assert workflow["jobs"]["library"]["strategy"]["matrix"]["python"] == promised
    for version in promised:
        assert {pin.partition("==")[0] for pin in bare.list_smallest(version)} == {"numpy", "scipy", "numba"}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_what_github_and_others_read_follows_their_schemas(schema: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *SCHEMAS[schema]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert len(SCHEMAS[schema]) >= 1


def test_workflows_are_safe_to_run() -> None:
    command = [Path(sys.executable).with_name("zizmor"), "--offline", "--quiet", ROOT / ".github"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_notes_are_the_section_of_the_version() -> None:
    text = "# Changelog\n\n## [Unreleased]\n- new\n\n## [1.1] - 2026-01-02\n- old\n"
    assert find_notes(text, "1.1", tagged=True) == "# graphla 1.1\n\n- old\n"
    assert "not tagged" in find_notes(text, "1.2", tagged=False)
    with pytest.raises(NoNotes, match=r"no section ## \[1.2\]"):
        find_notes(text, "1.2", tagged=True)
    assert "- " in find_notes((ROOT / "CHANGELOG.md").read_text("utf-8"), gl.__version__, tagged=False)


def test_the_recipe_needs_what_the_project_needs(archives: tuple[Path, Path]) -> None:
    recipe = yaml.safe_load(make_recipe(gl.__version__, archives[1]))
    run = {line.split()[0] for line in recipe["requirements"]["run"]}
    assert run == {"python", "numpy", "scipy", "numba", "click", "rich"}
    hosts = {Requirement(line).name for line in TOLD["build-system"]["requires"]}
    assert hosts <= {line.split()[0] for line in recipe["requirements"]["host"]}
    assert re.fullmatch(r"[0-9a-f]{64}", recipe["source"]["sha256"])


def test_the_smoke_test_tries_every_problem_and_sees_a_wrong_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = {name: each for name, each in all_problems().items() if name in ("bfs", "max_flow")}
    monkeypatch.setattr(smoke, "all_problems", lambda: few)
    assert smoke.main() == 0
    assert "3 tried, 0 not right" in capsys.readouterr().out
    monkeypatch.setattr(smoke, "try_problem", lambda problem: "wrong")
    assert smoke.main() == 1


def test_systems_without_posix_are_not_asked_for_it(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LOCALAPPDATA": str(tmp_path)}
    command = [sys.executable, "-c", WITHOUT_POSIX]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_kernels_are_recorded_and_compiled(tmp_path: Path) -> None:
    """Of one problem, for one architecture: the index names what is in the machine code."""
    texts = kernels.record(["core_numbers"])
    names = kernels.compile_all(load_library(), texts, "sm_90", tmp_path / "sm_90.zip")
    assert names.keys() == set(map(compute_key, texts))
    with zipfile.ZipFile(tmp_path / "sm_90.zip") as held:
        for text, expressions in texts.items():
            lowered = names[compute_key(text)]
            assert lowered.keys() == expressions
            symbols = ELFFile(io.BytesIO(held.read(compute_key(text)))).get_section_by_name(".symtab")
            assert set(lowered.values()) <= {symbol.name for symbol in symbols.iter_symbols()}
