"""Training code of the shipped models: drawn scenes, training, export and evaluation. None of it runs at a table."""
