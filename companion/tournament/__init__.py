"""The tournament: entries, pairings, brackets, standings and schedule, computed from a journal of events.

Pure code: no clock, file, randomness, screen or log. Callers pass times as whole seconds. A tournament is a plan
(`planning`) and a list of events (`facts`): entries, withdrawals, draws, results, corrections, forfeits, calls
to a table, rulings. `rules.decide(state, fact)` returns the refusal or None; `rules.apply(state, fact)` returns
the next state, which holds only events. Everything else is computed from the state:

- `course.course(state)`: every match with its seats, score and status, the champion, and the questions that only
  the organiser can answer (a correction after later matches were played, a drawn knock-out match, entries level
  at the cut);
- `standings.standings`: the standings shown on pages and used for pairings; `pairing` proposes draws and
  seedings;
- `schedule.schedule(state, now)`: the next matches with table and time, and the expected end;
- `headers.setup` and `headers.result`: from a match to the header of its journal, and from the journal's end to
  the result.

The hub stores the events, decides each command and renders pages from the course. A table receives its match
(`headers.setup`), plays it without the hub, and sends the report when it is online. A match corrected at the
table later is sent as a correction of the same match. Both use the same functions: an offline table shows the
last standings that it received and adds its own match in the same way.
"""
