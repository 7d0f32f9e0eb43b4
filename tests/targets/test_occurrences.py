"""Where documents contain a link: shown in events, messages, pages and exports to its readers."""

import csv
import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.actors import Actor
from notify.message_texts import event_content
from outbox import events
from outbox.models import Event
from targets import owned
from targets.models import Target
from targets.occurrences import describe
from targets.scan_models import ReferenceOccurrences
from tests.factories import ReferenceFactory, TargetFactory
from tests.targets.people import api_of, browser_of, make_people
from tests.targets.test_events import kill

pytestmark = pytest.mark.django_db
TEXT = "the <b>handbook</b>"
PLACES = [{"line": n, "column": 9, "text": TEXT} for n in range(40, 47)]
SAID = f"line 40: “{TEXT}”"


@pytest.fixture
def people():
    return make_people()


@pytest.fixture
def target(people):
    """A target to which a member and another refer by the same id, from different lines."""
    target = TargetFactory(pinned=False, recheck_threshold=1, url="http://a.example/")
    for owner, places in (("other", [{"line": 7, "column": None, "text": ""}]), ("member", PLACES)):
        row = ReferenceFactory(target=target, object_id="handbook:a.md", owner=people[owner])
        ReferenceOccurrences.objects.create(reference=row, places=places)
    return target


def test_an_occurrence_is_described_in_words():
    assert describe(PLACES[0]) == SAID
    assert describe({"line": 7, "column": None, "text": ""}) == "line 7"
    assert describe({"line": None, "column": None, "text": ""}) == ""


def test_events_show_the_first_occurrences_to_users_who_may_see_the_reference(people, target):
    kill(target)
    event = Event.objects.get(to_state="dead")

    def lines(name):
        data = events.visible_data(event.payload, Actor(people[name]))
        return [one["line"] for one in data.get("occurrences", ())], data["reference_ids"]

    assert lines("member") == ([40, 41, 42], ["handbook:a.md"])
    assert lines("other") == ([7], ["handbook:a.md"])
    assert lines("operator") == ([7, 40, 41, 42], ["handbook:a.md"])
    assert lines("program") == ([], [])


def test_processes_of_0_2_0_never_show_occurrences(target):
    """Those processes drop `owner` and `owners` from what is written, and pass on the rest."""
    kill(target)
    written = Event.objects.get(to_state="dead").payload
    shown = {name: value for name, value in written.items() if name not in ("owner", "owners")}

    assert events.visible_data(written)["occurrences"]
    assert "occurrences" not in json.dumps(shown)


def test_the_longest_event_stays_below_the_limit_of_brokers(people):
    target = TargetFactory(pinned=False, recheck_threshold=1)
    places = [{"line": 2**31 - 1, "column": 2**31 - 1, "text": "\N{PILE OF POO}" * 200}] * 20
    for number in range(40):
        row = ReferenceFactory(target=target, object_id=f"{number:03}" + "\N{PILE OF POO}" * 252)
        ReferenceOccurrences.objects.create(reference=row, places=places)
    kill(target)
    data = events.visible_data(Event.objects.get(to_state="dead").payload)
    assert len(data["occurrences"]) == 90
    assert len(json.dumps(data["occurrences"])) < 512 * 1024 - 100_000


def test_messages_name_the_occurrence(people, target):
    kill(target)
    event = Event.objects.get(to_state="dead")
    content = event_content(event, Actor(people["member"]))
    shown = content.lines[0].references[0]
    assert shown.startswith(f"handbook:a.md ({SAID}; line 41: ")
    assert shown.endswith(")")


def test_page_and_csv_show_occurrences_to_permitted_users(people, target):
    pages: dict[str, Any] = {
        name: browser_of(people[name]).get(f"/targets/{target.pk}") for name in people
    }
    shown = {name for name, page in pages.items() if "line 40: " in page.content.decode()}
    assert shown == {"member", "viewer", "operator"}
    assert "handbook&lt;/b&gt;" in pages["member"].content.decode()
    assert TEXT not in pages["member"].content.decode()
    answer = api_of(people["member"]).get("/v1/targets", headers={"accept": "text/csv"})
    [row] = csv.DictReader(io.StringIO(answer.getvalue().decode().lstrip("\ufeff")))
    assert row["occurrences"].splitlines()[0] == f"handbook:a.md {SAID}"


def test_lookups_batches_agents_and_public_lists_have_no_occurrences(people, target, settings):
    settings.PUBLIC_LISTS = {"handbook": "handbook"}
    api = api_of(people["operator"])
    answers: list[Any] = [
        api.post("/v1/lookups", {"urls": [target.url]}),
        api.post("/v1/batches", {"urls": [target.url]}),
        api.get("/v1/targets"),
        browser_of(people["operator"]).get("/public/handbook"),
    ]
    assert [answer.status_code for answer in answers] in (
        [200, 202, 200, 200],
        [200, 201, 200, 200],
    )
    assert not [answer for answer in answers if "handbook</b>" in answer.content.decode()]
    assert not [answer for answer in answers if "handbook&lt;" in answer.content.decode()]


def test_exported_occurrences_are_imported(target, tmp_path):
    path = tmp_path / "targets.csv"
    call_command("export_targets", str(path))
    Target.objects.all().delete()
    ReferenceOccurrences.objects.all().delete()
    call_command("import_targets", str(path))
    places = (
        ReferenceOccurrences.objects.get().places
    )  # of both references, merged into an unowned one
    assert sorted(one["line"] for one in places) == [7, *range(40, 47)]


def test_occurrences_are_exported_and_deleted_with_the_owners_account(people, target):
    member, now = people["member"].pk, timezone.now()
    [reference] = dict(owned.export(member))["references"]
    assert reference["occurrences"] == PLACES
    assert owned.delete(member, now=now, limit=10) == 1
    [left] = ReferenceOccurrences.objects.all()
    assert (left.reference.owner, [one["line"] for one in left.places]) == (people["other"], [7])
