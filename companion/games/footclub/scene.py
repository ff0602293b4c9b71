"""The scene of a FootClub match: both sides with their facts, the scoreboard's value and the figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from companion.games.base import Message, Scene, SideScene, SideStat
from companion.games.figures import (
    AttemptMark,
    AttemptRow,
    Attempts,
    Figure,
    Headline,
    OddsBar,
    OddsPart,
    Ruler,
    RulerCell,
    Sum,
    Term,
)
from companion.games.footclub import legs, messages, odds, pitch, team
from companion.games.footclub.duel import NEEDED
from companion.games.footclub.messages import card_message, word
from companion.games.footclub.offensives import STRENGTH
from companion.games.footclub.shootout import next_shooter, sudden_death
from companion.games.footclub.state import Club, Duel, Offensive, Player, Result, Shootout, State
from companion.games.footclub.tables import (
    MARKET_PICKS,
    PENALTY_BONUS,
    POSTS,
    SHOOTERS,
    SIDES,
    TURNS,
    Side,
    index_of,
    opponent,
)
from companion.games.wording import literal, result_message, short_name, signed


@dataclass(frozen=True, slots=True)
class BoardPlayer:
    """One outfield player. `level` is his level in play (FC-3.4), `name` his display name."""

    id: str
    name: str
    short: str
    """The name with the first name shortened to its initial, for small boxes."""
    post: str
    """`fb`, `cb`, `dm`, `am` or `fw`: his current post, or off the pitch the first post of his card."""
    posts: tuple[str, ...]
    level: int
    profiles: tuple[str, ...]
    strength: str | None
    status: str
    """As in `state`: `pitch`, `bench`, `out`, `injured_off`, `sent_off` or `suspended`."""
    freshness: int
    yellow: int
    half_yellow: int
    injury: int
    boost: int
    captain: bool
    ball: bool


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One club. Values that depend on the team sheet are None or empty before it."""

    side: str
    name: str
    home: bool
    att: int | None
    defence: int | None
    optimised: bool
    formation: str | None
    initial_bonus: int | None
    bookings: int
    """The cards that count for the defensive malus (FC-13.5)."""
    malus: int
    reds: int
    kop: str | None
    """`up`, `down`, or None for a club without a kop."""
    lineup: tuple[tuple[str, tuple[BoardPlayer, ...]], ...]
    """Posts `fb` to `fw` with their players from left to right."""
    bench: tuple[BoardPlayer, ...]
    """All other players of the squad."""
    captain: str | None


@dataclass(frozen=True, slots=True)
class BoardShootout:
    """A penalty shoot-out: kicks taken and scored by side, in the order of `FootClubBoard.clubs`."""

    first: str | None
    next: str | None
    scored: tuple[int, int]
    taken: tuple[int, int]


@dataclass(frozen=True, slots=True)
class BoardResult:
    winner: str | None
    by: str
    """`goals`, `draw`, `extra_time`, `shootout`, `aggregate`, `away_goals` or `forfeit`."""


@dataclass(frozen=True, slots=True)
class FootClubBoard:
    """The scoreboard panel.

    `clubs` and `score` are blue, then red; `turns` is the number of turns in the half, 0 before it.
    """

    clubs: tuple[BoardSide, BoardSide]
    score: tuple[int, int]
    phase: str
    half: int
    turn: int
    turns: int
    home: str
    ball_colour: str | None
    possession: str | None
    holder: str | None
    """The ball holder's id."""
    holder_name: str | None
    aggregate: tuple[int, int] | None
    away_goals: tuple[int, int] | None
    """In a second leg, the goals of both legs so far, and those scored away (FC-16.2), blue first."""
    shootout: BoardShootout | None
    result: BoardResult | None


# Splits the running bonus of an offensive into terms, for the sum in the centre of the screen.


def offensive_terms(state: State, offensive: Offensive) -> tuple[Term, ...]:
    """Return the terms of the running bonus: the initial bonus, the attackers' additions, the defenders'
    subtractions.

    The state keeps sums, not single additions. They can be separated, except in a solo effort whose attacker may have
    paid for his strength: there the attackers' additions are one term.
    """
    side = offensive.side
    strength = state.club(side).players[offensive.player].card.strength or ""
    if offensive.kind == "solo_effort":
        added = [("skill_and_added" if strength == "skilful" else "added", offensive.attack_bonus)]
        if not offensive.malus and strength != "skilful":
            added = _supporters_and_supports(state, offensive, offensive.attack_bonus)
    else:
        automatic, _ = STRENGTH.get((offensive.kind, strength), (0, 0))
        rest = _supporters_and_supports(state, offensive, offensive.attack_bonus - automatic)
        added = [(f"strength.{strength}", automatic), *rest]
    hoarse = offensive.spent[opponent(side) == "red"]
    taken = [("supporters", -hoarse), ("defensive_support", hoarse - offensive.defence_bonus)]
    return (
        Term(word("term", "initial"), offensive.initial),
        *(Term(word("term", label), value, side) for label, value in added if value),
        *(Term(word("term", label), value, opponent(side)) for label, value in taken if value),
    )


def _supporters_and_supports(state: State, offensive: Offensive, added: int) -> list[tuple[str, int]]:
    """Split the attackers' additions, without the strength, into spent Supporters, kop and attacking supports.

    A Supporter adds 1 and a support adds 2. A kop worth 2 shows as an odd difference; a kop worth 1 counts as a
    Supporter.
    """
    spent_count = offensive.spent[index_of(offensive.side)]
    kop = (added - spent_count) % 2 if state.setup.kop_attack_bonus > 1 else 0
    kop_bonus = kop * state.setup.kop_attack_bonus
    supporters = spent_count - kop
    return [("kop", kop_bonus), ("supporters", supporters), ("attacking_support", added - kop_bonus - supporters)]


# The figures in the centre of the table screen, by phase: headline, sum of terms, odds, ruler of a roll.

TWO_ONES = 2


def figures(state: State) -> tuple[Figure, ...]:
    """Return the figures from top to bottom. A phase without its own figures shows where the ball is."""
    return _FIGURES.get(state.phase, _field)(state)


def _field(state: State) -> tuple[Figure, ...]:
    """Return the ball with its holder, and the pitch with the players of the club that acts."""
    return (*_ball(state), *pitch.figures(state))


def _ball(state: State) -> tuple[Figure, ...]:
    if state.colour is None:
        return ()
    detail = None
    if state.holder is not None and state.possession is not None:
        club = state.setup.name(state.possession)
        player = messages.full_name(state, state.holder)
        detail = Message("footclub.headline.holder", {"player": player, "club": club})
    return (Headline(word("ball", state.colour), detail, state.colour),)


def _market(state: State) -> tuple[Figure, ...]:
    picks = len(state.market.picks) if state.market else 0
    detail = Message("footclub.headline.picks", {"n": picks, "most": MARKET_PICKS})
    return (Headline(word("phase", "market"), detail),)


def _phase(state: State) -> tuple[Figure, ...]:
    return (Headline(word("phase", state.phase)),)


def _attack(state: State) -> tuple[Figure, ...]:
    """Return the figures of the initial bonus that the club with the ball would have."""
    return _ball(state) if state.possession is None else (*_ball(state), *start_figures(state, state.possession))


def start_figures(state: State, side: Side) -> tuple[Figure, ...]:
    """Return a side's initial bonus with its terms (FC-8.7), before additions, and the odds of a shot with it."""
    start = team.initial_bonus(state, side)
    attack, defence = team.attack(state.club(side)), team.defence(state.club(opponent(side)))
    terms = (Term(word("term", "att"), attack, side), Term(word("term", "def"), -defence, opponent(side)))
    chances = odds.shot(max(-odds.CLAMP, min(odds.CLAMP, start)))
    return (Sum(word("sum", "start"), start, terms), shot_bar(chances, side))


def _offensive(state: State) -> tuple[Figure, ...]:
    offensive = state.offensive
    if offensive is None:
        return _ball(state)
    player = messages.full_name(state, offensive.player)
    where = messages.position_message(state, offensive.player)
    detail = Message("footclub.headline.placed", {"player": player, "place": where or ""})
    kind = offensive.set_piece or offensive.kind
    found: list[Figure] = [Headline(card_message(kind), detail, state.colour)]
    if offensive.set_piece is None and offensive.throw == 1:
        sums = {"sum": signed(offensive.bonus), "final": signed(offensive.final)}
        limited = Message("footclub.sum.clamped", sums) if offensive.final != offensive.bonus else None
        found.append(Sum(word("sum", "running"), offensive.final, offensive_terms(state, offensive), limited))
    chances = odds.shot(offensive.final, offensive.throw, offensive.defence_die)
    return (*found, shot_bar(chances, offensive.side))


def _shootout(state: State) -> tuple[Figure, ...]:
    shootout = state.shootout
    if shootout is None:
        return _phase(state)
    if shootout.next is None:
        return _phase(state)
    chances = odds.shot(PENALTY_BONUS, shootout.throw, shootout.defence_die)
    bar = shot_bar(chances, shootout.next, corner="miss")
    return (_kick_headline(state, shootout, shootout.next), _kicks(state, shootout, shootout.next), bar)


def _kick_headline(state: State, shootout: Shootout, side: Side) -> Headline:
    """Return who takes the current kick, for which club, and which kick it is."""
    club, player = state.setup.name(side), next_shooter(shootout)
    detail = Message("footclub.headline.kick", {"club": club, "n": shootout.taken[index_of(side)] + 1})
    if sudden_death(shootout):
        detail = Message("footclub.headline.sudden_death", {"club": club})
    name = club if player is None else messages.full_name(state, player)
    return Headline(Message("footclub.headline.kicker", {"player": name}), detail)


def _kicks(state: State, shootout: Shootout, side: Side) -> Attempts:
    """Return the kicks of both clubs while `side` kicks: five each, in sudden death the last five."""
    current = shootout.taken[index_of(side)]
    rows = []
    for each in SIDES:
        marks: list[AttemptMark] = ["made" if scored else "missed" for scored in shootout.kicks[index_of(each)]]
        marks += ["now"] * (each == side)
        marks += ["due"] * (max(SHOOTERS, current + 1) - len(marks))
        rows.append(AttemptRow(each, literal(state.setup.name(each)), tuple(marks[-SHOOTERS:])))
    return Attempts(tuple(rows))


def shot_bar(chances: Mapping[str, Fraction], side: Side, corner: str = "corner") -> OddsBar:
    """Return the odds of a shot of `side`; in the shoot-out a corner is a miss (FC-15.7)."""
    return OddsBar(
        (
            OddsPart(word("odds", "goal"), str(chances["goal"]), side),
            OddsPart(word("odds", corner), str(chances["corner"])),
            OddsPart(word("odds", "save"), str(chances["save"]), opponent(side)),
        )
    )


def _duel(state: State) -> tuple[Figure, ...]:
    duel = state.duel
    if duel is None:
        return _ball(state)
    player = messages.full_name(state, duel.player)
    if duel.target is None:
        where = messages.position_message(state, duel.player)
        detail = Message("footclub.headline.placed", {"player": player, "place": where or ""})
    else:
        target = messages.full_name(state, duel.target)
        detail = Message("footclub.headline.tackles", {"player": player, "target": target})
    if duel.mode == "aggressive" and duel.throw == 1:
        detail = Message("footclub.headline.again", {"what": detail})
    headline = Headline(word(duel.kind, duel.mode), detail, state.colour)
    chances = odds.duel(duel.mode, duel.modifier, duel.throw)
    won = Message("footclub.odds.ball_to", {"club": state.setup.name(duel.side)})
    bar = OddsBar(
        (
            OddsPart(word("odds", "foul"), str(chances["foul"]), opponent(duel.side)),
            OddsPart(won if duel.kind == "tackle" else word("odds", "success"), str(chances["success"]), duel.side),
        )
    )
    return (headline, ruler(duel), bar)


def ruler(duel: Duel) -> Ruler:
    """Return the result of each roll of two dice, from double one to double six.

    A cell's total includes the modifier, except that double one stays double one (FC-7.5, FC-10.6).
    """
    title = Message("footclub.ruler.needed", {"total": NEEDED[duel.throw]})
    if duel.modifier:
        title = Message("footclub.ruler.modified", {"total": NEEDED[duel.throw], "modifier": signed(duel.modifier)})
    return Ruler(title, tuple(_cell(duel, dice) for dice in range(TWO_ONES, 13)))


def _cell(duel: Duel, dice: int) -> RulerCell:
    """Return the cell of one unmodified sum of the dice."""
    ones = dice == TWO_ONES
    total = dice if ones else dice + duel.modifier
    chance = str(Fraction(6 - abs(7 - dice), 36))
    if total >= NEEDED[duel.throw] and not ones:
        return RulerCell(total, "success", chance, duel.side)
    if duel.mode == "aggressive" and duel.throw == 1:
        return RulerCell(total, "second_throw", chance)
    mark = ("red" if ones else "yellow") if duel.throw > 1 else "yellow" if ones else None
    return RulerCell(total, "foul", chance, opponent(duel.side), mark)


def _finished(state: State) -> tuple[Figure, ...]:
    result = state.result
    if result is None:
        return ()
    if result.winner is None:
        return (Headline(result_message(None)),)
    return (Headline(result_message(state.setup.name(result.winner)), _how(state, result)),)


def _how(state: State, result: Result) -> Message | None:
    """Return how the match was won; after a second leg with the aggregate and the goals scored away.

    None if the score says it.
    """
    first = state.setup.first_leg
    if first is None and result.by == "goals":
        return None
    how = word("result", result.by)
    if first is None or result.by == "forfeit":
        return how
    sums = {"aggregate": legs.aggregate(state, first), "away": legs.away_goals(state, first)}
    scores = {f"{key}_{side}": goals[at] for key, goals in sums.items() for at, side in enumerate(SIDES)}
    return Message("footclub.result.two_legs", {"how": how, **scores})


_FIGURES: Mapping[str, Callable[[State], tuple[Figure, ...]]] = {
    "market": _market,
    "pre_match": _phase,
    "half_time": _phase,
    "extra_time_break": _phase,
    "full_time": _phase,
    "attack": _attack,
    "counter": _attack,
    "offensive": _offensive,
    "set_piece": _offensive,
    "duel": _duel,
    "shootout": _shootout,
    "finished": _finished,
}


LETTERS = {"blue": "B", "red": "R"}
OUTSIDE_HALVES = ("market", "pre_match", "half_time", "full_time", "extra_time_break", "shootout", "finished")


def scene(state: State) -> Scene:
    """Return the scene. It shows only what both clubs may know: counts, never a hand or a choice (FC-4.5)."""
    return Scene(
        sides=tuple(
            SideScene(side, state.setup.name(side), side, LETTERS[side], side_stats(state, side)) for side in SIDES
        ),
        board=board(state),
        figures=figures(state),
    )


def side_stats(state: State, side: Side) -> tuple[SideStat, ...]:
    """Return at most five facts, the most important first."""
    if not state.clubs:
        return ()
    club = state.club(side)
    stands = SideStat(word("fact", "stands_kop" if club.kop == "up" else "stands"), str(club.stands))
    changes = SideStat(word("fact", "changes"), str(club.replacements_left))
    cards = SideStat(word("fact", "cards"), str(team.bookings(club) + club.reds))
    if state.phase in OUTSIDE_HALVES:
        return (stands, changes, cards)
    hand = SideStat(word("fact", "hand"), str(club.hand))
    deck = SideStat(word("fact", "deck"), str(club.deck))
    return (stands, hand, deck, changes, cards)


def board(state: State) -> FootClubBoard:
    """Return the scoreboard's value; during the market the clubs have only names."""
    first_leg = state.setup.first_leg
    shootout = state.shootout
    return FootClubBoard(
        clubs=(_board_side(state, "blue"), _board_side(state, "red")),
        score=state.score,
        phase=state.phase,
        half=state.half,
        turn=state.turn,
        turns=TURNS.get(state.half, 0),
        home=state.setup.home,
        ball_colour=state.colour,
        possession=state.possession,
        holder=state.holder,
        holder_name=messages.full_name(state, state.holder) if state.holder else None,
        aggregate=legs.aggregate(state, first_leg) if first_leg else None,
        away_goals=legs.away_goals(state, first_leg) if first_leg else None,
        shootout=BoardShootout(shootout.first, shootout.next, shootout.scored, shootout.taken) if shootout else None,
        result=BoardResult(state.result.winner, state.result.by) if state.result else None,
    )


def _board_side(state: State, side: Side) -> BoardSide:
    name, home = state.setup.name(side), state.setup.home == side
    if not state.clubs:
        return BoardSide(side, name, home, None, None, False, None, None, 0, 0, 0, None, (), (), None)
    club = state.club(side)
    ready = club.lineup is not None
    both = all(one.lineup is not None for one in state.clubs)
    on_pitch = set(club.on_pitch)
    return BoardSide(
        side=side,
        name=name,
        home=home,
        att=team.attack(club) if ready else None,
        defence=team.defence(club) if ready else None,
        optimised=ready and team.optimised(club),
        formation=team.formation_text(club.formation) if ready else None,
        initial_bonus=team.initial_bonus(state, side) if both else None,
        bookings=team.bookings(club),
        malus=team.malus(club),
        reds=club.reds,
        kop=club.kop,
        lineup=tuple(
            (post, tuple(board_player(state, club, club.players[id], post) for id in line))
            for post, line in zip(POSTS, club.lineup or (), strict=False)
        ),
        bench=tuple(
            board_player(state, club, player, player.card.posts[0])
            for player in club.players.values()
            if player.id not in on_pitch
        ),
        captain=club.captain,
    )


def board_player(state: State, club: Club, player: Player, post: str) -> BoardPlayer:
    """Return one player at a post, as the pitch and the line-up editor show him."""
    card = player.card
    return BoardPlayer(
        id=card.id,
        name=card.name,
        short=short_name(card.name),
        post=post,
        posts=card.posts,
        level=player.level,
        profiles=card.profiles,
        strength=card.strength,
        status=player.status,
        freshness=player.freshness,
        yellow=player.yellow,
        half_yellow=player.half_yellow,
        injury=player.injury + player.lasting,
        boost=player.boost,
        captain=club.captain == card.id,
        ball=state.holder == card.id,
    )
