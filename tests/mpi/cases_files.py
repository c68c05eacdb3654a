"""Files that all ranks read together: the graph that one process reads, and its refusals."""

import bz2
import gzip
import lzma
import secrets
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import graphla as gl
from graphla.common.errors import GraphlaError, InvalidGraph, NotSupported
from graphla.graphs.io import source
from graphla.graphs.io.parts import read_part
from tests.mpi.cases_communicator import raises

COMPRESSED = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": lambda data: bz2.compress(data, 1)}


@contextmanager
def share_folder(world):
    """A folder that rank 0 makes and removes."""
    folder = Path(world.share_object(tempfile.mkdtemp() if world.rank == 0 else None))
    yield folder
    world.barrier()
    if world.rank == 0:
        shutil.rmtree(folder)


def write_file(world, path, text):
    if world.rank == 0:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    world.barrier()
    return path


def check_file(world, path, text, **options):
    """Compare what the ranks read with what one process reads."""
    write_file(world, path, text)
    one, many = gl.read(path, engine="cpu", **options), gl.read(path, engine="mpi", **options)
    assert many.A.to("cpu").isequal(one.A, check_dtype=True), (path.name, options, one.A, many.A.to("cpu"))
    assert (many.n, many.nvals, many.name) == (one.n, one.nvals, one.name)


def make_lines(seed, weights, first=0):
    """Arcs in random order, with comments and empty lines between them; some occur twice, some in both directions."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(first, 40 + first, (150, 2))
    ends = np.concatenate([ends, ends[:9], ends[20:40, ::-1]])
    words = [[*pair, w] if weights else [*pair] for pair, w in zip(ends, rng.integers(1, 9, len(ends)), strict=True)]
    lines = ["\t".join(map(str, each)) for each in words]
    lines[7:7] = ["# a comment", ""]
    lines[90:90] = ["", "   # another", "#"]
    return lines


def case_edge_lists_are_read_in_parts(world):
    seed = world.share_object(secrets.randbits(32))
    with share_folder(world) as folder:
        for weights in (False, True):
            text = "\n".join(make_lines(seed, weights)) + "\n"
            for dup in ("first", "min", "sum"):
                check_file(world, folder / "a.el", text, dup=dup)
            check_file(world, folder / "c.el", text.removesuffix("\n"), dup="min", undirected=True)
            check_file(world, folder / "d.el", "# vertices 77\n" + text, dup="first")
        check_file(world, folder / "e.el", text + "3\t5\t0.5\n", dup="sum")
        check_file(world, folder / "f.el", "4 3\n0 1\n1 2\n3 0\n")  # the first line counts vertices and edges
        check_file(world, folder / "g.el", "4 3\n0 1\n1 2\n3 4\n")
        check_file(world, folder / "h.csv", "source,target,weight\n0,1,2.5\n1,2,3\n")
        check_file(world, folder / "i.el", "0 1")


def case_other_formats_are_read_in_parts(world):
    seed = world.share_object(secrets.randbits(32))
    with share_folder(world) as folder:
        rows = [line.replace("#", "%") for line in make_lines(seed, True, 1)]
        count = sum(line.strip()[:1].isdigit() for line in rows)
        for field in ("integer", "real"):
            head = f"%%MatrixMarket matrix coordinate {field} general\n% x\n45 45 {count}\n"
            check_file(world, folder / "a.mtx", head + "\n".join(rows), dup="sum")
        triangle = sorted(
            {(max(pair), min(pair)) for pair in np.random.default_rng(seed).integers(1, 30, (60, 2)).tolist()}
        )
        lines = "\n".join(f"{i} {j}" for i, j in triangle)
        check_file(
            world,
            folder / "b.mtx",
            f"%%MatrixMarket matrix coordinate pattern symmetric\n30 30 {len(triangle)}\n{lines}\n",
        )
        arcs = [f"a {line}" for line in rows if line.strip()[:1].isdigit()]
        check_file(world, folder / "c.gr", f"c hello\np sp 44 {count}\n" + "\n".join(arcs) + "\n", dup="min")


@contextmanager
def small_blocks(size):
    """Let a source look at a few lines together."""
    before, source.BLOCK = source.BLOCK, size
    yield
    source.BLOCK = before


def case_compressed_files_are_read_in_parts(world):
    seed = world.share_object(secrets.randbits(32))
    ends = np.random.default_rng(seed).integers(1, 3000, (24000, 2))
    lines = [f"{u} {v} {1 + (u * v) % 7}" for u, v in ends.tolist()]
    table = f"%%MatrixMarket matrix coordinate integer general\n3000 3000 {len(lines)}\n" + "\n".join(lines)
    wrong = "\n".join([*lines[:9000], "5 x 1", *lines[9000:]])
    with share_folder(world) as folder, small_blocks(1 << 12):
        for suffix, compress in COMPRESSED.items():
            path = folder / f"a.el{suffix}"
            check_file(world, path, compress("\n".join(lines).encode()), dup="first")
            held = world.all_gather(np.array([read_part(path, None, world.rank, world.size).rows.size]))
            assert held.sum() == len(lines)
            assert np.count_nonzero(held) > 1 or world.size == 1, held
            if suffix != ".gz":
                continue
            check_file(world, folder / f"b.mtx{suffix}", compress(table.encode()), dup="min", undirected=True)
            damaged = compress("\n".join(lines).encode())[:-9000]
            for text in (compress(wrong.encode()), damaged):
                path = write_file(world, folder / f"c.el{suffix}", text)
                one, many = (
                    raises(InvalidGraph, lambda on=on, path=path: gl.read(path, engine=on)) for on in ("cpu", "mpi")
                )
                assert one == many == world.share_object(many), (one, many)


def case_refusals_name_file_and_line_on_every_rank(world):
    lines = [f"{k} {k + 1}" for k in range(200)]
    with share_folder(world) as folder:
        for place in (0, 3, 120, 199):
            wrong = [*lines[:place], "5 x", *lines[place + 1 :]]
            path = write_file(world, folder / f"{place}.el", "# vertices 300\n" + "\n".join(wrong) + "\n")
            one, many = (
                raises(InvalidGraph, lambda on=on, path=path: gl.read(path, engine=on)) for on in ("cpu", "mpi")
            )
            assert one == many == world.share_object(many), (one, many)
        path = write_file(
            world, folder / "n.mtx", "%%MatrixMarket matrix coordinate pattern general\n9 9 3\n1 2\n3 4\n"
        )
        assert raises(InvalidGraph, lambda: gl.read(path, engine="mpi")) == raises(InvalidGraph, lambda: gl.read(path))
        path = write_file(world, folder / "twice.el", "0 1\n" * 9)
        assert "0 → 1" in raises(InvalidGraph, lambda: gl.read(path, engine="mpi"))
        path = write_file(world, folder / "gaps.el", "0 99999999\n")
        assert "99999999" in raises(InvalidGraph, lambda: gl.read(path, engine="mpi"))
        path = write_file(world, folder / "empty.el", "")
        assert raises(InvalidGraph, lambda: gl.read(path, engine="mpi")) == raises(InvalidGraph, lambda: gl.read(path))
        path = write_file(
            world, folder / "oblong.mtx", "%%MatrixMarket matrix coordinate pattern general\n9 8 1\n1 2\n"
        )
        assert "square" in raises(GraphlaError, lambda: gl.read(path, engine="mpi"))
        path = write_file(world, folder / "dense.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n")
        assert "in parts" in raises(NotSupported, lambda: gl.read(path, engine="mpi"))
        G = gl.Graph(([0, 1, 2], [1, 2, 0]), engine="mpi")
        for name in ("a.npz", "a.metis", "a.metis.gz"):
            symmetric = gl.Graph(([0, 1], [1, 0]), engine="mpi")
            gl.write(folder / name, symmetric)
            assert "'cpu'" in raises(NotSupported, lambda name=name: gl.read(folder / name, engine="mpi"))
        gl.write(folder / "b.mtx", G)
        assert gl.read(folder / "b.mtx", engine="mpi").A.isequal(G.A)
        raises(InvalidGraph, lambda: gl.read(folder / "missing.el", engine="mpi"))
        raises(GraphlaError, lambda: gl.write(folder / "no" / "b.mtx", G))


def case_arcs_of_all_ranks_make_a_graph(world):
    seed = world.share_object(secrets.randbits(32))
    for weights in (False, True):
        rng = np.random.default_rng(seed)
        ends = np.unique(rng.integers(0, 50, (200, 2)), axis=0)
        values = rng.random(len(ends)) if weights else None
        own = rng.permutation(len(ends)) % world.size == world.rank
        own &= world.rank != 1  # which has none
        given = np.ones(len(ends), bool) if world.size == 1 else world.all_reduce(own, gl.monoid.lor)
        parts = [ends[own, 0], ends[own, 1], *([values[own]] if weights else [])]
        wanted = gl.Graph((*ends[given].T, *([values[given]] if weights else [])), n=50, engine="cpu")
        made = gl.mpi.from_arcs(*parts, n=50)
        assert made.A.to("cpu").isequal(wanted.A, check_dtype=True), seed
    last = world.rank == world.size - 1
    text = raises(InvalidGraph, lambda: gl.mpi.from_arcs([0, 0], [1, 1]))
    assert "0 → 1" in text
    assert gl.mpi.from_arcs([0, 0], [1, 1], dup="first").nvals == 1
    assert "9 is no vertex" in raises(GraphlaError, lambda: gl.mpi.from_arcs([9 * last], [0], n=9))
    assert "one length" in raises(GraphlaError, lambda: gl.mpi.from_arcs([0] * (1 + last), [1]))
    assert "whole numbers" in raises(InvalidGraph, lambda: gl.mpi.from_arcs([0.5] if last else [1], [0]))
    for wrong in ({}, "x", object(), ["a"], [2**70], [None], [1j], np.array([1], "M8[s]")):
        for arcs in ((wrong, [1]), ([1], wrong), ([1], [1], wrong)):
            raises(GraphlaError, gl.mpi.from_arcs, *(arcs if last else ([1], [1], [1])[: len(arcs)]))
    if world.size > 1:
        assert "one dtype" in raises(InvalidGraph, lambda: gl.mpi.from_arcs([world.rank], [9], [2.5] if last else None))
