"""The court editor of an NBA side: several substitutions at once, with the effect of each.

The game validates every step.
"""

from __future__ import annotations

from typing import Any, Literal

from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.display import display, text, translate
from companion.app.page import load_kv
from companion.app.screens.match_page import EditorPage
from companion.app.theme import faded
from companion.app.widgets.button import PushButton, Tappable
from companion.app.widgets.components import Card, Grid, HBox, Scroller, bounded_stepper
from companion.app.widgets.marks import Framed, Icon, SideBadge
from companion.app.widgets.text import BoldText, ChalkLines, Name, Text
from companion.games.base import Decision, Fields, Message, SideScene
from companion.games.nba.cards import PlayerCard
from companion.games.nba.court_draft import CourtDraft
from companion.games.nba.decisions import CourtData
from companion.games.nba.messages import word
from companion.games.nba.state import State
from companion.games.nba.tables import POSITIONS, SKILLS, STATS
from companion.games.wording import short_name


def skills_text(card: PlayerCard) -> str:
    """Return a card's values: its skills, rebounds and game sense."""
    found = [translate(f"app.court.{stat}", n=card.stat(stat)) for stat in STATS if card.stat(stat)]
    return " ".join(found)


def skills_in_words(card: PlayerCard) -> str:
    """Return a card's values with their names in full, as on the card."""
    names = {stat: word("skills", stat) if stat in SKILLS else Message(f"app.nba.stat.{stat}") for stat in STATS}
    return ", ".join(f"{text(name)} {card.stat(stat)}" for stat, name in names.items() if card.stat(stat))


def positions_text(card: PlayerCard) -> str:
    """Return a card's positions."""
    return "/".join(text(word("position_short", position)) for position in POSITIONS if position in card.positions)


_MIN_TOKEN_DP = 54


class CardToken(Tappable, Framed, BoxLayout):
    """A card on the court or on the bench. One on the bench is as high as its values need.

    `place` is its position, empty on the bench. The `state` `picked` gives it a brass background, `open` brass
    dashes: the picked card may come here, `chosen` a check mark: it is in the team. `effect` shows the resulting
    change.
    """

    text = StringProperty("")

    def __init__(
        self,
        card: PlayerCard,
        side: str,
        *,
        place: str = "",
        state: Literal["", "picked", "open", "chosen"] = "",
        entered: bool = False,
        effect: str = "",
        **kwargs: Any,
    ) -> None:
        theme, tone = display.theme, display.theme.sides[side]
        super().__init__(orientation="vertical", padding=(dp(9), dp(4)), text=short_name(card.name), **kwargs)
        self.card, self.place = card, place
        picked = state == "picked"
        ink = "laiton_encre" if picked else "craie"
        quiet = ink if picked else "craie2"
        on_court, on_bench = (tone.panel, tone.main), ((0, 0, 0, 0), faded(tone.main, 0.6))
        self.fill, self.line = on_court if place or state == "chosen" else on_bench
        if picked:
            self.fill = theme.laiton
        if state in ("picked", "open"):
            self.line = theme.laiton
        self.line_width, self.dash = (3, 5) if state == "open" else (2, 0)
        top = self._top(ink, mark_tone=ink if picked else side, entered=entered and not picked)
        if state == "chosen":
            top.add_widget(Icon("check", side=20, tone="craie"))
        self.add_widget(top)
        detail_tone = "laiton" if effect else quiet
        if place:
            values = effect or skills_text(card)
            self._detail: Text = Name(values, kinds=["mini"], halign="left", strong=bool(effect), tone=detail_tone)
        else:
            values = f"{positions_text(card)} · {skills_text(card)}"
            self._detail = Text(values, kind="mini", plain=False, halign="left", tone=detail_tone)
            self._detail.fbind("height", self._grow)
            self._grow()
        self.add_widget(self._detail)
        named = [text(word("position", place))] if place else []
        self.spoken = " ".join([self.text, *named, skills_in_words(card)])

    def describe(self, detail: str) -> None:
        """Show a text in place of the card's values."""
        self._detail.text = detail

    def _grow(self, *_: object) -> None:
        needed = display.theme.type("corps") * 1.25 + self._detail.height + self.padding[1] + self.padding[3]
        self.size_hint_min_y = max(dp(_MIN_TOKEN_DP), needed)

    def _top(self, ink: str, mark_tone: str, entered: bool) -> BoxLayout:
        """Return the upper line: position, name, and a plus on a card that has just come in."""
        top = HBox(spacing=dp(6), size_hint_y=None, height=display.theme.type("corps") * 1.25)
        if self.place:
            mark = BoldText(text(word("position_short", self.place)), kind="mini", tone=mark_tone, flow="line")
            mark.pos_hint = {"center_y": 0.5}
            top.add_widget(mark)
        top.add_widget(Name(short_name(self.card.name), halign="left", tone=ink))
        if entered:
            top.add_widget(BoldText("+", kind="corps", tone="laiton", flow="line", middle=True))
        return top


def skill_changes_text(card: PlayerCard, instead: PlayerCard) -> str:
    """Return a short text of the change when one card replaces another."""
    found = []
    for stat in (*SKILLS, "rebounds", "iq"):
        change = card.stat(stat) - instead.stat(stat)
        if change:
            sign = "+" if change > 0 else "\N{MINUS SIGN}"
            found.append(translate(f"app.court.{stat}", n=f"{sign}{abs(change)}"))
    return " ".join(found) or "±0"


def totals_text(totals: dict[str, int]) -> str:
    """Return the sums of a court as text."""
    return "  ".join(translate(f"app.court.{stat}", n=totals[stat]) for stat in STATS)


class Totals(Text):
    """The sums of the edited court."""

    def __init__(self, totals: dict[str, int], **kwargs: Any) -> None:
        super().__init__(totals_text(totals), tone="craie2", halign="left", **kwargs)


load_kv(__file__)

_COURT = "M20 -10v380M508 -10v380M20 12h488M176 12v118h176V12M192 130a72 72 0 0 0 144 0M60 12v60a204 204 0 0 0 408 0V12"
_POSITION_COORDINATES = {
    "pg": (0.5, 0.12),
    "sg": (0.19, 0.34),
    "sf": (0.81, 0.34),
    "pf": (0.22, 0.78),
    "c": (0.72, 0.72),
}
"""The centre of each position, as fractions of the court from its lower left corner."""
_TOKEN_SIZE = (164, 78)


class CourtPage(EditorPage):
    """The page with the court, the bench, and the result of the changes."""

    def build(self) -> None:
        self._scene: SideScene = next(one for one in self.session.scene().sides if one.side == self.side)
        data = court_data(self.session.game.decision(self.state), self.side)
        if self.memory.get("sequence") != self.session.sequence:
            self.memory.update(sequence=self.session.sequence, draft=CourtDraft(data) if data else None)
            if data and self.was is not None:
                self.memory["draft"].apply_event(self.was)
        draft: CourtDraft | None = self.memory["draft"]
        self.ids.bar.mark(SideBadge(colour=self._scene.colour, letter=self._scene.letter, side=32))
        self.ids.bar.title = self.app.translate("app.court.title", side=self._scene.name)
        if draft is None:
            self.ids.body.add_widget(Text(self.app.translate("app.court.too_late"), flow="box", halign="center"))
            return
        self._draft = draft
        again = PushButton(
            self.app.translate("app.court.reset"), icon="undo", style="outlined", hug=True, act=self._reset
        )
        self._valid = PushButton(
            self.app.translate("app.lineup.validate"), style="chalk", hug=True, pad=16, act=self.validate
        )
        self.ids.bar.at_end(again, self._valid)
        self._show()

    def _card(self, id: str) -> PlayerCard:
        state = self.state
        assert isinstance(state, State)
        return state.setup.player(id)

    def validate(self) -> None:
        if self._draft.event["court"]:
            super().validate()
        else:
            self.app.show_error(self.app.translate("app.court.nobody"))

    # Display

    def _show(self) -> None:
        self.ids.body.clear_widgets()
        self.ids.body.add_widget(self._court())
        info = self._info()
        if self.portrait:
            info.size_hint_y = 0.62
        else:
            info.size_hint_x, info.width = None, dp(300)
        self.ids.body.add_widget(info)
        self._valid.style = "chalk" if self.refusal() is None else "dashed"

    def _court(self) -> FloatLayout:
        draft = self._draft
        court = FloatLayout()
        court.add_widget(
            ChalkLines(path=_COURT, view_width=528, view_height=360, strength=0.2, pos_hint={"x": 0, "y": 0})
        )
        for position, id in draft.placed.items():
            card, effect, opens = self._card(id), "", False
            if draft.picked is not None and draft.picked != id:
                opens = self._can_move_to(position)
                effect = (
                    skill_changes_text(self._card(draft.picked), card)
                    if opens and draft.picked not in draft.placed.values()
                    else ""
                )
            token = CardToken(
                card,
                self._scene.colour,
                place=position,
                state="picked" if draft.picked == id else "open" if opens else "",
                entered=id in draft.entered,
                effect=effect,
                wide=_TOKEN_SIZE[0],
                tall=_TOKEN_SIZE[1],
            )
            x, y = _POSITION_COORDINATES[position]
            token.pos_hint = {"center_x": x, "center_y": y}
            token.bind(on_tap=lambda _, position=position: self._court_tapped(position))
            court.add_widget(token)
        return court

    def _can_move_to(self, position: str) -> bool:
        """Return True if the picked card may move there and the card on it may take its former place on the court."""
        draft = self._draft
        picked = str(draft.picked)
        if not draft.can_stand(picked, position, self._card(picked).positions):
            return False
        mine = next((where for where, id in draft.placed.items() if id == picked), None)
        other = draft.placed[position]
        return mine is None or draft.can_stand(other, mine, self._card(other).positions)

    def _info(self) -> Card:
        draft = self._draft
        totals = {stat: sum(self._card(id).stat(stat) for id in draft.placed.values()) for stat in STATS}
        card = Card(Totals(totals), side=self._scene.colour, radius=0, padding=(dp(12), dp(8)), spacing=dp(6))
        if draft.max_fatigue:
            card.add_widget(self._fatigue())
        card.add_widget(BoldText(self._question(), kind="corps", tone="craie2", halign="left"))
        if draft.picked is not None:
            card.add_widget(Text(skills_in_words(self._card(draft.picked)), kind="mini", tone="craie2", halign="left"))
        grid = Grid(cols=2 if self.portrait else 1, spacing=dp(5), padding=(0, 0, dp(8), 0), grows=True)
        for id in draft.bench:
            token = CardToken(self._card(id), self._scene.colour, state="picked" if draft.picked == id else "")
            token.bind(on_tap=lambda _, id=id: self._bench_tapped(id))
            grid.add_widget(token)
        card.add_widget(Scroller(grid))
        return card

    def _question(self) -> str:
        picked = self._draft.picked
        if picked is None:
            return self.app.translate("app.court.who")
        return self.app.translate("app.court.where", player=short_name(self._card(picked).name))

    def _fatigue(self) -> Widget:
        draft = self._draft
        label = self.app.translate("app.court.fatigue")

        def set_fatigue(fatigue: int) -> None:
            draft.removed = fatigue
            self._show()

        limits = range(draft.max_fatigue + 1)
        steps = bounded_stepper(draft.fatigue, limits, set_fatigue, label, colour=self._scene.colour, wide=170)
        return HBox(Text(label, flow="box", halign="left"), steps, spacing=dp(8), tall=58)

    # Tap handlers

    def _court_tapped(self, position: str) -> None:
        draft = self._draft
        if draft.picked is not None and draft.picked != draft.placed[position] and self._can_move_to(position):
            draft.place(position)
        else:
            draft.pick(draft.placed[position])
        self._show()

    def _bench_tapped(self, id: str) -> None:
        draft = self._draft
        on_court = next((where for where, other in draft.placed.items() if other == draft.picked), None)
        if on_court is not None and draft.can_stand(id, on_court, self._card(id).positions):
            draft.picked = id
            draft.place(on_court)
        else:
            draft.pick(id)
        self._show()

    def _reset(self) -> None:
        self._draft.reset()
        self._show()

    def event(self) -> Fields:
        return self._draft.event


def court_data(decision: Decision, side: str) -> CourtData | None:
    """Return the data for the editor of this side's court; None if it cannot be changed now."""
    for choice in decision.choices:
        if choice.side != side or choice.disabled_reason is not None:
            continue
        data = next((ask.data for ask in choice.prompts if isinstance(ask.data, CourtData)), None)
        if data is not None:
            return data
    return None
