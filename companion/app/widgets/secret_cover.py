"""The cover of a page whose content one side must not see: the other side looks away, then a long press opens it."""

from __future__ import annotations

from collections.abc import Callable

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import translate
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import VBox, fill
from companion.app.widgets.text import BoldText, Text


def secret_cover(side: str, other_name: str, reason: str, uncover: Callable[[], None]) -> BoxLayout:
    """Return the cover. `other_name` is who looks away, `reason` says why; a long press calls `uncover`."""
    box = VBox(Widget(), padding=dp(24), spacing=dp(16))
    box.add_widget(BoldText(translate("app.secret.look_away", name=other_name), kind="grand", halign="center"))
    box.add_widget(Text(reason, tone="craie2", halign="center"))
    alone = PushButton(
        translate("app.secret.alone"), icon="eye", style="side", side=side, needs_long_press=True, hug=True, pad=28
    )
    alone.size_hint, alone.height, alone.pos_hint = (None, None), dp(72), {"center_x": 0.5}
    alone.bind(on_tap=lambda *_: uncover())
    fill(box, alone, Widget())
    return box
