"""w[i] = ⊕_k M[i, k] ⊗ v[k] for each row that the mask allows, up to the terminal value of ⊕."""


# --- template
@operator
def product(a, x, i, k):
    return mul(x, a, 0, k, i) if FLIP else mul(a, x, i, k, 0)


@njit()
def pull(first, last, indptr, indices, values, full, has, given, masked, flags, keep, present, out):
    """Rows `first` to `last`: presence and value of each result; the count of those present."""
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
                term = product(values[q], given[k], i, k)
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
def pull_full(first, last, columns, values, has, given, full, masked, flags, keep, present, out):
    """The same over a full matrix with `columns` columns, row after row."""
    count = 0
    for i in range(first, last):
        present[i] = False
        if masked and flags[i] != keep:
            continue
        found = False
        total = IDENTITY
        for k in range(columns):
            if full or has[k]:
                term = product(values[i, k], given[k], i, k)
                total = add(total, term) if found else term
                found = True
                if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                    break
        if found:
            present[i] = True
            out[i] = total
            count += 1
    return count
