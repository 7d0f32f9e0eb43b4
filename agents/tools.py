"""The tools of agents.

Answers contain only our own words, codes, times and URLs, because titles, texts, headers and errors
of servers come from pages that may try to deceive an agent.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from rest_framework.exceptions import APIException, PermissionDenied, Throttled
from rest_framework.request import Request

from accounts.actors import Actor, actor_of
from accounts.token_use import check_scope
from agents.arguments import (
    MAX_CHECKED,
    MAX_WATCHED,
    CheckURLsArguments,
    FindDeadArguments,
    WatchArguments,
    schema_of,
)
from agents.quoting import quoted
from batches import services as batches
from batches.batch_rate_limit import spend_batch
from batches.items import items
from batches.services import NewBatch
from batches.waiting import wait_for
from foundation.http.errors import error_body
from foundation.http.serializers import StrictSerializer
from foundation.http.throttling import spend_allowance
from foundation.times import rfc3339
from lookups.lookup_rate_limit import spend_lookups
from lookups.url_status import look_up
from targets.models import Target
from targets.registration import Registration, register
from targets.search.criteria import Criteria
from targets.search.target_search import TargetSearch
from targets.serializers import RegistrationSerializer
from targets.state import State

_GIVE_UP = timedelta(minutes=10)  # for the URLs of one call
WATCH_LIMIT = (500, timedelta(days=1))  # URLs that each member and each IP address may add
_REGISTRATION = RegistrationSerializer()
_CODE = re.compile(r"[a-z][a-z0-9_]{0,39}")  # of a reason or a flag

ToolAnswer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its description, its arguments, who may call it, and what it does."""

    name: str
    title: str
    description: str
    arguments: type[StrictSerializer]
    run: Callable[[Request, Mapping[str, Any], datetime], ToolAnswer]
    opens: tuple[str, str]  # the API method and package that the token's scope must include
    right: str  # of the user
    changes: bool = False

    def described(self) -> dict[str, Any]:
        """Return the tool as it is listed."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema_of(self.arguments),
            "annotations": {
                "title": self.title,
                "readOnlyHint": not self.changes,
                "destructiveHint": False,
                "idempotentHint": True,
                "openWorldHint": False,
            },
        }

    def check_rights(self, request: Request) -> None:
        """Raise PermissionDenied unless this user may call the tool with this token."""
        method, package = self.opens
        check_scope(getattr(request.auth, "terms", None), method=method, package=package)
        if not request.user.has_perm(self.right):
            raise PermissionDenied

    def may_be_called(self, request: Request) -> bool:
        """Return whether this user may call the tool with this token."""
        try:
            self.check_rights(request)
        except PermissionDenied:
            return False
        return True

    def call(self, request: Request, arguments: Any, *, now: datetime) -> tuple[ToolAnswer, bool]:
        """Return the answer, and whether it is an error that the agent can do something about."""
        try:
            self.check_rights(request)
            wanted = self.arguments(data=arguments)
            wanted.is_valid(raise_exception=True)
            return self.run(request, wanted.validated_data, now), False
        except APIException as error:
            if error.status_code >= 500:
                raise
            return error_body(error), True


def _check_urls(request: Request, wanted: Mapping[str, Any], now: datetime) -> ToolAnswer:
    by, urls = actor_of(request), wanted["urls"]
    spend_lookups(request, len(urls), by=by)
    found = look_up(urls, max_age=wanted["max_age"], now=now, by=by)
    for one in found:
        one["status"] = "known" if one["fresh"] else "not_checked"
    old = [place for place, one in enumerate(found) if one["error"] is None and not one["fresh"]]
    if old and wanted["wait"] and _may_check(request):
        checked = _checked(request, [urls[place] for place in old], wanted, now=now, by=by)
        for place, item in zip(old, checked, strict=True):
            found[place] = item
    return {"results": [_of_lookup(one) for one in found]}


def _may_check(request: Request) -> bool:
    """Return whether token and user may create batches."""
    try:
        check_scope(getattr(request.auth, "terms", None), method="POST", package="batches")
    except PermissionDenied:
        return False
    return bool(request.user.has_perm("batches.add_batch"))


def _checked(
    request: Request, urls: list[str], wanted: Mapping[str, Any], *, now: datetime, by: Actor
) -> list[ToolAnswer]:
    """Check these URLs in a batch; return its items after a short wait."""
    spend_batch(request, len(urls), by=by)
    new = NewBatch(urls=urls, max_age=wanted["max_age"], give_up=_GIVE_UP, is_high=True)
    batch, _ = batches.create(new, now=now, by=by)
    batch = wait_for(batch.pk, seconds=wanted["wait"].total_seconds(), by=by)
    return items(batch, by=by)


_PLAIN = ("status", "known", "fresh", "state", "outcome", "summary", "suggestion", "paused")
_TIMES = ("first_failed_at", "last_checked_at", "next_check_at")


def _of_lookup(found: Mapping[str, Any]) -> ToolAnswer:
    """Return the part of a lookup that agents get, without empty fields."""
    if found["error"] is not None:
        return {"error": found["error"]["message"]}
    answer = {
        "url": quoted(found["url"]),
        **{name: found.get(name) for name in (*_PLAIN, *_TIMES)},
        **_codes(found["reason"], found["flags"]),
        "moved_to": found["moved_to"] and quoted(found["moved_to"]),
    }
    return {name: value for name, value in answer.items() if value not in (None, [], "")}


def _codes(reason: str | None, flags: list[str]) -> ToolAnswer:
    """Return the reason and flags that are codes; an operator's own may be text."""
    return {
        "reason": reason if reason and _CODE.fullmatch(reason) else None,
        "flags": [flag for flag in flags if _CODE.fullmatch(flag)],
    }


def _find_dead(request: Request, wanted: Mapping[str, Any], now: datetime) -> ToolAnswer:
    by = actor_of(request)
    criteria = Criteria(
        state=State.DEAD,
        reference=wanted.get("reference_id", ""),
        owner_id=None if by.owner is None else by.owner.pk,
        is_unowned=by.owner is None,
    )
    search = TargetSearch(criteria, by=by, order="failed")
    found = search.find(limit=wanted["limit"], token=wanted.get("page_token"))
    results = [_of_target(one.target) for one in found]
    return {"results": results, "next_page_token": search.next_page_token}


def _of_target(target: Target) -> ToolAnswer:
    answer = {
        "url": quoted(target.url),
        "dead_since": rfc3339(target.state_changed_at),
        "first_failed_at": rfc3339(target.first_failed_at),
        "last_checked_at": rfc3339(target.last_checked_at),
        "summary": target.advice.summary,
        "suggestion": target.advice.suggestion,
        **_codes(target.last_reason, target.flags),
        "moved_to": target.moved_to and quoted(target.moved_to),
    }
    return {name: value for name, value in answer.items() if value not in (None, [], "")}


def _watch(request: Request, wanted: Mapping[str, Any], now: datetime) -> ToolAnswer:
    by = actor_of(request)
    judged = [_judged(url, wanted["reference_id"]) for url in wanted["urls"]]
    new = [one for one in judged if isinstance(one, Registration)]
    _spend_watches(request, len(new), by=by)
    done = iter(register(new, now=now, by=by))
    return {
        "results": [
            {"error": one}
            if isinstance(one, str)
            else {"url": quoted(one.url), "watched": True, "state": next(done).target.state}
            for one in judged
        ]
    }


def _judged(url: Any, reference_id: str) -> Registration | str:
    """Return the registration of a URL, or its error."""
    try:
        return _REGISTRATION.registration({"url": url, "reference_id": reference_id})
    except APIException as error:
        return str(error_body(error)["message"])


def _spend_watches(request: Request, urls: int, *, by: Actor) -> None:
    admission = spend_allowance("mcp:watch", request, urls, member=by.spender, rate=WATCH_LIMIT)
    if admission is not None and not admission.admitted:
        raise Throttled(admission.reset)


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "check_urls",
            "Check URLs",
            "Find out whether each URL works: `summary` says so in a few words, and `suggestion` "
            "says what to do. Unknown URLs are checked now; ask again later about those still "
            "`waiting`. Use this before you link to a page, and for the links in a document. "
            f"Takes up to {MAX_CHECKED} URLs; the results are in the same order.",
            CheckURLsArguments,
            _check_urls,
            opens=("GET", "lookups"),
            right="targets.view_target",
        ),
        Tool(
            "find_dead",
            "Find dead links",
            "List the dead pages that you refer to, newest first, with a suggestion for each.",
            FindDeadArguments,
            _find_dead,
            opens=("GET", "targets"),
            right="targets.view_target",
        ),
        Tool(
            "watch",
            "Watch URLs",
            "Start watching URLs, each with a reference of your own. Safe to repeat. Takes up to "
            f"{MAX_WATCHED} URLs.",
            WatchArguments,
            _watch,
            opens=("POST", "targets"),
            right="targets.add_target",
            changes=True,
        ),
    )
}
