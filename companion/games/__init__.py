"""The games: pure rules, standard library only."""
