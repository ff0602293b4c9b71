"""What a choice still asks before it becomes an event: one sheet for each of the eight kinds of Ask."""
