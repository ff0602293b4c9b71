"""What the other packages need from a game besides its rules: each game's folder defines one `GameSpec`.

Everything has a default: a game that provides only rules can be played, shown, ranked and reported in plain form.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Generic, Literal, Protocol, TypeVar

from companion.games.base import (
    Board,
    DiceStatistics,
    Die,
    DieOutcome,
    ExpectedVsActual,
    Fields,
    Game,
    GameState,
    JsonObject,
    Message,
    Outcome,
    Prompt,
)
from companion.games.catalogue import CardSource, CatalogueKind, Clubs, NoCards, Row
from companion.games.figures import PlainBoard
from companion.games.moments import ResultMoment
from companion.games.preparation import DefaultPreparation, MatchPreparation, Memory, SetupRow
from companion.games.summary import MatchFigures, PlayedEvent, no_summary

State = TypeVar("State")
Event = TypeVar("Event")
BoardIn = TypeVar("BoardIn")
StateIn = TypeVar("StateIn", contravariant=True)

AutoPlayer = Callable[[State, Random], Fields]
"""Chooses a legal event for the side to act in an unfinished match; dice are random."""


class GreedyPlayer(Protocol[StateIn]):
    """Picks the best event by exact odds, as far as it looks ahead; None where the odds do not decide."""

    def __call__(self, state: StateIn, random: Random, sides: Collection[str] = ...) -> Fields | None:
        """Return an event. With `sides`, it is one of theirs, or `NOTHING` if they do nothing although they may."""
        ...


@dataclass(frozen=True, slots=True)
class LineUpMember:
    """A person or a card of a side: the role, the name and notes."""

    role: Message
    name: str
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class LineUpGroup:
    """A group of members: the team on the pitch, the bench, a court, tactics."""

    title: Message
    members: tuple[LineUpMember, ...]


LineUp = Mapping[str, tuple[LineUpGroup, ...]]
"""The groups of each side; empty for a game without such cards, or before they are known."""


@dataclass(frozen=True, slots=True)
class MatchEnding:
    """How a match ended: the winner (None: nobody) and, if the game says so, the way (`goals`, `shootout`, …)."""

    winner: str | None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """Tournament points of a match. `forfeit` is the score of a forfeit, the winner's first."""

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3
    forfeit: tuple[int, int] = (3, 0)


@dataclass(frozen=True, slots=True)
class FirstLegResult:
    """The result of the first of two legs: goals by side of the game, and what the game carries over."""

    score: Mapping[str, int]
    carry_over: Fields | None


@dataclass(frozen=True, slots=True)
class LegacyCards:
    """Cards kept from round to round: the round number, the highest cost so far, card ids by side of the game."""

    round: int
    threshold: int
    cards: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class KeepableCard:
    """A card that a side may keep after a match of a legacy tournament."""

    id: str
    name: str
    cost: int
    kind: Literal["player", "tactic"]


@dataclass(frozen=True, slots=True)
class Fixture:
    """A tournament's match, as a game sees it. `leg` 0 is a match of one leg.

    In a `table` the standings decide, and a draw is a valid result. `first_leg` is set in a second leg whose first
    leg has a result.
    """

    home: str
    table: bool
    leg: int = 0
    first_leg: FirstLegResult | None = None
    kept_cards: LegacyCards | None = None


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What follows a finished match at the same table: the label, and the game's page that prepares it.

    The page receives `args` and, as `follows`, the id of the finished match.
    """

    label: Message
    page: str
    args: Fields = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScorePeriod:
    """A period on a printed score sheet: its title, and numbered columns for its turns or points."""

    title: Message
    columns: int


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of a printed star sheet. `boxes`: empty boxes to tick, or stars if `stars`; 0: a space to write in."""

    title: Message
    width: float = 1.0
    boxes: int = 0
    stars: bool = False


@dataclass(frozen=True, slots=True)
class PlaySheets:
    """What a game prints for play on paper.

    - `periods`: the periods of a match
    - `records`: what is noted for each side in every column of a period
    - `people`, `rows`: the columns and the number of rows of the star sheet; no star sheet without columns
    """

    periods: tuple[ScorePeriod, ...] = ()
    records: tuple[Message, ...] = ()
    people: tuple[SheetColumn, ...] = ()
    rows: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RematchSpec:
    """What a match takes over from the one before, played by the same sides (`companion.table.rematch`).

    - `set_up`: returns the new header's `setup` from the old one
    - `phases`: the events of these phases prepare the match and are recorded again
    - `chosen_anew`: names of those events that the sides may rather choose for each match
    """

    set_up: Callable[[Fields], JsonObject] = dict
    phases: tuple[str, ...] = ()
    chosen_anew: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Screens:
    """The screens that a game draws itself, as dotted names (`package.module:name`), imported when first shown.

    Only the package `screens` of a game's folder imports the app; the dotted names keep the import out of everything
    else.
    """

    board: str = "companion.app.figures.scoreboard:PANEL"
    """The scoreboard (`companion.app.figures.scoreboard.ScorePanel`)."""
    dice: str = ""
    """Draws a face of the game's dice: called with the face, its edge length in dp and the kind of die, one of
    `dice_kinds`.
    """
    dice_kinds: tuple[str, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    """The game's own pages, by name."""
    preparation_page: str = ""
    """The game's own preparation page; if empty, the common one, built from `GameSpec.prepare`."""
    preparation_phases: tuple[str, ...] = ()
    """Phases in which a match is still being prepared: it resumes on the preparation page."""
    editor: str = ""
    """The game's own page that answers prompts of kind `lineup`."""
    catalogue_tile: str = ""
    """A tile beside the game's catalogues: called with the app, returns a `companion.app.game_screens.Tile`."""
    tile_art: str = ""
    """The chalk drawing of the game's tile, as a path in an area of 220 by 190."""
    tile_dice: tuple[Die, ...] = ()
    """The dice on the game's tile; a hand of cards if empty."""


def unknown_cards(_: object, __: str, ___: int) -> None:
    """Return None: the game does not tell which cards may be kept."""
    return


def no_set_up(_: Fixture) -> JsonObject:
    """Decide nothing: the header takes only the sides' names from the tournament."""
    return {}


def no_score_doubt(_: Fields, __: tuple[int, int]) -> Message | None:
    """Return None: the rules of the game say nothing about scores."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """How a game's matches count in a tournament.

    - `sides`: the game's home side, then the away side; by default the first two of the game
    - `chain`: the tie-breaks of a round robin, in order
    - `minutes`: the first estimate of a match's length; observed times soon outweigh it
    - `set_up`: returns the keys of the header's `setup` that the tournament decides
    - `match_rows`: the rows of the game's preparation that say what a match is; the tournament may fix them
    - `played_settings`: for a row of `match_rows`, the keys of the header's `setup` that tell its value (joined by
      dots), and the value where the header leaves them out; a row that is not here is not compared
    - `score_doubt`: returns why a score does not fit the rules, from the values of `match_rows` that are fixed; None if
      it does, or if the rules say nothing about scores
    - `keeps_cards`: whether sides may keep cards from round to round (thresholds)
    - `keepable`: returns what a side may keep at the end of a match, up to a cost; None if the match does not tell
    """

    sides: tuple[str, str] | None = None
    points: Points = Points()
    chain: tuple[str, ...] = ("points", "difference", "scored", "direct_points")
    minutes: int = 45
    set_up: Callable[[Fixture], JsonObject] = no_set_up
    match_rows: tuple[str, ...] = ()
    played_settings: Mapping[str, tuple[str, object]] = field(default_factory=dict)
    score_doubt: Callable[[Fields, tuple[int, int]], Message | None] = no_score_doubt
    keeps_cards: bool = False
    keepable: Callable[[GameState, str, int], Sequence[KeepableCard] | None] = unknown_cards


def all_known(state: State, _: Collection[str], __: str) -> State:
    """Return the state itself: nothing in it is secret."""
    return state


class NoDiceStatistics:
    """The default of a game that computes no probabilities or shows none."""

    def expected_vs_actual(
        self, before: object, fields: Fields, outcome: Outcome, after: object
    ) -> tuple[ExpectedVsActual, ...]:
        return ()

    def die_outcomes(self, before: object, fields: Fields) -> tuple[DieOutcome, ...]:
        return ()

    def face_probabilities(self, state: object, kind: str) -> dict[str, Fraction]:
        return {}


NO_DICE_STATISTICS = NoDiceStatistics()


def no_line_up(_: object) -> LineUp:
    """Return an empty line-up: the game has no cards or people."""
    return {}


def id_as_name(_: object, __: str, id: str) -> str:
    """Return the id: the game has no names for its people."""
    return id


def default_clock(board: object) -> Message | None:
    """Return a plain board's text about the progress of the match."""
    return board.clock if isinstance(board, PlainBoard) else None


def no_die_correction(_: object, fields: Fields, __: Die, ___: Die) -> Fields:
    """Return the event unchanged: the game's dice are not in lanes."""
    return fields


def no_turns(_: object) -> tuple[int, int]:
    """Return no turns: the scoreboard does not show them."""
    return 0, 0


def no_rows(_: CatalogueKind) -> None:
    """Return None: the samples are tables in the game's folder."""


def no_follow_up(_: Fields) -> None:
    """Return None: each match is played for itself."""
    return


def nothing_decided(_: MatchPreparation, __: Fields, ___: Mapping[str, str]) -> None:
    """Store nothing: the preparation does not depend on what a tournament decides."""


def nothing_carried(_: object) -> tuple[Message, ...]:
    """Return no sentences: nothing passes on to another match."""
    return ()


def no_marks(_: object) -> Mapping[tuple[str, str], Mapping[str, int]]:
    """Return no marks: the game shows no cards and injures nobody."""
    return {}


@dataclass(frozen=True, slots=True)
class MatchPart:
    """A part of a match under one heading of the timeline. `is_turn`: it is a step of the axis of the score."""

    heading: Message
    is_turn: bool = True


def no_parts(_: object) -> None:
    """Return None: the match has no parts; its score is drawn over its events."""
    return


def named_side(fields: Fields, outcome: Outcome | None) -> str | None:
    """Return the side that an event or its outcome names."""
    named = (fields.get("side"), fields.get("team"), (outcome or {}).get("side"))
    return next((side for side in named if isinstance(side, str)), None)


def no_acting_side(_: object, __: Fields) -> str | None:
    """Return None: every event of the game that belongs to a side names it."""
    return None


def no_moments(_: object, __: Fields, ___: Outcome, ____: object) -> Sequence[ResultMoment]:
    """Return no moments: the results of the game are only told in its timeline."""
    return ()


def no_opening(_: object) -> tuple[Fields, ...]:
    """Return no events: the players act from the first state on."""
    return ()


def default_ending(view: Fields) -> MatchEnding | None:
    """Return the end of a game whose view has `winner`, and either `over` or a phase of that name."""
    return MatchEnding(view["winner"]) if view.get("over", view["phase"] == "over") is True else None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSpec(Generic[State, Event, BoardIn]):
    """A game and everything that other packages need from it.

    - `colours`: the colour tokens of its sides, in order
    - `letters`: the letters of their badges (empty: the initials of their names)
    - `max_dice`: the maximum dice of a roll on the simulated tray (0: unlimited)
    - `phases`: the relevant rules of each phase
    """

    game: Game[State, Event]
    colours: tuple[str, ...] = ("blue", "red", "orange", "white")
    letters: str = ""
    max_dice: int = 0
    phases: Mapping[str, Sequence[str]] = field(default_factory=dict)

    greedy_player: GreedyPlayer[State] | None = None
    """Picks the best event by exact odds, as far as it looks ahead; where it returns None, the random player acts."""
    careless_player: GreedyPlayer[State] | None = None
    """What a beginner does without thinking; if None, a random choice of those that the game does not play down."""
    known_state: Callable[[State, Collection[str], str], State] = all_known
    """The state as some sides may know it, with a hand dealt from a seed where the app plays a side of hidden cards."""
    table_results: tuple[str, ...] = ()
    """Events with a result that only the real table knows, besides dice: a card turned up, a shot with a ball."""
    dice_statistics: DiceStatistics[State] = NO_DICE_STATISTICS
    """Probabilities for statistics: the game's `dice_statistics` module."""

    line_up: Callable[[State], LineUp] = no_line_up
    """The public line-up of each side in a state. It contains nothing secret."""
    person_name: Callable[[State, str, str], str] = id_as_name
    """The display name of a person: called with the state, the side and the id; returns the id if no name is known."""

    moments: Callable[[State, Fields, Outcome, State], Sequence[ResultMoment]] = no_moments
    """What an event means, to be shown large for a moment: called with the state before it, the event, its outcome and
    the state after it.
    """

    clock: Callable[[BoardIn], Message | None] = default_clock
    """The progress of the match in words, from the board of its scene; None if there is nothing to show."""
    part: Callable[[State], MatchPart | None] = no_parts
    """The part of the match that the next event belongs to; parts with the same heading in a row are one."""
    acting_side: Callable[[State, Fields], str | None] = no_acting_side
    """Whose action an event is that names no side, from the state before it; None if it is both sides' or nobody's."""
    turn_unit: str = "app.statistics.facts"
    """The message id of what the parts that are turns are called, on the axis of the score."""
    turns: Callable[[BoardIn], tuple[int, int]] = no_turns
    """The number of turns of the half and the current turn, from the board; (0, 0) if turns are not shown."""
    ending: Callable[[Fields], MatchEnding | None] = default_ending
    """The end of the match, from the game's view of its state (`Game.view`); None before the end."""

    summary: Callable[[Sequence[PlayedEvent[State]]], MatchFigures] = no_summary
    """The scorers and counts of the events so far, for the boards of half-time and of the end."""
    breaks: tuple[str, ...] = ()
    """Phases between two parts of a match, in which the table shows the board so far."""
    rematch: RematchSpec = RematchSpec()

    tournament: TournamentSpec = TournamentSpec()

    catalogues: tuple[CatalogueKind, ...] = ()
    clubs: Clubs | None = None
    """How the game's clubs are stored, if each has its own file."""
    sample_rows: Callable[[CatalogueKind], Iterable[Row] | None] = no_rows
    """The sample rows of a catalogue; None if they are a table in the game's folder `samples`, or there are none."""

    set_up: tuple[Prompt, ...] = ()
    """The settings of a match besides the names of the sides: each answer is a key of the header's `setup`."""
    preparation: Callable[[Memory, CardSource], MatchPreparation] | None = None
    """The game's own preparation, from the page's memory and the table's cards; if None, one is made from `set_up`."""
    decide: Callable[[MatchPreparation, Fields, Mapping[str, str]], None] = nothing_decided
    """Stores in the game's own preparation the keys of `setup` that a tournament decides.

    Called with the preparation, the keys, and the tournament's side for each side of the preparation.
    """
    quick_start_answers: Mapping[str, object] = field(default_factory=dict)
    """Values for rows of the preparation that make a short match, for beginners."""
    guided_header: Callable[[], JsonObject] | None = None
    """The header of a beginners' match, if the preparation does not make it."""
    opening: Callable[[State], Sequence[Fields]] = no_opening
    """The events that take a beginners' match from its first state to the first action of its players."""

    follow_up: Callable[[Fields], FollowUp | None] = no_follow_up
    """What follows a finished match with this header at the same table, such as a second leg."""

    carried: Callable[[State], Sequence[Message]] = nothing_carried
    """What passes on from a finished match to the one that follows it, such as suspensions; one sentence each."""
    person_marks: Callable[[State], Mapping[tuple[str, str], Mapping[str, int]]] = no_marks
    """The marks of persons in a match, by side and id: counts by the suffix of a message `app.history.mark.…`."""
    season_note: Message | None = None
    """What the rules carry from match to match, and what they do not; None if they carry nothing."""

    sheets: PlaySheets = PlaySheets()
    """The printed score sheet and star sheet."""

    side_keys: tuple[str, ...] = ()
    """Keys of `setup` that name a side or hold a value for each side, in a game whose sides have free names."""

    screens: Screens = Screens()
    proposed_faces: Mapping[str, Sequence[tuple[int, str | None]]] = field(default_factory=dict)
    """The number and colour of each face proposed by the program, for kinds of dice that the rulebook leaves open."""
    bulk_dice: tuple[str, ...] = ()
    """Kinds of dice that are rolled by the dozen, so that the screen shows no slots for them."""
    with_corrected_die: Callable[[State, Fields, Die, Die], Fields] = no_die_correction
    """Returns an event with one of its dice (in a figure of lanes) changed to another face, in a state."""

    @property
    def id(self) -> str:
        """The game's name in headers, file names and message ids."""
        return self.game.id

    @property
    def home_sides(self) -> tuple[str, str]:
        """The game's home side in a tournament, then its away side."""
        if self.tournament.sides is not None:
            return self.tournament.sides
        home, away, *_ = self.game.sides
        return home, away

    def prepare(self, memory: Memory, cards: CardSource) -> MatchPreparation:
        """Return the preparation of a match; it reads and stores every choice in `memory`."""
        if self.preparation is not None:
            return self.preparation(memory, cards)
        sides = dict(zip(self.game.sides, self.colours, strict=False))
        return DefaultPreparation(self.id, sides, memory, self.set_up)

    def match_rows(self) -> tuple[SetupRow, ...]:
        """Return the rows of the preparation that a tournament may fix, as they are without cards."""
        rows = {row.id: row for column in self.prepare({}, NoCards()).columns() for row in column.rows}
        return tuple(rows[id] for id in self.tournament.match_rows if id in rows)

    def colour_of(self, side: str) -> str:
        """Return the colour token of a side in a tournament's match, as the game's own screens use it."""
        return dict(zip(self.home_sides, self.colours, strict=False)).get(side, side)

    def side_of_event(self, before: State, fields: Fields, outcome: Outcome | None) -> str | None:
        """Return the side that acts in an event: the one that it or its outcome names, otherwise `acting_side`."""
        named = named_side(fields, outcome)
        return named if named is not None else self.acting_side(before, fields)

    def letter_of(self, index: int, name: str) -> str:
        """Return the letter of the side at an index: the game's own, otherwise the initial of its name."""
        if index < len(self.letters):
            return self.letters[index]
        return next((sign.upper() for sign in name if sign.isalnum()), "?")


AnySpec = GameSpec[GameState, object, Board]
"""The specification of any game."""
