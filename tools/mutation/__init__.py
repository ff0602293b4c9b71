"""Mutation testing: how many small faults in the rules, the journal and the tournament the tests notice."""
