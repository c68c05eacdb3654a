"""One line of a comparison."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

Status = Literal["right", "wrong", "failed", "refused", "stopped", "unchecked"]


@dataclass(frozen=True)
class Row:
    """What one method, or one library, did on one graph.

    Attributes
    ----------
    problem, graph : str
        What was solved, and on what.
    vertices, arcs : int
        The size of the graph.
    name : str
        The method, or the library.
    kind : {"method", "peer"}
        Ours, or another library.
    engine : str
        Where it ran.
    status : str
        ``"right"``: the verifier found no fault; ``"wrong"``; ``"failed"``: it raised; ``"refused"``: it does not
        answer this request; ``"stopped"``: it ran into the time limit; ``"unchecked"``: there was nothing to check
        it against.
    note : str
        What was wrong, in a sentence.
    first : float or None
        Seconds of the first call, with compiling and what a graph keeps for later calls.
    times : tuple of float
        Seconds of each timed solve; on the GPU between two CUDA events, the host ahead where it need not wait.
    calls : tuple of float
        Seconds of each timed call by the clock on the wall, Python's part and the wait for the device included; on
        the CPU the same as `times`.
    memory : int or None
        Bytes that a call took at its peak beyond what was held before it, where that can be told.
    """

    problem: str
    graph: str
    vertices: int
    arcs: int
    name: str
    kind: Literal["method", "peer"]
    engine: str
    status: Status
    note: str = ""
    first: float | None = None
    times: tuple[float, ...] = ()
    calls: tuple[float, ...] = ()
    memory: int | None = None

    @property
    def median(self) -> float | None:
        """The median of the times."""
        return float(np.median(self.times)) if self.times else None

    @property
    def whole(self) -> float | None:
        """The median of the whole calls."""
        return float(np.median(self.calls)) if self.calls else None

    @property
    def spread(self) -> float | None:
        """The distance of the quartiles of the times; None below two of them."""
        if len(self.times) < 2:
            return None
        low, high = np.percentile(self.times, [25, 75])
        return float(high - low)

    @property
    def arcs_per_second(self) -> float | None:
        """Stored arcs of the graph over the median time."""
        return self.arcs / self.median if self.median else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        names = ("median", "spread", "whole", "arcs_per_second")
        lists = {"times": list(self.times), "calls": list(self.calls)}
        return {**asdict(self), **lists, **{name: getattr(self, name) for name in names}}
