"""Register tiles of the tropical product, emulated: shapes that do not fill tiles, semirings, the fast arithmetics."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from graphla.engine.cuda.engine import CudaEngine
from graphla.engine.cuda.matmat import ordered
from graphla.engine.cuda.matmat.tropical import find_arithmetic, multiply
from graphla.engine.cuda.matmat.tropical_operands import Layout, pad, transpose_padded
from graphla.engine.cuda.source import KERNELS, unit
from semirings import any_secondi, land_lor, lor_land, lxor_land, max_min, max_plus, min_max, min_plus, plus_times
from semirings.dtypes import lookup
from tests.emulator import make_loader
from tests.nvrtc import Program, load_library

pytestmark = pytest.mark.emulated
ENGINE = CudaEngine(np, make_loader(build="checked"))
SHUFFLED = CudaEngine(np, make_loader(build="checked", seed=3))
FORMULAS = {
    "min_plus": lambda x, y: (x[:, :, None] + y[None]).min(1),
    "max_plus": lambda x, y: (x[:, :, None] + y[None]).max(1),
    "max_min": lambda x, y: np.minimum(x[:, :, None], y[None]).max(1),
    "min_max": lambda x, y: np.maximum(x[:, :, None], y[None]).min(1),
    "plus_times": lambda x, y: x @ y,
    "lor_land": lambda x, y: (x.astype(int) @ y.astype(int)) > 0,
}
SHAPES = [(1, 1, 1), (3, 17, 2), (130, 33, 5), (5, 16, 257)]


def make_operands(m: int, k: int, n: int, dtype: str, low: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(m + k + n)
    if dtype == "bool":
        return rng.random((m, k)) < 0.2, rng.random((k, n)) < 0.2
    return rng.integers(low, 50, (m, k)).astype(dtype), rng.integers(low, 50, (k, n)).astype(dtype)


@pytest.mark.parametrize(
    ("semiring", "dtype", "low"),
    [
        (min_plus, "float32", 0),
        (min_plus, "float32", -50),
        (min_plus, "float64", -50),
        (min_plus, "int32", 0),
        (min_plus, "int32", -50),
        (min_plus, "int64", 0),
        (min_plus, "int16", -50),
        (max_plus, "float32", -50),
        (max_min, "int32", -50),
        (min_max, "float64", -50),
        (plus_times, "int64", -50),
        (lor_land, "bool", 0),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_every_shape(semiring, dtype: str, low: int) -> None:
    for m, k, n in SHAPES:
        A, B = make_operands(m, k, n, dtype, low)
        np.testing.assert_array_equal(multiply(ENGINE, semiring, A, B, lookup(dtype)), FORMULAS[semiring.name](A, B))


def test_the_order_of_threads_does_not_matter() -> None:
    A, B = make_operands(70, 40, 140, "float32", 0)
    expected = FORMULAS["min_plus"](A, B)
    np.testing.assert_array_equal(multiply(SHUFFLED, min_plus, A, B, lookup("FP32")), expected)


@pytest.mark.parametrize(
    ("dtype", "low", "expected"),
    [("float32", 0, "NonNegativeFloat"), ("float32", -1, "SignedFloat"), ("int32", 0, "NonNegativeInt"),
     ("int32", -1, None), ("uint32", 0, None), ("float64", 0, "Double")],
)  # fmt: skip
def test_the_arithmetic_is_one_that_is_exact(dtype: str, low: int, expected: str | None) -> None:
    A = np.array([[low, 3]]).astype(dtype)
    assert find_arithmetic(min_plus, A, A.T.copy(), lookup(dtype)) == expected
    assert find_arithmetic(max_plus, A, A.T.copy(), lookup(dtype)) is None


@pytest.mark.parametrize("dtype", ["int32", "int64", "int16"])
def test_integers_stop_at_infinity(dtype: str) -> None:
    top = np.iinfo(dtype).max
    A, B = np.array([[top, top - 1]], dtype), np.array([[0, 5], [7, 1]], dtype)
    assert multiply(ENGINE, min_plus, A, B, lookup(dtype)).tolist() == [[top, top]]
    C = np.array([[-5, top - 1], [7, 1]], dtype)
    assert multiply(ENGINE, min_plus, A, C, lookup(dtype)).tolist() == [[top, top]]


def test_infinite_floats_and_no_terms() -> None:
    A = np.array([[np.inf, 1.0]], "float32")
    assert multiply(ENGINE, min_plus, A, A.T.copy(), lookup("FP32")).tolist() == [[2.0]]
    empty = np.empty((2, 0), "float32"), np.empty((0, 3), "float32")
    assert (multiply(ENGINE, min_plus, *empty, lookup("FP32")) == np.inf).all()


TRUTHS = {
    lor_land: lambda x, y: (x.astype(int) @ y) > 0,
    lxor_land: lambda x, y: (x.astype(int) @ y) % 2 == 1,
    land_lor: lambda x, y: ~((~x).astype(int) @ ~y > 0),
}


@pytest.mark.parametrize("semiring", TRUTHS, ids=lambda semiring: semiring.name)
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (3, 31, 2), (130, 33, 5), (5, 64, 257), (40, 1100, 33), (2, 0, 3)], ids=str
)
@pytest.mark.parametrize("density", [0.02, 0.98])
def test_truths_go_as_bits(semiring, shape: tuple[int, int, int], density: float) -> None:
    m, k, n = shape
    rng = np.random.default_rng(m + k + n)
    A, B = rng.random((m, k)) < density, rng.random((k, n)) < density
    engine = SHUFFLED if k == 33 else ENGINE
    got = multiply(engine, semiring, A, B, lookup("BOOL"))
    assert got.dtype == bool
    np.testing.assert_array_equal(got, TRUTHS[semiring](A, B))


def test_more_rows_than_a_grid_is_high() -> None:
    grids: list[tuple[int, int]] = []
    engine = SimpleNamespace(
        xp=np,
        c_type=lambda array: "float",
        get_own_kernel=lambda file, name: lambda grid, block, args: grids.append(grid),
    )
    layout = Layout.choose(70_000, 4, 0)
    pad(engine, np.zeros((70_000, 2), "float32"), layout)
    transpose_padded(engine, np.zeros((2, 70_000), "float32"), layout)
    assert len(grids) == 2
    assert all(height <= 65_535 for _, height in grids)


def test_what_is_no_truth_is_not_packed() -> None:
    A = np.array([[2, 0], [0, 0]], "int32")
    got = multiply(ENGINE, lor_land, A, A, lookup("BOOL"))
    assert got.tolist() == [[True, False], [False, False]]


def make_floats(shape: tuple[int, int], width: float) -> np.ndarray:
    """Random floats of both signs; some are infinite, a zero with a sign, or subnormal."""
    rng = np.random.default_rng(shape[0] + 3 * shape[1])
    special = rng.choice(np.array([0.0, -0.0, np.inf, -np.inf, 1e-40, -1e-40], "float32"), shape)
    return np.where(rng.random(shape) < 0.3, special, rng.normal(size=shape) * width).astype("float32")


@pytest.mark.parametrize("semiring", [max_min, min_max], ids=lambda semiring: semiring.name)
@pytest.mark.parametrize("width", [100, 1e37])
def test_minima_and_maxima_as_integers(semiring, width: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordered, "FEWEST", 0)
    for m, k, n in SHAPES:
        A, B = make_floats((m, k), width), make_floats((k, n), width)
        engine = SHUFFLED if m == 3 else ENGINE
        assert ordered.suits(engine, semiring, A, B, lookup("FP32"))
        np.testing.assert_array_equal(multiply(engine, semiring, A, B, lookup("FP32")), FORMULAS[semiring.name](A, B))


@pytest.mark.parametrize("at", [0, 1])
def test_minima_ignore_what_is_no_number(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordered, "FEWEST", 0)
    operands = [np.array([[4.0, 1.0], [2.0, 3.0]], "float32") for _ in range(2)]
    operands[at][0, 0] = -np.float32("nan")
    assert not ordered.suits(ENGINE, max_min, *operands, lookup("FP32"))
    got = multiply(ENGINE, max_min, *operands, lookup("FP32"))
    np.testing.assert_array_equal(got, np.fmin(operands[0][:, :, None], operands[1][None]).max(1))


def test_other_products_are_not_ones_of_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    A = np.ones((3, 3), "float32")
    assert not ordered.suits(ENGINE, max_min, A, A, lookup("FP32"))
    monkeypatch.setattr(ordered, "FEWEST", 0)
    assert ordered.suits(ENGINE, max_min, A, A, lookup("FP32"))
    assert not ordered.suits(ENGINE, max_min, A, A, lookup("FP64"))
    assert not ordered.suits(ENGINE, min_plus, A, A, lookup("FP32"))
    assert not ordered.suits(ENGINE, max_min, A[:0], A, lookup("FP32"))


def test_positions() -> None:
    A, B = make_operands(3, 5, 4, "int64", 0)
    assert multiply(ENGINE, any_secondi, A, B, lookup("INT64")).max() <= 4


@pytest.mark.skipif(load_library() is None, reason="nvidia-cuda-nvrtc is not installed")
@pytest.mark.parametrize("kind", ["NonNegativeFloat", "SignedFloat"])
def test_newer_chips_take_two_sums_at_once(kind: str) -> None:
    text = unit(KERNELS / "matmat/tropical.cuh")
    for architecture, there in (("compute_90", False), ("compute_100", True)):
        with Program(text) as program:
            program.compile((f"tropical<{kind}>",), (f"-arch={architecture}", "-std=c++17", "-ftz=true"))
            assert (b"add.rn.ftz.f32x2" in program.read_data("PTX")) == there
            assert (b"add.ftz.f32" in program.read_data("PTX")) != there
