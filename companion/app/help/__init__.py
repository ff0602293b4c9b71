"""Help at the point of need: every rule's number opens its text; a first match is guided step by step."""
