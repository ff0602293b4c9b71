"""A sheet with a text field for a short name, used with the system or on-screen keyboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion.app.display import context_of, display, one_line_names, translate
from companion.app.fonts import CONDENSED
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import HBox, VBox
from companion.app.widgets.sheet import Sheet
from companion.app.widgets.text import Name

MAX_NAME_CHARS = 40
MAX_KNOWN_NAMES = 3
"""Known names shown: under the field in portrait, beside the title in landscape."""
MAX_BUTTON_CHARS = 24
"""Most characters of a known name beside the title. Longer names are shortened."""


def _fault_line(fault: str) -> Name:
    return Name(fault, kinds=["corps", "mini"], tone="laiton", halign="left", valign="top", strong=False)


def _short_form(name: str) -> str:
    """Return the longest form of a name that fits a button beside the title in two lines, or the shortest form."""
    forms = list(one_line_names(name))
    return next((form for form in forms if len(form) <= MAX_BUTTON_CHARS), forms[-1])


def naming_sheet(
    title: str,
    name: str,
    accept: Callable[[str], None],
    *,
    lengths: tuple[int, int] = (1, MAX_NAME_CHARS),
    fault: str = "",
    known: Sequence[str] = (),
) -> Sheet:
    """Return a sheet that asks for a name, starting with `name`; `lengths` are its fewest and most characters.

    The name is selected, so that typing replaces it; with a `fault`, shown below it, it is to be mended instead. The
    field takes no more characters than that. A tap on one of the `known` names accepts it; only the first are shown.
    """
    theme = display.theme
    min_chars, max_chars = lengths
    field = TextInput(
        text=name,
        multiline=False,
        write_tab=False,
        font_name=CONDENSED,
        font_size=theme.type("titre"),
        background_normal="",
        background_active="",
        background_color=theme.creux,
        foreground_color=theme.craie,
        cursor_color=theme.laiton,
        selection_color=(*theme.laiton[:3], 0.35),
        padding=(dp(12), dp(14)),
    )
    done = PushButton(translate("app.done"), style="chalk", hug=True, pad=20)

    def fitting(typed: str, _: bool) -> str:
        return typed[: max(0, max_chars - len(field.text))]

    def select_name(*_: object) -> None:
        field.focus = field.get_root_window() is not None
        if fault:
            field.do_cursor_movement("cursor_end")
        else:
            field.select_all()

    def finish(*_: object) -> None:
        written = " ".join(field.text.split())[:max_chars].strip()
        if len(written) >= min_chars:
            context_of(field).close_sheet()
            accept(written)

    def accept_known(known_name: str) -> None:
        context_of(field).close_sheet()
        accept(known_name)

    field.input_filter = fitting
    field.bind(on_text_validate=finish)
    done.bind(on_tap=finish)
    below = _fault_line(fault) if fault else Widget()
    is_below = display.portrait and bool(known)  # in landscape the on-screen keyboard leaves no row below the field
    pushes = []
    for each in known[:MAX_KNOWN_NAMES]:
        label = each if is_below else _short_form(each)
        act = partial(accept_known, each)
        pushes.append(PushButton(label, spoken=each, style="outlined", kind="mini", pad=6, act=act))
    rest = [VBox(*pushes, spacing=dp(8), tall=60 * len(pushes))] if is_below else []
    body = VBox(HBox(field, done, spacing=dp(10), tall=60), *rest, below, spacing=dp(12 if fault else 8))
    Clock.schedule_once(select_name, 0.05)
    sheet = Sheet(title, body, box=(0.06, 0.52, 0.88, 0.44), edge="top")
    if not is_below:
        sheet.add_to_header(*pushes)
    return sheet
