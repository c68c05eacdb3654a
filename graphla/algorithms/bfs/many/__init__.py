"""Searches from many sources at once, a bit for each."""
