"""The rules of the CPU, which stand before those of every engine."""

from __future__ import annotations

from graphla.engine.arrays import by_rows, rules
from graphla.engine.cpu import entrywise, matmat, matvec, words, work
from graphla.engine.cpu.loop.kernel import run_loop
from graphla.engine.cpu.loop.rounds import run_rounds
from graphla.engine.rules import Rule, Rules, Write, Writes, put_first
from graphla.planning.loops.kernel import KernelPlan
from graphla.planning.loops.rounds import RoundsPlan
from graphla.planning.steps import (
    ApplyStep,
    EwiseStep,
    ExtractStep,
    KroneckerStep,
    MatMat,
    MatVec,
    ScalarStep,
    WordProduct,
)
from graphla.storage import BitmapVector, FullMatrix, FullVector, SparseVector

OWN: Rules = {
    RoundsPlan: (Rule("loop in rounds", run_rounds, whole=True),),
    KernelPlan: (Rule("loop as one kernel", run_loop, whole=True),),
    MatVec: (
        Rule("push of the rows of entries", matvec.push, matvec.pushes),
        Rule("pull by a full matrix", matvec.pull_full, lambda step: isinstance(step.matrix, FullMatrix)),
        Rule("count of the entries of rows", matvec.count_row_entries, work.counts_entries),
        Rule("pull of allowed rows", matvec.pull),
    ),
    MatMat: (
        Rule("rows beside a full operand", matmat.multiply_full, matmat.multiplies_full),
        Rule("rows (Gustavson)", matmat.multiply_rows, lambda step: step.how == "rows"),
        Rule("dot products under the mask", matmat.multiply_dots, lambda step: step.how == "dots"),
        Rule("truths, 64 at a time", matmat.multiply_truths, matmat.multiplies_truths),
        Rule("full tiles", matmat.multiply_tiles, lambda step: step.how == "tiles"),
    ),
    EwiseStep: (
        rules.FULL,
        Rule("entries that the mask allows", entrywise.combine_allowed, entrywise.has_large, whole=True),
        Rule("lists merged", entrywise.unite_lists, entrywise.are_lists),
        Rule("flags, index by index", entrywise.merge_flagged, entrywise.are_flagged),
        Rule("rows beside a full matrix", entrywise.intersect_full, by_rows.is_beside_full),
    ),
    ApplyStep: (Rule("values and positions of rows", entrywise.apply_with_positions, entrywise.reads_positions),),
    ExtractStep: (Rule("one row or column", entrywise.extract_line, entrywise.is_line),),
    KroneckerStep: (
        Rule("all pairs of full matrices", entrywise.multiply_full_runs, entrywise.are_full),
        Rule("rows of runs", entrywise.multiply_runs, entrywise.are_all_rows),
    ),
    ScalarStep: (
        Rule("value where flags allow it", entrywise.fill_flags, entrywise.fills_flags, whole=True),
        rules.PLACE,
        Rule("value at places, in place", entrywise.fill_places, entrywise.fills_places, whole=True),
    ),
    WordProduct: (Rule("words", words.run_word_product, whole=True),),
}
RULES: Rules = put_first(OWN, rules.RULES)

VECTOR = (Write(entrywise.write_vector, entrywise.writes_vector),)
WRITES: Writes = put_first(
    {
        SparseVector: (Write(entrywise.put_entries, entrywise.puts_entries), *VECTOR),
        BitmapVector: VECTOR,
        FullVector: VECTOR,
    },
    rules.WRITES,
)
