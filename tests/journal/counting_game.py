"""A small but complete game for tests: two sides count up to a target, may take back and may swap.

Rules:
- CT-1: header,
- CT-2: unknown event or no object,
- CT-3: fields,
- CT-4: the match is over,
- CT-5: no count below zero,
- CT-6: no event to take back,
- CT-7: a correction into a correction.
An event's outcome holds both counts, so that a correction changes all later outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from companion.games.base import (
    Choice,
    Decision,
    Die,
    Fields,
    Game,
    JournalRules,
    Message,
    Outcome,
    Refusal,
    Scene,
    SideScene,
    SideStat,
)

SIDES = ("left", "right")


@dataclass(frozen=True, slots=True)
class Count:
    """The counts of both sides."""

    target: int
    left: int = 0
    right: int = 0
    names: tuple[str, str] = ("", "")

    def of(self, side: str) -> int:
        return self.left if side == "left" else self.right


@dataclass(frozen=True, slots=True)
class Move:
    name: str
    side: str = "left"
    n: int = 0


def header(target: int = 100) -> dict[str, Any]:
    sides = {side: {"name": side.title()} for side in SIDES}
    return {"journal": 1, "game": "counting", "sides": sides, "setup": {"target": target}}


def add(side: str, n: int, **more: Any) -> dict[str, Any]:
    return {"event": "add", "side": side, "n": n, **more}


def take_back(side: str, n: int, **more: Any) -> dict[str, Any]:
    return {"event": "take", "side": side, "n": n, **more}


SWAP = {"event": "swap"}
UNDO = {"event": "undo"}


def correct(line: int, event: object) -> dict[str, Any]:
    return {"event": "correct", "line": line, "with": event}


class CountingGame:
    """Handles unlisted fields of amendments strictly like FootClub, or leniently like the other three games."""

    id = "counting"
    sides: tuple[str, ...] = SIDES

    def __init__(self, strict: bool = False) -> None:
        self.journal_rules = JournalRules(
            unreadable="CT-2", malformed="CT-3", nothing_standing="CT-6", nested="CT-7", refuses_unknown_fields=strict
        )

    def initial_state(self, header: Fields) -> Count:
        sides, setup = header.get("sides"), header.get("setup")
        if header.get("game") != self.id or not isinstance(sides, dict) or set(sides) != set(SIDES):
            raise Refusal("CT-1", Message("common.literal", {"text": "no header"}))
        if not isinstance(setup, dict) or not isinstance(setup.get("target"), int) or setup["target"] < 1:
            raise Refusal("CT-1", Message("common.literal", {"text": "no target"}))
        return Count(setup["target"], names=(sides["left"]["name"], sides["right"]["name"]))

    def parse(self, fields: Fields) -> Move:
        name = fields.get("event")
        if name not in ("add", "take", "swap"):
            raise Refusal("CT-2", Message("common.literal", {"text": "unknown event"}))
        if name == "swap":
            self._only(fields, {"event"})
            return Move("swap")
        self._only(fields, {"event", "side", "n"})
        side, n = fields.get("side"), fields.get("n")
        if side not in SIDES or not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= 9:
            raise Refusal("CT-3", Message("common.literal", {"text": "side and n are needed"}))
        return Move(name, side, n)

    def validate(self, state: Count, event: Move) -> None:
        if self.finished(state):
            raise Refusal("CT-4", Message("common.literal", {"text": "over"}))
        if event.name == "take" and state.of(event.side) < event.n:
            raise Refusal("CT-5", Message("common.literal", {"text": "below zero"}))

    def apply(self, state: Count, event: Move) -> tuple[Count, Outcome]:
        if event.name == "swap":
            after = replace(state, left=state.right, right=state.left)
        else:
            moved = state.of(event.side) + (event.n if event.name == "add" else -event.n)
            after = replace(state, left=moved) if event.side == "left" else replace(state, right=moved)
        return after, {"left": after.left, "right": after.right}

    def view(self, state: Count) -> dict[str, Any]:
        return {"left": state.left, "right": state.right, "target": state.target}

    def finished(self, state: Count) -> bool:
        return max(state.left, state.right) >= state.target

    def decision(self, state: Count) -> Decision:
        if self.finished(state):
            return Decision(Message("common.literal", {"text": "over"}))
        choices = tuple(Choice(add(side, 1), Message("common.literal", {"text": "add"}), side) for side in SIDES)
        return Decision(Message("common.literal", {"text": "count"}), sides=SIDES, choices=choices)

    def scene(self, state: Count) -> Scene:
        label = Message("common.literal", {"text": "count"})
        sides = zip(SIDES, state.names, ("blue", "red"), strict=True)
        return Scene(
            tuple(SideScene(s, name, colour, s[0], (SideStat(label, str(state.of(s))),)) for s, name, colour in sides),
            board=state,
        )

    def event_from_dice(self, state: Count, dice: Sequence[Die]) -> Fields | None:
        if len(dice) != 1 or dice[0].value is None or self.finished(state):
            return None
        return add("left", dice[0].value)

    def dice_from_event(self, fields: Fields) -> tuple[Die, ...]:
        return (Die("pips", fields["n"]),) if fields["event"] == "add" and fields["side"] == "left" else ()

    def faces(self, state: Count, kind: str) -> tuple[Die, ...]:
        return tuple(Die(kind, value) for value in range(1, 7)) if kind == "pips" else ()

    def describe(self, state: Count, fields: Fields, outcome: Outcome) -> Message:
        return Message("common.literal", {"text": f"{fields['event']}: {outcome['left']}-{outcome['right']}"})

    def random_header(self, random: Random) -> dict[str, Any]:
        return {**header(random.randint(5, 200)), "game": self.id}

    def random_event(self, state: Count, random: Random) -> dict[str, Any]:
        side = random.choice(SIDES)
        kind = random.choice(("add", "add", "add", "take", "swap"))
        if kind == "swap":
            return dict(SWAP)
        if kind == "take" and state.of(side):
            return take_back(side, random.randint(1, min(9, state.of(side))))
        return add(side, random.randint(1, 9))

    def _only(self, fields: Fields, listed: set[str]) -> None:
        if set(fields) - listed:
            raise Refusal("CT-3", Message("common.literal", {"text": "unlisted"}))


GAMES: dict[str, Game[Any, Any]] = {"counting": CountingGame()}
