"""Moving sources of pictures: one protocol, and the cameras, clips, folders and simulated tray that follow it."""
