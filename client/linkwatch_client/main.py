"""The command `linkwatch`."""

import errno
import sys
from importlib import import_module

import click

from linkwatch_client import __version__
from linkwatch_client.errors import EXIT_COULD_NOT_RUN, ClientError
from linkwatch_client.printable import printable

_EXIT_INTERRUPTED = 130  # as in shells
_MODULES = {  # in linkwatch_client.commands, by command
    **{name: name for name in ("check", "completion", "fix", "judge", "login", "scan")},
    **dict.fromkeys(("dead", "watch"), "registry"),
    **dict.fromkeys(("paste", "shorten"), "sharing"),
    "import": "importing",
}


class CommandGroup(click.Group):
    """The commands. A failed command ends with a message and an exit code.

    Imports only the command that runs, to start faster.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _MODULES:
            return None
        module = import_module(f"linkwatch_client.commands.{_MODULES[cmd_name]}")
        command = getattr(module, "import_" if cmd_name == "import" else cmd_name)
        return command if isinstance(command, click.Command) else None

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except ClientError as error:
            click.echo(f"Error: {printable(str(error))}", err=True)
            ctx.exit(EXIT_COULD_NOT_RUN)
        except OSError as error:
            if error.errno == errno.EPIPE:  # click ends the command
                raise
            click.echo(f"Error: {printable(str(error))}", err=True)
            ctx.exit(EXIT_COULD_NOT_RUN)
        except (KeyboardInterrupt, click.Abort):
            click.echo("Interrupted.", err=True)
            ctx.exit(_EXIT_INTERRUPTED)


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="linkwatch")
def cli() -> None:
    """Check links with a Linkwatch server.

    Uses the server from `linkwatch login`, or from LINKWATCH_URL and LINKWATCH_TOKEN.
    Exit codes: 0 no errors, perhaps notes; 1 errors; 2 the command could not run.
    """


def main() -> None:
    """Run the command line; escape characters that the console's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    cli(prog_name="linkwatch")
