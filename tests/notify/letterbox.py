"""A kind of channel for tests that stores its messages and returns the results a test sets."""

import asyncio
import json
from collections import defaultdict

from notify.kinds.kind import ChannelKindBase, SendAttempt, SendOutcome


class Letterbox(ChannelKindBase):
    """A letterbox for one test: `got` has (message id, body) by channel, in order."""

    def __init__(self):
        self.got = defaultdict(list)
        self.answers = {}  # by channel: Outcome, or a function of the delivery
        self.hangs = set()  # channels that never respond
        self.under_way = defaultdict(int)
        self.met = 0  # count of overlapping sends of one channel

    def clean(self, settings, *, by):
        return dict(settings)

    def compose(self, channel, content):
        return json.dumps({"subject": content.subject, "data": content.data["data"]})

    async def send(self, channel, delivery):
        self.under_way[channel.pk] += 1
        self.met += self.under_way[channel.pk] > 1
        try:
            if channel.pk in self.hangs:
                await asyncio.Event().wait()
            await asyncio.sleep(0)
            answer = self.answers.get(channel.pk, SendOutcome.ACCEPTED)
            attempt = answer(delivery) if callable(answer) else SendAttempt(outcome=answer)
            if attempt.outcome is SendOutcome.ACCEPTED:
                self.got[channel.pk].append((str(delivery.message_id), delivery.body))
            return attempt
        finally:
            self.under_way[channel.pk] -= 1
