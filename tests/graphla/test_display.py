"""How things look in a terminal and in a notebook: small, in one line a row, and no name or label becomes markup."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

import graphla as gl

EVIL = '<script>alert("x")</script>&\''
TAGS = {"table", "caption", "thead", "tbody", "tr", "th", "td", "pre", "style", "i"}


class Page(HTMLParser):
    """The tags and the text of a page; each tag that is opened must be closed in turn."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        assert all(name in ("class", "colspan", "style") for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def G() -> gl.Graph:
    G = gl.Graph(([0, 1], [1, 2], [3, 4]), n=3, labels=[EVIL, "b", 'q"'], engine="cpu")
    G.name = G.A.name = EVIL
    return G


def make_loop(G: gl.Graph) -> Any:
    v = gl.Vector.from_coo([0], [1], size=2, engine="cpu")
    return gl.loop(lambda _: v << v + v, times=1)


def make_trace(G: gl.Graph) -> Any:
    with gl.trace() as t:
        gl.bfs(G, EVIL, method="algebraic")
    return t


def make_plan(G: gl.Graph) -> Any:
    v = gl.Vector("INT64", G.n, engine="cpu")
    v << gl.semiring.min_plus(G.A.T @ gl.pagerank(G))
    return v.plan


def name(container: Any) -> Any:
    container.name = EVIL
    return container


SHOWN = {
    "graph": lambda G: G,
    "matrix": lambda G: G.A,
    "transposed": lambda G: G.A.T,
    "answer": lambda G: name(gl.pagerank(G)),
    "expression": lambda G: G.A @ gl.pagerank(G),
    "scalar": lambda G: gl.pagerank(G).reduce().new(),
    "empty scalar": lambda G: gl.Scalar("INT64"),
    "loop": make_loop,
    "plan": make_plan,
    "trace": make_trace,
    "factor": lambda G: gl.factorize(G),
    "flow": lambda G: gl.max_flow(G, EVIL, "b"),
}


@pytest.mark.parametrize("kind", SHOWN)
def test_a_page_is_markup_of_ours_alone_and_says_what_the_text_says(kind: str, G: gl.Graph) -> None:
    what = SHOWN[kind](G)
    page = Page(what._repr_html_())
    assert page.tags <= TAGS
    assert len(page.text) < 2_000
    title = (str(what) if kind == "plan" else repr(what)).splitlines()[-1 if kind == "trace" else 0]
    assert title in page.text


def test_vertices_go_by_their_labels(G: gl.Graph) -> None:
    assert [line.split() for line in str(gl.bfs(G, EVIL)).splitlines()[1:]] == [
        ["vertex", "level"],
        [EVIL, "0"],
        ["b", "1"],
        ['q"', "2"],
    ]
    _, parents = gl.bfs(G, "b", parents=True)
    assert str(parents).splitlines()[-1].split() == ['q"', "b"]
    assert "source" in str(G.A)
    assert EVIL in str(G.A)
    assert Page(gl.bfs(G, EVIL)._repr_html_()).text.endswith('0b1q"2')


def test_long_labels_and_those_of_several_lines_take_one_short_line() -> None:
    G = gl.Graph(([0], [1]), labels=["two\nlines", "x" * 500], engine="cpu")
    lines = str(gl.pagerank(G)).splitlines()
    assert len(lines) == 4
    assert "two\\nlines" in lines[2]
    assert max(map(len, lines)) < 80


def test_what_is_not_shown_is_counted() -> None:
    v = gl.Vector.from_dense(range(20), engine="cpu")
    assert str(v).splitlines()[-1].strip() == "… 12 more"
    assert Page(v._repr_html_()).text.endswith("… 12 more")
    assert len(str(gl.Vector("INT8", 5, engine="cpu")).splitlines()) == 1
    assert Page(gl.Matrix("INT8", 0, 0, engine="cpu")._repr_html_()).text.startswith("Matrix 0×0 INT8, 0 entries")
