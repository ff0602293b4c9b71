"""The list of full scenarios: each game in both languages, with alternating sizes. Has no heavy imports."""

from __future__ import annotations

WHOLE = (
    ("whole_occasion", "800x480", "fr"),
    ("whole_footclub", "1280x720", "fr"),
    ("whole_footclub_legs", "800x480", "fr"),
    ("whole_footclub_league", "720x1280", "fr"),
    ("whole_footclub_season", "800x480", "fr"),
    ("whole_nba", "800x480", "fr"),
    ("whole_hoops21", "720x1280", "fr"),
    ("whole_occasion", "720x1280", "en"),
    ("whole_footclub", "720x1280", "en"),
    ("whole_footclub_legs", "720x1280", "en"),
    ("whole_footclub_league", "800x480", "en"),
    ("whole_footclub_season", "720x1280", "en"),
    ("whole_nba", "1280x720", "en"),
    ("whole_hoops21", "800x480", "en"),
)
"""Scenario, size and language. The scenarios of one language together visit every page of the app."""
