"""Matches and cards in files: `play`, `replay`, `stats`, `report`, `audit`, `catalogue`."""
