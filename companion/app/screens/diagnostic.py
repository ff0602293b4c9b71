"""Screen 16: all parts of the table with their state. A tap on a part opens its findings and the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import context_of, display, text, translate
from companion.app.page import Page, load_kv
from companion.app.widgets.button import PushButton, Tappable
from companion.app.widgets.components import Grid, Scroller, VBox, fill
from companion.app.widgets.marks import Framed, Icon
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.base import Message
from companion.table.controls import ROLES, Controls
from companion.table.health import Check, Health

load_kv(__file__)

ICONS = {
    "camera": "cam", "reader": "pulse", "tray": "button", "panel": "hand", "sound": "sound",
    "tones": "horn", "display": "pc", "touch": "target", "disk": "disk", "journal": "edit", "config": "gear",
    "hub": "wifi", "clock": "clock", "power": "power", "processor": "temp", "service": "play", "versions": "list",
}  # fmt: skip
"""The icon of each part; other parts have the gear."""
TESTABLE_PARTS = ("panel", "tray")
"""Parts with buttons that can be tested."""
MARKS = {Health.OK: "check", Health.ATTENTION: "alert", Health.MISSING: "minus", Health.OFF: "power"}
ABSENT_STATES = (Health.MISSING, Health.OFF)


class DiagnosticPage(Page):
    """The diagnostic page. Checks run in a thread while the screen stays responsive."""

    def build(self) -> None:
        translate = self.app.translate
        self.ids.bar.title = translate("app.diagnostic.title")
        self.ids.bar.at_end(
            PushButton(translate("app.diagnostic.again"), icon="roll", style="outlined", hug=True, act=self.examine)
        )
        self._is_closed = False
        found = self.memory.get("found")
        if found is None:
            self.examine()
        else:
            self.show(found)

    def leave(self) -> None:
        self._is_closed = True

    def examine(self) -> None:
        """Check every part again."""
        diagnose = self.app.idle_monitor.platform.diagnose
        self.ids.parts.clear_widgets()
        if diagnose is None:
            self.ids.parts.add_widget(Text(self.app.translate("app.diagnostic.none"), flow="box", halign="center"))
            return
        self.ids.bar.sub = "…"
        self.ids.parts.add_widget(
            Text(self.app.translate("app.diagnostic.looking"), flow="box", halign="center", tone="craie2")
        )

        def run_checks() -> None:
            found = tuple(diagnose())
            Clock.schedule_once(lambda *_: self._found(found))

        Thread(target=run_checks, name="diagnostic", daemon=True).start()

    def show(self, found: Sequence[Check]) -> None:
        """Show one tile per part."""
        translate = self.app.translate
        counts = [(health, sum(check.health is health for check in found)) for health in Health]
        self.ids.bar.sub = ", ".join(translate(f"app.diagnostic.count.{health}", n=n) for health, n in counts if n)
        grid = Grid(cols=1 if self.portrait else 2, spacing=dp(8), padding=(0, 0, dp(8), 0), grows=True)
        fill(
            grid, *(PartTile(check, act=lambda check=check: self.app.show_sheet(part_sheet(check))) for check in found)
        )
        self.ids.parts.clear_widgets()
        self.ids.parts.add_widget(Scroller(grid))

    def _found(self, found: Sequence[Check]) -> None:
        self.memory["found"] = found
        if not self._is_closed:
            self.show(found)


class PartTile(Tappable, Framed, BoxLayout):
    """A tile of a part: icon, name, findings, and its state as an icon with a word."""

    def __init__(self, check: Check, **kwargs: Any) -> None:
        high = 74 if display.theme.roomy else 86
        super().__init__(padding=(dp(12), dp(6)), spacing=dp(12), radius=10, tall=high, **kwargs)
        self._check = check
        name, state = translate(f"cli.part.{check.part}"), state_text(check)
        self.spoken = f"{name}, {state}"
        tone = "laiton" if check.health is Health.ATTENTION else "craie3" if check.health in ABSENT_STATES else "craie"
        middle = {"center_y": 0.5}
        self.add_widget(Icon(ICONS.get(check.part, "gear"), side=28, tone=tone, pos_hint=middle))
        under = TruncatedText(
            ", ".join(facts(check)), kind="mini", tone="laiton" if tone == "laiton" else "craie2", flow="box"
        )
        under.halign, under.valign = "left", "top"
        under.size_hint_y, under.height = None, dp(high * 0.3)
        text_box = VBox(
            Widget(),
            Name(capitalize_first(name), kinds=["bouton", "corps", "mini"], halign="left", tone=tone, tall=high * 0.34),
            under,
            Widget(),
        )
        fill(self, text_box, Icon(MARKS[check.health], side=22, tone=tone, pos_hint=middle))
        self.add_widget(BoldText(state, kind="corps", tone=tone, flow="line", pos_hint=middle))
        self.show_pressed(False)

    def show_pressed(self, on: bool) -> None:
        theme = display.theme
        needs_attention = self._check.health is Health.ATTENTION
        absent = self._check.health in ABSENT_STATES
        self.fill = theme.creux if on or needs_attention else (0, 0, 0, 0) if absent else theme.feutre
        self.line = theme.laiton if needs_attention else theme.craie3 if absent else (0, 0, 0, 0)
        self.dash = 5 if absent else 0


class TruncatedText(Text):
    """The findings on one line, truncated if needed; a tap on the tile shows all of them."""

    def __init__(self, content: str, **kwargs: Any) -> None:
        self._whole = content
        super().__init__(content, **kwargs)
        self.fbind("width", self._cut)

    def _cut(self, *_: object) -> None:
        self.text = self.beginning_of(self._whole, self.width)


def state_text(check: Check) -> str:
    """Return the state of a part in one word."""
    language = display.language
    return str(language("app.diagnostic.simulated") if check.simulated else language(f"app.diagnostic.{check.health}"))


def facts(check: Check) -> list[str]:
    """Return the findings of a part as texts."""
    return [text(fact) if isinstance(fact, Message) else fact for fact in check.details]


def capitalize_first(content: str) -> str:
    """Return the text with a capital first letter."""
    return content[:1].upper() + content[1:]


def part_sheet(check: Check) -> Sheet:
    """Return a sheet with all findings of a part, and the remedy."""
    body = VBox(BoldText(state_text(check), kind="bouton", halign="left", tone="laiton"), spacing=dp(12), grows=True)
    fill(body, *(Text(figure, halign="left") for figure in facts(check)))
    if check.simulated:
        body.add_widget(Text(translate("app.diagnostic.simulated_why"), tone="craie2", halign="left"))
    if check.remedy is not None:
        body.add_widget(Text(translate("app.diagnostic.remedy"), tone="craie2", halign="left"))
        body.add_widget(Text(text(check.remedy), halign="left"))
    if check.part == "camera" and check.health not in ABSENT_STATES:
        body.add_widget(_calibrate())
    if check.part in TESTABLE_PARTS and check.health not in ABSENT_STATES:
        body.add_widget(_try_buttons())
    return Sheet(capitalize_first(translate(f"cli.part.{check.part}")), Scroller(body), box=(0.08, 0.08, 0.84, 0.84))


def _calibrate() -> PushButton:
    """Return the button that opens the calibration."""
    push = PushButton(translate("calibration.open"), icon="target", style="outlined", tall=58)
    push.bind(on_tap=lambda push: context_of(push).open("calibration"))
    return push


def _try_buttons() -> PushButton:
    """Return the button that replaces the sheet with the live button test."""
    push = PushButton(translate("button.test"), icon="hand", style="outlined", tall=58)

    def test(*_: object) -> None:
        context = context_of(push)
        context.close_sheet()
        context.show_sheet(ButtonTest(context.hardware_buttons.controls))

    push.bind(on_tap=test)
    return push


LIT_DURATION_S = 1.5
"""Seconds for which a line stays lit."""


class ButtonTest(Sheet):
    """Live test of the buttons. While it is open, presses do not affect a match."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._lines = {str(role): RoleLine(str(role)) for role in ROLES}
        grid = Grid(*self._lines.values(), cols=1 if display.portrait else 2, spacing=dp(8), grows=True)
        scroller = Scroller(VBox(Text(translate("button.test.how"), halign="left"), grid, spacing=dp(10), grows=True))
        super().__init__(translate("button.test"), scroller)
        controls.test_buttons(self.pressed)
        self.fbind("parent", self._on_parent)

    def pressed(self, role: str, source: str, held: bool) -> None:
        """Light the line of a pressed button."""
        self._lines[role].light(source, held)

    def _on_parent(self, _: Any, parent: Any) -> None:
        if parent is None:
            self._controls.test_buttons(None)


class RoleLine(Framed, BoxLayout):
    """A button by its role, with its last press."""

    def __init__(self, role: str, **kwargs: Any) -> None:
        high = 62 if display.theme.roomy else 74
        super().__init__(padding=(dp(12), dp(6)), spacing=dp(10), tall=high, **kwargs)
        middle = {"center_y": 0.5}
        self._icon = Icon("button", side=26, tone="craie3", pos_hint=middle)
        self._last = Text(translate("button.test.never"), kind="mini", tone="craie2", flow="box", halign="left")
        text_box = VBox(
            BoldText(translate(f"button.role.{role}"), kind="bouton", flow="box", halign="left"), self._last
        )
        fill(self, self._icon, text_box)
        self._turn_off_event: Any = None
        self._theme = display.theme
        self._turn_off()

    def light(self, source: str, held: bool) -> None:
        """Light up for a press."""
        self.line, self._icon.tone = display.theme.laiton, "laiton"
        kind = "button.test.held" if held else "button.test.touched"
        self._last.text = translate(kind, device=translate(f"button.device.{source}"))
        if self._turn_off_event is not None:
            self._turn_off_event.cancel()
        self._turn_off_event = Clock.schedule_once(self._turn_off, LIT_DURATION_S)

    def _turn_off(self, *_: object) -> None:
        self.fill, self.line = self._theme.creux, (0, 0, 0, 0)  # the app may have ended by then
        self._icon.tone = "craie3"
