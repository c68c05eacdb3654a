"""What the ways to multiply a matrix and a vector share: the kernel over a semiring, and results as vectors."""

from __future__ import annotations

from typing import Any

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.records import Filler
from graphla.storage import SparseVector
from semirings import Semiring
from semirings.dtypes import DType


def get_product_kernel(
    engine: KernelEngine,
    file: str,
    name: str,
    semiring: Semiring,
    pair: tuple[Any, Any],
    out: DType,
    flip: bool,
    takes: Filler | None = None,
) -> Any:
    """A kernel over a semiring whose operands are a matrix and a vector."""
    a, b = pair[::-1] if flip else pair
    return engine.get_kernel_over_semiring(file, name, semiring, a.type, b.type, out, takes)


def make_empty(engine: KernelEngine, size: int, out: DType) -> SparseVector:
    """A vector without entries."""
    return SparseVector(size, engine.xp.zeros(0, "int32"), engine.xp.zeros(0, out.numpy))
