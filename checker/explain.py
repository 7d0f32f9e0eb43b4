"""Explains one check: shows its evidence as a tree."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from rich.text import Text
from rich.tree import Tree

from checker.engine.evidence import clean
from checker.engine.fetch import Probe
from checker.engine.verdict_table import BY_NAME, success_sentence
from foundation.durations import duration_in_words
from targets.flags import explain_flag
from targets.state import Health, Outcome, Policy, State, advance, failures_count_from

_STYLES = {Outcome.SUCCESS: "green", Outcome.FAILURE: "red", Outcome.INCONCLUSIVE: "yellow"}
_ROOT_ANSWERS = {
    "refuses": "refuses too",
    "speaks": "does not refuse",
    "restricted": "requires a login",
    "unknown": "gives no usable response",
}
_TIMES = (
    ("dns_ms", "DNS"),
    ("connect_ms", "connect"),
    ("tls_ms", "TLS"),
    ("first_byte_ms", "first byte"),
)


def as_tree(url: str, probe: Probe) -> Tree:
    """Return a check's evidence as a tree. Text from servers is plain text, never markup."""
    evidence = probe.evidence
    tree = Tree(Text(clean(url, limit=2048), style="bold"))
    attempts = tree.add(f"attempts: {probe.attempts}")
    label = "last hop: " if probe.redirects else ""
    for number, attempt in enumerate(evidence.get("attempts", ()), 1):
        attempts.add(Text(f"{number}. {_attempt_line(attempt, label=label)}"))
    redirects = evidence.get("redirects")
    if redirects:
        branch = tree.add(f"redirects: {len(redirects)}")
        for hop in redirects:
            branch.add(Text(f"{hop['status']} → {hop['url']}"))
    for line in (*_response_lines(probe, evidence), *_evidence_lines(evidence)):
        tree.add(line)
    headers = evidence.get("headers")
    if headers:
        branch = tree.add("headers")
        for name, value in headers.items():
            branch.add(Text(f"{name}: {value}"))
    tree.add(_outcome_line(probe))
    if name := evidence.get("rule"):
        row = BY_NAME.get(name)
        tree.add(Text(f"by the rule “{row.title if row else name}” in docs/verdicts.md"))
    return tree


def _attempt_line(attempt: Mapping[str, Any], *, label: str) -> str:
    """Return an attempt's response, server and duration, and the timing of its last request."""
    result = attempt["status"] or f"{attempt['error']} ({attempt['detail'] or 'no details'})"
    if attempt["status"] and attempt["error"]:
        result = f"{attempt['status']}, then {attempt['error']} ({attempt['detail']})"
    address = f" from {attempt['address']}" if attempt["address"] else ""
    times = [f"{name} {attempt[key]:.1f} ms" for key, name in _TIMES if attempt[key] is not None]
    if attempt.get("kept"):
        times.insert(0, "kept connection")
    parts = f" ({label}{', '.join(times)})" if times else ""
    method = attempt["method"]
    if attempt.get("precondition"):
        method = f"{method} ({attempt['precondition']})"
    return f"{method}: {result}{address} in {attempt['latency_ms']} ms{parts}"


def _response_lines(probe: Probe, evidence: Mapping[str, Any]) -> Iterator[Text]:
    if probe.status_code is not None:
        rest = ", the rest was not read" if evidence.get("unread") else ""
        size = evidence.get("body_bytes", 0)
        yield Text(f"status: {probe.status_code}, {size} bytes of body{rest}")
    if evidence.get("url"):
        yield Text(f"final URL: {evidence['url']}")
    if probe.moved_to:
        yield Text(f"moved permanently to: {clean(probe.moved_to, limit=2048)}")
    if probe.retry_after is not None:
        yield Text(f"requested pause: {probe.retry_after:.0f} s")


def _evidence_lines(evidence: Mapping[str, Any]) -> Iterator[Text]:
    if evidence.get("tls"):
        tls = evidence["tls"]
        yield Text(f"TLS certificate: from {tls['issuer']}, valid until {tls['expires_at']}")
    if evidence.get("tls_error"):
        yield Text(f"TLS error: {evidence['tls_error']}")
    for mark in evidence.get("marks", ()):
        yield Text(f"mark: {mark}")
    if evidence.get("root"):
        root = evidence["root"]
        answer = _ROOT_ANSWERS[root["answer"]]
        yield Text(f"root of the host: {root['url']} {answer} ({root['how']})")
    if evidence.get("sibling"):
        sibling = evidence["sibling"]
        answer = sibling["status"] or sibling["error"]
        yield Text(
            f"test request to a made-up address: {sibling['asked']} → {answer} at {sibling['url']}"
        )


def _outcome_line(probe: Probe) -> Text:
    line = Text("outcome: ")
    line.append(probe.outcome.value, style=f"bold {_STYLES[probe.outcome]}")
    if probe.reason:
        line.append(f", {probe.reason}")
    row = BY_NAME.get(probe.evidence.get("rule", ""))
    line.append(f": {probe.error or success_sentence(probe.status_code, probe.flags, row)}")
    for flag in probe.flags:
        line.append(f" [{flag}: {explain_flag(flag)}]")
    return line


def next_step(
    outcome: Outcome,
    *,
    health: Health,
    policy: Policy,
    now: datetime,
    never_counts: bool = False,
    is_our_failure: bool = False,
    retry_at: datetime | None = None,
) -> str:
    """Return a phrase that says what the state machine does after this outcome."""
    after = advance(
        health,
        outcome,
        policy=policy,
        now=now,
        never_counts=never_counts,
        is_our_failure=is_our_failure,
        retry_at=retry_at,
    )
    if health.state is State.DEAD and after.next_check_at is None:
        return "it stays dead and is not checked until someone revives it"
    count = ""
    if after.failures:
        count = f", failure {after.failures} of {policy.recheck_threshold}"
    if after.next_check_at is None:
        following = "no further checks"
    else:
        seconds = round((after.next_check_at - now).total_seconds())
        following = f"next check in {duration_in_words(timedelta(seconds=seconds))}"
    if failures_count_from(health, outcome, policy=policy, now=now, never_counts=never_counts):
        count += " (this one came too soon after the last one to count)"
    step = f"{health.state.label} → {after.state.label}"
    if health.state is after.state:
        step = f"{health.state.label} as before"
    return f"{step}{count}, {following}"
