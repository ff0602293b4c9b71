"""Printed documents: match reports, dice stickers and the calibration card."""
