"""One widget for each figure that a game can show in the centre of the table, and the helpers that draw them."""
