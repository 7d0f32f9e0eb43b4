"""Backups: a deployment's database as one archive, which either kind of database can restore."""
