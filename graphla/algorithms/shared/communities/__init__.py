"""Levels, moves and joins of communities, for Louvain and Leiden."""
