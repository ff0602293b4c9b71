"""Kit for rule tests: two sides with a player for every purpose, and a match driver that plays and checks events."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games.base import Refusal
from companion.games.occasion import OCCASION
from companion.games.occasion.state import State


def player(post: str, points: str, *abilities: str, name: str | None = None) -> dict[str, Any]:
    """Return a player's card; `points` are pass, dribble, int and tak, separated by spaces."""
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
    """Return the cards: `wing` starts in two zones and ends in one; `posts` is the reverse; `shot` starts at the
    goal."""
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
    """Return a header with these setup keys changed; a key given as None is set to null."""
    visible = {"home": ["wing", "posts"], "away": ["posts", "wing"]}
    whole = {"players": players(), "occasions": occasions(), "visible": visible, **setup}
    return {
        "journal": 1,
        "game": "occasion",
        "sides": {"home": {"name": "Dom"}, "away": {"name": "Ext"}},
        "setup": whole,
    }


def rule_of_header(head: dict[str, Any]) -> str | None:
    """Return the rule by which a header is refused, or None if it is accepted."""
    try:
        OCCASION.initial_state(head)
    except Refusal as refusal:
        return refusal.rule
    return None


class Match:
    """A match in progress. An illegal event fails the test; `refused` returns the rule that an event breaks."""

    def __init__(self, **setup: Any) -> None:
        self.state: State = OCCASION.initial_state(header(**setup))

    def play(self, event: str, **fields: Any) -> dict[str, Any]:
        """Play an event and return its outcome."""
        parsed = OCCASION.parse({"event": event, **fields})
        OCCASION.validate(self.state, parsed)
        self.state, outcome = OCCASION.apply(self.state, parsed)
        return outcome

    def refused(self, event: str, **fields: Any) -> str | None:
        """Return the rule by which an event is refused now, or None if it is legal; the state does not change."""
        try:
            OCCASION.validate(self.state, OCCASION.parse({"event": event, **fields}))
        except Refusal as refusal:
            return refusal.rule
        return None

    @property
    def view(self) -> dict[str, Any]:
        return OCCASION.view(self.state)

    def at(self, zone: str, card: str = "wing") -> Match:
        """Play an occasion of the attack from this zone."""
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
        """Let both sides in turn add no support."""
        for _ in SIDES:
            assert self.state.duel is not None
            self.play("support_done", side=self.state.duel.turn)
        return self

    def reveal(self, *values: int) -> Match:
        """Reveal energies of these values, each by the side whose turn it is."""
        for value in values:
            self.play("reveal", side=self.view["waiting_for"][0], value=value)
        return self

    def duel(self, player: str, move: str, defender: str, *values: int) -> dict[str, Any]:
        """Play a whole duel without support and return the outcome of its end."""
        self.move(player, move).oppose(defender).no_support().reveal(*values)
        return self.play("resolve")


SIDES = ("home", "away")


def opposed(**setup: Any) -> Match:
    """Return a pass from L1 opposed by the away side's DM: 4 + 2 against 5 + 1; supports may be added."""
    return Match(**setup).at("L1").move("lb").oppose("dm")


def revealing(**setup: Any) -> Match:
    return opposed(**setup).no_support()


def verdict(*values: int, **setup: Any) -> Match:
    """Return the duel of `opposed` with both energies revealed."""
    return revealing(**setup).reveal(*(values or (3, 2)))


def in_phase(phase: str) -> Match:
    """Return a match in this phase, reached by the shortest way."""
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
    """Yield the situations of one random match, including the last one."""
    random = Random(seed)
    state = OCCASION.initial_state(OCCASION.random_header(random))
    yield state
    while not OCCASION.finished(state):
        state, _ = OCCASION.apply(state, OCCASION.parse(OCCASION.random_event(state, random)))
        yield state
