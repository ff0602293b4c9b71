"""The figures in the centre of the table screen: where the chance is, the duel line by line, what is certain."""

from __future__ import annotations

from companion.games.base import Message
from companion.games.figures import Duel as DuelFigure
from companion.games.figures import DuelColumn, DuelLine, Figure, Headline, Notice
from companion.games.occasion import odds
from companion.games.occasion.cards import Chance, Zone
from companion.games.occasion.resolving import due_to_reveal
from companion.games.occasion.state import Duel, DuelSide, State
from companion.games.occasion.tables import ATTACK_STAT, CROSS, DEFENCE_STAT, EXACT_POST, SIDES, Side
from companion.games.occasion.words import player_name, post, posts, said, word
from companion.games.wording import literal, short_name


def figures(state: State) -> tuple[Figure, ...]:
    """From top to bottom. No chances are shown: hands and energies are secret (OC-11.2)."""
    if state.phase == "over":
        return (_result(state),)
    if state.duel is not None:
        return (duel_figure(state, state.duel), *_notices(state))
    chance, zone = state.chance, state.zone
    if chance is None or zone is None:
        return _notices(state)
    return (_headline(state, chance, zone), *_notices(state))


def _headline(state: State, chance: Chance, zone: Zone) -> Headline:
    """The chance and where it is."""
    name = Message("occasion.headline.chance", {"chance": chance.name})
    if zone.shot or state.phase == "shot":
        return Headline(name, Message("occasion.headline.shot", {"zone": zone.id}))
    args = {"zone": zone.id, "attack": posts(state, zone.attack_posts), "defence": posts(state, zone.defence_posts)}
    return Headline(name, Message("occasion.headline.zone", args))


def duel_figure(state: State, duel: Duel) -> DuelFigure:
    """Both sides' points over what is face up, and the margin."""
    attack = _column(state, state.attack, duel.attack, ATTACK_STAT[duel.move], word("move", duel.move))
    if duel.defence is None:
        name = state.setup.name(state.defence)
        defence = DuelColumn(state.defence, name, word("duel", "not_yet"))
    else:
        stat = DEFENCE_STAT[duel.move]
        defence = _column(state, state.defence, duel.defence, stat, word("stat", stat))
    return DuelFigure((attack, defence), duel.margin, word("duel", "margin"), word("duel", "attack_wins"))


def _column(state: State, side: Side, own: DuelSide, stat: str, by: Message) -> DuelColumn:
    """Points, bonus and abilities, then the energy of each card; `by` is what the base player does."""
    card = state.card(side, own.player)
    place = post(state, card.post) if card else word("posts", "none")
    lines = [DuelLine(word("duel", "points"), own.base)]
    if own.bonus:
        lines.append(DuelLine(word("duel", "post" if own.bonus == EXACT_POST else "line"), own.bonus, "bonus"))
    if own.ability:
        lines.append(DuelLine(word("duel", "abilities"), own.ability, "bonus"))
    lines += [_energy(state, side, own, number) for number in range(len(own.cards))]
    detail = Message("occasion.duel.player", {"post": place, "by": by})
    return DuelColumn(side, player_name(state, own.player, side), detail, tuple(lines), own.total)


def _energy(state: State, side: Side, own: DuelSide, number: int) -> DuelLine:
    """The energy at a card: face down, due to be turned up, or with its points as they count."""
    doubled = state.bonus_x2 and side == state.attack and number == 0
    label = word("duel", "energy_x2" if doubled else "energy")
    if number:
        label = literal(short_name(player_name(state, own.cards[number], side)))
    if number < len(own.energy):
        return DuelLine(label, own.energy[number], "bonus", alike=True)
    due = state.phase == "reveal" and number == len(own.energy) and due_to_reveal(state) == side
    return DuelLine(label, None, "due" if due else "hidden", alike=True)


def _notices(state: State) -> tuple[Notice, ...]:
    found = []
    duel = state.duel
    if state.bonus_x2 and (duel is None or not duel.attack.energy) and state.phase != "shot":
        found.append(Notice(word("notice", "doubled"), "OC-7.3"))
    if duel is not None and duel.move == CROSS:
        found.append(Notice(word("notice", "cross" if duel.defence is None else "wall"), "OC-4.5"))
    if duel is not None and duel.margin == 0 and state.phase == "verdict":
        found.append(Notice(word("notice", "equal"), "OC-9.2"))
    share = odds.attack_wins(state)
    if share is not None and state.phase == "reveal":
        winner = state.attack if share == 1 else state.defence
        found.append(Notice(said("notice.certain", state, winner), "OC-9.2"))
    return tuple(found)


def _result(state: State) -> Headline:
    detail = Message("occasion.detail.score", dict(zip(SIDES, state.score, strict=True)))
    if state.winner is None:
        return Headline(word("headline", "draw"), detail)
    return Headline(said("headline.wins", state, state.winner), detail)
