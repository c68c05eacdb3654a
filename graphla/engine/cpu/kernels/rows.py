"""C[i, :] = ⊕_k A[i, k] ⊗ B[k, :], row by row, with an accumulator as wide as B (Gustavson 1978).

O(products + entries log entries), in one pass into room for as many entries as there could be. `mode` is 0 without a
mask, 1 to keep only the columns of the mask's row, 2 to leave them out: the mask chooses when a row is complete.
"""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span
from graphla.engine.cpu.structure import mark_row, sort_outside, sort_row

DENSE = 16
"""Columns per entry of a row up to which looking at every column beats sorting those that have one."""


@njit()
def fill(
    first,
    last,
    begin,
    ap,
    aj,
    ax,
    bp,
    bj,
    bx,
    mode,
    mp,
    mj,
    products,
    cp,
    cj,
    cx,
    seen,
    marks,
    total,
):
    """Compute the sorted columns and the values of each row of C from `begin` on; return where the last row ends.

    `products` is the running sum of the products of the rows. `seen` and `marks` are zero for each column, and `total`
    has room for each. A row with more products than columns is not listed, because it is not sorted.
    """
    width, end = total.shape[0], np.int64(begin)
    for i in range(first, last):
        stamp, start = np.int32(i + 1), end
        listed = mode != 1 and products[i + 1] - products[i] < width
        p, row_end = span(ap, i)
        if mode == 1 and mp[i] == mp[i + 1]:
            p = row_end
        while p < row_end:
            k, x = np.uint64(aj[p]), ax[p]
            q, other_end = span(bp, k)
            while q < other_end:  # no branch: it would be mispredicted
                j = np.uint64(bj[q])
                term = mul(x, bx[q], np.int64(i), np.int64(k), np.int64(j))
                fresh = seen[j] != stamp
                seen[j] = stamp
                if IS_ANY:
                    total[j] = term
                else:
                    both = add(total[j], term)
                    total[j] = term if fresh else both
                cj[end] = j
                end += np.int64(fresh and listed)
                q += ONE
            p += ONE
        if listed and DENSE * (end - start) <= width:
            end = sort_outside(cj, start, end, i, mp, mj, marks) if mode == 2 else sort_row(cj, start, end)
            for n in range(start, end):
                cx[n] = total[cj[n]]
        else:  # the columns in their order: those of the mask's row, or all
            end = start
            if mode == 2:
                mark_row(i, mp, mj, marks)
            low, high = (mp[i], mp[i + 1]) if mode == 1 else (0, width)
            for n in range(low, high):
                j = mj[n] if mode == 1 else np.int32(n)
                cj[end] = j
                cx[end] = total[j]
                end += np.int64(seen[j] == stamp and (mode != 2 or marks[j] != stamp))
        cp[i + 1] = end
    return end
