"""w[i] = ⊕_k M[i, k] ⊗ v[k] for each row that the mask allows, up to the terminal value of ⊕.

A full vector has an entry for every arc, and a sum that nothing ends early takes the identity of ⊕ for an entry that is
absent. Such a row runs without a branch, as two sums side by side, because one would wait for each addition to end.
Other rows look at four entries before they ask whether the sum has ended.
"""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span

TWO, FOUR = np.uint64(2), np.uint64(4)
STOPS = IS_ANY or HAS_TERMINAL
READS_ALL = not STOPS


@operator
def multiply(a, x, i, k):
    return mul(x, a, 0, k, i) if FLIP else mul(a, x, i, k, 0)


@operator
def find_term(values, operand_values, full, has, i, q, k):
    """Return a term of the sum; the identity where the vector has no entry."""
    term = multiply(values[q], operand_values[k], i, np.int64(k))
    return term if full or has[k] else IDENTITY


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
        if full or READS_ALL:
            if q < end:
                k = np.uint64(indices[q])
                found = full or has[k]
                total = find_term(values, operand_values, full, has, i, q, k)
                q += ONE
            if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                q = end
            other = IDENTITY
            while q + ONE < end and not (HAS_TERMINAL and (total == TERMINAL or other == TERMINAL)):
                k, next_k = np.uint64(indices[q]), np.uint64(indices[q + ONE])
                total = add(total, find_term(values, operand_values, full, has, i, q, k))
                other = add(other, find_term(values, operand_values, full, has, i, q + ONE, next_k))
                found = found or full or has[k] or has[next_k]
                q += TWO
            if q + ONE == end:
                k = np.uint64(indices[q])
                total = add(total, find_term(values, operand_values, full, has, i, q, k))
                found = found or full or has[k]
            if not IS_ANY:
                total = add(total, other)
        elif STOPS:
            while q < end:
                stop = min(end, q + FOUR)
                while q < stop:  # no branch: it would be mispredicted at every second entry
                    k = np.uint64(indices[q])
                    term = multiply(values[q], operand_values[k], i, np.int64(k))
                    both = term if IS_ANY else add(total, term)
                    total = both if has[k] else total
                    found = found | has[k]
                    q += ONE
                if found and (IS_ANY or (HAS_TERMINAL and total == TERMINAL)):
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
