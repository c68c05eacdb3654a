"""The benchmark of Lancichinetti, Fortunato and Radicchi: power laws of degrees and of sizes of communities."""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from graphla.common.arguments import to_real
from graphla.common.errors import InvalidGraph
from graphla.graphs.generators.build import Draft, Weights, check_arguments, pack, require_whole
from graphla.graphs.generators.generator import Generator
from graphla.graphs.generators.hashing import derive_state, draw_bits, to_integers_below, to_unit_interval
from graphla.storage import Coo

Array = Any
ROUNDS = 30
"""How often loops, repeats and edges of the wrong kind change partners, at most."""
DEGREES, SIZES, PLACES, INSIDE, ACROSS = range(20, 25)
"""Streams of random bits; those of `INSIDE` and `ACROSS` are followed by one for each round."""


class Shape(NamedTuple):
    """The checked arguments of the benchmark."""

    n: int
    degree: float
    mixing: float
    max_degree: int
    min_community: int
    max_community: int
    degree_exponent: float
    community_exponent: float


def lfr(
    n: int,
    degree: float = 15,
    mixing: float = 0.2,
    *,
    max_degree: int = 50,
    min_community: int = 20,
    max_community: int = 100,
    degree_exponent: float = 2.5,
    community_exponent: float = 1.5,
    weights: Weights = None,
    seed: int = 1,
) -> Coo:
    """A graph with known communities (LFR benchmark): degrees and sizes of communities follow power laws.

    Vertices are numbered community by community: `generators.lfr_communities` of the same arguments names them.

    Parameters
    ----------
    n : int
        Vertices.
    degree : float
        The mean number of neighbours, about: from 1 on.
    mixing : float
        The share of the neighbours of each vertex that are in other communities, from 0 to 1.
    max_degree : int
        The most neighbours of a vertex.
    min_community, max_community : int
        How many vertices communities have; what is left at the end joins others, one vertex each.
    degree_exponent, community_exponent : float
        The exponents of the power laws of degrees and of sizes of communities, above 1.
    weights : tuple of two numbers, optional
        The range of the weights: INT32 from lo to hi for two ints, both included, else FP32 in [lo, hi). The weight of
        an edge depends on its two ends, so both its arcs weigh the same. By default the graph is a pattern.
    seed : int
        Another seed makes another graph.

    Returns
    -------
    Coo
        Both arcs of each edge, sorted by row, then column; int32 indices.

    Raises
    ------
    InvalidGraph
        If an argument is out of range.
    OutOfMemory
        If the graph does not fit in memory; nothing was allocated.

    See Also
    --------
    planted_partition : Communities of one size, and vertices of about one degree.

    Notes
    -----
    O(m log m) time for m edges. It is made on the host. A vertex whose neighbours within its community would be more
    than that has others has fewer; edges that are loops or repeats after 30 rounds are left out.

    References
    ----------
    .. [1] A. Lancichinetti, S. Fortunato, F. Radicchi, "Benchmark graphs for testing community detection algorithms",
       Physical Review E 78, 046110, 2008.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.generate.lfr(500, 15, 0.1)
    >>> planted = gl.generators.lfr_communities(500, 15, 0.1)
    >>> gl.compare_partitions(gl.leiden(G), planted).ari > 0.95
    True
    """
    shape: dict[str, Any] = {"max_degree": max_degree, "min_community": min_community, "max_community": max_community}
    shape |= {"degree_exponent": degree_exponent, "community_exponent": community_exponent}
    return draft_lfr(n, degree, mixing, **shape, weights=weights, seed=seed).finish(np)


def lfr_communities(
    n: int,
    degree: float = 15,
    mixing: float = 0.2,
    *,
    max_degree: int = 50,
    min_community: int = 20,
    max_community: int = 100,
    degree_exponent: float = 2.5,
    community_exponent: float = 1.5,
    seed: int = 1,
) -> Array:
    """The communities of the graph that `lfr` makes of the same arguments.

    Parameters
    ----------
    n : int
        Vertices.
    degree : float
        The mean number of neighbours, about: from 1 on.
    mixing : float
        The share of the neighbours of each vertex that are in other communities, from 0 to 1.
    max_degree : int
        The most neighbours of a vertex.
    min_community, max_community : int
        How many vertices communities have; what is left at the end joins others, one vertex each.
    degree_exponent, community_exponent : float
        The exponents of the power laws of degrees and of sizes of communities, above 1.
    seed : int
        That of the graph.

    Returns
    -------
    array
        int64[n]: the number of the community of each vertex.

    Raises
    ------
    InvalidGraph
        If an argument is out of range.

    Examples
    --------
    >>> import graphla as gl
    >>> gl.generators.lfr_communities(50).tolist() == 20 * [0] + 30 * [1]
    False
    """
    sizes = min_community, max_community
    shape = check_shape(n, degree, mixing, max_degree, *sizes, degree_exponent, community_exponent)
    check_arguments("lfr_communities", shape.n, seed, None)
    return name_communities(shape, seed)


def draft_lfr(
    n: int,
    degree: float = 15,
    mixing: float = 0.2,
    *,
    max_degree: int = 50,
    min_community: int = 20,
    max_community: int = 100,
    degree_exponent: float = 2.5,
    community_exponent: float = 1.5,
    weights: Weights = None,
    seed: int = 1,
    xp: Any = np,
) -> Draft:
    """Check the arguments of `lfr`, and return what it draws, on the host."""
    sizes = min_community, max_community
    shape = check_shape(n, degree, mixing, max_degree, *sizes, degree_exponent, community_exponent)
    what = f"lfr({n}, {degree}, {mixing})"
    check_arguments(what, shape.n, seed, weights)

    def prepare() -> Any:
        keys = xp.asarray(draw_edges(shape, seed))
        return lambda part, parts: keys[keys.size * part // parts : keys.size * (part + 1) // parts]

    expected = int(shape.n * shape.degree / 2)
    return Draft(what, shape.n, expected, prepare, weights, seed, simple=False, has_parts=True)


def check_shape(n: Any, degree: Any, mixing: Any, max_degree: Any, least: Any, most: Any, *exponents: Any) -> Shape:
    """The arguments, if they fit each other."""
    n, max_degree = require_whole("n", n, 0), require_whole("max_degree", max_degree, 1)
    least = require_whole("min_community", least, 1)
    most = require_whole("max_community", most, 1)
    if most < least:
        raise InvalidGraph(f"max_community={most}: it is at least min_community={least}")
    if not 1 <= to_real(degree, "degree") <= max_degree:
        raise InvalidGraph(f"degree={degree}: a mean degree goes from 1 to max_degree={max_degree}")
    if not 0 <= to_real(mixing, "mixing") <= 1:
        raise InvalidGraph(f"mixing={mixing}: a share goes from 0 to 1")
    for name, value in zip(("degree_exponent", "community_exponent"), exponents, strict=True):
        if not (to_real(value, name) > 1 and isfinite(value)):
            raise InvalidGraph(f"{name}={value}: an exponent is a number above 1")
    return Shape(n, float(degree), float(mixing), max_degree, least, most, *map(float, exponents))


def name_communities(shape: Shape, seed: int) -> Array:
    """The community of each vertex, one after another: sizes are drawn until they cover the vertices."""
    n = shape.n
    count = -(-n // shape.min_community)
    u = to_unit_interval(draw_bits(0, count, derive_state(seed, SIZES), np), np)
    ends = np.cumsum(spread(u, shape.min_community, shape.max_community + 1, shape.community_exponent).astype(np.int64))
    sizes = np.diff(ends[ends <= n], prepend=0)
    if not sizes.size:
        return np.zeros(n, np.int64)
    left = n - int(sizes.sum())
    if left >= shape.min_community:
        sizes = np.append(sizes, left)
    elif left:
        np.add.at(sizes, np.arange(left) % sizes.size, 1)
    return np.repeat(np.arange(sizes.size), sizes)


def spread(u: Array, low: float, high: float, exponent: float) -> Array:
    """Numbers of [0, 1) to those of a power law from `low` up to `high`."""
    power = 1 - exponent
    return low * (1 + u * ((high / low) ** power - 1)) ** (1 / power)  # which no exponent lets overflow


def draw_degrees(shape: Shape, seed: int) -> Array:
    """Degrees of a power law up to the largest, whose lower end is such that their mean is what was asked for."""
    u = to_unit_interval(draw_bits(0, shape.n, derive_state(seed, DEGREES), np), np)
    low, high = 0.5, float(shape.max_degree)
    for _ in range(50):
        middle = (low + high) / 2
        if np.rint(spread(u, middle, shape.max_degree, shape.degree_exponent)).mean() < shape.degree:
            low = middle
        else:
            high = middle
    return np.rint(spread(u, high, shape.max_degree, shape.degree_exponent)).astype(np.int64)


def assign_degrees(degrees: Array, inside: Array, groups: Array, state: int) -> tuple[Array, Array]:
    """The degree of each vertex and the part within its community, which must have room for it.

    The largest come first, each to a random vertex that is left of those in large enough communities.
    """
    sizes = np.bincount(groups)[groups]
    order, slots = np.argsort(-inside, kind="stable"), np.argsort(-sizes, kind="stable")
    numbers = to_unit_interval(draw_bits(0, degrees.size, state, np), np)
    whole, within, free, entered = np.zeros_like(degrees), np.zeros_like(degrees), [], 0
    for number, source in zip(numbers.tolist(), order.tolist(), strict=True):
        while entered < slots.size and (sizes[slots[entered]] > inside[source] or not free):
            free.append(int(slots[entered]))
            entered += 1
        place = int(number * len(free))
        free[place], free[-1] = free[-1], free[place]
        v = free.pop()
        whole[v], within[v] = degrees[source], min(inside[source], sizes[v] - 1)
    return whole, within


def draw_edges(shape: Shape, seed: int) -> Array:
    """Packed pairs u < v: those within communities, and those across."""
    if shape.n < 2:
        return np.zeros(0, np.int64)
    groups, drawn = name_communities(shape, seed), draw_degrees(shape, seed)
    inside = np.rint((1 - shape.mixing) * drawn).astype(np.int64)
    degrees, inside = assign_degrees(drawn, inside, groups, derive_state(seed, PLACES))
    across = np.rint(shape.mixing * degrees).astype(np.int64)
    apart = np.zeros_like(groups)
    return np.concatenate(
        [match_ends(inside, groups, apart, seed, INSIDE), match_ends(across, apart, groups + 1, seed, ACROSS)]
    )


def match_ends(degrees: Array, blocks: Array, kinds: Array, seed: int, stream: int) -> Array:
    """Packed pairs u < v of one block each and of two kinds, if these are not 0, with about these degrees.

    The ends of edges are shuffled within their block and joined in pairs. A wrong pair changes partners with a random
    pair of its block where two right ones come of it.
    """
    ends = np.repeat(np.arange(degrees.size), degrees)
    pairs = pair_up(ends, blocks, derive_state(seed, stream))
    for number in range(ROUNDS):
        wrong = np.flatnonzero(find_wrong(pairs, kinds))
        if not wrong.size:
            break
        exchange(pairs, wrong, blocks, kinds, derive_state(seed, stream + 100 * (number + 1)))
    return pack(*np.sort(pairs[:, ~find_wrong(pairs, kinds)], axis=0).astype(np.int64))


def exchange(pairs: Array, wrong: Array, blocks: Array, kinds: Array, state: int) -> None:
    """Let wrong pairs (u, v) and others (x, y) become (u, x) and (v, y) where both are right then, and new."""
    owners = blocks[pairs[0]]
    first, end = (np.searchsorted(owners, owners[wrong], side) for side in ("left", "right"))
    bits = draw_bits(0, 2 * wrong.size, state, np)
    chosen, kept = np.unique(first + to_integers_below(bits[::2], end - first, np), return_index=True)
    kept, chosen = (part[~np.isin(chosen, wrong)] for part in (kept, chosen))
    others = np.where(bits[1::2][kept] >> np.uint64(63), pairs[::-1, chosen], pairs[:, chosen])
    made = np.stack([pairs[:, wrong[kept]], others])  # [which pair, which end, k]
    both = np.concatenate([pairs, made[:, 0], made[:, 1]], axis=1)
    bad = find_wrong(both, kinds)[pairs.shape[1] :].reshape(2, -1).any(axis=0)
    pairs[:, wrong[kept[~bad]]], pairs[:, chosen[~bad]] = made[:, 0, ~bad], made[:, 1, ~bad]


def pair_up(ends: Array, blocks: Array, state: int) -> Array:
    """Pairs of ends of one block each, at random: int64[2, k]; an end that is left over has none."""
    order = np.lexsort((draw_bits(0, ends.size, state, np), blocks[ends]))
    ends = ends[order]
    places = np.arange(ends.size)
    first = np.searchsorted(blocks[ends], np.arange(int(blocks.max(initial=0)) + 1))
    opens = ((places - first[blocks[ends]]) % 2 == 0)[:-1] & (blocks[ends][:-1] == blocks[ends][1:])
    return np.stack([ends[:-1][opens], ends[1:][opens]])


def find_wrong(pairs: Array, kinds: Array) -> Array:
    """Which pairs are loops, repeats of another, or of one kind other than 0."""
    low, high = np.sort(pairs, axis=0)
    _, first = np.unique(pack(low, high), return_index=True)
    repeats = np.ones(low.size, bool)
    repeats[first] = False
    return repeats | (low == high) | ((kinds[low] == kinds[high]) & (kinds[low] > 0))


GENERATORS = (Generator("lfr", lfr, "LFR benchmark", "lfr:10000 or lfr:10000,15,0.2 (vertices, mean degree, mixing)"),)
