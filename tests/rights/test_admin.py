"""The admin: the rights of each role, for each model and each other page."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from tests.console.test_admin import ROWS
from tests.rights.routes import admin_names
from tests.rights.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# Members and programs are not staff and can't use the admin. Each model, with the rights of viewers
# and of operators.
_MODELS = """
accounts.invitation     view             view delete
accounts.trace          view             view
analytics.dailymetrics  view             view
auth.group              -                view add change delete
auth.user               -                view add change delete
checker.checkresult     view             view
checker.resultreport    -                view
django_q.failure        -                view delete
django_q.ormq           -                view delete
django_q.schedule       -                view
django_q.success        -                view delete
hosts.alias             view             view change
hosts.host              view             view change
knox.authtoken          -                view delete
lib.idempotencykey      -                view
mfa.authenticator       -                view delete
outbox.cursor           view             view delete
outbox.deadletter       view             view delete
outbox.event            view             view
shortener.cleanuprun    view             view
shortener.endedlink     -                view
shortener.retiredkey    view             view
shortener.shorturl      view             view add change delete
snippets.snippet        view             view add change delete
targets.reference       view             view
targets.target          view             view add change delete
"""
MODELS = {
    line.split("  ")[0]: [cell.split() for cell in line.split("  ")[1:] if cell.strip()]
    for line in _MODELS.strip().splitlines()
}
# Pages that belong to no model, with their addresses.
OTHER = {
    "index": "/admin/",
    "app_list": "/admin/targets/",
    "search": "/admin/search/",
    "login": "/admin/login/",
    "logout": "/admin/logout/",
    "password_change": "/admin/password_change/",
    "password_change_done": "/admin/password_change/done/",
    "autocomplete": "/admin/autocomplete/?app_label=targets&model_name=reference&field_name=target",
    "jsi18n": "/admin/jsi18n/",
    "view_on_site": "/admin/r/1/1/",
    "hosts_host_free_this": "/admin/hosts/host/{hosts_host}/free-this",
    "hosts_alias_free_this": "/admin/hosts/alias/{hosts_alias}/free-this",
}
PAGES = ("changelist", "add", "change", "delete", "history")


def names_of(label):
    return {page: f"{label.replace('.', '_')}_{page}" for page in PAGES}


@pytest.fixture
def world():
    return World()


@pytest.fixture
def pages(world):
    """The address of each page of each model, for an existing row."""
    found = {}
    for number, (label, make) in enumerate(ROWS.items()):
        make(number)
        model = next(one for one in admin.site._registry if one._meta.label_lower == label)
        last = model._default_manager.order_by("-pk").first()
        for page, name in names_of(label).items():
            args = [] if page in ("changelist", "add") else [last.pk]
            found[label, page] = reverse(f"admin:{name}", args=args)
    return found


def browser(world, who):
    return Client(headers={"accept": "text/html", **world.cookie(who)})


def test_the_table_has_each_existing_page():
    of_models = {name for label in ROWS for name in names_of(label).values()}
    assert set(MODELS) == set(ROWS)
    assert admin_names() - of_models - set(OTHER) - {"auth_user_password_change"} == set()


@pytest.mark.parametrize("who", [None, "ada", "robot"])
def test_users_who_are_not_staff_find_nothing_by_guessing(world, pages, who):
    guest = browser(world, who)
    not_of_staff = {"logout", "password_change"}
    others = [path for name, path in OTHER.items() if name not in not_of_staff]
    addresses = [*pages.values(), *others]
    for address in addresses:
        for ask in (guest.get, guest.post):
            answer = ask(address)
            assert answer.status_code == 302, address
            assert answer.headers["Location"].startswith(("/admin/login/", "/sign-in")), address


@pytest.mark.slow
@pytest.mark.parametrize(("who", "column"), [("vera", 0), ("olga", 1)])
def test_staff_have_the_rights_in_the_table(world, pages, who, column):
    staff, wrong = browser(world, who), []
    for label, cells in MODELS.items():
        answers = {page: staff.get(pages[label, page]) for page in PAGES}
        open_pages = {page for page, answer in answers.items() if answer.status_code == 200}
        found = ({"view"} if "changelist" in open_pages else set()) | {"add", "delete"} & open_pages
        if "change" in open_pages and answers["change"].context["has_change_permission"]:
            found |= {"change"}
        if ("change" in open_pages) is not ("view" in found):
            wrong.append(f"{label}: the list and the row differ")
        if found != set(cells[column]) - {"-"}:
            wrong.append(f"{label}: {sorted(found)}")
    assert "\n".join(wrong) == ""


@pytest.mark.slow
def test_a_viewer_changes_nothing_by_posting(world, pages):
    viewer, before = browser(world, "vera"), world.rows(but=None)
    for (label, page), address in pages.items():
        if page in ("add", "change", "delete"):
            answer = viewer.post(address, {"post": "yes"})
            assert answer.status_code == 403, (label, page)
    for label in MODELS:
        chosen = {"action": "delete_selected", "_selected_action": "1", "post": "yes"}
        assert viewer.post(pages[label, "changelist"], chosen).status_code in (200, 302, 403), label
    assert world.rows(but=None) == before
