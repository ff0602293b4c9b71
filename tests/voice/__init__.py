"""Tests of the voice and the tones."""
