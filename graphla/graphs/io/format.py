"""What a file format is: a record, and the folder as the list of them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from graphla.common.arguments import show
from graphla.common.errors import InvalidGraph, NotSupported
from graphla.graphs.io.source import Source
from graphla.storage import Coo


@dataclass(frozen=True)
class Format:
    """One file format.

    Parameters
    ----------
    title : str
        What it is called, in one line.
    suffixes : tuple of str
        How the names of its files end, without the suffix of a compression.
    sniff : callable (bytes) -> bool
        Whether a file that begins like this is one; asked where the suffix does not decide.
    read : callable (Source) -> Coo
        Reads the entries.
    write : callable (stream, Coo) -> None
        Writes them.
    name : str
        The name of its module, filled in by the registry.
    read_part : callable (PartSource), optional
        Reads a part of a file, if it has parts: a `Coo`, or of an edge list its columns.

    Examples
    --------
    >>> from graphla.io import formats
    >>> formats()["matrix_market"].suffixes
    ('.mtx', '.mm')
    """

    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    read: Callable[[Source], Coo]
    write: Callable[[BinaryIO, Coo], None]
    name: str = ""
    read_part: Callable[..., Any] | None = None


@cache
def formats() -> dict[str, Format]:
    """The file formats by name.

    Returns
    -------
    dict of str to Format
        One for each module of this folder that defines `format`. The dictionary is shared: do not change it.

    Examples
    --------
    >>> from graphla.io import formats
    >>> "matrix_market" in formats()
    True
    """
    package = __package__
    names = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]
    modules = {name: importlib.import_module(f"{package}.{name}") for name in names}
    return {name: replace(m.format, name=name) for name, m in modules.items() if hasattr(m, "format")}


def find_format(name: str) -> Format:
    """Return the format of a name, or of a suffix that it alone has; a refusal lists what there is."""
    if not isinstance(name, str):
        raise NotSupported(f"format={show(name)}: there are {list_formats()}")
    if name in formats():
        return formats()[name]
    fitting = [f for f in formats().values() if f".{name.lstrip('.').lower()}" in f.suffixes]
    if len(fitting) != 1:
        several = f"{' and '.join(f.name for f in fitting)} have this suffix; " if fitting else ""
        raise NotSupported(f"format={name!r}: {several}there are {list_formats()}")
    return fitting[0]


def list_formats() -> str:
    """The formats and their suffixes, for a message."""
    return ", ".join(f"{name} ({' '.join(f.suffixes)})" for name, f in sorted(formats().items()))


def find_by_suffix(path: Path) -> list[Format]:
    """The formats that a file's name admits."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    while suffixes and suffixes[-1] in (".gz", ".xz", ".bz2"):
        suffixes.pop()
    return [f for f in formats().values() if suffixes and suffixes[-1] in f.suffixes]


def choose_source_format(path: Path, head: bytes) -> Format:
    """The format of a file by its name; by how it begins where the name leaves several or none."""
    candidates = find_by_suffix(path)
    if len(candidates) == 1:
        return candidates[0]
    fitting = [f for f in (candidates or formats().values()) if f.sniff(head)]
    if len(fitting) == 1:
        return fitting[0]
    if candidates:
        titles = " or ".join(f.title for f in candidates)
        raise InvalidGraph(f"{path}, line 1: it does not begin like {titles}")
    raise NotSupported(f"{path}: unknown format; name one with format= (graphla convert --from): {list_formats()}")


def choose_target_format(path: Path) -> Format:
    """The format that a file to be written asks for by its name."""
    candidates = find_by_suffix(path)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise NotSupported(
            f"{path}: name one with format= (graphla convert --to): {', '.join(f.name for f in candidates)}"
        )
    raise NotSupported(f"{path}: unknown suffix; name a format with format= (graphla convert --to): {list_formats()}")
