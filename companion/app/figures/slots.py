"""Slots for awaited dice: brass dashes for dice due now, chalk dashes for later dice, the face once read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.animation import Animation
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.app.display import display, text, translate
from companion.app.game_screens import face_drawer
from companion.app.widgets.components import HBox, VBox, fill
from companion.app.widgets.marks import DieFace, Framed, Icon, Mark, SideBadge
from companion.app.widgets.text import BoldText, Text
from companion.games.base import SideScene
from companion.table.dice import Slot
from vision.roll import Face

_BADGE = 22
"""The smallest badge in dp with a letter that is legible at arm's length."""


def face_mark(face: Face, side: float, kind: str = "") -> Mark:
    """Return a die face as a square of `side` dp. `kind` is the kind of die, where bodies differ."""
    drawer = face_drawer(kind)
    if drawer is not None:
        return drawer(face, side, kind)
    return DieFace(side=side, value=face.value or 1, colour=face.colour or "")


class DieSlot(Framed, AnchorLayout):
    """One awaited die, `side` dp wide. A due die pulses; `asked` shows a question mark for a missing die."""

    def __init__(self, slot: Slot, scene: SideScene | None, side: float, asked: bool = False, **kwargs: Any) -> None:
        super().__init__(radius=side * 0.21, wide=side, tall=side, **kwargs)
        self._was_visible = False
        theme = display.theme
        if slot.face is not None:
            self.add_widget(face_mark(slot.face, side, slot.kind))
            return
        self.line = theme.laiton if slot.is_first else theme.craie3
        self.line_width, self.dash = (3, 6) if slot.is_first else (2.5, 6)
        if asked:
            self.add_widget(BoldText("?", kind="grand", tone="laiton", flow="line"))
        elif scene is not None:
            self.add_widget(SideBadge(side=max(_BADGE, round(side * 0.36)), colour=scene.colour, letter=scene.letter))
        else:
            self.add_widget(Icon("dice", side=round(side * 0.42), tone="laiton" if slot.is_first else "craie3"))
        if slot.is_first:
            self._breathe(theme.seconds("await"))

    def _breathe(self, seconds: float) -> None:
        if not seconds:
            return
        half = seconds / 2
        breath = Animation(opacity=0.6, duration=half, t="in_out_sine") + Animation(
            opacity=1.0, duration=half, t="in_out_sine"
        )
        breath.repeat = True
        breath.bind(on_progress=self._stop_when_hidden)
        breath.start(self)

    def _stop_when_hidden(self, breath: Animation, *_: object) -> None:
        """Cancel the animation when the slot leaves the screen; otherwise Kivy holds its whole widget tree forever."""
        is_visible = self.get_root_window() is not None
        if self._was_visible and not is_visible:
            breath.cancel(self)
        self._was_visible = self._was_visible or is_visible


class SlotRow(BoxLayout):
    """A row of dice rolled together."""

    def __init__(
        self, slots: Sequence[Slot], sides: dict[str, SideScene], side: float, asked: bool, **kwargs: Any
    ) -> None:
        super().__init__(size_hint=(None, None), height=dp(side), spacing=dp(8), **kwargs)
        fill(self, *(DieSlot(slot, sides.get(slot.side or ""), side, asked and slot.is_first) for slot in slots))
        self.width = dp(side) * len(slots) + dp(8) * max(0, len(slots) - 1)


class SlotGrid(BoxLayout):
    """Many dice rolled together: one line per side, after the side's badge."""

    def __init__(
        self, slots: Sequence[Slot], sides: dict[str, SideScene], side: float, asked: bool, **kwargs: Any
    ) -> None:
        super().__init__(orientation="vertical", size_hint=(None, None), spacing=dp(8), **kwargs)
        for whose in dict.fromkeys(slot.side for slot in slots):
            line = HBox(size_hint=(None, None), height=dp(side), spacing=dp(5))
            scene = sides.get(whose or "")
            if scene is not None:
                line.add_widget(SideBadge(side=28, colour=scene.colour, letter=scene.letter, middle=True))
            for slot in slots:
                if slot.side == whose:
                    line.add_widget(DieSlot(slot, None, side, asked and slot.is_first))
            line.width = sum(child.width for child in line.children) + dp(5) * (len(line.children) - 1)
            self.add_widget(line)
        self.width = max(child.width for child in self.children)
        self.height = sum(child.height for child in self.children) + dp(8) * (len(self.children) - 1)


class SlotLines(BoxLayout):
    """Dice rolled one after the other: one line with slot and purpose each; the die due now is in brass."""

    def __init__(self, slots: Sequence[Slot], sides: dict[str, SideScene], detail: str, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=dp(8), **kwargs)
        self._gaps = 0.0
        for slot in slots:
            line = HBox(spacing=dp(10), tall=42)
            line.add_widget(DieSlot(slot, sides.get(slot.side or ""), 42, pos_hint={"center_y": 0.5}))
            text_box = VBox(size_hint_y=None, middle=True)
            label = text(slot.purpose)
            if not slot.is_first and slot.face is None:
                label = translate("app.table.then_die", purpose=label)
            purpose = BoldText(
                label, kind="bouton", tone="laiton" if slot.is_first else "craie2", halign="left", leading=0.9
            )
            parts: list[Text] = [purpose]
            if slot.is_first and detail:
                parts.append(Text(detail, kind="mini", tone="craie2", halign="left"))
            for part in parts:
                part.fbind(
                    "height", lambda *_, text_box=text_box, parts=parts, line=line: self._stack(text_box, parts, line)
                )
                text_box.add_widget(part)
            self._stack(text_box, parts, line)
            line.add_widget(text_box)
            self.add_widget(line)
        self._gaps = dp(8) * max(0, len(slots) - 1)
        self._fit()

    def _stack(self, text_box: BoxLayout, parts: Sequence[Text], line: BoxLayout) -> None:
        text_box.height = sum(part.height for part in parts)
        line.height = max(dp(42), text_box.height)
        self._fit()

    def _fit(self) -> None:
        self.height = sum(child.height for child in self.children) + self._gaps
