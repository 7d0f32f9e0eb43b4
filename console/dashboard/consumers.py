"""`/ws/dashboard/`: the dashboard as it changes, for those who may see it."""

from collections.abc import Mapping

from console.dashboard.broadcast import broadcast
from console.dashboard.rendering import DashboardRendering
from console.sockets import PageConsumer


class DashboardConsumer(PageConsumer):
    """One client: of each new summary it is sent what that changes.

    `sections` are pieces of the page by their names, and of these only what is not what it was
    sent last.
    """

    async def send_page(self) -> None:
        """Send each new summary."""
        latest: DashboardRendering | None = None
        has: Mapping[str, str] = {}  # what the client was sent last of each section
        with broadcast().watched():
            while True:
                latest = await self.next_of(broadcast(), latest)
                sections = latest.sections[self.viewer.audience]
                changed = dict(sections.items() - has.items())
                has = sections
                await self.send_json(
                    {
                        "type": "summary",
                        "now": latest.now,
                        "patience": latest.patience,
                        "sections": changed,
                        "rates": latest.rates,
                    }
                )
