"""What the other packages ask of a game besides its rules: one `GameSpec` in each game's folder.

Everything has a default, so that a game of rules alone is played, shown, ranked and reported in plain forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Generic, TypeVar

from companion.games.base import (
    Ask,
    Board,
    Chances,
    Die,
    Fallen,
    Fields,
    Game,
    GameState,
    JsonObject,
    Luck,
    Message,
    Outcome,
)
from companion.games.catalogue import Cards, Clubs, Kind, Row
from companion.games.figures import PlainBoard
from companion.games.preparing import Memory, PlainPreparing, Preparing

State = TypeVar("State")
Event = TypeVar("Event")
BoardIn = TypeVar("BoardIn")

Player = Callable[[State, Random], Fields]
"""Chooses a legal event for whoever is to act in a state that is not finished; dice fall by chance."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody or a card of a side: the post, the name, what there is to say besides."""

    role: Message
    name: str
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Members that belong together: those on the pitch, the bench, a court, tactics."""

    title: Message
    members: tuple[Member, ...]


LineUp = Mapping[str, tuple[Group, ...]]
"""The groups of each side; none for a game that has no such cards, or before they are known."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended: who won (None: nobody) and by what, where the game says so (`goals`, `shootout`, …)."""

    winner: str | None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """What a match brings to the table. `forfeit` is the score that counts for one, the winner's first."""

    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3
    forfeit: tuple[int, int] = (3, 0)


@dataclass(frozen=True, slots=True)
class FirstLeg:
    """How the first of two legs ended: goals by side of the game, and what the game carried over from it."""

    score: Mapping[str, int]
    carried: Fields | None


@dataclass(frozen=True, slots=True)
class Kept:
    """Cards kept from round to round: the number of the round, the highest cost so far, ids by side of the game."""

    round: int
    threshold: int
    cards: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Fixture:
    """A tournament's match, as far as a game may want to know of it. `leg` 0 is a match of one leg.

    In a `table` standings decide, and a draw stands. `first_leg` is known in a second leg whose first has a result.
    """

    home: str
    table: bool
    leg: int = 0
    first_leg: FirstLeg | None = None
    kept: Kept | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Screens:
    """What a game draws itself, by dotted names (`package.module:name`) that are loaded when they are first shown.

    Only the package `screens` of a game's folder knows the app; the names keep it out of everything else.
    """

    board: str = "companion.app.figures.scoreboard:PANEL"
    """The scoreboard (`companion.app.figures.scoreboard.Panel`)."""
    dice: str = ""
    """Draws a face of the game's dice: called with the face, the side in dp and the kind of die, one of `kinds`."""
    kinds: tuple[str, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    """The game's own pages by name."""
    prepare: str = ""
    """The own page that prepares a match; the one of all games, made of `GameSpec.prepare`, if empty."""
    early: tuple[str, ...] = ()
    """Phases in which a match is still prepared: it is taken up on that page."""
    editor: str = ""
    """The own page on which asks of the kind `lineup` are answered."""
    catalogue_tile: str = ""
    """A tile beside the game's catalogues: called with the app, gives a `companion.app.game_screens.Tile`."""
    art: str = ""
    """The chalk drawing of its tile, as a path in a field of 220 by 190."""
    needs: tuple[Die, ...] = ()
    """The dice on its tile; a hand if there are none."""


def nothing_decided(_: Fixture) -> JsonObject:
    """A game whose header takes the names of the sides from a tournament, and no more."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """How a game's matches count in a tournament.

    `sides` are the game's side that plays at home, then the other; of the game's own, the first two. `chain` parts
    those who are level in a round robin, first to last. `minutes` is the first guess of a match's length; what is
    observed soon outweighs it. `set_up` gives the keys of `setup` in the header that a tournament decides.
    """

    sides: tuple[str, str] | None = None
    points: Points = Points()
    chain: tuple[str, ...] = ("points", "difference", "scored", "direct_points")
    minutes: int = 45
    set_up: Callable[[Fixture], JsonObject] = nothing_decided


class NoChances:
    """A game that knows no odds, or shows none."""

    def luck(self, before: object, fields: Fields, outcome: Outcome, after: object) -> tuple[Luck, ...]:
        return ()

    def fallen(self, before: object, fields: Fields) -> tuple[Fallen, ...]:
        return ()

    def shares(self, state: object, kind: str) -> dict[str, Fraction]:
        return {}


NO_CHANCES = NoChances()


def no_line_up(_: object) -> LineUp:
    """A game without cards or people."""
    return {}


def by_id(_: object, __: str, id: str) -> str:
    """A game whose people are called by their ids."""
    return id


def plain_clock(board: object) -> Message | None:
    """What a plain board says of how far the match is."""
    return board.clock if isinstance(board, PlainBoard) else None


def not_mended(_: object, fields: Fields, __: Die, ___: Die) -> Fields:
    """A game whose dice do not lie in lanes."""
    return fields


def no_turns(_: object) -> tuple[int, int]:
    """A scoreboard without turns."""
    return 0, 0


def no_rows(_: Kind) -> None:
    """Samples that are tables in the game's folder."""


def no_opening(_: object) -> tuple[Fields, ...]:
    """A match whose players act from its first state on."""
    return ()


def usual_ending(view: Fields) -> Ending | None:
    """The end of a game whose view has `winner`, and `over` or a phase of that name."""
    return Ending(view["winner"]) if view.get("over", view["phase"] == "over") is True else None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSpec(Generic[State, Event, BoardIn]):
    """A game and all that is asked of it.

    `colours` are the colour tokens of its sides in their order, `letters` those in their badges (none: the initials of
    their names). `most_dice` bounds a throw of the simulated tray (0: no bound). `phases` lists the rules that matter
    in each phase.
    """

    game: Game[State, Event]
    colours: tuple[str, ...] = ("blue", "red", "orange", "white")
    letters: str = ""
    most_dice: int = 0
    phases: Mapping[str, Sequence[str]] = field(default_factory=dict)

    sound_player: Callable[[State, Random], Fields | None] | None = None
    """Takes what is best by the exact odds, as far as it looks ahead; the random player acts where it gives None."""
    chances: Chances[State] = NO_CHANCES
    """What statistics ask: the game's module `luck`."""

    line_up: Callable[[State], LineUp] = no_line_up
    """Who and what each side plays with in a state. Nothing that is secret."""
    person: Callable[[State, str, str], str] = by_id
    """What the players call somebody: called with the state, the side and the id; the id if nothing else is known."""

    clock: Callable[[BoardIn], Message | None] = plain_clock
    """How far the match is, in words, by the board of its scene; None where there is nothing to say."""
    turns: Callable[[BoardIn], tuple[int, int]] = no_turns
    """How many turns the half has and which one it is, by the board; (0, 0) where turns are not shown."""
    ending: Callable[[Fields], Ending | None] = usual_ending
    """How the match ended, by the game's view of its state (`Game.view`); None before its end."""

    tournament: TournamentSpec = TournamentSpec()

    catalogues: tuple[Kind, ...] = ()
    clubs: Clubs | None = None
    """The clubs of the game, if they are kept a file each."""
    sample_rows: Callable[[Kind], Iterable[Row] | None] = no_rows
    """The sample of a catalogue; None where it is a table in the game's folder `samples`, or there is none."""

    set_up: tuple[Ask, ...] = ()
    """What is asked before a match besides the names of the sides: each answer is a key of the header's `setup`."""
    preparing: Callable[[Memory, Cards], Preparing] | None = None
    """A preparation of its own, by the memory of the page and the table's cards; the one made of `set_up` if None."""
    first_match: Mapping[str, object] = field(default_factory=dict)
    """Answers to rows of the preparation that make a short match, for beginners."""
    guided_header: Callable[[], JsonObject] | None = None
    """The header of a beginners' match, if the preparation does not make it."""
    opening: Callable[[State], Sequence[Fields]] = no_opening
    """The events that bring a beginners' match from its first state to where its players act."""

    side_keys: tuple[str, ...] = ()
    """Keys of `setup` that name a side or hold something for each, in a game whose sides may be called anything."""

    screens: Screens = Screens()
    proposed_faces: Mapping[str, Sequence[tuple[int, str | None]]] = field(default_factory=dict)
    """Number and colour of each face of kinds of dice that the rulebook leaves open, as the program proposes them."""
    heaped: tuple[str, ...] = ()
    """Kinds of dice that are thrown by the dozen, so that no slots stand for them."""
    mended: Callable[[State, Fields, Die, Die], Fields] = not_mended
    """An event made by dice with one of them (of a figure of lanes) showing another face, by the state."""

    @property
    def id(self) -> str:
        """The game's name in headers, file names and message ids."""
        return self.game.id

    @property
    def home_sides(self) -> tuple[str, str]:
        """The game's side that plays at home in a tournament, then the other."""
        if self.tournament.sides is not None:
            return self.tournament.sides
        home, away, *_ = self.game.sides
        return home, away

    def prepare(self, memory: Memory, cards: Cards) -> Preparing:
        """The preparation of a match: reads and keeps every choice in `memory`."""
        if self.preparing is not None:
            return self.preparing(memory, cards)
        sides = dict(zip(self.game.sides, self.colours, strict=False))
        return PlainPreparing(self.id, sides, memory, self.set_up)

    def colour_of(self, side: str) -> str:
        """The colour token of a side of a tournament's match, as the game's own screens give it."""
        return dict(zip(self.home_sides, self.colours, strict=False)).get(side, side)

    def letter_of(self, place: int, name: str) -> str:
        """The letter of the side in a place: the game's own, else the initial of its name."""
        if place < len(self.letters):
            return self.letters[place]
        return next((sign.upper() for sign in name if sign.isalnum()), "?")


AnySpec = GameSpec[GameState, object, Board]
"""The specification of some game."""
