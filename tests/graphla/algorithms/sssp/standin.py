"""The least graph that a method needs, on NumPy arrays, and the engine that its kernels run on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import coo_array

from graphla.engine.cuda.device import make_device
from graphla.engine.cuda.lists import DeviceLists
from graphla.engine.cuda.parameters import load_kernel
from graphla.engine.cuda.source import unit
from graphla.storage import CompressedMatrix
from semirings.dtypes import lookup

SMALL = """
struct Small {
  static constexpr int BLOCK = 64, RESIDENT = 2, LEAD = 4, WIDE = 40, STASH = 4, AHEAD = 2, NEAR = 24, FAR = 8;
  static constexpr int ALONE_NEAR = 12, ALONE_FAR = 40, NEAR_LEAD = 4, NEAR_AHEAD = 2, IDLE = 12, GROUPS = 3, LOCAL = 3;
};
"""


@dataclass(frozen=True)
class CpuEngine:
    name: str = "cpu"
    xp: Any = np


@dataclass(frozen=True, eq=False)
class SmallGraph:
    n: int
    rows: Any
    cols: Any
    weights: Any
    engine: Any = field(default_factory=CpuEngine)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def plain(self) -> SmallGraph:
        return self

    def _compress(self, rows: Any, cols: Any) -> CompressedMatrix:
        order = np.lexsort((cols, rows))
        indptr = np.r_[0, np.cumsum(np.bincount(rows, minlength=self.n))].astype(np.int32)
        xp = self.engine.xp
        return CompressedMatrix(
            self.n,
            self.n,
            xp.asarray(indptr),
            xp.asarray(cols[order].astype(np.int32)),
            xp.asarray(self.weights[order]),
        )

    @cached_property
    def csr(self) -> CompressedMatrix:
        return self._compress(self.rows, self.cols)

    @cached_property
    def csc(self) -> CompressedMatrix:
        return self.csr if self.symmetric else self._compress(self.cols, self.rows)

    @cached_property
    def symmetric(self) -> bool:
        A = coo_array((self.weights.astype(float) + 1, (self.rows, self.cols)), shape=(self.n, self.n)).tocsr()
        return bool((A != A.T).nnz == 0)

    @property
    def nvals(self) -> int:
        return int(self.rows.size)

    @property
    def dtype(self) -> Any:
        return lookup(self.weights.dtype.name)

    @cached_property
    def degrees(self) -> Any:
        return self.engine.xp.asarray(np.bincount(self.rows, minlength=self.n).astype(np.int32))

    @property
    def max_degree(self) -> int:
        return int(self.degrees.max())

    @property
    def min_weight(self) -> Any:
        return self.weights.min().item() if self.nvals else None

    def cached(self, name: str, make: Callable[[Any], Any]) -> Any:
        if name not in self.facts:
            self.facts[name] = make(self)
        return self.facts[name]


@dataclass(frozen=True)
class EmulatedEngine:
    """CUDA kernels on the CPU."""

    build: str = "checked"
    seed: int = 0
    name: str = "cuda"
    xp: Any = np

    def kernel(
        self, file: Path, expression: str, prelude: str = "", cooperative: bool = False, takes: type | None = None
    ) -> Any:
        from tests.emulator import load

        text = unit(file, prelude + SMALL if "Small" in expression else prelude)
        emulated = partial(load, cooperative=cooperative, build=self.build, seed=self.seed)
        return load_kernel(emulated, make_device(np), text, expression, takes)

    def c_type(self, array: Any) -> str:
        return lookup(array.dtype.name).c

    def begin(self, file: Path, *expressions: str, **options: Any) -> None:
        """Kernels are compiled as they are loaded, one after another."""

    @property
    def lists(self) -> DeviceLists:
        """Those that a solver begins to compile; its lists are arrays of NumPy."""
        return DeviceLists(self)


def engine(name: str, seed: int = 0) -> Any:
    """The engine of that name."""
    return CpuEngine() if name == "cpu" else EmulatedEngine(seed=seed)
