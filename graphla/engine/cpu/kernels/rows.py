"""C[i, :] = ⊕_k A[i, k] ⊗ B[k, :], row by row, with an accumulator as wide as B (Gustavson 1978).

O(products + entries log entries), after a pass that counts entries, or into bounds of their counts. `mode` is 0 without
a mask, 1 to keep only the columns of the mask's row, 2 to leave them out.
"""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span
from graphla.engine.cpu.sort import sort_part
from graphla.engine.cpu.structure import mark_mask

DENSE = 8
"""Columns per entry of a row up to which looking at every column beats sorting those that have one."""


@njit()
def fill(first, last, ap, aj, ax, bp, bj, bx, mode, mask_indptr, mask_indices, counts, cp, cj, cx, seen, marks, total):
    """Compute the sorted columns and the values of each row of C, from cp[i] on, and count them.

    `seen` and `marks` are zero for each column, and `total` has room for each.
    """
    width = total.shape[0]
    for i in range(first, last):
        stamp, end = np.int32(i + 1), cp[i]
        dense = mode == 1 or DENSE * (cp[i + 1] - cp[i]) > width
        mark_mask(i, mode, mask_indptr, mask_indices, marks)
        p, row_end = span(ap, i)
        while p < row_end:
            k, x = np.uint64(aj[p]), ax[p]
            q, other_end = span(bp, k)
            while q < other_end:
                j = np.uint64(bj[q])
                if mode == 0 or (marks[j] == stamp) == (mode == 1):
                    term = mul(x, bx[q], np.int64(i), np.int64(k), np.int64(j))
                    fresh = seen[j] != stamp
                    seen[j] = stamp
                    if IS_ANY:
                        total[j] = term
                    else:  # no branch: it would be mispredicted
                        both = add(total[j], term)
                        total[j] = term if fresh else both
                    if fresh and not dense:
                        cj[end] = j
                        end += 1
                q += ONE
            p += ONE
        if dense:  # the columns in their order: those of the mask's row, or all
            begin, last_column = (mask_indptr[i], mask_indptr[i + 1]) if mode == 1 else (0, width)
            for n in range(begin, last_column):
                j = mask_indices[n] if mode == 1 else np.int32(n)
                if seen[j] == stamp:
                    cj[end] = j
                    cx[end] = total[j]
                    end += 1
        else:
            sort_part(cj, cp[i], end)
            for n in range(cp[i], end):
                cx[n] = total[cj[n]]
        counts[i] = end - cp[i]
    return 0
