"""Lists of problems, from the registry: a page asks for one by a comment, ``<!-- lists.sections() -->``."""

from __future__ import annotations

import inspect
import re
from operator import attrgetter
from pathlib import Path
from typing import Any

import tables

import graphla as gl
from graphla.problem import Problem, all_problems

PAGES = Path(__file__).parent / "methods"
ASKED = re.compile(r"<!-- lists\.(\w+)\(\) -->")


def fill_in(app: Any, page: str, source: list[str]) -> None:
    """Put the lists that a page asks for in their places, before Sphinx reads it."""
    source[0] = ASKED.sub(lambda asked: globals()[asked[1]](), source[0])


def overview() -> str:
    """A table of all problems, and of the functions beside them: what is asked, the call, what it answers."""
    names = (name for name in list_names() if not isinstance(getattr(gl, name, None), type))
    rows = sorted(map(make_row, [*names, *(f"roads.{name}" for name in gl.roads.__all__ if name.islower())]))
    return str(tables.Table(("problem", "call", "what it answers"), tuple(rows)))


def make_row(name: str) -> tuple[str, str, str]:
    """A problem with the page that explains it, its call with the page of its arguments, and what it answers."""
    called = all_problems().get(name) or attrgetter(name)(gl)
    summary, page = str(inspect.getdoc(called)).partition("\n")[0].removesuffix("."), find_page(name)
    title, _, answer = summary.rpartition(": ")
    title = capitalize(re.sub(r"^(The|An?) ", "", title) or re.sub("[_.]", " ", name))
    call = f"[`gl.{name}({', '.join(list_needed(called))})`](../reference/generated/graphla.{name}.rst)"
    return f"[{title}]({page})" if (PAGES / page).exists() else title, call, capitalize(answer)


def capitalize(text: str) -> str:
    """A text of a cell, with a large first letter."""
    return tables.cell(text[:1].upper() + text[1:])


def list_needed(called: Any) -> list[str]:
    """The arguments without a default, and the vertices that a problem takes."""
    takes = getattr(called, "takes", ())
    parameters = inspect.signature(called).parameters.values()
    return [
        each.name
        for each in parameters
        if each.name in takes or (each.default is each.empty and each.kind is not each.VAR_KEYWORD)
    ]


def sections() -> str:
    """A section for each page about problems, with what they are and the table of their methods."""
    found: dict[str, list[Problem]] = {}
    for name, problem in all_problems().items():
        found.setdefault(find_page(name), []).append(problem)
    return "\n\n".join(make_section(page, problems) for page, problems in sorted(found.items(), key=find_title))


def make_section(page: str, problems: list[Problem]) -> str:
    """The title of the page, with a link if there is one, and its problems."""
    title = find_title((page, problems))
    heading = f"## [{title}]({page})" if (PAGES / page).exists() else f"## {title}"
    return "\n\n".join((heading, *map(describe, problems)))


def describe(problem: Problem) -> str:
    """What a problem is, and its methods."""
    summary, _, _ = problem.describe().partition("\n")
    return f"`gl.{problem.name}`. {summary}\n\n{tables.methods(problem.name)}"


def find_page(name: str) -> str:
    """The page of a problem: its own, or the one that speaks of it most."""
    if (PAGES / f"{name}.md").exists():
        return f"{name}.md"
    counts = {page.name: page.read_text("utf-8").count(f"gl.{name}(") for page in sorted(PAGES.glob("[!i]*.md"))}
    most = max(counts, key=lambda page: counts[page])
    return most if counts[most] else f"{name}.md"


def find_title(entry: tuple[str, list[Problem]]) -> str:
    """The first heading of a page; of one that is not there the name of its problem."""
    page = PAGES / entry[0]
    heading = re.search(r"^# (.+)$", page.read_text("utf-8"), re.MULTILINE) if page.exists() else None
    return heading[1] if heading else entry[0].removesuffix(".md").replace("_", " ").capitalize()


def problems() -> str:
    """The names of all problems, and of the functions that stand beside them, as lines of an autosummary."""
    return "\n   ".join(list_names())


def list_names() -> list[str]:
    """The names of all problems, and of the functions and classes of the algorithms beside them."""
    return [*all_problems(), *sorted(name for name in gl.__all__ if is_of_algorithms(getattr(gl, name)))]


def is_of_algorithms(value: Any) -> bool:
    """Whether a public name is a function or a class of the algorithms, and no problem."""
    return not isinstance(value, Problem) and str(getattr(value, "__module__", "")).startswith("graphla.algorithms.")


def write_stubs(folder: Path) -> str:
    """Write the autosummary of these names to a file, for autosummary reads pages before they are filled in."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ".. currentmodule:: graphla", "", ".. autosummary::", "   :toctree: ../reference/generated", ""
    (folder / "problems.rst").write_text("\n".join((*lines, f"   {problems()}", "")), "utf-8")
    return f"{folder.name}/problems.rst"
