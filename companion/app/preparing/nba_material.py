"""Coaches and dice sets that an NBA match can be prepared with, in the shape that its header has them in."""

from __future__ import annotations

from typing import Any

from companion.games.base import Message
from companion.games.nba.tables import PROPOSED_FACES, SKILLS, STATS

NO_COACH = ""
LEAST_DISCOUNT = 2
"""A coach who makes players cheaper looks for so much of a skill."""

DICE = ("rulebook", "proposal")
"""The faces told by the rulebook, or those with the hints of NBA-2.3 filled in, to be held against the real dice."""


def _named(id: str) -> Message:
    power, _, of = id.partition(".")
    if power == "reroll":
        return Message("app.nba.coach.reroll", {"dice": Message(f"nba.body.{of}")})
    if power == "discount":
        name = Message(f"nba.skill.{of}") if of in SKILLS else Message(f"app.nba.stat.{of}")
        return Message("app.nba.coach.discount", {"skill": name, "least": LEAST_DISCOUNT})
    return Message(f"app.nba.coach.{power or 'none'}")


COACHES: tuple[tuple[str, Message], ...] = tuple(
    (id, _named(id))
    for id in (
        NO_COACH,
        "collective",
        "rebounds",
        "second_tactic",
        "draw7",
        *(f"reroll.{die}" for die in SKILLS),
        *(f"discount.{stat}" for stat in STATS),
    )
)
"""What can be chosen, and how it is called."""


def coach_of(id: str) -> dict[str, Any]:
    """The coach of the header (NBA-9.5) for an id of COACHES that is not empty."""
    power, _, of = id.partition(".")
    if power == "reroll":
        return {"power": power, "die": of}
    if power == "discount":
        return {"power": power, "skill": of, "min": LEAST_DISCOUNT}
    return {"power": power}


def dice_of(id: str, six_nine: str) -> dict[str, Any]:
    """The dice set of the header (NBA-2.2)."""
    if id == "rulebook":
        return {"id": id, "six_nine": six_nine}
    return {
        "id": id,
        "six_nine": six_nine,
        "faces": {kind: [_face(*face) for face in faces] for kind, faces in PROPOSED_FACES.items()},
    }


def _face(value: int, colour: str | None) -> dict[str, Any]:
    return {"value": value} if colour is None else {"value": value, "colour": colour}
