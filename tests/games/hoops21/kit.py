"""Kit for hoops21 rule tests, with short codes for dice: `bbbpsf` is three balls, a pass, an S and a free throw."""

from __future__ import annotations

from typing import Any

from companion.games.base import Refusal
from companion.games.hoops21 import HOOPS21
from companion.games.hoops21.state import State

SYMBOLS = {"b": "ball", "p": "pass", "s": "steal", "f": "free_throw"}
MIXED = "bbpssf"
"""Dice of a team that counts two."""
ADVANCED = {"advanced_token": True}


def dice(letters: str) -> list[str]:
    """Return dice by their letters."""
    return [SYMBOLS[letter] for letter in letters]


def header(**setup: Any) -> dict[str, Any]:
    """Return a header with this setup."""
    sides = {"orange": {"name": "Les Huppes"}, "white": {"name": "Quai Nord"}}
    return {"journal": 1, "game": "hoops21", "sides": sides, "setup": setup}


def rule_of_header(head: dict[str, Any]) -> str | None:
    """Return the rule by which a header is refused, or None if it is accepted."""
    try:
        HOOPS21.initial_state(head)
    except Refusal as refusal:
        return refusal.rule
    return None


class Match:
    """A match in progress. An illegal event fails the test; `refused` returns the rule that an event breaks."""

    def __init__(self, **setup: Any) -> None:
        self.state: State = HOOPS21.initial_state(header(**setup))

    def play(self, event: str, **fields: Any) -> dict[str, Any]:
        """Play an event and return its outcome."""
        parsed = HOOPS21.parse({"event": event, **fields})
        HOOPS21.validate(self.state, parsed)
        self.state, outcome = HOOPS21.apply(self.state, parsed)
        return outcome

    def refused(self, event: str, **fields: Any) -> str | None:
        """Return the rule by which an event is refused now, or None if it is legal; the state does not change."""
        try:
            HOOPS21.validate(self.state, HOOPS21.parse({"event": event, **fields}))
        except Refusal as refusal:
            return refusal.rule
        return None

    @property
    def view(self) -> dict[str, Any]:
        return HOOPS21.view(self.state)

    @property
    def phase(self) -> str:
        return self.state.phase

    def stats(self, side: str) -> dict[str, int]:
        """Return the statistics of a side without zeros."""
        return {name: count for name, count in self.view["stats"][side].items() if count}

    def jump_ball(self, orange: str, white: str) -> dict[str, Any]:
        return self.play("jump_ball", orange=dice(orange), white=dice(white))

    def throw(self, orange: str, white: str) -> dict[str, Any]:
        return self.play("throw", orange=dice(orange), white=dice(white))

    def shot(self, orange: str, white: str) -> dict[str, Any]:
        return self.play("shot", orange=dice(orange), white=dice(white))

    def free_throw(self, side: str, letters: str) -> dict[str, Any]:
        return self.play("free_throw", **{side: dice(letters)})

    def inbound(self, team: str, letters: str) -> dict[str, Any]:
        return self.play("inbound_throw", team=team, dice=dice(letters))

    def reroll(self, kept: str, rolled: str) -> dict[str, Any]:
        return self.play("reroll", kept=dice(kept), rolled=dice(rolled))

    def place(self, section: int, **fields: Any) -> Match:
        """Put the pawn on a section by a ruling; a throw follows."""
        self.play("ruling", text="placed", restart="throw", section=section, **fields)
        return self


def under_way(section: int | None = None, attack: str = "orange", **setup: Any) -> Match:
    """Return a match after the jump ball: attack at the half line or on a section, the token with the defence."""
    match = Match(**setup)
    most, few = "bbbbsf", "bbpssf"
    match.jump_ball(most if attack == "orange" else few, few if attack == "orange" else most)
    return match if section is None else match.place(section)


def shooting(section: int | None = None, attack: str = "orange", **setup: Any) -> Match:
    """Return a match in which the attack is about to shoot."""
    match = under_way(section, attack, **setup)
    match.throw(*(("ssssbf", MIXED) if match.state.attack == "orange" else (MIXED, "ssssbf")))
    if match.phase == "reroll":
        match.play("stand")
    return match
