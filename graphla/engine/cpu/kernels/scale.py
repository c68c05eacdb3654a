"""out[q] = d[i] ⊗ A[i, j] or A[i, j] ⊗ d[j] for each entry q of A: the values of a product with a diagonal matrix."""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span


@njit()
def scale_rows(first, last, indptr, diagonal, values, out):
    """Scale each row by its factor."""
    for i in range(first, last):
        factor = diagonal[i]
        q, end = span(indptr, i)
        while q < end:
            out[q] = apply(factor, values[q])
            q += ONE
    return 0


@njit()
def scale_columns(first, last, indptr, indices, values, diagonal, out):
    """Scale each column by its factor."""
    for q in range(np.uint64(indptr[first]), np.uint64(indptr[last])):
        out[q] = apply(values[q], diagonal[np.uint64(indices[q])])
    return 0
