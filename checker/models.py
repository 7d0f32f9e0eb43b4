"""Results of checks, reports of wrong ones, counts of checks and of states, and outages."""

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import F, FloatField, Q, Sum
from django.db.models.functions import Cast, NullIf

from checker.engine.evidence import clean
from checker.engine.verdict_table import VerdictRow, advise, explain, row_of, success_sentence
from targets.advice_provider import Advice
from targets.checks import note_too_soon
from targets.models import Target
from targets.state import Outcome

_PARTS = 64  # of a minute's tally
FOLDED_PART = _PARTS  # the only part of a past hour's tally
COUNT_FIELDS = ("checks", "failures", "inconclusive")  # of a minute; the first counts all checks
PROBLEMS = ("failures", "inconclusive", "slow")  # of checks, which a host's tally counts
SLOW = timedelta(seconds=2)  # from this latency on, a response is slow
_SPAN = timedelta(days=28)  # of the results that one statement reads
_MAX_SPANS = 16


class CheckResultQuerySet(models.QuerySet["CheckResult"]):
    def read_in_spans(self, limit: int) -> "list[CheckResult]":
        """Return at most `limit` of these results, which must be ordered newest first.

        Reads one span of time after another: a statement locks all partitions that it may read,
        with their indexes, and a few reads of months would fill PostgreSQL's lock table.
        """
        results: list[CheckResult] = []
        for span in self._spans():
            results += span[: limit - len(results)]
            if len(results) == limit:
                break
        return results

    def _spans(self) -> Iterator[Self]:
        """Yield these results in spans of time, newest first; the last span has all the rest."""
        if connection.vendor != "postgresql":
            yield self
            return
        width = max(_SPAN, settings.RESULTS_RETENTION / _MAX_SPANS)
        # This process's clock is good enough: it only decides where spans end.
        end = datetime.now(UTC) - width
        oldest = datetime.now(UTC) - settings.RESULTS_RETENTION
        yield self.filter(checked_at__gte=end)
        while end > oldest:
            yield self.filter(checked_at__lt=end, checked_at__gte=end - width)
            end -= width
        yield self.filter(checked_at__lt=end)


class CheckResult(models.Model):
    """One check of a target, with its evidence. Source: docs/requirements.md#checks-results.

    On PostgreSQL, the table has daily partitions (`checker.partitions`). Results are looked up by
    target, so a result without a target is never shown.
    """

    target = models.ForeignKey(
        Target,
        on_delete=models.CASCADE,
        related_name="results",
        db_index=False,
        db_constraint=False,  # writers of results hold locks on their targets
    )
    checked_at = models.DateTimeField(db_index=True)
    outcome = models.CharField(max_length=12, choices=[(o.value, o.value) for o in Outcome])
    reason = models.CharField(max_length=32, blank=True)
    status_code = models.PositiveSmallIntegerField(null=True)
    latency_ms = models.PositiveIntegerField()
    error = models.TextField(null=True)  # noqa: DJ001 (null means success)
    attempts = models.PositiveSmallIntegerField()
    final_url = models.TextField()
    redirects = models.JSONField(default=list)
    moved_to = models.TextField(blank=True, help_text="Where permanent redirects lead.")
    flags = models.JSONField(default=list)
    evidence = models.JSONField(default=dict)
    parameters = models.JSONField(
        null=True,
        help_text="The parameters of its sentence and the row of docs/verdicts.md. Null for a plain"
        " page, an operator's own condition, and checks by version 0.2.0.",
    )

    objects = CheckResultQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["target", "-checked_at", "-id"], name="result_page")
        ]

    def __str__(self) -> str:
        return f"{self.outcome} {self.reason}".strip()

    @property
    def sentence(self) -> str | None:
        """The sentence for people, from the parameters if there are any; None for a success."""
        explanation = explain(self.parameters) if self.error else None
        if not explanation:
            return self.error
        return note_too_soon(clean(explanation), until=(self.parameters or {}).get("counts_from"))

    @property
    def in_words(self) -> str:
        """The sentence for people, even for a success."""
        return self.sentence or success_sentence(self.status_code, self.flags, self.rule)

    @property
    def rule(self) -> VerdictRow | None:
        """The row of docs/verdicts.md that decided the result.

        None for a plain page, an operator's own condition, a result of 0.2.0 or a removed row.
        """
        return row_of(self.parameters)

    @property
    def advice(self) -> Advice:
        """The verdict in a few words, and what to do about it."""
        return advise(self.reason, self.status_code, self.flags, self.rule)


class ResultReport(models.Model):
    """A user's report that a result is wrong, with a copy of the result.

    `checker.reports` creates reports. They outlive their result and their target, but not their
    author. The foreign keys have no constraints, because version 0.2.0 deletes accounts and targets
    without knowing about this table.
    """

    COMMENT_LENGTH = 1000

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # one_report_per_result begins with it
        db_constraint=False,
    )
    target = models.ForeignKey(
        Target, on_delete=models.SET_NULL, null=True, related_name="reports", db_constraint=False
    )
    result_id = models.BigIntegerField()
    checked_at = models.DateTimeField()
    comment = models.CharField(max_length=COMMENT_LENGTH, blank=True)
    evidence = models.JSONField(help_text="A copy of the result, at most 64 KiB.")
    created_at = models.DateTimeField(db_index=True)
    proposed = models.JSONField(
        null=True, help_text="Statuses, reasons and flags that the author proposes to accept."
    )
    handled_at = models.DateTimeField(null=True, help_text="When an operator handled the report.")
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        db_constraint=False,
    )

    class Meta:
        default_permissions = ()
        verbose_name = "report of a wrong result"
        verbose_name_plural = "reports of wrong results"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "result_id"], name="one_report_per_result")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["created_at"], name="report_open", condition=Q(handled_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return str(self.evidence.get("url") or f"report {self.pk}")


class Uplink(models.Model):
    """Our own network access, as seen by checks: one row for the whole deployment."""

    first_answer_at = models.DateTimeField(null=True)
    down_since = models.DateTimeField(null=True, help_text="No server has responded since then.")
    down_reason = models.CharField(max_length=32, blank=True)
    down_by_proxy = models.BooleanField(
        default=False, help_text="The outage is of requests through EGRESS_PROXY."
    )
    resume_until = models.DateTimeField(
        null=True, help_text="Targets that were set aside up to this time are being made due."
    )
    settings = models.CharField(
        max_length=64, blank=True, help_text="Fingerprint of the network's settings."
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"down since {self.down_since:%c}" if self.down_since else "up"


class TallyQuerySet(models.QuerySet["Tally"]):
    def add(self, outcomes: Iterable[str], *, now: datetime) -> None:
        """Count checks with these outcomes, usually in one statement.

        Call it at the end of the transaction that writes the checks. Processes rarely share a row,
        and lock nothing after that row, so waits are short.
        """
        counts = Counter(outcomes)
        if not counts:
            return
        key = {"minute": now.replace(second=0, microsecond=0), "part": os.getpid() % _PARTS}
        row = self.filter(**key)
        added = {
            "checks": F("checks") + counts.total(),
            "failures": F("failures") + counts[Outcome.FAILURE],
            "inconclusive": F("inconclusive") + counts[Outcome.INCONCLUSIVE],
        }
        if not row.update(**added):
            self.bulk_create([Tally(**key)], ignore_conflicts=True)
            row.update(**added)

    def sums_since(self, since: datetime) -> dict[str, int]:
        """Return the sums of COUNT_FIELDS in the minutes that began at this time or later."""
        sums = {name: Sum(name, default=0) for name in COUNT_FIELDS}
        return dict(self.filter(minute__gte=since).aggregate(**sums))

    def by_minute(self, *, since: datetime) -> list[dict[str, Any]]:
        """Return `minute` and COUNT_FIELDS of each minute with checks, oldest first.

        Folded hours are one row each, at their first minute.
        """
        rows = self.filter(minute__gte=since).values("minute").order_by("minute")
        return [dict(row) for row in rows.annotate(**{name: Sum(name) for name in COUNT_FIELDS})]

    @transaction.atomic
    def fold(self, hour: datetime) -> None:
        """Fold the rows of a past hour into one. May run concurrently."""
        in_hour = self.filter(minute__gte=hour, minute__lt=hour + timedelta(hours=1))
        rows = list(in_hour.select_for_update().order_by("pk").values("pk", *COUNT_FIELDS))
        if not rows:  # another process has folded them
            return
        self.filter(pk__in=[row["pk"] for row in rows]).delete()
        sums = {name: sum(row[name] for row in rows) for name in COUNT_FIELDS}
        self.create(minute=hour, part=FOLDED_PART, **sums)


class Tally(models.Model):
    """The number of checks in a minute, which gives their rate without reading results.

    A minute has one row per `part`, a process id modulo _PARTS, so that processes rarely wait for
    each other. After two days, each hour has one row, with the part FOLDED_PART.
    """

    minute = models.DateTimeField()
    part = models.PositiveSmallIntegerField()
    checks = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)
    inconclusive = models.PositiveIntegerField(default=0, db_default=0)

    objects = TallyQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["minute", "part"], name="tally_minute")
        ]

    def __str__(self) -> str:
        return f"{self.checks} checks at {self.minute:%Y-%m-%d %H:%M}"


class HostTallyQuerySet(models.QuerySet["HostTally"]):
    def worst(self, problem: str) -> "models.QuerySet[Any, Any]":
        """Return the names of hosts with this problem, the most affected first."""
        affected = self.filter(**{f"{problem}__gt": 0}).order_by().values("host")
        ranked = affected.annotate(total=Sum(problem)).order_by("-total", "host")
        return ranked.values_list("host", flat=True)

    def of_hosts(self, names: Collection[str]) -> dict[str, dict[str, Any]]:
        """Return the sums for hosts that have tallies, by name, in the order of `names`.

        `mean_ms` is the mean latency of slow responses; None if there were none.
        """
        mean = Cast(Sum("slow_ms"), FloatField()) / NullIf(Sum("slow"), 0)
        sums = {name: Sum(name) for name in PROBLEMS}
        rows = self.filter(host__in=names).order_by().values("host")
        by_host = {row["host"]: dict(row) for row in rows.annotate(mean_ms=mean).annotate(**sums)}
        return {name: by_host[name] for name in names if name in by_host}

    def since(self, since: datetime) -> Self:
        """Return the tallies from the hour of `since` on."""
        return self.filter(hour__gte=hour_of(since))


class HostTally(models.Model):
    """The numbers of failed, inconclusive and slow checks of a host in an hour, if any.

    Written under the host's lease, so writers never wait for each other. Failures on our own side
    are not counted. Source: docs/adr/0033-host-tallies.md.
    """

    hour = models.DateTimeField()
    host = models.CharField(max_length=255)
    failures = models.PositiveIntegerField(default=0)
    inconclusive = models.PositiveIntegerField(default=0)
    slow = models.PositiveIntegerField(default=0, help_text="Responses that took SLOW or longer.")
    slow_ms = models.PositiveBigIntegerField(
        default=0, help_text="Total latency of slow responses."
    )

    objects = HostTallyQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hour", "host"], name="host_tally_hour")
        ]

    def __str__(self) -> str:
        return f"{self.host} at {self.hour:%Y-%m-%d %H}:00"

    @property
    def slow_mean_ms(self) -> float | None:
        """The mean latency of slow responses; None if there were none."""
        return self.slow_ms / self.slow if self.slow else None


def hour_of(at: datetime) -> datetime:
    """Return the start of this time's hour in UTC."""
    return at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


class Outage(models.Model):
    """A period in which no server responded to our checks: the history of `Uplink`."""

    began_at = models.DateTimeField(db_index=True)
    ended_at = models.DateTimeField(null=True)
    reason = models.CharField(
        max_length=32, blank=True, help_text="Reason of the check that detected it."
    )
    checks = models.PositiveIntegerField(default=0, help_text="Checks that were set aside.")
    resumed = models.PositiveIntegerField(
        default=0, help_text="Targets that became due when it ended."
    )

    class Meta:
        default_permissions = ()
        ordering: ClassVar = ["-began_at", "-pk"]

    def __str__(self) -> str:
        return f"from {self.began_at:%c}"


class DailyStates(models.Model):
    """The number of targets in each state on a day (UTC), as last counted on that day."""

    day = models.DateField(primary_key=True)
    pending = models.PositiveIntegerField()
    alive = models.PositiveIntegerField()
    potentially_dead = models.PositiveIntegerField()
    dead = models.PositiveIntegerField()
    unsure = models.PositiveIntegerField(help_text="Inconclusive targets in any state.")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.day}"
