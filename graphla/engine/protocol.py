"""What an engine is: an array module, and an answer to every plan."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, TypeAlias

from graphla.planning.steps import Plan, Step, Storage
from graphla.storage import Array, CompressedMatrix
from graphla.typing import EngineName
from semirings import DType, Monoid
from semirings.operators import ScalarOp


class Engine(Protocol):
    """A device that answers plans.

    Attributes
    ----------
    name : str
        ``"cpu"`` or ``"cuda"``.
    xp : module
        NumPy or CuPy: the module of its arrays.
    few_wait : bool
        Whether a few entries of the host wait there until somebody reads them, or come with a launch.
    """

    name: ClassVar[EngineName]
    xp: Any
    few_wait: ClassVar[bool]

    def run(self, plan: Plan) -> Storage | Any:
        """The storage (or the scalar) that the plan asks for, written into its target."""
        ...

    def work_bytes(self, step: Step) -> int:
        """Predicted bytes that a step takes beside its result."""
        ...

    def release(self) -> None:
        """Let go of work space and of memory that nobody uses."""
        ...

    def transpose(self, matrix: CompressedMatrix) -> CompressedMatrix:
        """The transpose of `matrix`, built once and kept with it."""
        ...

    def asarray(self, values: Any) -> Any:
        """`values` as an array of this engine, without a copy where it is one already."""
        ...

    def to_host(self, array: Any) -> Any:
        """A NumPy array of the same values."""
        ...

    def apply_operator(self, op: ScalarOp, operands: tuple[Any, ...], dtypes: tuple[DType, ...], out: DType) -> Array:
        """`op` of arrays (and numbers), index by index."""
        ...

    def reduce_segments(self, monoid: Monoid, values: Array, indptr: Array, out: DType) -> Array:
        """⊕ of each segment ``values[indptr[i]:indptr[i + 1]]``."""
        ...


EngineLike: TypeAlias = EngineName | Engine | None
"""An engine, the name of one, or None: the one that is set or the best there is."""
