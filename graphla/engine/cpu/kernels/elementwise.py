"""out[p] = op(x[p], …): one loop per combination of array and scalar operands."""


# --- template
@njit()
def apply_unary(x, out):
    for p in range(out.size):
        out[p] = apply(x[p])


@njit()
def apply_binary(x, y, out):
    for p in range(out.size):
        out[p] = apply(x[p], y[p])


@njit()
def apply_scalar_right(x, y, out):
    for p in range(out.size):
        out[p] = apply(x[p], y)


@njit()
def apply_scalar_left(x, y, out):
    for p in range(out.size):
        out[p] = apply(x, y[p])


@njit()
def apply_indexed(x, i, j, thunk, out):
    for p in range(out.size):
        out[p] = apply(x[p], i[p], j[p], thunk)


@njit()
def apply_with_thunk(x, thunk, out):
    for p in range(out.size):
        out[p] = apply(x[p], 0, 0, thunk)
