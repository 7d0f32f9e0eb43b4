"""Counters of targets are updated by differences. Source: docs/adr/0013-kept-counts.md."""

import ast
import inspect
import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import hypothesis
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from accounts.actors import DEPLOYMENT
from foundation.http.errors import ApiError
from foundation.ids import raw_id
from status.stats import stats
from targets import checks, counts, dead_rescheduling, registration, services, target_actions, tasks
from targets.checks import record_checks
from targets.models import KeptCount, Reference, Target, TargetFlag, TargetText
from targets.state import Outcome, State
from tests.acceptance.processes import PATIENCE, ROOT, database_url, environment
from tests.cases import examples
from tests.conftest import NOW
from tests.factories import DeadTargetFactory, TargetFactory
from tests.targets.checks import check_of
from tests.threads import run_together

URLS = [f"http://counted{n}.example/" for n in range(5)]
OBJECTS = [None, "a", "b"]


def count_all_rows():
    """All counts, computed from all rows in another way than the product's recount."""
    found = Counter(f"state:{state}" for state in Target.objects.values_list("state", flat=True))
    found["paused"] = Target.objects.filter(paused=True).count()
    found["unsure"] = Target.objects.exclude(inconclusive_since=None).count()
    found["references"] = Reference.objects.count()
    for flags in Target.objects.values_list("flags", flat=True):
        found.update(f"flag:{flag}" for flag in flags)
    return {name: amount for name, amount in found.items() if amount}


def texts_of_all_targets():
    """The text of each target, without the product's own `text_of`."""
    found = {}
    for target in Target.objects.all():
        page = target.identity or {}
        lines = [target.url, target.canonical_url, page.get("name") or page.get("title")]
        found[target.id] = "\n".join(dict.fromkeys(line for line in lines if line))
    return found


def flags_of_all_targets():
    """The rows of flags that the targets' own columns imply."""
    return sorted(
        (target.id, flag, target.created_at)
        for target in Target.objects.all()
        for flag in target.flags
    )


def assert_derived_rows_match():
    """Assert that all rows that `targets.writer` derives match the targets."""
    assert counts.totals() == count_all_rows()
    assert dict(TargetText.objects.values_list("target_id", "text")) == texts_of_all_targets()
    flags = TargetFlag.objects.values_list("target_id", "flag", "created_at")
    assert sorted(flags) == flags_of_all_targets()


def new_target(url, object_id="a"):
    return registration.Registration(
        url=url, canonical=services.accept_url(url), reference_id=object_id
    )


class Registry(RuleBasedStateMachine):
    """Random operations on targets, half of them rolled back: derived rows stay correct.

    Each rule is named after the function that it calls.
    """

    def __init__(self):
        super().__init__()
        self.now = NOW
        Target.objects.all().delete()
        KeptCount.objects.all().delete()

    def do(self, call, *, undone):
        """Run the operation as the product does, or in a transaction that fails at its end."""
        self.now += timedelta(hours=7)
        with suppress(ApiError), transaction.atomic():
            call()
            if undone:
                raise ApiError("undone", "")
        assert_derived_rows_match()

    def target(self, number):
        targets = Target.objects.order_by("canonical_url")
        return targets[number % len(targets)] if targets else Target(host="nowhere.example")

    undone = st.sampled_from([False, False, True])
    number = st.integers(0, 4)

    @rule(
        new_targets=st.lists(
            st.tuples(st.sampled_from(URLS), st.sampled_from(OBJECTS)), max_size=4
        ),
        undone=undone,
    )
    def register(self, new_targets, undone):
        self.do(
            lambda: registration.register([new_target(*w) for w in new_targets], now=self.now),
            undone=undone,
        )

    @rule(number=number, object_id=st.sampled_from(OBJECTS[1:]), undone=undone)
    def add_reference(self, number, object_id, undone):
        target = self.target(number)
        self.do(lambda: services.add_reference(target, object_id, now=self.now), undone=undone)

    @rule(number=number, undone=undone)
    def check_now(self, number, undone):
        ids = [raw_id("target", self.target(number).id)]
        self.do(lambda: services.check_now(ids, now=self.now), undone=undone)

    @rule(number=number, object_id=st.sampled_from(OBJECTS[1:]), undone=undone)
    def unregister(self, number, object_id, undone):
        target = self.target(number)
        self.do(lambda: services.unregister(target, object_id, now=self.now), undone=undone)

    @rule(
        pairs=st.lists(st.tuples(number, st.sampled_from(OBJECTS[1:])), max_size=4), undone=undone
    )
    def unregister_all(self, pairs, undone):
        found = {(self.target(number).id, object_id, None) for number, object_id in pairs}
        self.do(lambda: services.unregister_all(found, now=self.now), undone=undone)

    @rule(number=number, force=st.booleans(), undone=undone)
    def delete(self, number, force, undone):
        target = self.target(number)
        self.do(lambda: services.delete(target, force=force, now=self.now), undone=undone)

    @rule(
        number=number,
        changes=st.sampled_from(
            [
                {"paused": True},
                {"paused": False},
                {"pinned": False},
                {"check_period": timedelta(hours=1), "accept": [404]},
            ]
        ),
        undone=undone,
    )
    def update(self, number, changes, undone):
        target = self.target(number)
        self.do(lambda: services.update(target, changes, now=self.now), undone=undone)

    @rule(number=number, undone=undone)
    def accept(self, number, undone):
        target = self.target(number)
        self.do(lambda: target_actions.accept(target, [404], now=self.now), undone=undone)

    @rule(number=number, undone=undone)
    def check(self, number, undone):
        target = self.target(number)
        self.do(lambda: target_actions.check(target, self.now, DEPLOYMENT), undone=undone)

    @rule(name=st.sampled_from(sorted(target_actions.OPERATIONS)), undone=undone)
    def run_on_many(self, name, undone):
        ids = [target.pk for target in Target.objects.order_by("canonical_url")[:3]]
        self.do(
            lambda: target_actions.run_on_many(name, ids, now=self.now, by=DEPLOYMENT),
            undone=undone,
        )

    @rule(number=number, revive=st.booleans(), undone=undone)
    def request_check(self, number, revive, undone):
        target = self.target(number)
        self.do(lambda: services.request_check(target, revive=revive, now=self.now), undone=undone)

    @rule(number=number, undone=undone)
    def recheck_dead(self, number, undone):
        target = self.target(number)
        self.do(lambda: services.recheck_dead(target, now=self.now), undone=undone)

    @rule(undone=undone)
    def resume(self, undone):
        self.do(lambda: services.resume(until=self.now, limit=3, now=self.now), undone=undone)

    @rule(undone=undone)
    def schedule_dead(self, undone):
        self.do(lambda: dead_rescheduling.schedule_dead(limit=3, now=self.now), undone=undone)

    @rule(
        found=st.lists(
            st.tuples(
                number,
                st.sampled_from(Outcome),
                st.sampled_from([(), ("parked",), ("parked", "moved")]),
                st.sampled_from([None, {"title": "A title"}, {"title": "t", "name": "A name"}, {}]),
                st.booleans(),
            ),
            max_size=4,
            unique_by=lambda row: row[0],
        ),
        late=st.booleans(),
        undone=undone,
    )
    def record_checks(self, found, late, undone):
        at = self.now - timedelta(days=2 * late)
        checks = [
            replace(
                check_of(self.target(number), outcome, at=at),
                flags=flags,
                identity=identity,
                is_our_failure=is_our_failure,
            )
            for number, outcome, flags, identity, is_our_failure in found
        ]
        self.do(lambda: record_checks(checks, now=self.now), undone=undone)

    @rule()
    def fold(self):
        self.do(counts.fold, undone=False)
        assert KeptCount.objects.count() <= len(count_all_rows())


@pytest.mark.slow
@pytest.mark.django_db
def test_derived_rows_are_exact_after_any_sequence_of_operations():
    few = hypothesis.settings(max_examples=examples(25), stateful_step_count=40)
    run_state_machine_as_test(Registry, settings=few)


def test_the_registry_has_a_rule_for_each_operation_on_targets():
    """Each function that writes takes `now` and has a rule of its name."""
    writing = {
        name
        for module in (services, target_actions, dead_rescheduling, checks, registration)
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
        and "now" in inspect.signature(function).parameters
    }
    read = {"due_targets", "values_after_check", "check_changes", "recheck_changes"}
    parts = {"register_within", "register_for", "watch_new_address"}  # of `register`
    parts |= {
        "create_within",
        "unregister_by_pk",
        "unregister_locked",
        "settle",
    }  # tested in tests/repairs
    assert writing - read - parts <= vars(Registry).keys()


_DERIVED = {"TargetText", "TargetFlag", "KeptCount"}
_WRITING = {"create", "bulk_create", "get_or_create", "update", "update_or_create", "insert"}


def _writes_derived_rows(tree):
    """Return whether this source changes counts, or writes rows of a derived table."""
    nodes = list(ast.walk(tree))
    has_counts = any(
        node.module == "targets" and "counts" in {name.name for name in node.names}
        for node in nodes
        if isinstance(node, ast.ImportFrom)
    )
    for call in nodes:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            words = {part.id for part in ast.walk(call) if isinstance(part, ast.Name)}
            of_counts = has_counts and ast.unparse(call.func) in ("counts.add", "counts.replace")
            if of_counts or (call.func.attr in _WRITING and words & _DERIVED):
                return True
    return False


def test_only_the_writer_writes_derived_rows():
    found = {
        path.relative_to(ROOT).as_posix()
        for app in {path.parent for path in ROOT.glob("*/__init__.py")}
        if app.name not in ("tests", "bench")
        for path in app.rglob("*.py")
        if "migrations" not in path.parts and _writes_derived_rows(ast.parse(path.read_text()))
    }
    assert found == {"targets/writer.py"}


@pytest.mark.django_db
def test_stats_show_what_is_kept():
    TargetFactory.create_batch(2, state=State.ALIVE, flags=["parked"])
    TargetFactory(inconclusive_since=NOW, paused=True)
    DeadTargetFactory()
    while counts.fold():
        pass

    found = stats(NOW)

    assert found["targets"] == {"pending": 1, "alive": 2, "potentially_dead": 0, "dead": 1}
    assert (found["flags"], found["needs_attention"]) == ({"parked": 2}, 1)
    assert counts.totals()[counts.PAUSED] == 1


@pytest.mark.django_db
def test_counting_reads_no_target(django_assert_num_queries):
    TargetFactory.create_batch(3)
    with django_assert_num_queries(1) as captured:
        counts.totals()
    assert "targets_target" not in captured[0]["sql"]


@pytest.mark.django_db
def test_a_check_that_changes_no_count_adds_no_row():
    target = TargetFactory(state=State.ALIVE)
    rows = KeptCount.objects.count()
    record_checks([check_of(target, Outcome.SUCCESS)], now=NOW)
    assert KeptCount.objects.count() == rows


@pytest.mark.django_db
def test_folding_leaves_one_row_per_count_and_then_writes_nothing():
    for paused in (True, False):
        TargetFactory.create_batch(30, paused=paused)
    assert tasks.fold_counts() == 90
    kept = dict(KeptCount.objects.values_list("name", "amount"))
    assert kept == {"state:pending": 60, "paused": 30}

    last = KeptCount.objects.latest("pk").pk
    assert tasks.fold_counts() == 0
    assert KeptCount.objects.latest("pk").pk == last


@pytest.mark.django_db
def test_many_rows_are_folded_in_bounded_steps(monkeypatch):
    monkeypatch.setattr(counts, "_MAX_FOLDED", 7)
    TargetFactory.create_batch(50, paused=True)
    assert counts.fold() == 7
    tasks.fold_counts()
    assert dict(KeptCount.objects.values_list("name", "amount")) == {
        "state:pending": 50,
        "paused": 50,
    }


@pytest.mark.django_db
def test_a_recount_repairs_manual_changes():
    target, other = TargetFactory.create_batch(2, paused=True, flags=["parked"])
    other.delete()
    Target.objects.update(state="alive", inconclusive_since=NOW)
    Reference.objects.create(target=target, object_id="a", created_at=NOW)
    output = StringIO()

    call_command("recount_targets", stdout=output)
    assert output.getvalue().splitlines() == [
        "flag:parked: -1",
        "paused: -1",
        "references: +1",
        "state:alive: +1",
        "state:pending: -2",
        "unsure: +1",
    ]
    assert counts.totals() == count_all_rows()

    output = StringIO()
    call_command("recount_targets", stdout=output)
    assert output.getvalue() == "All counts were correct.\n"


@pytest.mark.django_db(transaction=True)
def test_the_counts_are_exact_after_parallel_operations():
    def work(name):
        def run():
            for turn in range(12):
                shared, own = f"http://shared{turn % 3}.example/", f"http://{name}{turn}.example/"
                results = registration.register(
                    [new_target(shared, name), new_target(own)], now=NOW
                )
                with transaction.atomic():
                    outcome = list(Outcome)[turn % 3]
                    found = [check_of(row.target, outcome) for row in results]
                    record_checks(sorted(found, key=lambda c: c.target_id), now=NOW)
                services.unregister_all({(row.target.id, "a", None) for row in results}, now=NOW)
                with suppress(ApiError):
                    services.delete(results[0].target, force=turn % 2 == 0, now=NOW)
                counts.fold()
                if turn % 4 == 0:
                    assert counts.recount() == {}

        return run

    run_together([work(f"worker{n}") for n in range(4)])
    assert counts.totals() == count_all_rows()


@pytest.mark.django_db(transaction=True)
@pytest.mark.acceptance
def test_the_counts_are_exact_after_processes_were_killed_while_working():
    variables = environment(
        DATABASE_URL=database_url(), SECRET_KEY=settings.SECRET_KEY, ALLOWED_HOSTS="*"
    )
    turns = 0
    for life in range(3):
        processes = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.targets.busy_registry", f"life{life}-{n}-"],
                cwd=ROOT,
                env=variables,
                stdout=subprocess.PIPE,
                text=True,
            )
            for n in range(2)
        ]
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == "0\n"
        for process in processes:
            os.kill(process.pid, signal.SIGKILL)
            rest, _ = process.communicate(timeout=PATIENCE)
            turns += 1 + len(rest.split())

    assert Target.objects.count() >= 3 * turns
    assert counts.totals() == count_all_rows()
    assert counts.recount() == {}
