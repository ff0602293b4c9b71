"""The timeline line of each event: the action and its result.

The state is normally the one after the event. For an undone event it is a later state and the outcome is empty: the
line then gives only the action.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.games.base import Fields, Message, Outcome
from companion.games.nba.dice_set import was_read
from companion.games.nba.messages import card_name, card_names, face_message, side_message, word
from companion.games.nba.state import State
from companion.games.nba.tables import BODY_COLOURS
from companion.games.wording import comma_separated, detailed, introduced, signed


def line(id: str, **args: object) -> Message:
    """Return a line of the timeline."""
    return Message(f"nba.line.{id}", args)


def _dice(dice: Iterable[Fields]) -> Message:
    """Return the dice that were read, by kind, in the order in which they lie: `3 Points 9 · 2, Stop 3 bleu`."""
    groups: dict[str, list[Message]] = {}
    for die in filter(was_read, dice):
        colour = None if die["die"] in BODY_COLOURS else die.get("colour")
        groups.setdefault(die["die"], []).append(face_message(die["die"], die["value"], colour))
    parts = [Message("nba.die", {"kind": word("skills", kind), "face": _row(faces)}) for kind, faces in groups.items()]
    return comma_separated(parts) if parts else word("dice", "none")


def _row(texts: Sequence[Message]) -> Message:
    head, *rest = texts
    for text in rest:
        head = Message("nba.row", {"head": head, "rest": text})
    return head


def _counts(state: State, against: Mapping[str, int]) -> Message:
    """Return what a defence subtracts from each opponent's attack."""
    names = state.setup.names
    return comma_separated([line("takes", points=points, other=names[side]) for side, points in against.items()])


def attack(state: State, fields: Fields, outcome: Outcome) -> Message:
    dice = _dice(fields["dice"])
    if not outcome:
        return line("attack_bare", dice=dice)
    return introduced(line("attack", value=outcome["value"]), dice)


def defend(state: State, fields: Fields, outcome: Outcome) -> Message:
    dice = _dice(fields["dice"])
    if not outcome:
        return line("defend_bare", dice=dice)
    return introduced(
        line("defend", counts=_counts(state, outcome["against"])), _with_fatigue(dice, outcome["fatigue"])
    )


def _with_fatigue(message: Message, fatigue: int) -> Message:
    if not fatigue:
        return message
    return Message("common.list", {"head": message, "rest": Message("nba.fatigue", {"n": fatigue})})


def adjust(state: State, fields: Fields, outcome: Outcome) -> Message:
    parts = []
    if fields.get("revealed"):
        parts.append(line("revealed", cards=card_names(state, fields["revealed"])))
    if fields.get("tactics_replaced"):
        parts.append(line("tactics_replaced", n=fields["tactics_replaced"]))
    return comma_separated(parts) if parts else line("adjust")


def replace(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("replace_bare", entering=card_names(state, fields["court"].values()))
    if not outcome["entered"]:
        return line("moves")
    args = {"entering": card_names(state, outcome["entered"]), "leaving": card_names(state, outcome["left"])}
    message = line("replace", n=len(outcome["entered"]), **args)
    removed = outcome["fatigue_removed"]
    return Message("common.list", {"head": message, "rest": line("fatigue_removed", n=removed)}) if removed else message


def prepare(state: State, fields: Fields, outcome: Outcome) -> Message:
    parts = []
    if fields.get("discard"):
        parts.append(line("discard", tactics=card_names(state, fields["discard"])))
    if fields.get("tactics"):
        parts.append(line("prepare", tactics=card_names(state, fields["tactics"])))
    return comma_separated(parts)


def buy(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("buy_bare", card=card_name(state, fields["card"]))
    to = word("to", outcome["to"])
    return line("buy", card=card_name(state, fields["card"]), cost=outcome["cost"], paid=outcome["paid"], to=to)


def activate(state: State, fields: Fields, outcome: Outcome) -> Message:
    tactic = line("activate", tactic=card_name(state, fields["tactic"]))
    return introduced(tactic, _with_kept_dice(state, _dice(fields["dice"]), outcome))


def reroll(state: State, fields: Fields, outcome: Outcome) -> Message:
    message, dice = line("reroll", n=len(fields["dice"])), _dice(fields["to"])
    if outcome and "kept" not in outcome:
        return introduced(message, _with_fatigue(dice, outcome["fatigue"]))
    return introduced(message, _with_kept_dice(state, dice, outcome))


def _with_kept_dice(state: State, message: Message, outcome: Outcome) -> Message:
    """Return the line, with the kept dice if the outcome has them: in the solo opponent's turn they are kept at
    once."""
    if "kept" not in outcome:
        return message
    return Message("common.list", {"head": message, "rest": _kept(state, outcome)})


def keep(state: State, fields: Fields, outcome: Outcome) -> Message:
    return _kept(state, outcome) if outcome else line("keep_bare", n=len(fields["dice"]))


def _kept(state: State, outcome: Outcome) -> Message:
    dice = _dice(outcome["kept"])
    if outcome["type"] == "offence":
        return introduced(line("attack", value=outcome["value"]), dice)
    return introduced(line("defend", counts=_counts(state, outcome["against"])), dice)


def end_turn(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("end_turn_bare")
    scored = [_scored(state, each) for each in outcome["scored"]]
    if outcome["next"] is not None:
        then = side_message("line.ultimate" if outcome["ultimate"] else "line.next", state, outcome["next"])
    else:
        then = word("line", outcome["phase"])
    return detailed(comma_separated(scored) if scored else line("end_turn_bare"), then)


def _scored(state: State, scored: Fields) -> Message:
    names = state.setup.names
    args = {"side": names[scored["side"]], "other": names[scored["against"]]}
    return line("scored", n=scored["points"], attack=scored["attack"], defence=scored["defence"], **args)


def mismatch(state: State, fields: Fields, outcome: Outcome) -> Message:
    position = word("position", fields["position"])
    if not outcome:
        return side_message("line.mismatch_bare", state, fields["side"], position=position)
    sums = {"attack": outcome["attack"], "defence": outcome["defence"]}
    return side_message("line.mismatch", state, fields["side"], position=position, n=outcome["points"], **sums)


def recruit(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("recruit_bare", cards=card_names(state, fields["cards"]))
    if outcome["recruit"] is None:
        return line("no_recruit")
    args = {"card": card_name(state, outcome["recruit"]), "out": card_name(state, outcome["out"])}
    return line("recruit", position=word("position", outcome["position"]), **args)


def tactic(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("market_bare", cards=card_names(state, fields["market"]))
    if outcome["choice"] is None:
        return line("market_again" if outcome["again"] else "no_tactic")
    return line("takes_tactic", tactic=card_name(state, outcome["choice"]), out=card_name(state, outcome["out"]))


def overtime(state: State, fields: Fields, outcome: Outcome) -> Message:
    if not outcome:
        return line("overtime_bare")
    return side_message("line.overtime", state, outcome["first"], n=outcome["period"])


def draw(state: State, fields: Fields, outcome: Outcome) -> Message:
    return line("accept_draw")


def ruling(state: State, fields: Fields, outcome: Outcome) -> Message:
    message = line("ruling", text=fields["text"])
    names = state.setup.names
    points = [
        line("ruled", side=names[each["side"]], other=names[each["against"]], points=signed(each["points"]))
        for each in fields.get("points", ())
    ]
    return comma_separated([message, *points])


def concede(state: State, fields: Fields, outcome: Outcome) -> Message:
    return side_message("line.concede", state, fields["side"])
