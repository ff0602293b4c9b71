"""What FootClub expects in each phase: the sides to act, the dice to roll, and the legal and barred choices.

Everything is computed from what both clubs know: see `public_state`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any, Literal

from companion.games.base import (
    Choice,
    Decision,
    DiceRequest,
    Die,
    DisabledReason,
    EarlierDie,
    Fields,
    JsonObject,
    Message,
    Option,
    Prompt,
    Refusal,
    surrender_choices,
)
from companion.games.footclub import market, messages, odds, shootout, team
from companion.games.footclub.bonus import ATTACKING_SUPPORT
from companion.games.footclub.cards import PlayerCard
from companion.games.footclub.duel import SUPPORT
from companion.games.footclub.legs import OFFERED
from companion.games.footclub.match_cards import pile_size, reserve, unplayable_refusal
from companion.games.footclub.match_flow import must_discard
from companion.games.footclub.messages import card_message, place_message, word
from companion.games.footclub.offensives import stands_refusal
from companion.games.footclub.press import freshness_kop
from companion.games.footclub.rulebook import RULEBOOK
from companion.games.footclub.scene import BoardPlayer, board_player
from companion.games.footclub.second_leg import may_transfer, unowned_players
from companion.games.footclub.shot import lacks_green_light
from companion.games.footclub.state import Club, Lineup, Market, Offensive, Player, State
from companion.games.footclub.tables import (
    COPIES,
    FORMATIONS,
    INDEX,
    MAX_BONUS,
    MAX_SPENT,
    MODES,
    PLACES,
    POSTS,
    SHOOTERS,
    SIDES,
    STAFF_STARS,
    SUGGESTED_TACTICS,
    SUPPORTERS,
    TEAM_SIZE,
    TYPES,
    Formation,
    Side,
    index_of,
    opponent,
)
from companion.games.footclub.targeting import player_at_place
from companion.games.footclub.team import initial_bonus
from companion.games.wording import MATCH_OVER, enumerated, literal, part_percent, percent, short_name, signed


def suggest_team(club: Club) -> JsonObject | None:
    """Return the team with the most stars, an optimised one in a tie (FC-3.4); None if the club cannot field a team."""
    teams = [
        found
        for formation in sorted(FORMATIONS)
        if (found := best_lineup(_available_players(club), formation)) is not None
    ]
    if not teams:
        return None
    best = max(teams, key=lambda lineup: _strength(club, lineup))
    on_pitch = [id for line in best for id in line]
    captain = max(team.possible_captains(club, on_pitch), key=lambda id: club.players[id].card.level)
    return {"lineup": by_post(best), "captain": captain}


def by_post(lineup: Lineup) -> dict[str, list[str]]:
    return {post: list(line) for post, line in zip(POSTS, lineup, strict=True)}


def _available_players(club: Club) -> list[Player]:
    """Return all players who may be in a team now."""
    return [player for player in club.players.values() if player.status in ("pitch", "bench")]


def possible_formations(club: Club) -> tuple[Formation, ...]:
    return tuple(
        sorted(formation for formation in FORMATIONS if best_lineup(_available_players(club), formation) is not None)
    )


def _strength(club: Club, lineup: Lineup) -> int:
    players = [club.players[id] for line in lineup for id in line]
    fits = team.fits_style(club.coach.style, tuple(player.card.profiles for player in players))
    return sum(player.level for player in players) + 2 * fits


def best_lineup(available: Iterable[Player], formation: Formation) -> Lineup | None:
    """Return the line-up with the most stars that these players can form, or None if they cannot form it.

    Only full backs and centre backs, and attacking midfielders and forwards, share versatile players (FC-1.5). Each
    of these blocks is filled greedily, strongest player first, as long as the players fit together. Greedy is optimal
    here: the fitting sets form a matroid.
    """
    fb, cb, dm, am, fw = formation
    ranked = sorted(available, key=lambda player: -player.level)
    backs, forwards = _fill_block(ranked, ("fb", "cb"), (fb, cb)), _fill_block(ranked, ("am", "fw"), (am, fw))
    blocks = (backs, _fill_block(ranked, ("dm",), (dm,)), forwards)
    if any(block is None for block in blocks):
        return None
    return tuple(line for block in blocks for line in block or ())


def _fill_block(
    available: list[Player], posts: tuple[str, ...], counts: tuple[int, ...]
) -> list[tuple[str, ...]] | None:
    """Fill the lines of neighbouring posts from players sorted by falling stars."""
    free = dict(zip(posts, counts, strict=True))
    lines: dict[str, list[str]] = {post: [] for post in posts}
    both: list[str] = []
    for player in available:
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


# Tries an event on the state, so that only legal events are offered and nothing secret is revealed.


def public_state(state: State) -> State:
    """Return the state as both clubs know it: any unseen card may still be in a hand (FC-4.5).

    A choice of cards that a club entered in the app is removed, so that neither offered nor barred choices reveal it.
    """
    return replace(state, clubs=tuple(_public_club_state(club) for club in state.clubs))


def _public_club_state(club: Club) -> Club:
    if club.cards_left is None:
        return club
    unseen = [copies - seen for copies, seen in zip(COPIES.values(), club.discard, strict=True)]
    unseen[SUPPORTERS] -= club.supporters
    return replace(club, cards_left=tuple(unseen))


def try_event(state: State, fields: Fields) -> State | DisabledReason:
    """Return the state after an event, or why the event is not legal."""
    try:
        event = RULEBOOK.parse(fields)
        RULEBOOK.validate(state, event)
    except Refusal as refused:
        return DisabledReason(refused.rule, refused.message)
    return RULEBOOK.apply(state, event)[0]


def disabled_reason(state: State, fields: Fields) -> DisabledReason | None:
    """Return why an event is not legal, or None."""
    found = try_event(state, fields)
    return found if isinstance(found, DisabledReason) else None


def first_legal(
    state: State, event: Fields, answers: Iterable[Fields], unavoidable_rules: Container[str] = ()
) -> Fields | DisabledReason:
    """Return the first answer that makes a legal event; if there is none, why the first answer is not legal.

    Stops at a refusal by a rule in `unavoidable_rules`, because no other answer would avoid it. `answers` must not be
    empty.
    """
    reason: DisabledReason | None = None
    for answer in answers:
        refused = disabled_reason(state, {**event, **answer})
        if refused is None:
            return answer
        reason = reason or refused
        if refused.rule in unavoidable_rules:
            return refused
    if reason is None:
        raise ValueError("no answers to try")
    return reason


@dataclass(frozen=True, slots=True)
class Completion:
    """The `data` of an ask whose options are not all legal together: validates a full set of answers."""

    state: State = field(repr=False)
    event: Fields

    def disabled_reason(self, answers: Fields) -> DisabledReason | None:
        """Return why the event with these answers (by field) is not legal, or None."""
        return disabled_reason(self.state, {**self.event, **answers})


@dataclass(frozen=True, slots=True)
class OfferedPlayers:
    """The `data` of the prompt for the players offered to a club: legal if any two of them may be taken (FC-16.6)."""

    state: State = field(repr=False)
    event: Fields

    def disabled_reason(self, answers: Fields) -> DisabledReason | None:
        """Return why no two of the offered players may be taken, or None."""
        pairs = ({**answers, "take": list(pair)} for pair in combinations(answers["offered"], 2))
        found = first_legal(self.state, self.event, pairs)
        return found if isinstance(found, DisabledReason) else None


@dataclass(frozen=True, slots=True)
class OptionsFromAnswer:
    """The `data` of an ask whose options are the answers to an earlier ask (of `field`)."""

    field: str
    prompt: Prompt

    def with_answers(self, answers: Fields) -> Prompt:
        """Return the prompt with the remaining options."""
        left = tuple(option for option in self.prompt.options if option.value in answers[self.field])
        return replace(self.prompt, options=left)


# Playing a card with a ribbon: choices and asks for its place, its number or its whole ribbon (chapter 5).

SHEET_PLACES = tuple(f"{post}_{hand}" for hand in "lr" for post in reversed(POSTS))
"""The ten places in the order of the sheet: five per row, from the forwards back, left row first."""
SECTIONS = 6
UNFILLED_RULES = ("FC-5.6", "FC-5.7")
Prominence = Literal[1, 2, 3]


@dataclass(frozen=True, slots=True)
class RibbonPlay:
    """A card with a ribbon that may be played: the fixed part of the event, and the texts of the choice.

    `first_prompt` holds asks that precede the one for the card; `variants` are the fields that their options may add.
    `usual_odds` is the usual probability: a place shows its own only if it differs.
    """

    state: State
    event: Fields
    type: str
    label: Message
    prominence: Prominence
    detail: Message | None = None
    effect: str | None = None
    first_prompt: Prompt | None = None
    variants: tuple[Fields, ...] = ({},)
    usual_odds: str | Message | None = None

    def choice(self, label: Message, prominence: Prominence, prompt: Prompt) -> Choice:
        prompts = (prompt,) if self.first_prompt is None else (self.first_prompt, prompt)
        return Choice(self.event, label, self.event["side"], self.detail, self.effect, prominence, prompts)

    def try_fields(self, fields: Fields) -> State | DisabledReason:
        """Return the state after the event with these fields, using the first legal variant."""
        results = [try_event(self.state, {**self.event, **variant, **fields}) for variant in self.variants]
        return next((result for result in results if not isinstance(result, DisabledReason)), results[0])

    def odds_text(self, after: State) -> Message | None:
        """Return the probability right after the card is played: of the duel, or of the shot at its initial bonus."""
        odds_percent = None
        if after.duel is not None:
            odds_percent = percent(odds.duel(after.duel.mode, after.duel.modifier)["success"])
        elif after.offensive is not None:
            odds_percent = part_percent(odds.shot(after.offensive.final), "goal")
        return None if odds_percent == self.usual_odds else odds_percent

    @property
    def completion(self) -> Completion | None:
        return None if self.first_prompt is None else Completion(self.state, self.event)


def ribbon_choices(play: RibbonPlay) -> tuple[Choice, ...]:
    """Return the ways to play a card that names one player.

    By the place under the ball's colour; by its whole ribbon if a place cannot be filled (FC-5.7); by its number if
    the catalogue has cards with numbers. Barred as a whole if no place can be filled.
    """
    options = [_place_option(play, name) for name in SHEET_PLACES]
    if all(option.disabled_reason for option in options):
        reason = _main_disabled_reason(options)
        return (
            Choice(
                play.event,
                play.label,
                play.event["side"],
                play.detail,
                play.effect,
                play.prominence,
                disabled_reason=reason,
            ),
        )
    section = _section_prompt(play.state, play.type, options, 1, play.completion)
    return (play.choice(play.label, play.prominence, section), *_by_ribbon(play, options, PLACES), *_by_number(play))


def mode_prompt(malus: int = 0) -> Prompt:
    """Return the prompt for regular or aggressive, with the odds of a player without a strength (FC-7.2, FC-10.3)."""
    options = tuple(
        Option(mode, word("mode", mode), effect=percent(odds.duel(mode, malus)["success"])) for mode in MODES
    )
    return Prompt("pick", "mode", word("ask", "mode"), options, suggested=MODES[0])


def _main_disabled_reason(options: Sequence[Option]) -> DisabledReason | None:
    """Return why nothing can be played; prefers a reason other than a place that cannot be filled."""
    reasons = [option.disabled_reason for option in options if option.disabled_reason]
    return next((reason for reason in reasons if reason.rule not in UNFILLED_RULES), reasons[0] if reasons else None)


def _place_option(play: RibbonPlay, name: str) -> Option:
    club = play.state.club(play.event["side"])
    player = player_at_place(club, name)
    player_name = literal(short_name(club.players[player].card.name)) if player else None
    result = play.try_fields({"section": name})
    if isinstance(result, DisabledReason):
        return Option(name, place_message(name), player_name, disabled_reason=result)
    return Option(name, place_message(name), player_name, effect=play.odds_text(result))


def _section_prompt(state: State, type_: str, options: Sequence[Option], times: int, data: Any = None) -> Prompt:
    section = word("section", state.colour or "red")
    id = "footclub.ask.section" if times == 1 else "footclub.ask.sections"
    title = Message(id, {"card": card_message(type_), "section": section})
    return Prompt("place", "section", title, tuple(options), times, data=data)


def _by_ribbon(play: RibbonPlay, options: Sequence[Option], values: Iterable[Any]) -> tuple[Choice, ...]:
    """Return the choice by ribbon.

    Only offered if some place cannot be filled: the section under the ball's colour may then not suffice.
    """
    if not any(option.disabled_reason and option.disabled_reason.rule in UNFILLED_RULES for option in options):
        return ()
    sections = tuple(Option(value, _section_label(value), maximum=SECTIONS) for value in values)
    kind: Literal["place", "pick"] = "place" if isinstance(sections[0].value, str) else "pick"
    title = Message("footclub.ask.ribbon", {"card": card_message(play.type)})
    prompt = Prompt(kind, "ribbon", title, sections, SECTIONS, data=Completion(play.state, play.event))
    return (play.choice(Message("footclub.do.by_ribbon", {"card": play.label}), 3, prompt),)


def _section_label(value: str | list[str]) -> Message:
    if isinstance(value, str):
        return place_message(value)
    return Message("footclub.option.pair", {"first": place_message(value[0]), "second": place_message(value[1])})


def _by_number(play: RibbonPlay) -> tuple[Choice, ...]:
    """Return the choice by the number printed on the card, if the catalogue has numbers of this type (FC-4.8)."""
    options = []
    for number, known in enumerate(play.state.setup.match_cards):
        if known is None or known.type != play.type:
            continue
        result = play.try_fields({"card": number})
        if isinstance(result, DisabledReason):
            options.append(Option(number, literal(number), disabled_reason=result))
        else:
            options.append(Option(number, literal(number), _named_player(play.state, result), play.odds_text(result)))
    if all(option.disabled_reason for option in options):
        return ()
    title = Message("footclub.ask.number", {"card": card_message(play.type)})
    prompt = Prompt("pick", "card", title, tuple(options), data=play.completion)
    return (play.choice(Message("footclub.do.by_number", {"card": play.label}), 3, prompt),)


def _named_player(before: State, after: State) -> Message | None:
    """Return the player that a card named: the duellist, the attacker or the new ball holder."""
    id = after.duel.player if after.duel else after.offensive.player if after.offensive else after.holder
    return None if id is None else literal(messages.short_name_of(before, id))


PAYMENTS = (("supporter", "token"), ("token", "supporter"), ("supporter", "supporter"), ("kop", "kop"))
"""Other ways to pay a pressing that are worth offering: a kop pays both tokens or wastes one (FC-6.4, FC-6.5)."""


def pressing_choices(state: State, side: Side) -> tuple[Choice, ...]:
    """Return the pressing paid with tokens, and those that Supporters or the kop help to pay.

    The first one is barred if it cannot be paid.
    """
    club = state.club(side)
    event: JsonObject = {"event": "press", "side": side}
    label = card_message("pressing")
    reason = unplayable_refusal(club, "pressing")
    if reason is not None:
        return (Choice(event, label, side, disabled_reason=DisabledReason(reason.rule, reason.message)),)
    found = [_pressing_choice(RibbonPlay(state, event, "pressing", label, 2, word("pay", "token_token")))]
    if found[0].disabled_reason is None:
        play = RibbonPlay(state, event, "pressing", label, 2)
        options = [_pressing_option(play, name) for name in SHEET_PLACES]
        pairs = [[first, second] for first, second in product(SHEET_PLACES, SHEET_PLACES)]
        found += [*_by_ribbon(play, options, pairs), *_by_number(play)]
    payments = [pay for pay in PAYMENTS if _can_pay(state, club, pay)]
    if payments:
        variants = tuple({"pay": list(pay)} for pay in payments)
        options = [Option(list(pay), word("pay", "_".join(pay))) for pay in payments]
        prompt = Prompt("pick", "pay", word("ask", "pay"), tuple(options))
        paid = _pressing_choice(
            RibbonPlay(state, event, "pressing", label, 3, word("pay", "other"), first_prompt=prompt, variants=variants)
        )
        found += [paid] if paid.disabled_reason is None else []
    return tuple(found)


def _can_pay(state: State, club: Club, pay: tuple[str, str]) -> bool:
    """Return True if the stands hold the cards that this payment needs."""
    if "kop" in pay:
        return freshness_kop(state, club)
    return pay.count("supporter") <= club.supporters


def _pressing_choice(play: RibbonPlay) -> Choice:
    """Return one way to pay. The places are asked as a pair, which decides whose tokens are needed (FC-6.4, FC-6.6)."""
    first_reason: DisabledReason | None = None
    for pair in product(SHEET_PLACES, SHEET_PLACES):
        result = play.try_fields({"section": list(pair)})
        if not isinstance(result, DisabledReason):
            options = [_pressing_option(play, name) for name in SHEET_PLACES]
            completion = Completion(play.state, play.event)
            return play.choice(
                play.label, play.prominence, _section_prompt(play.state, play.type, options, 2, completion)
            )
        first_reason = first_reason or result
    return Choice(
        play.event,
        play.label,
        play.event["side"],
        play.detail,
        prominence=play.prominence,
        disabled_reason=first_reason,
    )


def _pressing_option(play: RibbonPlay, name: str) -> Option:
    """Return a place with its player and his tokens; barred only if the place cannot be filled (FC-5.7)."""
    club = play.state.club(play.event["side"])
    id = player_at_place(club, name)
    if id is None:
        result = play.try_fields({"section": [name, name]})
        return Option(
            name, place_message(name), maximum=2, disabled_reason=result if isinstance(result, DisabledReason) else None
        )
    player = club.players[id]
    detail = Message("footclub.option.fresh", {"player": short_name(player.card.name), "n": player.freshness})
    return Option(name, place_message(name), detail, maximum=2)


# Data for the line-up editor: the club, a suggested team sheet, and the legal changes of the club.

UNAVOIDABLE_RULES = frozenset({"FC-3.9", "FC-12.1", "FC-12.2", "FC-13.9", "FC-14.4"})
"""Refusals of a change that other players would not avoid."""
ONE_IS_NOT_ENOUGH = ("FC-3.2", "FC-3.6", "FC-13.7")
"""Refusals of a single replacement that may be legal together with another one."""


@dataclass(frozen=True, slots=True)
class LineupSheet:
    """The `data` of a `lineup` ask: the club's public data, as far as its team sheet is public.

    - `lineup`: None before the team sheet
    - `style`: the number of technical, physical and tactical players that the coach wants
    - `formations`: the formations that this squad can field; empty for a change

    The answer has the keys `lineup` and `captain` for a team sheet; `subs`, and optionally `lineup` and `captain`,
    for a change.
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


def lineup_sheet(state: State, club: Club, event: str) -> LineupSheet:
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


def team_sheet_choice(state: State, side: Side) -> Choice:
    """Return a club's team-sheet choice with a strong legal suggestion; barred if its squad allows no team (FC-2.8)."""
    club = state.club(side)
    event = {"event": "team_sheet", "side": side}
    title = Message("footclub.ask.team_sheet", {"club": state.setup.name(side)})
    suggested = suggest_team(club)
    if suggested is None:
        return Choice(
            event, word("do", "team_sheet"), side, disabled_reason=DisabledReason("FC-2.8", word("barred", "FC-2.8"))
        )
    prompt = Prompt("lineup", "lineup", title, suggested=suggested, data=lineup_sheet(state, club, "team_sheet"))
    return Choice(event, word("do", "team_sheet"), side, prominence=1, prompts=(prompt,))


def change_choice(state: State, side: Side) -> Choice:
    """Return the choice to change players in step 2 or an open window, with a legal suggestion.

    It is barred if no change is legal. If no single replacement leaves a legal team, several together may: then there
    is no suggestion.
    """
    club = state.club(side)
    event = {"event": "change", "side": side}
    detail = Message("footclub.detail.replacements", {"n": club.replacements_left})
    title = Message("footclub.ask.change", {"club": state.setup.name(side)})
    found: Fields | DisabledReason | None = first_legal(state, event, _possible_changes(state, club), UNAVOIDABLE_RULES)
    prominence: Literal[1, 3] = 1 if club.is_too_small else 3
    if isinstance(found, DisabledReason):
        if found.rule not in ONE_IS_NOT_ENOUGH or club.replacements_left < 2:
            return Choice(event, word("do", "change"), side, detail, prominence=prominence, disabled_reason=found)
        found = None
    prompt = Prompt("lineup", "lineup", title, suggested=found, data=lineup_sheet(state, club, "change"))
    return Choice(event, word("do", "change"), side, detail, prominence=prominence, prompts=(prompt,))


def _possible_changes(state: State, club: Club) -> Iterator[Fields]:
    """Yield single replacements, the injured and players of a shared post first, then a pure rearrangement
    (FC-12.5)."""
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
    """Yield single replacements with the ten players rearranged (FC-12.5)."""
    for out, into in pairs:
        team_after = [club.players[id] for id in club.on_pitch if id != out] + [into]
        if len(team_after) < TEAM_SIZE:
            continue
        for formation in sorted(FORMATIONS):
            lineup = best_lineup(team_after, formation)
            if lineup is not None:
                yield {"subs": [{"out": out, "in": into.id}], "lineup": by_post(lineup)}


def permutation_choice(state: State, side: Side) -> Choice:
    """Return the choice to swap two players of one post (FC-12.9): the pairs of all posts with two or more players."""
    club = state.club(side)
    event = {"event": "permute", "side": side}
    lines = zip(POSTS, club.lineup or (), strict=False)
    pairs = [(post, list(pair)) for post, line in lines for pair in combinations(line, 2)]
    reason = disabled_reason(state, {**event, "players": pairs[0][1]})
    if reason is not None:
        return Choice(event, word("do", "permute"), side, prominence=3, disabled_reason=reason)
    options = tuple(Option(pair, _pair_label(club, pair), word("post", post)) for post, pair in pairs)
    prompt = Prompt("pick", "players", word("ask", "permute"), options)
    return Choice(event, word("do", "permute"), side, prominence=3, prompts=(prompt,))


def _pair_label(club: Club, pair: list[str]) -> Message:
    first, second = (literal(short_name(club.players[id].card.name)) for id in pair)
    return Message("footclub.option.two", {"first": first, "second": second})


# Before a half: market, transfers, team sheets, tactical choices, the roll of the ball (FC-14.1).

OPEN_PAIRS = 3


def before_half_decision(state: State) -> Decision:
    """Return team sheets and secret choices of both clubs in any order, then the ball."""
    choices: list[Choice] = []
    missing: list[str] = []
    for side in SIDES:
        club = state.club(side)
        if club.lineup is None:
            choices += _transfer_choices(state, side)
            choices.append(team_sheet_choice(state, side))
        if club.cards_left is None:
            choices += tactics_choices(state, side)
        if club.lineup is None or club.cards_left is None:
            missing.append(state.setup.name(side))
    if missing:
        detail = Message("footclub.detail.missing", {"clubs": enumerated([literal(name) for name in missing])})
        return Decision(word("await", state.phase), detail, choices=tuple(choices))
    dice = (DiceRequest(None, "ball", 1, purpose=word("purpose", "ball")),)
    return Decision(word("await", "ball"), word("detail", "ball"), dice=dice, choices=tuple(choices))


def tactics_choices(state: State, side: Side) -> tuple[Choice, ...]:
    """Return the secret choice by counts, and the choice that stays fully secret (FC-4.3 to FC-4.5)."""
    total = pile_size(state)
    event = {"event": "tactics", "side": side}
    options = tuple(
        Option(type_, card_message(type_), Message("footclub.option.reserve", {"n": most}), maximum=most)
        for type_, most in zip(TYPES, reserve(state.club(side)), strict=True)
    )
    prompt = Prompt(
        "counts",
        "cards",
        Message("footclub.ask.tactics", {"club": state.setup.name(side), "n": total}),
        options,
        total=total,
        secret=True,
        suggested=_suggested_tactics(state, side),
    )
    detail = Message("footclub.detail.choose", {"n": total})
    return (
        Choice(
            event,
            word("do", "tactics"),
            side,
            detail,
            prominence=1 if state.club(side).lineup else 2,
            prompts=(prompt,),
        ),
        Choice(event, word("do", "tactics_secret"), side, word("detail", "tactics_secret"), prominence=3),
    )


def _suggested_tactics(state: State, side: Side) -> dict[str, int]:
    """Return the suggestion of FC-4.10, cut or filled to the size of the pile and to what the reserve holds."""
    most = dict(zip(TYPES, reserve(state.club(side)), strict=True))
    counts = {type_: min(SUGGESTED_TACTICS.get(type_, 0), most[type_]) for type_ in TYPES}
    while sum(counts.values()) > pile_size(state):
        counts[max(TYPES, key=counts.__getitem__)] -= 1
    while sum(counts.values()) < pile_size(state):
        counts[max(TYPES, key=lambda type_: most[type_] - counts[type_])] += 1
    return {type_: count for type_, count in counts.items() if count}


def _transfer_choices(state: State, side: Side) -> tuple[Choice, ...]:
    """Return the transfer before a second leg, if the catalogue has enough players outside the squads (FC-16.6)."""
    if not may_transfer(state, side):
        return ()
    ids = {id for level in unowned_players(state, side).values() for id in level}
    unowned = [one for one in state.setup.team_cards.players if one.id in ids]
    event = {"event": "market_transfer", "side": side}
    options = tuple(_player_option(one) for one in unowned)
    data = Completion(state, event)
    take_prompt = Prompt("pick", "take", word("ask", "take_two"), options, pick_count=2, data=data)
    prompts = (
        Prompt(
            "pick",
            "offered",
            word("ask", "offered"),
            options,
            pick_count=sum(OFFERED.values()),
            data=OfferedPlayers(state, event),
        ),
        replace(take_prompt, data=OptionsFromAnswer("offered", take_prompt)),
    )
    return (Choice(event, word("do", "market_transfer"), side, prominence=3, prompts=prompts),)


def market_decision(state: State) -> Decision:
    """Return the market's next step: staff pairs, the opening, then picks in turn (chapter 2)."""
    current_market = market.current_market(state)
    if None in current_market.staff:
        choices = [choice for side in SIDES for choice in _staff_choices(state, current_market, side)]
        return Decision(word("await", "market_staff"), word("detail", "market_staff"), choices=tuple(choices))
    if current_market.next is None:
        return Decision(word("await", "market_open"), word("detail", "market_open"), choices=_opening_choices(state))
    club = {"club": state.setup.name(current_market.next)}
    return Decision(
        Message("footclub.await.market_pick", club), choices=(_pick_choice(state, current_market, current_market.next),)
    )


def _staff_choices(state: State, current_market: Market, side: Side) -> list[Choice]:
    """Return one choice for each coach that makes eight stars with a goalkeeper (FC-2.2)."""
    if current_market.staff[index_of(side)] is not None:
        return []
    taken = current_market.staff[index_of(opponent(side))] or ()
    cards = state.setup.team_cards
    found = []
    for coach in cards.coaches:
        keepers = [one for one in cards.goalkeepers if one.level + coach.level == STAFF_STARS and one.id not in taken]
        if coach.id in taken or not keepers:
            continue
        event = {"event": "market_staff", "side": side, "coach": coach.id}
        options = tuple(Option(one.id, literal(one.name), _stars(one.level)) for one in keepers)
        prompt = Prompt("pick", "goalkeeper", word("ask", "goalkeeper"), options)
        found.append(Choice(event, literal(coach.name), side, _stars(coach.level), prompts=(prompt,)))
    return found


def _opening_choices(state: State) -> tuple[Choice, ...]:
    """Return one choice for each club that may start; the three open pairs are asked as pairs (FC-2.3)."""
    players = [one for one in state.setup.team_cards.players if one.id in set(market.lower_pile(state))]
    options = tuple(
        Option([one.id, two.id], literal(f"{short_name(one.name)}, {short_name(two.name)}"))
        for one, two in combinations(players, 2)
    )
    found = []
    for side in SIDES:
        event = {"event": "market_open", "first": side}
        prompt = Prompt(
            "pick", "pairs", word("ask", "open_pairs"), options, pick_count=OPEN_PAIRS, data=Completion(state, event)
        )
        found.append(Choice(event, word("do", "begins"), side, prominence=1, prompts=(prompt,)))
    return tuple(found)


def _pick_choice(state: State, current_market: Market, side: Side) -> Choice:
    """Return one market turn: see two players, keep one, take a pair and replace it (FC-2.4 to FC-2.6)."""
    event = {"event": "market_pick", "side": side}
    upper = tuple(_player_option(one) for one in market.next_of_upper_pile(state))
    take_prompt = Prompt("pick", "take", word("ask", "take_one"), upper)
    pairs = tuple(Option(list(pair), literal(messages.short_names_of(state, pair))) for pair in current_market.pairs)
    prompts = [
        Prompt("pick", "revealed", word("ask", "revealed"), upper, pick_count=2),
        replace(take_prompt, data=OptionsFromAnswer("revealed", take_prompt)),
        Prompt("pick", "pair", word("ask", "pair"), pairs),
    ]
    lower = set(market.lower_pile(state))
    if len(lower) >= 2:
        options = tuple(_player_option(one) for one in state.setup.team_cards.players if one.id in lower)
        prompts.append(
            Prompt("pick", "next_pair", word("ask", "next_pair"), options, pick_count=2, data=Completion(state, event))
        )
    return Choice(event, word("do", "market_pick"), side, prominence=1, prompts=tuple(prompts))


def _player_option(one: PlayerCard) -> Option:
    posts: Message = word("posts", "_".join(one.posts)) if len(one.posts) > 1 else word("post", one.posts[0])
    args: JsonObject = {"n": one.level, "posts": posts}
    return Option(one.id, literal(short_name(one.name)), Message("footclub.option.player", args))


def _stars(level: int) -> Message:
    return Message("footclub.option.stars", {"n": level})


# A turn outside an offensive: steps 2, 3 and 5, changes, a vacant armband (chapters 12 to 14).


def club_message(id: str, state: State, side: Side) -> Message:
    """Return a sentence about a club."""
    return Message(id, {"club": state.setup.name(side)})


def missing_captain_decision(state: State) -> Decision:
    """Return the prompt for a new captain, named directly or with a change, before anything else (FC-3.9)."""
    sides = [club.side for club in state.clubs if club.lacks_captain]
    choices: list[Choice] = []
    for side in sides:
        club = state.club(side)
        options = tuple(_captain_option(club, id) for id in team.possible_captains(club, club.on_pitch))
        prompt = Prompt("pick", "player", club_message("footclub.ask.captain", state, side), options)
        choices.append(
            Choice({"event": "captain", "side": side}, word("do", "captain"), side, prominence=1, prompts=(prompt,))
        )
    return Decision(club_message("footclub.await.captain", state, sides[0]), choices=(*choices, *change_choices(state)))


def short_team_decision(state: State) -> Decision:
    """Return the prompt for a club below eight players: replace the injured player before anything else (FC-13.9)."""
    side = next(club.side for club in state.clubs if club.is_too_small)
    return Decision(
        club_message("footclub.await.below", state, side), word("detail", "below"), choices=change_choices(state)
    )


def change_choices(state: State) -> tuple[Choice, ...]:
    """Return the changes of both clubs in step 2 or an open window; empty elsewhere."""
    if state.phase != "preparation" and not state.window:
        return ()
    waiting = [club.side for club in state.clubs if club.is_too_small]
    return tuple(change_choice(state, side) for side in waiting or SIDES)


def _captain_option(club: Club, id: str) -> Option:
    one = club.players[id].card
    return Option(id, literal(short_name(one.name)), Message("footclub.option.stars", {"n": one.level}))


def preparation_decision(state: State) -> Decision:
    """Return the prompt for step 2; the club without the ball ends it by starting step 3."""
    found: list[Choice] = []
    for side in SIDES:
        found += _supporter_choices(state, side)
    detail = Message("footclub.detail.preparation", {"turn": state.turn})
    permutations = [permutation_choice(state, side) for side in SIDES]
    title = club_message("footclub.await.possession", state, state.defenders)
    choices = (*_ball_winning_choices(state), *found, *change_choices(state), *permutations)
    return Decision(title, detail, choices=choices, roles=_with_ball(state))


def _supporter_choices(state: State, side: Side) -> tuple[Choice, ...]:
    """Return the choice to lay a Supporters card in the stands.

    Empty once one is laid; barred if it is too late or none is left.
    """
    if state.club(side).supporter_laid:
        return ()
    event = {"event": "supporter", "side": side}
    return (
        Choice(
            event,
            word("do", "supporter"),
            side,
            word("detail", "to_stands"),
            disabled_reason=disabled_reason(state, event),
        ),
    )


def possession_decision(state: State) -> Decision:
    """Return the prompt for step 3: the club without the ball presses, tackles or does neither."""
    title = club_message("footclub.await.possession", state, state.defenders)
    return Decision(title, choices=(*_ball_winning_choices(state), *change_choices(state)), roles=_with_ball(state))


def counter_decision(state: State) -> Decision:
    """Return the prompt after a save: a counter-attack at once, or a new step 3 (FC-8.4, FC-11.4)."""
    side = opponent(state.defenders)
    event = {"event": "offensive", "side": side, "kind": "counter_attack"}
    start = signed(team.initial_bonus(state, side))
    found = ribbon_choices(
        RibbonPlay(state, event, "counter_attack", card_message("counter_attack"), 1, word("detail", "start"), start)
    )
    title = club_message("footclub.await.counter", state, side)
    if state.setup.consent:
        declined = Choice({"event": "no_counter", "side": side}, word("do", "no_counter"), side)
        found = (*found, declined)
    detail = club_message(
        "footclub.detail.counter_first" if state.setup.consent else "footclub.detail.counter", state, state.defenders
    )
    return Decision(title, detail, choices=(*found, *_ball_winning_choices(state), *change_choices(state)))


def _ball_winning_choices(state: State) -> tuple[Choice, ...]:
    side = state.defenders
    tackle = {"event": "tackle", "side": side}
    leave = {"event": "leave", "side": side}
    reason = disabled_reason(state, leave)
    found = [Choice(leave, word("do", "leave"), side, prominence=1, disabled_reason=reason)]
    if reason is not None:  # the other club answers first (FC-8.11)
        replies = {"pressing": {"event": "press", "side": side}, "tackle": tackle}
        return (
            *found,
            *(Choice(event, card_message(kind), side, disabled_reason=reason) for kind, event in replies.items()),
        )
    found += pressing_choices(state, side)
    mode = mode_prompt()
    found += ribbon_choices(
        RibbonPlay(
            state, tackle, "tackle", card_message("tackle"), 2, first_prompt=mode, usual_odds=mode.options[0].effect
        )
    )
    return tuple(found)


def duel_decision(state: State) -> Decision:
    """Return the prompt for two dice of the club that tackles or supports."""
    if state.duel is None:
        raise ValueError("no duel to throw for")
    side = state.duel.side
    second = state.duel.throw > 1
    title = club_message("footclub.await.throw_again" if second else "footclub.await.throw", state, side)
    dice = (DiceRequest(side, "pips", 2, purpose=word("purpose", state.duel.kind)),)
    return Decision(title, dice=dice, choices=change_choices(state), roles={opponent(side): word("role", "may_change")})


def end_of_turn_decision(state: State) -> Decision:
    """Return the prompt for step 5: each club with too many cards discards exactly the surplus (FC-14.10, FC-14.11)."""
    choices = []
    for side in SIDES:
        club = state.club(side)
        count = must_discard(state, club)
        if count:
            choices.append(_discard_choice(club, count))
    return Decision(word("await", "end_of_turn"), word("detail", "end_of_turn"), choices=tuple(choices))


def _discard_choice(club: Club, count: int) -> Choice:
    """Return the choice to discard. The event's `cards` is a list; for one card, each option is a one-card list."""
    left = club.cards_left or (count,) * len(TYPES)
    options = tuple(
        Option([type_] if count == 1 else type_, card_message(type_), maximum=min(count, left[INDEX[type_]]))
        for type_ in TYPES
        if left[INDEX[type_]] > 0
    )
    message = Message("footclub.ask.discard", {"n": count})
    prompt = Prompt("pick", "cards", message, options, pick_count=count)
    detail = Message("footclub.detail.cards", {"n": count})
    event = {"event": "discard", "side": club.side}
    return Choice(event, word("do", "discard"), club.side, detail, prominence=1, prompts=(prompt,))


# From the start of an offensive to the end of its shot: cards, Supporters, dice, a recovered card.


def attack_decision(state: State) -> Decision:
    """Return the prompt for step 4: the club with the ball starts an offensive or declines (FC-14.8)."""
    side = opponent(state.defenders)
    event = {"event": "offensive", "side": side, "kind": "positional_attack"}
    start = _initial_bonus_text(state, side)
    found = ribbon_choices(
        RibbonPlay(
            state, event, "positional_attack", card_message("positional_attack"), 1, word("detail", "start"), start
        )
    )
    solo = _solo_effort_choices(state, side)
    decline = Choice({"event": "no_offensive", "side": side}, word("do", "no_offensive"), side)
    title = club_message("footclub.await.attack", state, side)
    return Decision(title, choices=(*found, *solo, decline, *change_choices(state)), roles=_with_ball(state))


def _with_ball(state: State) -> dict[str, Message]:
    return {opponent(state.defenders): word("role", "has_ball")}


def _initial_bonus_text(state: State, side: Side) -> str:
    """Return the initial bonus of an offensive of this side (FC-8.7)."""
    return signed(initial_bonus(state, side))


def _solo_effort_choices(state: State, side: Side) -> tuple[Choice, ...]:
    """Return a solo effort, plain or with its attacker's strength paid for (FC-8.9)."""
    club = state.club(side)
    event = {"event": "offensive", "side": side, "kind": "solo_effort"}
    label = card_message("solo_effort")
    reason = unplayable_refusal(club, "solo_effort") or stands_refusal(club, "solo_effort")
    if reason is not None:
        return (Choice(event, label, side, disabled_reason=DisabledReason(reason.rule, reason.message)),)
    skills = ["freshness"] + ["supporter"] * bool(club.supporters) + ["kop"] * freshness_kop(state, club)
    prompt = Prompt(
        "pick", "skill", word("ask", "skill"), tuple(Option(skill, word("skill", skill)) for skill in skills)
    )
    variants = tuple({"skill": skill} for skill in skills)
    start, strength = word("detail", "start"), word("detail", "strength")
    effect = _initial_bonus_text(state, side)
    plain = ribbon_choices(RibbonPlay(state, event, "solo_effort", label, 2, start, effect))
    strong = ribbon_choices(
        RibbonPlay(state, event, "solo_effort", label, 2, strength, first_prompt=prompt, variants=variants)
    )
    return (*plain, *(choice for choice in strong if choice.disabled_reason is None))


def offensive_decision(state: State) -> Decision:
    """Return the prompt for additions until the defence die is rolled, then the rest of the shot (chapters 9 and
    11)."""
    current = _current_offensive(state)
    if current.closed:
        return _shot_decision(state, current.side, current.throw, current.defence_die)
    defenders = opponent(current.side)
    added = (*_attacker_choices(state, current), *_defender_choices(state, current, defenders))
    dice = shot_dice_requests(current.side, None)
    roles: dict[str, Message] = {side: word("role", "may_add") for side in (current.side, defenders)}
    if not lacks_green_light(state):
        title = club_message("footclub.await.defence", state, defenders)
        return Decision(title, word("detail", "closes"), dice=dice, choices=added, roles=roles)
    added, green_light = _with_green_light(added, current)
    title = club_message("footclub.await.green_light", state, current.side)
    detail = word("detail", "green_light")
    return Decision(title, detail, dice=dice, choices=added, required_before_dice=green_light, roles=roles)


def _with_green_light(added: tuple[Choice, ...], current: Offensive) -> tuple[tuple[Choice, ...], Choice]:
    """Return the choices with the green light, and the green light (FC-9.8).

    It is the filled choice once the attacking club has added something, cannot add anything, or has the highest bonus.
    """
    can_add = any(choice.side == current.side and choice.disabled_reason is None for choice in added)
    is_likely = not can_add or current.has_added or current.final == MAX_BONUS
    event = {"event": "green_light", "side": current.side}
    green_light = Choice(event, word("do", "green_light"), current.side, prominence=1 if is_likely else 2)
    if is_likely:
        added = tuple(replace(choice, prominence=2) if choice.prominence == 1 else choice for choice in added)
    return (green_light, *added), green_light


def set_piece_decision(state: State) -> Decision:
    """Return the prompt for the dice of a free kick or penalty.

    Before them the foul may have opened a window for changes (FC-10.8).
    """
    current = _current_offensive(state)
    made = _shot_decision(state, current.side, current.throw, current.defence_die)
    waiting = opponent(current.side) if current.defence_die is not None else current.side
    return replace(made, choices=change_choices(state), roles={waiting: word("role", "may_change")})


def _current_offensive(state: State) -> Offensive:
    if state.offensive is None:
        raise ValueError(f"no offensive in phase {state.phase}")
    return state.offensive


def _shot_decision(state: State, side: Side, throw: int, defence_die: int | None) -> Decision:
    thrower = side if defence_die is not None else opponent(side)
    title = club_message(
        "footclub.await.attack_die" if defence_die is not None else "footclub.await.defence", state, thrower
    )
    detail = word("detail", "second_throw") if throw > 1 else None
    return Decision(
        title, detail, dice=shot_dice_requests(side, defence_die), earlier_dice=_earlier_defence_die(side, defence_die)
    )


def shot_dice_requests(side: Side, defence_die: int | None) -> tuple[DiceRequest, ...]:
    """Return the defence die first, then the attack die of `side` (FC-11.1)."""
    attack_die = DiceRequest(side, "pips", 1, 1 if defence_die is None else 0, word("purpose", "attack"))
    if defence_die is not None:
        return (attack_die,)
    return (DiceRequest(opponent(side), "pips", 1, 0, word("purpose", "defence")), attack_die)


def _earlier_defence_die(side: Side, defence_die: int | None) -> tuple[EarlierDie, ...]:
    """Return the defence die while the attack die of `side` is due (FC-11.1)."""
    if defence_die is None:
        return ()
    return (EarlierDie(opponent(side), Die("pips", defence_die), word("purpose", "defence")),)


def _spend_choice(state: State, current: Offensive, side: Side, effect: int) -> Choice:
    spent = current.spent[index_of(side)]
    event = {"event": "spend", "side": side, "supporters": 1}
    detail = Message("footclub.detail.spend", {"n": MAX_SPENT - spent, "most": MAX_SPENT})
    reason = disabled_reason(state, event)
    return Choice(event, word("do", "spend"), side, detail, signed(effect), prominence=1, disabled_reason=reason)


def _attacker_choices(state: State, current: Offensive) -> tuple[Choice, ...]:
    side = current.side
    found = [_spend_choice(state, current, side, 1)]
    if state.setup.kop == "K01" and state.club(side).kop is not None:
        kop = {"event": "spend", "side": side, "kop": True}
        label = word("do", "kop" if state.club(side).kop == "up" else "kop_down")
        effect = signed(state.setup.kop_attack_bonus)
        found.append(Choice(kop, label, side, effect=effect, disabled_reason=disabled_reason(state, kop)))
    support = {"event": "attacking_support", "side": side}
    reason = disabled_reason(state, support)
    detail = word("detail", "from_hand")
    label = card_message("attacking_support")
    found.append(Choice(support, label, side, detail, signed(ATTACKING_SUPPORT), disabled_reason=reason))
    return tuple(found)


def _defender_choices(state: State, current: Offensive, side: Side) -> tuple[Choice, ...]:
    event = {"event": "defensive_support", "side": side}
    label = card_message("defensive_support")
    detail, effect = word("detail", "two_dice"), signed(-SUPPORT)
    mode = mode_prompt(current.malus)
    usual = mode.options[0].effect
    play = RibbonPlay(state, event, "defensive_support", label, 2, detail, effect, first_prompt=mode, usual_odds=usual)
    return (_spend_choice(state, current, side, -1), *ribbon_choices(play))


def corner_decision(state: State) -> Decision:
    """Return the prompt to recover a card of the club's own discard pile, including the one just played (FC-11.6)."""
    side = opponent(state.defenders)
    club = state.club(side)
    event = {"event": "recover", "side": side}
    options = tuple(
        Option(type_, card_message(type_), Message("footclub.option.discarded", {"n": club.discard[INDEX[type_]]}))
        for type_ in TYPES
        if club.discard[INDEX[type_]]
    )
    prompt = Prompt("pick", "card", word("ask", "recover"), options)
    choice = Choice(event, word("do", "recover"), side, prominence=1, prompts=(prompt,))
    return Decision(club_message("footclub.await.corner", state, side), choices=(choice,))


def decision(state: State) -> Decision:
    """Return what the game expects: nothing once the match is over, otherwise at least one thing besides the
    forfeit."""
    if state.phase == "finished":
        return Decision(MATCH_OVER)
    known = public_state(state)
    made = _phase_decision(known)
    choices = tuple(sorted(made.choices, key=lambda choice: (choice.disabled_reason is not None, choice.prominence)))
    return replace(
        made, sides=_acting_sides(made), choices=(*choices, *surrender_choices("forfeit", word("do", "forfeit"), SIDES))
    )


def _phase_decision(state: State) -> Decision:
    if any(club.lacks_captain for club in state.clubs):
        return missing_captain_decision(state)
    if any(club.is_too_small for club in state.clubs):
        return short_team_decision(state)
    return _PHASE_DECISIONS[state.phase](state)


def _acting_sides(made: Decision) -> tuple[str, ...]:
    """Return the sides that have dice to roll now or something to choose."""
    now = min((die.order for die in made.dice), default=0)
    acting = {die.side for die in made.dice if die.order == now}
    acting |= {choice.side for choice in made.choices if choice.disabled_reason is None}
    if None in acting:
        return SIDES
    return tuple(side for side in SIDES if side in acting)


def _full_time_decision(state: State) -> Decision:
    """Return the prompt for a decision after a draw in a single match: extra time or not (FC-14.15)."""
    play = Choice({"event": "extra_time", "play": True}, word("do", "extra_time"), prominence=1)
    stop = Choice({"event": "extra_time", "play": False}, word("do", "draw"), prominence=2)
    return Decision(word("await", "full_time"), word("detail", "full_time"), choices=(play, stop))


def _shootout_decision(state: State) -> Decision:
    """Return the prompt for the shooters of both clubs, the first to kick, then kick by kick (FC-15.5 to FC-15.8)."""
    current = shootout.current_shootout(state)
    if current.next is not None:
        return _kick_decision(state, current.next)
    choices = [_shooters_choice(state, side) for side in SIDES if not current.shooters[index_of(side)]]
    if choices:
        return Decision(word("await", "shooters"), word("detail", "shooters"), choices=tuple(choices))
    begins = tuple(
        Choice({"event": "shootout", "first": side}, word("do", "begins"), side, prominence=2) for side in SIDES
    )
    events = tuple(choice.event for choice in begins)
    lot = Choice(events[0], word("do", "draw_lots"), prominence=1, by_lot=events)  # a random club begins (FC-15.5)
    begins = (*begins, lot)
    return Decision(word("await", "shootout_first"), word("detail", "shootout_first"), choices=begins)


def _shooters_choice(state: State, side: Side) -> Choice:
    club = state.club(side)
    options = _shooter_options(club, (*club.on_pitch, club.goalkeeper.id))
    prompt = Prompt("pick", "players", word("ask", "shooters"), options, SHOOTERS)
    return Choice({"event": "shooters", "side": side}, word("do", "shooters"), side, prominence=1, prompts=(prompt,))


def _shooter_options(club: Club, ids: tuple[str, ...]) -> tuple[Option, ...]:
    keeper = club.goalkeeper
    names = {keeper.id: keeper.name, **{id: player.card.name for id, player in club.players.items()}}
    return tuple(
        Option(id, literal(short_name(names[id])), word("post", "gk") if id == keeper.id else None) for id in ids
    )


def _kick_decision(state: State, side: Side) -> Decision:
    """Return the prompt for a kick; in sudden death its shooter may be named together with both dice (FC-15.8)."""
    current = shootout.current_shootout(state)
    defence_die = current.defence_die
    thrower = side if defence_die is not None else opponent(side)
    club = {"club": state.setup.name(side)}
    title = Message("footclub.await.kick_attack" if defence_die is not None else "footclub.await.kick", club)
    detail = word("detail", "second_throw") if current.throw > 1 else Message("footclub.await.kick", club)
    dice, earlier_dice = shot_dice_requests(side, defence_die), _earlier_defence_die(side, defence_die)
    return Decision(title, detail, (thrower,), dice, _named_kick_choices(state, side), earlier_dice=earlier_dice)


def _named_kick_choices(state: State, side: Side) -> tuple[Choice, ...]:
    club = state.club(side)
    event = {"event": "shot"}
    options = tuple(
        option
        for option in _shooter_options(club, (*club.on_pitch, club.goalkeeper.id))
        if disabled_reason(state, {**event, "defence": 1, "player": option.value}) is None
    )
    if not options:
        return ()
    faces = tuple(Option(face, literal(face)) for face in range(1, 7))
    prompts = (
        Prompt("pick", "player", word("ask", "shooter"), options),
        Prompt("pick", "defence", word("ask", "defence_die"), faces),
        Prompt("pick", "attack", word("ask", "attack_die"), faces),
    )
    return (Choice(event, word("do", "named_kick"), side, prominence=3, prompts=prompts),)


_PHASE_DECISIONS: Mapping[str, Callable[[State], Decision]] = {
    "market": market_decision,
    "pre_match": before_half_decision,
    "half_time": before_half_decision,
    "extra_time_break": before_half_decision,
    "preparation": preparation_decision,
    "possession": possession_decision,
    "counter": counter_decision,
    "duel": duel_decision,
    "attack": attack_decision,
    "offensive": offensive_decision,
    "set_piece": set_piece_decision,
    "corner": corner_decision,
    "end_of_turn": end_of_turn_decision,
    "full_time": _full_time_decision,
    "shootout": _shootout_decision,
}
