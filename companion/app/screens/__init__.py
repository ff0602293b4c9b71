"""The pages, each with its .kv rule. Code used by a single page is in that page's module."""
