"""Tests of the words of the link: messages, subjects, tokens."""
