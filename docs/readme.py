"""The tables that the README repeats: ``python docs/readme.py`` writes them into it."""

from __future__ import annotations

import re
from pathlib import Path

import h200
from tables import Table

README = Path(__file__).parents[1] / "README.md"


def repeat() -> dict[str, Table]:
    """The tables, by the names of their places."""
    return {"h200": h200.against_best()}


def fill(text: str) -> str:
    """A text whose tables between ``<!-- NAME -->`` and ``<!-- end -->`` are those of now."""
    for name, table in repeat().items():
        parts = re.split(rf"(<!-- {name} -->\n)(?:(?!<!-- ).*\n)*(<!-- end -->)", text)
        if len(parts) != 4:
            raise ValueError(f"<!-- {name} --> … <!-- end --> does not stand once in the text")
        before, begin, end, after = parts
        text = f"{before}{begin}{table}\n{end}{after}"
    return text


if __name__ == "__main__":
    README.write_text(fill(README.read_text(encoding="utf-8")), encoding="utf-8")
