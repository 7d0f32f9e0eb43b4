"""The samples in deploy/ match the product, and a real nginx runs with its sample."""

import json
import os
import re
import runpy
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import tomllib
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address, ip_network
from pathlib import Path

import httpx
import pytest
import trustme
import yaml
from django.conf import settings
from django.core.management import get_commands
from websockets.sync.client import connect

from foundation import watchdog
from shortener.models import ShortURL
from tests.acceptance.processes import ROOT, until
from tests.conftest import NOW
from tests.ports import free_port
from tests.snippets.servers import PATIENCE, web

pytestmark = pytest.mark.any_database
DEPLOY = ROOT / "deploy"
NAME, SHORT = "links.example.org", "lnk.example.org"
PROCESSES = ["web", "tasks", "relay", "analytics"]


def test_the_units_start_existing_commands():
    units = "\n".join(path.read_text() for path in DEPLOY.glob("systemd/*.service"))

    started = re.findall(r"^ExecStart=/opt/linkwatch/.venv/bin/python manage.py (\w+)", units, re.M)

    assert sorted(started) == ["migrate", "run_analytics", "run_relay", "run_tasks", "run_web"]
    assert set(started) <= get_commands().keys()


def test_services_start_after_a_failed_migrate_is_repeated():
    """systemd never starts a unit whose requirement failed, even if that recovers later."""
    units = [path.read_text() for path in DEPLOY.glob("systemd/linkwatch-*.service")]
    common = (DEPLOY / "systemd/linkwatch-.service.d/common.conf").read_text()

    services = [unit for unit in units if "After=linkwatch-migrate.service\n" in unit]
    assert len(services) == len(units) - 1
    assert all("Wants=linkwatch-migrate.service\n" in unit for unit in services)
    assert not any(re.search(r"^(Requires|BindsTo|Requisite)=", unit, re.M) for unit in units)
    assert "StartLimitIntervalSec=0\n" in common


def test_a_machine_runs_only_the_services_that_are_enabled_on_it():
    """docs/several-machines.md: a target that wants a service starts it although it is disabled."""
    target = (DEPLOY / "systemd/linkwatch.target").read_text()
    services = [DEPLOY / f"systemd/linkwatch-{name}.service" for name in PROCESSES]

    assert not re.search(r"^(Wants|Requires|Upholds|BindsTo)=", target, re.M)
    assert all("WantedBy=linkwatch.target\n" in path.read_text() for path in services)
    [enabled] = re.findall(
        r"^systemctl enable (linkwatch-.+)$", (ROOT / "docs/operations.md").read_text(), re.M
    )
    assert enabled.split() == [path.stem for path in services]


def test_the_units_give_the_product_enough_time_to_stop():
    common = (DEPLOY / "systemd/linkwatch-.service.d/common.conf").read_text()

    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", common, re.M)

    assert int(seconds) >= settings.SHUTDOWN_GRACE.total_seconds() + 3


def test_compose_starts_existing_commands_and_requires_its_secrets():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]

    ours = {name: one for name, one in services.items() if "linkwatch" in one["image"]}
    assert {one["command"][0] for one in ours.values()} <= get_commands().keys()
    reported = ours["web"]["environment"]
    assert set(reported) <= set(settings.NAMES)
    assert "SECRET_KEY" not in reported  # `docker inspect` shows the environment
    for one in ours.values():
        assert one["environment"]["SECRET_KEY_FILE"] == f"/run/secrets/{one['secrets'][0]}"
    # A wrong setting that `migrate` reports must end everything, without restarts.
    assert services["migrate"]["restart"] == "no"
    for name in ours.keys() - {"migrate"}:
        assert ours[name]["depends_on"]["migrate"] == {
            "condition": "service_completed_successfully"
        }


def test_the_steps_in_the_documents_find_a_first_dead_link():
    """This is what deploy/first-five-minutes does in an image, and on a fresh Debian."""
    reader = runpy.run_path(str(DEPLOY / "first-five-minutes"))

    done = [
        (command, reported)
        for path in reader["DOCUMENTS"]
        for command, reported in reader["commands"]((ROOT / path).read_text())
    ]

    assert [command for command, _ in done if command.startswith("kill $SITE")]
    assert ['"state":"dead"', '"failures":3'] in [reported for _, reported in done]
    assert "HTTP/1.1 302" in [shown for _, reported in done for shown in reported]


def test_only_commands_can_be_run_in_the_image():
    files = [path for path in DEPLOY.rglob("*") if path.is_file()]

    programs = {path for path in files if path.read_bytes().startswith(b"#!")}

    assert {path for path in files if path.stat().st_mode & 0o111} == programs


def test_the_image_has_all_packages():
    listed = (ROOT / ".dockerignore").read_text().splitlines()
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"bench", "tests"}

    assert {f"!{name}" for name in packages} <= set(listed)
    assert "!docs/verdicts.md" in listed  # which it shows


def test_the_servers_wheel_has_the_files_of_the_image():
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]
    included = {name.removeprefix("/") for name in hatch["build"]["targets"]["wheel"]["include"]}
    listed = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines()}

    only_in_the_image = {"client/linkwatch_client", "linkwatch.cdx.json", "requirements.txt"}
    assert included == {name for name in listed if "*" not in name} - only_in_the_image


def test_the_wheel_is_installed_outside_of_the_clone():
    """A virtual environment in `linkwatch/` would be in the next wheel and image."""
    page = (ROOT / "docs/install.md").read_text()

    [folder] = re.findall(r"^python3 -m venv (\S+)$", page, re.MULTILINE)

    assert folder.startswith("~/")
    # The files themselves: an index may have other packages of these names.
    assert f"{folder}/bin/pip install dist/linkwatch_*.whl\n" in page


def test_the_sample_of_settings_uses_existing_settings():
    lines = (DEPLOY / "linkwatch.env").read_text().splitlines()

    names = re.findall(r"^(?:# )?([A-Z_]+)=", "\n".join(lines), re.M)

    assert len(names) > 6
    assert set(names) <= set(settings.NAMES)


@pytest.mark.parametrize("sample", ["nginx.conf", "Caddyfile", "compose/Caddyfile"])
def test_the_sample_proxies_send_hsts(sample):
    """In one Caddyfile, both sites import it. docs/security.md: our pages do not send it."""
    text = (DEPLOY / sample).read_text()

    assert len(re.findall(r"Strict-Transport-Security \"?max-age=31536000", text)) == 1
    assert text.count("import linkwatch") == (2 if sample == "Caddyfile" else 0)


def test_the_sample_of_nginx_changes_no_other_site_of_the_machine():
    """Debian includes it next to other sites; what is not in a block applies to all of them."""
    outside = re.findall(r"^[a-z_]+", (DEPLOY / "nginx.conf").read_text(), re.MULTILINE)

    assert outside == ["map", "upstream", "server", "server"]


def _sample(folder: Path, *, upstream: int, http: int, https: int) -> Path:
    """Write the sample with these ports, and a certificate for its names; return its path."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    issued = authority.issue_cert(NAME, SHORT)
    issued.cert_chain_pems[0].write_to_path(folder / "fullchain.pem")
    issued.private_key_pem.write_to_path(folder / "privkey.pem")
    sample = (DEPLOY / "nginx.conf").read_text()
    for old, new in {
        "127.0.0.1:8080": f"127.0.0.1:{upstream}",
        "listen 80;": f"listen 127.0.0.1:{http};",
        "listen 443 ssl": f"listen 127.0.0.1:{https} ssl",
        "/etc/ssl/linkwatch": str(folder),
    }.items():
        assert old in sample
        sample = sample.replace(old, new)
    (folder / "linkwatch.conf").write_text(re.sub(r"\n *listen \[::\].*", "", sample))
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    path = folder / "nginx.conf"
    path.write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}include {folder}/linkwatch.conf;\n}}\n"
    )
    return path


@contextmanager
def _nginx(folder: Path, **ports: int):
    """Run nginx with the sample during the block; yields once it listens."""
    config = _sample(folder, **ports)
    process = subprocess.Popen(["nginx", "-e", str(folder / "errors"), "-c", str(config)])
    try:
        until(lambda: _answers(ports["http"]), within=PATIENCE)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/").status_code == 308
    except httpx.HTTPError:
        return False


@pytest.mark.acceptance
@pytest.mark.django_db(transaction=True)
def test_behind_nginx_with_the_sample_everything_works(tmp_path):
    if shutil.which("nginx") is None:
        reason = "Debian's package nginx-light is not installed"
        pytest.fail(reason) if os.environ.get("LINKWATCH_BROWSER") else pytest.skip(reason)
    ShortURL.objects.create(key="docs", long_url="https://a.example/", created_at=NOW)
    reported = {
        "BASE_URL": f"https://{NAME}",
        "ALLOWED_HOSTS": NAME,
        "SHORT_DOMAIN": SHORT,
        "TRUSTED_PROXIES": "127.0.0.1/32",
        "SIGN_IN_LIMIT": "1/1d",
    }
    http, https = free_port(), free_port()
    with (
        web(tmp_path, **reported) as upstream,
        _nginx(tmp_path, upstream=upstream, http=http, https=https),
        httpx.Client(base_url=f"https://127.0.0.1:{https}", verify=False) as client,
    ):
        client.headers["host"] = NAME
        page = client.get("/sign-in")
        assert page.status_code == 200
        assert "secure" in page.headers["set-cookie"].lower()
        assert page.headers["strict-transport-security"] == "max-age=31536000"
        assert client.get("/metrics").status_code == 404

        form = {"login": "nobody", "password": "wrong"}
        form["csrfmiddlewaretoken"] = re.findall(r'csrfmiddlewaretoken" value="(\w+)"', page.text)[
            0
        ]
        headers = {"referer": f"https://{NAME}/sign-in"}
        statuses = [
            client.post(
                "/sign-in", data=form, headers={**headers, "x-forwarded-for": f"203.0.113.{claim}"}
            ).status_code
            for claim in (1, 2)
        ]
        assert statuses == [200, 429]  # one client, regardless of its headers

        link = client.get("/docs", headers={"host": SHORT})
        assert (link.status_code, link.headers["location"]) == (302, "https://a.example/")

        redirect = httpx.get(f"http://127.0.0.1:{http}/sign-in?a=b", headers={"host": SHORT})
        assert redirect.headers["location"] == f"https://{SHORT}/sign-in?a=b"

        trusting = ssl.create_default_context(cafile=tmp_path / "ca.pem")
        plain = socket.create_connection(("127.0.0.1", https))
        with connect(f"wss://{NAME}/ws/live/", sock=plain, ssl=trusting) as live:
            live.send('{"subscribe": ["docs"]}')
            assert json.loads(live.recv(timeout=PATIENCE))["type"] == "snapshot"


def test_each_long_running_service_is_monitored_and_limited():
    for name in PROCESSES:
        unit = (DEPLOY / f"systemd/linkwatch-{name}.service").read_text()
        assert "Type=notify\nNotifyAccess=main\n" in unit
        assert int(re.findall(r"^WatchdogSec=(\d+)$", unit, re.M)[0]) > watchdog.PATIENCE
        assert re.findall(r"^MemoryMax=\d+G$", unit, re.M)
        assert re.findall(r"^IPAddressDeny=(?:any|link-local multicast)$", unit, re.M)


def test_each_container_is_limited_pinned_and_health_checked():
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    image = (ROOT / "Dockerfile").read_text()

    for name, one in services.items():
        assert one["mem_limit"], name
        assert one["logging"]["options"]["max-size"], name
        if "linkwatch" in one["image"]:
            run = one["command"][0]
            asked = one.get("healthcheck", {}).get("test", [])
            is_ours = asked[-1:] == ["foundation.watchdog"]
            assert is_ours is (run in ("run_tasks", "run_relay", "run_analytics")), name
        else:
            assert one["healthcheck"]["test"], name
            assert re.fullmatch(r"[a-z/]+:[a-z0-9.]+@sha256:[0-9a-f]{64}", one["image"]), name
    assert re.search(r"^ARG BASE=debian:trixie-slim@sha256:[0-9a-f]{64}$", image, re.M)
    assert set(re.findall(r"^FROM (\S+)", image, re.M)) == {"${BASE}"}
    assert "/readyz" in image[image.index("HEALTHCHECK") :]


@pytest.mark.parametrize(
    ("host", "address", "status", "is_content"),
    [
        ("0.0.0.0", "127.0.0.1", 200, True),
        ("127.0.0.1", "127.0.0.1", 503, False),
        ("127.0.0.2", "127.0.0.2", 200, True),
        ("::", "::1", 200, True),
        ("::1", "::1", 200, True),
    ],
)
def test_the_health_check_of_the_image_asks_where_the_server_listens(
    host, address, status, is_content
):
    image = (ROOT / "Dockerfile").read_text()
    (command,) = re.findall(r"^HEALTHCHECK .*\\\n +CMD (.+)$", image, re.M)
    asked = []

    class Server(ThreadingHTTPServer):
        address_family = socket.AF_INET6 if ":" in address else socket.AF_INET

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(status)
            self.end_headers()

    with Server((address, 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            port = str(server.server_address[1])
            environment = {"HTTP_HOST": host, "HTTP_PORT": port, "http_proxy": "http://127.0.0.1:9"}
            done = subprocess.run([sys.executable, *json.loads(command)[1:]], env=environment)
        finally:
            server.shutdown()
            thread.join()
    assert (done.returncode == 0) is is_content
    assert asked == ["/readyz"]


def test_the_valkey_of_compose_refuses_writes_before_its_container_is_killed():
    """Killed, it would load the same data from its file and be killed again."""
    valkey = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["valkey"]
    options = dict(zip(valkey["command"][1::2], valkey["command"][2::2], strict=True))

    assert options["--maxmemory-policy"] == "noeviction"
    assert (options["--maxmemory"], valkey["mem_limit"]) == ("1gb", "2g")


def test_no_other_container_of_compose_gets_the_address_of_the_trusted_proxy():
    """Docker gives containers the first free addresses, in the order in which they start."""
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    [pool] = compose["networks"]["default"]["ipam"]["config"]
    proxy = ip_address(compose["services"]["caddy"]["networks"]["default"]["ipv4_address"])
    trusted = ip_network(compose["services"]["web"]["environment"]["TRUSTED_PROXIES"])

    assert trusted == ip_network(proxy)
    assert proxy in ip_network(pool["subnet"])
    assert proxy not in ip_network(pool["ip_range"])
    assert ip_network(pool["ip_range"])[0] in ip_network(pool["subnet"])


def test_caddy_of_compose_serves_each_host_of_the_settings():
    """Separated by a space: without SHORT_DOMAIN, nothing is left of it."""
    caddy = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["caddy"]
    sites = re.findall(r"^(\S.*) {$", (DEPLOY / "compose/Caddyfile").read_text(), re.M)

    assert sites == ["{$SITE} {$SHORT_DOMAIN}"]
    assert caddy["environment"] == {"SITE": "${SITE}", "SHORT_DOMAIN": "${SHORT_DOMAIN:-}"}


def test_images_are_pinned_to_the_digests_of_their_registries(tmp_path):
    """Use a fake `crane`, which requests nothing from a registry."""
    names = ("Dockerfile", "compose.yaml", ".github/workflows/tests.yml")
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "deploy").mkdir()
    shutil.copy(DEPLOY / "pin-images", tmp_path / "deploy")
    crane = tmp_path / "bin/crane"
    crane.parent.mkdir()
    crane.write_text('#!/bin/sh\n[ "$1" = digest ] && printf "sha256:%064d\\n" 7\n')
    crane.chmod(0o755)
    env = os.environ | {"PATH": f"{crane.parent}:{os.environ['PATH']}"}
    pin = [str(tmp_path / "deploy/pin-images")]

    assert subprocess.run([*pin, "--check"], env=env, check=False).returncode == 1
    assert (tmp_path / "compose.yaml").read_text() == (ROOT / "compose.yaml").read_text()
    assert subprocess.run(pin, env=env, check=False).returncode == 0
    assert subprocess.run([*pin, "--check"], env=env, check=False).returncode == 0

    for name in names:
        digests = re.findall(r"@sha256:([0-9a-f]+)", (tmp_path / name).read_text())
        assert set(digests) == {f"{7:064d}"}


def test_the_log_of_an_installation_has_no_carriage_returns(tmp_path):
    """pip uses them for its progress on a terminal; 78 of them were in one line of a log."""
    (tmp_path / "requirements.txt").write_text("a==1\n")
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(
        "#!/bin/sh\nprintf 'Collecting a==1\\nCollecting b\\nInstalling collected\\n'\n"
    )
    python.chmod(0o755)
    shutil.copy(ROOT / "Makefile", tmp_path)

    done = subprocess.run(
        ["make", "install", "PYTHON=python3"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin"},  # no uv
        capture_output=True,
        check=True,
    )

    assert b"\r" not in done.stdout
    assert b"  2 fetched; now they are unpacked\n" in done.stdout
