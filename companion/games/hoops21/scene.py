"""What there is to see of a hoops21 match: both teams with their facts, the scoreboard's value and the figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from companion.games.base import Die, Fact, Message, Scene, SideScene
from companion.games.figures import (
    DiceGroup,
    Figure,
    Headline,
    Notice,
    OddsBar,
    OddsPart,
    Race,
    RaceLane,
    Sum,
    Term,
    ThrowRow,
    Throws,
)
from companion.games.hoops21 import inbounding, odds, shots
from companion.games.hoops21.awaits import prize
from companion.games.hoops21.chart import choices, chooser
from companion.games.hoops21.contests import leader
from companion.games.hoops21.court import Court
from companion.games.hoops21.free_throws import under_way
from companion.games.hoops21.sound_player import after
from companion.games.hoops21.state import Contest, Counts, State, Stats, balls, candidates, highest
from companion.games.hoops21.tables import DICE, RANGES, SIDES, SYMBOLS, Side, Symbol, index_of, other
from companion.games.hoops21.words import dice_said, said, some, symbol, word
from companion.games.wording import listed, signed


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One team. `role` is `attack` or `defence`, None while there is no pawn; `dice` are those of its next throw."""

    side: str
    name: str
    role: str | None
    token: bool
    dice: int


@dataclass(frozen=True, slots=True)
class BoardThrow:
    """Dice of a team that lie and count: `groups` are symbols with their numbers, those that count first.

    `count` is the team's count in a throw, its balls elsewhere; `playing` the symbols of which it may play one.
    """

    side: str
    groups: tuple[tuple[str, int], ...]
    count: int
    playing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardRace:
    """The inbounding race: steps left to the line, and S set aside of six."""

    team: str
    to_cross: int
    set_aside: int


@dataclass(frozen=True, slots=True)
class BoardMark:
    """A section with a printed mark of +1 or −1, for whoever attacks there."""

    section: int
    value: int


@dataclass(frozen=True, slots=True)
class HoopsBoard:
    """Sections count from orange's basket.

    `arcs` are the outermost sections inside the arcs before orange's and white's basket, `aims` those that a choice
    leads to.
    """

    sides: tuple[BoardSide, BoardSide]
    score: tuple[int, int]
    target: int
    phase: str
    sections: int
    arcs: tuple[int, int]
    marks: tuple[BoardMark, ...]
    pawn: int | None
    attack: str | None
    aims: tuple[int, ...]
    throws: tuple[BoardThrow, ...]
    race: BoardRace | None
    free_throw: int | None
    """The number of the free throw under way."""
    winner: str | None


# What both teams have thrown, sorted by symbols: the groups that count first, and the number they make.


def throws(state: State) -> Throws:
    """The dice that lie, of every team that threw."""
    contest = state.lying
    return Throws(tuple(_row(state, contest, side) for side in SIDES if sum(contest.of(side))))


def groups(counts: Counts, counting: tuple[Symbol, ...]) -> tuple[tuple[Symbol, int], ...]:
    """Symbols with their numbers: those that count first, the others by their numbers."""
    found = [(name, count) for name, count in zip(SYMBOLS, counts, strict=True) if count]
    return tuple(sorted(found, key=lambda group: (group[0] not in counting, -group[1])))


def _row(state: State, contest: Contest, side: Side) -> ThrowRow:
    counts = contest.of(side)
    counting = candidates(counts) if contest.kind == "throw" else ("ball",)
    dice = tuple(DiceGroup(Die(side, symbol=name), count, name in counting) for name, count in groups(counts, counting))
    number, label = _number(state, contest, side)
    return ThrowRow(side, dice, number, label)


def _number(state: State, contest: Contest, side: Side) -> tuple[int, Message]:
    """In a throw the highest count and of which symbols; else balls, of a shot with what the section adds."""
    counts = contest.of(side)
    if contest.kind == "throw":
        return highest(counts), listed([symbol(name) for name in candidates(counts)])
    added = shots.modifier(state) if contest.kind == "shot" and side == state.attack else 0
    label = word("term", "balls")
    if added:
        label = Message("hoops21.term.balls_with", {"balls": balls(counts), "added": signed(added)})
    return balls(counts) + added, label


# The figures in the centre of the table screen, phase by phase: headline, sums of a shot, odds, advice.

SHOTS = 100
"""Shots over which expected points are told, so that they are whole numbers."""


def figures(state: State) -> tuple[Figure, ...]:
    """From top to bottom."""
    return _FIGURES[state.phase](state)


def _jump_ball(state: State) -> tuple[Figure, ...]:
    """What is awaited says it all."""
    return ()


def _throw(state: State) -> tuple[Figure, ...]:
    attack, pawn = state.on_court
    inside = "inside" if shots.inside(state) else "outside"
    detail = Message(f"hoops21.headline.{inside}", {"section": pawn, "points": shots.points(state)})
    chances = odds.throw(state.setup.faces, state.dice_next)
    return (Headline(said("headline.attack", state, attack), detail), _throw_bar(state, chances))


def _throw_bar(state: State, chances: Mapping[str, Fraction]) -> OddsBar:
    """Who wins the throw; the token decides a tie."""
    parts = [OddsPart(said("odds.wins", state, side), str(chances[side]), side) for side in SIDES]
    return OddsBar((parts[0], OddsPart(word("odds", "tie"), str(chances["tie"])), parts[1]))


def _tie(state: State) -> tuple[Figure, ...]:
    return (*_compared(state), *_advice(state))


def _compared(state: State) -> tuple[Figure, ...]:
    """What lies there and what it counts."""
    contest = state.lying
    if contest.kind == "free_throw":
        team = under_way(state).team
        return (Headline(said("headline.missed", state, team), dice_said(contest.of(team))), throws(state))
    if contest.kind == "shot":
        return (Headline(_who_leads(state)), throws(state))
    plays: dict[str, Message] = {
        side: some(candidates(contest.of(side))[0], highest(contest.of(side))) for side in SIDES
    }
    return (Headline(_who_leads(state), Message("hoops21.headline.against", plays)), throws(state))


def _who_leads(state: State) -> Message:
    ahead = leader(state, state.lying)
    return word("headline", "tie") if ahead is None else said("headline.ahead", state, ahead)


def _terms(state: State) -> tuple[Term, ...]:
    """What the pawn's section adds to the attack's balls (HB-7.3, HB-7.4)."""
    attack, _ = state.on_court
    distance, court = state.distance, state.setup.court
    terms = [("inside" if shots.inside(state) else "outside", RANGES[court.points(distance)])]
    if court.mark(distance):
        terms.append(("mark", court.mark(distance)))
    return tuple(Term(word("term", name), value, attack if value > 0 else other(attack)) for name, value in terms)


def _advice(state: State) -> tuple[Figure, ...]:
    """The best dice to keep, and the chance that throwing the rest again wins outright (advanced token)."""
    if not state.setup.advanced:
        return ()
    best, holder = odds.best_reroll(state), state.holder
    args = {"dice": dice_said(best.keep), "n": sum(state.lying.of(holder)) - sum(best.keep)}
    bar = OddsBar(
        (
            OddsPart(word("odds", "reroll_wins"), str(best.win), holder),
            OddsPart(word("odds", "reroll_loses"), str(1 - best.win), other(holder)),
        )
    )
    return (Notice(Message("hoops21.notice.advice", args), "HB-11.1"), bar)


def _choose(state: State) -> tuple[Figure, ...]:
    winner = chooser(state)
    headline = Headline(said("headline.won", state, winner), prize(state, winner))
    if not odds.may_shoot(state):
        return (headline, throws(state))
    bar = _shot_bar(state.on_court[0], odds.shot_from(state, state.distance), "made")
    return (headline, throws(state), Notice(said("notice.tie", state, state.holder), "HB-7.6"), bar)


def _shot(state: State) -> tuple[Figure, ...]:
    attack, pawn = state.on_court
    points = {"section": pawn, "points": shots.points(state)}
    detail = Message(f"hoops21.headline.{'inside' if shots.inside(state) else 'outside'}", points)
    return (Headline(said("headline.shot", state, attack), detail), *_shot_figures(state))


def _shot_figures(state: State) -> tuple[Figure, ...]:
    """What is added, the odds from here, and from outside the arc where one may step back (HB-7.5)."""
    attack, _ = state.on_court
    court = state.setup.court
    added = Sum(word("sum", "modifier"), shots.modifier(state), _terms(state))
    bar = _shot_bar(attack, odds.shot_from(state, state.distance), "made")
    tie = Notice(said("notice.tie", state, state.holder), "HB-7.6")
    if not shots.inside(state):
        return (added, bar, tie)
    here, outside = (
        round(SHOTS * odds.expected_points(state, distance)) for distance in (state.distance, court.arc + 1)
    )
    worth = Message("hoops21.notice.step_back", {"here": here, "outside": outside, "shots": SHOTS})
    far = _shot_bar(attack, odds.shot_from(state, court.arc + 1), "made_outside")
    return (added, bar, tie, Notice(worth, "HB-7.5"), far)


def _shot_bar(attack: Side, chances: Mapping[str, Fraction], made: str) -> OddsBar:
    return OddsBar(
        (
            OddsPart(word("odds", made), str(chances["made"]), attack),
            OddsPart(word("odds", "tie"), str(chances["tie"])),
            OddsPart(word("odds", "missed"), str(chances["missed"]), other(attack)),
        )
    )


def _free_throw(state: State) -> tuple[Figure, ...]:
    shooting = under_way(state)
    made = odds.free_throw(state.setup.faces)
    bar = OddsBar(
        (
            OddsPart(word("odds", "made"), str(made), shooting.team),
            OddsPart(word("odds", "missed"), str(1 - made), other(shooting.team)),
        )
    )
    detail = Message("hoops21.headline.free_throw", {"number": shooting.number})
    return (Headline(said("headline.free_throws", state, shooting.team), detail), bar)


def _inbound(state: State) -> tuple[Figure, ...]:
    """The race: steps to the line, S set aside, and the odds if both threw at one pace."""
    attack, _ = state.on_court
    steps, aside = inbounding.to_cross(state), state.set_aside or 0
    chances = odds.race(state.setup.faces, steps, aside)
    bar = OddsBar(
        (
            OddsPart(word("odds", "crossed"), str(chances["crossed"]), attack),
            OddsPart(word("odds", "stolen"), str(chances["stolen"]), other(attack)),
        )
    )
    half = state.setup.court.half
    lanes = (
        RaceLane(attack, word("race", "line"), half - steps, half),
        RaceLane(other(attack), word("race", "aside"), aside, DICE),
    )
    return (Headline(said("headline.inbound", state, attack)), Race(lanes), bar, Notice(word("notice", "one_pace")))


def _over(state: State) -> tuple[Figure, ...]:
    orange, white = state.score
    score = Message("hoops21.headline.score", {"orange": orange, "white": white})
    return (Headline(said("headline.over", state, state.winner or "orange"), score),)


_FIGURES: Mapping[str, Callable[[State], tuple[Figure, ...]]] = {
    "jump_ball": _jump_ball,
    "throw": _throw,
    "tie": _tie,
    "reroll": _tie,
    "choose": _choose,
    "shot": _shot,
    "free_throw": _free_throw,
    "inbound": _inbound,
    "over": _over,
}


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
    return tuple(_board_throw(contest, side) for side in SIDES if sum(contest.of(side)))


def _board_throw(contest: Contest, side: Side) -> BoardThrow:
    """The symbols that count first, the others by their numbers."""
    counts = contest.of(side)
    playing = candidates(counts) if contest.kind == "throw" else ("ball",)
    count = highest(counts) if contest.kind == "throw" else balls(counts)
    return BoardThrow(side, groups(counts, playing), count, tuple(playing))
