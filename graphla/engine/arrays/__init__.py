"""Operations on the structure of sparse data that use array operations only: one implementation for NumPy and CuPy.

This package moves entries (merge, mask, extract, assign) with the array module of an engine. Each engine implements
itself what computes with values (products, apply, reduce).
"""
