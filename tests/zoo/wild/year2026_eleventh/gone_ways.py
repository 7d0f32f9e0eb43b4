"""Missing pages that lead elsewhere: to a home page, a list, a search, a form or an error page."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator
from urllib.parse import quote

from tests.zoo.server import Visit
from tests.zoo.wild.case import ELSE, Case, Reply, Site, gone, html, only, redirect
from tests.zoo.wild.year2026_eleventh.frames import (
    LOST,
    ROBOTS,
    app,
    bare,
    blog,
    docs,
    forum,
    home,
    office,
    prose,
    shop,
)

_WAYS = ("error_page", "same_for_all", "home_page", "changed_owner", "login")


def _leads(
    name: str,
    source: str,
    path: str,
    to: str,
    reply: Reply | None = None,
    *,
    scope: str = "all",
    lang: str = "en",
    status: int = 302,
) -> Case:
    """Return a page that leads to `to`, as all unknown addresses of its `scope` do."""
    landing = home(lang) if reply is None else reply

    def otherwise(visit: Visit, _times: int) -> Reply:
        if visit.target.partition("?")[0] == to.partition("?")[0]:
            return landing
        if scope == "all" or visit.target == path or visit.target.startswith(scope):
            return redirect(to.replace("$PATH", quote(visit.target, safe="")), status=status)
        return LOST

    site: Site = {"/": home(lang), "/robots.txt": ROBOTS, ELSE: otherwise}
    return gone(name, source, site, *_WAYS, path=path)


def _away(
    name: str, source: str, host: str, path: str, there: str, to: str, reply: Reply, status: int
) -> Case:
    """Return a page of a host whose every address leads to one address of another host."""
    leads = redirect(f"http://{there}:PORT{to}", status=status)
    here: Site = {path: leads, ELSE: LOST} if host.startswith("resolver") else only(leads)
    elsewhere: Site = {"/": home(), "/robots.txt": ROBOTS, to: reply, ELSE: LOST}
    return gone(name, source, here, *_WAYS, host=host, path=path, others={there: elsewhere})


def _homes() -> Iterator[Case]:
    yield _leads(
        "a page that a browser's maker did not take along leads to the front page",
        "mozilla/bedrock issue 16159: a plan for a migration, which warns of redirects of lost pages to the home page",
        "/docs/lamps/commands/",
        "/",
        scope="/docs/",
        status=301,
    )
    yield _leads(
        "a plugin in French sends every lost address home for good",
        "WordPress: All 404 Redirect to Homepage, 301",
        "/2015/11/la-lentille-de-fresnel/",
        "/",
        lang="fr",
        status=301,
    )
    yield _leads(
        "a game that left its store leads to the store's front page",
        "Steam: a removed application's page leads to the store's home page, 302",
        "/app/186242/Keeper_1862/",
        "/",
        scope="/app/",
    )
    yield _leads(
        "an address of an agency of space leads home after its new design",
        "GSA/site-scanning issue 354, link checks of agencies: a retired page leads to the home page",
        "/centers/north/lights/history.html",
        "/",
        scope="/centers/",
        status=301,
    )
    yield _leads(
        "a lost page of a language leads to that language's root in German",
        "mehrsprachige Auftritte: unbekannte Seiten führen nach /de/, 302",
        "/de/ausstellungen/2016/linsen",
        "/de/",
        home("de"),
        scope="/de/",
        lang="de",
    )
    yield _leads(
        "a lost page goes by the index file to the front page in Turkish",
        "paylaşımlı barındırma: ErrorDocument 404 /index.php, 302",
        "/etkinlik/fener-gecesi",
        "/",
        lang="tr",
    )
    site = {
        "/": home("ja"),
        "/robots.txt": ROBOTS,
        ELSE: html(
            bare(
                "移転のお知らせ",
                "<p>お探しのページはありません。5秒後にトップページへ移動します。</p>",
                lang="ja",
                more='<meta http-equiv="refresh" content="5; url=/">\n',
            )
        ),
    }
    yield gone(
        "a lost page in Japanese leads home in five seconds",
        "自治体・学校サイト: 5秒後にトップページへ移動します, 200",
        site,
        *_WAYS,
        path="/toudai/rekishi.html",
    )
    script = html(
        '<!DOCTYPE html><html><head><meta charset="utf-8"><title></title><script>window.location.replace("/");</script></head><body></body></html>'
    )
    yield gone(
        "a lost page in Chinese leads home by a script alone",
        "国内站点: 404 页面只有一段跳转脚本, 200",
        {"/": home("zh"), "/robots.txt": ROBOTS, ELSE: script},
        *_WAYS,
        path="/news/2016/1862.shtml",
    )


def _aways() -> Iterator[Case]:
    yield _away(
        "a vendor's documentation leads to the portal of the company that bought it",
        "saltstack/salt-ext-modules-vmware issue 405, power-validated-solutions issue 802: docs.vmware.com leads to the generic page of Broadcom's documentation",
        "docs-lamps-elf.example",
        "/en/Lamps/5.0/com.lamps.doc/GUID-1862AF.html",
        "techdocs-buyer-elf.example",
        "/us/en.html",
        html(
            docs(
                "Tech Docs",
                "<h1>Welcome to Tech Docs</h1><p>Search the documentation of all our products.</p><ul><li>Mainframe</li><li>Storage</li><li>Security</li></ul>",
                name="Buyer",
            )
        ),
        301,
    )
    yield _away(
        "a shop for clever things leads to the goods of the chain that took it over",
        "perladvent/Perl-Advent pull request 305: the obsolete product link has a 302 to current products at the successor",
        "clever-goods-elf.example",
        "/gadgets/lights/1862/",
        "chain-of-games-elf.example",
        "/collectibles",
        html(
            shop(
                "Collectibles | Chain",
                "<h1>Collectibles</h1><ul><li>Figure 19.99</li><li>Mug 12.99</li><li>Poster 9.99</li></ul>",
            )
        ),
        302,
    )
    yield _away(
        "a developer's weblog on a retired host leads to the list of all new weblogs",
        "MicrosoftDocs and awesome lists: blogs.msdn.microsoft.com leads to the front of the developer blogs",
        "blogs-retired-elf.example",
        "/b/oldlamp/archive/2007/06/12/the-glow-of-it.aspx",
        "devblogs-elf.example",
        "/landingpage/",
        html(blog("Developer Blogs", f"<h1>Developer Blogs</h1><h2>Latest posts</h2>{prose()}")),
        301,
    )
    yield _away(
        "a paper's identifier resolves to the front page of its society",
        "CrossRef/rest-api-doc issue 137: resolves to the publisher homepage rather than the article",
        "resolver-elf.example",
        "/10.4435/LAMP.2012.23",
        "society-of-lamps-elf.example",
        "/index.html",
        home(name="Society of Lamps"),
        302,
    )
    yield _away(
        "a paper's identifier was deleted and resolves to a page that says so",
        "OAButton/discussion issue 1634: the resource is http://www.crossref.org/deleted_DOI.html",
        "resolver-two-elf.example",
        "/10.4028/0-87849-424-3.195",
        "agency-of-identifiers-elf.example",
        "/deleted_DOI.html",
        html(
            office(
                "Deleted DOI",
                "<h1>Deleted DOI</h1><p>The DOI you clicked on was registered in error, and the content it referred to does not exist or is identified by another DOI.</p>",
            )
        ),
        302,
    )
    yield _away(
        "a start-up's guide leads to the news of its sale",
        "companies bought in 2024 and 2025: every address leads to one post",
        "startup-of-wicks-elf.example",
        "/guides/trim-your-first-wick",
        "big-oil-lamps-elf.example",
        "/blog/wicks-joins-us",
        html(
            blog(
                "Wicks joins Big Oil Lamps",
                f"<h1>Wicks joins Big Oil Lamps</h1><p>We are excited to welcome the team of Wicks.</p>{prose()}",
            )
        ),
        301,
    )


def _lists() -> Iterator[Case]:
    yield _leads(
        "a removed topic of a cloud's guide leads to the guide's landing page",
        "mondoohq/cnspec pull request 3648: AWS, Fortinet, VMware and Elastic redirect a removed page to its guide's landing page",
        "/lamps/latest/userguide/wick-policies.html",
        "/lamps/latest/userguide/what-is.html",
        html(docs("What are Lamps?", f"<h1>What are Lamps?</h1>{prose()}", name="User Guide")),
        scope="/lamps/latest/userguide/",
    )
    yield _leads(
        "a database maker's manual of an old release leads to the list of all manuals",
        "kaitai_struct_formats pull request 643: they redirect to a completely generic page, which is useless",
        "/cd/E18624_01/lamp.1112/e18624/toc.htm",
        "/en/library/",
        html(
            office(
                "Help Center",
                f"<h1>Documentation library</h1><ul><li>Database</li><li>Cloud</li><li>Middleware</li></ul>{prose()}",
            )
        ),
        scope="/cd/",
        status=301,
    )
    yield _leads(
        "a job that is over leads to the jobs of its kind with a mark in the address",
        "meet1407/Job-Scrapper: expired jobs redirect to a listing page with an expired parameter",
        "/jobs/view/lighthouse-keeper-at-north-rock-186242",
        "/jobs/lighthouse-keeper-jobs?trk=expired_jd_redirect",
        html(
            office(
                "42 Lighthouse Keeper jobs in Scotland",
                "<h1>42 Lighthouse Keeper jobs in Scotland</h1><ul><li>Assistant keeper, Skye</li><li>Boatman, Oban</li></ul>",
            )
        ),
        scope="/jobs/view/",
    )
    yield _leads(
        "a hotel that closed leads to the results for its town with an error in the address",
        "booking sites: a delisted house leads to search results with an errorc parameter",
        "/hotel/gb/the-old-lantern.html",
        "/searchresults.html?dest=north-haven&errorc_searchstring_not_found=ss",
        html(
            shop(
                "Hotels in North Haven",
                "<h1>North Haven: 7 properties found</h1><ul><li>Harbour Inn</li><li>Pier House</li></ul>",
            )
        ),
        scope="/hotel/",
        status=301,
    )
    yield _leads(
        "a deck of slides that was deleted leads to the host's search",
        "SlideShare: deleted decks lead to a search for the words of their address",
        "/slideshow/the-fresnel-lens-explained/1862424",
        "/search?q=the+fresnel+lens+explained&from=deleted",
        html(
            office(
                "the fresnel lens explained | Slides",
                "<h1>Search results</h1><ul><li>Optics 101</li><li>Lamps of the world</li></ul>",
            )
        ),
        scope="/slideshow/",
    )
    yield _leads(
        "an object of a collection leads to a search that finds none",
        "eMuseum, TMS collections: a deaccessioned object leads to the search with no results",
        "/objects/1862/lantern-pane",
        "/search/1862.7",
        html(
            office(
                "Search - Collections",
                "<h1>0 results for “1862.7”</h1><p>Your search did not match any objects.</p>",
                name="Collections",
            )
        ),
        scope="/objects/",
    )
    yield _leads(
        "a shop's old lamp leads to its class for good in Czech",
        "Shoptet: přesměrování smazaného produktu na kategorii, 301",
        "/lampy/petrolejka-1862/",
        "/lampy/",
        html(
            shop(
                "Lampy | Obchod",
                "<h1>Lampy</h1><ul><li>Lucerna 390 Kč</li><li>Knot 25 Kč</li></ul>",
                lang="cs",
            )
        ),
        lang="cs",
        scope="/lampy/petrolejka",
        status=301,
    )
    yield _leads(
        "a retracted story leads to its section in Spanish",
        "diarios: una noticia retirada lleva a la portada de la sección, 301",
        "/cultura/2019/06/07/el-ultimo-farero-1862.html",
        "/cultura/",
        html(
            blog(
                "Cultura",
                f"<h1>Cultura</h1><h2>Los faros del norte</h2>{prose('es')}<h2>Una lente nueva</h2>",
                lang="es",
            )
        ),
        lang="es",
        scope="/cultura/2019/",
        status=301,
    )
    yield _leads(
        "a deleted topic leads to the list of topics in Italian",
        "vBulletin, phpBB con estensioni: argomento eliminato, si torna all'indice, 302",
        "/viewtopic.php?t=1862",
        "/viewforum.php?f=7",
        html(
            forum(
                "Lanterne e lampade - Forum",
                "<h1>Lanterne e lampade</h1><ul><li>Olio di balena?</li><li>Vetri rotti</li></ul>",
                lang="it",
            )
        ),
        lang="it",
        scope="/viewtopic.php",
    )
    yield _leads(
        "an evening of the past leads to the empty calendar in Portuguese",
        "agendas culturais: eventos antigos levam à agenda, 302",
        "/evento/noite-dos-farois-2018",
        "/agenda/",
        html(
            office(
                "Agenda",
                "<h1>Agenda</h1><p>Consulte os próximos eventos.</p><ul><li>Concerto no cais</li></ul>",
                lang="pt",
            )
        ),
        lang="pt",
        scope="/evento/",
    )
    yield _leads(
        "a sold flat leads to the flats of its quarter in French",
        "portails immobiliers: annonce expirée, redirection vers la liste, 301",
        "/annonces/achat/appartement/brest-29/1862424.htm",
        "/achat/appartement/brest-29/",
        html(
            shop(
                "Appartements à vendre à Brest",
                "<h1>Appartements à vendre à Brest (29)</h1><ul><li>T2 142 000 €</li><li>T3 186 000 €</li></ul>",
                lang="fr",
            )
        ),
        lang="fr",
        scope="/annonces/",
        status=301,
    )
    yield _leads(
        "a report as a file leads to the list of publications",
        "institutes: an old file of a report leads to the list of publications, 302",
        "/fileadmin/publications/report-lights-2011.pdf",
        "/en/publications/",
        html(
            office(
                "Publications",
                f"<h1>Publications</h1><ul><li>Lights 2025</li><li>Buoys 2024</li></ul>{prose()}",
            )
        ),
        scope="/fileadmin/",
    )


def _errors() -> Iterator[Case]:
    yield _leads(
        "a content system in Dutch leads to its page for errors with the item in the query",
        "Sitecore: /404?item=…&user=extranet\\Anonymous&site=website, a 302 to a 200",
        "/nl/bezoek/toren-1862",
        "/404?item=$PATH&user=extranet%5CAnonymous&site=website",
        html(
            office(
                "Pagina niet gevonden",
                "<h1>Deze pagina kunnen we niet vinden</h1><p>Misschien is de pagina verplaatst of verwijderd.</p>",
                lang="nl",
            )
        ),
        lang="nl",
    )
    yield _leads(
        "a farm of SharePoint in Swedish leads to its page for errors",
        "SharePoint: /Pages/PageNotFoundError.aspx?requestUrl=, a 302 to a 200",
        "/sv/fyrar/Sidor/historia.aspx",
        "/sv/Sidor/PageNotFoundError.aspx?requestUrl=$PATH",
        html(
            office(
                "Sidan hittades inte",
                "<h1>Sidan hittades inte</h1><p>Sidan du söker finns inte.</p>",
                lang="sv",
            )
        ),
        lang="sv",
        scope="/sv/fyrar/",
    )
    yield _leads(
        "a gallery of scripts leads to a page on its own retirement",
        "TechNet Gallery: scripts lead to a page that says that the gallery was retired, 200",
        "/scriptcenter/Wind-the-clock-186242",
        "/teamblog/gallery-has-been-retired",
        html(
            office(
                "The gallery has been retired",
                "<h1>The gallery has been retired</h1><p>Its contents are no longer available. Authors were asked to move their scripts to a code host.</p>",
            )
        ),
        scope="/scriptcenter/",
        status=301,
    )
    picture = Reply(
        headers=("Content-Type: image/png", "Cache-Control: public, max-age=31536000"),
        body=b"\x89PNG\r\n\x1a\n" + b"\x00" * 495,
    )
    yield _leads(
        "a picture of an image host leads to the picture for those that were removed",
        "Imgur: a removed picture leads to removed.png, a 302 to a 200",
        "/nR0ck18.jpg",
        "/removed.png",
        picture,
    )
    yield _leads(
        "a lost record of a customer's portal leads to the form to sign in, which says so",
        "portals on Salesforce Experience Cloud: a deleted article leads to the login with a startURL, 302",
        "/s/article/Wick-does-not-burn",
        "/s/login/?startURL=$PATH&ec=302&error=article_deleted",
        html(
            app(
                "Login",
                "<div class='error'>The article you requested no longer exists. Log in to browse the community.</div><form><input name='username'><input type='password' name='pw'></form>",
            )
        ),
        scope="/s/article/",
    )
    yield _leads(
        "a shop in Chinese of Taiwan leads to its notice",
        "台灣購物網站: 找不到商品, 導向錯誤訊息頁, 200",
        "/SalePage/Index/1862424",
        "/ErrorPage/SalePageNotFound",
        html(
            shop(
                "找不到商品",
                "<h1>很抱歉，您查看的商品不存在或已下架</h1><a href='/'>回首頁</a>",
                lang="tw",
            )
        ),
        lang="tw",
        scope="/SalePage/",
    )
    yield _leads(
        "a deleted thread in Korean leads to the page for what was deleted",
        "디시인사이드: 삭제된 게시물은 /derror/deleted 로 이동, 200",
        "/board/view/?id=light&no=1862",
        "/derror/deleted/light",
        html(
            forum(
                "삭제된 게시물",
                "<div class='box_infotxt'><strong>해당 게시물은 작성자나 관리자에 의해 삭제된 글입니다.</strong></div>",
                lang="ko",
            )
        ),
        lang="ko",
        scope="/board/view/",
    )


CASES: list[Case] = [*_homes(), *_aways(), *_lists(), *_errors()]
