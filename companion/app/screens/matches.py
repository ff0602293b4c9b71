"""Looking back: the kept matches, newest first. A tap opens one, or says where its journal stops."""

from __future__ import annotations

from kivy.metrics import dp

from companion.app.page import Page, load_kv
from companion.app.widgets.push import Push
from companion.app.widgets.text import Text
from companion.table.matches import MatchSummary

load_kv(__file__)


class MatchesPage(Page):
    """One row a match."""

    def build(self) -> None:
        self.ids.bar.title = self.app.say("app.matches.title")
        kept = self.app.matches.list()
        if not kept:
            self.ids.rows.add_widget(Text(self.app.say("app.matches.none"), tone="craie2", halign="left"))
        for match in kept:
            self.ids.rows.add_widget(self._row(match))

    def _row(self, match: MatchSummary) -> Push:
        say = self.app.say
        names = " – ".join(match.names.values())
        scores = " – ".join(str(match.score.get(side, 0)) for side in match.names)
        if match.trouble is not None:
            detail = self.app.text(match.trouble)
        else:
            state = say("app.matches.finished" if match.finished else "app.matches.going")
            detail = say("app.matches.detail", game=say(f"app.game.{match.game_id}"), day=match.at[:10], state=state)
        push = Push(f"{names}   {scores}", detail=detail, icon="alert" if match.trouble else "list", end="right")
        push.left, push.look, push.pad = True, "todo" if match.trouble else "well", 16
        push.size_hint_y, push.height = None, dp(64)
        push.bind(on_tap=lambda *_: self._open(match))
        return push

    def _open(self, match: MatchSummary) -> None:
        session = self.app.resume(match)
        if session is not None:
            self.app.open("timeline", session=session)
