"""Vectors as flags and values, index by index: unions, intersections, and writes C<M, replace> ⊙= T in place.

No branch depends on a flag: it would be mispredicted at every second index. So operators also see what is no entry, and
their result is not taken. Indices are unsigned, because a signed one could count from the end. O(indices), of a list of
entries O(entries).
"""


# --- template
@njit()
def unite(first, last, p, x, q, y, present, out):
    """Compute op(x, y) where both have an entry, else take the entry that there is; return how many there are."""
    count = 0
    for i in range(np.uint64(first), np.uint64(last)):
        left, right, both = p[i], q[i], apply(x[i], y[i])
        here = left | right
        out[i] = (both if right else cast_left(x[i])) if left else cast_right(y[i])
        present[i] = here
        count += here
    return count


@njit()
def intersect(first, last, p, x, q, y, present, out):
    """Compute op(x, y) where both have an entry; return how many these are."""
    count = 0
    for i in range(np.uint64(first), np.uint64(last)):
        here = p[i] & q[i]
        out[i] = apply(x[i], y[i])
        present[i] = here
        count += here
    return count


@njit()
def write(first, last, p, x, q, y, masked, flags, keep, replace, accumulates):
    """Write a result (q, y) into a target (p, x) where the mask allows it; return how many entries there are then.

    Without an accumulator the target loses the entries that the result lacks; `replace` drops those outside the mask.
    """
    count = 0
    keeps = not replace
    for i in range(np.uint64(first), np.uint64(last)):
        had, old, new = p[i], x[i], y[i]
        allowed = not masked or flags[i] == keep
        takes = allowed & q[i]
        both = apply(old, new)
        x[i] = (both if had else new) if takes else old
        here = takes | (had & (accumulates if allowed else keeps))
        p[i] = here
        count += here
    return count


@njit()
def overlay(first, last, x, q, y, masked, flags, keep):
    """Write a result (q, y) into a target that has every entry and loses none, where the mask allows it."""
    for i in range(np.uint64(first), np.uint64(last)):
        both = apply(x[i], y[i])
        x[i] = both if q[i] and (not masked or flags[i] == keep) else x[i]


@njit()
def put(first, last, full, p, x, keys, y, masked, flags, keep):
    """Write entries at `keys` where the mask allows it; return how many are new. A full vector has no flags."""
    count = 0
    for n in range(first, last):
        i = keys[n]
        if masked and flags[i] != keep:
            continue
        had = full or p[i]
        x[i] = apply(x[i], y[n]) if had else y[n]
        if not full:
            p[i] = True
        count += not had
    return count


@njit()
def write_lists(i, x, j, y, listed, k, masked, flags, keep, replace, accumulates, indices, values):
    """Write a sorted list (j, y) into another (i, x), as `write` does; return the length of the new list.

    The mask is a sorted list `k` (`listed`), or flags (`masked`), or there is none.
    """
    p, q, r, n = 0, 0, 0, 0
    while p < i.size or q < j.size:
        had = p < i.size and (q == j.size or i[p] <= j[q])
        has = q < j.size and (p == i.size or j[q] <= i[p])
        index = i[p] if had else j[q]
        while listed and r < k.size and k[r] < index:
            r += 1
        inside = (r < k.size and k[r] == index) if listed else (not masked or flags[index])
        allowed = inside == keep
        if allowed and has:
            indices[n] = index
            values[n] = apply(x[p], y[q]) if had else y[q]
            n += 1
        elif had and (accumulates if allowed else not replace):
            indices[n] = index
            values[n] = x[p]
            n += 1
        p += had
        q += has
    return n
