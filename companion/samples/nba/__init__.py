"""Invented cards and teams to play NBA with at once, as TOML; read by `companion.table.nba_cards`."""
