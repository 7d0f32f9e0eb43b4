"""`linkwatch completion`: shell completion of commands and options."""

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a shell completion script.

    \b
    linkwatch completion bash > ~/.local/share/bash-completion/completions/linkwatch
    """
    completion_class = get_completion_class(shell)
    if completion_class is None:
        raise click.BadParameter(shell)
    command = context.find_root().command
    click.echo(completion_class(command, {}, "linkwatch", "_LINKWATCH_COMPLETE").source())
