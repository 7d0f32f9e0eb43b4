"""Sites that are closed as a whole: by hosts, by builders, by services that ended."""

# ruff: noqa: E501, RUF001
import socket
from collections.abc import Iterator

from tests.zoo.wild.case import (
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
from tests.zoo.wild.year2026_eighth.frames import LOST, bare

_FLAGS = frozenset({"parked", "error_page", "home_page", "same_for_all", "changed_owner"})
_EITHER = frozenset({FAILURE, SUCCESS})
_NOWHERE = socket.gaierror(socket.EAI_NONAME, "Name or service not known")

# With a status that says so: where it is known from, the answer.
_HARD: dict[str, tuple[str, Reply]] = {
    "a site that the gods of Pantheon do not know": (
        "can-i-take-over-xyz: Pantheon, The gods are wise, but do not know of the site which you seek., 404",
        html(
            bare(
                "404 - Unknown site",
                "<h1>404 - Unknown site</h1><p>The gods are wise, but do not know of the site which you seek.</p>",
            ),
            status=404,
        ),
    ),
    "a site of Surge that was torn down": (
        "can-i-take-over-xyz: Surge.sh, project not found, 404",
        html(bare("project not found", "<h1>project not found</h1>"), status=404),
    ),
    "a hub of ReadMe that does not exist": (
        "can-i-take-over-xyz: Readme.io, Project doesnt exist... yet!, 404",
        html(bare("ReadMe", "<h1>Project doesnt exist... yet!</h1>"), status=404),
    ),
    "a name that is unknown to Read the Docs": (
        "can-i-take-over-xyz: Read the Docs, unknown to Read the Docs, 404",
        html(
            bare(
                "Unknown host",
                "<h1>Unknown host</h1><p>The link you have followed or the URL that you entered is unknown to Read the Docs.</p>",
            ),
            status=404,
        ),
    ),
    "a base of knowledge of Help Scout that was closed": (
        "can-i-take-over-xyz: Help Scout, No settings were found for this company:, 404",
        html(bare("Help Scout", "<p>No settings were found for this company:</p>"), status=404),
    ),
    "a forum of UserVoice that is free to take": (
        "can-i-take-over-xyz: UserVoice, This UserVoice subdomain is currently available!, 404",
        html(
            bare("UserVoice", "<h1>This UserVoice subdomain is currently available!</h1>"),
            status=404,
        ),
    ),
    "a blog of Ghost that is no longer here": (
        "can-i-take-over-xyz: Ghost, The thing you were looking for is no longer here, or never was, 404",
        html(
            bare(
                "Ghost",
                "<h1>404</h1><p>The thing you were looking for is no longer here, or never was</p>",
            ),
            status=404,
        ),
    ),
    "a site of Kinsta without a name": (
        "can-i-take-over-xyz: Kinsta, No Site For Domain, 404",
        html(bare("No Site For Domain", "<h1>No Site For Domain</h1>"), status=404),
    ),
    "a hub of Uberflip that is none": (
        "can-i-take-over-xyz: Uberflip, Non-hub domain, The URL you've accessed does not provide a hub., 404",
        html(
            bare("Hub", "<p>Non-hub domain, The URL you've accessed does not provide a hub.</p>"),
            status=404,
        ),
    ),
    "a Russian accelerator of sites was not paid": (
        "can-i-take-over-xyz: Airee.ru, Ошибка 402. Сервис Айри.рф не оплачен, 402",
        html(
            bare(
                "Ошибка 402",
                "<h1>Ошибка 402. Сервис Айри.рф не оплачен</h1><p>Владельцу сайта необходимо пополнить баланс.</p>",
                lang="ru",
            ),
            status=402,
        ),
    ),
    "a tracker of JetBrains that is not registered": (
        "can-i-take-over-xyz: JetBrains, is not a registered InCloud YouTrack., 404",
        html(bare("YouTrack", "<p>$HOST is not a registered InCloud YouTrack.</p>"), status=404),
    ),
    "a blog of Hatena that is not found": (
        "can-i-take-over-xyz: HatenaBlog, 404 Blog is not found, 404",
        html(
            bare(
                "404 Blog is not found",
                "<h1>404 Blog is not found</h1><p>お探しのブログは見つかりませんでした。</p>",
                lang="ja",
            ),
            status=404,
        ),
    ),
    "a shop of Big Cartel that is gone": (
        "subdomain checkers: BigCartel, Oops! We couldn't find that page., 404",
        html(
            bare(
                "Big Cartel",
                "<h1>Oops! We couldn&#8217;t find that page.</h1><p>The shop may have closed.</p>",
            ),
            status=404,
        ),
    ),
    "a board of jobs whose account is no longer active": (
        "can-i-take-over-xyz: JazzHR, This account no longer active, 404",
        html(bare("JazzHR", "<h1>This account no longer active</h1>"), status=404),
    ),
    "an edge of Fastly does not know the domain": (
        "can-i-take-over-xyz: Fastly, Fastly error: unknown domain, 500",
        html(
            "\n<html>\n<head>\n<title>Fastly error: unknown domain $HOST</title>\n</head>\n<body>\n<p>Fastly error: unknown domain: $HOST. Please check that this domain has been added to a service.</p>\n<p>Details: cache-lhr-1871</p></body></html>",
            status=500,
        ),
    ),
    "a cloud of Acquia does not find the site": (
        "takeover fingerprints: Acquia, The site you are looking for could not be found., 404",
        html(
            bare(
                "Web Site Not Found",
                "<h1>Web Site Not Found</h1><p>Sorry, we could not find any content for this web address. Please check the URL.</p><p>If you are an Acquia Cloud customer and expect to see your site at this address, you'll need to add this domain name to your site.</p>",
            ),
            status=404,
        ),
    ),
    "an app of Railway that is not there": (
        "Railway: Application not found, x-railway-fallback, 404",
        plain(
            '{"status":"error","code":404,"message":"Application not found","request_id":"1871abcd"}',
            "x-railway-fallback: true",
            status=404,
            kind="application/json",
        ),
    ),
    "a service of Render that was suspended": (
        "Render: Service Suspended, x-render-routing: suspend, 503",
        html(
            bare(
                "Service Suspended",
                "<h1>Service Suspended</h1><p>This service has been suspended by its owner.</p>",
            ),
            "x-render-routing: suspend-by-user",
            status=503,
        ),
    ),
    "an app of Deno's that is not deployed": (
        "Deno Deploy: DEPLOYMENT_NOT_FOUND, 404",
        plain(
            "404: Not Found: DEPLOYMENT_NOT_FOUND\nid: fra1::1871abcd", "Server: deno", status=404
        ),
    ),
    "a site of Wikidot that was deleted": (
        "Wikidot: The site has been deleted, 410",
        html(
            bare(
                "Wikidot",
                "<h1>This wiki has been deleted</h1><p>$HOST existed here once and was deleted by its master administrator.</p>",
            ),
            status=410,
        ),
    ),
    "a site in China whose hosting was stopped": (
        "hosts of China: 网站已关闭, 403",
        html(
            bare(
                "网站已停止访问",
                "<h1>该网站已停止访问</h1><p>该网站因主机到期或欠费已被关闭，请网站管理员联系服务商处理。</p>",
                lang="zh",
            ),
            status=403,
        ),
    ),
    "a site in Turkey whose hosting was suspended": (
        "hosts of Turkey: Hesabınız askıya alınmıştır, 403",
        html(
            bare(
                "Hesap askıya alındı",
                "<h1>Bu web sitesinin hesabı askıya alınmıştır</h1><p>Site sahibiyseniz lütfen hosting firmanızla iletişime geçin.</p>",
                lang="tr",
            ),
            status=403,
        ),
    ),
    "a site in Poland whose server was blocked for debts": (
        "hosts of Poland: Strona została zablokowana z powodu braku płatności, 402",
        html(
            bare(
                "Strona zablokowana",
                "<h1>Usługa hostingowa została zawieszona</h1><p>Strona $HOST jest niedostępna z powodu braku płatności za serwer.</p>",
                lang="pl",
            ),
            status=402,
        ),
    ),
}

# With a 200.
_SOFT: dict[str, tuple[str, Reply]] = {
    "a centre of help of Zendesk that is closed": (
        "can-i-take-over-xyz: Zendesk, Help Center Closed, 200",
        html(
            bare(
                "Help Center Closed",
                "<h1>Help Center Closed</h1><p>This help center no longer exists.</p>",
            )
        ),
    ),
    "a site of Tilda without a subscription": (
        "can-i-take-over-xyz: Tilda, Please renew your subscription, 200",
        html(
            bare(
                "Tilda",
                "<h1>Please renew your subscription</h1><p>If you are the owner of this website, please log in and pay for your plan.</p>",
            )
        ),
    ),
    "a portal of a Chinese host that tells of expiry": (
        "hosts of China: 您访问的网站已到期, 200",
        html(
            bare(
                "网站已到期",
                "<h1>您访问的网站已到期</h1><p>如果您是网站所有者，请登录控制台续费。</p>",
                lang="zh",
            )
        ),
    ),
    "a blog of Skyrock after its end, in French": (
        "Skyrock: fermeture des Skyblogs, 21 août 2023",
        html(
            bare(
                "Les Skyblogs",
                "<h1>Les Skyblogs ont fermé leurs portes</h1><p>Depuis le 21 août 2023, les blogs ne sont plus accessibles. Merci à tous les blogueurs.</p>",
                lang="fr",
            )
        ),
    ),
    "a site of a free host after its end": (
        "000webhost: free web hosting was discontinued, 2024",
        html(
            bare(
                "Service discontinued",
                "<h1>Free hosting has been discontinued</h1><p>This website was hosted on a free service that is no longer available. All sites were removed in October 2024.</p>",
            )
        ),
    ),
    "a wiki of Wikispaces after its end": (
        "Wikispaces: classroom closing, January 2019",
        html(
            bare(
                "Wikispaces",
                "<h1>Wikispaces has closed</h1><p>All wikis have been taken offline. It is no longer possible to view or export content.</p>",
            )
        ),
    ),
    "a blog of Daum's after its end, in Korean": (
        "다음 블로그: 서비스 종료, 30 September 2022",
        html(
            bare(
                "Daum 블로그 서비스 종료",
                "<h1>Daum 블로그 서비스가 종료되었습니다</h1><p>2022년 9월 30일부로 서비스가 종료되어 블로그를 볼 수 없습니다.</p>",
                lang="ko",
            )
        ),
    ),
    "a home page of a free service after its end, in German": (
        "Dienste für freie Homepages: Einstellung des Dienstes",
        html(
            bare(
                "Dienst eingestellt",
                "<h1>Dieser Homepage-Dienst wurde eingestellt</h1><p>Alle Homepages wurden zum 31. Dezember 2023 gelöscht und sind nicht mehr abrufbar.</p>",
                lang="de",
            )
        ),
    ),
    "a personal page of a provider after the service's end, in Portuguese": (
        "sites pessoais do Brasil: serviço encerrado",
        html(
            bare(
                "Serviço encerrado",
                "<h1>O serviço de hospedagem de páginas pessoais foi encerrado</h1><p>As páginas não estão mais disponíveis.</p>",
                lang="pt",
            )
        ),
    ),
    "an account of a host was suspended for its traffic, in Spanish": (
        "hosts of Latin America: Cuenta suspendida, 200",
        html(
            bare(
                "Cuenta suspendida",
                "<h1>Esta cuenta ha sido suspendida</h1><p>Póngase en contacto con su proveedor de alojamiento para más información.</p>",
                lang="es",
            )
        ),
    ),
}


def _otherwise() -> Iterator[Case]:
    """Yield sites that are closed by a redirect, or by their name."""
    yield of_truth(
        Truth.CLOSED,
        "a free host leads every address of a suspended site to its word",
        "InfinityFree: 302 to suspended-website.com, 200",
        only(redirect("http://suspended-sites-of-a-host.example:PORT/?host=$HOST")),
        others={
            "suspended-sites-of-a-host.example": only(
                html(
                    bare(
                        "Website Suspended",
                        "<h1>This website has been suspended</h1><p>This free hosting account has been suspended. If you own it, log in to your client area.</p>",
                    )
                )
            )
        },
        flags=_FLAGS,
        outcomes=_EITHER,
    )
    yield of_truth(
        Truth.CLOSED,
        "a blog's address leads to an offer to register it",
        "can-i-take-over-xyz: WordPress.com, Do you want to register, 302 to /typo/?subdomain=",
        only(redirect("http://wordpress-like-blogs.example:PORT/typo/?subdomain=orchard")),
        others={
            "wordpress-like-blogs.example": only(
                html(
                    bare(
                        "orchard.wordpress.com doesn't exist",
                        "<h1>orchard.wordpress.com doesn&#8217;t exist</h1><p>Do you want to register <em>orchard.wordpress.com</em>?</p><a href='/start'>Sign up</a>",
                    )
                )
            )
        },
        flags=_FLAGS,
        outcomes=_EITHER,
    )
    yield of_truth(
        Truth.CLOSED,
        "an archive of lists has no name any more",
        "gmane.org, nabble.com: names of closed archives do not resolve",
        only(LOST),
        host="news.archive-of-lists-that-ended.example",
        names={"news.archive-of-lists-that-ended.example": _NOWHERE},
    )


CASES: list[Case] = [
    *(of_truth(Truth.CLOSED, name, source, only(reply)) for name, (source, reply) in _HARD.items()),
    *(
        of_truth(Truth.CLOSED, name, source, only(reply), flags=_FLAGS, outcomes=_EITHER)
        for name, (source, reply) in _SOFT.items()
    ),
    *_otherwise(),
]
