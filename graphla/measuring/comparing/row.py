"""One row of a comparison."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

Status = Literal["right", "wrong", "failed", "refused", "stopped", "unchecked"]


@dataclass(frozen=True)
class Row:
    """The result of one method, or one other library, on one graph.

    Attributes
    ----------
    problem, graph : str
        The names of the problem and the graph.
    vertices, arcs : int
        The size of the graph.
    name : str
        The name of the method or the library.
    kind : {"method", "peer"}
        A method of graphla, or another library.
    engine : str
        The engine on which it ran.
    status : str
        ``"right"``: the verifier found no fault; ``"wrong"``: it found one; ``"failed"``: the call raised an error;
        ``"refused"``: the method does not support the request; ``"stopped"``: the call exceeded the time limit;
        ``"unchecked"``: there was no right answer to compare with.
    note : str
        What was wrong, in a sentence.
    first : float or None
        Seconds of the first call, including compiling and what the graph caches for later calls.
    times : tuple of float
        Seconds of each timed solve; on the GPU between two CUDA events, launched ahead where nothing waits.
    calls : tuple of float
        Wall-clock seconds of each timed call, including the time in Python and the wait for the device; on the CPU
        the same as `times`.
    memory : int or None
        Peak bytes of a call beyond the memory in use before it, if known.

    Examples
    --------
    >>> from graphla.comparing import Row
    >>> row = Row("bfs", "a path", 4, 3, "algebraic", "method", "cpu", "right", times=(0.003, 0.001, 0.002))
    >>> row.median, row.arcs_per_second
    (0.002, 1500.0)
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
        """The median of `times`."""
        return float(np.median(self.times)) if self.times else None

    @property
    def whole(self) -> float | None:
        """The median of `calls`."""
        return float(np.median(self.calls)) if self.calls else None

    @property
    def spread(self) -> float | None:
        """The interquartile range of `times`; None for fewer than two."""
        if len(self.times) < 2:
            return None
        low, high = np.percentile(self.times, [25, 75])
        return float(high - low)

    @property
    def arcs_per_second(self) -> float | None:
        """The arcs of the graph divided by the median time."""
        return self.arcs / self.median if self.median else None

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain data, for JSON.

        Returns
        -------
        dict
            The attributes, and the medians, the spread and the rate that follow from them.

        Examples
        --------
        >>> from graphla.comparing import Row
        >>> row = Row("bfs", "a path", 4, 3, "algebraic", "method", "cpu", "refused", "it gives no parents")
        >>> row.to_dict()["note"], row.to_dict()["median"]
        ('it gives no parents', None)
        """
        names = ("median", "spread", "whole", "arcs_per_second")
        lists = {"times": list(self.times), "calls": list(self.calls)}
        return {**asdict(self), **lists, **{name: getattr(self, name) for name in names}}
