"""The games: pure rules, standard library only. Each package in here is one game."""
