"""C = A ⊕.⊗ B over full matrices by register tiles: `tropical.cuh`, or `tropical_bits.cuh` for truths, 32 in a word."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat import ordered
from graphla.engine.cuda.matmat.tropical_operands import Layout, launch, pad, round_up, transpose_padded
from graphla.planning.steps import MatMat
from semirings import Semiring, land_lor, lor_land, lxor_land, min_plus
from semirings.dtypes import DType, lookup

Array = Any
FAST = {"float32": "NonNegativeFloat", "int32": "NonNegativeInt", "int64": "NonNegativeLong"}
BITS = {lor_land: "AnyBit, Plain", lxor_land: "OddBits, Plain", land_lor: "AnyBit, Turned"}
WORD = 32  # truths in a word
ANY_SIGN = {"float32": "SignedFloat", "float64": "Double"}


def multiply(engine: KernelEngine, semiring: Semiring, A: Array, B: Array, out: DType) -> Array:
    """The product as a new array of the engine.

    Parameters
    ----------
    engine : CudaEngine
        Whose arrays A and B are.
    semiring : Semiring
        Any; min-plus over numbers that are not negative, and max-min and min-max over FP32, run on the chip's
        three-operand instructions.
    A, B : array of shape (m, k) and (k, n)
        The operands.
    out : DType
        The dtype of the result.
    """
    (m, depth), n = A.shape, B.shape[1]
    C = engine.xp.empty((m, n), out.numpy)
    if not C.size:
        return C
    if semiring in BITS and A.dtype == B.dtype == C.dtype == np.bool_:
        return fill_by_bits(engine, BITS[semiring], A, B, C)
    if ordered.suits(engine, semiring, A, B, out):
        return ordered.multiply(engine, semiring, A, B, C)
    kind = find_arithmetic(semiring, A, B, out)
    types = lookup(A.dtype), lookup(B.dtype), out
    expression = f"tropical<{kind or 'OverSemiring<S>'}>"
    kernel = engine.get_kernel_over_semiring("matmat/tropical.cuh", expression, semiring, *types)
    wide = max(array.dtype.itemsize for array in (A, B, C))
    layout = Layout.choose(depth, wide, semiring.add.identity(out) if kind else None)
    return launch(kernel, transpose_padded(engine, A, layout), pad(engine, B, layout), C, layout.depth)


def fill_by_bits(engine: KernelEngine, law: str, A: Array, B: Array, C: Array) -> Array:
    """C over words of 32 k; `law` says how bits are combined, and whether truths are inverted on the way in and out."""
    (m, depth), n, truth = A.shape, B.shape[1], law.split(", ")[1]
    words = -(-depth // WORD)
    layout = Layout.choose(words, 4, 0)
    a, b = (layout.allocate(engine, size, np.uint32) for size in (m, n))
    if words:
        rows = engine.get_own_kernel("matmat/tropical_bits.cuh", f"pack_rows<{truth}>")
        rows((words, -(-m // 256)), 256, (A, np.int32(m), np.int32(depth), a, np.int64(round_up(m))))
        columns = engine.get_own_kernel("matmat/tropical_bits.cuh", f"pack_columns<{truth}>")
        columns((-(-n // 256), words), 256, (B, np.int32(depth), np.int32(n), b, np.int64(round_up(n))))
    return launch(engine.get_own_kernel("matmat/tropical_bits.cuh", f"tropical_bits<{law}>"), a, b, C, layout.depth)


def find_arithmetic(semiring: Semiring, A: Array, B: Array, out: DType) -> str | None:
    """The fast arithmetic that gives what the semiring says, or None."""
    if semiring != min_plus or not (A.dtype == B.dtype == np.dtype(out.numpy)):
        return None
    name = A.dtype.name
    if name in FAST and A.size and bool((A.min() >= 0) & (B.min() >= 0)):
        return FAST[name]
    return ANY_SIGN.get(name)


def count_padding_bytes(step: MatMat) -> int:
    """Bytes at most of the operands in the layout of the tiles: numbers, or words of truths."""
    (m, n), depth = step.shape, step.left.shape[0] if step.left_transposed else step.left.shape[1]
    if step.semiring in BITS and step.left.dtype == step.right.dtype == "bool":
        layout = Layout.choose(-(-depth // WORD), 4, 0)
        return layout.count_bytes(m, 4) + layout.count_bytes(n, 4)
    a, b, c = (np.dtype(each).itemsize for each in (step.left.dtype, step.right.dtype, step.out.numpy))
    layout = Layout.choose(depth, max(a, b, c), 0)
    return layout.count_bytes(m, a) + layout.count_bytes(n, b)
