"""Tests of tournaments: formats, pairings, standings, corrections, schedule."""
