"""Detection of possible dice: exposure, candidates, and the view of the table plane."""
