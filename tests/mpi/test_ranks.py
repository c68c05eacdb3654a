"""All cases on 1 and 3 ranks, and those whose course the number of ranks decides on 2 and 4."""

import pytest

from tests.mpi.launch import start

pytest.importorskip("mpi4py")


BY_NUMBER = (
    "cases_communicator",
    "cases_levels",
    "cases_apsp",
    "cases_sources",
    "by_own_arcs",
    "spread_graphs",
    "in_parts",
)


@pytest.mark.parametrize(("ranks", "cases"), [(1, ()), (2, BY_NUMBER), (3, ()), (4, BY_NUMBER)])
def test_cases_pass_on_so_many_ranks(ranks, cases):
    done = start(ranks, "-m", "tests.mpi", *cases)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("passed: ") > 5, done.stdout


def test_more_ranks_than_cores():
    done = start(8, "-m", "tests.mpi", "case_arrays_move", "case_numbers", "case_the_sweep", "case_no_")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("passed: ") == 5, done.stdout


def test_the_benchmark_runs_on_ranks():
    done = start(2, "-m", "graphla", "graph500", "--scale", "8", "--sources", "2", "--engine", "cpu")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("NBFS:                   2") == 1, done.stdout


def test_import_brings_no_mpi():
    code = "import sys, graphla, graphla.engine.mpi.communicator; print('mpi4py' in sys.modules)"
    assert start(1, "-c", code).stdout.strip() == "False"


def test_ranks_sleep_while_they_wait():
    code = (
        "import time, graphla as gl\nworld = gl.mpi.get_world()\nworld.barrier()\n"
        "time.sleep(1.5 * (world.rank == 0))\nbegun = time.process_time()\nworld.barrier()\n"
        "print(f'took {time.process_time() - begun:.2f}')"
    )
    done = start(2, "-c", code, GRAPHLA_MPI_SLEEP="1")
    taken = [float(word) for word in done.stdout.replace("took", "").split()]
    assert len(taken) == 2, done.stdout
    assert max(taken) < 0.7, done.stdout
