"""Finds what may be dice in a picture: exposure, candidates, and how the table they lie on is seen."""
