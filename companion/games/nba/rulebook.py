"""The rules of NBA Deck-Building: each event with its fields, timing, checks, effect and sentence (section 15)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.games.base import Refusal
from companion.games.engine import EventRule, Rulebook, ValidationOrder
from companion.games.event_schema import (
    EventField,
    FieldParser,
    InvalidValue,
    boolean,
    count,
    distinct_list_of,
    integer,
    list_of,
    one_of,
    text,
)
from companion.games.nba import (
    activation,
    describe,
    market,
    market_track,
    match_end,
    mismatch,
    score_entry,
    solo,
    substitutions,
    tactics_board,
    turns,
)
from companion.games.nba import events as ev
from companion.games.nba.refusals import refusal
from companion.games.nba.state import State
from companion.games.nba.tables import DEFENCE, OFFENCE, POSITIONS, SKILLS, TRACK_SLOTS


def _dice(*kinds: str) -> FieldParser:
    """Return the reader of a list of dice of these kinds; NBA-2.4 checks colours and impossible values later."""

    def read(value: object) -> ev.ReadDie:
        if not isinstance(value, dict) or type(value.get("value")) is not int:
            raise InvalidValue
        kind = value.get("die")
        if not isinstance(kind, str) or kind not in kinds:
            raise InvalidValue
        return ev.ReadDie(kind, value["value"], value.get("colour"), value.get("asked") is True)

    return list_of(read)


def _optional_text(value: object) -> str | None:
    return None if value is None else text(value)


def _court(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict) or not value or not value.keys() <= set(POSITIONS):
        raise InvalidValue
    return tuple([(position, text(value[position])) for position in POSITIONS if position in value])


def _some_indices(value: object) -> tuple[int, ...]:
    indices: tuple[int, ...] = _indices(value)
    if not indices:
        raise InvalidValue
    return indices


def _award(value: object) -> ev.Award:
    if not isinstance(value, dict) or type(value.get("points")) is not int:
        raise InvalidValue
    return ev.Award(text(value.get("side")), text(value.get("against")), value["points"])


def _sentence(value: object) -> str:
    if text(value) == "":
        raise InvalidValue
    return str(value)


_ids = list_of(text)
_indices: FieldParser = distinct_list_of(count)
_any_dice = _dice(*SKILLS)
_CARD = EventField("card", text)
_PAID = EventField("paid", _ids)
_SIDE = EventField("side", text)


def _reroll(dice: tuple[int, ...], to: tuple[ev.ReadDie, ...]) -> ev.Reroll:
    if len(to) != len(dice):
        raise _refuse("value", field="to")
    return ev.Reroll(dice, to)


def _make_buy_player(card: str, paid: tuple[str, ...], slot: int | None = None, **source: str) -> ev.BuyPlayer:
    """Return the purchase. `from` is a Python keyword, so it arrives in `**source`."""
    made = ev.BuyPlayer(card, paid, source.get("from", "market"), slot)
    if made.source == "market" and slot is None:
        raise _refuse("missing_field", field="slot")
    return made


def _market(value: object) -> tuple[str, ...]:
    cards: tuple[str, ...] = _ids(value)
    if len(cards) > TRACK_SLOTS:
        raise InvalidValue
    return cards


def _refuse(case: str, **args: object) -> Refusal:
    return refusal("NBA-1.2", case, **{key: value for key, value in args.items() if key == "field" or case == "event"})


Check = Callable[[State], None]


@dataclass(frozen=True, slots=True)
class Timing:
    """When a kind of event is legal, whatever its fields: its level and phase column in section 15.

    - `when`: `turn` (T), `actions` (A), `adjust`, `roll` (R), `tied` or `any`
    - `step`: what the event adds to `done`, and how often a turn allows it
    - `more`: the conditions that the row adds to the phase column
    """

    kind: type[ev.AnyEvent]
    when: str
    level: str | None = None
    ultimate: bool = True
    overtime: bool = True
    step: Check | None = None
    more: Check | None = None

    def __call__(self, state: State) -> None:
        """Check NBA-1.6, then the phase column. Raises: Refusal."""
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
        """Check NBA-8.6, then NBA-4.5. Raises: Refusal."""
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
    if state.done.count("buy_tactic") >= market.max_tactics(state):
        raise refusal("NBA-4.4", "buy_tactic")


def _check_market_step(state: State) -> None:
    if solo.is_market_step_done(state):
        raise refusal("NBA-4.4", "ai_tactic")


RULES: dict[str, EventRule[State]] = {
    "attack": EventRule(
        event=ev.Attack,
        precheck=Timing(ev.Attack, "turn", level="scores", ultimate=False, more=_once_laid("offence")),
        fields=(EventField("dice", _dice(*OFFENCE)), EventField("tactic", _optional_text, optional=True)),
        check=score_entry.check_attack,
        apply=score_entry.apply_attack,
        sentence=describe.attack,
    ),
    "defend": EventRule(
        event=ev.Defend,
        precheck=Timing(ev.Defend, "turn", level="scores", more=_once_laid("defence")),
        fields=(
            EventField("dice", _dice(*DEFENCE)),
            EventField("tactic", _optional_text, optional=True),
            EventField("fatigue", count, optional=True),
        ),
        check=score_entry.check_defend,
        apply=score_entry.apply_defend,
        sentence=describe.defend,
    ),
    "adjust": EventRule(
        event=ev.Adjust,
        precheck=Timing(ev.Adjust, "adjust", level="full", ultimate=False),
        fields=(
            EventField("revealed", _ids, optional=True),
            EventField("tactics_replaced", integer(0, TRACK_SLOTS), optional=True),
        ),
        check=market_track.check_adjust,
        apply=market_track.apply_adjust,
        sentence=describe.adjust,
    ),
    "replace": EventRule(
        event=ev.Replace,
        precheck=Timing(ev.Replace, "actions", level="full", ultimate=False, step=_once("replace")),
        fields=(EventField("court", _court), EventField("fatigue_removed", count, optional=True)),
        check=substitutions.check_replace,
        apply=substitutions.apply_replace,
        sentence=describe.replace,
    ),
    "prepare": EventRule(
        event=ev.Prepare,
        precheck=Timing(ev.Prepare, "actions", level="full", step=_once("prepare")),
        fields=(EventField("tactics", _ids, optional=True), EventField("discard", _ids, optional=True)),
        any_of=("tactics", "discard"),
        check=tactics_board.check_prepare,
        apply=tactics_board.apply_prepare,
        sentence=describe.prepare,
    ),
    "buy_player": EventRule(
        event=ev.BuyPlayer,
        precheck=Timing(
            ev.BuyPlayer, "actions", level="full", ultimate=False, overtime=False, step=_once("buy_player")
        ),
        fields=(
            _CARD,
            _PAID,
            EventField("from", one_of("market", "mini"), optional=True),
            EventField("slot", integer(1, TRACK_SLOTS), optional=True),
        ),
        constructor=_make_buy_player,
        check=market.check_buy_player,
        apply=market.apply_buy_player,
        sentence=describe.buy,
    ),
    "buy_tactic": EventRule(
        event=ev.BuyTactic,
        precheck=Timing(ev.BuyTactic, "actions", level="full", ultimate=False, overtime=False, step=_tactics_bought),
        fields=(_CARD, _PAID),
        check=market.check_buy_tactic,
        apply=market.apply_buy_tactic,
        sentence=describe.buy,
    ),
    "activate": EventRule(
        event=ev.Activate,
        precheck=Timing(ev.Activate, "turn", level="full"),
        fields=(EventField("tactic", text), EventField("dice", _any_dice)),
        check=activation.check_activate,
        apply=activation.apply_activate,
        sentence=describe.activate,
    ),
    "reroll": EventRule(
        event=ev.Reroll,
        precheck=Timing(ev.Reroll, "roll", level="full"),
        fields=(EventField("dice", _some_indices), EventField("to", _any_dice)),
        constructor=_reroll,
        check=activation.check_reroll,
        apply=activation.apply_reroll,
        sentence=describe.reroll,
    ),
    "keep": EventRule(
        event=ev.Keep,
        precheck=Timing(ev.Keep, "roll", level="full"),
        fields=(EventField("dice", _indices),),
        check=activation.check_keep,
        apply=activation.apply_keep,
        sentence=describe.keep,
    ),
    "end_turn": EventRule(
        event=ev.EndTurn,
        precheck=Timing(ev.EndTurn, "turn"),
        fields=(EventField("eliminated", _ids, optional=True), EventField("market_empty", boolean, optional=True)),
        check=turns.check_end_turn,
        apply=turns.apply_end_turn,
        sentence=describe.end_turn,
    ),
    "mismatch": EventRule(
        event=ev.Mismatch,
        precheck=Timing(ev.Mismatch, "turn", more=mismatch.check_variant),
        fields=(
            _SIDE,
            EventField("position", one_of(*POSITIONS)),
            EventField("attack", _any_dice),
            EventField("defence", _any_dice),
            EventField("against", text, optional=True),
        ),
        check=mismatch.check_mismatch,
        apply=mismatch.apply_mismatch,
        sentence=describe.mismatch,
    ),
    "ai_recruit": EventRule(
        event=ev.AiRecruit,
        precheck=Timing(
            ev.AiRecruit, "actions", level="full", ultimate=False, overtime=False, step=_once("ai_recruit")
        ),
        fields=(EventField("cards", _ids),),
        check=solo.check_recruit,
        apply=solo.apply_recruit,
        sentence=describe.recruit,
    ),
    "ai_tactic": EventRule(
        event=ev.AiTactic,
        precheck=Timing(
            ev.AiTactic,
            "actions",
            level="full",
            ultimate=False,
            overtime=False,
            step=_check_market_step,
            more=solo.check_recruited,
        ),
        fields=(EventField("market", _market),),
        check=solo.check_tactic,
        apply=solo.apply_tactic,
        sentence=describe.tactic,
    ),
    "overtime": EventRule(
        event=ev.Overtime,
        precheck=Timing(ev.Overtime, "tied"),
        check=turns.check_overtime,
        apply=turns.apply_overtime,
        sentence=describe.overtime,
    ),
    "accept_draw": EventRule(
        event=ev.AcceptDraw,
        precheck=Timing(ev.AcceptDraw, "tied"),
        check=match_end.check_accept_draw,
        apply=match_end.apply_accept_draw,
        sentence=describe.draw,
    ),
    "ruling": EventRule(
        event=ev.Ruling,
        precheck=Timing(ev.Ruling, "any"),
        fields=(EventField("text", _sentence), EventField("points", list_of(_award), optional=True)),
        check=match_end.check_ruling,
        apply=match_end.apply_ruling,
        sentence=describe.ruling,
    ),
    "concede": EventRule(
        event=ev.Concede,
        precheck=Timing(ev.Concede, "any"),
        fields=(_SIDE,),
        check=match_end.check_concede,
        apply=match_end.apply_concede,
        sentence=describe.concede,
    ),
}

RULEBOOK: Rulebook[State] = Rulebook(
    RULES,
    ValidationOrder(
        finished_phase="over",
        finished_refusal=lambda: refusal("NBA-1.4"),
        refuse=_refuse,
    ),
)
