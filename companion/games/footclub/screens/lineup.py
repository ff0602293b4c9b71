"""Screen 13: the line-up editor, for the team sheet before a match and for changes during it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.metrics import dp
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.app.display import display, translate
from companion.app.page import load_kv
from companion.app.screens.match_page import EditorPage
from companion.app.theme import RGBA, faded
from companion.app.widgets.button import PushButton, Tappable
from companion.app.widgets.components import Card, Chip, Grid, HBox, Scroller, VBox, fill
from companion.app.widgets.marks import Framed, Icon, SideBadge
from companion.app.widgets.secret_cover import secret_cover
from companion.app.widgets.sheet import SheetEntry, list_sheet
from companion.app.widgets.text import BoldText, ChalkLines, Name, Text
from companion.games.base import Fields, Message
from companion.games.footclub.lineup_draft import (
    LineupDraft,
    Spot,
    bench,
    event_from_draft,
    move_effect,
    profiles,
    team_sums,
)
from companion.games.footclub.messages import word
from companion.games.footclub.screens.clubs import club_of
from companion.games.footclub.state import Player
from companion.games.footclub.tables import AM, CB, DM, FB, FORMATIONS, FW, Formation
from companion.games.footclub.team import formation_text
from companion.games.wording import short_name, signed


def level_badge(player: Player, tone: str, strong: bool = False) -> BoxLayout:
    """Return `3★ Te/Ta`: level in play and profiles."""
    language = display.language
    box = HBox(size_hint=(None, None), spacing=dp(2))
    profiles = "/".join(language(f"app.profile.{profile}") for profile in player.card.profiles)
    kind = BoldText if strong else Text
    for piece in (
        kind(str(player.level), kind="corps" if strong else "mini", flow="line", tone=tone, leading=1.0),
        Icon("star", side=13, tone=tone),
        kind(" " + profiles, kind="corps" if strong else "mini", flow="line", tone=tone, leading=1.0),
    ):
        if isinstance(piece, Text):
            piece.texture_update()
            piece.size = piece.texture_size
        piece.pos_hint = {"center_y": 0.5}
        box.add_widget(piece)
    box.height = max(piece.height for piece in box.children)
    box.width = sum(piece.width for piece in box.children) + 2 * dp(2)
    return box


def effect_text(attack: int, defence: int) -> str:
    """Return `ATT −1`, `DEF +2`, `ATT, DEF −1` or `±0`."""
    if attack and attack == defence:
        return f"ATT, DEF {signed(attack)}"
    parts = [f"{name} {signed(value)}" for name, value in (("ATT", attack), ("DEF", defence)) if value]
    return " ".join(parts) or signed(0)


class PlayerToken(Tappable, Framed, FloatLayout):
    """A player on the pitch.

    `effect` (with brass dashes) is the change in ATT and DEF if the picked player moves here. `displayed` lets the
    creator remember what the token shows.
    """

    text = StringProperty("")
    displayed: object = None

    def __init__(
        self, player: Player, side: str, *, effect: str | None, picked: bool, captain: bool, **kwargs: Any
    ) -> None:
        theme, tone = display.theme, display.theme.sides[side]
        name = short_name(player.card.name)
        super().__init__(text=name, size_hint=(None, None), **kwargs)
        ink = "laiton_encre" if picked else "craie"
        self.fill = theme.laiton if picked else tone.panel
        self.line = theme.laiton if picked or effect is not None else tone.main
        self.line_width, self.dash = (3, 5) if effect is not None else (2, 0)
        share = 1.0 if theme.roomy or effect is None else 0.6
        column = VBox(
            Name(name, halign="left", tone=ink, leading=0.9, size_hint=(1, share)),
            padding=(dp(7 if theme.roomy else 5), dp(3), dp(3), dp(3)),
            pos_hint={"x": 0, "y": 0},
        )
        if player.status == "injured_off":
            column.add_widget(Text(translate("app.lineup.injured"), kind="mini", flow="box", halign="left", tone=ink))
        elif theme.roomy or effect is None:
            mark = level_badge(player, "laiton_encre" if picked else "craie2")
            mark.pos_hint = {"center_y": 0.5}
            column.add_widget(HBox(mark))
        if effect is not None:
            column.add_widget(Name(effect, kinds=["mini"], halign="left", tone="laiton", leading=0.85))
        self.add_widget(column)
        if captain:
            badge = Framed(radius=6, fill=theme.craie, wide=22, tall=22)
            letter = BoldText(
                translate("app.lineup.captain_letter"), kind="mini", flow="box", halign="center", tone="encre"
            )
            self.bind(pos=lambda *_: self._pin(badge, letter), size=lambda *_: self._pin(badge, letter))
            fill(self, badge, letter)

    def _pin(self, badge: Framed, letter: BoldText) -> None:
        badge.pos = (self.x + self.width - dp(13), self.y + self.height - dp(11))
        letter.size_hint, letter.size, letter.pos = (None, None), badge.size, badge.pos


class BenchRow(Tappable, Framed, BoxLayout):
    """A player who could come on. `displayed` lets the creator remember what the row shows."""

    text = StringProperty("")
    displayed: object = None

    def __init__(self, player: Player, side: str, *, picked: bool, comes: bool, **kwargs: Any) -> None:
        theme, tone = display.theme, display.theme.sides[side]
        name = short_name(player.card.name)
        super().__init__(text=name, padding=(dp(10), dp(3)), spacing=dp(6), tall=52, **kwargs)
        ink = "laiton_encre" if picked else "craie"
        clear: RGBA = (0.0, 0.0, 0.0, 0.0)
        self.fill = theme.laiton if picked else clear
        self.line = theme.laiton if picked or comes else faded(tone.main, 0.6)
        self.dash = 5 if comes and not picked else 0
        column = VBox(Name(name, halign="left", tone=ink))
        quiet = ink if picked else "craie2"
        posts = self._posts(player)
        column.add_widget(Name(posts, kinds=["mini"], strong=False, halign="left", tone=quiet, leading=0.95))
        self.add_widget(column)
        mark = level_badge(player, ink, strong=True)
        mark.pos_hint = {"center_y": 0.5}
        self.add_widget(mark)

    def _posts(self, player: Player) -> str:
        posts = [word("post", post) for post in player.card.posts]
        text: str = display.language.text(posts[0])
        if len(posts) > 1:
            text = display.language.text(Message("app.lineup.or", {"first": posts[0], "second": posts[1]}))
        if display.theme.roomy and player.card.strength and player.card.strength != "versatile":
            text += ", " + display.language.text(word("strength", player.card.strength)).lower()
        return text


class InfoPanel(Card):
    """Shows a draft; `tapped` receives the id of the tapped player of the bench."""

    def __init__(self, draft: LineupDraft, tapped: Callable[[str], None], **kwargs: Any) -> None:
        self._draft, self._tapped = draft, tapped
        self._parts: dict[str, tuple[object, Widget]] = {}
        self._rows: dict[str, BenchRow] = {}
        super().__init__(side=draft.club.side, radius=0, padding=(dp(12), dp(8)), spacing=dp(6), **kwargs)
        self._grid = Grid(cols=2 if display.portrait else 1, spacing=dp(5), grows=True)
        self._grid.padding = (0, 0, dp(8), 0)
        self._scroller = Scroller()
        self._scroller.add_widget(self._grid)
        self.show()

    def show(self) -> None:
        """Draw the current draft; unchanged parts and the bench's scroll position stay."""
        parts = [self._part("sums", team_sums(self._draft), self._sums)]
        if display.theme.roomy:
            parts.append(self._part("profiles", profiles(self._draft), self._profiles))
            parts.append(self._part("staff", None, self._staff))
        question = self._question()
        parts.append(
            self._part("question", question, lambda: BoldText(question, kind="mini", tone="craie2", halign="left"))
        )
        self._bench()
        if [*parts, self._scroller] != self.children[::-1]:
            self.clear_widgets()
            fill(self, *parts, self._scroller)

    def _part(self, name: str, value: object, make: Callable[[], Widget]) -> Widget:
        known = self._parts.get(name)
        if known is None or known[0] != value:
            known = self._parts[name] = (value, make())
        return known[1]

    def _question(self) -> str:
        picked = self._draft.picked
        if picked is None:
            return translate("app.lineup.bench")
        on_pitch = picked in self._draft.placed.values()
        name = short_name(self._draft.club.players[picked].card.name)
        return translate("app.lineup.with_whom" if on_pitch else "app.lineup.for_whom", player=name)

    def _bench(self) -> None:
        draft = self._draft
        rows: dict[str, BenchRow] = {}
        for id in bench(draft):
            flags = {"picked": draft.picked == id, "comes": draft.can_replace_picked(id)}
            row = self._rows.get(id)
            if row is None or row.displayed != flags:
                row = BenchRow(draft.club.players[id], draft.club.side, act=lambda id=id: self._tapped(id), **flags)
                row.displayed = flags
            rows[id] = row
        if list(rows.values()) != self._grid.children[::-1]:
            self._grid.clear_widgets()
            fill(self._grid, *rows.values())
        self._rows = rows

    def _sums(self) -> BoxLayout:
        attack, defence, optimised = team_sums(self._draft)
        large = display.theme.text / 100
        line = HBox(size_hint_y=None, height=dp(56) * large, spacing=dp(10))
        for name, value in (("ATT", attack), ("DEF", defence)):
            column = VBox(size_hint_x=None, width=dp(44) * large)
            label = Text(name, kind="mini", tone="craie2", flow="box", halign="left", size_hint_y=0.5, leading=1.0)
            fill(column, label, BoldText(str(value), kind="grand", flow="box", halign="left", leading=0.9))
            line.add_widget(column)
        side = self._draft.club.side
        label_text = translate("app.lineup.optimised" if optimised else "app.lineup.not_optimised")
        line.add_widget(Name(label_text, tone=side if optimised else "craie3", halign="right"))
        if optimised:
            line.add_widget(Icon("check", side=22, tone=side, weight=1.3, middle=True))
        return line

    def _profiles(self) -> BoxLayout:
        line = HBox(spacing=dp(6), tall=26)
        for name, have, want in profiles(self._draft):
            tone = "craie" if have == want else "laiton"
            line.add_widget(Chip(translate(f"app.profile.{name}.short"), f"{have}/{want}", tone, kind="mini"))
        return line

    def _staff(self) -> Text:
        goalkeeper, coach = self._draft.club.goalkeeper, self._draft.club.coach
        names = {"goalkeeper": short_name(goalkeeper.name), "coach": short_name(coach.name)}
        sentence = translate("app.lineup.staff", **names, g=goalkeeper.level, c=coach.level)
        return Text(sentence, kind="mini", tone="craie2", halign="left", leading=1.0)


_WIDE = (
    "M262-10v450M-4 112h60v200H-4M532 112h-60v200h60M-4 8h540M-4 416h540M262 150a62 62 0 0 1 0 124a62 62 0 0 1 0-124"
)
_TALL = "M8 200h434M120 402v-66h210v66M120-4v64h210V-4M8-10v430M442-10v430M167 200a58 58 0 0 1 116 0a58 58 0 0 1-116 0"
_TOUCHLINE = 10
"""The distance in dp between the upper edge and the line of the pitch: texts are under the line."""
_WIDEST = 5
"""The maximum number of players in a line: two full backs and three centre backs."""


def lines(formation: Formation, tall: bool) -> list[list[Spot]]:
    """Return the places line by line from defence to attack, each from the club's left to its right.

    Full backs are beside the centre backs; on a tall pitch five do not fit, so the full backs are one line ahead.
    """
    fb, cb = formation[FB], formation[CB]
    centre = [(CB, index) for index in range(cb)]
    rest = [[(post, index) for index in range(formation[post])] for post in (DM, AM, FW)]
    if tall and fb + cb >= _WIDEST:
        return [centre, [(FB, index) for index in range(fb)], *rest]
    left = [(FB, index) for index in range((fb + 1) // 2)]
    right = [(FB, index) for index in range((fb + 1) // 2, fb)]
    return [[*left, *centre, *right], *rest]


_TOKEN_GAP = 20
"""Space between two tokens of a wide pitch in dp: the captain's badge sticks out by 9 on the right."""


class Pitch(FloatLayout):
    """Shows a draft; `tapped` receives the place of the tapped token."""

    def __init__(self, draft: LineupDraft, tapped: Callable[[Spot], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._draft, self._tapped = draft, tapped
        self._tall: bool = display.portrait
        self._tokens: dict[Spot, PlayerToken] = {}
        view = (450, 410) if self._tall else (528, 424)
        self._chalk = ChalkLines(path=_TALL if self._tall else _WIDE, view_width=view[0], view_height=view[1])
        self._chalk.pos_hint = {"x": 0, "y": 0}
        line_names = (
            ()
            if self._tall
            else (translate("app.lineup.defence"), *(translate(f"footclub.post.{post}") for post in ("dm", "am", "fw")))
        )
        self._heads = [BoldText(word, kind="mini", tone="craie2", flow="line") for word in line_names]
        self.bind(size=self._place, pos=self._place)
        self.show()

    def show(self) -> None:
        """Draw the current draft; unchanged tokens stay."""
        draft = self._draft
        if self._chalk.parent is None:
            fill(self, self._chalk, *self._heads)
        kept, self._tokens = self._tokens, {}
        for spot, id in draft.placed.items():
            change = effect_text(*move_effect(draft, spot)) if draft.can_move_to(spot) else None
            picked, captain = draft.picked == id, draft.captain == id
            token = kept.pop(spot, None)
            if token is None or token.displayed != (id, change, picked, captain):
                self._take_away(token)
                player = draft.club.players[id]
                token = PlayerToken(player, draft.club.side, effect=change, picked=picked, captain=captain)
                token.displayed = (id, change, picked, captain)
                token.bind(on_tap=lambda _, spot=spot: self._tapped(spot))
                self.add_widget(token)
            self._tokens[spot] = token
        for token in kept.values():
            self._take_away(token)
        self._place()

    def _take_away(self, token: PlayerToken | None) -> None:
        if token is not None:
            self.remove_widget(token)

    def _place(self, *_: object) -> None:
        rows = lines(self._draft.formation, self._tall)
        long, across = (self.height, self.width) if self._tall else (self.width, self.height)
        head = self._heads[0].font_size * 1.2 + dp(_TOUCHLINE) if self._heads else 0
        across -= head
        deepest = max(len(row) for row in rows)
        token_spacing = across / deepest
        if self._tall:
            size = (min(dp(110), token_spacing - dp(5)), min(dp(68), long / len(rows) - dp(6)))
        else:
            size = (min(dp(124), long / len(rows) - dp(_TOKEN_GAP)), min(dp(68), token_spacing - dp(6)))
        for depth, row in enumerate(rows):
            along = long * (depth + 0.5) / len(rows)
            if self._heads:
                self._heads[depth].center = (self.x + along, self.top - (head + dp(_TOUCHLINE)) / 2)
                self._heads[depth].opacity = 1.0 if row else 0.0
            gap = min(across / len(row), token_spacing * 1.25 if len(row) > 1 else across)
            for place, spot in enumerate(row):
                off = (place - (len(row) - 1) / 2) * gap
                token = self._tokens[spot]
                token.size = size
                token.center = (
                    (self.center_x + off, self.y + along)
                    if self._tall
                    else (self.x + along, self.center_y - head / 2 - off)
                )


load_kv(__file__)


class LineupPage(EditorPage):
    """The page for the team sheet before a match, or for changes during it."""

    def build(self) -> None:
        club = club_of(self.state, self.side)
        if self.memory.get("sequence") != self.session.sequence:
            draft = LineupDraft.sheet(club) if club.lineup is None else LineupDraft.change(club)
            if draft is not None and self.was is not None:
                draft.apply_event(self.was)
            self.memory.update(sequence=self.session.sequence, draft=draft)
        draft = self.memory["draft"]
        self._head(draft)
        if draft is None:
            self.ids.body.add_widget(Text(self.app.translate("app.lineup.short"), flow="box", halign="center"))
            return
        self._draft: LineupDraft = draft
        if self._is_covered(draft):
            self._cover()
        else:
            self._show_draft()

    def _is_covered(self, draft: LineupDraft) -> bool:
        """Return True for a new team sheet until its club has said that it is alone."""
        return draft.before is None and self.was is None and not self.memory.get("uncovered")

    def _cover(self) -> None:
        """Cover the team sheet: the other club must not see it before its own is done (FootClub rules, p. 25)."""
        names = self.session.header["sides"]
        other = next(side for side in names if side != self.side)
        reason = self.app.translate("app.lineup.secret", club=names[self.side]["name"])
        self.ids.body.add_widget(secret_cover(self.side, names[other]["name"], reason, self._uncover))

    def _uncover(self) -> None:
        self.memory["uncovered"] = True
        self.app.redraw()

    def _show_draft(self) -> None:
        draft = self._draft
        self._pitch = Pitch(draft, self._pitch_tapped)
        self._info = InfoPanel(draft, self._bench_tapped)
        if self.portrait:
            self._info.size_hint_y, self._info.height = None, dp(330)
        else:
            self._info.size_hint_x, self._info.width = None, dp(272)
        fill(self.ids.body, self._pitch, self._info)
        self._update_validate_button()

    # Toolbar

    def _head(self, draft: LineupDraft | None) -> None:
        bar = self.ids.bar
        bar.mark(SideBadge(colour=self.side, letter=self.app.translate(f"app.letter.{self.side}"), side=32))
        name = self.session.header["sides"][self.side]["name"]
        kind = "sheet" if draft is None or draft.before is None else "change"
        bar.title = self.app.translate(f"app.lineup.title.{kind}", club=name)
        if draft is None or self._is_covered(draft):
            return
        box = Card(orientation="horizontal", surface="creux", size_hint_x=None)
        for icon, step in (("left", -1), ("right", 1)):
            push = PushButton(
                icon=icon, style="quiet", spoken=self.app.translate(f"app.lineup.formation.{icon}"), wide=48
            )
            push.bind(on_tap=lambda _, step=step: self._step(step))
            box.add_widget(push)
        self._formation = PushButton(formation_text(draft.formation), style="quiet", hug=True, pad=4, act=self._list)
        self._formation.kind = "titre" if self.app.theme.roomy else "corps"
        box.add_widget(self._formation, index=1)
        self._formation.bind(width=lambda *_: setattr(box, "width", self._formation.width + dp(96)))
        if self.portrait:  # the header has room for the title or for the formation, not for both
            row = HBox(Widget(), box, Widget(), padding=(0, dp(4)), tall=60)
            self.ids.body.add_widget(row, index=len(self.ids.body.children))
        else:
            bar.at_end(box)
        self._valid = PushButton(
            self.app.translate("app.lineup.validate"), style="chalk", hug=True, pad=16, act=self.validate
        )
        bar.at_end(self._valid)

    def _step(self, step: int) -> None:
        choices = self._draft.formations()
        at = choices.index(self._draft.formation) if self._draft.formation in choices else 0
        self._change_formation(choices[(at + step) % len(choices)])

    def _list(self) -> None:
        offered = self._draft.formations()
        entries = [self._formation_entry(formation, formation in offered) for formation in sorted(FORMATIONS)]
        self.app.show_sheet(
            list_sheet(
                self.app.translate("app.lineup.formations"),
                entries,
                cols=4 - self.portrait * (1 + (not self.app.theme.roomy)),
                height=54,
            )
        )

    def _formation_entry(self, formation: Formation, offered: bool) -> SheetEntry:
        disabled_reason = (
            "" if offered else self.app.translate("app.lineup.cannot", formation=formation_text(formation))
        )
        return SheetEntry(
            formation_text(formation),
            lambda: self._change_formation(formation),
            disabled_reason=disabled_reason,
            on=formation == self._draft.formation,
        )

    def _change_formation(self, formation: Formation) -> None:
        self._draft.change_formation(formation)
        self._formation.text = formation_text(self._draft.formation)
        self._show()

    # Tap handlers of players

    def _pitch_tapped(self, spot: Spot) -> None:
        draft = self._draft
        id = draft.placed[spot]
        if draft.can_move_to(spot):
            draft.move(spot)
        elif draft.picked == id:
            self._set_captain(id)
        else:
            draft.picked = id
        self._show()

    def _set_captain(self, id: str) -> None:
        draft = self._draft
        draft.picked = None
        if draft.before is not None and draft.captain in draft.placed.values() and draft.captain != id:
            self.app.show_error(self.app.translate("app.lineup.armband_stays"))
        elif draft.can_be_captain(id):
            draft.set_captain(id)
        else:
            self.app.show_error(
                self.app.translate("app.lineup.no_captain", player=self._draft.club.players[id].card.name)
            )

    def _bench_tapped(self, id: str) -> None:
        draft = self._draft
        if draft.can_replace_picked(id):
            spot = next(spot for spot, other in draft.placed.items() if other == draft.picked)
            draft.picked = id
            draft.move(spot)
        else:
            draft.pick(id)
        self._show()

    # Layout

    def _show(self) -> None:
        self._pitch.show()
        self._info.show()
        self._update_validate_button()

    def _update_validate_button(self) -> None:
        self._valid.style = "chalk" if self.refusal() is None else "dashed"

    def event(self) -> Fields:
        return event_from_draft(self._draft)
