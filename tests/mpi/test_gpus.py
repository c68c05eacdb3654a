"""All cases on ranks that have a GPU each, where there are two."""

import pytest

from tests.mpi.launch import start

pytest.importorskip("mpi4py")
pytestmark = pytest.mark.gpu


def count_gpus():
    """How many GPUs CuPy sees."""
    cupy = pytest.importorskip("cupy")
    return cupy.cuda.runtime.getDeviceCount()


def test_cases_pass_on_two_gpus():
    if count_gpus() < 2:
        pytest.skip("there are not two GPUs")
    done = start(2, "-m", "tests.mpi", GRAPHLA_MPI_LOCAL="cuda", timeout=600)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("passed: ") > 30, done.stdout
    assert "by NCCL" in done.stdout, done.stdout
