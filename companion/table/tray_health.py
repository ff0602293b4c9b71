"""What players are told of how well their tray can be read: before a match, and when something has changed in play."""

from __future__ import annotations

from datetime import date

from companion.games.base import Message
from vision.calibration_words import Fit, TrayHealth

OLD = 180
"""Days after which a calibration is said to be old: lamps, seasons and screws."""


def of_health(health: TrayHealth, simulated: bool, today: date | None = None) -> Message | None:
    """A sentence, None where there is nothing to tell: a simulated table need not be set up."""
    if health.fit is not Fit.GOOD:
        return None if simulated else Message(f"calibration.fit.{health.fit}")
    if health.drifted and health.mend is not None:
        return Message(f"calibration.drifted.{health.mend}")
    old = None if today is None else age_told(health.made, today)
    if health.mend is not None:
        return Message("calibration.health_mend", {"figure": health.figure, "mend": mending(health)})
    return old or Message("calibration.health", {"figure": health.figure})


def mending(health: TrayHealth) -> Message | None:
    """The one thing to mend, None if all is well."""
    return None if health.mend is None else Message(f"calibration.mend.{health.mend}")


def days_old(made: str, today: date) -> int | None:
    """How many days ago a calibration was made (`made` in ISO 8601); None if that is not known."""
    try:
        return (today - date.fromisoformat(made[:10])).days
    except ValueError:
        return None


def age_told(made: str, today: date) -> Message | None:
    """That a calibration is old, None for one that is not."""
    days = days_old(made, today)
    return Message("calibration.old", {"n": days}) if days is not None and days > OLD else None
