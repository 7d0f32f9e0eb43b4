"""The text of messages, before a kind composes them: what happened, where, why and since when.

Nothing here is escaped: titles and URLs are untrusted, so the caller escapes them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from django.conf import settings

from accounts.actors import Actor
from foundation.templatetags.times import span_in_words
from foundation.times import rfc3339
from notify.message_types import Content, ContentLine
from notify.models import Channel
from outbox.event_kinds import TARGET_KINDS, EventKind
from outbox.events import cloud_event, event_type, visible_data, whole_event
from outbox.models import Event
from targets.advice_provider import advice_of
from targets.event_payload import UNWATCHED
from targets.flags import FLAGS, explain_flag, flag_label
from targets.occurrences import describe_all
from targets.rule_urls import absolute_url, flag_path
from targets.state import State
from targets.transition_texts import reason

# Types of CloudEvents that only channels get.
DIGEST = "linkwatch.digest"
SKIPPED = "linkwatch.channel.skipped"
DISABLED = "linkwatch.channel.disabled"
TEST = "linkwatch.test"

MAX_LINES = 10  # listed events of a digest
MAX_REFERENCES = 10  # listed references of a target
_MAX_HEADLINE = 300  # characters; Linkwatch shows the full URL
_MAX_SUBJECT = 200  # characters, for email programs and the database
_MAX_URL, _MAX_DOCUMENT = 90, 60  # characters of a page's URL and of a document's id in a subject
_MAX_REASON = 30  # characters of a reason in a subject


@dataclass(frozen=True, slots=True)
class _EventWords:
    """The words for an event in subjects."""

    label: str  # before the page
    singular: str  # after a number
    plural: str


_EVENT_WORDS: Mapping[str, _EventWords] = {
    State.DEAD: _EventWords("Dead", "dead link", "dead links"),
    State.ALIVE: _EventWords("Alive again", "link alive again", "links alive again"),
    State.POTENTIALLY_DEAD: _EventWords("May be dead", "link may be dead", "links may be dead"),
    State.PENDING: _EventWords("Not checked yet", "link not checked yet", "links not checked yet"),
    EventKind.FLAG_RAISED: _EventWords("Flagged", "flagged link", "flagged links"),
    EventKind.FLAG_CLEARED: _EventWords(
        "No longer flagged", "link no longer flagged", "links no longer flagged"
    ),
    EventKind.ARCHIVED: _EventWords(
        "Copy found",
        "archived copy found for a dead link",
        "archived copies found for dead links",
    ),
    EventKind.REPAIRED: _EventWords("Page moved", "link repaired", "links repaired"),
    EventKind.ATTENTION_NEEDED: _EventWords(
        "Needs attention", "link needs attention", "links need attention"
    ),
    EventKind.ATTENTION_ENDED: _EventWords(
        "No longer needs attention",
        "link no longer needs attention",
        "links no longer need attention",
    ),
}
_FIRST_SUCCESS = _EventWords("Works", "link works", "links work")
_NO_LONGER_WATCHED = _EventWords(
    "No longer watched", "link no longer watched", "links no longer watched"
)


def event_content(event: Event, by: Actor, *, in_reply_to: str = "") -> Content:
    """Return the content of a message about one event, as the actor may see it.

    `in_reply_to` is the id of the message that this one follows up, if any.
    """
    line = _line(event, by)
    return Content(
        message_id=str(event.id),
        type=event_type(event),
        data=whole_event(event, by, to_change=True),
        subject=_subject([event], by),
        lines=(line,),
        link=line.link,
        in_reply_to=in_reply_to,
    )


def digest_content(
    events: Sequence[Event],
    *,
    digest_id: UUID | str,
    by: Actor,
    began_at: datetime,
    skipped: int = 0,
) -> Content:
    """Return the content of a message about these events, which are sorted oldest first.

    `skipped` is the number of further events, too old to be sent. `events` may be empty.
    """
    lines = tuple(_line(event, by) for event in events[:MAX_LINES])
    subject = _subject(events, by) if events else _skipped(skipped)
    link = _details_link(events)
    at = events[-1].at if events else began_at
    data = {
        "summary": subject,
        "began_at": rfc3339(began_at),
        "count": len(events),
        "skipped": skipped,
        "event_ids": [str(event.id) for event in events],
        "events": [whole_event(event, by, to_change=True) for event in events[:MAX_LINES]],
        "link": link,
    }
    if skipped and events:
        lines = (*lines, ContentLine(headline=f"{_skipped(skipped)}.", reason=_WHY_SKIPPED))
    hosts = _hosts(events)
    return Content(
        message_id=str(digest_id),
        type=DIGEST,
        data=cloud_event(
            str(digest_id), DIGEST, data, subject=hosts[0] if len(hosts) == 1 else None, at=at
        ),
        subject=subject,
        lines=lines or (ContentLine(headline=f"{_skipped(skipped)}.", reason=_WHY_SKIPPED),),
        more=max(0, len(events) - MAX_LINES),
        link=link,
    )


def test_content(channel: Channel, *, message_id: UUID | str, now: datetime) -> Content:
    """Return the content of a channel's test message."""
    line = ContentLine(
        headline="This is a test message.",
        reason=plain(f"If you can read this, the channel “{channel.name}” works."),
        at=rfc3339(now) or "",
    )
    subject = f"Linkwatch: test message for “{channel.name}”"
    data = {"channel_id": channel.id, "channel": channel.name, "summary": line.headline}
    return _channel_content(channel, subject, line, (str(message_id), TEST, data), now=now)


def disabled_content(channel: Channel, *, message_id: UUID | str, now: datetime) -> Content:
    """Return the content of the notice that a channel is disabled, sent through another channel."""
    line = ContentLine(
        headline=plain(f"The channel “{channel.name}” is disabled."),
        reason=plain(channel.reason),
        at=rfc3339(now) or "",
        link=_channel_page(channel),
    )
    subject = f"The channel “{channel.name}” is disabled"
    data = {"channel_id": channel.id, "channel": channel.name, "reason": channel.reason}
    return _channel_content(channel, subject, line, (str(message_id), DISABLED, data), now=now)


def callback_content(data: Mapping[str, Any], *, message_id: UUID, now: datetime) -> Content:
    """Return the content of the callback of a completed batch."""
    subject = _batch_done(data)
    link = f"{settings.BASE_URL}/v1/batches/{data['batch_id']}"
    line = ContentLine(headline=f"{subject}.", at=str(data["ended_at"]), link=link)
    type_ = "linkwatch.batch.done"
    event = cloud_event(
        str(message_id), type_, visible_data(data), subject=data["batch_id"], at=now
    )
    return Content(
        message_id=str(message_id),
        type=type_,
        data=event,
        subject=plain(subject, _MAX_SUBJECT),
        lines=(line,),
        link=link,
    )


def skipped_content(
    channel: Channel, skipped: int, *, message_id: UUID | str, now: datetime
) -> Content:
    """Return the content of the notice that events were skipped for a channel."""
    subject = _skipped(skipped)
    line = ContentLine(headline=f"{subject}.", reason=_WHY_SKIPPED, link=_channel_page(channel))
    data = {"channel_id": channel.id, "channel": channel.name, "skipped": skipped}
    return _channel_content(channel, subject, line, (str(message_id), SKIPPED, data), now=now)


def _channel_content(
    channel: Channel,
    subject: str,
    line: ContentLine,
    event: tuple[str, str, Mapping[str, Any]],
    *,
    now: datetime,
) -> Content:
    message_id, type_, data = event
    return Content(
        message_id=message_id,
        type=type_,
        data=cloud_event(message_id, type_, data, subject=channel.id, at=now),
        subject=plain(subject, _MAX_SUBJECT),
        lines=(line,),
        link=_channel_page(channel),
    )


_WHY_SKIPPED = "Events that can't be delivered within three days are skipped."


def _skipped(count: int) -> str:
    return f"{_count(count, 'event was', 'events were')} skipped"


# One event as a line

# Kinds of events that start an ongoing condition; all others are momentary.
_LASTING_KINDS = (EventKind.STATE, EventKind.FLAG_RAISED, EventKind.ATTENTION_NEEDED)


def _line(event: Event, by: Actor) -> ContentLine:
    if event.kind not in TARGET_KINDS:
        return _non_target_line(event)
    data = visible_data(event.payload, by, to_change=True)
    references = [str(one) for one in data.get("reference_ids", ())]
    began = data.get("first_failed_at") if event.to_state == State.DEAD else None
    time = str(began or rfc3339(event.at))
    lasts = event.kind in _LASTING_KINDS
    return ContentLine(
        headline=plain(data.get("url", ""), _MAX_HEADLINE),
        reason=plain(_reason(event)),
        since=time if lasts else "",
        at="" if lasts else time,
        references=tuple(
            plain(_with_occurrences(one, data.get("occurrences", ())))
            for one in references[:MAX_REFERENCES]
        ),
        more_references=max(0, len(references) - MAX_REFERENCES),
        link=f"{settings.BASE_URL}/targets/{data.get('target_id', '')}",
        rule=_rule_link(event),
    )


def _with_occurrences(reference_id: str, occurrences: Sequence[Mapping[str, Any]]) -> str:
    """Return a reference with the known occurrences of the link in its document."""
    own = (item for item in occurrences if item.get("reference_id") == reference_id)
    described = "; ".join(describe_all(own))
    return f"{reference_id} ({described})" if described else reference_id


def _reason(event: Event) -> str:
    """Return the reason for a target's event as a sentence."""
    payload = event.payload
    flag = str(payload.get("flag", ""))
    if _is_deleted(event):
        return _sentence(_error_text(payload))
    match event.kind:
        case EventKind.FLAG_RAISED:
            return f"Flag “{flag_label(flag)}”: {explain_flag(flag)}."
        case EventKind.FLAG_CLEARED:
            return f"The flag “{flag_label(flag)}” was cleared."
        case EventKind.ARCHIVED:
            return _copy(payload.get("copy") or {})
        case EventKind.REPAIRED:
            return (
                f"Linkwatch now watches {payload.get('moved_to', '')}. The documents that "
                "link to the page were not changed. If the new address shows a different page, you "
                "can undo the repair within 30 days."
            )
        case EventKind.ATTENTION_NEEDED:
            return _sentence(_error_text(payload) or "Checks are inconclusive; please take a look")
        case EventKind.ATTENTION_ENDED:
            return "Checks are conclusive again."
    return _sentence(reason(event.from_state, event.to_state, payload))


def _copy(copy: Mapping[str, Any]) -> str:
    """Return a line about a copy of a page."""
    label = "A copy of the page" if copy.get("result") == "verified" else "A possible copy"
    captured = format_datetime(copy.get("captured_at"))
    return f"{label}{f' from {captured}' if captured else ''}: {copy.get('url', '')}"


def _rule_link(event: Event) -> str:
    """Return a link to the rule or flag behind a target's event; empty if there is none."""
    payload = event.payload
    flag, error = payload.get("flag"), payload.get("error")
    if event.kind in (EventKind.FLAG_RAISED, EventKind.FLAG_CLEARED):
        return absolute_url(flag_path(flag)) if flag in FLAGS else ""
    url = error.get("rule_url") if isinstance(error, dict) else None
    return url if isinstance(url, str) and url.startswith(("http://", "https://")) else ""


def _is_deleted(event: Event) -> bool:
    """Return whether a flag or the attention ended because the target was deleted."""
    error = event.payload.get("error")
    is_end = event.kind in (EventKind.FLAG_CLEARED, EventKind.ATTENTION_ENDED)
    return is_end and isinstance(error, dict) and error.get("kind") == UNWATCHED["kind"]


def _error_text(payload: Mapping[str, Any]) -> str:
    error = payload.get("error")
    message = error.get("message") if isinstance(error, dict) else None
    return message if isinstance(message, str) else ""


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


_WHY_OFFLINE = "No server has responded since. Failures are ignored until a server responds."


def _non_target_line(event: Event) -> ContentLine:
    """Return a line about the deployment, a short link or a batch."""
    payload = event.payload
    if "detail" in payload:  # a sentence from the event's source
        since = rfc3339(event.at) or ""
        return ContentLine(
            headline=plain(_sentence(str(payload["detail"]))), since=since, link=_home()
        )
    reason, link = "", _home()
    if event.kind == EventKind.NETWORK_DOWN:
        reason = _WHY_OFFLINE
    elif event.kind == EventKind.NETWORK_BACK:
        count = int(payload.get("set_aside") or 0)
        set_aside = _count(count, "check", "checks")
        reason = f"Linkwatch has requeued {set_aside} that failed in the meantime." if count else ""
    elif event.kind == EventKind.LINK_ENDING:
        reason = f"It redirects to {payload.get('destination', '')}."
        link = f"{settings.BASE_URL}/links/{payload.get('key', '')}"
    return ContentLine(
        headline=plain(f"{_event_sentence(event)}."), reason=plain(reason), link=link
    )


def _event_sentence(event: Event) -> str:
    """Return a sentence about an event without a target, without a full stop."""
    payload = event.payload
    name = payload.get("name", "")
    match event.kind:
        case EventKind.NETWORK_DOWN:
            return f"Linkwatch has been offline since {format_datetime(payload.get('since'))}"
        case EventKind.NETWORK_BACK:
            return _network_back(payload)
        case EventKind.SINK_BEHIND:
            return "The event feed is behind" if name == "feed" else f"The sink “{name}” is behind"
        case EventKind.DISK_FILLING:
            return f"The disk that holds {name} is filling up"
        case EventKind.SCHEDULES_LATE:
            return "Scheduled tasks are late"
        case EventKind.LINK_ENDING:
            expires = format_datetime(payload.get("ends_at")).replace(" ", " at ", 1)
            return f"The short link “{payload.get('key', '')}” expires on {expires}"
        case EventKind.BATCH_DONE:
            return _batch_done(payload)
    return str(event.kind)


def _batch_done(payload: Mapping[str, Any]) -> str:
    counts = payload.get("counts") or {}
    total = _count(int(counts.get("total") or 0), "URL", "URLs")
    missed = int(counts.get("not_checked") or 0)
    return f"A batch of {total} is done" + (f" ({missed:,} not checked)" if missed else "")


def _network_back(payload: Mapping[str, Any]) -> str:
    began, ended = _time(payload.get("since")), _time(payload.get("until"))
    if not began or not ended:
        return "Linkwatch is online again"
    span = span_in_words(max(ended - began, timedelta(seconds=1)))
    if began.date() == ended.date():
        times = f"{began:%Y-%m-%d %H:%M} to {ended:%H:%M} UTC"
    else:
        times = f"{began:%Y-%m-%d %H:%M} to {ended:%Y-%m-%d %H:%M} UTC"
    return f"Linkwatch is online again after {span} ({times})"


def format_datetime(at: object) -> str:
    """Return a date and time in UTC, as pages show it; empty if there is none."""
    time = _time(at)
    return f"{time:%Y-%m-%d %H:%M} UTC" if time else ""


def _time(at: object) -> datetime | None:
    try:
        time = datetime.fromisoformat(str(at))
    except ValueError:
        return None
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)


# Subjects


def _subject(events: Sequence[Event], by: Actor) -> str:
    """Return an event, its page and document; for several events, their number and scope.

    "Dead: docs/install → example.org/guide (404)"; "4 dead links in docs/ (2 documents)"; "In
    docs/ (5 documents): 3 dead links, 2 links alive again".
    """
    pages = [event for event in events if event.kind in TARGET_KINDS]
    others = [_event_sentence(event) for event in events if event.kind not in TARGET_KINDS]
    subject = ""
    if len(pages) == 1:
        subject = _single_subject(pages[0], by)
    elif pages:
        subject = _combined_subject(pages, by)
    if others:
        subject = f"{subject}; {_within_sentence(others[0])}" if subject else others[0]
    if len(others) > 1:
        subject += f" (and {_count(len(others) - 1, 'other event', 'other events')})"
    return plain(subject, _MAX_SUBJECT)


def _within_sentence(text: str) -> str:
    """Return a sentence with a small first letter, unless it begins with Linkwatch."""
    return text if text.startswith("Linkwatch") else text[:1].lower() + text[1:]


def _single_subject(event: Event, by: Actor) -> str:
    payload = visible_data(event.payload, by, to_change=True)
    documents = _documents(payload)
    where = plain(_short_url(payload), _MAX_URL)
    if documents:
        more = len(payload["reference_ids"]) - 1
        others = f" and {more:,} more" if more else ""
        where = f"{plain(documents[0], _MAX_DOCUMENT)}{others} → {where}"
    why = _code(event)
    return f"{_words(event).label}: {where}{f' ({why})' if why else ''}"


def _combined_subject(pages: Sequence[Event], by: Actor) -> str:
    targets: dict[_EventWords, set[object]] = {}
    for event in pages:
        targets.setdefault(_words(event), set()).add(event.payload.get("target_id"))
    parts = [_count(len(ids), words.singular, words.plural) for words, ids in targets.items()]
    where = _where(pages, by)
    if len(parts) == 1:
        return f"{parts[0]} {where}"
    return f"{where[:1].upper()}{where[1:]}: {', '.join(parts)}"


def _short_url(payload: Mapping[str, Any]) -> str:
    """Return a page's URL without scheme and trailing slash."""
    url = str(payload.get("url") or payload.get("canonical_url") or "")
    return (url.partition("://")[2] or url).removesuffix("/")


def _code(event: Event) -> str:
    """Return an error or a flag in a few words: 404, no response, parked; empty for recoveries."""
    payload, error = event.payload, event.payload.get("error")
    if _is_deleted(event):
        return ""
    if event.kind in (EventKind.FLAG_RAISED, EventKind.FLAG_CLEARED):
        return plain(flag_label(str(payload.get("flag", ""))), _MAX_REASON)
    kind = error.get("kind") if isinstance(error, dict) else None
    if not isinstance(kind, str) or _words(event) in (_EVENT_WORDS[State.ALIVE], _FIRST_SUCCESS):
        return ""
    if not kind.startswith("http_") and (summary := advice_of(kind, None, ()).summary):
        return plain(_within_sentence(summary), _MAX_REASON)
    return plain(kind.removeprefix("http_").replace("_", " "), _MAX_REASON)


def _words(event: Event) -> _EventWords:
    if event.kind != EventKind.STATE:
        return _NO_LONGER_WATCHED if _is_deleted(event) else _EVENT_WORDS[event.kind]
    if (event.from_state, event.to_state) == (State.PENDING, State.ALIVE):
        return _FIRST_SUCCESS
    return _EVENT_WORDS[event.to_state]


def _documents(payload: Mapping[str, Any]) -> list[str]:
    """Return the first MAX_REFERENCES documents in data from `visible_data`."""
    return [str(one) for one in payload.get("reference_ids", ())[:MAX_REFERENCES]]


def _where(pages: Sequence[Event], by: Actor) -> str:
    """Return what all pages have in common: a document, a folder of documents, or a host.

    If nothing, returns the number of hosts. After its first MAX_LINES events, a digest knows only
    one document for each page.
    """
    documents = [_documents(visible_data(event.payload, by, to_change=True)) for event in pages]
    if shared := set(documents[0]).intersection(*documents[1:]):
        return f"in {plain(min(shared), _MAX_DOCUMENT)}"
    folders = [{folder for name in names for folder in _folders(name)} for names in documents]
    if shared := folders[0].intersection(*folders[1:]):
        folder = max(shared, key=len)
        shown = {name for names in documents for name in names if name.startswith(folder)}
        count = f" ({len(shown)} documents)" if len(pages) <= MAX_LINES else ""
        return f"in {plain(folder, _MAX_DOCUMENT)}{count}"
    hosts = _hosts(pages)
    return f"on {hosts[0]}" if len(hosts) == 1 else f"on {len(hosts):,} hosts"


def _folders(document: str) -> list[str]:
    """Return the folders of a document: docs/ and docs/a/ for docs/a/b."""
    start = document.find("://") + 3 if "://" in document else 0
    return [document[: at + 1] for at in range(start, len(document)) if document[at] == "/"]


def _hosts(events: Sequence[Event]) -> list[str]:
    """Return the distinct hosts of these events."""
    urls = (str(one.payload.get("canonical_url", "")) for one in events if one.kind in TARGET_KINDS)
    return list(dict.fromkeys(urlsplit(url).hostname or "" for url in urls))


def _count(count: int, singular: str, plural: str) -> str:
    return f"{count:,} {singular if count == 1 else plural}"


def plain(text: object, limit: int = 2048) -> str:
    """Return untrusted text on one line of at most `limit` characters, all of them printable.

    Without control and bidirectional characters, the text can't break headers or lines, or reverse
    sentences.
    """
    line = " ".join(str(text).split())
    line = "".join(character for character in line if character.isprintable())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


# Links to details


def _details_link(events: Sequence[Event]) -> str:
    """Return the URL of the list of targets, filtered by the host and new state of all events.

    Omits a filter if the events differ. If no event is about a target, returns the start page.
    """
    hosts, states = _hosts(events), {one.to_state for one in events}
    if not hosts:
        return _home()
    query = {
        "host": hosts[0] if len(hosts) == 1 else "",
        "state": states.pop() if len(states) == 1 else "",
    }
    filters = {name: value for name, value in query.items() if value}
    return f"{settings.BASE_URL}/targets?{urlencode(filters)}"


def _home() -> str:
    return f"{settings.BASE_URL}/"


def _channel_page(channel: Channel) -> str:
    return f"{settings.BASE_URL}/account/channels/{channel.id}"
