"""Tapis Vert: a physical-table companion that keeps the score of four tabletop games."""

__version__ = "0.1.0"
