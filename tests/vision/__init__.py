"""Tests of the dice reader."""
