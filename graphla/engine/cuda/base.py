"""The array engine with kernels over rendered operators: what the ways to compute a product or a fold stand on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from graphla.engine.arrays.engine import ArrayEngine
from graphla.engine.arrays.lookup import expand_mask
from graphla.engine.cuda import rendered
from graphla.engine.cuda.device import make_device
from graphla.engine.cuda.lists import DeviceLists
from graphla.engine.cuda.parameters import load_kernel
from graphla.engine.cuda.records import Filler
from graphla.engine.cuda.source import KERNELS, unit
from graphla.planning.steps import Mask
from graphla.storage import Array, SparseVector
from graphla.storage.records import find_type
from semirings import Semiring
from semirings.dtypes import DType

TICKS = 2e9  # of the clock of a multiprocessor in a second; no device has more
SPREAD_THREADS = 256


class KernelEngine(ArrayEngine):
    """An array engine that compiles kernels, each once, and keeps work space between launches.

    Parameters
    ----------
    xp : module
        CuPy; or NumPy, where `load` makes kernels that run on the host.
    load : callable
        ``load(text, expression, cooperative=...)`` makes a kernel of a translation unit.
    begin : callable, optional
        ``begin(text, expressions, cooperative=...)`` begins to compile kernels of a translation unit, and returns at
        once.
    """

    few_rows: ClassVar[int] = 1024  # an entry of the result finds its row among them by ten probes

    def __init__(self, xp: Any, load: Callable[..., Any], begin: Callable[..., None] | None = None) -> None:
        self.xp = xp
        self.device = make_device(xp)
        self._load, self._begin = load, begin
        self._begun: set[tuple[Any, ...]] = set()
        self._kernels: dict[tuple[Any, ...], Any] = {}
        self._own: dict[tuple[str, str, int], Any] = {}
        self._rendered: dict[tuple[Any, ...], Any] = {}
        self.lists = DeviceLists(self)
        self.spare: dict[tuple[Any, ...], Any] = {}
        self._unread: dict[tuple[str, int], Array] = {}
        self._barriers: dict[tuple[int, int], Array] = {}

    # --- kernels

    def kernel(
        self,
        file: Path,
        expression: str,
        prelude: str = "",
        cooperative: bool = False,
        takes: type | Filler | None = None,
        beside: tuple[str, ...] = (),
    ) -> Any:
        """The kernel that `expression` names in a file of kernels, compiled once in this process.

        Parameters
        ----------
        file : Path
            The `.cuh` file.
        expression : str
            A C++ name: ``push<S, int>``.
        prelude : str
            What the text has before the file: rendered operators.
        cooperative : bool
            Whether all blocks of a launch are resident at once.
        takes : Filler or type, optional
            What fills the struct of its name, the kernel's only parameter: what `read_struct` returns, or a class of
            records; without it, launches take a tuple of arguments in the kernel's order.
        beside : tuple of str
            Kernels of the same text that are needed soon, to be compiled with this one; it may be among them.
        """
        key = file, expression, prelude, cooperative, self.device.number()
        found = self._kernels.get(key)
        if found is None:
            load = partial(self._load, cooperative=cooperative, **({"beside": beside} if beside else {}))
            found = self._kernels[key] = load_kernel(load, self.device, unit(file, prelude), expression, takes)
        return found

    def begin(self, file: Path | str, *expressions: str, prelude: str = "", cooperative: bool = False) -> None:
        """Begin to compile kernels that this operation will need, as one module, while others are compiled.

        Whoever launches them says the same `beside` to `kernel`. Does nothing the second time, or where kernels are
        compiled one after another.
        """
        key = file, expressions, prelude, self.device.number()
        if self._begin is not None and key not in self._begun:
            self._begun.add(key)
            self._begin(unit(KERNELS / file, prelude), expressions, cooperative=cooperative)

    def get_own_kernel(
        self, file: str, expression: str, takes: type | Filler | None = None, beside: tuple[str, ...] = ()
    ) -> Any:
        """A kernel without an operator, of a file beside this package's other kernels."""
        key = file, expression, self.device.number()
        found = self._own.get(key)
        if found is None:
            found = self._own[key] = self.kernel(KERNELS / file, expression, takes=takes, beside=beside)
        return found

    def get_kernel_over_semiring(
        self,
        file: str,
        expression: str,
        semiring: Semiring,
        a: DType,
        b: DType,
        out: DType,
        takes: type | Filler | None = None,
        beside: tuple[str, ...] = (),
    ) -> Any:
        """A kernel over the struct `S` of a semiring; `a` and `b` are the types of the operands of ⊗."""
        key = file, expression, semiring, a, b, out, self.device.number()
        found = self._rendered.get(key)
        if found is None:
            prelude = rendered.render_over_semiring(semiring, a, b, out)
            found = self._rendered[key] = self.kernel(KERNELS / file, expression, prelude, takes=takes, beside=beside)
        return found

    def get_kernel_over_operator(
        self, op: Any, dtypes: tuple[DType, ...], scalars: tuple[bool, ...], out: DType
    ) -> Any:
        """The element-wise kernel over an operator."""
        key = op, dtypes, scalars, out, self.device.number()
        found = self._rendered.get(key)
        if found is None:
            name = rendered.name_elementwise(op, dtypes, scalars, out)
            prelude = rendered.render_over_operator(op, dtypes, out)
            found = self._rendered[key] = self.kernel(KERNELS / "entries/apply.cuh", name, prelude)
        return found

    def keep_busy(self, seconds: float) -> None:
        """Let the device wait for so long at most: the host gets ahead of what is measured next."""
        self.get_own_kernel("busy.cuh", "busy")(1, 1, (np.int64(seconds * TICKS),))

    # --- arrays

    def get_unread(self, dtype: str) -> Array:
        """Return a dummy array of one element, for a kernel parameter that is not read."""
        key = dtype, self.device.number()
        found = self._unread.get(key)
        if found is None:
            found = self._unread[key] = self.xp.zeros(1, dtype)
        return found

    def get_barrier(self) -> Array:
        """Return the word at which the blocks of cooperative grids wait, one for all launches of the current stream."""
        key = self.device.stream(), self.device.number()
        found = self._barriers.get(key)
        if found is None:
            found = self._barriers[key] = self.xp.zeros(1, np.uint32)
        return found

    def cast(self, values: Array, dtype: DType) -> Array:
        """Convert values to another dtype by a kernel of our own; the operators define NaN in an integer dtype."""
        plain = values.ndim == 1 and values.dtype.kind in "biuf" and dtype.kind in "biuf" and values.flags.c_contiguous
        if plain and not (values.dtype.kind == "f" and dtype.kind in "iu"):
            return self.lists.cast(values, dtype.numpy)
        return super().cast(values, dtype)

    def to_host(self, array: Any) -> Any:
        return self.device.to_host(array) if isinstance(array, self.xp.ndarray) else np.asarray(array)

    def read_places(self, place: int, *arrays: Array) -> list[Any]:
        return self.device.read_places(place, *arrays)

    def write_place(self, array: Array, place: int, value: Any) -> None:
        self.device.write_place(array, place, value)

    def c_type(self, array: Any) -> str:
        """The C type of the elements of an array."""
        return find_type(array.dtype).c

    def make_flags(self, mask: Mask | None, size: int) -> tuple[str, Array]:
        """Return a mask as the name of a policy and one flag per index."""
        if mask is None:
            return "NoMask", self.get_unread("bool")
        policy = "Outside" if mask.complement else "Inside"
        if mask.structural and isinstance(mask.of, SparseVector):
            return policy, self.raise_flags(mask.of)
        return policy, expand_mask(self.xp, Mask(mask.of, mask.structural, False), size)

    def raise_flags(self, entries: SparseVector) -> Array:
        """Return one flag per index, true where there is an entry."""
        flags, count = self.xp.zeros(entries.size, bool), entries.nvals
        if count:
            kernel = self.get_own_kernel("spread.cuh", f"raise_flags<{self.c_type(entries.indices)}>")
            kernel(-(-count // SPREAD_THREADS), SPREAD_THREADS, (entries.indices, np.int32(count), flags))
        return flags
