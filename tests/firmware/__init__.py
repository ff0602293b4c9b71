"""The tray's firmware: its parts under this Python, the whole of it in its interpreter and on an emulated board."""
