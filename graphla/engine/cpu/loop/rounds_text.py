"""Write a map as Python for Numba: its statements at index i, and its sums over a piece of all indices."""

from __future__ import annotations

from graphla.engine.arrays.maps import find_flagged, find_loads, find_stored, list_used
from graphla.engine.cpu.loop.statements import LoopText, Python, write_if, write_statement, write_unpacking
from graphla.planning.loops.phases import Map
from graphla.planning.loops.terms import Fold
from semirings.python import render_literal

WORD = 8
"""Flags that are looked at together."""
PIECE = 1 << 15
"""Indices of which the sums are one partial sum."""


def write_map(phase: Map, constants: int, cells: int, idle: tuple[int, ...]) -> LoopText:
    """Write the text before the template, and the texts for its lines; `idle` are flags that tell what to skip."""
    flagged, folds, used = find_flagged(phase), phase.folds, list_used(phase)
    language = Python(phase.layout, flagged)
    inside = language.write_inside()
    lines = [] if inside is None else [f"if not ({inside}):", "    continue"]
    lines += [f"x{slot} = v{slot}[u]" for slot in find_loads(phase)]
    lines += [f"e{slot} = h{slot}[u]" for slot in flagged]
    for step in phase.steps:
        fold = isinstance(step, Fold)
        lines += write_fold(step, folds.index(step), language) if fold else write_statement(step, language)
    lines += [f"v{slot}[u] = x{slot}" for slot in find_stored(phase)]
    lines += [f"h{slot}[u] = e{slot}" for slot in flagged]
    numbered = {"constants": ("n", constants), "cells": ("c", cells), "words": ("w", len(idle))}
    unpacking = {
        "values": [f"v{slot}" for slot in used],
        "present": [f"h{slot}" for slot in used],
        **{name: [f"{one}{k}" for k in range(count)] for name, (one, count) in numbered.items()},
        "partials": [f"p{k}" for k in range(len(folds))],
    }
    parts = {
        "unpack": "\n".join(write_unpacking(*each) for each in unpacking.items()),
        "idle": write_idle(len(idle)),
        "begin": "\n".join(f"f{k} = {write_identity(fold)}" for k, fold in enumerate(folds)) or "pass",
        "at": "\n".join(lines),
        "end": "\n".join(f"p{k}[piece] = f{k}" for k in range(len(folds))) or "pass",
    }
    constants_of = f"PIECE = {PIECE}\nSTEP = {WORD if idle else PIECE}\n"
    return LoopText("\n\n".join([*language.texts, constants_of]), parts)


def write_idle(count: int) -> str:
    """Skip a word of flags none of which is set."""
    held = " | ".join(f"w{k}[start >> 3]" for k in range(count))
    return f"if ({held}) == 0:\n    continue" if count else "pass"


def write_identity(fold: Fold) -> str:
    return render_literal(fold.monoid.identity(fold.cell.dtype), fold.cell.dtype)


def write_fold(step: Fold, k: int, language: Python) -> list[str]:
    """Write what adds to sum k."""
    dtype = step.cell.dtype
    z = language.write_term(step.term, dtype)
    line = f"f{k} = {language.write_call(step.monoid.op, (dtype, dtype), dtype, f'f{k}', z)}"
    return write_if(language.write_condition(step.present), [line])
