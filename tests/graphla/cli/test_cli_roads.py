"""The command line: routes and isochrones."""

from __future__ import annotations

import json
from pathlib import Path

LINES = "".join(f"v {i} {i}000000 48000000\n" for i in range(1, 5))
REACHED = "3 vertices are reached from 0 in 2.5 minutes\n"


def test_the_command(graphla, tmp_path: Path) -> None:
    (tmp_path / "road.gr").write_text("p sp 4 4\na 1 2 60\na 2 3 90\na 3 1 30\na 3 4 600\n")
    (tmp_path / "road.co").write_text("c places\np aux sp co 4\n" + LINES)
    road, places, picture = tmp_path / "road.gr", tmp_path / "road.co", tmp_path / "out.png"
    call = "roads", road, "--from", 0, "--minutes", 2.5, "--to", 2
    found = graphla(*call, "--places", places, "--picture", picture, "--geojson", tmp_path / "out.json")
    assert (found.code, found.err) == (0, "")
    assert found.out == REACHED + "the route from 0 to 2: 2.5 minutes over 3 vertices\n"
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert len(json.loads((tmp_path / "out.json").read_text())["features"]) == 4
    facts = json.loads(graphla(*call, "--json").out)
    assert (facts["reached"], facts["seconds"], facts["route"]) == (3, 150, [0, 1, 2])
    assert graphla("roads", road, "--from", 3, "--to", 0).out == "there is no route from 3 to 0\n"
    assert "layout" in graphla(*call, "--picture", picture).err
    for wrong in (
        ["--from", 0],
        ["--from", 9, "--minutes", 1],
        ["--from", 0, "--minutes", 1, "--geojson", tmp_path / "x.json"],
    ):
        assert graphla("roads", road, *wrong).code == 2
    for wrong, told in (
        (["--from", 9, "--minutes", 1], "--from=9 is no vertex"),
        (["--from", 0, "--to", 9], "--to=9 is no vertex"),
        (["--from", 0, "--minutes", "nan"], "--minutes nan: give a number"),
    ):
        assert told in graphla("roads", road, *wrong).err
    places.write_text("v 1 1 1\n")
    assert "vertex 2 has no place" in graphla(*call, "--places", places).err
