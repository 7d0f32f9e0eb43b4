"""The browsable API: it uses the product's page frame, and its samples work."""

import json
import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.rights import assign
from accounts.roles import Role
from tests.factories import TargetFactory

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
SAMPLE = re.compile(r'<textarea name="_content"[^>]*>\s*(.*?)</textarea>', re.DOTALL)


@pytest.fixture
def browser():
    user = User.objects.create_user("olga")
    assign(user, Role.OPERATOR)
    client = Client(headers={"accept": "text/html"})
    client.force_login(user)
    return client


def sample_on(browser, path):
    text = browser.get(path).content.decode()
    return json.loads(unescape(SAMPLE.search(text)[1]))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/targets", 201),
        ("/v1/targets/bulk", 200),
        ("/v1/targets/{id}/check", 202),
        ("/v1/references", 201),
        ("/v1/urls", 201),
        ("/v1/urls/bulk", 200),
        ("/v1/urls/bulk/delete", 200),
        ("/v1/snippets", 201),
        ("/v1/snippets/bulk/delete", 200),
        ("/v1/hosts/reserve", 200),
        ("/v1/hosts/schedule", 200),
    ],
)
def test_a_sample_works(browser, path, status):
    path = path.format(id=TargetFactory().pk)
    body = sample_on(browser, path)
    answer = browser.post(path, json.dumps(body), content_type="application/json")
    assert answer.status_code == status, answer.content.decode()[-500:]


def test_a_sample_of_a_change_works(browser):
    path = f"/v1/targets/{TargetFactory().pk}"
    answer = browser.patch(
        path, json.dumps(sample_on(browser, path)), content_type="application/json"
    )
    assert answer.status_code == 200


def test_a_framed_page_has_its_address(browser):
    target = TargetFactory()
    text = browser.get(f"/v1/targets/{target.pk}").content.decode()
    assert 'aria-label="Main"' in text
    assert f'aria-current="page">{target.pk}</a>' in text  # the case is kept
    assert '<a href="/v1/targets">targets</a>' in text
