"""Rounds of a loop: `before`, y = M ⊕.⊗ v, `after`. `before` and `after` are the statements of the body at index i.

One byte per index has a bit for each vector with an entry there, a bit FOUND if y has one, and a bit IN_LIST if the
index is in the list `active`. That list holds the indices at which a round can change anything, because a vector of
ACTIVE, or y, has an entry. `run_rounds` pushes over that list and returns before a round in which a pull is cheaper.
`pull` and `settle` run on ranges of rows, on all cores.

The lines `unpack()`, `before()` and `after()` are replaced by text, because calls that take arrays cost ten times the
work.
"""

# --- template
from graphla.engine.cpu.presence_bytes import list_indices
from graphla.engine.cpu.sort import sort_part

FOUND, IN_LIST = 64, 128


@operator
def multiply(a, x, i, k):
    return mul(x, a, 0, k, i) if FLIP else mul(a, x, i, k, 0)


@operator
def chooses_pull(requested, arcs, counts, size, degree):
    """Whether a pull is requested, or cheaper by the rule of `plan.choose_direction`."""
    rows = size - counts[MASK_SLOT] if COMPLEMENT else counts[MASK_SLOT] if MASKED else size
    probes = degree
    if EARLY and counts[OPERAND] * degree > size:
        probes = size / counts[OPERAND]
    cheaper = size * ROW_FLAG + rows * (1 + probes) < PULL_ADVANTAGE * arcs
    return cheaper if requested == 0 else requested == 2


@njit()
def list_active(has, active):
    """Rebuild the list of active indices, in order; return its length."""
    if EVERYWHERE:
        size = active.size
        for i in range(size):
            active[i] = i
    else:
        size = list_indices(has, np.uint8(ACTIVE), active)
    for p in range(size):
        has[active[p]] |= IN_LIST
    return size


@njit()
def push(indptr, indices, values, has, operand_values, mask_values, product, active, size):
    """Scatter the rows of the operand's entries and append the indices of y; return the length of the list."""
    end = size
    for p in range(size):
        k = active[p]
        if has[k] >> OPERAND & 1:
            for q in range(indptr[k], indptr[k + 1]):
                i = indices[q]
                old = has[i]
                if allows(old, mask_values[i]):
                    found = multiply(values[q], operand_values[k], i, k)
                    if not old & FOUND:
                        product[i] = found
                        has[i] = old | (FOUND | IN_LIST)
                        if not old & IN_LIST:
                            active[end] = i
                            end += 1
                    elif not IS_ANY:
                        product[i] = add(product[i], found)
    return end


@njit()
def run_rounds(
    indptr, indices, values, has, values_of, numbers, product, active, counts, round_number, limit, requested
):
    """Run rounds from `round_number` until the limit or a pull; return the next round's number and whether it pulls."""
    unpack()
    size = list_active(has, active)
    degree = indices.size / (active.size if active.size > 0 else 1)
    while round_number < limit and (LIVE < 0 or counts[LIVE] > 0):
        arcs = 0
        if STARTS or requested == 0:
            for p in range(size):
                i = active[p]
                before()
                has[i] = here | IN_LIST
                if here >> OPERAND & 1:
                    arcs += indptr[i + 1] - indptr[i]
        if chooses_pull(requested, arcs, counts, active.size, degree):
            return round_number, True
        if IN_ORDER:
            sort_part(active, np.int64(0), size)
        end = push(indptr, indices, values, has, values_of[OPERAND], values_of[MASK_SLOT], product, active, size)
        if end > active.size >> 5:
            end = list_indices(has, np.uint8(IN_LIST), active)
        size = 0
        for p in range(end):
            i = active[p]
            after()
            if EVERYWHERE or here & ACTIVE:
                active[size] = i
                size += 1
                here |= IN_LIST
            has[i] = here
        round_number += 1
    return round_number, False


@njit()
def pull(first, last, indptr, indices, values, has, values_of, product):
    """Compute y at the rows that the mask allows."""
    operand_values, mask_values = values_of[OPERAND], values_of[MASK_SLOT]
    for i in range(first, last):
        if not allows(has[i], mask_values[i]):
            continue
        found = False
        total = IDENTITY
        for q in range(indptr[i], indptr[i + 1]):
            k = indices[q]
            if has[k] >> OPERAND & 1:
                one = multiply(values[q], operand_values[k], i, k)
                total = add(total, one) if found else one
                found = True
                if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                    break
        if found:
            has[i] |= FOUND
            product[i] = total


@njit()
def settle(first, last, has, values_of, numbers, product, round_number):
    """Run `after` at a range of indices; return by how much the number of entries of each vector changes."""
    unpack()
    counts = np.zeros(SLOTS, np.int64)
    for i in range(first, last):
        if EVERYWHERE or has[i] & (ACTIVE | FOUND):
            after()
            has[i] = here
    return counts
