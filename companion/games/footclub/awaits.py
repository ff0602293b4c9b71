"""What FootClub awaits in each phase: whose it is to act, the dice due, and every choice that is legal or looked for.

Everything is computed from what both clubs know: see `public`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Literal

from companion.games.base import Ask, Awaits, Barred, Choice, DiceAwait, Fields, JsonObject, Message, Option, Refusal
from companion.games.footclub import market, odds, shootout, team, words
from companion.games.footclub.bonus import ATTACKING_SUPPORT
from companion.games.footclub.cards import PlayerCard
from companion.games.footclub.course import must_discard
from companion.games.footclub.duel import SUPPORT
from companion.games.footclub.legs import OFFERED
from companion.games.footclub.match_cards import pile_size, reserve, unplayable
from companion.games.footclub.offensives import stands_barred
from companion.games.footclub.pressing import freshness_kop
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.scene import BoardPlayer, board_player
from companion.games.footclub.state import Club, Lineup, Market, Offensive, Player, State
from companion.games.footclub.tables import (
    COPIES,
    FORMATIONS,
    INDEX,
    MODES,
    MOST_SPENT,
    PLACES,
    POSTS,
    SHOOTERS,
    SIDES,
    STAFF_STARS,
    SUGGESTED,
    SUPPORTERS,
    TEAM_SIZE,
    TYPES,
    Formation,
    Side,
    index_of,
    other,
)
from companion.games.footclub.targeting import at_place
from companion.games.footclub.team import initial_bonus
from companion.games.footclub.words import card, place, word
from companion.games.wording import literal, percent, short_name, signed


def suggested_team(club: Club) -> JsonObject | None:
    """The team with the most stars, an optimised one if it is as strong (FC-3.4); None if the club can field none."""
    teams = [found for formation in sorted(FORMATIONS) if (found := fielded(_able(club), formation)) is not None]
    if not teams:
        return None
    best = max(teams, key=lambda lineup: _strength(club, lineup))
    on_pitch = [id for line in best for id in line]
    captain = max(team.captains(club, on_pitch), key=lambda id: club.players[id].card.level)
    return {"lineup": by_post(best), "captain": captain}


def by_post(lineup: Lineup) -> dict[str, list[str]]:
    return {post: list(line) for post, line in zip(POSTS, lineup, strict=True)}


def _able(club: Club) -> list[Player]:
    """Everybody who may stand in a team now."""
    return [player for player in club.players.values() if player.status in ("pitch", "bench")]


def possible_formations(club: Club) -> tuple[Formation, ...]:
    return tuple(sorted(formation for formation in FORMATIONS if fielded(_able(club), formation) is not None))


def _strength(club: Club, lineup: Lineup) -> int:
    players = [club.players[id] for line in lineup for id in line]
    fits = team.fits_style(club.coach.style, tuple(player.card.profiles for player in players))
    return sum(player.level for player in players) + 2 * fits


def fielded(able: Iterable[Player], formation: Formation) -> Lineup | None:
    """The line-up with the most stars that these players can form; None if they cannot form it.

    Only full and centre backs, and attacking midfielders and forwards, share versatile players (FC-1.5): each block
    takes its strongest players one by one as long as they fit together, which is best for choices of this kind.
    """
    fb, cb, dm, am, fw = formation
    ranked = sorted(able, key=lambda player: -player.level)
    backs, forwards = _block(ranked, ("fb", "cb"), (fb, cb)), _block(ranked, ("am", "fw"), (am, fw))
    blocks = (backs, _block(ranked, ("dm",), (dm,)), forwards)
    if any(block is None for block in blocks):
        return None
    return tuple(line for block in blocks for line in block or ())


def _block(able: list[Player], posts: tuple[str, ...], counts: tuple[int, ...]) -> list[tuple[str, ...]] | None:
    """The lines of neighbouring posts, filled from players in falling order of stars."""
    free = dict(zip(posts, counts, strict=True))
    lines: dict[str, list[str]] = {post: [] for post in posts}
    both: list[str] = []
    for player in able:
        here = [post for post in player.card.posts if post in free]
        if len(here) > 1 and sum(free.values()) > len(both):
            both.append(player.id)
        elif len(here) == 1 and free[here[0]] > 0 and sum(free.values()) > len(both):
            free[here[0]] -= 1
            lines[here[0]].append(player.id)
    if sum(free.values()) > len(both):
        return None
    for post in posts:
        lines[post] += [both.pop() for _ in range(free[post])]
    return [tuple(lines[post]) for post in posts]


# Tries an event out on the situation, so that what is offered is what the rules let pass, and nothing secret shows.


def public(state: State) -> State:
    """The situation as everybody at the table knows it: any card not seen yet may still be in a hand (FC-4.5).

    A choice of cards that a club told the app is left out: neither what is offered nor what is barred betrays it.
    """
    return replace(state, clubs=tuple(_public_club(club) for club in state.clubs))


def _public_club(club: Club) -> Club:
    if club.cards_left is None:
        return club
    unseen = [copies - seen for copies, seen in zip(COPIES.values(), club.discard, strict=True)]
    unseen[SUPPORTERS] -= club.supporters
    return replace(club, cards_left=tuple(unseen))


def tried(state: State, fields: Fields) -> State | Barred:
    """The situation after an event, or why it is not legal."""
    try:
        event = RULEBOOK.parse(fields)
        RULEBOOK.decide(state, event)
    except Refusal as refused:
        return Barred(refused.rule, refused.message)
    return RULEBOOK.apply(state, event)[0]


def barred(state: State, fields: Fields) -> Barred | None:
    """Why an event is not legal, or None."""
    found = tried(state, fields)
    return found if isinstance(found, Barred) else None


def first_legal(
    state: State, event: Fields, answers: Iterable[Fields], settled: Container[str] = ()
) -> Fields | Barred:
    """The first answer that makes a legal event; else why the first one does not.

    Stops at a refusal by a rule in `settled`, which no other answer would avoid. There must be an answer.
    """
    reason: Barred | None = None
    for answer in answers:
        refused = barred(state, {**event, **answer})
        if refused is None:
            return answer
        reason = reason or refused
        if refused.rule in settled:
            return refused
    if reason is None:
        raise ValueError("no answers to try")
    return reason


@dataclass(frozen=True, slots=True)
class Completion:
    """The `data` of an ask whose options cannot all be taken together: says whether a whole set of answers is legal."""

    state: State = field(repr=False)
    event: Fields

    def barred(self, answers: Fields) -> Barred | None:
        """Why the event with these answers (by field) is not legal, or None."""
        return barred(self.state, {**self.event, **answers})


@dataclass(frozen=True, slots=True)
class Offer:
    """The `data` of the ask for the players offered to a club: legal if two of them may be taken (FC-16.6)."""

    state: State = field(repr=False)
    event: Fields

    def barred(self, answers: Fields) -> Barred | None:
        """Why no two of the players offered may be taken, or None."""
        pairs = ({**answers, "take": list(pair)} for pair in combinations(answers["offered"], 2))
        found = first_legal(self.state, self.event, pairs)
        return found if isinstance(found, Barred) else None


@dataclass(frozen=True, slots=True)
class TakenFrom:
    """The `data` of an ask whose options are those that an earlier ask, of `field`, was answered with."""

    field: str
    ask: Ask

    def after(self, answers: Fields) -> Ask:
        """The ask with the options that are left."""
        left = tuple(option for option in self.ask.options if option.value in answers[self.field])
        return replace(self.ask, options=left)


# Playing a card with a ribbon: choices and asks that name its place, its number or its whole ribbon (chapter 5).

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
    return None if id is None else literal(words.short(before, id))


PAYMENTS = (("supporter", "token"), ("token", "supporter"), ("supporter", "supporter"), ("kop", "kop"))
"""The other ways to pay a pressing that are worth offering: a kop pays both tokens or wastes one (FC-6.4, FC-6.5)."""


def presses(state: State, side: Side) -> tuple[Choice, ...]:
    """The pressing paid with tokens, barred if it cannot be, and the one that Supporters or the kop help to pay."""
    club = state.club(side)
    event: JsonObject = {"event": "press", "side": side}
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


# What the line-up editor needs to know of a club, a team sheet it may start from, and the changes a club may make.

SETTLED = frozenset({"FC-3.9", "FC-12.1", "FC-12.2", "FC-13.9", "FC-14.4"})
"""Refusals of a change that no other players would avoid."""
ONE_IS_NOT_ENOUGH = ("FC-3.2", "FC-3.6", "FC-13.7")
"""Refusals of a single replacement that may be legal together with another."""


@dataclass(frozen=True, slots=True)
class LineupSheet:
    """The `data` of a `lineup` ask: the club as public as its team sheet is.

    `lineup` is None before the team sheet. `style` is how many technical, physical and tactical players the coach
    wants, `formations` those that this squad can field, none for a change. The answer has the keys `lineup` and
    `captain` for a team sheet; `subs`, and if need be `lineup` and `captain`, for a change.
    """

    side: Side
    event: str
    players: tuple[BoardPlayer, ...]
    lineup: Lineup | None
    captain: str | None
    coach: str
    coach_level: int
    goalkeeper: str
    goalkeeper_level: int
    style: tuple[int, int, int]
    preferred: str
    formations: tuple[Formation, ...]
    replacements_left: int


def sheet(state: State, club: Club, event: str) -> LineupSheet:
    posts = {id: post for post, line in zip(POSTS, club.lineup or (), strict=False) for id in line}
    return LineupSheet(
        side=club.side,
        event=event,
        players=tuple(
            board_player(state, club, player, posts.get(player.id, player.card.posts[0]))
            for player in club.players.values()
        ),
        lineup=club.lineup,
        captain=club.captain,
        coach=club.coach.name,
        coach_level=club.coach.level,
        goalkeeper=club.goalkeeper.name,
        goalkeeper_level=club.goalkeeper.level,
        style=club.coach.style,
        preferred=club.coach.preferred,
        formations=possible_formations(club) if event == "team_sheet" else (),
        replacements_left=club.replacements_left,
    )


def team_sheet(state: State, side: Side) -> Choice:
    """The team sheet of a club, with a strong legal one to start from; barred if its squad allows none (FC-2.8)."""
    club = state.club(side)
    event = {"event": "team_sheet", "side": side}
    title = Message("footclub.ask.team_sheet", {"club": state.setup.name(side)})
    suggested = suggested_team(club)
    if suggested is None:
        return Choice(event, word("do", "team_sheet"), side, barred=Barred("FC-2.8", word("barred", "FC-2.8")))
    ask = Ask("lineup", "lineup", title, suggested=suggested, data=sheet(state, club, "team_sheet"))
    return Choice(event, word("do", "team_sheet"), side, rank=1, asks=(ask,))


def change(state: State, side: Side) -> Choice:
    """A change of players in step 2 or an open window, with a legal one to start from; barred when none is possible.

    Where no single replacement leaves a legal team, several at once may: then nothing is suggested.
    """
    club = state.club(side)
    event = {"event": "change", "side": side}
    detail = Message("footclub.detail.replacements", {"n": club.replacements_left})
    title = Message("footclub.ask.change", {"club": state.setup.name(side)})
    found: Fields | Barred | None = first_legal(state, event, _possible_changes(state, club), SETTLED)
    rank: Literal[1, 3] = 1 if club.below else 3
    if isinstance(found, Barred):
        if found.rule not in ONE_IS_NOT_ENOUGH or club.replacements_left < 2:
            return Choice(event, word("do", "change"), side, detail, rank=rank, barred=found)
        found = None
    ask = Ask("lineup", "lineup", title, suggested=found, data=sheet(state, club, "change"))
    return Choice(event, word("do", "change"), side, detail, rank=rank, asks=(ask,))


def _possible_changes(state: State, club: Club) -> Iterator[Fields]:
    """Single replacements, the injured and players of a shared post first; then a mere reorganisation (FC-12.5)."""
    leaving = [id for id, player in club.players.items() if player.status == "injured_off"] + list(club.on_pitch)
    entering = [player for player in club.players.values() if player.status == "bench"]
    pairs = [(out, into) for out in leaving for into in entering]
    pairs.sort(key=lambda pair: not set(pair[1].card.posts) & set(club.players[pair[0]].card.posts))
    reorganises = club.side in state.replaced
    if club.replacements_left > 0 or not reorganises:
        yield from ({"subs": [{"out": out, "in": into.id}]} for out, into in pairs)
        yield from _rearranged(club, pairs)
    if reorganises:
        yield {"subs": []}
    if not pairs:
        yield {"subs": [{"out": leaving[0], "in": leaving[0]}]}


def _rearranged(club: Club, pairs: Iterable[tuple[str, Player]]) -> Iterator[Fields]:
    """Single replacements with the ten players arranged anew (FC-12.5)."""
    for out, into in pairs:
        team_after = [club.players[id] for id in club.on_pitch if id != out] + [into]
        if len(team_after) < TEAM_SIZE:
            continue
        for formation in sorted(FORMATIONS):
            lineup = fielded(team_after, formation)
            if lineup is not None:
                yield {"subs": [{"out": out, "in": into.id}], "lineup": by_post(lineup)}


def permutation(state: State, side: Side) -> Choice:
    """Two players of one post swap places (FC-12.9): the pairs of all posts where two or more stand."""
    club = state.club(side)
    event = {"event": "permute", "side": side}
    lines = zip(POSTS, club.lineup or (), strict=False)
    pairs = [(post, list(pair)) for post, line in lines for pair in combinations(line, 2)]
    reason = barred(state, {**event, "players": pairs[0][1]})
    if reason is not None:
        return Choice(event, word("do", "permute"), side, rank=3, barred=reason)
    options = tuple(Option(pair, _both(club, pair), word("post", post)) for post, pair in pairs)
    ask = Ask("pick", "players", word("ask", "permute"), options)
    return Choice(event, word("do", "permute"), side, rank=3, asks=(ask,))


def _both(club: Club, pair: list[str]) -> Message:
    first, second = (literal(short_name(club.players[id].card.name)) for id in pair)
    return Message("footclub.option.two", {"first": first, "second": second})


# What is awaited before a half: market, transfers, team sheets, tactical choices, the roll of the ball (FC-14.1).

OPEN_PAIRS = 3


def before_half(state: State) -> Awaits:
    """Team sheets and secret choices of both clubs in any order, then the ball."""
    choices: list[Choice] = []
    missing: list[str] = []
    for side in SIDES:
        club = state.club(side)
        if club.lineup is None:
            choices += _transfers(state, side)
            choices.append(team_sheet(state, side))
        if club.cards_left is None:
            choices += tactics(state, side)
        if club.lineup is None or club.cards_left is None:
            missing.append(state.setup.name(side))
    if missing:
        detail = Message("footclub.detail.missing", {"clubs": ", ".join(missing)})
        return Awaits(word("await", state.phase), detail, choices=tuple(choices))
    dice = (DiceAwait(None, "ball", 1, purpose=word("purpose", "ball")),)
    return Awaits(word("await", "ball"), word("detail", "ball"), dice=dice, choices=tuple(choices))


def tactics(state: State, side: Side) -> tuple[Choice, ...]:
    """The secret choice by counts, and the choice kept wholly secret (FC-4.3 to FC-4.5)."""
    total = pile_size(state)
    event = {"event": "tactics", "side": side}
    options = tuple(
        Option(type_, card(type_), Message("footclub.option.reserve", {"n": most}), most=most)
        for type_, most in zip(TYPES, reserve(state.club(side)), strict=True)
    )
    ask = Ask(
        "counts",
        "cards",
        Message("footclub.ask.tactics", {"club": state.setup.name(side), "n": total}),
        options,
        total=total,
        secret=True,
        suggested=_suggested(state, side),
    )
    detail = Message("footclub.detail.choose", {"n": total})
    return (
        Choice(event, word("do", "tactics"), side, detail, rank=1 if state.club(side).lineup else 2, asks=(ask,)),
        Choice(event, word("do", "tactics_secret"), side, word("detail", "tactics_secret"), rank=3),
    )


def _suggested(state: State, side: Side) -> dict[str, int] | None:
    """FC-4.10, where it is a choice of this size that the reserve allows."""
    most = dict(zip(TYPES, reserve(state.club(side)), strict=True))
    fits = sum(SUGGESTED.values()) == pile_size(state) and all(n <= most[type_] for type_, n in SUGGESTED.items())
    return dict(SUGGESTED) if fits else None


def _transfers(state: State, side: Side) -> tuple[Choice, ...]:
    """The transfer before a second leg, where the catalogue has enough players set aside (FC-16.6)."""
    if state.setup.format != "leg2" or state.offers[index_of(side)]:
        return ()
    owned = {id for club in state.clubs for id in club.players}.union(*state.offers)
    aside = [one for one in state.setup.team_cards.players if one.id not in owned]
    if any(sum(one.level == level for one in aside) < count for level, count in OFFERED.items()):
        return ()
    event = {"event": "market_transfer", "side": side}
    options = tuple(_player_option(one) for one in aside if one.level in OFFERED)
    data = Completion(state, event)
    take = Ask("pick", "take", word("ask", "take_two"), options, times=2, data=data)
    asks = (
        Ask("pick", "offered", word("ask", "offered"), options, times=sum(OFFERED.values()), data=Offer(state, event)),
        replace(take, data=TakenFrom("offered", take)),
    )
    return (Choice(event, word("do", "market_transfer"), side, rank=3, asks=asks),)


def in_market(state: State) -> Awaits:
    """Staff pairs, the opening, then the picks in turn (chapter 2)."""
    under_way = market.under_way(state)
    if None in under_way.staff:
        choices = [choice for side in SIDES for choice in _staff(state, under_way, side)]
        return Awaits(word("await", "market_staff"), word("detail", "market_staff"), choices=tuple(choices))
    if under_way.next is None:
        return Awaits(word("await", "market_open"), word("detail", "market_open"), choices=_opening(state))
    club = {"club": state.setup.name(under_way.next)}
    return Awaits(Message("footclub.await.market_pick", club), choices=(_pick(state, under_way, under_way.next),))


def _staff(state: State, under_way: Market, side: Side) -> list[Choice]:
    """One choice for each coach that finds a goalkeeper to make eight stars with (FC-2.2)."""
    if under_way.staff[index_of(side)] is not None:
        return []
    taken = under_way.staff[index_of(other(side))] or ()
    cards = state.setup.team_cards
    found = []
    for coach in cards.coaches:
        keepers = [one for one in cards.goalkeepers if one.level + coach.level == STAFF_STARS and one.id not in taken]
        if coach.id in taken or not keepers:
            continue
        event = {"event": "market_staff", "side": side, "coach": coach.id}
        options = tuple(Option(one.id, literal(one.name), _stars(one.level)) for one in keepers)
        ask = Ask("pick", "goalkeeper", word("ask", "goalkeeper"), options)
        found.append(Choice(event, literal(coach.name), side, _stars(coach.level), asks=(ask,)))
    return found


def _opening(state: State) -> tuple[Choice, ...]:
    """One choice for each club that may begin; the three open pairs are asked as pairs (FC-2.3)."""
    players = [one for one in state.setup.team_cards.players if one.id in set(market.lower_pile(state))]
    options = tuple(
        Option([one.id, two.id], literal(f"{short_name(one.name)}, {short_name(two.name)}"))
        for one, two in combinations(players, 2)
    )
    found = []
    for side in SIDES:
        event = {"event": "market_open", "first": side}
        ask = Ask("pick", "pairs", word("ask", "open_pairs"), options, times=OPEN_PAIRS, data=Completion(state, event))
        found.append(Choice(event, word("do", "begins"), side, rank=1, asks=(ask,)))
    return tuple(found)


def _pick(state: State, under_way: Market, side: Side) -> Choice:
    """One market turn: two players seen, one kept, a pair taken and replaced (FC-2.4 to FC-2.6)."""
    event = {"event": "market_pick", "side": side}
    upper = tuple(_player_option(one) for one in market.next_of_upper_pile(state))
    take = Ask("pick", "take", word("ask", "take_one"), upper)
    pairs = tuple(Option(list(pair), literal(words.shorts(state, pair))) for pair in under_way.pairs)
    asks = [
        Ask("pick", "revealed", word("ask", "revealed"), upper, times=2),
        replace(take, data=TakenFrom("revealed", take)),
        Ask("pick", "pair", word("ask", "pair"), pairs),
    ]
    lower = set(market.lower_pile(state))
    if len(lower) >= 2:
        options = tuple(_player_option(one) for one in state.setup.team_cards.players if one.id in lower)
        asks.append(Ask("pick", "next_pair", word("ask", "next_pair"), options, times=2, data=Completion(state, event)))
    return Choice(event, word("do", "market_pick"), side, rank=1, asks=tuple(asks))


def _player_option(one: PlayerCard) -> Option:
    posts: Message = word("posts", "_".join(one.posts)) if len(one.posts) > 1 else word("post", one.posts[0])
    args: JsonObject = {"n": one.level, "posts": posts}
    return Option(one.id, literal(short_name(one.name)), Message("footclub.option.player", args))


def _stars(level: int) -> Message:
    return Message("footclub.option.stars", {"n": level})


# What is awaited in a turn outside an offensive: steps 2, 3 and 5, changes, a vacant armband (chapters 12 to 14).


def club_said(id: str, state: State, side: Side) -> Message:
    """A sentence about a club."""
    return Message(id, {"club": state.setup.name(side)})


def vacant(state: State) -> Awaits:
    """A captain must be named, or comes with a change, before anything else (FC-3.9)."""
    sides = [club.side for club in state.clubs if club.vacant]
    choices: list[Choice] = []
    for side in sides:
        club = state.club(side)
        options = tuple(_mate(club, id) for id in team.captains(club, club.on_pitch))
        ask = Ask("pick", "player", club_said("footclub.ask.captain", state, side), options)
        choices.append(Choice({"event": "captain", "side": side}, word("do", "captain"), side, rank=1, asks=(ask,)))
    return Awaits(club_said("footclub.await.captain", state, sides[0]), choices=(*choices, *changes(state)))


def below(state: State) -> Awaits:
    """A club of fewer than eight must replace its injured player before anything else (FC-13.9)."""
    side = next(club.side for club in state.clubs if club.below)
    return Awaits(club_said("footclub.await.below", state, side), word("detail", "below"), choices=changes(state))


def changes(state: State) -> tuple[Choice, ...]:
    """The changes of either club in step 2 or an open window; none elsewhere."""
    if state.phase != "preparation" and not state.window:
        return ()
    waiting = [club.side for club in state.clubs if club.below]
    return tuple(change(state, side) for side in waiting or SIDES)


def _mate(club: Club, id: str) -> Option:
    one = club.players[id].card
    return Option(id, literal(short_name(one.name)), Message("footclub.option.stars", {"n": one.level}))


def preparation(state: State) -> Awaits:
    """Step 2, which the club without the ball ends by starting step 3."""
    found: list[Choice] = []
    for side in SIDES:
        found += _supporter(state, side)
    detail = Message("footclub.detail.preparation", {"turn": state.turn})
    permutations = [permutation(state, side) for side in SIDES]
    title = club_said("footclub.await.possession", state, state.defenders)
    return Awaits(title, detail, choices=(*_fight(state), *found, *changes(state), *permutations))


def _supporter(state: State, side: Side) -> tuple[Choice, ...]:
    """A Supporters card to the stands; gone once it is laid, barred when it is too late or none is left."""
    if state.club(side).supporter_laid:
        return ()
    event = {"event": "supporter", "side": side}
    return (Choice(event, word("do", "supporter"), side, word("detail", "to_stands"), barred=barred(state, event)),)


def possession(state: State) -> Awaits:
    """Step 3: the club without the ball presses, tackles or leaves it."""
    title = club_said("footclub.await.possession", state, state.defenders)
    return Awaits(title, choices=(*_fight(state), *changes(state)))


def counter(state: State) -> Awaits:
    """After a save: a counter-attack at once, or a new step 3 (FC-8.4, FC-11.4)."""
    side = other(state.defenders)
    event = {"event": "offensive", "side": side, "kind": "counter_attack"}
    start = signed(team.initial_bonus(state, side))
    found = plays(Play(state, event, "counter_attack", card("counter_attack"), 1, word("detail", "start"), start))
    title = club_said("footclub.await.counter", state, side)
    detail = club_said("footclub.detail.counter", state, state.defenders)
    return Awaits(title, detail, choices=(*found, *_fight(state), *changes(state)))


def _fight(state: State) -> tuple[Choice, ...]:
    side = state.defenders
    tackle = {"event": "tackle", "side": side}
    leave = {"event": "leave", "side": side}
    found = [Choice(leave, word("do", "leave"), side, rank=1), *presses(state, side)]
    mode = mode_ask()
    found += plays(Play(state, tackle, "tackle", card("tackle"), 2, before=mode, usual=mode.options[0].effect))
    return tuple(found)


def duel(state: State) -> Awaits:
    """Two dice of the club that tackles or supports."""
    if state.duel is None:
        raise ValueError("no duel to throw for")
    side = state.duel.side
    second = state.duel.throw > 1
    title = club_said("footclub.await.throw_again" if second else "footclub.await.throw", state, side)
    dice = (DiceAwait(side, "pips", 2, purpose=word("purpose", state.duel.kind)),)
    return Awaits(title, dice=dice, choices=changes(state))


def end_of_turn(state: State) -> Awaits:
    """Step 5: each club that has too many cards discards exactly these (FC-14.10, FC-14.11)."""
    choices = []
    for side in SIDES:
        club = state.club(side)
        count = must_discard(state, club)
        if count:
            choices.append(_discard(club, count))
    return Awaits(word("await", "end_of_turn"), word("detail", "end_of_turn"), choices=tuple(choices))


def _discard(club: Club, count: int) -> Choice:
    """The `cards` of the event are a list; of one card, each option is that list."""
    left = club.cards_left or (count,) * len(TYPES)
    options = tuple(
        Option([type_] if count == 1 else type_, card(type_), most=min(count, left[INDEX[type_]]))
        for type_ in TYPES
        if left[INDEX[type_]] > 0
    )
    message = Message("footclub.ask.discard", {"n": count})
    ask = Ask("pick", "cards", message, options, times=count)
    detail = Message("footclub.detail.cards", {"n": count})
    event = {"event": "discard", "side": club.side}
    return Choice(event, word("do", "discard"), club.side, detail, rank=1, asks=(ask,))


# What is awaited from the start of an offensive to the end of its shot: cards, Supporters, dice, a card taken back.


def attack(state: State) -> Awaits:
    """Step 4: the club with the ball starts an offensive or declines (FC-14.8)."""
    side = other(state.defenders)
    event = {"event": "offensive", "side": side, "kind": "positional_attack"}
    start = _starting(state, side)
    found = plays(Play(state, event, "positional_attack", card("positional_attack"), 1, word("detail", "start"), start))
    solo = _solo(state, side)
    decline = Choice({"event": "no_offensive", "side": side}, word("do", "no_offensive"), side)
    title = club_said("footclub.await.attack", state, side)
    return Awaits(title, choices=(*found, *solo, decline, *changes(state)))


def _starting(state: State, side: Side) -> str:
    """The bonus that an offensive of this side would start from (FC-8.7)."""
    return signed(initial_bonus(state, side))


def _solo(state: State, side: Side) -> tuple[Choice, ...]:
    """A solo effort, plain or with its attacker's strength paid for (FC-8.9)."""
    club = state.club(side)
    event = {"event": "offensive", "side": side, "kind": "solo_effort"}
    label = card("solo_effort")
    reason = unplayable(club, "solo_effort") or stands_barred(club, "solo_effort")
    if reason is not None:
        return (Choice(event, label, side, barred=Barred(reason.rule, reason.message)),)
    skills = ["freshness"] + ["supporter"] * bool(club.supporters) + ["kop"] * freshness_kop(state, club)
    ask = Ask("pick", "skill", word("ask", "skill"), tuple(Option(skill, word("skill", skill)) for skill in skills))
    variants = tuple({"skill": skill} for skill in skills)
    start, strength = word("detail", "start"), word("detail", "strength")
    effect = _starting(state, side)
    plain = plays(Play(state, event, "solo_effort", label, 2, start, effect))
    strong = plays(Play(state, event, "solo_effort", label, 2, strength, before=ask, variants=variants))
    return (*plain, *(choice for choice in strong if choice.barred is None))


def offensive(state: State) -> Awaits:
    """Both clubs may add until the defence die lies; then the rest of the shot (chapters 9 and 11)."""
    current = _under_way(state)
    if current.closed:
        return _shot(state, current.side, current.throw, current.defence_die)
    defenders = other(current.side)
    added = (*_attackers_add(state, current), *_defenders_add(state, current, defenders))
    title = club_said("footclub.await.defence", state, defenders)
    dice = shot_dice(current.side, None)
    return Awaits(title, word("detail", "closes"), dice=dice, choices=added)


def set_piece(state: State) -> Awaits:
    """A free kick or penalty: the dice, and before them the window that the foul may have opened (FC-10.8)."""
    current = _under_way(state)
    made = _shot(state, current.side, current.throw, current.defence_die)
    return Awaits(made.title, made.detail, dice=made.dice, choices=changes(state))


def _under_way(state: State) -> Offensive:
    if state.offensive is None:
        raise ValueError(f"no offensive in phase {state.phase}")
    return state.offensive


def _shot(state: State, side: Side, throw: int, lying: int | None) -> Awaits:
    thrower = side if lying is not None else other(side)
    title = club_said("footclub.await.attack_die" if lying is not None else "footclub.await.defence", state, thrower)
    detail = word("detail", "second_throw") if throw > 1 else None
    return Awaits(title, detail, dice=shot_dice(side, lying))


def shot_dice(side: Side, lying: int | None) -> tuple[DiceAwait, ...]:
    """The defence die first, then the attack die of `side` (FC-11.1)."""
    attack_die = DiceAwait(side, "pips", 1, 1 if lying is None else 0, word("purpose", "attack"))
    if lying is not None:
        return (attack_die,)
    return (DiceAwait(other(side), "pips", 1, 0, word("purpose", "defence")), attack_die)


def _spend(state: State, current: Offensive, side: Side, effect: int) -> Choice:
    spent = current.spent[index_of(side)]
    event = {"event": "spend", "side": side, "supporters": 1}
    detail = Message("footclub.detail.spend", {"n": MOST_SPENT - spent, "most": MOST_SPENT})
    reason = barred(state, event)
    return Choice(event, word("do", "spend"), side, detail, signed(effect), rank=1, barred=reason)


def _attackers_add(state: State, current: Offensive) -> tuple[Choice, ...]:
    side = current.side
    found = [_spend(state, current, side, 1)]
    if state.setup.kop == "K01" and state.club(side).kop is not None:
        kop = {"event": "spend", "side": side, "kop": True}
        label = word("do", "kop" if state.club(side).kop == "up" else "kop_down")
        effect = signed(state.setup.kop_attack_bonus)
        found.append(Choice(kop, label, side, effect=effect, barred=barred(state, kop)))
    support = {"event": "attacking_support", "side": side}
    reason = barred(state, support)
    detail = word("detail", "from_hand")
    label = card("attacking_support")
    found.append(Choice(support, label, side, detail, signed(ATTACKING_SUPPORT), barred=reason))
    return tuple(found)


def _defenders_add(state: State, current: Offensive, side: Side) -> tuple[Choice, ...]:
    event = {"event": "defensive_support", "side": side}
    label = card("defensive_support")
    detail, effect = word("detail", "two_dice"), signed(-SUPPORT)
    mode = mode_ask(current.malus)
    usual = mode.options[0].effect
    play = Play(state, event, "defensive_support", label, 2, detail, effect, before=mode, usual=usual)
    return (_spend(state, current, side, -1), *plays(play))


def corner(state: State) -> Awaits:
    """A card of the own discard pile, the one just played included, comes back to the hand (FC-11.6)."""
    side = other(state.defenders)
    club = state.club(side)
    event = {"event": "recover", "side": side}
    options = tuple(
        Option(type_, card(type_), Message("footclub.option.discarded", {"n": club.discard[INDEX[type_]]}))
        for type_ in TYPES
        if club.discard[INDEX[type_]]
    )
    ask = Ask("pick", "card", word("ask", "recover"), options)
    choice = Choice(event, word("do", "recover"), side, rank=1, asks=(ask,))
    return Awaits(club_said("footclub.await.corner", state, side), choices=(choice,))


def awaits(state: State) -> Awaits:
    """A match that is over awaits nothing; any other one something besides the forfeit."""
    if state.phase == "finished":
        return Awaits(word("await", "finished"))
    known = public(state)
    made = _awaited(known)
    choices = tuple(sorted(made.choices, key=lambda choice: (choice.barred is not None, choice.rank)))
    return replace(made, sides=_may_act(made), choices=(*choices, *_forfeits()))


def _awaited(state: State) -> Awaits:
    if any(club.vacant for club in state.clubs):
        return vacant(state)
    if any(club.below for club in state.clubs):
        return below(state)
    return _PHASES[state.phase](state)


def _may_act(made: Awaits) -> tuple[str, ...]:
    """The sides with dice to throw now or something to choose."""
    now = min((die.order for die in made.dice), default=0)
    acting = {die.side for die in made.dice if die.order == now}
    acting |= {choice.side for choice in made.choices if choice.barred is None}
    if None in acting:
        return SIDES
    return tuple(side for side in SIDES if side in acting)


def _forfeits() -> tuple[Choice, ...]:
    """FC-18.7, from the menu."""
    return tuple(
        Choice({"event": "forfeit", "side": side}, word("do", "forfeit"), side, rank=3, held=True, menu=True)
        for side in SIDES
    )


def _full_time(state: State) -> Awaits:
    """A draw in a single match: extra time or not (FC-14.15)."""
    play = Choice({"event": "extra_time", "play": True}, word("do", "extra_time"), rank=1)
    stop = Choice({"event": "extra_time", "play": False}, word("do", "draw"), rank=2)
    return Awaits(word("await", "full_time"), word("detail", "full_time"), choices=(play, stop))


def _shootout(state: State) -> Awaits:
    """Shooters of both clubs, who begins, then kick by kick (FC-15.5 to FC-15.8)."""
    current = shootout.under_way(state)
    if current.next is not None:
        return _kick(state, current.next)
    choices = [_shooters(state, side) for side in SIDES if not current.shooters[index_of(side)]]
    if choices:
        return Awaits(word("await", "shooters"), word("detail", "shooters"), choices=tuple(choices))
    begins = tuple(Choice({"event": "shootout", "first": side}, word("do", "begins"), side, rank=1) for side in SIDES)
    return Awaits(word("await", "shootout_first"), word("detail", "shootout_first"), choices=begins)


def _shooters(state: State, side: Side) -> Choice:
    club = state.club(side)
    options = _kickers(club, (*club.on_pitch, club.goalkeeper.id))
    ask = Ask("pick", "players", word("ask", "shooters"), options, SHOOTERS)
    return Choice({"event": "shooters", "side": side}, word("do", "shooters"), side, rank=1, asks=(ask,))


def _kickers(club: Club, ids: tuple[str, ...]) -> tuple[Option, ...]:
    keeper = club.goalkeeper
    names = {keeper.id: keeper.name, **{id: player.card.name for id, player in club.players.items()}}
    return tuple(
        Option(id, literal(short_name(names[id])), word("post", "gk") if id == keeper.id else None) for id in ids
    )


def _kick(state: State, side: Side) -> Awaits:
    """The dice of a kick; in sudden death its shooter may be named with both dice (FC-15.8)."""
    current = shootout.under_way(state)
    lying = current.defence_die
    thrower = side if lying is not None else other(side)
    club = {"club": state.setup.name(side)}
    title = Message("footclub.await.kick_attack" if lying is not None else "footclub.await.kick", club)
    detail = word("detail", "second_throw") if current.throw > 1 else None
    return Awaits(title, detail, (thrower,), shot_dice(side, lying), _named_kick(state, side))


def _named_kick(state: State, side: Side) -> tuple[Choice, ...]:
    club = state.club(side)
    event = {"event": "shot"}
    options = tuple(
        option
        for option in _kickers(club, (*club.on_pitch, club.goalkeeper.id))
        if barred(state, {**event, "defence": 1, "player": option.value}) is None
    )
    if not options:
        return ()
    faces = tuple(Option(face, literal(face)) for face in range(1, 7))
    asks = (
        Ask("pick", "player", word("ask", "shooter"), options),
        Ask("pick", "defence", word("ask", "defence_die"), faces),
        Ask("pick", "attack", word("ask", "attack_die"), faces),
    )
    return (Choice(event, word("do", "named_kick"), side, rank=3, asks=asks),)


_PHASES: Mapping[str, Callable[[State], Awaits]] = {
    "market": in_market,
    "pre_match": before_half,
    "half_time": before_half,
    "extra_time_break": before_half,
    "preparation": preparation,
    "possession": possession,
    "counter": counter,
    "duel": duel,
    "attack": attack,
    "offensive": offensive,
    "set_piece": set_piece,
    "corner": corner,
    "end_of_turn": end_of_turn,
    "full_time": _full_time,
    "shootout": _shootout,
}
