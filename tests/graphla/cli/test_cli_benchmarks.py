"""The commands that run the benchmarks of the field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphla.benchmarks import gap


def test_gap(graphla: Any, tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    file.write_text("0 1 -2\n1 0 -2\n1 2 -2\n2 1 -2\n0 2 -2\n2 0 -2\n")
    found = graphla("gap", file, "path:30", "--trials", 1)
    assert found.code == 0
    assert "refused" in found.out
    assert "1 of 1" in found.out
    table = found.out.split("average seconds")[1]
    rows = [line.split()[0] for line in table.splitlines() if line.split()]
    assert rows[2:] == ["BFS", "SSSP", "PR", "CC", "BC", "TC"]
    found = graphla("gap", "path:30", "--kernel", "cc", "--trials", 2, "--json", "--no-validation")
    (facts,) = json.loads(found.out)
    assert (facts["kernel"], len(facts["seconds"]), facts["verified"]) == ("cc", 2, 0)
    assert graphla("gap", "nowhere.txt").code == 2


def test_gap_fails_where_an_answer_is_wrong(graphla: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(gap, "run", lambda *args, **options: [gap.Result("g", "tc", "m", (1.0,), 2.0, ((),), 0, "bad")])
    found = graphla("gap", "path:30")
    assert found.code == 1
    assert "WRONG: bad" in found.out
