"""Statements at each index i between two products of a round.

A piece of PIECE indices is folded by itself, so that sums do not depend on the number of threads. Eight indices are
left out at once where no flag of the `words` says that a statement changes anything. The lines `unpack()`, `begin()`,
`at()` and `end()` are replaced by text, because calls that take arrays cost ten times the work.
"""


# --- template
@operator
def place(at, size, wrong):
    """Position `at`, counted from the end if it is negative; one out of range is noted.

    An index without a sign spares the test whether it is negative, and takes a tenth of the time.
    """
    p = np.int64(at)
    if p < 0:
        p += size
    if p < 0 or p >= size:
        wrong[0] = True
        return np.uint64(0)
    return np.uint64(p)


@njit()
def run_map(first, last, size, values, present, words, constants, cells, wrong, round_number, partials):
    """Run the statements of the pieces `first` to ``last - 1``."""
    unpack()
    for piece in range(first, last):
        begin()
        stop = min(size, (piece + 1) * PIECE)
        for start in range(piece * PIECE, stop, STEP):
            if STEP < PIECE and start + STEP <= size:
                idle()
            for i in range(start, min(start + STEP, stop)):
                u = np.uint64(i)  # noqa: F841 (the text of at() uses it)
                at()
        end()
