"""`/account/saves`: consent, the list of saved pages, and the operators' pause."""

import pytest
from django.contrib.auth.models import User

from accounts.models import Trace
from accounts.roles import Role
from archives import saving
from archives.archive_settings import parse_save_service
from archives.models import PageSave, SaveConsent, SaveState
from tests.conftest import NOW
from tests.factories import ReferenceFactory

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PATH = "/account/saves"


@pytest.fixture(autouse=True)
def service(settings):
    settings.ARCHIVE_SAVES = parse_save_service("wayback")
    settings.ARCHIVE_SAVE_PREFIXES = ["docs:"]
    return settings.ARCHIVE_SAVES


def queued(name, owner=None, **fields):
    reference = ReferenceFactory(owner=owner, target__url=f"http://{name}.example/")
    return PageSave.objects.create(target=reference.target, queued_at=NOW, **fields)


def page(client):
    return client.get(PATH).content.decode()


def test_a_member_gives_consent_and_withdraws_it(ada):
    assert "These pages are not saved." in page(ada)
    assert "starts with <bdi>docs:</bdi>" in page(ada)
    assert (
        "New pages that only you watch are saved, too."
        in ada.post(PATH, {"action": "agree"}, follow=True).text
    )
    assert SaveConsent.objects.get().user.username == "ada"
    assert "These pages are not saved." in ada.post(PATH, {"action": "refuse"}, follow=True).text
    assert not SaveConsent.objects.exists()
    assert [one.action for one in Trace.objects.order_by("pk")] == [
        "agree to saves",
        "refuse saves",
    ]


def test_members_see_their_own_saved_pages_and_operators_all(ada, person):
    address = "https://web.archive.org/web/20261012083000/http://mine.example/"
    owner = User.objects.get(username="ada")
    queued("mine", owner, state=SaveState.SAVED, address=address, captured_at=NOW, offered_at=NOW)
    queued(
        "other",
        state=SaveState.WITHHELD,
        error="Nobody who refers to the page has agreed to have it saved.",
    )
    shown = page(ada)
    assert f'href="{address}"' in shown
    assert "other.example" not in shown
    for role in (Role.OPERATOR, Role.VIEWER):
        shown = page(person(role.value, role))
        assert "Not submitted: Nobody who refers to the page has agreed to have it saved." in shown
        assert "mine.example" in shown


def test_operators_can_pause_and_resume_saves_and_members_cannot(ada, person, service):
    olga = person("olga", Role.OPERATOR)
    olga.post(PATH, {"action": "pause"})
    assert saving.is_paused(service)
    assert "An operator has paused page saving." in page(ada)
    assert ada.post(PATH, {"action": "resume"}).status_code == 403
    assert saving.is_paused(service)
    olga.post(PATH, {"action": "resume"})
    assert not saving.is_paused(service)
    assert [one.action for one in Trace.objects.order_by("pk")] == ["pause", "resume"]


def test_without_a_service_or_prefixes_the_page_explains_it(ada, settings):
    settings.ARCHIVE_SAVE_PREFIXES = []
    assert "no reference prefix is set" in page(ada)
    assert PATH in ada.get("/account").text
    settings.ARCHIVE_SAVES = None
    assert ada.get(PATH).status_code == 404
    assert PATH not in ada.get("/account").text


def test_the_account_exports_its_consent(ada):
    ada.post(PATH, {"action": "agree"})
    exported = b"".join(ada.get("/account/export").streaming_content).decode()
    assert '"archive_saves": [{"given_at": "' in exported


def test_a_bad_page_token_and_an_unknown_action_change_nothing(ada):
    assert ada.get(PATH, {"page_token": "x"}).status_code == 404
    assert ada.post(PATH, {"action": "x"}).status_code == 302
    assert not SaveConsent.objects.exists()
