"""Pure mathematics of counted dice: tests, their power, how many throws are still needed. Standard library only."""
