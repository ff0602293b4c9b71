"""Screen 15: the camera is set up step by step; each step checks itself and may be done again; then all is kept."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.calibrating import STEPS, Bench
from companion.app.calibration_panel import pushes, steps_list, told
from companion.app.figures.tray import Boxed, Photograph
from companion.app.figures.tray_view import TrayView
from companion.app.figures.words import say
from companion.app.page import Page, load_kv
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text
from companion.table.ports import LaysCard
from vision.calibration_words import Place, Step

load_kv(__file__)

_PULSE = 1 / 20


class CalibrationPage(Page):
    """What was found so far is in the memory of the place (`Bench`), the camera in the reader's process."""

    def build(self) -> None:
        self.ids.bar.title = say("calibration.title")
        self._view: Any = None
        bench = self.memory.get("bench")
        if bench is None:
            bench = self.memory["bench"] = Bench.of(self.app)
        self.bench: Bench = bench
        if self.bench.usable:
            if not self.bench.busy and not self.bench.done:
                self.bench.begin(Step.PICTURE)
            self._pulse = Clock.schedule_interval(self._beat, _PULSE)
            if self.bench.in_match:
                self.app.runner.pause()
        self._look()

    def leave(self) -> None:
        """The camera is let go of once the players are elsewhere, not when the page is only drawn anew."""
        if self.bench.usable:
            self._pulse.cancel()
            self.app.runner.resume()
        Clock.schedule_once(lambda *_: self._let_go(), 0)

    def _let_go(self) -> None:
        if not any(place is self.place for place in self.app.room.trail):
            self.bench.close()

    def _beat(self, *_: object) -> None:
        changed = self.bench.poll()
        if changed:
            self._look()
        elif self._view is not None:
            self._view.show(self.bench.picture)

    # What is seen

    def _look(self) -> None:
        """Picture and panel for what is known now."""
        for box in (self.ids.view, self.ids.panel):
            box.clear_widgets()
        self._view = None
        if not self.bench.usable or self.bench.lost:
            self._no_camera()
            return
        step = self.bench.step
        self.ids.bar.sub = say("calibration.step", n=STEPS.index(step) + 1, of=len(STEPS))
        self.ids.view.add_widget(self._picture(step))
        body = BoxLayout(orientation="vertical", spacing=dp(5), size_hint_y=None)
        body.bind(minimum_height=body.setter("height"))
        ways = pushes(self.bench, self)
        whole = self.app.theme.roomy and not (self.portrait and len(ways) > 2)
        for piece in (*steps_list(self.bench, whole), *told(self.bench)):
            body.add_widget(piece)
        scroller = Scroller()
        scroller.add_widget(body)
        self.ids.panel.add_widget(scroller)
        for push in ways:
            push.size_hint_y, push.height = None, dp(54)
            self.ids.panel.add_widget(push)

    def _no_camera(self) -> None:
        self.ids.bar.sub = ""
        words = "calibration.no_camera" if self.bench.reader is None else "calibration.camera_lost"
        self.ids.view.add_widget(Text(say(words), flow="box", halign="center"))
        self.ids.panel.add_widget(Widget())
        push = Push(say("calibration.to_diagnostic"), icon="pulse", size_hint_y=None, height=dp(58))
        push.bind(on_tap=lambda *_: self.app.open("diagnostic"))
        self.ids.panel.add_widget(push)

    def _picture(self, step: Step) -> Widget:
        """The camera's picture with what the step found in it; in a trial the tray with the dice it read."""
        bench, done = self.bench, self.bench.done.get(step)
        if step is Step.TRY and bench.seen is not None:
            seen = bench.seen
            boxes = [Boxed(die.box, str(die.face), asked=not die.certain) for die in seen.roll.dice]
            return Photograph(seen.picture, boxes, whole=True, boxes_in=seen.size)
        view = TrayView(self._dragged if step is Step.CORNERS and not bench.busy else None)
        view.show(bench.picture)
        if done is not None:
            corners = done.corners or (bench.guessed(done.size) if step is Step.CORNERS else ())
            view.mark(done.size, corners, done.card, done.cells, done.columns)
        self._view = view
        return view

    # What taps do

    def begin(self, step: Step, corners: tuple[Place, ...] = ()) -> None:
        """Does a step, again or for the first time."""
        self.bench.begin(step, corners)
        self._look()

    def _dragged(self, corners: tuple[Place, ...]) -> None:
        self.begin(Step.CORNERS, corners)

    def go_on(self) -> None:
        """On to the next step."""
        reader: object = self.bench.reader
        if self.bench.step is Step.CARD and isinstance(reader, LaysCard):
            reader.lay_card(False)
        self.begin(STEPS[STEPS.index(self.bench.step) + 1])

    def lay_card(self) -> None:
        """Lays the card down at a simulated table."""
        reader: object = self.bench.reader
        if isinstance(reader, LaysCard):
            reader.lay_card(True)
        self.begin(Step.CARD)

    def throw(self) -> None:
        """Throws a die at a simulated table."""
        self.bench.next_trial()
        reader: object = self.bench.reader
        if isinstance(reader, LaysCard):
            reader.throw_one()
        self._look()

    def judge(self, right: bool) -> None:
        """A player says whether the die was read right."""
        self.bench.judge(right)
        self._look()

    def keep(self) -> None:
        """Keeps what was found."""
        self.bench.keep(self.app.matches.store.clock.now().isoformat(timespec="seconds"))
        self._look()

    def back(self) -> bool:
        """One step back; from the first one, or when all is kept, off the page."""
        bench = self.bench
        if not bench.usable or bench.lost or bench.kept or bench.step is Step.PICTURE or bench.busy is not None:
            return False
        self.begin(STEPS[STEPS.index(bench.step) - 1])
        return True
