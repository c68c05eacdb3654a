"""The interface of an engine: an array module, and a method that runs any plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Protocol, TypeAlias

from graphla.common.typing import EngineName
from graphla.planning.steps import Plan, Step, Storage
from graphla.storage import Array, CompressedMatrix, MatrixStorage
from semirings import DType, Monoid
from semirings.operators import ScalarOp


class Engine(Protocol):
    """Runs plans on a device.

    Attributes
    ----------
    name : str
        ``"cpu"``, ``"cuda"`` or ``"mpi"``.
    xp : module
        The module of its arrays: NumPy or CuPy.
    defers_small_inputs : bool
        Whether small host inputs stay on the host until read, or are passed as kernel arguments.
    schedules_products : bool
        Whether the schedule that a plan chooses says how products divide their work, as on a GPU.
    holds_words : bool
        Whether matrices of few rows may be packed in words.
    streams_words : bool
        Whether reading all words of a matrix takes less than beginning an operation, as on a GPU.
    """

    name: ClassVar[EngineName]
    xp: Any
    defers_small_inputs: ClassVar[bool]
    schedules_products: ClassVar[bool]
    holds_words: ClassVar[bool]
    streams_words: ClassVar[bool]

    def run(self, plan: Plan) -> Storage | Any:
        """Run a plan and write its result into its target; return the storage (or the scalar)."""
        ...

    def name_rule(self, plan: Plan) -> str:
        """Name the rule by which a plan runs."""
        ...

    def work_bytes(self, step: Step) -> int:
        """Predict the bytes of work space that a step takes beyond its result."""
        ...

    def release(self) -> None:
        """Free the work space and unused memory."""
        ...

    def transpose(self, matrix: CompressedMatrix) -> CompressedMatrix:
        """Return the transpose of `matrix`, which is built once and cached with it."""
        ...

    def read_element(self, storage: MatrixStorage, cell: tuple[int, int]) -> Any:
        """Return the value at (row, column), or None if there is no entry."""
        ...

    def read_places(self, place: int, *arrays: Any) -> list[Any]:
        """Return the element at one place of each array."""
        ...

    @property
    def adopt(self) -> Callable[[Any], Any] | None:
        """What makes of a storage what a container of this engine holds; None where that is the storage itself."""
        ...

    def collect(self, storage: Any) -> Any:
        """Return a storage with the arrays of the whole: itself, or the parts of all ranks together."""
        ...

    def collect_first(self, storage: Any, count: int) -> Any:
        """Return a storage with the arrays of at least the first `count` entries of the whole, by rows."""
        ...

    def find_largest(self, number: int) -> int:
        """Return the largest of a number of each rank; of one process the number itself."""
        ...

    def asarray(self, values: Any) -> Any:
        """Return `values` as an array of this engine, without a copy if it is one already."""
        ...

    def to_host(self, array: Any) -> Any:
        """Return a NumPy array of the same values."""
        ...

    def apply_operator(self, op: ScalarOp, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        """`op` of arrays (and numbers), index by index."""
        ...

    def reduce_segments(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        """⊕ of each segment ``values[indptr[i]:indptr[i + 1]]``."""
        ...


EngineLike: TypeAlias = EngineName | Engine | None
"""An engine, the name of one, or None: the one that is set or the best there is."""
