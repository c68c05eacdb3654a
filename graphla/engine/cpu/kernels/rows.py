"""C[i, :] = ⊕_k A[i, k] ⊗ B[k, :], row by row, with an accumulator as wide as B (Gustavson 1978).

O(products + entries log entries), in one pass into room for as many entries as there could be. With a mask
(MASKED) `mode` is 1 to keep only the columns of its row, 2 to leave them out; it chooses when a row is complete.
"""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span
from graphla.engine.cpu.sort import sort_part
from graphla.engine.cpu.structure import leave_out, mark_row

DENSE = 8
"""Columns per entry of a row up to which looking at every column beats sorting those that have one."""


@njit()
def fill(first, last, begin, ap, aj, ax, bp, bj, bx, mode, mp, mj, products, cp, cj, cx, seen, marks, total):
    """Compute the sorted columns and the values of each row of C from `begin` on; return where the last row ends.

    `products` is the running sum of the products of the rows. `seen` and `marks` are zero for each column, and `total`
    has room for each. A row with more products than columns is not listed, because it is not sorted.
    """
    width, end = total.shape[0], np.int64(begin)
    for i in range(first, last):
        stamp, start = np.int32(i + 1), end
        listed = products[i + 1] - products[i] < width
        p, row_end = span(ap, i)
        if MASKED and mode == 1:
            listed = False
            p = row_end if mp[i] == mp[i + 1] else p
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
            if MASKED:
                end = leave_out(cj, start, end, i, mp, mj, marks)
            sort_part(cj, start, end)
            for n in range(start, end):
                cx[n] = total[cj[n]]
        else:  # the columns in their order: those of the mask's row, or all
            end, low, high = start, np.int64(0), np.int64(width)
            if MASKED:
                if mode == 1:
                    low, high = np.int64(mp[i]), np.int64(mp[i + 1])
                else:
                    mark_row(i, mp, mj, marks)
            for n in range(low, high):
                j = np.int32(n)
                if MASKED:
                    j = mj[n] if mode == 1 else j
                cj[end] = j
                cx[end] = total[j]
                there = seen[j] == stamp
                if MASKED:
                    there = there and (mode == 1 or marks[j] != stamp)
                end += np.int64(there)
        cp[i + 1] = end
    return end
