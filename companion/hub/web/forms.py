"""From the fields of a form to a fact of the tournament, through the same reader that journals go through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from companion.games.base import Message, Refusal
from companion.tournament import facts as fa
from companion.tournament import reading, rules
from companion.tournament.refusing import refusal
from companion.tournament.state import State

Form = Mapping[str, Sequence[str]]
"""Each field with its values, as a form sends them."""

NEEDS_WHY = ("correct", "annul", "forfeit", "double_forfeit", "rule", "withdraw")
"""What an organiser gives a reason for."""

_NUMBERS = ("round", "stage", "table", "seed")
_PLAIN = ("entry", "name", "group", "match", "side", "question", "choice", "bye")


def one(form: Form, name: str) -> str:
    """The value of a field, without blanks around it; empty if it was not sent."""
    values = form.get(name) or ("",)
    return values[0].strip()


def number(text: str) -> int | str:
    """A whole number as such; anything else as it is, for the reader to refuse."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 16 else text


def whole(form: Form, name: str, place: str, field: str, least: int, most: int = reading.MOST) -> int:
    """A field that must hold a whole number. Raises `Refusal` with place and field, and what it may be."""
    try:
        found: int = reading.whole(least, most)(number(one(form, name)))
    except reading.Unfit as unfit:
        raise refusal("bad_field", place=place, field=field, allowed=unfit.allowed) from None
    return found


def fact_of(form: Form, state: State, now: int) -> fa.Fact:
    """The fact that a form tells. Raises `Refusal` for what is none, and for a missing reason."""
    event = one(form, "event")
    kind = fa.CLASSES.get(event)
    if kind is None:
        raise refusal("unknown_event", event=event)
    if event in NEEDS_WHY and not one(form, "why"):
        raise refusal("missing_field", place=event, field="why")
    known = {each.name for each in fields(kind)}
    told: dict[str, Any] = {"event": event, **_sent(form, known)}
    if "clock" in known:
        told["clock"] = now
    if kind is fa.Draw:
        told |= _draw(form)
    if kind is fa.Enter and "entry" not in told:
        told["entry"] = free_id(state)
    if "score" in known:
        told |= _outcome(form)
    return fa.parse(told)


def _sent(form: Form, known: set[str]) -> dict[str, Any]:
    """The known fields of a form; an empty one is left out, but for the reason."""
    told: dict[str, Any] = {name: one(form, name) for name in _PLAIN if name in known and one(form, name)}
    told |= {name: number(one(form, name)) for name in _NUMBERS if name in known and one(form, name)}
    if "why" in known:
        told["why"] = one(form, "why")
    if "open" in known:
        told["open"] = one(form, "open") == "1"
    if "order" in known:
        told["order"] = [each.strip() for each in form.get("order", ()) if each.strip()]
    return told


def entries_of(form: Form, state: State) -> list[fa.Fact]:
    """Entries from lines of text: a name, then a seed and a group behind semicolons, if they have them.

    Raises `Refusal` with number and name of the first line that cannot be, and for a list of nobody.
    """
    found: list[fa.Fact] = []
    for number_of_line, line in enumerate((form.get("lines") or ("",))[0].splitlines(), 1):
        name = line.partition(";")[0].strip()
        if not line.strip():
            continue
        try:
            fact = _entry_of(line, state)
            reason = rules.decide(state, fact)
            if reason is not None:
                raise reason
        except Refusal as refused:
            words = {"line": number_of_line, "name": name, "reason": refused.message}
            raise Refusal(refused.rule, Message("web.refusal.line", words)) from None
        state = rules.apply(state, fact)
        found.append(fact)
    if not found:
        raise Refusal("no_lines", Message("web.refusal.no_lines"))
    return found


def _entry_of(line: str, state: State) -> fa.Fact:
    name, _, rest = (part.strip() for part in line.partition(";"))
    seed, _, group = (part.strip() for part in rest.partition(";"))
    told: dict[str, Any] = {"event": "enter", "entry": free_id(state), "name": name}
    if seed:
        told["seed"] = number(seed)
    if group:
        told["group"] = group
    return fa.parse(told)


def free_id(state: State) -> str:
    """The id of the next entry."""
    at = len(state.entries) + 1
    while f"e{at}" in state.entries:
        at += 1
    return f"e{at}"


def proposal_mark(fact: fa.Fact) -> str:
    """What a form says of the proposal that was seen; the moment of a call is not part of it."""
    return repr(replace(fact, clock=0) if isinstance(fact, fa.Call) else fact)


def plan_of(form: Form) -> dict[str, Any]:
    """The plan that the form of a new tournament describes, as JSON for `planning.parse`."""
    formula = one(form, "format")
    third, legs = one(form, "third_place") == "1", number(one(form, "legs") or "1")
    stages: dict[str, list[dict[str, Any]]] = {
        "round_robin": [{"kind": "round_robin", "legs": legs}],
        "swiss": [{"kind": "swiss", "rounds": number(one(form, "rounds") or "5")}],
        "knock_out": [{"kind": "knock_out", "legs": legs, "third_place": third}],
        "double_knock_out": [{"kind": "double_knock_out"}],
        "groups": [
            {
                "kind": "round_robin",
                "legs": legs,
                "groups": number(one(form, "groups") or "2"),
                "advance": number(one(form, "advance") or "2"),
            },
            {"kind": "knock_out", "third_place": third},
        ],
    }
    plan: dict[str, Any] = {
        "tournament": 1,
        "name": one(form, "name"),
        "game": one(form, "game"),
        "stages": stages.get(formula, []),
    }
    plan |= {name: number(one(form, name)) for name in ("tables", "minutes", "rest") if one(form, name)}
    return plan


def _draw(form: Form) -> dict[str, Any]:
    home, away = (form.get(f"{side}_of_pair", ()) for side in ("home", "away"))
    pairs = [[first.strip(), second.strip()] for first, second in zip(home, away, strict=False)]
    return {"pairs": pairs, "by_hand": one(form, "by_hand") == "1"}


def _outcome(form: Form) -> dict[str, Any]:
    told: dict[str, Any] = {
        "home": one(form, "home"),
        "away": one(form, "away"),
        "score": [number(one(form, "home_points")), number(one(form, "away_points"))],
    }
    winner = one(form, "winner")
    if winner:
        told["winner"] = None if winner == "draw" else winner
    return told
