"""The entries of a matrix for which op(value, i, j, thunk) holds, and op of every entry."""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span


@njit()
def count(first, last, indptr, indices, values, thunk, counts):
    """Count the entries of each row that are selected."""
    for i in range(first, last):
        p, end = span(indptr, i)
        entries = 0
        while p < end:
            entries += np.int64(apply(values[p], np.int64(i), np.int64(indices[p]), thunk))
            p += ONE
        counts[i] = entries
    return 0


@njit()
def fill(first, last, indptr, indices, values, thunk, cp, cj, cx):
    """Copy the selected entries of each row: each is written, and the next one over it unless it is selected."""
    for i in range(first, last):
        p = np.uint64(indptr[i])
        n, end = np.uint64(cp[i]), np.uint64(cp[i + 1])
        while n < end:
            j, x = indices[p], values[p]
            cj[n] = j
            cx[n] = x
            n += np.uint64(apply(x, np.int64(i), np.int64(j), thunk))
            p += ONE
    return 0


@njit()
def evaluate(first, last, indptr, indices, values, thunk, out):
    """Compute op of every entry."""
    for i in range(first, last):
        p, end = span(indptr, i)
        while p < end:
            out[p] = apply(values[p], np.int64(i), np.int64(indices[p]), thunk)
            p += ONE
    return 0
