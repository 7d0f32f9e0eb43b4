"""Sites that are closed as a whole: unpaid, suspended, expired, ended, seized or without a DNS name."""

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
    plain,
    redirect,
)
from tests.zoo.wild.year2026_ninth.frames import LOST, ROBOTS, alone, blocks, home, office, story

_FLAGS = frozenset({"parked", "error_page", "home_page", "same_for_all", "changed_owner"})
_EITHER = frozenset({FAILURE, SUCCESS})
_NOWHERE = socket.gaierror(socket.EAI_NONAME, "Name or service not known")

# With a status that says so: where it is known from, the answer to everything.
_HARD: dict[str, tuple[str, Reply]] = {
    "a page of GitHub's whose repository has none": (
        "GitHub Pages: There isn't a GitHub Pages site here., 404",
        html(
            alone(
                "Site not found &middot; GitHub Pages",
                "<h1>404</h1><p><strong>There isn't a GitHub Pages site here.</strong></p><p>If you're trying to publish one, <a href='https://help.github.example/pages/'>read the full documentation</a> to learn how to set up <strong>GitHub Pages</strong>.</p>",
            ),
            "Server: GitHub.com",
            status=404,
        ),
    ),
    "a site at Netlify was taken down by its owner": (
        "Netlify: Site not found, Looks like you followed a broken link or entered a URL that doesn't exist on Netlify., 404",
        html(
            alone(
                "Site not found",
                "<h1>Site not found</h1><p>Looks like you followed a broken link or entered a URL that doesn't exist on Netlify.</p><p>If this is your site, and you weren't expecting a 404 for this path, visit Netlify's support guide.</p>",
            ),
            "Server: Netlify",
            status=404,
        ),
    ),
    "a deployment of Vercel was disabled for want of payment": (
        "Vercel: 402: PAYMENT_REQUIRED, DEPLOYMENT_DISABLED",
        plain(
            "Payment required\n\nDEPLOYMENT_DISABLED\n\nfra1::1843abcd-1843",
            "Server: Vercel",
            "X-Vercel-Error: DEPLOYMENT_DISABLED",
            status=402,
        ),
    ),
    "a shop of brass on Shopify is unavailable": (
        "can-i-take-over-xyz: Shopify, Sorry, this shop is currently unavailable., 404",
        html(
            alone(
                "Create an Ecommerce Website and Sell Online!",
                "<h1>Sorry, this shop is currently unavailable.</h1><p>Are you the store owner? Log in here.</p>",
            ),
            status=404,
        ),
    ),
    "a shop of Shopify whose plan was not paid": (
        "Shopify: 402, this store is unavailable",
        html(
            alone(
                "Store unavailable",
                "<h1>This store is unavailable</h1><p>If you own this store, pick a plan.</p>",
            ),
            status=402,
        ),
    ),
    "an app of Heroku that was deleted": (
        "Heroku: No such app, There's nothing here, yet., 404",
        html(
            '<!DOCTYPE html>\n<html>\n<head>\n<title>No such app</title>\n</head>\n<body>\n<iframe src="https://www.herokucdn.example/error-pages/no-such-app.html"></iframe>\n</body>\n</html>',
            status=404,
        ),
    ),
    "a site of Azure's that does not exist": (
        "Azure App Service: 404 Web Site not found., 404",
        html(
            alone(
                "Microsoft Azure App Service - Error 404",
                "<h1>404 Web Site not found.</h1><p>You may be seeing this error due to one of the reasons listed below:</p><ul><li>Custom domain has not been configured inside Azure.</li><li>Client cache is still pointing the domain to old IP address.</li></ul>",
            ),
            status=404,
        ),
    ),
    "a site of Azure's that is stopped": (
        "Azure App Service: Error 403 - This web app is stopped.",
        html(
            alone(
                "Web App - Unavailable",
                "<h1>Error 403 - This web app is stopped.</h1><p>The web app you have attempted to reach is currently stopped and does not accept any requests. Please try to reload the page or visit it again soon.</p>",
            ),
            status=403,
        ),
    ),
    "a bucket of a site that is no more": (
        "Amazon S3: The specified bucket does not exist, NoSuchBucket, 404",
        html(
            "<html>\n<head><title>404 Not Found</title></head>\n<body>\n<h1>404 Not Found</h1>\n<ul>\n<li>Code: NoSuchBucket</li>\n<li>Message: The specified bucket does not exist</li>\n<li>BucketName: $HOST</li>\n</ul>\n<hr/>\n</body>\n</html>\n",
            "Server: AmazonS3",
            status=404,
        ),
    ),
    "a blog of Blogger that was removed, in French": (
        "Blogger: Ce blog a été supprimé, 404",
        html(
            alone(
                "Ce blog est introuvable",
                "<h1>Ce blog a été supprimé</h1><p>Désolé, le blog situé à l'adresse $HOST a été supprimé. Cette adresse n'est pas disponible pour de nouveaux blogs.</p>",
                lang="fr",
            ),
            status=404,
        ),
    ),
    "a blog of WordPress.com that its author deleted": (
        "WordPress.com: The authors have deleted this site, 410",
        html(
            alone(
                "$HOST is no longer available",
                "<h1>$HOST is no longer available.</h1><p>The authors have deleted this site.</p>",
            ),
            status=410,
        ),
    ),
    "a journal of Dreamwidth that was purged": (
        "Dreamwidth: This journal has been deleted and purged, 410",
        html(
            office(
                "Deleted account",
                "<h1>Purged Account</h1><p>This account has been deleted and purged.</p>",
                name="Dreamwidth",
            ),
            status=410,
        ),
    ),
    "a wiki of Fandom that was closed": (
        "Fandom: This wiki has been closed, 410",
        html(
            alone(
                "This wiki is closed",
                "<h1>Not a valid community</h1><p>This wiki has been closed and its content is no longer visible.</p>",
            ),
            status=410,
        ),
    ),
    "a site of Wix whose name is not connected": (
        "Wix: Looks Like This Domain Isn't Connected To A Website Yet, 404",
        html(
            alone(
                "ConnectYourDomain",
                "<h1>Looks Like This Domain Isn't Connected To A Website Yet!</h1><p>Is this your domain? Connect it to your Wix website in just a few easy steps.</p>",
            ),
            status=404,
        ),
    ),
    "a site of Webflow that was unpublished": (
        "Webflow: The page you are looking for doesn't exist or has been moved., for the whole host, 404",
        html(
            alone(
                "Not Found",
                "<h2>Page not found</h2><p>The page you are looking for doesn't exist or has been moved.</p>",
            ),
            "x-wf-region: eu-west-1",
            status=404,
        ),
    ),
    "hosting in Czech was stopped": (
        "hosté v Česku: Provoz webu byl pozastaven, 403",
        html(
            alone(
                "Web pozastaven",
                "<h1>Provoz tohoto webu byl pozastaven</h1><p>Služba nebyla uhrazena. Pokud jste majitelem, kontaktujte prosím zákaznickou podporu.</p>",
                lang="cs",
            ),
            status=403,
        ),
    ),
    "hosting in Russian was blocked for a debt": (
        "хостинги: Сайт заблокирован за неуплату, 402",
        html(
            alone(
                "Сайт отключён",
                "<h1>Работа сайта приостановлена</h1><p>Хостинг сайта $HOST отключён за неуплату. Владельцу необходимо продлить услугу.</p>",
                lang="ru",
            ),
            status=402,
        ),
    ),
    "hosting in Vietnamese was suspended": (
        "nhà cung cấp hosting: Website tạm ngưng hoạt động do hết hạn, 403",
        html(
            alone(
                "Tạm ngưng dịch vụ",
                "<h1>Website này đã bị tạm ngưng</h1><p>Dịch vụ hosting của $HOST đã hết hạn. Vui lòng liên hệ nhà cung cấp.</p>",
                lang="vi",
            ),
            status=403,
        ),
    ),
    "hosting in Arabic was suspended": (
        "شركات الاستضافة: تم تعليق هذا الحساب, 403",
        html(
            alone(
                "تم تعليق الحساب",
                "<h1>تم تعليق هذا الحساب</h1><p>يرجى من مالك الموقع التواصل مع شركة الاستضافة.</p>",
                lang="ar",
            ),
            status=403,
        ),
    ),
    "hosting in Greek was suspended": (
        "πάροχοι φιλοξενίας: Ο λογαριασμός έχει ανασταλεί, 403",
        html(
            alone(
                "Αναστολή λογαριασμού",
                "<h1>Ο λογαριασμός έχει ανασταλεί</h1><p>Παρακαλούμε επικοινωνήστε με τον πάροχο φιλοξενίας.</p>",
                lang="el",
            ),
            status=403,
        ),
    ),
    "a service for slides that ended answers gone to all": (
        "services that ended: 410 for every path, e.g. Google+ and others",
        html(
            alone(
                "Gone", "<h1>This service has been shut down</h1><p>It is no longer available.</p>"
            ),
            status=410,
        ),
    ),
}

# With a 200: a page for whatever is asked for.
_SOFT: dict[str, tuple[str, Reply]] = {
    "cPanel says that the account is suspended": (
        "cPanel: Account Suspended, Contact your hosting provider for more information., 200 after a redirect to /cgi-sys/suspendedpage.cgi",
        html(
            alone(
                "Account Suspended",
                "<h1>Account Suspended</h1><p>This Account has been suspended.</p><p>Contact your hosting provider for more information.</p>",
            )
        ),
    ),
    "Plesk says that the site is disabled, in German": (
        "Plesk: Diese Website wurde vom Administrator deaktiviert, 200",
        html(
            alone(
                "Website gesperrt",
                "<h1>Diese Website ist derzeit gesperrt</h1><p>Der Hosting-Vertrag für $HOST wurde gekündigt oder gesperrt.</p>",
                lang="de",
            )
        ),
    ),
    "a builder in Spanish says that the plan has expired": (
        "creadores de webs: El plan de este sitio ha caducado, 200",
        html(
            alone(
                "Sitio caducado",
                "<h1>El plan de este sitio web ha caducado</h1><p>Si eres el propietario, renueva tu plan para volver a publicarlo.</p>",
                lang="es",
            )
        ),
    ),
    "a builder of Japan has ended a page": (
        "Jimdo, ペライチ: このホームページは公開を終了しました, 200",
        html(
            alone(
                "公開終了",
                "<h1>このホームページは公開を終了しました</h1><p>長らくのご愛顧ありがとうございました。</p>",
                lang="ja",
            )
        ),
    ),
    "a service to write that ended says when": (
        "Cohost: read-only until the end of 2024, then a farewell for every path",
        html(
            alone(
                "cohost has shut down",
                "<h1>cohost has shut down</h1><p>The site went read-only in October 2024 and was taken offline at the end of the year. Thank you for posting with us.</p>",
            )
        ),
    ),
    "an editor of code that closed its doors": (
        "Glitch: project hosting ended on 8 July 2025",
        html(
            alone(
                "Glitch has ended project hosting",
                "<h1>Project hosting has ended</h1><p>As of July 8, 2025, this project is no longer hosted. If it is yours, you can download it from your dashboard until the end of the year.</p>",
            )
        ),
    ),
    "a place for coding in a browser that moved nobody": (
        "Gitpod Classic: sunset on 15 October 2025",
        html(
            alone(
                "This workspace service has been sunset",
                "<h1>The classic service has been sunset</h1><p>Since October 15, 2025, workspaces are no longer available here.</p>",
            )
        ),
    ),
    "a reader of articles that was put to rest": (
        "Pocket: shut down on 8 July 2025, exports until November",
        html(
            alone(
                "Pocket has shut down",
                "<h1>Pocket has shut down</h1><p>Pocket is no longer available. All user data was deleted in November 2025.</p>",
            )
        ),
    ),
    "a microblog of Germany said goodbye": (
        "Dienste in Deutschland: Der Dienst wurde eingestellt, 200 auf jede Adresse",
        html(
            alone(
                "Auf Wiedersehen",
                "<h1>Unser Dienst wurde zum 31. März 2025 eingestellt</h1><p>Alle Inhalte wurden gelöscht. Wir danken allen Nutzerinnen und Nutzern.</p>",
                lang="de",
            )
        ),
    ),
    "a portal of blogs in Portuguese ended": (
        "blogs do SAPO e outros: o serviço foi descontinuado",
        html(
            alone(
                "Serviço descontinuado",
                "<h1>Este serviço foi descontinuado</h1><p>Os blogues alojados nesta plataforma deixaram de estar disponíveis a 30 de novembro de 2025.</p>",
                lang="pt",
            )
        ),
    ),
    "a service for questions in Japanese ended": (
        "OKWAVE, goo: サービスは終了しました, 2025",
        html(
            alone(
                "サービス終了のお知らせ",
                "<h1>サービス終了のお知らせ</h1><p>「教えて！灯台」は2025年9月17日をもちましてサービスを終了いたしました。長年のご利用、誠にありがとうございました。</p>",
                lang="ja",
            )
        ),
    ),
    "a shop in Dutch went bankrupt": (
        "winkels: deze webwinkel is failliet verklaard, 200",
        html(
            alone(
                "Webshop gesloten",
                "<h1>Deze webshop is gesloten</h1><p>Op 4 februari 2025 is het faillissement uitgesproken. Neem voor vragen contact op met de curator.</p>",
                lang="nl",
            )
        ),
    ),
    "a shop in Italian has closed for ever": (
        "negozi: il negozio online ha chiuso definitivamente, 200",
        html(
            alone(
                "Negozio chiuso",
                "<h1>Il nostro negozio online ha chiuso definitivamente</h1><p>Grazie a tutti i clienti per questi anni insieme.</p>",
                lang="it",
            )
        ),
    ),
    "a game that ended in Chinese": (
        "游戏: 停止运营公告, 2025",
        html(
            alone(
                "停止运营公告",
                "<h1>停止运营公告</h1><p>本游戏已于2025年6月30日正式停止运营，官方网站及服务器已全部关闭。感谢各位玩家一直以来的支持。</p>",
                lang="zh",
            )
        ),
    ),
    "a club in Polish has disbanded": (
        "strony stowarzyszeń: stowarzyszenie zakończyło działalność, 200",
        html(
            alone(
                "Koniec działalności",
                "<h1>Stowarzyszenie zakończyło działalność</h1><p>Z dniem 31 grudnia 2024 strona została zamknięta. Dziękujemy.</p>",
                lang="pl",
            )
        ),
    ),
    "a market of the dark was seized": (
        "police: THIS WEBSITE HAS BEEN SEIZED, 200 for every path",
        html(
            alone(
                "THIS WEBSITE HAS BEEN SEIZED",
                "<img src='/seized.png' alt=''><h1>This website has been seized</h1><p>in accordance with a seizure warrant issued by a District Court as part of a joint law enforcement operation.</p>",
            )
        ),
    ),
}


def _farewell(name: str, source: str, words: str, lang: str, path: str, title: str) -> Case:
    """Return a site that had the page, and says farewell at all addresses now."""
    before: Site = {
        "/": home(lang),
        "/robots.txt": ROBOTS,
        path: html(blocks(title, f"<h1>{title}</h1>{story(lang, 2)}", lang=lang)),
        ELSE: LOST,
    }
    return of_truth(
        Truth.CLOSED,
        name,
        source,
        only(html(alone(words.split(".")[0], f"<p>{words}</p>", lang=lang))),
        path=path,
        earlier=before,
        flags=_FLAGS,
        outcomes=_EITHER,
    )


def _otherwise() -> Iterator[Case]:
    """Yield closed sites that say it by a redirect, by a second visit, or by nothing."""
    yield of_truth(
        Truth.CLOSED,
        "every page of a host leads to the page for suspended accounts",
        "cPanel: 302 to /cgi-sys/suspendedpage.cgi, Account Suspended, 200",
        {
            "/cgi-sys/suspendedpage.cgi": html(
                alone(
                    "Account Suspended",
                    "<h1>This account has been suspended.</h1><p>Either the domain has been overused, or the reseller ran out of resources.</p>",
                )
            ),
            ELSE: redirect("/cgi-sys/suspendedpage.cgi"),
        },
        flags=_FLAGS,
        outcomes=_EITHER,
    )
    yield of_truth(
        Truth.CLOSED,
        "every page of a video service leads to the maker's word on its end",
        "Skype, May 2025: all addresses lead to a support page on the retirement",
        only(redirect("http://support-of-a-maker.example:PORT/retired-in-may", status=301)),
        others={
            "support-of-a-maker.example": {
                "/": home("en", "Support"),
                ELSE: html(
                    office(
                        "The service is retired",
                        "<h1>The service was retired in May 2025</h1><p>Its pages are no longer available. You can use our other app with the same account.</p>",
                        name="Support",
                    )
                ),
            }
        },
        flags=_FLAGS,
        outcomes=_EITHER,
    )
    yield of_truth(
        Truth.CLOSED,
        "a university's server of personal pages was retired with its name",
        "uiowa/uiowa issue 8548: retire the MyWeb server and reclaim DNS",
        only(LOST),
        host="myweb.university-that-retired-it.example",
        names={"myweb.university-that-retired-it.example": _NOWHERE},
        path="/~ekeeper/",
    )
    yield of_truth(
        Truth.CLOSED,
        "a host for small apps shut down and its names are gone",
        "publicsuffix/list issue 2046: cyclic.sh shut down, May 2024",
        only(LOST),
        host="lamp.host-of-cycles.example",
        names={"lamp.host-of-cycles.example": _NOWHERE},
        path="/api/docs",
    )
    yield _farewell(
        "a bulletin of an island says goodbye in Swedish after its last number",
        "sites that end: one line for whatever is asked for, 200",
        "Vår tidning har lagts ner. Sista numret kom ut i december 2024.",
        "sv",
        "/nummer/2019-11",
        "Novembernumret",
    )
    yield _farewell(
        "an archive of a choir says goodbye in French",
        "sites qui ferment: une phrase pour toute adresse, 200",
        "Ce site a définitivement fermé ses portes. Merci à toutes et à tous.",
        "fr",
        "/concerts/1998",
        "Concert de novembre",
    )
    yield _farewell(
        "a registry of boats says goodbye in Norwegian",
        "nettsteder som legges ned: én linje på alle adresser, 200",
        "Nettstedet er lagt ned. Takk for følget gjennom tjue år.",
        "no",
        "/baater/1843",
        "Skøyta fra 1843",
    )


CASES: list[Case] = [
    *(of_truth(Truth.CLOSED, name, source, only(reply)) for name, (source, reply) in _HARD.items()),
    *(
        of_truth(Truth.CLOSED, name, source, only(reply), flags=_FLAGS, outcomes=_EITHER)
        for name, (source, reply) in _SOFT.items()
    ),
    *_otherwise(),
]
