"""`manage.py create_token`: an API token for a program."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from knox.models import AuthToken

from console.accounts import grant, may_write
from foundation import deployment


class Command(BaseCommand):
    help = (
        "Make an API token and print it, and nothing else; it cannot be shown again. A user that "
        "does not exist is made, without a password, with every right on Linkwatch's data."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", metavar="USERNAME")
        parser.add_argument(
            "--read-only", action="store_true", help="make a user who may see all, change nothing"
        )

    def handle(self, *, username: str, read_only: bool, **_: Any) -> None:
        deployment.warn(self.stderr)
        with transaction.atomic():
            user = User.objects.filter(username=username).first()
            if user is None:
                user = _create(username, read_only=read_only)
            elif not user.is_active:
                raise CommandError(f"{username} is not active, so a token would open nothing.")
            elif read_only and may_write(user):
                raise CommandError(
                    f"{username} may write, and so could this token; use another user name."
                )
            _, token = AuthToken.objects.create(user=user, expiry=None)
        self.stdout.write(token)


def _create(username: str, *, read_only: bool) -> User:
    user = User(username=username)
    user.set_unusable_password()
    try:
        user.full_clean()
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from None
    user.save()
    grant(user, read_only=read_only)
    return user
