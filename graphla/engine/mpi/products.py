"""w = A ⊕.⊗ v over the blocks of a grid.

The entries of v at the columns of its block come to each rank, along its column of the grid; each rank multiplies, by
a push or a pull as its own plan decides; what the ranks of a row have computed is combined by ⊕. Of a transpose, and
with the vector on the left, rows and columns change places; no matrix is sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphla.engine.mpi.operands import to_operand
from graphla.engine.mpi.positions import hold_positions, replace_positions
from graphla.language.products import MatMul
from graphla.planning.plan import make_plan
from graphla.planning.steps import Inner, Plan, ProductStep
from graphla.storage import DistributedMatrix, DistributedVector, VectorStorage
from semirings import Semiring, binary

if TYPE_CHECKING:
    from graphla.engine.mpi.ranks import Ranks


def multiply_vector(ranks: Ranks, step: ProductStep, plan: Plan) -> tuple[VectorStorage, bool]:
    """Return this rank's block of the product of a matrix and a vector, and whether it is written into the target."""
    flip = isinstance(step.left, DistributedVector)
    matrix, transposed = (step.right, step.right_transposed) if flip else (step.left, step.left_transposed)
    vector = step.left if flip else step.right
    semiring, matrix, vector = replace_by_positions(ranks, step.semiring, matrix, transposed, vector, flip)
    reads_rows, size = transposed != flip, step.shape[0]
    own = ranks.align_mask(plan.mask, size, not reads_rows)
    held = to_operand(ranks.align(vector.part, vector.size, reads_rows))
    of = to_operand(matrix.part, transposed)
    product = MatMul(held, of, semiring) if flip else MatMul(of, held, semiring)
    if ranks.grid.holds_block(not reads_rows):
        target = None if plan.target is None else plan.target.part  # type: ignore[union-attr]
        return ranks.run(make_plan(product, target, plan.dtype, own, plan.accum, plan.replace, step.direction)), True
    partial = ranks.run(make_plan(product, None, step.out, own, direction=step.direction))
    return ranks.to_best(ranks.combine(partial, size, not reads_rows, semiring.add, step.out)), False


def replace_by_positions(
    ranks: Ranks, semiring: Semiring, matrix: DistributedMatrix, transposed: bool, vector: Any, flip: bool
) -> tuple[Semiring, Any, Any]:
    """As `replace_positions`, of a matrix and a vector; the vector is a column, or a row if it is on the left."""
    multiply = semiring.multiply
    if not multiply.positional:
        return semiring, matrix, vector
    name = multiply.name.removesuffix("1")
    inner = name in ("firstj", "secondi")
    on_vector = inner or (name == "firsti" if flip else name == "secondj")
    if on_vector:
        one = int(multiply.name.endswith("1"))
        held = hold_positions(ranks, vector, "i" if inner else "j", one)
        side = "first" if flip else "second"
        return Semiring(f"{semiring.add.name}_{side}", semiring.add, getattr(binary, side)), matrix, held
    oriented = matrix.transposed if transposed else matrix
    plain, *sides = replace_positions(ranks, semiring, *((vector, oriented) if flip else (oriented, vector)))
    held = sides[1] if flip else sides[0]
    return plain, held.transposed if transposed else held, vector


def multiply_inner(ranks: Ranks, step: ProductStep) -> Any:
    """Return the inner product of two vectors, or None."""
    own = ranks.compute(Inner(step.left.part, step.right.part, step.semiring, step.out), step.out)
    return ranks.combine_number(own, step.semiring.add, step.out)
