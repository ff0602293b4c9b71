"""Tests of the journal, with a small game for this purpose."""
