"""A trace as an HTML table, with a bar for each time."""

from __future__ import annotations

import html
from typing import Any

from graphla.measuring.watching.text import HEADS, RIGHT, format_rows, summarize

STYLE = (
    "<style>.graphla-trace td,.graphla-trace th{padding:2px 10px;text-align:left;font:12px/1.5 ui-monospace,monospace}"
    ".graphla-trace .n{text-align:right}.graphla-trace .push{color:#1f6feb}.graphla-trace .pull{color:#c2410c}"
    ".graphla-trace td.level{white-space:pre;color:#64748b}"
    ".graphla-trace caption{text-align:left;font-weight:600;padding:4px 10px}"
    ".graphla-trace i{display:block;height:9px;background:#94a3b8}</style>"
)


def format_table(trace: Any) -> str:
    """Format a trace as an HTML table with one row per operation."""
    longest = max((step.seconds for step in trace.operations), default=0.0) or 1.0
    head = "".join(f"<th>{name}</th>" for name in (*HEADS, "time"))
    body = "".join(format_row(cells, step, longest) for step, cells in format_rows(trace))
    title = html.escape(summarize(trace))
    caption = f"<caption>{title}</caption><thead><tr>{head}</tr></thead>"
    return f'{STYLE}<table class="graphla-trace">{caption}<tbody>{body}</tbody></table>'


def format_row(cells: tuple[str, ...], step: Any, longest: float) -> str:
    """Format one row. The length of its bar is its time; a level of a compiled method has no time and no bar."""
    color_class = html.escape(step.direction or "") if step else "level"
    columns = "".join(
        f'<td class="{"n" if k in RIGHT else color_class}">{html.escape(cell)}</td>' for k, cell in enumerate(cells)
    )
    bar = f'<i style="width:{max(1.0, 160 * step.seconds / longest):.0f}px"></i>' if step else ""
    return f"<tr>{columns}<td>{bar}</td></tr>"


def format_page(trace: Any) -> str:
    """Format a trace as a complete HTML page."""
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>graphla trace</title>{format_table(trace)}</html>\n"
    )
