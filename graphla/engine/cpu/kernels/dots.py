"""C[i, j] = ⊕_k A[i, k] ⊗ Bᵀ[j, k] for the entries (i, j) of a mask only, up to the terminal value of ⊕.

O(sum over the mask of the lengths of the two rows).
"""


# --- template
@njit()
def compute_dots(first, last, mask_indptr, mask_indices, ap, aj, ax, bp, bj, bx, present, out):
    """Compute presence and value at each entry of the mask in the rows `first` to ``last - 1``."""
    for i in range(first, last):
        for m in range(mask_indptr[i], mask_indptr[i + 1]):
            j = mask_indices[m]
            found = False
            total = IDENTITY
            p, q = ap[i], bp[j]
            while p < ap[i + 1] and q < bp[j + 1]:
                if aj[p] < bj[q]:
                    p += 1
                elif aj[p] > bj[q]:
                    q += 1
                else:
                    term = mul(ax[p], bx[q], i, aj[p], j)
                    total = add(total, term) if found else term
                    found = True
                    p += 1
                    q += 1
                    if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                        break
            present[m] = found
            if found:
                out[m] = total
    return 0
