"""The hub's pages: standings, brackets and live tables for everyone, the organiser's desk, exports and their JSON.

`app.make_app` puts a FastAPI application together from what it is handed in (`pages.Parts`). Pages are rendered on the
server; the only JavaScript keeps the open page up to date by server-sent events whose id is the hub's revision.
"""
