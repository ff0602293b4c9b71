"""Screen 12: the timeline of a match, and the correction of an event with a preview of its consequences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.display import display, text, translate
from companion.app.figures.choice import ChoiceButton
from companion.app.figures.slots import face_mark
from companion.app.figures.tray import DieBox, Photograph, TappablePhotograph
from companion.app.game_screens import editor_of
from companion.app.page import load_kv
from companion.app.prompts.dice import FaceRows, die_rows, face_text
from companion.app.prompts.roll_correction import (
    MAX_DICE_ROWS,
    RollSheet,
    face_count_rows,
    is_made_by_dice,
    is_same_event,
    matching_requests,
    recorded_dice,
    roll_at_line,
    state_before,
)
from companion.app.prompts.sheet import PromptContext, PromptSheet, SheetPlacement
from companion.app.screens.match_page import MatchPage
from companion.app.screens.table_state import fold_hands, hand_choices
from companion.app.widgets.button import PushButton, Tappable
from companion.app.widgets.components import Card, Grid, HBox, Scroller, VBox, fill
from companion.app.widgets.marks import Framed, Icon, SideBadge
from companion.app.widgets.text import BoldText, Text
from companion.games.base import Choice, Decision, Die, Fields, SideScene
from companion.games.wording import head_and_detail
from companion.table.dice import Pictures
from companion.table.report import score_course
from companion.table.session import BY_OPPONENT, Consequences, TimelineRow, consequences
from vision.roll import Face

load_kv(__file__)

MAX_TIMELINE_EVENTS = 200
"""Maximum number of events shown; older events are in the export."""
MAX_ROW_DICE = 3
"""Maximum number of dice drawn in the row of an event; more are drawn beside the list."""


class TimelinePage(MatchPage):
    """The timeline. `args`: `session`; `read_only` to disable changes. The selected event is in the route's memory."""

    def compose(self) -> None:
        bar = self.ids.bar
        bar.title = translate("app.timeline.title")
        if not self.read_only:
            self._undo_push = PushButton(translate("app.timeline.undo_last"), icon="undo", hug=True, act=self._undo)
            bar.at_end(self._undo_push)
        self._lines: dict[int, TimelineEventRow] = {}
        self._scores: dict[int, tuple[int, ...]] = {}
        self._drawn_sequence = -1
        self._least_detail = 0.0
        self.ids.detail.fbind("minimum_height", self._fit_detail)

    @property
    def read_only(self) -> bool:
        """True if the match cannot be changed here."""
        return bool(self.route.args.get("read_only"))

    def changed(self) -> None:
        """Rebuild the list after events were added or undone."""
        if self._drawn_sequence == self.session.sequence:
            return
        self._drawn_sequence = self.session.sequence
        if not self.read_only:
            self._undo_push.style = "outlined" if self.session.undo_target is not None else "dashed"
        rows = self.session.timeline()[-MAX_TIMELINE_EVENTS:]
        self.ids.rows.clear_widgets()
        self._lines, self._scores = {}, {}
        if not rows:
            self.ids.rows.add_widget(Text(translate("app.timeline.begins"), tone="craie2", halign="left"))
        self._add_rows(rows)
        standing = [row.line for row in rows if row.is_active]
        if self.memory.get("line") not in self._lines:
            self.memory["line"] = standing[-1] if standing else None
        self._show()
        Clock.schedule_once(lambda *_: setattr(self.ids.scroll, "scroll_y", 0), 0)

    def _add_rows(self, rows: Sequence[TimelineRow]) -> None:
        """Add the events under the headings of their parts. An event that names no side has that of its dice or
        points."""
        sides = self.sides()
        gained, before = {}, (0,) * len(sides)
        for change in score_course(self.session.ledger).changes:
            gained[change.line] = [
                side for side, old, new in zip(sides, before, change.scores, strict=True) if new > old
            ]
            self._scores[change.line] = before = change.scores
        heading = None
        for row in rows:
            if row.part is not None and row.part != heading:
                self.ids.rows.add_widget(PartDivider(text(row.part)))
            heading = row.part
            named = [row.side, *gained.get(row.line, [])]
            side = next((sides[name] for name in named if name in sides), None)
            dice = self.session.game.dice_from_event(row.fields)
            line = TimelineEventRow(row, side, self._scores.get(row.line), dice if len(dice) <= MAX_ROW_DICE else ())
            line.bind(on_tap=lambda _, number=row.line: self.pick(number))
            self._lines[row.line] = line
            self.ids.rows.add_widget(line)

    def pick(self, line: int) -> None:
        """Select an event and show its details."""
        self.memory["line"] = line
        self._show()

    def show_line(self, line: int) -> None:
        """Select an event and scroll to it."""
        self.pick(line)
        self.ids.scroll.scroll_to(self._lines[line], animate=False)

    def _show(self) -> None:
        picked = self.memory.get("line")
        for number, line in self._lines.items():
            line.on = number == picked
        detail = self.ids.detail
        detail.clear_widgets()
        rows = {row.line: row for row in self.session.timeline()}
        row = rows.get(picked) if picked is not None else None
        if row is not None:
            fill(detail, *self._detail(row))
        self._least_detail = dp(398 if row is not None and row.has_pictures else 290)
        self._fit_detail()

    def _fit_detail(self, *_: object) -> None:
        """In portrait, make the details as high as their content: texts are measured after they are added."""
        if self.portrait:
            self.ids.detail.height = max(self._least_detail, self.ids.detail.minimum_height)

    def _detail(self, row: TimelineRow) -> list[Widget]:
        pictures = self.session.pictures(row.line)
        head, more = head_and_detail(row.text)
        pieces: list[Widget] = [BoldText(text(head), kind="bouton", halign="left")]
        if more is not None:
            pieces.append(Text(text(more), halign="left"))
        dice = self.session.game.dice_from_event(row.fields)
        crowded = len(dice) > MAX_DICE_ROWS
        if pictures.tray:
            boxes = [DieBox(die.box, "" if crowded else face_text(die.face)) for die in pictures.dice]
            pieces.append(self._picture(row, pictures, boxes))
        elif pictures.purged:
            pieces.append(Text(translate("app.timeline.purged"), tone="craie2", halign="left"))
        if dice and (crowded or not pictures.tray):
            pieces.append(_faces(dice))
        pieces += [NameValueRow(name, value) for name, value in _particulars(row, pictures)]
        if row.line in self._scores:
            pieces.append(NameValueRow(translate("app.correct.score"), score_text(self._scores[row.line])))
        if not pictures.tray:
            pieces.append(Widget())
        return pieces + self._ways(row)

    def _picture(self, row: TimelineRow, pictures: Pictures, boxes: list[DieBox]) -> Photograph:
        """Return the stored tray picture; a tap corrects its dice if the event is still valid."""
        roll = roll_at_line(self.session, row.line) if row.is_active and not self.read_only else None
        if roll is None:
            return Photograph(pictures.tray or b"", boxes, whole=True, boxes_in=pictures.size)
        picture = TappablePhotograph(
            jpeg=pictures.tray or b"",
            boxes=boxes,
            whole=True,
            boxes_in=pictures.size,
            spoken=translate("app.mend.picture"),
        )
        picture.bind(on_tap=lambda *_: self.app.show_sheet(RollSheet(self, roll)))
        return picture

    def _ways(self, row: TimelineRow) -> list[Widget]:
        """Return the possible actions on a valid event."""
        if not row.is_active or self.read_only:
            return []
        after = sum(1 for other in self.session.ledger.events if other.line > row.line)
        ways: list[Widget] = []
        if after:
            back = PushButton(
                translate("app.timeline.undo_to"),
                detail=translate("app.timeline.undo_count", n=after),
                icon="undo",
                style="outlined",
                needs_long_press=True,
                pad=8,
                tall=58,
            )
            back.bind(on_tap=lambda *_: self._undo_to(row.line))
            ways.append(back)
        thrown = is_made_by_dice(self.session, row.line)
        label = translate("app.timeline.correct_dice") if thrown else translate("app.timeline.correct")
        correct = PushButton(label, icon="edit", style="brass", pad=8, tall=52)
        correct.bind(on_tap=lambda *_: self.app.open("correct", session=self.session, line=row.line))
        ways.append(correct)
        if self.app.theme.roomy:
            ways.append(Text(translate("app.timeline.replayed"), kind="mini", tone="craie2", halign="left"))
        return ways

    def _undo(self) -> None:
        self.attempt(self.session.undo)

    def _undo_to(self, line: int) -> None:
        self.attempt(lambda: self.session.undo_to(line))


def score_text(scores: Sequence[int]) -> str:
    """Return a score in the order of the sides."""
    return " – ".join(map(str, scores))


def _die_mark(die: Die, side: float) -> Widget:
    mark = face_mark(Face(die.value, die.colour, die.symbol), side, die.kind)
    mark.pos_hint = {"center_y": 0.5}
    return mark


def _faces(dice: Sequence[Die]) -> Grid:
    """Return the faces of a roll, those of a kind together."""
    side, gap, most = (28, 4, 9) if len(dice) > MAX_ROW_DICE else (40, 8, MAX_ROW_DICE)
    rows = -(-len(dice) // most)
    grid = Grid(cols=most, spacing=dp(gap), tall=rows * (side + gap))
    fill(grid, *(face_mark(Face(die.value, die.colour, die.symbol), side, die.kind) for die in dice))
    return grid


def clock_time(at: str | None) -> str:
    """Return hour and minute of a journal timestamp in local time; empty if there is none."""
    if at is None:
        return ""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%H:%M")
    except ValueError:
        return ""


def format_hour(clock: str) -> str:
    """Format hour and minute for use within a sentence."""
    hour, minute = clock.split(":")
    return translate("app.correct.hour", hour=hour, minute=minute)


def _particulars(row: TimelineRow, pictures: Pictures) -> list[tuple[str, str]]:
    by = row.by if row.by in ("camera", "touch", "button", BY_OPPONENT) else "touch"
    reader = translate(f"app.timeline.by_{by}")
    if by == "camera" and pictures.dice:
        sure = all(die.certain for die in pictures.dice)
        reader = translate("app.timeline.by_camera_sure") if sure else translate("app.timeline.by_camera_asked")
    if row.is_corrected:
        reader = translate("app.timeline.then_corrected", reader=translate(f"app.timeline.by_{by}"))
    found = [(translate("app.timeline.read_by"), reader)]
    if clock_time(row.at):
        found.append((translate("app.timeline.at"), clock_time(row.at)))
    return found


class NameValueRow(BoxLayout):
    """A name on the left and its value on the right, wrapped if needed."""

    def __init__(self, name: str, value: str, **kwargs: Any) -> None:
        self._least = display.theme.type("corps") * 1.4
        super().__init__(size_hint_y=None, height=self._least, **kwargs)
        self._parts = (
            Text(name, tone="craie2", halign="left", size_hint_x=0.4, pos_hint={"top": 1}),
            Text(value, halign="right", size_hint_x=0.6, pos_hint={"top": 1}),
        )
        for part in self._parts:
            part.fbind("height", self._fit)
            self.add_widget(part)

    def _fit(self, *_: object) -> None:
        self.height = max(self._least, *(part.height for part in self._parts))


class _Rule(Framed, Widget):
    """A horizontal line."""


class PartDivider(HBox):
    """The heading of a part of the match, with a line to the right edge if the heading leaves room for it."""

    def __init__(self, heading: str) -> None:
        super().__init__(spacing=dp(8), padding=(dp(10), 0), tall=26)
        self._rule = _Rule(tall=1, middle=True)
        self._rule.fill = display.theme.bord
        self._label = BoldText(heading, kind="mini", tone="craie3", flow="line", halign="left", middle=True)
        fill(self, self._label, self._rule)
        self._label.bind(size=self._fit)
        self.bind(width=self._fit)

    def _fit(self, *_: object) -> None:
        if self._label.flow == "line" and 0 < self.width - dp(48) < self._label.texture_size[0]:
            self._label.flow, self._label.size_hint_x = "wrap", 1
            self.remove_widget(self._rule)
        self.height = max(dp(26), self._label.height + dp(6))


class TimelineEventRow(Tappable, Framed, BoxLayout):
    """One event. `on` frames it; an undone one is struck through, a corrected one has a pencil icon.

    An event that changed the score is larger, with the `score` after it. `dice` are drawn as they fell.
    """

    on = BooleanProperty(False)

    def __init__(
        self,
        row: TimelineRow,
        side: SideScene | None,
        scores: Sequence[int] | None = None,
        dice: Sequence[Die] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(padding=(dp(10), dp(3)), spacing=dp(6), line_width=3, tall=56, **kwargs)
        stands = row.is_active
        self.spoken = text(row.text)
        when = clock_time(row.at) or str(row.line)
        self.add_widget(Text(when, kind="mini", plain=False, tone="craie3", flow="box", halign="left", wide=42))
        mark: Widget = Widget(size_hint_x=None, width=dp(28))
        if side is not None:
            mark = SideBadge(side=28, colour=side.colour, letter=side.letter, middle=True)
        self.add_widget(mark)
        text_box = VBox(size_hint_y=None, middle=True)
        head, more = head_and_detail(row.text)
        kind = "corps" if scores is None else "bouton"
        self._parts: list[Text] = [BoldText(text(head), kind=kind, tone="craie" if stands else "craie3", halign="left")]
        self._parts[0].strikethrough = not stands
        notes = [] if more is None else [text(more)]
        if not stands:
            notes = [translate("app.timeline.undone")]
        if row.is_corrected:
            notes.append(translate("app.timeline.corrected"))
        if notes:
            self._parts.append(Text(", ".join(notes), kind="mini", tone="craie2", halign="left"))
        for part in self._parts:
            part.fbind("height", lambda *_: self._fit(text_box))
            text_box.add_widget(part)
        self.add_widget(text_box)
        for die in dice if stands else ():
            self.add_widget(_die_mark(die, 26))
        if scores is not None:
            score = BoldText(score_text(scores), kind="titre", flow="line", pos_hint={"center_y": 0.5})
            self.add_widget(score)
            self.spoken = f"{self.spoken}, {score_text(scores)}"
        if row.is_corrected:
            self.add_widget(Icon("edit", side=20, tone="laiton", middle=True))
        self.fbind("on", self._apply_style)

    def show_pressed(self, on: bool) -> None:
        theme = display.theme
        if on:
            self.fill = theme.feutre
        else:
            self._apply_style()

    def _apply_style(self, *_: object) -> None:
        theme = display.theme
        self.fill = theme.feutre if self.on else (0, 0, 0, 0)
        self.line = theme.craie if self.on else (0, 0, 0, 0)

    def _fit(self, text_box: BoxLayout) -> None:
        text_box.height = sum(part.height for part in self._parts)
        self.height = max(dp(56), text_box.height + dp(10))


MAX_DIFFERENCES = 20
"""Maximum number of changed events listed; the rest is only counted."""


def difference_widgets(found: Consequences, sides: Iterable[SideScene]) -> list[Widget]:
    """Return a heading and the scrollable list of consequences."""
    card = Card(surface="creux", padding=(dp(14), dp(8)), spacing=dp(4), grows=True)
    if found.score is not None:
        order = [scene.side for scene in sides]
        before, after = (" – ".join(str(score.get(side, 0)) for side in order) for score in found.score)
        card.add_widget(_change(translate("app.correct.score"), before, after))
    for difference in found.differences[:MAX_DIFFERENCES]:
        old = Text(text(difference.before), tone="craie3", halign="left")
        old.strikethrough = True
        fill(card, old, _becomes(text(difference.after)))
    more = len(found.differences) - MAX_DIFFERENCES
    if more > 0:
        card.add_widget(Text(translate("app.correct.and_more", n=more), tone="craie2", halign="left"))
    if not found.differences and found.violation is None:
        card.add_widget(Text(translate("app.correct.details"), tone="craie2", halign="left"))
    if found.later_count and not found.is_own_violation:
        stands = found.violation is None
        message = translate("app.correct.stands") if stands else translate("app.correct.stands_no_more")
        many = translate("app.correct.follow_was", n=found.later_count)
        card.add_widget(
            _change(translate("app.correct.follow"), many, message, "craie" if stands else "laiton", stands)
        )
    body = Scroller(card)
    return [Text(translate("app.correct.changes"), tone="craie2", halign="left"), body] if card.children else [Widget()]


def _change(label: str, before: str, after: str, tone: str = "craie", holds: bool = False) -> BoxLayout:
    """Return a line with label, old value (struck through unless `holds`) and new value."""
    middle = {"center_y": 0.5}
    line = HBox(Text(label, flow="line", tone="craie2", pos_hint=middle), spacing=dp(10), tall=26)
    old = Text(before, flow="line", tone="craie2" if holds else "craie3", pos_hint=middle)
    old.strikethrough = not holds
    new = BoldText(after, kind="corps", tone=tone, flow="line", pos_hint=middle)
    fill(line, old, Icon("right", side=18, pos_hint=middle), new, Widget())
    for piece in (old, new):
        piece.bind(texture_size=lambda _, size: setattr(line, "height", max(line.height, size[1])))
    return line


def _becomes(content: str) -> BoxLayout:
    line = HBox(Icon("right", side=18, middle=True), size_hint_y=None, spacing=dp(6))
    new = BoldText(content, kind="corps", halign="left")
    new.bind(texture_size=lambda _, size: setattr(line, "height", size[1]))
    line.add_widget(new)
    return line


class CorrectPage(MatchPage):
    """The correction of an event. `args`: `session`, `line`. The selection is in the route's memory until written."""

    def compose(self) -> None:
        self._line: int = self.route.args["line"]
        self._row: TimelineRow = next(row for row in self.session.timeline() if row.line == self._line)
        if not self._row.is_active:
            return
        self._state = state_before(self.session, self._line)
        self._after = sum(event.line > self._line for event in self.session.ledger.events)
        self._decision: Decision = self.session.game.decision(self._state)
        when = clock_time(self._row.at)
        self.ids.bar.title = (
            translate("app.correct.title", at=format_hour(when)) if when else translate("app.correct.title_untimed")
        )
        fill(self.ids.fact, *self._event_widgets())
        self._show()

    def changed(self) -> None:
        """Leave the page if the event was undone in the meantime."""
        if all(event.line != self._line for event in self.session.ledger.events):
            self.app.navigator.go_back()

    def _event_widgets(self) -> list[Widget]:
        pictures = self.session.pictures(self._line)
        pieces: list[Widget] = []
        if pictures.tray:
            boxes = [DieBox(die.box) for die in pictures.dice]
            caption = translate("app.timeline.kept")
            pieces.append(Photograph(pictures.tray, boxes, caption, whole=True, boxes_in=pictures.size))
            pieces[-1].size_hint_y, pieces[-1].height = None, dp(164)
        after = self._after
        follow = translate("app.correct.followers", n=after) if after else translate("app.correct.last")
        pieces.append(BoldText(text(self._row.text), kind="bouton", halign="left"))
        pieces.append(Text(follow, tone="craie2", halign="left"))
        pieces.append(Widget())
        thrown = recorded_dice(self.session.game, self._state, self._decision.dice, self._row.fields) is not None
        if thrown and any(self._is_offered(choice) for choice in self._decision.choices):
            pieces.append(self._other())
        if self.portrait:  # as high as its texts, which are measured after they are added
            self.ids.fact.bind(minimum_height=self.ids.fact.setter("height"))
        return pieces

    @staticmethod
    def _is_offered(choice: Choice) -> bool:
        """Return True if the choice was legal and is not one of the menu."""
        return choice.disabled_reason is None and not choice.menu

    def _other(self) -> PushButton:
        """Return the button that switches between the dice and all other choices of that state."""
        on = bool(self.memory.get("other"))
        label = translate("app.correct.the_dice") if on else translate("app.correct.other")
        return PushButton(
            label, icon="swap", style="outlined", kind="corps", pad=6, tall=52, act=lambda: self._toggle_other(not on)
        )

    def _toggle_other(self, other: bool) -> None:
        self.memory.clear()
        self.memory["other"] = other
        self.app.redraw()

    def _show(self) -> None:
        change = self.ids.change
        change.clear_widgets()
        was = recorded_dice(self.session.game, self._state, self._decision.dice, self._row.fields)
        if was is not None and not self.memory.get("other"):
            change.add_widget(self._rows(was))
        else:
            change.add_widget(self._choices())
        fill(change, *self._outcome())

    def _rows(self, was: tuple[Die, ...]) -> Widget:
        dice = matching_requests(self._decision.dice, was)
        if len(was) > MAX_DICE_ROWS:
            faces = self.memory.get("dice") or was
            counter = face_count_rows(self.session, dice, self._on_dice_chosen, initial=faces)
            counter.size_hint_y, counter.height = None, counter.tall
            return counter
        old = [Face(die.value, die.colour, die.symbol) for die in was]
        chosen_faces = self.memory.get("faces") or old
        return FaceRows(
            die_rows(self.session, dice),
            self.sides(),
            self._on_dice_chosen,
            known_faces=chosen_faces,
            was=old,
            labels=True,
        )

    def _on_dice_chosen(self, dice: tuple[Die, ...]) -> None:
        self.memory["dice"] = dice
        self.memory["faces"] = [Face(die.value, die.colour, die.symbol) for die in dice]
        self._propose(self.session.game.event_from_dice(self._state, dice))

    def _choices(self) -> Widget:
        """Return the choices of that state; the recorded one is dashed."""
        grid = Grid(cols=2, spacing=dp(8), padding=(0, 0, dp(12), 0), grows=True)
        sides = self.sides()
        for choice in fold_hands(self._decision.choices):
            if not self._is_offered(choice):
                continue
            scene = sides.get(choice.side or "")
            hand = hand_choices(choice)
            recorded = any(self._is_recorded(each) for each in (hand.choices if hand else (choice,)))
            button = ChoiceButton(
                text=text(choice.label) + ("…" if choice.prompts else ""),
                detail=translate("app.correct.was") if recorded else text(choice.detail),
                prominence=2,
                is_unavailable=recorded and not choice.prompts,
                side=scene.colour if scene else "",
            )
            button.bind(on_tap=lambda _, choice=choice: self._choose(choice))
            grid.add_widget(button)
        return Scroller(grid)

    def _choose(self, choice: Choice) -> None:
        editor = editor_of(self.session.game.id, choice)
        if editor is not None:
            known = {"was": self._row.fields} if self._is_recorded(choice) else {}
            args = {"session": self.session, "side": choice.side, "choice": choice, "state": self._state, **known}
            self.app.open(editor, **args, told=lambda fields: self.memory.update(fields=fields))
        elif choice.prompts:
            hand = hand_choices(choice)
            side = self.sides().get(choice.side or "")
            other = next((scene for scene in self.sides().values() if side and scene.side != side.side), None)
            top = self.ids.bar.height
            self.app.show_sheet(
                PromptSheet(
                    choice,
                    self._propose if hand is None else lambda fields: self._choose(hand.choice(fields["hand"])),
                    PromptContext(self.app.recent_picks, side, other),
                    SheetPlacement((0.0, 0.0, 0.0, top)),
                )
            )
        else:
            self._propose(choice.event)

    def _is_recorded(self, choice: Choice) -> bool:
        """Return True if the event of the row has the fixed fields of a choice."""
        return all(self._row.fields.get(key) == value for key, value in choice.event.items())

    def _propose(self, fields: Fields | None) -> None:
        self.memory["fields"] = fields
        self._show()

    # Consequences

    def _outcome(self) -> list[Widget]:
        fields = self.memory.get("fields")
        if fields is None:
            hint = Text(translate("app.correct.nothing_yet"), tone="craie2", halign="left")
            return [hint, *self._foot(None)]
        if is_same_event(self.session, fields, self._row.fields):
            return [Text(translate("app.correct.same"), tone="craie2", halign="left"), *self._foot(None)]
        found = consequences(self.session.game, self.session.ledger, self._line, fields)
        widgets = difference_widgets(found, self.sides().values())
        if found.violation is None:
            return [*widgets, *self._foot(fields)]
        reason = text(found.violation.message).rstrip(".")
        message = translate("app.correct.breaks", reason=reason, rule=found.violation.rule)
        return [*widgets, _warning(message), *self._foot(None, broken=True)]

    def _foot(self, fields: Fields | None, broken: bool = False) -> list[Widget]:
        """Return the button that writes the correction, and the undo button if later events would break a rule."""
        do = PushButton(translate("app.correct.do"), icon="edit", style="brass" if fields is not None else "dashed")
        if fields is not None:
            do.bind(on_tap=lambda *_: self._correct(fields))
        foot = HBox(do, spacing=dp(10), tall=66 if broken and not self.app.theme.roomy else 56)  # two lines of the undo
        if broken:
            back = PushButton(
                translate("app.correct.undo", n=self._after + 1),
                icon="undo",
                style="chalk",
                needs_long_press=True,
                pad=6,
            )
            back.bind(on_tap=lambda *_: self._undo())
            foot.add_widget(back)
        return [foot] if broken or fields is not None else [Widget(), foot]

    def _correct(self, fields: Fields) -> None:
        if self.attempt(lambda: self.session.correct(self._line, fields)):
            self.app.back()

    def _undo(self) -> None:
        """Undo this event and all later ones, so that the right event can be recorded."""
        if self.attempt(lambda: self.session.undo_to(self._line - 1)):
            self.app.navigator.go_back()
            self.app.navigator.go_back()


def _warning(message: str) -> Widget:
    line = HBox(Icon("alert", side=26, tone="laiton", middle=True), spacing=dp(10), tall=46)
    label = Text(message, tone="laiton", halign="left", middle=True)
    label.bind(texture_size=lambda _, size: setattr(line, "height", max(dp(30), size[1])))
    line.add_widget(label)
    return line
