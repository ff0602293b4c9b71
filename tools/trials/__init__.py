"""Whole tournaments at simulated tables, with faults, on real databases."""
