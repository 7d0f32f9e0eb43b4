"""The sliding window of requests, and which client a request counts for."""

import asyncio
from datetime import timedelta
from ipaddress import ip_network

import pytest
import redis

from foundation.breaker import Breaker, BreakerOpenError
from foundation.http.client_address import MAX_HOPS, client_address
from foundation.valkey import rate_limit
from foundation.valkey.clients import client
from tests.foundation.redis_servers import full_redis, run
from tests.threads import run_together

pytestmark = pytest.mark.any_database


@pytest.fixture(autouse=True)
def _empty_redis():
    client().flushdb()


@pytest.fixture
def thirty_a_minute(settings):
    settings.RATE_LIMIT = (30, timedelta(minutes=1))


def test_exactly_thirty_of_sixty_concurrent_requests_pass(thirty_a_minute):
    admissions = run_together([lambda: rate_limit.admit("GET a", "192.0.2.1")] * 60)

    assert sum(admission.admitted for admission in admissions) == 30
    assert sorted(a.remaining for a in admissions if a.admitted) == list(range(30))
    assert all(1 <= admission.reset <= 60 for admission in admissions)


def test_refused_requests_do_not_count(thirty_a_minute):
    for _ in range(40):
        rate_limit.admit("GET a", "192.0.2.1")
    assert client().zcard("rl:GET a:192.0.2.1") == 30


def test_routes_and_clients_have_their_own_windows(thirty_a_minute):
    for route, address in [("GET a", "192.0.2.1"), ("GET b", "192.0.2.1"), ("GET a", "192.0.2.2")]:
        assert rate_limit.admit(route, address).remaining == 29


def test_the_window_slides(thirty_a_minute):
    now = run(_redis_now())
    ages = {f"old {n}": now - 61_000 for n in range(20)} | {
        f"new {n}": now - 30_000 for n in range(30)
    }
    client().zadd("rl:GET a:192.0.2.1", ages)

    refused = rate_limit.admit("GET a", "192.0.2.1")

    assert not refused.admitted
    assert 20 <= refused.reset <= 30
    client().zrem("rl:GET a:192.0.2.1", "new 0")
    assert rate_limit.admit("GET a", "192.0.2.1").admitted


async def _redis_now():
    seconds, microseconds = await asyncio.to_thread(client().time)
    return seconds * 1000 + microseconds // 1000


def test_a_window_is_forgotten_once_it_is_over(thirty_a_minute):
    rate_limit.admit("GET a", "192.0.2.1")
    assert 0 < client().pttl("rl:GET a:192.0.2.1") <= 60_000


def test_a_full_redis_still_limits_requests_and_urls(thirty_a_minute):
    ten_a_minute = 10, timedelta(minutes=1)
    with full_redis():
        assert rate_limit.admit("GET a", "192.0.2.1").remaining == 29
        assert rate_limit.spend("urls", ["192.0.2.1"], 10, rate=ten_a_minute).admitted
        assert not rate_limit.spend("urls", ["192.0.2.1"], 10, rate=ten_a_minute).admitted


def test_headers_show_the_remaining_requests(thirty_a_minute):
    reported = rate_limit.admit("GET a", "192.0.2.1").headers
    assert reported == {"RateLimit-Policy": '"client";q=30;w=60', "RateLimit": '"client";r=29;t=60'}
    refused = rate_limit.Admission(admitted=False, remaining=0, reset=7)
    assert refused.headers["Retry-After"] == "7"


def test_a_breaker_lets_one_call_try_again_after_its_pause():
    breaker = Breaker(pause=0.02)

    def call(error=None):
        with breaker.around_call():
            if error:
                raise error

    with pytest.raises(OSError, match="gone"):
        call(OSError("gone"))
    with pytest.raises(BreakerOpenError):
        call()

    async def again():
        for _ in range(9000):
            try:
                return call()
            except BreakerOpenError:
                await asyncio.sleep(0.01)
        raise AssertionError("it stays open")

    asyncio.run(again())
    call()


def test_an_error_of_a_command_does_not_open_the_breaker():
    breaker = Breaker()

    def call():
        with breaker.around_call():
            raise ValueError

    for _ in range(3):
        with pytest.raises(ValueError):
            call()


def test_an_unavailable_redis_is_not_queried_repeatedly(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    with pytest.raises(redis.ConnectionError, match="refused"):
        rate_limit.admit("GET a", "192.0.2.1")
    with pytest.raises(BreakerOpenError):
        rate_limit.admit("GET a", "192.0.2.1")


@pytest.mark.parametrize(
    ("peer", "forwarded", "client_is"),
    [
        ("192.0.2.1", "", "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", "192.0.2.1"),  # any client can send this header
        ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.7, 10.0.0.2", "198.51.100.7"),
        ("10.0.0.1", "198.51.100.7, nonsense, 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "nonsense", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("::ffff:10.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "2001:DB8::0:1", "2001:db8::1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.7:567", "198.51.100.7"),
        ("10.0.0.1", "[2001:db8::1]:567, 10.0.0.2:80", "2001:db8::1"),
        ("10.0.0.1", "[2001:db8::1]", "2001:db8::1"),
        ("10.0.0.1", "198.51.100.7:", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.7:x", "10.0.0.1"),
        ("10.0.0.1", "[198.51.100.7", "10.0.0.1"),
        (None, "198.51.100.7", "unknown"),
    ],
)
def test_only_a_trusted_proxy_shows_the_client(settings, peer, forwarded, client_is):
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/8")]
    assert client_address(peer, forwarded) == client_is


def test_only_the_last_hops_are_read(settings):
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/8")]
    few = ["198.51.100.7", *["10.0.0.2"] * (MAX_HOPS - 1)]
    assert client_address("10.0.0.1", ", ".join(few)) == "198.51.100.7"
    many = ["198.51.100.7", *["10.0.0.2"] * MAX_HOPS]
    assert client_address("10.0.0.1", ", ".join(many)) == "10.0.0.2"


def test_without_trusted_proxies_no_forwarded_header_is_used():
    assert client_address("127.0.0.1", "198.51.100.7") == "127.0.0.1"


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("unknown", "unknown"),
    ],
)
def test_an_ipv6_client_is_identified_by_its_network(address, counted_as):
    assert rate_limit.client_identity(address) == counted_as
