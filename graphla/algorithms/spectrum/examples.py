"""A call of each function of Laplacians, for what compiles or times first calls: see `all_examples`."""

from __future__ import annotations

from graphla.algorithms.spectrum.eigenvectors import laplacian_eigenvectors, smallest_eigenvectors
from graphla.algorithms.spectrum.electrical import (
    current_flow_betweenness,
    current_flow_closeness,
    effective_resistance,
)
from graphla.algorithms.spectrum.embedding import spectral_clustering, spectral_embedding
from graphla.algorithms.spectrum.harmonic import harmonic
from graphla.containers.vector import Vector

EXAMPLES = {
    "laplacian_eigenvectors": lambda G: laplacian_eigenvectors(G, 4),
    "smallest_eigenvectors": lambda G: smallest_eigenvectors(G, 4, sigma=-0.37),
    "spectral_embedding": lambda G: spectral_embedding(G, 2),
    "spectral_clustering": lambda G: spectral_clustering(G, 2, seed=0),
    "effective_resistance": lambda G: effective_resistance(G, [[0, 1]]),
    "current_flow_closeness": lambda G: current_flow_closeness(G),
    "current_flow_betweenness": lambda G: current_flow_betweenness(G),
    "harmonic": lambda G: harmonic(G, Vector.from_dict({0: 1.0, 1: 0.0}, size=G.n, engine=G.engine)),
}
