"""The editor of an NBA court: who stands where after several substitutions at once."""
