"""Room for what the hops of a sample may draw, known before any is drawn."""

from __future__ import annotations

from typing import Any, NamedTuple

from graphla.algorithms.sampling.options import Asked, How, Relation

ROOM = 1 << 23
"""Draws of a hop for which there is room at once; more have to be counted first."""


class Step(NamedTuple):
    """A hop of a relation.

    Parameters
    ----------
    hop, number : int
        Which hop, and which relation.
    relation : Relation
        From which vertices arcs are drawn, and to which they lead.
    fanout : int
        How many arcs each vertex draws; -1 for all.
    drawing, room : int
        How many vertices may draw, at most, and for how many draws there is room.
    """

    hop: int
    number: int
    relation: Relation
    fanout: int
    drawing: int
    room: int


def plan_steps(asked: Asked, how: How, limits: dict[tuple[int, int], int]) -> list[Step]:
    """The hops of relations that may draw, in order; each has room for all that it may draw, up to its limit."""
    front = {kind: int(seeds.size) for kind, seeds in asked.seeds.items()}
    steps: list[Step] = []
    for hop in range(asked.hops):
        found: dict[Any, int] = {}
        for number, relation in enumerate(asked.relations):
            fanout, drawing = relation.get_fanout(hop), front.get(relation.near, 0)
            most = asked.trees * int(relation.rows.indices.size)
            draws = drawing * fanout if fanout >= 0 else most * (drawing > 0)
            room = min(draws if how.replace else min(draws, most), limits.get((hop, number), ROOM))
            if room:
                steps.append(Step(hop, number, relation, fanout, drawing, room))
                found[relation.far] = found.get(relation.far, 0) + room
        front = found
    return steps
