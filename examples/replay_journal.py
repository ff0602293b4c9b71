"""Replay a journal and print its timeline: python examples/replay_journal.py JOURNAL [fr|en]"""

import sys
from pathlib import Path

from companion.games.registry import GAMES
from companion.journal.ledger import replay
from companion.language import Language

language = Language(sys.argv[2] if len(sys.argv) > 2 else "en")
result = replay(Path(sys.argv[1]), GAMES)
for event in result.ledger.events:
    print(event.line, language.text(result.game.describe(event.state_after, event.fields, event.outcome)))
print(result.game.view(result.ledger.state).get("score"))
