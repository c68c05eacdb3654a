"""Calls of communities: what finds, measures, compares and divides them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import graphla as gl
from graphla.communities import hierarchical_leiden
from tests.fuzz.calls.call import Call, make_operands, plain


def list_communities() -> Iterator[Call]:
    G = make_operands()["G"]
    climb: dict[str, Any] = {"resolution": 1.5, "seed": 3, "threshold": 1e-6, "max_levels": 3, "method": "sequential"}
    climb |= {"quality": "cpm", "start": [0] * G.n, "fixed": [1], "max_community_size": G.n, "levels": True}
    yield plain("louvain", gl.louvain, G=G, **climb)
    yield plain("leiden", gl.leiden, G=G, iterations=1, **climb)
    yield plain("modularity", gl.modularity, G=G, labels=gl.louvain(G), resolution=0.5, quality="cpm")
    yield plain("consensus", gl.consensus, G=G, runs=2, resolution=0.5, seed=1, least=0.1, core=True)
    yield plain("contract", gl.contract, G=G, labels=gl.louvain(G), loops=False)
    yield plain("compare_partitions", gl.compare_partitions, a=[0, 0, 1], b=["x", "y", "y"])
    divide: dict[str, Any] = {"max_cluster_size": 1, "starting_communities": {0: 1, 1: 1, 2: 2}, "resolution": 1.0}
    divide |= {"extra_forced_iterations": 0, "randomness": 0.001, "use_modularity": True, "random_seed": 1}
    read: dict[str, Any] = {
        "weight_attribute": "weight",
        "is_weighted": None,
        "weight_default": 1,
        "check_directed": True,
    }
    yield plain("hierarchical_leiden", hierarchical_leiden, graph=[(0, 1, 1.0), (1, 2, 2.0)], **divide, **read)
    levels = gl.louvain(G, levels=True)[1]
    yield Call("levels.cut", lambda _, count: levels.cut(count), {"count": G.n}, gl.Levels.cut)
    limits: dict[str, Any] = {"resolution": 1.0, "seed": 0, "threshold": 0.0, "max_levels": None, "levels": None}
    limits |= {"quality": "modularity", "start": None, "fixed": None, "max_community_size": None}
    yield plain("louvain.verify", gl.louvain.verify, G=G, labels=gl.louvain(G), **limits)
    yield plain("leiden.verify", gl.leiden.verify, G=G, labels=gl.leiden(G), iterations=2, **limits)
