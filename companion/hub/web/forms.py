"""From the fields of a form to a fact of the tournament, through the same reader that journals go through."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from html import unescape
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from markupsafe import escape
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from companion.games.base import JsonObject, Message, Refusal
from companion.tournament import facts as fa
from companion.tournament import rules, validation
from companion.tournament.facts import State
from companion.tournament.validation import refusal

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


def whole(form: Form, name: str, place: str, field: str, least: int, most: int = validation.MOST) -> int:
    """A field that must hold a whole number. Raises `Refusal` with place and field, and what it may be."""
    try:
        found: int = validation.whole(least, most)(number(one(form, name)))
    except validation.Unfit as unfit:
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


def plan_of(form: Form) -> JsonObject:
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


# Reads a form's fields.


MOST_FIELDS = 4000


async def _read(request: Request) -> Form:
    """The form of a request. Raises HTTPException 400 for what is none."""
    try:
        body = await request.body()
    except ClientDisconnect:
        raise HTTPException(413) from None
    try:
        pairs = parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, strict_parsing=False, max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise HTTPException(400) from None
    form: dict[str, list[str]] = {}
    for name, value in pairs:
        form.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return form


Sent = Annotated[Form, Depends(_read)]
"""The form that a route is sent."""


# A page whose form was refused keeps what was typed in it: nobody types a list of names twice.


_FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
_FIELD = re.compile(r"<input\b[^>]*>|<textarea\b[^>]*>.*?</textarea>|<select\b[^>]*>.*?</select>", re.DOTALL)
_OPTION = re.compile(r"(<option\b[^>]*>)(.*?)(?=</option>)", re.DOTALL)
_MARK = "form"
"""The hidden field that says whose the form is."""
_TICKED = ("checkbox", "radio")


def refilled(request: Request, page: HTMLResponse, sent: Form) -> HTMLResponse:
    """The page with what was sent in the form that sent it: the one with its address and its hidden fields."""
    done = False

    def filled(found: re.Match[str]) -> str:
        nonlocal done
        form = found[0]
        if done or _attribute(form, "action") != request.url.path or not _same(form, sent):
            return form
        done = True
        return _filled(form, sent)

    return HTMLResponse(_FORM.sub(filled, bytes(page.body).decode()), page.status_code)


def _same(form: str, sent: Form) -> bool:
    """Whether this is the form that was sent, by its hidden fields."""
    fields = [each for each in _FIELD.findall(form) if _attribute(each, "type") == "hidden"]
    named = [(_attribute(each, "name"), _attribute(each, "value")) for each in fields]
    return all(value in sent.get(name, ()) for name, value in named if name != _MARK)


def _filled(form: str, sent: Form) -> str:
    seen: dict[str, int] = {}

    def field(found: re.Match[str]) -> str:
        text = found[0]
        name, kind = _attribute(text, "name"), _attribute(text, "type")
        if not name or kind in ("hidden", "password"):
            return text
        values = sent.get(name, ())
        if kind in _TICKED:
            return _with(text.replace(" checked", ""), "checked" if _attribute(text, "value") in values else "")
        at = seen.get(name, 0)
        seen[name] = at + 1
        return _typed(text, values[at]) if at < len(values) else text

    return _FIELD.sub(field, form)


def _typed(field: str, value: str) -> str:
    """One field with a value; a choice that is not offered any more stays as the page has it."""
    if field.startswith("<textarea"):
        return f"{field[: field.index('>') + 1]}\n{escape(value)}</textarea>"
    if field.startswith("<input"):
        return _with(re.sub(r' value="[^"]*"', "", field), f'value="{escape(value)}"')
    if value not in [_offers(*each) for each in _OPTION.findall(field)]:
        return field

    def option(found: re.Match[str]) -> str:
        tag = found[1].replace(" selected", "")
        return _with(tag, "selected" if _offers(tag, found[2]) == value else "") + found[2]

    return _OPTION.sub(option, field)


def _offers(tag: str, shown: str) -> str:
    return _attribute(tag, "value") if " value=" in tag else unescape(shown)


def _attribute(tag: str, name: str) -> str:
    """The value of the first attribute of a name; empty without it."""
    found = re.search(rf'\s{name}="([^"]*)"', tag)
    return unescape(found[1]) if found else ""


def _with(tag: str, attribute: str) -> str:
    """A tag with one more attribute, if it is one."""
    return f"{tag[:-1]} {attribute}>" if attribute else tag
