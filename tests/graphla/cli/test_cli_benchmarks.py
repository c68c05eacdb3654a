"""The commands that run the benchmarks of the field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphla.measuring.benchmarks import gap
from tests.graphla.benchmarks.graphalytics_data import write_all


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


def test_gap_keeps_the_lightest_of_repeated_arcs(graphla: Any, tmp_path: Path) -> None:
    weighted, pattern = tmp_path / "w.txt", tmp_path / "p.txt"
    weighted.write_text("0 1 9\n1 0 9\n0 1 2\n1 1 3\n")
    pattern.write_text("0 1\n1 0\n0 1\n")
    for file in (weighted, pattern):
        found = graphla("gap", file, "--trials", 1)
        assert (found.code, found.out.count("1 of 1")) == (0, 6), found.err
        assert graphla("gap", file, "--trials", 1, "--dup", "error").code == 2


def test_gap_fails_where_an_answer_is_wrong(graphla: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(gap, "run", lambda *args, **options: [gap.Result("g", "tc", "m", (1.0,), 2.0, ((),), 0, "bad")])
    found = graphla("gap", "path:30")
    assert found.code == 1
    assert "WRONG: bad" in found.out


def test_graphalytics(graphla: Any, tmp_path: Path) -> None:
    write_all(tmp_path, 3)
    found = graphla("graphalytics", tmp_path, "--graph", "ours-undirected", "--repeat", 1)
    assert found.code == 0, found.err
    assert found.out.count("right (epsilon)") == 3
    assert found.out.count("right (exact)") == 2
    assert found.out.count("right (equivalence)") == 1
    found = graphla("graphalytics", tmp_path, "--algorithm", "cdlp", "--repeat", 1, "--json")
    facts = json.loads(found.out)
    assert [each["graph"] for each in facts] == ["ours-directed", "ours-undirected", "ours-words"]
    assert all(each["validated"] and each["evps"] > 0 for each in facts)


def test_graphalytics_fails_where_an_answer_is_wrong(graphla: Any, tmp_path: Path) -> None:
    write_all(tmp_path, 3)
    file = tmp_path / "ours-directed-BFS"
    file.write_text(file.read_text().replace(" 1\n", " 2\n"))
    (tmp_path / "ours-directed-WCC").unlink()
    options = "--graph", "ours-directed", "--repeat", 1
    found = graphla("graphalytics", tmp_path, *options, "--algorithm", "bfs", "--algorithm", "wcc")
    assert found.code == 1
    assert "ours-directed, BFS: WRONG: vertex" in found.out
    assert "no reference" in found.out


def test_graphalytics_refuses(graphla: Any, tmp_path: Path) -> None:
    assert "there is no such folder" in graphla("graphalytics", tmp_path / "none").err
    write_all(tmp_path, 3)
    found = graphla("graphalytics", tmp_path, "--graph", "theirs")
    assert (found.code, "ours-directed, ours-undirected, ours-words" in found.err) == (2, True)
    (tmp_path / "ours-words.e").unlink()
    found = graphla("graphalytics", tmp_path, "--graph", "ours-words")
    assert (found.code, "there is no file" in found.err) == (2, True)
