"""C[i, :] = ⊕_k A[i, k] ⊗ B[k, :], a row at a time over an accumulator as wide as B (Gustavson 1978).

O(products + entries log entries); two passes, the first counts. `mode` is 0 without a mask, 1 to keep the columns
of the mask's row, 2 to leave them out.
"""


# --- template
@operator
def stamp_mask(i, mode, mask_indptr, mask_indices, marks):
    if mode != 0:
        for q in range(mask_indptr[i], mask_indptr[i + 1]):
            marks[mask_indices[q]] = i


@njit()
def count(first, last, ap, aj, bp, bj, width, mode, mask_indptr, mask_indices, counts):
    """Entries of each row of C."""
    seen, marks = np.full(width, -1, np.int64), np.full(width if mode else 1, -1, np.int64)
    for i in range(first, last):
        stamp_mask(i, mode, mask_indptr, mask_indices, marks)
        entries = 0
        for p in range(ap[i], ap[i + 1]):
            for q in range(bp[aj[p]], bp[aj[p] + 1]):
                j = bj[q]
                if seen[j] != i and (mode == 0 or (marks[j] == i) == (mode == 1)):
                    seen[j] = i
                    entries += 1
        counts[i] = entries
    return 0


@njit()
def fill(first, last, ap, aj, ax, bp, bj, bx, width, mode, mask_indptr, mask_indices, cp, cj, cx):
    """Columns, sorted, and values of each row of C."""
    seen, marks = np.full(width, -1, np.int64), np.full(width if mode else 1, -1, np.int64)
    total = np.empty(width, cx.dtype)
    for i in range(first, last):
        stamp_mask(i, mode, mask_indptr, mask_indices, marks)
        end = cp[i]
        for p in range(ap[i], ap[i + 1]):
            k = aj[p]
            for q in range(bp[k], bp[k + 1]):
                j = bj[q]
                if mode != 0 and (marks[j] == i) != (mode == 1):
                    continue
                if seen[j] != i:
                    seen[j] = i
                    total[j] = mul(ax[p], bx[q], i, k, j)
                    cj[end] = j
                    end += 1
                elif not IS_ANY:
                    total[j] = add(total[j], mul(ax[p], bx[q], i, k, j))
        cj[cp[i] : end].sort()
        for p in range(cp[i], end):
            cx[p] = total[cj[p]]
    return 0
