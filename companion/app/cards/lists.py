"""Lists of cards with a search field, cards as text, and the note that reports an action and can undo it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.textinput import TextInput

from companion.app.display import context_of, translate
from companion.app.figures.choice import ChoiceButton, equalize_heights
from companion.app.prompts.picks import MIN_SEARCH_OPTIONS, search_field
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Card, Grid, Scroller, fill
from companion.app.widgets.text import Text
from companion.games.catalogue import CatalogueColumn, CatalogueKind, Row
from companion.games.preparation import Memory
from companion.language import Language

if TYPE_CHECKING:
    from companion.app.context import AppContext

PAGE_SIZE = 24
"""Number of rows built at a time."""


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row: its text, the action of a tap, or the reason why it is read-only (`disabled_reason`)."""

    text: str
    on_select: Callable[[], None]
    detail: str = ""
    effect: str = ""
    disabled_reason: str = ""
    prominence: int = 2


class Listing(BoxLayout):
    """A searchable list. `memory` keeps the search text and scroll position, so that a rebuilt page stays unchanged."""

    def __init__(self, lines: Sequence[ListRow], memory: Memory, *, cols: int = 2, empty: str = "") -> None:
        super().__init__(orientation="vertical", spacing=dp(8))
        self._lines, self._memory, self._empty = lines, memory, empty
        self._grid = Grid(cols=cols, spacing=dp(8), padding=(0, 0, dp(12), 0), grows=True)
        self.scroller = Scroller(always_overscroll=False)
        self.scroller.add_widget(self._grid)
        if len(lines) >= MIN_SEARCH_OPTIONS:
            self.add_widget(self._searched())
        self.add_widget(self.scroller)
        self._fill()
        self.scroller.scroll_y = memory.get("down", 1.0)
        self.scroller.bind(scroll_y=lambda _, down: memory.update(down=down))

    def _searched(self) -> TextInput:
        """Return the search field with the current search text."""
        field = search_field(self._search)
        field.text = self._memory.get("wanted", "")
        return field

    def _search(self, wanted: str) -> None:
        if wanted == self._memory.get("wanted", ""):
            return
        self._memory.update(wanted=wanted, shown=PAGE_SIZE, down=1.0)
        self._fill()
        self.scroller.scroll_y = 1.0

    def _fill(self) -> None:
        """Show the rows that match the search, up to the current limit."""
        wanted = self._memory.get("wanted", "").casefold()
        fitting = [line for line in self._lines if wanted in f"{line.text} {line.detail}".casefold()]
        visible_count = self._memory.get("shown", PAGE_SIZE)
        self._grid.clear_widgets()
        rows = [_row(line) for line in fitting[:visible_count]]
        fill(self._grid, *rows)
        equalize_heights(self._grid, rows)
        if len(fitting) > visible_count:
            label = translate("app.cards.more", n=len(fitting) - visible_count)
            self._grid.add_widget(PushButton(label, style="well", act=self._more, tall=58))
        if not fitting and self._empty:
            self._grid.add_widget(PushButton(self._empty, style="quiet", kind="corps", tall=58))

    def _more(self) -> None:
        self._memory["shown"] = self._memory.get("shown", PAGE_SIZE) + PAGE_SIZE
        self._fill()


def _row(line: ListRow) -> ChoiceButton:
    row = ChoiceButton(
        text=line.text,
        detail=line.detail,
        effect=line.effect,
        prominence=line.prominence,
        is_unavailable=bool(line.disabled_reason),
    )
    row.bind(
        on_tap=lambda *_: context_of(row).show_error(line.disabled_reason) if line.disabled_reason else line.on_select()
    )
    return row


LEVEL_COLUMN = "level"
SEPARATOR = ", "
TIGHT_SEPARATOR, WIDE_SEPARATOR = "/", " + "
MAX_TIGHT_CHARS = 4
"""Texts up to this many characters are joined without spaces; longer ones need a position for line breaks."""
EMPTY_VALUE = "–"


def card_title(kind: CatalogueKind, row: Row, language: Language) -> str:
    """Return the title of a card."""
    column = kind.column(kind.title)
    word = format_value(column, row.get(kind.title), language)
    number = row.get(kind.identity[-1])
    if column.options and kind.identity[-1] != kind.title:
        return f"{number}. {word}" if word != EMPTY_VALUE else str(number or EMPTY_VALUE)
    return word if word != EMPTY_VALUE else str(number or EMPTY_VALUE)


def card_detail(kind: CatalogueKind, row: Row, language: Language) -> str:
    """Return the most important columns of a card, joined."""
    return SEPARATOR.join(_detail_parts(kind, row, language))


def matches_search(kind: CatalogueKind, row: Row, wanted: str, language: Language) -> bool:
    """True if a card's title, detail or id contains the search text."""
    searchable_text = (
        f"{card_title(kind, row, language)} {card_detail(kind, row, language)} {row.get(kind.identity[-1], '')}"
    )
    return wanted.casefold() in searchable_text.casefold()


def format_value(column: CatalogueColumn, given: object, language: Language) -> str:
    """Return the value of a column in the player's language."""
    if given is None:
        return EMPTY_VALUE
    if column.type == "switch":
        return language(f"catalogues.switch.{'yes' if given else 'no'}")
    if isinstance(given, list):
        return SEPARATOR.join(_option_text(column, one, language) for one in given) or language("app.cards.none")
    return _option_text(column, given, language)


def _detail_parts(kind: CatalogueKind, row: Row, language: Language) -> Iterator[str]:
    for key in kind.summary_columns:
        given = row.get(key)
        column = kind.column(key)
        if given is None or given == column.default or not column.applies_to(str(row.get(kind.sort, ""))):
            continue
        if key == LEVEL_COLUMN:
            yield language("app.cards.stars", n=int(given))
        elif column.type == "whole":
            yield f"{language(column.short_label) if column.short_label else language.text(column.label)} {given}"
        elif column.type == "switch":
            yield from [language.text(column.label)] * bool(given)
        elif isinstance(given, list) and given:
            texts = [_option_text(column, one, language) for one in given]
            yield (TIGHT_SEPARATOR if max(map(len, texts)) <= MAX_TIGHT_CHARS else WIDE_SEPARATOR).join(texts)
        else:
            yield format_value(column, given, language)


def _option_text(column: CatalogueColumn, given: Any, language: Language) -> str:
    return language.text(column.option_label(given)) if given in column.options else str(given)


_KEY = "note"
_NOTE_HEIGHT = 62


def leave_note(memory: Memory, sentence: str, restore: Callable[[], object] | None = None) -> None:
    """Leave a note for the page with this memory; `restore` undoes the action that it reports."""
    memory[_KEY] = (sentence, restore)


def note_card(memory: Memory) -> Card | None:
    """Return the note of a page as a row, or None if there is none."""
    if _KEY not in memory:
        return None
    sentence, restore = memory[_KEY]
    line = Card(orientation="horizontal", surface="nuit", radius=0, padding=(dp(16), dp(4)), spacing=dp(8))
    line.size_hint_y, line.height = None, dp(_NOTE_HEIGHT)
    label = Text(sentence, halign="left", middle=True)
    label.bind(texture_size=lambda _, size: setattr(line, "height", max(dp(_NOTE_HEIGHT), size[1] + dp(12))))
    line.add_widget(label)
    if restore is not None:
        push = PushButton(translate("app.cards.restore"), icon="undo", style="brass", hug=True, pad=14)
        push.bind(on_tap=lambda push: _restore(context_of(push), memory, restore))
        line.add_widget(push)
    close = PushButton(icon="cross", style="quiet", spoken=translate("app.close"), wide=52)
    close.bind(on_tap=lambda close: _close(context_of(close), memory))
    line.add_widget(close)
    return line


def _restore(context: AppContext, memory: Memory, restore: Callable[[], object]) -> None:
    if context.attempt(restore):
        _close(context, memory)


def _close(context: AppContext, memory: Memory) -> None:
    memory.pop(_KEY, None)
    context.redraw()
