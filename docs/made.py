"""The directive ``made``: what a call such as ``h200.bfs()`` returns stands in its place, as Markdown.

Sphinx makes the call itself, in the process that builds the pages, so a page of tables starts no kernel.
"""

from __future__ import annotations

import beside_peers
import h200
import tables
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective


class Made(SphinxDirective):
    """A table of :mod:`tables`, of :mod:`h200` or of :mod:`beside_peers`."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        text = str(eval(self.arguments[0], {"beside_peers": beside_peers, "h200": h200, "tables": tables}))
        box = nodes.container(classes=["made"])
        self.state.nested_parse(StringList(text.splitlines(), self.arguments[0]), self.content_offset, box)
        return list(box.children)
