"""A whole match at a simulated table: `companion demo`."""
