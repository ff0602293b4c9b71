"""The steps, each from the form before it to its own."""
