"""``gl.caching``: what compiled code is kept on disk, and how to compile all of it before it is needed."""

from graphla.measuring.caching.folders import CacheFolder, list_folders
from graphla.measuring.caching.warming import Warmed, warm

__all__ = ["CacheFolder", "Warmed", "list_folders", "warm"]
