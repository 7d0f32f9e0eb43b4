"""Linkwatch's server as one package: the wheel contains the whole tree (ADR 69)."""
