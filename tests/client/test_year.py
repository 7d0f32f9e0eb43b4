"""CI fails only for a reason during a simulated year; these tests run one month of it."""

import os

import pytest
import time_machine
from django.contrib.auth.models import User
from knox.models import AuthToken

from linkwatch_client.credentials import Credentials
from tests.checker.conftest import quick as quick
from tests.client import ci_year
from tests.client.ci_year import CiTool, ClockedApi, SimulatedWeb, linkwatch, lychee, run_year
from tests.client.year import SIZES
from tests.counting_server import counting_server

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("quick"),
    pytest.mark.slow,
]


def simulate(live_server, settings, tmp_path, *, repositories, days, every, seed, binary):
    """Run the simulation; return the tools with their figures."""
    if settings.DATABASES["default"]["ENGINE"].endswith("postgresql"):
        pytest.skip("PostgreSQL has its own clock")
    settings.CHECK_RETRIES = 0
    web = SimulatedWeb(hosts=2 * repositories, days=days, seed=seed)
    pages = list(web.pages.values())
    links = [web.random.sample(pages, 8) for _ in range(repositories)]
    user = User.objects.create_superuser("ci")
    with (
        time_machine.travel(ci_year.START, tick=True) as traveller,
        counting_server(
            [host.address for host in web.hosts],
            status=lambda path: web.answer(path)[0],
            headers=lambda path: web.answer(path)[1],
            body=lambda path: f"<title>{path}</title><p>The page {path}.</p>",
        ) as server,
    ):
        token = AuthToken.objects.create(user, expiry=None)[1]
        api = ClockedApi(Credentials(live_server.url, token))
        api.shift = traveller.shift
        with api:

            def url(page):
                return server.url(page.host.address, page.path)

            def register(repository, page):
                api.register([{"url": url(page), "reference_id": f"r{repository}:a.md"}])

            ours = CiTool("linkwatch", linkwatch(api), [list(some) for some in links])
            ours.merged = register
            tools = [ours]
            if binary:
                tools.append(
                    CiTool("lychee", lychee(binary, tmp_path), [list(some) for some in links])
                )
            for repository, some in enumerate(links):
                for page in some:
                    register(repository, page)
            run_year(web, tools, url=url, move_to=traveller.move_to, every=every)
    print(f"\n{ci_year.HEAD}")
    for tool in tools:
        print(tool.figures.line(tool.name))
    return tools


@pytest.mark.release
def test_a_month_of_ci_has_only_justified_failures(live_server, settings, tmp_path):
    (ours,) = simulate(
        live_server, settings, tmp_path, repositories=3, days=40, every=8, seed=3, binary=""
    )
    figures = ours.figures
    assert figures.found > 0
    assert (figures.false, figures.false_findings) == (0, 0)
    assert figures.missed == 0


@pytest.mark.release
@pytest.mark.timeout(7200)
def test_a_year_of_ci_has_only_justified_failures(live_server, settings, tmp_path):
    wanted = {name: int(os.environ.get(f"YEAR_{name.upper()}", default)) for name, default in SIZES}
    tools = simulate(
        live_server, settings, tmp_path, **wanted, binary=os.environ.get("YEAR_LYCHEE", "")
    )
    figures = tools[0].figures
    assert figures.real_share >= 0.99
    assert figures.found > 0
    assert figures.missed == 0
