"""Simulated tournaments with many tables and faults, on real databases."""
