"""C[i, :] = ⊕_k A[i, k] ⊗ X[k, :] for a matrix X that is full: the values of a vertex lie side by side."""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span


@operator
def multiply(a, x, i, k, t):
    return mul(x, a, t, k, i) if FLIP else mul(a, x, i, k, t)


@njit()
def multiply_rows(first, last, indptr, indices, values, dense, out):
    """Fill the rows of C that have an entry. With FLIP it is C transposed, and A is the second operand of ⊗."""
    width = dense.shape[1]
    for i in range(first, last):
        p, end = span(indptr, i)
        row = out[i]
        if p < end:
            k = np.uint64(indices[p])
            a, x = values[p], dense[k]
            for t in range(width):
                row[t] = multiply(a, x[t], i, np.int64(k), t)
            p += ONE
        while p < end and not IS_ANY:
            k = np.uint64(indices[p])
            a, x = values[p], dense[k]
            for t in range(width):
                row[t] = add(row[t], multiply(a, x[t], i, np.int64(k), t))
            p += ONE
    return 0
