"""Tests of the tournament: formats, pairings, standings, corrections, schedule."""
