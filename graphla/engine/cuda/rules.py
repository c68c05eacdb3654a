"""The rules of a GPU, which stand before those of every engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphla.engine.arrays import by_rows, rules
from graphla.engine.cuda.base import KernelEngine
from graphla.engine.cuda.entries import cells, full, line, reduce, vectors
from graphla.engine.cuda.loop.kernel import run_loop
from graphla.engine.cuda.loop.rounds import run_rounds
from graphla.engine.cuda.matmat import compressed, few_by_rows, few_pull, few_push, word_product
from graphla.engine.cuda.matvec import pull, push
from graphla.engine.cuda.matvec.board import Uncounted
from graphla.engine.rules import Rule, Rules, Write, Writes, put_first
from graphla.planning.loops.kernel import KernelPlan
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.steps import (
    AssignStep,
    EwiseStep,
    ExtractStep,
    MatMat,
    MatVec,
    ReduceProductStep,
    ReduceStep,
    ScalarStep,
    WordProduct,
)
from graphla.storage import BitmapVector, CompressedMatrix, FullMatrix, FullVector

BLOCK = Rule("block of few cells", cells.assign_block, cells.is_block, whole=True)


def is_even(step: MatVec) -> bool:
    """Whether a pull divides the arcs evenly."""
    return step.schedule == "edges"


def orient(multiply: Callable[..., Any]) -> Callable[..., Any]:
    """Give a product of a matrix and a vector the matrix as it is read, which may be its transpose."""

    def run(engine: KernelEngine, step: MatVec) -> Any:
        return multiply(engine, step, engine.orient(step.matrix, step.transposed))

    return run


OWN: Rules = {
    RoundsPlan: (Rule("loop in rounds", run_rounds, whole=True),),
    KernelPlan: (Rule("loop as one kernel", run_loop, whole=True),),
    MatVec: (
        Rule("pull by a full matrix", orient(pull.pull_full), lambda step: isinstance(step.matrix, FullMatrix)),
        Rule("push of the rows of entries", orient(push.push), lambda step: step.direction == "push"),
        Rule("pull of equal shares of arcs", orient(few_by_rows.pull_every_arc), is_even),
        Rule("pull of allowed rows", orient(pull.pull)),
    ),
    MatMat: (
        Rule("push of few rows", few_push.few_push, lambda step: step.schedule == "push"),
        Rule("pull of few rows", few_pull.few_pull, lambda step: step.schedule == "pull"),
        Rule("dot products, columns in tables", compressed.multiply_columns, lambda step: step.schedule == "columns"),
        Rule("dot products, hubs as bits", compressed.multiply_pairs, lambda step: step.schedule == "hubs"),
        Rule("dot products, rows in tables", compressed.multiply_dots, lambda step: step.how == "dots"),
        Rule("cells first, then dot products", compressed.multiply_found_cells, compressed.joins_nothing),
        Rule("rows (Gustavson)", compressed.multiply_rows, lambda step: step.how == "rows"),
        Rule("full tiles", compressed.multiply_tiles, lambda step: step.how == "tiles"),
    ),
    EwiseStep: (
        rules.FULL,
        Rule("flags, index by index", vectors.merge_flagged, vectors.are_flagged),
        Rule("rows beside a full matrix", full.intersect, by_rows.is_beside_full),
    ),
    ReduceStep: (
        Rule("values with a flag", reduce.reduce_flagged, reduce.reduces_flagged, whole=True),
        Rule("rows by their lengths", reduce.reduce_rows, reduce.reduces_rows),
    ),
    ReduceProductStep: (
        Rule(
            "products by columns, reduced",
            compressed.reduce_turned,
            lambda plan: plan.step.product.schedule == "columns",
            whole=True,
        ),
        Rule("products reduced as they are computed", compressed.reduce_as_computed, compressed.sums_dots, whole=True),
    ),
    ExtractStep: (Rule("one row or column", line.extract_line, line.is_line),),
    ScalarStep: (
        BLOCK,
        Rule("value where a mask has entries", vectors.fill_allowed, vectors.fills_allowed, whole=True),
        rules.PLACE,
    ),
    AssignStep: (BLOCK,),
    WordProduct: (Rule("words", word_product.run_word_product, whole=True),),
}
RULES: Rules = put_first(OWN, rules.RULES)
ONTO_FULL = (Write(vectors.accumulate_into_full, vectors.accumulates_into_full),)
WRITES: Writes = put_first(
    {
        Uncounted: ONTO_FULL,
        BitmapVector: ONTO_FULL,
        FullVector: ONTO_FULL,
        CompressedMatrix: (
            Write(cells.write_few_cells, cells.writes_few_cells),
            Write(full.accumulate_into_full, full.accumulates_rows),
        ),
    },
    rules.WRITES,
)
