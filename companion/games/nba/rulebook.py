"""The rules of NBA Deck-Building: each event with its fields, moments, checks, effect and sentence (section 15)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.games.base import Refusal
from companion.games.engine import CheckOrder, EventRule, Rulebook
from companion.games.forms import (
    Field,
    Reader,
    Wrong,
    boolean,
    count,
    different,
    listed,
    one_of,
    text,
    whole,
)
from companion.games.nba import activation, board, court, describe, ending, logged, market, mismatch, solo, track, turns
from companion.games.nba import events as ev
from companion.games.nba.refusing import refusal
from companion.games.nba.state import State
from companion.games.nba.tables import DEFENCE, OFFENCE, POSITIONS, SKILLS, SLOTS


def _dice(*kinds: str) -> Reader:
    """A list of dice of these kinds; colours and impossible values are left to NBA-2.4."""

    def read(value: object) -> ev.ReadDie:
        if not isinstance(value, dict) or type(value.get("value")) is not int:
            raise Wrong
        kind = value.get("die")
        if not isinstance(kind, str) or kind not in kinds:
            raise Wrong
        return ev.ReadDie(kind, value["value"], value.get("colour"), value.get("asked") is True)

    return listed(read)


def _optional_text(value: object) -> str | None:
    return None if value is None else text(value)


def _court(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict) or not value or not value.keys() <= set(POSITIONS):
        raise Wrong
    return tuple([(position, text(value[position])) for position in POSITIONS if position in value])


def _some_indices(value: object) -> tuple[int, ...]:
    indices: tuple[int, ...] = _indices(value)
    if not indices:
        raise Wrong
    return indices


def _award(value: object) -> ev.Award:
    if not isinstance(value, dict) or type(value.get("points")) is not int:
        raise Wrong
    return ev.Award(text(value.get("side")), text(value.get("against")), value["points"])


def _sentence(value: object) -> str:
    if text(value) == "":
        raise Wrong
    return str(value)


_ids = listed(text)
_indices: Reader = different(count)
_any_dice = _dice(*SKILLS)
_CARD = Field("card", text)
_PAID = Field("paid", _ids)
_SIDE = Field("side", text)


def _reroll(dice: tuple[int, ...], to: tuple[ev.ReadDie, ...]) -> ev.Reroll:
    if len(to) != len(dice):
        raise _refuse("value", field="to")
    return ev.Reroll(dice, to)


def _bought(card: str, paid: tuple[str, ...], slot: int | None = None, **source: str) -> ev.BuyPlayer:
    """`from` is no name that Python lets an argument have."""
    made = ev.BuyPlayer(card, paid, source.get("from", "market"), slot)
    if made.source == "market" and slot is None:
        raise _refuse("missing_field", field="slot")
    return made


def _market(value: object) -> tuple[str, ...]:
    cards: tuple[str, ...] = _ids(value)
    if len(cards) > SLOTS:
        raise Wrong
    return cards


def _refuse(case: str, **args: object) -> Refusal:
    return refusal("NBA-1.2", case, **{key: value for key, value in args.items() if key == "field" or case == "event"})


Check = Callable[[State], None]


@dataclass(frozen=True, slots=True)
class Timing:
    """When a kind of event is legal whatever its fields: its level and phase column in section 15.

    `when` is `turn` (T), `actions` (A), `adjust`, `roll` (R), `tied` or `any`. `step` is what the event writes into
    `done` and how often a turn allows it; `more` what the row adds to the phase column.
    """

    kind: type[ev.Sound]
    when: str
    level: str | None = None
    ultimate: bool = True
    overtime: bool = True
    step: Check | None = None
    more: Check | None = None

    def __call__(self, state: State) -> None:
        """Raises `Refusal` by NBA-1.6, then the phase column."""
        if self.level is not None and self.level != state.setup.level:
            raise refusal("NBA-1.6", self.level)
        self._check_open(state)
        solo.check_turn(state, self.kind)
        if state.ultimate and not self.ultimate:
            raise refusal("NBA-8.4", "never")
        if state.period and not self.overtime:
            raise refusal("NBA-8.7")
        if self.when == "adjust" and state.phase != "adjust":
            raise refusal("NBA-4.3")
        if self.when == "actions" and state.phase == "activation":
            raise refusal("NBA-4.4", "late")
        if self.step is not None:
            self.step(state)
        if self.more is not None:
            self.more(state)

    def _check_open(self, state: State) -> None:
        """NBA-8.6, then NBA-4.5."""
        tied = state.phase == "tied"
        if self.when == "tied" and not tied:
            raise refusal("NBA-8.6", "not_tied")
        if tied and self.when != "tied" and self.kind is not ev.Concede:
            raise refusal("NBA-8.6", "tied")
        if self.when == "roll" and state.phase != "roll":
            raise refusal("NBA-4.5", "no_roll")
        if self.when in ("turn", "actions", "adjust") and state.phase == "roll":
            raise refusal("NBA-4.5", "roll")


def _once(step: str) -> Check:
    def check(state: State) -> None:
        if step in state.done:
            raise refusal("NBA-4.4", step)

    return check


def _once_laid(type_: str) -> Check:
    def check(state: State) -> None:
        if type_ in state.done:
            raise refusal("NBA-7.1", f"second_{type_}")

    return check


def _tactics_bought(state: State) -> None:
    if state.done.count("buy_tactic") >= market.most_tactics(state):
        raise refusal("NBA-4.4", "buy_tactic")


def _searched(state: State) -> None:
    if solo.tactic_done(state):
        raise refusal("NBA-4.4", "ai_tactic")


RULES: dict[str, EventRule[State]] = {
    "attack": EventRule(
        event=ev.Attack,
        before=Timing(ev.Attack, "turn", level="scores", ultimate=False, more=_once_laid("offence")),
        fields=(Field("dice", _dice(*OFFENCE)), Field("tactic", _optional_text, optional=True)),
        check=logged.check_attack,
        apply=logged.apply_attack,
        sentence=describe.attack,
    ),
    "defend": EventRule(
        event=ev.Defend,
        before=Timing(ev.Defend, "turn", level="scores", more=_once_laid("defence")),
        fields=(
            Field("dice", _dice(*DEFENCE)),
            Field("tactic", _optional_text, optional=True),
            Field("fatigue", count, optional=True),
        ),
        check=logged.check_defend,
        apply=logged.apply_defend,
        sentence=describe.defend,
    ),
    "adjust": EventRule(
        event=ev.Adjust,
        before=Timing(ev.Adjust, "adjust", level="full", ultimate=False),
        fields=(Field("revealed", _ids, optional=True), Field("tactics_replaced", whole(0, SLOTS), optional=True)),
        check=track.check_adjust,
        apply=track.apply_adjust,
        sentence=describe.adjust,
    ),
    "replace": EventRule(
        event=ev.Replace,
        before=Timing(ev.Replace, "actions", level="full", ultimate=False, step=_once("replace")),
        fields=(Field("court", _court), Field("fatigue_removed", count, optional=True)),
        check=court.check_replace,
        apply=court.apply_replace,
        sentence=describe.replace,
    ),
    "prepare": EventRule(
        event=ev.Prepare,
        before=Timing(ev.Prepare, "actions", level="full", step=_once("prepare")),
        fields=(Field("tactics", _ids, optional=True), Field("discard", _ids, optional=True)),
        needs=("tactics", "discard"),
        check=board.check_prepare,
        apply=board.apply_prepare,
        sentence=describe.prepare,
    ),
    "buy_player": EventRule(
        event=ev.BuyPlayer,
        before=Timing(ev.BuyPlayer, "actions", level="full", ultimate=False, overtime=False, step=_once("buy_player")),
        fields=(
            _CARD,
            _PAID,
            Field("from", one_of("market", "mini"), optional=True),
            Field("slot", whole(1, SLOTS), optional=True),
        ),
        make=_bought,
        check=market.check_buy_player,
        apply=market.apply_buy_player,
        sentence=describe.buy,
    ),
    "buy_tactic": EventRule(
        event=ev.BuyTactic,
        before=Timing(ev.BuyTactic, "actions", level="full", ultimate=False, overtime=False, step=_tactics_bought),
        fields=(_CARD, _PAID),
        check=market.check_buy_tactic,
        apply=market.apply_buy_tactic,
        sentence=describe.buy,
    ),
    "activate": EventRule(
        event=ev.Activate,
        before=Timing(ev.Activate, "turn", level="full"),
        fields=(Field("tactic", text), Field("dice", _any_dice)),
        check=activation.check_activate,
        apply=activation.apply_activate,
        sentence=describe.activate,
    ),
    "reroll": EventRule(
        event=ev.Reroll,
        before=Timing(ev.Reroll, "roll", level="full"),
        fields=(Field("dice", _some_indices), Field("to", _any_dice)),
        make=_reroll,
        check=activation.check_reroll,
        apply=activation.apply_reroll,
        sentence=describe.reroll,
    ),
    "keep": EventRule(
        event=ev.Keep,
        before=Timing(ev.Keep, "roll", level="full"),
        fields=(Field("dice", _indices),),
        check=activation.check_keep,
        apply=activation.apply_keep,
        sentence=describe.keep,
    ),
    "end_turn": EventRule(
        event=ev.EndTurn,
        before=Timing(ev.EndTurn, "turn"),
        fields=(Field("eliminated", _ids, optional=True), Field("market_empty", boolean, optional=True)),
        check=turns.check_end_turn,
        apply=turns.apply_end_turn,
        sentence=describe.end_turn,
    ),
    "mismatch": EventRule(
        event=ev.Mismatch,
        before=Timing(ev.Mismatch, "turn", more=mismatch.check_on),
        fields=(
            _SIDE,
            Field("position", one_of(*POSITIONS)),
            Field("attack", _any_dice),
            Field("defence", _any_dice),
            Field("against", text, optional=True),
        ),
        check=mismatch.check_mismatch,
        apply=mismatch.apply_mismatch,
        sentence=describe.mismatch,
    ),
    "ai_recruit": EventRule(
        event=ev.AiRecruit,
        before=Timing(ev.AiRecruit, "actions", level="full", ultimate=False, overtime=False, step=_once("ai_recruit")),
        fields=(Field("cards", _ids),),
        check=solo.check_recruit,
        apply=solo.apply_recruit,
        sentence=describe.recruit,
    ),
    "ai_tactic": EventRule(
        event=ev.AiTactic,
        before=Timing(
            ev.AiTactic,
            "actions",
            level="full",
            ultimate=False,
            overtime=False,
            step=_searched,
            more=solo.check_recruited,
        ),
        fields=(Field("market", _market),),
        check=solo.check_tactic,
        apply=solo.apply_tactic,
        sentence=describe.tactic,
    ),
    "overtime": EventRule(
        event=ev.Overtime,
        before=Timing(ev.Overtime, "tied"),
        check=turns.check_overtime,
        apply=turns.apply_overtime,
        sentence=describe.overtime,
    ),
    "accept_draw": EventRule(
        event=ev.AcceptDraw,
        before=Timing(ev.AcceptDraw, "tied"),
        check=ending.check_accept_draw,
        apply=ending.apply_accept_draw,
        sentence=describe.draw,
    ),
    "ruling": EventRule(
        event=ev.Ruling,
        before=Timing(ev.Ruling, "any"),
        fields=(Field("text", _sentence), Field("points", listed(_award), optional=True)),
        check=ending.check_ruling,
        apply=ending.apply_ruling,
        sentence=describe.ruling,
    ),
    "concede": EventRule(
        event=ev.Concede,
        before=Timing(ev.Concede, "any"),
        fields=(_SIDE,),
        check=ending.check_concede,
        apply=ending.apply_concede,
        sentence=describe.concede,
    ),
}

RULEBOOK: Rulebook[State] = Rulebook(
    RULES,
    CheckOrder(
        over="over",
        when_over=lambda: refusal("NBA-1.4"),
        refuse=_refuse,
    ),
)
