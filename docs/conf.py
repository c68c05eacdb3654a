"""Sphinx configuration."""

import graphla

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
]
intersphinx_mapping: dict[str, tuple[str, None]] = {}
exclude_patterns = ["_build"]
html_static_path = ["_static"]
html_css_files = ["tables.css"]
TOP = ("index", "tutorial", "algebra", "engines", "testing", "results", "coming_from")
html_sidebars: dict[str, list[str]] = {page: [] for page in TOP}
html_theme = "pydata_sphinx_theme"
html_title = "graphla"
html_theme_options = {"show_toc_level": 2, "navigation_with_keys": False}
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_render_markdown_format = "myst"
numpydoc_show_class_members = False
autosummary_generate = True
autodoc_typehints = "none"
