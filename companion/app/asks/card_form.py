"""What is filled in of a new card, before it is one: answers field by field, its parts, what a refusal says of them."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from companion.games.base import Ask, Choice, Fields, Game, Refusal
from companion.games.occasion.card_form import CardForm

Faults = dict[tuple[int | None, str], Refusal]
"""Refusals by part (None: the card itself) and field (empty: the whole)."""

MOST_FAULTS = 12


class CardDraft:
    """The answers live in `memory`, so that a page built anew forgets nothing."""

    def __init__(self, memory: MutableMapping[str, Any], choice: Choice, was: Fields | None = None) -> None:
        """`was` are the fields of a card that was written already."""
        self._memory, self._choice = memory, choice
        self.form: CardForm = next(ask.data for ask in choice.asks if isinstance(ask.data, CardForm))
        if "answers" not in memory:
            answers, parts = self.form.answers_of(was) if was else (suggested(self.form.fields), [])
            memory.update(answers=answers, parts=parts, open=None, tried=False)

    @property
    def parts(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._memory["parts"]
        return found

    @property
    def open(self) -> int | None:
        """The part that is being filled in, None while it is the card itself."""
        at: int | None = self._memory["open"]
        return at

    @open.setter
    def open(self, at: int | None) -> None:
        self._memory["open"] = at

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The fields of what is open."""
        at = self.open
        return self.form.fields if at is None else self.form.part_fields(self.parts, at)

    def answers(self) -> dict[str, Any]:
        """The answers of what is open."""
        found: dict[str, Any] = self._memory["answers"] if self.open is None else self.parts[self.open]
        return found

    def say(self, field: str, value: Any) -> None:
        """An answer; None takes it back."""
        self.answers().pop(field, None)
        if value is not None:
            self.answers()[field] = value

    def add_part(self) -> None:
        """One more part, filled in as the game suggests; it is open then."""
        self.parts.append({})
        self.open = len(self.parts) - 1
        self.parts[-1].update(suggested(self.asks))

    def remove_part(self) -> None:
        """The open part is none."""
        if self.open is not None:
            del self.parts[self.open]
        self.open = None

    # What the game says to it

    def event(self) -> Fields:
        """The event as it stands now, legal or not."""
        return {**self._choice.event, **self.form.fields_of(self._memory["answers"], self.parts)}

    def try_on(self, game: Game[Any, Any], state: Any) -> Faults:
        """Every field that the rules speak against now; from the first attempt on the page keeps showing them."""
        self._memory["tried"] = True
        return self.faults(game, state)

    def faults(self, game: Game[Any, Any], state: Any) -> Faults:
        """Nothing until the card was tried for the first time."""
        if not self._memory["tried"]:
            return {}
        found: Faults = {}
        answers, parts = dict(self._memory["answers"]), [dict(part) for part in self.parts]
        for _ in range(MOST_FAULTS):
            refusal = self._refused(game, state, {**self._choice.event, **self.form.fields_of(answers, parts)})
            if refusal is None:
                break
            where = self._about(refusal, parts)
            if where in found:
                break
            found[where] = refusal
            if not self._mend(answers, parts, where):
                break
        return found

    def _refused(self, game: Game[Any, Any], state: Any, fields: Fields) -> Refusal | None:
        try:
            game.decide(state, game.parse(fields))
        except Refusal as refusal:
            return refusal
        return None

    def _about(self, refusal: Refusal, parts: list[dict[str, Any]]) -> tuple[int | None, str]:
        field, name = self.form.about(refusal.message)
        if not self.form.parts:
            return None, field
        named = [at for at, part in enumerate(parts) if part.get("id") == name and name]
        if named:
            return named[-1], field
        nameless = [at for at, part in enumerate(parts) if field and field not in part]
        return (nameless[0], field) if nameless and field not in ("id", "zones") else self._unnamed(parts, field)

    def _unnamed(self, parts: list[dict[str, Any]], field: str) -> tuple[int | None, str]:
        """A missing name is a part's, if one has none; otherwise the field is the card's own."""
        nameless = [at for at, part in enumerate(parts) if "id" not in part]
        return (nameless[0], "id") if field == "id" and nameless else (None, field)

    def _mend(self, answers: dict[str, Any], parts: list[dict[str, Any]], where: tuple[int | None, str]) -> bool:
        """Puts something legal in the place of a fault, to find the next one; False where nothing is known to be."""
        at, field = where
        if at is not None and field == "id":
            parts[at]["id"] = f"\N{REPLACEMENT CHARACTER}{at}"
            return True
        ask = next((ask for ask in self.form.fields if ask.field == field), None)
        if at is not None or ask is None:
            return False
        if ask.kind == "pick" and ask.options:
            answers[field] = ask.options[0].value
            return True
        if ask.suggested is not None:
            answers[field] = ask.suggested
            return True
        return False


def suggested(asks: tuple[Ask, ...]) -> dict[str, Any]:
    """The answers that the game suggests."""
    return {ask.field: ask.suggested for ask in asks if ask.suggested is not None}
