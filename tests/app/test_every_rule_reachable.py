"""Whatever the rules files list can be reached in the app: every event and its fields, every key of the setup.

The headers come from the preparation of each game, as its pages make them; the matches with these headers are played by
the choices and dice that the table offers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.games.base import AnyGame, Choice, Decision, Refusal
from companion.games.footclub.catalogues import MATCH, match_cards, team_cards
from companion.games.footclub.lineup_draft import LineupDraft, bench, event_from_draft
from companion.games.footclub.screens.clubs import FORMATS, KOP_CHOICES, Preparation
from companion.games.footclub.second_leg import second_leg
from companion.games.footclub.squads import sample_clubs, sample_rows
from companion.games.footclub.state import Club
from companion.games.footclub.tables import SIDES
from companion.games.nba.preparation import NbaPreparation
from companion.games.preparation import MatchPreparation, SetupRow
from companion.games.random_player import RandomAnswer, complete_randomly
from companion.games.registry import GAMES, SPECS
from companion.journal.store import Store
from companion.table.catalogues.card_store import SampleCards
from companion.table.matches import Matches
from tests.games import rule_tables

Fields = Mapping[str, Any]

NOT_WRITTEN = (
    (
        "footclub",
        ("setup.market", "market_staff", "market_open", "market_pick"),
        "The market has a page of its own, which plays these events and makes clubs; a match has their squads.",
    ),
    (
        "nba",
        ("attack.tactic", "defend.tactic"),
        "At level `scores` cards are not logged; the field has no effect on the match.",
    ),
)
"""What the app does not write: the game, its events, fields (`event.field`) and setup keys, and the reason why not."""
MAX_REASONS = 5

MATCH_LENGTHS = (25, 100, 100, *(400,) * 20)
"""Events of each header's match, in round after round until everything is found; most is found early in a match."""
FIRST_LEG_LENGTH = 400
NOVELTY = 0.4
"""Probability of a choice that was played least. Otherwise the random player acts, which throws more dice."""
GIVING_UP = ("concede", "forfeit", "match_ended")
"""Events that end a match early."""
PASSING = ("end_turn", "leave", "no_offensive")
"""Events that do nothing in a turn."""
BASE = {"nba": (("duration", "short"),)}
"""Choices of the preparation for short matches."""


# The headers that the pages of the preparation make


def row_values(row: SetupRow) -> list[Any]:
    """Return the values that a row offers."""
    if row.kind == "switch":
        return [not row.value]
    if row.kind == "count":
        return sorted({row.minimum, row.maximum, min(row.minimum + 1, row.maximum)})
    return [option.value for option in row.options if option.disabled_reason is None]


def rows(prepared: MatchPreparation) -> dict[str, SetupRow]:
    return {row.id: row for column in prepared.columns() for row in column.rows}


def prepared_headers(game: str) -> Iterator[Fields]:
    """Yield the headers after each choice of each row, and of each row that the choice opens."""
    before = rows(prepare(game))
    for first in choices_of(before):
        after = prepare(game, first)
        yield from finished_headers(after)
        opened = {id: row for id, row in rows(after).items() if id not in before}
        for second in choices_of(opened):
            yield from finished_headers(prepare(game, first, second))


def choices_of(offered_rows: Mapping[str, SetupRow]) -> Iterator[tuple[str, Any]]:
    """Yield each value of each row; of rows that differ only in their side, those of the first."""
    kinds = {id.partition(".")[0]: id for id in reversed(offered_rows)}
    for id in kinds.values():
        yield from ((id, value) for value in row_values(offered_rows[id]))


def prepare(game: str, *chosen: tuple[str, Any]) -> MatchPreparation:
    """Return a new preparation after the choices of `BASE` and these."""
    prepared = SPECS[game].prepare({}, SampleCards())
    for row, value in (*BASE.get(game, ()), *chosen):
        prepared.choose(row, value)
    return prepared


def finished_headers(prepared: MatchPreparation) -> Iterator[Fields]:
    """Yield the header if nothing is missing, before and after the pages of the rows were used."""
    if not prepared.missing():
        yield prepared.header()
    if isinstance(prepared, NbaPreparation) and use_pages(prepared) and not prepared.missing():
        yield prepared.header()


def use_pages(prepared: NbaPreparation) -> bool:
    """Deal the draft and draw the deck as their pages do. Returns False if the match has neither."""
    pages = {row.id for row in rows(prepared).values() if row.kind == "page"}
    try:
        if "deal" in pages:
            prepared.start_draft(Random(1))
            while prepared.draft is not None and prepared.draft.side is not None:
                own, *common = prepared.draft.hand[:3]
                prepared.choose_draft_cards(own, common)
        if "deck" in pages:
            prepared.draw_deck(Random(1))
    except Refusal:  # the samples have too few cards for this length
        return False
    return bool(pages & {"deal", "deck"})


def footclub_headers() -> Iterator[Fields]:
    """Yield the headers of the page of the clubs: each option, and second legs that follow a first one."""
    own = {"match_cards": match_cards(SampleCards().rows(MATCH)), "team_cards": team_cards(sample_rows())}
    for format in FORMATS[:3]:
        for kop in KOP_CHOICES:
            for home in SIDES:
                header = clubs_header({"format": format, "home": home}, kop, None, own if home == "red" else {})
                yield header
                if format == "leg1" and home == "blue":
                    yield second_leg_header(header, own)


def clubs_header(chosen: Fields, kop: str, decided: Fields | None, own: Fields) -> Fields:
    plan = Preparation({}, None, decided)
    if decided is None:
        for side, club in zip(SIDES, sample_clubs(), strict=False):
            plan.choose_club(side, club)
    for key, value in chosen.items():
        plan.choose(key, value)
    plan.choose_kop(kop)
    header = plan.header(own)
    assert header is not None
    return header


def second_leg_header(header: Fields, own: Fields) -> Fields:
    """Play a first leg to its end; return the header of the second one."""
    *_, (state, _, _) = situations("footclub", header, Player(Random(1), Counter()), FIRST_LEG_LENGTH)
    decided = second_leg(header, state)
    assert decided is not None
    return clubs_header({}, "K01", decided, own)


@cache
def headers(game: str) -> tuple[Fields, ...]:
    return tuple(footclub_headers() if game == "footclub" else prepared_headers(game))


# What is found


def listed_keys(game: str) -> set[str]:
    """Return the setup keys of the rules as `setup.key` or `setup.key.member`, and `=value` where values are listed."""
    found: set[str] = set()
    for key in rule_tables.setup_keys(game):
        found |= {f"setup.{key.name}.{member}" for member in key.members} or {f"setup.{key.name}"}
        found |= {f"setup.{key.name}={value}" for value in key.values}
    return found


def written_keys(header: Fields) -> set[str]:
    """Return the keys of a header in the same form; a key that switches nothing on (false, null, 0) is left out."""
    found: set[str] = set()

    def add(name: str, value: Any) -> None:
        if value in (None, False, 0, {}):
            return
        found.add(name)
        if isinstance(value, str):
            found.add(f"{name}={value}")
        elif isinstance(value, Mapping):
            for key, inner in value.items():
                add(f"{name}.{key}", inner)

    add("setup", header["setup"])
    return found & listed_keys(header["game"])


def varied_headers(game: str) -> list[Fields]:
    """Return few headers that together have every key and value that any has."""
    found: list[Fields] = []
    seen: set[str] = set()
    for header in headers(game):
        if written_keys(header) - seen:
            seen |= written_keys(header)
            found.append(header)
    return found


def listed_events(game: str) -> set[str]:
    """Return the events of the rules, and their fields as `event.field`."""
    return {
        name
        for event, fields in rule_tables.events(game).items()
        if event not in rule_tables.JOURNAL_EVENTS
        for name in (event, *(f"{event}.{field}" for field in fields))
    }


def situations(game: str, header: Fields, player: Player, length: int) -> Iterator[tuple[Any, Decision, Fields]]:
    """Yield the states of a match, each with its decision and the event that follows; the last one with no event."""
    rules = GAMES[game]
    state = rules.initial_state(named(header))
    for _ in range(length):
        if rules.finished(state):
            break
        decision = rules.decision(state)
        fields = player.next_event(rules, state, decision)
        yield state, decision, fields
        state, _ = rules.apply(state, rules.parse(fields))
    yield state, rules.decision(state), {}


@dataclass
class Player:
    """A player for all sides who does not give up.

    Prefers what has been `played` least; `quiet`, lets each turn pass, so that the match ends level.
    """

    random: Random
    played: Counter[str]
    quiet: bool = False

    def next_event(self, rules: AnyGame, state: Any, decision: Decision) -> Fields:
        fields = self._preferred_event(decision)
        while fields is None or not is_legal(rules, state, fields) or fields["event"] in GIVING_UP:
            fields = rules.random_event(state, self.random)
        self.played[fields["event"]] += 1
        return fields

    def _preferred_event(self, decision: Decision) -> Fields | None:
        possible = {choice.event["event"]: choice for choice in decision.choices if choice.disabled_reason is None}
        quiet = [choice for event, choice in possible.items() if event in PASSING]
        if self.quiet and quiet:
            return complete_randomly(quiet[0], self.random)
        if not possible or self.random.random() > NOVELTY:
            return None
        rarest = min(possible.values(), key=lambda choice: (self.played[choice.event["event"]], self.random.random()))
        return complete_randomly(rarest, self.random)


def named(header: Fields) -> Fields:
    """Return a header as the page stores it, with texts for the names of the sides."""
    found: Fields = json.loads(json.dumps(header, default=str))
    return found


def is_legal(rules: AnyGame, state: Any, fields: Fields) -> bool:
    try:
        rules.validate(state, rules.parse(fields))
    except Refusal:
        return False
    return True


def offered(state: Any, decision: Decision) -> Iterator[str]:
    """Yield event and fields of each possible choice."""
    for choice in decision.choices:
        if choice.disabled_reason is None:
            for fields in (written_fields(state, choice), *choice.by_lot):
                event = choice.event["event"]
                yield from (event, *(f"{event}.{name}" for name in fields))


def written_fields(state: Any, choice: Choice) -> set[str]:
    """Return the fields of a choice's event: those fixed, and those of its prompts and their editors."""
    found = set(choice.event)
    for prompt in choice.prompts:
        if isinstance(prompt.data, RandomAnswer):
            found |= (prompt.data.random_answer(Random(1)) or {}).keys()
        elif choice.event["event"] == "change" and prompt.kind == "lineup":
            found |= edited_change(state.club(choice.side))
        elif prompt.kind == "lineup":
            found |= dict(prompt.suggested or {}).keys()
        else:
            found.add(prompt.field)
    return found


def edited_change(club: Club) -> set[str]:
    """Return the fields of a change that the editor of the line-up makes: the captain leaves, another one is named."""
    draft = LineupDraft.change(club)
    for id in bench(draft):
        draft.picked = club.captain
        if draft.picked in draft.placed.values() and draft.can_replace_picked(id):
            spot = next(spot for spot, other in draft.placed.items() if other == club.captain)
            draft.picked = id
            draft.move(spot)
            break
    return set(event_from_draft(draft))


def missing_events(game: str) -> set[str]:
    """Return the events and fields of the rules that no choice and no dice write in the matches."""
    left, played, rules = listed_events(game), Counter[str](), GAMES[game]
    due = left - unwritten(game, "events")
    for round, length in enumerate(MATCH_LENGTHS):
        player = Player(Random(round), played, quiet=round % 4 == 1)
        for header in varied_headers(game):
            for state, decision, fields in situations(game, header, player, length):
                left.difference_update(offered(state, decision))
                if fields and rules.dice_from_event(fields):
                    left -= {fields["event"], *(f"{fields['event']}.{name}" for name in fields)}
                if not due & left:
                    return left
    return left


def unwritten(game: str, kind: str) -> set[str]:
    """Return the names of `NOT_WRITTEN`: setup keys (`kind` is `setup`) or events with all their fields."""
    named = {name for of, names, _ in NOT_WRITTEN if of == game for name in names}
    if kind == "setup":
        return {name for name in named if name.startswith("setup.")}
    return {name for name in listed_events(game) if {name, name.partition(".")[0]} & named}


@pytest.mark.parametrize("game", GAMES)
def test_every_setup_key_is_written(game: str) -> None:
    written = set[str]().union(*map(written_keys, headers(game)))
    assert len(listed_keys(game)) > 5
    assert listed_keys(game) - written == unwritten(game, "setup")


@pytest.mark.parametrize("game", GAMES)
def test_every_event_is_written(game: str) -> None:
    assert len(listed_events(game)) > 20
    assert missing_events(game) == unwritten(game, "events")


def test_few_things_are_not_written() -> None:
    assert len(NOT_WRITTEN) <= MAX_REASONS
    assert all(reason for _, _, reason in NOT_WRITTEN)


def test_the_events_of_every_journal_are_written(tmp_path: Path) -> None:
    """The list of a match and its correction write `undo` and `correct`."""
    with Store.open(tmp_path / "matches.sqlite", ManualClock()) as store:
        session = Matches(store, GAMES).start("hoops21", named(headers("hoops21")[0]))
        session.record({"event": "ruling", "text": "A"})
        session.correct(2, {"event": "ruling", "text": "B"})
        session.undo()
        store.export(session.match_id, tmp_path / "journal.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text("utf-8").splitlines()]
    written = {line["event"]: set(line) for line in lines[1:]}
    assert all(fields <= written[event] for event, fields in rule_tables.JOURNAL_EVENTS.items())
