"""The scene of a match: both sides with their facts, the scoreboard's value and the figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.base import Message, Scene, SideScene, SideStat
from companion.games.figures import DuelColumn, DuelLine, Figure, Headline, NoticeFigure, PathZone, ZonePath
from companion.games.figures import DuelScene as DuelFigure
from companion.games.occasion import odds
from companion.games.occasion.cards import Chance, Zone
from companion.games.occasion.duel_resolution import side_to_reveal
from companion.games.occasion.messages import (
    chance_name,
    full_posts_message,
    player_name,
    post_message,
    posts_message,
    side_message,
    word,
)
from companion.games.occasion.state import Duel, DuelSide, State
from companion.games.occasion.tables import ATTACK_STAT, CROSS, DEFENCE_STAT, EXACT_POST_BONUS, SIDES, Side, side_index
from companion.games.wording import literal, result_message, short_name


@dataclass(frozen=True, slots=True)
class BoardZone:
    """A zone of the chance card in the middle."""

    id: str
    shot: bool
    here: bool
    """True if the chance is in this zone."""
    option: bool
    """True if the attack may choose this zone now."""
    attack_posts: tuple[Message, ...]
    defence_posts: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One side with its used cards and its open chance cards."""

    side: str
    name: str
    attacks: bool
    visible: tuple[str, ...]
    """The names of its face-up chance cards."""
    energy_used: int
    used: tuple[str, ...]
    """The names of its used player cards, in the order of use."""
    yellow: int
    red: int


@dataclass(frozen=True, slots=True)
class BoardDuellist:
    """One side of the duel. `energy` are the counted values; None is a face-down energy."""

    side: str
    player: str
    post: Message
    stat: str
    """`pass`, `dribble`, `int` or `tak`: the points that count."""
    base: int
    bonus: int
    support: tuple[str, ...]
    energy: tuple[int | None, ...]
    ability: int
    total: int


@dataclass(frozen=True, slots=True)
class OccasionBoard:
    """The scoreboard panel. `sides` and `score` are home, then away; `rows` of zones start with the lowest."""

    sides: tuple[BoardSide, BoardSide]
    score: tuple[int, int]
    goals_to_win: int | None
    phase: str
    turn: int
    chance: str | None
    rows: tuple[tuple[BoardZone, ...], ...]
    carrier: str | None
    """The name of the dribbler who keeps the ball."""
    bonus_x2: bool
    move: str | None
    duel: tuple[BoardDuellist, ...]
    """The attack's part, then the defence's once it opposes."""
    margin: int | None
    winner: str | None


# The figures in the centre of the table screen: the chance's zone, the duel line by line, the certain results.


def figures(state: State) -> tuple[Figure, ...]:
    """Return the figures from top to bottom. No probabilities are shown: hands and energies are secret (OC-11.2)."""
    if state.phase == "over":
        return (_result(state),)
    if state.duel is not None:
        return (duel_figure(state, state.duel), *_notices(state))
    chance, zone = state.chance, state.zone
    if chance is None or zone is None:
        return (*(_path(state, state.occasions[id], several=True) for id in _offered(state)), *_notices(state))
    return (_headline(state, chance, zone), _path(state, chance), *_notices(state))


def _offered(state: State) -> tuple[str, ...]:
    """Return the known chance cards that the attack may play."""
    return tuple(id for id in state.visible_to(state.attack) if id in state.occasions)


def _path(state: State, chance: Chance, several: bool = False) -> ZonePath:
    """Return the zones of a chance card; `several` adds its name."""
    rows = tuple(tuple(_path_zone(state, chance, zone) for zone in row) for row in chance.rows)
    return ZonePath(state.attack, rows, literal(chance.name) if several else None)


def _path_zone(state: State, chance: Chance, zone: Zone) -> PathZone:
    present = state.zone
    here = present is not None and zone.id == present.id
    posts = (
        ()
        if zone.shot
        else tuple(
            (posts_message(state, ids), side)
            for ids, side in ((zone.attack_posts, state.attack), (zone.defence_posts, state.defence))
            if ids
        )
    )
    player = player_name(state, state.carrier, state.attack) if here and state.carrier else ""
    return PathZone(zone.id, zone.next, zone.shot, posts, _zone_state(state, chance, zone), short_name(player))


def _zone_state(state: State, chance: Chance, zone: Zone) -> Literal["past", "here", "option", "ahead"]:
    """Return where a zone of the card is, seen from the ball."""
    present = state.zone
    if present is not None and zone.id == present.id:
        return "here"
    if zone.id in state.options or (present is None and zone.id in chance.starts):
        return "option"
    return "past" if present is not None and zone.row <= present.row else "ahead"


def _headline(state: State, chance: Chance, zone: Zone) -> Headline:
    """Return the chance and its zone."""
    name = Message("occasion.headline.chance", {"chance": chance.name})
    if zone.shot or state.phase == "shot":
        return Headline(name, Message("occasion.headline.shot", {"zone": zone.id}))
    args = {
        "zone": zone.id,
        "attack": full_posts_message(state, zone.attack_posts),
        "defence": full_posts_message(state, zone.defence_posts),
    }
    return Headline(name, Message("occasion.headline.zone", args))


def duel_figure(state: State, duel: Duel) -> DuelFigure:
    """Return both sides' open points, and the margin."""
    attack = _column(state, state.attack, duel.attack, ATTACK_STAT[duel.move], word("move", duel.move))
    if duel.defence is None:
        name = state.setup.name(state.defence)
        defence = DuelColumn(state.defence, name, word("duel", "not_yet"))
    else:
        stat = DEFENCE_STAT[duel.move]
        defence = _column(state, state.defence, duel.defence, stat, word("stat", stat))
    return DuelFigure((attack, defence), duel.margin, word("duel", "margin"), word("duel", "attack_wins"))


def _column(state: State, side: Side, own: DuelSide, stat: str, by: Message) -> DuelColumn:
    """Return points, bonus and abilities, then the energy of each card; `by` is the base player's action."""
    card = state.card(side, own.player)
    place = post_message(state, card.post) if card else word("posts", "none")
    lines = [DuelLine(word("duel", "points"), own.base)]
    if own.bonus:
        lines.append(DuelLine(word("duel", "post" if own.bonus == EXACT_POST_BONUS else "line"), own.bonus, "bonus"))
    if own.ability:
        lines.append(DuelLine(word("duel", "abilities"), own.ability, "bonus"))
    lines += [_energy(state, side, own, number) for number in range(len(own.cards))]
    detail = Message("occasion.duel.player", {"post": place, "by": by})
    return DuelColumn(side, player_name(state, own.player, side), detail, tuple(lines), own.total)


def _energy(state: State, side: Side, own: DuelSide, number: int) -> DuelLine:
    """Return the energy of a card: face down, expected to be revealed, or with its counted points."""
    doubled = state.bonus_x2 and side == state.attack and number == 0
    label = word("duel", "energy_x2" if doubled else "energy")
    if number:
        label = literal(short_name(player_name(state, own.cards[number], side)))
    if number < len(own.energy):
        return DuelLine(label, own.energy[number], "bonus", mergeable=True)
    due = state.phase == "reveal" and number == len(own.energy) and side_to_reveal(state) == side
    return DuelLine(label, None, "due" if due else "hidden", mergeable=True)


def _notices(state: State) -> tuple[NoticeFigure, ...]:
    found = []
    duel = state.duel
    if state.bonus_x2 and (duel is None or not duel.attack.energy) and state.phase != "shot":
        found.append(NoticeFigure(word("notice", "doubled"), "OC-7.3"))
    if duel is not None and duel.move == CROSS:
        found.append(NoticeFigure(word("notice", "cross" if duel.defence is None else "wall"), "OC-4.5"))
    if duel is not None and duel.margin == 0 and state.phase == "verdict":
        found.append(NoticeFigure(word("notice", "equal"), "OC-9.2"))
    share = odds.attack_win_chance(state)
    if share is not None and state.phase == "reveal":
        winner = state.attack if share == 1 else state.defence
        found.append(NoticeFigure(side_message("notice.certain", state, winner), "OC-9.2"))
    return tuple(found)


def _result(state: State) -> Headline:
    return Headline(result_message(state.setup.name(state.winner) if state.winner else None))


COLOURS = {"home": "blue", "away": "red"}
LETTERS = {"home": "B", "away": "R"}


def scene(state: State) -> Scene:
    """Return the scene. It shows only open cards: hands and face-down energies stay secret."""
    return Scene(
        sides=tuple(
            SideScene(side, state.setup.name(side), COLOURS[side], LETTERS[side], side_stats(state, side))
            for side in SIDES
        ),
        board=board(state),
        figures=figures(state),
    )


def side_stats(state: State, side: Side) -> tuple[SideStat, ...]:
    """Return a side's used cards, and the cards it was shown."""
    facts = [
        SideStat(word("fact", "energy"), str(state.energy_used[side_index(side)])),
        SideStat(word("fact", "used"), str(len(state.used(side)))),
        SideStat(word("fact", "visible"), str(len(state.visible_to(side)))),
    ]
    for card in ("yellow", "red"):
        count = _booking_count(state, side, card)
        if count:
            facts.append(SideStat(word("fact", card), str(count)))
    return tuple(facts)


def board(state: State) -> OccasionBoard:
    """Return the scoreboard's value."""
    chance, duel = state.chance if state.phase != "over" else None, state.duel
    home, away = (_board_side(state, side) for side in SIDES)
    return OccasionBoard(
        sides=(home, away),
        score=state.score,
        goals_to_win=state.setup.goals_to_win,
        phase=state.phase,
        turn=state.turn,
        chance=chance.name if chance else None,
        rows=tuple(tuple(_board_zone(state, zone) for zone in row) for row in chance.rows) if chance else (),
        carrier=player_name(state, state.carrier, state.attack) if state.carrier else None,
        bonus_x2=state.bonus_x2 and state.phase not in ("shot", "over"),
        move=duel.move if duel else None,
        duel=_duellists(state),
        margin=duel.margin if duel else None,
        winner=state.winner,
    )


def _board_side(state: State, side: Side) -> BoardSide:
    return BoardSide(
        side=side,
        name=state.setup.name(side),
        attacks=state.phase != "over" and side == state.attack,
        visible=tuple(chance_name(state, card) for card in state.visible_to(side)),
        energy_used=state.energy_used[side_index(side)],
        used=tuple(player_name(state, id, side) for id in state.used(side)),
        yellow=_booking_count(state, side, "yellow"),
        red=_booking_count(state, side, "red"),
    )


def _booking_count(state: State, side: Side, card: str) -> int:
    return sum(booking.side == side and booking.card == card for booking in state.cards_shown)


def _board_zone(state: State, zone: Zone) -> BoardZone:
    return BoardZone(
        id=zone.id,
        shot=zone.shot,
        here=state.place is not None and state.place.zone == zone.id,
        option=zone.id in state.options,
        attack_posts=tuple(post_message(state, id) for id in zone.attack_posts),
        defence_posts=tuple(post_message(state, id) for id in zone.defence_posts),
    )


def _duellists(state: State) -> tuple[BoardDuellist, ...]:
    duel = state.duel
    if duel is None:
        return ()
    found = [_duellist(state, state.attack, duel.attack, ATTACK_STAT[duel.move])]
    if duel.defence is not None:
        found.append(_duellist(state, state.defence, duel.defence, DEFENCE_STAT[duel.move]))
    return tuple(found)


def _duellist(state: State, side: Side, own: DuelSide, stat: str) -> BoardDuellist:
    card = state.card(side, own.player)
    return BoardDuellist(
        side=side,
        player=player_name(state, own.player, side),
        post=post_message(state, card.post if card else own.player),
        stat=stat,
        base=own.base,
        bonus=own.bonus,
        support=tuple(player_name(state, id, side) for id in own.support),
        energy=(*own.energy, *(None for _ in range(own.face_down))),
        ability=own.ability,
        total=own.total,
    )
