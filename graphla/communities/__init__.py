"""Communities as scanpy and graspologic ask for them: the names of `graphla.doors.communities`, for users."""

from graphla.doors.communities.cells import cluster_cells
from graphla.doors.communities.hierarchy import HierarchicalCluster, HierarchicalClusters, hierarchical_leiden

__all__ = ["HierarchicalCluster", "HierarchicalClusters", "cluster_cells", "hierarchical_leiden"]
