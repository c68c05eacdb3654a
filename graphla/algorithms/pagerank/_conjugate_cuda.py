"""Conjugate gradients for ranks of an undirected graph on a GPU: the engine's product, and two kernels per round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphla.algorithms.pagerank import _fused_cuda
from graphla.algorithms.pagerank._fused_cuda import THREADS, count_ahead, count_blocks, make_product
from graphla.algorithms.pagerank.settings import Settings
from graphla.algorithms.shared.start import cast_anew
from graphla.engine.cuda.records import read_struct
from graphla.storage import BitmapVector, CompressedMatrix, FullVector

KERNELS = Path(__file__).with_name("conjugate.cuh")
NUMBERS = 5
"""Numbers of the struct DescentRound."""
MOST = 1 << 16
"""Rounds of which numbers are kept; others are left to rounds that follow."""

Array = Any
DescentParameters = read_struct(KERNELS, "DescentParameters")


class Descent:
    """The arrays of a descent on the device."""

    def __init__(self, engine: Any, rows: CompressedMatrix, inverse: Array, s: Settings, goal: float) -> None:
        xp, n, dtype = engine.xp, rows.nrows, np.dtype(s.dtype.numpy)
        given = s.start is not None and s.rounds > 1 and rows.nvals > 0
        self.engine, self.n = engine, n
        self.most = min(MOST, s.rounds - 1 - given) if rows.nvals else 0
        self.ranks = cast_anew(s.start, dtype) if given else xp.empty(n, dtype)
        self.numbers = xp.zeros((self.most + 1, NUMBERS), np.float64)
        teleport, share = (xp.asarray(each, dtype) for each in (s.teleport, s.share))
        shares = xp.empty(n, dtype)
        self.step = make_product(rows, FullVector(shares), s)
        self.names = name_kernels(engine.c_type(shares))
        self.parameters = {
            "n": n,
            "inverse": inverse,
            "teleport": teleport,
            "teleport_step": min(1, teleport.size - 1),
            "share": share,
            "share_step": min(1, share.size - 1),
            "given": given,
            "spread": float(teleport.size == 1),
            "kept": float(s.share.any()),
            "ranks": self.ranks,
            "residuals": xp.empty(n, dtype),
            "ways": xp.empty(n, dtype),
            "falls": xp.empty(n, dtype),
            "shares": shares,
            "known": xp.zeros(3, np.float64),
            "damping": s.damping,
            "goal": goal,
        }
        self.unread = FullVector(engine.get_unread(dtype.name))
        self.launch(self.names[:1], self.unread, 0)
        self.launch(self.names[1:2], self.multiply() if given else self.unread, 0)

    def multiply(self) -> FullVector | BitmapVector:
        """What the neighbours of each vertex hand on; a vertex without arcs has no entry."""
        return self.engine.compute(self.step)

    def launch(self, names: tuple[str, ...], sums: FullVector | BitmapVector, k: int) -> None:
        """Launch kernels that read a product, and the numbers of a round."""
        some = isinstance(sums, BitmapVector)
        parameters = DescentParameters(
            **self.parameters,
            sums=sums.values,
            present=sums.present if some else self.engine.get_unread("bool"),
            every=not some,
            rounds=self.numbers[k:],
        )
        for name in names:
            kernel = self.engine.kernel(KERNELS, name, takes=DescentParameters, beside=self.names)
            kernel(count_blocks(self.n), THREADS, parameters)

    def run(self, look: int) -> int:
        """Run rounds until the residuals are within the goal, or nothing changes; return how many ran."""
        done, goal = 0, self.parameters["goal"]
        while done < self.most:
            count = min(look, self.most - done)
            for k in range(done, done + count):
                self.launch(self.names[2:], self.multiply(), k)
            sizes = self.engine.to_host(self.numbers[done : done + count + 1])[:, 0]
            if not sizes[-1] > goal or sizes[-1] == sizes[-2]:
                return done + int((sizes[:-1] > goal).sum())
            done += count
        return done


def name_kernels(kind: str) -> tuple[str, ...]:
    """Name the kernels of a descent over ranks of a type."""
    return tuple(f"{name}<{kind}>" for name in ("survey_arcs", "begin_descent", "weigh_descent", "step_descent"))


def begin(G: Any, s: Settings) -> None:
    """Begin to compile what a ranking needs, before the arcs that enter vertices are there."""
    G.engine.begin(KERNELS, *name_kernels(s.dtype.c))
    _fused_cuda.begin(G, s)


def descend(engine: Any, rows: CompressedMatrix, inverse: Array, s: Settings, part: float) -> tuple[Array, int]:
    """Ranks whose residual is within that part of the tolerance, and the products that it took.

    One round is left for a check; where the products do not suffice, or rounding ends it, the residual is larger.
    """
    descent = Descent(engine, rows, inverse, s, part * (s.tolerance or 0.0))
    done = descent.run(count_ahead(rows.nvals))
    return descent.ranks, done + int(descent.parameters["given"])
