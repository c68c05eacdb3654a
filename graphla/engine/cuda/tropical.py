"""C = A ⊕.⊗ B over full matrices by register tiles: `tropical.cuh`, or `tropical_bits.cuh` for truths, 32 in a word."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.steps import MatMat
from semirings import Semiring, land_lor, lor_land, lxor_land, min_plus
from semirings.dtypes import DType, lookup

Array = Any
TILE = 128  # tropical_tile.cuh: TILE_SIDE
FAST = {"float32": "NonNegativeFloat", "int32": "NonNegativeInt", "int64": "NonNegativeLong"}
BITS = {lor_land: "AnyBit, Plain", lxor_land: "OddBits, Plain", land_lor: "AnyBit, Turned"}
WORD = 32  # truths in a word
ANY_SIGN = {"float32": "SignedFloat", "float64": "Double"}


def product(engine: Any, semiring: Semiring, A: Array, B: Array, out: DType) -> Array:
    """The product as a new array of the engine.

    Parameters
    ----------
    engine : CudaEngine
        Whose arrays A and B are.
    semiring : Semiring
        Any; min-plus over numbers that are not negative runs on the chip's three-operand instructions.
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
    kind = arithmetic(semiring, A, B, out)
    types = lookup(A.dtype), lookup(B.dtype), out
    expression = f"tropical<{kind or 'OverSemiring<S>'}>"
    kernel = engine.over_semiring("tropical.cuh", expression, semiring, *types)
    return launched(kernel, turned(engine, A), padded(engine, B), C, depth)


def launched(kernel: Any, a: Array, b: Array, C: Array, depth: int) -> Array:
    """C by one block a tile, of operands in the layout of the tiles."""
    m, n = C.shape
    strides = np.int64(a.shape[1]), np.int64(b.shape[1])
    sizes = tuple(map(np.int32, (m, depth, n)))
    kernel((-(-n // TILE), -(-m // TILE)), 256, (a, strides[0], b, strides[1], C, *sizes))
    return C


def fill_by_bits(engine: Any, law: str, A: Array, B: Array, C: Array) -> Array:
    """C over words of 32 k; `law` is how bits meet, and whether truth is turned on the way in and out."""
    (m, depth), n, truth = A.shape, B.shape[1], law.split(", ")[1]
    words = -(-depth // WORD)
    a, b = (engine.xp.zeros((words, whole(size)), "uint32") for size in (m, n))
    if words:
        rows = engine.own_kernel("tropical_bits.cuh", f"pack_rows<{truth}>")
        rows((words, -(-m // 256)), 256, (A, np.int32(m), np.int32(depth), a, np.int64(a.shape[1])))
        columns = engine.own_kernel("tropical_bits.cuh", f"pack_columns<{truth}>")
        columns((-(-n // 256), words), 256, (B, np.int32(depth), np.int32(n), b, np.int64(b.shape[1])))
    return launched(engine.own_kernel("tropical_bits.cuh", f"tropical_bits<{law}>"), a, b, C, words)


def arithmetic(semiring: Semiring, A: Array, B: Array, out: DType) -> str | None:
    """The fast arithmetic that gives what the semiring says, or None."""
    if semiring != min_plus or not (A.dtype == B.dtype == np.dtype(out.numpy)):
        return None
    name = A.dtype.name
    if name in FAST and A.size and bool((A.min() >= 0) & (B.min() >= 0)):
        return FAST[name]
    return ANY_SIGN.get(name)


def padding_bytes(step: MatMat) -> int:
    """Bytes of the operands in the layout of the tiles: numbers with whole tiles of columns, or words of truths."""
    (m, n), depth = step.shape, step.left.shape[0] if step.left_turned else step.left.shape[1]
    if step.semiring in BITS and step.left.dtype == step.right.dtype == "bool":
        return -(-depth // WORD) * (whole(m) + whole(n)) * 4
    a, b = (np.dtype(held.dtype).itemsize for held in (step.left, step.right))
    return depth * (whole(m) * a + (whole(n) * b if n % TILE else 0))


def whole(size: int) -> int:
    """A size in whole tiles."""
    return max(1, -(-size // TILE)) * TILE


def turned(engine: Any, A: Array) -> Array:
    """Aᵀ with whole tiles of columns."""
    m, depth = A.shape
    out = engine.xp.zeros((depth, whole(m)), A.dtype)
    if out.size:
        kernel = engine.own_kernel("tropical_turn.cuh", f"turn_padded<{engine.c_type(A)}>")
        grid = -(-depth // 32), -(-m // 32)
        kernel(grid, (32, 8), (A, np.int32(m), np.int32(depth), out, np.int64(out.shape[1])))
    return out


def padded(engine: Any, B: Array) -> Array:
    """B with whole tiles of columns; itself if it has them."""
    depth, n = B.shape
    if n % TILE == 0:
        return B
    out = engine.xp.zeros((depth, whole(n)), B.dtype)
    if out.size:
        kernel = engine.own_kernel("tropical_turn.cuh", f"copy_padded<{engine.c_type(B)}>")
        kernel((-(-n // 256), depth), 256, (B, np.int32(n), out, np.int64(out.shape[1])))
    return out
