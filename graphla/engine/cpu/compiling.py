"""How Numba compiles kernels: with the passes that they need, and without what takes time beside them.

What that saves of a first call (Numba 0.68): 0.1 s for SciPy's linear algebra; then a tenth for garbage collection, up
to a tenth for passes that no kernel needs, and a tenth for reference counts and a first round of LLVM's passes in
kernels that make no array. LLVM's passes over single functions stay: without them products took a tenth longer to run.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from numba.core import ir, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, PassManager
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import IRLegalization

LEFT_OUT = {
    "inline_closure_likes",
    "make_function_op_code_to_jit_function",
    "find_literally",
    "literal_unroll",
    "with_lifting",
    "nopython_rewrites",
    "dump_parfor_diagnostics",
}
"""Passes for closures, comprehensions, `literally`, `with`, fused expressions of arrays and parallel loops."""
PLAIN = types.Number | types.Boolean | types.NoneType | types.RangeType | types.RangeIteratorType | types.SliceType
"""Types of values that hold no reference."""


class PlainLibrary(JITCodeLibrary):
    """The machine code of functions without reference counts, which need no passes that bring counts together."""

    options: ClassVar[Mapping[str, Any]] = {}

    def _optimize_final_module(self) -> None:
        passes: Any = self._codegen._module_pass_manager(**self.options)
        if isinstance(passes, tuple):  # with a builder, since Numba 0.62
            passes[0].run(self._final_module, passes[1])
        else:
            passes.run(self._final_module)


class PackedLibrary(PlainLibrary):
    """The same, and equal operations on neighbouring numbers, written one by one, are instructions on vectors."""

    options: ClassVar[Mapping[str, Any]] = {"slp_vectorize": True}


@register_pass(mutates_CFG=False, analysis_only=True)
class LeaveOutReferenceCounts(FunctionPass):
    """Compile a function that makes no array without reference counts: whoever calls it holds its arrays."""

    _name = "leave_out_reference_counts"
    library: type[PlainLibrary] = PlainLibrary

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        if not makes_counted(state):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
            state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return False


def makes_counted(state: Any) -> bool:
    """Whether a call or a display of a function gives a value that is counted."""
    values = (
        (statement.target.name, statement.value)
        for block in state.func_ir.blocks.values()
        for statement in block.find_insts(ir.Assign)
    )
    made = (name for name, value in values if isinstance(value, ir.Expr) and value.op.startswith(("call", "build")))
    return any(is_counted(state.typemap[name]) for name in made) or is_counted(state.return_type)


def is_counted(kind: types.Type) -> bool:
    """Whether values of a type are counted, or hold some that are; True for types that are not known here."""
    if isinstance(kind, types.BaseTuple):
        return any(map(is_counted, kind))
    return not isinstance(kind, PLAIN)


@register_pass(mutates_CFG=False, analysis_only=True)
class PackNumbers(LeaveOutReferenceCounts):
    """The same, with instructions on vectors."""

    _name = "pack_numbers"
    library = PackedLibrary


class KernelCompiler(CompilerBase):
    """Numba's compiler without the passes for what no kernel has; no garbage is collected while it works."""

    counts: type[FunctionPass] = LeaveOutReferenceCounts

    def __init__(self, *args: Any) -> None:
        with pause_collection():
            import_array_functions()
            super().__init__(*args)

    def compile_extra(self, func: Any) -> Any:
        with pause_collection():
            return super().compile_extra(func)

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("kernel")
        complete = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [each for each in complete.passes if each[0]._name not in LEFT_OUT]
        typed = next(place for place, each in enumerate(manager.passes) if each[0] is IRLegalization)
        manager.passes.insert(typed, (self.counts, "no reference counts where no array is made"))
        manager.finalize()
        return [manager]


class PackedCompiler(KernelCompiler):
    """The same for kernels whose sums of several numbers side by side are vectors."""

    counts = PackNumbers


@contextmanager
def pause_collection() -> Iterator[None]:
    """Collect no garbage meanwhile: a compiler makes many objects that live long."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def import_array_functions() -> None:
    """Import Numba's functions of arrays without SciPy's linear algebra.

    Numba loads it to see whether it is there. It is needed only to compile a product of arrays, which loads it again.
    """
    if "numba.np.arraymath" in sys.modules or importlib.util.find_spec("scipy") is None:
        return
    from numba.np import linalg

    load = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        from numba.np import arraymath

        arraymath.ensure_blas = load
    finally:
        linalg.ensure_blas = load
