"""Bad settings and their messages at start-up; how lists are read; docs/configuration.md."""

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from django.conf import settings

from foundation import settings_comparison
from linkwatch.environment import misspelled
from status import prometheus
from tests import mmdb
from tests.acceptance.processes import ROOT, environment

pytestmark = pytest.mark.any_database


def start(tmp_path, *arguments, command="check", root=ROOT, **changes):
    return subprocess.run(
        [sys.executable, "manage.py", command, *arguments],
        cwd=root,
        env=environment(**{"DATA_DIR": str(tmp_path), **changes}),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_file_without_countries_prevents_the_start(tmp_path):
    missing = start(tmp_path, GEOIP_FILE=str(tmp_path / "nowhere.mmdb"))
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr.strip().endswith(
        "nowhere.mmdb cannot be read (No such file or directory)."
    )
    (tmp_path / "broken.mmdb").write_bytes(b"\xab\xcd\xefMaxMind.com" * 10)
    broken = start(tmp_path, GEOIP_FILE=str(tmp_path / "broken.mmdb"))
    assert "setting GEOIP_FILE: " in broken.stderr
    assert broken.stderr.strip().endswith("broken.mmdb is not a MaxMind DB file, or is damaged.")
    file = mmdb.write(tmp_path / "good.mmdb", {"192.0.2.0/24": mmdb.country("CH")})
    assert start(tmp_path, GEOIP_FILE=str(file)).returncode == 0


def test_contradictions_and_unknown_choices_prevent_the_start(tmp_path):
    done = start(
        tmp_path,
        CHECK_CONDITION="kettle",
        CHECK_CONDITIONS="evidence=our.rule,teapot=our.other",
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "linkwatch: setting CHECK_CONDITIONS: evidence is built in; use another name.",
        "linkwatch: setting CHECK_CONDITION: 'kettle' is unknown; "
        "use evidence, status-200 or teapot.",
    ]


def test_a_missing_condition_prevents_the_start(tmp_path):
    done = start(tmp_path, CHECK_CONDITIONS="own=tests.checker.own_conditions.missing")
    assert done.returncode == 1
    assert "CHECK_CONDITIONS: own=tests.checker.own_conditions.missing cannot be" in done.stderr


def test_good_values_of_all_settings_are_accepted(tmp_path):
    done = start(
        tmp_path,
        INCONCLUSIVE_LIMIT="14d",
        CANARY_URLS="https://example.org, http://example.net/up",
        ALLOW_PORTS="80, 443, 8000-8999",
        CHECK_CONDITIONS="teapot=tests.checker.own_conditions.accepts_teapots",
        CHECK_CONDITION="teapot",
        CHECK_SOFT_404="1",
        CHECK_METHOD="HEAD",
    )
    assert (done.returncode, done.stderr) == (0, "")


LISTS = {  # a list of two items for each setting that is a list
    "ALLOWED_HOSTS": "localhost,links.example",
    "TRUSTED_PROXIES": "10.0.0.0/8,fd00::/8",
    "CORS_ORIGINS": "https://a.example,https://b.example",
    "OIDC_GROUPS": "staff=Viewers,admins=Operators",
    "OIDC_TEAMS": "writers=Docs,site=Website",
    "CHECK_CONDITIONS": "shop=os.path.join,wiki=os.path.split",
    "FAILING_FLAGS": "parked,moved",
    "CANARY_URLS": "https://10.0.0.1/,https://10.0.0.2/",
    "ALLOW_NETWORKS": "10.0.0.0/8,fd00::/8",
    "PUBLIC_LISTS": "handbook=docs/handbook/,site=site/",
    "EGRESS_BYPASS": "10.0.0.0/8,.example.org",
    "ARCHIVES": "wayback,timegate https://archive.example/web/",
    "ARCHIVE_SAVE_PREFIXES": "docs:,site:",
    "EVENT_STATES": "dead,alive",
    "KAFKA_BOOTSTRAP_SERVERS": "a.example:9092,b.example:9092",
    "SECRET_KEY_FALLBACKS": f"{'a' * 50},{'b' * 50}",
}


def read(tmp_path, **values):
    """Return settings as a process reads them from the environment."""
    show = f"from django.conf import settings\nfor name in {list(values)}: print('=', name, "
    show += "getattr(settings, name))"
    done = start(tmp_path, "--command", show, command="shell", **values)
    assert done.returncode == 0, done.stderr
    lines = [line[2:].split(" ", 1) for line in done.stdout.splitlines() if line[:2] == "= "]
    return dict(lines)


def test_lists_may_have_superfluous_spaces_and_commas(tmp_path):
    sloppy = {name: f" , {value.replace(',', ' ,, ')} ,," for name, value in LISTS.items()}
    found = read(tmp_path, **LISTS)
    assert len(found) == len(LISTS)
    assert read(tmp_path, **sloppy) == found


def test_the_base_url_is_an_origin_as_browsers_send_it(tmp_path):
    """Otherwise, Django refuses every form behind a proxy with TLS."""
    given = {"BASE_URL": "https://Links.Example.org:443/"}
    assert read(tmp_path, **given) == {"BASE_URL": "https://links.example.org"}


def test_each_setting_that_is_a_list_is_tested_here():
    readers = "items|networks|urls|origins|functions|roles|teams|prefixes|archives"
    source = (ROOT / "linkwatch" / "settings.py").read_text()
    assert set(re.findall(rf"env\.(?:{readers})\(\s*\"(\w+)\"", source)) == LISTS.keys()
    assert "env.list(" not in source


def test_the_version_is_defined_once_and_shown_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    product = f"Linkwatch/{'.'.join(version.split('.')[:2])}"
    assert settings.USER_AGENT.startswith(f"{product} (+")
    for name in ("docs/configuration.md", ".env.example"):
        assert set(re.findall(r"Linkwatch/[\d.]+", (ROOT / name).read_text())) == {product}
    info = next(one for one in prometheus.families() if one.name == "linkwatch_build_info")
    assert info.samples[0].labels["version"] == version
    # The image's label and the SBOM take the version from there, too.
    assert "sed -n 's/^version" in (ROOT / "Makefile").read_text()
    newest = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    assert newest == "Unreleased" or newest.startswith(f"{version} - 20")


def test_only_runserver_loads_daphne(tmp_path):
    run = [sys.executable, "-X", "importtime", "manage.py"]
    for command, has_it in ((["check"], False), (["runserver", "--help"], True)):
        done = subprocess.run(
            [*run, *command],
            cwd=ROOT,
            env=environment(DATA_DIR=str(tmp_path)),
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("daphne.server" in done.stderr) is has_it


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("CHECK_PERIODD", "CHECK_PERIOD"),
        ("CHEKC_PERIOD", "CHECK_PERIOD"),
        ("RECHECK_PERIODS", "RECHECK_PERIOD"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("DATADIR", "DATA_DIR"),
        ("SECRET_KEY_FILES", "SECRET_KEY_FILE"),
    ],
)
def test_a_name_within_two_letters_of_a_setting_is_reported(name, meant):
    assert misspelled([name], settings.NAMES) == [(name, meant)]


@pytest.mark.parametrize(
    "name",
    [
        *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "HTTPS_PORT", "SMTP_PORT", "SMTP_HOST"),
        *("FTP_PORT", "REDIS_SSL", "REDIS_HOST", "REDIS_PORT", "DATABASE_USER", "DATABASE_NAME"),
        *("KAFKA_HOME", "KAFKA_BROKERS", "SECRET_KEY_BASE", "HOSTNAME", "LOGNAME", "LOG_FILE"),
        *("BASE_DIR", "DATA_HOME", "XDG_DATA_DIRS", "LINKWATCH_REAL_KAFKA", "TEST_DATABASE", ""),
    ],
)
def test_variables_of_other_programs_are_not_reported(name):
    assert misspelled([name], settings.NAMES) == []


def test_no_setting_is_reported_as_a_misspelling_of_another():
    assert misspelled(settings.NAMES, settings.NAMES) == []


@pytest.fixture
def installed(tmp_path):
    """A Linkwatch that may have its own `.env` file."""
    leave_out = shutil.ignore_patterns("__pycache__", ".*", "tests", "bench", "docs", "data")
    return shutil.copytree(ROOT, tmp_path / "installed", ignore=leave_out)


def test_environment_variables_override_settings_of_the_env_file(tmp_path, installed):
    (installed / ".env").write_text("HTTP_PORT=0\nLOG_LEVEL=loud\nSECRET_KEY_FILE=/nowhere\n")
    done = start(tmp_path, root=installed, LOG_LEVEL="INFO")
    assert done.stderr.splitlines() == [
        "linkwatch: setting SECRET_KEY_FILE: /nowhere cannot be read (No such file or directory).",
        "linkwatch: setting HTTP_PORT: '0' is not a whole number from 1 to 65535.",
    ]


def test_an_empty_data_dir_is_the_default_one(tmp_path, installed):
    """Not the working directory, where each command could begin another database."""
    assert start(tmp_path, root=installed, DATA_DIR="").returncode == 0
    assert (installed / "data" / "secret_key").exists()
    assert not (installed / "secret_key").exists()


def test_a_starting_process_warns_of_names_from_environment_and_file(tmp_path, installed):
    (installed / ".env").write_text("RECHECK_THRESHOL=5\n")
    done = start(tmp_path, command="run_analytics", root=installed, CHECK_PERIODD="1d")
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["level"], line["message"]) for line in lines] == [
        ("WARNING", "CHECK_PERIODD is not a setting. Did you mean CHECK_PERIOD?"),
        ("WARNING", "RECHECK_THRESHOL is not a setting. Did you mean RECHECK_THRESHOLD?"),
        ("CRITICAL", "REDIS_URL is not set: there is no stream to read."),
    ]


def test_a_canary_that_may_not_be_visited_stops_start_up_with_a_sentence(tmp_path):
    done = start(tmp_path, CANARY_URLS="http://10.0.0.1/,http://a.example:25/,http://b.example/")

    assert done.returncode == 1
    assert [line.split(";")[0] for line in done.stderr.splitlines()] == [
        f"linkwatch: setting CANARY_URLS: Linkwatch is not allowed to visit {url}"
        for url in ("http://10.0.0.1/", "http://a.example:25/")
    ]
    opened = start(tmp_path, CANARY_URLS="http://10.0.0.1/", ALLOW_NETWORKS="10.0.0.0/8")
    assert opened.returncode == 0, opened.stderr


def test_a_bad_proxy_stops_startup_without_showing_its_password(tmp_path):
    secret = tmp_path / "proxy"
    secret.write_text("http://user:hunter2@proxy.example\n")
    done = start(tmp_path, EGRESS_PROXY_FILE=str(secret), EGRESS_BYPASS="10.0.0.0/8,10.0.0.1/8")

    assert done.returncode == 1
    assert [line.split(":")[1] for line in done.stderr.splitlines()] == [
        " setting EGRESS_PROXY",
        " setting EGRESS_BYPASS",
    ]
    assert "hunter2" not in done.stderr
    secret.write_text("http://user:hunter2@proxy.example:3128\n")
    assert start(tmp_path, EGRESS_PROXY_FILE=str(secret)).returncode == 0


def test_processes_do_not_announce_the_password_of_the_proxy(settings):
    settings.EGRESS_PROXY = "http://user:hunter2@proxy.example:3128"

    reported = settings_comparison._current_settings()
    assert reported["EGRESS_PROXY"].startswith("a value with the fingerprint")
    assert "hunter2" not in repr(reported)


# The default of a row in words, because it depends on another setting or on the code.
COMPUTED = {"DATA_DIR", "DATABASE_URL", "BASE_URL", "USER_AGENT", "ALLOWED_HOSTS", "EMAIL_FROM"}


def documented():
    """Return the default, as docs/configuration.md writes it, of each setting."""
    page = (ROOT / "docs/configuration.md").read_text()
    rows = re.findall(r"^\| (`[A-Z].*?) \| (.*?) \| ", page, re.MULTILINE)
    pairs = []
    for cell, default in rows:
        names = re.findall(r"`(\w+)`", cell)
        defaults = default.split(", ") if len(names) > 1 and ", " in default else [default]
        pairs += zip(names, defaults * (len(names) // len(defaults)), strict=True)
    return pairs


def declared():
    """Return each setting's default in linkwatch/settings.py, if it is a literal."""
    tree = ast.parse((ROOT / "linkwatch/settings.py").read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {
        ast.literal_eval(call.args[0]): call.args[1]
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "env"
        and len(call.args) > 1
    }


def test_each_setting_has_one_row_in_the_documents():
    names = [name for name, _ in documented()]

    assert sorted(names) == sorted(declared())
    assert set(names) == settings.NAMES - {f"{name}_FILE" for name in settings.SECRETS}


def test_the_documents_have_the_defaults_of_the_declarations():
    wrong = {}
    for name, written in documented():
        if name in COMPUTED:
            continue
        default = ast.literal_eval(declared()[name])
        default = ",".join(default) if isinstance(default, list) else default
        found = re.findall(r"`(.+)`", written)
        if found != ([default] if default else []):
            wrong[name] = (written, default)

    assert wrong == {}
