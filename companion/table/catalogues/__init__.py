"""Catalogues of cards: what they say, read from tables, checked by the rules, kept beside the matches."""
