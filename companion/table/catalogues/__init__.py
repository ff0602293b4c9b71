"""Card catalogues: read from tables, checked by the rules, stored beside the matches."""
