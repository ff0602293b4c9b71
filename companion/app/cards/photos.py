"""The photograph of a card: shown small in its form, taken with the camera or chosen among the pictures of a stick."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.image import Image as CoreImage
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image

from companion.app.cards.notes import attempt
from companion.app.cards.shelves import exchange, shelf
from companion.app.widgets.choosing import Entry, list_sheet
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text
from companion.table.catalogues.columns import Row
from companion.table.catalogues.exchange import PICTURES
from companion.table.catalogues.footclub import CLUBS, TEAM
from companion.table.catalogues.kinds import Kind
from companion.table.catalogues.shelf import LARGEST_PICTURE, Shelf, ShelfTrouble

_SIDE = 72


def kind_of(kind: Kind) -> Kind:
    """Whose pictures a kind's cards have: those of a club have the pictures of the team cards."""
    return TEAM if kind is CLUBS else kind


def follow(kept: Shelf, kind: Kind, before: Row, row: Row) -> None:
    """A card that is told apart by something else now takes its photograph with it. Raises ShelfTrouble."""
    picture = kept.picture(kind, before)
    if picture is None or kind.identity_of(before) == kind.identity_of(row):
        return
    try:
        kept.keep_picture(kind, row, picture.read_bytes())
    except OSError as error:
        raise ShelfTrouble(picture, error) from error


class PhotoField(BoxLayout):
    """The card's photograph, and the way to another one; `changed` is called when there is a new one."""

    def __init__(self, kind: Kind, row: Row, changed: Callable[[], None]) -> None:
        super().__init__(orientation="vertical", spacing=dp(2), size_hint_y=None)
        self._app, self._kind, self._row, self._changed = App.get_running_app(), kind, row, changed
        self.bind(minimum_height=self.setter("height"))
        self.add_widget(Text(self._app.say("app.photo.title"), kind="mini", tone="craie2", halign="left"))
        line = BoxLayout(size_hint_y=None, height=dp(_SIDE), spacing=dp(8))
        picture = shelf(self._app).picture(kind, row)
        if picture is not None:
            line.add_widget(Image(source=str(picture), size_hint_x=None, width=dp(_SIDE * 1.2), nocache=True))
        push = Push(
            self._app.say("app.photo.change" if picture else "app.photo.add"), icon="cam", look="well", left=True
        )
        push.bind(on_tap=lambda *_: self._choose())
        line.add_widget(push)
        self.add_widget(line)

    def _choose(self) -> None:
        say, entries = self._app.say, []
        photograph = self._app.manners.house.photograph
        if photograph is not None:
            entries.append(Entry(say("app.photo.take"), partial(self._take, photograph), icon="cam"))
        for path in exchange(self._app).files(PICTURES):
            entries.append(Entry(path.name, partial(self._read, path), str(path.parent)))
        if not entries:
            self._app.sorry(say("app.photo.none", folder=exchange(self._app).folder))
            return
        self._app.lay(list_sheet(say("app.photo.title"), entries))

    def _take(self, photograph: Callable[[], bytes]) -> None:
        """One picture of the camera, waited for beside the drawing of the screen."""
        self._app.end_session()  # whoever watches the tray has the camera; the journal has the match
        self._app.sorry(self._app.say("app.photo.wait"))

        def wait() -> None:
            try:
                content, trouble = photograph(), ""
            except (OSError, ValueError, RuntimeError) as error:
                content, trouble = b"", str(error)
            Clock.schedule_once(lambda *_: self._taken(content, trouble))

        threading.Thread(target=wait, daemon=True).start()

    def _taken(self, content: bytes, trouble: str) -> None:
        self._app.lift()
        if trouble:
            self._app.sorry(self._app.say("app.photo.failed", why=trouble))
        else:
            self._keep(content)

    def _read(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST_PICTURE + 1)
        except OSError as error:
            self._app.sorry(self._app.say("app.photo.failed", why=error.strerror or str(error)))
            return
        self._keep(content)

    def _keep(self, content: bytes) -> None:
        """Keeps a picture that can be shown."""
        if not _is_picture(content):
            self._app.sorry(self._app.say("app.photo.no_picture"))
        elif attempt(lambda: shelf(self._app).keep_picture(self._kind, self._row, content)):
            self._changed()


def _is_picture(content: bytes) -> bool:
    if not content.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")) or len(content) > LARGEST_PICTURE:
        return False
    ending = "png" if content.startswith(b"\x89") else "jpg"
    try:
        loaded: Any = CoreImage(io.BytesIO(content), ext=ending)
    except Exception:  # noqa: BLE001  Kivy's loaders raise what their libraries do, or a plain Exception
        return False
    return bool(loaded.width and loaded.height)
