"""Wrong arguments of everything public, and that the fuzzer knows all there is."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import graphla as gl
from graphla.engine.cuda.engine import CudaEngine
from graphla.problem import Problem
from tests.emulator import load
from tests.fuzz import arguments
from tests.fuzz.calls import list_calls, make_operands
from tests.surface import list_callables

CALLS = list_calls()
LEFT_OUT = {
    "graphla.errors.": "raised by graphla alone",
    "graphla.common.errors.": "raised by graphla alone",
    "graphla.csgraph.": "answers wrong arguments as SciPy does",
    "graphla.doors.csgraph.": "answers wrong arguments as SciPy does",
    "graphla.comparing.": "made by compare",
    "graphla.caching.CacheFolder": "made by list_folders",
    "graphla.caching.Warmed": "made by warm",
    "graphla.measuring.caching.": "made by list_folders and warm",
    "graphla.measuring.comparing.": "made by compare",
    "graphla.watching.": "made by trace",
    "graphla.measuring.watching.": "made by trace",
    "graphla.problem.": "for the authors of methods",
    "graphla.mpi.Rows": "made by what ranks share",
    "graphla.generators.": "called through gl.generate, which has the same functions",
    "graphla.graphs.generators.": "called through gl.generate, which has the same functions",
    "graphla.io.": "records of graphla, and those that are called below",
    "graphla.graphs.io.": "records of graphla, and those that are called below",
    "graphla.containers.loop.Loop": "made by loop",
    "graphla.containers.aggregators.Aggregator": "for the authors of aggregators; its calls are made of an aggregator",
    "graphla.algorithms.": "for the authors of methods",
    "graphla.communities.HierarchicalCluster": "made by hierarchical_leiden",
    "graphla.communities.cluster_cells": "needs pandas; called in its own tests",
    "graphla.Factor": "made by factorize; its methods are called below",
    "graphla.torch.": "needs PyTorch, which is not installed with the tests",
    "graphla.doors.torch.": "needs PyTorch, which is not installed with the tests",
    "graphla.Agreement": "made by compare_partitions",
    "graphla.Levels": "made by louvain and leiden; its method is called below",
    "graphla.roads.Nearest": "made by Roads",
    "graphla.roads.Reached": "made by Roads",
    "graphla.roads.Roads": "made by prepare; its methods are called below",
    "graphla.LinearFactor": "made by factorize; its methods are called below",
    "graphla.graphs.graph.Graph.cached": "for the authors of methods",
    "semirings.": "called below, or records of semirings",
}


@pytest.mark.parametrize("seed", range(len(CALLS)))
def test_no_wrong_argument_of_any_call_ends_in_an_error_of_others(seed: int) -> None:
    arguments.check(seed)


def test_what_is_no_array_is_refused_on_an_engine_of_kernels() -> None:
    G = make_operands()["G"].to(CudaEngine(np, load))
    with pytest.raises(gl.errors.InvalidOption, match=r"dangling=.* is no array of numbers"):
        gl.pagerank(G, dangling=[[1, 2], [3]])


@pytest.mark.slow
def test_no_wrong_argument_of_a_call_with_a_graph_reaches_a_kernel() -> None:
    engine = CudaEngine(np, load)
    for seed in range(sum(isinstance(call.arguments.get("G"), gl.Graph) for call in CALLS)):
        arguments.check(seed, engine)


def test_the_calls_of_the_catalogue_work() -> None:
    """Else a refusal might be one of the call itself. Some stop at a name that is taken, or that there is not."""
    stopped = {call.name for call in CALLS if call.name.endswith(" name")} | {"binary.alias", "binary.add"}
    failed = {}
    for call in (call for call in CALLS if call.target is not None):
        try:
            with gl.config.set(), arguments.forget_registered():
                call.run()
        except gl.errors.GraphlaError as error:
            failed[call.name] = str(error)
    assert failed.keys() == stopped, failed


def test_the_catalogue_replaces_every_argument_of_everything_public() -> None:
    replaced = collect_arguments()
    left_out = tuple(LEFT_OUT)
    missing = {
        name: list_parameters(function) - replaced.get(id(inspect.unwrap(function)), set())
        for name, function in list_callables().items()
        if not name.startswith(left_out)
    }
    assert {name: parameters for name, parameters in missing.items() if parameters} == {}


def list_parameters(function: Any) -> set[str]:
    """The names of the parameters that stand for one argument each."""
    given = inspect.signature(type(function).__call__ if isinstance(function, Problem) else function).parameters
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {name for name, each in given.items() if each.kind not in several} - {"self", "cls"}


def collect_arguments() -> dict[int, set[str]]:
    """The arguments that the catalogue replaces, by the identity of the callable to which they belong."""
    found: dict[int, set[str]] = {}
    for call in CALLS:
        target = inspect.unwrap(getattr(call.target, "__func__", call.target)) if call.target is not None else None
        found.setdefault(id(target), set()).update(call.arguments)
    return found
