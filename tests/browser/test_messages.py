"""Mail as people see it: narrow and wide, light and dark, with any foreign text in it."""

from datetime import UTC, datetime

import pytest

from accounts.actors import DEPLOYMENT
from notify.message_rendering import as_html
from notify.message_texts import digest_content
from notify.models import Channel
from outbox.event_kinds import EventKind
from outbox.models import Event
from tests.browser.test_pages import TOO_WIDE
from tests.browser.test_snippet_page import picture

NOW = datetime(2026, 3, 1, 14, 2, tzinfo=UTC)
DIGEST = "0195500a-0000-7000-8000-000000000001"
HOSTILE = "\u202e</p><script>document.title = 'bent'</script> العربية " + "x" * 300


@pytest.mark.any_database
def test_a_mail_is_readable_everywhere_and_runs_no_scripts(chromium, violations):
    channel = Channel(name=HOSTILE[:100], created_at=NOW, position=0)
    digest = _digest()
    document = as_html(channel, digest, unsubscribe_url="https://watch.example/unsubscribe/x")
    page = chromium.new_page()
    page.set_content(document)

    for scheme in ("light", "dark"):
        for width in (1200, 320):
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            picture(page, f"mail-{scheme}-{width}")
            assert page.evaluate(TOO_WIDE) == [], (scheme, width)
            assert violations(page, without=("best-practice",)) == [], (scheme, width)
    assert page.title() == digest.subject != "bent"
    assert digest.subject.startswith("Dead: </p><script>")
    page.close()


def _digest():
    url = "https://example.org/page"
    death = {"target_id": "t_1", "url": f"{url}?{HOSTILE}", "canonical_url": url, "failures": 3}
    death |= {"error": {"message": HOSTILE}, "reference_ids": [HOSTILE, *map(str, range(100_000))]}
    outage = {"since": "2026-03-01T14:02:11Z", "until": "2026-03-01T14:31:40Z", "set_aside": 212}
    rows = [
        Event(from_state="alive", to_state="dead", at=NOW, payload=death),
        Event(kind=EventKind.NETWORK_BACK, at=NOW, payload=outage),
    ]
    return digest_content(rows, digest_id=DIGEST, by=DEPLOYMENT, began_at=NOW, skipped=412)
