"""s[i] = ⊕ of values[indptr[i]:indptr[i + 1]], up to the terminal value; the identity for an empty segment."""

# --- template
from graphla.engine.cpu.entries.structure import ONE, span


@operator
def convert(x):
    return mul(x, x, 0, 0, 0)


@njit()
def reduce_segments(first, last, indptr, values, out):
    """Reduce each segment in four sums side by side: one sum would wait for each addition to end."""
    for i in range(first, last):
        q, end = span(indptr, i)
        total = IDENTITY
        if not IS_ANY and end - q >= np.uint64(8):
            a, b, c, d = IDENTITY, IDENTITY, IDENTITY, IDENTITY
            while q + np.uint64(4) <= end:
                a = add(a, convert(values[q]))
                b = add(b, convert(values[q + ONE]))
                c = add(c, convert(values[q + np.uint64(2)]))
                d = add(d, convert(values[q + np.uint64(3)]))
                q += np.uint64(4)
                if HAS_TERMINAL and (a == TERMINAL or b == TERMINAL or c == TERMINAL or d == TERMINAL):
                    break
            total = add(add(a, b), add(c, d))
        while q < end:
            total = add(total, convert(values[q]))
            q += ONE
            if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                break
        out[i] = total
    return 0


@njit()
def reduce_lanes(first, last, borders, values, lanes, out):
    """Reduce each piece in `lanes` sums side by side, which a processor adds several at a time; `out` has them all."""
    width = np.uint64(lanes)
    for i in range(first, last):
        q, end = span(borders, i)
        begin = np.uint64(i) * width
        for k in range(width):
            out[begin + k] = IDENTITY
        while q < end:
            left = end - q
            for k in range(width if width < left else left):
                out[begin + k] = add(out[begin + k], convert(values[q + k]))
            q += width
    return 0
