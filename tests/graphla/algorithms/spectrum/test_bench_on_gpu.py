"""The program that measures equations and eigenvectors on a GPU runs on the emulator, over tiny graphs."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import graphla as gl
from tests.graphla.engine.engines import get_engine_named

PROGRAM = Path(__file__).parents[4] / "asv_bench" / "gpu" / "spectrum.py"


@pytest.mark.emulated
def test_the_program_checks_its_answers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec: Any = spec_from_file_location("gpu_spectrum", PROGRAM)
    monkeypatch.syspath_prepend(str(PROGRAM.parents[1]))
    program: Any = module_from_spec(spec)
    spec.loader.exec_module(program)
    monkeypatch.setattr(program, "get_engine", lambda name: get_engine_named("emulated"))
    monkeypatch.setattr(program, "REPEATS", 1)
    gl.write(tmp_path / "road.mtx", gl.generate.road(300, seed=1, engine="cpu"))
    program.main(["--side", "4", "--k", "3", "--road", str(tmp_path / "road.mtx")])
    told = capsys.readouterr().out
    assert told.count("solve 32, FP64") == told.count("3 smallest eigenvectors from nothing") == 2
    assert "grid of 4³: 64 vertices" in told
