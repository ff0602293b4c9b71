"""Tests of the benchmarks, trials and training tools."""
