"""Makes a reading of candidates and classes: which dice are certain, which are asked about."""
