"""Screen 16: every part of the table with its state; a tap opens what was found and the one thing to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import context_of, display, say, text
from companion.app.fonts import SENTENCE
from companion.app.page import Page, load_kv
from companion.app.widgets.marks import Framed, Icon
from companion.app.widgets.pieces import Grid, Scroller, VBox, fill
from companion.app.widgets.push import Push, Tap
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Head, Name, Text
from companion.games.base import Message
from companion.table.controls import ROLES, Controls
from companion.table.health import Check, Health

load_kv(__file__)

ICONS = {
    "camera": "cam", "reader": "pulse", "tray": "button", "panel": "hand", "sound": "sound",
    "tones": "horn", "display": "pc", "touch": "target", "disk": "disk", "journal": "edit", "config": "gear",
    "hub": "wifi", "clock": "clock", "power": "power", "processor": "temp", "service": "play", "versions": "list",
}  # fmt: skip
"""The icon of each part; others get the gear."""
TRIED = ("panel", "tray")
"""Parts with buttons that may be tried."""
MARKS = {Health.OK: "check", Health.LOOK: "alert", Health.ABSENT: "minus", Health.OFF: "power"}
NOT_THERE = (Health.ABSENT, Health.OFF)


class DiagnosticPage(Page):
    """The parts are looked at beside the screen, which goes on meanwhile."""

    def build(self) -> None:
        say = self.app.say
        self.ids.bar.title = say("app.diagnostic.title")
        self.ids.bar.at_end(Push(say("app.diagnostic.again"), icon="roll", look="outlined", hug=True, act=self.examine))
        self._gone = False
        found = self.memory.get("found")
        if found is None:
            self.examine()
        else:
            self.show(found)

    def leave(self) -> None:
        self._gone = True

    def examine(self) -> None:
        """Looks at every part anew."""
        diagnose = self.app.standby.house.diagnose
        self.ids.parts.clear_widgets()
        if diagnose is None:
            self.ids.parts.add_widget(Text(self.app.say("app.diagnostic.none"), flow="box", halign="center"))
            return
        self.ids.bar.sub = "…"
        self.ids.parts.add_widget(
            Text(self.app.say("app.diagnostic.looking"), flow="box", halign="center", tone="craie2")
        )

        def look() -> None:
            found = tuple(diagnose())
            Clock.schedule_once(lambda *_: self._found(found))

        Thread(target=look, name="diagnostic", daemon=True).start()

    def show(self, found: Sequence[Check]) -> None:
        """One tile a part."""
        say = self.app.say
        counted = [(health, sum(check.health is health for check in found)) for health in Health]
        self.ids.bar.sub = ", ".join(say(f"app.diagnostic.count.{health}", n=n) for health, n in counted if n)
        grid = Grid(cols=1 if self.portrait else 2, spacing=dp(8), padding=(0, 0, dp(8), 0), grows=True)
        fill(grid, *(PartTile(check, act=lambda check=check: self.app.lay(part_sheet(check))) for check in found))
        self.ids.parts.clear_widgets()
        self.ids.parts.add_widget(Scroller(grid))

    def _found(self, found: Sequence[Check]) -> None:
        self.memory["found"] = found
        if not self._gone:
            self.show(found)


class PartTile(Tap, Framed, BoxLayout):
    """A part: its icon, its name over what was found, and its state as a mark with a word."""

    def __init__(self, check: Check, **kwargs: Any) -> None:
        high = 74 if display.theme.roomy else 86
        super().__init__(padding=(dp(12), dp(6)), spacing=dp(12), radius=10, tall=high, **kwargs)
        self._check = check
        name, state = say(f"cli.part.{check.part}"), state_word(check)
        self.spoken = f"{name}, {state}"
        tone = "laiton" if check.health is Health.LOOK else "craie3" if check.health in NOT_THERE else "craie"
        middle = {"center_y": 0.5}
        self.add_widget(Icon(ICONS.get(check.part, "gear"), side=28, tone=tone, pos_hint=middle))
        under = Found(", ".join(facts(check)), kind="mini", tone="laiton" if tone == "laiton" else "craie2", flow="box")
        under.halign, under.valign = "left", "top"
        under.size_hint_y, under.height = None, dp(high * 0.3)
        words = VBox(
            Widget(),
            Name(capital(name), kinds=["bouton", "corps", "mini"], halign="left", tone=tone, tall=high * 0.34),
            under,
            Widget(),
        )
        fill(self, words, Icon(MARKS[check.health], side=22, tone=tone, pos_hint=middle))
        self.add_widget(Head(state, kind="corps", tone=tone, flow="line", pos_hint=middle))
        self.shine(False)

    def shine(self, on: bool) -> None:
        theme = display.theme
        look = self._check.health is Health.LOOK
        absent = self._check.health in NOT_THERE
        self.fill = theme.creux if on or look else (0, 0, 0, 0) if absent else theme.feutre
        self.line = theme.laiton if look else theme.craie3 if absent else (0, 0, 0, 0)
        self.dash = 5 if absent else 0


class Found(Text):
    """What was found, on one line: of more than fits the beginning, the rest is one tap away."""

    def __init__(self, words: str, **kwargs: Any) -> None:
        self._whole = words
        super().__init__(words, **kwargs)
        self.fbind("width", self._cut)

    def _cut(self, *_: object) -> None:
        probe = CoreLabel(font_name=SENTENCE, font_size=self.font_size)
        kept = len(self._whole)
        while kept > 1 and probe.get_extents(self._shown(kept))[0] > self.width:
            kept -= 1
        self.text = self._shown(kept)

    def _shown(self, kept: int) -> str:
        return self._whole if kept == len(self._whole) else self._whole[:kept].rstrip(" ,:") + "…"


def state_word(check: Check) -> str:
    """The state of a part in one word."""
    say = display.say
    return str(say("app.diagnostic.simulated") if check.simulated else say(f"app.diagnostic.{check.health}"))


def facts(check: Check) -> list[str]:
    """What was found, in words."""
    return [text(fact) if isinstance(fact, Message) else fact for fact in check.found]


def capital(words: str) -> str:
    """With a capital letter at the beginning."""
    return words[:1].upper() + words[1:]


def part_sheet(check: Check) -> Sheet:
    """Everything that was found of a part, and the remedy."""
    body = VBox(Head(state_word(check), kind="bouton", halign="left", tone="laiton"), spacing=dp(12), grows=True)
    fill(body, *(Text(figure, halign="left") for figure in facts(check)))
    if check.simulated:
        body.add_widget(Text(say("app.diagnostic.simulated_why"), tone="craie2", halign="left"))
    if check.remedy is not None:
        body.add_widget(Text(say("app.diagnostic.remedy"), tone="craie2", halign="left"))
        body.add_widget(Text(text(check.remedy), halign="left"))
    if check.part == "camera" and check.health not in NOT_THERE:
        body.add_widget(_calibrate())
    if check.part in TRIED and check.health not in NOT_THERE:
        body.add_widget(_try_buttons())
    return Sheet(capital(say(f"cli.part.{check.part}")), Scroller(body), box=(0.08, 0.08, 0.84, 0.84))


def _calibrate() -> Push:
    """Leads to where the camera is set up."""
    push = Push(say("calibration.open"), icon="target", look="outlined", tall=58)
    push.bind(on_tap=lambda push: context_of(push).open("calibration"))
    return push


def _try_buttons() -> Push:
    """Opens the live test of the buttons in the place of the part's sheet."""
    push = Push(say("button.test"), icon="hand", look="outlined", tall=58)

    def test(*_: object) -> None:
        context = context_of(push)
        context.lift()
        context.lay(ButtonTest(context.presses.controls))

    push.bind(on_tap=test)
    return push


LIT = 1.5
"""Seconds for which a line stays lit."""


class ButtonTest(Sheet):
    """While it is open, presses come here and no match is touched."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._lines = {str(role): RoleLine(str(role)) for role in ROLES}
        grid = Grid(*self._lines.values(), cols=1 if display.portrait else 2, spacing=dp(8), grows=True)
        scroller = Scroller(VBox(Text(say("button.test.how"), halign="left"), grid, spacing=dp(10), grows=True))
        super().__init__(say("button.test"), scroller)
        controls.listen(self.pressed)
        self.fbind("parent", self._gone)

    def pressed(self, role: str, source: str, held: bool) -> None:
        """A button was pressed."""
        self._lines[role].light(source, held)

    def _gone(self, _: Any, parent: Any) -> None:
        if parent is None:
            self._controls.listen(None)


class RoleLine(Framed, BoxLayout):
    """A button by its role, and when it was pressed last."""

    def __init__(self, role: str, **kwargs: Any) -> None:
        high = 62 if display.theme.roomy else 74
        super().__init__(padding=(dp(12), dp(6)), spacing=dp(10), tall=high, **kwargs)
        middle = {"center_y": 0.5}
        self._icon = Icon("button", side=26, tone="craie3", pos_hint=middle)
        self._last = Text(say("button.test.never"), kind="mini", tone="craie2", flow="box", halign="left")
        words = VBox(Head(say(f"button.role.{role}"), kind="bouton", flow="box", halign="left"), self._last)
        fill(self, self._icon, words)
        self._out: Any = None
        self._theme = display.theme
        self._dark()

    def light(self, source: str, held: bool) -> None:
        """It was pressed just now."""
        self.line, self._icon.tone = display.theme.laiton, "laiton"
        kind = "button.test.held" if held else "button.test.touched"
        self._last.text = say(kind, device=say(f"button.device.{source}"))
        if self._out is not None:
            self._out.cancel()
        self._out = Clock.schedule_once(self._dark, LIT)

    def _dark(self, *_: object) -> None:
        self.fill, self.line = self._theme.creux, (0, 0, 0, 0)  # the app may have ended by then
        self._icon.tone = "craie3"
