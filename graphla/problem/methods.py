"""The methods of a problem: the modules of its folder."""

# pyright: reportUnnecessaryIsInstance=false
from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphla.common.arguments import show, suggest
from graphla.common.errors import NotSupported
from graphla.common.forks import cached_property
from graphla.engine import tracing
from graphla.problem.describe import describe_methods
from graphla.problem.method import Method, Request

DEFINITION = re.compile(r"^method = ", re.MULTILINE)


def list_method_modules(package: str) -> Iterator[str]:
    """The modules below a package that define `method`, found by their text: none is imported to be looked at."""
    for folder in map(Path, importlib.import_module(package).__path__):
        for file in folder.rglob("[!_]*.py"):
            if DEFINITION.search(file.read_text("utf-8")):
                yield ".".join((package, *file.relative_to(folder).with_suffix("").parts))


@dataclass(frozen=True)
class Methods(Mapping[str, Method]):
    """The methods of a problem by name, the preferred one first.

    A mapping that finds the modules of the problem's folder when it is first read; printed, it lists the methods with
    their engines, options and sources.

    Parameters
    ----------
    problem : str
        The name of the problem.
    package : str
        The package whose modules are the methods.
    profile : callable, optional
        What a trace shows of an answer.
    resolve : callable (G, asked) -> tuple, optional
        The settings of the problem for the options that are given.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.sssp.methods["algebraic"].engines
    ('cpu', 'cuda')
    """

    problem: str
    package: str
    profile: tracing.Profile | None = None
    resolve: Callable[[Any, Request], tuple[Any, ...]] | None = None

    @cached_property
    def found(self) -> dict[str, Method]:
        modules = [importlib.import_module(name) for name in list_method_modules(self.package)]
        shared: dict[str, Any] = {"problem": self.problem, "profile": self.profile, "resolve": self.resolve}
        shared["extras"] = tuple(dict.fromkeys(extra for m in modules for extra in m.method.also))
        methods = [replace(m.method, name=m.__name__.rpartition(".")[2], **shared) for m in modules]
        return {m.name: m for m in sorted(methods, key=lambda m: (-m.rank, m.name))}

    def __getitem__(self, name: str) -> Method:
        if not isinstance(name, str) or name not in self.found:
            listed = f"{', '.join(sorted(self.found))}{suggest(name, self.found)}"
            raise NotSupported(f"{self.problem} has no method {show(name)}; there are: {listed}")
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __repr__(self) -> str:
        return f"Methods of {self.problem}, the preferred one first:\n\n{describe_methods(self.found.values())}"
