"""Drawing of dice: images for training the reader, and the simulated tray that replaces a camera."""
