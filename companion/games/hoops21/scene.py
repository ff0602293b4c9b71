"""The scene of a hoops21 match: both teams with their facts, the scoreboard's value and the figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from companion.games.base import Die, Message, Scene, SideScene, SideStat
from companion.games.figures import (
    DiceGroup,
    Figure,
    Headline,
    NoticeFigure,
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
from companion.games.hoops21.chart import choosing_side, winner_choices
from companion.games.hoops21.contests import is_lost_by_reroll, leader
from companion.games.hoops21.court import Court
from companion.games.hoops21.decisions import winning_effect
from companion.games.hoops21.free_throws import current_free_throws
from companion.games.hoops21.greedy_player import state_after
from companion.games.hoops21.messages import dice_message, side_message, symbol_count_message, symbol_noun_message, word
from companion.games.hoops21.state import Contest, Counts, State, Stats, balls, highest_count, playable_symbols
from companion.games.hoops21.tables import DICE, RANGE_MODIFIERS, SIDES, SYMBOLS, Side, Symbol, opponent, side_index
from companion.games.wording import comma_separated, result_message, signed


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One team. `role` is `attack` or `defence`, None while there is no pawn; `dice` are those of its next roll."""

    side: str
    name: str
    role: str | None
    token: bool
    dice: int


@dataclass(frozen=True, slots=True)
class BoardThrow:
    """A team's counted dice on the table: `groups` are symbols with their numbers, the counted ones first.

    `count` is the team's count in a throw, its balls elsewhere; it may play one of the symbols in `playing`.
    """

    side: str
    groups: tuple[tuple[str, int], ...]
    count: int
    playing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardRace:
    """The inbounding race: steps left to the line, and the S set aside out of six."""

    team: str
    to_cross: int
    set_aside: int


@dataclass(frozen=True, slots=True)
class BoardMark:
    """A section with a printed mark of +1 or −1, for the team that attacks there."""

    section: int
    value: int


@dataclass(frozen=True, slots=True)
class HoopsBoard:
    """The scoreboard panel. Sections are numbered from orange's basket.

    `arcs` are the outermost sections inside the arcs at orange's and white's basket; `reachable_sections` are the
    possible destinations of the current choices.
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
    reachable_sections: tuple[int, ...]
    throws: tuple[BoardThrow, ...]
    race: BoardRace | None
    free_throw: int | None
    """The number of the current free throw."""
    winner: str | None


# The rolls of both teams, sorted by symbol: the counted groups first, and the resulting number.


def throws(state: State) -> Throws:
    """Return the dice on the table, of every team that rolled."""
    return Throws(throw_rows(state, state.open_contest))


def throw_rows(state: State, contest: Contest) -> tuple[ThrowRow, ...]:
    """Return the dice of a contest, of every team that rolled; `state` is the one in which they were rolled."""
    return tuple(_row(state, contest, side) for side in SIDES if sum(contest.counts_of(side)))


def symbol_groups(counts: Counts, counting: tuple[Symbol, ...]) -> tuple[tuple[Symbol, int], ...]:
    """Return symbols with their numbers: the counted ones first, the others by number."""
    found = [(name, count) for name, count in zip(SYMBOLS, counts, strict=True) if count]
    return tuple(sorted(found, key=lambda group: (group[0] not in counting, -group[1])))


def _row(state: State, contest: Contest, side: Side) -> ThrowRow:
    counts = contest.counts_of(side)
    counting = playable_symbols(counts) if contest.kind == "throw" else ("ball",)
    dice = tuple(
        DiceGroup(Die(side, symbol=name), count, name in counting) for name, count in symbol_groups(counts, counting)
    )
    number, label = _number(state, contest, side)
    return ThrowRow(side, dice, number, label)


def _number(state: State, contest: Contest, side: Side) -> tuple[int, Message]:
    """Return the number of a side's dice and its unit.

    In a throw the highest count and its symbols; otherwise balls, for a shot plus the section's modifier.
    """
    counts = contest.counts_of(side)
    if contest.kind == "throw":
        most = highest_count(counts)
        return most, comma_separated([symbol_noun_message(name, most) for name in playable_symbols(counts)])
    added = shots.modifier(state) if contest.kind == "shot" and side == state.attack else 0
    label = symbol_noun_message("ball", balls(counts))
    if added:
        label = Message("hoops21.term.balls_with", {"balls": balls(counts), "added": signed(added)})
    return balls(counts) + added, label


# The figures in the centre of the table screen, by phase: headline, sums of a shot, odds, advice.

SHOTS = 100
"""The number of shots that expected points are shown for, so that they are integers."""


def figures(state: State) -> tuple[Figure, ...]:
    """Return the figures from top to bottom."""
    return _FIGURES[state.phase](state)


def _jump_ball(state: State) -> tuple[Figure, ...]:
    """Return no figures: the prompt is enough."""
    return ()


def _throw(state: State) -> tuple[Figure, ...]:
    attack, pawn = state.attack_and_pawn
    inside = "inside" if shots.is_inside_arc(state) else "outside"
    detail = Message(f"hoops21.headline.{inside}", {"section": pawn, "points": shots.shot_points(state)})
    chances = odds.throw_odds(state.setup.faces, state.dice_next)
    return (Headline(side_message("headline.attack", state, attack), detail), _throw_bar(state, chances))


def _throw_bar(state: State, chances: Mapping[str, Fraction]) -> OddsBar:
    """Return the odds of the throw; the token decides a tie."""
    parts = [OddsPart(side_message("odds.wins", state, side), str(chances[side]), side) for side in SIDES]
    return OddsBar((parts[0], OddsPart(word("odds", "tie"), str(chances["tie"])), parts[1]))


def _tie(state: State) -> tuple[Figure, ...]:
    return (*_compared(state), *_advice(state))


def _compared(state: State) -> tuple[Figure, ...]:
    """Return the dice on the table and their counts."""
    contest = state.open_contest
    if contest.kind == "free_throw":
        team = current_free_throws(state).team
        return (
            Headline(side_message("headline.missed", state, team), dice_message(contest.counts_of(team))),
            throws(state),
        )
    if contest.kind == "shot":
        return (Headline(_who_leads(state)), throws(state))
    plays: dict[str, Message] = {
        side: symbol_count_message(playable_symbols(contest.counts_of(side))[0], highest_count(contest.counts_of(side)))
        for side in SIDES
    }
    return (Headline(_who_leads(state), Message("hoops21.headline.against", plays)), throws(state))


def _who_leads(state: State) -> Message:
    ahead = leader(state, state.open_contest)
    return word("headline", "tie") if ahead is None else side_message("headline.ahead", state, ahead)


def _terms(state: State) -> tuple[Term, ...]:
    """Return what the pawn's section adds to the attack's balls (HB-7.3, HB-7.4)."""
    attack, _ = state.attack_and_pawn
    distance, court = state.distance, state.setup.court
    terms = [("inside" if shots.is_inside_arc(state) else "outside", RANGE_MODIFIERS[court.points(distance)])]
    if court.mark(distance):
        terms.append(("mark", court.mark(distance)))
    return tuple(Term(word("term", name), value, attack if value > 0 else opponent(attack)) for name, value in terms)


def _advice(state: State) -> tuple[Figure, ...]:
    """Return the best dice to keep, and the probability that rerolling the rest wins outright (advanced token)."""
    if not state.setup.advanced:
        return ()
    best, holder = odds.best_reroll(state), state.token_holder
    args = {"dice": dice_message(best.keep), "n": sum(state.open_contest.counts_of(holder)) - sum(best.keep)}
    bar = OddsBar(
        (
            OddsPart(word("odds", "reroll_wins"), str(best.win), holder),
            OddsPart(word("odds", "reroll_loses"), str(1 - best.win), opponent(holder)),
        )
    )
    return (NoticeFigure(Message("hoops21.notice.advice", args), "HB-11.1"), bar)


def _choose(state: State) -> tuple[Figure, ...]:
    winner = choosing_side(state)
    headline = Headline(side_message("headline.won", state, winner), winning_effect(state, winner))
    level = _why_level_throw_is_won(state)
    if not odds.may_shoot(state):
        return (headline, throws(state), *level)
    bar = _shot_bar(state.attack_and_pawn[0], odds.shot_odds_from(state, state.distance), "shot_made")
    tie = NoticeFigure(side_message("notice.tie", state, state.token_holder), "HB-7.6")
    return (headline, throws(state), *(level or (tie,)), bar)


def _why_level_throw_is_won(state: State) -> tuple[NoticeFigure, ...]:
    """Return why a throw with equal counts is won: by the token, or by a reroll that ended level; else nothing."""
    winner = choosing_side(state)
    if leader(state, state.open_contest) is not None:
        return ()
    if is_lost_by_reroll(state):
        return (NoticeFigure(side_message("notice.level_after_reroll", state, opponent(winner)), "HB-11.5"),)
    return (NoticeFigure(side_message("notice.won_by_token", state, winner), "HB-5.1"),)


def _shot(state: State) -> tuple[Figure, ...]:
    attack, pawn = state.attack_and_pawn
    points = {"section": pawn, "points": shots.shot_points(state)}
    detail = Message(f"hoops21.headline.{'inside' if shots.is_inside_arc(state) else 'outside'}", points)
    return (Headline(side_message("headline.shot", state, attack), detail), *_shot_figures(state))


def _shot_figures(state: State) -> tuple[Figure, ...]:
    """Return the modifiers, the odds from here, and those from outside the arc if stepping back is allowed (HB-7.5)."""
    attack, _ = state.attack_and_pawn
    court = state.setup.court
    added = Sum(word("sum", "modifier"), shots.modifier(state), _terms(state))
    bar = _shot_bar(attack, odds.shot_odds_from(state, state.distance), "shot_made")
    tie = NoticeFigure(side_message("notice.tie", state, state.token_holder), "HB-7.6")
    if not shots.is_inside_arc(state):
        return (added, bar, tie)
    here, outside = (
        round(SHOTS * odds.expected_points(state, distance)) for distance in (state.distance, court.arc + 1)
    )
    worth = Message("hoops21.notice.step_back", {"here": here, "outside": outside, "shots": SHOTS})
    far = _shot_bar(attack, odds.shot_odds_from(state, court.arc + 1), "made_outside")
    return (added, bar, tie, NoticeFigure(worth, "HB-7.5"), far)


def _shot_bar(attack: Side, chances: Mapping[str, Fraction], made: str) -> OddsBar:
    return OddsBar(
        (
            OddsPart(word("odds", made), str(chances["made"]), attack),
            OddsPart(word("odds", "tie"), str(chances["tie"])),
            OddsPart(word("odds", "missed"), str(chances["missed"]), opponent(attack)),
        )
    )


def _free_throw(state: State) -> tuple[Figure, ...]:
    shooting = current_free_throws(state)
    made = odds.free_throw_chance(state.setup.faces)
    bar = OddsBar(
        (
            OddsPart(word("odds", "made"), str(made), shooting.team),
            OddsPart(word("odds", "missed"), str(1 - made), opponent(shooting.team)),
        )
    )
    detail = Message("hoops21.headline.free_throw", {"number": shooting.number})
    return (Headline(side_message("headline.free_throws", state, shooting.team), detail), bar)


def _inbound(state: State) -> tuple[Figure, ...]:
    """Return the race: steps to the line, S set aside, and the odds if both teams rolled at one pace."""
    attack, _ = state.attack_and_pawn
    steps, aside = inbounding.steps_to_half_line(state), state.set_aside or 0
    chances = odds.race_odds(state.setup.faces, steps, aside)
    bar = OddsBar(
        (
            OddsPart(word("odds", "crossed"), str(chances["crossed"]), attack),
            OddsPart(word("odds", "stolen"), str(chances["stolen"]), opponent(attack)),
        )
    )
    half = state.setup.court.half  # the section beyond the half line is as many steps away
    lanes = (
        RaceLane(attack, word("race", "line"), half - steps, half),
        RaceLane(opponent(attack), word("race", "aside"), aside, DICE),
    )
    title = side_message("headline.inbound", state, attack)
    if not aside and steps == half:  # before the first throw that counts, what to do comes before the odds
        return (Headline(title, word("notice", "race")), Race(lanes), bar)
    return (Headline(title), Race(lanes), bar, NoticeFigure(word("notice", "one_pace")))


def _over(state: State) -> tuple[Figure, ...]:
    return (Headline(result_message(state.setup.name(state.winner) if state.winner else None)),)


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
            SideScene(side, state.setup.name(side), side, LETTERS[side], _side_stats(state.stats[side_index(side)]))
            for side in SIDES
        ),
        board=board(state),
        figures=figures(state),
    )


def _side_stats(stats: Stats) -> tuple[SideStat, ...]:
    """Return five facts, the most important first."""
    made, tried = stats.two_made + stats.three_made, stats.two_tried + stats.three_tried
    return (
        SideStat(word("fact", "throws_won"), str(stats.throws_won)),
        SideStat(word("fact", "dunks"), str(stats.dunks + stats.slam_dunks)),
        SideStat(word("fact", "shots"), f"{made}/{tried}"),
        SideStat(word("fact", "free_throws"), f"{stats.ft_made}/{stats.ft_tried}"),
        SideStat(word("fact", "steals"), str(stats.steals)),
    )


def board(state: State) -> HoopsBoard:
    """Return the scoreboard's value."""
    court = state.setup.court
    race = None
    if state.set_aside is not None:
        race = BoardRace(state.attack_and_pawn[0], inbounding.steps_to_half_line(state), state.set_aside)
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
        reachable_sections=_reachable_sections(state),
        throws=_throws(state.contest),
        race=race,
        free_throw=state.free_throws.number if state.free_throws else None,
        winner=state.winner,
    )


def _side(state: State, side: Side) -> BoardSide:
    role = None if state.attack is None else "attack" if state.attack == side else "defence"
    return BoardSide(side, state.setup.name(side), role, state.token == side, state.dice_next[side_index(side)])


def _marks(court: Court) -> tuple[BoardMark, ...]:
    """Return the marks. They apply by distance to both teams alike, so each appears on both halves (HB-2.6)."""
    found = [
        BoardMark(court.section(side, distance), mark)
        for side in SIDES
        for distance, mark in enumerate(court.marks)
        if mark
    ]
    return tuple(sorted(found, key=lambda mark: mark.section))


def _reachable_sections(state: State) -> tuple[int, ...]:
    """Return the destinations of the pawn by the current choices, in their order."""
    found: list[int] = []
    if state.phase == "choose":
        court = state.setup.court
        for event in winner_choices(state):
            end = state_after(state, event)
            aim = end.pawn
            if end.score != state.score:
                aim = court.section(state.attack_and_pawn[0], 0)
            found += [aim] if aim is not None and aim != state.pawn else []
    elif state.phase == "shot" and shots.is_inside_arc(state):
        found += [section for section in (shots.move_outside_arc(state).pawn,) if section is not None]
    return tuple(dict.fromkeys(found))


def _throws(contest: Contest | None) -> tuple[BoardThrow, ...]:
    if contest is None:
        return ()
    return tuple(_board_throw(contest, side) for side in SIDES if sum(contest.counts_of(side)))


def _board_throw(contest: Contest, side: Side) -> BoardThrow:
    """Return a team's dice: counted symbols first, the others by number."""
    counts = contest.counts_of(side)
    playing = playable_symbols(counts) if contest.kind == "throw" else ("ball",)
    count = highest_count(counts) if contest.kind == "throw" else balls(counts)
    return BoardThrow(side, symbol_groups(counts, playing), count, tuple(playing))
