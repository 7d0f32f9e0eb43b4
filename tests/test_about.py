"""The pages about privacy and accessibility: correct for the settings, and open to everybody."""

import re
from datetime import timedelta

import pytest

from accounts import time_zones
from shortener import pages

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def read(client, path="/about/privacy"):
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_retention_times_are_those_of_the_settings(client, settings):
    settings.TRACES_RETENTION = timedelta(days=77)
    settings.BATCH_RETENTION = timedelta(days=6)
    settings.VIEWS_RETENTION = timedelta(days=99)
    settings.RESULTS_RETENTION = timedelta(days=88)
    settings.ENDED_LINKS_RETENTION = None

    text = read(client)

    assert "what you changed, for 77 days" in text
    assert "one-time checks, for 6 days" in text
    assert "Daily view counts for 99 days, and monthly counts after that" in text
    assert "Check results are kept for 88 days. State changes are kept indefinitely" in text
    assert "destination is deleted with it" in text


def test_only_features_of_this_deployment_are_listed(client, settings):
    settings.OIDC_ISSUER, settings.GEOIP_FILE, settings.EMAIL_URL = "", "", ""
    settings.ANONYMOUS_SNIPPETS = settings.ANONYMOUS_CHECKS = False
    bare = read(client)
    settings.OIDC_ISSUER, settings.GEOIP_FILE = "https://id.example", "countries.mmdb"
    settings.ANONYMOUS_SNIPPETS = settings.ANONYMOUS_CHECKS = True

    full = read(client)

    for part in ("https://id.example", "by country", "save a snippet here", "check links here"):
        assert part in full
        assert part not in bare


def test_the_privacy_page_names_the_cookie_of_the_scripts(client, settings):
    scripts = (settings.BASE_DIR / "static/linkwatch").glob("*.js")
    source = "".join(script.read_text() for script in scripts)

    assert re.findall(r"document\.cookie = `(\w+)=", source) == [time_zones.COOKIE]
    assert "your browser's time zone is stored in a cookie" in read(client)


def test_both_pages_name_the_contact(client, settings):
    settings.CONTACT = "<b>library@example.org"
    for path in ("/about/privacy", "/about/accessibility"):
        assert "&lt;b&gt;library@example.org" in read(client, path)
        assert client.post(path).status_code == 405


def test_pages_of_short_links_link_to_the_pages_of_the_deployment(settings):
    page = pages.error_page(404, "not_found", key="never-made").decode()

    assert f'href="{settings.BASE_URL}/about/privacy"' in page
