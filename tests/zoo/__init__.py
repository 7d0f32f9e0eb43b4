"""Servers that misbehave, each in one way, on free loopback ports."""
