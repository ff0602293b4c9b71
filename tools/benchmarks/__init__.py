"""Benchmarks: `python -m tools bench NAME` measures one part of the product."""
