"""Pages that are gone, whose server leads somewhere else: to an error page, home, or a log-in."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, gone, html, redirect
from tests.zoo.wild.pages import HOME, PATH, article, modern, old, prose

_SORRY = html(modern("River Museum", f"<p>Sorry! Please try the menu.</p>{prose('en', 1)}"))
_SIGN_IN = html(
    modern(
        "Sign in – River Museum",
        "<h1>Sign in</h1><form method='post' action='/session'><input name='user'>"
        "<input type='password' name='password'><button>Sign in</button></form>",
    )
)
_LONG = "/exhibitions/1931/bridges/catalogue/plate-12.html"


def _to_error_pages() -> Iterator[Case]:
    for target in (
        "/404",
        "/404.html",
        "/404/",
        "/error",
        "/error/404",
        "/error.aspx?code=404",
        "/errors/not-found",
        "/not-found",
        "/notfound.php",
        "/page-not-found.html",
        "/page_not_found",
        "/en/404",
        "/pagenotfound?requestUrl=%2Farchive",
        "/404.aspx?aspxerrorpath=/archive/2019/annual-report",
        "/index.php?page=404",
        "/Error/NotFound",
        "/fehler-404",
        "/pagina-no-encontrada",
        "/page-introuvable",
    ):
        yield gone(
            f"sent to {target}",
            "error pages by redirect: ASP.NET customErrors, content management systems",
            {"/": HOME, target: _SORRY, ELSE: redirect(target)},
            "error_page",
            "same_for_all",
        )
    yield gone(
        "sent to an error page on another host",
        "error pages that a company's sites share",
        {"/": HOME, ELSE: redirect("http://errors.company.example:PORT/404/?from=museum")},
        "error_page",
        "same_for_all",
        others={"errors.company.example": {ELSE: _SORRY}},
    )


def _home() -> Iterator[Case]:
    source = "the commonest soft 404 (Bar-Yossef and others 2004; archive bots' rules)"
    for name, target, path in (
        ("sent home", "/", PATH),
        ("sent home for good", "/", _LONG),
        ("sent to the home page of a language", "/de/", PATH),
        ("sent to the home page of a country", "/en-us/", PATH),
        ("sent to a home page with a name", "/index.php", PATH),
        ("sent to a home page of ASP", "/Default.aspx", PATH),
        ("sent to a home page that is told why", "/?error=404", PATH),
        ("sent to the folder above", "/archive/2019/", PATH),
        ("sent to the section above", "/exhibitions/", _LONG),
    ):
        flags = ("home_page", "same_for_all", "error_page")
        site = {"/": HOME, target: HOME, ELSE: redirect(target, status=301)}
        yield gone(name, source, site, *flags, path=path)
    for name, host, other, status in (
        ("sent to another domain's home page", "", "www.holding.example", 301),
        ("sent to the home page of the company that bought it", "", "conglomerate.test", 302),
        (
            "sent from a department to the home of the whole",
            "hist.uni.example",
            "www.uni.example",
            302,
        ),
    ):
        site = {ELSE: redirect(f"http://{other}:PORT/", status=status)}
        others = {other: {"/": HOME, ELSE: redirect("/")}}
        flags = ("home_page", "same_for_all", "changed_owner")
        yield gone(name, source, site, *flags, host=host, others=others)
    yield gone(
        "sent home over two hosts and three hops",
        source,
        {ELSE: redirect("http://www.three-hops.example:PORT/moved")},
        "home_page",
        "same_for_all",
        host="three-hops.example",
        others={
            "www.three-hops.example": {
                "/moved": redirect("/start", status=301),
                "/start": redirect("/", status=303),
                ELSE: HOME,
            }
        },
    )


def _refresh(seconds: str, target: str, *, form: str = "") -> Reply:
    text = form or f'<meta http-equiv="refresh" content="{seconds}; url={target}">'
    return html(modern("River Museum", "<p>One moment please &hellip;</p>", head=text))


def _refreshed() -> Iterator[Case]:
    source = "hand-made sites: redirects by meta refresh, as pages without access to the server do"
    away = "http://www.other-museum.example:PORT/"
    others = {"www.other-museum.example": {ELSE: HOME}}
    seen = ("home_page", "same_for_all", "error_page", "changed_owner")
    pages = {
        "refreshed to its home page at once": _refresh("0", "/"),
        "refreshed to its home page after three seconds": _refresh("3", "/"),
        "refreshed to another domain's home page": _refresh("5", away),
        "refreshed to an error page": _refresh("0", "/404.html"),
        "refreshed in capitals and quotes": _refresh(
            "", "", form="<META HTTP-EQUIV='Refresh' CONTENT='0;URL=\"/\"'>"
        ),
    }
    for name, reply in pages.items():
        site = {"/": HOME, "/404.html": _SORRY, ELSE: reply}
        on_the_way = others if away in reply.body.decode() else {}
        yield gone(name, source, site, *seen, others=on_the_way)
    yield gone(
        "an old page that says it moved, and sends to a home page",
        source,
        {
            "/": HOME,
            ELSE: html(
                old("We have moved", '<META HTTP-EQUIV=refresh CONTENT="4; URL=/">We have moved!')
            ),
        },
        *seen,
    )


def _to_log_ins() -> Iterator[Case]:
    source = "pages that once were open, now behind a log-in"
    for target in (
        "/login?next=/archive/2019/annual-report",
        "/users/sign_in",
        "/wp-login.php?redirect_to=%2Farchive",
        "/account/logon.aspx?ReturnUrl=%2f",
        "/auth/signin?callbackUrl=%2Farchive",
        "/anmelden?ziel=/archive",
    ):
        site = {"/": HOME, target: _SIGN_IN, ELSE: redirect(target)}
        yield gone(f"sent to {target}", source, site, "login", "restricted")
    for name, host, path in (
        (
            "sent to a single sign-on",
            "sso.uni.example",
            "/idp/profile/SAML2/Redirect/SSO?execution=e1s1",
        ),
        (
            "sent to a cloud's log-in",
            "login.cloud.example",
            "/common/oauth2/v2.0/authorize?client_id=0",
        ),
        (
            "sent to an account service",
            "accounts.cloud.example",
            "/v3/signin/identifier?continue=x",
        ),
    ):
        site = {"/": HOME, ELSE: redirect(f"http://{host}:PORT{path}")}
        yield gone(name, source, site, "login", "restricted", others={host: {ELSE: _SIGN_IN}})


_MUSEUM = html(article("Annual report 2019 of the River Museum"))
_CLUB = html(
    modern(
        "Ruderverein Altstadt 1902 e. V. – Jahresbericht",
        f"<h1>Jahresbericht 2019</h1>{prose('de', 4)}",
        lang="de",
    )
)


def _new_owners() -> Iterator[Case]:
    source = "expired domains bought for their links: same address, another owner"
    casino = html(
        modern(
            "Best Online Casino 2026 – 200 Free Spins, No Deposit",
            "<h1>Top 10 Online Casinos</h1>"
            + "<p>Play slots, roulette and blackjack and claim your welcome bonus today.</p>" * 5,
        )
    )
    slots = html(
        modern(
            "SLOT GACOR 88: Situs Judi Slot Online Gampang Menang",
            "<h1>Daftar Slot Gacor Hari Ini</h1>"
            + "<p>Bonus new member, deposit pulsa tanpa potongan, main sekarang juga.</p>" * 5,
            lang="id",
        )
    )
    pills = html(
        modern(
            "Купить лекарства без рецепта – интернет-аптека",
            "<h1>Интернет-аптека</h1>" + "<p>Быстрая доставка, низкие цены, анонимно.</p>" * 5,
            lang="ru",
        )
    )
    betting = html(
        modern(
            "澳门博彩 – 真人娱乐官网",
            "<h1>真人娱乐</h1>" + "<p>注册即送彩金，提款快速。</p>" * 6,
            lang="zh",
        )
    )
    essays = html(
        modern(
            "Buy Essays Online | Cheap Essay Writing Service",
            "<h1>Write my essay</h1>"
            + "<p>Native writers, plagiarism free, from $9 a page.</p>" * 5,
        )
    )
    for name, before, after in (
        ("a museum became a casino", _MUSEUM, casino),
        ("a rowing club became Indonesian slot machines", _CLUB, slots),
        ("a museum became a Russian pharmacy", _MUSEUM, pills),
        ("a rowing club became Chinese betting", _CLUB, betting),
        ("a rowing club became an essay mill", _CLUB, essays),
    ):
        yield gone(name, source, {ELSE: after}, "changed_owner", "parked", earlier={ELSE: before})
    yield gone(
        "a museum is sent to a casino's page on another domain",
        source,
        {ELSE: redirect("http://lucky-spins.example:PORT/en/welcome-bonus", status=301)},
        "changed_owner",
        "home_page",
        others={"lucky-spins.example": {ELSE: casino}},
        earlier={ELSE: _MUSEUM},
    )


CASES = [*_to_error_pages(), *_home(), *_refreshed(), *_to_log_ins(), *_new_owners()]
