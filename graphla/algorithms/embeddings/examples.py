"""A call of each function of embeddings, for what compiles or times first calls: see `all_examples`."""

from __future__ import annotations

from graphla.algorithms.embeddings.fastrp import fastrp
from graphla.algorithms.embeddings.propagation import propagate
from graphla.algorithms.embeddings.similar import similar

EXAMPLES = {
    "fastrp": lambda G: fastrp(G, 8, seed=1),
    "propagate": lambda G: propagate(G, fastrp(G, 8, seed=1)),
    "similar": lambda G: similar(fastrp(G, 8, seed=1), 2, engine=G.engine),
}
