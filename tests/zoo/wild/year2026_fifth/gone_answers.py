"""Interfaces, redirects and parked names that say that a page is not there."""

# ruff: noqa: E501, RUF001
import socket
from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    Case,
    Reply,
    Truth,
    gone,
    html,
    of_truth,
    only,
    plain,
    redirect,
)
from tests.zoo.wild.year2026_fifth.frames import market, portal, story
from tests.zoo.wild.year2026_fourth.frames import LOST, Met, document, front, plain_site

_FLAGS = ("error_page", "same_for_all")
_WAYS = (*_FLAGS, "home_page", "parked", "changed_owner")
_JSON = "application/json"

# With a status that says so.
_HARD: dict[str, Met] = {
    "an interface of Django knows no such thing": Met(
        source="Django REST framework: No Light matches the given query.",
        reply=plain(
            '{"detail":"No Light matches the given query."}',
            "Allow: GET, HEAD, OPTIONS",
            "Vary: Accept, Cookie",
            status=404,
            kind=_JSON,
        ),
        path="/api/v1/lights/4242/",
    ),
    "an interface of Spring knows no such thing": Met(
        source="Spring Boot: DefaultErrorAttributes",
        reply=plain(
            '{"timestamp":"2026-02-03T10:00:00.000+00:00","status":404,"error":"Not Found","path":"/api/lights/4242"}',
            status=404,
            kind=_JSON,
        ),
        path="/api/lights/4242",
        everywhere=True,
    ),
    "Crossref knows no such work": Met(
        source="api.crossref.org: Resource not found.",
        reply=plain("Resource not found.", "access-control-allow-origin: *", status=404),
        path="/works/10.5555/breakwater.42",
    ),
    "a portal of data knows no such set": Met(
        source="CKAN: package_show, Not Found Error",
        reply=plain(
            '{"help": "https://data.example/api/3/action/help_show?name=package_show", "error": {"message": "Not found", "__type": "Not Found Error"}, "success": false}',
            status=404,
            kind="application/json;charset=utf-8",
        ),
        path="/api/3/action/package_show?id=lights-1874",
    ),
    "an index of Elasticsearch has no such document": Met(
        source="Elasticsearch: found false, 404",
        reply=plain(
            '{"_index":"lights","_id":"4242","found":false}',
            "X-elastic-product: Elasticsearch",
            status=404,
            kind=_JSON,
        ),
        path="/lights/_doc/4242",
    ),
    "a blob of Azure that was deleted": Met(
        source="Azure Blob Storage: BlobNotFound",
        reply=plain(
            '\ufeff<?xml version="1.0" encoding="utf-8"?><Error><Code>BlobNotFound</Code><Message>The specified blob does not exist.\nRequestId:42ab42ab-001e\nTime:2026-02-03T10:00:00.0000000Z</Message></Error>',
            "Server: Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0",
            "x-ms-error-code: BlobNotFound",
            status=404,
            kind="application/xml",
        ),
        path="/reports/lights-2015.pdf",
    ),
    "a registry of images knows no such tag": Met(
        source="Docker registry: MANIFEST_UNKNOWN",
        reply=plain(
            '{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown","detail":{"Tag":"4.2"}}]}',
            "Docker-Distribution-Api-Version: registry/2.0",
            status=404,
            kind=_JSON,
        ),
        path="/v2/keepers/colza/manifests/4.2",
    ),
}

# With a 200.
_SOFT: dict[str, Met] = {
    "ArcGIS knows no such item": Met(
        source="ArcGIS Online: CONT_0001, 200",
        reply=plain(
            '{"error":{"code":400,"messageCode":"CONT_0001","message":"Item does not exist or is inaccessible.","details":[]}}',
            kind="application/json;charset=utf-8",
        ),
        path="/sharing/rest/content/items/42ab42ab42ab42ab42ab42ab42ab42ab?f=json",
    ),
    "a server of maps has no such layer": Met(
        source="GeoServer, MapServer: ServiceException LayerNotDefined, 200",
        reply=plain(
            '<?xml version="1.0" encoding="UTF-8" standalone="no"?><ServiceExceptionReport xmlns="http://www.opengis.net/ogc" version="1.3.0"> <ServiceException code="LayerNotDefined" locator="layers">\nCould not find layer harbour:lights_1874\n</ServiceException></ServiceExceptionReport>',
            kind="text/xml;charset=UTF-8",
        ),
        path="/geoserver/wms?SERVICE=WMS&REQUEST=GetMap&LAYERS=harbour:lights_1874",
    ),
    "an interface says in Chinese that the good was taken down": Met(
        source="Chinese shops: {success:false, message:商品已下架}, 200",
        reply=plain(
            '{"success":false,"errorCode":"ITEM_NOT_FOUND","message":"该商品不存在或已下架","result":null}',
            kind="application/json;charset=UTF-8",
        ),
        path="/api/item/get?id=424242",
        lang="zh",
    ),
    "an interface of Wikidata knows no such entity": Met(
        source="Wikibase: no-such-entity, 200",
        reply=plain(
            '{"error":{"code":"no-such-entity","info":"Could not find an entity with the ID \\"Q999999999\\".","id":"Q999999999"},"servedby":"mw-api-42"}',
            "MediaWiki-API-Error: no-such-entity",
            kind="application/json; charset=utf-8",
        ),
        path="/w/api.php?action=wbgetentities&ids=Q999999999&format=json",
    ),
}

_PARKED: dict[str, tuple[str, Reply]] = {
    "a name whose page leads to a lander by a script": (
        "GoDaddy: window.location.href=/lander, 200",
        html(
            '<!DOCTYPE html><html><head><script>window.onload=function(){window.location.href="/lander"}</script></head></html>',
            "Server: openresty",
        ),
    ),
    "a name parked at Namecheap": (
        "Namecheap: parkingpage",
        html(
            document(
                "$HOST - Registered at Namecheap.com",
                '<div class="message"><p>Welcome to nc-parking</p><h1>$HOST</h1><p>This domain is registered at <a href="https://www.namecheap.com">Namecheap</a></p><p>This domain was recently registered at Namecheap. Please check back later!</p></div><div id="related"><p>Related Searches</p><ul><li>Lighthouse Holidays</li><li>Marine Lamps</li></ul></div><p class="disclaimer">The Sponsored Listings displayed above are served automatically by a third party.</p>',
            )
        ),
    ),
    "a name parked by Porkbun": (
        "Porkbun: parked",
        html(
            document(
                "$HOST | parked at Porkbun",
                '<div class="container"><img src="https://porkbun.com/images/logo.svg" alt="porkbun"><h1>A Brand New Domain!</h1><p>Congratulations on your purchase! Your domain is parked on a Porkbun page. You can set up hosting or email.</p><a href="https://porkbun.com/products/webhosting">Hosting</a></div>',
            )
        ),
    ),
    "a name for sale at Dan": (
        "Dan.com, GoDaddy: The domain name is for sale",
        html(
            plain_site(
                "The domain name breakwaterlight.example is for sale",
                '<h1>The domain name <span>breakwaterlight.example</span> is for sale!</h1><div class="price"><p>Buy now</p><b>€1,888</b><button>Buy now</button><p>or make an offer</p><input placeholder="Your offer"><button>Next</button></div><ul><li>Free Ownership transfer</li><li>Free Transaction support</li><li>Secure payments</li></ul>',
                name="Dan.com",
            )
        ),
    ),
    "a name parked at a Japanese registrar": (
        "お名前.com: このドメインは、お名前.comで取得されています。",
        html(
            document(
                "このドメインは、お名前.comで取得されています。",
                '<div id="wrap"><h1>このドメインは、お名前.comで取得されています。</h1><p><a href="https://www.onamae.com/">お名前.com</a> は GMOインターネットグループ が運営する国内最大級のドメイン登録サービスです。</p><p>※表示価格は、全て税込です。</p></div>',
                lang="ja",
            )
        ),
    ),
    "a name parked at a Russian registrar": (
        "REG.RU: Домен припаркован",
        html(
            document(
                "Домен $HOST припаркован",
                '<div class="b-page"><h1>$HOST</h1><p>Домен зарегистрирован, но сайт на нём ещё не размещён.</p><p>Домен продаётся? <a href="https://www.reg.ru/domain/shop/">Магазин доменов</a></p><ul><li><a href="https://www.reg.ru/hosting/">Хостинг</a></li><li><a href="https://www.reg.ru/sozdanie-saita/">Конструктор сайтов</a></li></ul></div>',
                lang="ru",
            )
        ),
    ),
    "a name parked at Loopia, in Swedish": (
        "Loopia: Parkerad hos Loopia",
        html(
            document(
                "Parkerad hos Loopia",
                '<div class="content"><h1>Parkerad hos Loopia!</h1><p>Den här domänen har köpts av en kund hos Loopia och är parkerad.</p><form action="https://whois.loopia.se/"><input name="q" placeholder="Sök domän"></form><p><a href="https://www.loopia.se/">Skapa din hemsida hos Loopia</a></p></div>',
                lang="sv",
            )
        ),
    ),
}


def _by_redirects() -> Iterator[Case]:
    """Yield pages that redirects hide: to a home page, a list, an image, a name that is no more."""
    yield gone(
        "an application of Steam that left the store",
        "store.steampowered.com/app/…: 302 to the front page",
        {"/": front(), "/app/424242/Keeper/": redirect("http://$HOST:PORT/"), ELSE: LOST},
        *_WAYS,
        path="/app/424242/Keeper/",
    )
    yield gone(
        "a job at Workable that was closed",
        "apply.workable.com: 302 to ?not_found=true",
        {
            "/": front(),
            "/foglamp/?not_found=true": html(
                document(
                    "Foglamp - Current Openings",
                    '<div role="alert" data-ui="job-not-found">The job you are looking for is no longer available. Here are our other openings.</div><h1>Current Openings</h1><ul data-ui="list"><li><a href="/foglamp/j/1A/">Lamp Engineer</a></li><li><a href="/foglamp/j/2B/">Harbour Pilot</a></li></ul><footer>Powered by Workable</footer>',
                )
            ),
            "/foglamp/j/42AB42AB42/": redirect("/foglamp/?not_found=true"),
            ELSE: LOST,
        },
        *_WAYS,
        path="/foglamp/j/42AB42AB42/",
    )
    yield gone(
        "an image of Imgur that was removed",
        "i.imgur.com: 302 to /removed.png",
        {
            "/": front(),
            "/removed.png": Reply(
                headers=("Content-Type: image/png", "Server: cat factory 1.0"),
                body=b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\xa1\x00\x00\x00Q\x01\x03\x00\x00\x00"
                + b"\x00" * 460,
            ),
            "/k42Ab4Z.jpg": redirect("http://$HOST:PORT/removed.png", "Server: cat factory 1.0"),
            ELSE: LOST,
        },
        *_WAYS,
        path="/k42Ab4Z.jpg",
    )
    yield gone(
        "a hotel that left the portal is sent to the search of its town, in Italian",
        "portals of journeys: 301 to /searchresults with a notice",
        {
            "/": front("it"),
            "/searchresults.it.html?dest_id=-42&errorc=1": html(
                market(
                    "Hotel a Porto Vecchio",
                    '<div role="alert"><p>La struttura che stai cercando non è più disponibile sul nostro sito. Ecco alcune alternative nelle vicinanze.</p></div><h1>Porto Vecchio: 12 strutture trovate</h1><ul><li>Locanda del Molo – 88 €</li><li>Hotel Lanterna – 104 €</li></ul>',
                    lang="it",
                    name="Approdi",
                )
            ),
            "/hotel/it/faro-vecchio.it.html": redirect(
                "/searchresults.it.html?dest_id=-42&errorc=1", status=301
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/hotel/it/faro-vecchio.it.html",
    )
    yield gone(
        "a lost page is sent to a page of errors, in Korean",
        "Korean portals: 302 to /error/404.do",
        {
            "/": front("ko"),
            "/error/404.do": html(
                portal(
                    "페이지를 찾을 수 없습니다 | 항만청",
                    "<h1>요청하신 페이지를 찾을 수 없습니다.</h1><p>방문하시려는 페이지의 주소가 잘못 입력되었거나, 변경 혹은 삭제되어 찾을 수 없습니다.</p><a href='/'>메인으로</a>",
                    lang="ko",
                    name="항만청",
                )
            ),
            ELSE: redirect("/error/404.do"),
        },
        *_WAYS,
        path="/kor/CMS/Board/Board.do?mCode=MN042&board_seq=4242",
    )
    yield gone(
        "the pages of a merged company lead to the front page of the new one",
        "mergers: 301 of everything to the home page of the buyer, in German",
        only(redirect("http://leuchten-konzern.example:PORT/", status=301)),
        *_WAYS,
        path="/produkte/molenfeuer/datenblatt.html",
        others={"leuchten-konzern.example": {"/": front("de"), ELSE: LOST}},
    )
    yield gone(
        "a name that was bought for bets, in Turkish",
        "expired names bought for their links: another site at each address",
        {
            ELSE: html(
                document(
                    "Deneme Bonusu Veren Siteler 2026 | Güncel Giriş",
                    f"<h1>Deneme Bonusu Veren Siteler 2026</h1><p>Güvenilir casino ve bahis siteleri listesi, çevrimsiz deneme bonusu, yeni giriş adresleri. Hemen üye ol, 1000 TL bonus kazan!</p><a href='/git'>GİRİŞ YAP</a>{story('tr')}",
                    lang="tr",
                )
            )
        },
        *_WAYS,
        path="/dernek/tuzuk.pdf",
    )
    yield gone(
        "a document leads to a network of delivery whose name is no more",
        "old CDNs: 301 to a host that does not resolve",
        {
            "/": front(),
            "/files/tide-tables-2016.pdf": redirect(
                "http://files.old-delivery.invalid:PORT/harbour/tide-tables-2016.pdf", status=301
            ),
            ELSE: LOST,
        },
        path="/files/tide-tables-2016.pdf",
        names={
            "files.old-delivery.invalid": socket.gaierror(
                socket.EAI_NONAME, "Name or service not known"
            )
        },
    )
    yield of_truth(
        Truth.CLOSED,
        "a site whose name is no more",
        "DNS: NXDOMAIN",
        only(LOST),
        host="www.breakwater-society.example",
        names={
            "www.breakwater-society.example": socket.gaierror(
                socket.EAI_NONAME, "Name or service not known"
            )
        },
    )


CASES: list[Case] = [
    *(gone(name, met.source, met.site, path=met.path) for name, met in _HARD.items()),
    *(gone(name, met.source, met.site, *_FLAGS, path=met.path) for name, met in _SOFT.items()),
    *(
        gone(
            name, source, only(reply), "parked", "changed_owner", *_FLAGS, path="/members/list.html"
        )
        for name, (source, reply) in _PARKED.items()
    ),
    *_by_redirects(),
]
