"""Reads dice in pictures and moving sources; knows no game."""
