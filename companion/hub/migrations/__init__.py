"""Migrations of the hub's database. A released migration is never changed."""
