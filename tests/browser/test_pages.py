"""Sign-in, error pages, the page of a target and the admin, as people see and use them."""

import os
from datetime import timedelta

import pytest
from django.test import Client
from playwright.sync_api import expect

from accounts.roles import Role
from checker.models import CheckResult, Uplink
from console.dashboard import broadcast
from console.dashboard.summary import SUMMARY
from foundation.database.clock import database_now
from hosts.models import Slot
from targets import counts, registration
from targets.models import Target
from targets.serializers import RegistrationSerializer
from tests.browser.test_snippet_page import SCREENS, picture
from tests.factories import TargetFactory, TransitionFactory

pytestmark = [pytest.mark.acceptance, pytest.mark.any_database]
HOSTILE = "<script>document.title='owned'</script>"
TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll('body *')].map(at => [at, at.getBoundingClientRect().right])
    .filter(([at, right]) => right > innerWidth).map(([at]) => at.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module", autouse=True)
def _database_during_playwright():
    """Let Django use the database although Playwright keeps an event loop in this thread."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def state(live_server, operator):
    """Return the cookies of a signed-in operator."""
    client = Client()
    client.force_login(operator)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    return {"cookies": [{**cookie, "domain": "localhost", "path": "/"}], "origins": []}


@pytest.fixture
def visit(live_server, open_page, state):
    """Return a function that opens a path as the operator."""

    def visit(path, **options):
        return open_page(live_server.url + path, storage_state=state, sockets=False, **options)

    return visit


@pytest.fixture
def target(live_server, operator):
    """Return a target with a history; all text from others is hostile."""
    now = database_now()
    url = f"http://hostile.example/{'long-segment/' * 20}?q={HOSTILE}"
    requested = RegistrationSerializer().registration({"url": url, "reference_id": HOSTILE})
    target = registration.register([requested], now=now)[0].target
    attempt = {"method": "GET", "status": 200, "detail": HOSTILE, "address": HOSTILE, "dns_ms": 1.5}
    evidence = {
        "attempts": [attempt],
        "headers": {"server": HOSTILE, "x" * 200: "y" * 300},
        "mark": HOSTILE,
        "tls": {"issuer": HOSTILE, "expires_at": "2027-01-01T00:00:00+00:00"},
    }
    for number in range(30):
        CheckResult.objects.create(
            target=target,
            checked_at=now - timedelta(hours=number),
            outcome=("success", "inconclusive", "failure")[number % 3],
            reason="soft_404",
            status_code=200,
            latency_ms=10 * number + 1,
            error=HOSTILE,
            attempts=1,
            final_url=f"http://{'a' * 300}.example/{HOSTILE}",
            redirects=[{"status": 301, "url": f"http://b.example/{HOSTILE}"}],
            flags=[HOSTILE],
            evidence=evidence,
        )
    error = {"failures": 3, "url": url, "error": {"message": HOSTILE}}
    TransitionFactory(target=target, at=now, payload=error)
    Target.objects.update(
        last_error=HOSTILE,
        last_checked_at=now,
        last_status_code=200,
        last_latency_ms=1,
        moved_to=f"http://moved.example/{HOSTILE}",
        inconclusive_since=now,
        created_at=now - timedelta(days=3),
    )
    return target


def on_every_screen(page, name, violations, *, reload=False, **options):
    """Check that a page fits and is readable: wide and light, and dark on a phone.

    The admin's theme chooses its colours while it loads, so the admin needs `reload`.
    """
    for screen in ("light", "phone-dark"):
        look = SCREENS[screen]
        page.set_viewport_size(look["viewport"])
        page.emulate_media(color_scheme=look["color_scheme"])
        if reload:
            page.reload()
        picture(page, f"{name}-{screen}")
        assert page.evaluate(TOO_WIDE) == [], screen
        assert violations(page, **options) == [], screen


def sign_in(page, password):
    page.get_by_label("Name").fill("operator")
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


def test_sign_in_after_a_wrong_password_and_sign_out(live_server, operator, open_page, violations):
    page = open_page(f"{live_server.url}/sign-in?next=/admin/auth/user/")
    on_every_screen(page, "sign-in", violations)
    sign_in(page, "wrong")
    expect(page.get_by_role("alert")).to_contain_text("Wrong username or password")
    assert violations(page) == []
    sign_in(page, "correct horse")
    page.wait_for_url(live_server.url + "/admin/auth/user/")
    page.goto(live_server.url + "/sign-in")
    sign_out(page)
    page.wait_for_url(live_server.url + "/sign-in")
    expect(page.get_by_role("button", name="Sign out")).to_have_count(0)


def test_error_pages_have_links_to_other_pages(visit, violations):
    page = visit("/nowhere", status=404)
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(page.get_by_role("link", name="Go to the home page")).to_have_attribute("href", "/")
    on_every_screen(page, "not-found", violations)


def test_the_page_of_a_target_shows_hostile_text_as_text(visit, target, violations):
    page = visit(target.get_absolute_url())
    expect(page.get_by_role("heading", level=1)).to_contain_text("?q=%3Cscript%3E")
    assert page.title() != "owned"
    assert page.locator("main script").count() == 0
    on_every_screen(page, "target", violations)
    page.get_by_role("link", name="Older").click()
    expect(page.locator("details.result")).to_have_count(10)


def test_a_target_with_much_evidence_is_readable(visit, target, violations):
    now = database_now()
    Target.objects.update(paused=True, flags=["parked"], last_reason="throttled", state="dead")
    asleep = now + timedelta(hours=3)
    Slot.objects.update(not_before=asleep, throttled_until=asleep)
    Uplink.objects.update_or_create(pk=1, defaults={"down_since": now})
    page = visit(f"{target.get_absolute_url()}?span=day")
    for text in ("Linkwatch is offline", "Host throttled", "Paused.", "Flag parked:"):
        expect(page.get_by_role("main")).to_contain_text(text)
    on_every_screen(page, "target-special", violations)


def test_a_target_that_was_never_checked_has_a_page(visit, live_server, violations):
    requested = RegistrationSerializer().registration({"url": "http://new.example/"})
    target = registration.register([requested], now=database_now())[0].target
    page = visit(target.get_absolute_url())
    expect(page.get_by_text("Not checked yet.")).to_be_visible()
    on_every_screen(page, "target-new", violations)


def test_a_target_is_paused_resumed_revived_and_deleted(visit, target, violations):
    Target.objects.update(state="dead", next_check_at=None)
    page = visit(target.get_absolute_url())
    page.get_by_role("button", name="Revive").click()
    expect(page.get_by_role("status")).to_have_text(
        "The target was revived and queued for a check."
    )
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status")).to_have_text("The target was paused.")
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("button", name="Check now").click()
    expect(page.get_by_role("status")).to_have_text("The target was queued for a check.")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Delete…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Delete this target?")
    on_every_screen(page, "delete", violations)
    page.get_by_role("link", name="Back").click()
    page.get_by_role("link", name="Remove…").click()
    expect(page.get_by_text("This is the last reference")).to_be_visible()
    assert Target.objects.filter(pk=target.pk).exists()


def sign_out(page):
    page.locator(".who summary").click()
    page.get_by_role("button", name="Sign out").click()


def focused(page):
    """Return the name of the focused element; fails if the focus is not visible."""
    found = page.evaluate(
        """() => {
            const at = document.activeElement, style = getComputedStyle(at);
            const box = at.getBoundingClientRect();
            return {name: at.textContent.trim(), tag: at.tagName,
                outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
                within: box.bottom > 0 && box.top < innerHeight && box.width > 0};
        }"""
    )
    assert found["outlined"], found
    assert found["within"], found
    return found["name"]


def test_the_page_can_be_used_by_keyboard_alone(visit, target):
    page = visit(target.get_absolute_url())
    names = []
    for _ in range(12):
        page.keyboard.press("Tab")
        names.append(focused(page))
    menu = names.index("OYour account, operator")
    assert [name for name in names[:menu] if name != "Changes"] == [
        *("Skip to content", "Linkwatch", "Targets", "Hosts", "Short links", "Snippets"),
        *("", "+\xa0New", "Notifications"),  # the first is the search
    ]
    page.locator(".who summary").focus()
    page.keyboard.press("Enter")
    names = []
    for _ in range(5):
        page.keyboard.press("Tab")
        names.append(focused(page))
    assert names == ["Account", "Notifications", "Admin", "API", "Sign out"]
    page.keyboard.press("Escape")
    assert focused_name(page) == "OYour account, operator"
    expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "seek"

    page.reload()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    while focused_name(page) != "Pause":
        page.keyboard.press("Tab")
        focused(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("The target was paused.")

    result = page.locator("details.result").nth(1)
    result.locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(result.get_by_role("heading", name="Attempts")).to_be_visible()


def focused_name(page):
    return page.evaluate("document.activeElement.textContent.trim()")


def test_the_page_is_complete_without_javascript(visit, target):
    page = visit(target.get_absolute_url(), java_script_enabled=False)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status")).to_have_text("The target was paused.")


THEME = {"reload": True}


def test_the_admin_is_readable_and_runs_under_its_policy(
    visit, live_server, target, violations, monkeypatch
):
    monkeypatch.setattr(broadcast, "request_refresh", lambda: None)
    counts.recount()  # the target was created by the ORM
    SUMMARY.forget()
    SUMMARY.get()
    page = visit("/admin/")
    expect(page.get_by_role("link", name="Inconclusive")).to_contain_text("1")
    on_every_screen(page, "admin", violations, reload=True)
    page.goto(f"{live_server.url}/admin/targets/target/?needs_attention=yes")
    expect(page.locator("#changelist")).to_contain_text("hostile.example")
    on_every_screen(page, "admin-targets", violations, **THEME)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator("input.action-select").check()
    page.locator("select[name=action]").select_option("pause")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("Pause 1 target")).to_be_visible()
    on_every_screen(page, "admin-ask", violations, **THEME)
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_text("Targets paused: 1.")).to_be_visible()
    page.goto(f"{live_server.url}/admin/targets/target/{target.pk}/change/")
    on_every_screen(page, "admin-target", violations, **THEME)
    result = CheckResult.objects.latest("pk")
    page.goto(f"{live_server.url}/admin/checker/checkresult/{result.pk}/change/")
    expect(page.locator(".lw-json").last).to_contain_text(HOSTILE)
    on_every_screen(page, "admin-result", violations, **THEME)
    assert page.title() != "owned"
    SUMMARY.forget()


def test_a_wrong_result_is_reported_and_handled_by_an_operator(
    visit, target, live_server, violations
):
    page = visit(f"/targets/{target.pk}")
    page.get_by_role("link", name="This is wrong…").first.click()
    on_every_screen(page, "report", violations)
    page.set_viewport_size(SCREENS["phone"]["viewport"])
    assert page.evaluate(TOO_WIDE) == []
    page.get_by_label("What do you see?").fill(f"It is there. {HOSTILE}")
    page.get_by_role("button", name="Send report").click()
    expect(page.get_by_text("An operator will review your report")).to_be_visible()
    page.get_by_role("link", name="This is wrong…").first.click()
    expect(page.get_by_role("status")).to_contain_text("No operator has handled the report yet")
    on_every_screen(page, "reported", violations)
    page.goto(f"{live_server.url}/admin/checker/resultreport/?state=open")
    on_every_screen(page, "admin-reports", violations, **THEME)
    page.locator("input.action-select").check()
    page.locator("select[name=action]").select_option("mark_as_handled")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("Reports marked as handled: 1.")).to_be_visible()
    assert page.title() != "owned"


def test_everybody_reads_the_table_of_verdicts(visit, violations):
    page = visit("/about/verdicts#mark-akamai")
    expect(page.locator("#mark-akamai")).to_be_in_viewport()
    on_every_screen(page, "verdicts", violations)
    page.set_viewport_size(SCREENS["phone"]["viewport"])
    assert page.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize("name", ["Privacy", "Accessibility"])
def test_everybody_reads_the_pages_on_privacy_and_accessibility(visit, violations, name):
    page = visit("/about/checks")
    page.get_by_role("contentinfo").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    on_every_screen(page, name.lower(), violations)
    page.set_viewport_size(SCREENS["phone"]["viewport"])
    assert page.evaluate(TOO_WIDE) == []


HEAVIEST = 250 * 1024  # bytes of a page of the admin on the wire, without its fonts


def test_pages_of_the_admin_are_small(base, open_as):
    """Measure a real web process: because Django's live server sends files differently."""
    for number in range(50):
        target = TargetFactory(url=f"https://host{number}.example/some/longer/path/{number}")
    page = open_as(base, "/admin/", Role.OPERATOR)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    weights = []
    devtools.on(
        "Network.loadingFinished", lambda loaded: weights.append(loaded["encodedDataLength"])
    )
    fonts = 4 * 30 * 1024  # at most, and browsers keep them
    for path in ("targets/target/", f"targets/target/{target.pk}/change/", "auth/group/add/"):
        weights.clear()
        devtools.send("Network.clearBrowserCache")
        page.goto(f"{base}/admin/{path}", wait_until="load")
        assert 20_000 < sum(weights) < HEAVIEST + fonts, path


@pytest.mark.parametrize("path", ["/v1/docs", "/v1/targets"])
def test_the_pages_of_the_api_load_nothing_from_other_hosts(visit, path):
    page = visit(path)
    expect(page.get_by_text("targets").first).to_be_visible()


def test_signing_out_also_works_on_pages_of_the_api(visit, live_server):
    page = visit("/v1/targets")
    sign_out(page)
    page.wait_for_url(live_server.url + "/sign-in")
