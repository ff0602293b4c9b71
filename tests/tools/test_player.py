"""Simulated players at a tournament table with the simulated hub: to the end, across restarts and disconnections."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from companion.clock import ManualClock
from companion.games.registry import GAMES
from companion.journal.store import Store
from companion.messages.token import Token, format_token
from companion.tournament import facts as fa
from companion.tournament.headers import parse_mark
from companion.tournament.progress import progress_of
from tests.link.simulated_hub import SimulatedHub, SimulatedTournament
from tests.tournament.plans import knock_out
from tools.trials.player import SimulatedPlayers

SEED = 4
"""A seed with a drawn match among those of this table."""
TOKEN = format_token(Token("t1", "secret"))


def test_a_tournament_is_played_to_its_end_over_restarts_and_cuts(tmp_path: Path) -> None:
    """This includes a draw where one side must advance: the match is called again as another game."""
    clock, random = ManualClock(), Random(SEED)
    tournament = SimulatedTournament(knock_out("K", "occasion"), tuple("ABCD"), Random(2), clock, 1)
    recorded = 0
    for start in range(200):
        with Store.open(tmp_path / "matches.sqlite", clock) as store:
            hub = SimulatedHub(store.path, tmp_path, GAMES, tournament)
            if start == 0:
                assert hub.join("127.0.0.1", TOKEN) is None
            players = SimulatedPlayers(store, hub, GAMES, random)
            for step in range(random.randrange(20, 120)):
                if step % 40 == 20:
                    hub.cut()
                if step % 40 == 39:
                    hub.mend()
                clock.advance(1)
                players.step()
            recorded += players.recorded
            hub.close()
            played = [parse_mark(row.header) for row in store.matches()]
        if progress_of(tournament.state).over:
            break
    assert progress_of(tournament.state).over
    assert len(played) == len(set(played)) > 1
    assert None not in played
    assert "replay" in [ruling.choice for ruling in tournament.state.rulings.values()]
    assert [mark.match for mark in played if mark and mark.again]
    with Store.open(tmp_path / "matches.sqlite", clock) as store:
        assert sum(row.lines + 1 for row in store.matches()) == recorded


def test_a_drawn_match_is_called_anew_where_one_must_go_on() -> None:
    tournament = SimulatedTournament(knock_out("K", "occasion"), tuple("ABCD"), Random(2), ManualClock(), 1)
    match = tournament.here()
    assert match is not None
    drawn = fa.Result(match.id, match.home or "", match.away or "", (1, 1), clock=tournament.now)
    for count, journal in enumerate(("first", "second"), 1):
        assert tournament.count_result(drawn, journal)
        assert tournament.here() == replace(match, table=1)
        assert tournament.again(match.id) == count
    assert not tournament.count_result(replace(drawn, score=(3, 1)), "first"), "it is of an earlier game"
    assert tournament.count_result(replace(drawn, score=(2, 1)), "third")
    assert progress_of(tournament.state).matches[match.id].score == (2, 1)
