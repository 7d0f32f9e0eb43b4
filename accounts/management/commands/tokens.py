"""`manage.py tokens`: list and revoke API tokens."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from knox.models import AuthToken

from accounts import tokens
from foundation import settings_comparison
from foundation.database.clock import database_now
from foundation.files.lists import printable


class Command(BaseCommand):
    help = "List API tokens, or revoke one by its first characters."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        list_parser = actions.add_parser(
            "list", help="list tokens, newest first, in tab-separated columns"
        )
        list_parser.add_argument(
            "username", metavar="USERNAME", nargs="?", help="list only this user's tokens"
        )
        revoke_parser = actions.add_parser("revoke", help="revoke a token")
        revoke_parser.add_argument(
            "key",
            metavar="PREFIX",
            help=f"the first characters of the token, as listed: {tokens.PREFIX_LENGTH} or more",
        )

    def handle(self, *, action: str, **options: Any) -> None:
        settings_comparison.warn(self.stderr)
        if action == "revoke":
            if not tokens.revoke(AuthToken.objects.all(), options["key"], now=database_now()):
                raise CommandError(
                    f"No token, or more than one, starts with {options['key']}. Enter at least the "
                    f"first {tokens.PREFIX_LENGTH} characters."
                )
            return
        rows = AuthToken.objects.select_related("user", "terms").order_by("-created", "digest")
        if options["username"]:
            rows = rows.filter(user__username=options["username"])
        self.stdout.write("token\tuser\tname\tscope\tcreated\texpires\tlast used\tlimited to")
        for token in rows.iterator():
            self.stdout.write("\t".join(_columns(token)))


def _columns(token: Any) -> list[str]:
    terms = getattr(token, "terms", None)
    return [
        token.token_key[: tokens.PREFIX_LENGTH],
        token.user.get_username(),
        printable(" ".join(terms.name.split())) if terms else "",
        terms.scope if terms else "write",
        _format_time(token.created),
        _format_time(token.expiry),
        _format_time(terms.last_used_at if terms else None),
        " ".join(terms.bounds or ()) if terms else "",
    ]


def _format_time(at: Any) -> str:
    return at.isoformat(timespec="minutes") if at else ""
