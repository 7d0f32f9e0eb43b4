"""`manage.py create_token`: an API token for a program."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts import tokens
from accounts.rights import grant, may_write
from foundation import scopes, settings_comparison
from foundation.durations import parse_duration
from foundation.http.errors import ApiError
from foundation.models import TokenTerms


class Command(BaseCommand):
    help = (
        "Create an API token and print only the token, which cannot be shown again. If the user "
        "does not exist, one is created without a password and with full access to Linkwatch's "
        "data (with --read-only: read-only access); on a terminal, you are asked first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", metavar="USERNAME")
        parser.add_argument(
            "--read-only",
            action="store_true",
            help="create a user who can see everything and change nothing",
        )
        parser.add_argument("--name", default="", help="what the token is for")
        parser.add_argument(
            "--scope",
            default=scopes.WRITE,
            choices=list(scopes.LABELS),
            help="which of the user's rights the token has (write: all of them)",
        )
        parser.add_argument(
            "--only",
            action="append",
            default=[],
            metavar="HOST_OR_URL",
            help="with the scope lookups or batches: limit the token to this host "
            "(*.example.org: its subdomains) or URL prefix; can be repeated",
        )
        parser.add_argument(
            "--expires",
            metavar="DURATION",
            help="for example 90d; without it, the token never expires",
        )

    def handle(self, *, username: str, read_only: bool, **options: Any) -> None:
        settings_comparison.warn(self.stderr)
        terms = _terms(options)
        if not User.objects.filter(username=username).exists():
            self._confirm_creation(username, read_only=read_only)
        with transaction.atomic():
            user = User.objects.filter(username=username).first()
            if user is None:
                user = _create_user(username, read_only=read_only)
            elif user.is_active and read_only and may_write(user):
                raise CommandError(
                    f"{username} has write access, so this token would have it, too; use another "
                    "username."
                )
            try:
                token = tokens.create(user, **terms)
            except ApiError as error:
                raise CommandError(error.message) from None
        self.stdout.write(token)

    def _confirm_creation(self, username: str, *, read_only: bool) -> None:
        """Announce the new user; on a terminal, raise CommandError unless "y" is entered."""
        access = "read-only" if read_only else "full"
        sentence = (
            f"The user {username!r} does not exist and will be created with {access} access to "
            "Linkwatch's data."
        )
        if not sys.stdin.isatty():
            self.stderr.write(sentence)
            return
        self.stderr.write(f"{sentence} Create it? [y/N] ", ending="")
        if input().strip().lower() not in {"y", "yes"}:
            raise CommandError("Nothing was created.")


def _terms(options: dict[str, Any]) -> dict[str, Any]:
    try:
        TokenTerms._meta.get_field("name").run_validators(options["name"])
        lifetime = parse_duration(options["expires"]) if options["expires"] else None
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from None
    except ValueError as error:
        raise CommandError(f"--expires: {error}") from None
    return {
        "name": options["name"],
        "scope": options["scope"],
        "lifetime": lifetime,
        "bounds": options["only"],
    }


def _create_user(username: str, *, read_only: bool) -> User:
    user = User(username=username)
    user.set_unusable_password()
    try:
        user.full_clean()
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from None
    user.save()
    grant(user, read_only=read_only)
    return user
