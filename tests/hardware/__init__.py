"""Tests of panel and tray."""
