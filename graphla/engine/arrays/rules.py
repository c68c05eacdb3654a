"""The rules of every engine: by kernels over rows, by array operations, and in place where no entry goes."""

from __future__ import annotations

from graphla.engine.arrays import by_rows, entrywise, products, rearrange, write, write_rows
from graphla.engine.arrays.words import run_word_step
from graphla.engine.rules import Rule, Rules, Write, Writes
from graphla.planning.steps import (
    ApplyStep,
    AssignStep,
    CopyStep,
    EwiseStep,
    ExtractStep,
    Inner,
    KroneckerStep,
    MatMat,
    ReduceProductStep,
    ReduceStep,
    ScalarStep,
    SelectStep,
    WordStep,
    is_scatter,
)
from graphla.storage import BitmapVector, CompressedMatrix, FullMatrix, FullVector, SparseVector

FULL = Rule("all values of full vectors", entrywise.combine_full, entrywise.are_full)
"""An engine with rules of its own asks this one first: it is the quickest to see."""
PLACE = Rule("value at one place, in place", rearrange.fill_place, rearrange.fills_place, whole=True)
RULES: Rules = {
    Inner: (Rule("intersection, then its sum", entrywise.multiply_inner, whole=True),),
    MatMat: (
        Rule("product with a vector", products.multiply_by_vector, lambda step: step.vector is not None),
        Rule("values scaled by a diagonal", products.multiply_by_diagonal, lambda step: step.how == "scale"),
    ),
    EwiseStep: (
        Rule("rows side by side", by_rows.combine_rows, by_rows.runs_by_rows),
        FULL,
        Rule("keys of cells", entrywise.combine_cells),
    ),
    ApplyStep: (Rule("all values", entrywise.apply),),
    SelectStep: (
        Rule("rows", by_rows.select_rows, by_rows.runs_by_rows),
        Rule("flags", entrywise.select),
    ),
    ReduceStep: (
        Rule("all values", entrywise.reduce_all, lambda plan: plan.step.axis is None, whole=True),
        Rule("segments of rows", entrywise.reduce),
    ),
    ReduceProductStep: (Rule("products of pieces of rows, then their sum", products.reduce_product, whole=True),),
    ExtractStep: (
        Rule("rows", by_rows.extract_rows, by_rows.runs_by_rows),
        Rule("positions", rearrange.extract_entries),
    ),
    KroneckerStep: (Rule("runs of entries", rearrange.multiply_kronecker),),
    CopyStep: (
        Rule("in place at the entries of the mask", rearrange.copy_to_its_mask, rearrange.copies_its_mask, whole=True),
        Rule("combined without a copy", rearrange.combine_operand, rearrange.combines_operand, whole=True),
        Rule("copy", rearrange.copy_storage),
    ),
    ScalarStep: (
        Rule("value at the entries of the mask", by_rows.fill_mask, by_rows.fills_mask, whole=True),
        Rule("value at every place of some rows", by_rows.fill_part, by_rows.fills_part, whole=True),
        Rule("value at allowed cells", rearrange.fill_cells, whole=True),
    ),
    AssignStep: (
        Rule("values scattered in place", rearrange.scatter, is_scatter, whole=True),
        Rule("part replaced in place", rearrange.assign_in_place, rearrange.assigns_in_place, whole=True),
        Rule("rows at their places", by_rows.assign_rows, by_rows.assigns_rows, whole=True),
        Rule("keys of cells", rearrange.assign_entries, whole=True),
    ),
    WordStep: (Rule("words", run_word_step, whole=True),),
}
"""What an engine does better stands before these in a table of its own."""

CELLS = (Write(write.write_cells),)
WRITES: Writes = {
    CompressedMatrix: (
        Write(write_rows.write_new_rows, write_rows.makes_rows),
        Write(write_rows.write_rows, write_rows.writes_rows),
        Write(write.accumulate_into_full, write.accumulates_into_full),
        *CELLS,
    ),
    **dict.fromkeys((FullMatrix, SparseVector, BitmapVector, FullVector), CELLS),
}
"""The ways to write a result, by its kind."""
