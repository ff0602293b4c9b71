"""The hub: stores the journals of many tables byte for byte, replays them, and holds the tournament's events."""
