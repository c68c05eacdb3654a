"""Structure of sparse data with array operations alone: the same text on NumPy and CuPy.

Whatever only moves entries (merging, masking, extracting, assigning) is written here once, over the array module
of an engine. What computes with values (products, maps, folds) is each engine's own.
"""
