"""Playing a card with a ribbon: choices and asks that name its place, its number or its whole ribbon (chapter 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Literal

from companion.games.base import Ask, Barred, Choice, Fields, Message, Option
from companion.games.footclub import odds, words_people
from companion.games.footclub.awaits_trial import Completion, tried
from companion.games.footclub.match_cards import unplayable
from companion.games.footclub.pressing import freshness_kop
from companion.games.footclub.state import Club, State
from companion.games.footclub.tables import MODES, PLACES, POSTS, Side
from companion.games.footclub.targeting import at_place
from companion.games.footclub.words import card, place, word
from companion.games.wording import literal, percent, short_name

GRID = tuple(f"{post}_{hand}" for hand in "lr" for post in reversed(POSTS))
"""The ten places as they lie on the sheet: five and five, from the forwards back, left row first."""
SECTIONS = 6
UNFILLED = ("FC-5.6", "FC-5.7")
Rank = Literal[1, 2, 3]


@dataclass(frozen=True, slots=True)
class Play:
    """A card with a ribbon that may be played: the event as far as it is settled, and what the choice says.

    `before` is asked before the card is named, with the fields that its options may add in `variants`; `usual` are the
    odds that need no mention at a place.
    """

    state: State
    event: Fields
    type: str
    label: Message
    rank: Rank
    detail: Message | None = None
    effect: str | None = None
    before: Ask | None = None
    variants: tuple[Fields, ...] = ({},)
    usual: str | None = None

    def choice(self, label: Message, rank: Rank, ask: Ask) -> Choice:
        asks = (ask,) if self.before is None else (self.before, ask)
        return Choice(self.event, label, self.event["side"], self.detail, self.effect, rank, asks)

    def tried(self, fields: Fields) -> State | Barred:
        """The situation after the event with these fields, by the first variant that is legal."""
        results = [tried(self.state, {**self.event, **variant, **fields}) for variant in self.variants]
        return next((result for result in results if not isinstance(result, Barred)), results[0])

    def chance(self, after: State) -> str | None:
        """The odds right after the card was played: of the duel, or of the shot at the bonus it starts from."""
        chance: Fraction | None = None
        if after.duel is not None:
            chance = odds.duel(after.duel.mode, after.duel.modifier)["success"]
        elif after.offensive is not None:
            chance = odds.shot(after.offensive.final)["goal"]
        shown = None if chance is None else percent(chance)
        return None if shown == self.usual else shown

    @property
    def completion(self) -> Completion | None:
        return None if self.before is None else Completion(self.state, self.event)


def plays(play: Play) -> tuple[Choice, ...]:
    """The ways to play a card that names one player.

    By the place under the ball's colour; by its whole ribbon where a place cannot be filled (FC-5.7); by its number
    where the catalogue tells some. Barred as a whole when no place can be had.
    """
    options = [_place_option(play, name) for name in GRID]
    if all(option.barred for option in options):
        reason = _main_reason(options)
        return (Choice(play.event, play.label, play.event["side"], play.detail, play.effect, play.rank, barred=reason),)
    section = _section_ask(play.state, play.type, options, 1, play.completion)
    return (play.choice(play.label, play.rank, section), *_by_ribbon(play, options, PLACES), *_by_number(play))


def mode_ask(malus: int = 0) -> Ask:
    """Regular or aggressive, with the odds of a player without a strength (FC-7.2, FC-10.3)."""
    options = tuple(
        Option(mode, word("mode", mode), effect=percent(odds.duel(mode, malus)["success"])) for mode in MODES
    )
    return Ask("pick", "mode", word("ask", "mode"), options, suggested=MODES[0])


def _main_reason(options: Sequence[Option]) -> Barred | None:
    """Why nothing can be played, preferably something else than a place that cannot be filled."""
    reasons = [option.barred for option in options if option.barred]
    return next((reason for reason in reasons if reason.rule not in UNFILLED), reasons[0] if reasons else None)


def _place_option(play: Play, name: str) -> Option:
    club = play.state.club(play.event["side"])
    player = at_place(club, name)
    shown = literal(short_name(club.players[player].card.name)) if player else None
    result = play.tried({"section": name})
    if isinstance(result, Barred):
        return Option(name, place(name), shown, barred=result)
    return Option(name, place(name), shown, effect=play.chance(result))


def _section_ask(state: State, type_: str, options: Sequence[Option], times: int, data: Any = None) -> Ask:
    section = word("section", state.colour or "red")
    id = "footclub.ask.section" if times == 1 else "footclub.ask.sections"
    title = Message(id, {"card": card(type_), "section": section})
    return Ask("place", "section", title, tuple(options), times, data=data)


def _by_ribbon(play: Play, options: Sequence[Option], values: Iterable[Any]) -> tuple[Choice, ...]:
    """Only offered where some place cannot be filled, so that the section under the ball's colour may not be enough."""
    if not any(option.barred and option.barred.rule in UNFILLED for option in options):
        return ()
    sections = tuple(Option(value, _section_label(value), most=SECTIONS) for value in values)
    kind: Literal["place", "pick"] = "place" if isinstance(sections[0].value, str) else "pick"
    title = Message("footclub.ask.ribbon", {"card": card(play.type)})
    ask = Ask(kind, "ribbon", title, sections, SECTIONS, data=Completion(play.state, play.event))
    return (play.choice(Message("footclub.do.by_ribbon", {"card": play.label}), 3, ask),)


def _section_label(value: str | list[str]) -> Message:
    if isinstance(value, str):
        return place(value)
    return Message("footclub.option.pair", {"first": place(value[0]), "second": place(value[1])})


def _by_number(play: Play) -> tuple[Choice, ...]:
    """By the number printed on the card, where the catalogue tells some of this type (FC-4.8)."""
    options = []
    for number, known in enumerate(play.state.setup.match_cards):
        if known is None or known.type != play.type:
            continue
        result = play.tried({"card": number})
        if isinstance(result, Barred):
            options.append(Option(number, literal(number), barred=result))
        else:
            options.append(Option(number, literal(number), _whom(play.state, result), play.chance(result)))
    if all(option.barred for option in options):
        return ()
    title = Message("footclub.ask.number", {"card": card(play.type)})
    ask = Ask("pick", "card", title, tuple(options), data=play.completion)
    return (play.choice(Message("footclub.do.by_number", {"card": play.label}), 3, ask),)


def _whom(before: State, after: State) -> Message | None:
    """The player that a card named: the duellist, the attacker or the one who has the ball now."""
    id = after.duel.player if after.duel else after.offensive.player if after.offensive else after.holder
    return None if id is None else literal(words_people.short(before, id))


TOKENS = ("token", "token")
PAYMENTS = (("supporter", "token"), ("token", "supporter"), ("supporter", "supporter"), ("kop", "kop"))
"""The other ways to pay a pressing that are worth offering: a kop pays both tokens or wastes one (FC-6.4, FC-6.5)."""


def presses(state: State, side: Side) -> tuple[Choice, ...]:
    """The pressing paid with tokens, barred if it cannot be, and the one that Supporters or the kop help to pay."""
    club = state.club(side)
    event: dict[str, Any] = {"event": "press", "side": side}
    label = card("pressing")
    reason = unplayable(club, "pressing")
    if reason is not None:
        return (Choice(event, label, side, barred=Barred(reason.rule, reason.message)),)
    found = [_press(Play(state, event, "pressing", label, 2, word("pay", "token_token")))]
    if found[0].barred is None:
        play = Play(state, event, "pressing", label, 2)
        options = [_press_option(play, name) for name in GRID]
        pairs = [[first, second] for first, second in product(GRID, GRID)]
        found += [*_by_ribbon(play, options, pairs), *_by_number(play)]
    payments = [pay for pay in PAYMENTS if _payable(state, club, pay)]
    if payments:
        variants = tuple({"pay": list(pay)} for pay in payments)
        options = [Option(list(pay), word("pay", "_".join(pay))) for pay in payments]
        ask = Ask("pick", "pay", word("ask", "pay"), tuple(options))
        paid = _press(Play(state, event, "pressing", label, 3, word("pay", "other"), before=ask, variants=variants))
        found += [paid] if paid.barred is None else []
    return tuple(found)


def _payable(state: State, club: Club, pay: tuple[str, str]) -> bool:
    """Whether the stands hold what this payment takes from them."""
    if "kop" in pay:
        return freshness_kop(state, club)
    return pay.count("supporter") <= club.supporters


def _press(play: Play) -> Choice:
    """One way to pay; the places are asked as a pair, which decides whose tokens are due (FC-6.4, FC-6.6)."""
    first_reason: Barred | None = None
    for pair in product(GRID, GRID):
        result = play.tried({"section": list(pair)})
        if not isinstance(result, Barred):
            options = [_press_option(play, name) for name in GRID]
            completion = Completion(play.state, play.event)
            return play.choice(play.label, play.rank, _section_ask(play.state, play.type, options, 2, completion))
        first_reason = first_reason or result
    return Choice(play.event, play.label, play.event["side"], play.detail, rank=play.rank, barred=first_reason)


def _press_option(play: Play, name: str) -> Option:
    """A place with its player and his tokens; barred only if nobody can stand there (FC-5.7)."""
    club = play.state.club(play.event["side"])
    id = at_place(club, name)
    if id is None:
        result = play.tried({"section": [name, name]})
        return Option(name, place(name), most=2, barred=result if isinstance(result, Barred) else None)
    player = club.players[id]
    detail = Message("footclub.option.fresh", {"player": short_name(player.card.name), "n": player.freshness})
    return Option(name, place(name), detail, most=2)
