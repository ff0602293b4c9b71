"""The settings of the lock: a PIN chosen, changed, taken away, and the table locked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.lock import Lock
from companion.app.screens.pin import choose_pin
from companion.app.widgets.push import Push

if TYPE_CHECKING:
    from companion.app.app import TapisVertApp


class LockRow(BoxLayout):
    """What can be done with the lock as it is; `shut` where it can be locked at once."""

    def __init__(self, app: TapisVertApp, lock: Lock, shut: bool = True) -> None:
        super().__init__(spacing=dp(8))
        self._app, self._lock = app, lock
        acts = (
            {"now": self._shut, "change": self._choose, "remove": self._remove}
            if lock.set
            else {"choose": self._choose}
        )
        if not shut:
            acts.pop("now", None)
        for word, act in acts.items():
            push = Push(app.say(f"app.settings.lock.{word}"), kind="corps", pad=8)
            push.bind(on_tap=lambda _, act=act: act())
            self.add_widget(push)

    def _choose(self) -> None:
        choose_pin(self._app, self._lock, self._app.redraw)

    def _shut(self) -> None:
        """Locked from now on, and away from what is locked."""
        self._lock.shut()
        self._app.home()

    def _remove(self) -> None:
        self._lock.remove()
        self._app.redraw()
