"""The scene of an NBA match: the sides with their facts, the scoreboard's value and the figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from companion.games.base import Die, Message, Scene, SideScene, SideStat
from companion.games.figures import DiceTable, Figure, Headline, LaneDie, LaneRow, Lanes, NoticeFigure, Ruler, RulerCell
from companion.games.nba import decisions, forecast, rerolls
from companion.games.nba.decisions import activatable_tactics
from companion.games.nba.dice_set import NbaFace
from companion.games.nba.market_track import HIDDEN_CARD
from companion.games.nba.match_end import ranking_key
from companion.games.nba.messages import card_name, face_message, mean_message, side_message, word
from companion.games.nba.odds import READINGS, distribution, expected_total
from companion.games.nba.reroll_advice import offence_advice
from companion.games.nba.scoring import count_reason, counting_value
from companion.games.nba.state import State
from companion.games.nba.tables import (
    BODY_COLOURS,
    COLOURS,
    OFFENCE,
    POSITIONS,
    SIX_NINE,
    SKILLS,
    TURN_PHASES,
    UNKNOWN_COLOUR,
)
from companion.games.nba.teams import LaidDice, Team
from companion.games.wording import comma_separated, literal, result_message


@dataclass(frozen=True, slots=True)
class BoardDie:
    """A die in a zone. `colour` is the body's in offence, the number's in defence, None for a blank defence die.

    `why` explains whether a defence die counts against the first opponent with a pending attack (NBA-5.2); None for
    an attack die.
    """

    kind: str
    value: int
    colour: str | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class BoardPlayer:
    """A player on court. `skills` are in the order of the six kinds of dice."""

    position: str
    id: str
    name: str
    skills: tuple[int, ...]
    iq: int
    rebounds: int
    decisive: bool


@dataclass(frozen=True, slots=True)
class BoardTactic:
    """A prepared tactic. `usable` is True if the side's level reaches it."""

    id: str
    name: str
    type: str
    complexity: int
    keep: tuple[tuple[str, int], ...]
    usable: bool


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One side. At level `scores`, court and board are empty and sums are None."""

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
    """The points of two sides in their match; with two sides there is one match."""

    sides: tuple[str, str]
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class NbaBoard:
    """The scoreboard panel.

    `track` holds the names of the cards on it, `?` for an unnamed card, None for an empty slot.
    """

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
    """The dice of the open roll; empty if no roll is open."""
    roll_tactic: str | None
    winner: str | None
    draw: bool
    ranking: tuple[str, ...]

    @property
    def score(self) -> tuple[int, ...]:
        """The points of every side over all its matches, in header order."""
        return tuple(side.score for side in self.sides)


# Dice compared by colour: a pending attack and the dice that stop it, or the dice of an open roll.

MATCH = "match"
VOWELS = frozenset("aeiouyàâäéèêëîïôöûüœæ")
"""Letters before which French uses `d’` instead of `de`."""


def lanes(state: State) -> tuple[Lanes, ...]:
    """Return the pending dice between the active side and each opponent; in an open roll its dice."""
    rolling = state.roll is not None
    if rolling and state.setup.tactic(state.open_roll.tactic).type == "offence":
        return (_offence_roll(state),)
    side = state.active_side
    several = len(state.teams) > 2
    found = []
    for other in state.setup.opponents(side):
        if rolling or state.team(other).attack is not None:
            made = _attack_lanes(state, other, side)
        elif state.team(side).attack is not None:
            made = _attack_lanes(state, side, other)
        else:
            continue
        found.append(_named_between(made, side, other) if several else made)
    return tuple(found)


def _named_between(made: Lanes, side: str, other: str) -> Lanes:
    return Lanes(
        made.title, made.colours, made.rows, made.total, made.outcome, made.side, made.parts, between=(side, other)
    )


def _attack_lanes(state: State, attacker: str, defender: str) -> Lanes:
    """Return an attack and the defence dice against it: the laid ones, or those of the defence being rolled."""
    attack = state.team(attacker).attack
    rolled = state.roll is not None and defender == state.active_side
    laid = state.team(defender).defence
    dice: Sequence[NbaFace] = state.open_roll.dice if rolled else _laid_dice(laid)
    kept = set(decisions.best_dice_to_keep(state)) if rolled else set(range(len(dice)))
    again = set(forecast.advised_reroll(state)) if rolled else set()
    columns = _columns(attack)
    attacking = _cells(columns, [(die.colour, _attack_die(state, die, attacker)) for die in _laid_dice(attack)])
    placed_dice = [
        (die.colour if count_reason(die, attack) == MATCH else None, _defence_die(die, attack, n in kept, n in again))
        for n, die in enumerate(dice)
    ]
    defending = _cells(columns, placed_dice)
    counts = _counting_values([die for n, die in enumerate(dice) if n in kept], attack)
    scored = attack.value if attack else 0
    rows = (
        LaneRow(attacker, word("lanes", "attack"), str(scored), attacking),
        LaneRow(defender, word("lanes", "defence"), " + ".join(str(count) for count in counts) or "0", defending),
    )
    soon = attacker == state.setup.next_side(state.active_side)
    outcome = side_message("lanes.end_of_turn" if soon else "lanes.own_turn", state, attacker)
    title = _rolled_title(state) if rolled else _pending_title(state, attacker)
    stopped = min(scored, sum(counts))  # a defence stops no more than there is
    parts = ((scored, attacker), (stopped, defender))
    return Lanes(title, columns, rows, scored - stopped, outcome, attacker, parts)


def _counting_values(kept: Sequence[NbaFace], attack: LaidDice | None) -> list[int]:
    """Return the numbers of the defence dice that count against an attack."""
    return [die.value for die in kept if counting_value((die,), attack)]


def _pending_title(state: State, attacker: str) -> Message:
    elided = state.setup.names[attacker][:1].lower() in VOWELS
    return side_message("lanes.pending_elided" if elided else "lanes.pending", state, attacker)


def _rolled_title(state: State) -> Message:
    return side_message("headline.roll", state, state.active_side, tactic=card_name(state, state.open_roll.tactic))


def _columns(attack: LaidDice | None) -> tuple[str | None, ...]:
    """Return the colours of an attack, plus a column for dice of other colours."""
    colours = attack.colours if attack is not None else ()
    return (*(colour for colour in COLOURS if colour in colours), None)


def _laid_dice(laid: LaidDice | None) -> tuple[NbaFace, ...]:
    return laid.dice if laid is not None else ()


def _cells(
    columns: Sequence[str | None], dice: Iterable[tuple[str | None, LaneDie]]
) -> tuple[tuple[LaneDie, ...], ...]:
    """Return the dice in their columns, the highest first."""
    found: dict[str | None, list[LaneDie]] = {column: [] for column in columns}
    for column, die in dice:
        found[column].append(die)
    return tuple(tuple(sorted(found[column], key=lambda lane: -(lane.die.value or 0))) for column in columns)


def die_of(die: NbaFace) -> Die:
    """Return a die as a table die: an offence die has only its body's colour."""
    return Die(die.die, die.value, None if die.die in OFFENCE else die.colour)


def _attack_die(state: State, die: NbaFace, side: str) -> LaneDie:
    says = side_message("lanes.says.attack", state, side, n=die.value, die=_die_message(die))
    return LaneDie(die_of(die), sentence=says)


def _die_message(die: NbaFace) -> Message:
    return Message("nba.die", {"kind": word("skill", die.die), "face": face_message(die.die, die.value, die.colour)})


def _defence_die(die: NbaFace, attack: LaidDice | None, kept: bool, again: bool) -> LaneDie:
    reason = count_reason(die, attack)
    args = {"die": _die_message(die), "n": die.value}
    if reason == MATCH:
        beside = literal(f"\N{MINUS SIGN}{die.value}") if kept else word("lanes", "not_kept")
        says = Message(f"nba.lanes.says.{MATCH if kept else 'not_kept'}", args)
        return LaneDie(die_of(die), "again" if again else "yes" if kept else "no", beside, says)
    if die.colour is not None:
        args["colour"] = word("colour", die.colour)
    beside = word("lanes", "blank") if reason == "blank" else word("colour", str(die.colour))
    return LaneDie(die_of(die), "again" if again else "no", beside, Message(f"nba.lanes.says.{reason}", args))


def _offence_roll(state: State) -> Lanes:
    """Return the dice of an attack being rolled: which are best kept and which are best rerolled."""
    roll, side = state.open_roll, state.active_side
    kept, advice = (
        set(decisions.best_dice_to_keep(state)),
        offence_advice(forecast.roll_parts(state), rerolls.remaining(state)),
    )
    columns: tuple[str | None, ...] = tuple(BODY_COLOURS[skill] for skill in state.setup.tactic(roll.tactic).skills)
    dice = [(BODY_COLOURS[die.die], _rolled(die, n in kept, n in advice.dice)) for n, die in enumerate(roll.dice)]
    row = LaneRow(side, word("lanes", "roll"), "", _cells(columns, dice))
    if advice.dice:
        args = {"n": len(advice.dice), "mean": mean_message(advice.expected)}
        outcome = Message("nba.lanes.now_or_again", args)
    else:
        outcome = word("lanes", "now")
    return Lanes(_rolled_title(state), columns, (row,), int(advice.now), outcome, side)


def _rolled(die: NbaFace, kept: bool, again: bool) -> LaneDie:
    args = {"die": _die_message(die), "n": die.value}
    if again:
        return LaneDie(die_of(die), "again", word("lanes", "again"), Message("nba.lanes.says.again", args))
    if kept:
        return LaneDie(die_of(die), "yes", literal(f"+{die.value}"), Message("nba.lanes.says.kept", args))
    return LaneDie(die_of(die), "no", word("lanes", "not_kept"), Message("nba.lanes.says.not_kept", args))


# The figures in the centre of the table screen: pending attacks with all terms, odds of tactics and rerolls.

MAX_RULER_CELLS = 24
"""The maximum number of totals in a ruler; a longer ruler would be unreadable and is left out."""


def figures(state: State) -> tuple[Figure, ...]:
    """Return the figures from top to bottom."""
    if state.phase == "over":
        return _over(state)
    if state.phase == "tied":
        return (Headline(word("phase", "tied"), word("detail", "tied")),)
    against = lanes(state)
    if against:
        return (*against, *_unknown_face_notices(state))
    found: list[Figure] = [Headline(word("lanes", "none"))]
    if state.phase in TURN_PHASES and state.setup.full:
        if activatable_tactics(state):
            found += _tactic_figures(state)
        else:
            found = [Headline(word("lanes", "court_dice")), _court_dice(state)]
    return (*found, *_notices(state))


def _court_dice(state: State) -> DiceTable:
    """Return the dice that the players on court give to a tactic of each skill (NBA-7.3)."""
    rows = [(side, tuple([state.dice_count(side, skill) for skill in SKILLS])) for side in state.setup.sides]
    return DiceTable(tuple([Die(skill, 0) for skill in SKILLS]), tuple(rows))


def _tactic_figures(state: State) -> Iterable[Figure]:
    """Return the odds of each tactic that may be activated now (NBA-14.1, NBA-14.2).

    Unknown faces count by their even share.
    """
    for id in activatable_tactics(state):
        tactic = state.setup.tactic(id)
        low, even, high = (forecast.pools(state, state.active_side, tactic, reading) for reading in READINGS)
        title = _range_message(
            f"nba.ruler.{tactic.type}", expected_total(low), expected_total(high), tactic=tactic.name
        )
        cells = [RulerCell(total, "points", str(chance), state.active_side) for total, chance in distribution(even)]
        yield Ruler(title, tuple(cells)) if len(cells) <= MAX_RULER_CELLS else NoticeFigure(title)


def _range_message(id: str, low: Fraction, high: Fraction, **args: object) -> Message:
    if low == high:
        return Message(id, {**args, "mean": mean_message(low)})
    between = Message("nba.between", {"low": mean_message(low), "high": mean_message(high)})
    return Message(id, {**args, "mean": between})


def _notices(state: State) -> tuple[NoticeFigure, ...]:
    found = []
    if state.money_time:
        found.append(NoticeFigure(word("notice", "money_time"), "NBA-9.4"))
    if state.setup.dice_set.six_nine == SIX_NINE[-1]:
        found.append(NoticeFigure(word("notice", "six_nine"), "NBA-2.6"))
    return tuple(found)


def _unknown_face_notices(state: State) -> tuple[NoticeFigure, ...]:
    """Return a notice if dice of the open roll show a face whose colour the rules leave open (NBA-2.3)."""
    thrown = state.roll.dice if state.roll else ()
    open_faces = [die for die in thrown if (die.value, UNKNOWN_COLOUR) in state.setup.dice_set.of(die.die)]
    if not open_faces:
        return ()
    args = {"dice": comma_separated([_die_message(die) for die in dict.fromkeys(open_faces)])}
    return (NoticeFigure(Message("nba.notice.unknown", args), "NBA-2.3"),)


def _over(state: State) -> tuple[Figure, ...]:
    result = state.result
    winner = None if result is None else result.winner
    headline = Headline(result_message(None if winner is None else state.setup.names[winner]))
    if result is None or result.ranking is None:
        return (headline,)
    keys = [ranking_key(state, side) for side in result.ranking]
    ranking = [
        side_message("notice.place", state, side, place=keys.index(key) + 1, points=state.score(side))
        for side, key in zip(result.ranking, keys, strict=True)
    ]
    return (replace(headline, detail=comma_separated(ranking)),)


SIDE_COLOURS = ("violet", "lime", "orange", "white")
"""The colour tokens of the sides in header order; none is a dice colour."""


def scene(state: State) -> Scene:
    """Return the scene. It shows only open cards: never a hand, a deck or a discard (NBA-3.8)."""
    setup = state.setup
    sides = tuple(
        SideScene(side, setup.names[side], colour, initial(setup.names[side]), side_stats(state, side))
        for side, colour in zip(setup.sides, SIDE_COLOURS, strict=False)
    )
    return Scene(sides, board(state), figures(state))


def initial(name: str) -> str:
    """Return the letter of a side; empty for an empty name."""
    return name.strip()[:1].upper()


def side_stats(state: State, side: str) -> tuple[SideStat, ...]:
    """Return at most five facts, the most important first; level and rebounds are on the scoreboard."""
    team = state.team(side)
    facts = [_side_stat("attack", team.attack.value)] if team.attack is not None else []
    if state.opponent is not None and state.setup.is_solo(side):
        return (*facts, _side_stat("resources", state.opponent.resources))
    facts.append(_side_stat("fatigue", team.fatigue_held))
    facts.append(_side_stat("pile", state.pile))
    if state.setup.full:
        facts.append(_side_stat("rerolls", rerolls.rebound_rerolls(state, side)))
    if state.setup.variants.mismatch:
        facts.append(_side_stat("tokens", state.setup.variants.mismatch - len(team.tokens)))
    return tuple(facts)


def _side_stat(id: str, value: int) -> SideStat:
    label: Message = word("fact", id)
    return SideStat(label, str(value))


def board(state: State) -> NbaBoard:
    """Return the scoreboard's value."""
    setup, result = state.setup, state.result
    names = [None if id is None else id if id == HIDDEN_CARD else card_name(state, id) for id in state.track]
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
        roll_tactic=card_name(state, state.roll.tactic) if state.roll else None,
        winner=winner,
        draw=state.phase == "over" and winner is None,
        ranking=result.ranking if result and result.ranking else (),
    )


def _dice(dice: tuple[NbaFace, ...]) -> tuple[BoardDie, ...]:
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
        fatigue=team.fatigue_held,
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


def _defence(state: State, side: str, defence: LaidDice | None) -> tuple[BoardDie, ...]:
    if defence is None:
        return ()
    attacks = [state.team(other).attack for other in state.setup.opponents(side)]
    attack = next((each for each in attacks if each is not None), None)
    return tuple(BoardDie(die.die, die.value, die.colour, count_reason(die, attack)) for die in defence.dice)
