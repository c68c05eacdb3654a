"""Sphinx configuration."""

import os
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from docutils import nodes
from jupyter_cache import get_cache

import graphla
from graphla.problem import all_problems

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT)]

from finding import require_found  # noqa: E402 (modules of this folder)
from lists import fill_in, write_stubs  # noqa: E402
from made import Made  # noqa: E402
from signatures import Calls, drop_call  # noqa: E402

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
exclude_patterns = ["_build", "_templates"]
html_static_path = ["_static"]
html_css_files = ["graphla.css"]
html_sidebars: dict[str, list[str]] = {"*": []}  # pages of the top have no neighbours to show
html_theme = "pydata_sphinx_theme"
html_title = "graphla"
html_theme_options = {
    "show_toc_level": 2,
    "header_links_before_dropdown": 7,  # tutorial, notebook, tables, methods, gallery, NetworkX, reference
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
}
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 300
nb_output_stderr = "warn"
nb_render_markdown_format = "myst"
numpydoc_show_class_members = False
autosummary_generate = ["reference.md", write_stubs(HERE / "_build")]
autosummary_context = {"problems": list(all_problems())}
templates_path = ["_templates"]
autodoc_typehints = "none"


def digest_sources() -> str:
    """Digest what cells and tables follow from: the packages, the modules of this folder, the figures that are kept."""
    folders = ("graphla", "semirings", "_graphla_networkx", "docs", "asv_bench/results")
    every = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in KINDS)
    digest = sha256()
    for path in sorted(path for path in every if "_build" not in path.parts):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def place_cache() -> Path:
    """The folder of what cells gave under these sources; what they gave under others goes."""
    every, name = HERE / "_build" / "cells", digest_sources()
    for other in every.glob("*"):
        if other.name != name:
            shutil.rmtree(other, ignore_errors=True)
    return every / name


KINDS = {".py", ".cuh", ".csv", ".json"}
nb_execution_cache_path = str(place_cache())
os.environ["PYTHONWARNINGS"] = "always::DeprecationWarning"  # of a cell: it is written to stderr, and ends the build
os.environ.setdefault("GRAPHLA_ENGINE", "cpu")


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
    """Pictures are doubled before Sphinx collects those of a page; every page is read anew when the sources change."""
    get_cache(nb_execution_cache_path).db  # made here, because several processes read pages
    app.add_directive("made", Made)
    app.add_directive("autosummary", Calls, override=True)
    app.connect("source-read", fill_in)
    app.connect("doctree-read", add_dark_pictures, priority=400)
    app.connect("autodoc-process-docstring", drop_call)
    app.connect("build-finished", require_found)
