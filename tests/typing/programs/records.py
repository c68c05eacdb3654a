"""What is planned, held or asked is a record: nobody assigns to a field of one."""

from typing import Any

import graphla as gl
from graphla.language.products import MatMul
from graphla.planning.steps import CopyStep, Plan
from graphla.storage import BitmapVector, CompressedMatrix
from graphla.storage.frozen import quick
from semirings import min_plus


@quick()
class Pair:
    left: int
    right: int = 7


def change(plan: Plan, step: CopyStep, held: BitmapVector, matrix: CompressedMatrix, product: MatMul[Any]) -> None:
    Pair(1).left = 3  # E: reportAttributeAccessIssue
    plan.replace = True  # E: reportAttributeAccessIssue
    step.transposed = True  # E: reportAttributeAccessIssue
    held.nvals += 1  # E: reportAttributeAccessIssue
    matrix.values = matrix.indices  # E: reportAttributeAccessIssue
    product.semiring = min_plus  # E: reportAttributeAccessIssue


def read(v: gl.Vector) -> int:
    return Pair(v.size).left
