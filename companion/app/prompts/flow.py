"""The asks of one choice in their order, and what is picked or counted for each. Pure, no widget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.base import Ask, Choice, Fields, Option

MAX_SWITCH_OPTIONS = 3
"""A pick of so few options stands as a switch above the ask that follows it."""


class Flow:
    """The asks of one choice in their order. The last answer makes the event; nothing is kept of a flow given up."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self._answers: dict[str, Any] = {}
        self._pending = list(choice.asks)
        self._switches: list[Ask] = []
        while len(self._pending) > 1 and is_switch(self._pending[0]):
            switch = self._pending.pop(0)
            self._switches.append(switch)
            self._answers[switch.field] = _first_value(switch)

    @property
    def answers(self) -> Fields:
        """What has been answered so far, by field, with the positions of the switches; it goes on as they do."""
        return self._answers

    @property
    def switches(self) -> tuple[Ask, ...]:
        """Asks answered from the start, that a switch above the present one may change."""
        return tuple(self._switches)

    @property
    def ask(self) -> Ask | None:
        """The ask that is open now, as the answers before it leave it; None when all is said."""
        if not self._pending:
            return None
        ask = self._pending[0]
        return ask.resolved(self._answers)

    @property
    def is_last(self) -> bool:
        """Whether the next answer makes the event."""
        return len(self._pending) <= 1

    def switch_value(self, switch: Ask) -> object:
        return self._answers[switch.field]

    def set_switch(self, switch: Ask, value: object) -> None:
        """Another position of a switch."""
        self._answers[switch.field] = value

    def answer(self, value: object) -> None:
        """The answer to the open ask."""
        ask = self._pending.pop(0)
        if isinstance(value, Mapping) and ask.kind == "lineup":
            self._answers.update(value)
        else:
            self._answers[ask.field] = value

    def skip(self) -> None:
        """Leaves an optional ask out; ValueError for one that must be answered."""
        if not self._pending[0].optional:
            raise ValueError(f"{self._pending[0].field} must be answered")
        self._pending.pop(0)

    def fields(self) -> Fields:
        """The event of the choice with every answer in it."""
        return {**self.choice.event, **self._answers}


def is_switch(ask: Ask) -> bool:
    """Whether a few options of which one is usual fit into a switch above the next ask."""
    one = ask.kind == "pick" and ask.times == 1 and not ask.most and not ask.optional
    return one and len(ask.options) <= MAX_SWITCH_OPTIONS and bool(legal_options(ask))


def legal_options(ask: Ask) -> tuple[Option, ...]:
    return tuple(option for option in ask.options if option.barred is None)


def _first_value(ask: Ask) -> object:
    legal = [option.value for option in legal_options(ask)]
    return ask.suggested if ask.suggested in legal else legal[0]


def max_picks(ask: Ask) -> int:
    """How many options may be taken."""
    return ask.most or ask.times


def is_open_ended(ask: Ask) -> bool:
    """Whether a player says when enough options are taken; otherwise the last one answers by itself."""
    return ask.most > 0 and ask.least < ask.most


class PickSelection:
    """Several options one after the other, an option at most `most` times (once where it does not say).

    Where the players say when it is enough, the suggested options are picked from the start.
    """

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        offered = [option.value for option in legal_options(ask)]
        suggested = ask.suggested if is_open_ended(ask) and isinstance(ask.suggested, (list, tuple)) else ()
        self.picked: tuple[Any, ...] = tuple(value for value in suggested if value in offered)

    def count(self, option: Option) -> int:
        return sum(value == option.value for value in self.picked)

    def can_pick(self, option: Option) -> bool:
        """Whether the option may be picked once more."""
        return option.barred is None and not self.is_full and self.count(option) < (option.most or 1)

    @property
    def is_full(self) -> bool:
        return len(self.picked) >= max_picks(self.ask)

    @property
    def has_enough(self) -> bool:
        """Whether what is picked may be the answer."""
        return len(self.picked) >= (self.ask.least if self.ask.most else self.ask.times)

    def tap(self, option: Option) -> None:
        """Picks the option, or takes it back if it may not be picked again."""
        if self.can_pick(option):
            self.picked = (*self.picked, option.value)
        elif option.value in self.picked:
            last = max(index for index, value in enumerate(self.picked) if value == option.value)
            self.picked = self.picked[:last] + self.picked[last + 1 :]

    def take_back(self) -> None:
        """The last pick is none."""
        self.picked = self.picked[:-1]

    def answer(self) -> object:
        """The plain value of a single pick, a list otherwise."""
        return self.picked[0] if self.ask.times == 1 and not self.ask.most else list(self.picked)


class CountSelection:
    """Numbers for several options, kept within each one's `most` and the total."""

    def __init__(self, ask: Ask, start: Mapping[object, int] | None = None) -> None:
        self.ask = ask
        given = start if start is not None else {}
        self.counts: dict[Any, int] = {option.value: int(given.get(option.value, 0)) for option in ask.options}

    @property
    def sum(self) -> int:
        return sum(self.counts.values())

    @property
    def missing(self) -> int:
        """How many are still to be given; negative when there are too many. 0 when any sum will do."""
        return 0 if self.ask.total is None else self.ask.total - self.sum

    def can_step(self, option: Option, step: int) -> bool:
        """Whether the number of an option may grow or shrink by one."""
        after = self.counts[option.value] + step
        most = option.most if option.most is not None else (self.ask.total or 99)
        return option.barred is None and 0 <= after <= most and not (step > 0 and self.ask.total == self.sum)

    def step(self, option: Option, step: int) -> None:
        if self.can_step(option, step):
            self.counts[option.value] += step

    def answer(self) -> dict[object, int]:
        """The counts that are not zero."""
        return {value: count for value, count in self.counts.items() if count}


MAX_RECENT_PICKS = 8
"""Picks remembered for each thing that is asked."""


class RecentPicks:
    """The newest picks by the field that they answered; forgotten when the app ends."""

    def __init__(self) -> None:
        self._picked: dict[str, list[Any]] = {}

    def remember(self, ask: Ask, value: object) -> None:
        """A value has been picked."""
        known = self._picked.setdefault(ask.field, [])
        if value in known:
            known.remove(value)
        known.insert(0, value)
        del known[MAX_RECENT_PICKS:]

    def ordered_options(self, ask: Ask) -> tuple[Option, ...]:
        """The options as a long list shows them: legal before barred, lately picked before the others."""
        known: Sequence[Any] = self._picked.get(ask.field, ())

        def sort_key(option: Option) -> tuple[bool, int]:
            lately = known.index(option.value) if option.value in known else len(known)
            return option.barred is not None, lately

        return tuple(sorted(ask.options, key=sort_key))
