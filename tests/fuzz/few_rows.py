"""Random products of few rows or few columns, by every way of a GPU, beside SuiteSparse:GraphBLAS."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np

from graphla.planning import few_rows
from tests.fuzz import expressions
from tests.fuzz.programs import ACCUMS, NUMBERS, SEMIRINGS, Operand, Program

COUNTS = (1, 2, 5, 31, 32, 33, 64)
FILLS = (0.02, 0.2, 0.6, 1.0)
WAYS = {
    "rows": {"LONE_ENTRY": 0.0, "ROWS_BEGIN": 0.0, "PUSHED_CELL": 1e9, "PULLED_ARC": 1e9},
    "push": {"SHORT_ROW": -1, "PUSH_BEGIN": 0.0, "LONE_ENTRY": 1e9, "PUSHED_CELL": 0.0, "PULLED_ARC": 1e9},
    "pull": {
        "SHORT_ROW": -1,
        "PULL_BATCH": 0.0,
        "LONE_ENTRY": 1e9,
        "PUSHED_CELL": 1e9,
        "PULLED_ARC": 0.0,
        "PULLED_VALUE": 0.0,
    },
}
"""Thresholds with which the plan takes one way wherever it can."""


def check(seed: int, engine: Any = "cpu") -> None:
    """Run the product of a seed; the target may be an operand, and the mask may be the target.

    Raises
    ------
    tests.fuzz.expressions.Difference
        If the libraries differ.
    """
    rng = np.random.default_rng(seed)
    program = write(seed, rng)
    with mock.patch.multiple(few_rows, **WAYS[str(rng.choice(list(WAYS)))]):
        try:
            expressions.run(program, engine)
        except expressions.Difference:
            expressions.run(expressions.shrink(program, engine), engine)
            raise


def write(seed: int, rng: np.random.Generator) -> Program:
    """The program of a seed: one or two products of the same few rows, under masks."""
    few, inner = int(rng.choice(COUNTS)), int(rng.integers(1, 90))
    left = bool(rng.random() < 0.6)
    width = inner if rng.random() < 0.5 else int(rng.integers(1, 90))
    shapes = {"F": (few, inner) if left else (inner, few), "A": (inner, width) if left else (width, inner)}
    shapes["C"] = shapes["M"] = (few, width) if left else (width, few)
    operands = tuple(operand(rng, name, shape) for name, shape in shapes.items())
    turned = rng.random() < 0.3
    if turned:
        operands = tuple(turn(each) if each.name == "A" else each for each in operands)
    pair = ["F", "A.T" if turned else "A"][:: 1 if left else -1]
    target = "F" if shapes["F"] == shapes["C"] and rng.random() < 0.4 else "C"
    lines = tuple(statement(rng, target, pair) for _ in range(int(rng.integers(1, 3))))
    return Program(seed, operands, lines)


def operand(rng: np.random.Generator, name: str, shape: tuple[int, int]) -> Operand:
    dtype = "BOOL" if rng.random() < 0.2 else str(rng.choice(NUMBERS))
    form = "full" if rng.random() < 0.5 else "sparse"
    return Operand(name, dtype, shape, float(rng.choice(FILLS)), form, int(rng.integers(2**31)))


def turn(of: Operand) -> Operand:
    """The operand that is read transposed in its place."""
    return Operand(of.name, of.dtype, of.shape[::-1], of.fill, of.form, of.seed)


def statement(rng: np.random.Generator, target: str, pair: list[str]) -> str:
    """``C(mask, accum, replace) << semiring(F @ A)``, any of them left out."""
    how = []
    if rng.random() < 0.6:
        how.append(f"mask={rng.choice(['', '~'])}{rng.choice(['M', 'M', target])}.{rng.choice(list('SV'))}")
        if rng.random() < 0.4:
            how.append("replace=True")
    if rng.random() < 0.3:
        how.append(f"accum=binary.{rng.choice(ACCUMS)}")
    return f"{target}({', '.join(how)}) << semiring.{rng.choice(SEMIRINGS)}({' @ '.join(pair)})"
