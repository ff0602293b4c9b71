"""The figures in the centre of the table screen: where the chance is, the margin with every term, what is certain."""

from __future__ import annotations

from companion.games.base import Figure, Headline, Message, Notice, Sum, Term
from companion.games.occasion import odds
from companion.games.occasion.state import Duel, DuelSide, State
from companion.games.occasion.tables import ATTACK_STAT, CROSS, DEFENCE_STAT, SIDES, Side
from companion.games.occasion.words import player_name, posts, said, word


def figures(state: State) -> tuple[Figure, ...]:
    """From top to bottom. No chances are shown: hands and energies are secret (OC-11.2)."""
    if state.phase == "over":
        return (_result(state),)
    found: list[Figure] = [_headline(state)]
    if state.duel is not None:
        found.append(_sum(state, state.duel))
    return (*found, *_notices(state))


def _headline(state: State) -> Headline:
    """The chance and where it is; between two chances the turn."""
    chance, zone = state.chance, state.zone
    if chance is None or zone is None:
        text = Message("occasion.headline.turn", {"turn": state.turn})
        target = state.setup.goals_to_win
        return Headline(text, Message("occasion.headline.target", {"n": target}) if target else None)
    if zone.shot or state.phase == "shot":
        return Headline(Message("occasion.headline.chance", {"chance": chance.name}), _at(zone.id, "shot"))
    args = {"zone": zone.id, "attack": posts(state, zone.attack_posts), "defence": posts(state, zone.defence_posts)}
    return Headline(
        Message("occasion.headline.chance", {"chance": chance.name}), Message("occasion.headline.zone", args)
    )


def _at(zone: str, what: str) -> Message:
    return Message(f"occasion.headline.{what}", {"zone": zone})


def _sum(state: State, duel: Duel) -> Sum:
    """The margin with every term over what is face up; before the defence opposes the attack's total."""
    terms = _terms(state, state.attack, duel.attack, ATTACK_STAT[duel.move], 1)
    if duel.defence is None or duel.margin is None:
        return Sum(word("sum", "attack"), duel.attack.total, terms)
    terms += _terms(state, state.defence, duel.defence, DEFENCE_STAT[duel.move], -1)
    return Sum(word("sum", "margin"), duel.margin, terms)


def _terms(state: State, side: Side, own: DuelSide, stat: str, sign: int) -> tuple[Term, ...]:
    """Base, bonus, abilities, then each energy with the card it lies at. `sign` is that of the side's points."""
    player = {"player": player_name(state, own.player, side), "stat": word("stat", stat)}
    found = [Term(Message("occasion.term.base", player), sign * own.base, side)]
    if own.bonus:
        found.append(Term(word("term", "bonus"), sign * own.bonus, side))
    if own.ability:
        found.append(Term(word("term", "ability"), sign * own.ability, side))
    for number, (id, value) in enumerate(zip(own.cards, own.energy, strict=False)):
        doubled = state.bonus_x2 and side == state.attack and number == 0
        label = "occasion.term.energy_x2" if doubled else "occasion.term.energy"
        found.append(Term(Message(label, {"player": player_name(state, id, side)}), sign * value, side))
    return tuple(found)


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
