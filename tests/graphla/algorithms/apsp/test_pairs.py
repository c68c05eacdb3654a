"""Single cells of a factor, which climb the tree from both ends, beside its rows."""

from __future__ import annotations

import numpy as np
import pytest

import graphla as gl
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader


@pytest.mark.parametrize("on", ["cpu", pytest.param("cuda", marks=pytest.mark.emulated)])
@pytest.mark.parametrize("semiring", ["min_plus", "max_min", "min_max", "max_times", "lor_land"])
@pytest.mark.parametrize("seed", range(2))
def test_a_cell_is_that_of_the_row(semiring: str, seed: int, on: str) -> None:
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, 30, (2, 60))
    weights = rng.random(60) < 0.8 if semiring == "lor_land" else rng.random(60)
    engine = "cpu" if on == "cpu" else CudaEngine(np, make_loader(build="plain"))
    F = gl.factorize(gl.Graph((tails, heads, weights), n=30, dup="first", engine="cpu").to(engine), semiring=semiring)
    for i in range(0, 30, 3):
        row = F[i].to_dict()
        assert {j: F[i, j] for j in range(30) if F[i, j] is not None} == pytest.approx(row, rel=1e-14)
