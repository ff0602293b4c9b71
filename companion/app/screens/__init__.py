"""One screen, one module and one .kv file."""
