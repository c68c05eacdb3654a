"""Where Louvain and Leiden spend their time, by level and step, on each GPU: the kernels are waited for at each step.

    mpirun -n 1 python asv_bench/gpu/climb_phases.py 22 24
    mpirun -n 2 python asv_bench/gpu/climb_phases.py 22 24 25 louvain:24

For each Kronecker graph a line per step that took 1 % of the second call or more, and one per level with the number of
its vertices: milliseconds of the step itself, without those that it calls, and how often it ran. The waiting makes
the whole a little longer than it is. `louvain:24` is Louvain.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from functools import cached_property, wraps
from importlib import import_module
from operator import attrgetter

import cupy as cp

import graphla as gl

SHARED, LEIDEN = "graphla.algorithms.shared.communities", "graphla.algorithms.leiden"
STEPS = {
    f"{SHARED}.climb": "Climb.run Climb.split Climb.merge Climb.measure Climb.group Climb.step_up",
    f"{SHARED}.grid": "Grid.move Grid.move_apart Grid.propose Grid.wake Grid.merge",
    f"{SHARED}.rounds": "Rounds.move Rounds.move_apart Rounds.want Rounds.add_up Rounds.draw_classes count_classes",
    f"{SHARED}.own_rounds": "move OwnRounds.exchange",
    f"{SHARED}.own_merge": "merge cut_groups exchange",
    f"{SHARED}.device_labels": "DeviceLabels.list_between DeviceLabels.fold",
    f"{SHARED}.spread": "merge share_out",
    f"{SHARED}.row_shares": "add_entries send_to cut_by_weight",
    f"{SHARED}.level": "build_level build_spread_level round_entries share_out Level.around",
    f"{LEIDEN}._joins": "Joins.refine Joins.join_some Joins.is_linked keep_inside",
    f"{LEIDEN}._joins_cuda": "JoinGrid.refine",
    f"{LEIDEN}._own_joins": "refine apply",
    f"{LEIDEN}._inside": "split keep_inside components",
    f"{LEIDEN}._ranks": "split split_alone join join_all",
    "graphla.engine.mpi.communicator": " ".join(
        f"Communicator.{name}" for name in ("all_gather", "all_reduce", "all_to_all", "reduce_scatter", "broadcast")
    ),
}
WORLD = gl.mpi.get_world()


class Phases:
    """Seconds and calls by level and step."""

    def __init__(self):
        self.spent, self.inside, self.level = defaultdict(lambda: [0.0, 0]), [], 0

    def watch(self, name, work):
        """The same work, timed."""

        @wraps(work)
        def measure(*given, **named):
            above = next((one for one in given if hasattr(one, "strengths")), None)
            self.level = self.level if above is None else above.n
            spent = self.spent[self.level, name]
            cp.cuda.Device().synchronize()
            self.inside.append(0.0)
            began = time.perf_counter()
            found = work(*given, **named)
            cp.cuda.Device().synchronize()
            took = time.perf_counter() - began
            spent[0] += took - self.inside.pop()
            spent[1] += 1
            if self.inside:
                self.inside[-1] += took
            return found

        return measure

    def watch_all(self):
        """Put a clock on each step that this version has."""
        for module, names in STEPS.items():
            for name in names.split():
                *owner, last = name.split(".")
                holder = import_module(module)
                holder = attrgetter(owner[0])(holder) if owner else holder
                step = getattr(holder, last, None)
                if isinstance(step, cached_property):
                    step.func = self.watch(name, step.func)
                elif step is not None:
                    setattr(holder, last, self.watch(name, step))

    def report(self, whole):
        """Print what took a hundredth or more, level by level."""
        levels = {level: sum(spent for (one, _), (spent, _) in self.spent.items() if one == level)
                  for level, _ in self.spent}  # fmt: skip
        for level in sorted(levels, key=levels.get, reverse=True):
            print(f"  rank {WORLD.rank}  {level:>11,} vertices {1e3 * levels[level]:9.1f} ms")
            steps = [(spent, calls, name) for (one, name), (spent, calls) in self.spent.items() if one == level]
            for spent, calls, name in sorted(steps, reverse=True):
                if spent >= 0.01 * whole:
                    print(f"  rank {WORLD.rank}    {name:<28} {1e3 * spent:9.1f} ms  {calls:>6} calls")


def look(phases, name, scale, engine):
    """The second call of a problem."""
    G = gl.generate.kronecker(int(scale), engine=engine)
    for turn in range(2):
        phases.spent.clear()
        WORLD.barrier()
        began = time.perf_counter()
        labels = getattr(gl, name)(G)
        cp.cuda.Device().synchronize()
        whole = time.perf_counter() - began
        if WORLD.rank == 0:
            print(f"{WORLD.size} ranks  {name} kron{scale} call {turn}: {1e3 * whole:.1f} ms", flush=True)
    for rank in range(WORLD.size):
        if rank == WORLD.rank:
            phases.report(whole)
            sys.stdout.flush()
        WORLD.barrier()
    del labels


if __name__ == "__main__":
    PHASES = Phases()
    PHASES.watch_all()
    for asked in sys.argv[1:]:
        *words, asked_scale = asked.split(":")
        look(PHASES, words[0] if words else "leiden", asked_scale, "mpi" if WORLD.size > 1 else "cuda")
        cp.get_default_memory_pool().free_all_blocks()
