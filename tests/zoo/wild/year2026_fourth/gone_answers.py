"""Answers of interfaces, redirects and parking pages that say that a page is not there."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, gone, html, only, plain, redirect
from tests.zoo.wild.year2026_fourth.frames import LOST, Met, document, front, plain_site

_FLAGS = ("error_page", "same_for_all")
_WAYS = (*_FLAGS, "home_page", "parked", "changed_owner")
_JSON = "application/json"

# With a status that says so.
_HARD: dict[str, Met] = {
    "the interface of GitHub knows no such repository": Met(
        source="api.github.com: 404",
        reply=plain(
            '{"message":"Not Found","documentation_url":"https://docs.github.com/rest/repos/repos#get-a-repository","status":"404"}',
            "Server: github.com",
            "X-GitHub-Media-Type: github.v3; format=json",
            status=404,
            kind="application/json; charset=utf-8",
        ),
        path="/repos/growers/leek-counter",
    ),
    "a raw file of GitHub that is no more": Met(
        source="raw.githubusercontent.com: 404",
        reply=plain(
            "404: Not Found", "Via: 1.1 varnish", status=404, kind="text/plain; charset=utf-8"
        ),
        path="/growers/leek-counter/master/README.md",
    ),
    "an object of S3 that was deleted": Met(
        source="Amazon S3: NoSuchKey",
        reply=plain(
            '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>reports/2014/allotments.pdf</Key><RequestId>7ZX1K8Q2M3N4</RequestId><HostId>m3Qz0=</HostId></Error>',
            "Server: AmazonS3",
            "x-amz-request-id: 7ZX1K8Q2M3N4",
            status=404,
            kind="application/xml",
        ),
        path="/reports/2014/allotments.pdf",
        everywhere=True,
    ),
    "the interface of WordPress knows no such post": Met(
        source="WordPress REST: rest_post_invalid_id",
        reply=plain(
            '{"code":"rest_post_invalid_id","message":"Invalid post ID.","data":{"status":404}}',
            "X-WP-Nonce: 0a1b",
            "Allow: GET",
            status=404,
            kind="application/json; charset=UTF-8",
        ),
        path="/wp-json/wp/v2/posts/8812",
    ),
    "a package that the registry does not know": Met(
        source="registry.npmjs.org: 404",
        reply=plain('{"error":"Not found"}', "Server: cloudflare", status=404, kind=_JSON),
        path="/leek-counter-plugin",
    ),
    "a DOI that nobody registered": Met(
        source="doi.org: DOI NOT FOUND",
        reply=html(
            plain_site(
                "Error: DOI Not Found",
                '<h1>DOI NOT FOUND</h1><p><b>10.5072/allot.1908.42</b></p><p>This DOI cannot be found in the DOI System. Possible reasons are:</p><ul><li>The DOI is incorrect in your source. Search for the item by name, title, or other metadata using a search engine.</li><li>The DOI was copied incorrectly. Check to see that the string includes all the characters before and after the slash and no sentence punctuation marks.</li><li>The DOI has not been activated yet. Please try again later, and report the problem if the error continues.</li></ul><form method="post" action="https://apps.doi.org/doi-notfound"><h2>Report a missing DOI</h2><input name="missingHandle" value="10.5072/allot.1908.42"><input type="submit" value="Submit Error Report"></form>',
                name="DOI Foundation",
            ),
            status=404,
        ),
        path="/10.5072/allot.1908.42",
    ),
}

# With a 200.
_SOFT: dict[str, Met] = {
    "an archive's interface knows no such record": Met(
        source="OAI-PMH 2.0: idDoesNotExist, 200",
        reply=plain(
            '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><responseDate>2026-02-03T10:00:00Z</responseDate><request verb="GetRecord" identifier="oai:repo.example:10/4" metadataPrefix="oai_dc">http://repo.example/oai/request</request><error code="idDoesNotExist">The value of the identifier argument is unknown or illegal in this repository</error></OAI-PMH>',
            kind="text/xml;charset=UTF-8",
        ),
        path="/oai/request?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:repo.example:10/4",
    ),
    "the interface of Bilibili knows no such video": Met(
        source="api.bilibili.com: code -404",
        reply=plain(
            '{"code":-404,"message":"啥都木有","ttl":1}',
            "Server: openresty",
            kind="application/json; charset=utf-8",
        ),
        path="/x/web-interface/view?bvid=BV1xx411c7mD",
    ),
    "the interface of MediaWiki knows no such page": Met(
        source="MediaWiki api.php: missingtitle, 200",
        reply=plain(
            '{"error":{"code":"missingtitle","info":"The page you specified doesn\'t exist.","docref":"See https://wiki.example/w/api.php for API usage."},"servedby":"mw1412"}',
            "MediaWiki-API-Error: missingtitle",
            kind="application/json; charset=utf-8",
        ),
        path="/w/api.php?action=parse&page=Signal_box_gardens&format=json",
    ),
    "an interface says 404 only in its text": Met(
        source="interfaces of PHP: {code: 404, msg: 文章不存在}, 200",
        reply=plain(
            '{"code":404,"msg":"文章不存在或已被删除","data":null}',
            kind="application/json;charset=utf-8",
        ),
        path="/api/article/detail?id=20331",
        lang="zh",
    ),
}

_PARKED: dict[str, tuple[str, str]] = {
    "a name for sale at HugeDomains": (
        "HugeDomains: domain_profile.cfm",
        plain_site(
            "GrowersRail.com is for sale | HugeDomains",
            '<div class="domain-header"><h1>GrowersRail.com is for sale</h1><p class="price">Buy now: <b>$2,795</b> or only $116.46/mo.</p><a class="btn" href="/shopping_cart.cfm">Add to cart</a></div><section><h2>Questions?</h2><p>Talk to a domain expert: <b>1-303-893-0552</b></p><p>30-day money back guarantee. Take immediate ownership. Safe and secure shopping.</p></section><section><h2>Other options</h2><ul><li>RailGrowers.com $1,995</li></ul></section>',
            name="HugeDomains",
        ),
    ),
    "a name parked at GoDaddy": (
        "GoDaddy, Afternic: /lander",
        '<!DOCTYPE html><html lang="en" data-adblockkey="MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAL"><head><meta charset="utf-8"><title>growersrail.example</title><meta name="viewport" content="width=device-width, initial-scale=1"><script>window.LANDER_SYSTEM="PW"</script></head><body><div id="root"><div class="header"><h1>growersrail.example</h1><p>This domain is registered, but may still be available. <a href="https://www.godaddy.com/domainsearch/find">Get this domain</a></p></div><div id="relatedLinks"><h2>Related searches</h2><ul><li>Garden Tools</li><li>Seeds Online</li></ul></div><footer>Copyright © 1999-2026 GoDaddy, LLC. All rights reserved. Privacy Policy</footer></div><script src="https://img1.wsimg.com/parking-lander/static/js/main.js"></script></body></html>',
    ),
    "a name parked at Sedo, in German": (
        "Sedo: sedoparking.com (de)",
        document(
            "gartenverein-stellwerk.example - Diese Website steht zum Verkauf! - Informationen zum Thema gartenverein stellwerk.",
            '<div class="oneclick"><h1>gartenverein-stellwerk.example</h1><a class="buybox" href="https://sedo.com/search/details/?partnerid=1&amp;domain=x">Die Domain <b>gartenverein-stellwerk.example</b> wird vom Inhaber zum Verkauf angeboten.</a></div><div id="ads"><h3>Weiterführende Links</h3><ul><li>Garten</li><li>Gewächshaus kaufen</li></ul></div><p class="disclaimer">Diese Webseite wurde vom Domain Inhaber dynamisch generiert, der das Sedo Domain Parking Programm nutzt. Die auf dieser Seite automatisiert bereitgestellten Werbeanzeigen kommen von dritter Seite und stehen mit Sedo in keiner Beziehung.</p>',
            lang="de",
            head='<meta name="description" content="Diese Website steht zum Verkauf!"><script src="//img.sedoparking.com/templates/bg/arrows.js"></script>',
        ),
    ),
    "a name for sale, in Chinese": (
        "registrars in China: 您正在访问的域名可以转让",
        document(
            "您正在访问的域名可以转让！this domain is for sale！",
            '<div class="box"><h1>growersrail.example</h1><p class="cn">您正在访问的域名可以转让！</p><p class="en">This domain name is for sale, if you want to buy it, please click the following button.</p><a class="btn" href="https://mi.aliyun.com/detail/online.html?domainName=x">点击购买 BUY NOW</a><p>经纪人微信：yuming4242</p></div>',
            lang="zh",
        ),
    ),
    "a name that expired at Network Solutions": (
        "Network Solutions: expired names",
        plain_site(
            "growersrail.example",
            '<div class="expired"><h1>growersrail.example expired on 02/11/2026 and is pending renewal or deletion.</h1><p>Is this your domain? <a href="https://www.networksolutions.com/manage-it/renew.jsp">Renew it now!</a></p><p>Backorder this domain</p></div><div class="links"><ul><li>Allotment Rent</li><li>Garden Sheds</li></ul></div>',
            name="Network Solutions",
        ),
    ),
}


def _by_redirects() -> Iterator[Case]:
    """Yield pages that a redirect hides: to the home page, to an error page, to a list."""
    yield gone(
        "every old page is sent to the home page",
        "WordPress: All 404 Redirect to Homepage, Redirection: 301 to /",
        {
            "/": front(),
            ELSE: redirect(
                "http://$HOST:PORT/", "X-Redirect-By: All 404 Redirect to Homepage", status=301
            ),
        },
        *_WAYS,
        path="/2013/09/leek-show-results/",
    )
    yield gone(
        "every old page is sent to the home page of a new site, in Dutch",
        "relaunches: a catch-all 301 to the new name",
        only(redirect("http://nieuw-seinhuis.example:PORT/", status=301)),
        *_WAYS,
        path="/tuinen/wachtlijst.php?id=4",
        others={"nieuw-seinhuis.example": {"/": front("nl"), ELSE: LOST}},
    )
    yield gone(
        "a lost page is sent to the page of errors",
        "ASP.NET: customErrors redirect, /404.aspx?aspxerrorpath=",
        {
            "/": front(),
            "/404.aspx?aspxerrorpath=/members/newsletter.aspx": html(
                plain_site(
                    "Page not found",
                    "<h1>Sorry, we can't find that page</h1><p>The page you requested may have been moved or deleted. Please use the menu above or our <a href='/sitemap'>site map</a>.</p>",
                ),
                "Server: Microsoft-IIS/10.0",
            ),
            ELSE: redirect("/404.aspx?aspxerrorpath=/members/newsletter.aspx"),
        },
        *_WAYS,
        path="/members/newsletter.aspx",
    )
    yield gone(
        "a file of a host of files that was removed",
        "MediaFire: 302 to /error.php?errno=320, 200",
        {
            "/": front(),
            "/error.php?errno=320&origin=download": html(
                plain_site(
                    "Error",
                    '<div class="errorPage"><div class="error-msg"><h1 class="notranslate">Invalid or Deleted File.</h1><p class="notranslate">The key you provided for file access was invalid. This is usually caused because the file is no longer stored on MediaFire. This occurs when the file is removed by the originating user or MediaFire.</p></div><div class="needHelp"><a href="/help/">Still have questions, or think we\'ve made an error? Please contact support for further assistance.</a></div></div>',
                    name="MediaFire",
                )
            ),
            "/file/x8j2k1q0zz/minutes.zip/file": redirect("/error.php?errno=320&origin=download"),
            ELSE: LOST,
        },
        *_WAYS,
        path="/file/x8j2k1q0zz/minutes.zip/file",
    )
    yield gone(
        "a job at Greenhouse that was closed is sent to the board",
        "Greenhouse: 302 to /company?error=true",
        {
            "/": front(),
            "/seedworks?error=true": html(
                document(
                    "Jobs at Seedworks",
                    '<div class="banner banner--error" role="alert"><p>The job you are looking for is no longer open.</p></div><h1>Current openings at Seedworks</h1><div class="job-posts"><h2>12 jobs</h2><a href="/seedworks/jobs/1">Nursery Assistant</a><a href="/seedworks/jobs/2">Seed Analyst</a></div><footer>Powered by Greenhouse</footer>',
                )
            ),
            "/seedworks/jobs/4102233": redirect("/seedworks?error=true"),
            ELSE: LOST,
        },
        *_WAYS,
        path="/seedworks/jobs/4102233",
    )
    yield gone(
        "an advert that ended is sent to its section, in German",
        "Kleinanzeigen: 301 to the category with a notice",
        {
            "/": front("de"),
            "/s-gartenzubehoer/c89?adDeleted=true": html(
                plain_site(
                    "Gartenzubehör kaufen",
                    '<div class="outcomemessage-warning" role="alert"><p>Die gewünschte Anzeige ist nicht mehr verfügbar.</p></div><h1>Gartenzubehör</h1><ul id="srchrslt-adtable"><li>Schubkarre 25 €</li><li>Gewächshaus 180 €</li></ul>',
                    lang="de",
                    name="Kleinanzeigen",
                )
            ),
            "/s-anzeige/spaten-esche/2419911221-89-4411": redirect(
                "/s-gartenzubehoer/c89?adDeleted=true", status=301
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/s-anzeige/spaten-esche/2419911221-89-4411",
    )
    yield gone(
        "a name that was sold sends everything to a casino",
        "expired names bought for their links, in Indonesian",
        only(redirect("http://slot-gacor.example:PORT/?ref=old", status=301)),
        *_WAYS,
        path="/jurnal/index.php/kebun/article/view/42",
        others={
            "slot-gacor.example": only(
                html(
                    document(
                        "SITUS SLOT GACOR HARI INI | LINK RESMI MAXWIN 2026",
                        "<h1>SLOT GACOR</h1><p>Daftar situs judi slot online terpercaya dengan RTP tertinggi hari ini. Deposit pulsa tanpa potongan, withdraw cepat.</p><a href='/daftar'>DAFTAR</a> <a href='/login'>LOGIN</a>",
                        lang="id",
                    )
                )
            )
        },
    )
    yield gone(
        "a page whose refresh leads to the home page, in Polish",
        "hand-made 404 pages: meta refresh, 404",
        {
            "/": front("pl"),
            ELSE: html(
                document(
                    "Błąd 404",
                    "<h1>Nie znaleziono strony</h1><p>Strona, której szukasz, została usunięta lub przeniesiona. Za chwilę nastąpi przekierowanie na stronę główną.</p>",
                    lang="pl",
                    head='<meta http-equiv="refresh" content="5;url=/">',
                ),
                status=404,
            ),
        },
        path="/galeria/dozynki2009.htm",
    )


CASES: list[Case] = [
    *(gone(name, met.source, met.site, path=met.path) for name, met in _HARD.items()),
    *(gone(name, met.source, met.site, *_FLAGS, path=met.path) for name, met in _SOFT.items()),
    *(
        gone(name, source, only(html(page)), "parked", "changed_owner", *_FLAGS, path="/links.html")
        for name, (source, page) in _PARKED.items()
    ),
    *_by_redirects(),
]
