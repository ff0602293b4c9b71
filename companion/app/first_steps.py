"""The questions of the first start, in their order, and whether a table still has to be asked them."""

from __future__ import annotations

from companion.config import Config

STEPS = ("language", "display", "touch", "camera", "devices", "name")
DONE = "done"


def due(config: Config, used: bool) -> str | None:
    """The step to begin at, None when nothing is to be asked.

    `used`: somebody has played or set something here before. Whoever has been asked once is never asked again by
    itself; questions that were cut off go on where they were.
    """
    step = config.table.first_steps
    if step is None:
        return None if used else STEPS[0]
    return None if step == DONE else step


def after(step: str) -> str | None:
    """The next step, None after the last one."""
    at = STEPS.index(step) + 1
    return STEPS[at] if at < len(STEPS) else None


def before(step: str) -> str | None:
    """The step before, None before the first one."""
    at = STEPS.index(step)
    return STEPS[at - 1] if at else None
