"""The command `linkwatch`."""

import sys

import click

from linkwatch_client import __version__
from linkwatch_client.commands.check import check
from linkwatch_client.commands.common import COULD_NOT_ASK
from linkwatch_client.commands.completion import completion
from linkwatch_client.commands.fix import fix
from linkwatch_client.commands.importing import import_
from linkwatch_client.commands.judge import judge
from linkwatch_client.commands.login import login
from linkwatch_client.commands.registry import dead, watch
from linkwatch_client.commands.scan import scan
from linkwatch_client.commands.sharing import paste, shorten
from linkwatch_client.errors import ClientError
from linkwatch_client.printable import printable

_INTERRUPTED = 130  # as shells have it


class CommandGroup(click.Group):
    """Ends a failed command with a sentence and its error's exit code."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except ClientError as error:
            click.echo(f"Error: {printable(str(error))}", err=True)
            ctx.exit(COULD_NOT_ASK)
        except (KeyboardInterrupt, click.Abort):
            click.echo("Interrupted.", err=True)
            ctx.exit(_INTERRUPTED)


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="linkwatch")
def cli() -> None:
    """Ask a Linkwatch server about links.

    The server is that of `linkwatch login`, or of LINKWATCH_URL and LINKWATCH_TOKEN.
    Exit codes: 0 fine, 1 findings, 2 could not ask.
    """


_COMMANDS = (check, completion, dead, fix, import_, judge, login, paste, scan, shorten, watch)
for _command in _COMMANDS:
    cli.add_command(_command)


def main() -> None:
    """Run the command line; consoles with another encoding get escapes."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    cli(prog_name="linkwatch")
