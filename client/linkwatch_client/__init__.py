"""The command-line client for Linkwatch: finds links, asks a server about them, and reports."""

__version__ = "0.3.0"
