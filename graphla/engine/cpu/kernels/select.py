"""The entries of a matrix for which op(value, i, j, thunk) holds, and op of every entry."""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span


@njit()
def fill(first, last, begin, indptr, indices, values, thunk, cp, cj, cx):
    """Copy the selected entries of each row: each is written, and the next one over it unless it is selected."""
    n = np.uint64(begin)
    for i in range(first, last):
        p, end = span(indptr, i)
        while p < end:
            j, x = indices[p], values[p]
            cj[n] = j
            cx[n] = x
            n += np.uint64(apply(x, np.int64(i), np.int64(j), thunk))
            p += ONE
        cp[i + 1] = n
    return np.int64(n)


@njit()
def evaluate(first, last, indptr, indices, values, thunk, out):
    """Compute op of every entry."""
    for i in range(first, last):
        p, end = span(indptr, i)
        while p < end:
            out[p] = apply(values[p], np.int64(i), np.int64(indices[p]), thunk)
            p += ONE
    return 0
