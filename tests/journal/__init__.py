"""Tests of the journal, with a small game made for them."""
