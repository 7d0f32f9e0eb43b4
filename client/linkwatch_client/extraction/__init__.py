"""Links in files, each with its place. Imports neither Django nor the server."""

from linkwatch_client.extraction.file_kinds import extract, kind_of, text_of
from linkwatch_client.extraction.links import Link, UnreadableFile

__all__ = ["Link", "UnreadableFile", "extract", "kind_of", "text_of"]
