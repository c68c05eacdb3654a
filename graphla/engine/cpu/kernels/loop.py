"""Rounds of a loop: `before`, y = M ⊕.⊗ v, `after`, where the two are the statements of the body at place i.

A byte a place tells which vectors have an entry there (a bit each), whether y has (FOUND), and whether the place is in
the list (LISTED) of those at which a round can change anything: where a vector of KEPT has an entry, or y has.
`rounds` pushes over that list and stops where a pull is cheaper; `pull` and `settle` are given shares of all rows.

The lines `unpack()`, `before()` and `after()` are replaced by text: calls that take arrays cost ten times the work.
"""

# --- template
from graphla.engine.cpu.presence import places_of

FOUND, LISTED = 64, 128


@operator
def term(a, x, i, k):
    return mul(x, a, 0, k, i) if FLIP else mul(a, x, i, k, 0)


@operator
def pulls(told, arcs, counts, size, degree):
    """Whether a pull is told, or cheaper; as `plan.choose_direction` has it."""
    rows = size - counts[CLOSED] if COMPLEMENT else counts[CLOSED] if MASKED else size
    probes = min(degree, size / max(1, counts[OPERAND])) if EARLY else degree
    cheaper = size * ROW_FLAG + rows * (1 + probes) < PULL_ADVANTAGE * arcs
    return cheaper if told == 0 else told == 2


@njit()
def list_places(has, listed):
    """The list anew, in order."""
    if EVERYWHERE:
        size = listed.size
        for i in range(size):
            listed[i] = i
    else:
        size = places_of(has, KEPT, listed)
    for p in range(size):
        has[listed[p]] |= LISTED
    return size


@njit()
def push(indptr, indices, values, has, given, closed, product, listed, size):
    """Scatter the rows of the operand's entries; the length of the list with the places of y."""
    end = size
    for p in range(size):
        k = listed[p]
        if has[k] >> OPERAND & 1:
            for q in range(indptr[k], indptr[k + 1]):
                i = indices[q]
                old = has[i]
                if allows(old, closed[i]):
                    found = term(values[q], given[k], i, k)
                    if not old & FOUND:
                        product[i] = found
                        has[i] = old | (FOUND | LISTED)
                        if not old & LISTED:
                            listed[end] = i
                            end += 1
                    elif not IS_ANY:
                        product[i] = add(product[i], found)
    return end


@njit()
def rounds(indptr, indices, values, has, held, numbers, product, listed, counts, turn, limit, told):
    """Rounds from number `turn` on, up to the limit or to one that pulls; its number, and whether it does."""
    unpack()
    size = list_places(has, listed)
    degree = indices.size / max(1, listed.size)
    while turn < limit and (LIVE < 0 or counts[LIVE] > 0):
        arcs = 0
        if STARTS or told == 0:
            for p in range(size):
                i = listed[p]
                before()
                has[i] = here | LISTED
                if here >> OPERAND & 1:
                    arcs += indptr[i + 1] - indptr[i]
        if pulls(told, arcs, counts, listed.size, degree):
            return turn, True
        if IN_ORDER:
            listed[:size].sort()
        end = push(indptr, indices, values, has, held[OPERAND], held[CLOSED], product, listed, size)
        if end > listed.size >> 5:
            end = places_of(has, LISTED, listed)
        size = 0
        for p in range(end):
            i = listed[p]
            after()
            if EVERYWHERE or here & KEPT:
                listed[size] = i
                size += 1
                here |= LISTED
            has[i] = here
        turn += 1
    return turn, False


@njit()
def pull(first, last, indptr, indices, values, has, held, product):
    """y at the rows that the mask allows."""
    given, closed = held[OPERAND], held[CLOSED]
    for i in range(first, last):
        if not allows(has[i], closed[i]):
            continue
        found = False
        total = IDENTITY
        for q in range(indptr[i], indptr[i + 1]):
            k = indices[q]
            if has[k] >> OPERAND & 1:
                one = term(values[q], given[k], i, k)
                total = add(total, one) if found else one
                found = True
                if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                    break
        if found:
            has[i] |= FOUND
            product[i] = total


@njit()
def settle(first, last, has, held, numbers, product, turn):
    """`after` at a share of the places; by how much the entries of each vector grow."""
    unpack()
    counts = np.zeros(SLOTS, np.int64)
    for i in range(first, last):
        if EVERYWHERE or has[i] & (KEPT | FOUND):
            after()
            has[i] = here
    return counts
