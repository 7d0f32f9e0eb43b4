"""Marks of bot walls: where they count, where they don't, and that no body makes them slow."""

# ruff: noqa: RUF001
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.engine.charset import decode, unescape
from checker.engine.exchange import Exchange
from checker.engine.instructions import Instructions
from checker.engine.page_identity import Identity
from checker.engine.refusal_words import KINDS, find_words
from checker.engine.wall_products import WALLS
from checker.engine.walls import is_wall_title, leads_to_wall
from targets.state import Outcome
from tests.zoo.checks import check
from tests.zoo.server import answer
from tests.zoo.wild.pages import modern

pytestmark = pytest.mark.any_database

CHALLENGE = b"<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"


def marks(body: str | bytes = b"", *, status: int = 403, **headers: str) -> tuple[str, ...]:
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    page = body.encode() if isinstance(body, str) else body
    return Exchange(url="", status=status, headers=headers, body=page).walls


@pytest.mark.parametrize("status", [301, 404, 410, 500, 502])
def test_walls_are_searched_only_with_their_statuses(status):
    assert marks(CHALLENGE, status=status, cf_mitigated="challenge") == ()


def test_every_matched_mark_of_a_wall_is_reported():
    found = marks(CHALLENGE, cf_mitigated="challenge")

    assert found == (
        "cloudflare: header cf-mitigated",
        "cloudflare: _cf_chl_opt",
        "cloudflare: title just a moment",
    )


def test_marks_are_read_with_their_entities_decoded():
    assert marks("https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18") == (
        "akamai: errors.edgesuite.net",
    )


@pytest.mark.parametrize("headers", [{"server": "AkamaiGHost"}, {"server": "awselb/2.0"}])
def test_the_name_of_the_server_counts_only_with_a_403(headers):
    assert marks(**headers)
    assert not marks(status=503, **headers)
    assert not marks(status=200, **headers)


@pytest.mark.parametrize(
    ("body", "is_wall"),
    [
        ("error code: 1020", True),
        ("error code: 1015", True),
        ("error code: 1016", False),  # the site's origin has no address
        ("error code: 1001", False),
        ("<p class=cf-error-details>Error <b>1009</b>", True),
        ("<p class=cf-error-details>Error <b>1003</b>", False),
        ("<p>Error 1020 of our printer's manual</p>", False),
    ],
)
def test_cloudflares_errors_are_walls_if_they_refuse_the_client(body, is_wall):
    assert bool(marks(body)) is is_wall


def test_on_a_503_a_captcha_widget_proves_nothing_but_a_heading_does():
    widget = "<h1>This service was discontinued</h1><form>Are you a robot?</form>"

    assert not marks(widget, status=503)
    assert marks("<h1>Are you a robot?</h1>", status=503)
    assert marks(widget, status=403)


@pytest.mark.parametrize("status", [200, 202])
def test_a_challenge_counts_with_a_2xx_by_its_title_or_form_above_little_text(status):
    assert marks(CHALLENGE, status=status)
    assert marks(modern("Robot check", "<p>Enter the letters</p>"), status=status)
    assert not marks(modern("Robot check", "<p>A long story. </p>" * 200), status=status)
    assert not marks(modern("Robot check: a yearly service", ""), status=status)


def test_the_title_of_a_challenge_counts_even_where_only_clients_without_scripts_see_it():
    title = "<noscript><title>Pardon Our Interruption</title></noscript>"
    text = "<h1>Pardon Our Interruption</h1><p>As you were browsing, something made us think</p>"

    assert marks(f"<html><head>{title}</head><body>{text * 5}</body>", status=200)


def test_a_page_that_quotes_a_challenge_is_not_one():
    assert not marks("<p>The script sets _cf_chl_opt first.</p>", status=200)
    assert not marks('{"title": "_cf_chl_opt"}', status=200, content_type="application/json")


def test_a_script_that_also_runs_on_normal_pages_counts_if_it_is_alone():
    script = "<script src='/_Incapsula_Resource?SWJIYLWA=719d'></script>"

    assert marks(script, status=200)
    assert not marks(script + "<p>Open daily.</p>", status=200)


def test_each_wall_has_a_mark_in_lower_case():
    for wall in WALLS:
        texts = (*wall.headers, *wall.words, *wall.titles, *wall.markup, *wall.scripts)
        assert texts
        assert [text for text in texts if text != text.lower()] == []


@pytest.mark.parametrize("status", [420, 430, 468, 493, 566, 567, 999])
def test_some_statuses_alone_indicate_a_wall(status):
    assert marks(status=status)[0].endswith(f": status {status}")


def test_a_price_for_crawlers_is_a_wall_but_one_for_people_is_not():
    assert marks(status=402, crawler_price="USD 0.01") == ("pay per crawl: header crawler-price",)
    assert marks("<p>Subscribe to read on. Are you a robot?</p>", status=402) == ()


RELOADS = (
    "document.cookie='k=1;path=/';location.reload()",
    "document.cookie = 'k=' + f(); window.location.href = window.location.href;",
    "document['cookie']='k=1';setTimeout(function(){location.replace(document.URL)},9)",
    "function setCookie(n,v){};setCookie('k','1');document.location.reload(true)",
)


@pytest.mark.parametrize("script", RELOADS)
@pytest.mark.parametrize("status", [200, 202, 403, 412, 503, 521])
def test_a_script_alone_that_sets_a_cookie_and_reloads_is_a_wall(script, status):
    page = f"<html><head><script>{script}</script></head><body></body></html>"

    assert "script: sets a cookie and reloads" in marks(page, status=status)


def test_a_lone_script_that_redirects_to_the_same_address_is_a_challenge():
    page = "<script>document.cookie='k=1';location.href='{}'</script>"

    def found(to):
        url = "http://a.example/x/y"
        return Exchange(url=url, status=200, body=page.format(to).encode()).walls

    assert found("/x/y?i=1")
    assert found("http://a.example/X/Y?i=1")
    assert found("?i=1")
    assert not found("/de/")
    assert not found("http://[")


@pytest.mark.parametrize("status", [412, 521])
def test_a_script_alone_is_a_challenge_with_statuses_that_have_no_page(status):
    assert marks("<html><head><script src=/k.js></script></head></html>", status=status)
    assert not marks("<script src=/k.js></script><h1>Precondition Failed</h1>", status=status)


@pytest.mark.parametrize(
    "page",
    [
        f"<script>{RELOADS[0]}</script><div id=root></div><script src=/main.js></script>",
        f"<script>{RELOADS[0]}</script><h1>The bridge</h1><p>It was finished in 1931.</p>",
        "<script>document.cookie='seen=1'</script>",
        "<script>if(document.cookie=='')location.reload()</script>",
    ],
)
def test_a_page_that_sets_a_cookie_or_reloads_is_not_a_challenge(page):
    assert not marks(page, status=200)


WIDGETS = (
    "<div class='cf-turnstile' data-sitekey='0x4'></div>",
    "<altcha-widget challengeurl='/a'></altcha-widget>",
    "<div class='frc-captcha' data-sitekey='F'></div>",
    "<div class='g-recaptcha' data-sitekey='6L'></div>",
    "<div class='h-captcha' data-sitekey='1'></div>",
    "<cap-widget data-cap-api-endpoint='/c'></cap-widget>",
    "<div id='captcha-container' class='smart-captcha'></div>",
    "<script>initGeetest4({captchaId:'1'})</script>",
)


@pytest.mark.parametrize("widget", WIDGETS)
def test_a_captcha_and_little_else_is_a_challenge(widget):
    page = "<title>{}</title><form method=post>{}<p>{}</p><input type=hidden><button>Go</button>"

    assert marks(page.format("Hold on", widget, "It takes a second."), status=200)
    # In a form that people fill in, on a page with text, or in the shell of an application.
    field = f"{widget}<input name=mail>"
    assert not marks(page.format("Hold on", field, "It takes a second."), status=200)
    assert not marks(page.format("The bridge", widget, "It has two arches. " * 60), status=200)
    assert not marks(page.format("", f"<div id='app'></div>{widget}", ""), status=200)
    # On a page to sign in, and where people quote it.
    assert not marks(page.format("Log in", widget, "With your company's account"), status=200)
    assert not marks(page.format("How to", "", widget.replace("<", "&lt;")), status=200)


@pytest.mark.parametrize(
    "text",
    [
        "Please prove that you are not a robot",
        "We are checking your browser before you go on",
        "Bitte bestätigen Sie, dass Sie kein Roboter sind",
        "Vérification de votre navigateur en cours",
        "Требуется проверка: пройдите проверку, чтобы продолжить",
        "请完成安全验证后继续访问本网站的内容",
        "보안 확인을 진행하고 있습니다. 잠시만요",
        "Too many requests from your network, take a break",
        "Votre support ID est : 481092837465019283",
    ],
)
def test_a_page_with_little_but_the_words_of_a_challenge_is_a_challenge(text):
    assert marks(f"<title>a.example</title><h1>{text}</h1>", status=200)
    assert not marks(f"<h1>{text}?</h1>" + "<p>A long story about that. </p>" * 20, status=200)
    menu = "<a href=/>Home</a>" * 20
    assert not marks(f"{menu}<h1>{text}</h1>", status=200)


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Your IP is 203.0.113.7</h1><p>Your user agent is Mozilla/5.0.</p>",
        "<h1>Мой адрес</h1><p>Ваш IP-адрес: 203.0.113.7, регион: Москва</p>",
        "<title>安全生产检查</title><p>本单位开展安全检查工作，对全部车间进行了检查。</p>",
        "<title>Firewall 3000</title><p>Web application firewall with bot detection.</p>",
        "<p>We look for robots and crawlers. Write to us.</p><form><input name=mail></form>",
        "<title>Photo</title><img src=/1.jpg><script>document.cookie='seen=1'</script>",
    ],
)
def test_a_short_page_that_mentions_challenges_is_not_one(page):
    assert not marks(page, status=200)


@pytest.mark.parametrize(
    "text",
    [
        "You are now in the queue. It will be your turn soon.",
        "There are 404 people ahead of you.",
        "Your place in line: 77",
        "Sie befinden sich in der Warteschlange.",
        "Vous êtes dans la file d'attente, merci de patienter.",
        "Вы в очереди. Страница обновится сама.",
        "您前面还有 404 人，请耐心等待，不要刷新页面。",
        "접속대기 중입니다. 앞에 404명이 있습니다. 잠시만 기다려 주세요.",
    ],
)
def test_a_page_with_little_more_than_a_queue_position_is_a_waiting_room(text):
    assert marks(f"<title>Sale</title><h1>{text}</h1>", status=200)[0].startswith("waiting room: ")
    assert not marks(f"<h1>{text}</h1>" + "<p>A long story about that. </p>" * 20, status=200)


def test_a_form_that_a_script_fills_with_a_proof_is_a_challenge():
    form = "<form method=post><input type=hidden name={}><input type=hidden name={}></form>"
    script = "<script>solve()</script>"

    assert marks(form.format("cha", "'sol'") + script, status=200) == ("captcha: proof of work",)
    assert not marks(form.format("SAMLResponse", "RelayState") + script, status=200)
    assert not marks(form.format("challenge", "nonce") + "<input name=mail>" + script, status=200)


@pytest.mark.parametrize("status", [200, 403, 500, 502])
def test_fortiwebs_page_is_recognized_with_any_status(status):
    page = "<title>Web Page Blocked!</title><p>Attack ID: 20000010</p>"

    assert "fortiweb: title web page blocked" in marks(page, status=status)
    assert not marks("<title>Error</title><p>Attack ID: 20000010</p>", status=500)


def test_a_challenge_may_have_status_402():
    assert marks("<h1>Are you human?</h1>", status=402)
    assert not marks("<h1>Are you a subscriber?</h1>", status=402)


def test_a_nonstandard_status_with_the_words_of_a_wall_is_a_wall():
    assert marks("<h1>555</h1><p>Your request was blocked.</p>", status=555)
    assert not marks("<h1>555</h1><p>The database has gone away.</p>", status=555)
    assert not marks("<h1>500</h1><p>Your request was blocked.</p>", status=500)


def test_a_page_of_a_few_words_whose_script_sets_a_cookie_and_reloads_is_a_challenge():
    script = "<script>document.cookie='a=1';location.reload()</script>"
    words = "<h1>Ein Augenblick</h1><p>Gleich geht es weiter, bitte die Seite offen lassen. </p>"

    assert marks(f"<title>a.example</title>{words * 2}{script}", status=200)
    assert not marks(f"{words * 2}<a href=/>Start</a>{script}", status=200)


def test_a_support_id_within_noscript_indicates_a_wall():
    page = "<noscript>Please enable JavaScript. Your support ID is: 186404218640421.</noscript>"

    assert marks(page, status=200)
    assert not marks("<noscript>Please enable JavaScript and cookies.</noscript>", status=200)


def test_a_help_page_about_support_ids_is_not_a_wall():
    assert not marks("<h1>Your support ID</h1><p>It is on the invoice of 2026.</p>", status=200)


@pytest.mark.parametrize("status", [202, 401, 403, 418, 429, 500, 503])
def test_anubis_is_recognized_with_any_status_except_404_and_410(status):
    denial = "<h1>Oh noes!</h1><img src=/.within.website/x/cmd/anubis/static/img/reject.webp>"

    assert marks(denial, status=status)
    assert not marks(denial, status=404)
    assert not marks(denial, status=410)


REFUSALS = (
    # By their subjects: robots, a rate, the visitor, the visitor's location, the product that
    # guards.
    "Automated access to this archive is not permitted",
    "You have exceeded a secondary rate limit",
    "API rate limit exceeded for 203.0.113.7",
    "Your IP address 203.0.113.7 has been temporarily blocked",
    "This content is not available in your region",
    "Please turn off your VPN and try again",
    "This request was blocked by our security service. Incident ID: 12-3",
    "AI bots are not welcome here",
    "Blocked: your request looks automated",
    "Temporarily blocked due to high request volume",
    '{"error":"rate_limit_exceeded"}',
    "Unsere Firewall lässt diese Anfrage nicht zu",
    "Zu viele Anfragen in kurzer Zeit",
    "Ihre IP-Adresse wurde gesperrt",
    "Dieser Inhalt ist in Ihrem Land nicht verfügbar",
    "Nous avons détecté un trafic inhabituel",
    "Votre adresse IP a été bloquée",
    "Demasiadas solicitudes desde su red",
    "Hemos detectado actividad sospechosa",
    "Abbiamo rilevato un traffico insolito",
    "Detectamos tráfego incomum",
    "Wykryto nietypowy ruch w Twojej sieci",
    "Robot olmadığınızı doğrulayın",
    "С вашего IP-адреса поступает слишком много запросов",
    "Доступ из вашей страны ограничен",
    "很抱歉，由于您访问的URL有可能对网站造成安全威胁，您的访问被阻断。",
    "您的请求带有不合法参数，已被网站管理员设置拦截！",
    "访问过于频繁，请稍后再试",
    "由于触发安全风控策略，该次访问请求被拒绝。",
    "偵測到來自您網路的異常流量",
    "短時間に大量のアクセスがありました",
    "海外からのアクセスは制限されています",
    "비정상적인 접근이 감지되어 차단되었습니다",
    "웹 방화벽에 의해 요청이 차단되었습니다",
)


@pytest.mark.parametrize("words", REFUSALS)
def test_a_refusal_that_addresses_its_reader_indicates_a_wall(words):
    assert marks(f"<h1>403</h1><p>{words}</p>")
    assert marks(words, content_type="text/plain", status=400)


@pytest.mark.parametrize(
    "words",
    [
        "You don't have permission to access this resource.",
        "This page was withdrawn by its author.",
        "Zugriff verweigert. Die Seite wurde gesperrt.",
        "Accès refusé. Cette page a été retirée.",
        "Acceso denegado. La página fue eliminada.",
        "Доступ запрещён. Страница удалена.",
        "访问被拒绝。该页面已删除。",
        "アクセスが拒否されました。このページは表示できません。",
        "접근 권한이 없습니다. 삭제된 페이지입니다.",
        "<Code>AccessDenied</Code><Message>Access Denied</Message>",
        "You are not allowed to see this page. Our offices in your region can help.",
        "You don't have permission to access /robots/firewall-bot.html on this server.",
        "Forbidden. " + "The page about the robot was withdrawn. " * 20,
    ],
)
def test_a_refusal_that_is_about_the_page_is_not_a_wall(words):
    assert not marks(f"<h1>403</h1><p>{words}</p>")


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>if (/bot|crawler/.test(navigator.userAgent)) { tooManyRequests() }</script>",
        "<style>.rate-limit { color: red }</style>",
        "<!--[if lt IE 9]><p>Your browser was blocked: are you a robot?</p><![endif]-->",
    ],
)
def test_hidden_text_of_a_refusal_is_ignored(hidden):
    withdrawn = "<h1>Forbidden</h1><p>This page of the museum was withdrawn by its author in 2019."

    assert not marks(f"<title>Museum</title>{hidden}{withdrawn} {withdrawn}</p>")
    assert marks("<title>405</title><script>var m='您的访问被阻断'</script>")


def test_a_ray_id_is_cloudflares_refusal_unless_the_error_is_the_sites():
    page = "<h1>Blocked</h1>{}<p>Ray ID: <strong>9a1b2c3d4e5f6071</strong></p>"

    assert marks(page.format(""), server="cloudflare") == ("cloudflare: ray id: 9a1b2c3d4e5f6071",)
    assert not marks(page.format("<h2>Error 1014</h2>"), server="cloudflare")
    assert not marks(page.format(""), server="nginx")
    assert not marks("<h1>Forbidden</h1>", server="cloudflare", cf_ray="9a1b2c3d4e5f6071-FRA")


@pytest.mark.parametrize(
    ("url", "is_wall"),
    [
        ("https://a.example/crawlprevention/governor?content=%2fx", True),
        ("https://a.example/captcha.php", True),
        ("https://b.example/showcaptcha?retpath=x", True),
        ("https://validate.perfdrive.com/a", True),
        ("https://a.example/news/captchas-explained", False),
        ("https://a.example/x", False),
    ],
)
def test_a_redirect_to_a_walls_challenge_is_a_wall(url, is_wall):
    assert bool(leads_to_wall(asked="https://a.example/x/y", url=url)) is is_wall
    assert (
        leads_to_wall(asked="https://a.example/captcha", url="https://a.example/captcha/") is None
    )


def identity(title):
    return Identity(title=title, domain="127.0.0.1", simhash=2**63, language="", issuer="")


PAGE = answer(200, "Content-Type: text/html", body=modern("The bridge", "<h1>It</h1>").encode())


@pytest.mark.parametrize("title", ["just a moment...", "request rejected", "百度安全验证"])
def test_a_stored_title_of_a_wall_is_deleted(title):
    assert is_wall_title(title)
    found, _ = check(PAGE, known=identity(title))

    assert found.outcome is Outcome.SUCCESS
    assert found.flags == ()
    assert found.identity.title == "the bridge"


def test_the_text_of_a_wall_is_never_stored_even_if_it_is_accepted():
    wall = answer(200, "Content-Type: text/html", body=CHALLENGE)
    found, _ = check(wall, instructions=Instructions(accept=frozenset({"blocked"})))

    assert found.flags == ("accepted",)
    assert found.identity is None


HOSTILE = {
    "openings": b"<" * 65_536,
    "scripts": b"<script" * 9_000,
    "titles": b"<title>" * 9_000,
    "headings": b"<h1 " * 16_000,
    "metas": b"<meta charset=nonsense>" * 2_800,
    "open metas": b"<meta " * 10_900,
    "ampersands": b"&" * 65_536,
    "a huge number": b"&#" + b"9" * 65_000 + b";",
    "a huge hexadecimal number": b"&#x" + b"f" * 65_000 + b";",
    "spaces": b"error " + b" " * 65_000 + b"code",
    "numbers": b"reference #" + b"1" * 65_000,
    "words": b"your request was " * 3_800,
    "zeroes": bytes(65_536),
    "fields": b"<input " * 9_000,
    "cookies": b"<script>document.cookie=" * 2_700,
    "locations": b"<script>cookie" + b"location.href='" * 4_000,
    "first letters": "您的访".encode() * 7_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=list(HOSTILE))
@pytest.mark.parametrize("status", [200, 403, 503])
def test_the_search_for_walls_is_fast_for_any_body(body, status):
    """Quadratic work on 64 KiB would take minutes."""
    started = time.process_time()

    marks(body, status=status)

    assert time.process_time() - started < 2


@given(st.binary(max_size=400), st.text(max_size=40), st.sampled_from([200, 202, 403, 503]))
def test_random_input_does_not_crash_the_search_for_walls(body, charset, status):
    headers = {"content-type": f"text/html; charset={charset}"}
    _ = Exchange(url="", status=status, headers=headers, body=body).walls


@pytest.mark.parametrize(
    ("page", "content_type"),
    [
        ("Мост".encode("koi8-r"), "text/html; charset=koi8-r"),
        ("Мост".encode("windows-1251"), 'text/html; charset="Windows-1251"'),
        ('<meta charset="cp1251">Мост'.encode("cp1251"), "text/html"),
        ("Мост".encode("utf-16"), ""),
        ("Мост".encode("utf-8-sig"), ""),
        ("Мост".encode(), ""),
        ("Мост".encode()[:-1], ""),  # cut within a character
    ],
)
def test_a_page_is_read_in_the_charset_that_it_names(page, content_type):
    assert decode(page, content_type=content_type).removesuffix("т").endswith("Мос")


@pytest.mark.parametrize(
    "charset",
    ["zlib", "hex", "rot13", "idna", "punycode", "unicode_escape", "undefined", "utf-7", "x" * 99],
)
def test_a_charset_that_no_browser_knows_is_not_used(charset):
    assert decode(b"caf\xe9.", content_type=f"text/html; charset={charset}") == "café."


def test_entities_without_a_character_are_dropped():
    assert unescape("&#58;&#" + "9" * 5000 + ";&lt;") == ":<"


def test_a_phrase_in_chinese_is_found_as_a_whole_only():
    assert list(find_words("正在进行安全检查。", KINDS)) == ["captcha: 正在进行安全检查"]
    assert list(find_words("页面不存在 请检查", KINDS)) == []
