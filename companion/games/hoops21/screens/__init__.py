"""The screens that hoops21 draws itself: its scoreboard and its dice. Loaded when first shown."""
