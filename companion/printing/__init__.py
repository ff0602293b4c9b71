"""What is printed on paper: the stickers that turn blank dice into those of a dice set."""
