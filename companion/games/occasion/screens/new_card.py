"""A new card written at the table: the game's asks as rows, a page for each part, errors beside their fields."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import text, translate
from companion.app.page import load_kv
from companion.app.prompts.sheet import PromptContext, PromptSheet, SheetPlacement
from companion.app.screens.match_page import MatchPage
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Grid, HBox, SegmentedControl, VBox, bounded_stepper, fill
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.text import Name, Text
from companion.games.base import AnyGame, Choice, Fields, Game, GameState, JsonObject, Prompt, Refusal
from companion.games.occasion.decisions import CardForm
from companion.games.preparation import Memory

Faults = dict[tuple[int | None, str], Refusal]
"""Refusals by part (None: the card itself) and field (empty: the whole part)."""

MAX_FAULTS = 12


class CardDraft:
    """A card under construction. The answers are stored in `memory`, so that a rebuilt page loses nothing."""

    def __init__(self, memory: Memory, choice: Choice, was: Fields | None = None) -> None:
        """Args: was: the fields of a card that was already written."""
        self._memory, self._choice = memory, choice
        self.form: CardForm = next(ask.data for ask in choice.prompts if isinstance(ask.data, CardForm))
        if "answers" not in memory:
            answers, parts = self.form.answers_of(was) if was else (suggested_answers(self.form.fields), [])
            memory.update(answers=answers, parts=parts, open=None, tried=False)

    @property
    def parts(self) -> list[JsonObject]:
        found: list[dict[str, Any]] = self._memory["parts"]
        return found

    @property
    def open(self) -> int | None:
        """The part that is being edited; None for the card itself."""
        at: int | None = self._memory["open"]
        return at

    @open.setter
    def open(self, at: int | None) -> None:
        self._memory["open"] = at

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """The asks of the edited part."""
        at = self.open
        return self.form.fields if at is None else self.form.part_fields(self.parts, at)

    def answers(self) -> JsonObject:
        """Return the answers of the edited part."""
        found: dict[str, Any] = self._memory["answers"] if self.open is None else self.parts[self.open]
        return found

    def set_answer(self, field: str, value: object) -> None:
        """Set an answer; None removes it."""
        self.answers().pop(field, None)
        if value is not None:
            self.answers()[field] = value

    def add_part(self) -> None:
        """Add a part with the game's suggestions and open it."""
        self.parts.append({})
        self.open = len(self.parts) - 1
        self.parts[-1].update(suggested_answers(self.prompts))

    def remove_part(self) -> None:
        """Remove the open part."""
        if self.open is not None:
            del self.parts[self.open]
        self.open = None

    # Validation by the game

    def event(self) -> Fields:
        """Return the current event, legal or not."""
        return {**self._choice.event, **self.form.fields_of(self._memory["answers"], self.parts)}

    def validate(self, game: AnyGame, state: GameState) -> Faults:
        """Return every field that the rules refuse now; from the first attempt on, the page keeps showing them."""
        self._memory["tried"] = True
        return self.faults(game, state)

    def faults(self, game: AnyGame, state: GameState) -> Faults:
        """Return the errors; none until the card was tried for the first time."""
        if not self._memory["tried"]:
            return {}
        found: Faults = {}
        answers, parts = dict(self._memory["answers"]), [dict(part) for part in self.parts]
        for _ in range(MAX_FAULTS):
            refusal = self._refused(game, state, {**self._choice.event, **self.form.fields_of(answers, parts)})
            if refusal is None:
                break
            where = self._fault_location(refusal, parts)
            if where in found:
                break
            found[where] = refusal
            if not self._substitute_legal_value(answers, parts, where):
                break
        return found

    def _refused(self, game: Game[Any, Any], state: Any, fields: Fields) -> Refusal | None:
        try:
            game.validate(state, game.parse(fields))
        except Refusal as refusal:
            return refusal
        return None

    def _fault_location(self, refusal: Refusal, parts: list[dict[str, Any]]) -> tuple[int | None, str]:
        field, name = self.form.fault_location(refusal.message)
        if not self.form.parts:
            return None, field
        named = [at for at, part in enumerate(parts) if part.get("id") == name and name]
        if named:
            return named[-1], field
        nameless = [at for at, part in enumerate(parts) if field and field not in part]
        return (
            (nameless[0], field)
            if nameless and field not in ("id", "zones")
            else self._missing_name_location(parts, field)
        )

    def _missing_name_location(self, parts: list[dict[str, Any]], field: str) -> tuple[int | None, str]:
        """Assign a missing name to a part if one has none; otherwise the field belongs to the card."""
        nameless = [at for at, part in enumerate(parts) if "id" not in part]
        return (nameless[0], "id") if field == "id" and nameless else (None, field)

    def _substitute_legal_value(
        self, answers: dict[str, Any], parts: list[dict[str, Any]], where: tuple[int | None, str]
    ) -> bool:
        """Replace an invalid value by a legal one, to find the next error; False if no legal value is known."""
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


def suggested_answers(prompts: tuple[Prompt, ...]) -> JsonObject:
    """Return the answers that the game suggests."""
    return {ask.field: ask.suggested for ask in prompts if ask.suggested is not None}


load_kv(__file__)

MAX_SEGMENTS = 3
"""The maximum number of options shown side by side; more open a sheet."""


class NewCardPage(MatchPage):
    """The page of a new card. `memory` stores the entered values.

    `args`: `session` and `choice`; to correct an event also those of `EditorPage`.
    """

    def compose(self) -> None:
        self._choice: Choice = self.route.args["choice"]
        self._draft = CardDraft(self.memory, self._choice, self.route.args.get("was"))
        self._done = PushButton(style="chalk", hug=True, pad=16)
        self._done.bind(on_tap=lambda *_: self._save() if self._draft.open is None else self._open(None))
        self.ids.bar.at_end(self._done)

    def changed(self) -> None:
        """Rebuild the rows of the edited part: the card, or one of its parts."""
        draft = self._draft
        scene = self.sides().get(self._choice.side or "")
        title = text(self._choice.prompts[0].title)
        at = draft.open
        bar = self.ids.bar
        bar.title = title if at is None else translate("app.card.part")
        bar.sub = scene.name if scene else ""
        self._done.text = translate("app.card.save" if at is None else "app.card.part_done")
        faults = draft.faults(self.session.game, self._state)
        body = self.ids.body
        body.clear_widgets()
        if (at, "") in faults:
            body.add_widget(self._fault_text(faults[at, ""]))
        grid = Grid(cols=1 if self.portrait else 2, spacing=(dp(12), dp(8)), grows=True)
        fill(grid, *(self._row(ask, faults) for ask in draft.prompts))
        body.add_widget(grid)
        if at is None and draft.form.parts:
            self._add_part_buttons(body, draft.form, faults)
        elif at is not None:
            remove = PushButton(translate("app.card.remove_part"), icon="cross", style="outlined", tall=58)
            remove.bind(on_tap=lambda *_: self._change_parts(self._draft.remove_part))
            body.add_widget(remove)

    @property
    def _state(self) -> Any:
        """The state that the card is written for."""
        return self.route.args.get("state", self.session.state)

    def back(self) -> bool:
        """Return from a part to its card; all entered values are kept."""
        if self._draft.open is None:
            return False
        self._open(None)
        return True

    # Rows

    def _row(self, ask: Prompt, faults: Faults) -> Widget:
        refusal = faults.get((self._draft.open, ask.field))
        row = VBox(self._field(ask, refusal is not None), spacing=dp(2), grows=True)
        if refusal is not None:
            row.add_widget(self._fault_text(refusal))
        return row

    def _field(self, ask: Prompt, wrong: bool) -> Widget:
        if ask.kind == "count":
            return self._stepper(ask)
        if ask.kind == "pick" and not ask.maximum and len(ask.options) <= MAX_SEGMENTS:
            return self._segments(ask)
        value = self._draft.answers().get(ask.field)
        push = PushButton(
            text(ask.title), detail=_answer_text(ask, value), left=True, end="edit", act=lambda: self._open_prompt(ask)
        )
        push.style = "todo" if wrong or (value is None and not ask.optional) else "well"
        push.size_hint_y, push.height = None, dp(58) * max(1.0, self.app.theme.text / 100)
        return push

    def _stepper(self, ask: Prompt) -> Widget:
        name = text(ask.title)
        label = Name(name[:1].upper() + name[1:], kinds=["bouton", "corps"], halign="left")
        value = int(self._draft.answers().get(ask.field, ask.minimum))
        limits = range(ask.minimum, ask.maximum + 1)
        steps = bounded_stepper(value, limits, partial(self._set_answer, ask.field), name, wide=184)
        return HBox(label, steps, spacing=dp(8), tall=58)

    def _segments(self, ask: Prompt) -> Widget:
        options = [(option.value, text(option.label)) for option in ask.options]
        segments = SegmentedControl(
            options, self._draft.answers().get(ask.field), lambda value: self._set_answer(ask.field, value)
        )
        segments.size_hint_y, segments.height = None, dp(58)
        return segments

    def _add_part_buttons(self, body: BoxLayout, form: CardForm, faults: Faults) -> None:
        for at, part in enumerate(self._draft.parts):
            push = PushButton(text(form.part_title(part)), left=True, end="right", tall=58, act=partial(self._open, at))
            wrong = next((refusal for (place, _), refusal in faults.items() if place == at), None)
            push.style = "todo" if wrong else "well"
            body.add_widget(push)
            if wrong is not None:
                body.add_widget(self._fault_text(wrong))
        more = PushButton(translate("app.card.add_part"), icon="plus", style="outlined", tall=58)
        more.bind(on_tap=lambda *_: self._change_parts(self._draft.add_part))
        body.add_widget(more)

    # Tap handlers

    def _open_prompt(self, ask: Prompt) -> None:
        value = self._draft.answers().get(ask.field)
        if ask.kind == "text":
            accept = lambda answer: self._set_answer(ask.field, answer)  # noqa: E731
            self.app.show_sheet(naming_sheet(text(ask.title), "" if value is None else str(value), accept))
            return
        asked = Prompt(
            "pick", ask.field, ask.title, ask.options, minimum=ask.minimum, maximum=ask.maximum, suggested=value
        )
        choice = Choice({}, self._choice.label, prompts=(asked,))
        self.app.show_sheet(
            PromptSheet(
                choice,
                lambda fields: self._set_answer(ask.field, fields[ask.field]),
                PromptContext(self.app.recent_picks, self.sides().get(self._choice.side or "")),
                SheetPlacement((0.0, 0.0, 0.0, float(self.ids.bar.height))),
            )
        )

    def _set_answer(self, field: str, value: Any) -> None:
        self._draft.set_answer(field, value)
        self.changed()

    def _open(self, at: int | None) -> None:
        self._draft.open = at
        self.ids.scroller.scroll_y = 1.0
        self.changed()

    def _change_parts(self, change: Callable[[], None]) -> None:
        change()
        self._open(self._draft.open)

    def _save(self) -> None:
        if self._draft.validate(self.session.game, self._state):
            self.changed()
        elif "told" in self.route.args:
            self.route.args["told"](self._draft.event())
            self.app.navigator.go_back()
        elif self.record(self._draft.event()):
            self.app.navigator.go_back()

    def _fault_text(self, refusal: Refusal) -> Text:
        """Return why a field is invalid, with the rule number."""
        reason = text(self._draft.form.fault_message(refusal.message)).rstrip(".")
        message = translate("app.card.fault", reason=reason[:1].upper() + reason[1:], rule=refusal.rule)
        return Text(message, kind="corps", tone="laiton", halign="left")


def _answer_text(ask: Prompt, value: Any) -> str:
    """Return an answer as text."""
    if value is None:
        return translate("app.card.unsaid" if ask.optional else "app.card.to_choose")
    if ask.kind != "pick":
        return str(value)
    values = value if ask.maximum else [value]
    labels = [text(option.label) for option in ask.options if option.value in values]
    return ", ".join(labels) or translate("app.card.none")
