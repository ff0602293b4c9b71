"""Prompts for the missing inputs of a choice: one sheet for each of the eight kinds of Ask."""
