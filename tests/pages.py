"""Run what a page shows: ``python -m tests.pages PAGE``, its Python blocks in order, in one namespace."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

BLOCK = re.compile(r"^```(\S+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, *kinds: str) -> Iterator[tuple[int, str]]:
    """(line before it, text) of each block of these kinds, the options of a cell left off."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        if found[1] in kinds:
            yield text[: found.start(2)].count("\n"), re.sub(r"^:.*$", "", found[2], flags=re.MULTILINE)


def code(page: Path) -> list[CodeType]:
    """The Python of a page, each line with the number it has there."""
    return [compile("\n" * line + text, str(page), "exec") for line, text in blocks(page, "{code-cell}", "python")]


if __name__ == "__main__":
    namespace: dict[str, object] = {"__name__": "__main__"}
    for cell in code(Path(sys.argv[1])):
        exec(cell, namespace)
