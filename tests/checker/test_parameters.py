"""The rule and parameters of a result: they form its sentence, which links to its rule."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.engine.evidence import clean, clean_parameters
from checker.engine.exchange import Exchange
from checker.engine.verdict import CONDITIONS, Verdict, by_evidence, decide
from checker.engine.verdict_table import OTHER_STATUS, PARKED_PAGE, ROWS, explain
from checker.models import CheckResult
from checker.verdicts_document import verdicts
from foundation.database import rows
from foundation.ids import raw_id
from targets.flags import FLAGS
from targets.rule_urls import anchor, flag_path, mark_path, rule_path
from targets.state import Outcome
from tests.checker.shifts import probe
from tests.conftest import NOW
from tests.factories import TargetFactory
from tests.zoo.checks import check
from tests.zoo.server import answer

DOCUMENT = Path(__file__).parents[2] / "docs" / "verdicts.md"
GONE = Exchange(url="http://page.test/", asked="http://page.test/", status=404)


PRINTABLE = st.text(max_size=40).filter(str.isprintable)


@given(PRINTABLE, PRINTABLE, st.sampled_from(ROWS))
def test_a_rendered_sentence_equals_the_stored_one(detail, mark, row):
    parameters = row.parameters(
        code=404, wait=7, detail=detail, mark=mark, flag=mark, condition=detail, error=mark
    )
    kept = row.explain(**parameters)

    result = CheckResult(error=kept and clean(kept), parameters=clean_parameters(parameters))

    assert result.sentence == result.error


def test_parameters_are_bounded_and_printable():
    long = "\x1b\U0001f600" * 10_000
    row = ROWS[0]

    kept = clean_parameters({**row.parameters(detail=long, mark=long, error=long), "more": long})

    assert set(kept) == {"rule", "detail", "mark", "error"}
    assert len(json.dumps(kept)) < 1024
    assert all(value.isprintable() for value in kept.values())


@pytest.mark.parametrize(
    "kept", [None, {}, {"rule": "a rule of later"}, {"rule": []}, "rule", 1, ["rule"]], ids=str
)
def test_a_result_without_a_rule_here_keeps_its_own_sentence(kept):
    result = CheckResult(error="As it was said.", parameters=kept)

    assert (result.sentence, result.rule) == ("As it was said.", None)


def test_sentences_are_rendered_in_the_current_wording():
    result = CheckResult(
        error="It said 503.", parameters={"rule": "server error", "code": 503, "detail": {"a": 1}}
    )

    assert result.sentence == "The server returned 503 Service Unavailable."


def test_status_200_keeps_the_rule_whose_sentence_it_has():
    for status, rule in ((503, "server error"), (304, "status below 400")):
        page = Exchange(url="http://page.test/", asked="http://page.test/", status=status)
        verdict = decide(page, condition="status-200", conditions=CONDITIONS)
        assert verdict.parameters["rule"] == rule
        assert explain(verdict.parameters) == verdict.sentence


def own(function) -> Verdict:
    return decide(GONE, condition="own", conditions={"own": function})


def test_an_operators_condition_with_linkwatchs_sentence_keeps_the_rule():
    assert own(by_evidence).parameters == {"rule": "other status", "code": 404}


@pytest.mark.parametrize("parameters", [{}, {"rule": "other status", "code": 404}, "rubbish"])
def test_an_operators_sentence_has_no_rule(parameters):
    said = Verdict(outcome=Outcome.FAILURE, sentence="It is sold out.", parameters=parameters)

    verdict = own(lambda _: said)

    assert (verdict.sentence, verdict.parameters) == ("It is sold out.", {})


def test_an_operators_condition_without_a_sentence_gets_one_with_its_rule():
    verdict = own(lambda _: Verdict(outcome=Outcome.FAILURE))

    assert verdict.parameters == {"rule": "own failure", "condition": "own"}
    assert verdict.sentence == "The condition “own” counts this response as a failure."


def test_a_plain_success_stores_no_rule_and_a_flagged_one_stores_it():
    plain, _ = check(answer(200, body=b"hello"))
    html = "Content-Type: text/html"
    flagged, _ = check(answer(200, html, body=b"<title>Page not found</title><h1>Not found</h1>"))

    assert plain.parameters == {}
    assert flagged.parameters["rule"] == "error page"
    assert flagged.parameters["mark"].startswith("title: ")


@pytest.mark.django_db
def test_the_api_repeats_the_verdict_and_links_to_the_rule(api, settings):
    target = TargetFactory()
    result = CheckResult.objects.create(
        target=target,
        checked_at=NOW,
        outcome="failure",
        reason="http_404",
        status_code=404,
        latency_ms=1,
        attempts=1,
        error="In other words.",
        parameters={"rule": "other status", "code": 404},
    )
    CheckResult.objects.create(
        target=target, checked_at=NOW, outcome="failure", latency_ms=1, attempts=1, error="Old."
    )

    old, new = api.get(f"/v1/targets/{target.id}/results").json()["items"]
    whole = api.get(f"/v1/targets/{target.id}/results/{result.id}").json()

    assert new["error"] == whole["error"] == "The server returned 404 Not Found."
    address = f"{settings.BASE_URL}/about/verdicts#rule-other-status"
    assert new["rule_url"] == whole["rule_url"] == address
    assert (old["error"], old["rule_url"]) == ("Old.", None)
    assert new["summary"] == whole["summary"] == "Page gone"
    assert new["suggestion"] == whole["suggestion"] == OTHER_STATUS.suggestion


@pytest.mark.django_db
def test_api_and_csv_say_what_to_do_about_a_targets_last_check(api, browser):
    fine, checked = {"last_checked_at": NOW, "last_status_code": 200}, {"last_checked_at": NOW}
    gone = {"last_status_code": 404, "last_reason": "http_404", "last_error": "Gone."}
    TargetFactory(url="http://a.test/never")
    TargetFactory(url="http://a.test/fine", **fine)
    TargetFactory(url="http://a.test/gone", **checked, **gone)
    TargetFactory(url="http://a.test/parked", flags=["parked"], **fine)
    TargetFactory(url="http://a.test/own", last_reason="sold_out", **checked)
    said = {
        "http://a.test/never": (None, None),
        "http://a.test/fine": ("Page found", None),
        "http://a.test/gone": ("Page gone", OTHER_STATUS.suggestion),
        "http://a.test/parked": ("Domain parked", PARKED_PAGE.suggestion),
        "http://a.test/own": (None, None),
    }

    items = api.get("/v1/targets").json()["items"]
    exported = b"".join(browser.get("/targets/export").streaming_content).decode()

    assert {one["url"]: (one["summary"], one["suggestion"]) for one in items} == said
    lines = csv.DictReader(io.StringIO(exported))
    assert {
        one["url"]: (one["summary"] or None, one["suggestion"] or None) for one in lines
    } == said


@pytest.mark.django_db
def test_the_targets_page_repeats_the_verdict_and_links_to_rule_flag_and_mark(browser):
    target = TargetFactory(flags=["parked"])
    CheckResult.objects.create(
        target=target,
        checked_at=NOW,
        outcome="inconclusive",
        reason="blocked",
        latency_ms=1,
        attempts=1,
        error="In other words.",
        flags=["parked"],
        parameters={"rule": "bot wall", "code": 403, "mark": "akamai: x"},
        evidence={"rule": "bot wall", "mark": "akamai: x"},
    )

    page = browser.get(f"/targets/{target.pk}").content.decode()

    assert "a bot wall (Akamai) kept Linkwatch from seeing the page." in page
    assert ">Akamai: x</a>" in page
    assert "In other words." not in page
    for path in (rule_path("bot wall"), flag_path("parked"), mark_path("akamai: x")):
        assert f'href="{path}"' in page


@pytest.mark.django_db
def test_everybody_may_read_the_document_with_each_rule_flag_and_mark(client):
    answered = client.get("/about/verdicts")

    page = answered.content.decode()
    ids = re.findall(r'id="((?:rule|flag|mark)-[^"]*)"', page)
    expected = {anchor("rule", row.name) for row in ROWS} | {anchor("flag", f) for f in FLAGS}
    assert answered.status_code == 200
    assert expected <= set(ids)
    assert len(ids) == len(set(ids))
    assert sorted(ids) == sorted(re.findall(r'<a id="([^"]+)"></a>', DOCUMENT.read_text("utf-8")))


def test_the_document_is_complete_and_has_no_leftover_marks():
    page = verdicts()

    assert "To change a rule" not in page
    assert page.count("<h2>") == DOCUMENT.read_text("utf-8").count("\n## ") - 1
    text = re.sub(r"<code>.*?</code>|<[^>]*>", "", page, flags=re.DOTALL)
    assert re.findall(r"\*\*|`|\]\(|^\|", text, re.MULTILINE) == []


@pytest.mark.parametrize(
    ("mark", "goal"),
    [
        ("akamai: header server", "mark-akamai"),
        ("web filter: fortinet", "mark-web-filter"),
        ("title: Not found: really", "mark-title"),
        ("redirected to the home page", "mark-redirected"),
    ],
)
def test_a_mark_leads_to_its_kind_or_wall(mark, goal):
    assert mark_path(mark) == f"/about/verdicts#{goal}"
    assert f'<a id="{goal}"></a>' in DOCUMENT.read_text("utf-8")


@pytest.mark.django_db
def test_a_process_of_0_2_0_writes_results_without_parameters(api):
    """Its INSERT does not name the column."""
    target, found = TargetFactory(), probe(Outcome.FAILURE)
    columns = (
        *("target_id", "checked_at", "outcome", "reason", "status_code", "latency_ms", "error"),
        *("attempts", "final_url", "redirects", "moved_to", "flags", "evidence"),
    )
    values = (found.outcome.value, found.reason, 404, 5, found.error, 1, "", [], "", [], {})
    rows.insert(CheckResult, columns, [(raw_id("target", target.id), NOW, *values)])

    (result,) = api.get(f"/v1/targets/{target.id}/results").json()["items"]

    assert (result["error"], result["rule_url"]) == (found.error, None)
