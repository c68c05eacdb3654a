"""Positions of vertices for pictures."""
