"""`/ws/dashboard/`: changes of the dashboard, for users who may see it."""

from collections.abc import Mapping

from console.dashboard.broadcast import broadcast
from console.dashboard.rendering import DashboardRendering
from console.sockets import PageConsumer


class DashboardConsumer(PageConsumer):
    """A client that shows the dashboard; it gets the changes of each new summary.

    `sections` contains the HTML of parts of the page, by name: only those that have changed.
    """

    async def send_page(self) -> None:
        """Send the changes of each new summary until the client disconnects."""
        latest: DashboardRendering | None = None
        sent: Mapping[str, str] = {}  # the last content of each section sent to the client
        with broadcast().watched():
            while True:
                latest = await self.next_value(broadcast(), latest)
                sections = latest.sections[self.viewer.audience]
                changed = dict(sections.items() - sent.items())
                sent = sections
                await self.send_json(
                    {
                        "type": "summary",
                        "now": latest.now,
                        "patience": latest.patience,
                        "sections": changed,
                        "rates": latest.rates,
                    }
                )
