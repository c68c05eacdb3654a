"""Detours on a GPU: a launch asks a path for all its deviations, and another answers many questions side by side.

What a path costs. `leave_each`, cooperative with one barrier of the grid: 4 bytes a vertex go there; a block reads the
arcs of a vertex, 28 bytes each with d and the place of the head; 24 bytes a vertex come back, and the host waits once.
`find_detours`, where bounds led astray: a block a question, so that no block waits for another, with three barriers of
the block a round; it waits twice, for the sizes of the ways and for these. Questions are those before the first
deviation that needs none, all at once, so that each is one that must be asked. On Kronecker 20 with weights of 1 to 255
one relaxes 14,000 arcs for 100 paths, most of them of hubs, which a block relaxes with all threads.

A search by the bounds of a caller is one block beside a grid that could find all distances. These take the more rounds,
the fewer arcs a vertex has, and on a dense graph next to no time; so the block may relax n² / 2 (n + m) arcs.

A warp for each question that pops a heap would wait for its pops one after the other; a grid over (vertex × question),
as `batched` runs it, has barriers of the grid, and reads n cells of each question to find few. A question meets two
vertices on a grid of 300 × 300, for it ends where ways are clear: memory of n cells for each block is cleared by what
was found alone. `after` is on the host: 4 bytes a vertex once, where a device would follow it for as many latencies as
a path is long.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.shared.sorted_rows import TYPES, as_step
from graphla.algorithms.shared.weights import estimate_typical_weight, infinity
from graphla.algorithms.sssp._detours import UNBOUNDED, Answer, Detours, Question, as_vertices, find_slack
from graphla.common.memory import budget
from graphla.engine import tracing
from graphla.engine.cuda.records import read_struct

Array = Any
FOLDER = Path(__file__).parent
ONWARD, LEAVE, DETOUR = (FOLDER / name for name in ("_onward.cuh", "_leave.cuh", "_detour.cuh"))
OnwardParameters = read_struct(ONWARD, "OnwardParameters")
LeaveParameters = read_struct(LEAVE, "LeaveParameters")
DetourParameters = read_struct(DETOUR, "DetourParameters")
BLOCK = 128
LEAD_BLOCK = 1024
"""Threads of a search without ways, which meets many vertices."""
LEAST_ARCS = 4096
"""Arcs that such a search may relax in any graph."""
MOST = 64
"""Questions at once."""
ROOM = 2**30
"""Bytes for the memory of questions at most, and no more than a quarter of what is free."""
VERTEX_BYTES = 48


class DeviceDetours(Detours):
    """Questions to a graph on a GPU; see `Detours`."""

    def __init__(self, G: Any, weights: Array) -> None:
        self.G, self.A = G, (G.csr.indptr, G.csr.indices, weights)
        self.none, self.slack = infinity(weights.dtype), find_slack(G, weights.dtype)
        types = TYPES[weights.dtype.name], G.engine.c_type(G.csr.indptr)
        self.onward_name, self.leave_name, self.detour_name = (
            f"{name}<{', '.join(types)}>" for name in ("point_onward", "leave_each", "find_detours")
        )
        self.rest_name = f"lie_at_rest<{types[0]}>"
        self.asked, self.places, self.held = 0, None, None
        self.most = LEAST_ARCS + G.n * G.n // (2 * (G.n + G.nvals))
        self.together, self.onward = 1, G.engine.get_unread("int32")
        G.engine.begin(DETOUR, self.detour_name, self.rest_name)

    def aim(self, far: Array, target: int | None = None) -> None:
        self.far, self.after = self.widen(far), as_vertices([])
        if target is not None:
            room = min(ROOM, budget(self.G.engine.xp) // 4)
            self.together = max(1, min(MOST, room // (VERTEX_BYTES * self.G.n)))
            self.after = self.point_onward(target)

    def begin(self, given: np.dtype[Any], *, leaves: bool) -> None:
        self.G.engine.begin(ONWARD, self.onward_name, *self.list_widening(given))
        if leaves:
            self.G.engine.begin(LEAVE, self.leave_name, cooperative=True)

    def list_widening(self, given: np.dtype[Any]) -> tuple[str, ...]:
        """The kernel that makes lengths of distances of a dtype, if it is another one."""
        dtype = self.none.dtype
        return () if given == dtype else (f"widen<{TYPES[given.name]}, {TYPES[dtype.name]}>",)

    def widen(self, far: Array) -> Array:
        for name in self.list_widening(far.dtype):
            kernel = self.G.engine.kernel(ONWARD, name, beside=(self.onward_name,))
            given, far = far, self.G.engine.xp.empty(self.G.n, self.none.dtype)
            kernel(-(-self.G.n // BLOCK), BLOCK, (given, far, np.int32(self.G.n)))
        return far

    def give_graph(self) -> dict[str, Array]:
        """What all kernels take."""
        indptr, indices, weights = self.A
        return {"indptr": indptr, "indices": indices, "values": weights, "far": self.far}

    def point_onward(self, target: int) -> Array:
        """The next vertex on a shortest path to the target from each vertex, on the host."""
        xp, n = self.G.engine.xp, self.G.n
        kernel = self.G.engine.kernel(ONWARD, self.onward_name, takes=OnwardParameters)
        self.onward, rounds, left, number = xp.empty(n, np.int32), xp.empty(n, np.int32), 1, 0
        while left:
            waiting = xp.zeros(1, np.int32)
            given = {"after": self.onward, "rounds": rounds, "left": waiting}
            kernel(
                -(-n * 32 // BLOCK),
                BLOCK,
                OnwardParameters(**self.give_graph(), **given, n=n, target=target, round=number),
            )
            left, number = int(self.G.engine.to_host(waiting)[0]), number + 1
        return self.G.engine.to_host(self.onward)

    def leave(self, path: Array, first: int, banned: Sequence[int]) -> tuple[Array, Array, Array]:
        """For each place of a path from the first on: the weight of its arc, how much is to go by another, its head."""
        engine, xp, size, count = self.G.engine, self.G.engine.xp, path.size, path.size - 1 - first
        if self.places is None:
            self.places = xp.zeros(self.G.n, np.uint64)
        self.asked += 3
        kernel = engine.kernel(LEAVE, self.leave_name, cooperative=True, takes=LeaveParameters)
        given, found = xp.asarray(np.append(path, as_vertices(banned))), xp.empty(3 * max(count, 1), self.none.dtype)
        parameters = LeaveParameters(
            **self.give_graph(),
            path=given,
            size=size,
            first=first,
            banned=given[size:] if len(banned) else given,
            bans=len(banned),
            places=self.places,
            asked=self.asked,
            along=found,
            rests=found[count:],
            heads=found[2 * count :].view(np.int64),
            barrier=engine.get_barrier(),
        )
        if count:
            kernel(min(kernel.resident_blocks(BLOCK), count), BLOCK, parameters)
        along, rests, heads = engine.to_host(found)[: 3 * count].reshape(3, count)
        return along, rests, heads.view(np.int64)

    def go_around(self, questions: Sequence[Question]) -> list[Answer]:
        """The answer to each question."""
        engine, xp, count = self.G.engine, self.G.engine.xp, len(questions)
        self.asked += 3
        parts = [as_vertices(part) for each in questions for part in each[:3]]
        starts = np.append(0, np.cumsum([part.size for part in parts])).astype(np.int32)
        limits = np.asarray([each.limit for each in questions], self.none.dtype).view(np.int32)
        given = xp.asarray(np.concatenate([limits, starts, *parts]))
        found = xp.zeros(4 * count + 1, np.int64)
        if self.held is None:
            self.held = self.allocate()
        kernel = engine.kernel(DETOUR, self.detour_name, takes=DetourParameters, beside=(self.rest_name,))
        parameters = DetourParameters(
            **self.give_graph(),
            **self.held,
            after=self.onward,
            ways=bool(self.after.size),
            given=given[limits.size + starts.size :],
            starts=given[limits.size :],
            n=self.G.n,
            asked=self.asked,
            step=as_step(self.none.dtype, estimate_typical_weight(self.G)),
            slack=self.slack,
            limits=given[: limits.size].view(self.none.dtype),
            most=UNBOUNDED if self.after.size else self.most,
            best=found[:count].view(self.none.dtype),
            arcs=found[count:],
            sizes=found[2 * count :],
        )
        kernel(count, BLOCK if self.after.size else LEAD_BLOCK, parameters)
        best, arcs, sizes, begins = engine.to_host(found)[:-1].reshape(4, count)
        tracing.count_relaxed(int(arcs.sum()))
        ways = engine.to_host(self.held["ways_found"][: int(sizes.sum())])
        pairs = zip(begins.tolist(), sizes.tolist(), best.view(self.none.dtype), strict=True)
        return [Answer(ways[begin : begin + size], length) for begin, size, length in pairs]

    def allocate(self) -> dict[str, Array]:
        """Memory for as many questions as are asked at once, as it is at rest."""
        xp, cells = self.G.engine.xp, self.together * self.G.n
        lengths, relaxed, parents = (xp.empty(cells, dtype) for dtype in (self.none.dtype, self.none.dtype, np.int32))
        rest = self.G.engine.kernel(DETOUR, self.rest_name, beside=(self.detour_name,))
        rest(-(-cells // BLOCK), BLOCK, (lengths, relaxed, parents, np.int64(cells)))
        return {
            "lengths": lengths,
            "relaxed": relaxed,
            "parents": parents,
            "marks": xp.zeros(cells, np.int32),
            "rounds": xp.zeros(cells, np.int32),
            "lists": xp.empty(3 * cells, np.int32),
            "ways_found": xp.empty(cells, np.int32),
        }
