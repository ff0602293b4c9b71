"""The composition root: one module per command, each wiring real or simulated parts together."""
