"""What has just been done, with the way to undo it: a line at the foot of a page, kept in the page's memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.metrics import dp

from companion.app.widgets.pieces import Card
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text
from companion.table.catalogues.shelf import ShelfTrouble

_KEY = "note"
_LEAST = 62


def leave(memory: dict[str, Any], sentence: str, restore: Callable[[], object] | None = None) -> None:
    """Leaves a note for the page with this memory; `restore` undoes what it tells."""
    memory[_KEY] = (sentence, restore)


def note(memory: dict[str, Any]) -> Card | None:
    """The note of a page as a line, None if there is none."""
    app = App.get_running_app()
    if _KEY not in memory:
        return None
    sentence, restore = memory[_KEY]
    line = Card(orientation="horizontal", surface="nuit", radius=0, padding=(dp(16), dp(4)), spacing=dp(8))
    line.size_hint_y, line.height = None, dp(_LEAST)
    words = Text(sentence, halign="left", pos_hint={"center_y": 0.5})
    words.bind(texture_size=lambda _, size: setattr(line, "height", max(dp(_LEAST), size[1] + dp(12))))
    line.add_widget(words)
    if restore is not None:
        push = Push(app.say("app.cards.restore"), icon="undo", look="brass", hug=True, pad=14, size_hint_x=None)
        push.bind(on_tap=lambda *_: _restore(memory, restore))
        line.add_widget(push)
    close = Push("", icon="cross", look="quiet", spoken=app.say("app.close"), size_hint_x=None, width=dp(52))
    close.bind(on_tap=lambda *_: _close(memory))
    line.add_widget(close)
    return line


def attempt(action: Callable[[], Any]) -> bool:
    """Does what touches the disk; False, and the players told, if it fails."""
    app = App.get_running_app()
    try:
        action()
    except ShelfTrouble as trouble:
        app.sorry(app.text(trouble.message))
        return False
    return True


def _restore(memory: dict[str, Any], restore: Callable[[], object]) -> None:
    if attempt(restore):
        _close(memory)


def _close(memory: dict[str, Any]) -> None:
    memory.pop(_KEY, None)
    App.get_running_app().redraw()
