"""Predicted seconds of an elimination on a GPU beside those that an H200 took (docs/methods/apsp.md, 2026-11-22)."""

from __future__ import annotations

import numpy as np
import pytest
from elimination_graphs import make_weighted

from graphla.algorithms.apsp.elimination.eliminate import get_structure
from graphla.algorithms.apsp.elimination.predict import predict, predict_on_device, predict_row
from graphla.algorithms.apsp.elimination.structure import count_depths
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader

WITHIN = 1.5


@pytest.mark.parametrize(
    ("updates", "depths", "measured"),
    [
        pytest.param(38_152_842, 21, 1.881e-3, id="131,072 vertices of New York"),
        pytest.param(80_611_702, 22, 2.768e-3, id="New York"),
        pytest.param(188_492_234, 26, 4.133e-3, id="Florida"),
        pytest.param(26_965_755_284, 25, 40.844e-3, id="cubic grid"),
    ],
)
def test_the_elimination_takes_what_is_predicted(updates: int, depths: int, measured: float) -> None:
    assert 1 / WITHIN < predict_on_device(updates, depths) / measured < WITHIN


@pytest.mark.parametrize(
    ("n", "updates", "rows", "measured"),
    [
        pytest.param(131_072, 933_028, 131_072, 129.931e-3, id="131,072 vertices of New York"),
        pytest.param(264_346, 1_903_822, 264_346, 523.203e-3, id="New York"),
        pytest.param(1_070_376, 5_002_440, 4096, 27.724e-3, id="Florida"),
    ],
)
def test_rows_take_what_is_predicted(n: int, updates: int, rows: int, measured: float) -> None:
    assert 1 / WITHIN < rows * predict_row("cuda", n, updates) / measured < WITHIN


@pytest.mark.emulated
def test_a_prediction_counts_the_work_of_its_structure() -> None:
    G = make_weighted("cube", directed=True).to(CudaEngine(np, make_loader(build="plain")))
    S, found = get_structure(G), predict(G, np.dtype(np.float32))
    assert found.eliminate_seconds == predict_on_device(S.updates, count_depths(S))
    assert found.row_seconds == predict_row("cuda", G.n, S.updates_per_row)
    assert found.seconds == found.eliminate_seconds + G.n * found.row_seconds
