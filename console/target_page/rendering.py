"""Renders the live parts of a target's page, for the first response and for updates."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from console.access import Audience
from console.target_page.snapshot import Snapshot

# The names of sections: each is a template and the id of an element. _SHARED sections are the same
# for all audiences; _PER_AUDIENCE sections have additional links for some.
_SHARED = ("badges", "progress", "facts", "problems", "what_now", "chart", "checks", "certificate")
_PER_AUDIENCE = ("own_side", "states")
SECTIONS = (*_SHARED, *_PER_AUDIENCE)
# Output that changes with time even if nothing else changes: relative times, which the page updates
# by itself, and the output of templates between these comments.
_TIME_DEPENDENT = re.compile(r"(?<=<time )([^>]*>)[^<]*|<!-- by time -->.*?<!-- end -->", re.DOTALL)


class TargetRendering:
    """The page for one audience: HTML by section.

    Two renderings with the same `digest` differ only in times. `offered`: the operations that the
    page enables.
    """

    def __init__(self, sections: Mapping[str, str], *, offered: Iterable[str]) -> None:
        self.sections = sections
        self._stable = {name: _TIME_DEPENDENT.sub(r"\1", html) for name, html in sections.items()}
        text = json.dumps([sorted(offered), self._stable])
        self.digest = sha256(text.encode()).hexdigest()[:16]

    def changed_since(self, last: "TargetRendering | None") -> dict[str, str]:
        """Return the sections that have changed since `last`, or all sections if that is None."""
        old = {} if last is None else last._stable
        stable = self._stable.items()
        return {name: self.sections[name] for name, html in stable if html != old.get(name)}


@dataclass(frozen=True, slots=True, eq=False)
class RenderedPage:
    """A rendered snapshot; it has no renderings if the target does not exist."""

    now: str = ""  # RFC 3339
    offered: frozenset[str] = frozenset()
    renderings: Mapping[Audience, TargetRendering] = field(default_factory=dict)
    changes_in: float | None = None  # seconds after `now` until the page changes by itself
    _messages: dict[tuple[Audience, str], str] = field(default_factory=dict)

    def is_like(self, other: "RenderedPage | None") -> bool:
        """Return whether both pages are the same, except for times."""
        return other is not None and self._digests() == other._digests()

    def _digests(self) -> list[str]:
        return [rendering.digest for rendering in self.renderings.values()]

    def message(self, audience: Audience, *, last: "RenderedPage | None", seen: str = "") -> str:
        """Return the message with the sections that have changed since `last`.

        Without `last`, it has all sections, or none if `seen` is the digest of this page. The
        message is composed once for all recipients.
        """
        rendering = self.renderings[audience]
        before = last.renderings.get(audience) if last is not None else None
        shown = before.digest if before is not None else seen if seen == rendering.digest else ""
        key = audience, shown
        if key not in self._messages:
            sections = {} if shown == rendering.digest else rendering.changed_since(before)
            self._messages[key] = json.dumps(
                {
                    "type": "page",
                    "now": self.now,
                    "offered": sorted(self.offered),
                    "sections": sections,
                }
            )
        return self._messages[key]


def render_page(snapshot: Snapshot, *, audiences: Iterable[Audience] = Audience) -> RenderedPage:
    """Return the rendering of a snapshot for these audiences."""
    shared = _render(_SHARED, snapshot)
    changes_at = snapshot.changes_at
    return RenderedPage(
        now=snapshot.now.isoformat(),
        offered=snapshot.offered,
        renderings={
            audience: TargetRendering(
                shared | _render(_PER_AUDIENCE, snapshot, for_staff=audience is Audience.STAFF),
                offered=snapshot.offered,
            )
            for audience in audiences
        },
        changes_in=None if changes_at is None else (changes_at - snapshot.now).total_seconds(),
    )


def _render(names: Iterable[str], snapshot: Snapshot, **context: bool) -> dict[str, str]:
    full_context = {
        "page": snapshot,
        "target": snapshot.target,
        "states": snapshot.states,
        "now": snapshot.now,
        **snapshot.uplink_context,
        **context,
    }
    return {
        name: SafeString(render_to_string(f"console/target/{name}.html", full_context).strip())
        for name in names
    }
