"""The event journal: event replay, journal files, and the durable store of all matches."""
