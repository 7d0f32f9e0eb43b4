"""Tests shell completion and the help texts."""

import click
import pytest

from linkwatch_client.main import cli

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(run, shell):
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_LINKWATCH_COMPLETE" in result.stdout


@pytest.mark.parametrize("name", cli.list_commands(click.Context(cli)))
def test_each_command_explains_itself_and_its_options(run, name):
    result = run(name, "--help")
    assert result.exit_code == 0
    command = cli.get_command(click.Context(cli), name)
    assert command.help
    options = [one for one in command.params if one.param_type_name == "option"]
    assert {one.name for one in options if not one.help} <= {"output_format", "help"}
