"""`companion replay`: print the state of a journal. `companion play`: write a bot match for a seed."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from companion.commands.exit_codes import DONE, FAILED, REFUSED
from companion.commands.settings import language_of
from companion.games.base import AnyGame
from companion.games.registry import GAMES, PLAYER_NAMES, find_player
from companion.games.spec import AutoPlayer
from companion.journal.codec import encode_file
from companion.journal.ledger import run_replay
from companion.language import Language, reason_of
from companion.table.autoplay import play
from vision.files import write_atomically


def game_and_player(language: Language, game_id: str, player: str) -> tuple[AnyGame, AutoPlayer] | None:
    """Return a game and one of its bots by name; None, with an error on standard error, for an unknown name."""
    for what, name, known in (("game", game_id, tuple(GAMES)), ("player", player, PLAYER_NAMES)):
        if name not in known:
            print(language(f"cli.unknown_{what}", name=name, known=", ".join(known)), file=sys.stderr)
            return None
    game = GAMES[game_id]
    return game, find_player(game, player)


def run_replay_command(config: Path | None, file: Path) -> int:
    """Replay `file` in the configured language. Returns the exit status."""
    return run_replay(file, GAMES, sys.stdout, sys.stderr, language_of(config))


def run_play(config: Path | None, game_id: str, seed: int, out: Path | None, player: str = "random") -> int:
    """Write the journal of a bot match, deterministic for a seed. Returns the exit status."""
    language = language_of(config)
    chosen = game_and_player(language, game_id, player)
    if chosen is None:
        return REFUSED
    game, plays = chosen
    header, *events = play(game, Random(seed), plays)
    journal = encode_file(header, events)
    if out is None:
        sys.stdout.write(journal.decode())
        return DONE
    try:
        write_atomically(out, journal)
    except OSError as error:
        print(language("cli.not_written", file=out, reason=reason_of(error)), file=sys.stderr)
        return FAILED
    print(language("cli.played", n=len(events), file=out), file=sys.stderr)
    return DONE
