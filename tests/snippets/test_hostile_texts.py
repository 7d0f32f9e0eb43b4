"""Texts made to hang a lexer stop one process for a moment, and nothing else."""

import json
import statistics
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import psutil
import pytest
from django.db import OperationalError

from snippets import highlighting, pages, pygments_process, services
from snippets.highlighting import TooBusy, TooHard, highlight
from snippets.models import Snippet
from tests.acceptance.processes import is_alive, until
from tests.conftest import NOW
from tests.factories import SnippetFactory
from tests.snippets.requests import get
from tests.snippets.servers import PATIENCE, web

ATTACK = "0" * 24 * 1024  # as OCaml: 14 s in a regular expression that blocks all threads
USUAL = {"content": "x = 1\n", "language": "python"}

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("threads")]


@pytest.fixture
def quick(monkeypatch):
    """Limit the CPU time of a text, and give it unlimited time to use that."""
    monkeypatch.setattr(highlighting, "MAX_CPU_TIME", 0.5)
    monkeypatch.setattr(highlighting, "_MAX_SLOWDOWN", 600)


def seconds(url):
    """Return how long the response takes."""
    began = time.monotonic()
    with urllib.request.urlopen(url, timeout=PATIENCE) as reply:
        reply.read()
    return time.monotonic() - began


def test_a_web_process_answers_during_an_attack_with_texts(tmp_path):
    """Before, `/livez` took 14.6 s and more to respond."""
    texts = [SnippetFactory(content=ATTACK, language="ocaml").id for _ in range(8)]
    plain = SnippetFactory(**USUAL).id
    with web(tmp_path) as port, ThreadPoolExecutor(len(texts)) as pool:
        base = f"http://127.0.0.1:{port}"
        pages = [pool.submit(seconds, f"{base}/snippets/{pk}") for pk in texts]
        answers = []
        while not all(page.done() for page in pages):
            answers.append(seconds(f"{base}/livez"))
            answers.append(seconds(f"{base}/v1/snippets/{plain}"))  # loaded by the same threads
        assert len(answers) > 2
        assert statistics.median(answers) < 0.3
        assert max(answers) < 5  # on a machine that may be busy


def test_a_text_that_was_too_slow_stays_plain_until_it_changes(quick, monkeypatch):
    snippet = SnippetFactory(content=ATTACK, language="ocaml")
    path = f"/snippets/{snippet.id}"
    assert b"Plain text" in get(path).body
    assert Snippet.objects.get().stays_plain
    tries = []
    monkeypatch.setattr(pages, "highlight", lambda *text: tries.append(text) or highlight(*text))
    services.update(snippet.id, {"title": "New"}, now=NOW)  # its page is rendered again
    assert b"Plain text" in get(path).body
    assert not tries
    services.update(snippet.id, {"content": "let x = 1\n"}, now=NOW)
    assert b"OCaml" in get(path).body
    services.update(snippet.id, {"language": "python"}, now=NOW)
    assert b"Python" in get(path).body
    assert not Snippet.objects.get().stays_plain


def test_a_change_during_highlighting_is_not_marked(quick):
    old = SnippetFactory(content=ATTACK, language="ocaml")
    services.update(old.id, {"content": "let x = 1\n"}, now=NOW + timedelta(days=1))
    pages.render(old)
    assert not Snippet.objects.get().stays_plain


def test_a_page_is_shown_even_if_nothing_can_be_written(quick, monkeypatch):
    def fail(snippet):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(services, "keep_plain", fail)
    snippet = SnippetFactory(content=ATTACK, language="ocaml")
    assert b"Plain text" in get(f"/snippets/{snippet.id}").body


def test_readers_get_plain_text_while_others_highlight(monkeypatch, redis):
    """At most half of the threads that load may wait for highlighting."""
    worker = highlighting._WORKER
    snippet = SnippetFactory(**USUAL)
    for _ in range(highlighting._MAX_TEXTS):
        assert worker._slots.acquire(blocking=False)
    try:
        replies = [get(f"/snippets/{snippet.id}") for _ in range(2)]
    finally:
        worker._slots.release(highlighting._MAX_TEXTS)
    assert [b"Plain text" in reply.body for reply in replies] == [True, True]
    assert [reply.headers["x-cache"] for reply in replies] == ["MISS", "MISS"]
    assert not redis.keys("*snippet:*:page")  # also no lock
    assert b"Python" in get(f"/snippets/{snippet.id}").body
    assert get(f"/snippets/{snippet.id}").headers["x-cache"] == "HIT"
    assert not Snippet.objects.get().stays_plain


def test_readers_of_a_slow_text_do_not_wait_forever(monkeypatch):
    monkeypatch.setattr(highlighting, "MAX_CPU_TIME", 0.01)
    with highlighting._WORKER._turn:
        assert isinstance(highlight(**USUAL), TooBusy)


def test_a_text_that_takes_too_much_memory_stays_plain(monkeypatch):
    highlighting._WORKER.stop()
    monkeypatch.setattr(highlighting, "MAX_MEMORY", 100 * 1024 * 1024)
    monkeypatch.setattr(highlighting, "MAX_CHARACTERS", 10_000_000)
    try:
        assert isinstance(highlight("a+" * 700_000, "c"), TooHard)
    finally:
        highlighting._WORKER.stop()


def test_a_text_whose_process_was_killed_is_tried_again():
    assert highlight(**USUAL).language == "Python"
    process, _ = highlighting._WORKER._running
    process.kill()
    process.wait()
    assert isinstance(highlight(**USUAL), TooBusy)
    assert highlight(**USUAL).language == "Python"


def test_a_failing_lexer_is_logged_and_its_text_is_plain(monkeypatch, caplog):
    def fail(content, language):
        raise KeyError(language)

    monkeypatch.setattr(pygments_process, "colour", fail)
    answer = pygments_process._respond(json.dumps([*USUAL.values(), 600]).encode())
    coloured = pygments_process.Coloured(*json.loads(answer))
    monkeypatch.setattr(highlighting._WORKER, "colour", lambda *text: coloured)
    assert highlight(**USUAL).language == ""
    assert "KeyError: 'python'" in caplog.text


def test_the_process_ends_with_its_parent_even_while_it_works(tmp_path):
    hard = SnippetFactory(content=ATTACK, language="ocaml").id
    with web(tmp_path) as port, ThreadPoolExecutor(1) as pool:
        page = pool.submit(seconds, f"http://127.0.0.1:{port}/snippets/{hard}")
        parent = next(
            process
            for process in psutil.Process().children()
            if "run_web" in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE
        )
        worker = until(lambda: next(iter(parent.children()), None))
        until(lambda: worker.cpu_times().user > 0.5)  # the worker has the text
        parent.kill()
        until(lambda: not is_alive(worker))
        assert page.exception() is not None
