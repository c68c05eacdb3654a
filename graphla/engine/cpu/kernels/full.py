"""C[i, j] = ⊕_k A[i, k] ⊗ B[k, j] for full A and B.

The loops combine two rows of C with four rows of B, so that each row of B is read once for two results and each row of
C once for four products. The compiler vectorises the loop over j. A tile of B stays in the second-level cache.
O(n m k), on all cores.
"""

# --- template
from graphla.engine.cpu.threads import run_over_rows

WIDTH = 512
DEPTH = 64


def multiply_full(A, B, C):
    """Fill C with the product."""
    work = A.shape[1] * B.shape[1]
    run_over_rows(multiply_rows, np.arange(A.shape[0] + 1) * max(1, work), A.shape[0] * work, A, B, C)


@njit()
def multiply_rows(first, last, A, B, C):
    """Compute the rows `first` to ``last - 1`` of C, tile by tile."""
    C[first:last] = IDENTITY
    for left in range(0, B.shape[1], WIDTH):
        right = min(left + WIDTH, B.shape[1])
        for low in range(0, B.shape[0], DEPTH):
            high = min(low + DEPTH, B.shape[0])
            for i in range(first, last - 1, 2):
                add_two_rows(i, low, high, left, right, A, B, C)
            if (last - first) % 2:
                add_one_row(last - 1, low, high, left, right, A, B, C)
    return 0


@njit()
def add_two_rows(i, low, high, left, right, A, B, C):
    """Add a tile's products to the rows i and i + 1 of C, four k at a time; single rows take the remainder."""
    four = low + (high - low) // 4 * 4
    c0, c1 = C[i, left:right], C[i + 1, left:right]
    for k in range(low, four, 4):
        b0, b1, b2, b3 = B[k, left:right], B[k + 1, left:right], B[k + 2, left:right], B[k + 3, left:right]
        x0, x1, x2, x3 = A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]
        y0, y1, y2, y3 = A[i + 1, k], A[i + 1, k + 1], A[i + 1, k + 2], A[i + 1, k + 3]
        for j in range(right - left):
            c0[j] = add(
                c0[j],
                add(
                    add(mul(x0, b0[j], i, k, left + j), mul(x1, b1[j], i, k + 1, left + j)),
                    add(mul(x2, b2[j], i, k + 2, left + j), mul(x3, b3[j], i, k + 3, left + j)),
                ),
            )
            c1[j] = add(
                c1[j],
                add(
                    add(mul(y0, b0[j], i + 1, k, left + j), mul(y1, b1[j], i + 1, k + 1, left + j)),
                    add(mul(y2, b2[j], i + 1, k + 2, left + j), mul(y3, b3[j], i + 1, k + 3, left + j)),
                ),
            )
    add_one_row(i, four, high, left, right, A, B, C)
    add_one_row(i + 1, four, high, left, right, A, B, C)


@njit()
def add_one_row(i, low, high, left, right, A, B, C):
    """Add a tile's products to row i of C."""
    c = C[i, left:right]
    for k in range(low, high):
        b, x = B[k, left:right], A[i, k]
        for j in range(right - left):
            c[j] = add(c[j], mul(x, b[j], i, k, left + j))
