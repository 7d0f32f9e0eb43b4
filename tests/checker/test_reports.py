"""Reports of wrong results: rights to send and see them, their contents and their retention."""

import asyncio
import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from accounts.rights import assign
from accounts.roles import Role
from checker import reports
from checker.case_files import without_secrets
from checker.models import CheckResult, ResultReport
from checker.tasks import delete_old_reports
from foundation.database.clock import database_now
from hosts import reservations
from hosts.models import Host, Purpose
from targets.models import Target
from tests.conftest import NOW
from tests.factories import ReferenceFactory, TargetFactory
from tests.zoo.wild.reported import read_folder
from tests.zoo.wild.survey import CASES, survey

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


def person(name, role=Role.MEMBER):
    user = User.objects.create_user(name, f"{name}@example.org", "correct horse")
    assign(user, role)
    return User.objects.get(pk=user.pk)


def client_of(user):
    client = APIClient()
    client.force_authenticate(user)
    return client


def page_of(user):
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client


def make_result(target, **fields):
    values = {
        "outcome": "failure",
        "reason": "http_404",
        "status_code": 404,
        "error": "The server returned 404 Not Found.",
        "parameters": {"rule": "other status", "code": 404},
        "evidence": {"rule": "other status", "headers": {"server": "nginx"}},
        "final_url": target.url,
    }
    return CheckResult.objects.create(
        target=target, checked_at=NOW, latency_ms=1, attempts=1, **{**values, **fields}
    )


@pytest.fixture
def ada():
    return person("ada")


@pytest.fixture
def target(ada):
    target = TargetFactory(url="https://shop.example/page")
    ReferenceFactory(target=target, owner=ada)
    return target


@pytest.fixture
def result(target):
    return make_result(target)


def path(result):
    return f"/v1/targets/{result.target_id}/results/{result.pk}/report"


def test_a_user_who_refers_to_the_target_reports_a_result_once(ada, result):
    first = client_of(ada).post(path(result), {"comment": "It is there."}, format="json")
    again = client_of(ada).post(path(result), {"comment": "Really."}, format="json")

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json() == client_of(ada).get(path(result)).json()
    assert first.headers["Location"] == path(result)
    assert client_of(person("grace")).get(path(result)).status_code == 404
    report = ResultReport.objects.get()
    assert (report.user, report.target, report.comment) == (ada, result.target, "It is there.")
    assert report.evidence["error"] == "The server returned 404 Not Found."
    assert report.evidence["evidence"] == result.evidence
    assert first.json()["result_id"] == result.pk
    assert first.json()["handled_at"] is None


def test_another_person_reports_the_same_result_too(ada, result):
    grace = person("grace")
    ReferenceFactory(target=result.target, owner=grace)
    for user in (ada, grace):
        assert client_of(user).post(path(result)).status_code == 201
    assert ResultReport.objects.count() == 2


def test_a_member_without_a_reference_to_the_target_cannot_report(result):
    grace = person("grace")
    page = f"/targets/{result.target_id}/results/{result.pk}/report"

    assert client_of(grace).post(path(result)).status_code == 404
    assert page_of(grace).get(page).status_code == page_of(grace).post(page).status_code == 404
    assert (
        'data-reports="no"' in page_of(grace).get(f"/targets/{result.target_id}").content.decode()
    )


def test_operators_may_report_anything_and_viewers_nothing(result):
    assert client_of(person("olga", Role.OPERATOR)).post(path(result)).status_code == 201
    assert client_of(person("vera", Role.VIEWER)).post(path(result)).status_code == 403


def test_a_result_of_another_target_is_not_found(ada, target, result):
    other = make_result(TargetFactory())
    assert (
        client_of(ada).post(f"/v1/targets/{target.pk}/results/{other.pk}/report").status_code == 404
    )


def test_a_comment_that_is_too_long_or_unknown_is_refused(ada, result):
    for body in ({"comment": "x" * 1001}, {"comment": "a\0b"}, {"said": "x"}):
        answer = client_of(ada).post(path(result), body, format="json")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert not ResultReport.objects.exists()


def test_a_repeated_request_with_an_idempotency_key_is_replayed(ada, result):
    sent = {"format": "json", "headers": {"Idempotency-Key": "one"}}
    first = client_of(ada).post(path(result), {"comment": "a"}, **sent)
    again = client_of(ada).post(path(result), {"comment": "a"}, **sent)

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["Idempotency-Replayed"] == "true"


def test_nobody_has_more_than_a_hundred_open_reports(ada, target, result, monkeypatch):
    monkeypatch.setattr(reports, "MAX_OPEN", 1)
    second = make_result(target)
    client_of(ada).post(path(result))

    answer = client_of(ada).post(path(second))
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_reports")
    assert answer.json()["message"].startswith("You have reached the maximum of 1 open reports.")

    ResultReport.objects.update(handled_at=NOW)
    assert client_of(ada).post(path(second)).status_code == 201


@pytest.mark.parametrize(
    "large",
    [
        {"evidence": {"a": "x" * 100_000}},
        {"final_url": "https://a.example/" + "é" * 100_000},
        {"redirects": [{"status": 301, "url": "x" * 100_000}]},
        {"parameters": {"rule": "x" * 100_000}, "flags": ["x" * 100_000]},
    ],
    ids=["evidence", "url", "redirects", "others"],
)
def test_a_copy_has_64_kib_at_most(target, large):
    copied = reports.copy_result(target, make_result(target, **large))

    assert len(json.dumps(copied)) <= 64 * 1024
    assert copied["reason"] == "http_404"


def test_a_report_is_deleted_with_its_author_but_not_with_its_target(ada, result):
    client_of(ada).post(path(result))
    Target.objects.all().delete()

    report = ResultReport.objects.get()
    assert report.target is None
    assert report.evidence["url"] == "https://shop.example/page"

    ada.delete()
    assert not ResultReport.objects.exists()


def test_a_handled_report_outlives_the_operators_account(ada, result):
    olga = person("olga", Role.OPERATOR)
    client_of(ada).post(path(result))
    ResultReport.objects.update(handled_at=NOW, handled_by=olga)
    olga.delete()
    assert ResultReport.objects.get().handled_by is None


def test_deletions_by_a_process_of_0_2_0_are_not_blocked(ada, result, tmp_path):
    """It does not know reports, so it does not change them."""
    client_of(ada).post(path(result))
    with connection.cursor() as cursor:
        for table in ("targets_reference", "targets_targettext", "targets_target"):
            cursor.execute(f"DELETE FROM {table}")
    [(_, text)] = exported(tmp_path).items()
    assert "shop.example" in text
    assert (
        page_of(person("olga", Role.OPERATOR)).get("/admin/checker/resultreport/").status_code
        == 200
    )
    ResultReport.objects.update(user_id=12345)
    assert delete_old_reports() == 1


def test_reports_are_deleted_after_90_days(ada, result):
    client_of(ada).post(path(result))
    ResultReport.objects.update(created_at=database_now() - timedelta(days=89))
    assert delete_old_reports() == 0
    ResultReport.objects.update(created_at=database_now() - timedelta(days=91))
    assert delete_old_reports() == 1
    assert not ResultReport.objects.exists()


# The page


def test_the_page_of_a_target_links_to_the_form_for_reports(ada, result):
    browser = page_of(ada)
    form = f"/targets/{result.target_id}/results/{result.pk}/report"
    page = browser.get(f"/targets/{result.target_id}").content.decode()
    assert f'href="{form}"' in page
    assert 'data-reports="no"' not in page

    shown = browser.get(form).content.decode()
    assert "The server returned 404 Not Found." in shown
    assert 'href="/about/verdicts#rule-other-status"' in shown
    answer = browser.post(form, {"comment": f" {HOSTILE} "}, follow=True)

    assert "An operator will review your report" in answer.content.decode()
    assert ResultReport.objects.get().comment == HOSTILE
    again = browser.get(form).content.decode()
    assert "You reported this result" in again
    assert HOSTILE not in again
    browser.post(form, {"comment": "b"})
    assert ResultReport.objects.get().comment == HOSTILE


# The queue


def test_operators_see_the_queue_and_mark_handled_reports(ada, result):
    olga = person("olga", Role.OPERATOR)
    client_of(ada).post(path(result), {"comment": HOSTILE}, format="json")
    browser, place = page_of(olga), "/admin/checker/resultreport/"
    report = ResultReport.objects.get()

    listed = browser.get(f"{place}?state=open").content.decode()
    assert "shop.example" in listed
    assert HOSTILE not in listed
    assert "nginx" in browser.get(f"{place}{report.pk}/change/").content.decode()

    chosen = {"action": "mark_as_handled", "_selected_action": [report.pk]}
    browser.post(place, chosen)
    report.refresh_from_db()
    assert (report.handled_by, report.handled_at is None) == (olga, False)
    assert "shop.example" not in browser.get(f"{place}?state=open").content.decode()
    assert "shop.example" in browser.get(f"{place}?state=handled").content.decode()

    assert "shop.example" not in browser.get(place).content.decode()
    assert "shop.example" in browser.get(f"{place}?state=all").content.decode()

    browser.post(f"{place}?state=handled", {**chosen, "action": "mark_as_open"})
    report.refresh_from_db()
    assert (report.handled_by, report.handled_at) == (None, None)


# Case files


def exported(folder, *arguments):
    call_command("export_cases", "--to", str(folder), *arguments, verbosity=0)
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.json")}


def test_case_files_have_no_secrets_and_no_names_of_people(ada, target, tmp_path, capsys):
    secret, session = "Bearer s3cret-of-ours", "0123456789abcdef"
    Target.objects.update(
        url=f"https://user:{session}@shop.example/a?id=404&token={session}#{session}0",
        instructions={"headers": {"Authorization": secret}},
    )
    target.refresh_from_db()
    result = make_result(
        target,
        redirects=[{"status": 302, "url": f"https://shop.example/b?s={session};t={session}"}],
        final_url=f"https://shop.example/b?{session}{session}",
        evidence={
            "headers": {
                "location": f"/c?auth={session}&x",
                "server": f"echo {secret}",
                "set-cookie": f"sid={session}",
                "authorization": session,
            },
            "marks": [f"redirected to an error page: /error?code={session}", "a: s3cret-of-ours"],
        },
    )
    client_of(ada).post(path(result), {"comment": f"see https://a:{session}@x.example/"})

    [(name, text)] = exported(tmp_path / "new" / "folder").items()

    assert name == f"report-{ResultReport.objects.get().pk}.json"
    assert session not in text
    assert "s3cret" not in text
    assert "ada" not in text
    case = json.loads(text)
    assert case["url"] == "https://shop.example/a?id=404&token=x#x"
    assert case["redirects"] == [{"status": 302, "url": "https://shop.example/b?s=x;t=x"}]
    assert case["headers"] == {"server": "echo x", "location": "/c?auth=x&x"}
    assert case["truth"] is None
    assert "written to" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("url", "exported"),
    [
        ("https://a.example/#/reset/SECRETTOKEN0123456789", "https://a.example/#x"),
        ("https://a.example/?SECRET/abcdef", "https://a.example/?x"),
        ("https://a.example/?Hush", "https://a.example/?x"),
        ("https://a.example/?id=404&Hush#Hush", "https://a.example/?id=404&x#x"),
        ("https://a.example/?SGVsbG8sIHdvcmxkIQ==#!/reset/Hush", "https://a.example/?x#x"),
        ("?Hush", "?x"),
        ("https://a.example/?404", "https://a.example/?404"),
        ("https://a.example/#/record/77", "https://a.example/#/record/77"),
        ("https://a.example/#!/about", "https://a.example/#!/about"),
        ("Is it gone? (A&B; C# too)", "Is it gone? (A&B; C# too)"),
        ("heading: gone?!", "heading: gone?!"),
    ],
)
def test_values_in_addresses_are_left_out_of_case_files(url, exported):
    assert without_secrets(url, ()) == exported


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://München.example/", "xn--mnchen-3ya.example"),
        ("https://[fd00::1]/", "[fd00::1]"),
    ],
)
def test_header_values_of_a_host_are_left_out_however_its_name_is_written(
    ada, target, tmp_path, url, host
):
    reservations.schedule({host: NOW}, purpose=Purpose.CHECK, now=NOW)
    Host.objects.update(instructions={"headers": {"Authorization": "Bearer s3cret-of-ours"}})
    Target.objects.update(url=url)
    target.refresh_from_db()
    result = make_result(target, final_url=f"{url}session/s3cret-of-ours")
    client_of(ada).post(path(result))

    [text] = exported(tmp_path).values()

    assert "s3cret" not in text


def test_only_requested_reports_are_exported(ada, target, tmp_path):
    for _ in range(3):
        client_of(ada).post(path(make_result(target)))
    old, handled, _ = ResultReport.objects.order_by("pk")
    ResultReport.objects.filter(pk=old.pk).update(created_at=NOW - timedelta(days=10))
    ResultReport.objects.filter(pk=handled.pk).update(handled_at=NOW)

    assert len(exported(tmp_path / "all")) == 3
    assert f"report-{old.pk}.json" not in exported(tmp_path / "new", "--since", f"{NOW:%Y-%m-%d}")
    assert f"report-{handled.pk}.json" not in exported(tmp_path / "open", "--open")
    with pytest.raises(CommandError, match="--since must be a date or a time"):
        exported(tmp_path, "--since", "yesterday")
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        exported(tmp_path / "file")


@pytest.mark.parametrize(
    "name",
    [
        "redirected to the mail program",
        "says in bg that it is not there, 24",
        "expired in Russian",
        "IIS asks for a certificate",
        "Imperva's riddle with a 200",
        "a 404 behind Cloudflare",
        "suspended for its bills",
        "sent home for good",
        "sent to /users/sign_in",
        "Cloudflare says 522",
        "a bad request for a document that was deleted",
        "redirected to a name that does not exist",
        "redirected to nowhere",
        "Akamai denies, with a reference only",
        "Cloudflare challenges",
        "a bare 403 for everything",
        "a 408 that says when to come back",
        "maintenance that says when it ends",
        "not modified, though nobody asked",
        "asks for a password",
        "kept back by law",
    ],
)
def test_a_case_made_from_a_report_gets_the_same_verdict(name, ada, tmp_path):
    case = next(each for each in CASES if each.name == name)
    check_is_repeated(case, ada, tmp_path)


def check_is_repeated(case, by, folder):
    """Check a page, report the result, export it, and check the page that the file describes."""
    [seen] = asyncio.run(survey([case]))
    scheme = "https" if case.tls else "http"
    target = TargetFactory(url=f"{scheme}://{case.hostname}{case.path}")
    ReferenceFactory(target=target, owner=by)
    found = seen.found
    columns = {field.name for field in CheckResult._meta.fields}
    fields = {name: getattr(found, name) for name in columns if hasattr(found, name)}
    evidence = dict(found.evidence)
    fields |= {"redirects": evidence.pop("redirects", []), "evidence": evidence}
    fields |= {"flags": list(found.flags), "reason": found.reason or ""}
    fields["moved_to"] = found.moved_to or ""
    result = CheckResult.objects.create(target=target, checked_at=NOW, **fields)
    assert client_of(by).post(path(result)).status_code == 201
    [(name, text)] = exported(folder).items()
    judged = {**json.loads(text), "truth": str(case.truth)}
    (folder / name).write_text(json.dumps(judged), "utf-8")

    [again] = asyncio.run(survey(read_folder(folder)))

    assert verdict_of(again.found) == verdict_of(seen.found)


def verdict_of(found):
    return found.outcome, found.reason, found.flags, found.status_code, found.evidence["rule"]


def test_a_file_without_a_verdict_is_not_a_case(ada, result, tmp_path):
    client_of(ada).post(path(result))
    exported(tmp_path)
    with pytest.raises(ValueError, match="say what is true of the page, one of gone, closed"):
        read_folder(tmp_path)
