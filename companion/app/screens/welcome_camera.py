"""The step of the camera: what each camera sees now, one of them chosen, or none: dice are then told by touch."""

from __future__ import annotations

from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.figures.tray import Photograph
from companion.app.house import Eyes
from companion.app.screens.settings_table import source_words
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text
from companion.table.ports import ReaderPort
from vision.roll import CameraState, TrayPicture

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp

NONE = "none"
LOOK = 0.1
"""Seconds between two looks at what the camera sends."""


class CameraStep(BoxLayout):
    """The picture at one side, the cameras at the other. `close` lets go of the camera, aside: it may take a moment."""

    def __init__(self, app: TapisVertApp, eyes: Eyes, portrait: bool) -> None:
        super().__init__(spacing=dp(12), orientation="vertical" if portrait else "horizontal")
        self._app, self._eyes = app, eyes
        self._reader: ReaderPort | None = None
        left = BoxLayout(orientation="vertical", spacing=dp(6))
        self.photograph = Photograph(whole=True)
        self._words = Text("", kind="mini", tone="craie2", halign="center", size_hint_y=None)
        left.add_widget(self.photograph)
        left.add_widget(self._words)
        self._list = BoxLayout(orientation="vertical", spacing=dp(8), size_hint_y=None)
        self._list.bind(minimum_height=self._list.setter("height"))
        column = Scroller()
        column.add_widget(self._list)
        if not portrait:
            column.size_hint_x = 0.62
        self.add_widget(left)
        self.add_widget(column)
        self._clock = Clock.schedule_interval(self._look, LOOK)
        self._offers = {source: self._offer(source) for source in eyes.sources()}
        self._mark()
        calibrate = Push(app.say("calibration.open"), icon="target", look="quiet", left=True, pad=12, kind="corps")
        calibrate.size_hint_y, calibrate.height = None, dp(62)
        calibrate.bind(on_tap=lambda *_: app.open("calibration"))
        self._list.add_widget(calibrate)
        self._open()

    def close(self) -> None:
        """Nothing is looked at any more."""
        self._clock.cancel()
        self._shut()

    def _offer(self, source: str) -> Push:
        icon = "camoff" if source == NONE else "cam"
        push = Push(source_words(self._app, source), icon=icon, left=True, pad=12, kind="corps")
        push.size_hint_y, push.height = None, dp(62)
        push.bind(on_tap=lambda *_: self._choose(source))
        self._list.add_widget(push)
        return push

    def _mark(self) -> None:
        for source, push in self._offers.items():
            push.look = "chalk" if source == self._eyes.source else "outlined"

    def _choose(self, source: str) -> None:
        if source != self._eyes.source:
            fault = self._app.settled.keep("camera", "source", self._eyes.choose(source))
            self._mark()
            self._open()
            if fault is not None:
                self._app.sorry(self._app.text(fault))

    def _open(self) -> None:
        """Looks through the chosen camera, unless a match does."""
        self._shut()
        self.photograph.show(b"")
        say = self._app.say
        if self._eyes.source == NONE:
            self._words.text = say("app.welcome.camera.by_touch")
        elif self._app.session is not None:
            self._words.text = say("app.welcome.camera.in_use")
        else:
            self._words.text = say("app.welcome.camera.opening")
            self._reader = self._eyes.look(self._eyes.source)
            if self._reader is not None:
                self._reader.show_tray(True)

    def _shut(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            Thread(target=partial(_closed, reader), name="camera-closing").start()

    def _look(self, *_: object) -> None:
        for news in self._reader.poll() if self._reader is not None else ():
            if isinstance(news, TrayPicture):
                self.photograph.show(news.picture)
                self._words.text = self._app.say("app.welcome.camera.seen")
            elif isinstance(news, CameraState) and not news.present:
                self._words.text = self._app.say("app.welcome.camera.lost")


def _closed(reader: ReaderPort) -> None:
    reader.close()
