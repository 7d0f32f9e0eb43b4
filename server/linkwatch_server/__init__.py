"""Linkwatch's server as one package: the wheel has the whole tree below it (ADR 69)."""
