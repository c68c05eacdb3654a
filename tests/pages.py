"""Run what a page shows: ``python -m tests.pages PAGE``, its Python blocks in order, in one namespace."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

BLOCK = re.compile(r"^```(\S+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def find_blocks(page: Path, *kinds: str) -> Iterator[tuple[int, str]]:
    """(line before it, text) of each block of these kinds, without options of cells and magics of notebooks."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code" and "{code-cell}" in kinds]
        yield from ((0, re.sub(r"^( *)%.*$", r"\1pass", "".join(cell["source"]), flags=re.MULTILINE)) for cell in cells)
        return
    for found in BLOCK.finditer(text):
        if found[1] in kinds:
            yield text[: found.start(2)].count("\n"), re.sub(r"^:.*$", "", found[2], flags=re.MULTILINE)


def compile_page(page: Path) -> list[CodeType]:
    """The Python of a page, each line with the number it has there."""
    return [compile("\n" * line + text, str(page), "exec") for line, text in find_blocks(page, "{code-cell}", "python")]


if __name__ == "__main__":
    page = Path(sys.argv[1]).resolve()
    os.chdir(page.parent)  # where the documentation's own build runs it
    sys.path.insert(0, str(page.parent))
    namespace: dict[str, object] = {"__name__": "__main__"}
    for cell in compile_page(page):
        exec(cell, namespace)
