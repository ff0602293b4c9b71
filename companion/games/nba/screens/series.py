"""A campaign or a legacy series at this table: its matches, the cards to keep, the next match (chapter 13)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.cards.lists import Listing, ListRow
from companion.app.cards.rows import catalogue_folder
from companion.app.figures.choice import ChoiceButton
from companion.app.match_runner import open_match
from companion.app.page import Page, load_kv
from companion.app.screens.matches import format_day
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import Grid, HBox, Scroller, VBox, bounded_stepper, fill
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.base import Message, Refusal, SideScene
from companion.games.nba.screens.series_store import PlayedSeries, SeriesMatch, begun_series, first_of, read_series
from companion.games.nba.series import (
    CAMPAIGN,
    FIRST_THRESHOLD,
    LEGACY,
    Choice,
    SeriesMark,
    following_header,
    keeping_sides,
    memory_of,
    next_threshold,
    offered_cards,
)
from companion.games.nba.state import State
from companion.table.follow_ups import ClosedFollowUps

load_kv(__file__)

MAX_THRESHOLD = 20
NOTHING = ""
"""The choice of a side that keeps no card of a kind."""


class SeriesPage(Page):
    """A series, or the list of those that have begun.

    `args`: `follows`, the id of one of its matches, or `first`, that of its first one; or `chosen`, the choices of a
    preparation, which name a series that has begun or only its kind. `removed`: the id of a match just removed.
    """

    def build(self) -> None:
        chosen = self.route.args.get("chosen") or {}
        self._kind = str(chosen.get("mode", CAMPAIGN))
        found = self._series(chosen)
        self.ids.bar.title = self.app.translate(f"app.nba.series.{found.kind if found else self._kind}")
        if found is None:
            self._show_list()
        else:
            self._show(found)

    def _series(self, chosen: dict[str, Any]) -> PlayedSeries | None:
        args, series = self.route.args, chosen.get("series") or {}
        first = args.get("first")
        match_id = args.get("follows") or series.get("follows")
        if first is None and match_id is not None:
            stored = next((each for each in self.app.matches.store.matches() if each.id == match_id), None)
            first = None if stored is None else first_of(stored.id, stored.header)
            args["first"] = first  # so that the page stays with the series when this match is removed
        return None if first is None else read_series(self.app.matches, first)

    # The series that have begun

    def _show_list(self) -> None:
        rows = []
        for first in begun_series(self.app.matches, self._kind):
            found = read_series(self.app.matches, first)
            if found is not None:
                day = format_day(found.matches[0].stored.created.date().isoformat())
                title = self.app.translate("app.nba.series.row", n=len(found.matches), day=day)
                names = " \N{EN DASH} ".join(side["name"] for side in found.last.header["sides"].values())
                rows.append(ListRow(title, partial(self.app.open, "nba_series", first=first), names))
        empty = self.app.translate("app.nba.series.none")
        listing = Listing(rows, self.memory.setdefault("list", {}), cols=1, empty=empty)
        self.ids.body.add_widget(VBox(listing, *self._restore_button(), spacing=dp(8)))

    # One series

    def _show(self, series: PlayedSeries) -> None:
        last, translate = series.last, self.app.translate
        self._mark_closed(series)
        if last.is_going:
            self._primary("resume", partial(self._open, last), ready=last.trouble is None)
        elif last.goes_on:
            self._primary("next", partial(self._prepare, series), ready=not self._undecided(last))
        else:
            self._primary("again", self._begin_again)
        lines = [self._row(match) for match in series.matches]
        summary = Text(self.app.text(self._summary(series)), tone="craie2", halign="left")
        column = VBox(*lines, spacing=dp(6), padding=(0, 0, dp(10), 0), grows=True)
        left = VBox(summary, Scroller(column), HBox(*self._ways_back(series), spacing=dp(8), tall=58), spacing=dp(8))
        fill(self.ids.body, left)
        if last.state is not None and last.goes_on:
            cards = Scroller(self._card_choices(last, last.state))
            cards.scroll_y = self.memory.get("down", 1.0)
            cards.bind(scroll_y=lambda _, down: self._remember_scroll(cards, down))
            fill(self.ids.body, cards)
        elif series.is_over:
            text = translate("app.nba.series.lost", n=series.won)
            fill(self.ids.body, BoldText(text, kind="titre", tone="laiton", flow="box", halign="center"))

    def _primary(self, word: str, action: Callable[[], None], *, ready: bool = True) -> None:
        push = PushButton(self.app.translate(f"app.nba.series.{word}"), end="right", hug=True, pad=16, act=action)
        push.style = "chalk" if ready else "dashed"
        self.ids.bar.at_end(push)

    def _restore_button(self) -> list[PushButton]:
        """Return the button that puts back the match just removed, if there is one."""
        removed = self.route.args.get("removed")
        if removed is None:
            return []
        label = self.app.translate("app.nba.series.restore")
        back = PushButton(label, icon="undo", style="brass", kind="corps", tall=58)
        back.bind(on_tap=lambda *_: self._restore(removed))
        return [back]

    def _summary(self, series: PlayedSeries) -> Message:
        mark = series.last.mark
        number = mark.number + series.last.goes_on
        state = series.last.state
        if mark.kind == LEGACY or state is None or state.setup.solo is None:
            return _message("stage", n=number)
        resources = state.setup.solo.resources + series.last.goes_on
        if series.is_over:
            return _message("over", n=series.won)
        return _message("run", n=number, won=series.won, resources=resources)

    def _row(self, match: SeriesMatch) -> Widget:
        """Return a match with its score; a tap opens its report, or the match itself while it is not over."""
        prominence = 1 if match.is_going else 3
        row = ChoiceButton(text=self._match_title(match), detail=self._match_detail(match), prominence=prominence)
        row.bind(on_tap=lambda *_: self._open(match))
        return row

    def _match_title(self, match: SeriesMatch) -> str:
        name = f"app.nba.series.match.{match.mark.kind}"
        if match.state is None:
            return self.app.translate(name, n=match.mark.number)
        scores = " \N{EN DASH} ".join(str(match.state.score(side)) for side in match.state.setup.sides)
        return self.app.translate(f"{name}.score", n=match.mark.number, score=scores)

    def _match_detail(self, match: SeriesMatch) -> str:
        if match.trouble is not None:
            return self.app.text(match.trouble)
        if match.is_going:
            return self.app.translate("app.matches.going")
        state = match.state
        assert state is not None
        cards = [id for side in keeping_sides(state) for id in self._kept(state, side)]
        names = ", ".join(str(match.header["setup"]["cards"][id].get("name", id)) for id in cards)
        return self.app.translate("app.nba.series.with", cards=names) if names else ""

    @staticmethod
    def _kept(state: State, side: str) -> tuple[str, ...]:
        return state.setup.legacy.kept.get(side, ()) if state.setup.legacy else ()

    def _ways_back(self, series: PlayedSeries) -> list[PushButton]:
        """Return what takes back the last match, or puts it back, and what stops the series by a long press."""
        translate = self.app.translate
        take_back = PushButton(translate("app.nba.series.take_back"), icon="undo", style="outlined", kind="corps")
        take_back.needs_long_press = True
        take_back.bind(on_tap=lambda *_: self._take_back(series))
        stop = PushButton(translate("app.nba.series.stop"), icon="cross", style="outlined", kind="corps")
        stop.needs_long_press = True
        stop.bind(on_tap=lambda *_: self._stop(series))
        first = self._restore_button() or [take_back]
        return first if series.last.is_going else [*first, stop]

    def _remember_scroll(self, cards: Scroller, down: float) -> None:
        if cards.children and cards.children[0].height > cards.height:
            self.memory["down"] = down

    # The cards to keep

    def _choices(self, side: str) -> dict[str, str]:
        chosen: dict[str, str] = self.memory.setdefault("kept", {}).setdefault(side, {})
        return chosen

    def _threshold(self, last: SeriesMatch, state: State) -> int:
        least = next_threshold(last.mark, state)
        usual = least if last.mark.kind == CAMPAIGN else max(least, FIRST_THRESHOLD)
        return max(least, int(self.memory.get("threshold", usual)))

    def _offered(self, last: SeriesMatch, state: State, side: str) -> dict[str, tuple[str, ...]]:
        found = offered_cards(last.mark, last.header, state, side, self._threshold(last, state))
        return {"player": found.players, "tactic": found.tactics}

    def _undecided(self, last: SeriesMatch) -> list[str]:
        """Return the sides that have not decided yet what they keep."""
        state = last.state
        assert state is not None
        return [
            side
            for side in keeping_sides(state)
            for part, ids in self._offered(last, state, side).items()
            if ids and self._choices(side).get(part) not in (*ids, NOTHING)
        ]

    def _card_choices(self, last: SeriesMatch, state: State) -> Widget:
        """Return the cards that each side may keep: one player card and one tactic, or none."""
        threshold = self._threshold(last, state)
        column = VBox(spacing=dp(8), padding=(0, 0, dp(10), 0), grows=True)
        if last.mark.kind == LEGACY:
            label = self.app.translate("app.nba.series.threshold")
            limits = range(next_threshold(last.mark, state), MAX_THRESHOLD + 1)
            steps = bounded_stepper(threshold, limits, self._set_threshold, label, colour="white", wide=176)
            column.add_widget(HBox(Name(label, halign="left"), steps, spacing=dp(8), tall=58))
        else:
            how = self.app.translate("app.nba.series.how", n=threshold)
            column.add_widget(Text(how, tone="craie2", halign="left"))
        for side in keeping_sides(state):
            fill(column, *self._side_choices(last, state, side))
        return column

    def _side_choices(self, last: SeriesMatch, state: State, side: str) -> list[Widget]:
        pieces: list[Widget] = []
        if last.mark.kind == LEGACY:
            scene_side = next(each for each in self._sides(state) if each.side == side)
            badge = SideBadge(colour=scene_side.colour, letter=scene_side.letter, side=30, middle=True)
            pieces.append(HBox(badge, Name(scene_side.name, halign="left"), spacing=dp(8), tall=40))
        cards = last.header["setup"]["cards"]
        for part, ids in self._offered(last, state, side).items():
            word = f"app.nba.series.{part if ids else f'no_{part}'}"
            pieces.append(BoldText(self.app.translate(word), kind="corps", tone="laiton", halign="left"))
            if not ids:
                continue
            chosen = self._choices(side).get(part)
            names = {id: str(cards[id].get("name", id)) for id in ids}
            details = {id: self.app.translate("app.nba.prepare.cost", n=cards[id].get("cost", 0)) for id in ids}
            names[NOTHING] = self.app.translate("app.nba.series.nothing")
            grid = Grid(cols=2, spacing=dp(6), grows=True)
            for id, name in names.items():
                button = ChoiceButton(text=name, detail=details.get(id, ""), prominence=1 if id == chosen else 2)
                button.bind(on_tap=lambda *_, part=part, id=id: self._choose(side, part, id))
                grid.add_widget(button)
            pieces.append(grid)
        return pieces

    def _sides(self, state: State) -> tuple[SideScene, ...]:
        return self.app.matches.games["nba"].scene(state).sides

    def _choose(self, side: str, part: str, id: str) -> None:
        self._choices(side)[part] = id
        self.app.redraw()

    def _set_threshold(self, value: int) -> None:
        self.memory["threshold"] = value
        self.app.redraw()

    # Actions

    def _prepare(self, series: PlayedSeries) -> None:
        """Open the preparation of the next match with the cards kept in the place of base cards."""
        last = series.last
        state = last.state
        assert state is not None
        undecided = self._undecided(last)
        if undecided:
            names = ", ".join(dict.fromkeys(state.setup.names[side] for side in undecided))
            self.app.show_error(self.app.translate("app.nba.series.undecided", names=names))
            return
        choices = {}
        for side in keeping_sides(state):
            offered = self._offered(last, state, side)
            kept = {part: id for part, id in self._choices(side).items() if id in offered[part]}
            choices[side] = Choice(kept.get("player"), kept.get("tactic"))
        try:
            header = following_header(last.mark, last.header, state, choices, self._threshold(last, state))
        except Refusal as refusal:
            self.app.show_error(self.app.format_refusal(refusal))
            return
        mark = SeriesMark(last.mark.kind, last.mark.number + 1, series.first)
        self.app.open("prepare", game="nba", chosen=memory_of(header, last.id, mark))

    def _begin_again(self) -> None:
        self.app.open("prepare", game="nba", chosen={"mode": self._kind})

    def _open(self, match: SeriesMatch) -> None:
        summary = next(each for each in self.app.matches.summaries("nba") if each.match_id == match.id)
        if match.is_going and match.trouble is None:
            open_match(self.app, summary)
            return
        session = self.app.matches.resume(match.id) if match.trouble is None else None
        self.app.open("report", match=summary, session=session)

    @property
    def _closed(self) -> ClosedFollowUps:
        return ClosedFollowUps(catalogue_folder(self.app))

    def _mark_closed(self, series: PlayedSeries) -> None:
        """Let the home page offer the series while it goes on, and no longer once its end has been seen here."""
        last = series.last
        if series.is_over:
            self.app.attempt(lambda: self._closed.close(last.id))
        elif last.goes_on:
            self.app.attempt(lambda: self._closed.reopen(last.id))

    def _stop(self, series: PlayedSeries) -> None:
        """Offer the series no longer on the home page; it stays in the list of series."""
        if self.app.attempt(lambda: self._closed.close(series.last.id)):
            self.app.home()

    def _take_back(self, series: PlayedSeries) -> None:
        """Remove the last match, so that it can be played again from its preparation."""
        if self.app.session is not None and self.app.session.match_id == series.last.id:
            self.app.end_session()
        if self.app.attempt(lambda: self.app.matches.remove(series.last.id)):
            self.route.args.update(first=series.first, removed=series.last.id)
            self.app.redraw()

    def _restore(self, match_id: str) -> None:
        if self.app.attempt(lambda: self.app.matches.restore(match_id)):
            self.route.args.pop("removed", None)
            self.app.redraw()


def _message(name: str, **args: object) -> Message:
    return Message(f"app.nba.series.{name}", args)
