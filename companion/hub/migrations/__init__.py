"""How an older database of the hub becomes a newer one. A shipped step is never changed."""
