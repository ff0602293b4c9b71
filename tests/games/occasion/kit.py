"""A small match to try the rules on: two sides with a player for every purpose, and a driver that plays and asks."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games.base import Refusal
from companion.games.occasion import OCCASION
from companion.games.occasion.state import State


def player(post: str, points: str, *abilities: str, name: str | None = None) -> dict[str, Any]:
    """A player's card; `points` are pass, dribble, int and tak, with spaces between."""
    passing, dribbling, interception, tackle = map(int, points.split())
    card: dict[str, Any] = {"post": post, "pass": passing, "dribble": dribbling, "int": interception, "tak": tackle}
    if abilities:
        card["abilities"] = list(abilities)
    return card if name is None else {**card, "name": name}


def zone(id: str, row: int, **keys: Any) -> dict[str, Any]:
    return {"id": id, "row": row, **keys}


def players() -> dict[str, Any]:
    return {
        "home": {
            "lb": player("LB", "4 3 3 4", name="Lou"),
            "cm": player("CM", "5 4 3 3", "vision", name="Maya"),
            "lw": player("LW", "4 6 1 2", "cross", "sprint", name="Noa"),
            "st": player("ST", "3 5 1 1", name="Iris"),
            "cb": player("CB", "3 2 5 6", "wall", name="Zoé"),
        },
        "away": {
            "rb": player("RB", "3 3 4 5", name="Tom"),
            "cb": player("CB", "2 2 5 5", "wall", name="Ugo"),
            "cm": player("CM", "5 4 4 3", name="Eli"),
            "st": player("ST", "3 6 1 2", name="Max"),
            "dm": player("DM", "4 3 5 4", "pressing", name="Sam"),
        },
    }


def occasions() -> dict[str, Any]:
    """`wing` starts in two zones and ends in one; `posts` the other way round; `shot` starts at the goal."""
    return {
        "wing": {
            "name": "Aile gauche",
            "zones": [
                zone("L1", 1, attack_posts=["LB"], defence_posts=["RW", "RM"]),
                zone("C1", 1, attack_posts=["CM"]),
                zone("L2", 2, attack_posts=["LW", "LM"], defence_posts=["RB"]),
                zone("box", 3, shot=True, attack_posts=["ST"]),
            ],
        },
        "posts": {
            "zones": [
                zone("M", 1, attack_posts=["CM"]),
                zone("L", 2, attack_posts=["LW"], defence_posts=["RB"], next=["near"]),
                zone("R", 2, attack_posts=["RW"], defence_posts=[]),
                zone("near", 4, shot=True),
                zone("far", 4, shot=True),
            ]
        },
        "gift": {"zones": [zone("G", 2, shot=True)]},
    }


def header(**setup: Any) -> dict[str, Any]:
    """A header whose setup is changed by these keys; a key given as None stands in it as null."""
    visible = {"home": ["wing", "posts"], "away": ["posts", "wing"]}
    whole = {"players": players(), "occasions": occasions(), "visible": visible, **setup}
    return {
        "journal": 1,
        "game": "occasion",
        "sides": {"home": {"name": "Dom"}, "away": {"name": "Ext"}},
        "setup": whole,
    }


def rule_of_header(head: dict[str, Any]) -> str | None:
    """The rule by which a header is refused, None if it is not."""
    try:
        OCCASION.begin(head)
    except Refusal as refusal:
        return refusal.rule
    return None


class Match:
    """A match under way. Events are legal or the test fails; `refused` tells the rule by which one is not."""

    def __init__(self, **setup: Any) -> None:
        self.state: State = OCCASION.begin(header(**setup))

    def play(self, event: str, **fields: Any) -> dict[str, Any]:
        """Plays an event and gives its outcome."""
        parsed = OCCASION.parse({"event": event, **fields})
        OCCASION.decide(self.state, parsed)
        self.state, outcome = OCCASION.apply(self.state, parsed)
        return outcome

    def refused(self, event: str, **fields: Any) -> str | None:
        """The rule by which an event is refused now, None if it is legal; nothing is played."""
        try:
            OCCASION.decide(self.state, OCCASION.parse({"event": event, **fields}))
        except Refusal as refusal:
            return refusal.rule
        return None

    @property
    def view(self) -> dict[str, Any]:
        return OCCASION.view(self.state)

    def at(self, zone: str, card: str = "wing") -> Match:
        """The attack plays a chance from this zone."""
        self.play("occasion_played", card=card, zone=zone)
        return self

    def move(self, player: str, move: str = "pass") -> Match:
        self.play("attack_move", player=player, move=move)
        return self

    def oppose(self, player: str) -> Match:
        self.play("defence_choice", choice="oppose", player=player)
        return self

    def let_pass(self) -> Match:
        self.play("defence_choice", choice="let_pass")
        return self

    def no_support(self) -> Match:
        """Both sides in turn add none."""
        for _ in SIDES:
            assert self.state.duel is not None
            self.play("support_done", side=self.state.duel.turn)
        return self

    def reveal(self, *values: int) -> Match:
        """Energies of these values, by whom they are due."""
        for value in values:
            self.play("reveal", side=self.view["waiting_for"][0], value=value)
        return self

    def duel(self, player: str, move: str, defender: str, *values: int) -> dict[str, Any]:
        """A whole duel without support; the outcome of its end."""
        self.move(player, move).oppose(defender).no_support().reveal(*values)
        return self.play("resolve")


SIDES = ("home", "away")


def opposed(**setup: Any) -> Match:
    """A pass from L1 opposed by the away side's DM: 4 + 2 against 5 + 1, supports may be added."""
    return Match(**setup).at("L1").move("lb").oppose("dm")


def revealing(**setup: Any) -> Match:
    return opposed(**setup).no_support()


def verdict(*values: int, **setup: Any) -> Match:
    """The duel of `opposed` with both energies face up."""
    return revealing(**setup).reveal(*(values or (3, 2)))


def in_phase(phase: str) -> Match:
    """A match in this phase, on the shortest way there."""
    match = {
        "choose_occasion": Match,
        "attack_move": lambda: Match().at("L1"),
        "defence": lambda: Match().at("L1").move("lb"),
        "support": opposed,
        "reveal": revealing,
        "verdict": verdict,
        "advance": lambda: Match().at("M", "posts").move("cm").let_pass(),
        "shot": lambda: Match().at("L1").move("lw", "cross").let_pass(),
        "over": Match,
    }[phase]()
    if phase == "over":
        match.play("match_ended")
    assert match.view["phase"] == phase
    return match


def states(seed: int) -> Iterator[State]:
    """The situations of one random match, the last one included."""
    random = Random(seed)
    state = OCCASION.begin(OCCASION.random_header(random))
    yield state
    while not OCCASION.finished(state):
        state, _ = OCCASION.apply(state, OCCASION.parse(OCCASION.random_event(state, random)))
        yield state
