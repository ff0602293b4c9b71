"""Sheets with rules, the rules of the current phase, and the guide through a first match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.display import context_of, display, translate
from companion.app.widgets.button import Tappable
from companion.app.widgets.components import Grid, Scroller, VBox, fill
from companion.app.widgets.marks import Framed
from companion.app.widgets.sheet import Sheet, SheetEntry, list_sheet
from companion.app.widgets.text import BoldText, Text
from companion.games.base import JsonObject, Message, Refusal
from companion.games.registry import SPECS
from companion.table.catalogues.card_store import SampleCards
from companion.table.session import Session, StorageError

if TYPE_CHECKING:
    from companion.app.context import AppContext


_NUMBER = re.compile(r"\b[A-Z]{2,3}-\d+\.\d+\b")


def rules_in(sentence: str) -> tuple[str, ...]:
    """Return the rule numbers in a sentence that have a text, without duplicates."""
    return tuple(rule for rule in dict.fromkeys(_NUMBER.findall(sentence)) if rule_exists(rule))


def rule_exists(rule: str) -> bool:
    """True if a rule has a text."""
    return rule_text(rule) != _id(rule)


def rule_text(rule: str) -> str:
    """Return the short text of a rule."""
    return translate(_id(rule))


def chapter(rule: str) -> str:
    """Return the title of a rule's chapter."""
    return translate(_id(rule.partition(".")[0]))


def open_rule(context: AppContext, rule: str) -> None:
    """Show the sheet of a rule; does nothing for a number without a text."""
    if rule_exists(rule):
        context.show_sheet(rule_sheet(rule))


def rule_sheet(rule: str) -> Sheet:
    """Return a sheet with number, chapter and text of a rule. Its close button returns to the previous view."""
    column = VBox(spacing=dp(10), padding=(0, dp(4)), grows=True)
    column.add_widget(BoldText(chapter(rule), kind="bouton", tone="laiton", halign="left"))
    column.add_widget(Text(rule_text(rule), kind="bouton", halign="left"))
    return Sheet(translate("app.help.rule", rule=rule), Scroller(column), box=(0.1, 0.16, 0.8, 0.68))


def rules_sheet(title: str, rules: Sequence[str], hint: str = "") -> Sheet:
    """Return a sheet with several rules as rows; a tap opens a single one. `hint` is shown above them."""
    grid = Grid(cols=1, spacing=dp(8), padding=(0, 0, dp(10), 0), grows=True)
    if hint:
        grid.add_widget(Text(hint, kind="bouton", halign="left"))
    fill(grid, *(RuleRow(rule) for rule in rules))
    return Sheet(title, Scroller(grid))


class RuleRow(Tappable, Framed, BoxLayout):
    """A rule with its text; its height fits the text."""

    def __init__(self, rule: str, **kwargs: Any) -> None:
        super().__init__(
            orientation="vertical", size_hint_y=None, padding=(dp(14), dp(8)), spacing=dp(2), line_width=2, **kwargs
        )
        self.line = display.theme.craie3
        self.spoken = f"{rule} {rule_text(rule)}"
        self.add_widget(BoldText(f"{rule} · {chapter(rule)}", kind="corps", tone="laiton", halign="left"))
        self.add_widget(Text(rule_text(rule), halign="left"))
        self.bind(minimum_height=self._fit, on_tap=lambda *_: open_rule(context_of(self), rule))

    def show_pressed(self, on: bool) -> None:
        self.fill = display.theme.nuit if on else (0, 0, 0, 0)

    def _fit(self, *_: object) -> None:
        self.height = max(dp(58), self.minimum_height)


def rules_of(game: str, phase: str) -> tuple[str, ...]:
    """Return the rules that apply in a phase of a game."""
    return tuple(SPECS[game].phases.get(phase, ()))


def _id(rule: str) -> str:
    return f"help.{rule}"


GUIDED = "guided"
"""Key in the memory of the table's route: whether hints are shown."""


def hint(session: Session) -> str:
    """Return what to do in the current phase, in one or two sentences."""
    return translate(f"guide.{session.game.id}.{session.state.phase}")


def hint_sheet(session: Session) -> Sheet:
    """Return a sheet with the hint in large type and the rules of the phase."""
    rules = rules_of(session.game.id, session.state.phase)
    return rules_sheet(translate("app.help.guide"), rules, hint(session))


def choose_game(app: AppContext) -> Sheet:
    """Return a sheet to choose a game for a guided match."""
    entries = [
        SheetEntry(app.translate(f"app.game.{game}"), partial(start_guided_match, app, game))
        for game in app.matches.games
    ]
    return list_sheet(app.translate("app.help.first"), entries)


def start_guided_match(app: AppContext, game: str) -> None:
    """Start a guided match with sample data and open its table."""
    try:
        session = app.start_match(game, guided_header(app, game))
        for event in SPECS[game].opening(session.state):
            session.record(event)
    except Refusal as refusal:
        app.show_error(app.format_refusal(refusal))
    except StorageError as trouble:
        app.show_error(app.text(trouble.message))
    else:
        app.navigator.open_from_home("table", session=session)
        app.navigator.back_stack[-1].memory[GUIDED] = True
        app.redraw()


def guided_header(app: AppContext, game: str) -> JsonObject:
    """Return the header of a short match between the first two sample sides."""
    spec = SPECS[game]
    if spec.guided_header is not None:
        return spec.guided_header()
    plan = spec.prepare({}, SampleCards(app.translate.code))
    for row, value in spec.quick_start_answers.items():
        plan.choose(row, value)
    made = plan.header()
    for side in made["sides"].values():
        if isinstance(side["name"], Message):
            side["name"] = app.text(side["name"])
    return made
