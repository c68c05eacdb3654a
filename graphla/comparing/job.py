"""What the process that does the work is told: the graph, the problem, who takes part."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from graphla.storage import CompressedMatrix

PARTS = ("indptr", "indices", "values")


@dataclass(frozen=True)
class Entrant:
    """A method or a peer by name, and the engine on which it runs."""

    name: str
    kind: Literal["method", "peer"]
    engine: str


@dataclass(frozen=True)
class Job:
    """A problem on a graph whose arrays lie in a folder.

    Parameters
    ----------
    package : str
        The package of the problem, whose attribute of the same name it is.
    folders : tuple of str
        Where that package looks for methods.
    folder : str
        Where the arrays of the graph are.
    n : int
        Vertices.
    engine : str
        Where the methods run.
    where : tuple
        The arguments after the graph: a source, or none.
    request : dict
        Keyword arguments for each method.
    """

    package: str
    folders: tuple[str, ...]
    folder: str
    n: int
    engine: str
    where: tuple[Any, ...]
    request: dict[str, Any] = field(default_factory=dict)


def put_graph(csr: CompressedMatrix, folder: Path) -> None:
    """Write the arrays where another process maps them into its memory."""
    for part in PARTS:
        np.save(folder / f"{part}.npy", getattr(csr, part))


def get_graph(job: Job) -> CompressedMatrix:
    """The arrays, shared with whoever else has mapped them until written to."""
    indptr, indices, values = (np.asarray(np.load(Path(job.folder) / f"{part}.npy", mmap_mode="c")) for part in PARTS)
    return CompressedMatrix(job.n, job.n, indptr, indices, values)


def problem_of(job: Job) -> Any:
    """The problem, with the methods that the one who asks sees."""
    package = importlib.import_module(job.package)
    package.__path__ = list(job.folders)
    return getattr(package, job.package.rpartition(".")[2])
