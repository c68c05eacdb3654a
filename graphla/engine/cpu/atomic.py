"""The atomic operations of a parallel traversal, as instructions that Numba can emit.

Numba has none for the CPU; LLVM has, so each is a line of its builder.
"""

from __future__ import annotations

import threading
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

ORDER = "monotonic"  # the barrier at the end of a parallel region orders everything else
LOCK = threading.Lock()


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Where `array[index]` lies, in LLVM's terms."""
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return cgutils.get_item_pointer(context, builder, signature.args[0], array, [args[1]])


@intrinsic
def compare_and_swap(typing_context: Any, array: Any, index: Any, expected: Any, desired: Any) -> Any:
    """Store `desired` in `array[index]` if it holds `expected`; return whether it was stored."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pair = builder.cmpxchg(_address(context, builder, signature, args), args[2], args[3], ORDER, ORDER)
        return builder.extract_value(pair, 1)

    return types.boolean(array, types.int64, array.dtype, array.dtype), build


def swap_locked(array: Any, index: int, expected: Any, desired: Any) -> bool:
    """`compare_and_swap` for kernels that Python interprets, in threads of one process."""
    with LOCK:
        holds = array[index] == expected
        if holds:
            array[index] = desired
    return bool(holds)


compare_and_swap.in_python = swap_locked  # type: ignore[attr-defined]


@intrinsic
def fetch_and_add(typing_context: Any, array: Any, index: Any, amount: Any) -> Any:
    """Add `amount` to `array[index]`; return what stood there before."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address: ir.Value = _address(context, builder, signature, args)
        return builder.atomic_rmw("add", address, args[2], ORDER)

    return array.dtype(array, types.int64, array.dtype), build


def add_locked(array: Any, index: int, amount: int) -> Any:
    """`fetch_and_add` for kernels that Python interprets, in threads of one process."""
    with LOCK:
        before = array[index]
        array[index] += amount
    return before


fetch_and_add.in_python = add_locked  # type: ignore[attr-defined]


@intrinsic
def load_acquire(typing_context: Any, array: Any, index: Any) -> Any:
    """Read `array[index]`; what its writer has stored before is seen after."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address: ir.Value = _address(context, builder, signature, args)
        return builder.load_atomic(address, "acquire", signature.args[0].dtype.bitwidth // 8)

    return array.dtype(array, types.int64), build


@intrinsic
def store_release(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """Write `array[index]`, after all that was stored before."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address: ir.Value = _address(context, builder, signature, args)
        builder.store_atomic(args[2], address, "release", signature.args[0].dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, array.dtype), build


@intrinsic
def give_way(typing_context: Any) -> Any:
    """Let the core run another thread that waits for it: sched_yield of POSIX."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), "sched_yield")
        builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), build
