"""Playing a card with a ribbon: choices and asks that name its place, its number or its whole ribbon (chapter 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Literal

from companion.games.base import Ask, Barred, Choice, Fields, Message, Option
from companion.games.footclub import odds, words_people
from companion.games.footclub.awaits_trial import Completion, barred, first_legal, tried
from companion.games.footclub.match_cards import unplayable
from companion.games.footclub.pressing import freshness_kop
from companion.games.footclub.state import State
from companion.games.footclub.tables import PLACES, POSTS, Side
from companion.games.footclub.targeting import at_place
from companion.games.footclub.words import card, literal, percent, place, short_name, word

GRID = tuple(f"{post}_{hand}" for hand in "lr" for post in reversed(POSTS))
"""The ten places as they lie on the sheet: five and five, from the forwards back, left row first."""
SECTIONS = 6
UNFILLED = ("FC-5.6", "FC-5.7")
Rank = Literal[1, 2, 3]


def plays(
    state: State,
    event: Fields,
    type_: str,
    label: Message,
    rank: Rank,
    detail: Message | None = None,
    effect: str | None = None,
) -> tuple[Choice, ...]:
    """The ways to play a card that names one player.

    By the place under the ball's colour; by its whole ribbon where a place cannot be filled (FC-5.7); by its number
    where the catalogue tells some. Barred as a whole when no place can be had.
    """
    side = event["side"]
    options = [_place_option(state, event, side, name) for name in GRID]
    if all(option.barred for option in options):
        return (Choice(event, label, side, detail, effect, rank, barred=_main_reason(options)),)
    found = [Choice(event, label, side, detail, effect, rank, (_section_ask(state, type_, options, 1),))]
    return (*found, *_by_ribbon(state, event, type_, label, options, PLACES), *_by_number(state, event, type_, label))


def _main_reason(options: Sequence[Option]) -> Barred | None:
    """Why nothing can be played, preferably something else than a place that cannot be filled."""
    reasons = [option.barred for option in options if option.barred]
    return next((reason for reason in reasons if reason.rule not in UNFILLED), reasons[0] if reasons else None)


def _place_option(state: State, event: Fields, side: Side, name: str) -> Option:
    player = at_place(state.club(side), name)
    result = tried(state, {**event, "section": name})
    shown = literal(short_name(state.club(side).players[player].card.name)) if player else None
    if isinstance(result, Barred):
        return Option(name, place(name), shown, barred=result)
    return Option(name, place(name), shown, effect=_chance(result))


def _chance(after: State) -> str | None:
    """The odds right after a card was played: of the duel, or of the shot at the bonus it starts from."""
    chance: Fraction | None = None
    if after.duel is not None:
        chance = odds.duel(after.duel.mode, after.duel.modifier)["success"]
    elif after.offensive is not None:
        chance = odds.shot(after.offensive.final)["goal"]
    return None if chance is None else percent(chance)


def _section_ask(state: State, type_: str, options: Sequence[Option], times: int, data: Any = None) -> Ask:
    section = word("section", state.colour or "red")
    id = "footclub.ask.section" if times == 1 else "footclub.ask.sections"
    title = Message(id, {"card": card(type_), "section": section})
    return Ask("place", "section", title, tuple(options), times, data=data)


def _by_ribbon(
    state: State, event: Fields, type_: str, label: Message, options: Sequence[Option], values: Iterable[Any]
) -> tuple[Choice, ...]:
    """Only offered where some place cannot be filled, so that the section under the ball's colour may not be enough."""
    if not any(option.barred and option.barred.rule in UNFILLED for option in options):
        return ()
    sections = tuple(Option(value, _section_label(value), most=SECTIONS) for value in values)
    kind: Literal["place", "pick"] = "place" if isinstance(sections[0].value, str) else "pick"
    title = Message("footclub.ask.ribbon", {"card": card(type_)})
    ask = Ask(kind, "ribbon", title, sections, SECTIONS, data=Completion(state, event))
    return (Choice(event, Message("footclub.do.by_ribbon", {"card": label}), event["side"], rank=3, asks=(ask,)),)


def _section_label(value: str | list[str]) -> Message:
    if isinstance(value, str):
        return place(value)
    return Message("footclub.option.pair", {"first": place(value[0]), "second": place(value[1])})


def _by_number(state: State, event: Fields, type_: str, label: Message) -> tuple[Choice, ...]:
    numbers = [number for number, known in enumerate(state.setup.match_cards) if known and known.type == type_]
    options = []
    for number in numbers:
        result = tried(state, {**event, "card": number})
        refused = result if isinstance(result, Barred) else None
        effect = None if isinstance(result, Barred) else _chance(result)
        options.append(Option(number, literal(number), _whom(state, result), effect, barred=refused))
    if all(option.barred for option in options):
        return ()
    ask = Ask("pick", "card", Message("footclub.ask.number", {"card": card(type_)}), tuple(options))
    return (Choice(event, Message("footclub.do.by_number", {"card": label}), event["side"], rank=3, asks=(ask,)),)


def _whom(before: State, after: State | Barred) -> Message | None:
    """The player that a card named: the duellist, the attacker or the one who has the ball now."""
    if isinstance(after, Barred):
        return None
    id = after.duel.player if after.duel else after.offensive.player if after.offensive else after.holder
    return None if id is None else literal(words_people.short(before, id))


PAYMENTS = (
    ("token", "token"),
    ("supporter", "token"),
    ("token", "supporter"),
    ("supporter", "supporter"),
    ("kop", "kop"),
)
"""The ways to pay a pressing that are worth offering: a kop pays both tokens or wastes one (FC-6.4, FC-6.5)."""


def presses(state: State, side: Side) -> tuple[Choice, ...]:
    """The pressings, one choice for each way to pay; barred as a whole when none can be paid."""
    club = state.club(side)
    event: dict[str, Any] = {"event": "press", "side": side}
    label = card("pressing")
    reason = unplayable(club, "pressing")
    if reason is not None:
        return (Choice(event, label, side, barred=Barred(reason.rule, reason.message)),)
    pairs = [[first, second] for first, second in product(GRID, GRID)]
    found: list[Choice] = []
    for pay in PAYMENTS:
        if pay.count("supporter") > club.supporters or ("kop" in pay and not freshness_kop(state, club)):
            continue
        paid = event if pay == PAYMENTS[0] else {**event, "pay": list(pay)}
        legal = first_legal(state, paid, ({"section": pair} for pair in pairs))
        if not isinstance(legal, Barred):
            found.append(_press(state, paid, pay))
        elif pay == PAYMENTS[0]:
            found.append(Choice(paid, label, side, word("pay", "_".join(pay)), barred=legal))
    options = [_press_option(state, event, name) for name in GRID]
    by_ribbon = _by_ribbon(state, event, "pressing", label, options, pairs) if found and not found[0].barred else ()
    return (*found, *by_ribbon, *_by_number(state, event, "pressing", label))


def _press(state: State, event: Fields, pay: tuple[str, str]) -> Choice:
    options = [_press_option(state, event, name) for name in GRID]
    ask = _section_ask(state, "pressing", options, 2, Completion(state, event))
    rank: Rank = 2 if pay == PAYMENTS[0] else 3
    return Choice(event, card("pressing"), event["side"], word("pay", "_".join(pay)), rank=rank, asks=(ask,))


def _press_option(state: State, event: Fields, name: str) -> Option:
    """A place with its player and his tokens; barred only if nobody can stand there (FC-5.7)."""
    club = state.club(event["side"])
    id = at_place(club, name)
    if id is None:
        return Option(name, place(name), most=2, barred=barred(state, {**event, "section": [name, name]}))
    player = club.players[id]
    detail = Message("footclub.option.fresh", {"player": short_name(player.card.name), "n": player.freshness})
    return Option(name, place(name), detail, most=2)
