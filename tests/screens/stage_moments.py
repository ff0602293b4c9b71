"""Matches just before a moment: random legal matches up to the event that has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from companion.games.base import Fields
from companion.games.moments import ResultMoment
from companion.games.registry import SPECS
from tests.screens import stage, stage_hoops21, stage_nba, stage_occasion

MAX_TRIES, MAX_EVENTS = 60, 700


@dataclass(frozen=True)
class Wanted:
    """A game, the header of its match, and a test of the event and one of its moments."""

    game: str
    header: Callable[[], dict[str, Any]]
    fits: Callable[[Fields, ResultMoment], bool]


def _is(id: str, event: str = "") -> Callable[[Fields, ResultMoment], bool]:
    return lambda fields, moment: moment.headline.id.endswith(f"moment.{id}") and event in ("", fields["event"])


def _has_several_faces(moment: ResultMoment) -> bool:
    """True if dice of several faces count in two rows and of three in one, so that the labels are long."""
    faces = [sum(group.counts for group in row.groups) for row in moment.rows]
    return len(faces) > 1 and min(faces) > 1 and max(faces) > 2 and _counts_free_throws(moment)


def _counts_free_throws(moment: ResultMoment) -> bool:
    """True if the face with the longest name counts."""
    groups = [group for row in moment.rows for group in row.groups]
    return any(group.counts and group.die.symbol == "free_throw" for group in groups)


def _whistled(fields: Fields, moment: ResultMoment) -> bool:
    return moment.kind == "end" and moment.side is not None and fields["event"] != "forfeit"


def _advanced() -> dict[str, Any]:
    return stage_hoops21.header(advanced_token=True)


def _long() -> dict[str, Any]:
    return stage.kick_off(long=True)


WANTED = {
    "kick_off": Wanted("footclub", stage.kick_off, lambda fields, moment: fields["event"] == "ball"),
    "goal": Wanted("footclub", stage.kick_off, _is("goal")),
    "card": Wanted("footclub", stage.kick_off, lambda fields, moment: moment.card == "yellow"),
    "long_goal": Wanted("footclub", _long, _is("goal")),
    "long_card": Wanted("footclub", _long, lambda fields, moment: moment.card == "yellow"),
    "tackle": Wanted("footclub", stage.kick_off, _is("ball_won")),
    "level": Wanted("footclub", stage.kick_off, _is("level")),
    "whistle": Wanted("footclub", stage.kick_off, _whistled),
    "shot": Wanted("hoops21", stage_hoops21.header, _is("basket", "shot")),
    "missed": Wanted("hoops21", stage_hoops21.header, _is("missed", "shot")),
    "jump_ball": Wanted("hoops21", stage_hoops21.header, lambda fields, moment: fields["event"] == "jump_ball"),
    "dunk": Wanted("hoops21", stage_hoops21.header, _is("dunk")),
    "slam_dunk": Wanted("hoops21", stage_hoops21.header, _is("slam_dunk")),
    "level_again": Wanted("hoops21", _advanced, lambda fields, moment: str(moment.detail).find("moment.level") >= 0),
    "several_plays": Wanted("hoops21", _advanced, lambda fields, moment: _has_several_faces(moment)),
    "roll": Wanted("nba", stage_nba.header, _is("attack_rolled")),
    "attack": Wanted("nba", stage_nba.header, _is("basket", "end_turn")),
    "stopped": Wanted("nba", stage_nba.header, lambda fields, moment: len(moment.rows) > 1),
    "chance": Wanted("occasion", stage_occasion.header, _is("goal")),
}
"""Moments by name."""
FILMED = (
    "kick_off", "goal", "card", "whistle", "jump_ball", "shot", "dunk", "level_again", "roll", "attack", "chance",
)  # fmt: skip


@cache
def before(name: str) -> tuple[dict[str, Any], tuple[Fields, ...], Fields]:
    """Return header, events, and the event that has the moment of this name. Raises: LookupError."""
    wanted = WANTED[name]
    for seed in range(MAX_TRIES):
        events: list[Fields] = []
        header = wanted.header()
        for fields, moments in _played(wanted.game, header, Random(seed)):
            if any(wanted.fits(fields, moment) for moment in moments):
                return header, tuple(events), fields
            events.append(fields)
    raise LookupError(f"no random match has the moment {name}")


def _played(game_id: str, header: dict[str, Any], random: Random) -> Iterator[tuple[Fields, list[ResultMoment]]]:
    """Yield the events of a random match, each with its moments."""
    spec = SPECS[game_id]
    game, state = spec.game, spec.game.initial_state(header)
    for _ in range(MAX_EVENTS):
        if game.finished(state):
            return
        fields = game.random_event(state, random)
        after, outcome = game.apply(state, game.parse(fields))
        yield fields, list(spec.moments(state, fields, outcome, after))
        state = after
