"""What a line-up draft comes to: sums, profiles, the effect of an exchange, the bench, the event. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.app.lineup.draft import Draft, available
from companion.app.lineup.filling import Spot
from companion.games.footclub.tables import POSTS, PROFILES
from companion.games.footclub.team import attack, defence, optimised


def bench(draft: Draft) -> list[str]:
    """Who could come on, strongest first."""
    players = draft.club.players
    ids = [id for id in available(draft.club) if id not in draft.placed.values()]
    if draft.before is not None:
        ids = [id for id in ids if players[id].status == "bench" or id in draft.before.values()]
    return sorted(ids, key=lambda id: (-players[id].level, id))


def sums(draft: Draft) -> tuple[int, int, bool]:
    """ATT, DEF and whether the team is optimised (FC-3.4, FC-3.5)."""
    trial = draft.trial
    return attack(trial), defence(trial), optimised(trial)


def profiles(draft: Draft) -> list[tuple[str, int, int]]:
    """For each profile: its name, how many players count as it, how many the coach wants.

    A player with two profiles counts where one is missing, as far as it can be settled one player at a time.
    """
    wanted = list(draft.club.coach.style)
    counts = [0] * len(PROFILES)
    cards = [draft.club.players[id].card for id in draft.trial.on_pitch]
    for card in sorted(cards, key=lambda card: len(card.profiles)):
        indices = [PROFILES.index(profile) for profile in card.profiles]
        counts[max(indices, key=lambda index: wanted[index] - counts[index])] += 1
    return [(name, counts[index], wanted[index]) for index, name in enumerate(PROFILES)]


def effect(draft: Draft, spot: Spot) -> tuple[int, int]:
    """What moving the picked player to this place changes in ATT and DEF."""
    before, after = sums(draft), sums(replace(draft, placed=draft.moved(spot)))
    return after[0] - before[0], after[1] - before[1]


def event(draft: Draft) -> dict[str, Any]:
    """The event to record: `team_sheet`, or `change` with what differs."""
    lineup = {post: list(line) for post, line in zip(POSTS, draft.trial.lineup or (), strict=True)}
    side = draft.club.side
    if draft.before is None:
        return {"event": "team_sheet", "side": side, "lineup": lineup, "captain": draft.captain}
    left = [id for id in draft.before.values() if id not in draft.placed.values()]
    came = [id for id in draft.placed.values() if id not in draft.before.values()]
    subs = [{"out": out, "in": into} for out, into in zip(left, came, strict=True)]
    made: dict[str, Any] = {"event": "change", "side": side, "subs": subs, "lineup": lineup}
    if draft.captain != draft.club.captain:
        made["captain"] = draft.captain
    return made
