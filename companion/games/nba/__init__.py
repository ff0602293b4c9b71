"""NBA Deck-Building: player cards, tactics and six kinds of dice; rules of record NBA-0 to NBA-17."""
