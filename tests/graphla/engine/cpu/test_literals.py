"""A constant in a call is a type of its own for Numba, and the function would be compiled for it and for integers."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from numba.core import types
from numba.core.registry import CPUDispatcher

import graphla as gl
from graphla.algorithms.betweenness import _hops_cpu
from graphla.algorithms.bfs import _direction_optimized_cpu
from graphla.algorithms.bfs.many import _words_cpu
from graphla.algorithms.eccentricity import _bounds_cpu
from graphla.algorithms.leiden import _parts_cpu
from graphla.algorithms.max_flow import _dinic_cpu
from graphla.algorithms.shared.communities import queue

CALLS = [
    (lambda G: gl.betweenness(G), _hops_cpu),
    (lambda G: gl.bfs(G, 0), _direction_optimized_cpu),
    (lambda G: gl.closeness(G), _words_cpu),
    (lambda G: gl.diameter(G), _bounds_cpu),
    (lambda G: gl.leiden(G), _parts_cpu),
    (lambda G: gl.louvain(G), queue),
    (lambda G: gl.max_flow(G, 0, 15), _dinic_cpu),
]


@pytest.mark.parametrize(("call", "module"), CALLS)
def test_no_kernel_is_compiled_for_a_constant(call: Callable[[gl.Graph], Any], module: ModuleType) -> None:
    call(gl.generate.grid2d(4, 4, engine="cpu"))
    held = [getattr(each, "compiled", each) for each in vars(module).values()]
    kernels = [each for each in held if isinstance(each, CPUDispatcher)]
    seen = [kind for kernel in kernels for signature in kernel.signatures for kind in signature]
    assert seen
    assert not [kind for kind in seen if isinstance(kind, types.Literal)]
