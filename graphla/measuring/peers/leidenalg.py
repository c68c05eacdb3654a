"""leidenalg: the Leiden method by its authors, on igraph's graphs."""

# its names are found at run time:
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from graphla.common.errors import NotSupported
from graphla.measuring.peers.igraph import make_weighted
from graphla.measuring.peers.peer import Peer, Task, name_communities
from graphla.storage import CompressedMatrix


def solve_leiden(
    csr: CompressedMatrix,
    resolution: float = 1.0,
    seed: int = 0,
    threshold: float = 0.0,
    max_levels: int | None = None,
    iterations: int = 2,
) -> Task:
    """`find_partition` of the modularity."""
    import leidenalg

    if threshold or max_levels is not None:
        raise NotSupported("it climbs until no vertex gains")
    g, kind = make_weighted(csr), leidenalg.RBConfigurationVertexPartition
    asked = {"weights": "weight", "resolution_parameter": resolution, "n_iterations": iterations, "seed": seed}
    return Task(lambda: leidenalg.find_partition(g, kind, **asked), lambda found: name_communities(found.membership))


peer = Peer("leidenalg", "leidenalg", "cpu", {"leiden": solve_leiden})
