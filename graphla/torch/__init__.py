"""Batches for graph neural networks in PyTorch: the names of `graphla.doors.torch`, where users know them."""

from graphla.doors.torch.loader import Batch, NeighborLoader

__all__ = ["Batch", "NeighborLoader"]
