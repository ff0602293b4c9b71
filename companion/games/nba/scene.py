"""What there is to see of an NBA match: the sides with their facts, the scoreboard's value and the figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from companion.games.base import Die, Fact, Message, Scene, SideScene
from companion.games.figures import Figure, Headline, LaneDie, LaneRow, Lanes, Notice, Ruler, RulerCell
from companion.games.nba import awaits, forecast, rerolls
from companion.games.nba.advice import offence_advice
from companion.games.nba.awaits import may_activate
from companion.games.nba.dice_set import Face
from companion.games.nba.odds import READINGS, distribution, expected
from companion.games.nba.scoring import counting, why
from companion.games.nba.state import State
from companion.games.nba.tables import BODY, COLOURS, OFFENCE, OPEN, POSITIONS, SIX_NINE, SKILLS
from companion.games.nba.teams import Laid, Team
from companion.games.nba.track import HIDDEN
from companion.games.nba.words import card, face, figure, said, word
from companion.games.wording import listed, literal


@dataclass(frozen=True, slots=True)
class BoardDie:
    """A die in a zone. `colour` is the body's in offence, the number's in defence, None for a blank defence die.

    `why` says for a defence die and the first opponent whose attack is pending why it counts or not (NBA-5.2); None for
    an attack die.
    """

    kind: str
    value: int
    colour: str | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class BoardPlayer:
    """An athlete on court. `skills` are in the order of the six kinds of dice."""

    position: str
    id: str
    name: str
    skills: tuple[int, ...]
    iq: int
    rebounds: int
    decisive: bool


@dataclass(frozen=True, slots=True)
class BoardTactic:
    """A prepared tactic. `usable` tells whether the side's level reaches it."""

    id: str
    name: str
    type: str
    complexity: int
    keep: tuple[tuple[str, int], ...]
    usable: bool


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One side. Court, board and sums are empty and None at level `scores`."""

    side: str
    name: str
    score: int
    solo: bool
    court: tuple[BoardPlayer, ...]
    tactics: tuple[BoardTactic, ...]
    skills: tuple[int, ...]
    collective: int | None
    rebounds: int | None
    rerolls: int | None
    attack: tuple[BoardDie, ...]
    attack_value: int | None
    defence: tuple[BoardDie, ...]
    fatigue: int
    mini: int
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardMatch:
    """The points of two sides in their match; with two sides there is one."""

    sides: tuple[str, str]
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class NbaBoard:
    """The scoreboard panel. `track` holds the names of the cards lying there, `?` for an unnamed one, None for none."""

    sides: tuple[BoardSide, ...]
    matches: tuple[BoardMatch, ...]
    phase: str
    active: str | None
    first: str
    turn: int
    limit: int | None
    period: int
    ultimate: bool
    closing: bool
    money_time: bool
    track: tuple[str | None, ...]
    deck: int
    pile: int
    roll: tuple[BoardDie, ...]
    """The dice of the open roll, none while there is none."""
    roll_tactic: str | None
    winner: str | None
    draw: bool
    ranking: tuple[str, ...]

    @property
    def score(self) -> tuple[int, ...]:
        """The points of every side over all its matches, in header order."""
        return tuple(side.score for side in self.sides)


# Dice set against each other by colour: a pending attack and the dice that stop it, or the dice of an open roll.

MATCH = "match"
VOWELS = frozenset("aeiouyàâäéèêëîïôöûüœæ")
"""Before them French says `d’` instead of `de`."""


def lanes(state: State) -> tuple[Lanes, ...]:
    """What is pending between the side whose turn it is and each opponent; in an open roll its dice."""
    rolling = state.roll is not None
    if rolling and state.setup.tactic(state.rolling.tactic).type == "offence":
        return (_offence_roll(state),)
    side = state.mover
    several = len(state.teams) > 2
    found = []
    for other in state.setup.opponents(side):
        if rolling or state.team(other).attack is not None:
            made = _against(state, other, side)
        elif state.team(side).attack is not None:
            made = _against(state, side, other)
        else:
            continue
        found.append(_named_between(made, side, other) if several else made)
    return tuple(found)


def _named_between(made: Lanes, side: str, other: str) -> Lanes:
    return Lanes(
        made.title, made.colours, made.rows, made.total, made.outcome, made.side, made.parts, between=(side, other)
    )


def _against(state: State, attacker: str, defender: str) -> Lanes:
    """An attack and the defence dice against it: those laid, or those of the defence being rolled."""
    attack = state.team(attacker).attack
    rolled = state.roll is not None and defender == state.mover
    laid = state.team(defender).defence
    dice: Sequence[Face] = state.rolling.dice if rolled else _laid_dice(laid)
    kept = set(awaits.best_kept(state)) if rolled else set(range(len(dice)))
    again = set(awaits.advised(state)) if rolled else set()
    columns = _columns(attack)
    attacking = _cells(columns, [(die.colour, _attacking(state, die, attacker)) for die in _laid_dice(attack)])
    lying = [
        (die.colour if why(die, attack) == MATCH else None, _defending(die, attack, n in kept, n in again))
        for n, die in enumerate(dice)
    ]
    defending = _cells(columns, lying)
    counts = _counted([die for n, die in enumerate(dice) if n in kept], attack)
    scored = attack.value if attack else 0
    rows = (
        LaneRow(attacker, word("lanes", "attack"), str(scored), attacking),
        LaneRow(defender, word("lanes", "defence"), " + ".join(str(count) for count in counts) or "0", defending),
    )
    soon = attacker == state.setup.after(state.mover)
    outcome = said("lanes.end_of_turn" if soon else "lanes.own_turn", state, attacker)
    title = _rolled_title(state) if rolled else _pending_title(state, attacker)
    parts = ((scored, attacker), (sum(counts), defender))
    return Lanes(title, columns, rows, max(0, scored - sum(counts)), outcome, attacker, parts)


def _counted(kept: Sequence[Face], attack: Laid | None) -> list[int]:
    """The numbers of the defence dice that count against an attack."""
    return [die.value for die in kept if counting((die,), attack)]


def _pending_title(state: State, attacker: str) -> Message:
    elided = state.setup.names[attacker][:1].lower() in VOWELS
    return said("lanes.pending_elided" if elided else "lanes.pending", state, attacker)


def _rolled_title(state: State) -> Message:
    return said("headline.roll", state, state.mover, tactic=card(state, state.rolling.tactic))


def _columns(attack: Laid | None) -> tuple[str | None, ...]:
    """The colours of an attack, and a column for dice of none of them."""
    colours = attack.colours if attack is not None else ()
    return (*(colour for colour in COLOURS if colour in colours), None)


def _laid_dice(laid: Laid | None) -> tuple[Face, ...]:
    return laid.dice if laid is not None else ()


def _cells(
    columns: Sequence[str | None], dice: Iterable[tuple[str | None, LaneDie]]
) -> tuple[tuple[LaneDie, ...], ...]:
    """The dice in their columns, the highest first."""
    found: dict[str | None, list[LaneDie]] = {column: [] for column in columns}
    for column, die in dice:
        found[column].append(die)
    return tuple(tuple(sorted(found[column], key=lambda lane: -(lane.die.value or 0))) for column in columns)


def die_of(lying: Face) -> Die:
    """A die as the table knows it: an offence die has no colour but its body's."""
    return Die(lying.die, lying.value, None if lying.die in OFFENCE else lying.colour)


def _attacking(state: State, die: Face, side: str) -> LaneDie:
    says = said("lanes.says.attack", state, side, n=die.value, die=_named(die))
    return LaneDie(die_of(die), says=says)


def _named(die: Face) -> Message:
    return Message("nba.die", {"kind": word("skill", die.die), "face": face(die.die, die.value, die.colour)})


def _defending(die: Face, attack: Laid | None, kept: bool, again: bool) -> LaneDie:
    reason = why(die, attack)
    args = {"die": _named(die), "n": die.value}
    if reason == MATCH:
        beside = literal(f"\N{MINUS SIGN}{die.value}") if kept else word("lanes", "not_kept")
        says = Message(f"nba.lanes.says.{MATCH if kept else 'not_kept'}", args)
        return LaneDie(die_of(die), "again" if again else "yes" if kept else "no", beside, says)
    if die.colour is not None:
        args["colour"] = word("colour", die.colour)
    beside = word("lanes", "blank") if reason == "blank" else word("colour", str(die.colour))
    return LaneDie(die_of(die), "again" if again else "no", beside, Message(f"nba.lanes.says.{reason}", args))


def _offence_roll(state: State) -> Lanes:
    """The dice of an attack that is being rolled: what is best kept, what is best thrown again."""
    roll, side = state.rolling, state.mover
    kept, advice = set(awaits.best_kept(state)), offence_advice(forecast.parts(state), rerolls.left(state))
    columns: tuple[str | None, ...] = tuple(BODY[skill] for skill in state.setup.tactic(roll.tactic).skills)
    dice = [(BODY[die.die], _rolled(die, n in kept, n in advice.dice)) for n, die in enumerate(roll.dice)]
    row = LaneRow(side, word("lanes", "roll"), "", _cells(columns, dice))
    if advice.dice:
        args = {"n": len(advice.dice), "mean": figure(advice.expected)}
        outcome = Message("nba.lanes.now_or_again", args)
    else:
        outcome = word("lanes", "now")
    return Lanes(_rolled_title(state), columns, (row,), int(advice.now), outcome, side)


def _rolled(die: Face, kept: bool, again: bool) -> LaneDie:
    args = {"die": _named(die), "n": die.value}
    if again:
        return LaneDie(die_of(die), "again", word("lanes", "again"), Message("nba.lanes.says.again", args))
    if kept:
        return LaneDie(die_of(die), "yes", literal(f"+{die.value}"), Message("nba.lanes.says.kept", args))
    return LaneDie(die_of(die), "no", word("lanes", "not_kept"), Message("nba.lanes.says.not_kept", args))


# The figures in the centre of the table screen: pending attacks with every term, what tactics and rerolls promise.

MOST_CELLS = 24
"""A ruler of more totals is left out: nobody could read it."""


def figures(state: State) -> tuple[Figure, ...]:
    """From top to bottom."""
    if state.phase == "over":
        return _over(state)
    if state.phase == "tied":
        return (Headline(word("phase", "tied"), word("detail", "tied")),)
    against = lanes(state)
    if against:
        return against
    found: list[Figure] = [Headline(word("lanes", "none"), _where(state))]
    if state.phase in OPEN and state.setup.full:
        found += _tactics(state)
    return (*found, *_notices(state))


def _where(state: State) -> Message:
    """Which turn this is."""
    if state.period:
        return Message("nba.detail.overtime", {"n": state.period, "left": (state.limit or 0) - state.turn})
    if state.limit is None:
        return Message("nba.detail.turn", {"turn": state.turn})
    return Message("nba.detail.turn_of", {"turn": state.turn, "limit": state.limit})


def _tactics(state: State) -> Iterable[Figure]:
    """The chances of each tactic that may be activated now (NBA-14.1, NBA-14.2); unknown faces by their even share."""
    for id in may_activate(state):
        tactic = state.setup.tactic(id)
        low, even, high = (forecast.pools(state, state.mover, tactic, reading) for reading in READINGS)
        title = _between(f"nba.ruler.{tactic.type}", expected(low), expected(high), tactic=tactic.name)
        cells = [RulerCell(total, "points", str(chance), state.mover) for total, chance in distribution(even)]
        yield Ruler(title, tuple(cells)) if len(cells) <= MOST_CELLS else Notice(title)


def _between(id: str, low: Fraction, high: Fraction, **args: object) -> Message:
    if low == high:
        return Message(id, {**args, "mean": figure(low)})
    between = Message("nba.between", {"low": figure(low), "high": figure(high)})
    return Message(id, {**args, "mean": between})


def _notices(state: State) -> tuple[Notice, ...]:
    found = []
    if state.money_time:
        found.append(Notice(word("notice", "money_time"), "NBA-9.4"))
    if state.setup.dice_set.unknown:
        args = {"n": state.setup.dice_set.unknown}
        found.append(Notice(Message("nba.notice.unknown", args), "NBA-2.3"))
    if state.setup.dice_set.six_nine == SIX_NINE[-1]:
        found.append(Notice(word("notice", "six_nine"), "NBA-2.6"))
    return tuple(found)


def _over(state: State) -> tuple[Figure, ...]:
    result = state.result
    if result is None or result.winner is None:
        headline = Headline(word("headline", "draw"))
    else:
        headline = Headline(said("headline.wins", state, result.winner))
    if result is None or result.ranking is None:
        return (headline,)
    places = enumerate(result.ranking, 1)
    ranking = [said("notice.place", state, side, place=place, points=state.score(side)) for place, side in places]
    return (replace(headline, detail=listed(ranking)),)


SIDE_COLOURS = ("violet", "lime", "orange", "white")
"""The colour tokens of the sides in header order; none is the colour of a die."""


def scene(state: State) -> Scene:
    """Only what lies open: never a hand, a deck or a discard (NBA-3.8)."""
    setup = state.setup
    sides = tuple(
        SideScene(side, setup.names[side], colour, initial(setup.names[side]), side_facts(state, side))
        for side, colour in zip(setup.sides, SIDE_COLOURS, strict=False)
    )
    return Scene(sides, board(state), figures(state))


def initial(name: str) -> str:
    """The letter of a side; a name without one has none."""
    return name.strip()[:1].upper()


def side_facts(state: State, side: str) -> tuple[Fact, ...]:
    """At most five, the most needed first; level and rebounds stand on the scoreboard."""
    team = state.team(side)
    facts = [_fact("attack", team.attack.value)] if team.attack is not None else []
    if state.opponent is not None and state.setup.is_solo(side):
        return (*facts, _fact("resources", state.opponent.resources))
    facts.append(_fact("fatigue", team.held))
    facts.append(_fact("pile", state.pile))
    if state.setup.full:
        facts.append(_fact("rerolls", rerolls.rebound_rerolls(state, side)))
    if state.setup.variants.mismatch:
        facts.append(_fact("tokens", state.setup.variants.mismatch - len(team.tokens)))
    return tuple(facts)


def _fact(id: str, value: int) -> Fact:
    label: Message = word("fact", id)
    return Fact(label, str(value))


def board(state: State) -> NbaBoard:
    """The scoreboard's value."""
    setup, result = state.setup, state.result
    names = [None if id is None else id if id == HIDDEN else card(state, id) for id in state.track]
    winner = result.winner if result else None
    return NbaBoard(
        sides=tuple(_side(state, team) for team in state.teams),
        matches=tuple(BoardMatch(pair, points) for pair, points in zip(setup.pairs, state.matches, strict=True)),
        phase=state.phase,
        active=state.active,
        first=state.first,
        turn=state.turn,
        limit=state.limit,
        period=state.period,
        ultimate=state.ultimate,
        closing=state.closing,
        money_time=state.money_time,
        track=() if state.period else tuple(names),
        deck=state.deck,
        pile=state.pile,
        roll=_dice(state.roll.dice) if state.roll else (),
        roll_tactic=card(state, state.roll.tactic) if state.roll else None,
        winner=winner,
        draw=state.phase == "over" and winner is None,
        ranking=result.ranking if result and result.ranking else (),
    )


def _dice(dice: tuple[Face, ...]) -> tuple[BoardDie, ...]:
    return tuple(BoardDie(die.die, die.value, die.colour) for die in dice)


def _side(state: State, team: Team) -> BoardSide:
    side, full = team.side, state.setup.full
    return BoardSide(
        side=side,
        name=state.setup.names[side],
        score=state.score(side),
        solo=state.setup.is_solo(side),
        court=tuple(_player(state, position, id) for position, id in zip(POSITIONS, team.court, strict=False)),
        tactics=tuple(_tactic(state, side, id) for id in team.prepared),
        skills=tuple(state.stat(side, skill) for skill in SKILLS) if full else (),
        collective=state.collective(side) if full else None,
        rebounds=state.rebounds(side) if full else None,
        rerolls=rerolls.rebound_rerolls(state, side) if full else None,
        attack=_dice(team.attack.dice) if team.attack else (),
        attack_value=team.attack.value if team.attack else None,
        defence=_defence(state, side, team.defence),
        fatigue=team.held,
        mini=len(team.mini),
        tokens=team.tokens,
    )


def _player(state: State, position: str, id: str) -> BoardPlayer:
    one = state.setup.player(id)
    skills = one.stats[: len(SKILLS)]
    return BoardPlayer(position, id, one.name, skills, one.stat("iq"), one.stat("rebounds"), one.decisive)


def _tactic(state: State, side: str, id: str) -> BoardTactic:
    one = state.setup.tactic(id)
    return BoardTactic(id, one.name, one.type, one.complexity, one.keep, state.collective(side) >= one.complexity)


def _defence(state: State, side: str, defence: Laid | None) -> tuple[BoardDie, ...]:
    if defence is None:
        return ()
    attacks = [state.team(other).attack for other in state.setup.opponents(side)]
    attack = next((each for each in attacks if each is not None), None)
    return tuple(BoardDie(die.die, die.value, die.colour, why(die, attack)) for die in defence.dice)
