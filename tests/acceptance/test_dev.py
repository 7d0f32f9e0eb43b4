"""`make dev`: the whole product, on a web server that restarts at every edit."""

import asyncio
import json
import re
import shutil
import sys

import httpx
import psutil
import pytest
from websockets.asyncio.client import connect

from tests.acceptance.processes import PATIENCE, ROOT, Client, answers, is_alive, program, until
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

EDIT = """
from django.http import HttpResponse
urlpatterns.append(path("edited", lambda request: HttpResponse("edited")))
"""


@pytest.fixture
def tree(tmp_path):
    """Return a copy of the product that the test may edit."""
    left_out = shutil.ignore_patterns(".*", "__pycache__", "data", "tests", "bench", "docs")
    return shutil.copytree(ROOT, tmp_path / "tree", ignore=left_out)


def test_make_dev_serves_hot_paths_and_a_live_dashboard_and_restarts_at_an_edit(tree, tmp_path):
    port, log = free_port(), tmp_path / "log"
    base = f"http://127.0.0.1:{port}"
    make = ["make", f"VENV={sys.prefix}", f"--old-file={sys.prefix}/installed-dev", "dev"]
    with program(*make, log=log, folder=tree, DATA_DIR=str(tree), HTTP_PORT=str(port)) as dev:
        until(lambda: "Linkwatch is running at" in log.read_text())
        password, token = re.search(
            r"password (\S+).*API token +(\w+)", log.read_text(), re.DOTALL
        ).groups()
        _serves_hot_paths(base, Client(base, token))
        asyncio.run(_serves_a_live_dashboard(base, password))

        assert not answers(base + "/edited")
        with (tree / "linkwatch" / "urls.py").open("a") as urls:
            urls.write(EDIT)
        until(lambda: answers(base + "/edited"))

        family = psutil.Process(dev.pid).children(recursive=True)
        dev.terminate()
        dev.wait(PATIENCE)
    assert [process for process in family if is_alive(process)] == []


def _serves_hot_paths(base, call):
    link = call("POST", "/v1/urls", {"long_url": "https://example.org/there"})
    redirect = httpx.get(f"{base}/s/{link['key']}")
    assert (redirect.status_code, redirect.headers["location"]) == (
        302,
        "https://example.org/there",
    )

    snippet = call("POST", "/v1/snippets", {"content": "print('hello')", "language": "python"})
    page = httpx.get(f"{base}/snippets/{snippet['id']}", headers={"accept": "text/html"})
    assert page.status_code == 200
    assert "hello" in page.text
    plain = httpx.get(f"{base}/v1/snippets/{snippet['id']}")
    assert plain.headers["x-cache"] in ("HIT", "WARM", "MISS")  # answered ahead of Django
    assert plain.json()["content"] == "print('hello')"


async def _serves_a_live_dashboard(base, password):
    async with httpx.AsyncClient(base_url=base, follow_redirects=True) as browser:
        await browser.get("/sign-in")
        page = await browser.post(
            "/sign-in",
            data={
                "username": "operator",
                "password": password,
                "csrfmiddlewaretoken": browser.cookies["csrftoken"],
            },
        )
        assert page.url.path == "/"
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    address = base.replace("http:", "ws:") + "/ws/dashboard/"
    headers = {"Cookie": cookies, "Origin": base}
    async with (
        asyncio.timeout(PATIENCE),
        connect(address, additional_headers=headers, proxy=None) as socket,
    ):
        summaries = 0
        while summaries < 2:  # the first comes at once, the next only after a renewal
            summaries += json.loads(await socket.recv())["type"] == "summary"
