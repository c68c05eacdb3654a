"""Numbers beside entries that no type of integers holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphla import Vector, binary
from graphla.common.errors import DomainMismatch


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**400])
@pytest.mark.parametrize("dtype", ["BOOL", "INT8", "INT64"])
@pytest.mark.parametrize(
    "use",
    [
        lambda v, number: v.apply(binary.plus, number),
        lambda v, number: v.apply(binary.minus, left=number),
        lambda v, number: v.select(">", number),
        lambda v, number: v.apply("rowgt", number),
        lambda v, number: v.ewise_union(v, binary.plus, number, 0),
    ],
)
def test_an_int_that_no_integer_dtype_holds_is_refused(use: Callable[..., Any], dtype: str, number: int) -> None:
    v = Vector.from_coo([1], [1], dtype, size=3)
    with pytest.raises(DomainMismatch, match=f"{number} does not fit"):
        use(v, number).new()


def test_uint64_holds_more_than_int64() -> None:
    v = Vector.from_coo([1], [1], "UINT64", size=3)
    assert v.apply(binary.plus, 2**63).new().to_dict() == {1: 2**63 + 1}
