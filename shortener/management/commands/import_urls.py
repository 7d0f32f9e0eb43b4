"""`manage.py import_urls`: creates the short links listed in a CSV file."""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError
from rest_framework.exceptions import APIException

from foundation import settings_comparison
from foundation.database.clock import database_now
from foundation.files.commands import (
    interrupt_on_sigterm,
    open_input,
    progress,
    size_of,
    stderr_console,
)
from foundation.files.lists import Entry, UnreadableFileError, read_csv, read_lines, sentence
from foundation.http.errors import ApiError
from foundation.http.serializers import FROM_TEXT
from shortener import services
from shortener.export_urls_csv import COLUMNS, parse_retired, split_tags
from shortener.former_destinations import FormerDestinationRow, add_missing, retargetable_among
from shortener.models import Reason, RetiredKey, ShortURL
from shortener.serializers import FormerDestinationSerializer, ImportSerializer
from shortener.services import NewLink

BATCH_SIZE = 1000  # entries


@dataclass
class LinkImportCounts:
    """The numbers of entries that were created, known, retired and refused so far."""

    created: int = 0
    known: int = 0
    retired: int = 0
    refused: int = 0


class Command(BaseCommand):
    help = (
        "Create the short links listed in FILE (CSV; the first line names the columns, as "
        "written by export_urls; only long_url is required). A key that already has the same "
        "destination stays as it is, so the same file can be imported again; a key that has "
        "another destination, or is retired, is refused. Exits with 1 if lines were refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="- for standard input")
        parser.add_argument(
            "--dry-run", action="store_true", help="check the lines, create nothing"
        )

    def handle(self, *, file: str, dry_run: bool, **_: Any) -> None:
        settings_comparison.warn(self.stderr)
        self.console, self.counts = stderr_console(), LinkImportCounts()
        # Keys of refused links: a link here with such a key must not get the refused one's history.
        self.refused_keys: set[str] = set()
        # In a dry run: the keys that earlier lines would have created and retired.
        self.planned_destinations: dict[str, str] = {}
        self.planned_retargetable: set[str] = set()
        self.planned_retired: set[str] = set()
        with open_input(file) as source, interrupt_on_sigterm():
            try:
                self._import(source, dry_run=dry_run)
            except UnreadableFileError as error:
                raise CommandError(str(error)) from None
            except KeyboardInterrupt:
                self._sum_up("stopped: ")
                raise CommandError("Interrupted; import the file again.", returncode=130) from None
        self._sum_up("dry run, nothing written: " if dry_run else "")
        if self.counts.refused:
            raise CommandError(f"Lines refused: {self.counts.refused}.")

    def _sum_up(self, prefix: str) -> None:
        counts = self.counts
        self.stdout.write(
            f"{prefix}created {counts.created}, known {counts.known}, retired {counts.retired}, "
            f"refused {counts.refused}"
        )

    def _import(self, source: BinaryIO, *, dry_run: bool) -> None:
        entries = read_csv(read_lines(source), COLUMNS)
        with progress(self.console, total=size_of(source), position=source.tell) as advance:
            while batch := list(islice(entries, BATCH_SIZE)):
                self._import_batch(batch, now=database_now(), dry_run=dry_run)
                advance(len(batch))

    def _import_batch(self, batch: Sequence[Entry], *, now: datetime, dry_run: bool) -> None:
        new_links: list[tuple[Entry, NewLink]] = []
        retired: dict[str, tuple[Entry, Reason]] = {}
        history: list[tuple[Entry, FormerDestinationRow]] = []
        serializer = ImportSerializer(context=FROM_TEXT)
        for entry in batch:
            try:
                if entry.error:
                    self._refuse(entry, entry.error)
                elif "retired" in entry.item:
                    key, reason = parse_retired(entry.item)
                    retired[key] = (entry, reason)
                elif "led_until" in entry.item:
                    former = FormerDestinationSerializer(context=FROM_TEXT)
                    history.append((entry, former.row(entry.item, now=now)))
                else:
                    new_links.append((entry, serializer.new_link(split_tags(entry.item), now=now)))
            except APIException as refusal:
                self._refuse(entry, sentence(refusal))
        self._create(new_links, now=now, dry_run=dry_run)
        self._add_history(history, dry_run=dry_run)
        self._retire(retired, now=now, dry_run=dry_run)

    def _create(
        self, new_links: Sequence[tuple[Entry, NewLink]], *, now: datetime, dry_run: bool
    ) -> None:
        new = self._to_create(new_links)
        results: Sequence[ShortURL | ApiError] = []
        if dry_run:
            self._plan(new_link for _, new_link in new)
        else:
            results = services.create([new_link for _, new_link in new], now=now, announce=False)
        refusals = [
            (entry, error)
            for (entry, _), error in zip(new, results, strict=False)
            if isinstance(error, ApiError)
        ]
        for entry, error in refusals:
            self._refuse(entry, sentence(error))
        self.counts.created += len(new) - len(refusals)

    def _plan(self, new_links: Iterable[NewLink]) -> None:
        """Remember the links that a dry run would create, for later lines with the same keys."""
        for new_link in new_links:
            if new_link.key:
                self.planned_destinations[new_link.key] = new_link.long_url
                if new_link.columns.get("retargetable"):
                    self.planned_retargetable.add(new_link.key)

    def _to_create(self, new_links: Sequence[tuple[Entry, NewLink]]) -> list[tuple[Entry, NewLink]]:
        """Return the links to create; count known links and refuse used keys."""
        keys = {new_link.key for _, new_link in new_links if new_link.key}
        stored = ShortURL.objects.filter(pk__in=keys).values_list("pk", "long_url")
        earlier = keys & self.planned_destinations.keys()
        destinations = dict(stored) | {key: self.planned_destinations[key] for key in earlier}
        retired = set(RetiredKey.objects.filter(pk__in=keys).values_list("pk", flat=True))
        retired |= keys & self.planned_retired
        new = []
        for entry, new_link in new_links:
            if new_link.key is None:
                new.append((entry, new_link))
            elif destinations.get(new_link.key) == new_link.long_url:
                self.counts.known += 1
            elif new_link.key in destinations or new_link.key in retired:
                self._refuse(entry, sentence(services.key_taken(new_link.key)))
            else:
                new.append((entry, new_link))
                destinations[new_link.key] = new_link.long_url
        return new

    def _retire(
        self, keys: dict[str, tuple[Entry, Reason]], *, now: datetime, dry_run: bool
    ) -> None:
        if dry_run:
            in_use = set(ShortURL.objects.in_bulk(keys)) | (
                keys.keys() & self.planned_destinations.keys()
            )
            self.planned_retired |= keys.keys() - in_use
        else:
            reasons = {key: reason for key, (_, reason) in keys.items()}
            in_use = services.retire(reasons, now=now)
        for key in in_use:
            self._refuse(keys[key][0], "This key is in use.")
        self.counts.retired += len(keys) - len(in_use)

    def _add_history(
        self, history: Sequence[tuple[Entry, FormerDestinationRow]], *, dry_run: bool
    ) -> None:
        wanted = [former for _, former in history if former.key not in self.refused_keys]
        if dry_run:
            keys = {former.key for former in wanted} - self.planned_retargetable
            missing = keys - retargetable_among(keys)
        else:
            missing = add_missing(wanted)
        for entry, former in history:
            if former.key in self.refused_keys:
                self._refuse(entry, "The link with this key was refused.")
            elif former.key in missing:
                self._refuse(entry, "There is no retargetable link with this key.")

    def _refuse(self, entry: Entry, error: str) -> None:
        self.counts.refused += 1
        if entry.item and not entry.item.keys() & {"led_until", "retired"}:
            self.refused_keys.add(entry.item.get("key", ""))
        self.console.print(f"line {entry.first_line}: {error}")
