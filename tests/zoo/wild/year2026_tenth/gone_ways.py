"""Missing pages that lead elsewhere: to a home page, a list, a search, a form or an error page."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.server import Visit
from tests.zoo.wild.case import ELSE, Case, Reply, gone, html, only, redirect
from tests.zoo.wild.year2026_tenth.frames import (
    LOST,
    ROBOTS,
    alone,
    app,
    board,
    home,
    manual,
    news,
    office,
    prose,
    store,
)

_WAYS = ("error_page", "same_for_all", "home_page", "changed_owner")


def _every(
    name: str,
    source: str,
    path: str,
    to: str,
    reply: Reply,
    *flags: str,
    lang: str = "en",
    status: int = 302,
) -> Case:
    """Return a page that leads to `to`, as every unknown address of its host does."""
    front = {"/": home(lang)}
    site = {**front, to: reply, "/robots.txt": ROBOTS, ELSE: redirect(to, status=status)}
    return gone(name, source, site, *_WAYS, *flags, path=path)


def _one(
    name: str,
    source: str,
    path: str,
    to: str,
    reply: Reply,
    *,
    lang: str = "en",
    status: int = 301,
) -> Case:
    """Return a page that leads to `to`; other unknown addresses of its host are a 404."""
    site = {
        "/": home(lang),
        "/robots.txt": ROBOTS,
        path: redirect(to, status=status),
        to: reply,
        ELSE: LOST,
    }
    return gone(name, source, site, *_WAYS, path=path)


def _homes() -> Iterator[Case]:
    yield _every(
        "a deep link into old documentation lands on the project's home page",
        "opensearch-project/project-website issue 1279: older links are redirected to the home page",
        "/docs/1.2/observability-plugin/ppl/commands/",
        "/",
        home(),
        status=301,
    )
    yield _one(
        "an address on a list of deleted ones leads to the home page instead of a 410",
        "Geta/geta-notfoundhandler issue 176: the site performs a 302 redirect instead of a 410",
        "/sv/produkter/utgangna/bromsok/",
        "/",
        home("sv"),
        lang="sv",
        status=302,
    )
    yield _every(
        "an unknown short link leads to the shortener's home page",
        "shorteners: Short.io and others, fallback to the main domain for links that do not exist",
        "/tram7x",
        "/?utm_source=missing-link",
        home(),
    )
    yield _every(
        "a missing page in Greek leads to the root of its language",
        "CMS with languages in the path: 302 to /el/ for missing pages",
        "/el/nea/2018/tram-7",
        "/el/",
        home("el"),
        lang="el",
    )
    yield _every(
        "a story of a closed regional edition leads to the national front page in Danish",
        "newspapers after a merger of editions: 301 of everything to the front page",
        "/lokalt/sporvogn-1904/7712345",
        "/forside",
        home("da"),
        lang="da",
        status=301,
    )
    merged = {"/": home("de", "Verkehrsverbund"), "/robots.txt": ROBOTS, ELSE: LOST}
    yield gone(
        "a deep link to a merged company leads to the home page of the new one",
        "mergers: 301 of every address of the old name to the root of the new one",
        only(redirect("http://www.verkehrsverbund-neu-zehn.example:PORT/", status=301)),
        *_WAYS,
        path="/fahrplan/linie-7.pdf",
        others={"www.verkehrsverbund-neu-zehn.example": merged},
    )
    yield gone(
        "a personal page leads to the department that its owner left",
        "universities: ~user pages retired, 301 of each to the department's home page",
        only(redirect("http://dept-of-transport-ten.example:PORT/", status=301)),
        *_WAYS,
        path="/~sandbucket/publications/brakes.ps",
        host="people.transport-ten.example",
        others={
            "dept-of-transport-ten.example": {
                "/": home("en", "Department of Transport"),
                ELSE: LOST,
            }
        },
    )
    yield gone(
        "a refresh in the page takes a lost reader of Spanish home",
        "temas de WordPress: página no encontrada con meta refresh de 3 segundos, 200",
        {
            "/": home("es"),
            "/robots.txt": ROBOTS,
            ELSE: html(
                alone(
                    "Redirigiendo",
                    "<p>La página que busca ya no existe. En unos segundos le llevaremos a la portada.</p>",
                    lang="es",
                    more='<meta http-equiv="refresh" content="3; url=/">\n',
                )
            ),
        },
        *_WAYS,
        path="/2016/05/cochera-antigua/",
    )


def _lists() -> Iterator[Case]:
    jobs = html(
        office(
            "Open roles",
            "<div class='flash'>The job you are looking for is no longer open.</div><h1>Open roles</h1><ul><li><a href='/jobs/1'>Driver</a></li><li><a href='/jobs/2'>Fitter</a></li></ul>",
        )
    )
    yield _every(
        "a closed job leads to the board with an error in its query",
        "career-ops-hq/career-ops pull request 57: Greenhouse redirects to ?error=true",
        "/tramworks/jobs/5190400",
        "/tramworks?error=true",
        jobs,
    )
    yield _one(
        "a discontinued part in German leads to its category",
        "Shops auf Shopware: eingestellte Artikel, 301 auf die Kategorie",
        "/bremsen/bremskurbel-messing-1904",
        "/bremsen/",
        html(
            store(
                "Bremsen",
                "<h1>Bremsen</h1><ul><li>Bremsklotz 12 €</li><li>Bremsseil 9 €</li></ul>",
                lang="de",
            )
        ),
        lang="de",
    )
    yield _every(
        "a sold house in Dutch leads to the results for its town",
        "woningsites: 302 naar zoekresultaten met een melding",
        "/koop/havenstad/remise-7/",
        "/koop/havenstad/?melding=object-niet-beschikbaar",
        html(
            store(
                "Koopwoningen",
                "<p class='melding'>Het object dat u zoekt is niet meer beschikbaar.</p><h1>Koopwoningen in Havenstad</h1><ul><li>Kade 3</li><li>Kade 9</li></ul>",
                lang="nl",
            )
        ),
        lang="nl",
    )
    yield _one(
        "a cancelled concert leads to the list of concerts in Polish",
        "serwisy biletowe: odwołane wydarzenie, 302 na listę",
        "/wydarzenie/1904-koncert-w-zajezdni",
        "/wydarzenia",
        html(
            office(
                "Wydarzenia",
                "<h1>Wydarzenia</h1><ul><li>12.06 Jazz</li><li>19.06 Chór</li></ul>",
                lang="pl",
            )
        ),
        lang="pl",
        status=302,
    )
    yield _every(
        "a deleted thread in Russian leads to the index of the forum",
        "форумы: удалённая тема, 302 на главную форума с сообщением",
        "/index.php?showtopic=1904",
        "/index.php?act=idx",
        html(
            board(
                "Форум",
                "<div class='msg'>Тема не существует либо была удалена.</div><h1>Все разделы</h1><ul><li>Вагоны</li><li>Рельсы</li></ul>",
                lang="ru",
            )
        ),
        lang="ru",
    )
    yield _one(
        "a retired course in Portuguese leads to the catalog of courses",
        "plataformas de cursos: curso retirado, 301 para o catálogo",
        "/cursos/manutencao-de-eletricos",
        "/cursos/",
        html(
            office(
                "Cursos",
                "<h1>Todos os cursos</h1><ul><li>Soldadura</li><li>Eletrónica</li></ul>",
                lang="pt",
            )
        ),
        lang="pt",
    )
    yield _every(
        "a file of an old release leads to the page of all downloads",
        "download servers: 302 to /downloads/ for files that were removed",
        "/releases/0.9/tram-sim-0.9.tar.gz",
        "/downloads/",
        html(
            manual(
                "Downloads", "<h1>Downloads</h1><ul><li>tram-sim 4.2</li><li>tram-sim 4.1</li></ul>"
            )
        ),
    )
    yield gone(
        "a lost address in Czech leads to a search without results",
        "weby s vyhledáváním: 302 na /hledat?q= s textem adresy, nic nenalezeno",
        {"/": home("cs"), "/robots.txt": ROBOTS, ELSE: _searched},
        *_WAYS,
        path="/clanky/vuz-sedm",
    )
    yield _every(
        "a removed video leads to the channel list of its site",
        "video sites: 302 to /videos for a removed video",
        "/watch/1904-night-ride",
        "/videos",
        html(app("Videos", f"<h1>Videos</h1><p>Popular now</p>{prose()}")),
    )


def _errors() -> Iterator[Case]:
    yield _every(
        "a missing page in German leads to the page for errors",
        "Websites auf Typo3 und Sitecore: 302 auf /fehlerseite, 200",
        "/unternehmen/geschichte/1904.html",
        "/fehlerseite",
        html(
            office(
                "Fehlerseite",
                "<h1>Die Seite konnte nicht gefunden werden</h1><p>Bitte prüfen Sie die Adresse.</p>",
                lang="de",
            )
        ),
        lang="de",
    )
    yield _every(
        "a missing page in Japanese leads to a notice with a 200",
        "企業サイト: 302 で /notfound/ へ、200",
        "/ir/library/1904.html",
        "/notfound/",
        html(
            office(
                "ページが見つかりません",
                "<h1>アクセスしようとしたページが見つかりませんでした</h1><p>掲載期間が終了した可能性があります。</p>",
                lang="ja",
            )
        ),
        lang="ja",
    )
    yield gone(
        "a missing page of a .NET site leads to its page for errors with the address in the query",
        "ASP.NET customErrors: 302 to /Error/NotFound?aspxerrorpath=, 200",
        {"/": home(), "/robots.txt": ROBOTS, ELSE: _custom_error},
        *_WAYS,
        path="/products/brakes.aspx",
    )
    yield _every(
        "a missing page in French leads for good to /404.html",
        "sites statiques derrière un CDN: 301 vers /404.html, 200",
        "/archives/2012/ligne-7",
        "/404.html",
        html(
            alone(
                "Oups",
                "<h1>Oups, cette page a déraillé</h1><p>Elle n'existe plus ou a changé d'adresse.</p>",
                lang="fr",
            )
        ),
        lang="fr",
        status=301,
    )
    yield _every(
        "a missing document leads to the form to sign in with a word on it",
        "document portals: 302 to /login?error=notfound for every unknown document",
        "/documents/1904/minutes",
        "/login?error=notfound",
        html(
            app(
                "Sign in",
                "<div role='alert'>The document was not found or has been deleted.</div><form method='post'><input name='user'><input name='password' type='password'><button>Sign in</button></form>",
            )
        ),
        "login",
    )
    yield gone(
        "a deleted post in Korean shows an alert and goes back to the list",
        "그누보드 (GNUBoard): alert with 글이 존재하지 않습니다., #validation_check, 200",
        {
            "/": home("ko"),
            "/robots.txt": ROBOTS,
            "/bbs/board.php?bo_table=tram": html(
                board("전차 게시판", f"<h1>전차 게시판</h1>{prose('ko')}", lang="ko")
            ),
            ELSE: _alert,
        },
        *_WAYS,
        path="/bbs/board.php?bo_table=tram&wr_id=1904",
    )
    yield gone(
        "an old address goes over a new slug to a 410",
        "content systems: 301 to the last slug of a removed article, 410 there",
        {
            "/": home(),
            "/node/1904": redirect("/news/brakes-tested", status=301),
            "/news/brakes-tested": html(
                news("Removed", "<h1>This article was withdrawn</h1>"), status=410
            ),
            ELSE: LOST,
        },
        path="/node/1904",
    )
    yield gone(
        "a link of a retired shortener leads to a notice about its end",
        "shorteners that ended: every code redirects to one announcement",
        only(redirect("http://blog-of-a-shortener-ten.example:PORT/sunset", status=301)),
        *_WAYS,
        path="/b7Kq",
        others={
            "blog-of-a-shortener-ten.example": {
                "/": home("en", "Developers' blog"),
                "/sunset": html(
                    news(
                        "Short links will no longer be available",
                        "<h1>Short links will no longer be available</h1><p>All links of this service stopped working on August 25, 2025. Their targets are no longer served.</p>",
                        name="Developers' blog",
                    )
                ),
                ELSE: LOST,
            }
        },
    )


def _searched(visit: Visit, _times: int) -> Reply:
    """Lead every address to a search for its own words, which finds nothing."""
    search, _, words = visit.target.partition("?q=")
    if search != "/hledat":
        return redirect("/hledat?q=" + visit.target.rsplit("/", 1)[-1].replace("-", "+"))
    asked = words.replace("+", " ")
    return html(
        news(
            "Výsledky hledání",
            f"<h1>Výsledky hledání</h1><p>Na dotaz „{asked}“ nebylo nic nalezeno.</p>",
            lang="cs",
        )
    )


def _custom_error(visit: Visit, _times: int) -> Reply:
    """Lead every address to the page for errors, with the address in the query."""
    if not visit.target.startswith("/Error/NotFound"):
        return redirect(f"/Error/NotFound?aspxerrorpath={visit.target}")
    return html(
        office(
            "Page not found",
            "<h1>Oops! We can't find that page</h1><p>It may have been retired.</p>",
        ),
        "X-AspNet-Version: 4.0.30319",
    )


def _alert(visit: Visit, _times: int) -> Reply:
    """Answer a post of the board that does not exist with an alert, other addresses with a 404."""
    if not visit.target.startswith("/bbs/"):
        return LOST
    return html(
        "<!doctype html>\n<html lang='ko'>\n<head>\n<meta charset='utf-8'>\n<title>오류안내 페이지</title>\n</head>\n<body>\n<script>\nalert('글이 존재하지 않습니다.\\n\\n글이 삭제되었거나 이동된 경우입니다.');\ndocument.location.replace('./board.php?bo_table=tram');\n</script>\n<noscript>\n<div id='validation_check'><h1>다음 항목에 오류가 있습니다.</h1><p class='cbg'>글이 존재하지 않습니다.</p></div>\n</noscript>\n</body>\n</html>\n"
    )


CASES: list[Case] = [*_homes(), *_lists(), *_errors()]
