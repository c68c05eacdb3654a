"""A trace as a table of HTML, with a bar for each time."""

from __future__ import annotations

import html
from typing import Any

from graphla.watching.text import HEADS, RIGHT, rows, summary

STYLE = (
    "<style>.graphla-trace td,.graphla-trace th{padding:2px 10px;text-align:left;font:12px/1.5 ui-monospace,monospace}"
    ".graphla-trace .n{text-align:right}.graphla-trace .push{color:#1f6feb}.graphla-trace .pull{color:#c2410c}"
    ".graphla-trace td.level{white-space:pre;color:#64748b}"
    ".graphla-trace caption{text-align:left;font-weight:600;padding:4px 10px}"
    ".graphla-trace i{display:block;height:9px;background:#94a3b8}</style>"
)


def table(trace: Any) -> str:
    """The operations as rows."""
    longest = max((step.seconds for step in trace.operations), default=0.0) or 1.0
    head = "".join(f"<th>{name}</th>" for name in (*HEADS, "time"))
    body = "".join(line(cells, step, longest) for step, cells in rows(trace))
    title = html.escape(summary(trace))
    caption = f"<caption>{title}</caption><thead><tr>{head}</tr></thead>"
    return f'{STYLE}<table class="graphla-trace">{caption}<tbody>{body}</tbody></table>'


def line(cells: tuple[str, ...], step: Any, longest: float) -> str:
    """One row; the bar is as long as its time, and a level of a compiled method has none of its own."""
    way = html.escape(step.direction or "") if step else "level"
    shown = "".join(
        f'<td class="{"n" if k in RIGHT else way}">{html.escape(cell)}</td>' for k, cell in enumerate(cells)
    )
    bar = f'<i style="width:{max(1.0, 160 * step.seconds / longest):.0f}px"></i>' if step else ""
    return f"<tr>{shown}<td>{bar}</td></tr>"


def document(trace: Any) -> str:
    """A whole page."""
    return f"<!doctype html><html lang=en><meta charset=utf-8><title>graphla trace</title>{table(trace)}</html>\n"
