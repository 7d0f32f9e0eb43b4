"""What is gone and says so otherwise: by redirects, by a name that was sold or lapsed, by an interface."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, gone, html, only, plain, redirect
from tests.zoo.wild.year2026_sixth.frames import LOST, campus, daily, home, lone, store, tale

_FLAGS = ("error_page", "same_for_all")
_WAYS = (*_FLAGS, "home_page", "parked", "changed_owner")
_JSON = "application/json"

# Interfaces: where it is known from, the path, the answer.
_INTERFACES: dict[str, tuple[str, str, Reply]] = {
    "an interface of GitLab knows no such project": (
        "GitLab API: 404 Project Not Found",
        "/api/v4/projects/4242",
        plain('{"message":"404 Project Not Found"}', status=404, kind=_JSON),
    ),
    "an interface of Mastodon knows no such status": (
        "Mastodon API: Record not found",
        "/api/v1/statuses/114242424242424242",
        plain('{"error":"Record not found"}', status=404, kind="application/json; charset=utf-8"),
    ),
    "an interface of Bluesky knows no such profile": (
        "AT Protocol: InvalidRequest, Profile not found, 400",
        "/xrpc/app.bsky.actor.getProfile?actor=pomona.example",
        plain('{"error":"InvalidRequest","message":"Profile not found"}', status=400, kind=_JSON),
    ),
    "an interface of Discourse knows no such topic": (
        "Discourse: not_found, 404",
        "/t/4242.json",
        plain(
            '{"errors":["The requested URL or resource could not be found."],"error_type":"not_found"}',
            status=404,
            kind=_JSON,
        ),
    ),
    "a set of data that Dataverse does not find": (
        "Dataverse API: Dataset with Persistent ID not found",
        "/api/datasets/:persistentId/?persistentId=doi:10.5072/FK2/PEAR42",
        plain(
            '{"status":"ERROR","message":"Dataset with Persistent ID doi:10.5072/FK2/PEAR42 not found."}',
            status=404,
            kind=_JSON,
        ),
    ),
    "a package of npm that was unpublished": (
        "registry.npmjs.org: 404 Not Found in JSON",
        "/graft-cli/4.2.0",
        plain('"version not found: 4.2.0"', status=404, kind=_JSON),
    ),
    "a crate that does not exist": (
        "crates.io API: crate does not exist",
        "/api/v1/crates/graft-knife",
        plain(
            '{"errors":[{"detail":"crate `graft-knife` does not exist"}]}', status=404, kind=_JSON
        ),
    ),
    "an item that Hacker News answers with null": (
        "Firebase API of Hacker News: null, 200",
        "/v0/item/42424242424.json",
        plain("null", kind="application/json; charset=utf-8"),
    ),
    "a good that an interface of a Chinese shop took down": (
        "interfaces of Chinese shops: code and msg, 200",
        "/api/goods/detail?id=424242",
        plain('{"code":404,"msg":"商品不存在或已下架","data":null}', kind=_JSON),
    ),
}
_ANSWERS_200 = {
    "an item that Hacker News answers with null",
    "a good that an interface of a Chinese shop took down",
}

# Names that others hold now: where such are known from, the answer to whatever is asked for.
_PARKED: dict[str, tuple[str, Reply]] = {
    "a name that easyDNS manages": (
        "easyDNS: is yet another domain managed by easyDNS",
        html(
            lone(
                "$HOST",
                "<h1>$HOST</h1><h2>is yet another domain managed by easyDNS</h2><p><a href='https://easydns.example/parked'>This Domain is Parked: Learn more</a></p>",
            )
        ),
    ),
    "a name for sale at Efty": (
        "Efty: The domain name is for sale",
        html(
            lone(
                "$HOST is for sale",
                "<h1>The domain name <strong>$HOST</strong> is for sale.</h1><form><input name='email' placeholder='Your email'><input name='offer' placeholder='Your offer in USD'><button>Submit your offer</button></form><p>Powered by <a href='https://efty.example'>Efty</a></p>",
            )
        ),
    ),
    "a name for sale at BrandBucket": (
        "BrandBucket: buy this domain with its logo",
        html(
            lone(
                "$HOST is for sale at BrandBucket",
                "<img src='/logo.png' alt='Pomona'><h1>Pomona</h1><p>$HOST</p><p>$4,295</p><button>Buy now</button><p>Your purchase includes the domain and the logo design.</p>",
            )
        ),
    ),
    "a name for sale at Sav": (
        "Sav.com: landing page of the marketplace",
        html(
            lone(
                "$HOST is available for purchase - Sav.com",
                "<h1>$HOST</h1><h2>This domain is available for purchase!</h2><button>Buy it now for $1,888</button><button>Make an offer</button>",
            )
        ),
    ),
    "a name for sale at Nicsell, in German": (
        "nicsell: Diese Domain kann erworben werden",
        html(
            lone(
                "$HOST - Domain kaufen",
                "<h1>$HOST</h1><p>Diese Domain steht zum Verkauf. Geben Sie jetzt ein Gebot ab!</p><p>Aktuelles Gebot: 120 &euro;</p>",
                lang="de",
            )
        ),
    ),
    "a name that expired at PublicDomainRegistry": (
        "PublicDomainRegistry: This domain name expired on",
        html(
            lone(
                "$HOST - Expired",
                "<h1>$HOST</h1><p>This domain name expired on 2026-09-14 07:12:42</p><p><a href='https://manage.registrar.example/renew'>Click here to renew it.</a></p><div id='ads'>Related links</div>",
            )
        ),
    ),
    "a name that expired at a reseller of Tucows": (
        "OpenSRS: NOTICE: This domain name expired and is pending renewal or deletion",
        html(
            lone(
                "$HOST",
                "<p>NOTICE: This domain name expired on 8/30/2026 and is pending renewal or deletion.</p><p>Welcome to: $HOST</p><p>This Web page is parked for FREE.</p><ul><li><a href='/click?q=pears'>Pear Trees</a></li><li><a href='/click?q=loans'>Online Loans</a></li></ul>",
            )
        ),
    ),
    "a name of Hostnet, in Dutch": (
        "Hostnet: deze domeinnaam is geregistreerd",
        html(
            lone(
                "$HOST is geregistreerd",
                "<h1>Deze domeinnaam is geregistreerd door een klant van Hostnet</h1><p>Op zoek naar een eigen domeinnaam?</p>",
                lang="nl",
            )
        ),
    ),
    "a name of Strato that is reserved": (
        "Strato: This domain is now reserved. As of now, no content has been uploaded.",
        html(
            lone(
                "STRATO - Domain reserved",
                "<h1>Here is where a new website will be created</h1><p>This domain is now reserved. As of now, no content has been uploaded.</p>",
            )
        ),
    ),
    "a name at dinahosting, in Spanish": (
        "dinahosting: dominio aparcado",
        html(
            lone(
                "$HOST",
                "<h1>$HOST</h1><p>Este dominio está registrado y aparcado en dinahosting.</p><p>¿Eres su propietario? Crea ya tu web.</p>",
                lang="es",
            )
        ),
    ),
    "a name at Registro.br's resellers, in Portuguese": (
        "KingHost: domínio registrado, em breve",
        html(
            lone(
                "$HOST",
                "<h1>Este domínio está registrado, mas ainda não tem um site publicado</h1><p>Registre o seu com a KingHost.</p>",
                lang="pt",
            )
        ),
    ),
    "a name at a Ukrainian registrar": (
        "NIC.UA: домен припарковано",
        html(
            lone(
                "$HOST",
                "<h1>Домен $HOST припарковано</h1><p>Цей домен зареєстровано через NIC.UA. Бажаєте його придбати?</p>",
                lang="uk",
            )
        ),
    ),
    "a name in a Chinese auction": (
        "西部数码: 该域名正在出售",
        html(
            lone(
                "$HOST-域名出售",
                "<h1>$HOST</h1><p>您访问的域名正在出售，一口价 ¥8,800</p><a href='/buy'>立即购买</a>",
                lang="zh",
            )
        ),
    ),
    "a name whose frames show an advertiser": (
        "Parklogic and Tonic: a script that asks where to go",
        html(
            '<!doctype html><html data-adblockkey="MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBANDrp2lz7AOmADaN8tA50LsWcjLFyQFcb_P2Txc58oYOeILb3vBw7J6f4pamkAQVSQuqYsKx3YzdUHCvbVZvFUsCAwEAAQ=="><head><meta charset="utf-8"><title>$HOST</title></head><body><div id="target" style="opacity:0"></div><script>window.park="eyJ1dWlkIjoiNDIifQ=="</script><script src="/bPqRsTuVw.js"></script></body></html>'
        ),
    ),
    "a dairy's name that sells vapes now": (
        "lapsed names that others caught: another trade",
        html(
            store(
                "Cheap Disposable Vapes UK – Free Next Day Delivery | VapeKing",
                "<h1>Disposable Vapes</h1><ul><li>Lost Mary 600 £4.99</li><li>Elf Bar 3 for £12</li></ul>",
                name="VapeKing",
            )
        ),
    ),
    "a choir's name that gives tips on coins now": (
        "lapsed names that others caught: a blog of paid links",
        html(
            daily(
                "Best Crypto Presales To Buy Now – November 2026",
                "<h1>Best Crypto Presales To Buy Now</h1><p>Compare the hottest tokens before they list. Sponsored posts: contact us for a guest post.</p><h2>Online casinos that accept USDT</h2>",
                name="Coin Choir",
            )
        ),
    ),
}


def _by_redirects() -> Iterator[Case]:
    """Yield pages that are gone and lead elsewhere."""
    yield gone(
        "a product of VTEX leads to a search without it",
        "VTEX known issue 1233974: ProductLinkNotFound",
        {
            "/": home("pt"),
            "/muda-de-pera/p": redirect("/pomar?ProductLinkNotFound=muda-de-pera"),
            "/pomar?ProductLinkNotFound=muda-de-pera": html(
                store(
                    "Pomar",
                    "<h1>Pomar</h1><p>0 produtos</p><p>Não encontramos o produto que você procura.</p>",
                    lang="pt",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/muda-de-pera/p",
    )
    yield gone(
        "a page of VTEX leads to its page for errors, which says 200",
        "VTEX known issue: /Sistema/404 answers 200",
        {
            "/": home("pt"),
            "/institucional/viveiro": redirect("/Sistema/404"),
            "/Sistema/404": html(
                store("Página não encontrada", "<h1>Ops! Página não encontrada</h1>", lang="pt")
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/institucional/viveiro",
    )
    yield gone(
        "a page of Sitecore leads to its notice",
        "Sitecore: ItemNotFoundUrl, /sitecore/service/notfound.aspx",
        {
            "/": home(),
            "/en/visit/open-day": redirect(
                "/sitecore/service/notfound.aspx?item=%2fen%2fvisit%2fopen-day&user=extranet%5cAnonymous&site=website"
            ),
            "/sitecore/service/notfound.aspx?item=%2fen%2fvisit%2fopen-day&user=extranet%5cAnonymous&site=website": html(
                lone(
                    "Document Not Found",
                    "<h1>The requested document was not found</h1><p>Requested URL: /en/visit/open-day</p><p>User Name: extranet\\Anonymous</p><p>Site Name: website</p><p>If the page you are trying to display exists, please check that an appropriate prefix has been added to the IgnoreUrlPrefixes setting in the web.config.</p>",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/en/visit/open-day",
    )
    yield gone(
        "a record of Koha leads to its page for errors",
        "Koha: /cgi-bin/koha/errors/404.pl",
        {
            "/": home(),
            "/cgi-bin/koha/opac-detail.pl?biblionumber=424242": redirect(
                "/cgi-bin/koha/errors/404.pl"
            ),
            "/cgi-bin/koha/errors/404.pl": html(
                campus(
                    "Error 404 › Orchard Library catalog",
                    "<h1>Page not found</h1><h4>Error 404</h4><ul><li>This error means that the link was broken and the page does not exist.</li></ul>",
                    name="Orchard Library",
                ),
                status=404,
            ),
            ELSE: LOST,
        },
        path="/cgi-bin/koha/opac-detail.pl?biblionumber=424242",
    )
    yield gone(
        "a withdrawn article leads to the front of its journal",
        "Open Journal Systems 2: redirect to the index of the journal",
        {
            "/": home(),
            "/index.php/jpom/article/view/4242": redirect("http://$HOST:PORT/index.php/jpom/index"),
            "/index.php/jpom/index": html(
                campus(
                    "Journal of Pomology",
                    f"<h1>Journal of Pomology</h1>{tale()}<h2>Announcements</h2><h2>Current issue</h2>",
                    name="Journal of Pomology",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/index.php/jpom/article/view/4242",
    )
    yield gone(
        "a pin that was removed leads to ideas",
        "Pinterest: show_error=true",
        {
            "/": home(),
            "/pin/424242424242424242/": redirect("/ideas/?show_error=true"),
            "/ideas/?show_error=true": html(
                campus(
                    "Explore the best of Pinterest",
                    "<h1>Explore the best of Pinterest</h1><ul><li>Garden</li><li>Fruit</li></ul>",
                    name="Pinterest",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/pin/424242424242424242/",
    )
    yield gone(
        "a cottage that was let leads to the list of its county",
        "portals of estates: 301 to the list of the place",
        {
            "/": home(),
            "/to-rent/property-424242/cottage-pear-lane": redirect(
                "/to-rent/orchardshire/?expired=1", status=301
            ),
            "/to-rent/orchardshire/?expired=1": html(
                store(
                    "Property to rent in Orchardshire",
                    "<h1>Property to rent in Orchardshire</h1><div class='notice'>The property you were looking for is no longer on the market. Here are some like it.</div><ul><li>2 bed flat £800</li><li>3 bed house £1,100</li></ul>",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/to-rent/property-424242/cottage-pear-lane",
    )
    yield gone(
        "a job at Ashby that is not found",
        "Ashby: The job you requested was not found",
        {
            "/": home(),
            "/pomona/4242abcd-0000-4242-8888-424242424242": html(
                lone(
                    "Pomona Jobs",
                    "<h1>Job not found</h1><p>The job you requested was not found.</p><a href='/pomona'>View all open positions</a>",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/pomona/4242abcd-0000-4242-8888-424242424242",
    )
    yield gone(
        "an old forum's threads all lead to the new community's front",
        "communities that moved without their threads: 301 to the front",
        only(redirect("http://community.orchard-tools.example:PORT/", status=301)),
        *_WAYS,
        path="/forum/showthread.php?t=42424",
        others={"community.orchard-tools.example": {"/": home(), ELSE: LOST}},
    )
    yield gone(
        "the pages of a paper that merged lead to a section of the other",
        "merged papers of regions: 301 to the section of the region",
        only(redirect("http://www.valley-times.example:PORT/orchardshire/", status=301)),
        *_WAYS,
        path="/2012/06/blossom-festival-draws-record-crowd",
        others={
            "www.valley-times.example": {
                "/": html(daily("Valley Times", f"<h1>Valley Times</h1>{tale()}")),
                "/orchardshire/": html(
                    daily(
                        "Orchardshire – Valley Times",
                        "<h1>Orchardshire</h1><ul><li>Council sets budget</li><li>Bridge to reopen</li></ul>",
                    )
                ),
                ELSE: LOST,
            }
        },
    )
    yield gone(
        "an old address leads to an archive that lost it",
        "sites that point their past at the web archive: 404 there",
        only(redirect("http://web.archive-of-all.example:PORT/web/2016/http://$HOST/guide.html")),
        path="/guide.html",
        others={
            "web.archive-of-all.example": only(
                html(
                    lone(
                        "Wayback Machine",
                        "<h1>Hrm.</h1><p>The Wayback Machine has not archived that URL.</p>",
                    ),
                    status=404,
                )
            )
        },
    )
    yield gone(
        "a lost page in Spanish leads to the search for its words",
        "plugins for WordPress that guess: 302 to ?s=",
        {
            "/": home("es"),
            "/2015/03/injertos-de-peral/": redirect("/?s=injertos+de+peral"),
            "/?s=injertos+de+peral": html(
                campus(
                    "Resultados de la búsqueda «injertos de peral»",
                    "<h1>Resultados de la búsqueda: injertos de peral</h1><p>Lo sentimos, pero no hay nada que coincida con tu búsqueda. Inténtalo de nuevo con otras palabras.</p>",
                    lang="es",
                )
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/2015/03/injertos-de-peral/",
    )
    yield gone(
        "a form that a script sends to the front page",
        "single files left by agencies: location.replace",
        {
            "/": home("it"),
            "/iscrizioni/2019.html": html(
                "<html><head><script>location.replace('/');</script></head><body></body></html>"
            ),
            ELSE: LOST,
        },
        *_WAYS,
        path="/iscrizioni/2019.html",
    )
    yield gone(
        "a link of a shortener that does not exist",
        "Short.io: Link does not exist, 404",
        {
            "/": home(),
            "/Ab42": html(lone("Link does not exist", "<h1>Link does not exist</h1>"), status=404),
            ELSE: LOST,
        },
        path="/Ab42",
    )
    yield gone(
        "a link of a shortener that leads to the shortener",
        "Rebrandly and others: unknown slugs lead to the home page of the service",
        only(redirect("http://www.short-links.example:PORT/?utm_source=notfound", status=302)),
        *_WAYS,
        path="/pears42",
        others={
            "www.short-links.example": only(
                html(
                    campus(
                        "Short Links – brand your links",
                        "<h1>Make every link count</h1><p>Create branded short links. Start free.</p>",
                        name="Short Links",
                    )
                )
            )
        },
    )


def _interfaces() -> Iterator[Case]:
    for name, (source, path, reply) in _INTERFACES.items():
        flags = _FLAGS if name in _ANSWERS_200 else ()
        yield gone(name, source, {"/": home(), path: reply, ELSE: LOST}, *flags, path=path)


CASES: list[Case] = [
    *_interfaces(),
    *(
        gone(name, source, only(reply), "parked", "changed_owner", *_FLAGS, path="/sorts/1892.html")
        for name, (source, reply) in _PARKED.items()
    ),
    *_by_redirects(),
]
