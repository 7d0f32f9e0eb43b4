"""Every setting with a wrong value: a sentence names the setting, the value and a correct one."""

import pytest
from django.conf import settings

from linkwatch.environment import join_words
from targets.flags import FLAGS, NEVER_FAILING
from tests.test_settings import start

pytestmark = pytest.mark.any_database


def whole(value, minimum, maximum):
    return value, f"{value!r} is not a whole number from {minimum} to {maximum}."


def duration(value, word=""):
    right = f"200ms, 15s, 1h30m or 10d{word}."
    return value, f"{value!r} is not a duration such as {right}"


def short(value, minimum):
    return value, f"{value} is too short; use {minimum} or more."


def choice(value, choices):
    return value, f"{value!r} is unknown; use {choices}."


def rate(value, minimum=1):
    right = (
        f"a rate such as 600/1m (a number from {minimum} to 999999, and a duration of 1s or more)."
    )
    return value, f"{value!r} is not {right}"


def switch(value):
    return value, f"{value!r} is not a Boolean; use true or false (or on, off, 1, 0)."


CIDRS = "use CIDR blocks such as 10.0.0.0/8,fd00::/8."
READ = {  # wrong on their own: all are reported at once
    "HTTP_PORT": whole("abc", 1, 65535),
    "WEB_PROCESSES": whole("65", 1, 64),
    "BASE_URL": ("foo", "'foo' is not a URL such as https://links.example.org."),
    "TRUSTED_PROXIES": ("10.0.0.1/8", f"10.0.0.1/8 has host bits set; {CIDRS}"),
    "CORS_ORIGINS": ("app", "'app' is not an origin such as https://app.example.org."),
    "RATE_LIMIT": rate("1000000/1m"),
    "LOOKUP_LIMIT": rate("4999/1h", 5000),
    "ARCHIVES": (
        "waybak",
        "'waybak' is not an archive; use wayback, or servers such as timegate "
        "https://archive.example/web/.",
    ),
    "ARCHIVE_LIMIT": rate("24"),
    "ARCHIVE_SAVES": (
        "waybak",
        "'save waybak' is not an archive; use wayback, or two addresses such as "
        "https://archive.example/save https://archive.example/web/.",
    ),
    "ARCHIVE_SAVE_KEY": (
        "key",
        "'key' is not a key and a secret of the service, such as key:secret.",
    ),
    "ARCHIVE_SAVE_LIMIT": rate("6"),
    "BATCH_LIMIT": rate("4999/1d", 5000),
    "BATCH_RETENTION": short("2d", "3d"),
    "BATCH_QUEUE": whole("10", 5000, 10000000),
    "BATCH_HOST_QUEUE": whole("0", 1, 10000000),
    "CLIENT_CONNECTIONS": whole("0", 1, 100000),
    "SIGN_IN_LIMIT": rate("10"),
    "OIDC_ISSUER": (
        "id.example",
        "'id.example' is not a URL such as https://id.example.org/realms/all, of 180 characters "
        "at most.",
    ),
    "OIDC_GROUPS": (
        "staff",
        "'staff' is not a group with its role, as in staff=Viewers; roles are Members, Viewers "
        "and Operators.",
    ),
    "OIDC_TEAMS": ("writers", "'writers' is not a group with its team, as in writers=Docs."),
    "OIDC_SIGN_OUT": switch("there"),
    "OIDC_DEFAULT_ROLE": choice("x", "Members, Viewers or Operators, or leave it unset"),
    "CHECK_INTERVAL": duration("soon"),
    "MAX_CONCURRENCY": whole("10001", 1, 10000),
    "HTTP_TIMEOUT": short("0s", "1ms"),
    "RECHECK_TIMEOUT": duration("5"),
    "SHUTDOWN_GRACE": short("1ms", "1s"),
    "CHECK_PERIOD": ("9999d", "'9999d' is longer than 3650d."),
    "RECHECK_PERIOD": duration(""),
    "DEAD_RECHECK_PERIOD": duration("never", "; off is also allowed"),
    "RECHECK_THRESHOLD": whole("0", 1, 1000),
    "CHECK_RETRIES": whole("-1", 0, 10),
    "CHECK_BACKOFF": duration("x"),
    "INCONCLUSIVE_LIMIT": duration("x"),
    "CHECK_CONDITIONS": ("My Rule=our.rule", "'My Rule' is not a name such as our-rule."),
    "CHECK_METHOD": choice("POST", "GET or HEAD"),
    "ASK_NEIGHBOURS": switch("sometimes"),
    "CHECK_SOFT_404": switch("perhaps"),
    "FAVICONS": switch("some"),
    "ROBOTS": choice("obey", "ignore or optout"),
    "CERTIFICATE_WARNING": duration("x"),
    "CANARY_URLS": (
        "gopher://a.example/",
        "'gopher://a.example/': Only http and https URLs are accepted. Use URLs such as "
        "https://example.org/.",
    ),
    "USER_AGENT": ("ü", "'ü' is not text of one or more printable ASCII characters."),
    "VERIFY_TLS": choice("no", "on, off or warn"),
    "HOST_DELAY": duration("x"),
    "BUSY_TIMEOUT": short("0s", "1ms"),
    "CHECKER_SHIFTS": whole("x", 0, 64),
    "ALLOW_NETWORKS": (
        "intranet",
        f"'intranet' does not appear to be an IPv4 or IPv6 network; {CIDRS}",
    ),
    "ALLOW_PORTS": (
        "80,99999",
        "'99999' is not a port or range from 1 to 65535; use a list such as 80,443,1024-65535.",
    ),
    "PUBLIC_LISTS": ("docs", "'docs' is not a name with a prefix, as in handbook=docs/."),
    "RESULTS_RETENTION": short("1ms", "1d"),
    "TRANSITIONS_RETENTION": duration("ever", "; forever is also allowed"),
    "TRACES_RETENTION": short("1ms", "1d"),
    "ENDED_LINKS_RETENTION": duration("never", "; off is also allowed"),
    "KAFKA_START": choice("now", "end or start"),
    "KAFKA_TIMEOUT": short("1s", "2s"),
    "NOTIFY_QUIET": short("0s", "1ms"),
    "NOTIFY_LONGEST": duration("x"),
    "NOTIFY_OUTAGE_AFTER": duration("x"),
    "SNIPPET_MAX_BYTES": (
        "17MiB",
        "'17MiB' is not a size such as 64KiB or 1MiB (at most 16MiB).",
    ),
    "ANONYMOUS_SNIPPETS": switch(""),
    "ANONYMOUS_SNIPPETS_LIMIT": rate("0/1h"),
    "ANONYMOUS_CHECKS": switch("maybe"),
    "ANONYMOUS_CHECKS_LIMIT": rate("0/1h"),
    "TREND_HALF_LIFE": short("1ms", "1s"),
    "VIEWS_RETENTION": duration("30", "; forever is also allowed"),
    "VALKEY_MEMORY": (
        "1MiB",
        "'1MiB' is not a size such as 64KiB or 1MiB (at least 32MiB, at most 1024GiB).",
    ),
    "SHORT_DOMAIN": (
        "https://a.b",
        "'https://a.b' is not a host in lower case such as lnk.example.",
    ),
    "CLEANUP_ENABLED": switch("2"),
    "CLEANUP_INTERVAL": short("1s", "1m"),
    "CLEANUP_BATCH_SIZE": whole("1e3", 1, 100000),
    "CLEANUP_BUFFER_TIME": duration("x"),
    "CLEANUP_MAX_DURATION": short("1ms", "1s"),
    "DATABASE_POOLER": choice("session", "transaction, or leave it unset"),
    "DURABILITY": choice("full", "crash or power"),
    "LOG_LEVEL": (
        "loud",
        "'loud' is not a log level; use DEBUG, INFO, WARNING, ERROR or CRITICAL.",
    ),
}
# Wrong in combination, or because of the thing they name: reported when each value is readable. A
# secret's value, and a URL that may hold a password, is never repeated.
CONTRADICTORY = [
    {
        "CHECK_CONDITION": choice("kettle", "evidence or status-200"),
        "EVENT_STATES": (
            "gone",
            "'gone' is not a state of a target; use pending, alive, potentially_dead or dead.",
        ),
        "EGRESS_PROXY": (
            "socks5://u:hunter2@p",
            "use http://host:port or http://user:password@host:port.",
        ),
        "EGRESS_BYPASS": ("a b", "'a b' is neither a CIDR nor a suffix such as .example.org."),
        "OIDC_ISSUER": (
            "https://id.example",
            "https://id.example needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; set both.",
        ),
        "REDIS_URL": ("foo", "use a URL such as redis://127.0.0.1:6379/0, or none."),
        "NOTIFY_QUIET": ("2h", "2h is longer than NOTIFY_LONGEST; use 1h or less."),
        "SECRET_KEY": (
            "hunter2",
            "a key of 7 characters is too short; use at least 50 random characters.",
        ),
        "EMAIL_URL": ("mx.example", "use a URL such as smtp+tls://user:password@host:587."),
        "DATABASE_URL": (
            "mysql://u:hunter2@h/x",
            "use a path for SQLite, or postgres://user@host/name.",
        ),
        "GEOIP_FILE": ("/none.mmdb", "/none.mmdb cannot be read (No such file or directory)."),
        "KAFKA_BOOTSTRAP_SERVERS": ("a", "'a' is not in the form host:port."),
        "KAFKA_TOPIC": (
            "a b",
            "'a b' is not a valid topic; use 1 to 249 of these characters: A-Z a-z 0-9 . _ -",
        ),
        "KAFKA_API_VERSION": ("2", "'2' is not a version such as 2.0."),
        "KAFKA_SASL_MECHANISM": (
            "PLAIN",
            "it requires a KAFKA_SECURITY_PROTOCOL that begins with SASL.",
        ),
        "KAFKA_USERNAME": ("me", "it requires a KAFKA_SECURITY_PROTOCOL that begins with SASL."),
        "KAFKA_CA_FILE": (
            "/ca.pem",
            "KAFKA_SECURITY_PROTOCOL=PLAINTEXT does not use one; use SSL or SASL_SSL.",
        ),
    },
    {
        "KAFKA_SECURITY_PROTOCOL": (
            "TLS",
            "'TLS' is unknown; use PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL.",
        ),
        "DATABASE_DRIVER": ("mysql", "'mysql' is unknown; use sqlite or postgres."),
    },
    {
        "DATABASE_REPLICA_URL": (
            "postgresql://u:hunter2@h/x",
            "SQLite does not support replicas; set DATABASE_URL to a PostgreSQL database.",
        ),
    },
]
FAILING = join_words(flag for flag in FLAGS if flag not in NEVER_FAILING)
CHECKED = {  # by `manage.py check`, which every command runs first
    "FAILING_FLAGS": ("dull", f"dull is not a flag; use {FAILING}."),
    "EVENT_BUILDER": ("no.such", "No module named 'no'"),
}
ANY_TEXT = {
    *("ARCHIVE_SAVE_PREFIXES",),
    *(
        "DATA_DIR",
        "ALIVE_FILE",
        "HTTP_HOST",
        "ALLOWED_HOSTS",
        "EMAIL_FROM",
        "CONTACT",
        "STREAM_GROUP",
    ),
    *("OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "SECRET_KEY_FALLBACKS", "KAFKA_PASSWORD"),
}


@pytest.mark.parametrize("wrong", [READ, *CONTRADICTORY])
def test_a_wrong_value_prevents_the_start_with_a_sentence_and_a_right_value(tmp_path, wrong):
    done = start(tmp_path, **{name: value for name, (value, _) in wrong.items()})

    assert done.returncode == 1
    reported = dict(
        line.removeprefix("linkwatch: setting ").split(": ", 1) for line in done.stderr.splitlines()
    )
    assert reported == {name: sentence for name, (_, sentence) in wrong.items()}
    assert "hunter2" not in done.stderr


@pytest.mark.parametrize("name", CHECKED)
def test_a_value_that_only_the_product_can_judge_is_found_by_check(tmp_path, name):
    value, sentence = CHECKED[name]

    done = start(tmp_path, **{name: value})

    assert done.returncode == 1
    assert f"{name}: {sentence}" in done.stderr


def test_every_setting_that_can_be_wrong_has_a_wrong_value_here():
    names = settings.NAMES - {f"{name}_FILE" for name in settings.SECRETS}

    tried = READ.keys() | CHECKED.keys() | {name for wrong in CONTRADICTORY for name in wrong}

    assert tried | ANY_TEXT == names
    assert not tried & ANY_TEXT


def test_a_secret_is_a_value_or_a_file_but_not_both(tmp_path):
    file = tmp_path / "secret"
    file.write_text("postgresql://u:hunter2@h/x\n")

    done = start(tmp_path, DATABASE_URL="x.db", DATABASE_URL_FILE=str(file))

    assert done.returncode == 1
    assert done.stderr == (
        "linkwatch: setting DATABASE_URL_FILE: DATABASE_URL is set as well; set only one of them.\n"
    )
    empty = start(tmp_path, SECRET_KEY="", SECRET_KEY_FILE=str(_key(tmp_path)))
    assert (empty.returncode, empty.stderr) == (0, "")


@pytest.mark.parametrize("content", [b"caf\xe9", b"a\0b"])
def test_a_secret_that_is_not_text_is_refused_in_a_sentence(tmp_path, content):
    file = tmp_path / "secret"
    file.write_bytes(content)

    done = start(tmp_path, SECRET_KEY="", SECRET_KEY_FILE=str(file))

    expected = f"linkwatch: setting SECRET_KEY_FILE: {file} is not a text file in UTF-8.\n"
    assert (done.returncode, done.stderr) == (1, expected)


def test_an_empty_file_is_not_replaced_by_a_secret_of_this_process_alone(tmp_path):
    """Each container would have a key of its own, which ends with the container."""
    file = tmp_path / "secret"
    file.write_text("\n")
    empty = {"SECRET_KEY": "", "SECRET_KEY_FILE": str(file), "DATABASE_URL_FILE": str(file)}

    done = start(tmp_path, **empty, SECRET_KEY_FALLBACKS_FILE=str(file))

    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"linkwatch: setting {name}_FILE: {file} is empty."
        for name in ("SECRET_KEY", "DATABASE_URL")
    ]


def test_a_child_process_is_not_refused_for_a_file_that_its_parent_was_given(tmp_path):
    """An example is the reloader of `runserver`, which starts again with its parent's variables."""
    done = start(
        tmp_path,
        "--command",
        "import subprocess as s, sys; s.run([sys.executable, 'manage.py', 'check'], check=True)",
        command="shell",
        SECRET_KEY="",
        SECRET_KEY_FILE=str(_key(tmp_path)),
    )

    assert (done.returncode, done.stderr) == (0, "")


def _key(folder):
    path = folder / "key"
    path.write_text("k" * 50)
    return path


def test_check_reports_names_similar_to_settings(tmp_path):
    done = start(tmp_path, CHEK_PERIOD="1d")

    assert done.returncode == 0
    assert "CHEK_PERIOD is not a setting. Did you mean CHECK_PERIOD?" in done.stderr


def test_bodies_that_0_2_0_could_read_can_be_read(tmp_path):
    done = start(
        tmp_path,
        HTTP_PORT=" 8080",
        CHECK_RETRIES="+1",
        LOG_LEVEL="warn",
        CLEANUP_ENABLED="Yes",
        CHECK_SOFT_404="N",
        SHUTDOWN_GRACE="1s",
        RESULTS_RETENTION="1d",
        NOTIFY_QUIET="1h",
        SNIPPET_MAX_BYTES="16MiB",
        RATE_LIMIT="999999/1s",
    )

    assert (done.returncode, done.stderr) == (0, "")
