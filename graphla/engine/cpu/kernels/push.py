"""w = ⊕_k M[k, :] ⊗ v[k]: the rows of the entries of v are scattered into w. O(arcs that leave v)."""


# --- template
@operator
def multiply(a, x, i, k):
    return mul(x, a, 0, k, i) if FLIP else mul(a, x, i, k, 0)


@njit()
def push(indptr, indices, values, places, operand_values, masked, flags, keep, present, out, touched):
    """Scatter into `out`, set flags in `present` and list the indices in `touched`; return their number.

    `touched` has room for one more.
    """
    count = 0
    for p in range(places.size):
        k = places[p]
        for q in range(indptr[k], indptr[k + 1]):
            i = indices[q]
            if masked and flags[i] != keep:
                continue
            term = multiply(values[q], operand_values[p], i, k)
            fresh = not present[i]
            present[i] = True
            if IS_ANY:
                out[i] = term
            else:  # no branch: it would be mispredicted
                both = add(out[i], term)
                out[i] = term if fresh else both
            touched[count] = i
            count += fresh
    return count


@njit()
def push_flagged(indptr, indices, values, has, operand_values, masked, flags, keep, present, out):
    """The same of an operand with flags, where no list of the indices is asked for; return how many there are."""
    count = 0
    for k in range(has.size):
        if not has[k]:
            continue
        for q in range(indptr[k], indptr[k + 1]):
            i = indices[q]
            if masked and flags[i] != keep:
                continue
            term = multiply(values[q], operand_values[k], i, k)
            fresh = not present[i]
            present[i] = True
            if IS_ANY:
                out[i] = term
            else:
                both = add(out[i], term)
                out[i] = term if fresh else both
            count += fresh
    return count
