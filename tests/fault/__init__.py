"""Fault injection: recorded events must survive kills, power cuts and full disks."""
