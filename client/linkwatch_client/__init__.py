"""The command line of Linkwatch: finds links, asks a server what is known of them, and reports."""

__version__ = "0.3.0"
