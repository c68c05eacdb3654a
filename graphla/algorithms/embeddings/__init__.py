"""Vertices as vectors: random projections, filters of vectors along the arcs, and the vectors that are most alike."""
