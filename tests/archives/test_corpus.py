"""The right capture of a dead page is found, and no wrong capture is called verified."""

from collections import Counter

import pytest

from archives.copy_search import find_copy
from archives.models import ArchiveAnswer
from targets.models import CopyResult
from tests.archives.archive_server import archive_server
from tests.archives.corpus import DIED, dead_pages, holdings, labels
from tests.archives.holdings import Holdings

pytestmark = [pytest.mark.django_db, pytest.mark.one_database, pytest.mark.usefixtures("reachable")]
DIALECTS = ("cdx", "timemap", "timegate")


def survey(archive, pages, turn):
    """Return the results by label, and the pages for which a wrong copy was verified."""
    by_label, verified_wrong = {label: Counter() for label in labels()}, []
    for page in pages:
        found = find_copy([archive], page.url, before=DIED, known=page.known, turn=turn)
        is_right = found.capture is not None and found.capture.at in page.right
        what = "right" if is_right else "wrong" if found.capture else "none"
        by_label[page.label][f"{what} {found.result.value}"] += 1
        if found.result is CopyResult.VERIFIED and not is_right:
            verified_wrong.append(page.url)
    return by_label, verified_wrong


def judged(by_label, verified_wrong, pages, *, least=200):
    """Print the table, and assert the required share of right copies."""
    for label, counts in by_label.items():
        print(f"{label:20} {dict(counts)}")
    with_copy = [page for page in pages if page.meant]
    of_these = {page.label for page in with_copy}
    right = sum(
        count
        for label, counts in by_label.items()
        if label in of_these
        for what, count in counts.items()
        if what.startswith("right")
    )
    print(f"{right} of {len(with_copy)} right, {len(verified_wrong)} wrong ones verified")
    assert len(with_copy) >= least
    assert not verified_wrong
    assert right >= 0.95 * len(with_copy)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dialect", "every"),
    [
        pytest.param("cdx", 1, marks=pytest.mark.release),
        ("cdx", 4),
        ("timemap", 7),
        pytest.param("timemap", 3, marks=pytest.mark.release),
        ("timegate", 7),
        pytest.param("timegate", 3, marks=pytest.mark.release),
    ],
)
def test_the_expected_copy_is_found(dialect, every, turn):
    pages = dead_pages()[::every]
    with archive_server(holdings(pages)) as server:
        by_label, verified_wrong = survey(server.archive(dialect), pages, turn)
    judged(by_label, verified_wrong, pages, least=200 // every)


def test_pages_that_were_never_archived_have_no_copy(turn):
    with archive_server(Holdings()) as server:
        for dialect in DIALECTS:
            found = find_copy(
                [server.archive(dialect)], "http://a.example/", before=DIED, known=None, turn=turn
            )
            assert found.result is CopyResult.NONE


def test_no_request_to_an_archive_is_repeated(turn):
    pages = dead_pages()[:20]
    with archive_server(holdings(pages)) as server:
        survey(server.archive("cdx"), pages, turn)
        asked = len(server.asked)
        survey(server.archive("cdx"), pages, turn)
        assert len(server.asked) == asked
    assert ArchiveAnswer.objects.count() == asked


def test_equal_bodies_are_read_once(turn):
    page = next(page for page in dead_pages() if page.label == "revisited")
    other = next(page for page in dead_pages() if page.label == "only casino")
    with archive_server(holdings([page])) as server:
        find_copy([server.archive("cdx")], page.url, before=DIED, known=other.known, turn=turn)
        assert len(server.asked) == 2  # the index, and one body of three captures
