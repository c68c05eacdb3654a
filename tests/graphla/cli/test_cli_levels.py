"""Levels of communities on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np


def test_levels_and_qualities(graphla: Any, tmp_path: Path) -> None:
    asked = (
        "leiden",
        "grid2d:6",
        "--levels",
        "--quality",
        "cpm",
        "--resolution",
        0.1,
        "--fixed",
        3,
        "--verify",
        "--json",
    )
    facts = [json.loads(graphla(*asked, "--output", tmp_path / f"l.{kind}").out) for kind in ("npz", "csv")]
    held = np.load(tmp_path / "l.npz")
    assert held["levels"][-1].tolist() == held["label"].tolist()
    assert facts[0]["communities"] == held["label"].max() + 1
    assert facts[0]["cpm"] > 0.2
    assert (tmp_path / "l.csv").read_text("utf-8").split()[0].startswith("vertex,label,level_0")
