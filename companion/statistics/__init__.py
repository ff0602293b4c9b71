"""Statistics of counted dice: fairness tests, their power and the required number of throws. Standard library only."""
