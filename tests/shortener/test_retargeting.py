"""Links created as retargetable may get a new destination, publicly; no other link may."""

import json
from functools import partial

import pytest
from django.core.management import CommandError, call_command

from foundation.database.clock import database_now
from shortener import link_cache, reaper, services
from shortener.models import FormerDestination, RetiredKey, ShortURL
from targets.models import Reference, Target
from tests.shortener.asking import BROWSER, ask
from tests.shortener.dying import die
from tests.shortener.links import HOUR, make
from tests.threads import client_of, run_together

pytestmark = pytest.mark.usefixtures("threads", "visits")

A, B, C = (f"https://{name}.example/x" for name in "abc")


def move(api, long_url, key="abc", **more):
    return api.patch(f"/v1/urls/{key}", {"long_url": long_url, **more})


def refusal(response):
    return response.status_code, response.json()["code"]


def history(key="abc"):
    rows = FormerDestination.objects.filter(short_url=key).order_by("pk")
    return [row.long_url for row in rows]


def test_retargetable_is_set_at_creation_and_never_later(api):
    made = api.post("/v1/urls", {"long_url": A, "key": "abc", "retargetable": True})
    assert made.json()["retargetable"] is True
    for value in (False, True):
        assert refusal(api.patch("/v1/urls/abc", {"retargetable": value})) == (400, "invalid")
    items = [{"long_url": A, "retargetable": True}, {"long_url": A, "when_gone": "lead_on"}]
    results = api.post("/v1/urls/bulk", {"items": items}).json()["results"]
    found = [(one["url"]["retargetable"], one["url"]["when_gone"]) for one in results]
    assert found == [(True, "page"), (False, "lead_on")]


def test_a_new_destination_applies_at_once_everywhere(api, patient):
    make(key="abc", retargetable=True)
    assert ask("/s/abc").location == A
    body = move(api, B).json()
    assert (body["long_url"], body["version"]) == (B, 2)
    assert ask("/s/abc").location == B
    assert ShortURL.objects.get().host == "b.example"
    assert history() == [A]
    assert move(api, A).status_code == 200
    assert ask("/s/abc").location == A
    assert history() == [A, B]


def test_other_links_never_change_their_destination(api):
    make(key="abc")
    assert refusal(move(api, B)) == (409, "not_retargetable")
    assert refusal(move(api, B, disabled=True)) == (409, "not_retargetable")
    assert move(api, A).status_code == 200, "it leads there"
    link = ShortURL.objects.get()
    assert (link.long_url, link.disabled, history()) == (A, False, [])


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://a.example", "invalid_url"),
        ("javascript:alert(1)", "invalid_url"),
        ("", "invalid_url"),
        (None, "invalid"),
        ("https://user:secret@a.example/", "invalid_url"),
        ("http://localhost:8080/s/abc", "redirect_loop"),
        ("http://127.0.0.1/", "forbidden_url"),
    ],
)
def test_a_new_destination_is_validated_like_that_of_a_new_link(api, url, code):
    make(key="abc", retargetable=True, watch=True)
    assert refusal(move(api, url)) == (400, code)
    assert (ShortURL.objects.get().long_url, history()) == (A, [])


def test_the_same_destination_again_is_not_a_move(api):
    make(key="abc", retargetable=True)
    assert move(api, A).status_code == 200
    assert history() == []


def test_a_move_needs_the_version_that_was_seen(api):
    make(key="abc", retargetable=True)
    response = api.patch("/v1/urls/abc", {"long_url": B}, headers={"If-Match": '"7"'})
    assert refusal(response) == (412, "version_mismatch")
    assert (ShortURL.objects.get().long_url, history()) == (A, [])


def test_the_watch_follows_the_destination(api):
    make(key="abc", retargetable=True, watch=True)
    first = ShortURL.objects.get().target_id
    body = move(api, B).json()
    assert (body["watch"], body["target"]["state"]) == (True, "pending")
    assert [target.url for target in Target.objects.all()] == [B]
    assert body["target"]["id"] != first
    assert list(Reference.objects.values_list("object_id", flat=True)) == ["short:abc"]


def test_a_move_within_the_same_page_keeps_the_watch_and_its_history(api):
    make(key="abc", retargetable=True, watch=True)
    target = ShortURL.objects.get().target_id
    assert move(api, f"{A}#part").json()["target"]["id"] == target
    assert ask("/s/abc").location == f"{A}#part"
    assert history() == [A]


def test_destination_and_watch_can_change_together(api):
    make(key="abc", retargetable=True, watch=True)
    assert move(api, B, watch=False).json()["target"] is None
    assert Target.objects.count() == 0
    assert move(api, C, watch=True).json()["watch"] is True
    assert Target.objects.get().url == C


def test_a_link_retargeted_from_a_dead_page_shows_no_notice(api):
    make(key="abc", retargetable=True, watch=True)
    die("abc")
    assert ask("/s/abc", accept=BROWSER).status == 200
    move(api, B)
    assert ask("/s/abc", accept=BROWSER).location == B


def test_the_preview_lists_former_destinations_for_everybody(api):
    make(key="abc", retargetable=True, long_url="https://b\u00fccher.example/<b>")
    for url in (B, C):
        move(api, url)
    facts = json.loads(ask("/s/abc+").body)
    assert facts["retargetable"] is True
    former = [row["long_url"] for row in facts["former_destinations"]]
    assert former == [B, "https://xn--bcher-kva.example/%3Cb%3E"]
    page = ask("/s/abc+", accept=BROWSER).body.decode()
    assert '<meta property="og:title" content="' in page
    assert '/static/linkwatch/card.png">' in page
    assert "Past destinations" in page
    assert page.index(C) < page.index(B) < page.index(former[1])
    assert page.count("until <time") == 2
    services.update("abc", {"disabled": True}, now=database_now())
    assert json.loads(ask("/s/abc+").body)["former_destinations"] == []


def test_a_preview_of_another_link_says_that_it_never_changes():
    make(key="abc")
    assert b"The destination can't be changed." in ask("/s/abc+", accept=BROWSER).body
    make(key="abd", retargetable=True)
    page = ask("/s/abd+", accept=BROWSER).body
    assert b"has never been changed" in page


def test_a_long_history_is_shown_in_part(monkeypatch):
    monkeypatch.setattr("shortener.pages.MAX_FORMER_DESTINATIONS", 3)
    link = make(key="abc", retargetable=True)
    for number in range(5):
        url = f"https://h{number}.example/"
        FormerDestination.objects.create(short_url=link, long_url=url, until=database_now())
    former = json.loads(ask("/s/abc+").body)["former_destinations"]
    assert [row["long_url"] for row in former] == [f"https://h{n}.example/" for n in (4, 3, 2)]


def remove_by_api(api):
    api.delete("/v1/urls/abc")


def remove_by_bulk(api):
    api.post("/v1/urls/bulk/delete", {"keys": ["abc"]})


def reap(_api):
    ShortURL.objects.update(expires_at=database_now() - 3 * HOUR)
    assert reaper.run(now=database_now(), budget=HOUR).deleted == 2


@pytest.mark.parametrize("watch", [False, True])
@pytest.mark.parametrize("remove", [remove_by_api, remove_by_bulk, reap])
def test_the_history_is_deleted_with_the_link(api, remove, watch):
    for key in ("abc", "stays"):
        make(key=key, retargetable=True, watch=watch)
        move(api, B, key=key)
    remove(api)
    assert history("abc") == []
    assert history("stays") == ([] if remove is reap else [A])


def test_concurrent_moves_leave_one_history_without_a_gap(operator):
    make(key="abc", retargetable=True, watch=True)
    clients = [client_of(operator) for _ in range(4)]
    urls = [f"https://h{number}.example/" for number in range(4)]
    moves = [partial(move, client, url) for client, url in zip(clients, urls, strict=True)]
    answers = run_together(moves)
    assert [answer.status_code for answer in answers] == [200] * 4
    now = ShortURL.objects.select_related("target").get()
    assert sorted([*history(), now.long_url]) == sorted([A, *urls])
    assert [target.url for target in Target.objects.all()] == [now.long_url]
    assert Reference.objects.get().target_id == now.target_id


def test_swapping_the_destinations_of_two_links_at_once_does_not_deadlock(operator):
    for key, url in (("aaa", A), ("bbb", B)):
        make(key=key, long_url=url, retargetable=True, watch=True)
    clients = [client_of(operator) for _ in range(2)]
    for _ in range(3):
        moves = [partial(move, clients[0], B, "aaa"), partial(move, clients[1], A, "bbb")]
        assert [answer.status_code for answer in run_together(moves)] == [200, 200]
        moves = [partial(move, clients[0], A, "aaa"), partial(move, clients[1], B, "bbb")]
        assert [answer.status_code for answer in run_together(moves)] == [200, 200]
    assert Target.objects.count() == Reference.objects.count() == 2


def test_after_a_move_each_visit_gets_the_new_destination(api, monkeypatch):
    """A visit that read the old destination may redirect to it, and no cache keeps it."""
    make(key="abc", retargetable=True)
    load = link_cache.load

    def move_meanwhile(keys):
        entries = load(keys)
        monkeypatch.setattr(link_cache, "load", load)
        services.update("abc", {"long_url": B}, now=database_now())
        return entries

    monkeypatch.setattr(link_cache, "load", move_meanwhile)
    assert ask("/s/abc").location == A
    assert ask("/s/abc").location == B


def test_operators_retarget_a_link_in_the_admin(browser):
    from tests.shortener.test_admin import form, page

    make(key="abc")
    browser.post(
        page("shortener_shorturl_add"),
        form(long_url=A, key="moving", retargetable="on", when_gone="lead_on"),
    )
    link = ShortURL.objects.get(pk="moving")
    assert (link.retargetable, link.when_gone) == (True, "lead_on")
    change = page("shortener_shorturl_change", "moving")
    assert b'name="long_url"' in browser.get(change).content
    assert browser.post(change, form(long_url=B)).status_code == 302
    assert (services.get("moving").long_url, services.get("moving").when_gone) == (B, "page")
    answer = browser.post(change, form(long_url="ftp://a.example"))
    assert list(answer.context["adminform"].form.errors) == ["long_url"]
    fixed = page("shortener_shorturl_change", "abc")
    assert b'name="long_url"' not in browser.get(fixed).content
    browser.post(fixed, form(long_url=B))
    assert services.get("abc").long_url == A


def test_a_file_keeps_the_choice_and_the_history(api, tmp_path):
    make(key="abc", retargetable=True, watch=True, when_gone="lead_on")
    make(key="abd")
    for url in (B, C):
        move(api, url)
    before = list(FormerDestination.objects.values_list("long_url", "until"))
    file = tmp_path / "links.csv"
    call_command("export_urls", str(file))
    for key in ("abc", "abd"):
        services.delete(key, now=database_now())
    RetiredKey.objects.all().delete()
    call_command("import_urls", str(file), dry_run=True)  # refuses nothing
    assert not FormerDestination.objects.exists()
    for _ in range(2):  # the second import changes nothing
        call_command("import_urls", str(file))
    assert list(FormerDestination.objects.values_list("long_url", "until")) == before
    found = ShortURL.objects.order_by("pk").values_list("pk", "retargetable", "when_gone")
    assert list(found) == [("abc", True, "lead_on"), ("abd", False, "page")]


def test_a_file_gives_no_history_to_links_that_are_not_retargetable(tmp_path, capsys):
    make(key="fixed")
    make(key="moving", retargetable=True)
    rows = [
        f"{B},fixed,2020-01-01T00:00:00Z",
        f"{B},nothing,2020-01-01T00:00:00Z",
        f"{B},moving,2999-01-01T00:00:00Z",
        "javascript:alert(1),moving,2020-01-01T00:00:00Z",
        f"{B},,2020-01-01T00:00:00Z",
        f"{B},moving,soon",
    ]
    file = tmp_path / "links.csv"
    file.write_text("\n".join(["long_url,key,led_until", *rows]))
    for dry_run in (True, False):
        with pytest.raises(CommandError, match=r"Lines refused: 6\."):
            call_command("import_urls", str(file), dry_run=dry_run)
        assert "There is no retargetable link with this key." in capsys.readouterr().err
    assert not FormerDestination.objects.exists()
