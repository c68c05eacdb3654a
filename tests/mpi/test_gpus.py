"""All cases on ranks that have a GPU each, where there are two."""

from pathlib import Path

import pytest

from tests.mpi.launch import start

pytest.importorskip("mpi4py")


def count_gpus():
    """How many GPUs CuPy sees."""
    cupy = pytest.importorskip("cupy")
    return cupy.cuda.runtime.getDeviceCount()


GROUPS = {
    "language": ("cases_language",),
    "problems": ("cases_problems", "cases_files", "cases_gpu_arrays", "cases_communities"),
    "the rest": ("cases_apsp", "cases_communicator", "cases_levels", "cases_sources"),
}


@pytest.mark.gpu
@pytest.mark.parametrize("group", GROUPS)
def test_cases_pass_on_two_gpus(group):
    if count_gpus() < 2:
        pytest.skip("there are not two GPUs")
    done = start(2, "-m", "tests.mpi", *GROUPS[group], GRAPHLA_MPI_LOCAL="cuda", timeout=300)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("passed: ") > 10, done.stdout
    assert "by NCCL" in done.stdout or group == "the rest", done.stdout


def test_each_module_of_cases_is_in_a_group():
    modules = {path.stem for path in Path(__file__).parent.glob("cases_*.py")}
    assert modules == {*sum(GROUPS.values(), ()), "cases_first_calls"}
