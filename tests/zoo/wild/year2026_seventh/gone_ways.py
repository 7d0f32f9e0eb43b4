"""What is gone by redirects, by names that lapsed or were bought, and by a sale of a whole site."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, gone, html, only, plain, redirect
from tests.zoo.wild.year2026_seventh.frames import (
    LOST,
    alone,
    blog,
    counter,
    home,
    manual,
    office,
    paper,
    story,
)

_FLAGS = ("error_page", "same_for_all")
_WAYS = (*_FLAGS, "home_page", "parked", "changed_owner")

# Names that lapsed or wait for a buyer: where such are known from, what is answered to everything.
_PARKED: dict[str, tuple[str, Reply]] = {
    "a name whose registration has expired": (
        "notices of parked names in readers' tests: Domain registration has expired.",
        html(
            alone(
                "$HOST",
                "<h1>$HOST</h1><p>Domain registration has expired.</p><p>If you are the owner, please contact your registrar to renew it.</p>",
            )
        ),
    ),
    "a name that is a totally awesome idea still being worked on": (
        "Hover: is a totally awesome idea still being worked on",
        html(
            alone(
                "$HOST is coming soon",
                "<h1>$HOST</h1><h2>is a totally awesome idea still being worked on.</h2><p>Check back later.</p>",
            )
        ),
    ),
    "a name with a price after a colon": (
        "notices of parked names in readers' tests: This domain is for sale: $5,795",
        html(
            alone(
                "$HOST",
                "<h1>This domain is for sale: $5,795</h1><p>Take immediate ownership, safe and secure shopping.</p><a href='/domain_profile.cfm?d=$HOST'>Buy now</a>",
            )
        ),
    ),
    "a name that may be for sale, with a number to call": (
        "notices of parked names in readers' tests: This domain name may be for sale. Click here to find out",
        html(
            alone(
                "$HOST",
                "<p>This domain name may be for sale. Click here to find out or call +1-866-555-0142</p><div id='related'><h2>Related Search Topics</h2><ul><li><a href='/?q=boats'>Boats</a></li><li><a href='/?q=mooring'>Mooring</a></li><li><a href='/?q=insurance'>Insurance</a></li></ul></div>",
            )
        ),
    ),
    "a name that was registered a short while ago": (
        "Namecheap: has been recently registered with",
        html(
            alone(
                "$HOST - Registered at Namecheap.com",
                "<h1>$HOST</h1><p>This domain has been recently registered with Namecheap.com.</p><p>Find a domain like this one.</p>",
            )
        ),
    ),
    "a name that shows nothing but topics to search for": (
        "parkers of names: Related Searches, filled by a script",
        html(
            '<!doctype html><html lang="en" data-adblockkey="MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBANDrp2lz7AOmADaN8tA50LsWcjLFyQFcb_P2Txc58o_1864"><head><meta charset="utf-8"><title>$HOST</title></head><body><div id="target" style="opacity: 0"></div><script>window.park = "eyJ1dWlkIjoiMTg2NCJ9";</script><script src="/bwxhQTVnd.js"></script></body></html>'
        ),
    ),
    "a name of a Chinese registrar that lapsed": (
        "registrars in China: 该域名已过期，请及时续费",
        html(
            alone(
                "域名已过期",
                "<h1>该域名已过期</h1><p>$HOST 已过期，请及时联系注册商续费。</p>",
                lang="zh",
            )
        ),
    ),
    "a name of a Russian registrar that is being sold": (
        "RU-CENTER: Домен продаётся",
        html(
            alone(
                "Домен $HOST продаётся",
                "<h1>Домен $HOST продаётся</h1><p>Вы можете купить этот домен в магазине доменов.</p><a href='/buy'>Купить</a>",
                lang="ru",
            )
        ),
    ),
    "a name of a French registrar that was not renewed": (
        "registrars in France: ce nom de domaine a expiré",
        html(
            alone(
                "Nom de domaine expiré",
                "<h1>Ce nom de domaine a expiré</h1><p>Le nom $HOST n'a pas été renouvelé par son titulaire.</p>",
                lang="fr",
            )
        ),
    ),
    "a name of a Spanish registrar that is parked": (
        "registrars in Spain: dominio registrado y aparcado",
        html(
            alone(
                "$HOST - Dominio aparcado",
                "<h1>$HOST</h1><p>Este dominio está registrado y aparcado. Próximamente encontrará aquí una nueva página web.</p>",
                lang="es",
            )
        ),
    ),
    "a name of a German registrar that somebody holds": (
        "registrars in Germany: Hier entsteht eine neue Internetpräsenz",
        html(
            alone(
                "$HOST - Hier entsteht eine neue Internetpräsenz",
                "<h1>$HOST</h1><p>Diese Domain wurde soeben freigeschaltet. Hier entsteht eine neue Internetpräsenz.</p>",
                lang="de",
            )
        ),
    ),
    "a name of a Turkish registrar that is for sale": (
        "registrars in Turkey: Bu alan adı satılıktır",
        html(
            alone(
                "$HOST satılıktır",
                "<h1>Bu alan adı satılıktır</h1><p>$HOST için teklif verin.</p><form><input name='teklif'><button>Gönder</button></form>",
                lang="tr",
            )
        ),
    ),
    "a name of a Korean registrar that nobody linked": (
        "registrars in Korea: 연결된 웹사이트가 없습니다",
        html(
            alone(
                "$HOST",
                "<h1>$HOST</h1><p>이 도메인은 등록되어 있으나 연결된 웹사이트가 없습니다.</p>",
                lang="ko",
            )
        ),
    ),
    "a name that frightens its visitors": (
        "kennell/imageboards issue 20: a page that says the device has a virus",
        html(
            alone(
                "Security alert",
                "<h1>Your device has a virus!</h1><p>(3) viruses found. Install the cleaner now to prevent damage to your SIM card.</p><button>Remove now</button><script>window.onbeforeunload=function(){return 1}</script>",
            )
        ),
    ),
}


def _bought() -> Iterator[Case]:
    """Yield names that others bought, and lead or talk to other things."""
    casino = html(
        alone(
            "Lucky Mole Casino | 200% bonus",
            "<h1>Lucky Mole Casino</h1><p>Play 4,000 slots. 18+. Claim your bonus.</p><a href='/register'>Sign up</a>",
        )
    )
    yield gone(
        "a gala of programmers leads to a casino",
        "gojp/goreportcard issue 449: gophergala.com redirects to an online casino",
        only(redirect("http://lucky-mole-casino.example:PORT/?aff=1864", status=302)),
        *_WAYS,
        path="/blog/gopher/gala/2015/02/14/winners/",
        others={"lucky-mole-casino.example": only(casino)},
    )
    yield gone(
        "a book's link on assembly leads to a casino",
        "pkivolowitz/asm_book issue 30: a link of a book redirects to an online casino",
        only(redirect("http://slots-of-the-mole.example:PORT/", status=301)),
        *_WAYS,
        path="/arm/calling-convention.html",
        others={"slots-of-the-mole.example": only(casino)},
    )
    yield gone(
        "a post on events leads to a sale at ww1",
        "internetarchive/wayback-machine-firefox issue 40: 302 to ww1, 200",
        only(redirect("http://ww1.keepers-notes.example:PORT/blog/11/float-made-easy", status=302)),
        *_WAYS,
        path="/blog/11/float-made-easy",
        host="keepers-notes.example",
        others={
            "ww1.keepers-notes.example": only(
                html(
                    alone(
                        "keepers-notes.example",
                        "<h1>keepers-notes.example</h1><p>This website is for sale!</p><h2>Related links</h2><ul><li><a href='/?k=1'>Float switches</a></li><li><a href='/?k=2'>Boat insurance</a></li></ul>",
                    )
                )
            )
        },
    )
    yield gone(
        "a compressor's home can be bought",
        "deltachat/deltachat-core issue 296: bzip.org, You can buy this domain",
        only(
            html(
                alone(
                    "$HOST",
                    "<h1>$HOST</h1><p>You can buy this domain. The owner has listed it with our broker.</p><a href='/inquire'>Inquire about this domain</a>",
                )
            )
        ),
        *_WAYS,
        path="/downloads.html",
    )
    yield gone(
        "a film's page became a sign that its name is on sale",
        "BinomialLLC/basis_universal issue 364: losinglena.com is a for-sale sign",
        only(
            html(
                alone(
                    "$HOST is for sale",
                    "<img src='/logo.svg' alt='DomainMarket'><h1>$HOST</h1><h2>is for sale</h2><p>Buy now for $2,888 or start a payment plan.</p>",
                )
            )
        ),
        *_WAYS,
        path="/press",
    )
    yield gone(
        "a link of an e-reader is a place to gamble now",
        "dajbelshaw/einklink issue 33: the name points to gambling spam",
        only(
            html(
                alone(
                    "SLOT GACOR 🎰 Situs Judi Online Terpercaya 2026",
                    "<h1>Situs Slot Gacor Hari Ini</h1><p>Daftar sekarang dan dapatkan bonus new member 100%.</p><a href='/daftar'>DAFTAR</a>",
                    lang="id",
                )
            )
        ),
        *_WAYS,
        path="/guide/",
        earlier={
            "/": home(),
            "/guide/": html(
                office("Guide | E-ink", f"<h1>A guide to reading on e-ink</h1>{story('en', 2)}")
            ),
            ELSE: LOST,
        },
    )
    yield gone(
        "a society's pages are a blog on loans now",
        "expired names with new content: each address shows the same list of posts",
        {
            "/": html(
                blog(
                    "Quick Loans Guide",
                    "<h1>Latest posts</h1><ul><li><a href='/best-payday-loans/'>Best payday loans</a></li></ul>",
                    name="Quick Loans Guide",
                )
            ),
            ELSE: html(
                blog(
                    "Quick Loans Guide",
                    "<h1>Latest posts</h1><ul><li><a href='/best-payday-loans/'>Best payday loans</a></li></ul>",
                    name="Quick Loans Guide",
                )
            ),
        },
        *_WAYS,
        path="/proceedings/1998/floats.html",
        earlier={
            "/": home(),
            "/proceedings/1998/floats.html": html(
                office("Proceedings 1998: Floats", f"<h1>On floats and wells</h1>{story('en', 2)}")
            ),
            ELSE: LOST,
        },
    )


def _moved_away() -> Iterator[Case]:
    """Yield pages whose site was merged, shut or relaunched, and leads to a front page."""
    vendor = html(
        office(
            "TechDocs",
            "<h1>Welcome to TechDocs</h1><p>Find the documentation of our products.</p><form><input name='q'></form>",
            name="TechDocs",
        )
    )
    yield gone(
        "a manual of a maker that was bought leads to the buyer's front page",
        "docs.vmware.com: after May 2024 old addresses lead to the buyer's portal",
        only(redirect("http://techdocs.buyer-of-makers.example:PORT/", status=301)),
        *_WAYS,
        path="/en/Gauge-vSphere/7.0/com.vmware.gauge.doc/GUID-1864.html",
        others={"techdocs.buyer-of-makers.example": only(vendor)},
    )
    yield gone(
        "a tutorial of Sun's leads to the front page of who bought it",
        "java.sun.com: 301 to the front page for what was not carried over",
        only(redirect("http://www.buyer-of-suns.example:PORT/java/", status=301)),
        *_WAYS,
        path="/developer/technicalArticles/Media/gauges/index.html",
        others={
            "www.buyer-of-suns.example": only(
                html(office("Java", "<h1>Java</h1><p>Move the world forward.</p>", name="Buyer"))
            )
        },
    )
    yield gone(
        "a question of a closed service of answers leads to a portal",
        "Yahoo Answers: after May 2021 all addresses lead to a help page on its end",
        {
            "/": redirect("/kb/account/SLN35642.html"),
            "/kb/account/SLN35642.html": html(
                office(
                    "Answers has shut down",
                    "<h1>Answers shut down on May 4th, 2021</h1><p>It is no longer accessible.</p>",
                    name="Help",
                )
            ),
            ELSE: redirect("/kb/account/SLN35642.html", status=301),
        },
        *_WAYS,
        path="/question/index?qid=20080114042042AA1864",
    )
    yield gone(
        "a lesson of a course leads to another guide's index",
        "cardano-foundation/developer-portal issue 1258: broken links silently redirect",
        {
            "/": home(),
            "/docs/operate-a-gauge/": html(
                manual("Operate a gauge", f"<h1>Operate a gauge</h1>{story()}")
            ),
            ELSE: redirect("/docs/operate-a-gauge/", status=301),
        },
        *_WAYS,
        path="/docs/gauge-course/handbook/keys-addresses/",
    )
    yield gone(
        "an old step of an upgrade leads to the front page of its manual",
        "platformsh/platformsh-docs issue 157: broken links redirect to the homepage",
        {
            "/": html(manual("Welcome", f"<h1>Welcome</h1>{story()}")),
            ELSE: redirect("/", status=301),
        },
        *_WAYS,
        path="/reference/upgrade/",
    )
    yield gone(
        "a page of DotNetNuke leads to its page for errors",
        "DNN: 302 to /404-Error-Page?404;…, 200",
        {
            "/": home(),
            "/404-Error-Page": html(
                office(
                    "404 Error Page",
                    "<h1>404 Error Page</h1><p>We're sorry, but the page you requested could not be found.</p>",
                )
            ),
            ELSE: redirect("/404-Error-Page"),
        },
        *_WAYS,
        path="/Services/Moorings/tabid/1864/Default.aspx",
    )
    yield gone(
        "an old page of a French town leads to its page for errors",
        "towns of France: 302 to /page-introuvable, 200",
        {
            "/": home("fr"),
            "/page-introuvable": html(
                office(
                    "Page introuvable",
                    "<h1>Page introuvable</h1><p>La page que vous cherchez a peut-être été déplacée.</p>",
                    lang="fr",
                )
            ),
            ELSE: redirect("/page-introuvable"),
        },
        *_WAYS,
        path="/bulletin/2011/avril.html",
    )
    yield gone(
        "a job of a network leads to a list of others",
        "LinkedIn: expired jobs lead to a search with trk=expired_jd_redirect",
        {
            "/": home(),
            "/jobs/view/tide-reader-at-harbour-1864042": redirect(
                "/jobs/tide-reader-jobs?trk=expired_jd_redirect", status=301
            ),
            "/jobs/tide-reader-jobs?trk=expired_jd_redirect": html(
                office(
                    "23 Tide Reader jobs",
                    "<div class='alert'>The job you were looking for was not found or has expired</div><h1>23 Tide Reader jobs</h1><ul><li>Harbour pilot</li><li>Lock keeper</li></ul>",
                    name="Network",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/jobs/view/tide-reader-at-harbour-1864042",
    )
    yield gone(
        "an offer on Personio's board leads to the board",
        "Personio: 302 to the list of jobs for what is closed",
        {
            "/": html(
                office(
                    "Jobs at Harbour",
                    "<h1>Open positions</h1><ul><li><a href='/job/2'>Lock keeper</a></li></ul>",
                    name="Harbour",
                )
            ),
            "/job/1864": redirect("/"),
            "/job/2": html(office("Lock keeper", f"<h1>Lock keeper</h1>{story()}")),
            ELSE: LOST,
        },
        *_WAYS,
        path="/job/1864",
    )
    yield gone(
        "a good leads to the whole collection with a word that it is gone",
        "apps for Shopify: 301 of deleted products to /collections/all",
        {
            "/": home(),
            "/products/cork-buoy": redirect("/collections/all?removed=cork-buoy", status=301),
            "/collections/all?removed=cork-buoy": html(
                counter(
                    "Products",
                    "<p class='notice'>The product you were looking for is no longer available.</p><h1>Products</h1><ul><li><a href='/products/rope-mat'>Rope mat</a></li></ul>",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/products/cork-buoy",
    )
    yield gone(
        "a story leads to the front page of its paper by a script",
        "papers: a stub that sets window.location to /",
        {
            "/": html(paper("The Mole Courier", f"<h1>Today</h1>{story()}")),
            "/2009/07/04/float.html": html(
                '<html><head><title>The Mole Courier</title><meta http-equiv="refresh" content="0;url=/"></head><body><script>window.location="/";</script></body></html>'
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/2009/07/04/float.html",
    )
    yield gone(
        "a story of XOOPS that does not exist leads to the list of stories",
        "XOOPS: redirect_header, _NW_NOSTORY, 200 with a refresh",
        {
            "/": home(),
            "/modules/news/article.php?storyid=1864": html(
                "<html><head><meta http-equiv='Content-Type' content='text/html; charset=utf-8' /><meta http-equiv='Refresh' content='3; url=/modules/news/index.php' /><title>Harbour News</title></head><body><div class='redirect'><h4>Sorry, the selected article does not exist.</h4><p>If the page does not automatically reload, please click <a href='/modules/news/index.php'>here</a></p></div></body></html>"
            ),
            "/modules/news/index.php": html(
                paper("Harbour News", f"<h1>News</h1><h2>Mussels close the well</h2>{story()}")
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/modules/news/article.php?storyid=1864",
    )
    yield gone(
        "an address of a country's old portal leads to the front page of the new one, in German",
        "relaunches of ministries: 301 of all to the front page",
        only(redirect("http://www.neues-portal-des-hafens.example:PORT/", status=301)),
        *_WAYS,
        path="/DE/Service/Pegel/pegel_node.html",
        others={"www.neues-portal-des-hafens.example": {"/": home("de"), ELSE: LOST}},
    )
    yield gone(
        "a shop's good in Japanese leads to a page on its being over",
        "shops of Japan: 302 to /error/sold_end.html",
        {
            "/": home("ja"),
            "/item/1864.html": redirect("/error/sold_end.html"),
            "/error/sold_end.html": html(
                counter(
                    "販売終了",
                    "<h1>この商品は販売を終了しました</h1><p>ご指定の商品ページはございません。</p>",
                    lang="ja",
                    name="綱屋",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/item/1864.html",
    )
    yield gone(
        "a short link of a network that shut its shortener",
        "goo.gl: Dynamic Link Not Found, 404",
        {
            "/": home(),
            ELSE: html(
                alone(
                    "Dynamic Link Not Found",
                    "<h1>Dynamic Link Not Found</h1><p>If you are the developer of this app, ensure that your Dynamic Links domain is correctly configured and that the path component of this URL is valid.</p>",
                ),
                status=404,
            ),
        },
        path="/Ti1864",
    )


def _interfaces() -> Iterator[Case]:
    json = "application/json; charset=utf-8"
    answers = {
        "a station that an interface does not know": (
            'FastAPI: {"detail":"Not Found"}, 404',
            "/v1/stations/1864",
            plain('{"detail":"Not Found"}', "Server: uvicorn", status=404, kind=json),
        ),
        "a layer that a server of tiles does not know": (
            "tileserver-gl: Not found, 404",
            "/data/tides/0/0/0.pbf",
            plain("Not found", status=404, kind="text/html; charset=utf-8"),
        ),
        "an object of a store that a key does not lead to": (
            "MinIO: NoSuchKey, 404",
            "/public/heights/1864.csv",
            Reply(
                status=404,
                headers=("Content-Type: application/xml", "Server: MinIO"),
                body=b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>heights/1864.csv</Key><BucketName>public</BucketName></Error>',
            ),
        ),
        "an identifier that nobody registered": (
            "DataCite: The resource you are looking for doesn't exist., 404",
            "/dois/10.5072/tide42",
            plain(
                '{"errors":[{"status":"404","title":"The resource you are looking for doesn\'t exist."}]}',
                status=404,
                kind=json,
            ),
        ),
    }
    for name, (source, path, reply) in answers.items():
        yield gone(name, source, {"/": home(), path: reply, ELSE: LOST}, path=path)


CASES: list[Case] = [
    *(
        gone(name, source, only(reply), *_WAYS, path="/gauges/1864.html")
        for name, (source, reply) in _PARKED.items()
    ),
    *_bought(),
    *_moved_away(),
    *_interfaces(),
]
