"""The number of bits of a word, as an instruction that Numba can emit and LLVM can make a vector of."""

from __future__ import annotations

from typing import Any

from numba.extending import intrinsic


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """The number of bits of an integer that are set, in its own type."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return word(word), build


popcount.in_python = lambda word: int(word).bit_count()  # type: ignore[attr-defined]
