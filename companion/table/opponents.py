"""Opponents of the app at the table: sides of a match that a program plays, slowly enough to follow.

Who plays a side is in the match's header (`OPPONENTS`); their events carry `by: "opponent"`. A resumed match, its
undo, its report and its statistics therefore know them. They never act for a side that people play.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from companion.games.base import Die, Fields, GameState, JsonObject, Message, Option
from companion.games.preparation import MatchPreparation, Memory, SetupColumn, SetupRow
from companion.games.registry import SPECS
from companion.games.side_player import STRENGTHS, SidePlayer, Strength, dice_counts, roll, shared_dice
from companion.games.wording import comma_separated, literal
from companion.table.profiles import PLAYED_BY, Profile, persons_of
from companion.table.session import BY_OPPONENT, NOTE_DRAWN, NOTE_TAKEN_OVER, Session
from companion.tournament.headers import MARK

OPPONENTS = "opponents"
"""Key of a header: who plays a side, for each side that an opponent of the app plays."""

PAUSE_S = 2.5
"""Seconds between the last change and an opponent's event, so that people see what happened."""
SHARED_PAUSE_S = 7.0
"""The same while people may act as well: an opponent does not forestall them."""

DiceOrigin = Literal["drawn", "thrown"]
"""Where an opponent's dice come from: drawn by the app, or thrown at the table by a person."""
DICE_ORIGINS: tuple[DiceOrigin, ...] = get_args(DiceOrigin)


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a side instead of a person."""

    strength: Strength
    dice: DiceOrigin = "drawn"


def seats_of(header: Fields) -> dict[str, Seat]:
    """Return the opponents of a match by side. A tournament match has none; unknown entries count as people."""
    entries = header.get(OPPONENTS)
    if is_for_people(header) or not isinstance(entries, Mapping):
        return {}
    found = {}
    for side, entry in entries.items():
        if side in header["sides"] and isinstance(entry, Mapping) and entry.get("strength") in STRENGTHS:
            dice = entry.get("dice")
            found[side] = Seat(entry["strength"], dice if dice in DICE_ORIGINS else "drawn")
    return found


def is_for_people(header: Fields) -> bool:
    """Return True for a match of a tournament, in which only people play."""
    return MARK in header


def taken_over(session: Session, seats: Collection[str]) -> frozenset[str]:
    """Return the sides of opponents that people played at the end of the journal."""
    for event in reversed(session.ledger.events):
        note = event.fields.get("note")
        if isinstance(note, str) and note.startswith(NOTE_TAKEN_OVER):
            return frozenset(note.removeprefix(NOTE_TAKEN_OVER).split(", ")) & frozenset(seats)
        if event.fields.get("by") == BY_OPPONENT and (note is None or len(seats) == 1):
            break
    return frozenset()


_THINKER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="opponent")
"""Opponents think beside the screen: a thought may take longer than a frame."""


class Opponents:
    """Plays the opponents' sides of one session. Call `poll` regularly; it acts at most once per call.

    - `people`: sides that a person has taken over, until handed back
    - `thinker`: runs the thoughts
    """

    def __init__(self, session: Session, thinker: Executor = _THINKER) -> None:
        self._session, self._thinker = session, thinker
        self._seats = seats_of(session.header)
        self._since = session.clock.monotonic()
        self._thought: Future[_Plan] | None = None
        self._pause_s = PAUSE_S
        self.people: frozenset[str] = taken_over(session, self._seats)
        self._tell_session()
        self._seen_sequence = -1

    @property
    def sides(self) -> frozenset[str]:
        """The sides that opponents play now."""
        return frozenset(self._seats) - self.people

    @property
    def seats(self) -> Mapping[str, Seat]:
        return self._seats

    def plays(self, side: str | None) -> bool:
        """Return True if an opponent plays a side now."""
        return side in self.sides

    def take_over(self, side: str) -> None:
        """Let a person play an opponent's side from now on."""
        self.people |= {side}
        self._tell_session()

    def hand_back(self, side: str) -> None:
        """Let the opponent play its side again."""
        self.people -= {side}
        self._tell_session()

    def _tell_session(self) -> None:
        self._session.automatic_sides = {side: self._seats[side].dice == "thrown" for side in self.sides}
        self._session.taken_over = self.people
        self.wait()

    def wait(self) -> None:
        """Start the pause before the next event again, because people are busy."""
        self._since = self._session.clock.monotonic()
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None

    def poll(self, *, busy: bool = False) -> None:
        """Record the next event of an opponent once its pause is over. Raises: StorageError.

        `busy`: people have a question before them, look at another page or have just touched the screen.
        """
        session = self._session
        if not self.sides or session.game.finished(session.state):
            return
        changed = session.sequence != self._seen_sequence
        self._seen_sequence = session.sequence
        if changed:
            self._draw_shared_dice()
        if busy or changed or session.dice.question is not None or session.has_refused_dice:
            self.wait()
            return
        if self._thought is None:
            self._think()
        waited = session.clock.monotonic() - self._since
        if self._thought is not None and waited >= self._pause_s and self._thought.done():
            self._act(self._thought.result())

    # What to do next. It depends only on the match and its number of events: an undo changes nothing of it.

    def _think(self) -> None:
        """Start a thought about the next event, unless people have to say how a race ended."""
        session, sides = self._session, self.sides
        decision = session.decision()
        if session.is_race_by_hand:
            self._ask_for_race()
            return
        is_open = any(
            choice.disabled_reason is None and not choice.menu for choice in session.people_decision().choices
        )
        spec = SPECS[session.game.id]
        prepares = session.state.phase in spec.screens.preparation_phases
        is_race = any(request.independent for request in decision.dice)
        self._pause_s = SHARED_PAUSE_S if is_open and not prepares and not is_race else PAUSE_S
        groups = [frozenset({side}) for side in sorted(sides)]
        if len(sides) > 1 and not any(side not in sides for side in decision.sides):
            groups.append(sides)  # what belongs to no side, once none of them has anything else to do
        strengths = {side: self._seats[side].strength for side in sides}
        minds = [
            _Mind(SidePlayer(spec, group, strengths[min(group)], session.match_id), self._random(min(group)))
            for group in groups
        ]
        self._thought = self._thinker.submit(_first_plan, minds, session.state)

    def _random(self, side: str) -> Random:
        session = self._session
        return Random(f"{session.match_id} {len(session.ledger.events)} {side}")

    def _act(self, plan: _Plan) -> None:
        session = self._session
        if plan.fields is None:
            return
        dice = session.game.dice_from_event(plan.fields)
        is_result = bool(dice) or plan.fields["event"] in SPECS[session.game.id].table_results
        if is_result and self._seats[plan.side].dice == "thrown":
            self._ask_to_throw(plan.side, dice)
            return
        self.wait()
        session.record(plan.fields, sequence=session.sequence, by=BY_OPPONENT, note=NOTE_DRAWN if is_result else None)

    def _ask_for_race(self) -> None:
        """Tell people that they throw for both sides in a race that the app cannot see."""
        side = next(side for side in sorted(self.sides))
        notice = Message("table.opponent_race", {"name": self._name(side)})
        if self._session.dice.notice is None:
            self._session.dice.show_notice(notice)

    def _draw_shared_dice(self) -> None:
        """Draw the opponents' dice of a roll that people make with them, before people throw theirs."""
        session, decision = self._session, self._session.decision()
        requests = tuple(
            request for request in shared_dice(decision, self.sides) if self._seats[str(request.side)].dice == "drawn"
        )
        if not requests or decision.required_before_dice is not None:
            return
        drawn = roll(session.game, session.state, requests, self._random("dice"))
        session.draw_dice(drawn, {str(request.side) for request in requests})
        side = str(requests[0].side)
        faces = comma_separated([_face_message(die) for die in drawn])
        session.dice.show_notice(Message("table.opponent_drew", {"name": self._name(side), "dice": faces}))

    def _ask_to_throw(self, side: str, dice: Collection[Die]) -> None:
        counts = dice_counts(tuple(dice))
        if not counts:
            return
        kinds = [
            Message("table.dice_of_kind", {"n": n, "kind": Message(f"sheet.kind.{kind}")}) for kind, n in counts.items()
        ]
        notice = Message("table.opponent_throw", {"name": self._name(side), "dice": comma_separated(kinds)})
        if self._session.dice.notice != notice:
            self._session.dice.show_notice(notice)

    def _name(self, side: str) -> str:
        return str(self._session.header["sides"][side]["name"])


@dataclass(frozen=True, slots=True)
class _Plan:
    """What opponents do after a pause: an event of a side, or nothing (`fields` None)."""

    side: str = ""
    fields: Fields | None = None


@dataclass(frozen=True, slots=True)
class _Mind:
    """A player and its chance."""

    player: SidePlayer
    random: Random


def _first_plan(minds: Sequence[_Mind], state: GameState) -> _Plan:
    """Return the event of the first player that has one."""
    for mind in minds:
        fields = mind.player.event(state, mind.random)
        if fields is not None:
            return _Plan(min(mind.player.sides), fields)
    return _Plan()


def _face_message(die: Die) -> Message:
    if die.symbol is not None:
        return Message(f"app.table.face.{die.symbol}")
    if die.colour is not None and die.value is None:
        return Message(f"app.table.face.{die.colour}")
    return Message("common.literal", {"text": str(die.value)})


# The choice of opponents before a match.

PERSON = "person"
"""The value of a side that a person plays whose name nobody said."""
NEW_PERSON = "person.new"
"""The value of the option that asks for the name of a person who never played here."""
_SEAT_ROW = "seat."
_PERSON_PREFIX = f"{PERSON}."


def person_value(id: str) -> str:
    """Return the value of a side that a known person plays."""
    return f"{_PERSON_PREFIX}{id}"


def is_seat_row(row: str) -> bool:
    """True for the row that tells who plays a side."""
    return row.startswith(_SEAT_ROW)


def seat_options(game: str, people: Sequence[Profile] = ()) -> tuple[Option, ...]:
    """Return who may play a side: `people`, another person, or an opponent by strength and origin of its dice."""
    results = "cards" if SPECS[game].table_results else "dice"
    found = [Option(person_value(person.id), literal(person.name)) for person in people]
    found.append(Option(NEW_PERSON, Message("app.opponents.new_person")))
    found.append(Option(PERSON, Message("app.opponents.person")))
    for dice in DICE_ORIGINS:
        for strength in STRENGTHS:
            label = Message(f"app.opponents.{strength}")
            found.append(Option(f"{strength}.{dice}", label, Message(f"app.opponents.{results}.{dice}")))
    return tuple(found)


def seat_fields(value: str) -> JsonObject | None:
    """Return a seat as in a header, from the value of an option; None for a person."""
    strength, _, dice = value.partition(".")
    return None if strength == PERSON else {"strength": strength, "dice": dice}


def seat_value(header: Fields, side: str) -> str:
    """Return who plays a side of a match, as the value of its option."""
    seat, person = seats_of(header).get(side), persons_of(header).get(side)
    if seat is not None:
        return f"{seat.strength}.{seat.dice}"
    return PERSON if person is None else person_value(person.id)


def header_seats(chosen: Mapping[str, str], people: Sequence[Profile] = ()) -> JsonObject:
    """Return the header's keys for the chosen values by side; empty if only unnamed people play."""
    seats = {side: seat for side, value in chosen.items() if (seat := seat_fields(value)) is not None}
    known = {person_value(person.id): {"id": person.id, "name": person.name} for person in people}
    persons = {side: known[value] for side, value in chosen.items() if value in known}
    return {**({OPPONENTS: seats} if seats else {}), **({PLAYED_BY: persons} if persons else {})}


def with_seat(chosen: Mapping[str, str], side: str, value: str) -> dict[str, str]:
    """Return the chosen values with another one for a side. A known person who moves leaves the side of before."""
    moved = {each for each, other in chosen.items() if other == value and value.startswith(_PERSON_PREFIX)}
    return {**{each: PERSON if each in moved else other for each, other in chosen.items()}, side: value}


def seat_row(game: str, side: str, value: str, people: Sequence[Profile] = ()) -> SetupRow:
    """Return the row of a side that tells who plays it."""
    options = seat_options(game, people)
    unnamed = next(option for option in options if option.value == PERSON)
    chosen = next((option for option in options if option.value == value), unnamed)
    detail = chosen.label
    if chosen.detail is not None:
        detail = comma_separated([chosen.label, chosen.detail])
    row_id = f"{_SEAT_ROW}{side}"
    icon = "pc" if seat_fields(str(chosen.value)) else "user"
    return SetupRow(row_id, Message("app.opponents.who"), detail, "list", icon, value=chosen.value, options=options)


class SeatedPreparation:
    """A game's preparation (`MatchPreparation`) with a row on each side for who plays it."""

    def __init__(self, plan: MatchPreparation, game: str, memory: Memory, people: Sequence[Profile] = ()) -> None:
        """Args: people: the persons who may play, those of the last matches first."""
        self._plan, self._game, self._memory, self._people = plan, game, memory, people
        memory.setdefault(OPPONENTS, {})

    def columns(self) -> tuple[SetupColumn, ...]:
        return tuple(self._with_seat(column) for column in self._plan.columns())

    def choose(self, row: str, value: object) -> None:
        if row.startswith(_SEAT_ROW):
            side = row.removeprefix(_SEAT_ROW)
            self._memory[OPPONENTS] = with_seat(self._memory[OPPONENTS], side, str(value))
        else:
            self._plan.choose(row, value)

    def missing(self) -> tuple[Message, ...]:
        return self._plan.missing()

    def header(self) -> JsonObject:
        header = self._plan.header()
        chosen = {side: value for side, value in self._memory[OPPONENTS].items() if side in header["sides"]}
        return {**header, **header_seats(chosen, self._people)}

    def _with_seat(self, column: SetupColumn) -> SetupColumn:
        if column.side is None:
            return column
        row = seat_row(self._game, column.side, self._memory[OPPONENTS].get(column.side, PERSON), self._people)
        named = len(column.rows) > 0 and column.rows[0].kind == "text"
        rows = (*column.rows[:named], row, *column.rows[named:])
        return SetupColumn(column.side, column.colour, column.title, rows, column.letter)
