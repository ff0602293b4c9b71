"""Four invented clubs to play with at once, as TOML squads; read by `companion.table.squads`."""
