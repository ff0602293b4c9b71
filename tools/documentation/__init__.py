"""The documentation site: `python -m tools site` creates its environment and builds the pages."""
