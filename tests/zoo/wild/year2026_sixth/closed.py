"""Sites that are closed as a whole, and hosts that show their first page."""

# ruff: noqa: E501, RUF001
import socket
from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    FAILURE,
    SUCCESS,
    Case,
    Reply,
    Truth,
    html,
    of_truth,
    only,
    plain,
    redirect,
)
from tests.zoo.wild.year2026_sixth.frames import LOST, campus, lone, shell

_FLAGS = frozenset({"parked", "error_page", "home_page", "same_for_all"})
_EITHER = frozenset({FAILURE, SUCCESS})
_NOWHERE = socket.gaierror(socket.EAI_NONAME, "Name or service not known")

# With a status that says so: where it is known from, the answer.
_HARD: dict[str, tuple[str, Reply]] = {
    "a site that Airee was not paid for, in Russian": (
        "can-i-take-over-xyz: Airee, 402",
        html(
            lone(
                "Ошибка 402",
                "<h1>Ошибка 402. Сервис Айри.рф не оплачен</h1><p>Сайт, на который вы заходите, не оплатил сервис Айри.рф. Доступ к сайту временно невозможен.</p>",
                lang="ru",
            ),
            status=402,
        ),
    ),
    "a portfolio of SmugMug that is no more": (
        "can-i-take-over-xyz: SmugMug, 404",
        html(
            lone("SmugMug", "<h1>Page Not Found</h1><p>This SmugMug site is not here.</p>"),
            status=404,
        ),
    ),
    "a hub of Uberflip that is no more": (
        "can-i-take-over-xyz: Uberflip, 404",
        html(
            lone(
                "Non-hub domain",
                "<h1>Non-hub domain, The URL you've accessed does not provide a hub.</h1><p>Please check the URL and try again.</p>",
            ),
            status=404,
        ),
    ),
    "a portal of Aha that is no more": (
        "nuclei-templates: aha-takeover, There is no portal here",
        html(
            lone("Aha!", "<p>There is no portal here ... sending you back to Aha!</p>"), status=404
        ),
    ),
    "a YouTrack of JetBrains that is not registered": (
        "can-i-take-over-xyz: JetBrains, is not a registered InCloud YouTrack",
        html(
            lone("InCloud", "<h1>$HOST is not a registered InCloud YouTrack.</h1>"),
            status=404,
        ),
    ),
    "a status page of Pingdom that is no more": (
        "can-i-take-over-xyz: Pingdom, Sorry, couldn't find the status page",
        html(
            lone(
                "Public Report Not Activated",
                "<h1>Public Report Not Activated</h1><p>This public report page has not been activated by the user.</p><p>Sorry, couldn't find the status page</p>",
            ),
            status=404,
        ),
    ),
    "a site of Carrd that was unpublished": (
        "WhatsMyName: carrd.co, 404",
        html(
            lone(
                "Page Not Found",
                "<h1>Page Not Found</h1><p>Sorry, the requested page could not be found.</p>",
            ),
            status=404,
        ),
    ),
    "a site of Carbonmade that is no more": (
        "WhatsMyName: Carbonmade, 404",
        html(lone("Carbonmade", "<h1>$HOST not found</h1>"), status=404),
    ),
    "a site of Weebly that is no more": (
        "WhatsMyName: Weebly, 404",
        html(
            lone(
                "404 - Page Not Found",
                "<h1>404</h1><p>Sorry! The page you requested could not be found.</p><p>Create a website with Weebly</p>",
            ),
            status=404,
        ),
    ),
    "an application of Fly that is no more": (
        "Fly.io: 404 without a body, fly-request-id",
        Reply(
            status=404,
            headers=("Server: Fly/42ab (2026-10-01)", "Fly-Request-Id: 01JPEAR42-lhr"),
        ),
    ),
    "a store of BigCommerce that was closed": (
        "BigCommerce: This store is unavailable, 404",
        html(
            lone(
                "Store Unavailable",
                "<h1>Store unavailable</h1><p>Sorry, this store is no longer available.</p>",
            ),
            status=404,
        ),
    ),
    "a shop of Big Cartel that is closed": (
        "nuclei-templates: bigcartel-takeover, Oops! We couldn’t find that page.",
        html(
            lone(
                "Page not found - Big Cartel",
                "<h1>Oops! We couldn&#8217;t find that page.</h1><p>Is this your shop? Log in to your account.</p>",
            ),
            status=404,
        ),
    ),
    "a site of GetResponse that ended": (
        "can-i-take-over-xyz: GetResponse, 404",
        html(
            lone(
                "GetResponse",
                "<h1>404</h1><p>With GetResponse Landing Pages, lead generation has never been easier</p>",
            ),
            status=404,
        ),
    ),
    "a letter of Mailchimp that is no longer active": (
        "can-i-take-over-xyz: Mailchimp, no longer active",
        html(
            lone(
                "Mailchimp",
                "<h1>We can't find that page</h1><p>It looks like you're trying to reach a page that was built by Mailchimp but is no longer active.</p>",
            ),
            status=404,
        ),
    ),
    "a wiki of Wikidot that was deleted": (
        "Wikidot: The site does not exist, 404",
        html(
            lone(
                "Wikidot.com",
                "<h1>The site does not exist.</h1><p>The site http://$HOST does not exist yet or has been deleted. Would you like to start it?</p>",
            ),
            status=404,
        ),
    ),
}

# With a 200.
_SOFT: dict[str, tuple[str, Reply]] = {
    "a free host that has no such site": (
        "000webhost: no-such-website.php",
        html(
            lone(
                "No such website | 000webhost",
                "<div class='message'><h1 class='message_title'>No such website</h1><p>This website does not exist. If you are the owner, create it for free.</p><a class='btn' href='https://free-hosting.example/'>Create website</a></div>",
            )
        ),
    ),
    "a French host that suspended the account": (
        "lists of phrases of closed sites: Compte suspendu",
        html(
            lone(
                "Compte suspendu",
                "<h1>Compte suspendu</h1><p>Ce compte d'hébergement a été suspendu. Veuillez contacter le support.</p>",
                lang="fr",
            )
        ),
    ),
    "a domain that was terminated for abuse": (
        "lists of phrases of closed sites: This domain has been terminated for abuse",
        html(lone("Domain terminated", "<h1>This domain has been terminated for abuse.</h1>")),
    ),
    "a name on hold for its verification": (
        "ICANN registrars: on hold pending verification",
        html(
            lone(
                "Domain on hold",
                "<h1>The domain is temporarily on hold pending verification</h1><p>The contact information of the registrant has not been verified, as ICANN requires. Registrant? Check your email for a link to verify it.</p>",
            )
        ),
    ),
    "a Chinese panel that finds no site": (
        "宝塔: 没有找到站点, 200",
        html(
            lone(
                "没有找到站点",
                "<h1>没有找到站点</h1><p>您的请求在Web服务器中没有找到对应的站点！</p><p>可能原因：您没有将此域名或IP绑定到对应站点！</p>",
                lang="zh",
            )
        ),
    ),
    "a Japanese server whose contract ended": (
        "hosts of Japan: a contract that ended, 200",
        html(
            lone(
                "このサイトは現在ご利用いただけません",
                "<h1>このサイトは現在ご利用いただけません</h1><p>ご契約の期限切れ、または利用停止により表示できません。</p>",
                lang="ja",
            )
        ),
    ),
    "an Italian host that disabled the space": (
        "hosts of Italy: a space that was disabled, 200",
        html(
            lone(
                "Sito disabilitato",
                "<h1>Questo sito è stato disabilitato</h1><p>Lo spazio web è scaduto o è stato sospeso. Se sei l'intestatario, accedi al pannello per rinnovarlo.</p>",
                lang="it",
            )
        ),
    ),
    "a Swedish host that closed the webspace": (
        "hosts of Sweden: an account that was closed, 200",
        html(
            lone(
                "Kontot är avstängt",
                "<h1>Webbhotellet är avstängt</h1><p>Är du ägare till kontot? Kontakta vår kundtjänst.</p>",
                lang="sv",
            )
        ),
    ),
    "a Romanian host that suspended the site": (
        "hosts of Romania: an account that was suspended, 200",
        html(
            lone(
                "Cont suspendat",
                "<h1>Acest cont de găzduire a fost suspendat</h1><p>Contactați furnizorul pentru detalii.</p>",
                lang="ro",
            )
        ),
    ),
    "a Korean host whose term has passed": (
        "hosts of Korea: a term that has passed, 200",
        html(
            lone(
                "서비스 이용기간 만료 안내",
                "<h1>호스팅 서비스 기간이 만료되었습니다</h1><p>연장을 원하시면 관리자에게 문의하십시오.</p>",
                lang="ko",
            )
        ),
    ),
    "a builder that took the site offline": (
        "builders of sites: This site is currently unavailable",
        html(
            shell(
                "Site unavailable",
                "<h1>This site is currently unavailable</h1><p>If you're the owner of this site, log in to your account to find out more.</p>",
            )
        ),
    ),
    "a site of a club that says goodbye at every address": (
        "sites that end: one page for whatever is asked",
        html(
            lone(
                "Pomological Society 1892–2026",
                "<h1>Thank you and goodbye</h1><p>The Pomological Society was dissolved on 30 June 2026. This website has been shut down and its pages are no longer available. Our papers are at the county record office.</p>",
            )
        ),
    ),
    "a domain that the authorities hold": (
        "Europol and national police: This domain has been seized",
        html(
            lone(
                "THIS DOMAIN HAS BEEN SEIZED",
                "<img src='/banner.png' alt='This domain has been seized'><p>This domain has been seized by law enforcement in accordance with a warrant issued by a court.</p>",
            )
        ),
    ),
}

# First pages of servers, at the root.
_FRESH: dict[str, tuple[str, Reply]] = {
    "Debian's page of Apache": (
        "Apache2 Debian Default Page: It works",
        html(
            lone(
                "Apache2 Debian Default Page: It works",
                "<div class='main_page'><span class='floating_element'>Apache2 Debian Default Page</span><div class='section_header'>It works!</div><p>This is the default welcome page used to test the correct operation of the Apache2 server after installation on Debian systems.</p></div>",
            )
        ),
    ),
    "AlmaLinux tests its server": (
        "AlmaLinux: HTTP Server Test Page",
        html(
            lone(
                "HTTP Server Test Page powered by: AlmaLinux",
                "<h1>AlmaLinux <strong>Test Page</strong></h1><p>This page is used to test the proper operation of the HTTP server after it has been installed. If you can read this page, it means that the HTTP server installed at this site is working properly, but has not yet been configured.</p>",
            )
        ),
    ),
    "XAMPP's dashboard": (
        "XAMPP: Welcome to XAMPP",
        html(
            lone(
                "Welcome to XAMPP",
                "<h1>XAMPP <span>Apache + MariaDB + PHP + Perl</span></h1><h2>Welcome to XAMPP for Linux 8.2.12</h2><p>You have successfully installed XAMPP on this system!</p>",
            )
        ),
    ),
    "Webmin's Virtualmin greets": (
        "Virtualmin: the default page of a domain",
        html(
            lone(
                "Website $HOST coming soon",
                "<h1>$HOST</h1><p>Website coming soon</p><p>Powered by Virtualmin</p>",
            )
        ),
    ),
}

_DOWN: dict[str, tuple[str, Reply]] = {
    "Coolify has nobody behind it": (
        "Traefik: no available server, 503",
        plain("no available server\n", status=503),
    ),
    "Dokku has nobody behind it": (
        "Dokku: 502.html",
        html(
            lone(
                "502 Bad Gateway", "<h1>502 Bad Gateway</h1><p>The application did not respond.</p>"
            ),
            "Server: nginx",
            status=502,
        ),
    ),
    "MediaWiki has lost its database": (
        "MediaWiki: Cannot access the database, 500",
        html(
            lone(
                "Pomopedia",
                "<h1>Sorry! This site is experiencing technical difficulties.</h1><p>Try waiting a few minutes and reloading.</p><p><small>(Cannot access the database)</small></p>",
            ),
            status=500,
        ),
    ),
    "a board of Discourse is read only and fails": (
        "Discourse: offline.html, 503",
        html(
            lone(
                "Oops",
                "<h1>Oops</h1><p>The software powering this discussion forum encountered an unexpected problem. We apologize for the inconvenience.</p>",
            ),
            status=503,
        ),
    ),
    "an office does its yearly works, in Portuguese": (
        "portals of Portugal and Brazil: Site em manutenção, 503",
        html(
            campus(
                "Em manutenção",
                "<h1>Serviço temporariamente indisponível</h1><p>Estamos a realizar trabalhos de manutenção programada. Pedimos desculpa pelo incómodo.</p>",
                lang="pt",
            ),
            "Retry-After: 7200",
            status=503,
        ),
    ),
    "an archive was attacked and is offline": (
        "Internet Archive: services are temporarily offline, 503",
        html(
            lone(
                "Internet Archive: Temporarily Offline",
                "<h1>Internet Archive services are temporarily offline.</h1><p>Please check our official accounts for the latest information. We apologize for the inconvenience.</p>",
            ),
            status=503,
        ),
    ),
}


def _otherwise() -> Iterator[Case]:
    """Yield sites that are closed by redirects or by the DNS."""
    yield of_truth(
        Truth.CLOSED,
        "a free host sends to its own front page for a site that it deleted",
        "free hosts: 302 to the host's front page",
        only(redirect("http://www.byte-free-host.example:PORT/?ref=deleted")),
        others={
            "www.byte-free-host.example": only(
                html(
                    campus(
                        "Free web hosting with PHP",
                        "<h1>Free hosting, no ads</h1><p>Sign up in a minute.</p>",
                        name="Byte Free Host",
                    )
                )
            )
        },
        flags=_FLAGS | {"changed_owner"},
        outcomes=_EITHER,
    )
    yield of_truth(
        Truth.CLOSED,
        "a builder sends to where one claims the name",
        "Adobe Portfolio: 302 to the front of the service",
        only(redirect("http://portfolio.builder-of-sites.example:PORT/")),
        others={
            "portfolio.builder-of-sites.example": only(
                html(
                    campus(
                        "Portfolio | Build your own personalized website",
                        "<h1>Build your own personalized website</h1>",
                        name="Portfolio",
                    )
                )
            )
        },
        flags=_FLAGS | {"changed_owner"},
        outcomes=_EITHER,
    )
    yield of_truth(
        Truth.CLOSED,
        "a host of blogs that is gone with all its names",
        "DNS: NXDOMAIN for every name of the host",
        only(LOST),
        host="pomona.blog-host-of-old.example",
        names={"pomona.blog-host-of-old.example": _NOWHERE},
    )
    yield of_truth(
        Truth.CLOSED,
        "a domain that its registry put on hold",
        "EPP: serverHold, NXDOMAIN",
        only(LOST),
        host="held.pomology-society.example",
        names={"held.pomology-society.example": _NOWHERE},
    )


CASES: list[Case] = [
    *(of_truth(Truth.CLOSED, name, source, only(reply)) for name, (source, reply) in _HARD.items()),
    *(
        of_truth(Truth.CLOSED, name, source, only(reply), flags=_FLAGS, outcomes=_EITHER)
        for name, (source, reply) in _SOFT.items()
    ),
    *(
        of_truth(
            Truth.CLOSED,
            name,
            source,
            {"/": reply, ELSE: LOST},
            path="/",
            flags=_FLAGS,
            outcomes=_EITHER,
        )
        for name, (source, reply) in _FRESH.items()
    ),
    *_otherwise(),
    *(of_truth(Truth.DOWN, name, source, only(reply)) for name, (source, reply) in _DOWN.items()),
]
