"""Tests of benchmarks, trials and training."""
