"""SciPy's tests of what has a method on the GPU, with CuPy's arrays going in and coming out.

``pytest tests/graphla/csgraph/test_scipys_tests_on_gpu.py -m gpu`` runs them on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import pytest
from homes import HOMES, get, make_home, put
from scipys_tests import OURS, collect_tests

from graphla.common.errors import NotSupported

pytestmark = pytest.mark.filterwarnings("default")
LEFT_OUT = {
    "test_return_type__traversal": "it asks for sparse arrays, and cupyx has sparse matrices alone",
    "test_int64_indices_directed__connected_components": "it asks for numbers in the order of SciPy's search; "
    "on a GPU strong components are numbered by their smallest vertices",
    "test_predecessors__shortest_path": "it asks for one of several shortest paths",
}
CURRENT: list[Any] = []
"""The home of the inputs of the running test."""


def wrap(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with inputs on the device and answers on the host."""

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        home = CURRENT[0]
        placed = [put(home, each) for each in args]
        try:
            return get(home, function(*placed, **{key: put(home, each) for key, each in options.items()}))
        except NotSupported as refusal:
            return pytest.skip(f"csgraph.{name}: {refusal}")

    return call


globals().update({name: test for name, test in collect_tests(OURS, wrap).items() if name not in LEFT_OUT})


@pytest.fixture(autouse=True, params=HOMES)
def home(request: pytest.FixtureRequest) -> Iterator[None]:
    CURRENT[:] = [make_home(request.param)]
    with CURRENT[0].open():
        yield
