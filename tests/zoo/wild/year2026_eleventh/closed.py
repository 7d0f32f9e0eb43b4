"""Closed sites: parked, suspended, deleted, ended, taken over, seized or without a DNS name."""

# ruff: noqa: E501, RUF001
import socket
from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    FAILURE,
    SUCCESS,
    Answer,
    Case,
    Reply,
    Site,
    Truth,
    html,
    of_truth,
    only,
    plain,
    redirect,
)
from tests.zoo.wild.year2026_eleventh.frames import (
    LOST,
    ROBOTS,
    app,
    bare,
    blog,
    home,
    office,
    prose,
    shop,
)

_FLAGS = frozenset({"parked", "error_page", "home_page", "same_for_all", "changed_owner"})
_EITHER = frozenset({FAILURE, SUCCESS})
_NOWHERE = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
_PATH = "/guide/winding-1862.html"

# With a status that says so: where it is known from, the answer to everything.
_HARD: dict[str, tuple[str, Reply]] = {
    "a start page of a viewer for pictures on a host that ended its hosting": (
        "ProjectMirador/mirador issue 4224: Well, you found a glitch. Glitch project hosting is no longer available",
        html(
            bare(
                "Well, you found a glitch.",
                "<h1>Well, you found a glitch.</h1><p>Glitch project hosting is no longer available. Find more information on the Glitch blog.</p>",
            ),
            status=404,
        ),
    ),
    "a site on Surge that was torn down": (
        "can-i-take-over-xyz: Surge.sh, project not found, 404",
        html(bare("project not found", "<h1>project not found</h1>"), status=404),
    ),
    "a service on Render that was deleted": (
        "Render: 404 Not Found with x-render-routing: no-server",
        plain("Not Found\n", "x-render-routing: no-server", "Server: cloudflare", status=404),
    ),
    "an app on Railway that was removed": (
        "Railway: Application not found, The train has not arrived at the station, 404",
        html(
            bare(
                "Not Found",
                "<h1>Not Found</h1><p>The train has not arrived at the station.</p><p>Please check your network settings to confirm that your domain has provisioned. If you are a visitor, please let the owner know you're stuck at the station.</p>",
            ),
            "X-Railway-Fallback: true",
            status=404,
        ),
    ),
    "an app on Replit that is not live": (
        "Replit: This app isn't live yet, Run this app to see the results here, 404",
        html(
            app(
                "Run this app to see the results here.",
                "<h1>Run this app to see the results here.</h1><a>Go to Replit</a>",
            ),
            status=404,
        ),
    ),
    "a site of a free host that is no more": (
        "ton31337/pages: no-such-website.php, No such website | 000webhost",
        html(
            bare(
                "No such website | 000webhost",
                "<div class='message'><p class='message_title'>No such website</p><p>The website you are looking for does not exist, or it was removed by its owner.</p></div>",
            ),
            status=404,
        ),
    ),
    "a publication on Ghost's own host whose site is gone": (
        "can-i-take-over-xyz: Ghost, Site unavailable, Failed to resolve DNS path for this host",
        html(
            bare(
                "Site unavailable",
                "<h1>Site unavailable</h1><p>Failed to resolve DNS path for this host</p>",
            ),
            status=404,
        ),
    ),
    "a site on Pantheon that is unknown": (
        "can-i-take-over-xyz: Pantheon, 404 error unknown site!",
        html(
            bare(
                "404 - Unknown site",
                "<h1>404 error unknown site!</h1><p>The gods are wise, but do not know of the site which you seek.</p>",
            ),
            status=404,
        ),
    ),
    "a card of one page that was never published again": (
        "Carrd: Sorry, this site does not exist, 404",
        html(
            bare(
                "Not Found", "<p>Sorry, that site doesn't exist (or hasn't been published yet).</p>"
            ),
            status=404,
        ),
    ),
    "a page in German of a builder that was deleted": (
        "Jimdo: Diese Website existiert nicht mehr, 404",
        html(
            bare(
                "Website nicht gefunden",
                "<h1>Diese Website existiert leider nicht (mehr)</h1><p>Du möchtest deine eigene Website erstellen?</p>",
                lang="de",
            ),
            status=404,
        ),
    ),
    "a book on GitBook whose name leads nowhere": (
        "can-i-take-over-xyz: GitBook, If you need specifics, here's the error",
        html(
            bare(
                "Domain not found - GitBook",
                "<h1>Domain not found</h1><p>We could not find the content that you are looking for. If you need specifics, here's the error: domain is not linked to a site.</p>",
            ),
            status=404,
        ),
    ),
    "a site in Russian on a builder whose plan ran out": (
        "Tilda: Сайт отключён, закончилась подписка, 404",
        html(
            bare(
                "Сайт отключен",
                "<h1>Сайт отключен</h1><p>Владелец не продлил подписку. Если вы владелец сайта, войдите в личный кабинет и оплатите тариф.</p>",
                lang="ru",
            ),
            status=404,
        ),
    ),
    "a newsletter of a service that ended answers gone": (
        "TinyLetter, closed on 29 February 2024: letters are no longer there",
        html(
            bare(
                "TinyLetter has closed",
                "<h1>TinyLetter has closed</h1><p>TinyLetter was retired on February 29, 2024. Letters and archives were deleted.</p>",
            ),
            status=410,
        ),
    ),
    "an account of a host in Turkish is suspended with a 403": (
        "Türk barındırma firmaları: Bu hesap askıya alınmıştır, 403",
        html(
            bare(
                "Hesap Askıya Alındı",
                "<h1>Bu hesap askıya alınmıştır</h1><p>Site sahibiyseniz barındırma firmanızla iletişime geçiniz.</p>",
                lang="tr",
            ),
            status=403,
        ),
    ),
}

# With a 200: where it is known from, the answer to everything.
_SOFT: dict[str, tuple[str, Reply]] = {
    "a name registered at a Spanish registrar": (
        "silverfoxy/JSCryptoMinerStudy: a page of DonDominio, Este dominio ha sido registrado por medio del agente registrador",
        html(
            bare(
                "$HOST | Registrado en DonDominio",
                "<h1>$HOST</h1><p>Este dominio ha sido registrado por medio del agente registrador DonDominio.com</p><p>¿Es tuyo? Crea tu web, correo y alojamiento.</p>",
                lang="es",
                more='<meta name="keywords" content="parking, dominio, dominios, hosting, almacenamiento, servidores">\n',
            )
        ),
    ),
    "a name registered at a registrar of Düsseldorf": (
        "silverfoxy/JSCryptoMinerStudy: a page of Joker.com, The Domain … has been registered",
        html(
            bare(
                "$HOST -- Domain Name Registration at Joker.com, Easy to use Control Panel and Reseller API Interface",
                "<h1>Welcome to JOKER.COM</h1><p class='lead'>The Domain <strong>$HOST</strong> has been registered with Joker.com and is not connected to a website yet.</p>",
            )
        ),
    ),
    "a name parked by a provider's own software": (
        "atomia/puppet-atomia: index.php, This domain is parked at Atomia",
        html(
            bare(
                "Parked at Atomia",
                "<h4>This domain is parked at Atomia</h4><p>Atomia has the tools to automate your hosting, datacenter, network, domain and DNS configuration.</p>",
            )
        ),
    ),
    "an account suspended by a provider's own software": (
        "atomia/puppet-atomia: suspend.php, Account suspended",
        html(
            bare(
                "Account suspended",
                "<h4>Account suspended</h4><p>This account has been suspended and all associated services such as websites and e-mail accounts has been temporarily closed. If you are the owner of the account, you can re-activate your account by contacting customer service.</p>",
            )
        ),
    ),
    "a site in English whose hosting is suspended, with thanks to visitors": (
        "alopezdevel/solotrucking: suspended_page.php, Your Website has been temporarily suspended!",
        html(
            bare(
                "Commercial Truck Insurance",
                "<h2>Your Website has been temporarily suspended!</h2><p>The web hosting account associated with this website has been <b>suspended.</b></p><p>If you are the owner of this website, please contact to the administrator.</p><p>If you are a visitor, please come back soon, Thanks!.</p>",
            )
        ),
    ),
    "a name of a platform for apps shows the advertisements of its registrar in French": (
        "debarshibasak/awesome-paas pull request 32: instead of the site we see a registrar's standard page of advertisements",
        html(
            bare(
                "$HOST - nom de domaine enregistré",
                "<h1>Ce nom de domaine est enregistré chez nous</h1><p>$HOST n'a pas encore de site.</p><p>Annonces : Hébergement web à 2 € par mois. Créez votre site. Certificats SSL.</p>",
                lang="fr",
            )
        ),
    ),
    "a name whose owner did not confirm an address": (
        "registrars under ICANN's rules: This domain has been suspended because its contact data was not verified",
        html(
            bare(
                "Domain suspended: contact verification",
                "<h1>This domain name has been suspended</h1><p>The registrant's email address was not verified, as ICANN requires. If you are the owner, look for the message of your registrar and follow the link.</p>",
            )
        ),
    ),
    "a parked name whose page is a script": (
        "Bodis, ParkingCrew: window.park and an empty target, 200",
        html(
            '<!doctype html><html data-adblockkey="MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBANDrp2lz7AOmADaN8tA50LsWcjLFyQFcb/P2Txc58oYOeILb3vBw7J6f4pamkAQVSQuqYsKx3YzdUHCvbVZvFUsCAwEAAQ==" lang="en" style="background: #2B2B2B;"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="preconnect" href="https://www.google.example" crossorigin></head><body><div id="target" style="opacity: 0"></div><script>window.park = "eyJ1dWlkIjoiMTg2MiIsInBhZ2VfdGltZSI6MTc2NH0=";</script><script src="/bJ1862.js"></script></body></html>'
        ),
    ),
    "a name parked with a host of Lithuania": (
        "Hostinger: Parked Domain name on Hostinger DNS system, 200",
        html(
            bare(
                "Parked Domain name on Hostinger DNS system",
                "<h1>Happy to see your domain with Hostinger!</h1><p>Your domain $HOST is pointed to our DNS. Add a website to your hosting plan.</p>",
            )
        ),
    ),
    "a name in German at a host of Berlin": (
        "STRATO: Hier entsteht eine neue Internetpräsenz, 200",
        html(
            bare(
                "STRATO - Domain reserviert",
                "<h1>Diese Domain wurde bei STRATO registriert</h1><p>$HOST – hier entsteht eine neue Internetpräsenz.</p>",
                lang="de",
            )
        ),
    ),
    "a name in Swedish at a host of Västerås": (
        "Loopia: Domänen är parkerad, 200",
        html(
            bare(
                "Parkerad hos Loopia",
                "<h1>$HOST är parkerad hos Loopia</h1><p>Är du innehavare av domänen? Logga in i kundzonen och starta din sida.</p>",
                lang="sv",
            )
        ),
    ),
    "a name in Chinese that has expired at its registrar": (
        "西部数码、阿里云: 该域名已过期, 200",
        html(
            bare(
                "域名已过期",
                "<h1>您访问的域名 $HOST 已过期</h1><p>如果您是域名所有者，请尽快登录会员中心续费。</p>",
                lang="zh",
            )
        ),
    ),
    "a service of weblogs in Japanese has ended": (
        "gooブログ: 2025年11月18日をもちましてサービスを終了いたしました",
        html(
            office(
                "サービス終了のお知らせ",
                "<h1>ブログサービス終了のお知らせ</h1><p>2025年11月18日をもちましてサービスを終了いたしました。長らくのご利用、誠にありがとうございました。</p>",
                lang="ja",
                name="ブログ",
            )
        ),
    ),
    "a service of weblogs for the young in French has closed": (
        "Skyblog, 2023: Les blogs ont fermé leurs portes",
        html(
            office(
                "Les blogs, c'est fini",
                "<h1>Les blogs ont fermé leurs portes</h1><p>Après vingt ans, nous avons fermé le service. Les contenus ont été confiés aux archives nationales. Merci à toutes et à tous.</p>",
                lang="fr",
                name="Blogs",
            )
        ),
    ),
    "a service for private mail was bought and closed": (
        "Skiff, August 2024: the service has been shut down",
        html(
            app(
                "The service has shut down",
                "<h1>We have shut down</h1><p>After joining another company, we ended our products on August 9, 2024. Accounts and data have been deleted. Thank you for being with us.</p>",
            )
        ),
    ),
    "a tool that rated reviews has closed": (
        "Fakespot, July 2025: Fakespot has shut down",
        html(
            app(
                "Thank you for your trust",
                "<h1>Thank you for nine years</h1><p>The service shut down on July 1, 2025. The extensions, the apps and this website no longer work.</p>",
            )
        ),
    ),
    "a shop in German has ended its trade": (
        "Onlineshops: Wir haben unseren Onlineshop geschlossen",
        html(
            shop(
                "Wir sagen Danke",
                "<h1>Unser Onlineshop ist geschlossen</h1><p>Wir haben unseren Geschäftsbetrieb zum 31.12.2024 eingestellt. Bestellungen sind nicht mehr möglich. Danke für 23 Jahre!</p>",
                lang="de",
            )
        ),
    ),
    "a market for stolen keys was seized in Dutch": (
        "Operation Endgame, politie.nl: Deze website is in beslag genomen",
        html(
            bare(
                "THIS WEBSITE HAS BEEN SEIZED",
                "<h1>Deze website is in beslag genomen</h1><p>This domain has been seized by the Dutch police and the public prosecutor as part of a coordinated law enforcement action.</p>",
                lang="nl",
            )
        ),
    ),
}


# Names under which another owner has another trade: the source, the answer to everything.
_TAKEN: dict[str, tuple[str, Reply]] = {
    "a name of a book's publisher in Ukrainian is a casino's now": (
        "hagezi/dns-blocklists issue 9747: Expired domain abuse, a publisher's name bought by gambling affiliates",
        html(
            blog(
                "Казино онлайн 2026 — бонус 186% за реєстрацію",
                "<h1>Найкращі онлайн казино України</h1><p>Грайте в ігрові автомати на гроші, отримуйте фріспіни та бонуси без депозиту.</p><table><tr><td>Казино 1</td><td>бонус 10 000 ₴</td></tr><tr><td>Казино 2</td><td>200 FS</td></tr></table>",
                lang="uk",
                name="Казино",
            )
        ),
    ),
    "a name of a guide for a framework is a place for bets on sports": (
        "djangoadvent/djangoadvent-articles issue 3: it has become a sports bet site",
        html(
            blog(
                "体育投注平台 - 官方网站",
                "<h1>体育投注官方网站</h1><p>足球投注、真人娱乐、电子游艺，注册即送彩金。</p><ul><li>英超</li><li>NBA</li></ul>",
                lang="zh",
                name="体育投注",
            )
        ),
    ),
    "a name of a language's tool is a page for slots in Thai": (
        "names that lapsed: สล็อตเว็บตรง, on every path",
        html(
            blog(
                "สล็อตเว็บตรง แตกง่าย ไม่มีขั้นต่ำ 2026",
                "<h1>สล็อตเว็บตรง</h1><p>สมัครรับเครดิตฟรี 186 บาท ฝากถอนออโต้ บาคาร่า แทงบอล</p>",
                lang="th",
                name="สล็อตเว็บตรง",
            )
        ),
    ),
}


def _was(lang: str = "en") -> Site:
    """Return what a site was before its name changed hands."""
    page = html(blog("1862", f"<article><h1>1862</h1>{prose(lang, 2)}</article>", lang=lang))
    return {"/": home(lang), "/robots.txt": ROBOTS, _PATH: page, ELSE: LOST}


def _leading() -> Iterator[Case]:
    """Yield sites whose every address leads to one page of another host."""
    hosts: dict[str, tuple[str, str, str, str, Reply, int]] = {
        "a name leads to its page at a dealer in names": (
            "HugeDomains: every address leads to domain_profile.cfm?d=",
            "lampwick-tools-elf.example",
            "huge-names-elf.example",
            "/domain_profile.cfm?d=lampwick-tools",
            html(
                shop(
                    "lampwick-tools is for sale | HugeNames",
                    "<h1>lampwick-tools.example is for sale</h1><p>Buy now: $4,295 or 36 payments of $119.31/mo</p><button>Buy now</button><p>30-day money back guarantee. Quick delivery of the domain.</p>",
                    name="HugeNames",
                )
            ),
            302,
        ),
        "a tool for lists of hosts leads to a casino": (
            "collinbarrett/FilterLists pull request 4985: the domain lapsed and now leads to a suspicious gambling site",
            "manager-of-hosts-elf.example",
            "lucky-wheel-elf.example",
            "/en/?aff=1862",
            html(
                blog(
                    "Lucky Wheel Casino - 200 free spins",
                    "<h1>Welcome bonus 1862%</h1><p>Slots, live roulette and blackjack. Play responsibly, 18+.</p><button>Join now</button>",
                    name="Lucky Wheel",
                )
            ),
            301,
        ),
        "an agency for aid was abolished and leads to a ministry": (
            "USAID, July 2025: its addresses lead to the State Department",
            "agency-for-aid-elf.example",
            "ministry-of-state-elf.example",
            "/foreign-assistance",
            html(
                office(
                    "Foreign Assistance",
                    f"<h1>Foreign Assistance</h1><p>As of July 1, 2025, programs are administered by this department.</p>{prose()}",
                    name="Ministry",
                )
            ),
            301,
        ),
        "a package host that ended leads to its maker's word on the end": (
            "Bintray: sunset on 1 May 2021, its addresses lead to a post",
            "bin-of-packages-elf.example",
            "maker-of-packages-elf.example",
            "/blog/into-the-sunset",
            html(
                blog(
                    "Into the Sunset",
                    "<h1>Into the sunset: our package hosting has ended</h1><p>All downloads were switched off on May 1st. Move your packages elsewhere.</p>",
                    name="Maker",
                )
            ),
            302,
        ),
    }
    for name, (source, host, there, to, reply, status) in hosts.items():
        elsewhere: dict[str, Answer] = {"/": home(), "/robots.txt": ROBOTS, to: reply, ELSE: LOST}
        yield of_truth(
            Truth.CLOSED,
            name,
            source,
            only(redirect(f"http://{there}:PORT{to}", status=status)),
            host=host,
            path=_PATH,
            others={there: elsewhere},
            earlier=_was() if "casino" in name else None,
            flags=_FLAGS,
            outcomes=_EITHER,
        )


def _otherwise() -> Iterator[Case]:
    farewell = html(
        blog(
            "The final level: farewell from the magazine",
            "<h1>The final level: farewell</h1><p>After 33 years, we have printed our last issue, and the website is closed. Thank you for playing with us.</p>",
        )
    )
    yield of_truth(
        Truth.CLOSED,
        "a magazine of games leads every address to its farewell",
        "Game Informer, August 2024: every address of the site led to the farewell on its home page",
        {"/": farewell, ELSE: redirect("/")},
        path="/review/keepers-of-the-north/a-dark-tower",
        flags=_FLAGS,
        outcomes=_EITHER,
    )
    sorry = html(
        "<!DOCTYPE html><html><head><title>Default Web Site Page</title></head><body><h1>SORRY!</h1><p>If you are the owner of this website, please contact your hosting provider: webmaster@$HOST</p><p>It is possible you have reached this page because: The IP address has changed. There has been a server misconfiguration. The site may have moved to a different server.</p></body></html>"
    )
    yield of_truth(
        Truth.CLOSED,
        "a panel's default page stands for an account that was removed",
        "cPanel: every address leads to /cgi-sys/defaultwebpage.cgi, SORRY!",
        {"/cgi-sys/defaultwebpage.cgi": sorry, ELSE: redirect("/cgi-sys/defaultwebpage.cgi")},
        path=_PATH,
        flags=_FLAGS,
        outcomes=_EITHER,
    )
    for name, source, host in (
        (
            "a company's documentation has no name any more",
            "curl/curl-www, awesome lists: documentation hosts that answer NXDOMAIN",
            "docs.wicks-and-oil-elf.example",
        ),
        (
            "a lapsed name of a library has no address",
            "foyer-rs/foyer issue 1120: the foyer.rs domain has expired",
            "lapsed-library-elf.example",
        ),
        (
            "a game on railways let its name lapse out of the DNS",
            "tobymao/rolling_stock issue 158: the registration of the game's name expired in 2023",
            "stock-of-lamps-elf.example",
        ),
    ):
        yield of_truth(
            Truth.CLOSED,
            name,
            source,
            only(LOST),
            host=host,
            names={host: _NOWHERE},
            path=_PATH,
        )


CASES: list[Case] = [
    *(
        of_truth(Truth.CLOSED, name, source, only(reply), path=_PATH)
        for name, (source, reply) in _HARD.items()
    ),
    *(
        of_truth(
            Truth.CLOSED, name, source, only(reply), path=_PATH, flags=_FLAGS, outcomes=_EITHER
        )
        for name, (source, reply) in _SOFT.items()
    ),
    *(
        of_truth(
            Truth.CLOSED,
            name,
            source,
            only(reply),
            path=_PATH,
            earlier=_was("uk" if "Ukrainian" in name else "en"),
            flags=_FLAGS,
            outcomes=_EITHER,
        )
        for name, (source, reply) in _TAKEN.items()
    ),
    *_leading(),
    *_otherwise(),
]
