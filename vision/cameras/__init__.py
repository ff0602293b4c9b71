"""Frame sources: the common protocol, cameras, clips, folders and the simulated tray."""
