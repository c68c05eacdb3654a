"""A comparison in a notebook."""

from __future__ import annotations

import html
import math
from typing import Any

from graphla.comparing.table import EXPLAINED, HEADS, best_of, cells, fitting, groups, on_gpu

STYLE = (
    "<style>.graphla-compare td,.graphla-compare th{padding:2px 12px;text-align:right}"
    ".graphla-compare td:nth-child(-n+3),.graphla-compare th:nth-child(-n+3){text-align:left}"
    ".graphla-compare caption{text-align:left;font-weight:600}.graphla-compare .right td:nth-child(3){color:#0f9d76}"
    ".graphla-compare .wrong,.graphla-compare .failed,.graphla-compare .stopped{color:#dc2626}"
    ".graphla-compare .refused{color:#94a3b8}.graphla-compare .peer td:first-child{font-style:italic}</style>"
)


def tables(comparison: Any) -> str:
    """A table for each graph."""
    return STYLE + "".join(one_table(title, rows) for title, rows in groups(comparison))


def one_table(title: str, rows: list[Any]) -> str:
    """Headings, a row each, and its note across the table."""
    best = best_of(rows)
    columns = fitting([], math.inf, on_gpu(rows))
    head = "".join(f"<th>{HEADS[column]}</th>" for column in columns)
    body = "".join(one_row(row, best, columns) for row in rows)
    said = f"<br><small>{EXPLAINED.strip()}</small>" if on_gpu(rows) else ""
    caption = f"<caption>{html.escape(title)}{said}</caption>"
    return f'<table class="graphla-compare">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def one_row(row: Any, best: float | None, columns: list[int]) -> str:
    """A row, and below it what is wrong with it."""
    line = cells(row, best)
    shown = "".join(f"<td>{html.escape(line[column])}</td>" for column in columns)
    note = f'<tr class="{row.status}"><td></td><td colspan="{len(columns) - 1}">{html.escape(row.note)}</td></tr>'
    return f'<tr class="{row.status} {row.kind}">{shown}</tr>{note if row.note else ""}'
