"""Decisions about dice: which readings are certain, and what becomes a question."""
