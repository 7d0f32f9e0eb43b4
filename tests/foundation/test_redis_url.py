"""REDIS_URL in all its forms; each mistake has an error message that contains no password."""

import re

import pytest
import trustme

from foundation.valkey.address import check, sentinels_in

pytestmark = pytest.mark.any_database

ESCAPES = "in a password write / as %2F, ? as %3F, # as %23 and @ as %40."
NO_NUMBER = f"its port, its database or one of its options is not a number; {ESCAPES}"


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://user:hunter2@[::1]:6379/1?client_name=x&health_check_interval=5",
        "rediss://:hunter2@valkey.example:6380/0?ssl_check_hostname=false",
        "unix:///run/valkey.sock?db=0",
        "redis+sentinel://s1/main",
        "rediss+sentinel://user:hunter2@s1:26379,[fd00::2],s3:1/my.main-1/15?max_connections=9",
    ],
)
def test_valid_urls_are_accepted(url):
    check(url)


def test_sentinels_have_their_own_logins_and_the_same_authority():
    found = sentinels_in(
        "rediss+sentinel://user:a%2Fb%40c@s1:1,s2,[::1]:3/main/2"
        "?ssl_ca_certs=/ca.pem&sentinel_username=watcher&sentinel_password=d%26e"
    )
    assert found.addresses == [("s1", 1), ("s2", 26379), ("::1", 3)]
    tls = {"ssl": True, "ssl_ca_certs": "/ca.pem"}
    assert found.master == "main"
    assert found.options == {**tls, "username": "user", "password": "a/b@c", "db": 2}
    assert found.sentinel_options == {**tls, "username": "watcher", "password": "d&e"}
    assert "a/b" not in repr(found)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("hunter2", "use a URL such as redis://127.0.0.1:6379/0, or none."),
        ("sentinel://h/m", "use a URL such as redis://127.0.0.1:6379/0, or none."),
        ("redis://", "use a URL such as redis://127.0.0.1:6379/0, or none."),
        ("redis://u:hunter2/x@h", NO_NUMBER),
        ("redis://u:1?hunter2=x@h/0", ESCAPES),
        ("redis://h:hunter2", NO_NUMBER),
        ("redis://h/one", NO_NUMBER),
        ("redis://h/0?health_check_interval=often", NO_NUMBER),
        ("redis://h/0?tls=1", "tls is not one of its options."),
        ("unix:///x?foo=1", "foo is not one of its options."),
        ("redis+sentinel://s1/main?foo=1", "foo is not one of its options."),
        ("rediss://h?ssl_cert_reqs=maybe", "one of its options has an invalid value."),
        (
            "redis://h?ssl_ca_certs=/ca.pem",
            "TLS options (ssl_…) only work with rediss:// and rediss+sentinel://.",
        ),
        (
            "redis+sentinel://s1,s2",
            "name the master after the Sentinels, as in s1:26379,s2:26379/mymaster.",
        ),
        (
            "redis+sentinel://u:hunter2/x@s1/m",
            f"use redis+sentinel://s1:26379,s2:26379/mymaster/0; {ESCAPES}",
        ),
        (
            "redis+sentinel://u:hunter2@s1:99999/m",
            f"name Sentinels as in s1:26379,s2:26379,s3:26379; {ESCAPES}",
        ),
        (
            "redis+sentinel://u:hunter2@/m",
            f"name Sentinels as in s1:26379,s2:26379,s3:26379; {ESCAPES}",
        ),
    ],
)
def test_each_mistake_has_an_error_without_secrets(url, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        check(url)
    assert "hunter2" not in sentence


def test_certificates_are_read_at_once(tmp_path):
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    authority.issue_cert("a.example").cert_chain_pems[0].write_to_path(tmp_path / "own.pem")

    def reported(options):
        with pytest.raises(ValueError, match=r"^ssl_") as caught:
            check(f"rediss://h?{options}")
        return str(caught.value)

    gone, ca, own = (tmp_path / name for name in ("gone.pem", "ca.pem", "own.pem"))
    check(f"rediss://h?ssl_ca_certs={ca}")
    reason = "cannot be read (No such file or directory)."
    assert reported(f"ssl_ca_certs={gone}") == f"ssl_ca_certs: {gone} or its key {reason}"
    assert reported(f"ssl_ca_certs={ca}&ssl_certfile={gone}").startswith(f"ssl_certfile: {gone} or")
    refusal = f"ssl_certfile: {own} contains no valid certificate, or the key does not match."
    assert reported(f"ssl_certfile={own}") == refusal
