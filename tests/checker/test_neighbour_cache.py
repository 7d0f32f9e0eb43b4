"""Answers to made-up addresses: one request a week for each folder, shared by all processes."""

import asyncio
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import DatabaseError

from checker.engine.neighbours import ASK, fingerprint
from checker.engine.page import FetchedPage
from checker.neighbour_cache import MAX_AGE, FolderCache, FolderMemory, has_several_targets
from foundation.database.clock import database_now
from foundation.valkey.clients import client, close_async_client
from hosts import reservations
from hosts.models import Purpose
from targets.models import Target
from tests.checker.shifts import register, work_until_nothing_is_due
from tests.counting_server import counting_server
from tests.factories import TargetFactory
from tests.zoo.checks import check
from tests.zoo.rows import by_target
from tests.zoo.server import answer, raw
from tests.zoo.wild.pages import modern, prose

PAGE = modern("Discover the river", f"<h1>Discover</h1>{prose('en', 3)}")


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def folder() -> str:
    return f"https://{uuid4().hex}.example/a/"


def ask(*questions, several=True, memory=None):
    """Return the result of each request to the folders of one process."""

    async def in_database(_function):
        if several is None:
            raise DatabaseError
        return several

    async def run():
        known = FolderCache(in_database=in_database, memory=memory or FolderMemory())
        try:
            return [await question(known) for question in questions]
        finally:
            await close_async_client()

    return asyncio.run(run())


def test_a_folder_is_probed_once_by_the_first_process(folder):
    assert ask(lambda known: known.look_up(folder), lambda known: known.look_up(folder)) == [
        ASK,
        "",
    ]
    assert ask(lambda known: known.look_up(folder)) == [""]


def test_the_neighbours_answer_is_shared_by_all_processes(folder):
    kept = fingerprint(FetchedPage(PAGE))
    ask(lambda known: known.look_up(folder), lambda known: known.remember(folder, kept))

    assert ask(lambda known: known.look_up(folder)) == [kept]


def test_a_process_that_finds_a_request_in_progress_gets_its_answer_in_an_hour(folder):
    kept = fingerprint(FetchedPage(PAGE))
    clock = Clock()
    memory = FolderMemory(clock=clock)
    ask(lambda known: known.look_up(folder))

    assert ask(lambda known: known.look_up(folder), memory=memory) == [""]
    ask(lambda known: known.remember(folder, kept))
    clock.now += 3601
    assert ask(lambda known: known.look_up(folder), memory=memory) == [kept]


def test_a_folder_whose_request_failed_is_probed_again_in_an_hour(folder):
    ask(lambda known: known.look_up(folder))

    keys = [key for key in client().scan_iter("neighbour:*") if client().get(key) == ASK.encode()]
    assert keys
    assert max(client().ttl(key) for key in keys) <= 3600


@pytest.mark.parametrize(("neighbour", "stored"), [(answer(404), [""]), (raw(), [])])
def test_only_a_response_is_remembered(neighbour, stored):
    remembered = []

    class Folders:
        async def look_up(self, _folder):
            return ASK

        async def remember(self, _folder, text):
            remembered.append(text)

    page = answer(200, "Content-Type: text/html", body=PAGE.encode())
    check(
        by_target({"/a/1": page}, other=neighbour),
        path="/a/1",
        ask_neighbours=True,
        folders=Folders(),
    )

    assert remembered == stored


def test_a_folder_of_few_targets_is_not_probed(folder):
    assert ask(lambda known: known.look_up(folder), several=False) == [""]
    assert ask(lambda known: known.look_up(folder)) == [ASK]


def test_a_folder_of_few_targets_is_counted_again_in_an_hour(folder):
    clock = Clock()
    memory = FolderMemory(clock=clock)

    assert ask(lambda known: known.look_up(folder), several=False, memory=memory) == [""]
    clock.now += 3599
    assert ask(lambda known: known.look_up(folder), memory=memory) == [""]
    clock.now += 2
    assert ask(lambda known: known.look_up(folder), memory=memory) == [ASK]


def test_without_valkey_no_neighbour_is_requested_and_valkey_is_not_queried_for_a_minute(
    folder, settings
):
    clock = Clock()
    memory = FolderMemory(clock=clock)
    there, settings.REDIS_URL = settings.REDIS_URL, "redis://127.0.0.1:1/0"

    assert ask(lambda known: known.look_up(folder), memory=memory) == [""]
    settings.REDIS_URL = there
    assert ask(lambda known: known.look_up(folder), memory=memory) == [""]
    settings.REDIS_URL = ""
    clock.now += 61
    assert ask(lambda known: known.look_up(folder), memory=memory) == [""]


def test_an_unavailable_database_is_queried_again_later(folder):
    clock = Clock()
    memory = FolderMemory(clock=clock)

    assert ask(lambda known: known.look_up(folder), several=None, memory=memory) == [""]
    clock.now += 1
    assert ask(lambda known: known.look_up(folder), memory=memory) == [ASK]


def test_a_process_looks_up_few_folders_a_second(folder):
    clock = Clock()
    memory = FolderMemory(clock=clock)
    looked_up = []

    async def look_up(known):
        for number in range(1000):
            clock.now += 0.001
            if await known.look_up(f"{folder}{number}/") == ASK:
                looked_up.append(number)

    ask(look_up, memory=memory)

    assert 9 <= len(looked_up) <= 11


def test_a_folder_that_was_not_looked_up_is_looked_up_by_a_later_check(folder):
    clock = Clock()
    memory = FolderMemory(clock=clock)

    both = ask(
        lambda known: known.look_up(f"{folder}1/"),
        lambda known: known.look_up(f"{folder}2/"),
        memory=memory,
    )
    clock.now += 1

    assert both == [ASK, ""]
    assert ask(lambda known: known.look_up(f"{folder}2/"), memory=memory) == [ASK]


def test_a_process_forgets_after_a_week_and_its_memory_is_bounded():
    clock = Clock()
    memory = FolderMemory(clock=clock)
    for number in range(20_001):
        memory.remember(f"https://a.example/{number}/", "")

    assert memory.recall("https://a.example/0/") is None
    assert memory.recall("https://a.example/20000/") == ""
    clock.now += MAX_AGE
    assert memory.recall("https://a.example/20000/") is None


@pytest.mark.django_db
def test_targets_of_a_folder_are_counted_by_prefix():
    for path in ("a/1", "a/2", "a_/3", "ab/4", "A/5"):
        TargetFactory(url=f"https://folder.example/{path}")
    assert not has_several_targets("https://folder.example/a/")

    TargetFactory(url="https://folder.example/a/b/6")
    assert has_several_targets("https://folder.example/a/")
    assert not has_several_targets("https://folder.example/a_/")


def make_due(host):
    now = database_now()
    Target.objects.update(next_check_at=now)
    reservations.schedule({host: now}, purpose=Purpose.CHECK, now=now)


def asked_for(server):
    return sum(count for path, count in server.requests.items() if re.search("[0-9a-f]{16}$", path))


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_a_worker_probes_a_folder_once_and_again_for_pages_like_the_neighbour(settings):
    words = ("granite", "arch", "pier", "toll", "ferry", "frost", "goat", "oak", "lamp", "rope")
    text = " ".join(f"{word} of {word}stone" for word in words)
    live = {f"/live/{n}": modern(f"The bridge of 193{n}", f"<p>{text}</p>") for n in range(3)}
    pages = {
        "body": lambda path: live.get(path, PAGE),
        "headers": lambda _: "Content-Type: text/html",
    }
    settings.CHECK_PERIOD = timedelta(days=10)
    settings.HOST_DELAY = timedelta(milliseconds=150)  # longer than between two lookups
    with counting_server(["127.9.8.1"], **pages) as server:
        gone = register(*(server.url("127.9.8.1", f"/gone/{n}") for n in range(4)))
        there = register(*(server.url("127.9.8.1", path) for path in live))
        lonely = register(server.url("127.9.8.1", "/few/1"))
        work_until_nothing_is_due()
        first = asked_for(server)
        make_due("127.9.8.1")
        work_until_nothing_is_due()

        assert first == 1 + 3 + 1  # four pages like the neighbour; one request for the live one
        assert asked_for(server) == first + 4

    def flags(targets):
        return [Target.objects.get(pk=target.pk).flags for target in targets]

    assert flags(gone) == [["same_for_all"]] * 4
    assert flags([*there, *lonely]) == [[]] * 4
