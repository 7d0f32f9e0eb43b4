"""The table of verdicts is complete, and the same in the code and in docs/verdicts.md."""

import re
from pathlib import Path

import pytest

from checker.engine import verdict_table as table
from checker.engine.closed_sites import HOSTS
from checker.engine.errors import ErrorKind
from checker.engine.mark_names import mark_for_people
from checker.engine.verdict_table import ROW_OF_ERROR, ROWS, VerdictRow
from checker.engine.wall_products import NAME_BY_STATUS, WALLS
from targets import flags
from targets.flags import FLAGS
from targets.rule_urls import anchor
from targets.state import Outcome

pytestmark = pytest.mark.any_database

ACCEPTED = table.ACCEPTED
FINE = [row for row in ROWS if row.outcome is Outcome.SUCCESS and not row.flags and not row.error]
DOCUMENT = Path(__file__).parents[2] / "docs" / "verdicts.md"
COUNTS = {Outcome.SUCCESS: "never", Outcome.FAILURE: "yes", Outcome.INCONCLUSIVE: "eventually"}


def described(kind: str) -> dict[str, list[str]]:
    """Return the cells of each rule, flag or mark in the document, by its name.

    Each has an anchor after its name, which pages, messages and the API link to. Rules are found
    by the name that people see.
    """
    found: dict[str, list[str]] = {}
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        if not line.startswith("| **"):
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        named = re.fullmatch(r'\*\*([^*]+)\*\*<a id="((\w+)-[a-z0-9-]+)"></a>', cells[0])
        assert named, f"{cells[0]} has no anchor: see targets/rule_urls.py"
        if named[3] != "rule":
            assert named[2] == anchor(named[3], named[1])
        if named[3] == kind:
            assert named[1] not in found
            found[named[1]] = cells
    return found


def in_words(row: VerdictRow) -> list[str]:
    """Return the cells of a row in the document, after its name and its condition."""
    reason = f" `{row.reason}`" if row.reason else ""
    return [
        f"{row.outcome}{reason}",
        "yes" if row.is_retried else "no",
        "never" if row.never_counts else COUNTS[row.outcome],
        ", ".join(f"`{flag}`" for flag in row.flags),
        row.sentence or "",
        *columns_for_people(row),
    ]


def columns_for_people(row: VerdictRow) -> list[str]:
    """Return the summary, with the summaries of some statuses, and the suggestion."""
    of_statuses = [f"{text} ({status})" for status, text in row.summaries.items()]
    return ["; ".join([row.summary, *of_statuses]), row.suggestion or ""]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_document_describes_each_row_as_the_code_does(row):
    name, when, *cells = described("rule")[row.title]

    assert name == f'**{row.title}**<a id="{anchor("rule", row.name)}"></a>'
    assert when
    assert cells == in_words(row)


def test_the_document_has_the_rows_of_the_code_in_their_order_and_no_others():
    assert list(described("rule")) == [row.title for row in ROWS]


def test_the_document_lists_exactly_the_flags_of_the_code():
    assert {name: cells for name, (_, *cells) in described("flag").items()} == {
        name: [f"{words[0].upper()}{words[1:]}.", *columns_for_people(table.BY_FLAG[name])]
        for name, words in FLAGS.items()
    }


@pytest.mark.parametrize("row", [*ROWS, *table.BY_FLAG.values()], ids=lambda row: row.name)
def test_each_row_has_a_short_summary_and_each_problem_a_suggestion(row):
    for summary in (row.summary, *row.summaries.values()):
        assert len(summary.split()) <= 3
        assert not summary.endswith(".")
    assert row.suggestion or row in (*FINE, ACCEPTED)
    assert row.suggestion is None or row.suggestion.endswith(".")


def test_the_document_has_each_wall_and_each_host_that_closes_sites_among_its_marks():
    assert {each.name for each in (*WALLS, *HOSTS)} - set(described("mark")) == set()


def named_after(words: str) -> set[str]:
    """Return the rules in italics in the document's sentence with this beginning."""
    text = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    return set(re.findall(r"\*([^*]+)\*", text.partition(words)[2].partition(". ")[0]))


def test_the_document_names_the_rows_that_decide_a_head():
    assert named_after("A HEAD request (CHECK_METHOD)") == {
        row.title for row in ROWS if row.decides_head
    }


def test_the_document_names_the_rows_that_need_a_witness():
    assert named_after("If not a single byte came from a server") == {
        row.title for row in ROWS if row.needs_witness
    }


def test_the_document_names_the_rows_that_are_our_own_fault():
    assert named_after("Even then, these do not become failures") == {
        row.title for row in ROWS if row.is_our_fault
    }


def test_every_flag_of_a_row_is_explained():
    used = {flag for row in ROWS for flag in row.flags}

    of_any_row = {
        flags.MOVED,
        flags.TLS_ERROR,
        flags.INCOMPLETE_CHAIN,
        flags.EXPIRES,
        flags.CHANGED_OWNER,
    }
    assert used | of_any_row == set(FLAGS)


@pytest.mark.parametrize("kind", ErrorKind)
def test_every_error_has_its_row_with_its_own_reason(kind):
    row = ROW_OF_ERROR[kind]

    assert row.reason == (None if row.outcome is Outcome.SUCCESS else kind.value)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_rows_do_not_contradict_themselves(row):
    assert (row.sentence is None) == (row.outcome is Outcome.SUCCESS)
    assert (row.reason is None) == (row.outcome is Outcome.SUCCESS)
    assert not row.never_counts or row.outcome is Outcome.INCONCLUSIVE
    # A page that repeatedly delays us finally fails.
    assert row.never_counts or not row.is_our_fault or row.error is ErrorKind.STALLED
    assert not (row.error and row.statuses)


def test_reasons_that_never_count_are_those_of_walls_laws_and_our_own_side():
    assert {
        *("blocked", "legal", "expected_text_unseen", "throttled", "busy_elsewhere"),
        *("self_outage", "no_route", "http2_only", "internal", "condition_error", "proxy"),
        *("forbidden_address", "forbidden_redirect", "robots"),
    } == table.REASONS_THAT_NEVER_COUNT


def test_reasons_that_never_count_do_so_in_all_rows():
    for row in ROWS:
        assert row.never_counts == (row.reason in table.REASONS_THAT_NEVER_COUNT)


@pytest.mark.parametrize(
    ("mark", "named"),
    [
        ("akamai: header x", "a bot wall (Akamai) kept"),
        ("aws waf: header x", "a bot wall (AWS WAF) kept"),
        ("blocked: request blocked", "a bot wall kept"),
        ("location: your country", "a bot wall that refuses Linkwatch's location kept"),
        ("web filter: squid", "403 Forbidden: a filter on Linkwatch's own network kept"),
        ("rate limit: too many requests", "403 Forbidden: a rate limit kept"),
        ("", "a bot wall kept"),
    ],
)
def test_a_bot_wall_is_named_if_it_is_a_known_product_and_otherwise_described(mark, named):
    assert named in table.BOT_WALL.explain(code=403, mark=mark)


@pytest.mark.parametrize(
    ("mark", "shown"),
    [
        ("wp engine: not configured", "WP Engine: not configured"),
        ("builder of applications: choose a plan", "app builder: choose a plan"),
        ("storage: accountdisabled", "storage: accountdisabled"),
    ],
)
def test_a_closed_site_is_explained_with_the_proper_name_of_its_host(mark, shown):
    assert f"({shown})" in table.CLOSED_BY_HOST.explain(mark=mark)


def test_each_product_has_a_proper_name():
    names = {each.name for each in (*WALLS, *HOSTS)} | set(NAME_BY_STATUS.values())

    assert {name for name in names if mark_for_people(name) == name} == {
        *("captcha", "pay per crawl", "rate limit", "waiting room", "web filter"),
        *("development server", "unpaid hosting", "go-away", "haproxy-protection"),
    }


GONE = ("Page gone", table.OTHER_STATUS.suggestion)


@pytest.mark.parametrize(
    ("reason", "status", "flags", "advice"),
    [
        ("", 200, (), ("Page found", None)),
        ("http_404", 404, (), GONE),
        ("http_410", 410, (), GONE),
        ("http_423", 423, (), ("Error 423", table.OTHER_STATUS.suggestion)),
        ("http_304", 304, (), ("Status 304", table.STATUS_BELOW_400.suggestion)),
        ("http_403", 403, (), ("Access refused", table.BARE_REFUSAL.suggestion)),
        ("http_5xx", 503, (), ("Server error", table.SERVER_ERROR.suggestion)),
        ("blocked", 403, (), ("Check blocked", table.BOT_WALL.suggestion)),
        ("", 401, ("restricted",), ("Needs a login", table.RESTRICTED_PAGE.suggestion)),
        ("", 402, ("restricted",), ("Needs payment", table.RESTRICTED_PAGE.suggestion)),
        ("", 403, ("restricted",), ("Restricted access", table.RESTRICTED_PAGE.suggestion)),
        ("", 200, ("incomplete_chain", "parked"), ("Domain parked", table.PARKED_PAGE.suggestion)),
        ("flag_parked", 200, (), ("Domain parked", table.PARKED_PAGE.suggestion)),
        ("flag_of_mine", 200, (), ("Flagged page", table.FAILING_FLAG.suggestion)),
        ("", 200, ("of_mine",), ("Page found", None)),
        ("sold_out", 200, (), (None, None)),
    ],
)
def test_reason_status_and_flags_of_a_check_determine_the_advice(reason, status, flags, advice):
    assert table.advise(reason, status, flags) == advice


@pytest.mark.parametrize(
    ("status", "flags", "row", "sentence"),
    [
        (200, (), None, "The page is there."),
        (200, ("certificate_expires", "moved"), table.PAGE, "The page is there."),
        (200, ("error_page",), table.FOUND_ERROR, "Page gone."),
        (200, ("certificate_expires", "changed_owner"), table.PAGE, "Possible new owner."),
        (401, ("restricted",), table.RESTRICTED_PAGE, "Needs a login."),
        (302, (), table.APP_LINK, "Opens an app."),
        (403, ("accepted",), ACCEPTED, "Accepted: HTTP 403 counts as a success for this target."),
        (
            None,
            ("accepted",),
            ACCEPTED,
            "Accepted: this result counts as a success for this target.",
        ),
    ],
)
def test_a_success_is_described_by_what_was_found(status, flags, row, sentence):
    assert table.success_sentence(status, flags, row) == sentence


@pytest.mark.parametrize("row", [row for row in ROWS if row.reason], ids=lambda row: row.name)
def test_a_target_without_a_stored_rule_gets_the_summary_of_its_reason(row):
    status = next(iter(row.statuses), None) if row.name != "other status" else 404
    reason = row.reason.format(code=status, flag="of_mine")

    if row.name not in ("own failure", "own doubt"):  # which share a reason
        assert table.advise(reason, status, ()).summary == row.advice(status).summary
    assert table.advise(reason, status, (), row) == row.advice(status)
