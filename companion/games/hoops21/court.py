"""The court track (chapter 2): where sections lie as each side sees them, the arc, and what a shot from there adds."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.hoops21.tables import ARC, RANGES, SECTIONS, Side


@dataclass(frozen=True, slots=True)
class Court:
    """A court of `sections`, numbered from orange's basket. `marks` are those of the modifiers by distance (HB-2.6).

    The distance of a section is that to the basket which a side attacks (HB-2.5).
    """

    sections: int = SECTIONS
    arc: int = ARC
    marks: tuple[int, ...] = (0,) * (SECTIONS // 2)

    @property
    def half(self) -> int:
        """Sections of one half; also the steps from under a basket to the first section beyond the half line."""
        return self.sections // 2

    def distance(self, attack: Side, section: int) -> int:
        """Steps to the section under the basket that `attack` attacks."""
        return self.sections - section if attack == "orange" else section - 1

    def section(self, attack: Side, distance: int) -> int:
        """The section at a distance from the basket that `attack` attacks."""
        return self.sections - distance if attack == "orange" else distance + 1

    def beyond(self, attack: Side) -> int:
        """The first section beyond the half line (HB-2.5)."""
        return self.section(attack, self.half - 1)

    def under_own(self, side: Side) -> int:
        """The section under a side's own basket."""
        return self.section(side, self.sections - 1)

    def forward(self, attack: Side, section: int, steps: int) -> int:
        """Where a forward move ends: under the basket at the latest (HB-6.3)."""
        return self.section(attack, max(0, self.distance(attack, section) - steps))

    def backward(self, attack: Side, section: int, steps: int) -> int:
        """Where a backward move ends: under the attack's own basket at the latest (HB-6.6)."""
        return self.section(attack, min(self.sections - 1, self.distance(attack, section) + steps))

    def attacker(self, section: int) -> Side:
        """Who attacks with the pawn there (HB-2.4)."""
        return "white" if section <= self.half else "orange"

    def points(self, distance: int) -> int:
        """What a shot is worth: 2 inside the arc, 3 outside (HB-7.2)."""
        return 2 if distance <= self.arc else 3

    def mark(self, distance: int) -> int:
        """What the section's mark adds (HB-7.4)."""
        return self.marks[distance] if distance < len(self.marks) else 0

    def modifier(self, distance: int) -> int:
        """Range and mark together (HB-7.4)."""
        return RANGES[self.points(distance)] + self.mark(distance)
