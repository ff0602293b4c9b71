"""The hub: keeps the journals of many tables byte for byte, plays them itself, and holds the tournament's facts."""
