"""The migrations, each from the previous version to its own."""
