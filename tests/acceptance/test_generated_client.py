"""A client generated from the OpenAPI document, against the running product."""

import contextlib
import importlib
import json
import subprocess
import sys
import urllib.request

import pytest

from tests.acceptance.processes import running_product, until
from tests.counting_server import counting_server
from tests.ports import free_port

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]

SETTINGS = {
    "ALLOW_NETWORKS": "127.0.0.0/8",
    "RECHECK_PERIOD": "200ms",
    "CHECK_INTERVAL": "200ms",
    "RECHECK_THRESHOLD": "1",
    "HOST_DELAY": "0s",
}
# The generated code is not formatted; pictures are bytes.
CONFIGURATION = {
    "post_hooks": [],
    "package_name_override": "made_from_schema",
    "content_type_overrides": {"image/svg+xml": "application/octet-stream"},
}


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with running_product(tmp_path_factory.mktemp("product"), **SETTINGS) as product:
        yield product


@contextlib.contextmanager
def importable(folder):
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def generated(running, tmp_path_factory):
    """Return a function that imports a module of the client that was generated for this product."""
    folder = tmp_path_factory.mktemp("client")
    with urllib.request.urlopen(f"{running.base}/v1/schema") as answer:
        (folder / "schema.yaml").write_bytes(answer.read())
    (folder / "configuration.json").write_text(json.dumps(CONFIGURATION))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"),
            *("--path", folder / "schema.yaml", "--config", folder / "configuration.json"),
            *("--output-path", folder / "made_from_schema", "--fail-on-warning"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with importable(folder):
        yield lambda name: importlib.import_module(f"made_from_schema.{name}")


@pytest.fixture
def client(running, generated):
    with generated("client").AuthenticatedClient(
        base_url=running.base,
        token=running.token,
        prefix="Token",
        raise_on_unexpected_status=True,
    ) as client:
        yield client


def test_a_generated_client_creates_replays_and_paginates(generated, client):
    create = generated("api.targets.targets_create").sync_detailed
    pages = generated("api.targets.targets_list").sync
    urls = [f"http://127.0.0.1:{free_port()}/" for _ in range(3)]
    requests_ = [generated("models").Registration(url=url, reference_id="client") for url in urls]

    made = [
        create(client=client, body=request_, idempotency_key=request_.url) for request_ in requests_
    ]
    again = create(client=client, body=requests_[0], idempotency_key=urls[0])

    assert [answer.status_code for answer in made] == [201, 201, 201]
    assert made[0].headers["Location"] == f"/v1/targets/{made[0].parsed.id}"
    assert (again.status_code, again.parsed) == (200, made[0].parsed)
    assert again.headers["Idempotency-Replayed"] == "true"
    first = pages(client=client, limit=2, reference_id="client")
    rest = pages(client=client, limit=2, reference_id="client", page_token=first.next_page_token)
    assert [target.url for target in [*first.items, *rest.items]] == urls
    assert rest.next_page_token is None


def test_a_generated_client_receives_a_death(generated, client):
    url = f"http://127.0.0.1:{free_port()}/"
    create = generated("api.targets.targets_create").sync
    read = generated("api.targets.events_list").sync
    with counting_server(["127.0.0.2"]) as server:  # needed for a death
        there = create(
            client=client, body=generated("models").Registration(url=server.url("127.0.0.2"))
        )
        look = generated("api.targets.targets_retrieve").sync
        until(lambda: look(client=client, id=there.id).state == "alive")
    target = create(client=client, body=generated("models").Registration(url=url))

    def reported():
        page, found = read(client=client), []
        while page.items:
            found += page.items
            page = read(client=client, page_token=page.next_page_token)
        return [event for event in found if event.subject == target.id]

    [event] = until(reported)
    assert event.data.state == "dead"
    assert event.data.url == url


def test_a_generated_client_distinguishes_errors_from_answers(generated, client):
    models = generated("models")
    create = generated("api.shortener.urls_create").sync_detailed
    change = generated("api.shortener.urls_partial_update").sync_detailed

    refused = create(client=client, body=models.Link(long_url="ftp://example.org/"))
    assert refused.status_code == 400
    assert isinstance(refused.parsed, models.Error)
    assert refused.parsed.code == "invalid_url"
    link = create(client=client, body=models.Link(long_url="https://example.org/")).parsed
    changes = models.PatchedLinkChange(max_visits=3)
    changed = change(link.key, client=client, body=changes, if_match=f'"{link.version}"')
    late = change(link.key, client=client, body=changes, if_match=f'"{link.version}"')
    assert (changed.parsed.version, changed.parsed.max_visits) == (2, 3)
    assert (late.status_code, late.parsed.code) == (412, "version_mismatch")
