"""`manage.py notify`: list channels and their states; send a test message."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count, Q

from foundation.database.clock import database_now
from foundation.files.lists import printable
from foundation.http.errors import ApiError
from foundation.times import rfc3339
from notify import redelivery
from notify.models import Channel, DeliveryState


class Command(BaseCommand):
    help = "List the notification channels, or send a test message to one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        tasks = parser.add_subparsers(dest="task", metavar="list | test", required=True)
        tasks.add_parser(
            "list", help="show for each channel whether it works and how many messages are waiting"
        )
        test = tasks.add_parser("test", help="have the relay send a test message through a channel")
        test.add_argument("channel", metavar="ID")

    def handle(self, *, task: str, **options: Any) -> None:
        if task == "test":
            self._test(options["channel"])
            return
        waiting = Count("deliveries", filter=Q(deliveries__state=DeliveryState.WAITING))
        counts = dict(Channel.objects.values_list("pk").annotate(waiting=waiting))
        for channel in Channel.objects.select_related("owner"):
            owner = channel.owner or "the deployment"
            self.stdout.write(
                f"{channel.id} {channel.kind} {channel.name!r}, owned by {owner}: "
                f"{_state(channel)}; {counts.get(channel.pk, 0)} waiting"
            )

    def _test(self, channel_id: str) -> None:
        try:
            delivery = redelivery.send_test(channel_id, now=database_now())
        except ApiError as error:
            raise CommandError(error.message) from None
        self.stdout.write(f"Delivery {delivery.pk} is waiting for the relay to send it.")


def _state(channel: Channel) -> str:
    if not channel.actor.may_receive:
        return f"{channel.state}, but its owner has no role or is not allowed to sign in"
    if channel.failing_since:
        return f"failing since {rfc3339(channel.failing_since)}"
    reason = printable(channel.reason)  # may quote the receiver's server
    return f"{channel.state}: {reason}" if reason else channel.state
