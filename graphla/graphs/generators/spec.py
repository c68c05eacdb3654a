"""A generator as a text: ``kron:18``, ``grid3d:10,20,30``, ``road:1000000?weights=1..255&seed=3``."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from pathlib import Path
from typing import Any

from graphla.common.arguments import to_text
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.graphs.generators.generator import Generator
from graphla.storage import Coo

OTHER_NAMES = {"kronecker": "kron"}
NOT_OPTIONS = ("xp", "abc")


@cache
def generators() -> dict[str, Generator]:
    """Every generator that a module of this folder lists, by its name on the command line.

    Returns
    -------
    dict of str to Generator
        A dictionary that is shared: do not change it.

    Examples
    --------
    >>> generators()["kron"].title
    'Graph500 Kronecker'
    """
    names = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]
    modules = [importlib.import_module(f"{__package__}.{name}") for name in names]
    found = [g for module in modules if hasattr(module, "GENERATORS") for g in module.GENERATORS]
    return {generator.name: generator for generator in found}


def is_spec(text: str) -> bool:
    """Whether a text asks for a generator: the name of one and a colon, or a word, a colon and a number.

    Parameters
    ----------
    text : str
        A file name, or what `from_spec` takes.

    Returns
    -------
    bool
        False for file names, but for those that look like ``word:3``.

    Examples
    --------
    >>> is_spec("kron:18"), is_spec("road.gr")
    (True, False)
    """
    name, colon, rest = to_text(text, "text", InvalidGraph).partition(":")
    return bool(colon) and (name in generators() or name in OTHER_NAMES or (name.isidentifier() and rest[:1].isdigit()))


def from_spec(text: str, *, xp: Any = None) -> Coo:
    """The graph that a text describes, as on the command line.

    Parameters
    ----------
    text : str
        ``NAME:NUMBER[,NUMBER…][?OPTION=VALUE[&OPTION=VALUE…]]``: the name and the arguments of a generator, then its
        options, such as ``kron:18``, ``grid2d:300,200`` or ``road:1000?weights=1..255&seed=3``. The names are kron,
        rmat, uniform, hubs, gnp, planted_partition, lfr, barabasi_albert, watts_strogatz, grid2d, grid3d, road, rgg,
        path, cycle, star and complete.
    xp : module, optional
        NumPy or CuPy, which makes the arrays where the generator runs on both.

    Returns
    -------
    Coo
        What the generator returns.

    Raises
    ------
    NotSupported
        If there is no such generator; the message lists those there are.
    InvalidGraph
        If an argument or an option has no meaning.
    OutOfMemory
        If the graph does not fit in memory; nothing was allocated.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generate.from_spec("grid2d:3,2?weights=5..5").min_weight
    5
    """
    generator, values, options = parse_spec(text)
    named = {} if xp is None or "xp" not in inspect.signature(generator.function).parameters else {"xp": xp}
    return generator.function(*values, **named, **options)


def parse_spec(text: str) -> tuple[Generator, list[int | float], dict[str, Any]]:
    """The generator that a text asks for, its arguments and its options."""
    to_text(text, "text", InvalidGraph)
    call, _, options = text.partition("?")
    name, _, arguments = call.partition(":")
    name = OTHER_NAMES.get(name, name)
    if name not in generators():
        listed = "; ".join(f"{g.example}" for g in generators().values())
        raise NotSupported(f"graph {text!r}: there is no generator {name!r}; there are: {listed}")
    generator = generators()[name]
    parameters = inspect.signature(generator.function).parameters
    positional = [p for p in parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    values = [parse_number(text, word) for word in arguments.split(",") if arguments]
    needed = sum(p.default is p.empty for p in positional)
    if not needed <= len(values) <= len(positional):
        raise InvalidGraph(f"graph {text!r}: {name} takes {needed} to {len(positional)} numbers: {generator.example}")
    return generator, values, parse_options(text, options, list(parameters)[len(values) :])


def parse_options(text: str, options: str, left: list[str]) -> dict[str, Any]:
    """The options of a text as keyword arguments, out of the parameters that are left."""
    known = [name for name in left if name not in NOT_OPTIONS]
    result: dict[str, Any] = {}
    for option in filter(None, options.split("&")):
        key, equals, value = option.partition("=")
        if key not in known or not equals:
            raise InvalidGraph(f"graph {text!r}: {option!r} is none of its options: {', '.join(known)}")
        result[key] = parse_value(text, key, value)
    return result


def parse_value(text: str, key: str, value: str) -> Any:
    """A range for weights, else a truth or a number."""
    if key == "weights":
        low, dots, high = value.partition("..")
        if not dots:
            raise InvalidGraph(f"graph {text!r}: weights={value!r}: give a range such as 1..255")
        ends = parse_number(text, low), parse_number(text, high)
        if ends[0] > ends[1]:
            raise InvalidGraph(f"graph {text!r}: weights={value!r}: write the smaller number first, {high}..{low}")
        return ends
    return (
        {"true": True, "false": False}[value.lower()]
        if value.lower() in ("true", "false")
        else parse_number(text, value)
    )


def parse_number(text: str, word: str) -> int | float:
    """A whole number or a decimal fraction."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    raise InvalidGraph(f"graph {text!r}: {word!r} is not a number")
