"""Where certainty begins, and from which evidence a find is worth a question."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt

from vision.classification.classes import PLAIN
from vision.classification.face_nets import Look
from vision.detection.finder import Candidate
from vision.dice_sets import Kind

_NEARLY = 0.5
"""Share of what a look names first that a face of the set must have, for the die not to be taken for a stranger."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where certainty begins. All values are chances 0..1.

    `sure`: a face's mark is certain from here on, `sure_if_plain` where all faces that may lie there are plain ones:
    what blur or grain might hide is then not there, and the colour has a threshold of its own; `turned` where the die
    has the same figure upside down, and only a line or dot tells 6 from 9. `coloured`: so likely the colour must be
    where only it tells the face from another one of the die. `body`: so likely the kind must be among those that have
    the mark, by its body's colour. `counted`: so likely the number awaited of each kind must make a kind that the
    body's colour does not tell, and that this colour gives `faint` at least. `state`: from here on a die counts as
    blurred or hidden. `trusted`: the least trust in a certain reading (`vision.decision.trust`).

    What is asked about: `die`: from here on a candidate is taken for a die; between `trace` and it the evidence is
    enough to ask where every look gives the face `agreed_on`, from `torn` on where it shows a face of the set, or one
    nearly as likely as another mark. What shows none of the set's marks is asked about from `stranger`, or from `blank`
    if it shows nothing at all; where nothing else is found in a picture by itself, anything from `alone` (a tray that
    is watched lies empty often enough). `passed_over`: of what is trusted less than this to be a die no more than one
    find is asked about, and none beside all the dice awaited. `ruled_out`: a face under this is not offered as
    possible.
    """

    sure: float = 0.75
    sure_if_plain: float = 0.5
    turned: float = 0.9
    coloured: float = 0.85
    body: float = 0.9
    counted: float = 0.95
    faint: float = 0.1
    state: float = 0.6
    trusted: float = 0.6
    die: float = 0.65
    trace: float = 0.5
    torn: float = 0.6
    agreed_on: float = 0.5
    stranger: float = 0.75
    blank: float = 0.85
    alone: float = 0.5
    passed_over: float = 0.5
    ruled_out: float = 0.01

    def least_evidence(self, look: Look, known: Collection[int]) -> float:
        """The evidence from which a find is asked about at least; `known`: the classes that the set's faces have.

        What shows a face of the set at every look is worth a question soonest, what shows nothing at all latest: a die
        that is lost in silence costs more than a question, and each thing that is asked about costs some patience.
        """
        shown = int(look.classes[1:].argmax()) + 1
        if shown in known:
            return self.trace if look.least >= self.agreed_on else self.torn
        if max(float(look.classes[number]) for number in known) >= _NEARLY * float(look.classes[shown]):
            return self.torn
        return self.blank if shown == PLAIN else self.stranger

    def needed(self, kinds: Collection[Kind], *, turned: bool) -> float:
        """From which chance a mark is certain among `kinds`; `turned`: upside down it is another one."""
        sure = self.sure_if_plain if all(kind.marks == "plain" for kind in kinds) else self.sure
        return max(sure, self.turned) if turned else sure


def evidence(one: Candidate, look: Look) -> float:
    """How much speaks for a die here: the mean (geometric) of the finder's score and the face nets' chance of a die."""
    return sqrt(max(one.score * look.die, 0.0))
