"""The result of a comparison, and its output formats."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphla.common.arguments import show
from graphla.measuring import pictures
from graphla.measuring.comparing import page, table, time_plot
from graphla.measuring.comparing.row import Row

COLUMNS: tuple[str, ...] = (
    "problem",
    "graph",
    "vertices",
    "arcs",
    "name",
    "kind",
    "engine",
    "status",
    "median",
    "spread",
    "whole",
    "first",
    "memory",
    "arcs_per_second",
    "note",
)


@dataclass(frozen=True)
class Comparison:
    """The rows of a comparison, and the machine that they were measured on.

    Attributes
    ----------
    rows : tuple of Row
        One row per method or library and graph.
    conditions : dict
        Machine, versions and settings.

    Examples
    --------
    >>> from graphla.comparing import Comparison, Row
    >>> row = Row("bfs", "a path", 4, 3, "algebraic", "method", "cpu", "right", times=(0.002, 0.001))
    >>> found = Comparison((row,), {})
    >>> found["algebraic"].status, found.ok
    ('right', True)
    """

    rows: tuple[Row, ...]
    conditions: dict[str, Any]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Row:
        """The first row of the method or library `name`."""
        found = next((row for row in self.rows if row.name == name), None)
        if found is None:
            raise KeyError(
                f"there is no row {name!r}; there are: {', '.join(dict.fromkeys(r.name for r in self.rows))}"
            )
        return found

    @property
    def ok(self) -> bool:
        """Whether no method of graphla was wrong, failed or was stopped. A refusal is not a fault."""
        return all(row.status in ("right", "refused", "unchecked") for row in self.rows if row.kind == "method")

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        yield from table.make_tables(self, options.max_width)

    def __str__(self) -> str:
        return table.format_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return page.format_tables(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data.

        Returns
        -------
        dict
            The conditions, and the rows as a list of dictionaries.

        Examples
        --------
        >>> from graphla.comparing import Comparison
        >>> Comparison((), {"machine": "mine"}).to_dict()
        {'conditions': {'machine': 'mine'}, 'rows': []}
        """
        return {"conditions": self.conditions, "rows": [row.to_dict() for row in self.rows]}

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the comparison as JSON, and write it to a file if asked.

        Parameters
        ----------
        path : str or path, optional
            The file to write.

        Returns
        -------
        str
            What `to_dict` returns, as JSON.

        Examples
        --------
        >>> from graphla.comparing import Comparison
        >>> "conditions" in Comparison((), {"machine": "mine"}).to_json()
        True
        """
        return pictures.write_text(json.dumps(self.to_dict(), indent=2, default=show), path)

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return the rows as CSV with a header line, and write them to a file if asked.

        Parameters
        ----------
        path : str or path, optional
            The file to write.

        Returns
        -------
        str
            One line per row; seconds and bytes.

        Examples
        --------
        >>> from graphla.comparing import Comparison
        >>> Comparison((), {}).to_csv().split(",")[:4]
        ['problem', 'graph', 'vertices', 'arcs']
        """
        stream = io.StringIO()
        writer = csv.DictWriter(stream, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(row.to_dict() for row in self.rows)
        return pictures.write_text(stream.getvalue(), path)

    def plot(self, path: Any = None, *, format: str | None = None) -> Any:
        """Plot the times as points with their ratios to the best, and write the figure to a file if asked.

        Parameters
        ----------
        path : str, path or binary file, optional
            The file to write: .png, .svg or another format of Matplotlib.
        format : str, optional
            The format; by default the suffix of `path` decides.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Examples
        --------
        >>> from graphla.comparing import Comparison, Row
        >>> row = Row("bfs", "a path", 4, 3, "algebraic", "method", "cpu", "right", times=(0.002, 0.001))
        >>> figure = Comparison((row,), {}).plot("times.svg")
        """
        figure = time_plot.draw_times(self)
        pictures.save_figure(figure, path, format)
        return figure
