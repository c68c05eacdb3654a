"""w[i] = ⊕_k M[i, k] ⊗ v[k] for each row that the mask allows, up to the terminal value of ⊕.

A full vector has an entry for every arc: the sum needs no test, and runs as two sums side by side, because one would
wait for each addition to end.
"""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span

TWO = np.uint64(2)


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
        q, end = span(indptr, i)
        found = False
        total = IDENTITY
        if full:
            if q < end:
                found = True
                total = multiply(values[q], operand_values[np.uint64(indices[q])], i, np.int64(indices[q]))
                q += ONE
            if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                q = end
            if q < end:
                other = multiply(values[q], operand_values[np.uint64(indices[q])], i, np.int64(indices[q]))
                q += ONE
                while q + ONE < end and not (HAS_TERMINAL and (total == TERMINAL or other == TERMINAL)):
                    k, next_k = np.uint64(indices[q]), np.uint64(indices[q + ONE])
                    total = add(total, multiply(values[q], operand_values[k], i, np.int64(k)))
                    other = add(other, multiply(values[q + ONE], operand_values[next_k], i, np.int64(next_k)))
                    q += TWO
                total = add(total, other)
                if q + ONE == end:
                    k = np.uint64(indices[q])
                    total = add(total, multiply(values[q], operand_values[k], i, np.int64(k)))
        else:
            while q < end:
                k = np.uint64(indices[q])
                if has[k]:
                    term = multiply(values[q], operand_values[k], i, np.int64(k))
                    total = add(total, term) if found else term
                    found = True
                    if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                        break
                q += ONE
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
