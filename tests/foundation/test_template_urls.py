"""URLs in templates: in ASCII, and never cut at the end."""

import pytest
from django.utils.html import strip_tags

from foundation.templatetags.urls import uncut_end

pytestmark = pytest.mark.any_database


def test_a_long_url_has_an_end_that_is_not_cut_off():
    url = "https://a.example/" + "folder/" * 10 + "install-on-debian.html"
    shown = uncut_end(url)
    assert shown.endswith('<span class="ending">older/install-on-debian.html</span>')
    assert strip_tags(shown) == url


def test_a_short_url_is_shown_as_it_is_and_text_is_escaped():
    assert uncut_end("https://bücher.example/ä") == "https://xn--bcher-kva.example/%C3%A4"
    assert "<script>" not in uncut_end("<script>") + uncut_end("<script>" * 10)
