"""The prompts of one choice in order, and the state of each selection. Pure logic, no widgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.base import Choice, Fields, Option, Prompt

MAX_SWITCH_OPTIONS = 3
"""A selection with up to this many options is shown as a switch above the next prompt."""


class Flow:
    """The prompts of one choice in order. The last answer completes the event; a cancelled flow leaves no data."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self._answers: dict[str, Any] = {}
        self._pending = list(choice.prompts)
        self._switches: list[Prompt] = []
        while len(self._pending) > 1 and is_switch(self._pending[0]):
            switch = self._pending.pop(0)
            self._switches.append(switch)
            self._answers[switch.field] = _first_value(switch)

    @property
    def answers(self) -> Fields:
        """The answers so far by field, with the positions of the switches. A live mapping."""
        return self._answers

    @property
    def switches(self) -> tuple[Prompt, ...]:
        """Prompts with a default answer that a switch above the current prompt can change."""
        return tuple(self._switches)

    @property
    def prompt(self) -> Prompt | None:
        """The current prompt, resolved with the previous answers; None when all are answered."""
        if not self._pending:
            return None
        prompt = self._pending[0]
        return prompt.resolved(self._answers)

    @property
    def is_last(self) -> bool:
        """True if the next answer completes the event."""
        return len(self._pending) <= 1

    def switch_value(self, switch: Prompt) -> object:
        return self._answers[switch.field]

    def set_switch(self, switch: Prompt, value: object) -> None:
        """Set the position of a switch."""
        self._answers[switch.field] = value

    def answer(self, value: object) -> None:
        """Answer the current prompt."""
        prompt = self._pending.pop(0)
        if isinstance(value, Mapping) and prompt.kind == "lineup":
            self._answers.update(value)
        else:
            self._answers[prompt.field] = value

    def skip(self) -> None:
        """Skip an optional prompt. Raises: ValueError if the prompt is required."""
        if not self._pending[0].optional:
            raise ValueError(f"{self._pending[0].field} must be answered")
        self._pending.pop(0)

    def fields(self) -> Fields:
        """Return the event of the choice with all answers."""
        return {**self.choice.event, **self._answers}


def is_switch(prompt: Prompt) -> bool:
    """True if the prompt is a single selection with few options and a default, so that it can be a switch."""
    one = prompt.kind == "pick" and prompt.pick_count == 1 and not prompt.maximum and not prompt.optional
    return one and len(prompt.options) <= MAX_SWITCH_OPTIONS and bool(legal_options(prompt))


def legal_options(prompt: Prompt) -> tuple[Option, ...]:
    return tuple(option for option in prompt.options if option.disabled_reason is None)


def _first_value(prompt: Prompt) -> object:
    legal = [option.value for option in legal_options(prompt)]
    return prompt.suggested if prompt.suggested in legal else legal[0]


def max_picks(prompt: Prompt) -> int:
    """Return how many options may be selected."""
    return prompt.maximum or prompt.pick_count


def is_open_ended(prompt: Prompt) -> bool:
    """True if the player confirms the selection; otherwise the last pick completes it."""
    return prompt.maximum > 0 and prompt.minimum < prompt.maximum


class PickSelection:
    """Selection of several options, each at most `most` times (default: once).

    If the player confirms the selection, the suggested options are selected initially.
    """

    def __init__(self, prompt: Prompt) -> None:
        self.prompt = prompt
        offered = [option.value for option in legal_options(prompt)]
        suggested = prompt.suggested if is_open_ended(prompt) and isinstance(prompt.suggested, (list, tuple)) else ()
        self.picked: tuple[Any, ...] = tuple(value for value in suggested if value in offered)

    def count(self, option: Option) -> int:
        return sum(value == option.value for value in self.picked)

    def can_pick(self, option: Option) -> bool:
        """True if the option may be selected once more."""
        return option.disabled_reason is None and not self.is_full and self.count(option) < (option.maximum or 1)

    @property
    def is_full(self) -> bool:
        return len(self.picked) >= max_picks(self.prompt)

    @property
    def has_enough(self) -> bool:
        """True if the selection is a valid answer."""
        return len(self.picked) >= (self.prompt.minimum if self.prompt.maximum else self.prompt.pick_count)

    def tap(self, option: Option) -> None:
        """Select the option, or deselect it if it cannot be selected again."""
        if self.can_pick(option):
            self.picked = (*self.picked, option.value)
        elif option.value in self.picked:
            last = max(index for index, value in enumerate(self.picked) if value == option.value)
            self.picked = self.picked[:last] + self.picked[last + 1 :]

    def take_back(self) -> None:
        """Remove the last pick."""
        self.picked = self.picked[:-1]

    def answer(self) -> object:
        """Return the single value, or a list for a multiple selection."""
        return self.picked[0] if self.prompt.pick_count == 1 and not self.prompt.maximum else list(self.picked)


class CountSelection:
    """Counts for several options, limited by each option's `most` and by the total."""

    def __init__(self, prompt: Prompt, start: Mapping[object, int] | None = None) -> None:
        self.prompt = prompt
        given = start if start is not None else {}
        self.counts: dict[Any, int] = {option.value: int(given.get(option.value, 0)) for option in prompt.options}

    @property
    def sum(self) -> int:
        return sum(self.counts.values())

    @property
    def missing(self) -> int:
        """Number still to assign; negative if there are too many, 0 if any sum is valid."""
        return 0 if self.prompt.total is None else self.prompt.total - self.sum

    def can_step(self, option: Option, step: int) -> bool:
        """True if the count of an option may change by `step`."""
        after = self.counts[option.value] + step
        most = option.maximum if option.maximum is not None else (self.prompt.total or 99)
        return (
            option.disabled_reason is None and 0 <= after <= most and not (step > 0 and self.prompt.total == self.sum)
        )

    def step(self, option: Option, step: int) -> None:
        if self.can_step(option, step):
            self.counts[option.value] += step

    def answer(self) -> dict[object, int]:
        """Return the counts that are not zero."""
        return {value: count for value, count in self.counts.items() if count}


MAX_RECENT_PICKS = 8
"""Recent picks remembered for each prompt."""


class RecentPicks:
    """The most recent picks by answered field. Not saved when the app ends."""

    def __init__(self) -> None:
        self._picked: dict[str, list[Any]] = {}

    def remember(self, prompt: Prompt, value: object) -> None:
        """Remember a selected value."""
        known = self._picked.setdefault(prompt.field, [])
        if value in known:
            known.remove(value)
        known.insert(0, value)
        del known[MAX_RECENT_PICKS:]

    def ordered_options(self, prompt: Prompt) -> tuple[Option, ...]:
        """Return the options for a long list: legal before disabled, recent picks first."""
        known: Sequence[Any] = self._picked.get(prompt.field, ())

        def sort_key(option: Option) -> tuple[bool, int]:
            lately = known.index(option.value) if option.value in known else len(known)
            return option.disabled_reason is not None, lately

        return tuple(sorted(prompt.options, key=sort_key))
