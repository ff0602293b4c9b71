"""Lists of cards with a search field, cards in words, and the note that tells what was done and can undo it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.textinput import TextInput

from companion.app.asks.sheet import SEARCH_FROM, search_field
from companion.app.display import context_of, say
from companion.app.figures.choice import ChoiceButton
from companion.app.widgets.pieces import Card, Grid, Scroller, fill
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text
from companion.games.catalogue import Column, Kind, Row
from companion.games.preparing import Memory
from companion.language import Language

if TYPE_CHECKING:
    from companion.app.context import AppContext

AT_ONCE = 24
"""Rows built at a time."""
_LEAST = 58


@dataclass(frozen=True, slots=True)
class Line:
    """One row: what it says, what a tap does, the reason why it is only for reading (`barred`)."""

    text: str
    take: Callable[[], None]
    detail: str = ""
    effect: str = ""
    barred: str = ""
    rank: int = 2


class Listing(BoxLayout):
    """`memory` keeps what is searched for and how far down one is, so that a page built anew stays where it was."""

    def __init__(self, lines: Sequence[Line], memory: Memory, *, cols: int = 2, empty: str = "") -> None:
        super().__init__(orientation="vertical", spacing=dp(8))
        self._lines, self._memory, self._empty = lines, memory, empty
        self._grid = Grid(cols=cols, spacing=dp(8), padding=(0, 0, dp(12), 0), grows=True)
        self.scroller = Scroller(always_overscroll=False)
        self.scroller.add_widget(self._grid)
        if len(lines) >= SEARCH_FROM:
            self.add_widget(self._searched())
        self.add_widget(self.scroller)
        self._fill()
        self.scroller.scroll_y = memory.get("down", 1.0)
        self.scroller.bind(scroll_y=lambda _, down: memory.update(down=down))

    def _searched(self) -> TextInput:
        """The field to search with, with what is searched for already."""
        field = search_field(self._search)
        field.text = self._memory.get("wanted", "")
        return field

    def _search(self, wanted: str) -> None:
        if wanted == self._memory.get("wanted", ""):
            return
        self._memory.update(wanted=wanted, shown=AT_ONCE, down=1.0)
        self._fill()
        self.scroller.scroll_y = 1.0

    def _fill(self) -> None:
        """The rows that fit what is searched for, as many as are shown by now."""
        wanted = self._memory.get("wanted", "").casefold()
        fitting = [line for line in self._lines if wanted in f"{line.text} {line.detail}".casefold()]
        shown = self._memory.get("shown", AT_ONCE)
        self._grid.clear_widgets()
        rows = [_row(line) for line in fitting[:shown]]
        fill(self._grid, *rows)
        level(self._grid, rows)
        if len(fitting) > shown:
            words = say("app.cards.more", n=len(fitting) - shown)
            self._grid.add_widget(Push(words, look="well", act=self._more, tall=58))
        if not fitting and self._empty:
            self._grid.add_widget(Push(self._empty, look="quiet", kind="corps", tall=58))

    def _more(self) -> None:
        self._memory["shown"] = self._memory.get("shown", AT_ONCE) + AT_ONCE
        self._fill()


def level(grid: GridLayout, rows: Sequence[ChoiceButton]) -> None:
    """Rows that stand beside each other become as tall as the tallest, whenever the grid has got another width."""
    cols = grid.cols
    if cols < 2:
        return

    def grow(*_: object) -> None:
        for at in range(0, len(rows), cols):
            beside = rows[at : at + cols]
            tallest = max(row.height for row in beside)
            for row in beside:
                row.least = tallest / dp(1)

    def begin(*_: object) -> None:
        for row in rows:
            row.least = _LEAST
        Clock.schedule_once(grow, 0)  # once the words are laid out anew

    soon = Clock.create_trigger(begin, 0)
    if rows:
        rows[0].bind(width=lambda *_: soon())
    soon()


def _row(line: Line) -> ChoiceButton:
    row = ChoiceButton(
        text=line.text,
        detail=line.detail,
        effect=line.effect,
        rank=line.rank,
        barred=bool(line.barred),
    )
    row.bind(on_tap=lambda *_: context_of(row).sorry(line.barred) if line.barred else line.take())
    return row


STARS = "level"
BETWEEN = ", "
CLOSE, APART = "/", " + "
SHORT = 4
"""Signs of words that stand close together; longer ones need a place to break the line."""
UNSAID = "–"


def title(kind: Kind, row: Row, say: Language) -> str:
    """What the card is called."""
    column = kind.column(kind.title)
    word = value(column, row.get(kind.title), say)
    number = row.get(kind.identity[-1])
    if column.options:
        return f"{number}. {word}" if word != UNSAID else str(number or UNSAID)
    return word if word != UNSAID else str(number or UNSAID)


def detail(kind: Kind, row: Row, say: Language) -> str:
    """The columns that matter most, one after the other."""
    return BETWEEN.join(_told(kind, row, say))


def found(kind: Kind, row: Row, wanted: str, say: Language) -> bool:
    """Whether a card has these letters in what is told of it, or in its id."""
    told = f"{title(kind, row, say)} {detail(kind, row, say)} {row.get(kind.identity[-1], '')}"
    return wanted.casefold() in told.casefold()


def value(column: Column, given: object, say: Language) -> str:
    """What a column says, in the player's words."""
    if given is None:
        return UNSAID
    if column.form == "switch":
        return say(f"catalogues.switch.{'yes' if given else 'no'}")
    if isinstance(given, list):
        return BETWEEN.join(_word(column, one, say) for one in given) or say("app.cards.none")
    return _word(column, given, say)


def _told(kind: Kind, row: Row, say: Language) -> Iterator[str]:
    for key in kind.brief:
        given = row.get(key)
        column = kind.column(key)
        if given is None or given == column.otherwise or not column.belongs(str(row.get(kind.sort, ""))):
            continue
        if key == STARS:
            yield say("app.cards.stars", n=int(given))
        elif column.form == "whole":
            yield f"{say(column.short) if column.short else say.text(column.label)} {given}"
        elif column.form == "switch":
            yield from [say.text(column.label)] * bool(given)
        elif isinstance(given, list) and given:
            words = [_word(column, one, say) for one in given]
            yield (CLOSE if max(map(len, words)) <= SHORT else APART).join(words)
        else:
            yield value(column, given, say)


def _word(column: Column, given: Any, say: Language) -> str:
    return say.text(column.word(given)) if given in column.options else str(given)


_KEY = "note"
_NOTE_HEIGHT = 62


def leave(memory: Memory, sentence: str, restore: Callable[[], object] | None = None) -> None:
    """Leaves a note for the page with this memory; `restore` undoes what it tells."""
    memory[_KEY] = (sentence, restore)


def note(memory: Memory) -> Card | None:
    """The note of a page as a line, None if there is none."""
    if _KEY not in memory:
        return None
    sentence, restore = memory[_KEY]
    line = Card(orientation="horizontal", surface="nuit", radius=0, padding=(dp(16), dp(4)), spacing=dp(8))
    line.size_hint_y, line.height = None, dp(_NOTE_HEIGHT)
    words = Text(sentence, halign="left", middle=True)
    words.bind(texture_size=lambda _, size: setattr(line, "height", max(dp(_NOTE_HEIGHT), size[1] + dp(12))))
    line.add_widget(words)
    if restore is not None:
        push = Push(say("app.cards.restore"), icon="undo", look="brass", hug=True, pad=14)
        push.bind(on_tap=lambda push: _restore(context_of(push), memory, restore))
        line.add_widget(push)
    close = Push(icon="cross", look="quiet", spoken=say("app.close"), wide=52)
    close.bind(on_tap=lambda close: _close(context_of(close), memory))
    line.add_widget(close)
    return line


def _restore(context: AppContext, memory: Memory, restore: Callable[[], object]) -> None:
    if context.attempt(restore):
        _close(context, memory)


def _close(context: AppContext, memory: Memory) -> None:
    memory.pop(_KEY, None)
    context.redraw()
