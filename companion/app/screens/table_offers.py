"""What stands at a side's edge of the table: its role in words, its choices, the way to tell dice by touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.app.asks.faces import can_tell
from companion.app.figures.words import say
from companion.app.screens.table_edge import Offer
from companion.app.screens.table_plan import choices_of, dice_due, filled, plan_edge
from companion.app.screens.table_sheets import more_sheet
from companion.games.base import Awaits

if TYPE_CHECKING:
    from companion.app.screens.table import TablePage


def role(awaits: Awaits, side: str) -> str:
    """What is expected of a side now."""
    due = dice_due(awaits, side)
    legal = [choice for choice in choices_of(awaits, side) if choice.barred is None]
    if due and side in awaits.sides and not legal:
        return say("app.table.throws", n=due)
    if side in awaits.sides:
        return say("app.table.to_play")
    return say("app.table.may_act") if legal else say("app.table.waits")


def edge_offers(page: TablePage, awaits: Awaits, side: str, fits: int) -> list[Offer]:
    """The buttons of an edge in their order, at most `fits`."""
    tell = _tell_dice(page, awaits, side)
    choices = choices_of(awaits, side)
    plan = plan_edge(choices, fits - len(tell))
    first = filled(plan)
    offers = [page.offer(choice, filled=choice is first) for choice in plan.shown]
    if plan.more:
        words = say("app.table.more", count=len(plan.more))
        offers.append(Offer(words, lambda: page.app.room.lay(more_sheet(page, side, plan.more), side=side), rank=3))
    return offers + tell


def _tell_dice(page: TablePage, awaits: Awaits, side: str) -> list[Offer]:
    """ "Saisir les dés…" whenever dice are awaited and a camera watches; with one die missing, the two ways out."""
    owner = min(awaits.dice, key=lambda dice: dice.order).side if awaits.dice else None
    holds = side == owner or (owner is None and side == page.session.game.sides[0])
    camera = page.session.dice.camera
    if not holds or camera is None or not camera.present or not can_tell(awaits.dice):
        return []
    if page.kept.typing:
        return [Offer(say("app.table.back_to_camera"), lambda: page.type_dice(False), rank=3)]
    slots = page.session.dice.slots()
    if any(slot.face for slot in slots):
        return [
            Offer(say("app.table.tell_this_die"), lambda: page.type_dice(True), rank=1),
            Offer(say("app.table.throw_all_again"), lambda: page.session.dice.dismiss(every=True), rank=2),
        ]
    due = dice_due(awaits, side) or len(slots)
    return [Offer(say("app.table.tell_dice", n=due), lambda: page.type_dice(True), rank=3)]
