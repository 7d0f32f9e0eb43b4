"""Settings: all from the environment (or a `.env` file), each as NAME or, for secrets, NAME_FILE.

Invalid or contradictory values prevent the start, with one sentence per mistake.
"""

import importlib.util
import ipaddress
import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import django_stubs_ext
from environs import EnvValidationError

from accounts.roles import Role
from archives.archive_settings import Archive
from foundation.durations import format_duration
from foundation.net.countries import UnusableFileError, check_file
from foundation.net.guard import ForbiddenAddressError, Guard
from foundation.net.proxy import parse_proxy
from foundation.valkey import address, bundled
from linkwatch.admin_theme import UNFOLD as UNFOLD
from linkwatch.databases import Pooler, database_settings, replica_settings
from linkwatch.environment import (
    BASE_DIR,
    VERSION,
    env,
    join_words,
    mail_settings,
)
from linkwatch.logs import logging_settings
from linkwatch.secret_key import secret_key
from outbox.kafka_settings import kafka_mistakes
from targets.canonical import canonicalize

django_stubs_ext.monkeypatch()  # allows subscripting Django's generic classes

SECRETS = (
    *("SECRET_KEY", "SECRET_KEY_FALLBACKS", "DATABASE_URL", "DATABASE_REPLICA_URL", "REDIS_URL"),
    *("KAFKA_PASSWORD", "EGRESS_PROXY", "EMAIL_URL", "OIDC_CLIENT_SECRET"),
    "ARCHIVE_SAVE_KEY",
)
# Without these, each process would make or use its own: files with them may not be empty.
_SHARED_SECRETS = ("SECRET_KEY", "DATABASE_URL", "REDIS_URL")

_mistakes: list[str] = []


def _read_secret_files() -> None:
    """Read NAME from the file NAME_FILE, the way in which container platforms pass secrets."""
    for name in SECRETS:
        path = os.environ.get(f"{name}_FILE")
        if not path:
            continue
        if os.environ.get(name):
            _mistakes.append(f"{name}_FILE: {name} is set as well; set only one of them.")
        try:
            os.environ[name] = Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            _mistakes.append(f"{name}_FILE: {path} cannot be read ({error.strerror}).")
        except ValueError:  # other encodings; NUL bytes
            _mistakes.append(f"{name}_FILE: {path} is not a text file in UTF-8.")
        else:
            if name in _SHARED_SECRETS and not os.environ[name]:
                _mistakes.append(f"{name}_FILE: {path} is empty.")
        # Child processes get only NAME; NAME_FILE stays empty, so that no `.env` sets it again.
        os.environ[f"{name}_FILE"] = ""


def _seal() -> None:
    """Collect the errors of values that environs could not read."""
    try:
        env.seal()
    except EnvValidationError as error:
        _mistakes.extend(
            f"{name}: {' '.join(str(message) for message in messages)}"
            for name, messages in cast("dict[str, list[str]]", error.error_messages).items()
        )


def _stop_on_mistakes() -> None:
    """Exit if a setting is wrong, naming each variable."""
    if _mistakes:
        sys.exit("\n".join(f"linkwatch: setting {mistake}" for mistake in _mistakes))


_read_secret_files()

# Storage
if not os.environ.get("DATA_DIR"):  # empty is not the working directory of the command
    os.environ.pop("DATA_DIR", None)
DATA_DIR: Path = env.path("DATA_DIR", BASE_DIR / "data").absolute()

# Web
HTTP_HOST: str = env.str("HTTP_HOST", "127.0.0.1")
HTTP_PORT: int = env.number("HTTP_PORT", "8080", minimum=1, maximum=65535)
WEB_PROCESSES: int = env.number("WEB_PROCESSES", "1", minimum=1, maximum=64)
BASE_URL: str = env.text(
    "BASE_URL",
    f"http://localhost:{HTTP_PORT}",
    pattern=r"https?://[^/?#\s]+/?",
    expected="a URL such as https://links.example.org",
)
# As browsers write an origin: forms from any other are refused.
BASE_URL = (BASE_URL or "").rstrip("/").lower()
BASE_URL = BASE_URL.removesuffix(":443" if BASE_URL.startswith("https:") else ":80")
ALLOWED_HOSTS: list[str] = env.items("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
# Proxies in front of us whose X-Forwarded-For is trusted.
TRUSTED_PROXIES: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = env.networks(
    "TRUSTED_PROXIES", ""
)
# Origins whose pages may call the API with a token.
CORS_ORIGINS: list[str] = env.origins("CORS_ORIGINS", "")
RATE_LIMIT: tuple[int, timedelta] = env.rate("RATE_LIMIT", "600/1m")  # per route and client
# URLs that each member, and each client address, may look up.
LOOKUP_LIMIT: tuple[int, timedelta] = env.rate("LOOKUP_LIMIT", "300000/1h", minimum=5000)
# URLs per member, client address and token that batches may check.
BATCH_LIMIT: tuple[int, timedelta] = env.rate("BATCH_LIMIT", "100000/1d", minimum=5000)
# How many URLs may wait: of all batches, and of one host.
BATCH_QUEUE: int = env.number("BATCH_QUEUE", "100000", minimum=5000, maximum=10_000_000)
BATCH_HOST_QUEUE: int = env.number("BATCH_HOST_QUEUE", "5000", minimum=1, maximum=10_000_000)
# Longer than `foundation.tasks.IDEMPOTENCY_KEYS_KEPT`: a repeated request shows its first batch.
BATCH_RETENTION: timedelta = env.duration("BATCH_RETENTION", "7d", minimum="3d")
# Concurrent connections per client, including WebSockets; a trusted proxy may have any number.
CLIENT_CONNECTIONS: int = env.number("CLIENT_CONNECTIONS", "500", minimum=1, maximum=100_000)
SIGN_IN_LIMIT: tuple[int, timedelta] = env.rate("SIGN_IN_LIMIT", "10/1m")  # per client

# Accounts (ADR 26). Without EMAIL_URL, no mail is sent; without OIDC_ISSUER, everybody has a
# password.
EMAIL_URL: str = env.str("EMAIL_URL", "")  # may contain a password
EMAIL_FROM: str = env.str("EMAIL_FROM", "")
OIDC_ISSUER: str = env.text(
    "OIDC_ISSUER",
    "",
    pattern=r"|https?://[^?#\s]{1,180}",
    expected="a URL such as https://id.example.org/realms/all, of 180 characters at most",
)
OIDC_CLIENT_ID: str = env.str("OIDC_CLIENT_ID", "")
OIDC_CLIENT_SECRET: str = env.str("OIDC_CLIENT_SECRET", "")
OIDC_GROUPS: dict[str, str] = env.roles("OIDC_GROUPS", "")  # groups of the provider, with roles
OIDC_TEAMS: dict[str, str] = env.teams("OIDC_TEAMS", "")  # groups of the provider, with teams
OIDC_SIGN_OUT: bool = env.switch("OIDC_SIGN_OUT", "false")  # also sign out at the provider
OIDC_DEFAULT_ROLE: str = env.choice("OIDC_DEFAULT_ROLE", "", choices=list(Role), optional=True)

# Checks (docs/requirements.md#checks)
CHECK_INTERVAL: timedelta = env.duration("CHECK_INTERVAL", "15s", minimum="1ms")
MAX_CONCURRENCY: int = env.number("MAX_CONCURRENCY", "8", minimum=1, maximum=10_000)
HTTP_TIMEOUT: timedelta = env.duration("HTTP_TIMEOUT", "5s", minimum="1ms")
RECHECK_TIMEOUT: timedelta = env.duration("RECHECK_TIMEOUT", "20s", minimum="1ms")
SHUTDOWN_GRACE: timedelta = env.duration("SHUTDOWN_GRACE", "10s", minimum="1s")
CHECK_PERIOD: timedelta = env.duration("CHECK_PERIOD", "10d", minimum="1ms")
RECHECK_PERIOD: timedelta = env.duration("RECHECK_PERIOD", "1d", minimum="1ms")
DEAD_RECHECK_PERIOD: timedelta | None = env.optional_duration("DEAD_RECHECK_PERIOD", "off")
RECHECK_THRESHOLD: int = env.number("RECHECK_THRESHOLD", "3", minimum=1, maximum=1000)
CHECK_RETRIES: int = env.number("CHECK_RETRIES", "2", minimum=0, maximum=10)
CHECK_BACKOFF: timedelta = env.duration("CHECK_BACKOFF", "200ms")
INCONCLUSIVE_LIMIT: timedelta = env.duration("INCONCLUSIVE_LIMIT", "7d")
CHECK_CONDITION: str = env.str("CHECK_CONDITION", "evidence")
CHECK_CONDITIONS: dict[str, str] = env.functions("CHECK_CONDITIONS", "")
CHECK_METHOD: Literal["GET", "HEAD"] = env.choice("CHECK_METHOD", "GET", choices=["GET", "HEAD"])
ASK_NEIGHBOURS: bool = env.switch("ASK_NEIGHBOURS", "true")
FAVICONS: bool = env.switch("FAVICONS", "false")
ROBOTS: Literal["ignore", "optout"] = env.choice("ROBOTS", "ignore", choices=["ignore", "optout"])
CHECK_SOFT_404: bool = env.switch("CHECK_SOFT_404", "false")
FAILING_FLAGS: list[str] = env.items("FAILING_FLAGS", "")
CERTIFICATE_WARNING: timedelta = env.duration("CERTIFICATE_WARNING", "14d")
CANARY_URLS: list[str] = env.urls("CANARY_URLS", "")
USER_AGENT: str = env.text(
    "USER_AGENT",
    f"Linkwatch/{VERSION.rpartition('.')[0]} (+{BASE_URL}/about/checks)",
    pattern=r"[\x20-\x7e]+",
    expected="text of one or more printable ASCII characters",
)
CONTACT: str = env.str("CONTACT", "")  # for webmasters
VERIFY_TLS: Literal["on", "off", "warn"] = env.choice(
    "VERIFY_TLS", "on", choices=["on", "off", "warn"]
)
HOST_DELAY: timedelta = env.duration("HOST_DELAY", "1s")
BUSY_TIMEOUT: timedelta = env.duration("BUSY_TIMEOUT", "60s", minimum="1ms")
CHECKER_SHIFTS: int = env.number("CHECKER_SHIFTS", "1", minimum=0, maximum=64)
ALLOW_NETWORKS: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = env.networks(
    "ALLOW_NETWORKS", ""
)
ALLOW_PORTS: tuple[range, ...] = env.ports("ALLOW_PORTS", "80,443,1024-65535")
# The egress proxy; its URL may contain a password.
EGRESS_PROXY: str = env.str("EGRESS_PROXY", "")
PUBLIC_LISTS: dict[str, str] = env.prefixes("PUBLIC_LISTS", "")
EGRESS_BYPASS: list[str] = env.items("EGRESS_BYPASS", "")
RESULTS_RETENTION: timedelta = env.duration("RESULTS_RETENTION", "90d", minimum="1d")

# Copies of dead pages (docs/copies.md): web archives, in this order; none by default.
ARCHIVES: list[Archive] = env.archives("ARCHIVES", "")
ARCHIVE_LIMIT: tuple[int, timedelta] = env.rate("ARCHIVE_LIMIT", "24/1m")  # requests per archive
# Saving new pages (docs/copies.md#saving-pages): the service and the references; none by default.
ARCHIVE_SAVES: Archive | None = env.save_service("ARCHIVE_SAVES", "")
ARCHIVE_SAVE_KEY: str = env.text(
    "ARCHIVE_SAVE_KEY",
    "",
    pattern=r"|[!-9;-~]{1,200}:[!-~]{1,200}",
    expected="a key and a secret of the service, such as key:secret",
)
ARCHIVE_SAVE_PREFIXES: list[str] = env.items("ARCHIVE_SAVE_PREFIXES", "")
ARCHIVE_SAVE_LIMIT: tuple[int, timedelta] = env.rate("ARCHIVE_SAVE_LIMIT", "6/1m")  # pages

# Events (docs/requirements.md#events). Without KAFKA_BOOTSTRAP_SERVERS, there is only the feed.
EVENT_STATES: list[str] = env.items("EVENT_STATES", "dead")
EVENT_BUILDER: str = env.str("EVENT_BUILDER", "")
TRANSITIONS_RETENTION: timedelta | None = env.retention(
    "TRANSITIONS_RETENTION",
    "forever",
    minimum="3d",  # channels can catch up this far back
)
TRACES_RETENTION: timedelta = env.duration("TRACES_RETENTION", "365d", minimum="1d")
ENDED_LINKS_RETENTION: timedelta | None = env.optional_duration(
    "ENDED_LINKS_RETENTION", "365d", minimum="1d"
)
KAFKA_BOOTSTRAP_SERVERS: list[str] = env.items("KAFKA_BOOTSTRAP_SERVERS", "")
KAFKA_TOPIC: str = env.str("KAFKA_TOPIC", "linkwatch.targets")
KAFKA_START: str = env.choice("KAFKA_START", "end", choices=["end", "start"])
KAFKA_TIMEOUT: timedelta = env.duration("KAFKA_TIMEOUT", "10s", minimum="2s")
KAFKA_API_VERSION: str = env.str("KAFKA_API_VERSION", "")
KAFKA_SECURITY_PROTOCOL: str = env.str("KAFKA_SECURITY_PROTOCOL", "PLAINTEXT")
KAFKA_SASL_MECHANISM: str = env.str("KAFKA_SASL_MECHANISM", "")
KAFKA_USERNAME: str = env.str("KAFKA_USERNAME", "")
KAFKA_PASSWORD: str = env.str("KAFKA_PASSWORD", "")
KAFKA_CA_FILE: str = env.str("KAFKA_CA_FILE", "")

# By kind of sink, the path of a function that yields the configured sinks (`outbox.readers`).
SINKS: dict[str, str] = {
    "kafka": "outbox.kafka_settings.instances",
    "links": "shortener.reader.instances",
    "notify": "notify.reader.instances",
    "saves": "archives.save_reader.instances",
}

# Notifications (notify): when digests of hosts and reports of our own outages are sent.
NOTIFY_QUIET: timedelta = env.duration("NOTIFY_QUIET", "10m", minimum="1ms")
NOTIFY_LONGEST: timedelta = env.duration("NOTIFY_LONGEST", "1h", minimum="1ms")
NOTIFY_OUTAGE_AFTER: timedelta = env.duration("NOTIFY_OUTAGE_AFTER", "60s")

# Snippets and their analytics (docs/requirements.md#snippets)
LARGEST_SNIPPET = "16MiB"  # snippets are kept in memory; this also limits the lines of backups
SNIPPET_MAX_BYTES: int = env.size("SNIPPET_MAX_BYTES", "1MiB", maximum=LARGEST_SNIPPET)
# The largest body has room for 1,000 of the longest URLs, and for the longest snippet with every
# byte escaped in JSON.
MAX_BODY_BYTES = max(4 * 1024 * 1024, 6 * (SNIPPET_MAX_BYTES or 0) + 64 * 1024)
# Whether anonymous visitors may create snippets, and how many per client.
ANONYMOUS_SNIPPETS: bool = env.switch("ANONYMOUS_SNIPPETS", "false")
ANONYMOUS_SNIPPETS_LIMIT: tuple[int, timedelta] = env.rate("ANONYMOUS_SNIPPETS_LIMIT", "10/1h")
# Whether anonymous visitors may check links, and how many per client.
ANONYMOUS_CHECKS: bool = env.switch("ANONYMOUS_CHECKS", "false")
ANONYMOUS_CHECKS_LIMIT: tuple[int, timedelta] = env.rate("ANONYMOUS_CHECKS_LIMIT", "100/1h")
# The consumer group of the stream of views.
STREAM_GROUP: str = env.str("STREAM_GROUP", "linkwatch")
TREND_HALF_LIFE: timedelta = env.duration("TREND_HALF_LIFE", "1d", minimum="1s")
VIEWS_RETENTION: timedelta | None = env.retention(
    "VIEWS_RETENTION",
    "forever",
    minimum="31d",  # because pages show 30 days
)

# Short links (docs/requirements.md#expiry-reaper)
SHORT_DOMAIN: str = env.text(
    "SHORT_DOMAIN",
    "",
    pattern=r"|[a-z0-9.-]+(:[0-9]+)?",
    expected="a host in lower case such as lnk.example",
)
GEOIP_FILE: str = env.str("GEOIP_FILE", "")  # without it, countries of visits are not counted
CLEANUP_ENABLED: bool = env.switch("CLEANUP_ENABLED", "true")
CLEANUP_INTERVAL: timedelta = env.duration("CLEANUP_INTERVAL", "15m", minimum="1m")
CLEANUP_BATCH_SIZE: int = env.number("CLEANUP_BATCH_SIZE", "1000", minimum=1, maximum=100_000)
CLEANUP_BUFFER_TIME: timedelta = env.duration("CLEANUP_BUFFER_TIME", "1h")
CLEANUP_MAX_DURATION: timedelta = env.duration("CLEANUP_MAX_DURATION", "5m", minimum="1s")

_SECRET_KEY: str = env.str("SECRET_KEY", "")
# Former keys, for decryption and verification.
SECRET_KEY_FALLBACKS: list[str] = env.items("SECRET_KEY_FALLBACKS", "")
_DATABASE_DRIVER: str = env.str("DATABASE_DRIVER", "")
_DATABASE_URL: str = env.str("DATABASE_URL", "")
_DATABASE_REPLICA_URL: str = env.str("DATABASE_REPLICA_URL", "")
DATABASE_POOLER: Pooler = env.choice("DATABASE_POOLER", "", choices=["transaction"], optional=True)
REDIS_URL: str = env.str("REDIS_URL", "")
VALKEY_MEMORY: int = env.size("VALKEY_MEMORY", "1GiB", minimum="32MiB", maximum="1024GiB")
DURABILITY: Literal["crash", "power"] = env.choice(
    "DURABILITY", "crash", choices=["crash", "power"]
)
LOG_LEVEL: int = env.level("LOG_LEVEL", "INFO")
ALIVE_FILE: str = env.str("ALIVE_FILE", "")  # of this process only (foundation/watchdog.py)


_seal()
_stop_on_mistakes()


# The names of all settings, and the NAME_FILE variables of those that may be given as a file.
NAMES = frozenset(env.dump()) | {f"{name}_FILE" for name in SECRETS}
# Settings that affect verdicts and their display: commands that record verdicts must have the same
# as running processes (foundation/settings_comparison.py).
VERDICT_SETTINGS = (
    *("ALLOW_NETWORKS", "ALLOW_PORTS", "ASK_NEIGHBOURS", "CANARY_URLS", "CERTIFICATE_WARNING"),
    "CHECK_BACKOFF",
    *("CHECK_CONDITION", "EGRESS_BYPASS", "EGRESS_PROXY", "FAILING_FLAGS"),
    *("CHECK_CONDITIONS", "CHECK_METHOD", "CHECK_PERIOD", "CHECK_RETRIES", "CHECK_SOFT_404"),
    *("EVENT_BUILDER", "EVENT_STATES", "HTTP_TIMEOUT", "INCONCLUSIVE_LIMIT", "RECHECK_PERIOD"),
    *("DEAD_RECHECK_PERIOD", "RECHECK_THRESHOLD", "RECHECK_TIMEOUT", "ROBOTS", "VERIFY_TLS"),
)
# All settings that a command and the running processes should share.
SHARED_SETTINGS = (
    *VERDICT_SETTINGS,
    *("BASE_URL", "BUSY_TIMEOUT", "CLEANUP_BUFFER_TIME", "HOST_DELAY", "MAX_CONCURRENCY"),
    *("KAFKA_BOOTSTRAP_SERVERS", "KAFKA_TOPIC", "SHORT_DOMAIN", "SNIPPET_MAX_BYTES"),
    *("STREAM_GROUP", "TREND_HALF_LIFE", "USER_AGENT", "CONTACT"),
)
# Without REDIS_URL, the bundled Valkey is used: `manage.py up` starts it, other commands find it.
BUNDLES_VALKEY = not REDIS_URL
REDIS_URL = REDIS_URL or bundled.running_url(DATA_DIR)
# The part of the grace period for requests in progress; the rest is for writes and clean-up.
REQUEST_GRACE: timedelta = max(SHUTDOWN_GRACE - timedelta(seconds=1), SHUTDOWN_GRACE / 2)
_MIN_KEY_LENGTH = 50  # characters of SECRET_KEY
_STATES = ("pending", "alive", "potentially_dead", "dead")
# Conditions for checks; operators add to them with CHECK_CONDITIONS, never through the API.
_BUILT_IN_CONDITIONS = ("evidence", "status-200")
CONDITION_NAMES = tuple(dict.fromkeys((*_BUILT_IN_CONDITIONS, *CHECK_CONDITIONS)))
# The timeout of the test of our own network, after a check that reached no server.
WITNESS_TIMEOUT: timedelta = HTTP_TIMEOUT


def _check_contradictions() -> None:
    if taken := CHECK_CONDITIONS.keys() & set(_BUILT_IN_CONDITIONS):
        _mistakes.append(
            f"CHECK_CONDITIONS: {' and '.join(sorted(taken))} {'is' if len(taken) == 1 else 'are'} "
            "built in; use another name."
        )
    if CHECK_CONDITION not in CONDITION_NAMES:
        names = join_words(CONDITION_NAMES)
        _mistakes.append(f"CHECK_CONDITION: {CHECK_CONDITION!r} is unknown; use {names}.")
    _mistakes.extend(
        f"EVENT_STATES: {unknown!r} is not a state of a target; use {join_words(_STATES)}."
        for unknown in sorted(set(EVENT_STATES) - set(_STATES))
    )
    if NOTIFY_QUIET > NOTIFY_LONGEST:
        _mistakes.append(
            f"NOTIFY_QUIET: {format_duration(NOTIFY_QUIET)} is longer than NOTIFY_LONGEST; use "
            f"{format_duration(NOTIFY_LONGEST)} or less."
        )
    if _SECRET_KEY and len(_SECRET_KEY) < _MIN_KEY_LENGTH:
        _mistakes.append(
            f"SECRET_KEY: a key of {len(_SECRET_KEY)} characters is too short; use at least "
            f"{_MIN_KEY_LENGTH} random characters."
        )
    _check_canaries()
    _check_proxy()
    if ARCHIVE_SAVES and not ARCHIVES:
        _mistakes.append("ARCHIVE_SAVES: set ARCHIVES as well, so that saved pages can be found.")
    if OIDC_ISSUER and not (OIDC_CLIENT_ID and OIDC_CLIENT_SECRET):
        _mistakes.append(
            f"OIDC_ISSUER: {OIDC_ISSUER} needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; set both."
        )
    _check_redis()
    _mistakes.extend(kafka_mistakes(globals()))


def _check_redis() -> None:
    try:
        if not BUNDLES_VALKEY:
            address.check(REDIS_URL)
    except ValueError as error:
        _mistakes.append(f"REDIS_URL: {error}")


def _check_geoip_file() -> None:
    try:
        if GEOIP_FILE:
            check_file(Path(GEOIP_FILE))
    except UnusableFileError as error:
        _mistakes.append(f"GEOIP_FILE: {error}")


def _check_proxy() -> None:
    try:
        if EGRESS_PROXY:
            parse_proxy(EGRESS_PROXY)
    except ValueError:  # its text may contain the password
        _mistakes.append("EGRESS_PROXY: use http://host:port or http://user:password@host:port.")
    try:
        parse_proxy("http://any.example:1", bypass=EGRESS_BYPASS)
    except ValueError as error:
        _mistakes.append(f"EGRESS_BYPASS: {error}")


def _check_canaries() -> None:
    """Check CANARY_URLS: with a forbidden canary, no target would ever be declared dead."""
    guard = Guard(allow_networks=ALLOW_NETWORKS, allow_ports=ALLOW_PORTS)
    for url in CANARY_URLS:
        canonical = canonicalize(url)
        try:
            guard.check_literal(canonical.host, port=canonical.port)
        except ForbiddenAddressError:
            _mistakes.append(
                f"CANARY_URLS: Linkwatch is not allowed to visit {url}; allow its address or "
                "port with ALLOW_NETWORKS or ALLOW_PORTS, or use another URL."
            )


def _databases() -> dict[str, Any]:
    try:
        primary = database_settings(
            _DATABASE_URL,
            driver=_DATABASE_DRIVER,
            pooler=DATABASE_POOLER,
            folder=DATA_DIR,
            durability=DURABILITY,
        )
        if _DATABASE_REPLICA_URL:
            other = replica_settings(_DATABASE_REPLICA_URL, pooler=DATABASE_POOLER, primary=primary)
            return {"default": primary, "replica": other}
    except ValueError as error:
        _mistakes.append(str(error))
        return {}
    return {"default": primary}


def _mail() -> dict[str, Any]:
    """Return Django's settings for outgoing mail; if EMAIL_URL is invalid, record the mistake."""
    try:
        return mail_settings(EMAIL_URL)
    except ValueError:  # its text may contain the password
        _mistakes.append("EMAIL_URL: use a URL such as smtp+tls://user:password@host:587.")
        return {}


def _secret_key() -> str:
    try:
        return secret_key(_SECRET_KEY, folder=DATA_DIR)
    except OSError as error:
        _mistakes.append(
            f"DATA_DIR: {DATA_DIR} cannot be used by user {os.geteuid()} ({error.strerror})."
        )
        return ""


_check_contradictions()
_check_geoip_file()
SECRET_KEY = _secret_key()
DATABASES = _databases()
DATABASE_ROUTERS = ["foundation.database.replica.Router"] if "replica" in DATABASES else []
globals().update(_mail())
_stop_on_mistakes()

# `runserver` is daphne's and serves the whole product; daphne takes 53 MB, so other commands do not
# load it (ADR 18).
_IS_DEVELOPMENT = sys.argv[1:2] == ["runserver"]
if _IS_DEVELOPMENT and importlib.util.find_spec("daphne") is None:
    sys.exit("linkwatch: runserver needs daphne, which `make install-dev` installs.")

# Django
DEBUG = False
ROOT_URLCONF = "linkwatch.urls"
ASGI_APPLICATION = "linkwatch.development.application"  # for runserver
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "linkwatch.formats"
APPEND_SLASH = False
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_AUTOREFRESH = _IS_DEVELOPMENT
# Files whose content never changes; browsers revalidate others after a minute.
WHITENOISE_IMMUTABLE_FILE_TEST = r"\.v\d+\.woff2$"
WHITENOISE_USE_FINDERS = True  # served from the packages, without collectstatic
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BASE_URL.startswith("https://")
CSRF_TRUSTED_ORIGINS = [BASE_URL]
# TLS ends at the proxy in front: redirects to https and HSTS are set there.
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008"]

INSTALLED_APPS = [
    *(["daphne"] if _IS_DEVELOPMENT else []),
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_q",
    "channels",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.mfa",
    "linkwatch",
    "foundation",
    "accounts",
    "analytics",
    "hosts",
    "outbox",
    "targets",
    "checker",
    "snippets",
    "shortener",
    "notify",
    "lookups",
    "batches",
    "archives",
    "agents",
    "status",
    "console",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "foundation.http.static_files.StaticFilesMiddleware",
    "foundation.http.compression.PageCompressionMiddleware",
    "foundation.http.csp.ContentSecurityPolicyMiddleware",
    "foundation.http.guess_limit.MissesMiddleware",
    "foundation.http.deprecations.DeprecationMiddleware",
    "foundation.http.forms.FormMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.time_zones.ReaderZoneMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "foundation.http.csp.nonce",
            ]
        },
    }
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]


def cache_settings(redis_url: str) -> dict[str, dict[str, Any]]:
    """Return CACHES for this Redis.

    Without a URL (in a command while no process runs), the cache is in this process's memory.
    """
    if not redis_url:
        return {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    return {
        "default": {
            "BACKEND": "django_redis.cache.RedisCache",
            "LOCATION": [redis_url],  # because a string would be split at commas
            "OPTIONS": {"CONNECTION_FACTORY": "foundation.valkey.django_cache.Connections"},
        }
    }


CACHES = cache_settings(REDIS_URL)
AUTHENTICATION_BACKENDS = ["accounts.backends.Backend"]
LOGIN_URL = LOGOUT_REDIRECT_URL = "sign-in"
LOGIN_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = 3600  # seconds
DEFAULT_FROM_EMAIL = EMAIL_FROM or f"linkwatch@{urlsplit(BASE_URL).hostname}"
# allauth (ADR 26): sign-in by name, no sign-up, and SIGN_IN_LIMIT is the only limit.
ACCOUNT_ADAPTER = "accounts.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_UNIQUE_EMAIL = False
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_RATE_LIMITS = False
SOCIALACCOUNT_ADAPTER = "accounts.oidc.ProviderAdapter"
CSRF_FAILURE_VIEW = "foundation.http.errors.csrf_failure"
# Sessions are only in the database, so that people can sign in without Redis, and ended
# sessions do not come back when Redis does.
SESSION_ENGINE = "accounts.sessions"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["foundation.http.permissions.ModelPermissions"],
    "DEFAULT_THROTTLE_CLASSES": ["foundation.http.throttling.ClientThrottle"],
    "DEFAULT_PARSER_CLASSES": ["foundation.http.parsers.SafeJSONParser"],
    "DEFAULT_RENDERER_CLASSES": [
        "rest_framework.renderers.JSONRenderer",
        "foundation.http.browsable.PageRenderer",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "foundation.http.negotiation.ProblemNegotiation",
    "DEFAULT_SCHEMA_CLASS": "foundation.http.openapi.OperationSchema",
    "DEFAULT_PAGINATION_CLASS": None,
    "EXCEPTION_HANDLER": "foundation.http.errors.render_error",
    "NON_FIELD_ERRORS_KEY": "body",
    "NUM_PROXIES": 0,
    "URL_FORMAT_OVERRIDE": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
REST_KNOX = {"TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Token"}
SPECTACULAR_SETTINGS = {
    "TITLE": "Linkwatch",
    "DESCRIPTION": "A registry of URLs that reports, with evidence, when one dies.",
    "OAS_VERSION": "3.1.0",  # needed for webhooks
    "VERSION": "1",  # of the API, as in its paths
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "HostStateEnum": "hosts.models.HostState",
        "TargetStateEnum": "targets.serializers.STATES",
        "LinkStateEnum": "shortener.models.LinkState",
        "ChannelStateEnum": "notify.models.ChannelState",
        "DeliveryStateEnum": "notify.models.DeliveryState",
        "BatchStateEnum": "batches.models.STATES",
    },
    "TAGS": [
        {"name": "targets", "description": "Watched URLs, references to them, and events."},
        {"name": "checker", "description": "Results of checks."},
        {"name": "lookups", "description": "The status of any URL, without registering it."},
        {"name": "batches", "description": "URLs that are checked once, without being registered."},
        {"name": "hosts", "description": "Reservations: one fetcher per host or alias."},
        {"name": "shortener", "description": "Short links."},
        {"name": "snippets", "description": "Pieces of text."},
        {
            "name": "accounts",
            "description": ("Teams: people who share links, snippets and references."),
        },
        {"name": "notify", "description": "Channels: who is notified about what, and when."},
        {"name": "analytics", "description": "Views, trends and the state of the counters."},
        {"name": "status", "description": "Health and stats."},
        {"name": "foundation", "description": "An index of all paths."},
    ],
    "WEBHOOKS": [
        f"notify.kinds.webhook.webhook_openapi.{name}_WEBHOOK"
        for name in ("TARGET", "DEPLOYMENT", "DIGEST")
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}
# django-q2: see linkwatch/schedules.py for its jobs. The reaper runs for up to
# CLEANUP_MAX_DURATION; a task may take that (at least two minutes), the grace and a margin.
_MAX_TASK_DURATION = max(timedelta(minutes=2), CLEANUP_MAX_DURATION)
_TASK_TIMEOUT = int((_MAX_TASK_DURATION + SHUTDOWN_GRACE + timedelta(seconds=60)).total_seconds())
Q_CLUSTER = {
    "name": "linkwatch",
    "orm": "default",
    "broker_class": "linkwatch.processes.task_queue.Queue",
    "workers": 2,
    "recycle": 1,  # task, then a new fork: a task copies 17 MB of shared memory (ADR 24)
    "poll": 1,  # seconds between polls for a task
    "guard_cycle": 1,  # seconds between checks of the workers
    "timeout": _TASK_TIMEOUT,
    "retry": _TASK_TIMEOUT + 60,
    "max_attempts": 3,
    "ack_failures": True,
    "queue_limit": 2,
    "catch_up": False,
    "save_limit": 100,
    "label": "Tasks",
}

LOGGING = logging_settings(LOG_LEVEL, handled=["kafka"])  # handled by outbox.kafka
