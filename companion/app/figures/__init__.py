"""One widget for each figure that a game may show in the centre of the table, and the numbers they draw."""
