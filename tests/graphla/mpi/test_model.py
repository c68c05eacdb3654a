"""The cost model: fits of lines that are known, and predictions that keep what must hold."""

import math
import subprocess
import sys

import numpy as np
import pytest

from graphla.common.errors import InvalidOption
from graphla.mpi.model import BOX, MACHINES, Machine, Network, fit, fit_line, predict_pagerank, read_rows
from graphla.mpi.simulate import count_levels, predict, simulate_bfs, simulate_floyd_warshall


def predict_floyd_warshall(
    machine: Machine, n: int, ranks: int, network: Network | None = None, side: int = 256, width: int = 4
) -> float:
    """Return the seconds of a blocked Floyd–Warshall by rows.

    A step of `side` vertices takes the longer of two: the relaxation of a rank's rows, and the panel of the next step
    with its broadcast. Before both a rank multiplies its own columns.
    """
    line, steps = machine.work["floyd_warshall"], math.ceil(n / side)
    relaxed = side * float(n) * n / ranks / line.rate
    panel = 2 * side * float(side) * n / line.rate + machine.predict_transfer(
        "broadcast", float(side) * n * width, ranks, network
    )
    columns = side * float(side) * n / ranks / line.rate
    return steps * (columns + max(relaxed, panel)) + panel


def test_a_line_is_found_again():
    sizes = np.array([8, 1e4, 1e6, 1e8])
    line = fit_line(sizes, 2e-5 + sizes / 3e11)
    assert (line.fixed, line.rate) == (pytest.approx(2e-5), pytest.approx(3e11))
    assert line.error < 1e-9


def test_neither_part_of_a_line_is_negative():
    assert fit_line([1e3, 1e6], [1e-9, 1e-3]).fixed == 0
    assert fit_line([1e3, 1e6], [1e-3, 1e-4]).predict(1e3) == pytest.approx(3e-4, rel=0.2)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_fit_is_near_what_was_measured(machine):
    found, rows = fit(machine), read_rows(machine)
    for row in rows:
        if row.kind == "transfer" and row.ranks == found.ranks:
            told = found.predict_transfer(row.name, row.size, row.ranks)
            assert told == pytest.approx(row.microseconds * 1e-6, rel=found.transfers[row.name].error + 1e-6)
        if row.kind == "work" and row.ranks == 1:
            told = found.work[row.name].predict(row.size)
            assert told == pytest.approx(row.microseconds * 1e-6, rel=found.work[row.name].error + 1e-6)


def test_the_fit_of_the_gpu_is_near():
    found = fit("h200")
    assert max(line.error for line in found.work.values()) < 0.1
    assert max(line.error for line in found.transfers.values()) < 0.5


def test_more_ranks_and_slower_networks_cost_what_they_must():
    machine, slow = fit("h200"), Network(1e-4, 1e9)
    assert machine.predict_transfer("all_gather", 1e9, 1) == 0
    times = [machine.predict_transfer("all_gather", 1e9, ranks) for ranks in (2, 4, BOX, 2 * BOX, 64)]
    assert times == sorted(times)
    assert machine.predict_transfer("all_gather", 1e9, 64, slow) > 10 * times[-1]
    assert machine.predict_transfer("all_gather", 1e9, BOX, slow) == times[2]
    closed = [predict_floyd_warshall(machine, 1 << 17, ranks) for ranks in (1, 2, 4, 8)]
    assert closed[0] / closed[3] == pytest.approx(8, rel=0.05)
    assert predict_pagerank(machine, 1 << 24, 5e8, 4) < predict_pagerank(machine, 1 << 24, 5e8, 1)


@pytest.mark.parametrize("ranks", [1, 2, 8, 64])
def test_the_simulation_agrees_with_the_formula(ranks):
    machine, n = fit("h200"), 1 << 16
    formula = predict_floyd_warshall(machine, n, ranks)
    assert simulate_floyd_warshall(machine, n, ranks, Network()) == pytest.approx(formula, rel=0.1)


def test_levels_are_counted_for_every_rank():
    levels, n, arcs = count_levels(4)
    assert {level.pushed for level in levels} == {True, False}
    assert all(level.arcs.shape == (4,) for level in levels)
    assert 0 < sum(level.arcs.sum() for level in levels) < 2 * arcs
    machine = fit("h200")
    assert simulate_bfs(machine, 26, 1, Network()) == pytest.approx(
        machine.work["bfs"].predict(arcs / n * 2**26), rel=1e-6
    )
    assert simulate_bfs(machine, 34, 64, Network(), True) < simulate_bfs(machine, 34, 64, Network())


def test_two_gpus_take_about_what_is_predicted():
    rows = [row for row in read_rows("h200") if row.kind == "work" and row.ranks == 2]
    assert {row.name for row in rows} == {"bfs", "pagerank", "pagerank_by_rows", "floyd_warshall"}
    for row in rows:
        assert predict(fit("h200"), row) == pytest.approx(row.microseconds * 1e-6, rel=0.25), row


def test_a_reader_can_run_it():
    command = [sys.executable, "-m", "graphla.mpi.simulate", "--ranks", "1", "16", "--vertices", "8192"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(shown) == 4
    assert shown[2].split()[0] == "1"
    assert shown[3].split()[:2] == ["16", "32"]


def test_unknown_machines_are_refused():
    with pytest.raises(InvalidOption, match="machine='abacus'"):
        fit("abacus")
