"""How the tournament refuses: a reason's id with the sentence of the catalogues that explains it."""

from __future__ import annotations

from typing import Any

from companion.games.base import Message, Refusal

FIELDS = frozenset({
    "advance", "away", "bye", "chain", "choice", "clock", "days", "draw", "entry", "epoch", "final_legs",
    "forfeit", "game", "group", "groups", "home", "id", "kind", "label", "legs", "loss", "match", "minutes",
    "name", "number", "order", "pairs", "player", "player_cost", "points", "question", "rest", "round",
    "rounds", "score", "seed", "side", "stage", "stages", "table", "tables", "tactic", "tactic_cost",
    "thresholds", "why", "win", "winner",
})  # fmt: skip
"""The fields that have a word in the catalogues."""

PLACES = frozenset({
    "annul", "archive", "call", "correct", "count", "double_forfeit", "draw", "enter", "forfeit", "keep",
    "key", "plan", "points", "readmit", "result", "rule", "seed", "stages", "start", "table", "terms",
    "uncall", "withdraw",
})  # fmt: skip
"""The places where fields stand, alike."""


def refusal(reason: str, **args: Any) -> Refusal:
    """The refusal for a reason; its `rule` is the reason's id.

    A place and a field that a person knows are told in words; others as they are.
    """
    if "field" in args and reason != "unknown_field":
        args["field"] = _word("field", args["field"], FIELDS)
    if "place" in args:
        args["place"] = _word("place", args["place"], PLACES)
    return Refusal(reason, Message(f"tournament.refusal.{reason}", args))


def _word(kind: str, value: Any, known: frozenset[str]) -> Any:
    if not isinstance(value, str):
        return value
    name, _, number = value.partition("[")
    if name not in known:
        return value
    return Message(f"tournament.{kind}.{name}", {"number": number.rstrip("]")} if number else {})
