"""The keys on the screen, for names and numbers, where no keyboard is plugged in."""
