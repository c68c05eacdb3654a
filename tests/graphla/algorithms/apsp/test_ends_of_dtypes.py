"""No value of an arc means that there is no path: closures of weights at the ends of each dtype, by brute force."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.common.errors import NegativeCycle, NotSupported, Overflow
from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
ORDERS = ["max_min", "min_max", "lor_land"]
SUMS = ["min_plus", "max_plus"]
METHODS = ["algebraic", "blocked_floyd_warshall", "elimination", "johnson"]


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=pytest.mark.emulated)])
def engine(request: pytest.FixtureRequest) -> Any:
    return "cpu" if request.param == "cpu" else CudaEngine(np, make_loader())


def draw(dtype: str, n: int, seed: int, ends: bool = True) -> tuple[Any, Any, Any]:
    """Arcs whose weights lie at the ends of a dtype, or around zero."""
    rng, (low, high) = np.random.default_rng(seed), find_ends(dtype)
    near = [value for value in (-2, -1, 0, 1, 2) if low <= value]
    pool = [low, low + 1, *near, high - 1, high] if ends else near
    tails, heads = np.nonzero(rng.random((n, n)) < 1.6 / n)
    return tails, heads, np.array([pool[i] for i in rng.integers(len(pool), size=tails.size)], dtype)


def find_ends(dtype: str) -> tuple[Any, Any]:
    if np.dtype(dtype).kind == "f":
        return -np.inf, np.inf
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def close(name: str, n: int, arcs: Any, one: Any) -> tuple[dict[tuple[int, int], Any], bool]:
    """The closure in Python's own numbers, and whether a cycle betters the empty path."""
    better = min if name.startswith("min") else max
    times = (lambda a, b: a + b) if name.endswith("plus") else max if name == "min_max" else min
    best: dict[tuple[int, int], Any] = {(v, v): one for v in range(n)}
    for u, v, w in zip(*(part.tolist() for part in arcs), strict=True):
        value = bool(w) if name == "lor_land" else w
        best[u, v] = better(best.get((u, v), value), value)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if (i, k) in best and (k, j) in best:
                    through = times(best[i, k], best[k, j])
                    best[i, j] = better(best.get((i, j), through), through)
    return best, any(best[v, v] != one for v in range(n))


def as_entries(found: gl.Matrix) -> dict[tuple[int, int], Any]:
    return {(i, j): value for i, row in found.to_dicts().items() for j, value in row.items()}


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("dtype", [*INTEGERS, "float32", "float64", "bool"])
def test_closures_that_compare_lose_no_value(name: str, dtype: str, engine: Any) -> None:
    for seed in range(6):
        n = 7
        arcs = draw("uint8" if dtype == "bool" else dtype, n, seed)
        if dtype == "bool":
            arcs = *arcs[:2], arcs[2] % 2 == 0
        F = gl.factorize(gl.Graph(arcs, n=n, engine=engine), semiring=name)
        low, high = (False, True) if name == "lor_land" else find_ends(F.dtype.lower())
        one = low if name == "min_max" else high
        wanted, _ = close(name, n, arcs, one)
        assert as_entries(F[:]) == wanted
        assert all(F[i, j] == wanted.get((i, j)) for i in range(3) for j in range(n))
        check_blocks(F, wanted, high if name == "min_max" else low, n)


def attempt(solve: Callable[[], Any]) -> Any:
    """What a call returns, or the error that says why it has no answer."""
    try:
        return solve()
    except (NegativeCycle, Overflow, NotSupported) as error:
        return error


def check_blocks(F: gl.Factor, wanted: dict[tuple[int, int], Any], missing: Any, n: int) -> None:
    """An array says that there is no path by a number that no arc has, or is refused."""
    found = attempt(lambda: F.blocks(n))
    if isinstance(found, NotSupported):
        assert "would mean that there is no path: take F[sources]" in str(found)
        return
    ((_, block),) = found
    expected = [[wanted.get((i, j), missing) for j in range(n)] for i in range(n)]
    np.testing.assert_array_equal(block, np.array(expected, block.dtype))


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_closures_that_add_are_exact_or_refused(name: str, dtype: str, engine: Any) -> None:
    answered = 0
    for seed in range(24 if engine == "cpu" else 6):
        n = 4 + seed % 3
        arcs = draw(dtype, n, seed, ends=seed % 2 == 0)
        wanted, endless = close(name, n, arcs, 0)
        A = gl.Graph(arcs, n=n, engine=engine).A
        found = attempt(lambda A=A: A.star(name))
        assert not isinstance(found, NotSupported)
        if isinstance(found, Overflow):
            assert 4 * n * max(map(abs, arcs[2].tolist())) > np.iinfo("int32").max
            continue
        assert endless == isinstance(found, NegativeCycle)
        if endless:
            assert found.positive == (name == "max_plus")
            continue
        assert as_entries(found) == wanted
        answered += 1
    assert answered


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_distances_of_both_signs_are_exact_or_refused(dtype: str, method: str) -> None:
    for seed in range(60):
        n = 4 + seed % 3
        arcs = draw(dtype, n, seed)
        wanted, endless = close("min_plus", n, arcs, 0)
        G = gl.Graph(arcs, n=n, engine="cpu")
        found = attempt(lambda G=G: gl.apsp(G, method=method))
        if isinstance(found, Overflow | NotSupported):
            assert dtype == "int64"
            assert isinstance(found, Overflow) or method == "johnson"
            continue
        assert endless == isinstance(found, NegativeCycle)
        assert endless or as_entries(found) == wanted


def test_a_part_that_is_too_long_is_noticed() -> None:
    """1 → 2 → 3 is longer than INT64 holds, 0 → 1 → 2 → 3 is not, and the way 0 → 3 hides what was lost."""
    w = 2**62
    G = gl.Graph(([0, 1, 2, 0], [1, 2, 3, 3], np.array([-w, w, w + 5, 2**63 - 9])), engine="cpu")
    with pytest.raises(Overflow, match="may add up along a path of 4 vertices to more than INT64 holds"):
        gl.factorize(G)


def test_the_longest_paths_are_in_the_caller_s_signs() -> None:
    with pytest.raises(Overflow, match=r"−\(-9223372036854775808\) does not fit INT64"):
        gl.factorize(gl.Graph(([0], [1], np.array([-(2**63)]))), semiring="max_plus")
    F = gl.factorize(gl.Graph(([0, 1], [1, 2], [0.0, 0.0]), engine="cpu"), semiring="max_plus")
    assert not np.signbit(F[0].to_numpy()).any()
    with pytest.raises(NotSupported, match="max_plus computes with −w: ask for a signed dtype"):
        gl.factorize(gl.Graph(([0], [1], np.array([0]))), semiring="max_plus", dtype="UINT32")


def test_positive_cycles_are_told_to_other_processes() -> None:
    error = NegativeCycle((0, 1), positive=True)
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.positive, copy.vertices, str(copy)) == (True, (0, 1), str(error))


def test_products_too_small_for_the_dtype_are_paths() -> None:
    G = gl.Graph(([0, 1, 2], [1, 2, 0], np.array([1e-200, 1e-200, 0.0])), engine="cpu")
    F = gl.factorize(G, semiring="max_times")
    assert (F[0, 2], F[2, 0], F[1, 0]) == (0.0, 0.0, 0.0)
    with pytest.raises(NotSupported, match=r"max_times: an arc has the value 0\.0"):
        F.blocks()


def test_factors_of_ranks_are_kept_and_renewed(tmp_path: Any) -> None:
    G = gl.Graph(([0, 1], [1, 2], np.array([0, 7], "uint64")), engine="cpu")
    gl.factorize(G, semiring="max_min").save(tmp_path / "f.npz")
    F = gl.Factor.load(tmp_path / "f.npz", engine="cpu")
    assert (F[0, 2], F[1, 2], F[2, 0], F.dtype) == (0, 7, None, "uint64")
    renewed = F.refactor(gl.Graph(([0, 1], [1, 2], np.array([2**64 - 1, 9], "uint64")), engine="cpu"))
    assert renewed[0].to_dict() == {0: 2**64 - 1, 1: 2**64 - 1, 2: 9}
