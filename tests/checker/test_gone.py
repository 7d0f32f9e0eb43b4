"""What pages state about themselves, where redirects lead, who owns a page; hostile pages."""

# ruff: noqa: RUF001
import os
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from checker.engine.certificate import Certificate
from checker.engine.charset import decode
from checker.engine.domains import registrable_domain
from checker.engine.gone import find_error, find_login, find_parking
from checker.engine.page import FetchedPage, read_page, read_refresh
from checker.engine.page_identity import Identity, identify, signs_of_new_owner, simhash
from checker.engine.redirect_destinations import (
    leads_home,
    leads_to_error_page,
    leads_to_login,
    leads_to_market,
)
from targets.state import Outcome
from tests.zoo.checks import check
from tests.zoo.rows import by_target, redirect
from tests.zoo.server import answer
from tests.zoo.wild.pages import article, modern, prose

pytestmark = pytest.mark.any_database
ASKED = "https://site.example/archive/report"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
CAP = 64 * 1024


def small(title: str) -> FetchedPage:
    return FetchedPage(modern(title, f"<h1>{title}</h1>"))


def long(title: str) -> FetchedPage:
    return FetchedPage(article(title))


@pytest.mark.parametrize(
    "title",
    [
        "404",
        "404!",
        "Not Found",
        "Error 404",
        "404 - Example",
        "404 | Example",
        "404 Page",
        "Example | Page not found",
        "Oops! That page can\u2019t be found.",
        "Oops! That page can&rsquo;t be found.",
        "<b>Page</b>\n  not&nbsp;found",
        "This job is no longer available",
        "Sorry, we can't find the page you're looking for.",
        "Leider konnten wir diese Seite nicht finden",
        "La page demandée n'a pas été trouvée",
        "Lo sentimos, la página que busca no existe",
        "СТРАНИЦА НЕ НАЙДЕНА",
        "Požadovaná stránka nebyla nalezena",
        "お探しのページは見つかりません",
        "您访问的页面不存在",
        "요청하신 페이지를 찾을 수 없습니다.",
        "الصفحة غير موجودة",
    ],
)
def test_pages_that_say_not_found_are_recognized(title):
    for page in (f"<title>{title}</title>", f"<h1 class=a>{title}</h1>", modern(title, "")):
        has_two_parts = " - " in title or " | " in title
        assert find_error(FetchedPage(page), asked=ASKED) or (has_two_parts and "<h1" in page), page
    assert find_error(
        FetchedPage("<!-- -->" * 2048 + f"<TITLE lang=x>{title}</TITLE>"), asked=ASKED
    )


@pytest.mark.parametrize(
    "title",
    [
        "Page not found: a history of HTTP errors",
        "How to fix “404 Not Found” in nginx",
        "Peugeot 404",
        "HTTP 404 - an encyclopaedia",
        "Room 4040",
        "What was not found in the ruins",
        "Missing persons – Police",
        "Удаление файлов в Windows",
        "「ページが見つかりません」と表示される原因",
        "Domain parking explained: what “this domain is for sale” pages earn",
        "Why does my site say “Account Suspended”?",
        "Account of the suspended bridge",
        "Houses for sale in Bristol",
        "It works! How vaccines are made",
        "Sign in wood: carving",
    ],
)
def test_articles_and_names_with_such_words_are_not_error_pages(title):
    for find in (find_error, find_parking, find_login):
        assert find(long(title), asked=ASKED) is None
        assert "”" in title or find(small(title), asked=ASKED) is None


def test_a_page_with_running_text_needs_the_words_in_title_and_heading():
    text = prose("en", 6)
    assert find_error(
        FetchedPage(modern("Page not found", f"<h1>Not found</h1>{text}")), asked=ASKED
    )
    assert not find_error(
        FetchedPage(modern("Page not found", f"<h1>News</h1>{text}")), asked=ASKED
    )


def test_an_address_that_mentions_errors_is_evidence():
    page = small("404 Not Found")

    assert find_error(page, asked="https://site.example/wiki/HTTP_404") is None
    assert find_error(page, asked="https://404.example/wiki/bridge")


@pytest.mark.parametrize(
    ("path", "speaks"),
    [
        *[(path, True) for path in ("wiki/HTTP_404", "errors/404.html", "docs/not-found", "404s")],
        *[(path, True) for path in ("Error404Page", "help?topic=Not%20Found", "seite-introuvable")],
        *[(path, False) for path in ("terrorism/", "node/1841077", "4040", "x?id=24104")],
        *[(path, False) for path in ("mirrors", "knotfoundation", "errorless-learning")],
    ],
)
def test_an_address_mentions_errors_by_whole_words(path, speaks):
    asked = f"https://site.example/{path}"

    assert bool(find_error(small("404 Not Found"), asked=asked)) is not speaks
    ended = "https://site.example/error/404.html"
    assert bool(leads_to_error_page(asked=asked, url=ended)) is not speaks


@pytest.mark.parametrize(
    ("path", "speaks"),
    [
        *[(path, True) for path in ("blog/domain-parking", "films/Coming_Soon", "docs/nginx")],
        *[(path, True) for path in ("install/", "help/suspended", "wiki/Domain_name")],
        *[(path, False) for path in ("parks/", "art/installations/7", "domainedelariviere")],
        *[(path, False) for path in ("sparkling", "cgi-sys/suspendedpage.cgi", "subdomainx")],
    ],
)
def test_an_address_mentions_parking_by_whole_words(path, speaks):
    found = find_parking(small("Account Suspended"), asked=f"https://site.example/{path}")
    assert bool(found) is not speaks


@pytest.mark.parametrize("kind", ["template", "svg", "script", "noscript", "style", "textarea"])
def test_text_that_readers_do_not_see_is_ignored(kind):
    page = FetchedPage(
        f"<title>Report</title><{kind}><h1>Page not found</h1></{kind}><h1>Report</h1>"
    )

    assert find_error(page, asked=ASKED) is None
    assert page.headings == ("report",)


@pytest.mark.parametrize(
    "title",
    [
        "old-mill.example is for sale",
        "This domain has expired",
        "Account Suspended",
        "Welcome to nginx!",
        "Apache2 Debian Default Page: It works",
        "Diese Domain steht zum Verkauf",
        "Ce nom de domaine est à vendre",
        "Домен припаркован",
        "该域名正在出售",
    ],
)
def test_parked_and_closed_sites_are_recognized(title):
    assert find_parking(small(title), asked=ASKED).startswith("title: ")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("エックスサーバー サーバー初期ページ", "まだホームページがアップロードされていません。"),
        ("museum.example", "このドメインはお名前.comで取得されています。"),
        ("museum.example", "Domain im Kundenauftrag registriert"),
        ("Este dominio ya ha sido registrado", ""),
        ("Questo dominio è già registrato", ""),
        ("Votre domaine a bien été créé chez OVHcloud !", ""),
        ("museum.example", "This domain is registered at Dynadot.com. Website coming soon."),
        ("museum.example parked on Porkbun", ""),
        ("Домен не прилинкован ни к одной из директорий", ""),
        ("museum.example", "Сайт museum.example только что создан. Содержимое ещё не добавлено."),
        ("Caddy works!", "Your web server is working."),
        ("Welcome to Open LiteSpeed Web Server", "Congratulation"),
        ("museum.example", "This page is generated by DirectAdmin"),
        ("Success!", "Your new web server is ready to use."),
        ("Apache Tomcat/9.0.83", "If you're seeing this, you've successfully installed Tomcat."),
        ("恭喜，站点创建成功！", "本页面由系统自动生成"),
        ("Placeholder page", "The owner has not put up any web pages yet."),
        ("This website has been seized", "Seized pursuant to a warrant of a district court."),
        ("Gereserveerd voor een klant van TransIP", ""),
        ("Tato doména byla zaregistrována", ""),
        ("Ta domena została już zarejestrowana", ""),
        ("museum.example", "이 도메인은 가비아에 등록된 도메인입니다."),
        ("网站暂时无法访问", "该网站未根据工信部相关法律规定进行备案。"),
        ("Site en construction", "Ce site est hébergé par OVHcloud et n'a pas encore été publié."),
        ("Coming soon", "museum.example"),
        ("Su dominio ha sido creado con éxito en OVHcloud", ""),
        ("museum.example", "museum.example has been registered at Porkbun.com."),
        ("museum.example is registered, but may still be available", ""),
        ("Test Page for the HTTP Server on Red Hat Enterprise Linux", ""),
        ("Kontot är avstängt", "Kontakta webbhotellet."),
        ("您的域名可以转让", ""),
    ],
)
def test_first_pages_of_hosts_and_registrars_are_parked(title, text):
    page = f"<title>{title}</title><h1>{title}</h1><p>{text}</p>"

    assert find_parking(FetchedPage(page), asked=ASKED)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Domaine viticole à vendre", "Douze hectares de vignes, chai et caveau."),
        ("Ce domaine est à vendre", "Douze hectares de vignes, chai et caveau."),
        ("Este dominio está en venta", "La finca se vende con su bodega."),
        ("Este dominio vinícola está en venta", "La finca se vende con su bodega."),
        ("Domein Ter Heide te koop", "Landgoed met wijngaard."),
        ("Coming soon | River Cinema", "<ul><li><a href=/f/1>The Quay</a> from Friday</ul>"),
        ("Coming soon", "<a href=/f/1>One</a>" * 6),
        ("Prochainement", "Sept films sortent ce mois."),
        ("Parking", "<table><tr><td>Quay<td>80</table>"),
        ("Parked", "<img src=/cam.jpg><p>Car park at the quay, live</p>" + "<a href=/>.</a>" * 6),
        ("Car park", "<iframe src='https://cam.parking.example/live'></iframe>"),
        ("Car park", "<script>window.park = {places: 80}</script><p>Cars parked by hour: 12</p>"),
        ("fcbasel.example: Tickets kaufen", "Spiele der Saison"),
        ("© museum.example. All rights reserved", "Tickets"),
        ("The shop is closed on Mondays", "See you on Tuesday."),
        ("museum.example: the new report is available", "Read it."),
        ("当サイトで資格取得", "講座の案内"),
        ("The page of a manuscript", "This leaf was seized by the river."),
        ("This site is closed on Mondays", "Opening hours of the dig"),
        ("サーバー停止のお知らせ", "11月3日、メンテナンス"),
        ("ドメイン取得の方法", "手順"),
        ("域名转让合同范本", "下载"),
        ("It works", "A film about labour"),
    ],
)
def test_estates_cinemas_and_car_parks_are_not_parked(title, text):
    menu = "<nav>" + "".join(f"<a href=/{n}>{n}</a>" for n in range(6)) + "</nav>"
    page = f"<title>{title}</title>{menu}<h1>{title}</h1><p>{text}</p>"

    assert find_parking(FetchedPage(page), asked=ASKED) is None


@pytest.mark.parametrize(
    ("location", "flags"),
    [
        ("/#/record/77", ("moved",)),
        ("/#!/record/77", ("moved",)),
        ("/app/#/record/77", ("moved",)),
        ("/#top", ("home_page",)),
        ("/#/", ("home_page",)),
        ("/#/home", ("home_page",)),
        ("/#/404", ("error_page",)),
        ("/", ("home_page",)),
    ],
)
def test_a_route_of_an_application_is_not_a_home_page(location, flags):
    found, _ = check(by_target({"/record/77": redirect(301, location)}), path="/record/77")

    assert found.flags == flags


def test_a_fragment_is_kept_by_further_redirects():
    pages = {"/app/record/77": redirect(301, "/app#/record/77"), "/app": redirect(302, "/app/")}
    found, _ = check(by_target(pages), path="/app/record/77")

    assert found.flags == ()
    assert found.final_url.endswith("/app/")


def test_a_comments_page_resembles_its_article():
    pages = {"/2019/bridge/comment-page-2": redirect(301, "/2019/bridge")}
    found, _ = check(by_target(pages), path="/2019/bridge/comment-page-2")

    assert found.flags == ("moved",)


def test_parking_filled_by_a_script_is_recognized_by_its_markup():
    page = "<html data-adblockkey='MFww'><body><div id=target></div><script src=/a.js></script>"

    assert find_parking(FetchedPage(page), asked=ASKED) == "source: data-adblockkey="
    assert find_parking(FetchedPage(page + article("Report")), asked=ASKED) is None


def test_a_log_in_instead_of_the_page_is_recognized():
    page = FetchedPage(modern("Sign in | Site", "<form><input type=password></form>"))

    assert find_login(page, asked=ASKED) == "title: sign in"
    assert find_login(page, asked="https://site.example/login") is None
    assert find_login(page, asked="https://site.example/") is None


@pytest.mark.parametrize(
    ("judge", "path", "is_it"),
    [
        (leads_to_error_page, "/404.html", True),
        (leads_to_error_page, "/en/error/page-not-found", True),
        (leads_to_error_page, "/seite-nicht-gefunden", True),
        (leads_to_error_page, "/a/b.aspx?aspxerrorpath=/x", True),
        (leads_to_error_page, "/index.php?page=404", True),
        (leads_to_error_page, "/glossary/error", False),
        (leads_to_error_page, "/adverts/?adDeleted=true", True),
        (leads_to_error_page, "/jobs?error=job-not-found", True),
        (leads_to_error_page, "/artikel?msg=produkt_nicht_gefunden", True),
        (leads_to_error_page, "/artikel?msg=produkt_gefunden", False),
        (leads_to_error_page, "/offers?status=offer-longer-available", False),
        (leads_to_error_page, "/jobs?msg=job-nicht-entfernt", False),
        (leads_to_error_page, "/list?page=404", False),
        (leads_to_market, "/cgi-sys/suspendedpage.cgi", True),
        (leads_to_market, "/static/webblock.html?d=x", True),
        (leads_to_market, "/wp-admin/install.php", True),
        (leads_to_market, "/parking", False),
        (leads_to_login, "/user/login", True),
        (leads_to_login, "/topics/login?next=/x", True),
        (leads_to_login, "/topics/login", False),
        (leads_to_login, "/articles/login-to-the-past", False),
        (leads_to_market, "/lander", True),
        (leads_to_market, "/services/parking", False),
    ],
)
def test_redirects_are_classified_by_their_destination(judge, path, is_it):
    assert bool(judge(asked=ASKED, url=f"https://site.example{path}")) is is_it


def test_a_domain_market_is_recognized_by_its_name():
    offer = "https://www.hugedomains.com/domain_profile.cfm?d=site"

    assert leads_to_market(asked=ASKED, url=offer)
    assert leads_to_market(asked="https://www.hugedomains.com/a", url=offer[:27]) is None
    assert leads_to_market(asked=ASKED, url="http://ww38.site.example/")


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("a.b.example.co.uk", "example.co.uk"),
        ("www.museum.github.io", "museum.github.io"),
        ("co.uk", "co.uk"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("", ""),
        (None, ""),
    ],
)
def test_the_registrable_domain_follows_the_public_suffix_list(host, domain):
    assert registrable_domain(host) == domain


# Charsets


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("größe".encode("cp1252"), "text/html"),
        ("größe".encode(), "text/html; charset=windows-1251"),
        (b"<meta charset='iso-8859-2'>" + "größe".encode("iso-8859-2"), "text/html; charset=x"),
        ("größe".encode("utf-16"), "text/html; charset=utf-8"),
        ("größe".encode("utf-16-le"), "text/html; charset=utf-16"),
        ("größe".encode("cp437"), "text/html; charset=cp437"),  # not a charset of the web
    ],
)
def test_a_page_is_read_in_the_declared_charset_that_fits(body, content_type):
    text = decode(body, content_type=content_type)

    assert text.endswith("größe") or "cp437" in content_type


@pytest.mark.parametrize(
    "charset", ["idna", "zlib", "punycode", "unicode_escape", "undefined", "utf-7", "\0", "x" * 99]
)
def test_a_hostile_charset_is_not_a_codec(charset):
    assert decode(b"\xff caf\xe9", content_type=f"text/html; charset={charset}") == "ÿ café"


def test_a_page_that_is_cut_within_a_letter_is_still_utf_8():
    assert decode("grö".encode()[:-1], content_type="text/html") == "gr"


# Hostile pages: on them, anything that is not linear takes minutes.

HOSTILE = {
    "tags that never end": b"<h1 " * (CAP // 4),
    "angles": b"<" * CAP,
    "metas": b"<meta http-equiv=refresh content=x>" * 1800,
    "ten thousand metas": b"<meta>" * 10_000,
    "metas without an end": b"<meta http-equiv=refresh " * 2600,
    "scripts without an end": b"<script>" * (CAP // 8),
    "comments": b"<!--" * (CAP // 4),
    "templates": b"<template></templat" * 3400,
    "titles": b"<title>not " * 6000,
    "headings": b"<h1>page</h1>" * 5000,
    "headings without an end": b"<h2>page not found" * 3600,
    "entities": b"<title>" + b"&#x41;&amp" * 6500 + b"</title>",
    "names of domains": b"<title>" + b"a.b-" * 50 + b"</title>" + b"a-." * 20_000,
    "one word": b"<h1>x</h1>" + b"page " * 13_000,
    "the page you": b"<p>the page you are looking for " * 2000,
    "quotes": b"<html lang=" + b"'\"" * (CAP // 2),
    "garbage": os.urandom(CAP),
    "zeros": bytes(CAP),
    "east": "頁".encode() * (CAP // 3),
    "refresh": b"<meta http-equiv=refresh content='0;" + b" url=" * 12_000 + b"'>",
    "spaces": b"<meta http-equiv=refresh content='0" + b" " * CAP,
    "spaces within quotes": b"<meta http-equiv=refresh content='0" + b" " * (CAP - 50) + b"'>",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_any_page_is_read_in_linear_time(body):
    started = time.process_time()

    page = read_page(headers={"content-type": "text/html"}, body=body)
    for find in (find_error, find_parking, find_login):
        find(page, asked=ASKED)
    assert page.refresh is None or len(page.refresh) <= CAP
    kept = identify(page, url=ASKED, certificate=None, known=None)
    assert Identity.from_json(kept.as_json()) == kept
    assert len(kept.title) <= 200

    assert time.process_time() - started < 5


@pytest.mark.parametrize("path", ["/" + "a/" * 30_000, "/?" + "a&" * 30_000, "/%ff%00" * 9000])
def test_any_address_is_judged_in_linear_time(path):
    started = time.process_time()

    for judge in (leads_to_error_page, leads_to_login, leads_to_market):
        judge(asked=ASKED, url=f"https://site.example{path}")

    assert time.process_time() - started < 5


@pytest.mark.parametrize("number", ["9" * 5000, "x" + "9" * 5000])
def test_an_invalid_character_reference_does_not_spoil_a_page(number):
    page = FetchedPage(f"<title>&#{number}; a</title><h1>&#{number};</h1>&#{number};<p>b</p>")
    assert (page.title, page.headings, page.text) == ("", (), "b")
    assert read_refresh(f"0; url=/a&#{number};") == "/a"


# A refresh


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("0; url=/a", "/a"),
        ("5;URL='/a'", "/a"),
        ('3, url = "/a?b=c"', "/a?b=c"),
        ("0;/a", "/a"),
        (".5; url=/a", "/a"),
        ("6; url=/a", None),
        ("300", None),
        ("", None),
        ("x; url=/a", None),
    ],
)
def test_a_refresh_counts_within_five_seconds(value, address):
    assert read_refresh(value) == address


def refreshing(target: str, **more: str):
    body = f"<meta http-equiv=refresh content='0; url={target}'><h1>Wait</h1>".encode()
    return answer(200, "Content-Type: text/html", body=body, **more)


GONE = answer(404)


def test_a_refresh_is_followed_like_a_redirect_but_once():
    site = by_target({"/a": refreshing("/b"), "/b": refreshing("/c"), "/c": GONE}, other=GONE)

    found, zoo = check(site, path="/a")

    assert zoo.targets == ["/a", "/b"]
    assert [(hop.status, hop.url) for hop in found.redirects] == [(200, zoo.url("/b"))]
    assert (found.outcome, found.moved_to) == (Outcome.SUCCESS, None)


@pytest.mark.parametrize(
    ("said", "flags"),
    [
        ("Sorry, the selected article does not exist.", ("error_page",)),
        ("This page does not exist here any more: it moved to a new address.", ()),
    ],
)
def test_a_page_that_says_it_is_gone_is_judged_before_its_refresh(said, flags):
    head = "<meta http-equiv=refresh content='3; url=/news/all'><title>News</title>"
    page, news = f"{head}<h4>{said}</h4>".encode(), article("News of the harbour").encode()
    site = {
        "/news/186": answer(200, "Content-Type: text/html", body=page),
        "/news/all": answer(200, "Content-Type: text/html", body=news),
    }

    assert check(by_target(site, other=GONE), path="/news/186")[0].flags == flags


def test_a_missing_page_behind_a_refresh_is_missing():
    assert check(by_target({"/a": refreshing("/b")}, other=GONE), path="/a")[0].status_code == 404


@pytest.mark.parametrize(
    "target", ["/a", "/a#top", "mailto:a@b.example", "http://", "http://10.0.0.1/", "", "//[/"]
)
def test_a_refresh_that_cannot_be_followed_keeps_the_page(target):
    found, zoo = check(by_target({"/a": refreshing(target)}, other=GONE), path="/a")

    assert zoo.targets == ["/a"]
    assert (found.outcome, found.status_code, found.final_url) == (
        Outcome.SUCCESS,
        200,
        zoo.url("/a"),
    )
    assert found.redirects == ()


# Whose page it is

MUSEUM = article("The bridge of 1931")
CASINO = modern(
    "Best Online Casino – Free Spins",
    "<h1>Top 10 Casinos</h1><p>Play slots, roulette and blackjack and claim your welcome bonus now,"
    " fast payouts, no deposit, live dealers, jackpots every single day of the week.</p>",
)


def seen(
    html: str, *, url: str = ASKED, known: Identity | None = None, issuer: str = ""
) -> Identity:
    certificate = Certificate(issuer=issuer, expires_at=NOW) if issuer else None
    return identify(FetchedPage(html), url=url, certificate=certificate, known=known)


def test_a_page_of_another_owner_has_another_title_and_another_text():
    assert signs_of_new_owner(seen(MUSEUM), seen(CASINO)) == "changed: title, text"


@pytest.mark.parametrize(
    "after",
    [
        article("A new title, the same text"),
        article("The bridge of 1931", lang="de"),
        modern("The bridge, told anew", "<p>Nothing of the old text is left in this one.</p>" * 9),
        "<title></title>" + CASINO[CASINO.index("<body") :],
    ],
)
def test_a_page_with_a_single_change_keeps_its_owner(after):
    assert signs_of_new_owner(seen(MUSEUM), seen(after)) is None


def test_texts_that_are_too_short_to_compare_need_other_changes():
    before, after = (
        "<html lang=de><title>Ruderverein</title>",
        "<html lang=en><title>Casino</title>",
    )

    assert signs_of_new_owner(seen(before), seen(after)) is None
    other = seen(after, url="https://other.example/", issuer="b")
    assert (
        signs_of_new_owner(seen(before, issuer="a"), other)
        == "changed: title, language, domain, issuer"
    )


def test_the_text_is_compared_only_if_title_or_domain_changed(monkeypatch):
    known = seen(MUSEUM)
    monkeypatch.setattr("checker.engine.page_identity.simhash", lambda _text: 7)

    assert seen(MUSEUM.replace("goat", "dog"), known=known).simhash == known.simhash
    assert seen(MUSEUM, known=replace(known, title="another")).simhash == 7
    assert seen(MUSEUM, url="https://other.example/", known=known).simhash == 7


def test_similar_texts_have_similar_hashes_and_short_ones_none():
    text = FetchedPage(MUSEUM).text
    other = simhash(text.replace("goat", "dog").replace("granite", "sandstone"))

    assert (simhash(text) ^ other).bit_count() < 10
    assert simhash("a few words") is None


def test_a_check_records_the_owner_of_a_page_but_not_of_a_changed_one():
    page = answer(200, "Content-Type: text/html", body=MUSEUM.encode())
    casino = answer(200, "Content-Type: text/html", body=CASINO.encode())
    first, _ = check(page, path="/a")
    assert first.identity.title.startswith("the bridge of 1931")

    again, _ = check(casino, path="/a", known=first.identity)
    assert (again.flags, again.identity) == (("changed_owner",), None)
    assert again.evidence["mark"] == "changed: title, text"
    once_more, _ = check(page, path="/a", known=first.identity)
    assert (once_more.flags, once_more.identity) == ((), None)  # no change


# Failures by a setting, certificates


def test_only_failing_flags_turn_a_success_into_a_failure():
    site = by_target({"/a": redirect(302, "/404")}, other=answer())

    passing, _ = check(site, path="/a", failing_flags={"parked"})
    failing, _ = check(site, path="/a", failing_flags={"parked", "error_page"})

    assert (passing.outcome, passing.flags) == (Outcome.SUCCESS, ("error_page",))
    assert (failing.outcome, failing.reason) == (Outcome.FAILURE, "flag_error_page")
    assert failing.flags == ("error_page",)
    assert (
        "which FAILING_FLAGS counts as a failure (redirected to an error page: /404)"
        in failing.error
    )


@pytest.mark.parametrize(
    ("left", "life", "expires"), [(13, 90, True), (15, 90, False), (13, 14, False), (2, 7, True)]
)
def test_a_certificate_is_flagged_in_its_last_third_and_within_the_warning(left, life, expires):
    end = NOW + timedelta(days=left)
    certificate = Certificate(issuer="x", expires_at=end, valid_from=end - timedelta(days=life))

    assert certificate.expires_within(timedelta(days=14), now=NOW) is expires


@pytest.mark.parametrize(
    ("asked", "url", "mark"),
    [
        ("/record/77", "/#/record/77", None),
        ("/record/77", "/#!/record/77", None),
        ("/record/77", "/app/#record/77", None),
        ("/contact", "/#contact", None),
        ("/2019/bridge/comment-page-2/", "/2019/bridge/", None),
        ("/2019/bridge/comments-page-12", "/2019/bridge/", None),
        ("/forum/bridge/unread", "/forum/bridge/", None),
        ("/record/77", "/#top", "redirected to the home page"),
        ("/record/77", "/#/", "redirected to the home page"),
        ("/record/77", "/#", "redirected to the home page"),
        ("/2019/bridge/goats", "/2019/bridge/", "redirected to the parent folder"),
    ],
)
def test_an_address_within_an_application_or_a_view_of_a_page_is_not_a_home_page(asked, url, mark):
    site = "https://site.example"
    assert leads_home(asked=site + asked, url=site + url) == mark


def test_an_application_has_error_pages_too():
    found = leads_to_error_page(asked=ASKED, url="https://site.example/#/not-found")
    assert found == "redirected to an error page: #/not-found"
    assert not leads_to_error_page(asked=ASKED, url="https://site.example/#/record/not-found")


def test_a_redirect_keeps_the_fragment_that_a_browser_would_have():
    pages = {"/a": redirect(302, "/b#/record/77"), "/b": redirect(302, "/")}
    found, _ = check(by_target(pages, other=answer()), path="/a")
    assert found.flags == ()
    found, _ = check(by_target({"/a": redirect(302, "/")}, other=answer()), path="/a/b")
    assert found.flags == ()


OTHERS = "".join(f"<h3><a href=/a/{n}>Ferries of {n}</a></h3>{prose('en', 1)}" for n in range(4))


@pytest.mark.parametrize(
    "said",
    [
        "We can't seem to find the page you're looking for",
        "The topic “Brass_band_1931” does not exist",
        "Die angeforderte Seite konnte nicht gefunden werden",
        "Ce bien n'est plus disponible",
        "Este inmueble ya no está disponible",
        "To ogłoszenie nie jest już dostępne",
        "К сожалению, страница не найдена",
        "A keresett oldal nem található",
        "요청하신 페이지를 찾을 수 없습니다",
        "この求人は掲載を終了しました",
        "お探しのページは見つかりませんでした",
        "该职位已下线",
        "ไม่พบหน้าที่คุณต้องการ",
        "Síða fannst ekki",
        "Iphepha alifunyenwanga",
    ],
)
def test_other_articles_below_do_not_contradict_a_heading(said):
    page = modern("River News", f"<h1>{said}</h1><p>Try another.</p><h2>Latest</h2>{OTHERS}")
    assert find_error(FetchedPage(page), asked=ASKED)
    oops = modern("River News", f"<h1>Oops!</h1><h2>{said}</h2><h2>Latest</h2>{OTHERS}")
    assert find_error(FetchedPage(oops), asked=ASKED)


def test_without_a_next_heading_the_title_needs_the_words_too():
    text = prose("en", 4)
    said = "Seite nicht gefunden"
    assert not find_error(FetchedPage(modern("Museum", f"<h1>{said}</h1>{text}")), asked=ASKED)
    assert find_error(FetchedPage(modern(said, f"<h1>Oh! {said}, heute</h1>{text}")), asked=ASKED)
    assert find_error(FetchedPage(modern(said, f"<div>{said}</div>{text}")), asked=ASKED)
    assert not find_error(FetchedPage(modern(said, f"<div>Blatt 12</div>{text}")), asked=ASKED)


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("This report was withdrawn", "<h1>This report was withdrawn</h1>" + prose("en", 4)),
        ("River News", f"<h2>Latest</h2>{OTHERS}<h3>Page not found</h3>{OTHERS}"),
        ("Gone | River Cinema", "<h1>Gone</h1><p>1 h 34 min, in colour, with songs</p>"),
        ("Line 404", "<h1>404</h1><ul><li>10:20 Old Mill</li><li>10:40 Old Mill</li></ul>"),
        ("Room 410 | Hotel", "<h1>410</h1><p>Two beds, a bath, a view of the river</p>"),
        ("The auction has ended: a history", "<h1>The auction has ended: a history</h1>" + OTHERS),
    ],
)
def test_pages_with_such_a_name_or_about_a_withdrawal_exist(title, body):
    assert find_error(FetchedPage(modern(title, body)), asked=ASKED) is None


@pytest.mark.parametrize("below", ["", "<p>Nothing at this URL.</p>", "<p>Die Seite fehlt</p>"])
def test_a_bare_number_is_a_status_if_the_text_mentions_pages_or_is_empty(below):
    assert find_error(FetchedPage(modern("404 | Museum", f"<h1>404</h1>{below}")), asked=ASKED)


@pytest.mark.parametrize(
    "heading", ["", "<h2>Information</h2>", "<h1>Oops!</h1>", "<h1>Fehler</h1>"]
)
@pytest.mark.parametrize(
    "said",
    [
        "The requested topic does not exist.",
        "Das angeforderte Thema existiert nicht.",
        "Запрошенной темы не существует.",
        "That file isn\u2019t here anymore",
        "Sorry, this position has been filled. See our other jobs.",
        "Invalid Thread specified. If you followed a valid link, tell us.",
        "요청하신 페이지를 찾을 수 없습니다. 주소를 확인해 주세요",
        "Das ist schade. Die Seite wurde leider nicht gefunden.",
    ],
)
def test_a_sentence_of_a_small_page_without_a_subject_counts(heading, said):
    page = modern("Forum", f"{heading}<p>{said}</p>")
    assert find_error(FetchedPage(page), asked=ASKED)


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Night of the museums</h1><p>This event has ended.</p>",
        "<h1>Which band?</h1><p>This comment was removed by the moderator.</p><p>Brass.</p>",
        "<p>3 results for goat</p><ul><li>Boats not found in ruins</li><li>The goat</li></ul>",
        "<h1>Wish list</h1><ul><li>This item is no longer available</li><li>Compass</li></ul>",
        "<h1>Status</h1><p>404: the requested page was not found.</p><p>410: it is gone.</p>",
        "<h1>Texts</h1><p>“The page you requested cannot be found” is one of them.</p>",
        "<h1>A lens?</h1><p>This post was deleted.</p><h2>3 answers</h2><p>Use a cloth.</p>",
    ],
)
def test_a_sentence_on_a_small_page_about_something_else_does_not(body):
    assert find_error(FetchedPage(modern("Museum", body)), asked=ASKED) is None


@pytest.mark.parametrize(
    "heading",
    [
        "Sorry, this item is unavailable",
        "Desculpe, este produto foi removido",
        "Видео удалено или заблокировано",
        "Diese Anzeige wurde gelöscht oder deaktiviert",
        "Produsul nu mai este disponibil în magazinul nostru",
    ],
)
def test_a_regret_before_and_a_word_after_a_statement_are_ignored(heading):
    page = modern("Market", f"<h1>{heading}</h1><p>See other things.</p>")
    assert find_error(FetchedPage(page), asked=ASKED)


def test_a_bug_report_about_a_missing_file_exists():
    page = modern("Bug #186 “File not found on start” : Bugs", "<h1>File not found on start</h1>")
    assert find_error(FetchedPage(page), asked=ASKED) is None


@pytest.mark.parametrize(
    "said",
    [
        "This video is not available in your country",
        "Dieser Inhalt ist in Ihrem Land nicht verfügbar",
        "Cette vidéo n'est pas disponible dans votre pays",
        "Este contenido no está disponible en tu país",
    ],
)
def test_pages_that_are_shown_in_other_countries_exist(said):
    for page in (f"<h1>{said}</h1>", f"<p>{said}.</p>"):
        assert find_error(FetchedPage(modern("Videos", page)), asked=ASKED) is None


@pytest.mark.parametrize(
    ("script", "is_one"),
    [
        ("alert('존재하지 않는 상품입니다.'); history.back();", True),
        ('alert("This post has been deleted."); location.href="/"', True),
        ("alert('该文章不存在'); window.close()", True),
        ("alert('This post has been deleted.')", False),
        ("alert('Please log in first.'); location.href='/login'", False),
        ("alert('존재하지 않는 상품입니다.'); history.back();" + " " * 5000, False),
    ],
)
def test_an_alert_of_an_empty_page_counts(script, is_one):
    page = FetchedPage(f"<title>A shop</title><script>{script}</script>")
    assert bool(find_error(page, asked=ASKED)) is is_one
    read = FetchedPage(f"<script>{script}</script><p>Open daily from ten, but not on Mondays.</p>")
    assert not find_error(read, asked=ASKED)
