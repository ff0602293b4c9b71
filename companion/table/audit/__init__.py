"""The audit of a match: one file with everything that its result rests on, made here and checked again anywhere."""
