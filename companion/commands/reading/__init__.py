"""Dice in pictures, and the sheets that are printed for the reader: `read`, `dice-sheet`, `card-sheet`."""
