"""Closed sites: parked, suspended, deleted, ended, sold, seized or without a DNS name."""

# ruff: noqa: E501, RUF001
import socket
from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    FAILURE,
    SUCCESS,
    Case,
    Reply,
    Site,
    Truth,
    html,
    of_truth,
    only,
    redirect,
)
from tests.zoo.wild.year2026_tenth.frames import (
    LOST,
    ROBOTS,
    alone,
    app,
    home,
    news,
    office,
    prose,
    store,
)

_FLAGS = frozenset({"parked", "error_page", "home_page", "same_for_all", "changed_owner"})
_EITHER = frozenset({FAILURE, SUCCESS})
_NOWHERE = socket.gaierror(socket.EAI_NONAME, "Name or service not known")

# With a status that says so: where it is known from, the answer to everything.
_HARD: dict[str, tuple[str, Reply]] = {
    "a host on Firebase that was never deployed again": (
        "Firebase Hosting: Site Not Found, Why am I seeing this?, 404",
        html(
            alone(
                "Site Not Found",
                "<h1>Site Not Found</h1><p>Why am I seeing this?</p><p>There are a few potential reasons:</p><ol><li>You haven't deployed an app yet.</li><li>You may have deployed an empty directory.</li><li>This is a custom domain, but we haven't finished setting it up yet.</li></ol>",
            ),
            status=404,
        ),
    ),
    "a brand guide on Frontify whose account was cancelled": (
        "can-i-take-over-xyz: Frontify, 404 - Page Not Found, Oops… looks like you got lost, 404",
        html(
            app(
                "404 - Page Not Found",
                "<h1>404 - Page Not Found</h1><p>Oops… looks like you got lost</p>",
            ),
            status=404,
        ),
    ),
    "a tunnel of ngrok's that is offline": (
        "ngrok: The endpoint is offline. ERR_NGROK_3200, 404",
        html(
            alone(
                "ngrok",
                "<noscript>You need to enable JavaScript to run this app.</noscript><p>The endpoint $HOST is offline.</p><p>ERR_NGROK_3200</p>",
            ),
            "Ngrok-Error-Code: ERR_NGROK_3200",
            status=404,
        ),
    ),
    "a blog on Tumblr that was deleted": (
        "can-i-take-over-xyz: Tumblr, Whatever you were looking for doesn't currently exist at this address, 404",
        html(
            alone(
                "Not found.",
                "<h1>There's nothing here.</h1><p>Whatever you were looking for doesn't currently exist at this address. Unless you were looking for this error page, in which case: Congrats! You totally found it.</p>",
            ),
            status=404,
        ),
    ),
    "a page of Strikingly that was unpublished": (
        "can-i-take-over-xyz: Strikingly, PAGE NOT FOUND., 404",
        html(
            alone(
                "Page not found",
                "<h1>PAGE NOT FOUND.</h1><p>But if you're looking to build your own website, you've come to the right place.</p><a href='/'>Start now</a>",
            ),
            status=404,
        ),
    ),
    "a roadmap on Canny whose company left": (
        "can-i-take-over-xyz: Canny, Company Not Found, 404",
        html(
            app(
                "Company Not Found",
                "<h1>Company Not Found</h1><p>There is no such company. Did you enter the right URL?</p>",
            ),
            status=404,
        ),
    ),
    "a host of DreamHost's that is not set up": (
        "can-i-take-over-xyz: Dreamhost, Site Not Found, Well, this is awkward., 404",
        html(
            alone(
                "Site Not Found",
                "<h1>Site Not Found</h1><p>Well, this is awkward. The site you're looking for is not here.</p><p>Is this your site? Learn how to fix this in our knowledge base.</p>",
            ),
            status=404,
        ),
    ),
    "a deployment of Koyeb's without an active service": (
        "Koyeb: No active service, 404",
        html(
            alone(
                "404: No active service",
                "<h1>404</h1><h2>No active service</h2><p>There is no active service deployed on this domain.</p>",
            ),
            status=404,
        ),
    ),
    "a site on Neocities that does not exist any more": (
        "Neocities: Site Not Found, 404",
        html(
            alone(
                "Neocities - Site Not Found",
                "<h1>Site Not Found</h1><p>The site you are looking for does not exist, or was deleted by its owner.</p>",
            ),
            "Server: neocities",
            status=404,
        ),
    ),
    "a shop in German whose contract with its builder has ended": (
        "Baukästen: Dieser Shop ist geschlossen, 410",
        html(
            alone(
                "Shop geschlossen",
                "<h1>Dieser Shop ist dauerhaft geschlossen</h1><p>Der Vertrag für $HOST wurde beendet.</p>",
                lang="de",
            ),
            status=410,
        ),
    ),
    "a site of Squarespace whose subscription expired": (
        "Squarespace: Website Expired, 402",
        html(
            alone(
                "Squarespace - Website Expired",
                "<h1>Website Expired</h1><p>This account has expired. If you are the site owner, click below to login.</p><a href='/config'>Log in</a>",
            ),
            "Server: Squarespace",
            status=402,
        ),
    ),
    "hosting in Spanish was suspended with a 503": (
        "proveedores de hosting: cuenta suspendida por falta de pago, 503",
        html(
            alone(
                "Cuenta suspendida",
                "<h1>Esta cuenta de hosting ha sido suspendida</h1><p>El servicio de $HOST se encuentra suspendido por falta de pago. Contacte con el departamento de facturación.</p>",
                lang="es",
            ),
            status=503,
        ),
    ),
    "hosting in Italian was suspended": (
        "provider in Italia: Sito sospeso, servizio scaduto e non rinnovato, 403",
        html(
            alone(
                "Sito sospeso",
                "<h1>Sito sospeso</h1><p>Il servizio di hosting di $HOST è scaduto e non è stato rinnovato.</p>",
                lang="it",
            ),
            status=403,
        ),
    ),
    "hosting in Indonesian was suspended": (
        "penyedia hosting: Akun ini telah disuspend, 403",
        html(
            alone(
                "Account Suspended",
                "<h1>Akun hosting ini telah disuspend</h1><p>Silakan hubungi penyedia hosting Anda untuk mengaktifkan kembali $HOST.</p>",
                lang="id",
            ),
            status=403,
        ),
    ),
    "hosting in Persian was suspended": (
        "شرکت‌های میزبانی: این حساب مسدود شده است, 402",
        html(
            alone(
                "حساب مسدود است",
                "<h1>این سرویس میزبانی مسدود شده است</h1><p>مالک سایت برای تمدید سرویس با پشتیبانی تماس بگیرد.</p>",
                lang="fa",
            ),
            status=402,
        ),
    ),
    "a site in China is blocked for want of a filing": (
        "腾讯云, 阿里云: 该网站暂时无法访问, 未备案或接入信息不一致, 403",
        html(
            alone(
                "网站未备案",
                "<h1>该网站暂时无法访问</h1><p>该网站未根据工信部相关法规进行备案，接入服务已被停止。</p>",
                lang="zh",
            ),
            "Server: Beaver",
            status=403,
        ),
    ),
    "an instance of a short-text network was shut down": (
        "Mozilla.social: closed on 17 December 2024, every address is gone, 410",
        html(
            alone(
                "This server has shut down",
                "<h1>This server was shut down on December 17, 2024</h1><p>Accounts and posts are no longer available.</p>",
            ),
            status=410,
        ),
    ),
}

# With a 200: one page for every address.
_SOFT: dict[str, tuple[str, Reply]] = {
    "a name is parked at a registrar in Russia": (
        "REG.RU: Домен припаркован, Домен зарегистрирован, но к нему не привязан сайт",
        html(
            alone(
                "$HOST — домен припаркован",
                "<h1>$HOST</h1><p>Домен зарегистрирован и припаркован в REG.RU. Это ваш домен? Привяжите к нему хостинг.</p>",
                lang="ru",
            )
        ),
    ),
    "a name is registered with OVHcloud and has no site": (
        "OVHcloud: Félicitations ! Votre domaine a bien été créé chez OVHcloud !",
        html(
            alone(
                "Félicitations ! Votre domaine a bien été créé chez OVHcloud !",
                "<h1>Félicitations !</h1><p>Votre domaine a bien été créé chez OVHcloud. Aucun site n'est encore installé à cette adresse.</p>",
                lang="fr",
            )
        ),
    ),
    "a name was registered with a Japanese registrar": (
        "お名前.com: このドメインは、お名前.comで取得されています。",
        html(
            alone(
                "$HOST",
                "<p>このドメインは、お名前.comで取得されています。</p><p>お名前.com は GMOインターネットグループが運営する国内シェアNo.1のドメイン登録サービスです。</p>",
                lang="ja",
            )
        ),
    ),
    "a name with Porkbun has no site": (
        "Porkbun: A Brand New Domain!, Congratulations on owning it",
        html(
            alone(
                "A Brand New Domain!",
                "<h1>A Brand New Domain!</h1><p>$HOST has been registered at Porkbun but the owner has not put up a site yet. Please check again later.</p><a href='https://porkbun.example/'>Get your own</a>",
            )
        ),
    ),
    "a name in Germany is for sale at a market for names": (
        "Sedo: Die Domain steht zum Verkauf",
        html(
            alone(
                "$HOST steht zum Verkauf",
                "<h1>$HOST</h1><p>Diese Domain steht zum Verkauf! Der Inhaber bietet sie zum Festpreis von 1.904 EUR an.</p><a href='/buy'>Jetzt kaufen</a><div id='sponsored-listings'></div>",
                lang="de",
            )
        ),
    ),
    "a name in Vietnam has expired": (
        "nhà đăng ký tên miền: Tên miền này đã hết hạn",
        html(
            alone(
                "Tên miền hết hạn",
                "<h1>Tên miền $HOST đã hết hạn sử dụng</h1><p>Quý khách vui lòng gia hạn để tiếp tục sử dụng dịch vụ.</p>",
                lang="vi",
            )
        ),
    ),
    "a name in Poland waits in the panel of its registrar": (
        "home.pl, nazwa.pl: Domena jest utrzymywana na serwerach",
        html(
            alone(
                "Domena $HOST jest utrzymywana na serwerach nazwa.pl",
                "<h1>$HOST</h1><p>Domena jest utrzymywana na serwerach nazwa.pl. Sprawdź ofertę domen i hostingu.</p>",
                lang="pl",
            )
        ),
    ),
    "a name in Korea shows a page of its registrar": (
        "가비아, 카페24: 도메인이 만료되었습니다, 연장 안내",
        html(
            alone(
                "도메인 만료 안내",
                "<h1>$HOST 도메인의 사용 기간이 만료되었습니다</h1><p>도메인 소유자께서는 기간 연장 후 이용해 주시기 바랍니다.</p>",
                lang="ko",
            )
        ),
    ),
    "a name of a list of plugins shows links of a squatter": (
        "broccolijs/broccoli issue 298: the domain expired, a squatter's page",
        html(
            alone(
                "$HOST",
                "<h2>Related Searches</h2><ul><li><a href='/?k=vegetables'>Fresh Vegetables</a></li><li><a href='/?k=build+tools'>Build Tools</a></li><li><a href='/?k=recipes'>Recipes</a></li></ul><p>This webpage was generated by the domain owner. Privacy Policy</p>",
            )
        ),
    ),
    "a hosting account in English is temporarily suspended": (
        "alopezdevel/solotrucking: suspended_page.php, Your Website has been temporarily suspended!, 200",
        html(
            alone(
                "Suspended",
                "<h2>Your Website has been temporarily suspended!</h2><p>The web hosting account associated with this website has been <b>suspended.</b></p><p>If you are the owner of this website, please contact the administrator.</p>",
            )
        ),
    ),
    "a host in France says that the site is deactivated": (
        "OVH, o2switch: Ce site a été désactivé, 200",
        html(
            alone(
                "Site désactivé",
                "<h1>Ce site web est désactivé</h1><p>L'hébergement associé à $HOST a été suspendu. Si vous en êtes le propriétaire, contactez le support.</p>",
                lang="fr",
            )
        ),
    ),
    "a host in Brazil says that the account is suspended": (
        "Locaweb, HostGator: Conta suspensa, 200",
        html(
            alone(
                "Conta suspensa",
                "<h1>Esta conta foi suspensa</h1><p>Entre em contato com o suporte da sua hospedagem o mais breve possível.</p>",
                lang="pt",
            )
        ),
    ),
    "a builder of sites in Japanese has ended its service": (
        "FC2WEB: サービス終了, 2025年6月30日",
        html(
            alone(
                "サービス終了のお知らせ",
                "<h1>FC2WEBは2025年6月30日をもってサービスを終了しました</h1><p>作成されたホームページは閲覧できません。</p>",
                lang="ja",
            )
        ),
    ),
    "a platform for weblogs closed after two decades": (
        "Typepad: shut down on 30 September 2025",
        html(
            alone(
                "Typepad has shut down",
                "<h1>Typepad was shut down on September 30, 2025</h1><p>All blogs and accounts have been permanently removed.</p>",
            )
        ),
    ),
    "a service for anonymous questions closed": (
        "awesome-selfhosted/awesome-selfhosted-data pull request 1622: Retrospring has been permanently shut down",
        html(
            alone(
                "Goodbye",
                "<h1>Retrospring has been permanently shut down</h1><p>As of September 1st, 2025, the site and all of its functionality are no longer accessible.</p>",
            )
        ),
    ),
    "a messenger said farewell": (
        "ICQ: ICQ прекращает работу 26 июня 2024",
        html(
            alone(
                "ICQ прекратил работу",
                "<h1>ICQ прекратил работу 26 июня 2024 года</h1><p>Спасибо, что были с нами.</p>",
                lang="ru",
            )
        ),
    ),
    "a flower shop in Danish went out of business": (
        "webshops: Vi er lukket, butikken er ophørt, 200",
        html(
            alone(
                "Butikken er lukket",
                "<h1>Butikken er ophørt</h1><p>Vi lukkede for altid den 31. januar 2025. Tak til alle vores kunder.</p>",
                lang="da",
            )
        ),
    ),
    "a maker of bicycles in Czech is insolvent": (
        "e-shopy: společnost je v insolvenci, e-shop byl ukončen, 200",
        html(
            alone(
                "E-shop byl ukončen",
                "<h1>Provoz e-shopu byl ukončen</h1><p>Na společnost byl prohlášen konkurz. Své pohledávky přihlaste u insolvenčního správce.</p>",
                lang="cs",
            )
        ),
    ),
    "a video site was taken down by a court in Spanish": (
        "bloqueos judiciales: este sitio ha sido intervenido, 200",
        html(
            alone(
                "Sitio intervenido",
                "<img src='/escudo.png' alt=''><h1>Este dominio ha sido intervenido por orden judicial</h1><p>Los contenidos ya no están accesibles.</p>",
                lang="es",
            )
        ),
    ),
}


def _was(path: str, title: str, lang: str = "en") -> Site:
    """Return what the site was before its name changed hands or its owner closed it."""
    page = html(news(title, f"<h1>{title}</h1>{prose(lang, 2)}", lang=lang))
    return {"/": home(lang), "/robots.txt": ROBOTS, path: page, ELSE: LOST}


def _soft(name: str, source: str, site: Site, path: str, **more: object) -> Case:
    return of_truth(
        Truth.CLOSED, name, source, site, path=path, flags=_FLAGS, outcomes=_EITHER, **more
    )


def _taken() -> Iterator[Case]:
    """Yield hosts whose name another owner uses for another trade."""
    yield _soft(
        "a page of a conference's contest is a casino now",
        "gojp/goreportcard issue 449: the domain expired and seems to redirect to an online casino",
        only(redirect("http://lucky-wheel-ten.example:PORT/?ref=1904")),
        "/gala/2015/projects",
        others={
            "lucky-wheel-ten.example": only(
                html(
                    store(
                        "Lucky Wheel Casino",
                        "<h1>Welcome bonus up to 500 €</h1><p>Slots, roulette and live dealers. 18+</p><a href='/register'>Register</a>",
                        name="Lucky Wheel",
                    )
                )
            )
        },
    )
    yield _soft(
        "a page for donations to a registry is about betting now",
        "nodejs/nodejs.org issue 8553: appears to be hosting casino / gambling SEO content",
        only(
            html(
                news(
                    "Beste Online Casinos ohne Limit 2026",
                    "<h1>Beste Online Casinos ohne Limit</h1><table><tr><td>Casino 1</td><td>Bonus 1000 €</td></tr></table><p>Wir vergleichen Anbieter ohne Sperrdatei.</p>",
                    lang="de",
                    name="Casinotest",
                )
            )
        ),
        "/donate",
        earlier=_was("/donate", "Scale the registry"),
    )
    yield _soft(
        "a handbook of a tool for typed scripts sells a slot game now",
        "garronej/denoify issue 134: the documentation link goes to a page for Slot Gacor",
        only(
            html(
                store(
                    "SLOT88: Situs Slot Gacor",
                    "<h1>SLOT88</h1><p>Link alternatif resmi, RTP tertinggi hari ini.</p><a href='/daftar'>Daftar</a>",
                    lang="id",
                    name="SLOT88",
                )
            )
        ),
        "/handbook/setup",
        earlier=_was("/handbook/setup", "Set up a module"),
    )
    yield _soft(
        "a coalition's site leads to a brewery's name with games of chance",
        "corona-warn-app/cwa-documentation issue 944: a 301 to another name with gambling content",
        only(redirect("http://long-brewery-ten.example:PORT/", status=301)),
        "/protocol/overview",
        earlier=_was("/protocol/overview", "The protocol"),
        others={
            "long-brewery-ten.example": only(
                html(
                    news(
                        "Nettikasinot 2026",
                        "<h1>Parhaat nettikasinot</h1><p>Vertaile bonukset ja ilmaiskierrokset.</p>",
                        lang="fi",
                        name="Nettikasinot",
                    )
                )
            )
        },
    )
    yield _soft(
        "a charity's old name carries its own pages with advertising for bets",
        "joomla/joomla-websites issue 2121: a former domain with gambling content, owned by a stranger",
        only(
            html(
                office(
                    "Health and care news",
                    "<h1>Health and care news</h1><h2>How to choose a betting site without verification</h2><h2>Ten non-GamStop casinos</h2><p>Sponsored posts welcome.</p>",
                    name="Care News",
                )
            )
        ),
        "/projects/prevention",
        earlier=_was("/projects/prevention", "Prevention"),
    )


def _otherwise() -> Iterator[Case]:
    """Yield closed sites that say it by a redirect, on a second visit, or by no DNS name."""
    yield _soft(
        "a name of a zine leads to a market that sells it",
        "XXIIVV/webring issue 936: redirects to godaddy.com/forsale/",
        only(
            redirect(
                "http://forsale-market-ten.example:PORT/forsale/zine-of-lines.example?utm_source=TDFS"
            )
        ),
        "/issues/07.html",
        others={
            "forsale-market-ten.example": {
                "/": home("en", "Names market"),
                ELSE: html(
                    store(
                        "zine-of-lines.example is for sale",
                        "<h1>zine-of-lines.example</h1><p>This domain is for sale. Buy now for $1,904 or make an offer.</p>",
                        name="Names market",
                    )
                ),
            }
        },
    )
    yield _soft(
        "a free host leads every address of a suspended site to one page",
        "InfinityFree and others: 302 to a page for suspended domains, 200",
        only(redirect("http://suspended-domain-ten.example:PORT/?d=tram", status=302)),
        "/guestbook.php",
        others={
            "suspended-domain-ten.example": only(
                html(
                    alone(
                        "Domain suspended",
                        "<h1>This website has been suspended</h1><p>The owner of this website can find the reason in the client area.</p>",
                    )
                )
            )
        },
    )
    yield _soft(
        "a network of clubs in Dutch says farewell at every address",
        "verenigingssites: de vereniging is opgeheven, 200 op elk adres",
        only(
            html(
                alone(
                    "Vereniging opgeheven",
                    "<h1>De vereniging is per 1 januari 2026 opgeheven</h1><p>Deze website is gesloten. Bedankt voor alle mooie jaren.</p>",
                    lang="nl",
                )
            )
        ),
        "/excursies/2017",
        earlier=_was("/excursies/2017", "Excursie naar de remise", "nl"),
    )
    yield _soft(
        "a small press in Hungarian says farewell at every address",
        "honlapok, amelyek megszűntek: egy mondat minden címen, 200",
        only(
            html(
                alone(
                    "Megszűntünk",
                    "<p>Kiadónk 2025. december 31-én megszűnt, a honlap a továbbiakban nem üzemel. Köszönjük olvasóink figyelmét.</p>",
                    lang="hu",
                )
            )
        ),
        "/konyvek/villamos",
        earlier=_was("/konyvek/villamos", "Villamosok könyve", "hu"),
    )
    yield _soft(
        "a name with GoDaddy leads by a script to its lander",
        "xdesro/personalsit.es issue 1304: a default GoDaddy parking page, window.location.href = /lander, 200",
        {
            "/lander": html(
                '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link href="https://img1.wsimg.example/parking-lander/static/css/main.css" rel="stylesheet"><script>window.LANDER_SYSTEM="PW"</script></head><body><div id="root"></div><script src="https://img1.wsimg.example/parking-lander/static/js/main.js"></script></body></html>'
            ),
            ELSE: html(
                '<!DOCTYPE html><html><head><script>window.onload=function(){window.location.href="/lander"}</script></head></html>'
            ),
        },
        "/portfolio/depot",
    )
    yield of_truth(
        Truth.CLOSED,
        "an app platform in the cloud ended and its names do not resolve",
        "Deta Space: shut down in October 2024, deta.app names are gone",
        only(LOST),
        host="tram-1-x1904.space-platform-ten.example",
        names={"tram-1-x1904.space-platform-ten.example": _NOWHERE},
        path="/api/stops",
    )
    yield of_truth(
        Truth.CLOSED,
        "a company in the list of users has no name in the DNS any more",
        "curl/curl-www pull request 631: each one returns NXDOMAIN from both resolvers",
        only(LOST),
        host="www.vendor-of-1904-ten.example",
        names={"www.vendor-of-1904-ten.example": _NOWHERE},
        path="/products/",
    )


CASES: list[Case] = [
    *(of_truth(Truth.CLOSED, name, source, only(reply)) for name, (source, reply) in _HARD.items()),
    *(
        of_truth(Truth.CLOSED, name, source, only(reply), flags=_FLAGS, outcomes=_EITHER)
        for name, (source, reply) in _SOFT.items()
    ),
    *_taken(),
    *_otherwise(),
]
