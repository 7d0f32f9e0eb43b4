"""The next release can be frozen: every table has rows, and every address answers."""

import pytest

from tests.upgrades import filling, frozen

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.release]


def test_the_filled_database_is_complete_and_answers():
    token = filling.fill()

    answers = {path: frozen.answer_to(path, token)["status"] for path in frozen.questions()}
    assert {path: status for path, status in answers.items() if status != 200} == {}
