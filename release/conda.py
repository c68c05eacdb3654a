"""The recipe that conda-forge asks for (recipe.yaml, its format 1), made of pyproject.toml and of the sdist."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
OPTIONAL = ("arrow", "networkx", "plot")
"""Extras that a package of conda holds at their smallest version where they are installed, and does not bring."""
TEMPLATE = """\
schema_version: 1

context:
  version: "{version}"
  python_min: "{python}"

package:
  name: graphla
  version: ${{{{ version }}}}

source:
  url: https://pypi.org/packages/source/g/graphla/graphla-${{{{ version }}}}.tar.gz
  sha256: {sha256}

build:
  number: 0
  noarch: python
  script: ${{{{ PYTHON }}}} -m pip install . -vv --no-deps --no-build-isolation
  python:
    entry_points:
      - graphla = {command}

requirements:
  host:
    - python ${{{{ python_min }}}}.*
    - pip
{host}
  run:
    - python >=${{{{ python_min }}}}
{run}
  run_constraints:
{optional}

tests:
  - python:
      imports: [graphla, semirings]
      pip_check: true
      python_version: ["${{{{ python_min }}}}.*", "*"]
  - script:
      - graphla bfs grid2d:9,9 --source 0 --json

about:
  homepage: {homepage}
  documentation: {documentation}
  repository: {homepage}
  summary: {summary}
  license: {license}
  license_file: LICENSE

extra:
  recipe-maintainers: [graphla]
"""


def make_recipe(version: str, sdist: Path) -> str:
    """The recipe of a version whose source is that sdist; where Pythons differ, with what the oldest needs."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = told["project"]
    python = project["requires-python"].removeprefix(">=")
    extras = project["optional-dependencies"]
    return TEMPLATE.format(
        version=version, python=python, sha256=hashlib.sha256(sdist.read_bytes()).hexdigest(),
        command=project["scripts"]["graphla"], summary=project["description"], license=project["license"],
        host=list_items(told["build-system"]["requires"], python), homepage=project["urls"]["Homepage"],
        run=list_items([*project["dependencies"], *extras["cli"]], python),
        documentation=project["urls"]["Documentation"],
        optional=list_items([line for extra in OPTIONAL for line in extras[extra]], python),
    )  # fmt: skip


def list_items(lines: list[str], python: str) -> str:
    """Requirements as conda writes them; names are those of conda-forge, which calls matplotlib's library its base."""
    every = map(Requirement, lines)
    here: list[Any] = [each for each in every if not each.marker or each.marker.evaluate({"python_version": python})]
    return "\n".join(f"    - {re.sub('^matplotlib$', 'matplotlib-base', each.name)} {each.specifier}" for each in here)
