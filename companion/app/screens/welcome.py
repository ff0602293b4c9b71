"""The first steps: six questions on the screen when a table is new, each with an answer that holds if nobody gives one.

Where they stand is kept with the settings before a step is shown: a power cut begins it again there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout

from companion.app.first_steps import DONE, STEPS, after, before
from companion.app.page import Page, load_kv
from companion.app.screens.settings_rows import Rows
from companion.app.screens.settings_table import rename
from companion.app.screens.welcome_camera import CameraStep
from companion.app.screens.welcome_devices import DeviceStep
from companion.app.screens.welcome_touch import TouchMarks
from companion.app.theme import TEXT_SIZES
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head
from companion.theme import CONTRASTS

load_kv(__file__)

LEAST_LIGHT = 20
TABLES = 4
"""So many names are offered."""
LANGUAGES = (("fr", "Français"), ("en", "English"))


class WelcomePage(Page):
    """One step at a time; `step` is kept in the place's memory and with the settings."""

    filled = BooleanProperty(False)

    def build(self) -> None:
        say = self.app.say
        self.step: str = self.memory.setdefault("step", self.place.args.get("step", STEPS[0]))
        if self.memory.get("kept") != self.step:
            self._keep(self.step)
        self.rows = Rows(self.app, self.ids.rows, self.portrait)
        self.ids.bar.title = say(f"app.welcome.{self.step}")
        self.ids.bar.sub = say("app.welcome.count", at=STEPS.index(self.step) + 1, of=len(STEPS))
        later = Push(say("app.welcome.later"), look="outlined", kind="corps", hug=True, size_hint_x=None)
        later.bind(on_tap=lambda *_: self.finish())
        self.ids.bar.at_end(later)
        self._live: CameraStep | DeviceStep | None = None
        builders: dict[str, Callable[[], None]] = {
            "language": self._language,
            "display": self._display,
            "touch": self._touch,
            "camera": self._camera,
            "devices": self._devices,
            "name": self._name,
        }
        builders[self.step]()
        last = after(self.step) is None
        word = "app.welcome.finish" if last else "app.welcome.next"
        forward = Push(say(word), icon="check" if last else "right", look="chalk", kind="titre", icon_side=26)
        forward.bind(on_tap=lambda *_: self.forward())
        self.ids.foot.add_widget(forward)

    def leave(self) -> None:
        if self._live is not None:
            self._live.close()

    def back(self) -> bool:
        """A step back; before the first one the questions are left."""
        earlier = before(self.step)
        if earlier is None:
            self.finish()
        else:
            self._go(earlier)
        return True

    def forward(self) -> None:
        """The next step, or done."""
        later = after(self.step)
        if later is None:
            self.finish()
        else:
            self._go(later)

    def finish(self) -> None:
        """The rest stays as it is. Whoever came from the settings goes back there."""
        self._keep(DONE)
        self.app.room.go_back()

    def _go(self, step: str) -> None:
        self.memory["step"] = step
        self.app.redraw()

    def _keep(self, step: str) -> None:
        """A disk that takes nothing does not stop anybody: the questions come again then."""
        self.memory["kept"] = step
        self.app.settled.keep("table", "first_steps", step)

    # The steps

    def _language(self) -> None:
        self.filled = True
        now = self.app.preferences.language
        choices = BoxLayout(spacing=dp(12), orientation="vertical" if self.portrait else "horizontal")
        for code, name in LANGUAGES:
            push = Push(name, look="chalk" if code == now else "well", kind="grand")
            push.bind(on_tap=lambda _, code=code: self._speak(code))
            choices.add_widget(push)
        self.ids.rows.add_widget(choices)

    def _speak(self, code: str) -> None:
        """A language chosen leads on at once."""
        self.memory["step"] = after(self.step)
        self.app.prefer(replace(self.app.preferences, language=code))

    def _display(self) -> None:
        rows = self.rows
        self.rows.sentence("app.welcome.display.how")
        rows.row("text_scale", rows.named("text_scale", TEXT_SIZES))
        rows.row("contrast", rows.named("contrast", CONTRASTS))
        rows.slide("brightness", "sun", LEAST_LIGHT)
        rows.panel()

    def _touch(self) -> None:
        self.filled = True
        self.ids.rows.add_widget(TouchMarks())

    def _camera(self) -> None:
        eyes = self.app.manners.house.eyes
        if eyes is None:
            self.rows.sentence("app.welcome.camera.none")
            return
        self.filled = True
        self._live = CameraStep(self.app, eyes, self.portrait)
        self.ids.rows.add_widget(self._live)

    def _devices(self) -> None:
        self._live = DeviceStep(self.app, self.rows, self.ids.rows)

    def _name(self) -> None:
        say, name = self.app.say, self.app.settled.config.table.name
        self.rows.sentence("app.welcome.name.how")
        self.ids.rows.add_widget(Head(name, kind="grand", halign="center", flow="wrap"))
        line = BoxLayout(spacing=dp(10), size_hint_y=None, height=dp(58))
        for number in range(1, TABLES + 1):
            table = say("app.welcome.table", n=number)
            push = Push(table, look="chalk" if table == name else "outlined", kind="corps", pad=4)
            push.bind(on_tap=lambda _, table=table: self._call(table))
            line.add_widget(push)
        self.ids.rows.add_widget(line)
        self.rows.pushes(("edit", "app.welcome.name.other", lambda: rename(self.app), False))

    def _call(self, name: str) -> None:
        self.app.settled.keep("table", "name", name)
        self.app.redraw()
