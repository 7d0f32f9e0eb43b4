"""Tests the client's commands against a running server."""

import re
import subprocess
import sys

import pytest

from tests.acceptance.processes import ROOT, environment, running_product, until
from tests.client.conftest import StandIn, in_json, stand_in
from tests.counting_server import counting_server

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

HASTY = {
    "ALLOW_NETWORKS": "127.0.0.0/8",
    "RECHECK_PERIOD": "1s",
    "RECHECK_THRESHOLD": "2",
    "CHECK_INTERVAL": "100ms",
    "HOST_DELAY": "0s",
}


@pytest.fixture(scope="module")
def site():
    """A host on which every page exists except /gone."""
    with counting_server(["127.9.1.1"], status=lambda path: 404 if "gone" in path else 200) as site:
        yield site


@pytest.fixture(scope="module")
def product(tmp_path_factory, site):
    """A running server that soon calls a link dead."""
    with running_product(tmp_path_factory.mktemp("product"), **HASTY) as product:
        yield product


@pytest.fixture
def server(product):
    """The running server, configured in the command's environment."""

    class Running(StandIn):
        environment = {"LINKWATCH_URL": product.base, "LINKWATCH_TOKEN": product.token}

    return Running(product.base)


@pytest.fixture
def gone(site, product):
    """A URL that the server has found dead."""
    url = site.url("127.9.1.1", "/gone")
    product.api("POST", "/v1/targets", {"url": url, "reference_id": "handbook:docs/a.md"})
    until(
        lambda: product.api("POST", "/v1/lookups", {"urls": [url]})["results"][0]["state"] == "dead"
    )
    return url


def test_watch_and_check_print_the_status_of_urls(run, server, site):
    url = site.url("127.9.1.1", "/page")
    assert f"{url}: alive" in run("check", url, server=server).stdout  # through a batch
    result = run("watch", url, "--reference", "handbook", server=server)
    assert (result.exit_code, result.stdout) == (0, f"Watching: {url} (alive)\n")
    assert "Already watched" in run("watch", url, server=server).stdout
    until(lambda: f"{url}: alive, last checked" in run("check", url, server=server).stdout)


def test_a_url_that_the_product_refuses_is_a_finding(run, server):
    result = run("watch", "ftp://a.example/", server=server)
    assert (result.exit_code, result.stderr) == (
        1,
        "ftp://a.example/: Only http and https URLs are accepted.\n",
    )


def test_a_dead_link_is_an_error_in_check_judge_and_dead(run, server, gone):
    result = run("check", gone, server=server)
    assert result.exit_code == 1
    assert (
        f"error: dead: {gone}\n    The server returned 404 Not Found. Failing since"
        in result.stdout
    )
    result = run("judge", server=server, stdin=f"docs/a.md:7: {gone}\n")
    assert result.exit_code == 1
    assert f"docs/a.md:7: error: dead: {gone}" in result.stdout
    result = run("dead", server=server)
    assert f"{gone}: The server returned 404 Not Found. Dead since" in result.stdout
    assert "    handbook:docs/a.md\n" in result.stdout
    assert run("dead", "--search", "nowhere", server=server).stdout == ""


def test_a_short_link_and_snippets_are_created(run, server, product, tmp_path):
    result = run("shorten", "https://example.org/a", "--key", "cli", "--ttl", "7d", server=server)
    assert result.exit_code == 0
    assert re.fullmatch(r"http://localhost:\d+/s/cli\n", result.stdout)
    result = run("paste", "--one-time", "--title", "secret", server=server, stdin="hunter2\n")
    assert result.exit_code == 0
    [id_] = re.findall(rf"^{product.base}/snippets/(s_\w+)$", result.stdout.strip())
    found = product.api("POST", f"/v1/snippets/{id_}/reveal")
    assert (found["content"], found["views_left"], found["title"]) == ("hunter2\n", 0, "secret")
    file = tmp_path / "a.py"
    file.write_text("print(42)\n")
    result = run("paste", str(file), "--language", "python", server=server)
    found = product.api("GET", f"/v1/snippets/{result.stdout.strip().rpartition('/')[2]}")
    assert (found["content"], found["language"]) == ("print(42)\n", "python")


def test_a_snippet_for_one_view_can_be_private(run):
    with stand_in(lambda request: in_json({"id": "s_1"}, 201)) as server:
        run("paste", "--one-time", "--visibility", "private", server=server, stdin="hunter2\n")
        run("paste", "--one-time", server=server, stdin="hunter2\n")
    sent = [request.body for request in server.requests]
    assert [one["visibility"] for one in sent] == ["private", "unlisted"]
    assert [one["max_views"] for one in sent] == [1, 1]


def test_errors_of_the_api_are_printed_as_sentences(run, server):
    result = run("shorten", "https://example.org/a", "--key", "!", server=server)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    result = run("paste", server=server, stdin=b"\xff\xfe")
    assert (result.exit_code, "not UTF-8" in result.stderr) == (2, True)


def test_the_command_runs_without_django(product, gone, tmp_path):
    given = {
        "LINKWATCH_URL": product.base,
        "LINKWATCH_TOKEN": product.token,
        "PYTHONPATH": str(ROOT / "client"),
        "HOME": str(tmp_path),
    }
    checked = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "linkwatch_client", "check", gone],
        env=environment(**given),
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert checked.returncode == 1
    assert f"error: dead: {gone}" in checked.stdout
    imported = {
        line.rpartition("|")[2].strip().split(".")[0] for line in checked.stderr.splitlines()
    }
    assert "linkwatch_client" in imported
    assert not imported & {"django", "linkwatch", "foundation", "targets"}


@pytest.mark.release  # the second check comes after half a minute
def test_a_new_link_fails_the_run_if_its_batch_finds_it_gone_twice(run, server, site, project):
    gone, fine = (site.url("127.9.1.1", path) for path in ("/gone-new", "/fine-new"))
    project.write("a.md", "# A\n")
    project.commit()
    project.git("checkout", "--quiet", "-b", "change")
    project.write("a.md", f"[x]({gone}) [y]({fine})\n")
    result = run("scan", "--base", "main", "--wait", "120", server=server)
    assert result.exit_code == 1, result.output
    assert f"a.md:1:5: error: new-and-failing: {gone}" in result.stdout
    assert "2 links in 1 file: 1 error, 0 notes, 0 accepted" in result.stdout
    # A page that the server doesn't know is checked twice, and not registered.
    assert site.requests["127.9.1.1/gone-new"] == 2
    assert run("check", gone, "--wait", "0", server=server).exit_code == 0
