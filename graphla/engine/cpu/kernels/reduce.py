"""s[i] = ⊕ of values[indptr[i]:indptr[i + 1]], up to the terminal value; the identity for an empty segment."""


# --- template
@njit()
def reduce_segments(first, last, indptr, values, out):
    for i in range(first, last):
        total = IDENTITY
        for q in range(indptr[i], indptr[i + 1]):
            total = add(total, mul(values[q], values[q], 0, 0, 0))
            if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                break
        out[i] = total
    return 0
