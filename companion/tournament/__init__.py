"""The tournament: entries, pairings, brackets, standings and schedule, computed from a journal of facts.

Pure: no clock, file, randomness, screen or log; times are handed in as whole seconds. A tournament is a plan
(`planning`) and a list of facts (`facts`): entries, withdrawals, draws, results, corrections, forfeits, calls to a
table, rulings. `rules.decide(state, fact)` gives the refusal or None, `rules.apply(state, fact)` the next state, which
holds nothing but facts. Everything else is asked of the state:

- `course.course(state)`: every match with its seats, score and standing, the champion, and the questions that only the
  organiser can answer (a correction on which something was already played, a drawn knock-out match, level at the cut);
- `standings.standings`: the one table that pages show and pairings use; `pairing` proposes draws and seedings;
- `schedule.schedule(state, now)`: who plays next, at which table, when, and when it will be over;
- `headers.setup` and `headers.result`: from a match to the header of its journal, and from the journal's end back.

The hub keeps the facts in its store, decides each command and projects pages from the course. A table is told its match
(`headers.setup`), plays it without the hub, and sends the report when it can; a match that is corrected at the table
afterwards comes back as a correction of the same match. Both read the same functions, so a table that is cut off shows
the standings that it last knew and reckons its own match into them alike.
"""
