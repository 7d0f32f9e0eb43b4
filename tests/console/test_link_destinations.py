"""The pages of links: what a dead destination does, and links that were retargeted."""

import pytest

from accounts import audit_log
from shortener import services
from shortener.models import FormerDestination
from targets.models import Target
from tests.console.test_links import change, form, html, own

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
A, B = "https://a.example/page", "https://b.example/page"


def test_retargeting_and_the_dead_destination_choice_are_set_at_creation(ada):
    text = html(ada.get("/links/new"))
    assert "The destination can be changed later" in text
    assert "Visitors see a warning first" in text
    said = {"when_gone": "lead_on", "retargetable": "on"}
    ada.post("/links/new", form(key="moving", watch="on", **said))
    ada.post("/links/new", form(key="fixed", when_gone="page"))
    found = [services.get(key) for key in ("moving", "fixed")]
    assert [(link.when_gone, link.retargetable) for link in found] == [
        ("lead_on", True),
        ("page", False),
    ]


def test_when_gone_can_be_changed_later(ada):
    own(key="spring", watch=True)
    assert 'value="page" selected' in html(ada.get("/links/spring/edit"))
    ada.post("/links/spring/edit", change(watch="on", when_gone="lead_on"))
    assert services.get("spring").when_gone == "lead_on"
    assert audit_log.entries_about("short link", "spring").first().fields == ["when_gone"]
    answer = ada.post("/links/spring/edit", change(watch="on", when_gone="shout", version="2"))
    assert "when_gone" in answer.context["form"].errors


def test_a_link_is_retargeted_and_its_page_links_to_its_history(ada):
    ada.post("/links/new", form(key="spring", long_url=A, retargetable="on", watch="on"))
    assert f'value="{A}"' in html(ada.get("/links/spring/edit"))
    answer = ada.post("/links/spring/edit", change(long_url="b.example/page", watch="on"))
    assert answer["Location"] == "/links/spring"
    assert services.get("spring").long_url == B
    assert FormerDestination.objects.get().long_url == A
    assert Target.objects.get().url == B
    assert audit_log.entries_about("short link", "spring").first().fields == ["long_url"]
    assert 'href="http://localhost:8080/s/spring+"' in html(ada.get("/links/spring"))


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("", "required"),
        ("javascript://x", ""),
        ("http://localhost:8080/s/abc", "short link"),
        ("http://127.0.0.1/", "not allowed to connect to"),
    ],
)
def test_a_forbidden_destination_is_an_error_at_its_field(ada, url, sentence):
    own(key="spring", retargetable=True, watch=True)
    answer = ada.post("/links/spring/edit", change(long_url=url, watch="on"))
    errors = answer.context["form"].errors
    assert sentence in str(errors.get("long_url") or errors["watch"])
    assert not FormerDestination.objects.exists()


def test_other_links_have_no_destination_field_and_ignore_one(ada):
    own(key="spring", long_url=A)
    text = html(ada.get("/links/spring/edit"))
    assert 'name="long_url"' not in text
    assert "The destination can't be changed." in text
    ada.post("/links/spring/edit", change(long_url=B))
    assert services.get("spring").long_url == A


def test_the_page_says_where_people_go_while_the_destination_is_dead(ada):
    own(key="reported", watch=True)
    own(key="led", watch=True, when_gone="lead_on")
    Target.objects.update(state="dead", last_error="<script>alert(1)</script>")
    assert "Visitors see a warning first" in html(ada.get("/links/reported"))
    assert "Visitors are redirected anyway" in html(ada.get("/links/led"))


def test_the_page_of_a_disabled_link_promises_nothing_about_visitors_or_past_destinations(ada):
    own(key="spring", watch=True, retargetable=True)
    Target.objects.update(state="dead")
    ada.post("/links/spring/end")
    text = html(ada.get("/links/spring"))
    assert "The destination can be changed." in text
    assert "Past destinations" not in text
    assert "Visitors see a warning first" not in text
    assert "are public while the link is active" in html(ada.get("/links/spring/edit"))


def test_a_member_cannot_retarget_another_members_link(ada, person):
    person("bob")
    own("bob", key="bobs", long_url=A, retargetable=True)
    assert ada.post("/links/bobs/edit", change(long_url=B)).status_code == 404
    assert services.get("bobs").long_url == A
