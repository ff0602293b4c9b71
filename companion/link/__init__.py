"""A table's side of the link to a hub: sends the journals of tournament matches on, shows what the hub says.

The table is complete without it. Nothing here blocks a screen; everything goes on after any absence.
"""
