"""Calls that make graphs, solve problems, read and write files, compare, trace and configure."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import graphla as gl
from graphla.problem import Problem, all_problems
from tests.fuzz.calls.call import Call, aim_at, call_function, make_operands, on, plain
from tests.fuzz.calls.communities import list_communities
from tests.fuzz.calls.files import FOLDER, list_files

WEIGHTS = {"weights": (1, 9), "seed": 1, "engine": "cpu"}
ARCS = {
    "source": ([0, 1], [1, 0], [1.0, 2.0]),
    "n": 3,
    "weight": "weight",
    "dup": "error",
    "undirected": False,
    "labels": ["a", "b", "c"],
    "name": "g",
    "engine": "cpu",
}


def list_calls() -> Iterator[Call]:
    yield from list_graphs()
    yield from list_generators()
    written = [*list_problems(), *list_communities(), *list_verifiers()]
    yield from written
    yield from list_unlisted([call.target for call in written])
    yield from list_ranks()
    yield from list_files()
    yield from list_tools()


def list_graphs() -> Iterator[Call]:
    yield plain("Graph", gl.Graph, **ARCS)
    parts = ("rows", "columns", "values")
    yield plain("Graph((rows, columns, values))", lambda **given: gl.Graph(tuple(given[part] for part in parts)),
                rows=[0, 1], columns=[1, 0], values=[1, 2])  # fmt: skip
    table = {"x": ["a", "b"], "y": ["b", "a"], "z": [1.0, 2.0]}
    names = {
        "source": "x",
        "target": "y",
        "weight": "z",
        "n": 2,
        "dup": "error",
        "name": "g",
        "relabel": False,
        "labels": ["a", "b"],
        "undirected": False,
        "engine": "cpu",
    }
    yield plain("Graph.from_arrow", gl.Graph.from_arrow, table=table, **names)
    yield on("G", "to", engine="cpu")
    drawn = {"labels": [0, 1, 1], "positions": [[0, 0], [1, 0], [0, 1]], "axes": None, "limit": 5, "names": True}
    yield plain("G.plot", gl.Graph(**ARCS).plot, **drawn, weights=True, seed=1)
    named = gl.Graph.from_arrow(table, "x", "y", engine="cpu")
    yield Call("G.index", lambda _, label: named.index(label), {"label": "a"}, gl.Graph.index)
    yield on("v", "top", count=1)
    yield Call("G.neighbors", lambda _, vertex: named.neighbors(vertex), {"vertex": "a"}, gl.Graph.neighbors)
    batches = {"insert": (["a"], ["a"]), "delete": (["a"], ["b"]), "weights": (["b"], ["a"], [2])}
    changes = {**batches, "n": 4, "undirected": False, "dup": "first", "missing": "error"}
    weighted = gl.Graph.from_arrow(table, "x", "y", "z", engine="cpu")
    yield Call("G.update", lambda _, **given: weighted.update(**given), changes, gl.Graph.update)
    yield on("G", "vertex", value=1, what="source")
    yield on("G", "vertices", values=[1], what="sources")
    yield call_function("G.cached", lambda o, name: o["G"].cached(name, lambda G: G.n), name="vertices")


def list_generators() -> Iterator[Call]:
    make = gl.generate
    yield plain("kronecker", make.kronecker, scale=4, edge_factor=4, simple=True, **WEIGHTS)
    yield plain("rmat", make.rmat, scale=4, degree=4, abc=(0.5, 0.2, 0.2), symmetric=True, simple=True, **WEIGHTS)
    yield plain("uniform", make.uniform, n=9, degree=2, **WEIGHTS)
    yield plain("hubs", make.hubs, n=9, degree=2, hub_fraction=0.2, hub_degree=3, **WEIGHTS)
    yield plain("grid2d", make.grid2d, width=3, height=2, **WEIGHTS)
    yield plain("grid3d", make.grid3d, x=3, y=2, z=2, **WEIGHTS)
    yield plain("random_geometric", make.random_geometric, n=9, radius=0.3, **WEIGHTS)
    yield plain("rgg", make.rgg, scale=3, radius=0.3, **WEIGHTS)
    for name in ("path", "cycle", "star", "complete", "road"):
        yield plain(name, getattr(make, name), n=4, **WEIGHTS)
    yield plain("gnp", make.gnp, n=9, p=0.5, **WEIGHTS)
    yield plain("planted_partition", make.planted_partition, n=9, groups=2, p_in=0.9, p_out=0.1, **WEIGHTS)
    yield plain("barabasi_albert", make.barabasi_albert, n=9, m=2, **WEIGHTS)
    yield plain("watts_strogatz", make.watts_strogatz, n=9, degree=4, p=0.5, **WEIGHTS)
    shape: dict[str, Any] = {"n": 30, "degree": 4.0, "mixing": 0.2, "max_degree": 9, "min_community": 5}
    shape |= {"max_community": 15, "degree_exponent": 2.5, "community_exponent": 1.5}
    yield plain("lfr", make.lfr, **shape, **WEIGHTS)
    yield plain("lfr_communities", gl.generators.lfr_communities, **shape, seed=1)
    yield plain("from_spec", make.from_spec, text="path:4", engine="cpu")


def list_problems() -> Iterator[Call]:
    G, both = make_operands()["G"], {"G": make_operands()["G"], "source": 0}
    yield plain("bfs", gl.bfs, **both, method=None, parents=False, limit=2, targets=[1])
    yield plain("bfs algebraic", gl.bfs, **both, method="algebraic", direction=None)
    yield plain("bfs sources", gl.bfs, G=G, source=None, sources=[0, 1], method=None, parents=False)
    yield plain("sssp", gl.sssp, **both, method=None, parents=False, predecessors=None, limit=2, targets=[1])
    yield plain("sssp algebraic", gl.sssp, **both, method="algebraic", direction=None)
    yield plain("sssp delta_stepping", gl.sssp, **both, method="delta_stepping", delta=None)
    yield plain("sssp sources", gl.sssp, G=G, source=None, sources=[0, 1], method=None, parents=False)
    yield plain("apsp", gl.apsp, G=G, method=None, next_hops=False, dtype="FP64", dense=False)
    yield plain("apsp output", gl.apsp, G=G, method="blocked_floyd_warshall", output=FOLDER / "D.npy", progress=None)
    yield from list_factor(G)
    yield plain("components", gl.components, G=G, kind="weak", sizes=False, method=None)
    yield plain("triangles", gl.triangles, G=make_triangle(), per_vertex=True, method=None)
    yield plain(
        "triangles algebraic", gl.triangles, G=make_triangle(), method="algebraic", expression="cohen", order="given"
    )
    yield plain("clustering", gl.clustering, G=G, kind="average", method=None)
    yield plain("label_propagation", gl.label_propagation, G=G, rounds=2, seed=1, method=None)
    yield plain("spanning_forest", gl.spanning_forest, G=make_triangle(), kind="maximum", method=None)
    yield plain("coloring", gl.coloring, G=make_triangle(), seed=3, method=None)
    yield plain("truss_numbers", gl.truss_numbers, G=make_triangle(), method=None)
    yield plain("k_truss", gl.k_truss, G=make_triangle(), k=3, method=None)
    for name in ("biconnected_components", "bridges", "articulation_points"):
        yield plain(name, getattr(gl, name), G=make_triangle(), method=None)
    heavy: dict[str, Any] = {"kind": "maximal", "weights": True, "seed": 3, "method": None}
    yield plain("matching", gl.matching, G=make_triangle(), **heavy)
    yield plain("core_numbers", gl.core_numbers, G=make_triangle(), method=None)
    yield plain("k_core", gl.k_core, G=make_triangle(), k=2, method=None)
    yield plain("independent_set", gl.independent_set, G=make_triangle(), seed=3, method=None)
    yield plain("similarity", gl.similarity, G=make_triangle(), pairs=([0, 1], [1, 2]), kind="cosine", method=None)
    yield plain("similarity top", gl.similarity, G=make_triangle(), kind="cosine", top=2)
    yield plain("ego", gl.ego, G=make_triangle(), vertex=0, radius=1)
    yield plain("k_hop", gl.k_hop, G=make_triangle(), sources=[0], k=1)
    yield plain("subgraph", gl.subgraph, G=make_triangle(), vertices=[0, 1])
    options = {"engine": "cpu", "only": ["topological_order"], "progress": None}
    yield aim_at(call_function("warm", warm_some, **options), gl.caching.warm)
    yield plain("jaccard", gl.jaccard, G=make_triangle(), pairs=None, method=None)
    yield plain("widest_paths", gl.widest_paths, G=G, source=0, parents=True, method=None)
    yield plain("transitive_closure", gl.transitive_closure, G=G, reflexive=True, method=None)
    paths = {"walks": 2, "weights": True, "p": 2.0, "q": 0.5, "seed": 3, "method": None}
    yield plain("random_walks", gl.random_walks, G=G, length=3, starts=[0, 1], **paths)
    yield plain("dominators", gl.dominators, G=G, source=0, method=None)
    yield plain("eccentricity", gl.eccentricity, G=G, sources=[0, 1], weights=True, method=None)
    yield plain("diameter", gl.diameter, G=G, weights=True, sweeps=None, method=None)
    yield plain("diameter sweeps", gl.diameter, G=G, sweeps=2)
    for each in (gl.radius, gl.center, gl.periphery):
        yield plain(each.__name__, each, G=G, weights=True, method=None)
    acyclic = gl.Graph(([0, 1], [1, 2]))
    yield plain("topological_order", gl.topological_order, G=acyclic, levels=True, method=None)
    yield plain("find_cycle", gl.find_cycle, G=make_triangle(), method=None)
    yield plain("max_flow", gl.max_flow, G=G, source=0, sink=1, method=None)
    yield plain("closeness", gl.closeness, G=G, sources=[0])
    near: dict[str, Any] = {"weights": True, "harmonic": True, "improved": False, "direction": "out", "method": None}
    yield plain("closeness weights", gl.closeness, G=G, sources=[0, 1], **near)
    paths: dict[str, Any] = {"seed": 1, "weights": True, "normalized": False, "directed": True, "dtype": "FP64"}
    yield plain("betweenness", gl.betweenness, G=G, sources=[0, 1], endpoints=True, method=None, **paths)
    yield plain("betweenness edges", gl.betweenness, G=G, sources=2, edges=True, **paths)
    yield plain("shortest_path", gl.shortest_path, G=G, source=0, target=1, method=None)
    yield plain("shortest_path heuristic", gl.shortest_path, G=G, source=0, target=1, heuristic=[0] * G.n)
    yield plain("k_shortest_paths", gl.k_shortest_paths, G=G, source=0, target=1, k=2)


def list_unlisted(targets: list[Any]) -> Iterator[Call]:
    """Problems that are not written above, and their verifiers: the default of each argument."""
    written = {id(target) for target in targets}
    for name, problem in all_problems().items():
        if id(problem) in written:
            continue
        where = {each: place for place, each in enumerate(problem.takes)}
        fixed = {"G": make_for(problem), **where}
        solve: Any = problem
        yield plain(name, solve, **fixed, **list_defaults(type(problem).__call__, fixed))
        answers = solve(**fixed)
        found = answers if isinstance(answers, tuple) else (answers,)
        fixed |= dict(zip(list_needed(problem.verify, fixed), found, strict=False))
        yield plain(f"{name}.verify", problem.verify, **fixed, **list_defaults(problem.verify, fixed))


def make_for(problem: Problem) -> gl.Graph:
    """A graph that a problem is about."""
    return gl.Graph(([0, 1], [1, 2])) if problem.domain == "acyclic" else make_triangle()


def list_defaults(function: Any, but: Any) -> dict[str, Any]:
    """The defaults of the arguments of a function."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty and p.name not in but}


def list_needed(function: Any, but: Any) -> list[str]:
    """The arguments of a function that have no default."""
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.default is p.empty and p.name not in but]


def list_factor(G: gl.Graph) -> Iterator[Call]:
    F = gl.factorize(G)
    F.save(FOLDER / "factor.npz")
    yield plain("factorize", gl.factorize, G=G, dtype="FP64", semiring="min_plus")
    yield plain("Factor.explain", gl.Factor.explain, G=G, dtype="FP64", semiring="min_plus")
    yield plain("apsp.explain", gl.apsp.explain, G=G, method="elimination")
    yield plain("Factor item", F.__getitem__, key=0)
    yield plain("Factor items", lambda sources, targets: F[sources, targets], sources=[0, 1], targets=[1])
    yield plain("Factor.path", F.path, source=0, target=1)
    yield plain("Factor.next_hops", F.next_hops, source=0)
    yield plain("Factor.blocks", lambda rows: list(F.blocks(rows)), rows=2)
    yield plain("Factor.write_rows", F.write_rows, path=FOLDER / "rows.npy", progress=print)
    yield plain("Factor.refactor", F.refactor, G=G)
    yield plain("Factor.save", F.save, path=FOLDER / "factor2.npz")
    yield plain("Factor.load", gl.Factor.load, path=FOLDER / "factor.npz", engine="cpu")
    yield from list_spectrum(gl.generate.grid2d(3, 2, engine="cpu"))


def list_spectrum(G: gl.Graph) -> Iterator[Call]:
    A = gl.Graph(([0, 1, 0, 1], [0, 1, 1, 0], [3.0, 4.0, 1.0, 1.0]), engine="cpu")
    F = gl.factorize(A, semiring="plus_times")
    yield plain("LinearFactor.solve", F.solve, b=[1.0, 2.0], refine=True)
    yield plain("LinearFactor.refactor", F.refactor, G=A)
    yield plain("laplacian_eigenvectors", gl.laplacian_eigenvectors, G=G, k=2, normalized=False)
    yield plain("smallest_eigenvectors", gl.smallest_eigenvectors, A=A, k=1, sigma=0.0)
    yield plain("spectral_embedding", gl.spectral_embedding, G=G, k=2)
    yield plain("spectral_clustering", gl.spectral_clustering, G=G, k=2, seed=0)
    yield plain("effective_resistance", gl.effective_resistance, G=G, pairs=[[0, 1]])
    yield plain("current_flow_closeness", gl.current_flow_closeness, G=G)
    yield plain("current_flow_betweenness", gl.current_flow_betweenness, G=G, normalized=True)
    yield plain("harmonic", gl.harmonic, G=G, known=gl.Vector.from_dict({0: 1.0}, size=6, engine="cpu"))


def list_ranks() -> Iterator[Call]:
    """What many ranks share, on the one that this process is."""
    G, ends = make_triangle(), {"tails": [0, 1], "heads": [1, 2], "weights": [1.0, 2.0], "n": 4, "dup": "min"}
    paths: dict[str, Any] = {"seed": 1, "weights": True, "normalized": False, "directed": True, "dtype": "FP64"}
    near: dict[str, Any] = {"weights": True, "harmonic": True, "improved": False, "direction": "out", "method": None}
    yield plain("mpi.bfs", gl.mpi.bfs, G=G, sources=[0, 1], method=None)
    yield plain("mpi.sssp", gl.mpi.sssp, G=G, sources=[0, 1], method=None)
    yield plain("mpi.apsp", gl.mpi.apsp, G=G, method=None, dtype="FP64", dense=True)
    yield plain("mpi.apsp file", gl.mpi.apsp, G=G, output=FOLDER / "ranks.npy", progress=print)
    yield plain("mpi.closeness", gl.mpi.closeness, G=G, sources=[0, 1], **near)
    yield plain("mpi.betweenness", gl.mpi.betweenness, G=G, sources=[0, 1], endpoints=True, method=None, **paths)
    yield plain("mpi.betweenness edges", gl.mpi.betweenness, G=G, sources=2, edges=True, **paths)
    yield plain("mpi.from_arcs", gl.mpi.from_arcs, **ends)
    yield plain("mpi.explain", gl.mpi.explain, G=None)
    drawn: dict[str, Any] = {"edge_factor": 4, "engine": "cpu", "seed": 2, "sources": 2, "validate": False}
    yield plain("mpi.graph500", gl.mpi.graph500, scale=5, **drawn)


def warm_some(_: Any, only: Any, **given: Any) -> Any:
    """Warm what is asked for; without names it would be everything, for minutes."""
    return gl.caching.warm(only=[] if only is None else only, **given)


def make_triangle() -> gl.Graph:
    """An undirected graph."""
    return gl.Graph(([0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]), n=4, engine="cpu")


def run_loop_of_scalars(
    o: dict[str, Any], of: Any = 2, number: Any = 3, place: Any = 1, condition: Any = lambda: True
) -> Any:
    """A loop whose body takes wrong numbers, Scalars and positions."""
    v, s = o["v"].dup(), gl.Scalar("FP64", 1)

    def body(_: Any) -> None:
        s << of
        v << v * s + number
        v[place] << s

    return gl.loop(body, while_true=(lambda: s > 0) if callable(condition) else condition, times=2)


def list_verifiers() -> Iterator[Call]:
    G = make_operands()["G"]
    levels, parents = gl.bfs(G, 0, parents=True)
    yield plain("bfs.verify", gl.bfs.verify, G=G, source=0, levels=levels, parents=parents)
    distances, parents = gl.sssp(G, 0, parents=True)
    yield plain("sssp.verify", gl.sssp.verify, G=G, source=0, distances=distances, parents=parents)
    D, hops = gl.apsp(G, next_hops=True)
    yield plain("apsp.verify", gl.apsp.verify, G=G, distances=D, next_hops=hops)
    labels, sizes = gl.components(G, sizes=True)
    yield plain("betweenness.verify", gl.betweenness.verify, G=G, values=gl.betweenness(G), sources=None)
    yield plain("closeness.verify", gl.closeness.verify, G=G, values=gl.closeness(G), sources=None)
    yield plain("components.verify", gl.components.verify, G=G, labels=labels, sizes=sizes, kind="weak")
    counts = gl.triangles(make_triangle(), per_vertex=True)
    yield plain("triangles.verify", gl.triangles.verify, G=make_triangle(), counts=counts, per_vertex=True)
    yield plain("clustering.verify", gl.clustering.verify, G=G, coefficients=gl.clustering(G), kind="local")
    labels = gl.label_propagation(G, 2)
    yield plain("label_propagation.verify", gl.label_propagation.verify, G=G, labels=labels, rounds=2, seed=None)
    chosen = gl.independent_set(make_triangle())
    yield plain("independent_set.verify", gl.independent_set.verify, G=make_triangle(), chosen=chosen)
    alike = gl.jaccard(make_triangle())
    yield plain("similarity.verify", gl.similarity.verify, G=make_triangle(), scores=alike, pairs=None, kind="jaccard")
    widths, befores = gl.widest_paths(G, 0, parents=True)
    yield plain("widest_paths.verify", gl.widest_paths.verify, G=G, source=0, widths=widths, parents=befores)
    closed = gl.transitive_closure(G)
    yield plain("transitive_closure.verify", gl.transitive_closure.verify, G=G, closure=closed, reflexive=False)
    paths, asked = gl.random_walks(G, 2), {"starts": None, "walks": 1, "weights": False}
    yield plain("random_walks.verify", gl.random_walks.verify, G=G, found=paths, length=2, **asked)
    yield plain("dominators.verify", gl.dominators.verify, G=G, source=0, found=gl.dominators(G, 0))
    far, width = gl.eccentricity(G), gl.diameter(G)
    yield plain("eccentricity.verify", gl.eccentricity.verify, G=G, values=far, sources=None, weights=False)
    yield plain("diameter.verify", gl.diameter.verify, G=G, value=width, weights=False)
    acyclic = gl.Graph(([0, 1], [1, 2]))
    order, depths = gl.topological_order(acyclic, levels=True)
    yield plain("topological_order.verify", gl.topological_order.verify, G=acyclic, order=order, levels=depths)
    numbers = gl.truss_numbers(make_triangle())
    yield plain("truss_numbers.verify", gl.truss_numbers.verify, G=make_triangle(), numbers=numbers)
    parts = gl.biconnected_components(make_triangle())
    yield plain("biconnected_components.verify", gl.biconnected_components.verify, G=make_triangle(), numbers=parts)
    mates = gl.matching(make_triangle())
    yield plain("matching.verify", gl.matching.verify, G=make_triangle(), mates=mates, kind="maximal", weights=False)
    colors = gl.coloring(make_triangle())
    yield plain("coloring.verify", gl.coloring.verify, G=make_triangle(), colors=colors)
    yield plain("max_flow.verify", gl.max_flow.verify, G=G, source=0, answer=gl.max_flow(G, 0, 1), sink=1)
    cores = gl.core_numbers(make_triangle())
    yield plain("core_numbers.verify", gl.core_numbers.verify, G=make_triangle(), cores=cores)
    forest = gl.spanning_forest(make_triangle())
    yield plain("spanning_forest.verify", gl.spanning_forest.verify, G=make_triangle(), forest=forest, kind="minimum")


def list_tools() -> Iterator[Call]:
    G = make_operands()["G"]
    quick = {"repeat": 1, "time_limit": 5.0, "progress": False}
    yield plain("compare nothing", gl.compare, problem="bfs", graphs=[], source=0, **quick)
    yield aim_at(
        call_function("compare", lambda o, **who: gl.compare("bfs", G, **who, **quick), methods=[], peers=False),
        gl.compare,
    )
    yield plain("config.set", lambda **given: gl.config.set(**given).__enter__(), engine="cpu", memory_limit=None)
    yield plain("config.autocompute = …", lambda wanted: setattr(gl.config, "autocompute", wanted), wanted=True)
    yield plain("config.engine = …", lambda engine: setattr(gl.config, "engine", engine), engine="cpu")
    yield plain("config.memory_limit = …", lambda bytes: setattr(gl.config, "memory_limit", bytes), bytes=10**9)
    written = gl.Vector("INT64", 3, engine="cpu")
    rounds: dict[str, Any] = {"body": lambda depth: written << 1, "times": 2, "max_rounds": None}
    yield plain("loop", gl.loop, **rounds, while_entries=None, while_true=None)
    yield call_function("loop body", lambda o, value: gl.loop(lambda depth: o["v"] << value, times=2), value=1)
    yield call_function("loop of Scalars", run_loop_of_scalars, of=2, number=3, place=1)
    yield call_function("loop condition", lambda o, value: run_loop_of_scalars(o, condition=value), value=True)
    with gl.trace() as traced:
        gl.bfs(G, 0, method="algebraic")
    for method, more in (("to_html", {}), ("to_chrome", {}), ("plot", {"format": "svg"})):
        yield plain(f"trace().{method}", getattr(traced, method), path=FOLDER / "t.svg", **more)
