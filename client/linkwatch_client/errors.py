"""Errors that end a command. Lower-level errors are turned into these, with a readable message."""

EXIT_COULD_NOT_RUN = 2


class ClientError(Exception):
    """Ends the command with exit code 2."""


class QueryFailedError(ClientError):
    """A request to the server failed; `--offline-ok` turns this into a notice."""


class ApiRefusalError(QueryFailedError):
    """The server responded with an API error, which has a code and a status."""

    def __init__(self, message: str, *, code: str, status: int) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class InputOutputError(ClientError):
    """A file or standard input can't be read or is invalid, or a file can't be written."""
