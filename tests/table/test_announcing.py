"""Announcements of real matches: each event once, awaited actions and choices with "all", never a hidden secret."""

from __future__ import annotations

from random import Random

import pytest

from companion.clock import SystemClock
from companion.games.figures import Headline
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.language import Language
from companion.table.announcer import Announcer, Cue
from companion.table.matches import Matches

FRENCH = Language("fr")
COLOURS = {"red": "rouge", "orange": "orange", "yellow": "jaune", "green": "vert", "blue": "bleu", "violet": "violet"}


class Listener:
    """A session with an announcer; collects all speech as sentences."""

    def __init__(self, session):
        self.session = session
        self.announcer = Announcer(session)
        self.results: list[str] = []
        self.all: list[str] = []
        self.cues: list[Cue | None] = []
        session.outputs.subscribe(self.hear)

    def hear(self, news):
        heard = self.announcer.announce(news)
        self.cues += [heard.cue] if heard.cue else []
        self.results += [FRENCH.text(message) for message in heard.messages("results")]
        self.all += [FRENCH.text(message) for message in heard.messages("all")]
        assert heard.messages("off") == ()

    def forget(self) -> None:
        self.results, self.all, self.cues = [], [], []


@pytest.fixture
def matches(tmp_path):
    with Store.open(tmp_path / "matches.db", SystemClock()) as store:
        yield Matches(store, GAMES)


def begun(matches, game_id="footclub", seed=3):
    game = GAMES[game_id]
    return matches.start(game_id, game.random_header(Random(seed)))


def play(session, until, seed=3, most=400):
    """Play random legal events until `until` accepts one; that event is returned, not recorded."""
    random = Random(seed)
    for _ in range(most):
        fields = session.game.random_event(session.state, random)
        if until(fields):
            return fields
        session.record(fields)
    raise AssertionError("the match never came to it")


def event(name):
    return lambda fields: fields["event"] == name


def test_a_card_names_the_designated_player_in_full_and_the_bonus(matches):
    session = begun(matches)
    fields = play(session, event("offensive"))
    listener = Listener(session)
    session.record(fields)
    designated = next(figure.detail for figure in session.scene().figures if isinstance(figure, Headline))
    assert listener.results[1] == FRENCH.text(designated)
    assert not listener.results[1].startswith(("A.", "B.", "C.", "D.", "E."))
    assert listener.results[2].endswith(f" {session.state.offensive.final}")


def test_the_ball_die_says_colour_and_who_has_it(matches):
    session = begun(matches)
    fields = play(session, event("ball"))
    listener = Listener(session)
    session.record(fields)
    assert listener.results[0].startswith(f"Ballon {COLOURS[fields['colour']]}")
    assert "a le ballon" in listener.results[1]
    assert listener.cues == [Cue.READ]


def test_a_goal_says_the_score_and_sounds_the_horn(matches):
    session = begun(matches, "occasion")
    fields = play(session, event("goal_scored"), seed=5)
    listener, goals_before = Listener(session), sum(session.state.score)
    session.record(fields)
    names = [side.name for side in session.scene().sides]
    score = session.state.score
    assert sum(score) == goals_before + 1
    assert listener.cues == [Cue.GOAL]
    assert listener.results[-1] == f"{names[0]} {score[0]}, {names[1]} {score[1]}"


def test_results_say_no_more_than_all_and_all_says_who_is_awaited(matches):
    session = begun(matches)
    fields = play(session, event("offensive"))
    listener = Listener(session)
    session.record(fields)
    assert set(listener.results) < set(listener.all)
    title = FRENCH.text(session.decision().title)
    assert title in listener.all
    assert title not in listener.results
    may = next(text for text in listener.all if "peut\u00a0:" in text)
    legal = [c for c in session.decision().choices if c.disabled_reason is None and c.side == session.game.sides[0]]
    assert FRENCH.text(legal[0].label) in may


def test_line_ups_and_secret_choices_are_never_told(matches):
    session = begun(matches)
    listener = Listener(session)
    prepared = []

    def note(fields):
        prepared.append(fields["event"])
        return fields["event"] == "ball"

    play(session, note)
    assert {"team_sheet", "tactics"} <= set(prepared)
    assert listener.results == []


def test_nothing_is_said_twice_after_undo_and_redo(matches):
    session = begun(matches)
    fields = play(session, event("offensive"))
    listener = Listener(session)
    session.record(fields)
    listener.forget()
    session.undo()
    assert listener.all == ["Repris"]
    listener.forget()
    session.redo()
    assert (listener.results, listener.all) == ([], [])


def test_what_is_played_in_the_place_of_an_undone_fact_is_said(matches):
    session = begun(matches)
    fields = play(session, event("offensive"))
    listener = Listener(session)
    session.record(fields)
    session.undo()
    listener.forget()
    session.record({"event": "no_offensive", "side": fields["side"]})
    assert any("n’attaque pas" in text for text in listener.results)
    assert FRENCH.text(session.decision().title) in listener.all


def test_a_correction_says_only_what_is_awaited_otherwise_now(matches):
    session = begun(matches)
    fields = play(session, event("ball"))
    listener = Listener(session)
    session.record(fields)
    listener.forget()
    line = session.ledger.newest.line
    colour = next(colour for colour in ("red", "green") if colour != fields["colour"])
    session.correct(line, {"event": "ball", "colour": colour})
    assert listener.results == []
    assert listener.all[0] == "Corrigé"
    listener.forget()
    session.correct(line, {"event": "ball", "colour": fields["colour"]})
    assert listener.results == []


def test_a_match_taken_up_again_is_not_told_anew(matches):
    session = begun(matches)
    fields = play(session, event("offensive"))
    session.record(fields)
    again = matches.resume(session.match_id)
    listener = Listener(again)
    assert listener.announcer.greeting().messages("all") == ()
    again.undo()
    listener.forget()
    again.record(fields)
    assert listener.all == []


def test_a_match_that_begins_says_what_is_awaited(matches):
    listener = Listener(begun(matches))
    assert FRENCH.text(listener.session.decision().title) in map(
        FRENCH.text, listener.announcer.greeting().messages("all")
    )


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_game_can_be_told_from_beginning_to_end(matches, game_id):
    session = begun(matches, game_id)
    listener = Listener(session)
    random, events = Random(11), 0
    while not session.game.finished(session.state) and events < 120:
        session.record(session.game.random_event(session.state, random))
        events += 1
    assert events > 3
    assert listener.results
    assert not [text for text in listener.all if "{" in text or "voice." in text or not text.strip()]
