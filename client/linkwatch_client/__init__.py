"""The command-line client for Linkwatch: finds links, asks a server for their status, and reports."""

__version__ = "0.3.0"
