"""Mutation testing: measures how many small faults in rules, journal and tournament the tests detect."""
