"""Dead pages with their captures in archives, each labelled with the right capture.

The way in which each page is made determines its label. Soft 404s, parked pages and walls are those
of the zoo, which were collected from the public forms of real ones.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from checker.engine.page import read_page
from checker.engine.page_identity import Identity, identify
from targets.state import Outcome
from tests.archives.holdings import Holdings, Snapshot
from tests.zoo.wild import gone_languages, gone_parked, walls
from tests.zoo.wild.case import ELSE, Case, Reply
from tests.zoo.wild.pages import modern, old, prose, shop

DIED = datetime(2025, 6, 1, tzinfo=UTC)
EACH = 13  # pages of each kind
_WEEK = timedelta(days=7)
_HTML = {"content-type": "text/html; charset=utf-8"}
_SUBJECTS = (
    *("granite bridges", "river ferries", "tide mills", "narrow gauge railways", "lighthouses"),
    *("peat bogs", "barn owls", "alpine pastures", "harbour cranes", "paper mills", "salt pans"),
    *("canal locks", "stone circles", "orchard meadows", "tram depots", "observatories"),
)
_FORMS: list[Callable[[str, str], str]] = [modern, old, shop]
_VERBS = ("surveyed", "restored", "described", "abandoned", "photographed", "measured", "rebuilt")
_PLACES = (
    *("the northern valley", "the old quarter", "the upper estuary", "the border parish"),
    *("the eastern ridge", "the mill quarter", "the lower marshes", "the chapel district"),
)
_PEOPLE = ("a schoolteacher", "two engineers", "the parish council", "a botanist", "volunteers")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadPage:
    """A dead page, and the truth about its captures."""

    label: str
    url: str
    known: Identity | None
    snapshots: tuple[Snapshot, ...]
    meant: datetime | None  # the time of the right capture; None if no capture is right

    @property
    def right(self) -> set[datetime]:
        """Return the times at which the archive has the body of the right capture."""
        body = next((one.body for one in self.snapshots if one.at == self.meant), None)
        return {one.at for one in self.snapshots if one.body == body and self.meant}


def dead_pages() -> list[DeadPage]:
    """Return all dead pages, the same each time."""
    made = []
    for label, make in _KINDS.items():
        for number in range(EACH):
            seed = random.Random(f"{label} {number}")
            url = f"http://{label.replace(' ', '-')}-{number}.example/essays/{number}"
            snapshots, meant, is_known = make(_Writer(seed, url), number)
            known = next((one for one in snapshots if one.at == meant), None)
            identity = _identity(url, known.body) if known and is_known else None
            if isinstance(is_known, bytes):
                identity = _identity(url, is_known)
            made.append(
                DeadPage(
                    label=label,
                    url=url,
                    known=identity,
                    snapshots=tuple(sorted(snapshots, key=lambda one: one.at)),
                    meant=meant,
                )
            )
    return made


def holdings(pages: list[DeadPage]) -> Holdings:
    """Return an archive that holds the pages' captures."""
    held = Holdings()
    for page in pages:
        held.add(page.url, *page.snapshots)
    return held


def _identity(url: str, body: bytes) -> Identity:
    page = read_page(headers=_HTML, body=body)
    assert page is not None
    return identify(page, url=url, certificate=None, known=None)


class _Writer:
    """Writes the versions of one page."""

    def __init__(self, seed: random.Random, url: str) -> None:
        self.seed = seed
        self.url = url
        self.subject = seed.choice(_SUBJECTS)
        self.form: Callable[[str, str], str] = seed.choice(_FORMS)
        self.sentences = [self._sentence() for _ in range(seed.randint(8, 30))]

    def _sentence(self) -> str:
        pick = self.seed.choice
        year = self.seed.randint(1780, 2015)
        return (
            f"In {year} {pick(_PEOPLE)} {pick(_VERBS)} the {pick(_SUBJECTS)} of {pick(_PLACES)},"
            f" {self.seed.randint(3, 90)} in all, and {pick(_VERBS)} {self.seed.randint(2, 40)}"
            f" {pick(_SUBJECTS)} beside them."
        )

    def page(self, *, note: str = "", title: str = "") -> bytes:
        """Return the page; `note` changes from day to day."""
        title = title or f"On {self.subject} in {self.url.split('/')[2].split('.')[0]}"
        text = "".join(f"<p>{one}</p>" for one in self.sentences)
        aside = f"<p class='small'>{note}</p>" if note else ""
        return self.form(title, f"<h1>{title}</h1>{text}{aside}").encode()

    def casino(self) -> bytes:
        """Return the page of a later owner of the domain."""
        number = self.seed.randint(10, 99)
        words = f"<p>Play {number} slots and win the jackpot today, with no deposit needed.</p>"
        games = "".join(f"<li>Lucky {n} wheel bonus spins</li>" for n in range(number))
        title = f"Best online casino bonus {number}"
        return modern(title, f"<h1>{title}</h1>{words * 4}<ul>{games}</ul>").encode()


_Made = tuple[list[Snapshot], datetime | None, bool | bytes]


def _weeks(count: float) -> datetime:
    return DIED - count * _WEEK


def _good(page: _Writer, *weeks: float) -> list[Snapshot]:
    """Return captures of the page as it was, each with a different number of visitors."""
    return [
        Snapshot(at=_weeks(week), body=page.page(note=f"Visitor {int(10_000 - week * 31)}"))
        for week in weeks
    ]


def _bodies(cases: list[Case]) -> list[Reply]:
    replies = [case.site.get(ELSE) for case in cases]
    return [
        one
        for one in replies
        if isinstance(one, Reply) and one.status == 200 and one.body and not one.wire
    ]


_SOFT_404S = _bodies(
    [one for one in gone_languages.CASES if Outcome.SUCCESS not in one.expected or one.flags]
)
_PARKED = _bodies(gone_parked.CASES)
_WALLS = _bodies(walls.CASES)


def _from_zoo(replies: list[Reply], page: _Writer, number: int, *weeks: float) -> list[Snapshot]:
    host = page.url.split("/")[2].encode()
    found = []
    for nth, week in enumerate(weeks):
        reply = replies[(number * 3 + nth) % len(replies)]
        kind = next(
            (
                one.partition(": ")[2]
                for one in reply.headers
                if one.lower().startswith("content-t")
            ),
            "text/html",
        )
        body = reply.body.replace(b"$HOST", host)
        found.append(Snapshot(at=_weeks(week), body=body, kind=kind))
    return found


def _plain(page: _Writer, number: int) -> _Made:
    return _good(page, 60, 30, 2 + number), _weeks(2 + number), True


def _soft_404(page: _Writer, number: int) -> _Made:
    later = _from_zoo(_SOFT_404S, page, number, 3, 1)
    return [*_good(page, 40, 8), *later], _weeks(8), True


def _parked(page: _Writer, number: int) -> _Made:
    return [*_good(page, 40, 9), *_from_zoo(_PARKED, page, number, 4, 2, 1)], _weeks(9), True


def _walled(page: _Writer, number: int) -> _Made:
    return [*_good(page, 40, 9), *_from_zoo(_WALLS, page, number, 2)], _weeks(9), True


def _redirected(page: _Writer, number: int) -> _Made:
    home = page.url.rpartition("/essays")[0] + "/"
    moved = [
        Snapshot(at=_weeks(week), status=status, location=where)
        for week, status, where in ((4, 301, home), (2, 302, f"{home}login"), (1, 301, page.url))
    ]
    return [*_good(page, 30, 7), *moved], _weeks(7), True


def _failing(page: _Writer, number: int) -> _Made:
    errors = [
        Snapshot(at=_weeks(week), status=status, body=b"<title>Error</title><p>It is not here.")
        for week, status in ((3, 404), (2, 503), (1.5, 410), (1, 404))
    ]
    return [*_good(page, 20, 5), *errors], _weeks(5), True


def _revisited(page: _Writer, number: int) -> _Made:
    body = page.page()
    kept = [
        Snapshot(at=_weeks(52), body=body),
        Snapshot(at=_weeks(12), body=body, is_revisit=True),
        Snapshot(at=_weeks(1 + number), body=body, is_revisit=True),
    ]
    return kept, _weeks(1 + number), True


def _later_casino(page: _Writer, number: int) -> _Made:
    after = [Snapshot(at=DIED + week * _WEEK, body=page.casino()) for week in (1, 3, 9)]
    return [*_good(page, 20, 6), *after], _weeks(6), True


def _casino_before_it_was_noticed(page: _Writer, number: int) -> _Made:
    bought = [Snapshot(at=_weeks(week), body=page.casino()) for week in (3, 2, 1)]
    return [*_good(page, 20, 6), *bought], _weeks(6), True


def _never_seen_alive(page: _Writer, number: int) -> _Made:
    after = [Snapshot(at=DIED + week * _WEEK, body=page.casino()) for week in (1, 3)]
    parked = _from_zoo(_PARKED, page, number, 1)
    return [*_good(page, 50, 4), *parked, *after], _weeks(4), False


def _redesigned(page: _Writer, number: int) -> _Made:
    ancient = _Writer(random.Random(f"ancient {number}"), page.url)
    before = [
        Snapshot(at=_weeks(week), body=ancient.page(title="My essays")) for week in (300, 200)
    ]
    return [*before, *_good(page, 15, 3)], _weeks(3), True


def _short(page: _Writer, number: int) -> _Made:
    text = modern(f"Errata {number} of the survey", "<p>Page 12: for north read south.</p>")
    return [Snapshot(at=_weeks(9), body=text.encode())], _weeks(9), True


def _edited(page: _Writer, number: int) -> _Made:
    """A page that got another sentence after the last capture."""
    captured = _good(page, 30, 10)
    page.sentences.append("A postscript was added in the last spring before the site closed.")
    return captured, _weeks(10), page.page(note="Visitor 10000")


def _of_language(page: _Writer, number: int) -> _Made:
    lang = ("de", "fr", "ru", "ja", "hu")[number % 5]
    title = f"{('Brücke', 'Le pont', 'Мост', '橋の歴史', 'A híd')[number % 5]} {number}"
    text = modern(title, f"<h1>{title}</h1>{prose(lang)}", lang=lang).encode()
    later = _from_zoo(_SOFT_404S, page, number, 1)
    return [Snapshot(at=_weeks(5), body=text), *later], _weeks(5), True


def _article_about_errors(page: _Writer, number: int) -> _Made:
    page.sentences.insert(
        3, "A 404 page that says not found is a page, too, as every editor knows."
    )
    return _good(page, 9, 3), _weeks(3), True


def _document(page: _Writer, number: int) -> _Made:
    body = b"%PDF-1.4\n" + page.page()
    kept = Snapshot(at=_weeks(5), body=body, kind="application/pdf")
    return [kept, Snapshot(at=_weeks(1), status=404, body=b"gone")], _weeks(5), False


def _only_casino(page: _Writer, number: int) -> _Made:
    only = [Snapshot(at=_weeks(week), body=page.casino()) for week in (9, 3, 1)]
    return only, None, page.page()


def _only_errors(page: _Writer, number: int) -> _Made:
    soft = _from_zoo(_SOFT_404S, page, number, 6, 1)
    return [*soft, Snapshot(at=_weeks(3), status=404, body=b"no")], None, page.page()


_KINDS: dict[str, Callable[[_Writer, int], _Made]] = {
    "plain": _plain,
    "soft 404": _soft_404,
    "parked": _parked,
    "walled": _walled,
    "redirected": _redirected,
    "failing": _failing,
    "revisited": _revisited,
    "later casino": _later_casino,
    "early casino": _casino_before_it_was_noticed,
    "never seen alive": _never_seen_alive,
    "redesigned": _redesigned,
    "short": _short,
    "edited": _edited,
    "other languages": _of_language,
    "article": _article_about_errors,
    "document": _document,
    "only casino": _only_casino,
    "only errors": _only_errors,
}


def labels() -> Iterator[str]:
    return iter(_KINDS)
