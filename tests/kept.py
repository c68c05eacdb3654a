"""Records in `docs/_data` of what long runs found; one row a run."""

from __future__ import annotations

import csv
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "_data"


def read_commit() -> str:
    """The commit of this tree, marked if files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*", "--abbrev=8"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def keep(name: str, commit: str, **row: Any) -> None:
    """Append a row, the date and the commit to a record."""
    path, row = FOLDER / f"{name}.csv", {**row, "date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": commit}
    fresh = not path.exists()
    with path.open("a", newline="") as stream:
        writer = csv.DictWriter(stream, list(row), lineterminator="\n")
        if fresh:
            writer.writeheader()
        writer.writerow(row)
