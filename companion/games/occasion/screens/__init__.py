"""The screens that the game draws itself: its scoreboard and its pages. Loaded when first shown."""
