"""Sphinx configuration."""

import sys
from pathlib import Path
from typing import Any

from docutils import nodes

import graphla

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

project = "graphla"
author = "the graphla founders"
release = graphla.__version__
extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.intersphinx",
    "sphinx_design",
]
intersphinx_mapping: dict[str, tuple[str, None]] = {}
exclude_patterns = ["_build"]
html_static_path = ["_static"]
html_css_files = ["graphla.css"]
TOP = ("index", "tutorial", "algebra", "engines", "testing", "results", "coming_from", "glossary", "lab_notes")
html_sidebars: dict[str, list[str]] = {page: [] for page in TOP}
html_theme = "pydata_sphinx_theme"
html_title = "graphla"
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
}
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_render_markdown_format = "myst"
numpydoc_show_class_members = False
autosummary_generate = True
autodoc_typehints = "none"


def add_dark_pictures(app: Any, doctree: nodes.document) -> None:
    """Beside a picture that is also drawn for dark pages put that one; each is shown on the pages that it is for.

    Both stand in a box of their own, because the theme hides captions beside pictures that it hides.
    """
    for picture in list(doctree.findall(nodes.image)):
        dark = HERE / "_static" / f"{Path(picture['uri']).stem}-dark.png"
        if "_static/" in picture["uri"] and dark.exists():
            beside = picture.deepcopy()
            beside["uri"] = picture["uri"].replace(".png", "-dark.png")
            beside["classes"].append("only-dark")
            picture["classes"].append("only-light")
            place, both = picture.parent, nodes.container(classes=["both-themes"])
            place[place.index(picture)] = both
            both += [picture, beside]


def setup(app: Any) -> None:
    """Run before Sphinx collects the images of a page."""
    app.connect("doctree-read", add_dark_pictures, priority=400)
