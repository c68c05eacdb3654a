"""Operations and algorithms in the words that graphla and python-graphblas share, timed side by side."""

FAMILIES = (
    "elementwise", "reductions", "extracts", "writes", "conversions", "vectors", "few", "matrices", "algorithms"
)  # fmt: skip
"""The operations that are compared, by what they do."""
