"""Kit for rule tests: two clubs with a player for every purpose, and a match driver that plays and checks events."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.games.base import Refusal
from companion.games.footclub import FOOTCLUB
from companion.games.footclub.discipline import without_player
from companion.games.footclub.state import State
from companion.games.footclub.tables import Side

TACTICS = {
    "tackle": 3,
    "pressing": 3,
    "positional_attack": 2,
    "counter_attack": 1,
    "attacking_support": 2,
    "defensive_support": 1,
    "supporters": 2,
}
DEFENSIVE = {"tackle": 3, "pressing": 2, "positional_attack": 3, "defensive_support": 4, "supporters": 2}
EXTRA = {"tackle": 3, "pressing": 2, "positional_attack": 2, "supporters": 3}
BLUE_LINEUP = {"fb": ["b-fb1", "b-fb2"], "cb": ["b-cb1", "b-cb2"], "dm": ["b-dm1", "b-dm2"]} | {
    "am": ["b-am1", "b-am2"],
    "fw": ["b-fw1", "b-fw2"],
}
RED_LINEUP = {
    "cb": ["r-cb1", "r-cb2", "r-cb3"],
    "dm": ["r-dm1", "r-dm2"],
    "am": ["r-am1", "r-am2", "r-am3"],
    "fw": ["r-fw1", "r-fw2"],
}


def player(
    id: str, posts: str, level: int = 3, profiles: str = "technical", strength: str | None = None
) -> dict[str, Any]:
    """Return a player's card; `posts` and `profiles` are words separated by spaces."""
    return {"id": id, "posts": posts.split(), "level": level, "profiles": profiles.split(), "strength": strength}


def coach(id: str, technical: int, physical: int, tactical: int, level: int = 4) -> dict[str, Any]:
    style = {"technical": technical, "physical": physical, "tactical": tactical}
    return {"id": id, "level": level, "style": style}


def squads() -> dict[str, Any]:
    """Return both squads: blue (home) is technical, red is physical; both line-ups match their coach's style."""
    blue = [
        player("b-fb1", "fb", 3, "technical", "ball_winner"),
        player("b-fb2", "fb", 3, "physical", "rugged"),
        player("b-cb1", "cb", 4, "physical", "unyielding"),
        player("b-cb2", "cb", 3, "technical"),
        player("b-dm1", "dm", 4, "tactical"),
        player("b-dm2", "dm", 3, "technical", "rugged"),
        player("b-am1", "am", 5, "technical", "skilful"),
        player("b-am2", "am", 3, "tactical", "accelerator"),
        player("b-fw1", "fw", 4, "technical", "accelerator"),
        player("b-fw2", "fw", 3, "physical", "skilful"),
        player("b-s1", "cb fb", 3, "technical", "versatile"),
        player("b-s2", "am fw", 4, "technical", "versatile"),
        player("b-s3", "dm", 3, "physical", "unyielding"),
        player("b-s4", "fw", 3, "technical physical"),
        player("b-s5", "cb", 3, "tactical", "ball_winner"),
    ]
    red = [
        player("r-cb1", "cb", 4, "physical", "unyielding"),
        player("r-cb2", "cb", 3, "physical tactical"),
        player("r-cb3", "cb", 3, "physical"),
        player("r-dm1", "dm", 4, "physical"),
        player("r-dm2", "dm", 3, "tactical", "ball_winner"),
        player("r-am1", "am", 4, "physical", "skilful"),
        player("r-am2", "am", 3, "technical", "accelerator"),
        player("r-am3", "am", 3, "tactical"),
        player("r-fw1", "fw", 5, "technical", "accelerator"),
        player("r-fw2", "fw", 3, "physical", "skilful"),
        player("r-s1", "fb cb", 3, "physical", "versatile"),
        player("r-s2", "fb", 3, "tactical"),
        player("r-s3", "am fw", 3, "technical", "versatile"),
        player("r-s4", "dm", 4, "tactical", "unyielding"),
        player("r-s5", "fw", 4, "physical", "accelerator"),
    ]
    return {
        "blue": {"coach": coach("b-coach", 5, 3, 2), "goalkeeper": {"id": "b-gk", "level": 4}, "players": blue},
        "red": {"coach": coach("r-coach", 2, 5, 3, 3), "goalkeeper": {"id": "r-gk", "level": 5}, "players": red},
    }


def header(**setup: Any) -> dict[str, Any]:
    """Return a header with these setup keys changed; a key given as None is removed."""
    whole = {"home": "blue", "kop": "K01", "squads": squads(), **setup}
    return {
        "journal": 1,
        "game": "footclub",
        "sides": {"blue": {"name": "Les Bleus"}, "red": {"name": "Les Rouges"}},
        "setup": {key: value for key, value in whole.items() if value is not None},
    }


def rule_of_header(head: dict[str, Any]) -> str | None:
    """Return the rule by which a header is refused, or None if it is accepted."""
    try:
        FOOTCLUB.initial_state(head)
    except Refusal as refusal:
        return refusal.rule
    return None


class Match:
    """A match in progress. An illegal event fails the test; `refused` returns the rule that an event breaks."""

    def __init__(self, **setup: Any) -> None:
        self.state: State = FOOTCLUB.initial_state(header(**setup))

    def play(self, event: str, **fields: Any) -> dict[str, Any]:
        """Play an event and return its outcome."""
        parsed = FOOTCLUB.parse({"event": event, **fields})
        FOOTCLUB.validate(self.state, parsed)
        self.state, outcome = FOOTCLUB.apply(self.state, parsed)
        return outcome

    def refused(self, event: str, **fields: Any) -> str | None:
        """Return the rule by which an event is refused now, or None if it is legal; the state does not change."""
        try:
            FOOTCLUB.validate(self.state, FOOTCLUB.parse({"event": event, **fields}))
        except Refusal as refusal:
            return refusal.rule
        return None

    @property
    def view(self) -> dict[str, Any]:
        return FOOTCLUB.view(self.state)

    def club(self, side: str) -> dict[str, Any]:
        return dict(self.view["clubs"][side])

    def player(self, id: str) -> dict[str, Any]:
        return dict(self.club("blue" if id.startswith("b") else "red")["players"][id])

    def sheets(self) -> Match:
        self.play("team_sheet", side="blue", lineup=BLUE_LINEUP, captain="b-am1")
        self.play("team_sheet", side="red", lineup=RED_LINEUP, captain="r-dm1")
        return self

    def kick_off(self, blue: Any = TACTICS, red: Any = TACTICS, colour: str = "red") -> Match:
        """Start the half with tactical choices (None: secret) and the ball throw."""
        for side, cards in (("blue", blue), ("red", red)):
            self.play("tactics", side=side, **({} if cards is None else {"cards": cards}))
        self.play("ball", colour=colour)
        return self

    def discard(self) -> Match:
        """Discard the required cards of both clubs."""
        for side in ("blue", "red"):
            club = self.club(side)
            if club["must_discard"]:
                cards = [type_ for type_, count in club["cards_left"].items() for _ in range(count)]
                self.play("discard", side=side, cards=cards[: club["must_discard"]])
        return self

    def idle_turn(self) -> Match:
        """Play a turn without events."""
        ball = self.view["possession"]
        self.play("leave", side="red" if ball == "blue" else "blue")
        self.play("no_offensive", side=ball)
        return self.discard()

    def idle_half(self) -> Match:
        """Play the rest of the half, turn by turn."""
        half = self.view["half"]
        while self.view["ball_colour"] is not None and self.view["half"] == half:
            self.idle_turn()
        return self

    def reshape(self, side: str, **changes: Any) -> Match:
        """Modify the club directly, for situations that only occur in long matches."""
        club = replace(next(club for club in self.state.clubs if club.side == side), **changes)
        self.state = replace(self.state, clubs=self.state.with_clubs(club))
        return self

    def status(self, status: str, *ids: str) -> Match:
        """Take these players off the pitch directly: `sent_off`, `injured_off` or `out`."""
        for id in ids:
            side: Side = "blue" if id.startswith("b") else "red"
            club = without_player(self.state.club(side), id, status)
            if status == "sent_off":
                club = replace(club, reds=club.reds + 1)
            self.state = replace(self.state, clubs=self.state.with_clubs(club))
        return self

    def attack(
        self, side: str, kind: str = "positional_attack", section: str = "fw_l", **fields: Any
    ) -> dict[str, Any]:
        """Let the other club leave the ball and start an offensive of this club, which has the ball."""
        self.play("leave", side="red" if side == "blue" else "blue")
        return self.play("offensive", side=side, kind=kind, section=section, **fields)


def under_way(blue: Any = TACTICS, red: Any = TACTICS, colour: str = "red", **setup: Any) -> Match:
    """Return a match in step 2 of its first turn: red, away, has the ball at `r-dm1`."""
    return Match(**setup).sheets().kick_off(blue, red, colour)
