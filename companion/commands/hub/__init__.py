"""The organiser's server: `companion hub`, its backups and their restore."""
