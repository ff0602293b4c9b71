"""The pages, each with its .kv rule; what belongs to one page stands in its module."""
