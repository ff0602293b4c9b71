"""The hub's pages: public standings, brackets and live tables, the organiser's desk, exports, and the JSON API.

`app.make_app` builds a FastAPI application from its dependencies (`pages.PageDependencies`). Pages are rendered on the
server. The only JavaScript keeps the open page up to date through server-sent events whose id is the hub's
revision.
"""
