"""Rows for tests."""

from datetime import UTC, datetime

import factory
from factory.django import DjangoModelFactory

from outbox.models import Event
from snippets.models import Snippet
from targets import writer
from targets.canonical import canonicalize
from targets.models import Reference, Target
from targets.state import State

CREATED_AT = datetime(2026, 3, 1, 11, 0, tzinfo=UTC)


class TargetFactory(DjangoModelFactory):
    """A target as the registry would have created it at CREATED_AT; due immediately."""

    class Meta:
        model = Target

    url = factory.Sequence(lambda n: f"http://host{n}.example/page")
    canonical_url = factory.LazyAttribute(lambda target: canonicalize(target.url).url)
    host = factory.LazyAttribute(lambda target: canonicalize(target.url).host)
    created_at = CREATED_AT
    state_changed_at = CREATED_AT
    next_check_at = CREATED_AT
    pinned = True

    @classmethod
    def _create(cls, model_class, *args, **kwargs):
        flags = kwargs.pop("flags", [])
        target = model_class(*args, **kwargs)
        assert writer.create([target]), f"{target.canonical_url} is registered already"
        if flags:
            writer.change([(target, {"flags": flags})])
        target._state.adding = False
        return target


class DeadTargetFactory(TargetFactory):
    """A target that failed three times in a row and is no longer checked."""

    state = State.DEAD
    failures = 3
    first_failed_at = CREATED_AT
    last_checked_at = CREATED_AT
    next_check_at = None


class ReferenceFactory(DjangoModelFactory):
    class Meta:
        model = Reference

    target = factory.SubFactory(TargetFactory, pinned=False)
    object_id = factory.Sequence(lambda n: f"object-{n}")
    created_at = CREATED_AT

    @classmethod
    def _create(cls, model_class, *args, **kwargs):
        reference = model_class(*args, **kwargs)
        assert writer.add_references([reference]), f"{reference.object_id} refers to it already"
        reference._state.adding = False
        return reference


class TransitionFactory(DjangoModelFactory):
    """A death that the relay has not numbered yet."""

    class Meta:
        model = Event

    target = factory.SubFactory(DeadTargetFactory)
    from_state = State.POTENTIALLY_DEAD
    to_state = State.DEAD
    at = CREATED_AT
    payload = factory.LazyAttribute(
        lambda row: {"target_id": row.target.id, "failures": 3, "error": None}
    )


class SnippetFactory(DjangoModelFactory):
    """A snippet that does not expire."""

    class Meta:
        model = Snippet

    title = factory.Sequence(lambda n: f"Snippet {n}")
    content = "print('é')\n"
    size = factory.LazyAttribute(lambda snippet: len(snippet.content.encode()))
    created_at = CREATED_AT
    updated_at = CREATED_AT
