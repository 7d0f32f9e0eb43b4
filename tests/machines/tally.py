"""Compares what was acknowledged with what exists, by counting."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from tests.chaos import audit
from tests.kafka.judging import id_of
from tests.machines.trial import EVENT_STATES, HOST_DELAY, VALKEY_DIED, Fault, Trial
from tests.machines.world import impolite

CONTINUES_WITHIN = 30.0  # seconds from the database's return to a check by each worker
VIEWS_AT_RISK = 1.0  # seconds of views that may be lost when Valkey's master dies


def of(trial: Trial) -> tuple[dict[str, Any], list[str]]:
    """Return the figures and the faults."""
    figures: dict[str, Any] = {}
    faults: list[str] = []
    for part in (_writes, _events, _views, _checks, _processes):
        found, wrong = part(trial)
        figures |= found
        faults += wrong
    return figures, faults


def _writes(trial: Trial) -> tuple[dict[str, Any], list[str]]:
    """Targets and links: each acknowledged one exists once, and no other exists."""
    client, database = trial.client, trial.postgres.url()
    links = audit.rows(database, "SELECT long_url, key FROM shortener_shorturl")
    times = Counter(url for url, _ in links)
    keys = {key for _, key in links}
    lost = [url for url, key in client.links.items() if key not in keys]
    doubled = [url for url, n in times.items() if n > 1]
    known = {**client.links, **client.unsure}
    foreign = [url for url in times if "/w/" in url and url not in known]
    faults = [f"the link to {url} is lost" for url in lost]
    faults += [f"the link to {url} is there twice" for url in doubled]
    faults += [f"the link to {url} is nobody's" for url in foreign]
    faults += [f"two answers for one Idempotency-Key: {url}" for url in client.differing]
    faults += audit.registry(database, client.targets.values())
    figures = {
        "targets acknowledged": len(client.targets),
        "short links acknowledged": len(client.links),
        "links lost, doubled": [len(lost), len(doubled)],
        "writes without an answer, or refused": client.unsure.total(),
        "answers by status": dict(sorted(client.statuses.items())),
    }
    return figures, faults


def _events(trial: Trial) -> tuple[dict[str, Any], list[str]]:
    """Transitions, the feed and Kafka have the same ids, those of a target in order."""
    history = audit.transitions(trial.postgres.url())
    events = [one for one in history if one.to_state in EVENT_STATES]
    expected, seen = [one.id for one in events], trial.client.events
    messages = [(one.key().decode(), id_of(one)) for one in trial.reader.messages]
    faults = audit.kafka(messages, events)
    if seen != expected:
        faults.append(f"the feed, as it was read: {_difference(seen, expected)}")
    figures = {
        "events by state": dict(Counter(one.to_state for one in events)),
        "events, in the feed, in Kafka": [len(events), len(seen), len(messages)],
        "repeated messages of Kafka": len(messages) - len(set(messages)),
    }
    if not {"dead", "alive"} <= {one.to_state for one in events}:
        faults.append("no target died or recovered, so nothing is proved")
    return figures, faults


def _difference(seen: list[str], expected: list[str]) -> str:
    lost, foreign = set(expected) - set(seen), set(seen) - set(expected)
    doubled = len(seen) - len(set(seen))
    return f"{len(lost)} lost, {len(foreign)} unknown, {doubled} repeated, or in another order"


def _views(trial: Trial) -> tuple[dict[str, Any], list[str]]:
    """Compares redirected visits with counted visits."""
    client = trial.client
    led, unsure = client.views()
    counted = {key: client.insist("GET", f"/v1/urls/{key}/metrics")["views"] for key in led}
    died = next(one.began_at for one in trial.faults if one.name == VALKEY_DIED)
    at_risk = Counter(
        one.key
        for one in client.visits
        if one.status == 302 and died - VIEWS_AT_RISK <= one.at <= died
    )
    faults = [
        f"{key}: {led[key]} visits and {unsure[key]} unsure, {counted[key]} counted"
        for key in led
        if not led[key] - at_risk[key] <= counted[key] <= led[key] + unsure[key]
    ]
    figures = {
        "visits redirected, counted": [sum(led.values()), sum(counted.values())],
        "visits without an answer": sum(unsure.values()),
        "views lost at least": sum(max(0, led[key] - counted[key]) for key in led),
        "views that may be": at_risk.total(),
    }
    return figures, faults


def _checks(trial: Trial) -> tuple[dict[str, Any], list[str]]:
    """Checks continue after each fault, and respect the delays of hosts."""
    world = trial.world
    faults = impolite(world.asked, HOST_DELAY, since=trial.began)
    figures: dict[str, Any] = {
        "requests to hosts": world.requests.total(),
        "most at once to one host": world.most_at_once_in_a_group,
        "shortest rest of a host, s": round(min(map(world.shortest_gap, world.addresses)), 3),
        "longest time without a check, s": round(_longest_idle(world.asked_at.values()), 1),
    }
    for fault in trial.faults:
        waits = {one.name: _wait(trial, fault, one.outer_address) for one in trial.workers}
        figures[f"{fault.name}: took, s"] = round(fault.ended_at - fault.began_at, 1)
        figures[f"{fault.name}: next check, s"] = waits
        pause = trial.client.longest_pause(fault.began_at, fault.ended_at)
        figures[f"{fault.name}: longest pause of writes, s"] = round(pause, 1)
        late = [name for name, wait in waits.items() if wait is None or wait > CONTINUES_WITHIN]
        faults += [f"{fault.name}: {name} checks late or never" for name in late]
    return figures, faults


def _wait(trial: Trial, fault: Fault, peer: str) -> float | None:
    first = trial.world.first_after(fault.ended_at, peer=peer)
    return None if first is None else round(first - fault.ended_at, 1)


def _longest_idle(asked_at: Iterable[list[float]]) -> float:
    times = sorted(at for one in asked_at for at in one)
    return max(then - at for at, then in pairwise(times))


def _processes(trial: Trial) -> tuple[dict[str, Any], list[str]]:
    """Lists processes that ended unexpectedly, and processes that failed when they were stopped."""
    trial.keeper.stop()
    deaths = [
        f"{one.unit} with {one.status} at {one.at - trial.began:.1f} s"
        for one in trial.keeper.deaths
    ]
    logs = [path.read_text() for path in trial.folder.glob("work*-tasks.log")]
    bad = {name: status for name, status in trial.keeper.statuses.items() if status}
    faults = [f"{name} ended with {status} when told to stop" for name, status in bad.items()]
    figures = {
        "processes that ended by themselves": deaths,
        "workers of the queue that their parent replaced": "".join(logs).count("sudden death"),
    }
    return figures, faults
