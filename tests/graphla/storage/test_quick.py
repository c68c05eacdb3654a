"""A quick record is the same record."""

from __future__ import annotations

from dataclasses import field, replace
from inspect import signature

import pytest

from graphla.storage.frozen import quick


@quick()
class Pair:
    left: int
    right: int = 7


@quick()
class Ordered(Pair):
    """Refuses what is out of order."""

    def __post_init__(self) -> None:
        if self.left > self.right:
            raise ValueError(self.left)


@quick()
class Held:
    left: int
    cache: dict[str, int] = field(default_factory=dict[str, int])


def test_a_default_factory_makes_one_for_each_record() -> None:
    one, other = Held(1), Held(2)
    one.cache["a"] = 3
    assert (one.cache, other.cache) == ({"a": 3}, {})
    assert Held(1, one.cache).cache is one.cache
    assert replace(one, left=5).cache is one.cache


def test_parts_by_place_by_name_and_by_default() -> None:
    for pair in (Pair(1, 2), Pair(left=1, right=2), replace(Pair(1), right=2)):
        assert (pair.left, pair.right) == (1, 2)
    assert Pair(1).right == 7
    assert list(signature(Pair).parameters) == ["left", "right"]


@pytest.mark.parametrize("wrong", [lambda: Pair(), lambda: Pair(1, 2, 3), lambda: Pair(1, middle=2)])
def test_wrong_parts_are_refused(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TypeError, match="argument"):
        wrong()


def test_it_is_checked() -> None:
    with pytest.raises(ValueError, match="9"):
        Ordered(9, 2)
