"""y = M ⊕.⊗ x in a round over arrays of fixed size: a vector, or a matrix with `width` cells for each vertex.

Cell r of vertex v stands at ``v * stride + r``. Flags say which cells of x are entries (FLAGGED), which of y may
become some (MASKED), and which do (FLAGS). `pull` and `pull_wide` run on ranges of rows, on all cores; `push` on one.
Terms are added in the order of k both ways.
"""


# --- template
@operator
def multiply(a, x, i, k, r):
    return mul(x, a, r, k, i) if FLIP else mul(a, x, i, k, r)


@njit()
def pull(first, last, indptr, indices, values, x, has, allowed, y, found, width, stride):
    """Compute the rows of a vector."""
    for i in range(first, last):
        there = False
        total = IDENTITY
        if not MASKED or allowed[i] != COMPLEMENT:
            for q in range(indptr[i], indptr[i + 1]):
                k = indices[q]
                if not FLAGGED or has[k]:
                    one = multiply(values[q], x[k], i, k, 0)
                    total = add(total, one) if there else one
                    there = True
                    if IS_ANY or (HAS_TERMINAL and total == TERMINAL):
                        break
        if there:
            y[i] = total
        if FLAGS:
            found[i] = there


@njit()
def pull_wide(first, last, indptr, indices, values, x, has, allowed, y, found, width, stride):
    """Compute the rows of a matrix."""
    for i in range(first, last):
        base = i * stride
        left = width
        for r in range(width):
            y[base + r] = IDENTITY
            if MASKED and allowed[base + r] == COMPLEMENT:
                left -= 1
        if FLAGS:
            for r in range(width):
                found[base + r] = False
        if left == 0:
            continue
        for q in range(indptr[i], indptr[i + 1]):
            k = indices[q]
            a = values[q]
            begin = k * stride
            for r in range(width):
                if FLAGGED and not has[begin + r]:
                    continue
                if MASKED and allowed[base + r] == COMPLEMENT:
                    continue
                if IS_ANY and FLAGS and found[base + r]:
                    continue
                one = multiply(a, x[begin + r], i, k, r)
                y[base + r] = one if IS_ANY else add(y[base + r], one)
                if FLAGS:
                    if IS_ANY:
                        left -= 1
                    found[base + r] = True
            if IS_ANY and (left == 0 or not FLAGS):
                break


@njit()
def list_active(words, has, indptr, active, width, stride):
    """List the vertices that have an entry; return their number, that of their entries, and that of their products."""
    size, entries, products = 0, 0, 0
    for word in range(words.size + 1):
        begin = word * 8
        end = min(begin + 8, has.size)
        if word < words.size and words[word] == 0:
            continue
        for cell in range(begin, end):
            if has[cell]:
                k = cell // stride
                entries += 1
                products += indptr[k + 1] - indptr[k]
                if size == 0 or active[size - 1] != k:
                    active[size] = k
                    size += 1
    return size, entries, products


@njit()
def push(indptr, indices, values, x, has, allowed, y, found, active, size, width, stride):
    """Scatter the rows of the active vertices; `found` holds no flag yet."""
    for p in range(size):
        k = active[p]
        for q in range(indptr[k], indptr[k + 1]):
            i = indices[q]
            a = values[q]
            for r in range(width):
                if has[k * stride + r]:
                    cell = i * stride + r
                    if MASKED and allowed[cell] == COMPLEMENT:
                        continue
                    if not found[cell]:
                        y[cell] = multiply(a, x[k * stride + r], i, k, r)
                        found[cell] = True
                    elif not IS_ANY:
                        y[cell] = add(y[cell], multiply(a, x[k * stride + r], i, k, r))
