"""What tables and hub send each other over NATS: messages, their subjects, the token by which a table joins.

Described for other programs in docs/WIRE.md. Nothing here connects, keeps or decides anything.
"""
