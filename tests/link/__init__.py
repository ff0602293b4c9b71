"""Tests of the link between tables and hub, most of them over a real NATS server."""
