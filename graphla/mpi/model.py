"""What a transfer and a step of work cost, fitted to measured times; and what that predicts for more GPUs.

A transfer takes ``latency · log2(P) + bytes / bandwidth``, work ``fixed + amount / rate``. The numbers are fitted to
the rows of ``measured/*.csv``. Of a network between boxes nothing was measured: the caller says what it does.
docs/scale.md tells the assumptions.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from graphla.common.arguments import show
from graphla.common.errors import InvalidOption

BOX = 8
"""GPUs of a box that the same switch connects."""
MACHINES = ("h200", "cpu")


@dataclass(frozen=True)
class Row:
    """A measured time: of a transfer of `size` bytes, or of work on `size` arcs, or n³ updates."""

    kind: str
    place: str
    name: str
    ranks: int
    size: float
    microseconds: float


@dataclass(frozen=True)
class Line:
    """``fixed + size / rate`` seconds, and the largest relative error of the fit."""

    fixed: float
    rate: float
    error: float

    def predict(self, size: float) -> float:
        """Return the seconds of a size."""
        return self.fixed + size / self.rate


@dataclass(frozen=True)
class Network:
    """What connects boxes: an assumption, not a measurement.

    Attributes
    ----------
    latency : float
        Seconds of a message.
    bandwidth : float
        Bytes per second of each GPU.
    """

    latency: float = 10e-6
    bandwidth: float = 50e9


def read_rows(machine: str) -> list[Row]:
    """Return the measured rows of a machine."""
    if machine not in MACHINES:
        raise InvalidOption(f"machine={show(machine)}: there are {', '.join(MACHINES)}")
    text = (files("graphla.mpi") / "measured" / f"{machine}.csv").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [Row(k, p, n, int(r), float(s), float(t)) for k, p, n, r, s, t in csv.reader(lines)]


def fit_line(sizes: Sequence[float], seconds: Sequence[float]) -> Line:
    """Fit ``fixed + size / rate`` with the least relative error; neither part is negative."""
    size, time = np.asarray(sizes, float), np.asarray(seconds, float)
    if size.size == 1:
        return Line(0.0, float(size[0] / time[0]), 0.0)
    terms = np.column_stack([1 / time, size / time])
    found = np.linalg.lstsq(terms, np.ones(time.size), rcond=None)[0]
    if found[0] < 0:
        found = np.array([0.0, float(np.exp(np.mean(np.log(time / size))))])
    if found[1] <= 0:
        found = np.array([float(np.exp(np.mean(np.log(time)))), 1e-30])
    error = float(abs(terms @ found - 1).max())
    return Line(float(found[0]), 1 / float(found[1]), error)


@dataclass(frozen=True)
class Machine:
    """The fitted costs of a machine; the transfers are those of `ranks` ranks."""

    name: str
    ranks: int
    transfers: dict[str, Line]
    work: dict[str, Line]

    def predict_transfer(
        self, name: str, nbytes: float, ranks: int, network: Network | None = None, inside: int = 0
    ) -> float:
        """Return the seconds of a collective after which each rank has `nbytes`.

        Latency grows with log2 of the ranks, and what a rank receives with (P − 1) / P. What comes from other boxes
        comes over their network, at the same time as the rest. `inside` is how many of the ranks share a box, by
        default as many as it has.
        """
        inside, network = inside or min(ranks, BOX), network or Network()
        line, outside = self.transfers[name], ranks / inside
        share = (inside - 1) / inside * self.ranks / (self.ranks - 1)
        latency = line.fixed * math.log2(inside) / math.log2(self.ranks) + network.latency * math.log2(outside)
        return latency + max(nbytes * share / line.rate, nbytes * (1 - 1 / outside) * SENT[name] / network.bandwidth)


SENT = {"all_reduce": 2, "all_gather": 1, "broadcast": 1, "peers": 1}
"""How often the bytes of a result pass the link of a rank."""


def fit(machine: str = "h200") -> Machine:
    """Fit the costs of a machine to its measured rows.

    A collective that was not measured costs half of an all-reduce, which is a reduce-scatter and an all-gather. Stores
    into the memory of peers are no collective: a machine has them or not.
    """
    rows = read_rows(machine)
    ranks = min(row.ranks for row in rows if row.kind == "transfer")
    whole = fit_rows(rows, "transfer", "all_reduce", ranks)
    half = Line(whole.fixed / 2, whole.rate * 2, whole.error)
    names = {row.name for row in rows if row.kind == "transfer"}
    known = [name for name in SENT if name in names or name != "peers"]
    transfers = {name: fit_rows(rows, "transfer", name, ranks) if name in names else half for name in known}
    work = {name: fit_rows(rows, "work", name, 1) for name in sorted({row.name for row in rows if row.kind == "work"})}
    return Machine(machine, ranks, transfers, work)


def fit_rows(rows: list[Row], kind: str, name: str, ranks: int) -> Line:
    """Fit a line to the rows of one name."""
    chosen = [row for row in rows if (row.kind, row.name, row.ranks) == (kind, name, ranks)]
    return fit_line([row.size for row in chosen], [row.microseconds * 1e-6 for row in chosen])


# --- predictions


def choose_grid(ranks: int) -> tuple[int, int, int]:
    """Return rows and columns of a grid, R ≤ C, and how many ranks of a column share a box.

    The ranks of a row follow each other, and a box has consecutive ranks.
    """
    rows = 2 ** (int(math.log2(ranks)) // 2)
    columns = ranks // rows
    return rows, columns, min(rows, max(1, BOX // columns))


def predict_pagerank(
    machine: Machine, n: int, arcs: float, ranks: int, network: Network | None = None, width: int = 4
) -> float:
    """Return the seconds of a round: a product of blocks of a grid, with numbers of `width` bytes.

    A rank gathers width · n / C bytes along its column, and width · n / R bytes are added up along its row.
    """
    (rows, columns, together), line = choose_grid(ranks), machine.work["pagerank"]
    gathered = machine.predict_transfer("all_gather", width * n / columns, rows, network, together)
    added = machine.predict_transfer("all_reduce", width * n / rows, columns, network) / 2
    return line.fixed + arcs / ranks / line.rate + gathered + added


def predict_pagerank_by_rows(
    machine: Machine, n: int, arcs: float, ranks: int, network: Network | None = None, width: int = 4
) -> float:
    """Return the seconds of a round of `graphla.pagerank`, after which each rank has a number of each vertex."""
    line = machine.work["pagerank_by_rows"]
    gathered = machine.predict_transfer("all_gather", width * n, ranks, network)
    return line.fixed + arcs / ranks / line.rate + gathered
