"""The methods of a problem: the modules of its folder."""

# pyright: reportUnnecessaryIsInstance=false
from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from graphla.common.arguments import show
from graphla.common.errors import NotSupported
from graphla.engine import tracing
from graphla.problem.describe import describe_methods
from graphla.problem.method import Method


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

    Examples
    --------
    >>> import graphla as gl
    >>> gl.sssp.methods["algebraic"].engines
    ('cpu', 'cuda')
    """

    problem: str
    package: str
    profile: tracing.Profile | None = None

    @cached_property
    def found(self) -> dict[str, Method]:
        folder = importlib.import_module(self.package).__path__
        names = [module.name for module in pkgutil.iter_modules(folder) if not module.name.startswith("_")]
        modules = {name: importlib.import_module(f"{self.package}.{name}") for name in names}
        methods = [
            replace(m.method, name=name, problem=self.problem, profile=self.profile)
            for name, m in modules.items()
            if hasattr(m, "method")
        ]
        return {m.name: m for m in sorted(methods, key=lambda m: (-m.rank, m.name))}

    def __getitem__(self, name: str) -> Method:
        if not isinstance(name, str) or name not in self.found:
            raise NotSupported(f"{self.problem} has no method {show(name)}; there are: {', '.join(sorted(self.found))}")
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __repr__(self) -> str:
        return f"Methods of {self.problem}, the preferred one first:\n\n{describe_methods(self.found.values())}"
