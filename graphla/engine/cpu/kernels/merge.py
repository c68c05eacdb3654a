"""C = A ∪ B or A ∩ B, row by row, in one walk over the sorted columns of both rows.

No branch of the walk depends on the columns: it would be mispredicted at every second entry. Positions are unsigned,
because a signed index could be negative, which NumPy counts from the end. O(entries of A and B).
"""

# --- template
from graphla.engine.cpu.entries.structure import ONE, find, skew, span


@njit()
def unite(first, last, begin, ap, bp, aj, ax, bj, bx, cp, cj, cx):
    """Fill the rows of a union: op(x, y) where both have an entry, else the entry that there is."""
    n = np.uint64(begin)
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        bisects, _ = skew(a_end - p, b_end - q)
        while p < a_end and q < b_end:
            if bisects:
                stop = find(aj, p, a_end - ONE, bj[q])
                while p < stop:
                    cj[n] = aj[p]
                    cx[n] = cast_left(ax[p])
                    p += ONE
                    n += ONE
            i, j = aj[p], bj[q]
            x, y = ax[p], bx[q]
            cj[n] = i if i < j else j
            cx[n] = apply(x, y) if i == j else (cast_left(x) if i < j else cast_right(y))
            p += np.uint64(i <= j)
            q += np.uint64(j <= i)
            n += ONE
        while p < a_end:
            cj[n] = aj[p]
            cx[n] = cast_left(ax[p])
            p += ONE
            n += ONE
        while q < b_end:
            cj[n] = bj[q]
            cx[n] = cast_right(bx[q])
            q += ONE
            n += ONE
        cp[row + 1] = n
    return np.int64(n)


@njit()
def unite_filled(first, last, begin, ap, bp, aj, ax, bj, bx, left_fill, right_fill, cp, cj, cx):
    """Fill the rows of a union in which an absent operand stands for its fill."""
    n = np.uint64(begin)
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        while p < a_end and q < b_end:
            i, j = aj[p], bj[q]
            cj[n] = i if i < j else j
            cx[n] = apply(ax[p] if i <= j else left_fill, bx[q] if j <= i else right_fill)
            p += np.uint64(i <= j)
            q += np.uint64(j <= i)
            n += ONE
        while p < a_end:
            cj[n] = aj[p]
            cx[n] = apply(ax[p], right_fill)
            p += ONE
            n += ONE
        while q < b_end:
            cj[n] = bj[q]
            cx[n] = apply(left_fill, bx[q])
            q += ONE
            n += ONE
        cp[row + 1] = n
    return np.int64(n)


@njit()
def intersect(first, last, begin, ap, bp, aj, ax, bj, bx, cp, cj, cx):
    """Fill the rows of an intersection: what is computed for columns that differ is written over."""
    n = np.uint64(begin)
    for row in range(first, last):
        p, a_end = span(ap, row)
        q, b_end = span(bp, row)
        bisect_a, bisect_b = skew(a_end - p, b_end - q)
        while p < a_end and q < b_end:
            if bisect_a:
                p = find(aj, p, a_end - ONE, bj[q])
            elif bisect_b:
                q = find(bj, q, b_end - ONE, aj[p])
            i, j = aj[p], bj[q]
            cj[n] = i
            cx[n] = apply(ax[p], bx[q])
            p += np.uint64(i <= j)
            q += np.uint64(j <= i)
            n += np.uint64(i == j)
        cp[row + 1] = n
    return np.int64(n)
