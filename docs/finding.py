"""What people look for by words of their own: the search of the built pages must find a page for each."""

from __future__ import annotations

from typing import Any

from sphinx.util import logging

SOUGHT = {
    "isochrone": "methods/roads",
    "dynamic": "recipes",
    "subgraph": "recipes",
    "install": "install",
    "colab": "notebook",
    "gallery": "gallery",
    "torch": "recipes",
    "parquet": "recipes",
    "pandas": "tables",
    "service": "recipes",
    "pagerank": "methods/pagerank",
    "personalised": "methods/pagerank",
    "restart": "methods/pagerank",
    "routing": "methods/roads",
    "travel": "methods/roads",
    "skim": "methods/roads",
    "fiedler": "methods/spectrum",
    "embedding": "methods/spectrum",
    "spsolve": "coming_from",
    "eigsh": "coming_from",
    "pandana": "coming_from",
}
"""Words, and a page that must be among those found."""


def require_found(app: Any, error: Exception | None) -> None:
    """Warn, and so end the build, where the index of the search does not lead from a word to its page."""
    index = getattr(app.builder, "indexer", None)
    if error is None and index is not None and app.builder.name == "html":
        for word in find_lost(index, app.env.found_docs - {*index._titles}):  # of a build of some pages, the others
            logging.getLogger(__name__).warning("a search for %r does not find %s", word, SOUGHT[word])


def find_lost(index: Any, unread: set[str]) -> list[str]:
    """The words that do not lead to their page, but for pages that the index has not read."""
    return [word for word, page in SOUGHT.items() if page not in unread | find_pages(index, word)]


def find_pages(index: Any, word: str) -> set[str]:
    """The pages whose text or titles have a word, as the search of a reader stems it."""
    stem = index.lang.stem(word)
    found = (words.get(stem, ()) for words in (index._mapping, index._title_mapping))
    return {page for pages in found for page in ([pages] if isinstance(pages, str) else pages)}
