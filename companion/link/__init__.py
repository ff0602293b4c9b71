"""The table's connection to a hub: uploads the journals of tournament matches and receives the hub's state.

The table works fully without it. Nothing here blocks the UI. After any disconnection the link resumes.
"""
