"""Public ids. Source: docs/requirements.md#registry-ids."""

from uuid import UUID

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from foundation.database.ids import PublicIdField
from foundation.ids import decode, encode

pytestmark = pytest.mark.any_database

NUMBERS = st.integers(0, 2**128 - 1)
FIELD = PublicIdField(kind="target")


@given(NUMBERS)
def test_an_id_has_22_base62_characters_and_reads_back(number):
    text = encode(number)

    assert len(text) == 22
    assert text.isascii()
    assert text.isalnum()
    assert decode(text) == number


@given(NUMBERS, NUMBERS)
def test_ids_sort_as_their_numbers_do(first, second):
    assert (encode(first) < encode(second)) == (first < second)


def test_new_ids_sort_in_the_order_of_creation():
    ids = [FIELD.get_default() for _ in range(2000)]

    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0" * 21,
        "0" * 23,
        "z" * 22,
        "0" * 21 + "-",
        "0" * 20 + "é0",
        "0" * 21 + "\u0661",
        "\0" * 22,
    ],
)
def test_other_text_is_not_an_id(text):
    with pytest.raises(ValueError, match="base62"):
        decode(text)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "t_",
        "t",
        "s_" + "0" * 22,
        "0" * 22,
        "T_" + "0" * 22,
        "t__" + "0" * 22,
        5,
        0.5,
        [],
        {},
        True,
        "6f1c2d34-5e6f-4a7b-8c9d-0e1f2a3b4c5d",
        "t_" + "z" * 22,
        b"t_" + b"0" * 22,
    ],
)
def test_the_field_refuses_ids_that_could_never_exist(value):
    with pytest.raises(ValidationError):
        FIELD.to_python(value)


def test_the_field_takes_ids_and_uuids():
    number = UUID(int=7)

    assert (
        FIELD.to_python(number) == FIELD.to_python("t_" + "0" * 21 + "7") == "t_" + "0" * 21 + "7"
    )
    assert FIELD.to_python(None) is None
