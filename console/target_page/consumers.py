"""`/ws/target/?id=…&span=…&seen=…`: the page of a target as it changes, for who may see it."""

from urllib.parse import parse_qs

from analytics.consumers import POLICY_VIOLATION
from console.sockets import PageConsumer
from console.target_page.broadcast import watches
from console.target_page.chart import SCALES
from console.target_page.rendering import RenderedPage
from foundation.ids import is_id


class TargetConsumer(PageConsumer):
    """One page of a target: of each change it is sent the sections that are not what they were.

    First as well, unless `seen` is the mark of what there is. What is sent is the same for all who
    see as much: no reference, owner or trace is in it. `gone`: the target is deleted.
    """

    rights = ("checker.view_checkresult",)

    async def send_page(self) -> None:
        """Send what changes; closed with 1008 for what is no target's id, or no known time."""
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        target_id, span, seen = (query.get(name, [""])[0] for name in ("id", "span", "seen"))
        if not is_id("target", target_id) or span not in SCALES:
            await self.close(POLICY_VIOLATION)
            return
        page: RenderedPage | None = None
        with watches().watched(target_id, span) as watch:
            while True:
                last, page = page, await self.next_of(watch, page)
                if page.renderings:
                    await self.send(page.news(self.viewer.audience, last=last, seen=seen))
                else:
                    await self.send_json({"type": "gone"})
