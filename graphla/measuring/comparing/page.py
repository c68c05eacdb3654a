"""A comparison as HTML, for notebooks."""

from __future__ import annotations

import html
import math
from typing import Any

from graphla.measuring.comparing.table import (
    GPU_NOTE,
    HEADS,
    choose_columns,
    find_best,
    format_cells,
    group_rows,
    has_gpu_rows,
)

STYLE = (
    "<style>.graphla-compare td,.graphla-compare th{padding:2px 12px;text-align:right}"
    ".graphla-compare td:nth-child(-n+3),.graphla-compare th:nth-child(-n+3){text-align:left}"
    ".graphla-compare caption{text-align:left;font-weight:600}.graphla-compare .right td:nth-child(3){color:#0f9d76}"
    ".graphla-compare .wrong,.graphla-compare .failed,.graphla-compare .stopped{color:#dc2626}"
    ".graphla-compare .refused{color:#94a3b8}.graphla-compare .peer td:first-child{font-style:italic}</style>"
)


def format_tables(comparison: Any) -> str:
    """Format one table per graph."""
    return STYLE + "".join(format_table(title, rows) for title, rows in group_rows(comparison))


def format_table(title: str, rows: list[Any]) -> str:
    """Format the table of one graph: headings, and for each row its cells and its note."""
    best = find_best(rows)
    columns = choose_columns([], math.inf, has_gpu_rows(rows))
    head = "".join(f"<th>{HEADS[column]}</th>" for column in columns)
    body = "".join(format_row(row, best, columns) for row in rows)
    note = f"<br><small>{GPU_NOTE.strip()}</small>" if has_gpu_rows(rows) else ""
    caption = f"<caption>{html.escape(title)}{note}</caption>"
    return f'<table class="graphla-compare">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def format_row(row: Any, best: float | None, columns: list[int]) -> str:
    """Format a row, and below it its note."""
    line = format_cells(row, best)
    data = "".join(f"<td>{html.escape(line[column])}</td>" for column in columns)
    note = f'<tr class="{row.status}"><td></td><td colspan="{len(columns) - 1}">{html.escape(row.note)}</td></tr>'
    return f'<tr class="{row.status} {row.kind}">{data}</tr>{note if row.note else ""}'
