"""Screen 14: the secret tactical choice of one club, by counts or undisclosed. It starts covered and keeps no data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.page import Page, load_kv
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, Grid, HBox, Stepper, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.secret_cover import secret_cover
from companion.app.widgets.text import BoldText, Text
from companion.games.base import Option, Prompt

load_kv(__file__)


class TacticsPage(Page):
    """The tactical choice of one side.

    `args`: `session`, `side`, and `ask`, the game's counts prompt for the choice (its options, total and suggestion).
    The counts exist only in this page: the back stack and the memory of the route contain no secrets.
    """

    secret = True
    """The choices on this page are never spoken."""

    def build(self) -> None:
        self._side: str = self.route.args["side"]
        self._prompt: Prompt = self.route.args["ask"]
        self._total = self._prompt.total or 0
        self._counts: dict[str, int] = {option.value: 0 for option in self._prompt.options}
        names = self.route.args["session"].header["sides"]
        self._name = names[self._side]["name"]
        other = next(side for side in names if side != self._side)
        self._other, self._other_name = other, names[other]["name"]
        bar = self.ids.bar
        bar.mark(SideBadge(colour=self._side, letter=self.app.translate(f"app.letter.{self._side}"), side=34))
        bar.title = self.app.translate("app.tactics.title", club=self._name, cards=self._total)
        self._cover()

    def _cover(self) -> None:
        translate = self.app.translate
        body: BoxLayout = self.ids.body
        body.clear_widgets()
        reason = translate("app.tactics.why", club=self._name)
        box = secret_cover(self._side, self._other_name, reason, self._uncover)
        secret = PushButton(
            translate("app.tactics.secret"),
            detail=translate("app.tactics.secret_detail"),
            icon="lock",
            hug=True,
            pad=20,
        )
        secret.size_hint, secret.height, secret.pos_hint = (None, None), dp(60), {"center_x": 0.5}
        secret.bind(on_tap=lambda *_: self._record(None))
        box.add_widget(secret)
        body.add_widget(box)

    def _uncover(self) -> None:
        body: BoxLayout = self.ids.body
        body.clear_widgets()
        if not self.portrait and self.app.theme.roomy:
            self.ids.bar.warn(self.app.translate("app.secret.look_away", name=self._other_name))
        grid = Grid(cols=2 if self.portrait else 4, padding=(dp(12), dp(10)), spacing=dp(8))
        for option in self._prompt.options:
            card = Card(side=self._side, padding=(dp(10), dp(8)), spacing=dp(2))
            card.add_widget(BoldText(self.app.text(option.label), kind="bouton", halign="left"))
            if option.detail is not None and self.app.theme.roomy:
                card.add_widget(Text(self.app.text(option.detail), kind="mini", tone="craie2", halign="left"))
            card.add_widget(Widget())
            most = min(option.maximum if option.maximum is not None else self._total, self._total)
            card.add_widget(self._steps(option, most))
            grid.add_widget(card)
        fill(body, grid, self._foot())

    def _steps(self, option: Option, most: int) -> Stepper:
        """Return a stepper for the number of cards of a kind, from 0 to `most`."""

        def step(by: int) -> None:
            if 0 <= self._counts[str(option.value)] + by <= most:
                self._counts[str(option.value)] += by
                show()
                self._update_sum()

        def show() -> None:
            count = self._counts[str(option.value)]
            steps.show(count, count > 0, count < most)

        kind = "fort" if self.app.theme.roomy else "grand"
        name = self.app.text(option.label)
        steps: Stepper = Stepper(self._side, step, name, kind=kind, button=(52, 28), tall=66, spacing=0)
        show()
        return steps

    def _foot(self) -> Card:
        translate = self.app.translate
        foot = Card(
            surface="nuit", radius=0, orientation="vertical" if self.portrait else "horizontal", size_hint_y=None
        )
        foot.height, foot.padding, foot.spacing = dp(132 if self.portrait else 68), (dp(12), dp(8)), dp(10)
        self._sum = BoldText("", kind="titre" if self.portrait else "grand", flow="box", halign="left")
        foot.add_widget(self._sum)
        row = HBox(spacing=dp(10)) if self.portrait else foot
        advised = PushButton(translate("app.tactics.advised"), hug=not self.portrait, pad=14, act=self._advise)
        self._done = PushButton(
            translate("app.tactics.done"), style="side", side=self._side, hug=not self.portrait, pad=16
        )
        self._done.bind(on_tap=lambda *_: self._validate())
        for push in (advised, self._done):
            push.size_hint_x = 1 if self.portrait else None
            row.add_widget(push)
        if self.portrait:
            foot.add_widget(row)
        self._update_sum()
        return foot

    def _update_sum(self) -> None:
        chosen = sum(self._counts.values())
        self._sum.text = self.app.translate("app.tactics.sum", chosen=chosen, total=self._total)
        self._done.style = "side" if chosen == self._total else "dashed"

    def _advise(self) -> None:
        suggested = self._prompt.suggested if isinstance(self._prompt.suggested, Mapping) else {}
        self._counts = {value: suggested.get(value, 0) for value in self._counts}
        self._uncover()

    def _validate(self) -> None:
        missing = self._total - sum(self._counts.values())
        if missing > 0:
            self.app.show_error(self.app.translate("app.tactics.missing", n=missing))
        elif missing < 0:
            self.app.show_error(self.app.translate("app.tactics.too_many", n=-missing))
        else:
            self._record({value: count for value, count in self._counts.items() if count})

    def _record(self, cards: dict[str, int] | None) -> None:
        fields: dict[str, Any] = {"event": "tactics", "side": self._side}
        if cards is not None:
            fields["cards"] = cards
        if self.app.attempt(lambda: self.route.args["session"].record(fields)):
            self._counts = dict.fromkeys(self._counts, 0)
            self.app.navigator.go_back()
