"""What there is to see of a match: both sides with their facts, the scoreboard's value and the figures."""

from __future__ import annotations

from companion.games.base import Fact, Scene, SideScene
from companion.games.occasion.cards import Zone
from companion.games.occasion.scene_board import BoardDuellist, BoardSide, BoardZone, OccasionBoard
from companion.games.occasion.scene_figures import figures
from companion.games.occasion.state import DuelSide, State
from companion.games.occasion.tables import ATTACK_STAT, DEFENCE_STAT, SIDES, Side, index_of
from companion.games.occasion.words import chance_name, player_name, post, word

COLOURS = {"home": "blue", "away": "red"}
LETTERS = {"home": "B", "away": "R"}


def scene(state: State) -> Scene:
    """Only what lies open on the table: hands and energies face down stay secret."""
    return Scene(
        sides=tuple(
            SideScene(side, state.setup.name(side), COLOURS[side], LETTERS[side], side_facts(state, side))
            for side in SIDES
        ),
        board=board(state),
        figures=figures(state),
    )


def side_facts(state: State, side: Side) -> tuple[Fact, ...]:
    """What a side has used, and the cards it was shown."""
    facts = [
        Fact(word("fact", "energy"), str(state.energy_used[index_of(side)])),
        Fact(word("fact", "used"), str(len(state.used(side)))),
        Fact(word("fact", "visible"), str(len(state.shown_to(side)))),
    ]
    for card in ("yellow", "red"):
        count = _shown(state, side, card)
        if count:
            facts.append(Fact(word("fact", card), str(count)))
    return tuple(facts)


def board(state: State) -> OccasionBoard:
    """The scoreboard's value."""
    chance, duel = state.chance, state.duel
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
        bonus_x2=state.bonus_x2,
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
        visible=tuple(chance_name(state, card) for card in state.shown_to(side)),
        energy_used=state.energy_used[index_of(side)],
        used=tuple(player_name(state, id, side) for id in state.used(side)),
        yellow=_shown(state, side, "yellow"),
        red=_shown(state, side, "red"),
    )


def _shown(state: State, side: Side, card: str) -> int:
    return sum(shown.side == side and shown.card == card for shown in state.cards_shown)


def _board_zone(state: State, zone: Zone) -> BoardZone:
    return BoardZone(
        id=zone.id,
        shot=zone.shot,
        here=state.place is not None and state.place.zone == zone.id,
        option=zone.id in state.options,
        attack_posts=tuple(post(state, id) for id in zone.attack_posts),
        defence_posts=tuple(post(state, id) for id in zone.defence_posts),
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
        post=post(state, card.post if card else own.player),
        stat=stat,
        base=own.base,
        bonus=own.bonus,
        support=tuple(player_name(state, id, side) for id in own.support),
        energy=(*own.energy, *(None for _ in range(own.face_down))),
        ability=own.ability,
        total=own.total,
    )
