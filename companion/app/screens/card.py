"""One card in a form: a field for each column, what the rules say against it at the field, its photograph."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.metrics import dp

from companion.app.cards import notes, photos
from companion.app.cards.drawer import Drawer, fresh
from companion.app.cards.fields import Field
from companion.app.cards.shelves import shelf
from companion.app.cards.telling import title
from companion.app.page import Page, load_kv
from companion.app.widgets.choosing import Entry, list_sheet
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text
from companion.table.catalogues.columns import Row
from companion.table.catalogues.judging import judged, suits
from companion.table.catalogues.kinds import Broken
from companion.table.catalogues.shelf import ShelfTrouble

load_kv(__file__)

_LONGEST = 28
"""Signs of a title that fits beside the buttons."""


class CardPage(Page):
    """`args`: those of a Drawer; `identity` of the card, or `row`, a new one. What is written stays in the memory."""

    def build(self) -> None:
        say = self.app.say
        try:
            self._drawer = Drawer(shelf(self.app), self.place.args)
        except ShelfTrouble as trouble:
            self.ids.fields.add_widget(Text(self.app.text(trouble.message), halign="left"))
            return
        self._kind = self._drawer.kind
        self._identity: tuple[object, ...] | None = self.place.args.get("identity")
        if "row" not in self.memory:
            self.memory.update(row=self._begun(), touched=self._identity is None)
        self._row: Row = self.memory["row"]
        others = [row for row in self._drawer.rows if self._kind.identity_of(row) != self._identity]
        self._broken = judged(self._kind, self._row, others)
        name = title(self._kind, self._row, say)
        self.ids.bar.title = say("app.cards.new") if self._identity is None else name if len(name) <= _LONGEST else ""
        self._buttons()
        self._fields()

    def back(self) -> bool:
        if not self.memory.get("touched"):
            return False
        say = self.app.say
        keep = "" if not self._broken else self._reasons()
        entries = [
            Entry(say("app.cards.save"), self._save, icon="check", barred=keep),
            Entry(say("app.cards.forget"), self.app.room.go_back, icon="bin"),
        ]
        self.app.lay(list_sheet(say("app.cards.unsaved"), entries))
        return True

    # What is seen

    def _begun(self) -> Row:
        """The card as it was kept, or the new one."""
        kept = (row for row in self._drawer.rows if self._kind.identity_of(row) == self._identity)
        return dict(next(kept, self.place.args.get("row", {})))

    def _buttons(self) -> None:
        say, bar = self.app.say, self.ids.bar
        if self._identity is not None:
            for icon, word, action in (("copy", "copy", self._copy), ("bin", "delete", self._delete)):
                push = Push(
                    "", icon=icon, icon_side=26, spoken=say(f"app.cards.{word}"), size_hint_x=None, width=dp(56)
                )
                push.bind(on_tap=lambda *_, action=action: action())
                bar.at_end(push)
        save = Push(say("app.cards.save"), hug=True, pad=16, size_hint_x=None)
        save.look = "dashed" if self._broken else "chalk"
        save.bind(on_tap=lambda *_: self._save())
        bar.at_end(save)

    def _fields(self) -> None:
        faults = {broken.key: self._told(broken) for broken in reversed(self._broken)}
        for column in self._kind.columns_of(self._row):
            if column.key != self._kind.group:
                given, fault = self._row.get(column.key), faults.get(column.key, "")
                self.ids.fields.add_widget(Field(column, given, fault, self._changer(column.key)))
        self.ids.fields.add_widget(photos.PhotoField(photos.kind_of(self._kind), self._row, self.app.redraw))
        self.ids.scroller.scroll_y = self.memory.get("down", 1.0)
        self.ids.scroller.bind(scroll_y=lambda _, down: self.memory.update(down=down))

    def _told(self, broken: Broken) -> str:
        """What is wrong with a column, with the number of the rule."""
        label = self._kind.column(broken.key).label
        sentence: str = self.app.say("app.cards.fault", column=label, reason=broken.reason)
        return f"{sentence} ({broken.rule})" if broken.rule else sentence

    def _reasons(self) -> str:
        """Why the card cannot be kept."""
        return "\n".join(self._told(broken) for broken in self._broken)

    # What taps do

    def _changer(self, key: str) -> Any:
        def change(value: Any) -> None:
            row = {**self._row, key: value}
            if value is None:
                row.pop(key)
            self.memory.update(row=suits(self._kind, row) if key == self._kind.sort else row, touched=True)
            self.app.redraw()

        return change

    def _save(self) -> None:
        if self._broken:
            self.app.sorry(self._reasons())
            return
        before = self._drawer.rows
        if notes.attempt(self._put):
            self._tell_above("app.cards.saved", before)

    def _put(self) -> None:
        was = self._begun()
        self._drawer.put(self._row, self._identity)
        if self._identity is not None:
            photos.follow(self._drawer.shelf, photos.kind_of(self._kind), was, self._row)

    def _delete(self) -> None:
        before, drawer = self._drawer.rows, self._drawer
        if notes.attempt(lambda: drawer.drop(self._begun())):
            self._tell_above("app.cards.deleted", before)

    def _copy(self) -> None:
        group = self._row.get(self._kind.group) if self._kind.group else None
        args = {key: value for key, value in self.place.args.items() if key not in ("identity", "row")}
        self.app.room.trail.pop()
        self.app.open("card", **args, row=fresh(self._drawer, group, self._row))

    def _tell_above(self, word: str, before: tuple[Row, ...]) -> None:
        """Back to the list, which says what has been done and can undo it."""
        drawer, above = self._drawer, self.app.room.trail[-2]
        if above.name == "squad":  # a club that was a sample, or nowhere yet, has a file now
            above.args.pop("new", None)
            above.args.update({key: value for key, value in drawer.args.items() if key != "new"})
        sentence = self.app.say(word, card=title(self._kind, self._row, self.app.say))
        notes.leave(above.memory, sentence, partial(drawer.save, before))
        self.app.room.go_back()
