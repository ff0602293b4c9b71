"""The team builder: the starters, substitutes and base tactics of one side, with a suggestion in one tap."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.page import load_kv
from companion.app.widgets.button import PushButton
from companion.app.widgets.components import (
    Card,
    Grid,
    HBox,
    Scroller,
    SegmentedControl,
    VBox,
    bounded_stepper,
    fill,
)
from companion.app.widgets.marks import SideBadge
from companion.app.widgets.text import BoldText, Name, Text
from companion.games.nba.messages import word
from companion.games.nba.screens.court import CardToken, totals_text
from companion.games.nba.screens.preparation_page import PreparationPage
from companion.games.nba.tables import POSITIONS, STATS, TYPES
from companion.games.nba.team_builder import base_tactics, most_copies, starters, substitutes, suggest_team

load_kv(__file__)

TABS = ("court", "bench", "tactics")
_TACTIC_TALL, _NAME_TALL, _LABEL_WIDE = 80, 26, 84


class TeamPage(PreparationPage):
    """The page of one side: the part of its row's id after the dot."""

    def build(self) -> None:
        translate, plan = self.app.translate, self.plan
        self.side = str(self.route.args["row"]).partition(".")[2]
        self._rules, self._draft = plan.settings.team_rules(self.side), plan.settings.team_draft(self.side)
        column = next(column for column in plan.columns() if column.side == self.side)
        self._colour = column.colour
        self.ids.bar.mark(SideBadge(colour=column.colour, letter=column.letter, side=32))
        self.ids.bar.title = translate("app.nba.team.title", side=plan.settings.name(self.side))
        suggest = PushButton(translate("app.nba.team.suggest"), icon="star", style="outlined", hug=True)
        suggest.bind(on_tap=lambda *_: self._suggest())
        self._done = PushButton(translate("app.nba.team.done"), style="chalk", hug=True, pad=16, act=self._leave)
        self.ids.bar.at_end(suggest, self._done)
        self._show()

    # Display

    @property
    def _scale(self) -> float:
        """The factor of heights for large text."""
        return max(1.0, self.app.theme.text / 100)

    def _token(self, id: str, chosen: bool) -> CardToken:
        return CardToken(self.player(id), self._colour, state="chosen" if chosen else "")

    @property
    def _tabs(self) -> tuple[str, ...]:
        return tuple(tab for tab in TABS if not (tab == "bench" and self._rules.solo))

    def _show(self) -> None:
        tab = self.memory.setdefault("tab", TABS[0])
        body: BoxLayout = self.ids.body
        body.clear_widgets()
        rows = {"court": self._court, "bench": self._bench, "tactics": self._tactics}[tab]()
        scroller = Scroller(rows)
        scroller.scroll_y = self.memory.get(f"down.{tab}", 1.0)
        scroller.bind(scroll_y=lambda _, down: self._remember_scroll(tab, scroller, down))
        fill(body, self._tab_bar(tab), scroller, self._foot())
        faults = self._draft.faults(self.plan.cards, self._rules)
        self._done.style = "dashed" if faults else "chalk"

    def _tab_bar(self, tab: str) -> BoxLayout:
        """Return the three parts of the team, each with its count."""
        draft = self._draft
        counts = {"court": len(draft.court), "bench": len(draft.bench), "tactics": len(draft.tactics)}
        options = [(one, self.app.translate(f"app.nba.team.tab_{one}", n=counts[one])) for one in self._tabs]
        return HBox(SegmentedControl(options, tab, self._open_tab), tall=56)

    def _court(self) -> Widget:
        """Return a row for each position with the starters that may begin there."""
        lines = []
        for position in POSITIONS:
            name = self.app.text(word("position", position))
            known = starters(self.plan.cards, position)
            missing = Text(
                self.app.translate("app.nba.team.no_starter_card", position=name), halign="left", tone="laiton"
            )
            tokens = [self._starter(id, position) for id in known] or [missing]
            grid = Grid(*tokens, cols=2 if known else 1, spacing=dp(6), grows=True)
            label = Name(name, halign="left", tone="craie2", wide=None if self.portrait else _LABEL_WIDE)
            if self.portrait:
                label.size_hint_y, label.height = None, dp(_NAME_TALL) * self._scale
            line = HBox(label, grid, spacing=dp(4 if self.portrait else 8), grows=True)
            line.orientation = "vertical" if self.portrait else "horizontal"
            lines.append(line)
        return VBox(*lines, spacing=dp(8), padding=(0, 0, dp(10), 0), grows=True)

    def _starter(self, id: str, position: str) -> CardToken:
        token = self._token(id, self._draft.court.get(position) == id)
        token.place = position
        token.bind(on_tap=lambda *_: self._change(lambda: self._draft.place(position, id)))
        return token

    def _bench(self) -> Widget:
        ids = [id for id in substitutes(self.plan.cards, self._rules) if id not in self._draft.court.values()]
        return self._grid([self._substitute(id) for id in ids])

    def _substitute(self, id: str) -> CardToken:
        token = self._token(id, id in self._draft.bench)
        token.bind(on_tap=lambda *_: self._change(lambda: self._draft.toggle(id)))
        return token

    def _tactics(self) -> Widget:
        cards = self.plan.cards
        return self._grid(
            [self._tactic(id) for type_ in TYPES for id in base_tactics(cards, self._rules, type_)], wide=True
        )

    def _tactic(self, id: str) -> Widget:
        """Return a tactic with the number of its copies in the deck."""
        card, cards = self.tactic(id), self.plan.cards
        kept = " ".join(self.app.translate(f"app.court.{skill}", n=n) for skill, n in card.keep)
        args = {"type": word("type", card.type), "complexity": card.complexity, "keep": kept}
        detail = Name(self.app.translate("app.nba.team.tactic", **args), kinds=["mini"], halign="left", tone="craie2")
        names = VBox(Name(card.name, halign="left"), detail)
        count = self._draft.tactics.count(id)
        limits = range(max(count, most_copies(cards, self._rules, id)) + 1)
        steps = bounded_stepper(
            count,
            limits,
            lambda n: self._change(lambda: self._draft.set_copies(id, n)),
            card.name,
            colour=self._colour,
            wide=160,
            middle=True,
        )
        line = HBox(names, steps, spacing=dp(6), padding=(dp(10), dp(2), dp(8), dp(2)))
        return Card(line, side=self._colour if count else "", tall=_TACTIC_TALL * self._scale)

    def _grid(self, tokens: Sequence[Widget], wide: bool = False) -> Grid:
        cols = 1 if self.portrait and wide else 2
        return Grid(*tokens, cols=cols, spacing=dp(6), padding=(0, 0, dp(10), 0), grows=True)

    def _foot(self) -> Card:
        """Return what the rules still ask for, or what the team lacks, or its sums."""
        draft, cards = self._draft, self.plan.cards
        messages = draft.faults(cards, self._rules) or draft.remarks(cards, self._rules)
        if messages:
            label = BoldText(self.app.text(messages[0]), kind="corps", tone="laiton", halign="left")
        else:
            label = Text(totals_text({stat: draft.total(cards, stat) for stat in STATS}), tone="craie2", halign="left")
        return Card(label, surface="nuit", padding=(dp(10), dp(6)), grows=True)

    def _remember_scroll(self, tab: str, scroller: Scroller, down: float) -> None:
        if scroller.children and scroller.children[0].height > scroller.height:
            self.memory[f"down.{tab}"] = down

    # Changes

    def _open_tab(self, tab: str) -> None:
        self.memory["tab"] = tab
        self._show()

    def _change(self, change: Callable[[], None]) -> None:
        change()
        self._keep()

    def _suggest(self) -> None:
        suggestion = suggest_team(self.plan.cards, self._rules)
        if self._rules.solo:
            suggestion.bench = self._draft.bench  # unused by the solo opponent, but by a person who takes this side
        self._draft = suggestion
        self._keep()

    def _keep(self) -> None:
        self.plan.set_team(self.side, self._draft)
        self._show()

    def _leave(self) -> None:
        faults = self._draft.faults(self.plan.cards, self._rules)
        if faults:
            self.app.show_error("\n".join(self.app.text(fault) for fault in faults))
        else:
            self.app.back()
