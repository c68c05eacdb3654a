"""C[i, :] = ⊕_k A[i, k] ⊗ B[k, :], row by row, with an accumulator as wide as B (Gustavson 1978).

O(products + entries log entries), after a pass that counts entries. `mode` is 0 without a mask, 1 to keep only the
columns of the mask's row, 2 to leave them out.
"""

# --- template
from graphla.engine.cpu.structure import make_marks, sort_part, stamp_mask


@njit()
def fill(first, last, ap, aj, ax, bp, bj, bx, width, mode, mask_indptr, mask_indices, cp, cj, cx):
    """Compute the sorted columns and the values of each row of C."""
    seen, marks = make_marks(width), make_marks(width if mode else 1)
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
                term = mul(ax[p], bx[q], i, k, j)
                if seen[j] != i:
                    seen[j] = i
                    total[j] = term
                    cj[end] = j
                    end += 1
                elif not IS_ANY:
                    total[j] = add(total[j], term)
        sort_part(cj, cp[i], end)
        for p in range(cp[i], end):
            cx[p] = total[cj[p]]
    return 0
