"""C[i, j] = ⊕_k A[i, k] ⊗ Bᵀ[j, k] for the entries (i, j) of a mask only, up to the terminal value of ⊕.

The columns of row i of A are marked once for all entries of row i of the mask. O(entries of A, and of row j of B for
each entry of the mask); where row j is far longer than row i, each column of row i is looked for in it by bisection.
"""

# --- template
from graphla.engine.cpu.entries.structure import ONE, SKEWED, find, span
from graphla.engine.cpu.structure import mark_positions


@njit()
def compute_dots(first, last, begin, mask_indptr, mask_indices, ap, aj, ax, bp, bj, bx, cp, cj, cx, marks, positions):
    """Compute the entries of each row from `begin` on; return where the last row ends.

    `marks` is zero for each column, and `positions` has room for each.
    """
    n = np.uint64(begin)
    for i in range(first, last):
        m, mask_end = span(mask_indptr, i)
        a_begin, a_end = span(ap, i)
        if m < mask_end:
            mark_positions(ap, aj, i, marks, positions)
        stamp = np.int32(i + 1)
        while m < mask_end:
            j = np.uint64(mask_indices[m])
            q, b_end = span(bp, j)
            found = False
            total = IDENTITY
            if b_end - q > SKEWED * (a_end - a_begin):
                p = a_begin
                while p < a_end and q < b_end:
                    q = find(bj, q, b_end, aj[p])
                    if q < b_end and bj[q] == aj[p]:
                        term = mul(ax[p], bx[q], np.int64(i), np.int64(aj[p]), np.int64(j))
                        total = add(total, term) if found else term
                        found = True
                        if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                            break
                    p += ONE
            else:
                while q < b_end:
                    k = np.uint64(bj[q])
                    if marks[k] == stamp:
                        term = mul(ax[np.uint64(positions[k])], bx[q], np.int64(i), np.int64(k), np.int64(j))
                        total = add(total, term) if found else term
                        found = True
                        if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                            break
                    q += ONE
            cj[n] = mask_indices[m]
            cx[n] = total
            n += np.uint64(found)
            m += ONE
        cp[i + 1] = n
    return np.int64(n)
