"""The preparation of an NBA match before its first turn: sides and teams, length, market, variants and dice."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from random import Random
from typing import Any

from companion.games.base import Fields, JsonObject, Message, Option
from companion.games.catalogue import CardSource
from companion.games.nba.card_sets import CardSet, StartingTeam, carried_cards, match_cards
from companion.games.nba.market_deck import Draft, draw_deck
from companion.games.nba.scene import SIDE_COLOURS
from companion.games.nba.series import CAMPAIGN, LEGACY, SERIES
from companion.games.nba.tables import (
    CLOCKS,
    DEFAULT_RESOURCES,
    DURATIONS,
    FATIGUE_PILE,
    LEVELS,
    MAX_FATIGUE,
    MAX_TOKENS,
    MINI_MARKET_SIZE,
    NORMAL_CARDS,
    PROPOSED_FACES,
    REMOVED_TO,
    SIDES,
    SIX_NINE,
    SKILLS,
    SOLO_PROFILES,
    STATS,
    TYPES,
)
from companion.games.nba.team_builder import TeamDraft, TeamRules, with_kept_cards
from companion.games.preparation import Memory, SetupColumn, SetupRow
from companion.games.wording import literal

NO_COACH = ""
DISCOUNT_LEAST = 3
"""The usual minimum of a skill for a player to be cheaper with a discount coach: the book's example."""
MAX_DISCOUNT_LEAST = 9
SURCHARGE = 1
"""What the second tactic of a turn usually costs more (NBA-9.5)."""
MAX_SURCHARGE = 9

DICE_SETS = ("rulebook", "proposal")
"""The dice faces of the rulebook, or those completed with the hints of NBA-2.3, to be compared with the real dice."""


def _named(id: str) -> Message:
    power, _, of = id.partition(".")
    if power == "reroll":
        return Message("app.nba.coach.reroll", {"dice": Message(f"nba.body.{of}")})
    if power == "discount":
        name = Message(f"nba.skill.{of}") if of in SKILLS else Message(f"app.nba.stat.{of}")
        return Message("app.nba.coach.discount", {"skill": name})
    return Message(f"app.nba.coach.{power or 'none'}")


COACHES: tuple[tuple[str, Message], ...] = tuple(
    (id, _named(id))
    for id in (
        NO_COACH,
        "collective",
        "rebounds",
        "second_tactic",
        "draw7",
        *(f"reroll.{die}" for die in SKILLS),
        *(f"discount.{stat}" for stat in STATS),
    )
)
"""The coaches to choose from, with their names."""


def coach_header(id: str, least: int = DISCOUNT_LEAST, extra: int = SURCHARGE) -> JsonObject:
    """Return the coach of the header (NBA-9.5) for a non-empty id of COACHES.

    Args: least: the minimum of a skill for a discount; extra: the surcharge of a second tactic.
    """
    power, _, of = id.partition(".")
    if power == "reroll":
        return {"power": power, "die": of}
    if power == "discount":
        return {"power": power, "skill": of, "min": least}
    if power == "second_tactic":
        return {"power": power, "extra": extra}
    return {"power": power}


def dice_set_header(id: str, six_nine: str) -> JsonObject:
    """Return the dice set of the header (NBA-2.2)."""
    if id == "rulebook":
        return {"id": id, "six_nine": six_nine}
    return {
        "id": id,
        "six_nine": six_nine,
        "faces": {kind: [_face(*face) for face in faces] for kind, faces in PROPOSED_FACES.items()},
    }


def _face(value: int, colour: str | None) -> JsonObject:
    return {"value": value} if colour is None else {"value": value, "colour": colour}


SOLO = "solo"
SINGLE = "match"
MODES = (SINGLE, CAMPAIGN, LEGACY)
"""A match of its own, or the first of a series (chapter 13)."""
FIRST_STAGE = {"stage": 1, "threshold": 0, "kept": {}}
SWITCHES = ("money_time", "decisive", "team_selection", "draft")


class NbaSettings:
    """Read-only view of the choices in the memory."""

    def __init__(self, memory: Memory, cards: CardSet) -> None:
        self._memory, self._cards = memory, cards
        self._teams = {team.id: team for team in cards.teams}

    def header(self) -> JsonObject:
        """Return the header of the match."""
        memory, sides = self._memory, self.sides
        variants: JsonObject = {key: memory[key] for key in SWITCHES if self.full or key == "money_time"}
        variants["mismatch"] = 0 if self.solo else memory["mismatch"]
        setup: JsonObject = {
            "level": "full" if self.full else memory["level"],
            "first": memory["first"],
            "duration": memory["duration"],
            "clock": memory["clock"],
            "variants": variants,
            "fatigue": self._fatigue(),
            "dice_set": dice_set_header(memory["dice"], memory["six_nine"]),
        }
        if memory["duration"] == "normal" and memory["normal_cards"] != NORMAL_CARDS[0]:
            setup["market_cards"] = self.market_cards
        if self.full:
            setup |= self._cards_setup()
        if self.solo:
            setup["solo"] = {"side": sides[1], "resources": memory["resources"], "profile": memory["profile"]}
        if self.legacy is not None:
            setup["legacy"] = dict(self.legacy)
        named = {side: {"name": self.name(side)} for side in sides}
        return {"journal": 1, "game": "nba", "sides": named, "setup": setup, **self._series_fields()}

    def _series_fields(self) -> JsonObject:
        """Return the keys of the header that name the series of the match, and the match before."""
        if self.mode == SINGLE:
            return {}
        if self.carried is None:
            return {SERIES: {"kind": self.mode, "match": 1}}
        mark = dict(self.carried)
        follows = mark.pop("follows")
        return {SERIES: mark, "follows": follows}

    def _fatigue(self) -> JsonObject:
        """Return the fatigue pile of the header; its usual size depends on the number of sides (NBA-3.1)."""
        made: JsonObject = {"removed_to": self._memory["removed_to"]}
        usual = FATIGUE_PILE[len(self.sides)]
        return made if self.fatigue_cards == usual else {**made, "cards": self.fatigue_cards}

    @property
    def fatigue_cards(self) -> int:
        """The number of fatigue cards: as chosen, otherwise the usual one."""
        chosen: int | None = self._memory["fatigue_cards"]
        return FATIGUE_PILE[len(self.sides)] if chosen is None else chosen

    def _cards_setup(self) -> JsonObject:
        """Return the keys of the header's setup that level `full` adds."""
        setup: JsonObject = {
            "cards": {id: dict(card) for id, card in self._cards.cards.items()},
            "rosters": {side: self.roster(side) for side in self.sides},
            "coaches": {side: self.coach(side) for side in self.people if self._memory["coaches"].get(side)},
        }
        if self.drawn_deck:
            setup["market_list"] = list(self.drawn_deck)
        return setup

    @property
    def mode(self) -> str:
        """One of MODES."""
        return str(self._memory["mode"])

    @property
    def carried(self) -> Fields | None:
        """The place of the match in a series that has begun, with the id of the match before (`follows`)."""
        carried: Fields | None = self._memory["series"]
        return carried

    @property
    def legacy(self) -> Fields | None:
        """The `legacy` of the header (NBA-13.2): the stage, the threshold, and the kept cards of each side."""
        legacy: Fields | None = self._memory["legacy"]
        return FIRST_STAGE if legacy is None and self.mode == LEGACY else legacy

    def kept(self, side: str) -> tuple[str, ...]:
        """Return the cards that a side kept from earlier matches."""
        return tuple(self.legacy["kept"].get(side, ())) if self.legacy is not None else ()

    @property
    def solo(self) -> bool:
        """True if one person plays against the app."""
        return self.mode == CAMPAIGN or bool(self._memory["players"] == SOLO)

    @property
    def full(self) -> bool:
        """True if the match is played at level `full`, as it must be where cards are kept."""
        return self.solo or self.logs_cards or self._memory["level"] == "full"

    @property
    def logs_cards(self) -> bool:
        """True if cards are kept from match to match, so that purchases must be logged."""
        return self.legacy is not None

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides at the table, in order."""
        return SIDES[: 2 if self.solo else int(self._memory["players"])]

    @property
    def people(self) -> tuple[str, ...]:
        """The sides that people play."""
        return tuple(side for side in self.sides if not self.is_solo_opponent(side))

    def is_solo_opponent(self, side: str) -> bool:
        """Return True if the solo opponent plays this side."""
        return self.solo and side == SIDES[1]

    def coach(self, side: str) -> JsonObject:
        """Return the coach of a side as the header has it."""
        memory = self._memory
        return coach_header(memory["coaches"][side], self.discount_least(side), self.surcharge(side))

    def discount_least(self, side: str) -> int:
        """Return the minimum of a skill for the discount of a side's coach."""
        return int(self._memory["discount_least"].get(side, DISCOUNT_LEAST))

    def surcharge(self, side: str) -> int:
        """Return what a side's coach adds to the cost of a second tactic."""
        return int(self._memory["surcharge"].get(side, SURCHARGE))

    def team(self, side: str) -> StartingTeam:
        """Return the starting team of a side."""
        return self._teams[self._memory["teams"][side]]

    def team_rules(self, side: str) -> TeamRules:
        """Return the limits of a side's deck."""
        return TeamRules(self._memory["team_selection"], self.is_solo_opponent(side), self.kept(side))

    def team_draft(self, side: str) -> TeamDraft:
        """Return the team of a side: as its players built it, otherwise its starting team with its kept cards."""
        built = self._memory["rosters"].get(side)
        if built:
            return TeamDraft.of(built)
        return with_kept_cards(self._cards.cards, self.team_rules(side), TeamDraft.of(self.team(side).roster))

    def name(self, side: str) -> str:
        """Return a side's display name; sides that begin with the same team are numbered."""
        teams = self._memory["teams"]
        number = sum(teams[other] == teams[side] for other in SIDES[: SIDES.index(side) + 1])
        usual = self.team(side).name if number == 1 else f"{self.team(side).name} {number}"
        return str(self._memory["names"].get(side) or usual)

    def mini(self, side: str) -> list[str | None]:
        """Return the known cards of a side's personal market (NBA-9.3)."""
        return list(self._memory["minis"].get(side, [None] * MINI_MARKET_SIZE))

    def is_drafted(self, side: str) -> bool:
        """Return True if a side has five cards and shares none of them with another side."""
        chosen = self.mini(side)
        others = {id for other in self.people if other != side for id in self.mini(other)}
        return all(chosen) and len(set(chosen)) == MINI_MARKET_SIZE and not others & set(chosen)

    def roster(self, side: str) -> JsonObject:
        """Return the court and deck of a side as the header has them."""
        roster = self.team_draft(side).roster(self.team_rules(side))
        if self._memory["draft"] and not self.is_solo_opponent(side):
            roster["mini"] = self.mini(side)
        return roster

    # The deck of the player market

    @property
    def market_cards(self) -> int:
        """The number of cards of the player market (NBA-9.1)."""
        memory = self._memory
        normal = memory["duration"] == "normal"
        cards: int = memory["normal_cards"] if normal else DURATIONS[memory["duration"]]
        return cards * len(self.sides) // 2

    @property
    def reserved_cards(self) -> set[str]:
        """The cards that may not be in the market's deck: those on a court, the kept ones, the personal markets."""
        minis = {id for side in self.people for id in self.mini(side) if id} if self._memory["draft"] else set()
        kept = {id for side in self.sides for id in self.kept(side)}
        return minis | kept | {id for side in self.sides for id in self.team_draft(side).court.values()}

    @property
    def drawn_deck(self) -> tuple[str, ...]:
        """The deck that the app drew, if it fits the match."""
        deck: list[str] = self._memory["deck"]
        fits = len(deck) == self.market_cards and not self.reserved_cards & set(deck)
        in_order = self._memory["draft"] == self._memory["deck_of_draft"]
        return tuple(deck) if fits and in_order and set(deck) <= self._cards.cards.keys() else ()

    @property
    def deck_counted(self) -> bool:
        """True if the players have counted and checked the deck of this match at the table."""
        return bool(self._memory["deck_counted"] == self.market_cards)


PLAYER_COUNTS = ("2", "3", "4", SOLO)
SOLO_RESOURCES = {"easy": 0, "normal": DEFAULT_RESOURCES, "hard": 4}
_DEFAULTS = {
    "mode": SINGLE,
    "players": "2",
    "level": "full",
    "duration": "normal",
    "normal_cards": NORMAL_CARDS[0],
    "first": SIDES[0],
    "clock": "turns",
    "dice": "rulebook",
    "six_nine": "underline",
    "removed_to": "pile",
    "fatigue_cards": None,
    "mismatch": 0,
    "resources": DEFAULT_RESOURCES,
    "profile": "drivers",
    "deck_counted": 0,
    "deck_of_draft": False,
    **dict.fromkeys(SWITCHES, False),
}
"""The default values: the usual options of the rules."""
READING_RULES = {"normal_cards": "NBA-9.1", "clock": "NBA-8.3", "removed_to": "NBA-3.7"}
"""The rule of each point that the book leaves open."""
_BY_SIDE = {"name": "names", "coach": "coaches", "discount_least": "discount_least", "surcharge": "surcharge"}
"""The key of the memory for each kind of row that a side has."""


class NbaPreparation:
    """The preparation. Values that are not chosen follow the rules; every side starts with a different team."""

    def __init__(self, memory: Memory, cards: CardSource) -> None:
        self._memory = memory
        own = memory.get("cards")
        self._cards = (
            match_cards(cards)
            if own is None
            else carried_cards(own, memory["carried_rosters"], memory["names"], cards.language)
        )
        self.settings = NbaSettings(memory, self._cards)
        teams = dict(zip(SIDES, cycle(team.id for team in self._cards.teams), strict=False))
        usual: dict[str, Any] = {**_DEFAULTS, "names": {}, "teams": teams, "rosters": {}, "minis": {}, "deck": []}
        usual |= {"deal": None, "coaches": {}, "discount_least": {}, "surcharge": {}, "legacy": None, "series": None}
        for key, value in {**usual, "is_tournament": False}.items():
            memory.setdefault(key, value)
        catalogue = sorted([*self._cards.cards, *(team.id for team in self._cards.teams)])
        if memory.setdefault("catalogue", catalogue) != catalogue:  # the choices were made with other cards
            made_of_cards = ("teams", "rosters", "minis", "deck", "deal")
            memory.update({"catalogue": catalogue} | {key: copy.copy(usual[key]) for key in made_of_cards})

    # Display

    def columns(self) -> tuple[SetupColumn, ...]:
        return (
            *(self._side(side) for side in self.settings.sides),
            SetupColumn(None, "", _message("match"), tuple(self._match())),
        )

    def choose(self, row: str, value: object) -> None:
        kind, _, of = row.partition(".")
        memory = self._memory
        if kind in _BY_SIDE:
            memory[_BY_SIDE[kind]][of] = value
        elif kind == "team":
            memory["teams"][of] = value
            memory["rosters"].pop(of, None)
        elif kind == "mini":
            side, _, place = of.partition(".")
            memory["minis"].setdefault(side, [None] * MINI_MARKET_SIZE)[int(place)] = value
        else:
            memory[row] = value
        if memory["mode"] == LEGACY and memory["players"] == SOLO:
            memory["players"] = PLAYER_COUNTS[0]
        if memory["first"] not in self.settings.sides:
            memory["first"] = self.settings.sides[0]

    def missing(self) -> tuple[Message, ...]:
        settings = self.settings
        found = []
        names = [settings.name(side) for side in settings.sides]
        if len({name.casefold() for name in names}) < len(names):
            found.append(_message("same_names"))
        if not settings.full:
            return tuple(found)
        found += self._unknown_kept_cards()
        for side in settings.sides:
            faults = settings.team_draft(side).faults(self.cards, settings.team_rules(side))
            found += [_message("team_todo", side=settings.name(side), reason=fault) for fault in faults[:1]]
        if self._memory["draft"]:
            sides = (side for side in settings.people if not settings.is_drafted(side))
            found += [_message("mini_todo", side=settings.name(side)) for side in sides]
        if self._memory["deck"] and not settings.drawn_deck:
            found.append(_message("deck_todo", n=settings.market_cards))
        return tuple(found)

    def _unknown_kept_cards(self) -> list[Message]:
        """Return the sentence that names kept cards which this table does not know."""
        settings = self.settings
        unknown = {id for side in settings.sides for id in settings.kept(side)} - self.cards.keys()
        return [_message("kept_unknown", cards=", ".join(sorted(unknown)))] if unknown else []

    def header(self) -> JsonObject:
        return self.settings.header()

    def decide(self, setup: Fields, sides: Mapping[str, str]) -> None:
        """Store what a tournament decides: the cards that the sides kept (NBA-13.2).

        Args: sides: the sides of this preparation, each with the side of `setup`.
        """
        legacy = setup.get("legacy")
        self._memory["is_tournament"] = True
        if legacy is not None:
            kept = {side: list(legacy["kept"].get(there, ())) for side, there in sides.items()}
            self._memory["legacy"] = {**legacy, "kept": kept}

    # The pages of the game

    @property
    def cards(self) -> Mapping[str, Fields]:
        """The catalogue of the match."""
        return self._cards.cards

    def set_team(self, side: str, draft: TeamDraft) -> None:
        """Set the team of a side as its players built it."""
        self._memory["rosters"][side] = draft.roster(TeamRules())

    @property
    def draft(self) -> Draft | None:
        """The draft that the app deals, if it has begun with the sides of this match."""
        stored = self._memory["deal"]
        found = Draft.of(stored) if stored else None
        return found if found and tuple(found.hands) == self.settings.people else None

    def start_draft(self, random: Random) -> None:
        """Deal the cards of a new draft. Raises: Refusal if the catalogue has too few."""
        courts = {id for side in self.settings.sides for id in self.settings.team_draft(side).court.values()}
        self._memory["deal"] = Draft.start(self.cards, self.settings.people, courts, random).stored

    def choose_draft_cards(self, own: str, common: Sequence[str]) -> None:
        """Record the choice of the side whose turn it is; the last one fills the personal markets. Raises: Refusal."""
        draft = self.draft
        assert draft is not None
        draft.choose(own, common)
        self._memory["deal"] = draft.stored
        if draft.side is None:
            self._memory["minis"] = {side: draft.mini(side) for side in self.settings.people}

    def draw_deck(self, random: Random) -> None:
        """Draw the deck of the player market. Raises: Refusal by NBA-3.5 if the catalogue cannot give it.

        With the draft variant it is the common deck of the draft; without a draft dealt by the app any cards, unsorted.
        """
        settings, memory = self.settings, self._memory
        if memory["draft"]:
            over = self.draft if self.draft and self.draft.side is None else Draft()
            deck = over.deck(self.cards, settings.market_cards, settings.reserved_cards, random)
        else:
            deck = draw_deck(self.cards, settings.market_cards, settings.reserved_cards, random)
        memory.update(deck=deck, deck_of_draft=memory["draft"], deck_counted=0)

    def count_deck(self) -> None:
        """Record that the players counted and checked the deck at the table."""
        self._memory.update(deck=[], deck_counted=self.settings.market_cards)

    # Helpers

    def _side(self, side: str) -> SetupColumn:
        name = literal(self.settings.name(side))
        rows = [SetupRow(f"name.{side}", _message("name"), name, "text", value=self.settings.name(side))]
        if self.settings.full:
            rows += self._team_rows(side)
        if self.settings.full and not self.settings.is_solo_opponent(side):
            rows += self._coach_rows(side)
            if self._memory["draft"]:
                rows += self._mini_rows(side)
        colour = SIDE_COLOURS[SIDES.index(side)]
        return SetupColumn(side, colour, name, tuple(rows), self.settings.name(side).strip()[:1].upper())

    def _team_rows(self, side: str) -> Iterator[SetupRow]:
        """Yield the starting team, and its cards on a page of their own."""
        teams = tuple(Option(team.id, literal(team.name), _message("starters")) for team in self._cards.teams)
        team = self.settings.team(side)
        yield SetupRow(f"team.{side}", _message("team"), literal(team.name), icon="users", value=team.id, options=teams)
        draft, rules = self.settings.team_draft(side), self.settings.team_rules(side)
        counts = {type_: draft.count(self.cards, type_) for type_ in TYPES}
        detail = _message("built_solo" if rules.solo else "built", bench=len(draft.bench), **counts)
        done = not draft.faults(self.cards, rules)
        yield SetupRow(f"built.{side}", _message("built_label"), detail, "page", "cards", page="nba_team", done=done)

    def _coach_rows(self, side: str) -> Iterator[SetupRow]:
        """Yield the coach, with the number that belongs to its power."""
        power = self._memory["coaches"].get(side, NO_COACH)
        options = tuple(Option(id, label) for id, label in COACHES)
        yield SetupRow(
            f"coach.{side}", _message("coach"), dict(COACHES)[power], icon="board", value=power, options=options
        )
        if power.startswith("discount."):
            label, least = _message("discount_least"), self.settings.discount_least(side)
            row = SetupRow(f"discount_least.{side}", label, label, "count", value=least)
            yield replace(row, minimum=1, maximum=MAX_DISCOUNT_LEAST)
        if power == "second_tactic":
            label, extra = _message("surcharge"), self.settings.surcharge(side)
            yield SetupRow(f"surcharge.{side}", label, label, "count", value=extra, maximum=MAX_SURCHARGE)

    def _mini_rows(self, side: str) -> Iterator[SetupRow]:
        """Yield the five cards that a side kept in the draft (NBA-9.3)."""
        taken = {id for other in self.settings.people for id in self.settings.mini(other)}
        chosen = self.settings.mini(side)
        for place, id in enumerate(chosen):
            free = [one for one in self._cards.market() if one not in taken or one == id]
            options = tuple(Option(one, literal(self._card(one)), _cost(self._cards.cards[one])) for one in free)
            label = _message("mini", n=place + 1)
            detail = literal(self._card(id)) if id else _message("mini_none")
            yield SetupRow(f"mini.{side}.{place}", label, detail, value=id, options=options, done=id is not None)

    def _card(self, id: str) -> str:
        return str(self._cards.cards[id]["name"])

    def _match(self) -> Iterator[SetupRow]:
        if self._cards.shortages:
            reason = _message("samples_why", reason=self._cards.shortages[0])
            yield SetupRow("samples", _message("samples"), reason, "page", "cards", page="catalogues", done=False)
        settings = self.settings
        yield from self._series_rows()
        if settings.carried is None and settings.mode != CAMPAIGN:
            yield self._pick_row("players", PLAYER_COUNTS if settings.mode == SINGLE else PLAYER_COUNTS[:-1])
        if settings.solo:
            if settings.carried is None:
                levels = tuple(Option(value, _message(f"resources.{name}")) for name, value in SOLO_RESOURCES.items())
                label = _message("resources")
                yield SetupRow("resources", label, label, value=self._memory["resources"], options=levels)
            yield self._pick_row("profile", tuple(SOLO_PROFILES))
        elif not settings.logs_cards:
            yield self._pick_row("level", tuple(reversed(LEVELS)))
        yield self._pick_row("duration", tuple(DURATIONS))
        first = tuple(Option(side, literal(self.settings.name(side))) for side in self.settings.sides)
        beginner = literal(self.settings.name(self._memory["first"]))
        yield SetupRow("first", _message("first"), beginner, value=self._memory["first"], options=first)
        for key in SWITCHES if self.settings.full else ("money_time",):
            on = self._memory[key]
            yield SetupRow(key, _message(key), _message(f"{key}.why"), "switch", "", value=on)
        if self.settings.full:
            yield from self._market_rows()
        if not self.settings.solo:
            tokens = self._memory["mismatch"]
            yield SetupRow(
                "mismatch", _message("mismatch"), _message("mismatch"), "count", value=tokens, maximum=MAX_TOKENS
            )
        fatigue = self.settings.fatigue_cards
        label = _message("fatigue_cards")
        yield SetupRow("fatigue_cards", label, label, "count", value=fatigue, maximum=MAX_FATIGUE)
        yield self._pick_row("dice", DICE_SETS)
        yield self._pick_row("six_nine", SIX_NINE)
        yield from self._readings()

    def _series_rows(self) -> Iterator[SetupRow]:
        """Yield the choice of a series, or the series that the match belongs to (chapter 13)."""
        settings = self.settings
        if settings.carried is not None:
            label = _message(f"series.{settings.mode}", n=settings.carried["match"])
            detail = _message("series.resources", n=self._memory["resources"])
            if settings.mode == LEGACY:
                detail = _message("series.threshold", n=settings.legacy["threshold"] if settings.legacy else 0)
            yield SetupRow("series", label, detail, "page", "cup", page="nba_series")
        elif not self._memory["is_tournament"]:
            yield self._pick_row("mode", MODES)
            if settings.mode != SINGLE:
                label = _message(f"begun.{settings.mode}")
                yield SetupRow("begun", label, _message("begun.why"), "page", "list", page="nba_series")

    def _market_rows(self) -> Iterator[SetupRow]:
        """Yield the draft that the app deals, and the deck of the player market."""
        settings, draft = self.settings, self.draft
        if self._memory["draft"]:
            detail = _message("deal_none")
            if draft is not None:
                rounds = {"n": draft.round, "of": MINI_MARKET_SIZE}
                detail = _message("deal_over") if draft.side is None else _message("deal_round", **rounds)
            done = all(settings.is_drafted(side) for side in settings.people)
            yield SetupRow("deal", _message("deal"), detail, "page", "cards", page="nba_draft", done=done)
        state = "drawn" if settings.drawn_deck else "stale" if self._memory["deck"] else "counted"
        if state == "counted" and not settings.deck_counted:
            state = "uncounted"
        detail = _message(f"deck_{state}", n=settings.market_cards)
        done = state != "stale"  # a match may begin with a deck that the app does not know, not with one that is wrong
        yield SetupRow("deck", _message("deck"), detail, "page", "cards", page="nba_deck", done=done)

    def _readings(self) -> Iterator[SetupRow]:
        """Yield what the book leaves open (section 16 of the rules), with its words."""
        if self._memory["duration"] == "normal":
            yield self._reading("normal_cards", NORMAL_CARDS)
        yield self._reading("clock", CLOCKS)
        yield self._reading("removed_to", REMOVED_TO)

    def _reading(self, key: str, values: tuple[object, ...]) -> SetupRow:
        row = replace(self._pick_row(key, values), usual=_DEFAULTS[key], rule=READING_RULES[key])
        return replace(row, quotation=_message(f"{key}.words"))

    def _pick_row(self, key: str, values: tuple[object, ...]) -> SetupRow:
        options = tuple(Option(value, _message(f"{key}.{value}")) for value in values)
        value = self._memory[key]
        return SetupRow(key, _message(key), _message(f"{key}.{value}"), value=value, options=options)


def _cost(card: Any) -> Message:
    return _message("cost", n=card.get("cost", 0))


def _message(name: str, **args: object) -> Message:
    return Message(f"app.nba.prepare.{name}", args)
