"""Screen 12, correcting: the same inputs as when the fact was logged, and what would change, before it is written."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.asks.faces import FaceRows, die_rows
from companion.app.asks.sheet import AskSheet
from companion.app.asks.tell import MANY, counted_rows
from companion.app.asks.told import first_dice, old_faces, same, state_before
from companion.app.figures.changes import told_differences
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.tray import Boxed, Photograph
from companion.app.figures.words import say, text
from companion.app.page import load_kv
from companion.app.screens.editor_page import editor_of
from companion.app.screens.match_page import MatchPage
from companion.app.screens.timeline import clock_time, said_time
from companion.app.widgets.marks import Icon
from companion.app.widgets.pieces import Scroller
from companion.app.widgets.push import Push
from companion.app.widgets.text import Head, Text
from companion.games.base import Awaits, Choice, Die, Fields, Refusal
from companion.table.session import StorageTrouble, TimelineRow, consequences
from vision.roll import Face

load_kv(__file__)


class CorrectPage(MatchPage):
    """`args`: `session` and `line`. What was chosen is kept in the memory of the place until it is written."""

    def compose(self) -> None:
        self._line: int = self.place.args["line"]
        self._row: TimelineRow = next(row for row in self.session.timeline() if row.line == self._line)
        if not self._row.stands:
            return
        self._state = state_before(self.session, self._line)
        self._after = sum(event.line > self._line for event in self.session.ledger.standing)
        self._awaits: Awaits = self.session.game.awaits(self._state)
        when = clock_time(self._row.at)
        self.ids.bar.title = (
            say("app.correct.title", at=said_time(when)) if when else say("app.correct.title_line", line=self._line)
        )
        for piece in self._fact():
            self.ids.fact.add_widget(piece)
        self._show()

    def changed(self) -> None:
        """A fact that was taken back meanwhile is corrected no longer."""
        if all(event.line != self._line for event in self.session.ledger.standing):
            self.app.room.go_back()

    def _fact(self) -> list[Widget]:
        pictures = self.session.pictures(self._line)
        pieces: list[Widget] = []
        if pictures.tray:
            boxes = [Boxed(die.box) for die in pictures.dice]
            caption = say("app.timeline.kept")
            pieces.append(Photograph(pictures.tray, boxes, caption, whole=True, boxes_in=pictures.size))
            pieces[-1].size_hint_y, pieces[-1].height = None, dp(164)
        follow = say("app.correct.follower") if self._after == 1 else say("app.correct.followers", n=self._after)
        pieces.append(Head(text(self._row.text), kind="bouton", halign="left"))
        pieces.append(Text(follow, tone="craie2", halign="left"))
        pieces.append(Widget())
        thrown = old_faces(self.session.game, self._state, self._awaits.dice, self._row.fields) is not None
        if thrown and self._awaits.choices:
            pieces.append(self._other())
        if self.portrait:
            self.ids.fact.height = dp((260 if pictures.tray else 84) + (62 if thrown else 0))
        return pieces

    def _other(self) -> Push:
        """Turns from the dice to everything that could have been recorded then, and back."""
        on = bool(self.memory.get("other"))
        words = say("app.correct.the_dice") if on else say("app.correct.other")
        push = Push(words, icon="swap", look="outlined", kind="corps", pad=6, size_hint_y=None, height=dp(52))
        push.bind(on_tap=lambda *_: self._turn(not on))
        return push

    def _turn(self, other: bool) -> None:
        self.memory.clear()
        self.memory["other"] = other
        self.app.redraw()

    def _show(self) -> None:
        change = self.ids.change
        change.clear_widgets()
        was = old_faces(self.session.game, self._state, self._awaits.dice, self._row.fields)
        if was is not None and not self.memory.get("other"):
            change.add_widget(self._rows(was))
        else:
            change.add_widget(self._choices())
        for piece in self._outcome():
            change.add_widget(piece)

    def _rows(self, was: tuple[Die, ...]) -> Widget:
        dice = first_dice(self._awaits.dice, was)
        if len(was) > MANY:
            faces = self.memory.get("dice") or was
            counted = counted_rows(self.session, dice, self._told, told=faces)
            counted.size_hint_y, counted.height = None, counted.tall
            return counted
        old = [Face(die.value, die.colour, die.symbol) for die in was]
        told = self.memory.get("faces") or old
        return FaceRows(die_rows(self.session, dice), self.sides(), self._told, told=told, was=old, labels=True)

    def _told(self, dice: tuple[Die, ...]) -> None:
        self.memory["dice"] = dice
        self.memory["faces"] = [Face(die.value, die.colour, die.symbol) for die in dice]
        self._propose(self.session.game.throw(self._state, dice))

    def _choices(self) -> Widget:
        """What could have been recorded in that situation; what was is dashed."""
        grid = GridLayout(cols=2, spacing=dp(8), padding=(0, 0, dp(12), 0), size_hint_y=None)
        grid.bind(minimum_height=grid.setter("height"))
        sides = self.sides()
        for choice in self._awaits.choices:
            if choice.barred is not None or choice.menu:
                continue
            scene = sides.get(choice.side or "")
            recorded = all(self._row.fields.get(key) == value for key, value in choice.event.items())
            button = ChoiceButton(
                text=text(choice.label) + ("…" if choice.asks else ""),
                detail=say("app.correct.was") if recorded else text(choice.detail),
                rank=2,
                barred=recorded and not choice.asks,
                side=scene.colour if scene else "",
            )
            button.bind(on_tap=lambda _, choice=choice: self._take(choice))
            grid.add_widget(button)
        body = Scroller()
        body.add_widget(grid)
        return body

    def _take(self, choice: Choice) -> None:
        editor = editor_of(choice)
        if editor is not None:
            recorded = all(self._row.fields.get(key) == value for key, value in choice.event.items())
            known = {"was": self._row.fields} if recorded else {}
            args = {"session": self.session, "side": choice.side, "choice": choice, "state": self._state, **known}
            self.app.open(editor, **args, told=lambda fields: self.memory.update(fields=fields))
        elif choice.asks:
            side = self.sides().get(choice.side or "")
            other = next((scene for scene in self.sides().values() if side and scene.side != side.side), None)
            top = self.ids.bar.height
            self.app.lay(AskSheet(choice, self._propose, side=side, other=other, inset=(0.0, 0.0, 0.0, top)))
        else:
            self._propose(choice.event)

    def _propose(self, fields: Fields | None) -> None:
        self.memory["fields"] = fields
        self._show()

    # What would come of it

    def _outcome(self) -> list[Widget]:
        fields = self.memory.get("fields")
        if fields is None:
            hint = Text(say("app.correct.nothing_yet"), tone="craie2", halign="left")
            return [hint, *self._foot(None)]
        if same(self.session, fields, self._row.fields):
            return [Text(say("app.correct.same"), tone="craie2", halign="left"), *self._foot(None)]
        found = consequences(self.session.game, self.session.ledger, self._line, fields)
        told = told_differences(found, self.sides().values())
        if found.broken is None:
            return [*told, *self._foot(fields)]
        reason = text(found.broken.message).rstrip(".")
        words = say("app.correct.breaks", reason=reason, rule=found.broken.rule)
        return [*told, _warning(words), *self._foot(None, broken=True)]

    def _foot(self, fields: Fields | None, broken: bool = False) -> list[Widget]:
        """The button that writes it, and, where what follows would break, the way back to this fact."""
        foot = BoxLayout(size_hint_y=None, height=dp(56), spacing=dp(10))
        do = Push(say("app.correct.do"), icon="edit", look="brass" if fields is not None else "dashed")
        if fields is not None:
            do.bind(on_tap=lambda *_: self._correct(fields))
        foot.add_widget(do)
        if broken:
            back = Push(say("app.correct.undo", n=self._after + 1), icon="undo", look="chalk", held=True, pad=6)
            back.bind(on_tap=lambda *_: self._undo())
            foot.add_widget(back)
        return [foot] if broken or fields is not None else [Widget(), foot]

    def _correct(self, fields: Fields) -> None:
        try:
            self.session.correct(self._line, fields)
        except Refusal as refusal:
            self.refused(refusal)
        except StorageTrouble as trouble:
            self.app.sorry(text(trouble.message))
        else:
            self.app.back()

    def _undo(self) -> None:
        """Back to before this fact, so that the right one can be recorded."""
        try:
            self.session.undo_to(self._line - 1)
        except Refusal as refusal:
            self.refused(refusal)
        else:
            self.app.room.go_back()
            self.app.room.go_back()


def _warning(words: str) -> Widget:
    line = BoxLayout(spacing=dp(10), size_hint_y=None, height=dp(46))
    line.add_widget(Icon("alert", side=26, tone="laiton", pos_hint={"center_y": 0.5}))
    said = Text(words, tone="laiton", halign="left", pos_hint={"center_y": 0.5})
    said.bind(texture_size=lambda _, size: setattr(line, "height", max(dp(30), size[1])))
    line.add_widget(said)
    return line
