"""Tests of the reading of dice."""
