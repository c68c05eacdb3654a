"""What a properties file says of a data set: its files, whether edges have directions, and what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphla.common.arguments import show, to_path
from graphla.common.errors import InvalidGraph, NotSupported

SUFFIX = ".properties"
TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True)
class Dataset:
    """A data set.

    Attributes
    ----------
    file : Path
        The properties file.
    name : str
        The name of the graph.
    properties : mapping of str to str
        Its properties; their keys have no ``graph.NAME.`` in front.
    """

    file: Path
    name: str
    properties: Mapping[str, str]

    def get(self, key: str, why: str) -> str:
        """The value of a property.

        Parameters
        ----------
        key : str
            Its key, without ``graph.NAME.`` in front.
        why : str
            What needs it, for the message of the error.

        Returns
        -------
        str
            The text after the equals sign.

        Raises
        ------
        InvalidGraph
            If the file does not state it.
        """
        if key not in self.properties:
            raise InvalidGraph(f"{self.file}: graph.{self.name}.{key} is missing; {why} needs it")
        return self.properties[key]

    def get_number(self, key: str, why: str, convert: Callable[[str], Any]) -> Any:
        """The value of a property as a number; `convert` is ``int`` or ``float``."""
        text = self.get(key, why)
        try:
            return convert(text)
        except ValueError:
            kind = "a whole number" if convert is int else "a number"
            raise InvalidGraph(f"{self.file}: graph.{self.name}.{key} = {text}: {why} needs {kind}") from None

    @property
    def directed(self) -> bool:
        """Whether its edges have directions."""
        text = self.get("directed", "reading the edges")
        if text.lower() not in TRUTHS:
            raise InvalidGraph(f"{self.file}: graph.{self.name}.directed = {text}: write true or false")
        return TRUTHS[text.lower()]

    @property
    def algorithms(self) -> list[str]:
        """The names of its algorithms, in lower case."""
        return split_list(self.get("algorithms", "the benchmark"))

    @property
    def edge_properties(self) -> list[str]:
        """The names of the columns after the two ends of an edge."""
        names = split_list(self.properties.get("edge-properties.names", ""))
        if len(names) > 1:
            raise NotSupported(
                f"{self.file}: edges have the properties {', '.join(names)}; graphla reads one, the weight"
            )
        return names

    def find_file(self, key: str) -> Path:
        """The file that a property names, beside the properties file."""
        name = self.get(key, "reading the graph")
        path = self.file.parent / name
        if not path.is_file():
            raise InvalidGraph(f"{self.file}: graph.{self.name}.{key} = {name}: there is no file {path}")
        return path

    def find_reference(self, algorithm: str) -> Path | None:
        """The file with the right answer, or None if there is none."""
        path = self.file.parent / f"{self.name}-{algorithm.upper()}"
        return path if path.is_file() else None


def split_list(text: str) -> list[str]:
    """The words of a list with commas, in lower case."""
    return [word.strip().lower() for word in text.split(",") if word.strip()]


def find_datasets(folder: Any) -> list[Dataset]:
    """The data sets of a folder, by name.

    Parameters
    ----------
    folder : str or path
        A folder with properties files.

    Returns
    -------
    list of Dataset
        At least one.

    Raises
    ------
    InvalidGraph
        If there is no such folder, no properties file in it, or one that describes no graph.
    """
    path = to_path(folder, "folder")
    if not path.is_dir():
        raise InvalidGraph(f"folder={show(str(path))}: there is no such folder")
    files = sorted(path.glob(f"*{SUFFIX}"))
    if not files:
        raise InvalidGraph(
            f"{path}: no *{SUFFIX} in this folder; a data set of Graphalytics has one beside its .v and .e"
        )
    return [read_dataset(file) for file in files]


def read_dataset(file: Path) -> Dataset:
    """Read a properties file."""
    lines = file.read_text("utf-8", "replace").splitlines()
    pairs: dict[str, str] = {}
    for line in lines:
        key, equals, value = line.partition("=")
        if equals and not line.lstrip().startswith(("#", "!")):
            pairs[key.strip()] = value.strip()
    names = {key.split(".")[1] for key in pairs if key.startswith("graph.") and key.count(".") > 1}
    if len(names) != 1:
        told = f"of {len(names)} graphs: {', '.join(sorted(names))}" if names else "no graph (keys graph.NAME.…)"
        raise InvalidGraph(f"{file}: it describes {told}; give one per file")
    name = names.pop()
    return Dataset(file, name, {key.removeprefix(f"graph.{name}."): value for key, value in pairs.items()})
