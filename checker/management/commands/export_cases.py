"""`manage.py export_cases`: reports of wrong results as case files, without secrets."""

import json
from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.timezone import is_naive, make_aware

from checker.case_files import cases
from checker.models import ResultReport


class Command(BaseCommand):
    help = (
        "Write a case file to a folder for each report of a wrong result. Header values set by "
        "operators, user names and passwords in URLs, values in queries and fragments (except "
        "short numbers) and the reporter's name are left out; the comment is not. Review the files "
        "before sharing them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--since", metavar="TIME", type=_parse_time, help="only reports from this time on"
        )
        parser.add_argument("--to", metavar="FOLDER", default="cases", help="default: cases")
        parser.add_argument(
            "--open", action="store_true", help="only reports that nobody has handled"
        )

    def handle(self, *, since: datetime | None, to: str, open: bool, **_: Any) -> None:
        folder = Path(to)
        reports = ResultReport.objects.order_by("created_at", "pk")
        if since is not None:
            reports = reports.filter(created_at__gte=since)
        if open:
            reports = reports.filter(handled_at=None)
        count = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, case in cases(reports.iterator(chunk_size=100)):
                text = json.dumps(case, indent=2, ensure_ascii=False)
                (folder / name).write_text(f"{text}\n", encoding="utf-8")
                count += 1
        except OSError as error:
            raise CommandError(f"{folder} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"Case files written to {folder}: {count:,}.")


def _parse_time(text: str) -> datetime:
    """Parse a time, or a day (its first moment); in UTC unless `text` has another zone.

    Raises CommandError.
    """
    try:
        time = parse_datetime(text)
        day = None if time else parse_date(text)
    except ValueError:
        time = day = None
    if day is not None:
        time = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - made aware below
    if time is None:
        raise CommandError(f"--since must be a date or a time such as 2026-11-23, not {text}.")
    return make_aware(time) if is_naive(time) else time
