"""The form of one card: a field for each column, rule faults beside the fields, and its photo."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.image import Image
from kivy.uix.widget import Widget

from companion.app.cards import lists
from companion.app.cards.lists import card_title, format_value
from companion.app.cards.rows import CardRows, card_store, exchange, new_row
from companion.app.display import context_of, display, text, translate
from companion.app.page import Page, load_kv
from companion.app.platform import place_label
from companion.app.textures import MAX_PHOTO_PIXELS, decode_photo
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Grid, HBox, Scroller, SegmentedControl, fill
from companion.app.widgets.name_sheet import naming_sheet
from companion.app.widgets.sheet import Sheet, SheetEntry, list_sheet
from companion.app.widgets.text import Text
from companion.games.base import Message
from companion.games.catalogue import CatalogueColumn, CatalogueKind, Row, RowError
from companion.language import reason_of
from companion.table.catalogues.card_store import MAX_PICTURE_BYTES, PICTURE_SUFFIXES, CardStore, CardStoreError
from companion.table.catalogues.csv_tables import MAX_TEXT_LENGTH, SEPARATOR, row_faults, without_foreign_values
from vision.files import FileTooLarge, read_limited
from vision.picture_headers import PictureRefused

if TYPE_CHECKING:
    from companion.app.context import AppContext

log = logging.getLogger(__name__)

Change = Callable[[Any], None]
"""Receives the new value of a column; None for an empty value."""

MAX_INLINE_OPTIONS = 3
"""Up to this many options are shown in a row; more are listed in a sheet."""
_CONTROL = 58
_MAX_VISIBLE_CHARS = 32
"""Maximum characters of a text on its button."""


class CardField(BoxLayout):
    """One column: its label above its control. An invalid value shows the reason in brass."""

    def __init__(self, column: CatalogueColumn, given: object, fault: str, change: Change) -> None:
        """`fault` is the complete sentence, empty for a valid value."""
        super().__init__(orientation="vertical", spacing=dp(2), size_hint_y=None)
        label = text(column.label)
        tone = "laiton" if fault else "craie2"
        caption = Text(fault or label, kind="mini", tone=tone, strong=bool(fault), halign="left", valign="bottom")
        self.add_widget(caption)
        control = _control(column, given, change, label)
        control.size_hint_y, control.height = None, dp(_CONTROL)
        self.add_widget(control)
        self.bind(minimum_height=self.setter("height"))


def _control(column: CatalogueColumn, given: Any, change: Change, label: str) -> Widget:
    language = display.language
    if column.type == "whole":
        return NumberField(column, given, change, label)
    if column.type == "switch":
        options: list[tuple[Any, str]] = [
            (None, format_value(column, None, language)),
            (True, language("catalogues.switch.yes")),
        ]
        return SegmentedControl([*options, (False, language("catalogues.switch.no"))], given, change)
    if column.type == "pick" and len(column.options) + (not column.required) <= MAX_INLINE_OPTIONS:
        options = [(option, language.text(column.option_label(option))) for option in column.options]
        clear = [] if column.required else [(None, format_value(column, None, language))]
        return SegmentedControl([*clear, *options], given, change, kind="corps")
    full_text = format_value(column, given, language)
    visible_text = full_text if len(full_text) <= _MAX_VISIBLE_CHARS else full_text[: _MAX_VISIBLE_CHARS - 1] + "…"
    push = PushButton(
        visible_text,
        style="well",
        left=True,
        end="edit" if column.type in ("text", "texts") else "right",
        spoken=f"{label} {full_text}",
    )
    push.bind(on_tap=lambda push: context_of(push).show_sheet(_sheet(column, given, change, label)))
    return push


def _sheet(column: CatalogueColumn, given: Any, change: Change, label: str) -> Sheet:
    """Return the sheet in which a value is selected or entered."""
    if column.type == "pick":
        return _pick_sheet(column, given, change, label)
    if column.type == "picks":

        def done(values: Any) -> None:
            context_of(several).close_sheet()
            change(values)

        several = MultiSelect(column, list(given or ()), done)
        return Sheet(label, several)
    texts = [format_value(column, one, display.language) for one in (given if isinstance(given, list) else [given])]
    written = SEPARATOR.join(texts) if given else ""
    longest = MAX_TEXT_LENGTH * (4 if column.type == "texts" else 1)

    def accept(text: str) -> None:
        parts = [part.strip() for part in text.split(SEPARATOR) if part.strip()]
        change((parts if column.type == "texts" else text) if parts else None)

    return naming_sheet(label, written, accept, lengths=(0, longest))


def _pick_sheet(column: CatalogueColumn, given: Any, change: Change, label: str) -> Sheet:
    language = display.language
    entries = [
        SheetEntry(language.text(column.option_label(option)), partial(change, option), on=option == given)
        for option in column.options
    ]
    if not column.required:
        entries.insert(0, SheetEntry(language("app.cards.nothing"), lambda: change(None), on=given is None))
    return list_sheet(label, entries, cols=2, height=58)


class MultiSelect(BoxLayout):
    """Multiple selection; a second tap deselects an option. Where not all can be picked, their order is shown."""

    def __init__(self, column: CatalogueColumn, given: list[str], done: Change) -> None:
        super().__init__(orientation="vertical", spacing=dp(8))
        self._column, self._given = column, given
        grid = Grid(cols=2 if display.portrait else 3, spacing=dp(8), padding=(0, 0, dp(10), 0), grows=True)
        self._pushes = {option: PushButton(tall=58) for option in column.options}
        for option, push in self._pushes.items():
            push.bind(on_tap=lambda _, option=option: self._toggle(option))
            grid.add_widget(push)
        self.add_widget(Scroller(grid))
        clear = PushButton(translate("app.cards.nothing"), style="outlined", act=lambda: done(None))
        ready = PushButton(
            translate("app.done"),
            style="chalk",
            act=lambda: done(self._given or ([] if column.has_empty_marker else None)),
        )
        self.add_widget(HBox(clear, ready, spacing=dp(8), tall=58))
        self._show()

    def _toggle(self, option: str) -> None:
        if option in self._given:
            self._given.remove(option)
        else:
            self._given = [*self._given, option][-self._column.maximum :]
        self._show()

    def _show(self) -> None:
        language = display.language
        for option, push in self._pushes.items():
            place = self._given.index(option) + 1 if option in self._given else 0
            word = language.text(self._column.option_label(option))
            push.text = f"{place}. {word}" if place and self._column.maximum < len(self._pushes) else word
            push.style = "brass" if place else "outlined"


class NumberField(BoxLayout):
    """A number between minus and plus; a tap opens a text field. A step below the minimum clears an optional value."""

    def __init__(self, column: CatalogueColumn, given: int | None, change: Change, label: str) -> None:
        super().__init__(spacing=dp(4))
        self._column, self._given, self._change, self._label = column, given, change, label
        language = display.language
        number = PushButton(
            format_value(column, given, language),
            style="well",
            kind="titre",
            spoken=f"{label} {format_value(column, given, language)}",
        )
        number.bind(on_tap=lambda *_: self._write())
        fill(self, self._button("minus", -1), number, self._button("plus", 1))

    def _button(self, icon: str, by: int) -> PushButton:
        sign = "+" if by > 0 else "\N{MINUS SIGN}"
        push = PushButton(icon=icon, icon_side=26, spoken=f"{sign} {self._label}", wide=58, act=lambda: self._step(by))
        push.style = "outlined" if self._after(by) != self._given else "dashed"
        return push

    def _after(self, by: int) -> int | None:
        """Return the number after a step; None below the minimum if the value is optional."""
        column, given = self._column, self._given
        if not isinstance(given, int):
            return column.minimum if by > 0 else None
        if given + by < column.minimum:
            return given if column.required else None
        return min(given + by, column.maximum)

    def _step(self, by: int) -> None:
        after = self._after(by)
        if after != self._given:
            self._change(after)

    def _write(self) -> None:
        def accept(text: str) -> None:
            plain = text.strip()
            self._change(int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 9 else plain or None)

        start = "" if self._given is None else str(self._given)
        context_of(self).show_sheet(naming_sheet(self._label, start, accept, lengths=(0, 8)))


_SIDE = 72


def kind_of(kind: CatalogueKind) -> CatalogueKind:
    """Return the kind that stores the pictures of these cards: club cards use the pictures of the team cards."""
    return kind.card_catalogue or kind


def move_picture(store: CardStore, kind: CatalogueKind, before: Row, row: Row) -> None:
    """Move the photo of a card whose identity has changed. Raises: CardStoreError."""
    picture = store.picture(kind, before)
    if picture is None or kind.identity_of(before) == kind.identity_of(row):
        return
    try:
        store.save_picture(kind, row, read_limited(picture, MAX_PICTURE_BYTES))
    except FileTooLarge:
        return  # it was never shown
    except OSError as error:
        raise CardStoreError(picture, error) from error


class PhotoField(BoxLayout):
    """The photo of a card, a person or a club, with a button to replace it."""

    def __init__(
        self,
        context: AppContext,
        picture: Path | None,
        save: Callable[[bytes], bool],
        delete: Callable[[], bool] | None = None,
    ) -> None:
        """Args: picture: the photo's file, if there is one; save: stores a photo; delete: deletes it, if it may be."""
        super().__init__(orientation="vertical", spacing=dp(2), size_hint_y=None)
        self._app, self._store, self._delete = context, save, delete if picture else None
        self.bind(minimum_height=self.setter("height"))
        self.add_widget(Text(self._app.translate("app.photo.title"), kind="mini", tone="craie2", halign="left"))
        line = HBox(spacing=dp(8), tall=_SIDE)
        if picture is not None:
            line.add_widget(Image(texture=stored_photo(picture), size_hint_x=None, width=dp(_SIDE * 1.2)))
        push = PushButton(
            self._app.translate("app.photo.change" if picture else "app.photo.add"), icon="cam", style="well", left=True
        )
        push.bind(on_tap=lambda *_: self._choose())
        line.add_widget(push)
        self.add_widget(line)

    def _choose(self) -> None:
        translate, entries = self._app.translate, []
        photograph = self._app.idle_monitor.platform.take_photo
        if photograph is not None:
            entries.append(SheetEntry(translate("app.photo.take"), partial(self._take_photo, photograph), icon="cam"))
        folders = exchange(self._app).list_folders()
        for path in exchange(self._app).files(PICTURE_SUFFIXES, folders):
            entries.append(SheetEntry(path.name, partial(self._read, path), place_label(path, folders, translate)))
        if self._delete is not None:
            entries.append(SheetEntry(translate("app.photo.delete"), partial(self._change, self._delete), icon="bin"))
        if not entries:
            self._app.show_error(translate("app.photo.none", folder=exchange(self._app).folder.name))
            return
        self._app.show_sheet(list_sheet(translate("app.photo.title"), entries))

    def _take_photo(self, photograph: Callable[[], bytes]) -> None:
        """Take a photo with the camera, in a thread."""
        self._app.end_session()  # the reader holds the camera; the match is safe in its journal
        self._app.show_error(self._app.translate("app.photo.wait"))

        def wait() -> None:
            trouble: Message | None
            try:
                content, trouble = photograph(), None
            except (OSError, ValueError, RuntimeError) as error:
                content, trouble = b"", reason_of(error)
            Clock.schedule_once(lambda *_: self._on_photo(content, trouble))

        threading.Thread(target=wait, daemon=True).start()

    def _on_photo(self, content: bytes, trouble: Message | None) -> None:
        self._app.close_sheet()
        if trouble is not None:
            self._app.show_error(self._app.translate("app.photo.failed", why=trouble))
        else:
            self._save(content)

    def _read(self, path: Path) -> None:
        try:
            content = read_limited(path, MAX_PICTURE_BYTES)
        except FileTooLarge:
            self._app.show_error(self._app.translate("app.photo.large", **_PHOTO_LIMITS))
        except OSError as error:
            self._app.show_error(self._app.translate("app.photo.failed", why=reason_of(error)))
        else:
            self._save(content)

    def _save(self, content: bytes) -> None:
        """Save a picture if it can be displayed."""
        fault = _photo_fault(content)
        if fault is not None:
            self._app.show_error(self._app.text(fault))
        else:
            self._change(partial(self._store, content))

    def _change(self, action: Callable[[], bool]) -> None:
        if action():
            self._app.redraw()


_PHOTO_LIMITS = {"megapixels": MAX_PHOTO_PIXELS // 10**6, "megabytes": MAX_PICTURE_BYTES // 10**6}


def _photo_fault(content: bytes) -> Message | None:
    """Return why a file cannot be the photo of a card; None if it can be displayed."""
    try:
        if len(content) > MAX_PICTURE_BYTES:
            raise PictureRefused("large")
        decode_photo(content)
    except PictureRefused as refused:
        if refused.case == "large":
            return Message("app.photo.large", _PHOTO_LIMITS)
        return Message("app.photo.no_picture")
    except Exception:  # noqa: BLE001  Kivy's loaders raise what their libraries do, or a plain Exception
        return Message("app.photo.no_picture")
    return None


def stored_photo(path: Path) -> Texture | None:
    """Return a stored photo; None if its file cannot be displayed."""
    try:
        return decode_photo(read_limited(path, MAX_PICTURE_BYTES))
    except Exception:
        log.warning("the photo %s could not be shown", path.name, exc_info=True)
        return None


load_kv(__file__)

_MAX_TITLE_CHARS = 28
"""Maximum characters of a title beside the buttons."""


class CardPage(Page):
    """The form of a card. `args`: those of `CardRows`; `identity` of the card, or a new `row`.

    Unsaved input is kept in the route's memory.
    """

    def build(self) -> None:
        translate = self.app.translate
        try:
            self._card_rows = CardRows(card_store(self.app), self.route.args)
        except CardStoreError as trouble:
            self.ids.fields.add_widget(Text(self.app.text(trouble.message), halign="left"))
            return
        self._kind = self._card_rows.kind
        self._identity: tuple[object, ...] | None = self.route.args.get("identity")
        if "row" not in self.memory:
            self.memory.update(row=self._original_row(), touched=self._identity is None)
        self._row: Row = self.memory["row"]
        others = [row for row in self._card_rows.rows if self._kind.identity_of(row) != self._identity]
        self._broken = row_faults(self._kind, self._row, others)
        name = card_title(self._kind, self._row, translate)
        self.ids.bar.title = (
            translate("app.cards.new") if self._identity is None else name if len(name) <= _MAX_TITLE_CHARS else ""
        )
        self._buttons()
        self._fields()

    def back(self) -> bool:
        if not self.memory.get("touched"):
            return False
        translate = self.app.translate
        keep = "" if not self._broken else self._reasons()
        entries = [
            SheetEntry(translate("app.cards.save"), self._save, icon="check", disabled_reason=keep),
            SheetEntry(translate("app.cards.forget"), self.app.navigator.go_back, icon="bin"),
        ]
        self.app.show_sheet(list_sheet(translate("app.cards.unsaved"), entries))
        return True

    # Display

    def _original_row(self) -> Row:
        """Return the card as saved, or the new one."""
        kept = (row for row in self._card_rows.rows if self._kind.identity_of(row) == self._identity)
        return dict(next(kept, self.route.args.get("row", {})))

    def _buttons(self) -> None:
        translate, bar = self.app.translate, self.ids.bar
        if self._identity is not None:
            for icon, word, action in (("copy", "copy", self._copy), ("bin", "delete", self._delete)):
                push = PushButton(icon=icon, icon_side=26, spoken=translate(f"app.cards.{word}"), wide=56)
                push.bind(on_tap=lambda *_, action=action: action())
                bar.at_end(push)
        save = PushButton(translate("app.cards.save"), hug=True, pad=16, act=self._save)
        save.style = "dashed" if self._broken else "chalk"
        bar.at_end(save)

    def _fields(self) -> None:
        faults = {broken.column: self._fault_message(broken) for broken in reversed(self._broken)}
        for column in self._kind.columns_of(self._row):
            if column.key != self._kind.group:
                given, fault = self._row.get(column.key), faults.get(column.key, "")
                self.ids.fields.add_widget(CardField(column, given, fault, self._changer(column.key)))
        if self._kind.has_cards:
            kind, store = kind_of(self._kind), self._card_rows.store
            save = lambda content: self.app.attempt(lambda: store.save_picture(kind, self._row, content))  # noqa: E731
            self.ids.fields.add_widget(PhotoField(self.app, store.picture(kind, self._row), save))
        self.ids.scroller.scroll_y = self.memory.get("down", 1.0)
        self.ids.scroller.bind(scroll_y=lambda _, down: self.memory.update(down=down))

    def _fault_message(self, broken: RowError) -> str:
        """Return the fault of a column with its rule number."""
        label = self._kind.column(broken.column).label
        sentence: str = self.app.translate("app.cards.fault", column=label, reason=broken.reason)
        return f"{sentence} ({broken.rule})" if broken.rule else sentence

    def _reasons(self) -> str:
        """Return why the card cannot be saved."""
        return "\n".join(self._fault_message(broken) for broken in self._broken)

    # Actions

    def _changer(self, key: str) -> Change:
        def change(value: Any) -> None:
            row = {**self._row, key: value}
            if value is None:
                row.pop(key)
            self.memory.update(
                row=without_foreign_values(self._kind, row) if key == self._kind.sort else row, touched=True
            )
            self.app.redraw()

        return change

    def _save(self) -> None:
        if self._broken:
            self.app.show_error(self._reasons())
            return
        before = self._card_rows.rows
        if self.app.attempt(self._put):
            self._close_with_note("app.cards.saved", before)

    def _put(self) -> None:
        was = self._original_row()
        self._card_rows.put(self._row, self._identity)
        if self._identity is not None:
            move_picture(self._card_rows.store, kind_of(self._kind), was, self._row)

    def _delete(self) -> None:
        before, card_rows = self._card_rows.rows, self._card_rows
        if self.app.attempt(lambda: card_rows.remove(self._original_row())):
            self._close_with_note("app.cards.deleted", before)

    def _copy(self) -> None:
        group = self._row.get(self._kind.group) if self._kind.group else None
        args = {key: value for key, value in self.route.args.items() if key not in ("identity", "row")}
        self.app.navigator.back_stack.pop()
        self.app.open("card", **args, row=new_row(self._card_rows, group, self._row))

    def _close_with_note(self, word: str, before: tuple[Row, ...]) -> None:
        """Return to the list and leave a note that can undo the change."""
        card_rows, above = self._card_rows, self.app.navigator.back_stack[-2]
        if above.name == "squad":  # a sample or a new club has a file from now on
            above.args.pop("new", None)
            above.args.update({key: value for key, value in card_rows.args.items() if key != "new"})
        sentence = self.app.translate(word, card=card_title(self._kind, self._row, self.app.translate))
        lists.leave_note(above.memory, sentence, partial(card_rows.save, before))
        self.app.navigator.go_back()
