"""The tools that agents can call.

Results contain only our own words, codes, times and URLs, because titles, text, headers and errors
come from servers that may try to deceive an agent.
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
from agents.quoting import quote_url
from batches import services as batches
from batches.batch_rate_limit import charge_batch
from batches.items import items
from batches.models import Batch
from batches.services import NewBatch
from batches.waiting import wait_for
from foundation.database.transactions import restartable
from foundation.http.errors import error_body
from foundation.http.serializers import StrictSerializer
from foundation.http.throttling import spend_allowance
from foundation.times import rfc3339
from lookups.lookup_rate_limit import spend_lookup_allowance
from lookups.url_status import look_up
from targets.models import Target
from targets.registration import Registration, register
from targets.search.criteria import Criteria
from targets.search.target_search import TargetSearch
from targets.serializers import RegistrationSerializer
from targets.state import State

_GIVE_UP_AFTER = timedelta(minutes=10)  # after which the URLs of one call are given up
WATCH_LIMIT = (500, timedelta(days=1))  # URLs that each member and each IP address may add
_REGISTRATION_SERIALIZER = RegistrationSerializer()
_CODE = re.compile(r"[a-z][a-z0-9_]{0,39}")  # of a reason or a flag

ToolResult = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its description, its arguments, who may call it, and what it does."""

    name: str
    title: str
    description: str
    arguments: type[StrictSerializer]
    run: Callable[[Request, Mapping[str, Any], datetime], ToolResult]
    requires: tuple[str, str]  # the API method and package that the token's scope must include
    right: str  # that the user needs
    is_read_only: bool = True
    is_open_world: bool = False  # whether a call may request any URL on the web

    def describe(self) -> dict[str, Any]:
        """Return the tool's entry in the list of tools."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema_of(self.arguments),
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.is_read_only,
                "destructiveHint": False,
                "idempotentHint": True,
                "openWorldHint": self.is_open_world,
            },
        }

    def check_rights(self, request: Request) -> None:
        """Raise PermissionDenied unless this user may call the tool with this token."""
        method, package = self.requires
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

    def call(self, request: Request, arguments: Any, *, now: datetime) -> tuple[ToolResult, bool]:
        """Return the result and False, or an error envelope and True.

        Raises APIException for an error of the server (5xx).
        """
        try:
            self.check_rights(request)
            serializer = self.arguments(data=arguments)
            serializer.is_valid(raise_exception=True)
            return self.run(request, serializer.validated_data, now), False
        except APIException as error:
            if error.status_code >= 500:
                raise
            return error_body(error), True


def _check_urls(request: Request, arguments: Mapping[str, Any], now: datetime) -> ToolResult:
    by, urls = actor_of(request), arguments["urls"]
    spend_lookup_allowance(request, len(urls), by=by)
    lookups = look_up(urls, max_age=arguments["max_age"], now=now, by=by)
    for lookup in lookups:
        lookup["status"] = "known" if lookup["fresh"] else "not_checked"
    stale = [n for n, lookup in enumerate(lookups) if not (lookup["error"] or lookup["fresh"])]
    if stale and arguments["wait"] and _may_check(request):
        checked = _check_in_batch(request, [urls[n] for n in stale], arguments, now=now, by=by)
        for n, item in zip(stale, checked, strict=True):
            lookups[n] = item
    return {"results": [_represent_lookup(lookup) for lookup in lookups]}


def _may_check(request: Request) -> bool:
    """Return whether the token and the user may create batches."""
    try:
        check_scope(getattr(request.auth, "terms", None), method="POST", package="batches")
    except PermissionDenied:
        return False
    return bool(request.user.has_perm("batches.add_batch"))


def _check_in_batch(
    request: Request, urls: list[str], arguments: Mapping[str, Any], *, now: datetime, by: Actor
) -> list[ToolResult]:
    """Check these URLs in a batch; return its items after a short wait."""
    new = NewBatch(urls=urls, max_age=arguments["max_age"], give_up=_GIVE_UP_AFTER, is_high=True)
    batch = _create_batch(request, new, now=now, by=by)
    batch = wait_for(batch.pk, seconds=arguments["wait"].total_seconds(), by=by)
    return items(batch, by=by)


@restartable
def _create_batch(request: Request, new: NewBatch, *, now: datetime, by: Actor) -> Batch:
    """Create a batch and charge for it; raises Throttled or ApiError, and then does neither."""
    batch, _ = batches.create(new, now=now, by=by)
    charge_batch(request, len(new.urls), by=by)
    return batch


_PLAIN_FIELDS = ("status", "known", "fresh", "state", "outcome", "summary", "suggestion", "paused")
_TIME_FIELDS = ("first_failed_at", "last_checked_at", "next_check_at")


def _represent_lookup(lookup: Mapping[str, Any]) -> ToolResult:
    """Return the part of a lookup that agents get, without empty fields."""
    if lookup["error"] is not None:
        return {"error": lookup["error"]["message"]}
    fields = {
        "url": quote_url(lookup["url"]),
        **{name: lookup.get(name) for name in (*_PLAIN_FIELDS, *_TIME_FIELDS)},
        **_codes(lookup["reason"], lookup["flags"]),
        "moved_to": lookup["moved_to"] and quote_url(lookup["moved_to"]),
    }
    return {name: value for name, value in fields.items() if value not in (None, [], "")}


def _codes(reason: str | None, flags: list[str]) -> ToolResult:
    """Return the reason and flags if they are codes; those set by an operator may be text."""
    return {
        "reason": reason if reason and _CODE.fullmatch(reason) else None,
        "flags": [flag for flag in flags if _CODE.fullmatch(flag)],
    }


def _find_dead(request: Request, arguments: Mapping[str, Any], now: datetime) -> ToolResult:
    by = actor_of(request)
    criteria = Criteria(
        state=State.DEAD,
        reference=arguments.get("reference_id", ""),
        owner_id=None if by.owner is None else by.owner.pk,
        is_unowned=by.owner is None,
    )
    search = TargetSearch(criteria, by=by, order="failed")
    rows = search.find(limit=arguments["limit"], token=arguments.get("page_token"))
    results = [_represent_target(row.target) for row in rows]
    return {"results": results, "next_page_token": search.next_page_token}


def _represent_target(target: Target) -> ToolResult:
    fields = {
        "url": quote_url(target.url),
        "dead_since": rfc3339(target.state_changed_at),
        "first_failed_at": rfc3339(target.first_failed_at),
        "last_checked_at": rfc3339(target.last_checked_at),
        "summary": target.advice.summary,
        "suggestion": target.advice.suggestion,
        **_codes(target.last_reason, target.flags),
        "moved_to": target.moved_to and quote_url(target.moved_to),
    }
    return {name: value for name, value in fields.items() if value not in (None, [], "")}


def _watch(request: Request, arguments: Mapping[str, Any], now: datetime) -> ToolResult:
    by = actor_of(request)
    validated = [_validate(url, arguments["reference_id"]) for url in arguments["urls"]]
    registrations = [item for item in validated if isinstance(item, Registration)]
    _spend_watch_allowance(request, len(registrations), by=by)
    results = iter(register(registrations, now=now, by=by))
    return {
        "results": [
            {"error": item}
            if isinstance(item, str)
            else {"url": quote_url(item.url), "watched": True, "state": next(results).target.state}
            for item in validated
        ]
    }


def _validate(url: Any, reference_id: str) -> Registration | str:
    """Return the registration of a URL, or the message of its error."""
    try:
        return _REGISTRATION_SERIALIZER.registration({"url": url, "reference_id": reference_id})
    except APIException as error:
        return str(error_body(error)["message"])


def _spend_watch_allowance(request: Request, count: int, *, by: Actor) -> None:
    admission = spend_allowance("mcp:watch", request, count, spender=by.spender, rate=WATCH_LIMIT)
    if admission is not None and not admission.admitted:
        raise Throttled(admission.reset)


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "check_urls",
            "Check URLs",
            "Find out whether each URL works: `summary` says so in a few words, and `suggestion` "
            "says what to do. URLs without a current check are checked now, if the token allows "
            "checks; ask again later about those still `waiting`. Use this before you link to a "
            "page, and for the links in a document. "
            f"Takes up to {MAX_CHECKED} URLs; the results are in the same order.",
            CheckURLsArguments,
            _check_urls,
            requires=("GET", "lookups"),
            right="targets.view_target",
            is_open_world=True,
        ),
        Tool(
            "find_dead",
            "Find dead links",
            "List the dead pages that you refer to, most recently failed first, with a suggestion "
            "for each.",
            FindDeadArguments,
            _find_dead,
            requires=("GET", "targets"),
            right="targets.view_target",
        ),
        Tool(
            "watch",
            "Watch URLs",
            "Start watching URLs, each with a reference of your own. Safe to repeat. Takes up to "
            f"{MAX_WATCHED} URLs.",
            WatchArguments,
            _watch,
            requires=("POST", "targets"),
            right="targets.add_target",
            is_read_only=False,
        ),
    )
}
