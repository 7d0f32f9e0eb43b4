"""`manage.py check_links`: a checker worker in the foreground, or one check explained."""

import asyncio
import signal
import sys
from argparse import ArgumentParser
from dataclasses import replace
from datetime import timedelta
from typing import IO, Any, cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections
from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from checker import check_instructions, claims, policies, worker
from checker.engine.fetch import Probe, probe
from checker.engine.instructions import read_instructions
from checker.engine.roots import RootAnswer
from checker.engine.verdict_table import REASONS_ON_OUR_SIDE
from checker.explain import as_tree, next_step
from foundation import settings_comparison
from foundation.database.clock import database_now
from foundation.net.hostnames import InvalidHostError, normalize_host
from foundation.shutdown import request_stop, stop_requested
from foundation.templatetags.times import exact
from hosts.reservations import Busy
from targets.canonical import CanonicalURL, InvalidURLError, canonicalize, url_to_fetch
from targets.models import Target
from targets.state import Outcome, State

_FOR_EVER = timedelta(days=3650)
_MAX_WIDTH = 100_000  # characters
_EXIT_STATUS = {Outcome.SUCCESS: 0, Outcome.FAILURE: 1, Outcome.INCONCLUSIVE: 2}
_COUNT_LABELS = {
    Outcome.FAILURE: "failures",
    Outcome.INCONCLUSIVE: "inconclusive",
    Outcome.SUCCESS: "successes",
}


class Command(BaseCommand):
    help = (
        "Run due checks in the foreground. Hosts and MAX_CONCURRENCY are shared with other "
        "checkers."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="stop when nothing is due")
        parser.add_argument("--host", help="check the due targets of this host only, then stop")
        parser.add_argument(
            "--explain",
            metavar="URL",
            help="check this URL now, show all evidence, store nothing and reserve no host; exit"
            " status 0 for success, 1 for failure (or no URL to check), 2 for inconclusive",
        )
        parser.add_argument(
            "--with-these-settings",
            action="store_true",
            help="check even if the running processes have different settings",
        )

    def handle(
        self, *args: Any, once: bool, host: str | None, explain: str | None, **options: Any
    ) -> None:
        differing = {difference.name for difference in settings_comparison.warn(self.stderr)}
        if explain is not None:
            sys.exit(_EXIT_STATUS[self._explain(explain)])
        if differing.intersection(settings.VERDICT_SETTINGS) and not options["with_these_settings"]:
            raise CommandError(
                "No check was made: the running processes have different settings. Run this "
                "command with the same settings, or with --with-these-settings.",
                returncode=2,
            )
        self._work(once=once, host=host)

    def _explain(self, url: str) -> Outcome:
        """Check one URL, print the result and its effect, and return the outcome; store nothing."""
        try:
            canonical = canonicalize(url)
        except InvalidURLError as error:
            raise CommandError(f"No check was made. {error}") from error
        target, introduction = _find_target(canonical, url=url)
        url = url_to_fetch(target.url)
        policy = policies.policy_for(
            replace(policies.fetch_policy(), look_up_root=sync_to_async(_known_root)),
            is_recheck=target.state == State.POTENTIALLY_DEAD,
            is_audit=claims.needs_get(target),
        )
        instructions = read_instructions(
            url,
            host_json=check_instructions.instructions_of([target.host]).get(target.host)
            if target.host
            else None,
            target_json=target.instructions,
        )
        policy = check_instructions.apply_instructions(policy, instructions)
        result = asyncio.run(probe(url, policy=policy, condition=target.condition_in_force))
        # In a pipe or file, lines are not wrapped, so that URLs stay intact.
        width = None if self.stdout.isatty() else _MAX_WIDTH
        console = Console(file=cast("IO[str]", self.stdout), width=width)
        console.print(as_tree(url, result))
        now = timezone.now()
        step = next_step(
            result.outcome,
            health=target.health,
            policy=target.policy,
            now=now,
            never_counts=result.never_counts,
            is_our_failure=result.reason in REASONS_ON_OUR_SIDE,
            retry_at=None if result.wait is None else now + result.wait,
        )
        console.print(Text(f"{introduction} would mean: {step}."))
        console.print(
            "Nothing was stored and no host was reserved; a checker may be visiting "
            "the host right now."
        )
        return result.outcome

    def _work(self, *, once: bool, host: str | None) -> None:
        for signal_number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signal_number, lambda *_: request_stop())
        due = Target.objects.due(database_now())
        if host is not None:
            try:
                host = normalize_host(host)
            except InvalidHostError as error:
                raise CommandError(str(error)) from None
            due = due.filter(host=host)
            if not Target.objects.filter(host=host).exists():
                raise CommandError(f"There is no target on the host {host!r}.")
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as progress:
            bar = progress.add_task("Checking", total=due.count())

            def show(target: claims.ClaimedTarget, probe: Probe) -> None:
                if probe.error:
                    progress.console.print(f"{target.url}: {probe.error}", markup=False)
                progress.advance(bar)

            report = self._run(once=once, host=host, show=show)
        outcomes = ", ".join(
            f"{words} {count}"
            for outcome, words in _COUNT_LABELS.items()
            if (count := report.outcomes.get(outcome))
        )
        self.stdout.write(f"checks {report.checks}, hosts {report.hosts}: {outcomes or 'none'}")

    def _run(self, *, once: bool, host: str | None, show: Any) -> worker.WorkerReport:
        length = None if once or host is not None else _FOR_EVER
        options = {"length": length, "should_stop": stop_requested, "on_probe": show}
        if host is None:
            return worker.run_worker(**options)
        try:
            first = [claims.claim_host(host)]
        except Busy as busy:
            raise CommandError(
                f"{host} is reserved or backing off, or its delay has not ended; try again "
                f"after {exact(busy.retry_at)}."
            ) from busy
        return worker.run_worker(
            claim=lambda _limit: first.pop() if first else _claim_again(host), **options
        )


def _claim_again(host: str) -> claims.Claim:
    """Reserve the host again if it has due targets: one lease is not long enough for many."""
    if not Target.objects.due(database_now()).filter(host=host).exists():
        return claims.Claim()
    try:
        return claims.claim_host(host)
    except Busy as busy:
        return claims.Claim(next_ready_in=(busy.retry_at - database_now()).total_seconds())


def _known_root(url: str) -> RootAnswer | None:
    """Return the stored response of a root that is a target, as `policies.known_root` does.

    Also returns None if the database is unavailable. Closes the connection of its own thread.
    """
    try:
        return policies.known_root(url)
    except DatabaseError:
        return None
    finally:
        connections.close_all()


def _find_target(canonical: CanonicalURL, *, url: str) -> tuple[Target, str]:
    """Return the target, or a new one, and what is known about it, ending with "this result".

    If the database is unavailable, the target is a new one, too, without a host: the host's
    instructions are unknown.
    """
    try:
        target = Target.objects.filter(canonical_url=canonical.url).first()
    except DatabaseError:
        known = "The database is unavailable, so the target's state is unknown."
        return Target(url=url), f"{known} For a new target, this result"
    if target is None:
        new_target = Target(url=url, host=canonical.host)
        return new_target, "The target is not registered. This result"
    state = f"{State(target.state).label}, failures: {target.failures}"
    return target, f"The target is registered ({state}). This result"
