"""Sites that are closed as a whole: by hosts, by builders, by services that ended."""

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
from tests.zoo.wild.year2026_seventh.frames import LOST, alone, office

_FLAGS = frozenset({"parked", "error_page", "home_page", "same_for_all", "changed_owner"})
_EITHER = frozenset({FAILURE, SUCCESS})
_NOWHERE = socket.gaierror(socket.EAI_NONAME, "Name or service not known")

# With a status that says so: where it is known from, the answer.
_HARD: dict[str, tuple[str, Reply]] = {
    "a page of Instapage whose campaign is over": (
        "can-i-take-over-xyz: Instapage, You've Discovered A Missing Link, 404",
        html(
            alone(
                "Looks like you're lost",
                "<h1>Looks Like You're Lost</h1><p>The page you're looking for is no longer available.</p>",
            ),
            status=404,
        ),
    ),
    "a page of Unbounce that was unpublished": (
        "can-i-take-over-xyz: Unbounce, The requested URL was not found on this server., 404",
        html(
            "<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1><p>The requested URL / was not found on this server.</p></body></html>",
            "Server: unbounce",
            status=404,
        ),
    ),
    "a site of Strikingly that is no more": (
        "can-i-take-over-xyz: Strikingly, PAGE NOT FOUND., 404",
        html(
            alone(
                "404 - Strikingly",
                "<h1>PAGE NOT FOUND.</h1><p>But if you're looking to build your own website, you've come to the right place.</p><a href='/signup'>Get started</a>",
            ),
            status=404,
        ),
    ),
    "a page of HubSpot whose name is not connected": (
        "can-i-take-over-xyz: HubSpot, Domain not found, 404",
        html(
            alone(
                "Domain not found",
                "<h1>Domain not found</h1><p>$HOST does not exist in our system.</p><p>If you are trying to set up this domain, connect it in your account's settings.</p>",
            ),
            status=404,
        ),
    ),
    "a prototype of Anima that is gone": (
        "can-i-take-over-xyz: Anima, The page you were looking for does not exist., 404",
        html(
            alone(
                "404",
                "<h1>The page you were looking for does not exist.</h1><p>If this is your website and you've just created it, try refreshing in a minute.</p>",
            ),
            status=404,
        ),
    ),
    "a page of Campaign Monitor without its account": (
        "can-i-take-over-xyz: Campaign Monitor, Trying to access your account?, 404",
        html(
            alone(
                "Page not found",
                "<h1>Oops! We couldn't find that page.</h1><p>Trying to access your account? Log in at the address in your welcome letter.</p>",
            ),
            status=404,
        ),
    ),
    "a feed of FeedPress that is not found": (
        "can-i-take-over-xyz: FeedPress, The feed has not been found., 404",
        html(alone("FeedPress", "<h1>The feed has not been found.</h1>"), status=404),
    ),
    "a repository of Gemfury without its owner": (
        "can-i-take-over-xyz: Gemfury, 404: This page could not be found., 404",
        html(alone("Gemfury", "<h1>404: This page could not be found.</h1>"), status=404),
    ),
    "a base of knowledge of Helpjuice that is gone": (
        "can-i-take-over-xyz: Helpjuice, We could not find what you're looking for., 404",
        html(alone("Helpjuice", "<h1>We could not find what you're looking for.</h1>"), status=404),
    ),
    "an interface at Mashery whose name is not known": (
        "can-i-take-over-xyz: Mashery, Unrecognized domain, 596",
        html(
            "<h1>596 Service Not Found</h1><p>Unrecognized domain <strong>$HOST</strong></p>",
            "X-Mashery-Error-Code: ERR_596_SERVICE_NOT_FOUND",
            status=596,
        ),
    ),
    "a translated site of Smartling that is not configured": (
        "can-i-take-over-xyz: Smartling, Domain is not configured, 404",
        html(alone("Smartling", "<h1>Domain is not configured</h1>"), status=404),
    ),
    "a survey's site of SurveySparrow without its account": (
        "can-i-take-over-xyz: SurveySparrow, Account not found., 404",
        html(alone("SurveySparrow", "<h1>Account not found.</h1>"), status=404),
    ),
    "a portal of Teamwork that is not found": (
        "nuclei-templates: teamwork-takeover, Oops - We didn't find your site., 404",
        html(
            alone("Teamwork", "<h1>Oops - We didn't find your site.</h1><p>$HOST</p>"), status=404
        ),
    ),
    "a page of AfterShip that is no more": (
        "nuclei-templates: aftership-takeover, 404",
        html(
            alone(
                "Oops",
                "<h2>Oops.</h2><p class='text-muted text-tight'>The page you're looking for doesn't exist.</p><a href='https://www.aftership.example/'>AfterShip</a>",
            ),
            status=404,
        ),
    ),
    "a shop of Vend that travelled too far": (
        "nuclei-templates: vend-takeover, Looks like you've traveled too far into cyberspace., 404",
        html(
            alone("Vend", "<h1>Looks like you've traveled too far into cyberspace.</h1>"),
            status=404,
        ),
    ),
    "a booklet of Simplebooklet that cannot be found": (
        "nuclei-templates: simplebooklet-takeover, 404",
        html(
            alone(
                "Simplebooklet",
                "<p>We can't find this <a href='https://simplebooklet.example'>Simplebooklet</a></p>",
            ),
            status=404,
        ),
    ),
    "a site whose shield of Imperva was never set up": (
        "Imperva: Error 22, This site is not configured, 404",
        html(
            "<html><head><title>Error</title></head><body><div class='error-description'><h1>Site not found</h1><p>Error code 22: The owner of $HOST has not configured this site with the service, or has removed it.</p></div><p>Powered by Imperva</p></body></html>",
            "X-Iinfo: 8-1864-0 NNNN RT(1759200000000 0)",
            status=404,
        ),
    ),
    "a site that Sucuri's proxy does not know": (
        "Sucuri: Sucuri WebSite Firewall - Not Configured, 404",
        html(
            alone(
                "Sucuri WebSite Firewall - Not Configured",
                "<h1>Sucuri WebSite Firewall</h1><h2>Site Not Configured</h2><p>$HOST is not configured in our network. If you are the owner, add it in your dashboard.</p>",
            ),
            "Server: Sucuri/Cloudproxy",
            status=404,
        ),
    ),
    "a service of Koyeb that is stopped": (
        "Koyeb: No active service, 404",
        html(
            alone(
                "No active service",
                "<h1>404</h1><h2>No active service</h2><p>There is no active service on $HOST.</p>",
            ),
            "Server: koyeb",
            status=404,
        ),
    ),
    "a course's site of Kajabi without its account": (
        "nuclei-templates: kajabi-takeover, The page you were looking for doesn't exist., 404",
        html(
            alone(
                "Kajabi",
                "<h1>The page you were looking for doesn't exist.</h1><p>You may have mistyped the address or the page may have moved.</p><footer>Powered by Kajabi</footer>",
            ),
            status=404,
        ),
    ),
    "a project of Glitch after its hosting ended": (
        "11ty/eleventy-base-blog pull request 218: Glitch project hosting is no longer available., 410",
        html(
            alone(
                "Glitch",
                "<h1>Glitch project hosting is no longer available.</h1><p>Find more information on the <a href='https://blog.glitch.example/'>Glitch blog</a>.</p>",
            ),
            status=410,
        ),
    ),
    "a repl whose owner took it down": (
        "Replit: This app isn't live, 404",
        html(
            alone(
                "Replit",
                "<h1>This app is not live</h1><p>If you're the owner, deploy your app to see it here.</p>",
            ),
            status=404,
        ),
    ),
    "a site of Neocities that was banned": (
        "Neocities: Site not found, 404",
        html(
            alone(
                "Site not found - Neocities",
                "<h1>Site Not Found</h1><p>The site you're looking for doesn't exist, or has been deleted.</p>",
            ),
            "Server: neocities",
            status=404,
        ),
    ),
    "a school of Thinkific that closed": (
        "nuclei-templates: thinkific-takeover, You may have mistyped the address or the page may have moved., 404",
        html(
            alone(
                "Thinkific",
                "<h1>Not found</h1><p>You may have mistyped the address or the page may have moved.</p><a href='https://www.thinkific.example/'>Thinkific</a>",
            ),
            status=404,
        ),
    ),
    "a studio's pages at Tave that are gone": (
        "nuclei-templates: tave-takeover, Error 404: Page Not Found, 404",
        html(
            alone(
                "Táve",
                "<h1>Error 404: Page Not Found</h1><p>This studio's pages are not here any more.</p>",
            ),
            status=404,
        ),
    ),
    "a blog of Over-blog that was closed, in French": (
        "Over-blog: Ce blog n'existe plus, 410",
        html(
            alone(
                "Ce blog n'existe plus",
                "<h1>Ce blog n'existe plus</h1><p>Son auteur l'a supprimé ou il a été fermé pour non-respect des conditions d'utilisation.</p>",
                lang="fr",
            ),
            status=410,
        ),
    ),
    "a page of npage that was deleted, in German": (
        "npage.de: Diese Homepage wurde gelöscht, 410",
        html(
            alone(
                "Homepage gelöscht",
                "<h1>Diese Homepage wurde gelöscht</h1><p>Die Homepage $HOST existiert nicht mehr. Erstellen Sie jetzt Ihre eigene kostenlose Homepage!</p>",
                lang="de",
            ),
            status=410,
        ),
    ),
    "a page of Free whose account was closed, in French": (
        "Free, pages perso: compte suspendu ou inexistant, 403",
        html(
            alone(
                "Pages perso Free",
                "<h1>Ce compte de pages perso a été suspendu</h1><p>Le site que vous souhaitez consulter n'est plus accessible : compte inactif ou non-respect des conditions d'utilisation.</p>",
                lang="fr",
            ),
            status=403,
        ),
    ),
    "a site of Nethouse that was switched off, in Russian": (
        "Nethouse: Сайт отключён, 402",
        html(
            alone(
                "Сайт отключён",
                "<h1>Сайт отключён</h1><p>Срок действия тарифа закончился. Если вы владелец сайта, продлите тариф в личном кабинете.</p>",
                lang="ru",
            ),
            status=402,
        ),
    ),
    "a route of a container that nobody answers for": (
        "Google Cloud Run: a service that was deleted, 404",
        html(
            '<html><head>\n<meta http-equiv="content-type" content="text/html;charset=utf-8">\n<title>404 Page not found</title>\n</head>\n<body text=#000000 bgcolor=#ffffff>\n<h1>Error: Page not found</h1>\n<h2>The requested URL was not found on this server.</h2>\n<h2></h2>\n</body></html>\n',
            "Server: Google Frontend",
            status=404,
        ),
    ),
    "an account of a Spanish host that was suspended": (
        "hosts of Spain: Sitio suspendido por impago, 402",
        html(
            alone(
                "Sitio suspendido",
                "<h1>Este sitio web ha sido suspendido</h1><p>El servicio de alojamiento de $HOST está suspendido por falta de pago. Si es el titular, acceda a su área de cliente.</p>",
                lang="es",
            ),
            status=402,
        ),
    ),
    "an account of a Croatian host that was suspended": (
        "hosts of Croatia: Račun je suspendiran, 403",
        html(
            alone(
                "Račun suspendiran",
                "<h1>Hosting račun je suspendiran</h1><p>Molimo vlasnika stranice da se javi korisničkoj podršci.</p>",
                lang="hr",
            ),
            status=403,
        ),
    ),
    "a host's disk that was never paid for, in Finnish": (
        "hosts of Finland: Palvelu on suljettu, 503",
        html(
            alone(
                "Palvelu suljettu",
                "<h1>Tämä webhotelli on suljettu</h1><p>Sivuston omistaja: ota yhteyttä asiakaspalveluun avataksesi palvelun uudelleen.</p>",
                lang="fi",
            ),
            status=503,
        ),
    ),
}

# With a 200.
_SOFT: dict[str, tuple[str, Reply]] = {
    "a site that a host suspended, with words to its visitors": (
        "hand-made pages of hosts: The web hosting account associated with this website has been suspended., 200",
        html(
            alone(
                "Website suspended",
                "<h2>Your Website has been temporarily suspended!</h2><p>The web hosting account associated with this website has been <b>suspended.</b></p><p>If you are the owner of this website, please contact the administrator.</p>",
            )
        ),
    ),
    "a site that was suspended for unusual activities": (
        "hand-made pages of hosts: This website has been suspended due to unusual activities., 200",
        html(
            alone(
                "Website Suspended",
                "<div class='suspended-container'><h1>Website Suspended</h1><p>This website has been suspended due to unusual activities.</p><p>If you are the owner of this website, please contact our support team immediately.</p></div>",
            )
        ),
    ),
    "an agile company's site of pages that ended": (
        "can-i-take-over-xyz: Agile CRM, Sorry, this page is no longer available., 200",
        html(alone("Agile CRM", "<h1>Sorry, this page is no longer available.</h1>")),
    ),
    "a landing page of Landingi that lost its way": (
        "can-i-take-over-xyz: Landingi, It looks like you’re lost..., 200",
        html(
            alone(
                "Landingi",
                "<h1>It looks like you’re lost...</h1><p>The page you are looking for is not found.</p>",
            )
        ),
    ),
    "a personal page of Orange after the service closed, in French": (
        "Orange: fermeture des Pages Perso, September 2023",
        html(
            alone(
                "Pages Perso",
                "<h1>Le service Pages Perso est fermé</h1><p>Depuis le 5 septembre 2023, les sites hébergés par Pages Perso ne sont plus accessibles.</p>",
                lang="fr",
            )
        ),
    ),
    "a home page of Geocities in Japan after its end": (
        "Yahoo!ジオシティーズ: サービス終了, 31 March 2019",
        html(
            alone(
                "サービス終了のお知らせ",
                "<h1>Yahoo!ジオシティーズはサービスを終了しました</h1><p>2019年3月31日をもちましてサービスの提供を終了いたしました。ホームページは表示されません。</p>",
                lang="ja",
            )
        ),
    ),
    "a blog of Egloos after its end, in Korean": (
        "이글루스: 서비스 종료, 16 June 2023",
        html(
            alone(
                "이글루스 서비스 종료 안내",
                "<h1>이글루스 서비스가 종료되었습니다</h1><p>2023년 6월 16일부로 모든 블로그 서비스가 종료되었습니다.</p>",
                lang="ko",
            )
        ),
    ),
    "a blog of Xuite after its end, in Chinese of Taiwan": (
        "隨意窩 Xuite: 服務終止, 31 August 2023",
        html(
            alone(
                "隨意窩服務終止公告",
                "<h1>隨意窩 Xuite 日誌服務已終止</h1><p>感謝您多年來的支持，服務已於 2023 年 8 月 31 日終止。</p>",
                lang="zh-TW",
            )
        ),
    ),
    "a blog of blog.cz after its end, in Czech": (
        "Blog.cz: ukončení provozu, August 2020",
        html(
            alone(
                "Blog.cz skončil",
                "<h1>Blog.cz ukončil provoz</h1><p>Dne 17. srpna 2020 byl provoz služby ukončen. Blogy již nejsou dostupné.</p>",
                lang="cs",
            )
        ),
    ),
    "a page of Republika after its end, in Polish": (
        "Onet Republika: zakończenie działania serwisu",
        html(
            alone(
                "Republika WWW",
                "<h1>Serwis Republika WWW został zamknięty</h1><p>Strony użytkowników nie są już dostępne. Dziękujemy za wspólne lata.</p>",
                lang="pl",
            )
        ),
    ),
    "a weblog of web-log.nl after its end": (
        "web-log.nl: gestopt",
        html(
            alone(
                "Web-log.nl is gestopt",
                "<h1>Web-log.nl is gestopt</h1><p>Alle weblogs zijn offline gehaald. Het is niet meer mogelijk om je log te bekijken.</p>",
                lang="nl",
            )
        ),
    ),
    "a home page of Passagen after its end, in Swedish": (
        "Passagen: hemsidor stängda",
        html(
            alone(
                "Passagen",
                "<h1>Passagens hemsidor är stängda</h1><p>Tjänsten har lagts ned och sidorna finns inte längre kvar.</p>",
                lang="sv",
            )
        ),
    ),
    "a community of Libero after its end, in Italian": (
        "Libero: chiusura dei siti personali",
        html(
            alone(
                "Servizio chiuso",
                "<h1>Il servizio è stato chiuso</h1><p>I siti personali ospitati su questo spazio non sono più raggiungibili.</p>",
                lang="it",
            )
        ),
    ),
    "a site that its team closed with a farewell": (
        "sites that end: a farewell for whatever is asked, 200",
        html(
            alone(
                "Goodbye",
                "<h1>We have closed.</h1><p>After eleven years, this service was shut down on 31 May 2024 and all data were deleted. Thank you for sailing with us.</p>",
            )
        ),
    ),
}

# What is no fault of the page and may pass.
_DOWN: dict[str, tuple[str, Reply]] = {
    "Drupal meets an unexpected error": (
        "Drupal: The website encountered an unexpected error. Try again later., 500",
        plain("The website encountered an unexpected error. Try again later.", status=500),
    ),
    "a shop of Magento is offline for just a bit": (
        "Magento 2: 503, Service Temporarily Unavailable",
        html(
            alone(
                "503: Service Unavailable",
                "<h1>Service Temporarily Unavailable</h1><p>We're offline...</p><p>...but only for just a bit. We're working to make the site better for you!</p>",
            ),
            status=503,
        ),
    ),
    "WordPress is being updated in German": (
        "WordPress: wartungsmodus, 503 with Retry-After",
        html(
            alone(
                "Wartung",
                "<h1>Wegen Wartungsarbeiten ist diese Website kurzzeitig nicht verfügbar.</h1><p>Schau in einer Minute nochmal vorbei.</p>",
                lang="de",
            ),
            "Retry-After: 600",
            status=503,
        ),
    ),
    "a mesh has no healthy upstream": (
        "Envoy: no healthy upstream, 503",
        plain("no healthy upstream", "Server: envoy", status=503),
    ),
    "a limit of a shared host is reached": (
        "CloudLinux: 508 Resource Limit Is Reached",
        html(
            alone(
                "508 Resource Limit Is Reached",
                "<h1>Resource Limit Is Reached</h1><p>The website is temporarily unable to service your request as it exceeded resource limit. Please try again later.</p>",
            ),
            status=508,
        ),
    ),
}


def _otherwise() -> Iterator[Case]:
    """Yield sites that are closed by a redirect, or by their name."""
    yield of_truth(
        Truth.CLOSED,
        "a free host of Germany leads from a deleted site to its shop of names",
        "free hosts of Germany: 302 to the host's own front page for what was deleted",
        only(redirect("http://www.gratis-hafen-host.example:PORT/?geloescht=1")),
        others={
            "www.gratis-hafen-host.example": only(
                html(
                    office(
                        "Kostenloser Webspace",
                        "<h1>Kostenloser Webspace</h1><p>Jetzt anmelden.</p>",
                        lang="de",
                        name="Gratis-Host",
                    )
                )
            )
        },
        flags=_FLAGS,
        outcomes=_EITHER,
    )
    yield of_truth(
        Truth.CLOSED,
        "a panel leads every address to its word on suspension",
        "Plesk and others: 302 to /suspended.html, 200",
        {
            "/suspended.html": html(
                alone(
                    "Account suspended",
                    "<h1>This account has been suspended</h1><p>Contact your hosting provider for more information.</p>",
                )
            ),
            ELSE: redirect("/suspended.html"),
        },
        flags=_FLAGS,
        outcomes=_EITHER,
    )
    yield of_truth(
        Truth.CLOSED,
        "a forge that was shut has no name any more",
        "rubyforge.org, berlios.de, gna.org: the names of closed forges do not resolve",
        only(LOST),
        host="float.forge-that-was-shut.example",
        names={"float.forge-that-was-shut.example": _NOWHERE},
    )
    yield of_truth(
        Truth.CLOSED,
        "a service of the cloud gave back its name",
        "AWS Elastic Beanstalk: NXDOMAIN for environments that were terminated",
        only(LOST),
        host="gauge-env.of-a-cloud.example",
        names={"gauge-env.of-a-cloud.example": _NOWHERE},
    )


CASES: list[Case] = [
    *(of_truth(Truth.CLOSED, name, source, only(reply)) for name, (source, reply) in _HARD.items()),
    *(
        of_truth(Truth.CLOSED, name, source, only(reply), flags=_FLAGS, outcomes=_EITHER)
        for name, (source, reply) in _SOFT.items()
    ),
    *_otherwise(),
    *(of_truth(Truth.DOWN, name, source, only(reply)) for name, (source, reply) in _DOWN.items()),
]
