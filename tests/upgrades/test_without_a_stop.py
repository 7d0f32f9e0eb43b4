"""Upgrades from 0.2.0 and back, one web server at a time behind nginx, with no failed request."""

import collections
import http.client
import itertools
import json
import shutil
import sys
import threading
import time
from contextlib import ExitStack

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from tests.acceptance.processes import ROOT, Client, answers, database_url, program, until
from tests.ports import free_port
from tests.upgrades.databases import at

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="one machine is upgraded at once"),
    pytest.mark.release,
    pytest.mark.timeout(900),
]
CLIENTS = 6
SECONDS = 6.0  # of load between two steps: nginx retries a web server 5 s after a failure


def nginx_conf(folder, *, port, webs):
    """Return the configuration in docs/several-machines.md, for these web servers, with the line of
    docs/upgrading.md for 0.2.0, which loses requests when it stops."""
    servers = "".join(f"server 127.0.0.1:{web} max_fails=1 fail_timeout=5s;\n" for web in webs)
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}"
        f"upstream linkwatch {{\n{servers}keepalive 64;\n}}\n"
        "server {\n"
        f"listen 127.0.0.1:{port};\nkeepalive_requests 100000;\nproxy_http_version 1.1;\n"
        'proxy_set_header Host localhost;\nproxy_set_header Connection "";\n'
        "proxy_set_header X-Forwarded-For $remote_addr;\n"
        "location / { proxy_pass http://linkwatch; proxy_connect_timeout 2s;\n"
        "proxy_next_upstream error timeout non_idempotent; }\n}\n}\n"
    )


class Load:
    """Clients that send requests without pauses.

    `answered` counts responses by step; `failures` has the failed ones.
    """

    def __init__(self, port, token):
        self.step = "0.2.0"
        self.registered = self.shortened = 0
        self.answered = collections.Counter()
        self.failures = []
        self._port, self._token = port, token
        self._numbers = itertools.count()
        self._lock, self._stop = threading.Lock(), threading.Event()
        self._threads = [threading.Thread(target=self._run) for _ in range(CLIENTS)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *args):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def during(self, step, act=None, *arguments):
        """Take this step under load, and keep the load for a while."""
        self.step = step
        if act is not None:
            act(*arguments)
        time.sleep(SECONDS)

    def _requests(self):
        """Yield method, path, body and the expected status, forever."""
        while True:
            number = next(self._numbers)
            yield "GET", "/s/handbook", None, 302
            yield "POST", "/v1/urls", {"long_url": f"https://a.example/{number}"}, 201
            yield "GET", "/v1/urls", None, 200
            yield (
                "POST",
                "/v1/targets",
                {"url": f"https://a.example/{number}", "reference_id": f"r{number}"},
                201,
            )

    def _run(self):
        client = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        for method, path, body, right in self._requests():
            if self._stop.is_set():
                break
            step = self.step
            headers = {"Authorization": f"Token {self._token}", "Content-Type": "application/json"}
            try:
                client.request(method, path, body and json.dumps(body), headers)
                response = client.getresponse()
                text = response.read()
            except (OSError, http.client.HTTPException) as error:
                self.failures.append((step, method, path, repr(error)))
                client.close()
                continue
            if response.status != right:
                self.failures.append((step, method, path, response.status, text[:200]))
            else:
                with self._lock:
                    self.answered[step] += 1
                    self.registered += path == "/v1/targets"
                    self.shortened += method == "POST" and path == "/v1/urls"
        client.close()


class Deployment:
    """The processes of either release, on one database."""

    def __init__(self, stack, folder, shared):
        self._stack, self._folder, self._shared = stack, folder, shared
        self._ends = {}

    def run(self, code, *command):
        """Run a command of the release in this folder to its end; return its output."""
        log = self._folder / f"{command[0]}-{code.name}.log"
        line, data = (sys.executable, "manage.py", *command), str(self._folder / "commands")
        with program(*line, log=log, folder=code, DATA_DIR=data, **self._shared) as process:
            assert process.wait(300) == 0, log.read_text()
        return log.read_text()

    def start(self, name, code, **changes):
        """Run a process of the release in this folder; stop a process of that name first."""
        if name in self._ends:
            self._ends.pop(name).close()
        own = self._ends[name] = self._stack.enter_context(ExitStack())
        line = (sys.executable, "manage.py", name.rstrip("0123456789"))
        data = str(self._folder / name)
        log = self._folder / f"{name}.log"
        settings_of_all = self._shared | {"DATA_DIR": data} | changes
        own.enter_context(program(*line, log=log, folder=code, **settings_of_all))

    def start_web(self, number, code, port):
        """Run a web server as `start` does, and wait until it is ready."""
        self.start(f"run_web{number}", code, HTTP_PORT=str(port))
        until(lambda: answers(f"http://127.0.0.1:{port}/readyz"))


def test_no_request_fails_during_an_upgrade_and_a_downgrade(release, tmp_path, database):
    if shutil.which("nginx") is None:
        pytest.skip("Debian's package nginx-light is not installed")
    webs, port = [free_port(), free_port()], free_port()
    others = ("run_relay", "run_tasks", "run_analytics")
    with at(database), ExitStack() as stack:
        shared = {
            "SECRET_KEY": settings.SECRET_KEY,
            "DATABASE_URL": database_url(),
            "REDIS_URL": settings.REDIS_URL,
            "TRUSTED_PROXIES": "127.0.0.1/32",
            "RATE_LIMIT": "999999/1m",
            "CHECKER_SHIFTS": "0",  # no request reaches a.example
        }
        running = Deployment(stack, tmp_path, shared)
        running.run(release, "migrate")
        token = running.run(release, "create_token", "operator").split()[-1]
        for name in others:
            running.start(name, release)
        for number, web in enumerate(webs):
            running.start_web(number, release, web)
        conf, log = tmp_path / "nginx.conf", tmp_path / "nginx.log"
        conf.write_text(nginx_conf(tmp_path, port=port, webs=webs))
        line = ("nginx", "-e", str(log), "-c", str(conf))
        stack.enter_context(program(*line, log=log, folder=tmp_path))
        until(lambda: answers(f"http://127.0.0.1:{port}/livez"))
        Client(f"http://127.0.0.1:{port}", token)(
            "POST", "/v1/urls", {"long_url": "https://a.example/", "key": "handbook"}
        )

        with Load(port, token) as load:
            load.during("0.2.0")
            load.during("migrate", running.run, ROOT, "migrate")
            for code, name in ((ROOT, "new"), (release, "back")):
                for other in others:
                    load.during(f"{name} {other}", running.start, other, code)
                for number, web in enumerate(webs):
                    load.during(f"{name} web {number}", running.start_web, number, code, web)

        with psycopg.connect(database_url()) as known:
            [registered] = known.execute("SELECT count(*) FROM targets_target").fetchone()
            [shortened] = known.execute("SELECT count(*) FROM shortener_shorturl").fetchone()
    print(dict(load.answered))
    assert load.failures[:9] == []
    assert len(load.answered) == 12
    assert registered == load.registered
    assert shortened == 1 + load.shortened  # nothing was executed twice
