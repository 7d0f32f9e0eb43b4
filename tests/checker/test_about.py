"""The page for webmasters."""

from datetime import UTC, datetime, timedelta

import pytest

from archives.archive_settings import parse_save_service
from linkwatch import system_checks

pytestmark = pytest.mark.django_db


def test_the_page_says_who_sends_requests_why_how_often_and_how_to_stop_them(client, settings):
    settings.USER_AGENT = "Linkwatch/0.1 (+https://links.example/about/checks)"
    settings.BASE_URL = "https://links.example"
    settings.CHECK_PERIOD = timedelta(days=9)
    settings.CONTACT = "<b>webmaster@links.example</b>"

    answer = client.get("/about/checks")

    text = answer.content.decode()
    assert answer.status_code == 200
    for part in (
        *("Who we are", "Why", "How often", "How to stop it", "Retry-After", "every 9 days"),
        *(settings.USER_AGENT, settings.BASE_URL, "&lt;b&gt;webmaster@links.example"),
        "(400, 403, 405, 406, 412, 418, 428, 498)",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("period", "in_general", "of_gone_pages"),
    [
        (None, "it is no longer checked.", "Linkwatch stops checking it after"),
        (
            timedelta(days=30),
            "it is checked only every 30 days.",
            "Linkwatch checks it only every 30 days after",
        ),
    ],
)
def test_the_page_says_whether_dead_pages_are_checked(
    client, settings, period, in_general, of_gone_pages
):
    settings.DEAD_RECHECK_PERIOD = period

    text = client.get("/about/checks").content.decode()

    assert in_general in text
    assert of_gone_pages in text


@pytest.mark.parametrize("asks", [True, False])
def test_the_page_mentions_made_up_addresses_if_they_are_requested(client, settings, asks):
    settings.ASK_NEIGHBOURS = asks

    text = client.get("/about/checks").content.decode()

    assert ("for a made-up address" in text) is asks
    assert ("title as the rest of the site" in text) is asks


@pytest.mark.parametrize(
    ("method", "retries", "said"),
    [
        ("GET", 0, ("Checks use GET and read", "a check is not retried.")),
        ("GET", 1, ("a check is retried at most once.",)),
        ("HEAD", 2, ("Checks use HEAD, followed by GET", "is retried at most twice.")),
        ("GET", 3, ("a check is retried at most 3 times.",)),
    ],
)
def test_the_page_names_the_method_and_the_number_of_retries(
    client, settings, method, retries, said
):
    settings.CHECK_METHOD, settings.CHECK_RETRIES = method, retries

    text = client.get("/about/checks").content.decode()

    assert all(part in text for part in said)


@pytest.mark.parametrize("asks", [True, False])
def test_the_page_mentions_requests_for_icons_if_enabled(client, settings, asks):
    settings.FAVICONS = asks

    assert ("/favicon.ico" in client.get("/about/checks").content.decode()) is asks


@pytest.mark.parametrize("prefixes", [[], ["docs/"]])
def test_the_page_says_if_pages_are_saved_in_an_archive(client, settings, prefixes):
    settings.ARCHIVE_SAVES = parse_save_service("wayback")
    settings.ARCHIVE_SAVE_PREFIXES = prefixes

    text = client.get("/about/checks").content.decode()

    assert ("web.archive.org</span>, which keeps public copies" in text) is bool(prefixes)
    assert ("Pages are not indexed, copied, archived" in text) is (not prefixes)


@pytest.mark.parametrize(("robots", "is_named"), [("ignore", False), ("optout", True)])
def test_the_page_mentions_robots_txt_if_it_is_respected(client, settings, robots, is_named):
    settings.ROBOTS = robots

    assert ("User-agent: Linkwatch" in client.get("/about/checks").content.decode()) is is_named


@pytest.mark.parametrize(
    ("contact", "uri"),
    [
        ("library@example.org", "mailto:library@example.org"),
        ("https://example.org/contact", "https://example.org/contact"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_security_txt_names_the_contact_and_its_expiry(client, settings, contact, uri):
    settings.CONTACT, settings.BASE_URL = contact, "https://links.example"

    answer = client.get("/.well-known/security.txt")

    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert fields["Contact"] == uri
    assert fields["Canonical"] == "https://links.example/.well-known/security.txt"
    until = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
    assert timedelta(days=170) < until < timedelta(days=365)


@pytest.mark.parametrize(
    "contact", ["", "the library", "<b>a@b</b>", "a@b\nContact: c@d", "http://a"]
)
def test_without_a_contact_there_is_no_security_txt(client, settings, contact):
    settings.CONTACT = contact

    assert client.get("/.well-known/security.txt").status_code == 404


def test_the_page_accepts_only_reads(client):
    assert client.head("/about/checks").status_code == 200
    assert client.post("/about/checks").status_code == 405


def test_the_default_user_agent_names_the_page(settings):
    assert settings.USER_AGENT.endswith("/about/checks)")


@pytest.mark.parametrize(
    ("agent", "ids"),
    [
        ("Linkwatch/0.1 (+http://localhost:8080/about/checks)", ["linkwatch.W003"]),
        ("Linkwatch/0.1 (+http://127.0.0.1/about/checks)", ["linkwatch.W003"]),
        ("Linkwatch/0.1 (+http://[::1]:8080/)", ["linkwatch.W003"]),
        ("Linkwatch/0.1 (+https://links.example/about/checks)", []),
        ("Localhosts/1.0", []),
    ],
)
def test_a_user_agent_that_names_localhost_causes_a_warning(settings, agent, ids):
    settings.USER_AGENT = agent

    assert [message.id for message in system_checks.check_user_agent()] == ids
