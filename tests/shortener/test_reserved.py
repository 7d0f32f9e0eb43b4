"""New links can't use the product's own addresses as keys; existing links keep such a key."""

import re

import pytest
from django.core.management import call_command
from django.urls import get_resolver, include, path

from checker.about_pages import about_checks
from linkwatch import urls
from shortener.models import ShortURL
from shortener.reserved_keys import check_new_key, reserved_words
from shortener.short_keys import InvalidKeyError, looks_like_key
from status.asgi import PATHS
from tests.rights.routes import routes
from tests.shortener.asking import ask
from tests.shortener.links import ShortURLFactory, make

pytestmark = [pytest.mark.usefixtures("threads"), pytest.mark.any_database]

# A later release with one more page, and one more app with pages at the top level.
urlpatterns = [
    *urls.urlpatterns,
    path("brand-new/<int:pk>", about_checks),
    path("", include(([path("newest", about_checks)], "later"))),
]


def first_words():
    """Return the first segments of all addresses in the URL configuration."""
    words = {"admin"} | {re.split(r"[/.{]", path)[1] for _, path in routes()}
    return sorted(word for word in words if looks_like_key(word))


@pytest.mark.parametrize(
    "key",
    [
        *first_words(),
        "Confirm",
        "unsubscribe",
        "invitations",
        "feeds",
        "find",
        "outages",
        "version",
    ],
)
def test_new_links_cannot_use_addresses_of_the_product(key):
    with pytest.raises(InvalidKeyError, match="reserved"):
        check_new_key(key)


def test_only_routes_and_listed_words_are_reserved():
    words = reserved_words(get_resolver())
    listed = reserved_words(get_resolver("tests.shortener.empty_urls"))
    assert {word for word in words - listed if looks_like_key(word)} == set(first_words())
    check_new_key("spring")


def test_a_link_keeps_a_key_that_a_later_release_uses_for_a_page(settings):
    settings.SHORT_DOMAIN = "lnk.example"
    make(key="brand-new")
    make(key="newest")
    settings.ROOT_URLCONF = __name__
    for key in ("brand-new", "newest"):
        assert ask(f"/s/{key}").status == 302
        assert ask(f"/{key}", host="lnk.example").status == 302
    for key in ("Brand-New", "newest"):
        with pytest.raises(InvalidKeyError, match="reserved"):
            check_new_key(key)


def test_links_with_reserved_keys_can_be_moved_to_another_deployment(tmp_path):
    ShortURLFactory(key="confirm", long_url="https://a.example/x")
    file = tmp_path / "links.csv"
    call_command("export_urls", str(file))
    ShortURL.objects.all().delete()
    call_command("import_urls", str(file))
    assert ask("/s/confirm").location == "https://a.example/x"


def test_health_probes_do_not_hide_a_link():
    """SHORT_DOMAIN answers probes as well; both keys were reserved from the beginning."""
    assert {name for probe in PATHS if looks_like_key(name := probe[1:])} == {"livez", "readyz"}
