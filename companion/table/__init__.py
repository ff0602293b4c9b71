"""The table session: between what physically happens (dice, touches, buttons) and the journal of the match."""
