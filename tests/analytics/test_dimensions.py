"""The dimensions that are derived from the headers of a visit."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analytics import stream, visit_dimensions
from analytics.visit_dimensions import DEVICES, MAX_HOSTS
from tests import mmdb

pytestmark = pytest.mark.any_database


@pytest.fixture(autouse=True)
def fresh():
    """Clear memos, which would not notice the settings that a test changes."""
    visit_dimensions.referring_host.cache_clear()
    stream._visitor_of_link.cache_clear()
    yield
    visit_dimensions.referring_host.cache_clear()
    stream._visitor_of_link.cache_clear()


@pytest.mark.parametrize(
    ("referrer", "host"),
    [
        (b"", "direct"),
        (b"https://t.co/", "t.co"),
        (b"https://WWW.Example.ORG:8443/a?b#c", "www.example.org"),
        (b"http://news.example", "news.example"),
        (b"https://example.org./", "example.org"),
        (b"https://someone:secret@example.org/", "example.org"),
        (b"https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        (b"http://192.0.2.1/", "192.0.2.1"),
        (b"http://intranet/page", "intranet"),
        (b"android-app://com.example.mail/", "com.example.mail"),
        (b"https://" + b"a" * 60 + b".example/" + b"x" * 10_000, "a" * 60 + ".example"),
    ],
)
def test_referrers_are_counted_by_host(referrer, host):
    assert visit_dimensions.referring_host(referrer[: visit_dimensions.MAX_REFERRER]) == host


@pytest.mark.parametrize(
    "referrer",
    [
        b"https://" + b"a." * 5_000 + b"example/",
        b"https://" + b"a" * 101 + b"/",
        b"https://" + b"a" * 64 + b".example/",
        b"https://user@" + b"a" * 110,
        b"https:///path",
        b"https://",
        b"https://-a.example/",
        b"https://a..b/",
        b"https://b\xc3\xbccher.example/",
        b"https://<script>alert(1)</script>/",
        b"https://a.example:port/",
        b"https://[2001:db8::1]/",
        b"https://direct/",
        b"https://OTHER/",
        b"javascript:alert(1)",
        b"about:blank",
        b"\x00",
        b"example.org",
        b"https://a b.example/",
        b"https://%00/",
    ],
)
def test_a_referrer_without_a_valid_host_is_other(referrer):
    assert visit_dimensions.referring_host(referrer[: visit_dimensions.MAX_REFERRER]) == "other"


def test_a_referrer_of_this_deployment_counts_as_none(settings):
    settings.ALLOWED_HOSTS = [".ours.example", "*"]
    settings.SHORT_DOMAIN = "lnk.example:8080"
    settings.BASE_URL = "https://links.example.org"
    ours = (b"ours.example", b"a.ours.example", b"lnk.example", b"links.example.org")
    assert {visit_dimensions.referring_host(b"https://%b/x" % host) for host in ours} == {"direct"}
    assert visit_dimensions.referring_host(b"https://theirs.example/") == "theirs.example"


@given(st.binary(max_size=300))
@example(b"https://a.example\n/")
def test_any_referrer_has_a_short_plain_name(referrer):
    host = visit_dimensions.referring_host(referrer)
    assert 0 < len(host) <= visit_dimensions.MAX_HOST
    assert set(host) <= set("abcdefghijklmnopqrstuvwxyz0123456789-._")


WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0"


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Safari/537.36", "desktop"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Firefox/140.0", "desktop"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "desktop"),
        (f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {WEBKIT} Safari/537.36", "desktop"),
        (f"Mozilla/5.0 (Linux; Android 10; K) {WEBKIT} Mobile Safari/537.36", "phone"),
        (f"Mozilla/5.0 (Linux; Android 10; CUBOT X) {WEBKIT} Mobile Safari/537.36", "phone"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Mobile/15E148", "phone"),
        ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "phone"),
        ("Opera/9.80 (J2ME/MIDP; Opera Mini/9.80) Presto/2.12", "phone"),
        (f"Mozilla/5.0 (Linux; Android 10; K) {WEBKIT} Safari/537.36", "tablet"),
        ("Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) Mobile/15E148", "tablet"),
        ("Mozilla/5.0 (Linux; Android 9; KFMAWI) Silk/142.0 like Chrome", "tablet"),
        ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot"),
        ("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "bot"),
        ("Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) SamsungBrowser/2.2 TV Safari", "other"),
        (f"Mozilla/5.0 (Linux; Android 9; AFTKA) {WEBKIT} Safari/537.36", "other"),
        ("curl/8.5.0", "other"),
        ("python-requests/2.32", "other"),
        ("", "other"),
        ("\x00" * 512, "other"),
    ],
)
def test_a_device_is_derived_from_its_user_agent(agent, device):
    assert visit_dimensions.device_of(agent) == device


@given(st.text(max_size=600))
def test_every_user_agent_has_exactly_one_class(agent):
    assert visit_dimensions.device_of(agent) in DEVICES


HOSTS = st.sampled_from(["direct", "other", *(f"h{n}.example" for n in range(150))])
KINDS = st.tuples(HOSTS, st.sampled_from(DEVICES), st.sampled_from(["CH", "JP", "unknown"]))


@given(st.dictionaries(KINDS, st.integers(1, 1000), min_size=1, max_size=400))
def test_every_dimension_of_an_entry_adds_up_to_its_visits(visits):
    n = sum(visits.values())
    parts = visit_dimensions.parse(visit_dimensions.as_text(visits).encode(), n=n)
    sums = dict.fromkeys(("referrer", "device", "country"), 0)
    for name, count in parts.fields.items():
        sums[name.partition(":")[0]] += count
    sums["referrer"] += sum(parts.hosts.values())
    assert sums == dict.fromkeys(sums, n)
    assert len(parts.hosts) <= MAX_HOSTS


def test_only_the_most_frequent_hosts_of_an_entry_are_kept():
    visits = {(f"h{n}.example", "phone", ""): n for n in range(1, 301)}
    reported = json.loads(visit_dimensions.as_text(visits))
    assert "country" not in reported
    assert reported["referrer"].pop("other") == sum(range(1, 201))
    assert reported["referrer"] == {f"h{n}.example": n for n in range(201, 301)}


@pytest.mark.parametrize(
    "raw",
    [
        b"no JSON",
        b"[]",
        b"7",
        b'{"referrer":{"direct":2}}',
        b'{"referrer":{"direct":2},"device":{"phone":1}}',
        b'{"referrer":{"direct":2},"device":{"phone":3,"bot":-1}}',
        b'{"referrer":{"direct":2},"device":{"phone":2.0}}',
        b'{"referrer":{"direct":2},"device":{"phone":true,"bot":true}}',
        b'{"referrer":{"direct":2},"device":["phone"]}',
        b'{"referrer":{"direct":2},"device":{"phone":2},"shoes":{"red":2}}',
        b'{"referrer":{"%b":2},"device":{"phone":2}}' % (b"a" * 101),
    ],
)
def test_entries_in_an_unknown_format_are_refused(raw):
    with pytest.raises((ValueError, TypeError, AttributeError)):
        visit_dimensions.parse(raw, n=2)


def test_folded_visits_of_links_have_dimensions_and_those_of_snippets_none():
    iphone, firefox = b"Mozilla/5.0 (iPhone; Mobile)", b"Mozilla/5.0 (X11; Linux)"
    views = [
        ("short:k", "192.0.2.1", iphone, b"https://t.co/a", 0),
        ("short:k", "192.0.2.1", iphone, b"https://t.co/b", 0),
        ("short:k", "192.0.2.2", firefox, b"", 0),
        ("s_a", "192.0.2.2", firefox, b"", 0),
    ]
    link, snippet = stream.fold(views)
    assert json.loads(link.dimensions) == {
        "referrer": {"t.co": 2, "direct": 1},
        "device": {"phone": 2, "desktop": 1},
    }
    assert (link.n, link.visitors.count(",")) == (3, 1)
    assert snippet.dimensions == ""


def test_entries_of_a_link_with_more_visitors_than_fit_share_its_dimensions():
    views = [
        ("short:k", "192.0.2.1", b"%d" % (n % 2_500), b"https://h%d.example/" % (n % 3), 0)
        for n in range(10_000)
    ]
    folded = list(stream.fold(views))
    for event in folded:
        visit_dimensions.parse(event.dimensions.encode(), n=event.n)
        assert event.visitors.count(",") < 1_000
    assert sum(event.n for event in folded) == 10_000


def test_no_address_leaves_the_process(settings, tmp_path, monkeypatch):
    file = mmdb.write(tmp_path / "countries.mmdb", {"192.0.2.0/24": mmdb.country("CH")})
    monkeypatch.setattr(stream, "_countries", None)
    settings.GEOIP_FILE = str(file)
    agent, referrer = b"Mozilla/5.0 (iPad; private)", b"https://a.example/?q=secret"
    [event] = stream.fold([("short:k", "192.0.2.77", agent, referrer, 0)])
    assert json.loads(event.dimensions) == {
        "referrer": {"a.example": 1},
        "device": {"tablet": 1},
        "country": {"CH": 1},
    }
    assert not any(word in repr(event) for word in ("192.0.2", "secret", "private"))
    monkeypatch.setattr(stream, "_countries", None)


def test_a_referrer_of_maximum_length_takes_no_more_memory_than_others(monkeypatch):
    monkeypatch.setattr(stream._StreamProducer, "start", lambda self: None)
    monkeypatch.setattr(stream, "_producer", stream._StreamProducer())
    stream.view("short:k", "192.0.2.1", b"", b"https://" + b"a" * 60_000)
    [(_, _, _, referrer, _)] = stream._producer.views
    assert len(referrer) == visit_dimensions.MAX_REFERRER
