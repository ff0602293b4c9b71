"""The documentation site: `python -m tools site` makes its environment and builds it."""
