"""The table: `companion run`, and the real or simulated devices around its screen."""
