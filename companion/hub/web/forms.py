"""Converts form fields to tournament events, with the same parser as the journal."""

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
from companion.games.registry import SPECS
from companion.hub.web.entry_lists import EntryLine, EntryList, read_entry_list
from companion.hub.web.plan_form import KEEPING_FORMATS, match_choices
from companion.tournament import facts as fa
from companion.tournament import pairing, rules, validation
from companion.tournament.facts import TournamentState
from companion.tournament.standings import HANDBOOK
from companion.tournament.validation import refusal

Form = Mapping[str, Sequence[str]]
"""Form fields with their values, as submitted."""

NEEDS_REASON = ("correct", "annul", "forfeit", "double_forfeit", "rule", "withdraw", "swap")
"""Events that require a reason from the organiser."""

_NUMBER_FIELDS = ("round", "stage", "table", "seed")
_TEXT_FIELDS = ("entry", "name", "club", "match", "side", "question", "choice", "bye", "one", "other")


def field_value(form: Form, name: str) -> str:
    """Return the value of a field without surrounding whitespace, or an empty string if it was not sent."""
    values = form.get(name) or ("",)
    return values[0].strip()


def parse_number(text: str) -> int | str:
    """Return an integer if the text is one; otherwise the text, which the reader then refuses."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 16 else text


def whole_field(form: Form, name: str, place: str, field: str, least: int, most: int = validation.MAX_NUMBER) -> int:
    """Return the integer in a field. Raises: Refusal, with place, field and the valid range."""
    try:
        found: int = validation.whole_number(least, most)(parse_number(field_value(form, name)))
    except validation.InvalidPlanValue as unfit:
        raise refusal("bad_field", place=place, field=field, allowed=unfit.allowed) from None
    return found


def parse_fact(form: Form, state: TournamentState, now: int) -> fa.Fact:
    """Return the event in a form. Raises: Refusal, if it is invalid or a required reason is missing."""
    event = field_value(form, "event")
    kind = fa.FACT_TYPES.get(event)
    if kind is None:
        raise refusal("unknown_event", event=event)
    if event in NEEDS_REASON and not field_value(form, "why"):
        raise refusal("missing_field", place=event, field="why")
    known = {each.name for each in fields(kind)}
    fact_fields: dict[str, Any] = {"event": event, **_sent(form, known)}
    if "clock" in known:
        fact_fields["clock"] = now
    if kind is fa.Draw:
        fact_fields |= _draw(form)
    if kind is fa.Enter and "entry" not in fact_fields:
        fact_fields["entry"] = next_entry_id(state)
    if "group" in known and "group" in form:
        fact_fields["group"] = entry_group(field_value(form, "group"), state, event)
        if kind is fa.Enter and not fact_fields["group"]:
            del fact_fields["group"]
    if "score" in known:
        fact_fields |= _outcome(form)
    return fa.parse(fact_fields)


def _sent(form: Form, known: set[str]) -> dict[str, Any]:
    """Return the known fields of a form. Empty fields are left out, except the reason."""
    fact_fields: dict[str, Any] = {
        name: field_value(form, name) for name in _TEXT_FIELDS if name in known and field_value(form, name)
    }
    fact_fields |= {
        name: parse_number(field_value(form, name))
        for name in _NUMBER_FIELDS
        if name in known and field_value(form, name)
    }
    if "why" in known:
        fact_fields["why"] = field_value(form, "why")
    if "open" in known:
        fact_fields["open"] = field_value(form, "open") == "1"
    if "order" in known:
        fact_fields["order"] = [each.strip() for each in form.get("order", ()) if each.strip()]
    return fact_fields


def entry_list(form: Form) -> EntryList:
    """Return the list of entries in a form, with its columns as chosen there, else as they look."""
    text = (form.get("lines") or ("",))[0]
    return read_entry_list(text, field_value(form, "separator"), form.get("column", ()))


def parse_entries(form: Form, state: TournamentState) -> list[fa.Fact]:
    """Parse the entries of a pasted list.

    Raises: Refusal, with number and name of the first invalid line, or if there is no entry.
    """
    found: list[fa.Fact] = []
    for line in entry_list(form).lines():
        try:
            fact = _entry_of(line, state)
            reason = rules.decide(state, fact)
            if reason is not None:
                raise reason
        except Refusal as refused:
            args = {"line": line.number, "name": line.name, "reason": refused.message}
            raise Refusal(refused.rule, Message("web.refusal.line", args)) from None
        state = rules.apply(state, fact)
        found.append(fact)
    if not found:
        raise Refusal("no_lines", Message("web.refusal.no_lines"))
    return found


def _entry_of(line: EntryLine, state: TournamentState) -> fa.Fact:
    group = entry_group(line.group, state, "enter")
    given: dict[str, Any] = {"seed": parse_number(line.seed) if line.seed else None, "group": group}
    given |= {"club": line.club}
    fact_fields = {name: value for name, value in given.items() if value not in (None, "")}
    return fa.parse({"event": "enter", "entry": next_entry_id(state), "name": line.name, **fact_fields})


_GROUP_WORD = re.compile(r"^(?:poule|groupe|group|pool)\b", re.IGNORECASE)


def entry_group(text: str, state: TournamentState, place: str) -> str:
    """Return the group that a text means, such as "b", "2" or "Group B"; empty for none.

    A tournament without groups ignores it. Raises: Refusal, if the text means none of the groups.
    """
    names = pairing.group_names(state.plan.stages[0].groups)
    written = _GROUP_WORD.sub("", text).strip().upper()
    if len(names) == 1 or not written:
        return ""
    number = parse_number(written)
    found = names[number - 1] if isinstance(number, int) and 0 < number <= len(names) else written
    if found not in names:
        allowed = Message("tournament.allowed.word", {"words": ", ".join(names)})
        raise refusal("bad_field", place=place, field="group", allowed=allowed)
    return found


def next_entry_id(state: TournamentState) -> str:
    """Return the id of the next entry: one that no entry ever had."""
    given = {*state.entered, *state.entries}
    at = len(given) + 1
    while f"e{at}" in given:
        at += 1
    return f"e{at}"


def proposal_id(fact: fa.Fact) -> str:
    """Return the fingerprint of a proposal shown in a form. The time of a call is not part of it."""
    return repr(replace(fact, clock=0) if isinstance(fact, fa.Call) else fact)


def plan_fields(form: Form) -> JsonObject:
    """Return the plan in the form of a new tournament, as JSON for `planning.parse`."""
    formula = field_value(form, "format")
    third, legs = field_value(form, "third_place") == "1", parse_number(field_value(form, "legs") or "1")
    stages: dict[str, list[dict[str, Any]]] = {
        "league": [{"kind": "round_robin", "legs": 2}],
        "league_final": [
            {"kind": "round_robin", "legs": legs, "advance": FINALISTS},
            {"kind": "knock_out"},
        ],
        "round_robin": [{"kind": "round_robin", "legs": legs}],
        "swiss": [{"kind": "swiss", "rounds": parse_number(field_value(form, "rounds") or "5"), "handbook": HANDBOOK}],
        "knock_out": [{"kind": "knock_out", "legs": legs, "third_place": third}],
        "double_knock_out": [{"kind": "double_knock_out"}],
        "groups": [
            {
                "kind": "round_robin",
                "legs": legs,
                "groups": parse_number(field_value(form, "groups") or "2"),
                "advance": parse_number(field_value(form, "advance") or "2"),
            },
            {"kind": "knock_out", "third_place": third},
        ],
    }
    thresholds = [parse_number(each) for each in re.split(r"[\s,;]+", field_value(form, "thresholds")) if each]
    if thresholds:
        _check_keeps_cards(field_value(form, "game"), formula)
        stages[formula][0]["thresholds"] = thresholds
    for stage in stages.get(formula, [])[:1]:
        stage.update(_scoring(form))
    plan: dict[str, Any] = {
        "tournament": 1,
        "name": field_value(form, "name"),
        "game": field_value(form, "game"),
        "stages": stages.get(formula, []),
    }
    plan |= {
        name: parse_number(field_value(form, name)) for name in ("tables", "minutes", "rest") if field_value(form, name)
    }
    plan |= {name: field_value(form, name) for name in ("date", "start", "place")}
    plan["match"] = match_choices(field_value(form, "game"), form)
    return {**plan, **_clock(form)}


def _clock(form: Form) -> dict[str, Any]:
    """Return the time limits of a plan's matches; nothing if each table keeps its own."""
    mode = field_value(form, "clock_mode")
    if not mode:
        return {}
    minutes = field_value(form, "clock_minutes") or field_value(form, "minutes") or "0"
    seconds = field_value(form, "clock_seconds") or "0"
    limits = {"mode": mode, "match_minutes": parse_number(minutes), "turn_seconds": parse_number(seconds)}
    return {"clock": {"mode": mode} if mode == "off" else limits}


def _check_keeps_cards(game: str, formula: str) -> None:
    """Check that cards may be kept in a tournament of this game and format. Raises: Refusal."""
    if game not in SPECS or not SPECS[game].tournament.keeps_cards:
        raise Refusal("keeps_no_cards", Message("web.refusal.keeps_no_cards"))
    if formula not in KEEPING_FORMATS:
        raise Refusal("keeps_no_cards", Message("web.refusal.keeps_in_format"))


FINALISTS = 2
"""Entries that go from a league to its final."""

SCORINGS = {"3-1-0": (3, 1, 0), "2-1-0": (2, 1, 0)}
"""Points of a win, a draw and a defeat that the form offers besides those of the game."""


def _scoring(form: Form) -> dict[str, Any]:
    """Return the points and the order of the tie-breaks of a form; those of the game are left out."""
    scoring: dict[str, Any] = {}
    chosen, spec = SCORINGS.get(field_value(form, "points")), SPECS.get(field_value(form, "game"))
    if chosen is not None and spec is not None:
        win, draw, loss = chosen
        forfeit = list(spec.tournament.points.forfeit)
        scoring["points"] = {"win": win, "draw": draw, "loss": loss, "bye": win, "forfeit": forfeit}
    if "tie_break" in form:
        scoring["chain"] = list(dict.fromkeys(["points", *(each for each in form["tie_break"] if each)]))
    return scoring


def _draw(form: Form) -> dict[str, Any]:
    home, away = (form.get(f"{side}_of_pair", ()) for side in ("home", "away"))
    pairs = [[first.strip(), second.strip()] for first, second in zip(home, away, strict=False)]
    return {"pairs": pairs, "by_hand": field_value(form, "by_hand") == "1"}


def _outcome(form: Form) -> dict[str, Any]:
    outcome: dict[str, Any] = {
        "home": field_value(form, "home"),
        "away": field_value(form, "away"),
        "score": [parse_number(field_value(form, "home_points")), parse_number(field_value(form, "away_points"))],
    }
    winner = field_value(form, "winner")
    if winner:
        outcome["winner"] = None if winner == "draw" else winner
    return outcome


# Parsing of form requests.


MAX_FIELDS = 4000


async def _read(request: Request) -> Form:
    """Parse the form of a request. Raises: HTTPException, with status 400, if it is malformed."""
    try:
        body = await request.body()
    except ClientDisconnect:
        raise HTTPException(413) from None
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, strict_parsing=False, max_num_fields=MAX_FIELDS)
    except ValueError:
        raise HTTPException(400) from None
    form: dict[str, list[str]] = {}
    for name, value in pairs:
        form.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return form


SentForm = Annotated[Form, Depends(_read)]
"""Route parameter: the submitted form."""


# After a refusal a form keeps what was typed, so that a list of names need not be typed again.


_FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
_FIELD = re.compile(r"<input\b[^>]*>|<textarea\b[^>]*>.*?</textarea>|<select\b[^>]*>.*?</select>", re.DOTALL)
_OPTION = re.compile(r"(<option\b[^>]*>)(.*?)(?=</option>)", re.DOTALL)
_CSRF_FIELD = "form"
"""The hidden field with the CSRF token."""
_TICKED = ("checkbox", "radio")


def refill_form(request: Request, page: HTMLResponse, sent: Form) -> HTMLResponse:
    """Return the page with the submitted values in the form they came from, found by its address and hidden fields."""
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
    """Return whether this is the submitted form, by its hidden fields."""
    fields = [each for each in _FIELD.findall(form) if _attribute(each, "type") == "hidden"]
    named = [(_attribute(each, "name"), _attribute(each, "value")) for each in fields]
    return all(value in sent.get(name, ()) for name, value in named if name != _CSRF_FIELD)


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
    """Return a field with a value. A choice that is no longer offered leaves the field unchanged."""
    if field.startswith("<textarea"):
        return f"{field[: field.index('>') + 1]}\n{escape(value)}</textarea>"
    if field.startswith("<input"):
        return _with(re.sub(r' value="[^"]*"', "", field), f'value="{escape(value)}"')
    if value not in [_option_value(*each) for each in _OPTION.findall(field)]:
        return field

    def option(found: re.Match[str]) -> str:
        tag = found[1].replace(" selected", "")
        return _with(tag, "selected" if _option_value(tag, found[2]) == value else "") + found[2]

    return _OPTION.sub(option, field)


def _option_value(tag: str, label: str) -> str:
    return _attribute(tag, "value") if " value=" in tag else unescape(label)


def _attribute(tag: str, name: str) -> str:
    """Return the value of the first attribute with this name, or an empty string."""
    found = re.search(rf'\s{name}="([^"]*)"', tag)
    return unescape(found[1]) if found else ""


def _with(tag: str, attribute: str) -> str:
    """Return a tag with an attribute added, if it is not empty."""
    return f"{tag[:-1]} {attribute}>" if attribute else tag
