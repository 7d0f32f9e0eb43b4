"""Data that says "not found", players without a video, and data that only contains such words."""

import json

import pytest

from checker.engine.gone_data import find_dead_player, find_error_in_data
from checker.engine.page import FetchedPage
from tests.zoo.checks import check
from tests.zoo.server import answer

pytestmark = pytest.mark.any_database
ASKED = "https://api.example/things/77"


def said(body, kind="application/json", *, asked=ASKED):
    text = body if isinstance(body, str) else json.dumps(body)
    return find_error_in_data(
        {"content-type": f"{kind}; charset=utf-8"}, text.encode(), asked=asked
    )


@pytest.mark.parametrize(
    "found",
    [
        {"status": 404, "error": "Not Found", "path": "/x", "timestamp": "2026-01-01"},
        {"detail": "Not found."},
        {"message": "Not Found", "documentation_url": "https://docs.example/"},
        {"statusCode": 404, "message": "Cannot GET /x", "error": "Not Found"},
        {"type": "about:blank", "title": "Not Found", "status": 404},
        {
            "error": {
                "code": 404,
                "message": "Requested entity was not found.",
                "status": "NOT_FOUND",
            }
        },
        {"errors": [{"status": "404", "title": "Resource not found"}]},
        {"data": {"post": None}, "errors": [{"message": "x", "extensions": {"code": "NOT_FOUND"}}]},
        {"error": "not_found", "reason": "missing"},
        {"Code": "NoSuchKey", "Message": "The specified key does not exist."},
        {"success": False, "message": "Record not found"},
        {"__type": "ResourceNotFoundException"},
        {"code": 410, "message": "removed"},
        [{"error": "No such document"}],
        {"code": 40404, "success": False, "msg": "no resource", "data": None},
        {"Response": "False", "Error": "Incorrect IMDb ID."},
        {"ok": False, "error": "channel_not_there"},
    ],
)
def test_an_error_in_json_is_recognized(found):
    assert said(found).startswith("data: ")
    assert said(found, "application/problem+json")


@pytest.mark.parametrize(
    "found",
    [
        {"id": 404, "title": "Not Found", "type": "Song", "status": "published"},
        {"error": None, "title": "not found: 0"},
        {"status": "UP", "notFound": 0, "errors": []},
        {"message": "Hello", "code": 200},
        {"code": 404, "name": "Line 404", "data": [1, 2]},
        {"items": [{"title": "Page not found"}], "status": "ok"},
        {"data": {"post": {"id": 1}}, "errors": [{"message": "tag not found"}]},
        {"count": 0, "results": []},
        {"ret": 0, "code": -41000, "message": "x"},
        {"ret": 404, "title": "The Room 404 story", "author": "x"},
        {"retcode": "41012", "message": "Temperature"},
        {"name": "not-found", "version": "1.0.2", "description": "Express middleware"},
        {"status": 200, "message": "ok"},
        {"success": False, "error": "The API key is missing."},
        {"ok": False, "message": "Please try again later"},
        {"success": False, "error": "old", "rates": {"EUR": 1}},
        {"success": True, "message": "Saved"},
        [],
        ["Not found"],
        "Not found",
        7,
    ],
)
def test_json_that_mentions_errors_is_not_an_error(found):
    assert said(json.dumps(found)) is None


@pytest.mark.parametrize(
    "text",
    [
        "404: NOT_FOUND\nCode: NOT_FOUND\nID: fra1::abc",
        "404: Not Found",
        "Not Found",
        "404 page not found\n",
        "default backend - 404",
        "Page not found",
        "File not found.",
        "The page could not be found\n\nNOT_FOUND\n\niad1::x7-12",
        "NoSuchKey",
        "Error 404: Not Found",
        "Cannot GET /things/77",
        "Couldn't find the requested release version 4.0.4.",
        "Datei nicht gefunden",
        "Файл не найден",
    ],
)
def test_an_error_in_plain_text_is_recognized(text):
    assert said(text, "text/plain")


@pytest.mark.parametrize(
    "text",
    [
        "404 Not Found\n=============\nA page not found.\n",
        "found",
        "The page",
        "Lost and found",
        "GET /x 404\nGET /y 200\n",
        "Not Found\nA song\nof five\nlong\nlines\n",
        "",
    ],
)
def test_text_that_mentions_errors_is_not_an_error(text):
    assert said(text, "text/plain") is None


def test_errors_of_object_stores_in_xml_are_recognized():
    error = "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>x</Message></Error>"
    assert said(error, "application/xml")
    report = '<ows:Exception exceptionCode="NotFound"><ows:ExceptionText>x</ows:ExceptionText>'
    assert said(report, "application/xml")
    assert said('<OAI-PMH><error code="idDoesNotExist">x</error></OAI-PMH>', "text/xml")
    report = '<ServiceException code="x" exceptionCode="{}" locator="{}">y</ServiceException>'
    assert said(report.format("InvalidParameterValue", "typeName"), "text/xml")
    assert said(report.format("LayerNotDefined", "layers"), "text/xml")
    assert not said(report.format("InvalidParameterValue", "bbox"), "text/xml")
    assert not said("<feed><title>NoSuchKey explained</title></feed>", "application/xml")


def test_other_types_long_answers_and_addresses_about_errors_are_not_judged():
    assert not said("Not Found", "application/pdf")
    assert not said({"message": "Not Found", "more": "x" * 5000})
    assert not said("Not Found", "text/plain", asked="https://api.example/errors/404")


def test_a_check_of_data_has_the_flag():
    found, _ = check(answer(200, "Content-Type: application/json", body=b'{"detail":"Not found."}'))
    assert found.flags == ("error_page",)
    assert found.evidence["mark"] == "data: Not found."


def player(status, *reasons, more="", before=""):
    reported = {
        "status": status,
        "reason": reasons[0] if reasons else "",
        "messages": [*reasons[1:]],
    }
    script = f'var p = {{"playabilityStatus": {json.dumps(reported)}{more}}};'
    return FetchedPage(f"<html><title>A - YouTube</title>{before}<script>{script}</script></html>")


@pytest.mark.parametrize(
    "page",
    [
        player("ERROR", "Video unavailable", "This video has been removed by the uploader"),
        player("ERROR", "Video nicht verf\u00fcgbar"),
        player("LOGIN_REQUIRED", "Private video"),
        player("LOGIN_REQUIRED", "V\u00eddeo privado"),
        player("LOGIN_REQUIRED", "\u975e\u516c\u958b\u52d5\u753b"),
        player("UNPLAYABLE", "This video is no longer available due to a copyright claim"),
        FetchedPage('<script>{"alerts":[{"alertRenderer":{"type":"ERROR","text":{}}}]}</script>'),
    ],
)
def test_a_player_without_a_video_is_recognized(page):
    assert find_dead_player(page).startswith("player: ")


@pytest.mark.parametrize(
    "page",
    [
        player("OK"),
        player("LOGIN_REQUIRED", "Sign in to confirm your age"),
        player("LOGIN_REQUIRED", "Sign in to confirm you\u2019re not a bot"),
        player("UNPLAYABLE", "The uploader has not made this video available in your country"),
        player("UNPLAYABLE", "Join this channel to get access to members-only content"),
        player("LIVE_STREAM_OFFLINE", "This live event will begin in 2 hours."),
        player("ERROR", "x", before='<p>It says "playabilityStatus": {"status": "ERROR"}</p>'),
        player("OK", more=', "videoDetails": {"title": "Private video"}'),
        FetchedPage("<h1>Why alertRenderer ERROR?</h1>"),
    ],
)
def test_a_restricted_video_and_an_article_about_players_exist(page):
    assert find_dead_player(page) is None
