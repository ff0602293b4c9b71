"""A squad's standing in a few lines: who leads it, how many play where, what the rules still ask for."""

from __future__ import annotations

from kivy.app import App
from kivy.metrics import dp

from companion.app.widgets.pieces import Card
from companion.app.widgets.text import Head, Text
from companion.games.footclub.tables import FORMATIONS, POSTS
from companion.table.squad_standing import Standing


class StandingCard(Card):
    """Grows with what is missing; a squad that lacks nothing says how many formations it can field."""

    def __init__(self, standing: Standing, *, brief: bool = False, side: str = "") -> None:
        super().__init__(padding=(dp(12), dp(6)), spacing=dp(2), size_hint_y=None, side=side)
        self.bind(minimum_height=self.setter("height"))
        app = App.get_running_app()
        say = app.say
        count = say("app.squad.count", n=standing.players, stars=standing.stars)
        self.add_widget(Head(count, kind="bouton", halign="left"))
        posts = " ".join(f"{say(f'footclub.post.{post}')} {standing.posts[post]}" for post in POSTS)
        self.add_widget(Text(posts, kind="mini", tone="craie2", plain=False, halign="left"))
        if not brief:
            unnamed = say("app.squad.nobody")
            staff = say("app.squad.led", coach=standing.coach or unnamed, goalkeeper=standing.goalkeeper or unnamed)
            self.add_widget(Text(staff, kind="mini", tone="craie2", halign="left"))
        for message in standing.missing[: 1 if brief else None]:
            self.add_widget(Text(app.text(message), kind="mini", tone="laiton", strong=True, halign="left"))
        if not standing.missing:
            able = say("app.squad.formations", n=len(standing.formations), all=len(FORMATIONS))
            self.add_widget(Text(able, kind="mini", tone="craie", strong=True, halign="left"))
