"""Follows a camera: motion, settling, votes over several pictures, and the process that does so."""
