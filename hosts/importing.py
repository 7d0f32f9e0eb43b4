"""Hosts from a file: `alias host…` on each line, or a URL or host on each; `#` begins a comment."""

import time
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import BinaryIO, NamedTuple

from foundation.database.clock import database_now
from foundation.files.lists import printable, read_lines
from foundation.net.hostnames import InvalidHostError, host_of, normalize_host
from hosts.aliases import add_hosts, check_alias
from hosts.models import Slot
from hosts.reservations import Busy

_MAX_LINE_BYTES = 1024 * 1024  # about 50,000 hosts of one alias
_BATCH_SIZE = 500  # hosts that join an alias in one transaction
_RETRY_INTERVAL = timedelta(milliseconds=200)  # a host is free for HOST_DELAY between its leases


class AliasLine(NamedTuple):
    """Hosts to add to an alias, and the line number."""

    number: int
    alias: str
    hosts: list[str]


class ImportRefusal(NamedTuple):
    """A refused line, with the reason in one sentence."""

    number: int
    sentence: str


def read_aliases(source: BinaryIO) -> Iterator[AliasLine | ImportRefusal]:
    """Yield the alias and hosts of each line, or its refusal; skips blank lines and comments."""
    for line in read_lines(source, max_bytes=_MAX_LINE_BYTES):
        words = line.text.partition("#")[0].split()
        try:
            if line.error:
                yield ImportRefusal(line.number, line.error)
            elif words:
                yield AliasLine(line.number, check_alias(words[0]), _normalize_hosts(words[1:]))
        except ValueError as error:
            yield ImportRefusal(line.number, str(error))


def read_hosts(source: BinaryIO) -> Iterator[str | ImportRefusal]:
    """Yield the host in the first word of each line, a URL or a host's name, or the line's refusal.

    Skips blank lines and comments. Raises UnreadableFileError for a file in UTF-16.
    """
    for line in read_lines(source):
        words = line.text.split(maxsplit=1)
        if line.error:
            yield ImportRefusal(line.number, line.error)
        elif words and not words[0].startswith("#"):
            try:
                yield host_of(words[0])
            except InvalidHostError as error:
                yield ImportRefusal(line.number, f"{printable(words[0][:80])!r}: {error}")


def _normalize_hosts(words: list[str]) -> list[str]:
    if not words:
        raise ValueError("No hosts are listed after the alias.")
    hosts = []
    for word in words:
        try:
            hosts.append(normalize_host(word))
        except InvalidHostError as error:
            raise ValueError(f"{word[:80]!r}: {error}") from None
    return list(dict.fromkeys(hosts))


def join_all(lines: Iterable[AliasLine], *, patience: timedelta) -> Iterator[int | ImportRefusal]:
    """Add the hosts of each line to its alias, in batches; yield the number of hosts after each
    batch.

    Batches with reserved hosts are retried for `patience`, in ever smaller parts; then the
    remaining hosts are refused, in one ImportRefusal per line and alias.
    """
    waiting: list[AliasLine] = []
    for line in lines:
        for start in range(0, len(line.hosts), _BATCH_SIZE):
            batch = line._replace(hosts=line.hosts[start : start + _BATCH_SIZE])
            if _try_join(batch):
                yield len(batch.hosts)
            else:
                waiting += _parts_to_retry(batch)
    deadline = database_now() + patience
    while waiting and database_now() < deadline:
        time.sleep(_RETRY_INTERVAL.total_seconds())
        batches, waiting = waiting, []
        for batch in batches:
            if _try_join(batch):
                yield len(batch.hosts)
            else:
                waiting += _parts_to_retry(batch)
    yield from _refusals(waiting)


def _try_join(batch: AliasLine) -> bool:
    try:
        add_hosts(batch.alias, batch.hosts, now=database_now())
    except Busy:
        return False
    return True


def _parts_to_retry(batch: AliasLine) -> list[AliasLine]:
    """Return the parts of a batch to retry: all of it if the alias is reserved, else its halves.

    This way, one reserved host does not hold up the others.
    """
    alias = Slot.objects.aliases().filter(key=batch.alias)
    if alias.filter(leased_until__isnull=False).exists():
        return [batch]
    middle = len(batch.hosts) // 2
    parts = (batch.hosts[:middle], batch.hosts[middle:])
    return [batch._replace(hosts=part) for part in parts if part]


def _refusals(waiting: list[AliasLine]) -> Iterator[ImportRefusal]:
    by_line: dict[tuple[int, str], list[str]] = {}
    for number, alias, hosts in waiting:
        by_line.setdefault((number, alias), []).extend(hosts)
    for (number, alias), hosts in by_line.items():
        more = ", …" if len(hosts) > 3 else ""
        yield ImportRefusal(
            number,
            f"Hosts that did not join {alias} because they were still reserved: {len(hosts)} "
            f"({', '.join(hosts[:3])}{more}). Import the line again.",
        )
