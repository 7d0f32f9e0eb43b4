"""Fills a small database with rows of every table, as a release leaves it behind.

Later releases read it at any time, so no answer may depend on how long ago that was.
"""

from datetime import timedelta
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.db.models import Model
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import rights, tokens
from accounts.actors import Actor
from accounts.models import (
    AccountDeletion,
    Invitation,
    ProviderSignIn,
    ReaderSettings,
    TeamMember,
)
from accounts.roles import Role
from analytics.models import DailyMetrics, HourlyMetrics, MonthlyMetrics
from archives.models import ArchiveAnswer, ArchiveBackoff, PageSave, SaveConsent
from checker import partitions
from checker.models import CheckResult, DailyStates, HostTally, Outage, Tally, Uplink
from foundation import settings_comparison
from foundation.ids import raw_id
from hosts.models import Favicon
from linkwatch import schedules
from notify.models import ConfirmationMail, Delivery, GatheredEvent, Gathering, Subscription
from outbox import epochs, relay
from outbox.models import Cursor, DeadLetter, Event
from outbox.relay_threads import refresh_readers
from shortener.models import CleanupRun, CleanupTotals, EndedLink
from status.models import Trouble
from targets import notes, repairs, writer
from targets.checks import CheckFindings, record_checks
from targets.models import CopyResult, Target, TargetCopy
from targets.state import Outcome

# The results of each target's checks, a day apart; the newest is some hours old.
HISTORIES = {
    "alive": [Outcome.SUCCESS] * 3,
    "ailing": [Outcome.SUCCESS, Outcome.FAILURE],
    "dead": [Outcome.SUCCESS, *[Outcome.FAILURE] * 3],
    "recovered": [Outcome.SUCCESS, Outcome.FAILURE, Outcome.SUCCESS],
    "unsure": [Outcome.SUCCESS, Outcome.INCONCLUSIVE],
    "pending": [],
    "paused": [Outcome.SUCCESS],
}
EVIDENCE = {"attempts": [{"url": "http://dead.example/page", "status_code": 404, "ms": 12}]}
_API = APIClient()


def fill() -> str:
    """Fill a migrated database; return an operator's token."""
    operator = User.objects.create_superuser("operator", "operator@a.example", "correct horse")
    rights.assign(operator, Role.OPERATOR)
    rights.assign(User.objects.create_user("ada"), Role.MEMBER)
    token = tokens.create(operator, name="A program")
    _API.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    schedules.synchronize()
    _channels()
    _relay()  # sinks start with new events
    settings_comparison.compare_key()
    epochs.begin(timezone.now())
    _targets()
    _hosts()
    _links()
    _snippets()
    _people(operator)
    _batch()
    _about_targets()
    _repair(operator)
    _relay()
    _rest(operator)
    if missing := [model.__name__ for model in _models() if not model.objects.exists()]:
        raise AssertionError(f"nothing of {missing}")
    return token


def _relay() -> None:
    assert not list(relay.drain(refresh_readers().values()))


def _models() -> list[Any]:
    """Return this project's models."""
    return [model for app in rights.our_apps() for model in app.get_models()]


def _send(method: str, path: str, body: Any = None, **headers: str) -> Any:
    answer = getattr(_API, method)(path, body, format="json", headers=headers)
    assert answer.status_code < 300, (path, answer.content)
    return answer.json() if answer.content else None


def _channels() -> None:
    hook = {"kind": "webhook", "name": "Wiki", "settings": {"url": "https://wiki.example/hook"}}
    for body in (hook, {"kind": "feed", "name": "Reader"}):
        channel = _send("post", "/v1/channels", body)
        for requested in (
            {"what": ["dead", "alive"]},
            {"what": ["attention"], "when": "daily", "hour": 7},
        ):
            _send("post", "/v1/subscriptions", {"channel": channel["id"], **requested})


def _targets() -> None:
    items = [
        {
            "url": f"https://{name}.example/page",
            "reference_id": f"article-{name}",
            "check_period": "20d",
        }
        for name in HISTORIES
    ]
    made = _send("post", "/v1/targets/bulk", {"items": items}, **{"Idempotency-Key": "all"})
    for name, result in zip(HISTORIES, made["results"], strict=True):
        _check(result["target"]["id"], HISTORIES[name])
    _send("patch", f"/v1/targets/{made['results'][-1]['target']['id']}", {"paused": True})


def _check(target_id: str, outcomes: list[Outcome]) -> None:
    now = timezone.now() - timedelta(days=len(outcomes))
    for outcome in outcomes:
        now += timedelta(days=1) - timedelta(hours=1)
        _record(Target.objects.get(pk=target_id), outcome, now)


def _record(target: Target, outcome: Outcome, now: Any) -> None:
    is_well = outcome is Outcome.SUCCESS
    error = None if is_well else "The server answered 404 Not Found."
    shared = {
        "checked_at": now,
        "outcome": outcome,
        "reason": "" if is_well else "http_404",
        "status_code": 200 if is_well else 404,
        "latency_ms": 12,
        "error": error,
    }
    flags = () if is_well else ("parked",)
    event_error = None if is_well else {"kind": "status", "status_code": 404, "message": error}
    record_checks(
        [
            CheckFindings(
                target_id=raw_id("target", target.pk),
                started_at=now,
                event_error=event_error,
                flags=flags,
                **shared,
            )
        ],
        now=now,
    )
    partitions.make_for_times([now])
    CheckResult.objects.create(
        target=target,
        attempts=1,
        final_url=target.url,
        redirects=[],
        flags=list(flags),
        evidence={} if is_well else EVIDENCE,
        **shared,
    )


def _hosts() -> None:
    _send("put", "/v1/hosts/dead.example", {"delay": "5s", "accept": [403]})
    _send("put", "/v1/aliases/shop", {"hosts": ["alive.example", "ailing.example"]})


def _links() -> None:
    for key in ("guide", "moved", "gone-by"):
        body = {"long_url": f"https://{key}.example/a", "key": key, "watch": key == "guide"}
        _send("post", "/v1/urls", {**body, "tags": ["a", "b"], "retargetable": True})
    _send("patch", "/v1/urls/moved", {"long_url": "https://moved.example/b"})
    _send("delete", "/v1/urls/gone-by")


def _snippets() -> None:
    for title in ("A", "B", "C"):
        body = {"content": f"print('{title} é')\n", "title": title, "language": "python"}
        made = _send("post", "/v1/snippets", {**body, "tags": ["t"]})
        _send("patch", f"/v1/snippets/{made['id']}", {"content": f"print('{title}, too')\n"})
    _send("delete", f"/v1/snippets/{made['id']}")


def _people(operator: User) -> None:
    now = timezone.now()
    team = _send("post", "/v1/teams", {"name": "Docs"})
    _send("post", "/v1/shares", {"reference_prefix": "article-", "team": team["name"]})
    TeamMember.objects.create(team_id=team["id"], user=operator)
    ReaderSettings.objects.create(user=operator, zone="Europe/Berlin")
    closed = User.objects.create_user("closed", is_active=False)
    AccountDeletion.objects.create(user=closed, requested_at=now)
    account = SocialAccount.objects.create(
        user=operator, provider="https://id.example", uid="1234", extra_data={"groups": []}
    )
    ProviderSignIn.objects.create(session_key="a" * 32, account=account, issued_at=now)


def _batch() -> None:
    _send("post", "/v1/batches", {"urls": ["https://draft.example/", "https://dead.example/page"]})


def _about_targets() -> None:
    """Write rows that people, scans and archives add to some targets."""
    now = timezone.now()
    dead = Target.objects.get(url="https://dead.example/page")
    _send("post", "/v1/lists", {"name": "docs", "reference_prefix": "article-"})
    [newest, *_] = _send("get", f"/v1/targets/{dead.pk}/results")["items"]
    path = f"/v1/targets/{dead.pk}/results/{newest['id']}/report"
    _send("post", path, {"comment": "It is there."})
    by = Actor(User.objects.get(username="operator"))
    notes.write_note(dead, "I am on it", now=now, by=by)
    TargetCopy.objects.create(
        target=dead,
        before=now,
        result=CopyResult.VERIFIED,
        archive="https://archive.example",
        address="https://archive.example/20260101000000/https://dead.example/page",
        captured_at=now,
        asked_at=now,
    )
    wanted = {"repository": "team/docs", "commit": "a" * 40, "committed_at": now}
    scan = _send("post", "/v1/scans", wanted)
    run = {"id": scan["id"], "run": scan["run"]}
    found = {
        "url": dead.url,
        "reference_id": "team/docs:guide.md",
        "occurrences": [{"line": 3, "column": 1, "text": "the guide"}],
    }
    _send("post", "/v1/targets/bulk", {"items": [found], "scan": run})
    _send("post", f"/v1/scans/{scan['id']}/finish", {"run": scan["run"], "complete": True})


def _repair(operator: User) -> None:
    """Move the references of a page to its new address, and have that address saved."""
    now = timezone.now()
    old = Target.objects.get(url="https://alive.example/page")
    writer.change([(old, {"moved_to": "https://alive.example/new"})])
    done, _ = repairs.accept(old.pk, lambda _: None, now=now, by=Actor(operator))
    PageSave.objects.create(target_id=done.new_target, queued_at=now, act_at=now)
    SaveConsent.objects.create(user=operator, given_at=now)


def _rest(operator: User) -> None:
    """Write rows that only long use or failures leave behind."""
    now = timezone.now()
    today = now.date()
    hour = now.replace(minute=0, second=0, microsecond=0)
    event = Event.objects.filter(target__isnull=False).latest("position")
    subscription = Subscription.objects.first()
    sink = Cursor.objects.create(name="kafka", position=0, off_since=now)
    gathering, _ = Gathering.objects.get_or_create(
        subscription=subscription, host="dead.example", defaults={"began_at": now, "due_at": now}
    )
    delivery = {"type": "linkwatch.test", "subject": "A test", "body": "{}", "state": "failed"}
    rows: list[Model] = [
        Invitation(role=Role.MEMBER, secret_hash="0" * 64, created_at=now, expires_at=now),
        Tally(minute=hour, part=1, checks=9, failures=2, inconclusive=1),
        Favicon(host="dead.example", asked_at=now, png=b"png", digest="0" * 16),
        HostTally(hour=hour - timedelta(days=2), host="dead.example", failures=3),
        Outage(began_at=now - timedelta(days=2), ended_at=now - timedelta(days=1), reason="dns"),
        DailyStates(day=today, pending=1, alive=3, potentially_dead=1, dead=1, unsure=1),
        DailyMetrics(subject="short:guide", day=today, views=7, uniques_estimate=3),
        HourlyMetrics(subject="short:guide", day=today, hours=[0] * 23 + [7]),
        MonthlyMetrics(subject="short:guide", month=today.replace(day=1), views=7),
        Delivery(channel=subscription.channel, created_at=now, queued_at=now, **delivery),
        ConfirmationMail(address="ada@a.example", asked_by=operator, sent_at=now),
        ArchiveAnswer(key="0" * 64, value=[], asked_at=now, expires_at=now + timedelta(days=28)),
        ArchiveBackoff(archive="https://archive.example", until=now, error="It answered 503."),
        EndedLink(
            key="ended",
            long_url="https://ended.example/",
            owner=operator,
            created_at=now - timedelta(days=2),
            expires_at=now - timedelta(days=1),
            ended_at=now,
            visits=7,
        ),
        Trouble(kind="disk_filling", name="disk", began_at=now, seen_at=now),
        CleanupRun(started_at=now, beat_at=now, finished_at=now, deleted=3),
        DeadLetter(sink=sink, transition=event, at=now, error="too large"),
        GatheredEvent(gathering=gathering, transition=event),
    ]
    for row in rows:
        row.save(force_insert=True)
    Uplink.objects.update_or_create(pk=1, defaults={"first_answer_at": now})
    CleanupTotals.objects.update_or_create(pk=1, defaults={"cleaned": 3})
