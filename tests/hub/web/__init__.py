"""Tests of the hub's web pages."""
