"""Kernel templates compiled for operators, each once."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

from graphla.engine.cpu import source
from graphla.engine.cpu.sums import compile_products_late, compile_sums_late, has_plain_products, has_plain_sums
from semirings import Monoid, Semiring, binary
from semirings.dtypes import DType
from semirings.python import render_function, render_semiring


@lru_cache(maxsize=4096)
def compile_product(
    template: str, semiring: Semiring, a: DType, b: DType, out: DType, flip: bool, masked: bool = False
) -> Any:
    """Compile a product kernel for a semiring, by rows with or without a mask.

    With `flip` the vector is the first operand of ⊗.
    """
    first, second = (b, a) if flip else (a, b)
    constants = f"FLIP = {flip}\nMASKED = {masked}\n"
    module = source.make_module(template, f"{render_semiring(semiring, first, second, out)}\n\n{constants}")
    if template == "few" and not flip and has_plain_products(semiring, a, b, out):
        return compile_products_late(module, scaled=semiring.multiply is not binary.second)
    return module


@lru_cache(maxsize=4096)
def compile_apply(op: Any, dtypes: tuple[DType, ...], out: DType) -> ModuleType:
    """Compile the element-wise loops for an operator."""
    return source.make_module("elementwise", render_function(op, "apply", dtypes, out))


@lru_cache(maxsize=1024)
def compile_scale(op: Any, left: DType, right: DType, out: DType) -> ModuleType:
    """Compile the product of a matrix and a diagonal one for an operator."""
    return source.make_module("scale", render_function(op, "apply", (left, right), out))


@lru_cache(maxsize=1024)
def compile_reduce(monoid: Monoid, source_dtype: DType, out: DType) -> Any:
    """Compile the reduction of segments for a monoid."""
    cast_then_add = Semiring(monoid.name, monoid, binary.first)
    module = source.make_module("reduce", render_semiring(cast_then_add, source_dtype, source_dtype, out))
    return compile_sums_late(module) if has_plain_sums(monoid, source_dtype, out) else module
