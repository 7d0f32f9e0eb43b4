"""Short links from separate web processes, over real connections."""

import re
import socket
from datetime import timedelta

import pytest

from analytics.stream import STREAM
from foundation.database.clock import database_now
from shortener import services
from shortener.models import ShortURL
from tests.acceptance.processes import until
from tests.shortener.links import HOUR, ShortURLFactory, make
from tests.snippets.servers import PATIENCE, web

pytestmark = [pytest.mark.acceptance, pytest.mark.django_db(transaction=True)]


# Ends the connection, if the previous request did not.
LAST = "HEAD /s/- HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

LAST_ANSWER = "HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\n"


def ask(port, text):
    """Send this over one connection; return the response, without dates."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall((text + LAST).encode())
        seen = b"".join(iter(lambda: connection.recv(65536), b""))
    answers = re.sub(r"date: .*?\r\n", "", seen.decode())
    return answers.rpartition(LAST_ANSWER)[0] or answers


def get(key, *lines, method="GET", version="1.1"):
    return "\r\n".join([f"{method} /s/{key} HTTP/{version}", "Host: localhost", *lines, "", ""])


def status(port, key):
    return int(ask(port, get(key, method="HEAD")).split(" ")[1])


def views(redis, key):
    seen = [fields for _, fields in redis.xrange(STREAM)]
    return sum(int(one[b"n"]) for one in seen if one[b"subject"] == f"short:{key}".encode())


@pytest.fixture(scope="module")
def ports(django_db_setup, tmp_path_factory):
    """Two web processes that keep their caches; each test uses its own keys."""
    folder = tmp_path_factory.mktemp("webs")
    module = "tests.shortener.forgetful_web"
    with web(folder, module) as one, web(folder, module) as other:
        yield one, other


def test_a_change_in_one_process_reaches_all_others(ports, redis):
    """The processes would cache the link for an hour; a Redis channel tells them of the change."""
    deleted, ended = make(key="deleted"), make(key="ended")

    def all_say(expected, link):
        until(lambda: [status(port, link.key) for port in ports] == [expected] * 2, within=PATIENCE)

    for link in (deleted, ended):
        all_say(302, link)
    services.delete("deleted", now=database_now())
    all_say(410, deleted)
    services.update("ended", {"expires_at": database_now()}, now=database_now())
    all_say(410, ended)
    services.update("ended", {"expires_at": database_now() + HOUR}, now=database_now())
    all_say(302, ended)


def test_a_redirect_from_memory_is_like_any_other(ports, redis):
    """The first response comes from the database, later ones from memory."""
    make(key="abc", long_url="https://example.com/\u00fc?q=\u00e4#f")
    port = ports[0]
    first = ask(port, get("abc"))
    assert first.startswith("HTTP/1.1 302 Found\r\n")
    assert "location: https://example.com/%C3%BC?q=%C3%A4#f\r\n" in first
    lines = sorted(first.splitlines())
    assert sorted(ask(port, get("abc")).splitlines()) == lines
    assert sorted(ask(port, get("abc", "Content-Length: 2") + "{}").splitlines()) == lines

    assert sorted(ask(port, get("abc", "Connection: close")).splitlines()) == sorted(
        [*lines, "connection: close"]
    )
    assert "connection: close\r\n" in ask(port, get("abc", version="1.0"))
    until(lambda: views(redis, "abc") == 5, within=PATIENCE)  # and no more than that


def test_answers_come_in_the_order_of_their_requests(ports, redis):
    for number in range(3):
        make(key=f"key{number}", long_url=f"https://example.com/{number}")
    ask(ports[0], get("key0"))
    wanted = ["key0", "key1", "key0", "nothing", "key0", "key2", "key0", "key0"]
    text = "".join(get(key) for key in wanted)
    seen = ask(ports[0], text + get("key1"))
    places = re.findall(r"location: https://example.com/(\d)|(404) Not Found", seen)
    assert ["".join(place) for place in places] == ["0", "1", "0", "404", "0", "2", "0", "0", "1"]


def test_a_thousand_requests_in_one_packet_are_all_answered(ports, redis):
    """Even if many requests wait behind one that takes long."""
    make(key="near")
    ask(ports[0], get("near"))
    text = get("unknown", method="HEAD") + get("near") * 1001
    seen = ask(ports[0], text)
    assert seen.count("HTTP/1.1 302 Found") == 1001


def test_a_link_in_memory_ends_in_time(ports, redis):
    end = database_now() + timedelta(seconds=3)
    ShortURLFactory(key="ends", expires_at=end)  # on a slow machine it has ended by now
    seen = 302
    while seen == 302:
        seen, at = status(ports[0], "ends"), database_now()
        assert seen == 410 or at < end + timedelta(seconds=PATIENCE)
        asked_at = database_now()
        if asked_at >= end:
            assert status(ports[0], "ends") == 410
    assert seen == 410
    assert ShortURL.objects.filter(pk="ends").exists()
