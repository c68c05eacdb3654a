"""C[i·m + k, j·n + l] = A[i, j] ⊗ B[k, l]: row i·m + k has a run of row k of B for each entry of row i of A."""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span


@njit()
def multiply(first, last, ap, bp, aj, ax, bj, bx, b_rows, b_columns, cp, cj, cx):
    """Fill the rows of a Kronecker product."""
    for row in range(first, last):
        p, a_end = span(ap, row // b_rows)
        b_begin, b_end = span(bp, row % b_rows)
        n = np.uint64(cp[row])
        while p < a_end:
            begin, x, q = np.int64(aj[p]) * b_columns, ax[p], b_begin
            while q < b_end:
                cj[n] = begin + bj[q]
                cx[n] = apply(x, bx[q])
                q += ONE
                n += ONE
            p += ONE
    return 0


@njit()
def multiply_full(first, last, a, b, out):
    """Fill rows of the Kronecker product of full matrices."""
    height, width = b.shape
    for row in range(first, last):
        i, k = row // height, row % height
        for j in range(a.shape[1]):
            x = a[i, j]
            for column in range(width):
                out[row, j * width + column] = apply(x, b[k, column])
    return 0
