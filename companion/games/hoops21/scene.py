"""What there is to see of a hoops21 match: both teams with their facts, the scoreboard's value and the figures."""

from __future__ import annotations

from companion.games.base import Fact, Scene, SideScene
from companion.games.hoops21 import inbounding, shots
from companion.games.hoops21.awaits_trial import after
from companion.games.hoops21.chart import choices
from companion.games.hoops21.court import Court
from companion.games.hoops21.scene_board import BoardMark, BoardRace, BoardSide, BoardThrow, HoopsBoard
from companion.games.hoops21.scene_figures import figures
from companion.games.hoops21.scene_throws import groups
from companion.games.hoops21.state import Contest, State, Stats, balls, candidates, highest
from companion.games.hoops21.tables import SIDES, Side, index_of
from companion.games.hoops21.words import word

LETTERS = {"orange": "O", "white": "B"}


def scene(state: State) -> Scene:
    return Scene(
        sides=tuple(
            SideScene(side, state.setup.name(side), side, LETTERS[side], _facts(state.stats[index_of(side)]))
            for side in SIDES
        ),
        board=board(state),
        figures=figures(state),
    )


def _facts(stats: Stats) -> tuple[Fact, ...]:
    """Five, the most telling first."""
    made, tried = stats.two_made + stats.three_made, stats.two_tried + stats.three_tried
    return (
        Fact(word("fact", "throws_won"), str(stats.throws_won)),
        Fact(word("fact", "dunks"), str(stats.dunks + stats.slam_dunks)),
        Fact(word("fact", "shots"), f"{made}/{tried}"),
        Fact(word("fact", "free_throws"), f"{stats.ft_made}/{stats.ft_tried}"),
        Fact(word("fact", "steals"), str(stats.steals)),
    )


def board(state: State) -> HoopsBoard:
    """The scoreboard's value."""
    court = state.setup.court
    race = None
    if state.set_aside is not None:
        race = BoardRace(state.on_court[0], inbounding.to_cross(state), state.set_aside)
    return HoopsBoard(
        sides=(_side(state, "orange"), _side(state, "white")),
        score=state.score,
        target=state.setup.target,
        phase=state.phase,
        sections=court.sections,
        arcs=(court.section("white", court.arc), court.section("orange", court.arc)),
        marks=_marks(court),
        pawn=state.pawn,
        attack=state.attack,
        aims=_aims(state),
        throws=_throws(state.contest),
        race=race,
        free_throw=state.free_throws.number if state.free_throws else None,
        winner=state.winner,
    )


def _side(state: State, side: Side) -> BoardSide:
    role = None if state.attack is None else "attack" if state.attack == side else "defence"
    return BoardSide(side, state.setup.name(side), role, state.token == side, state.dice_next[index_of(side)])


def _marks(court: Court) -> tuple[BoardMark, ...]:
    """Marks by distance apply to both teams alike, so each stands on both halves (HB-2.6)."""
    found = [
        BoardMark(court.section(side, distance), mark)
        for side in SIDES
        for distance, mark in enumerate(court.marks)
        if mark
    ]
    return tuple(sorted(found, key=lambda mark: mark.section))


def _aims(state: State) -> tuple[int, ...]:
    """Where the pawn would come to lie by a choice that moves it, in the order of the choices."""
    found: list[int] = []
    if state.phase == "choose":
        court = state.setup.court
        for event in choices(state):
            end = after(state, event)
            aim = end.pawn
            if end.score != state.score:
                aim = court.section(state.on_court[0], 0)
            found += [aim] if aim is not None and aim != state.pawn else []
    elif state.phase == "shot" and shots.inside(state):
        found += [section for section in (shots.stepped_back(state).pawn,) if section is not None]
    return tuple(dict.fromkeys(found))


def _throws(contest: Contest | None) -> tuple[BoardThrow, ...]:
    if contest is None:
        return ()
    return tuple(_throw(contest, side) for side in SIDES if sum(contest.of(side)))


def _throw(contest: Contest, side: Side) -> BoardThrow:
    """The symbols that count first, the others by their numbers."""
    counts = contest.of(side)
    playing = candidates(counts) if contest.kind == "throw" else ("ball",)
    count = highest(counts) if contest.kind == "throw" else balls(counts)
    return BoardThrow(side, groups(counts, playing), count, tuple(playing))
