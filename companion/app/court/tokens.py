"""Athletes as the court editor shows them: a card on the court, a card of the bench, what each is worth."""

from __future__ import annotations

from typing import Any

from kivy.app import App
from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.app.figures.words import say, text
from companion.app.theme import faded
from companion.app.widgets.framed import Framed
from companion.app.widgets.tap import Tap
from companion.app.widgets.text import Head, Name, Text
from companion.games.nba.cards import PlayerCard
from companion.games.nba.tables import POSITIONS, SKILLS, STATS
from companion.games.nba.words import word
from companion.games.wording import short_name


def worth(card: PlayerCard) -> str:
    """What a card brings: the skills it has, rebounds and game sense."""
    found = [say(f"app.court.{stat}", n=card.stat(stat)) for stat in STATS if card.stat(stat)]
    return " ".join(found)


def positions(card: PlayerCard) -> str:
    """Where it may stand."""
    return "/".join(text(word("position_short", position)) for position in POSITIONS if position in card.positions)


class CardToken(Tap, Framed, BoxLayout):
    """A card on the court or on the bench.

    `place` is the position it stands on, none on the bench. `picked` puts it on brass, `open_` in brass dashes: the
    picked card may come here; `effect` says what that would change.
    """

    text = StringProperty("")

    def __init__(
        self,
        card: PlayerCard,
        side: str,
        *,
        place: str = "",
        picked: bool = False,
        open_: bool = False,
        entered: bool = False,
        effect: str = "",
        **kwargs: Any,
    ) -> None:
        app = App.get_running_app()
        theme, tone = app.theme, app.theme.sides[side]
        super().__init__(orientation="vertical", padding=(dp(9), dp(4)), text=short_name(card.name), **kwargs)
        self.card, self.place = card, place
        ink = "laiton_encre" if picked else "craie"
        quiet = ink if picked else "craie2"
        on_court, on_bench = (tone.panel, tone.main), ((0, 0, 0, 0), faded(tone.main, 0.6))
        self.fill, self.line = on_court if place else on_bench
        if picked:
            self.fill = theme.laiton
        if picked or open_:
            self.line = theme.laiton
        self.line_width, self.dash = (3, 5) if open_ else (2, 0)
        self.add_widget(self._top(ink, mark_tone=ink if picked else side, entered=entered and not picked))
        words = effect or (worth(card) if place else f"{positions(card)} · {worth(card)}")
        self.add_widget(
            Name(words, kinds=["mini"], halign="left", strong=bool(effect), tone="laiton" if effect else quiet)
        )
        named = [text(word("position", place))] if place else []
        self.spoken = " ".join([self.text, *named, worth(card)])

    def _top(self, ink: str, mark_tone: str, entered: bool) -> BoxLayout:
        """The upper line: position, name, and a plus on a card that has just come in."""
        top = BoxLayout(spacing=dp(6), size_hint_y=None, height=App.get_running_app().theme.type("corps") * 1.25)
        if self.place:
            mark = Head(text(word("position_short", self.place)), kind="mini", tone=mark_tone, flow="line")
            mark.pos_hint = {"center_y": 0.5}
            top.add_widget(mark)
        top.add_widget(Name(short_name(self.card.name), halign="left", tone=ink))
        if entered:
            top.add_widget(Head("+", kind="corps", tone="laiton", flow="line", pos_hint={"center_y": 0.5}))
        return top


def gain(card: PlayerCard, instead: PlayerCard) -> str:
    """What a card in the place of another changes, in short."""
    found = []
    for stat in (*SKILLS, "rebounds", "iq"):
        change = card.stat(stat) - instead.stat(stat)
        if change:
            sign = "+" if change > 0 else "\N{MINUS SIGN}"
            found.append(say(f"app.court.{stat}", n=f"{sign}{abs(change)}"))
    return " ".join(found) or "±0"


def total_words(totals: dict[str, int]) -> str:
    """The sums of a court."""
    return "  ".join(say(f"app.court.{stat}", n=totals[stat]) for stat in STATS)


class Totals(Text):
    """The sums of the court as it would be."""

    def __init__(self, totals: dict[str, int], **kwargs: Any) -> None:
        super().__init__(total_words(totals), tone="craie2", halign="left", **kwargs)
