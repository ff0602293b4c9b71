"""The table session: turns dice, touches and buttons into events of the match journal."""
