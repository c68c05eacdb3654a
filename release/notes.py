"""The notes of a release: the section of its version in CHANGELOG.md."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNRELEASED = "Unreleased"


def read_version() -> str:
    """The version that the tree says it is."""
    found = re.search(r'^__version__ = "([^"]+)"$', (ROOT / "graphla" / "__init__.py").read_text("utf-8"), re.MULTILINE)
    assert found is not None, "graphla/__init__.py sets no __version__"
    return found[1]


class NoNotes(Exception):
    """CHANGELOG.md has no section for a version."""


def read_sections(text: str) -> dict[str, str]:
    """The sections of a changelog by what stands in the brackets of their headings, in their order."""
    parts = re.split(r"^## \[([^]]+)\].*$", text, flags=re.MULTILINE)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def find_notes(text: str, version: str, *, tagged: bool) -> str:
    """The notes of a version; before it is tagged, those of what is unreleased stand for them, and say so.

    Raises
    ------
    NoNotes
        If there is neither, or a tagged version has no section of its own.
    """
    sections = read_sections(text)
    if sections.get(version):
        return f"# graphla {version}\n\n{sections[version]}\n"
    if tagged or not sections.get(UNRELEASED):
        raise NoNotes(f"CHANGELOG.md has no section ## [{version}]: name the section of what is unreleased so")
    return f"# graphla {version} (not tagged: what is unreleased)\n\n{sections[UNRELEASED]}\n"
