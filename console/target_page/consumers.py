"""`/ws/target/?id=…&span=…&zone=…&seen=…`: live updates of a target's page, for its readers."""

from urllib.parse import parse_qs

from accounts.time_zones import zone_named
from analytics.consumers import POLICY_VIOLATION
from console.sockets import PageConsumer
from console.target_page.broadcast import live_pages
from console.target_page.chart import SCALES
from console.target_page.rendering import RenderedPage
from foundation.ids import is_id


class TargetConsumer(PageConsumer):
    """A client that shows a target's page; it gets the sections that change.

    The first message has all sections, or none if `seen` is the digest of the current page. Times
    are in `zone`, or in UTC. Everybody in an audience and a zone gets the same messages, without
    references, owners or audit entries.
    `gone`: the target does not exist.
    """

    rights = ("checker.view_checkresult",)

    async def send_page(self) -> None:
        """Send changes until the client disconnects.

        For an invalid id or an unknown span, close with 1008.
        """
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        names = ("id", "span", "zone", "seen")
        target_id, span, zone, seen = (query.get(name, [""])[0] for name in names)
        if not is_id("target", target_id) or span not in SCALES:
            await self.close(POLICY_VIOLATION)
            return
        page: RenderedPage | None = None
        with live_pages().watched(target_id, span, zone_named(zone)) as live_page:
            while True:
                last, page = page, await self.next_value(live_page, page)
                if page.renderings:
                    await self.send(page.message(self.viewer.audience, last=last, seen=seen))
                else:
                    await self.send_json({"type": "gone"})
