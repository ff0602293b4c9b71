"""Tests of the link's messages, subjects and tokens."""
