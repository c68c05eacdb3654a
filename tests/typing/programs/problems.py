"""Graphs, problems and files as a user calls them, with annotations: no error in strict mode."""

import numpy as np

import graphla as gl
from graphla import Graph, Matrix, Vector

G: Graph = gl.Graph(([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0]), n=4, engine="cpu")
W: Graph = gl.Graph(np.eye(3), name="loops")
levels: Vector = gl.bfs(G, 0)
levels, parents = gl.bfs(G, 0, parents=True)
tree: dict[int, int] = parents.to_dict()
many: Matrix = gl.bfs(G, sources=[0, 1])
d: Vector = gl.sssp(G, 0)
d, p = gl.sssp(G, 0, parents=True, method="delta_stepping")
rows: Matrix = gl.sssp(G, sources=[0, 1])
lengths: Matrix = gl.apsp(G)
lengths, hops = gl.apsp(G, next_hops=True)
labels: Vector = gl.components(G, kind="strong")
labels, sizes = gl.components(G, sizes=True)
communities: Vector = gl.label_propagation(G, 5, method="algebraic")
ranks: Vector = gl.pagerank(G, 0.9, personalization={0: 1.0}, convention="networkx")
walks: Vector = gl.katz(G, 0.01, beta=2, weights=True)
hubs, authorities = gl.hits(G, rounds=3)
central: Vector = gl.eigenvector(G, dtype="FP32")
count: int = gl.triangles(G)
counts: Vector = gl.triangles(G, per_vertex=True)
local: Vector = gl.clustering(G)
share: float = gl.clustering(G, kind="transitivity")
mates: Vector = gl.matching(G, kind="maximum")
forest: Matrix = gl.spanning_forest(G, kind="maximum")
colors: Vector = gl.coloring(G, seed=3)
cores: Vector = gl.core_numbers(G)
innermost: Matrix = gl.k_core(G)
apart: Vector = gl.independent_set(G, seed=3)
order: Vector = gl.topological_order(G)
order, deep = gl.topological_order(G, levels=True)
cycle: list[int] = gl.find_cycle(G)
path: list[int] = gl.shortest_path(G, 0, 2)
near: Vector = gl.closeness(G, harmonic=True, direction="out")
between: Vector = gl.betweenness(G, sources=2, seed=1)
over: Matrix = gl.betweenness(G, sources=[0, 2], edges=True, weights=True)
gl.bfs.verify(G, 0, levels, parents)
K: Graph = gl.generate.kronecker(5, engine="cpu")
R: Graph = gl.read("road.gr").to("cpu")
gl.write("copy.npz", G)
with gl.trace() as trace:
    gl.bfs(K, 0)
print(trace, gl.bfs.methods, G.n, G.nvals, G.symmetric, path, tree, near, between, over, hops)
gl.config.engine = "cpu"
with gl.config.set(memory_limit=10**9):
    comparison = gl.compare("bfs", K)
