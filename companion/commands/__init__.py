"""The composition root: one module a command, each wiring real or simulated parts of the house together."""
