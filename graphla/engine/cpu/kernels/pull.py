"""w[i] = ⊕_k M[i, k] ⊗ v[k] for each row that the mask allows, up to the terminal value of ⊕."""


# --- template
@operator
def multiply(a, x, i, k):
    return mul(x, a, 0, k, i) if FLIP else mul(a, x, i, k, 0)


@njit()
def pull(first, last, indptr, indices, values, full, has, operand_values, masked, flags, keep, present, out):
    """Compute presence and value of the rows `first` to ``last - 1``; return the number of entries."""
    count = 0
    for i in range(first, last):
        present[i] = False
        if masked and flags[i] != keep:
            continue
        found = False
        total = IDENTITY
        for q in range(indptr[i], indptr[i + 1]):
            k = indices[q]
            if full or has[k]:
                term = multiply(values[q], operand_values[k], i, k)
                total = add(total, term) if found else term
                found = True
                if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                    break
        if found:
            present[i] = True
            out[i] = total
            count += 1
    return count


@njit()
def pull_full(first, last, columns, values, has, operand_values, full, masked, flags, keep, present, out):
    """Compute the same over a full matrix with `columns` columns."""
    count = 0
    for i in range(first, last):
        present[i] = False
        if masked and flags[i] != keep:
            continue
        found = False
        total = IDENTITY
        for k in range(columns):
            if full or has[k]:
                term = multiply(values[i, k], operand_values[k], i, k)
                total = add(total, term) if found else term
                found = True
                if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                    break
        if found:
            present[i] = True
            out[i] = total
            count += 1
    return count
