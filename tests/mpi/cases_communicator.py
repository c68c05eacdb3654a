"""Each transfer against what NumPy computes from the arrays of all ranks, which every rank can draw."""

from contextlib import contextmanager

import numpy as np

from graphla.common.errors import DimensionMismatch, DomainError, GraphlaError
from graphla.engine.mpi import communicator, pieces
from graphla.engine.mpi.combine import combine, prepare
from semirings import binary, monoid

SIZES = (0, 1, 50, 200)
NAMES = "plus times min max any lor land lxor lxnor eq bor band bxor bxnor"
MONOIDS = [monoid[name] for name in NAMES.split()]
DTYPES = ("bool", "int8", "uint16", "int32", "uint64", "float32", "float64", "complex64")


def draw(rank, size, dtype="float64"):
    """What rank `rank` holds."""
    values = np.random.default_rng([rank, size]).integers(0, 5, size).astype(dtype)
    return values * (1 + 2j) if values.dtype.kind == "c" else values


@contextmanager
def small_pieces(size=64):
    """Let a message carry a few bytes, as one of more than 2^30 would be cut."""
    before = pieces.PIECE, communicator.SMALL
    pieces.PIECE = communicator.SMALL = size
    yield
    pieces.PIECE, communicator.SMALL = before


def raises(error, work, *args):
    try:
        work(*args)
    except error as caught:
        return str(caught)
    raise AssertionError(f"{work} has not raised")


def move_arrays(world):
    rank, size = world.rank, world.size
    parts = [draw(other, 7 * other, "int16") for other in range(size)]
    np.testing.assert_array_equal(world.all_gather(parts[rank]), np.concatenate(parts))
    for part, held in zip(parts, world.all_gather_parts(parts[rank]), strict=True):
        np.testing.assert_array_equal(held, part)
    sent = [[draw(size * i + j, 3 * i + 40 * j) for j in range(size)] for i in range(size)]
    for other, part in enumerate(world.all_to_all(sent[rank])):
        np.testing.assert_array_equal(part, sent[other][rank])
    both = world.all_gather_several(parts[rank], draw(rank, 3, "bool")[:0])
    np.testing.assert_array_equal(np.concatenate(both[0]), np.concatenate(parts))
    assert [part.size for part in both[1]] == [0] * size
    moved = world.all_to_all_several(sent[rank], [part[:2].astype("int8") for part in sent[rank]])
    for other in range(size):
        np.testing.assert_array_equal(moved[0][other], sent[other][rank])
        np.testing.assert_array_equal(moved[1][other], sent[other][rank][:2])
    for root in {0, size - 1}:
        whole = draw(root, 60, "complex64").reshape(3, 5, 4)
        np.testing.assert_array_equal(world.broadcast(whole if rank == root else None, root), whole)
        held = draw(rank, 600)
        world.start_broadcast(held, root).wait()
        np.testing.assert_array_equal(held, draw(root, 600))
        number = np.array(2.5)
        assert world.broadcast(number if rank == root else None, root).shape == ()


def reduce_arrays(world, dtypes, sizes):
    rank, size = world.rank, world.size
    for op, dtype, length in [(op, dtype, length) for op in MONOIDS for dtype in dtypes for length in sizes]:
        try:
            parts = [prepare(draw(other, length, dtype), op) for other in range(size)]
        except DomainError:
            raises(DomainError, world.all_reduce, draw(rank, length, dtype), op)
            continue
        wanted, held = combine(parts, op), draw(rank, length, dtype)
        out = world.all_reduce(held, op)
        assert out.dtype == wanted.dtype
        assert out is not held
        np.testing.assert_array_equal(out, wanted, err_msg=f"{op} {dtype} {length}")
        bounds = [0, *sorted(np.random.default_rng(length).integers(0, length + 1, size - 1).tolist()), length]
        own = world.reduce_scatter(held, op, bounds)
        np.testing.assert_array_equal(own, wanted[bounds[rank] : bounds[rank + 1]], err_msg=f"{op} {dtype}")
        np.testing.assert_array_equal(held, draw(rank, length, dtype))


def case_arrays_move(world):
    move_arrays(world)


def case_arrays_move_in_pieces(world):
    with small_pieces():
        move_arrays(world)


def case_any_monoid_reduces(world):
    reduce_arrays(world, DTYPES, (1, 50))


def case_monoids_reduce_in_pieces(world):
    with small_pieces():
        reduce_arrays(world, ("bool", "int32", "float32"), SIZES)


def case_operators_of_users_reduce(world):
    from semirings import register_binary, register_monoid, where

    if "modular_times" not in dir(binary):
        times = register_binary("modular_times", lambda x, y: (x * y) % 97, commutative=True, associative=True)
        register_monoid("modular_times", times, 1)
        register_monoid("plus_by_other_name", register_binary("other", lambda x, y: where(x < y, y, x)), 0)
    parts = [draw(other, 20, "int64") + 2 for other in range(world.size)]
    out = world.all_reduce(parts[world.rank], monoid["modular_times"])
    np.testing.assert_array_equal(out, np.prod(parts, axis=0) % 97)
    np.testing.assert_array_equal(
        world.all_reduce(parts[world.rank], monoid["plus_by_other_name"]), np.max(parts, axis=0)
    )


def case_numbers_reduce(world):
    size = world.size
    assert world.all_reduce(world.rank + 1, monoid.plus) == size * (size + 1) // 2
    assert type(world.all_reduce(1.5, monoid.plus)) is float
    assert world.all_reduce(world.rank == 0, monoid.lor) is True
    assert world.all_reduce(True, monoid.plus) == size
    assert world.all_reduce(np.float32(world.rank), monoid.max).dtype == np.float32


def case_nan_counts_for_nothing_in_min_and_max(world):
    for bad in range(world.size):
        held = np.array([np.nan if world.rank == bad else 3.0, np.nan])
        assert world.all_reduce(held, monoid.min).tolist() == [np.inf if world.size == 1 else 3.0, np.inf]
        assert world.all_reduce(held, monoid.max).tolist() == [-np.inf if world.size == 1 else 3.0, -np.inf]


def case_ranks_split(world):
    part = world.split(world.rank % 2)
    assert part.size == (world.size + 1 - world.rank % 2) // 2
    assert part.all_gather(np.array([world.rank])).tolist() == list(range(world.rank % 2, world.size, 2))
    turned = world.split(0, key=-world.rank)
    assert turned.rank == world.size - 1 - world.rank
    assert world.share_object({"a": world.rank}, world.size - 1) == {"a": world.size - 1}


def case_strided_arrays_and_matrices_move(world):
    strided = draw(world.rank, 40)[::2]
    np.testing.assert_array_equal(
        world.all_gather(strided), np.concatenate([draw(other, 40)[::2] for other in range(world.size)])
    )
    turned = draw(0, 40).reshape(5, 8).T
    np.testing.assert_array_equal(world.broadcast(turned if world.rank == 0 else None), turned)
    np.testing.assert_array_equal(world.all_reduce(turned, monoid.plus), turned * world.size)


def case_bad_arguments_are_refused(world):
    assert "root=9" in raises(GraphlaError, world.broadcast, np.ones(3), 9)
    assert "one for each rank" in raises(DimensionMismatch, world.all_to_all, [np.ones(2)] * (world.size + 1))
    assert "one dimension" in raises(DimensionMismatch, world.all_gather, np.ones((2, 2)))
    assert "rising bounds" in raises(DimensionMismatch, world.reduce_scatter, np.ones(4), monoid.plus, [0, 4, 9])
    assert "contiguous" in raises(DimensionMismatch, world.start_broadcast, np.ones((4, 4)).T[:2])
    assert "color" in raises(GraphlaError, world.split, -1)


def case_it_says_how_it_communicates(world):
    assert ("without MPI" if world.size == 1 else f"{world.size} ranks of MPI (") in world.explain()
