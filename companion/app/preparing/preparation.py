"""What is known of a match being prepared, before and after its journal exists. Pure, no widget."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, replace
from typing import Any

from companion.games.base import Ask, Fields, Message
from companion.games.footclub.tables import SIDES
from companion.games.footclub.team import attack, defence, written
from companion.table.session import Session
from companion.table.squads import Club, header
from companion.table.tournament_desk import completed

CHOICES = ("home", "kop", "format")
"""What is chosen of `setup` beside the clubs."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to prepare: whether it is done, and what is said under it."""

    done: bool
    detail: Message


class Preparation:
    """Reads the choices from `memory` until there is a session, and from its journal afterwards.

    `decided` is what a tournament has decided of the header: it is shown, and cannot be chosen.
    """

    def __init__(
        self, memory: MutableMapping[str, Any], session: Session | None, decided: Fields | None = None
    ) -> None:
        self.decided: Fields = decided or {}
        if not memory:
            memory.update(clubs={}, home="blue", kop="K01", format="single")
        memory.update({key: value for key, value in self.decided.get("setup", {}).items() if key in memory})
        self._memory = memory
        self.session = session

    def club(self, side: str) -> Club | None:
        """The club chosen for a side."""
        chosen: Club | None = self._memory["clubs"].get(side)
        return chosen

    def name(self, side: str) -> Message:
        """What a side is called: its club, or its colour while there is none."""
        club, sides = self.club(side), self.decided.get("sides", {})
        if self.session is not None:
            sides = self.session.header["sides"]
        if side in sides:
            return Message("common.literal", {"text": sides[side]["name"]})
        return Message("common.literal", {"text": club.name}) if club else Message(f"app.side.{side}")

    def setup(self, key: str) -> Any:
        """`home`, `kop` or `format`."""
        return self._memory[key] if self.session is None else self.session.header["setup"][key]

    def choose(self, key: str, value: Any) -> None:
        """Chooses `home`, `kop` or `format`; only before there is a session."""
        self._memory[key] = value

    def take(self, side: str, club: Club) -> None:
        """Chooses a side's club; only before there is a session."""
        name = self.decided.get("sides", {}).get(side, {}).get("name", club.name)
        self._memory["clubs"][side] = replace(club, name=name)

    def header(self, match_cards: Fields | None = None) -> dict[str, Any] | None:
        """The header that the choices make, None while a club is missing. Raises Refusal.

        `match_cards` are those of the players' own catalogue: what a card's number says (FC-1.7).
        """
        blue, red = self.club("blue"), self.club("red")
        if blue is None or red is None:
            return None
        known: dict[str, Any] = {"catalogue": {"match_cards": match_cards}} if match_cards else {}
        known |= {key: value for key, value in self.decided.get("setup", {}).items() if key not in CHOICES}
        made = header(blue, red, *(self.setup(key) for key in CHOICES), **known)
        return completed(made, self.decided)

    def squad(self, side: str) -> Item:
        """The squad: how many cards and whose."""
        club = self.club(side)
        chosen: Fields | None = club.squad if club else None
        if self.session is not None:
            chosen = self.session.header["setup"].get("squads", {}).get(side)
        if chosen is None:
            return Item(self.session is not None, Message("app.clubs.squad_todo"))
        return Item(True, squad_of(chosen))

    def sheet(self, side: str) -> Item:
        """The team sheet: formation, ATT and DEF."""
        club = self.session.state.club(side) if self.session is not None else None
        if club is None or club.lineup is None:
            return Item(False, Message("app.clubs.sheet_todo"))
        sums = f"{written(club.formation)}, ATT {attack(club)}, DEF {defence(club)}"
        return Item(True, Message("common.literal", {"text": sums}))

    def tactics(self, side: str) -> Item:
        """The tactical choice: whether it is made, never what it is (FC-4.5)."""
        known = self.session.state.club(side).tactics_known if self.session is not None else None
        if known is None:
            return Item(False, Message("app.clubs.tactics_todo"))
        return Item(True, Message("app.clubs.tactics_known" if known else "app.clubs.tactics_secret"))

    def missing(self) -> list[Message]:
        """What stands between the players and the kick-off."""
        found = []
        for side in SIDES:
            items = {"squad": self.squad(side), "sheet": self.sheet(side), "tactics": self.tactics(side)}
            undone = [what for what, item in items.items() if not item.done]
            for what in undone[:1] if "squad" in undone else undone:
                found.append(Message(f"app.clubs.missing.{what}", {"club": self.name(side)}))
        return found


def squad_of(squad: Fields) -> Message:
    """How many team cards a squad holds, coach and goalkeeper counted, and its coach."""
    cards = len(squad["players"]) + 2
    return Message("app.clubs.squad_of", {"n": cards, "coach": squad["coach"].get("name", "")})


def tactics_ask(session: Session, side: str) -> Ask | None:
    """The game's ask for this side's tactical choice, None if it is not due."""
    for choice in session.awaits().choices:
        if choice.event.get("event") == "tactics" and choice.side == side:
            return next((ask for ask in choice.asks if ask.kind == "counts"), None)
    return None
