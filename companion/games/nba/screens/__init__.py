"""The screens that NBA draws itself: its scoreboard and its pages. Loaded when first shown."""
