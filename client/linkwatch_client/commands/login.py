"""`linkwatch login`: stores the URL of a server and a token."""

import sys

import click

from linkwatch_client.api import LinkwatchApi
from linkwatch_client.credentials import (
    Credentials,
    check_token,
    check_url,
    credentials_file,
    write_credentials,
)
from linkwatch_client.errors import ApiRefusalError

_FORBIDDEN = 403


@click.command()
@click.argument("url", required=False)
def login(url: str | None) -> None:
    """Store the address of a server and a token in a file that only you can read.

    Create the token on the server, at /account/tokens. You are prompted for it, or it is read from
    a pipe.
    """
    server_url = check_url(url or click.prompt("Address of the server", err=True))
    if sys.stdin.isatty():
        token = click.prompt("Token", hide_input=True, err=True)
    else:
        token = sys.stdin.readline()
    credentials = Credentials(server_url, check_token(token))
    with LinkwatchApi(credentials) as api:
        try:
            api.look_up([server_url])
        except ApiRefusalError as error:
            if error.status != _FORBIDDEN:
                raise
            # The token is valid, but its scope excludes lookups.
            click.echo(
                "This token is not allowed to look up URLs. The commands scan, judge and check "
                "will not work with it."
            )
    path = credentials_file()
    write_credentials(credentials, path)
    click.echo(f"Signed in to {server_url}. The token is in {path}.")
