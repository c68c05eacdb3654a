"""One self-contained translation unit from a kernel file: CuPy's cache on disk sees the text and nothing beside it."""

from __future__ import annotations

import functools
import importlib
import re
from pathlib import Path

from graphla.common.errors import GraphlaError

KERNELS = Path(__file__).parent
PACKAGES = KERNELS.parents[2]
HEADERS = KERNELS / "headers"
PRIMITIVES = HEADERS / "primitives.cuh"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"([^\n]*)$', re.MULTILINE)


class MissingInclude(GraphlaError, FileNotFoundError):
    """A kernel file includes a file that is not there."""


class MissingConstant(GraphlaError, AttributeError):
    """A kernel file asks a module of Python for a number that it does not have."""


def unit(kernel_file: Path, prelude: str = "") -> str:
    """The text of `kernel_file` with its includes in their places, each once.

    `primitives.cuh` comes first, then `prelude` (rendered operators, index types), then the file. An include is looked
    up beside the file that asks for it, then from this folder on, as in ``#include "headers/views.cuh"``. `#line`
    markers keep the names and lines of the sources in the compiler's messages.

    Numbers that Python and a kernel share stand in Python: ``#include "pull.py"  // PULL_THREADS, LISTED`` becomes
    ``constexpr int PULL_THREADS = 256;`` and so on, with the values that the module has.
    """
    seen: set[Path | str] = set()
    parts = [inline(PRIMITIVES, seen)]
    if prelude:
        parts.append(f'#line 1 "prelude"\n{prelude}')
    parts.append(inline(Path(kernel_file).resolve(), seen))
    return "\n".join(parts) + "\n"


def inline(file: Path, seen: set[Path | str]) -> str:
    """The text of `file` with its includes inlined, or nothing if it was `seen` before."""
    if file in seen:
        return ""
    seen.add(file)
    text = read(file)
    pieces = [f'#line 1 "{file.name}"\n']
    position = 0
    for include in INCLUDE.finditer(text):
        pieces.append(text[position : include.start()])
        wanted = find(include[1], file)
        if wanted.suffix == ".py":
            pieces.append(render_constants(wanted, include[2], file, seen))
        else:
            pieces.append(inline(wanted, seen))
        line = text.count("\n", 0, include.end()) + 2
        pieces.append(f'\n#line {line} "{file.name}"')
        position = include.end()
    pieces.append(text[position:])
    return "".join(pieces)


def render_constants(module: Path, comment: str, includer: Path, seen: set[Path | str]) -> str:
    """The numbers of a module that a comment names, each once in a translation unit.

    The module is imported by its path, for it stands above this one: whoever launches a kernel has imported it already.
    """
    dotted = ".".join(module.relative_to(PACKAGES).with_suffix("").parts)
    held = vars(importlib.import_module(dotted))
    names = re.findall(r"\w+", comment.partition("//")[2])
    if not names:
        raise MissingConstant(f'{includer.name}: write the numbers that it takes: #include "{module.name}"  // NAME, …')
    fresh = [name for name in names if f"{dotted}.{name}" not in seen]
    seen.update(f"{dotted}.{name}" for name in fresh)
    return " ".join(
        render_constant(name, held.get(name), f"{includer.name} takes {name} of {dotted}") for name in fresh
    )


def render_constant(name: str, value: object, what: str) -> str:
    """The definition of a number in C++."""
    if type(value) is float:
        return f"constexpr double {name} = {value!r};"
    if type(value) is not int or not -(2**63) < value < 2**63:
        raise MissingConstant(f"{what}, which is no int or float there but {value!r}")
    kind = "int" if -(2**31) < value < 2**31 else "long long"
    return f"constexpr {kind} {name} = {value};"


@functools.cache
def find(name: str, includer: Path) -> Path:
    """The file that `#include "name"` in `includer` means."""
    for folder in (includer.parent, KERNELS):
        candidate = (folder / name).resolve()
        if candidate.is_file():
            return candidate
    raise MissingInclude(f'{includer.name} includes "{name}", which is neither in {includer.parent} nor in {KERNELS}')


@functools.cache
def read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise MissingInclude(f"kernel file {file} does not exist") from None
