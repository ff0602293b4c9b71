"""The figures in the centre of the table screen, phase by phase: headline, sums of a shot, odds, advice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from companion.games.base import Message
from companion.games.figures import Figure, Headline, Notice, OddsBar, OddsPart, Race, RaceLane, Sum, Term
from companion.games.hoops21 import inbounding, odds, shots
from companion.games.hoops21.awaits_token import prize
from companion.games.hoops21.chart import chooser
from companion.games.hoops21.contests import leader
from companion.games.hoops21.free_throws import under_way
from companion.games.hoops21.scene_throws import throws
from companion.games.hoops21.state import State, candidates, highest
from companion.games.hoops21.tables import DICE, RANGES, SIDES, Side, other
from companion.games.hoops21.words import dice_said, said, some, word

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
