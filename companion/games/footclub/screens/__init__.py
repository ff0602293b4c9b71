"""The screens that FootClub draws itself: its scoreboard and its pages. Loaded when first shown."""
