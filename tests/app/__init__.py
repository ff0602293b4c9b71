"""Tests of the app, driven by touches on the offscreen display."""
