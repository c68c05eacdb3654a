"""What is in a wheel and in an sdist: all that the tree holds, nothing else, and not much."""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("graphla", "semirings", "_graphla_networkx")
BESIDE = ("PKG-INFO", "pyproject.toml", "README.md", "LICENSE", "CITATION.cff", "CHANGELOG.md", ".gitignore")
"""What an sdist holds beside the packages."""
LARGEST = 3_000_000
"""Bytes that a wheel, or an sdist, has at most."""


class Unfit(Exception):
    """An archive holds too little or too much."""


def list_tree() -> set[str]:
    """The files of the packages that git tracks or would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PACKAGES]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}


def require_committed() -> None:
    """Refuse a tree with changes: a tag would not hold them."""
    listed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
    if listed.stdout:
        raise Unfit(f"the tree has changes that are not committed: {', '.join(listed.stdout.split()[1::2][:9])}")


def check_wheel(wheel: Path) -> int:
    """Compare the files of a wheel with the tree; return how many there are."""
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    return compare(wheel, names, list_tree())


def check_sdist(sdist: Path) -> int:
    """Compare the files of an sdist with the tree; return how many there are."""
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    return compare(sdist, names, list_tree() | set(BESIDE))


def compare(archive: Path, found: set[str], wanted: set[str]) -> int:
    """Refuse an archive that lacks something, has something else, or is too large."""
    for what, names in (("lacks", wanted - found), ("holds beside the tree", found - wanted)):
        if names:
            raise Unfit(f"{archive.name} {what}: {', '.join(sorted(names)[:9])}")
    if archive.stat().st_size > LARGEST:
        raise Unfit(f"{archive.name} has {archive.stat().st_size:,} bytes, and {LARGEST:,} are allowed")
    return len(found)
