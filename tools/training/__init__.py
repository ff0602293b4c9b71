"""Everything behind the shipped models: drawn scenes, training, export and evaluation. Nothing here runs at a table."""
