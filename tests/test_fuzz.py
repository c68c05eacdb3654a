"""A small share of each fuzzer; `make slow` runs more, and ``python -m tests.fuzz`` as long as you like."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from graphla.engine.cuda.engine import CudaEngine
from tests.emulator import make_loader
from tests.fuzz import csgraph_calls, expressions, few_rows, networkx_door, problems, programs
from tests.fuzz.__main__ import SUBJECTS, main


@pytest.mark.parametrize("seed", range(25))
def test_programs_agree_with_suitesparse(seed: int) -> None:
    expressions.check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10**7, 10**7 + 50_000, 250))
def test_many_programs_agree_with_suitesparse(first: int) -> None:
    for seed in range(first, first + 250):
        expressions.check(seed)


@pytest.mark.slow
@pytest.mark.emulated
@pytest.mark.parametrize("first", range(10**7, 10**7 + 5000, 100))
def test_many_programs_agree_with_suitesparse_on_the_emulator(first: int) -> None:
    for seed in range(first, first + 100):
        expressions.check(seed, CudaEngine(np, make_loader(build="plain")))


@pytest.mark.emulated
@pytest.mark.parametrize("seed", [410_000])
def test_programs_that_found_a_fault_of_a_kernel(seed: int) -> None:
    """410,000: truths of places without an entry, which may be any byte, were read as bool."""
    expressions.check(seed, CudaEngine(np, make_loader()))


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_problems_agree_with_scipy(first: int) -> None:
    for seed in range(first, first + 10):
        problems.check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 4000, 100))
def test_many_problems_agree_with_scipy(first: int) -> None:
    for seed in range(first, first + 100):
        problems.check(seed)


@pytest.mark.slow
@pytest.mark.emulated
@pytest.mark.parametrize("first", range(0, 100, 10))
def test_many_problems_agree_with_scipy_on_the_emulator(first: int) -> None:
    for seed in range(first, first + 10):
        problems.check(seed, CudaEngine(np, make_loader(build="plain")))


@pytest.mark.emulated
def test_products_of_few_rows_agree_with_suitesparse() -> None:
    for seed in range(12):
        few_rows.check(seed, CudaEngine(np, make_loader(build="plain")))


@pytest.mark.slow
@pytest.mark.emulated
@pytest.mark.parametrize("first", range(1000, 1200, 20))
def test_many_products_of_few_rows_agree_with_suitesparse(first: int) -> None:
    for seed in range(first, first + 20):
        few_rows.check(seed, CudaEngine(np, make_loader(build="plain")))


def test_a_difference_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: sums that are one too large. What is raised names one statement."""
    operands = tuple(programs.Operand(name, "INT64", (3,), 1.0, "sparse", 1) for name in ("v0", "v1"))
    program = programs.Program(0, operands, ("v1() << binary.plus(v0 | v0)", "v0() << binary.min(v0 | v1)"))
    expressions.run(program)
    monkeypatch.setattr(expressions, "write", lambda seed: program)
    monkeypatch.setattr(expressions, "list_names", lambda lib: {"binary": Planted(lib)})
    with pytest.raises(expressions.Difference, match=r"(?s)program 0\n.*binary.plus") as caught:
        expressions.check(0)
    assert "binary.min" not in str(caught.value)


class Planted:
    """The binary operators of a library; of one of them `plus` is `minus`."""

    def __init__(self, lib: object) -> None:
        self.binary = lib.binary  # type: ignore[attr-defined]
        self.wrong = lib.__name__ == "graphla"  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> object:
        return getattr(self.binary, "minus" if self.wrong and name == "plus" else name)


@pytest.mark.parametrize("first", range(100, 300, 50))
def test_calls_of_the_networkx_door_answer_as_networkx(first: int) -> None:
    for seed in range(first, first + 50):
        networkx_door.check(seed)


@pytest.mark.parametrize("seed", [71_005_576, 74_013_333, 74_016_420])
def test_seeds_that_found_a_difference_from_networkx(seed: int) -> None:
    """Weights that are no numbers are refused before a distribution of zeros; sums beyond 2⁵³ are rounded."""
    networkx_door.check(seed)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_fuzzer_runs_from_the_command_line(subject: str) -> None:
    ended = CliRunner().invoke(main, [subject, "--count", "1", "--seed", "3"])
    assert ended.output == f"{subject}: 1 seeds from 3 on, 0 faults\n", ended.output


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100_000, 134_000, 1000))
def test_many_calls_of_the_networkx_door_answer_as_networkx(first: int) -> None:
    """200,000 calls."""
    for seed in range(first, first + 1000):
        networkx_door.check(seed)


@pytest.mark.parametrize("first", range(0, 150, 50))
def test_calls_of_csgraph_answer_as_scipy(first: int) -> None:
    for seed in range(first, first + 50):
        csgraph_calls.check(seed)


@pytest.mark.parametrize("seed", [173, 224, 412, 458, 687, 2243, 2884, 4174, 10990])
def test_seeds_that_found_a_difference_from_scipy(seed: int) -> None:
    csgraph_calls.check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100_000, 140_000, 1000))
def test_many_calls_of_csgraph_answer_as_scipy(first: int) -> None:
    """200,000 calls."""
    for seed in range(first, first + 1000):
        csgraph_calls.check(seed)


def test_a_wrong_answer_of_csgraph_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    own = csgraph_calls.ours.dijkstra
    monkeypatch.setattr(csgraph_calls.ours, "dijkstra", lambda *args, **options: own(*args, **{**options, "limit": 3}))
    with pytest.raises(AssertionError, match="against"):
        check_calls(range(60))


def check_calls(seeds: range) -> None:
    for seed in seeds:
        csgraph_calls.check(seed)
