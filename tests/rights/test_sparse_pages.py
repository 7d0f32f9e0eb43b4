"""Pages about rows with only the required values: unknown values are never shown as None."""

import html
import re

import pytest
from django.apps import apps
from django.db import DatabaseError, models, transaction
from django.test import Client

from targets.models import Target
from tests.rights.pages import paths
from tests.rights.world import World

pytestmark = pytest.mark.django_db

_HIDDEN = re.compile(r"<(script|style|svg)\b.*?</\1>|<!--.*?-->", re.DOTALL)
_TITLES = re.compile(r"<title>.*?</title>", re.DOTALL)
_NAMES = re.compile(r'(?:alt|aria-label|content|placeholder|title|value)="([^"]*)"')
_TAG = re.compile(r"<[^>]*>", re.DOTALL)
_SENTENCES = ("-", " of ", ": a service user", ": the current version is the same")
_NONE = re.compile(rf".{{0,40}}\bNone\b(?!{'|'.join(_SENTENCES)}).{{0,40}}")
OURS = {"accounts", "batches", "checker", "hosts", "notify", "shortener", "snippets", "targets"}


def shown(page):
    """Return the texts of a page that people see or hear, including those of charts."""
    titles = " ".join(_TITLES.findall(page))
    names = " ".join(_NAMES.findall(page))
    return html.unescape(_TAG.sub(" ", f"{_HIDDEN.sub(' ', page)} {titles} {names}"))


def make_sparse(*, also_times):
    """Empty all optional columns of each row, as far as constraints permit."""
    for model in apps.get_models():
        if model._meta.app_label not in OURS or not model._meta.managed:
            continue
        for field in model._meta.concrete_fields:
            is_time = isinstance(field, models.DateTimeField | models.DateField)
            if not field.null or field.is_relation or (is_time and not also_times):
                continue
            try:
                with transaction.atomic():
                    model._base_manager.update(**{field.attname: None})
            except DatabaseError:
                continue  # a constraint: such a row can't be


@pytest.mark.slow
@pytest.mark.parametrize("also_times", [False, True], ids=["with times", "without"])
def test_no_page_shows_unknown_values_as_none(also_times):
    world = World()
    Target.objects.update(last_checked_at=world.now, inconclusive_since=world.now)
    addresses = paths(world)
    make_sparse(also_times=also_times)
    wrong = []
    for who in ("ada", "olga"):
        client = Client(
            headers={"accept": "text/html", **world.cookie(who)}, raise_request_exception=False
        )
        for address in addresses:
            answer = client.get(address)
            if answer.status_code == 500:
                wrong.append(f"{who} {address}: {answer.status_code}")
            if "html" in answer.headers.get("Content-Type", "") and not answer.streaming:
                found = _NONE.findall(shown(answer.content.decode()))
                wrong += [f"{who} {address}: {text.strip()}" for text in found]
    assert "\n".join(wrong) == ""
