"""C[r, i] = ∨_k F[r, k] ∧ B[k, i] for 64 rows r at once: the words of F are or-ed, by pulling or by pushing."""

from __future__ import annotations

from typing import Any

from graphla.engine.arrays.words import find_last_rows, write_words
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.matmat.few_rows import FEW_THREADS, PUSH_PRODUCTS, mask_policy
from graphla.engine.cuda.matmat.word_parts import WORD_THREADS
from graphla.engine.cuda.matvec.pull_even import EVEN_STRETCH, make_even_layout
from graphla.engine.cuda.records import read_struct
from graphla.planning.steps import Plan, WordProduct
from graphla.storage import Array
from graphla.storage.words import WordMatrix, count_planes

FILE = "matmat/word_product.cuh"
ARC_MASK = (1 << 34) - 1
"""The bits of a queue's packed size that count its arcs, as in arc_queue.cuh."""


WordPullParameters = read_struct("matmat/word_product.cuh", "WordPullParameters")
WordQueueParameters = read_struct("matmat/word_product.cuh", "WordQueueParameters")
WordPushParameters = read_struct("matmat/word_product.cuh", "WordPushParameters")


def run_word_product(engine: KernelEngine, plan: Plan) -> WordMatrix:
    """Multiply under the mask, and write what is found into the target."""
    step: Any = plan.step
    pushes = step.direction == "push" and step.matrix.nvals > 0  # which clears the words itself
    out = (engine.xp.empty if pushes else engine.xp.zeros)((count_planes(step.shape[0]), step.shape[1]), "uint64")
    mask = engine.get_unread("uint64") if step.mask is None else step.mask.of.words  # type: ignore[union-attr]
    if step.matrix.nvals:
        (push_words if pushes else pull_words)(engine, step, mask, out)
    overwrites = plan.accum is None and (plan.mask is None or plan.replace)
    return write_words(engine, plan, out, None if overwrites or plan.target is None else plan.mask)


def pull_words(engine: KernelEngine, step: WordProduct, mask: Array, out: Array) -> None:
    """Read every arc of the other matrix, and the words at their far ends."""
    matrix = engine.orient(step.matrix, not step.transposed)
    layouts = matrix.cached("even_layouts", lambda _: {})
    layout = layouts.get(0) or layouts.setdefault(0, make_even_layout(engine, matrix, 0))
    name = f"word_pull<{mask_policy(step)}, {engine.c_type(matrix.indptr)}>"
    kernel = engine.get_own_kernel(FILE, name, takes=WordPullParameters)
    given = WordPullParameters(
        filled=layout.filled,
        indptr=layout.indptr,
        first_row=layout.first_row,
        indices=matrix.indices,
        words=step.words.words,
        mask=mask,
        out=out,
        arcs=matrix.indptr.dtype.type(matrix.nvals),
        inner=matrix.ncols,
        columns=matrix.nrows,
        last=find_last_rows(step.shape[0]),
    )
    kernel((-(-matrix.nvals // EVEN_STRETCH), out.shape[0]), WORD_THREADS, given)


def push_words(engine: KernelEngine, step: WordProduct, mask: Array, out: Array) -> None:
    """Visit the arcs of the columns that have an entry."""
    matrix, planes = engine.orient(step.matrix, step.transposed), int(out.shape[0])
    columns, words = matrix.nrows, step.words.words
    key = "word_queue", columns, engine.device.stream(), engine.device.number()
    scratch = engine.spare.pop(key, None) or make_scratch(engine, columns)
    vertex, before, shift, packed = scratch
    engine.device.clear(packed, 8)
    name = f"word_queue<{engine.c_type(matrix.indptr)}>"
    queueing = engine.get_own_kernel(FILE, name, takes=WordQueueParameters)
    queue = WordQueueParameters(
        words=words,
        indptr=matrix.indptr,
        vertex=vertex,
        before=before,
        shift=shift,
        packed=packed,
        out=out,
        cleared=out.size,
        columns=columns,
        planes=planes,
    )
    queueing(-(-columns // FEW_THREADS), FEW_THREADS, queue)
    arcs = int(packed[0]) & ARC_MASK if step.arcs is None else step.arcs
    if arcs:
        pushing = engine.get_own_kernel(FILE, f"word_push<{mask_policy(step)}>", takes=WordPushParameters)
        given = WordPushParameters(
            vertex=vertex,
            before=before,
            shift=shift,
            packed=packed,
            indices=matrix.indices,
            words=words,
            mask=mask,
            out=out,
            inner=columns,
            columns=matrix.ncols,
            planes=planes,
        )
        pushing(-(-arcs // PUSH_PRODUCTS), FEW_THREADS, given)
    engine.spare[key] = scratch


def make_scratch(engine: KernelEngine, columns: int) -> tuple[Array, Array, Array, Array]:
    """Return room for a queue and for its packed size, which is kept for later launches on the same stream."""
    xp = engine.xp
    return xp.empty(columns, "int32"), xp.empty(columns, "int64"), xp.empty(columns, "int64"), xp.empty(1, "uint64")
