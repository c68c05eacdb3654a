"""Run the cases on this rank: ``mpiexec -n 3 python -m tests.mpi [case …]``; the first failure ends all ranks.

In cases that emulate GPUs the kernels of lists take arrays of NumPy, as they take those of CuPy elsewhere.
With ``GRAPHLA_MPI_LOCAL=cuda`` each rank takes a GPU, and the cases that emulate GPUs are left out.
"""

import faulthandler
import sys
import time
import traceback
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import numpy as np

from graphla.engine.cuda.engine import CudaEngine
from graphla.engine.mpi.world import get_world
from graphla.storage import list_kernels
from tests.emulator import make_loader
from tests.mpi import ON_GPUS

PATIENCE = 100
"""Seconds that a case may take; then each rank shows where it is, and ends."""
EMULATED = "emulated", "first_call"


def list_cases(asked):
    """The functions ``case_*`` of the modules, or those whose name contains one of the texts."""
    names = [path.stem for path in sorted(Path(__file__).parent.glob("cases_*.py"))]
    names = [name for name in names if not (ON_GPUS and "first_calls" in name)]
    modules = [import_module(f"tests.mpi.{name}") for name in names]
    cases = [f for module in modules for name, f in vars(module).items() if name.startswith("case_")]
    if ON_GPUS:
        cases = [f for f in cases if not any(text in f.__name__ for text in EMULATED)]
    return [f for f in cases if not asked or any(text in f"{f.__module__}.{f.__name__}" for text in asked)]


def take_as_on_gpus(case):
    """Let the emulated kernels of lists take arrays of NumPy in a case that emulates GPUs."""
    if "emulated" not in case.__name__:
        return nullcontext()  # a patch would take back what an engine registers meanwhile
    return patch.dict(list_kernels._kernels, {np.ndarray: CudaEngine(np, make_loader(build="plain")).lists})


def run(world, case):
    """Run a case on all ranks."""
    started = time.perf_counter()
    if world.rank == 0:
        print(f"begins: {case.__name__}", flush=True)
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        with take_as_on_gpus(case):
            case(world)
        world.barrier()
    except BaseException:
        print(f"rank {world.rank} of {world.size}: {case.__name__} fails\n{traceback.format_exc()}", flush=True)
        world.abort(f"{case.__name__} fails")
    faulthandler.cancel_dump_traceback_later()
    if world.rank == 0:
        print(f"passed: {case.__name__} in {time.perf_counter() - started:.2f} s", flush=True)


def main():
    world = get_world()
    for case in list_cases(sys.argv[1:]):
        run(world, case)
    if world.rank == 0:
        print(world.explain())


main()
