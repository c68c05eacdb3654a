"""Ways in for users of something else: SciPy's csgraph, the NetworkX backend, the command line."""
