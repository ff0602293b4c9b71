"""What the game draws itself: its scoreboard, its pages. Loaded when they are first shown."""
