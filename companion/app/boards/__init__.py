"""The scoreboard panels, one a game: the only part of the table's screen that is drawn for one game."""
