"""Requests short links as a browser or a program does, without a server."""

import asyncio
import json
from dataclasses import dataclass

from shortener.redirect_answers import short_link
from tests.foundation.redis_servers import run

BROWSER = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
BOT = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self):
        return json.loads(self.body)["code"]

    @property
    def location(self):
        return self.headers.get("location")


async def asked(path, *, method="GET", host="localhost:8080", client="192.0.2.1", **headers):
    """Return the response to a request, or None if it is not for a short link."""
    given = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "client": (client, 5000),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }
    read = short_link(scope)
    if read is None:
        return None
    answer = await read()
    reported = {name.decode(): value.decode() for name, value in answer.all_headers}
    assert len(reported) == len(answer.all_headers)
    return Answer(answer.status, reported, answer.body)


def ask(path, **options):
    return run(asked(path, **options))


def ask_together(*paths, **options):
    """Return the responses to simultaneous requests."""

    async def all_of_them():
        return await asyncio.gather(*(asked(path, **options) for path in paths))

    return run(all_of_them())
