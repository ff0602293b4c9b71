"""One line of the timeline for each event: what was done and what came of it.

The state is the one after the event. For an event that was taken back it is a later one and the outcome is empty: then
the line says the bare fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.games.base import Fields, Message, Outcome
from companion.games.nba.state import State
from companion.games.nba.tables import BODY
from companion.games.nba.words import card, cards, face, said, word
from companion.games.wording import listed, signed


def line(id: str, **args: object) -> Message:
    """A line of the timeline."""
    return Message(f"nba.line.{id}", args)


def _dice(dice: Iterable[Fields]) -> Message:
    """Dice by kind, in the order in which they lie: `3 Points 9 2, Stop 3 bleu`."""
    groups: dict[str, list[Message]] = {}
    for die in dice:
        colour = None if die["die"] in BODY else die.get("colour")
        groups.setdefault(die["die"], []).append(face(die["die"], die["value"], colour))
    parts = [Message("nba.die", {"kind": word("skill", kind), "face": _row(faces)}) for kind, faces in groups.items()]
    return listed(parts) if parts else word("dice", "none")


def _row(texts: Sequence[Message]) -> Message:
    head, *rest = texts
    for text in rest:
        head = Message("nba.row", {"head": head, "rest": text})
    return head


def _counts(state: State, against: Mapping[str, int]) -> Message:
    """What a defence takes from each opponent's attack."""
    names = state.setup.names
    return listed([line("takes", points=points, other=names[side]) for side, points in against.items()])


def attack(state: State, fields: Fields, outcome: Outcome) -> Message:
    dice = _dice(fields["dice"])
    if not outcome:
        return line("attack_bare", dice=dice)
    return line("attack", dice=dice, value=outcome["value"])


def defend(state: State, fields: Fields, outcome: Outcome) -> Message:
    dice = _dice(fields["dice"])
    if not outcome:
        return line("defend_bare", dice=dice)
    told = line("defend", dice=dice, counts=_counts(state, outcome["against"]))
    return _with_fatigue(told, outcome["fatigue"])


def _with_fatigue(told: Message, fatigue: int) -> Message:
    if not fatigue:
        return told
    return Message("common.list", {"head": told, "rest": Message("nba.fatigue", {"n": fatigue})})


def adjust(state: State, fields: Fields, outcome: Outcome) -> Message:
    parts = []
    if fields.get("revealed"):
        parts.append(line("revealed", cards=cards(state, fields["revealed"])))
    if fields.get("tactics_replaced"):
        parts.append(line("tactics_replaced", n=fields["tactics_replaced"]))
    return listed(parts) if parts else line("adjust")


def replace(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("replace_bare", entering=cards(state, fields["court"].values()))
    if not outcome["entered"]:
        return line("moves")
    args = {"entering": cards(state, outcome["entered"]), "leaving": cards(state, outcome["left"])}
    told = line("replace", n=len(outcome["entered"]), **args)
    removed = outcome["fatigue_removed"]
    return Message("common.list", {"head": told, "rest": line("fatigue_removed", n=removed)}) if removed else told


def prepare(state: State, fields: Fields, outcome: Outcome) -> Message:
    parts = []
    if fields.get("discard"):
        parts.append(line("discard", tactics=cards(state, fields["discard"])))
    if fields.get("tactics"):
        parts.append(line("prepare", tactics=cards(state, fields["tactics"])))
    return listed(parts)


def buy(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("buy_bare", card=card(state, fields["card"]))
    to = word("to", outcome["to"])
    return line("buy", card=card(state, fields["card"]), cost=outcome["cost"], paid=outcome["paid"], to=to)


def activate(state: State, fields: Fields, outcome: Outcome) -> Message:
    told = line("activate", tactic=card(state, fields["tactic"]), dice=_dice(fields["dice"]))
    return _settled(state, told, outcome)


def reroll(state: State, fields: Fields, outcome: Outcome) -> Message:
    told = line("reroll", n=len(fields["dice"]), dice=_dice(fields["to"]))
    if outcome and "kept" not in outcome:
        return _with_fatigue(told, outcome["fatigue"])
    return _settled(state, told, outcome)


def _settled(state: State, told: Message, outcome: Outcome) -> Message:
    """In the solo opponent's turn the dice are kept at once."""
    if "kept" not in outcome:
        return told
    return Message("common.list", {"head": told, "rest": _kept(state, outcome)})


def keep(state: State, fields: Fields, outcome: Outcome) -> Message:
    return _kept(state, outcome) if outcome else line("keep_bare", n=len(fields["dice"]))


def _kept(state: State, outcome: Outcome) -> Message:
    dice = _dice(outcome["kept"])
    if outcome["type"] == "offence":
        return line("attack", dice=dice, value=outcome["value"])
    return line("defend", dice=dice, counts=_counts(state, outcome["against"]))


def end_turn(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("end_turn_bare")
    parts = [_scored(state, each) for each in outcome["scored"]]
    if outcome["next"] is not None:
        parts.append(said("line.ultimate" if outcome["ultimate"] else "line.next", state, outcome["next"]))
    else:
        parts.append(word("line", outcome["phase"]))
    return listed(parts)


def _scored(state: State, scored: Fields) -> Message:
    names = state.setup.names
    args = {"side": names[scored["side"]], "other": names[scored["against"]]}
    return line("scored", n=scored["points"], attack=scored["attack"], defence=scored["defence"], **args)


def mismatch(state: State, fields: Fields, outcome: Outcome) -> Message:
    position = word("position", fields["position"])
    if not outcome:
        return said("line.mismatch_bare", state, fields["side"], position=position)
    sums = {"attack": outcome["attack"], "defence": outcome["defence"]}
    return said("line.mismatch", state, fields["side"], position=position, n=outcome["points"], **sums)


def recruit(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("recruit_bare", cards=cards(state, fields["cards"]))
    if outcome["recruit"] is None:
        return line("no_recruit")
    args = {"card": card(state, outcome["recruit"]), "out": card(state, outcome["out"])}
    return line("recruit", position=word("position", outcome["position"]), **args)


def tactic(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("market_bare", cards=cards(state, fields["market"]))
    if outcome["choice"] is None:
        return line("market_again" if outcome["again"] else "no_tactic")
    return line("takes_tactic", tactic=card(state, outcome["choice"]), out=card(state, outcome["out"]))


def overtime(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("overtime_bare")
    return said("line.overtime", state, outcome["first"], n=outcome["period"])


def draw(state: State, fields: Fields, outcome: Outcome) -> Message:
    return line("accept_draw")


def ruling(state: State, fields: Fields, outcome: Outcome) -> Message:
    told = line("ruling", text=fields["text"])
    names = state.setup.names
    points = [
        line("ruled", side=names[each["side"]], other=names[each["against"]], points=signed(each["points"]))
        for each in fields.get("points", ())
    ]
    return listed([told, *points])


def concede(state: State, fields: Fields, outcome: Outcome) -> Message:
    return said("line.concede", state, fields["side"])
