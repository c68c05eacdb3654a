"""Ranks whose arrays record what CuPy would compile: the language's first calls on several GPUs, without a GPU."""

from __future__ import annotations

from functools import wraps

from graphla.engine.mpi.communicator import Communicator
from graphla.engine.mpi.engine import MpiEngine
from graphla.engine.mpi.grid import Grid
from graphla.storage.list_kernels import register_list_kernels
from tests.cupy_modules import Recorded, make_recorded_engine, record_modules, strip, wrap

TRANSFERS = (
    "broadcast", "all_gather", "all_gather_parts", "all_gather_several", "all_to_all", "all_to_all_several",
    "all_reduce", "reduce_scatter",
)  # fmt: skip


def is_recorded(value):
    """Whether a value is a recording array or a list with one."""
    return isinstance(value, Recorded) or (isinstance(value, list | tuple) and any(map(is_recorded, value)))


def wrap_all(value):
    """The same with recording arrays, in lists and tuples too."""
    return type(value)(map(wrap_all, value)) if isinstance(value, list | tuple) else wrap(value)


def record_transfer(name):
    """A method of a communicator that takes recording arrays, and returns such; a root decides for the others."""
    plain = getattr(Communicator, name)

    @wraps(plain)
    def run(self, *args, **options):
        found = plain(self, *map(strip, args), **options)
        return wrap_all(found) if name == "broadcast" or is_recorded(args) else found

    return run


class RecordedCommunicator(Communicator):
    """Sends recording arrays as NCCL would send those of GPUs."""

    def split(self, color, key=None):
        return RecordedCommunicator(super().split(color, key).host)


for each in TRANSFERS:
    setattr(RecordedCommunicator, each, record_transfer(each))


def trace_modules(world, prepare, call):
    """Return the modules that CuPy and that graphla would compile on this rank in a first call."""
    local, noted = make_recorded_engine()
    register_list_kernels(Recorded, local.lists)
    engine = MpiEngine(Grid(RecordedCommunicator(world.host)), local, "recorded")
    with record_modules() as compiled:
        operands = prepare(engine)
        compiled.clear()
        noted.clear()
        call(operands)
        return list(compiled), list(noted.own)
