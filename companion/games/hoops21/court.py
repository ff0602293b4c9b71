"""The court track (chapter 2): the sections as each side sees them, the arc, and the modifiers of shots."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.hoops21.tables import DEFAULT_ARC, DEFAULT_SECTIONS, RANGE_MODIFIERS, Side


@dataclass(frozen=True, slots=True)
class Court:
    """A court of `sections`, numbered from orange's basket. `marks` are the modifiers by distance (HB-2.6).

    The distance of a section is measured to the basket that a side attacks (HB-2.5).
    """

    sections: int = DEFAULT_SECTIONS
    arc: int = DEFAULT_ARC
    marks: tuple[int, ...] = (0,) * (DEFAULT_SECTIONS // 2)

    @property
    def half(self) -> int:
        """Sections of one half; also the steps from under a basket to the first section beyond the half line."""
        return self.sections // 2

    def distance(self, attack: Side, section: int) -> int:
        """Return the steps to the section under the basket that `attack` attacks."""
        return self.sections - section if attack == "orange" else section - 1

    def section(self, attack: Side, distance: int) -> int:
        """Return the section at a distance from the basket that `attack` attacks."""
        return self.sections - distance if attack == "orange" else distance + 1

    def beyond_half_line(self, attack: Side) -> int:
        """Return the first section beyond the half line (HB-2.5)."""
        return self.section(attack, self.half - 1)

    def under_own_basket(self, side: Side) -> int:
        """Return the section under a side's own basket."""
        return self.section(side, self.sections - 1)

    def forward(self, attack: Side, section: int, steps: int) -> int:
        """Return the end of a forward move, at most under the basket (HB-6.3)."""
        return self.section(attack, max(0, self.distance(attack, section) - steps))

    def backward(self, attack: Side, section: int, steps: int) -> int:
        """Return the end of a backward move, at most under the attack's own basket (HB-6.6)."""
        return self.section(attack, min(self.sections - 1, self.distance(attack, section) + steps))

    def attacker(self, section: int) -> Side:
        """Return the side that attacks with the pawn in this section (HB-2.4)."""
        return "white" if section <= self.half else "orange"

    def points(self, distance: int) -> int:
        """Return the points of a shot: 2 inside the arc, 3 outside (HB-7.2)."""
        return 2 if distance <= self.arc else 3

    def mark(self, distance: int) -> int:
        """Return the modifier of the section's mark (HB-7.4)."""
        return self.marks[distance] if distance < len(self.marks) else 0

    def modifier(self, distance: int) -> int:
        """Return the sum of the range and mark modifiers (HB-7.4)."""
        return RANGE_MODIFIERS[self.points(distance)] + self.mark(distance)
