"""out[p] = op(x[p], …): one loop a way of giving the operands."""


# --- template
@njit()
def one(x, out):
    for p in range(out.size):
        out[p] = apply(x[p])


@njit()
def two(x, y, out):
    for p in range(out.size):
        out[p] = apply(x[p], y[p])


@njit()
def scalar_right(x, y, out):
    for p in range(out.size):
        out[p] = apply(x[p], y)


@njit()
def scalar_left(x, y, out):
    for p in range(out.size):
        out[p] = apply(x, y[p])


@njit()
def indexed(x, i, j, thunk, out):
    for p in range(out.size):
        out[p] = apply(x[p], i[p], j[p], thunk)


@njit()
def anywhere(x, thunk, out):
    for p in range(out.size):
        out[p] = apply(x[p], 0, 0, thunk)
