"""The journal: what happened at the table, its effective list, its files, the store that survives a power cut."""
