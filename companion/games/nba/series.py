"""A series of matches at one table: a campaign or the stages of a legacy tournament (chapter 13). Pure, no store.

Each match of a series names it in its header: `series` holds the kind, the number of the match and the id of the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from companion.games.base import Fields, JsonObject
from companion.games.nba.campaign import Campaign, after_match, human_side, keepable_cards
from companion.games.nba.legacy import KeepableCards, KeptCards, keepable, next_header
from companion.games.nba.state import State
from companion.games.nba.tables import NORMAL_CARDS
from companion.games.nba.team_builder import place_of_kept_card
from companion.games.preparation import Memory

SERIES: Final = "series"
"""Key of a header that holds the series of the match."""
Kind = Literal["campaign", "legacy"]
CAMPAIGN: Final = "campaign"
LEGACY: Final = "legacy"
FIRST_THRESHOLD: Final = 3
"""The highest cost of a card kept after the first stage, unless the players choose another: our choice."""


@dataclass(frozen=True, slots=True)
class SeriesMark:
    """The place of a match in a series: its number, from 1, and the id of the first match (None: this one)."""

    kind: Kind
    number: int
    first: str | None = None

    def header(self) -> JsonObject:
        """Return the header's content for `SERIES`."""
        fields: JsonObject = {"kind": self.kind, "match": self.number}
        return fields if self.first is None else {**fields, "first": self.first}


def read_mark(header: Fields) -> SeriesMark | None:
    """Return the series that a header names, or None."""
    fields = header.get(SERIES)
    if not isinstance(fields, Mapping):
        return None
    kind, number, first = fields.get("kind"), fields.get("match"), fields.get("first")
    if kind not in (CAMPAIGN, LEGACY) or type(number) is not int or not isinstance(first, str | None):
        return None
    return SeriesMark(kind, number, first)


def goes_on(mark: SeriesMark, state: State) -> bool:
    """Return True if another match may follow this one: it is over, and in a campaign the person has won it."""
    if state.result is None:
        return False
    return mark.kind == LEGACY or state.result.winner == human_side(state)


def keeping_sides(state: State) -> tuple[str, ...]:
    """Return the sides that may keep cards: those that people play."""
    return tuple(side for side in state.setup.sides if not state.setup.is_solo(side))


def next_threshold(mark: SeriesMark, state: State) -> int:
    """Return the highest cost of a card kept after this match: the next resources of the opponent in a campaign.

    In a legacy series it is the least that the players may choose, that of the stage before.
    """
    if mark.kind == CAMPAIGN and state.setup.solo is not None:
        return state.setup.solo.resources + 1
    return state.setup.legacy.threshold if state.setup.legacy else 0


def offered_cards(mark: SeriesMark, header: Fields, state: State, side: str, threshold: int) -> KeepableCards:
    """Return the cards that a side may keep after this match and that have a base card to replace."""
    found = keepable_cards(state) if mark.kind == CAMPAIGN else keepable(state, side, threshold)
    kept = kept_before(state, side)
    deck = header["setup"]["rosters"][side]
    players = () if _place(header, deck, kept, found.players) is None else found.players
    tactics = () if _place(header, deck, kept, found.tactics) is None else found.tactics
    return KeepableCards(tuple(id for id in players if id not in kept), tactics)


def kept_before(state: State, side: str) -> tuple[str, ...]:
    """Return the cards that a side kept before this match."""
    return state.setup.legacy.kept.get(side, ()) if state.setup.legacy else ()


def _place(header: Fields, deck: Fields, kept: tuple[str, ...], ids: tuple[str, ...]) -> str | None:
    """Return the base card of a deck that the first of these cards would replace; None without cards or place."""
    cards = header["setup"]["cards"]
    if not ids:
        return None
    part = deck.get("bench" if cards[ids[0]]["kind"] == "player" else "tactics") or []
    return place_of_kept_card(cards, kept, part, ids[0])


@dataclass(frozen=True, slots=True)
class Choice:
    """The cards that a side keeps after a match."""

    player: str | None = None
    tactic: str | None = None


def following_header(
    mark: SeriesMark, header: Fields, state: State, choices: Mapping[str, Choice], threshold: int
) -> JsonObject:
    """Return the header of the next match, with the cards kept in the place of base cards. Raises: Refusal."""
    kept_cards = {side: _kept_cards(header, state, side, choice) for side, choice in choices.items()}
    if mark.kind == CAMPAIGN:
        human = human_side(state)
        run = after_match(Campaign(header), state, kept_cards.get(human, KeptCards()))
        return dict(run.header)
    return next_header(header, state, threshold, kept_cards)


def _kept_cards(header: Fields, state: State, side: str, choice: Choice) -> KeptCards:
    deck, kept = header["setup"]["rosters"][side], kept_before(state, side)
    players, tactics = (() if id is None else (id,) for id in (choice.player, choice.tactic))
    return KeptCards(
        choice.player, _place(header, deck, kept, players), choice.tactic, _place(header, deck, kept, tactics)
    )


def memory_of(header: Fields, follows: str, mark: SeriesMark) -> Memory:
    """Return the choices of a preparation that begins with this header. The teams are those of the header.

    Args: follows: the id of the match before; mark: the place of the new match in its series.
    """
    setup: Fields = header["setup"]
    rosters = {
        side: {key: value for key, value in setup["rosters"][side].items() if key != "mini"} for side in header["sides"]
    }
    return {
        **_options(header),
        **_coaches(setup.get("coaches", {})),
        "mode": mark.kind,
        "names": {side: fields["name"] for side, fields in header["sides"].items()},
        "rosters": dict(rosters),
        "carried_rosters": rosters,
        "cards": setup["cards"],
        "legacy": setup.get("legacy"),
        "series": {**mark.header(), "follows": follows},
    }


def _options(header: Fields) -> Memory:
    """Return the options of a match at level `full`."""
    setup, sides = header["setup"], tuple(header["sides"])
    variants, solo, dice_set = setup.get("variants", {}), setup.get("solo"), setup.get("dice_set") or {}
    market_cards = setup.get("market_cards", NORMAL_CARDS[0] * len(sides) // 2)
    options: Memory = {
        "players": "solo" if solo else str(len(sides)),
        "level": "full",
        "duration": setup.get("duration", "normal"),
        "normal_cards": market_cards * 2 // len(sides),
        "first": setup.get("first", sides[0]),
        "clock": setup.get("clock", "turns"),
        "removed_to": setup.get("fatigue", {}).get("removed_to", "pile"),
        "mismatch": variants.get("mismatch", 0),
        **{key: variants.get(key, False) for key in ("money_time", "decisive", "team_selection", "draft")},
        "dice": "proposal" if dice_set.get("id") == "proposal" else "rulebook",
        "six_nine": dice_set.get("six_nine", "underline"),
    }
    return {**options, "resources": solo["resources"], "profile": solo["profile"]} if solo else options


def _coaches(coaches: Mapping[str, Fields]) -> Memory:
    return {
        "coaches": {side: _coach_id(coach) for side, coach in coaches.items()},
        "discount_least": {side: coach["min"] for side, coach in coaches.items() if "min" in coach},
        "surcharge": {side: coach["extra"] for side, coach in coaches.items() if "extra" in coach},
    }


def _coach_id(coach: Fields) -> str:
    """Return a coach as the preparation lists it."""
    return ".".join(str(coach[key]) for key in ("power", "die", "skill") if key in coach)
