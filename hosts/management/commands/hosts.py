"""`manage.py hosts`: shows queued, busy and overdue hosts, explains why a host waits, and imports
hosts and aliases from files."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import IO, Any, BinaryIO, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from rich.console import Console
from rich.table import Table

from foundation import settings_comparison
from foundation.database.clock import database_now
from foundation.durations import format_duration
from foundation.files.commands import (
    interrupt_on_sigterm,
    open_input,
    progress,
    size_of,
    stderr_console,
)
from foundation.files.lists import UnreadableFileError
from foundation.net.hostnames import InvalidHostError, normalize_host
from hosts.explain import explain_host
from hosts.importing import AliasLine, ImportRefusal, join_all, read_aliases, read_hosts
from hosts.models import Host, Purpose, Slot
from hosts.services import schedule

_PIPE_WIDTH = 200  # characters of a line, in a pipe or file
_MAX_COUNT = 10_000
_BATCH_SIZE = 1000  # lines whose hosts are scheduled in one transaction


class Command(BaseCommand):
    help = (
        "Show the host queue, busy hosts and overdue hosts; explain HOST; fill the queue from "
        "files; import aliases."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--limit", type=int, default=10, help="number of rows to show in each table"
        )
        tasks = parser.add_subparsers(dest="task", metavar="explain | populate | import-aliases")
        explain = tasks.add_parser("explain", help="explain why a host is not being fetched")
        explain.add_argument("host", metavar="HOST")
        populate = tasks.add_parser(
            "populate",
            help="make the host of each URL in a file due for a fetch now",
            description="The first word of each line is a URL or a host. # begins a comment. "
            "Hosts that are already due stay due, so the same file can be read again. Exits "
            "with 1 if lines were refused; the others are processed.",
        )
        populate.add_argument("files", nargs="+", metavar="FILE", help="- for standard input")
        imports = tasks.add_parser(
            "import-aliases",
            help="add the hosts on each line to its alias",
            description="Each line names an alias and the hosts that join it: `alias host…`. # "
            "begins a comment. Hosts leave an alias only to join another; the same file can be "
            "imported again. Exits with 1 if lines were refused; the others are processed.",
        )
        imports.add_argument("file", metavar="FILE", help="- for standard input")
        imports.add_argument(
            "--patience",
            type=int,
            default=120,
            metavar="SECONDS",
            help="how many seconds to keep trying reserved hosts; default: 120",
        )

    def handle(self, *, task: str | None, **options: Any) -> None:
        settings_comparison.warn(self.stderr)
        if task == "explain":
            self._explain(options["host"])
        elif task == "import-aliases":
            self._import(options["file"], timedelta(seconds=options["patience"]))
        elif task == "populate":
            self._populate(options["files"])
        else:
            self._show(max(1, options["limit"]))

    def _explain(self, text: str) -> None:
        try:
            name = normalize_host(text)
        except InvalidHostError as error:
            raise CommandError(str(error)) from None
        host = Host.objects.select_related("slot").filter(name=name).first()
        if host is None:
            raise CommandError(f"{name} is unknown: nothing is scheduled for it.")
        explanation = explain_host(host, now=database_now())
        alias = f" (alias {host.slot.alias})" if host.slot.is_alias else ""
        self.stdout.write(f"{name}{alias}: {explanation.code}. {explanation.sentence}")

    def _show(self, limit: int) -> None:
        width = None if self.stdout.isatty() else _PIPE_WIDTH
        # Without markup and emoji codes, which parts of IPv6 addresses look like.
        console = Console(file=cast("IO[str]", self.stdout), width=width, markup=False, emoji=False)
        now = database_now()
        for table in (_queue_table, _busy_table, _overdue_table):
            console.print(table(limit, now))

    def _populate(self, files: list[str]) -> None:
        lines = refused = 0
        for file in files:
            with _open_file(file) as source, interrupt_on_sigterm():
                try:
                    for refusals, line_count in _schedule_all(source):
                        lines += line_count
                        refused += len(refusals)
                        for refusal in refusals:
                            self.stderr.write(f"{file}: line {refusal.number}: {refusal.sentence}")
                except KeyboardInterrupt:
                    raise CommandError(
                        f"Interrupted in {file}, after {lines} lines. Run the command again with "
                        "the same files; hosts that are due stay due.",
                        returncode=130,
                    ) from None
        self.stdout.write(f"hosts scheduled from {lines - refused} lines, lines refused {refused}")
        if refused:
            raise CommandError(f"Lines refused: {refused}.")

    def _import(self, file: str, patience: timedelta) -> None:
        aliases: set[str] = set()
        hosts = refused = 0
        with _open_file(file) as source:
            for result in _join(source, aliases, patience):
                if isinstance(result, ImportRefusal):
                    refused += 1
                    self.stderr.write(f"line {result.number}: {result.sentence}")
                else:
                    hosts += result
        self.stdout.write(f"aliases {len(aliases)}, hosts {hosts}, lines refused {refused}")
        if refused:
            raise CommandError(f"Lines refused: {refused}.")


@contextmanager
def _open_file(file: str) -> Iterator[BinaryIO]:
    """Open a file, `-` for standard input; raises CommandError if it can't be read."""
    with open_input(file) as source:
        try:
            yield source
        except UnreadableFileError as error:
            raise CommandError(f"{file}: {error}") from None


def _schedule_all(source: BinaryIO) -> Iterator[tuple[list[ImportRefusal], int]]:
    """Schedule hosts in batches; yield the refused lines and the number of lines of each batch."""
    entries = read_hosts(source)
    with progress(stderr_console(), total=size_of(source), position=source.tell) as advance:
        while batch := list(islice(entries, _BATCH_SIZE)):
            now = database_now()
            schedule(((host, now) for host in batch if isinstance(host, str)), now=now)
            yield [item for item in batch if isinstance(item, ImportRefusal)], len(batch)
            advance(len(batch))


def _join(
    source: BinaryIO, aliases: set[str], patience: timedelta
) -> Iterator[int | ImportRefusal]:
    """Read and join line by line; immediate refusals come before delayed ones."""
    refusals: list[ImportRefusal] = []

    def lines() -> Iterator[AliasLine]:
        for line in read_aliases(source):
            if isinstance(line, ImportRefusal):
                refusals.append(line)
            else:
                aliases.add(line.alias)
                yield line

    for result in join_all(lines(), patience=patience):
        yield from refusals
        refusals.clear()
        yield result
    yield from refusals


def _table(title: str, columns: Iterable[str], rows: Iterable[tuple[str, ...]]) -> Table:
    table = Table(*columns, title=title, title_justify="left", min_width=len(title))
    for row in rows:
        table.add_row(*row)
    return table


def _queue_table(limit: int, now: datetime) -> Table:
    queued: QuerySet[Any] = Host.objects.queued()
    hosts = queued.select_related("slot").order_by("next_at", "pk")
    rows = (
        (
            host.name,
            host.slot.alias or "",
            ", ".join(f"{p} {_when(at, now)}" for p in Purpose if (at := host.due(p))),
            explain_host(host, now=now).sentence,
        )
        for host in hosts[:limit]
    )
    title = f"Host queue: {_count(hosts)}"
    return _table(title, ("Host", "Alias", "Due", "Status"), rows)


def _busy_table(limit: int, now: datetime) -> Table:
    slots = Slot.objects.busy(now).order_by("leased_until", "pk")
    rows = (
        (slot.leased_host, slot.alias or "", slot.leased_for, _when(slot.leased_until, now))
        for slot in slots[:limit]
    )
    return _table(f"Busy hosts: {_count(slots)}", ("Host", "Alias", "For", "Until"), rows)


def _overdue_table(limit: int, now: datetime) -> Table:
    """List slots that have been ready to be reserved for longer than CHECK_INTERVAL."""
    late = now - settings.CHECK_INTERVAL
    rows: list[tuple[str, ...]] = []
    counts = []
    for purpose in Purpose:
        slots = Slot.objects.ready(purpose, late)
        counts.append(f"{purpose} {_count(slots)}")
        for slot in slots[:limit]:
            since = _when(getattr(slot, purpose.ready_field), now)
            rows.append((slot.key, "alias" if slot.is_alias else "host", purpose.value, since))
    title = f"Overdue by more than {format_duration(settings.CHECK_INTERVAL)}: {', '.join(counts)}"
    return _table(title, ("Host or alias", "Kind", "For", "Ready"), rows)


def _count(rows: Any) -> str:
    count = rows.order_by()[:_MAX_COUNT].count()
    return f"{count:,}" + (" or more" if count == _MAX_COUNT else "")


def _when(time: datetime | None, now: datetime) -> str:
    """Return a time in UTC and its distance from now; empty for None."""
    if time is None:
        return ""
    span = timedelta(seconds=round((time - now).total_seconds()))
    distance = (
        f"in {format_duration(span)}" if span >= timedelta(0) else f"{format_duration(-span)} ago"
    )
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} ({distance})"
