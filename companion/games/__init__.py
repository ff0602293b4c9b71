"""The games: pure rules, standard library only. Every package in here is one game."""
