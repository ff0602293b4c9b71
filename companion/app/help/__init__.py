"""Contextual help: every rule number opens its text, and a first match is guided step by step."""
