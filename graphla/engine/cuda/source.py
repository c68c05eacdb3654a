"""One self-contained translation unit from a kernel file: CuPy's cache on disk sees the text and nothing beside it."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from graphla.errors import GraphlaError

KERNELS = Path(__file__).parent
PRIMITIVES = KERNELS / "headers/primitives.cuh"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"[^\n]*$', re.MULTILINE)


class MissingInclude(GraphlaError, FileNotFoundError):
    """A kernel file includes a file that is not there."""


def unit(kernel_file: Path, prelude: str = "") -> str:
    """The text of `kernel_file` with its includes in their places, each once.

    `primitives.cuh` comes first, then `prelude` (rendered operators, index types), then the file. An include is looked
    up beside the file that asks for it, then from this folder on, as in ``#include "headers/views.cuh"``. `#line`
    markers keep the names and lines of the sources in the compiler's messages.
    """
    seen: set[Path] = set()
    parts = [inlined(PRIMITIVES, seen)]
    if prelude:
        parts.append(f'#line 1 "prelude"\n{prelude}')
    parts.append(inlined(Path(kernel_file).resolve(), seen))
    return "\n".join(parts) + "\n"


def inlined(file: Path, seen: set[Path]) -> str:
    """The text of `file` with its includes inlined, or nothing if it was `seen` before."""
    if file in seen:
        return ""
    seen.add(file)
    text = read(file)
    pieces = [f'#line 1 "{file.name}"\n']
    position = 0
    for include in INCLUDE.finditer(text):
        pieces.append(text[position : include.start()])
        pieces.append(inlined(found(include[1], file), seen))
        line = text.count("\n", 0, include.end()) + 2
        pieces.append(f'\n#line {line} "{file.name}"')
        position = include.end()
    pieces.append(text[position:])
    return "".join(pieces)


def found(name: str, includer: Path) -> Path:
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
