"""Samples of a graph for neural networks: neighbourhoods with numbers of their own, and pairs that no arc joins."""
