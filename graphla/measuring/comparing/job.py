"""The job that the worker process receives: the graph, the problem and its arguments."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from graphla.common.files import replace_file
from graphla.common.typing import EngineName
from graphla.storage import CompressedMatrix

PARTS = ("indptr", "indices", "values")
DEFAULT = "default"
"""The participant that names no method: what computes many answers at once has none of the names."""


@dataclass(frozen=True)
class Entrant:
    """A participant: a method or another library by name, and the engine on which it runs."""

    name: str
    kind: Literal["method", "peer"]
    engine: EngineName


@dataclass(frozen=True)
class Job:
    """A problem on a graph whose arrays are files in a folder.

    Parameters
    ----------
    package : str
        The package of the problem; the problem is its attribute of the same name.
    folders : tuple of str
        The folders in which the package looks for methods.
    folder : str
        The folder with the arrays of the graph.
    n : int
        Number of vertices.
    engine : str
        The engine of the methods.
    where : tuple
        The positional arguments after the graph: a source, or none.
    request : dict
        The keyword arguments of each method.
    """

    package: str
    folders: tuple[str, ...]
    folder: str
    n: int
    engine: EngineName
    where: tuple[Any, ...]
    request: dict[str, Any] = field(default_factory=dict)


def save_graph(csr: CompressedMatrix, folder: Path) -> None:
    """Write the arrays of the graph into a folder, from which another process maps them into its memory."""
    for part in PARTS:
        with replace_file(folder / f"{part}.npy") as stream:
            np.save(stream, getattr(csr, part))


def load_graph(job: Job) -> CompressedMatrix:
    """Map the arrays of the graph into memory, copy-on-write."""
    indptr, indices, values = (np.asarray(np.load(Path(job.folder) / f"{part}.npy", mmap_mode="c")) for part in PARTS)
    return CompressedMatrix(job.n, job.n, indptr, indices, values)


def load_problem(job: Job) -> Any:
    """Import the problem, with the methods that the calling process sees."""
    home = importlib.import_module(job.package.rpartition(".")[0])
    home.__path__ = [*home.__path__, *(str(Path(folder).parent) for folder in job.folders)]
    package = importlib.import_module(job.package)
    package.__path__ = list(job.folders)
    return getattr(package, job.package.rpartition(".")[2])
