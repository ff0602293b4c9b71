"""A FootClub match before its kick-off (screen 03): what is chosen, what is missing, and the panels for it."""
