"""Messages between tables and hub over NATS, their subjects, and the token by which a table joins.

The protocol is described for other programs in docs/WIRE.md. This package has no connections, storage or logic.
"""
