"""Faults on purpose: what was recorded must outlive kills, power cuts and full disks."""
