"""Looks up countries in a file that the operator provides."""

import os
import shutil

import pytest

from foundation.net.countries import Countries, UnusableFileError, check_file
from tests import mmdb

pytestmark = pytest.mark.any_database
RECORDS = {
    "192.0.2.0/24": mmdb.country("CH"),
    "198.51.100.0/24": {"country": "JP"},  # in the format of IPinfo's file
    "203.0.113.0/24": {"country_code": "BR"},
    "203.0.112.0/24": {"country": {"iso_code": "<script>"}},
    "2001:db8::/32": mmdb.country("SE"),
}


@pytest.fixture
def file(tmp_path):
    return mmdb.write(tmp_path / "countries.mmdb", RECORDS)


@pytest.fixture
def countries(file):
    found = Countries(file)
    assert found.reload_if_changed()
    return found


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("192.0.2.7", "CH"),
        ("198.51.100.1", "JP"),
        ("203.0.113.9", "BR"),
        ("2001:db8::1", "SE"),
        ("203.0.112.9", "unknown"),
        ("10.0.0.1", "unknown"),
        ("unknown", "unknown"),
        ("", "unknown"),
        ("fe80::1%eth0", "unknown"),
    ],
)
def test_an_address_has_the_country_of_the_file(countries, address, code):
    assert countries.country_of(address) == code


def test_before_the_first_measurement_the_lag_is_unknown(file):
    assert Countries(file).country_of("192.0.2.7") == "unknown"


def test_a_file_that_was_replaced_is_read_again_within_a_minute(countries, file, tmp_path):
    new = mmdb.write(tmp_path / "new", {"192.0.2.0/24": mmdb.country("AT")})
    os.replace(new, file)
    assert not countries.reload_if_changed()
    assert countries.country_of("192.0.2.7") == "CH"
    countries._next_check_at = 0.0  # a minute later
    assert countries.reload_if_changed()
    assert countries.country_of("192.0.2.7") == "AT"
    countries._next_check_at = 0.0
    assert not countries.reload_if_changed()


def test_a_file_that_later_breaks_or_disappears_changes_nothing(countries, file, caplog):
    with file.open("r+b") as opened:  # written in place, as an interrupted copy leaves the file
        opened.truncate(100)
    countries._next_check_at = 0.0
    assert not countries.reload_if_changed()
    assert countries.country_of("192.0.2.7") == "CH"
    assert "previous file" in caplog.text
    file.unlink()
    countries._next_check_at = 0.0
    assert not countries.reload_if_changed()
    assert countries.country_of("2001:db8::1") == "SE"


def test_no_copy_is_left_behind(file, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    assert Countries(file).reload_if_changed()
    assert list((tmp_path / "temporary").iterdir()) == []


def test_files_without_countries_are_refused_with_a_sentence(tmp_path, file):
    check_file(file)
    with pytest.raises(UnusableFileError, match="cannot be read"):
        check_file(tmp_path / "nowhere.mmdb")
    with pytest.raises(UnusableFileError, match="not a MaxMind DB file"):
        check_file(tmp_path)
    text = tmp_path / "text.mmdb"
    text.write_text("192.0.2.0/24 CH\n")
    with pytest.raises(UnusableFileError, match="not a MaxMind DB file"):
        check_file(text)
    networks = mmdb.write(tmp_path / "asn", {"192.0.2.0/24": {"asn": 64496}}, kind="Test-ASN")
    with pytest.raises(UnusableFileError, match="has no countries; it is a 'Test-ASN'"):
        check_file(networks)
    damaged = shutil.copy(file, tmp_path / "damaged.mmdb")
    raw = bytearray(file.read_bytes())
    raw[: raw.index(b"\xab\xcd\xef") // 2] = b"\xff" * (raw.index(b"\xab\xcd\xef") // 2)
    (tmp_path / "damaged.mmdb").write_bytes(raw)
    with pytest.raises(UnusableFileError):
        check_file(tmp_path / damaged)
