"""The text of messages, before a kind composes them: how many, where, why, since when.

Nothing here is escaped: titles and URLs come from others, so the caller escapes them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from django.conf import settings

from accounts.actors import Actor
from foundation.times import rfc3339
from notify.content import Content, ContentLine
from notify.models import Channel
from outbox.events import cloud_event, event_type, public, whole_event
from outbox.kinds import OF_TARGETS, EventKind
from outbox.models import Event
from targets.flags import FLAGS, explain_flag
from targets.rule_urls import absolute, flag_path
from targets.state import State
from targets.transition_texts import reason

# Types of CloudEvents that only channels have.
DIGEST = "linkwatch.digest"
SKIPPED = "linkwatch.channel.skipped"
DISABLED = "linkwatch.channel.disabled"
TEST = "linkwatch.test"

LINES = 10  # of a digest that are listed one by one
REFERENCES = 10  # of a target that are named
_HEADLINE = 300  # characters at most: the rest of a URL is seen in Linkwatch
_SUBJECT = 200  # characters at most, as mail programs and the database like them

# What happened to pages: of one, of several.
_Deed = tuple[str, str]
_DEEDS: Mapping[str, _Deed] = {
    State.DEAD: ("is dead", "are dead"),
    State.ALIVE: ("is alive again", "are alive again"),
    State.POTENTIALLY_DEAD: ("may be dead", "may be dead"),
    State.PENDING: ("waits for a first check", "wait for a first check"),
    EventKind.FLAG_RAISED: ("has a new flag", "have a new flag"),
    EventKind.FLAG_CLEARED: ("lost a flag", "lost a flag"),
    EventKind.ATTENTION_NEEDED: ("needs attention", "need attention"),
    EventKind.ATTENTION_ENDED: ("needs no attention any more", "need no attention any more"),
}
_FIRST_SUCCESS: _Deed = ("answers", "answer")


def event_content(transition: Event, by: Actor) -> Content:
    """Return what is said of one row of the outbox to `by`."""
    line = _line(transition, by)
    return Content(
        message_id=str(transition.id),
        type=event_type(transition),
        data=whole_event(transition, by),
        subject=_subject([transition]),
        lines=(line,),
        link=line.link,
    )


def digest_content(
    transitions: Sequence[Event],
    *,
    digest_id: UUID | str,
    by: Actor,
    began_at: datetime,
    skipped: int = 0,
) -> Content:
    """Return what is said of several rows in one message, oldest first.

    `skipped` is the number of events not sent because the channel was down for too long.
    """
    lines = tuple(_line(one, by) for one in transitions[:LINES])
    subject = _subject(transitions) if transitions else _skipped(skipped)
    link = _link_to(transitions)
    at = transitions[-1].at if transitions else began_at
    data = {
        "summary": subject,
        "began_at": rfc3339(began_at),
        "count": len(transitions),
        "skipped": skipped,
        "event_ids": [str(one.id) for one in transitions],
        "events": [whole_event(one, by) for one in transitions[:LINES]],
        "link": link,
    }
    if skipped and transitions:
        lines = (*lines, ContentLine(headline=f"{_skipped(skipped)}.", reason=_WHY_SKIPPED))
    host = _hosts(transitions)
    return Content(
        message_id=str(digest_id),
        type=DIGEST,
        data=cloud_event(
            str(digest_id), DIGEST, data, subject=host[0] if len(host) == 1 else None, at=at
        ),
        subject=subject,
        lines=lines or (ContentLine(headline=f"{_skipped(skipped)}.", reason=_WHY_SKIPPED),),
        more=max(0, len(transitions) - LINES),
        link=link,
    )


def test_content(channel: Channel, *, message_id: UUID | str, now: datetime) -> Content:
    """Return the message that somebody sends to see whether a channel works."""
    line = ContentLine(
        headline="This is a test message.",
        reason=plain(f"Whoever reads it will be told by the channel “{channel.name}”."),
        since=rfc3339(now) or "",
    )
    subject = f"Linkwatch: a test of “{channel.name}”"
    data = {"channel_id": channel.id, "channel": channel.name, "summary": line.headline}
    return _of_channel(channel, subject, line, (str(message_id), TEST, data), now=now)


def disabled_content(channel: Channel, *, message_id: UUID | str, now: datetime) -> Content:
    """Return the message to the owner of a disabled channel, sent by another channel."""
    line = ContentLine(
        headline=plain(f"The channel “{channel.name}” is disabled."),
        reason=plain(channel.reason),
        since=rfc3339(channel.failing_since or now) or "",
        link=_channel_page(channel),
    )
    subject = f"The channel “{channel.name}” is disabled"
    data = {"channel_id": channel.id, "channel": channel.name, "reason": channel.reason}
    return _of_channel(channel, subject, line, (str(message_id), DISABLED, data), now=now)


def skipped_content(
    channel: Channel, skipped: int, *, message_id: UUID | str, now: datetime
) -> Content:
    """Return the message about skipped messages of a channel."""
    subject = _skipped(skipped)
    line = ContentLine(headline=f"{subject}.", reason=_WHY_SKIPPED, link=_channel_page(channel))
    data = {"channel_id": channel.id, "channel": channel.name, "skipped": skipped}
    return _of_channel(channel, subject, line, (str(message_id), SKIPPED, data), now=now)


def _of_channel(
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
        subject=plain(subject, _SUBJECT),
        lines=(line,),
        link=_channel_page(channel),
    )


_WHY_SKIPPED = "This channel took nothing for three days, and no more than that is held back."


def _skipped(count: int) -> str:
    return f"{_count(count, 'event was', 'events were')} skipped"


# One row of the outbox as a line


def _line(transition: Event, by: Actor) -> ContentLine:
    if transition.kind not in OF_TARGETS:
        return _fact(transition)
    data = public(transition.payload, by)
    references = [str(one) for one in data.get("reference_ids", ())]
    since = data.get("first_failed_at") if transition.to_state == State.DEAD else None
    return ContentLine(
        headline=plain(data.get("url", ""), _HEADLINE),
        reason=plain(_reason(transition)),
        since=str(since or rfc3339(transition.at)),
        references=tuple(plain(one) for one in references[:REFERENCES]),
        more_references=max(0, len(references) - REFERENCES),
        link=f"{settings.BASE_URL}/targets/{data.get('target_id', '')}",
        rule=_rule(transition),
    )


def _reason(transition: Event) -> str:
    """Return in a sentence why it happened to a target."""
    written = transition.payload
    flag = str(written.get("flag", ""))
    match transition.kind:
        case EventKind.FLAG_RAISED:
            return f"Flag “{flag}”: {explain_flag(flag)}."
        case EventKind.FLAG_CLEARED:
            return f"The flag “{flag}” is gone."
        case EventKind.ATTENTION_NEEDED:
            return _sentence(_error(written) or "Checks of it say nothing clear; please look at it")
        case EventKind.ATTENTION_ENDED:
            return "Checks of it are clear again."
    return _sentence(reason(transition.from_state, transition.to_state, written))


def _rule(transition: Event) -> str:
    """Return a link to the rule or flag that a target's event is about; empty without any."""
    written = transition.payload
    flag, error = written.get("flag"), written.get("error")
    if transition.kind in (EventKind.FLAG_RAISED, EventKind.FLAG_CLEARED):
        return absolute(flag_path(flag)) if flag in FLAGS else ""
    found = error.get("rule_url") if isinstance(error, dict) else None
    return found if isinstance(found, str) and found.startswith(("http://", "https://")) else ""


def _error(written: Mapping[str, Any]) -> str:
    error = written.get("error")
    message = error.get("message") if isinstance(error, dict) else None
    return message if isinstance(message, str) else ""


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


_DETAILS: Mapping[str, str] = {
    EventKind.NETWORK_DOWN: "Nothing answers any more. Checks are set aside: no page dies of it.",
    EventKind.NETWORK_BACK: "What was set aside is checked again now.",
}


def _fact(transition: Event) -> ContentLine:
    """Return a line about the deployment, or a link of it."""
    written = transition.payload
    if "detail" in written:  # a sentence of those who have seen it
        since = rfc3339(transition.at) or ""
        return ContentLine(
            headline=plain(_sentence(str(written["detail"]))), since=since, link=_home()
        )
    reason, link = _DETAILS.get(transition.kind, ""), _home()
    if transition.kind == EventKind.LINK_ENDING:
        reason = f"It leads to {written.get('destination', '')}."
        link = f"{settings.BASE_URL}/links/{written.get('key', '')}"
    return ContentLine(headline=plain(f"{_said(transition)}."), reason=plain(reason), link=link)


def _said(transition: Event) -> str:
    """Return what happened to the deployment or a link of it: a sentence without its full stop."""
    written = transition.payload
    name = written.get("name", "")
    match transition.kind:
        case EventKind.NETWORK_DOWN:
            return f"Your network is away since {clock(written.get('since'))}"
        case EventKind.NETWORK_BACK:
            return _network_back(written)
        case EventKind.SINK_BEHIND:
            return f"The sink “{name}” is behind"
        case EventKind.DISK_FILLING:
            return f"The disk of {name} is filling"
        case EventKind.SCHEDULES_LATE:
            return "What is scheduled is late"
        case EventKind.LINK_ENDING:
            return f"The link “{written.get('key', '')}” ends {clock(written.get('ends_at'))}"
    return str(transition.kind)


def _network_back(written: Mapping[str, Any]) -> str:
    began, ended = _time(written.get("since")), _time(written.get("until"))
    span = "for a while"
    if began and ended and began.date() == ended.date():
        span = f"{began:%H:%M}–{ended:%H:%M} UTC"  # noqa: RUF001
    elif began and ended:
        span = f"from {clock(written.get('since'))} until {clock(written.get('until'))}"
    set_aside = _count(int(written.get("set_aside") or 0), "check was", "checks were")
    return f"Your network was away {span}; {set_aside} set aside"


def clock(at: object) -> str:
    """Return a time for people, with its zone; empty if there is no time."""
    time = _time(at)
    return f"{time.day} {time:%B %Y, %H:%M} UTC" if time else ""


def _time(at: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(at))
    except ValueError:
        return None


# Several rows in a subject


def _subject(transitions: Sequence[Event]) -> str:
    """Return how many of what, and where: “3 pages of example.org are dead, 1 is alive again”."""
    pages = [one for one in transitions if one.kind in OF_TARGETS]
    others = [_said(one) for one in transitions if one.kind not in OF_TARGETS]
    parts = []
    if pages:
        where = _where(_hosts(pages))
        counts = Counter(_deed(one) for one in pages)
        for index, (deed, count) in enumerate(counts.items()):
            of = f"{_count(count, 'page', 'pages')} of {where}" if index == 0 else f"{count:,}"
            parts.append(f"{of} {deed[count != 1]}")
    subject = ", ".join(parts)
    if others:
        first = others[0]
        subject = f"{subject}; {first[0].lower()}{first[1:]}" if subject else first
    if len(others) > 1:
        subject += f"; {_count(len(others) - 1, 'other message', 'other messages')}"
    return plain(subject, _SUBJECT)


def _deed(transition: Event) -> _Deed:
    if transition.kind != EventKind.STATE:
        return _DEEDS[transition.kind]
    if (transition.from_state, transition.to_state) == (State.PENDING, State.ALIVE):
        return _FIRST_SUCCESS
    return _DEEDS[transition.to_state]


def _hosts(transitions: Sequence[Event]) -> list[str]:
    """Return the hosts of these rows, each once."""
    urls = (
        str(one.payload.get("canonical_url", "")) for one in transitions if one.kind in OF_TARGETS
    )
    return list(dict.fromkeys(urlsplit(url).hostname or "" for url in urls))


def _where(hosts: Sequence[str]) -> str:
    return hosts[0] if len(hosts) == 1 else f"{len(hosts):,} hosts"


def _count(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"


def plain(text: object, limit: int = 2048) -> str:
    """Return text of others on one line, without control, bidirectional and invisible characters.

    So it can break no header and no line, and turn no sentence around.
    """
    line = " ".join(str(text).split())
    line = "".join(character for character in line if character.isprintable())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


# Where more is seen


def _link_to(transitions: Sequence[Event]) -> str:
    """Return where all of them can be seen: the list of such pages, or what there is at all."""
    hosts, states = _hosts(transitions), {one.to_state for one in transitions}
    if not hosts:
        return _home()
    query = {
        "host": hosts[0] if len(hosts) == 1 else "",
        "state": states.pop() if len(states) == 1 else "",
    }
    given = {name: value for name, value in query.items() if value}
    return f"{settings.BASE_URL}/targets?{urlencode(given)}"


def _home() -> str:
    return f"{settings.BASE_URL}/"


def _channel_page(channel: Channel) -> str:
    return f"{settings.BASE_URL}/account/channels/{channel.id}"
