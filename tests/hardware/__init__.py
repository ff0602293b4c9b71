"""Tests of the panel and the tray."""
