import os
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foundation.database.clock import database_now
from targets import counts, registration
from targets.lists import exporting
from targets.models import Target
from targets.serializers import RegistrationSerializer
from tests.cases import examples
from tests.factories import ReferenceFactory, TargetFactory

FORMATS = ["csv", "jsonl"]

spans = st.integers(1, 10_000_000).map(lambda seconds: timedelta(seconds=seconds))
texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20
)
new_targets = st.fixed_dictionaries(
    {"url": st.sampled_from([" http://a.example/x y#f", 'https://b.example/?q="1,2"', "http://c"])},
    optional={
        "reference_id": texts | st.sampled_from([" ", "\r", '"\n"', "=1", "\ufeff", "#", "\u2028"]),
        "check_period": st.sampled_from(["1s", "1h30m", "9d"]),
        "recheck_threshold": st.integers(1, 1000),
        "condition": st.just("status-200"),
    },
)


def registry():
    """Create everything that an export contains."""
    return {
        (
            target.url,
            target.pinned,
            *(getattr(target, name) for name in registration.POLICY_FIELDS),
            tuple(sorted(target.references.values_list("object_id", flat=True))),
        )
        for target in Target.objects.all()
    }


def register(*bodies):
    serializer = RegistrationSerializer()
    registration.register([serializer.registration(body) for body in bodies], now=database_now())


@pytest.mark.slow
@pytest.mark.parametrize("file_format", FORMATS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(40))
@given(bodies=st.lists(new_targets, min_size=1, max_size=5))
def test_an_export_is_imported_without_any_difference(db, tmp_path, file_format, bodies):
    Target.objects.all().delete()
    register(*bodies)
    before = registry()
    path = str(tmp_path / f"list.{file_format}")

    call_command("export_targets", path)
    Target.objects.all().delete()
    call_command("import_targets", path)

    assert registry() == before


def test_txt_keeps_the_identity_and_the_references(db, tmp_path):
    register(
        {"url": " http://a.example/x y#f", "reference_id": "two words"},
        {"url": " http://a.example/x y", "reference_id": "#1"},
        {"url": "http://b.example/"},
    )
    path = tmp_path / "list.txt"
    call_command("export_targets", str(path))
    assert path.read_text().splitlines() == [
        "http://a.example/x%20y\t#1",
        "http://a.example/x%20y\ttwo words",
        "http://b.example/",
    ]


def test_txt_rejects_values_that_it_cannot_hold_and_keeps_the_file(db, tmp_path):
    register({"url": "http://a", "reference_id": "a\nb"})
    path = tmp_path / "list.txt"
    path.write_text("as it was")
    with pytest.raises(CommandError, match="use csv or jsonl"):
        call_command("export_targets", str(path))
    assert path.read_text() == "as it was"
    assert os.listdir(tmp_path) == ["list.txt"]


def test_only_own_policies_are_exported(db, capsysbinary):
    TargetFactory(url="http://a.example", recheck_period=timedelta(minutes=90))
    TargetFactory(url="http://b.example")
    call_command("export_targets")
    assert capsysbinary.readouterr().out == (
        b'{"url": "http://a.example", "recheck_period": "1h30m"}\n{"url": "http://b.example"}\n'
    )


def test_a_pinned_target_with_references_has_its_own_row(db):
    target = TargetFactory(pinned=True)
    ReferenceFactory(target=target, object_id="1")
    ReferenceFactory(target=target, object_id="2")
    ids = [row.get("reference_id") for row in exporting.rows()]
    assert ids == [None, "1", "2"]


def test_an_export_has_all_pages_once(db, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(exporting, "_PAGE_SIZE", 2)
    targets = [ReferenceFactory().target for _ in range(5)]
    with django_assert_num_queries(7):
        urls = [row["url"] for row in exporting.rows()]
    assert urls == [target.url for target in targets]


def test_an_empty_registry_is_exported_as_a_csv_header(db, capsysbinary):
    call_command("export_targets", "--format", "csv")
    assert capsysbinary.readouterr().out.startswith(b"url,reference_id,check_period")
    call_command("export_targets")
    assert capsysbinary.readouterr().out == b""


def test_an_unwritable_file_is_reported_in_one_sentence(db, tmp_path):
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_targets", str(tmp_path / "none" / "list.csv"))


def test_what_a_killed_export_has_left_does_not_hinder_the_next_one(db, tmp_path):
    """In a container, both often have the same process id."""
    TargetFactory()
    path = tmp_path / "list.jsonl"
    (tmp_path / f".list.jsonl.{os.getpid()}").write_text("{")

    call_command("export_targets", str(path))

    assert path.read_text().count("\n") == 1


def test_an_export_writes_to_a_device_without_replacing_it(db):
    TargetFactory()
    call_command("export_targets", os.devnull)
    assert not os.path.isfile(os.devnull)


SAID = {
    "accept": [403, "blocked"],
    "expect": {"status": 200, "text": 'Wel"come, ü'},
    "headers": {"Authorization": 'Bearer "secret", two'},
    "timeout": "20s",
}


def what_operators_set():
    return {row.url: (row.paused, row.instructions) for row in Target.objects.all()}


@pytest.mark.django_db
@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize("with_secrets", [True, False])
def test_pauses_and_instructions_are_exported_and_secrets_only_on_request(
    tmp_path, capsys, file_format, with_secrets
):
    TargetFactory(url="http://a.example/", paused=True, pinned=True, instructions=SAID)
    ReferenceFactory(target__url="http://b.example/", target__instructions={"accept": [500]})
    ReferenceFactory(target__url="http://c.example/", target__paused=True)
    ReferenceFactory(target__url="http://d.example/")
    before = what_operators_set()
    counts.recount()
    paused = counts.totals()[counts.PAUSED]
    path = tmp_path / f"list.{file_format}"

    call_command("export_targets", str(path), *(["--with-secrets"] if with_secrets else []))
    Target.objects.all().delete()
    counts.recount()
    call_command("import_targets", str(path))

    if not with_secrets:
        before["http://a.example/"] = (True, {k: v for k, v in SAID.items() if k != "headers"})
        assert "secret" not in path.read_text()
    reported = "Headers of instructions were left out (targets: 1);"
    assert (reported in capsys.readouterr().err) is not with_secrets
    assert what_operators_set() == before
    assert counts.totals()[counts.PAUSED] == paused == 2


@pytest.mark.django_db
def test_the_longest_instructions_fit_into_one_line(tmp_path):
    long = {f"{'n' * 90}{number}": '"' * 4096 for number in range(20)}
    TargetFactory(url="http://a.example/", pinned=True, instructions={"headers": long})
    for file_format in FORMATS:
        path = str(tmp_path / f"list.{file_format}")
        call_command("export_targets", path, "--with-secrets")
        Target.objects.all().delete()

        call_command("import_targets", path)

        assert Target.objects.get().instructions == {"headers": long}
