"""Sites that their hosts closed, or that ended, in their own words at each address."""

# ruff: noqa: RUF001
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
from tests.zoo.wild.pages import modern
from tests.zoo.wild.year2026.forms import document_reply, xml_error

_JSON = "application/json"
_FLAGS = frozenset({"parked", "error_page", "home_page", "same_for_all"})
_EITHER = frozenset({FAILURE, SUCCESS})

# With a status that says so, too: where it is known from, the answer.
_HOSTS: dict[str, tuple[str, Reply]] = {
    "Clever Cloud has no such application": (
        "Clever Cloud, 404 (nuclei-templates)",
        document_reply(
            "404 Not Found",
            "<h1>Not Found</h1><p>The application you're trying to access doesn't seem"
            " to exist.</p><p>If you think that this is an error, write to"
            " support@clever-cloud.com.</p>",
            status=404,
        ),
    ),
    "Framer has no such site": (
        "Framer: Site Not Found | Framer, 404 (nuclei-templates)",
        document_reply(
            "Site Not Found | Framer",
            "<div class='page'><h1>Site Not Found</h1><p>The site you are looking for"
            " does not exist or is not published.</p><a"
            " href='https://www.framer.com'>Made in Framer</a></div>",
            "Server: Framer/9a1b2c3",
            status=404,
        ),
    ),
    "GitBook does not find the domain": (
        "GitBook: Domain not found, 404 (nuclei-templates)",
        document_reply(
            "GitBook",
            "<h1>Something went wrong</h1><p>If you need specifics, here's the"
            " error:</p><pre>Domain not found</pre>",
            status=404,
        ),
    ),
    "Flexbe does not know the domain": (
        "Flexbe: Domain not configured, 404 (nuclei-templates)",
        document_reply(
            "Domain not configured",
            "<h1>Domain not configured</h1><p>If you are the owner, add the domain in"
            " your account at <a href='https://flexbe.com'>flexbe.com</a>.</p>",
            status=404,
        ),
    ),
    "a status page of UptimeRobot's is no more": (
        "UptimeRobot: page not found, Caddy, 404 (nuclei-templates)",
        plain("page not found", "Server: Caddy", status=404),
    ),
    "Flywheel hosts another site than this": (
        "Flywheel: Oops! That's not the site, 404 (nuclei-templates)",
        document_reply(
            "Flywheel",
            "<h1>Oops! That's not the site<br>you're looking&nbsp;for.</h1><p>We're"
            " sorry, you've landed on a page that is hosted by Flywheel, but no site"
            " is set up here.</p>",
            status=404,
        ),
    ),
    "WP Engine has no account for the domain": (
        "WP Engine: not configured for an account, 404 (lists of fingerprints)",
        document_reply(
            "WP Engine Domain Not Configured",
            "<h1>The site you were looking for couldn't be found.</h1><p>This domain"
            " is successfully pointed at WP Engine, but is not configured for an"
            " account on our platform.</p>",
            status=404,
        ),
    ),
    "Ghost's hosting knows nothing of it": (
        "Ghost(Pro): no longer here, or never was, 404 (can-i-take-over-xyz)",
        document_reply(
            "Ghost",
            "<section class='error-content'><h1>404</h1><h2>The thing you were looking"
            " for is no longer here, or never was</h2></section>",
            status=404,
        ),
    ),
    "Surge has no such project": (
        "surge.sh: project not found, 404 (can-i-take-over-xyz)",
        document_reply(
            "project not found",
            "<h1>404</h1><p>project not found</p>",
            "Server: SurgeCDN",
            status=404,
        ),
    ),
    "Bitbucket's pages are gone with their repository": (
        "bitbucket.io: Repository not found, 404 (can-i-take-over-xyz)",
        document_reply(
            "Bitbucket", "<div id='error'><h1>Repository not found</h1></div>", status=404
        ),
    ),
    "Read the Docs does not know the host": (
        "Read the Docs: unknown to Read the Docs, 404 (subjack)",
        document_reply(
            "404 - Unknown host",
            "<h1>404 Not Found</h1><p>$HOST is unknown to Read the Docs. Is it a"
            " documentation site that was removed?</p>",
            "X-RTD-Domain: unknown",
            status=404,
        ),
    ),
    "ReadMe has no such project yet": (
        "readme.io: Project doesnt exist... yet!, 404 (can-i-take-over-xyz)",
        document_reply(
            "ReadMe",
            "<div class='hub-404'><h1>Project doesnt exist... yet!</h1><p>Make your"
            " own docs.</p></div>",
            status=404,
        ),
    ),
    "Help Scout has no settings for the company": (
        "Help Scout Docs: 404 (can-i-take-over-xyz)",
        document_reply(
            "Help Scout", "<p>No settings were found for this company:</p><p>$HOST</p>", status=404
        ),
    ),
    "Hatena has no such blog": (
        "Hatena Blog: 404 Blog is not found (can-i-take-over-xyz)",
        document_reply(
            "404 Blog is not found",
            "<h1>404 Blog is not found</h1><p>このブログは削除されたか、存在しません。</p>",
            status=404,
            lang="ja",
        ),
    ),
    "Worksites has no such website": (
        "Worksites: 404 (can-i-take-over-xyz)",
        document_reply(
            "Website not found",
            "<p>Hello! Sorry, but the website you’re looking for doesn’t exist.</p>",
            status=404,
        ),
    ),
    "Firebase hosts no such site": (
        "Firebase Hosting: Site Not Found, 404",
        document_reply(
            "Site Not Found",
            "<div id='message'><h2>404</h2><h1>Site Not Found</h1><p><b>Why am I"
            " seeing this?</b> There are a few potential reasons:</p><ol><li>You"
            " haven't deployed an app yet.</li><li>You may have deployed an empty"
            " directory.</li><li>This is a custom domain, but we haven't finished"
            " setting it up yet.</li></ol><p><b>How can I deploy my first app?</b>"
            " Refer to our hosting documentation to get started.</p></div>",
            status=404,
        ),
    ),
    "Firebase's short links have ended": (
        "Firebase Dynamic Links, shut down on 25 August 2025: 404",
        document_reply(
            "Dynamic Link Not Found",
            "<h1>Dynamic Link Not Found</h1><p>If you are the developer of this app,"
            " ensure that your Dynamic Links domain is correctly configured and that"
            " the path component of this URL is valid.</p>",
            status=404,
        ),
    ),
    "DigitalOcean has no such bucket": (
        "DigitalOcean Spaces: NoSuchBucket, 404",
        xml_error("NoSuchBucket", "", "x-amz-request-id: tx404-nyc3c", status=404),
    ),
    "Qiniu knows no such domain": (
        "Qiniu: no such domain, 404",
        plain('{"error":"no such domain"}', "X-Reqid: 77AA", kind=_JSON, status=404),
    ),
    "Airi was not paid": (
        "Airee.ru: Ошибка 402, 402 (can-i-take-over-xyz)",
        document_reply(
            "Ошибка 402",
            "<h1>Ошибка 402. Сервис Айри.рф не оплачен</h1><p>Владельцу сайта нужно"
            " пополнить баланс.</p>",
            status=402,
            lang="ru",
        ),
    ),
    "a community of the fediverse ended": (
        "nyagone: a 410 for each address of a discontinued instance",
        document_reply(
            "410 Gone",
            "<h1>410 Gone</h1><p>This instance was discontinued. Thank you for all the fish.</p>",
            status=410,
        ),
    ),
    "Miraheze deleted the wiki": (
        "Miraheze: Wiki Not Found, by its policy on dormancy, 404",
        document_reply(
            "Wiki Not Found",
            "<h1>Wiki Not Found</h1><p>We couldn't find this wiki. It may have been"
            " deleted in accordance with our Dormancy Policy. <a"
            " href='https://meta.miraheze.example/'>Request a wiki</a></p>",
            status=404,
        ),
    ),
    "Tistory restricted the blog": (
        "Tistory: 접근이 제한된 티스토리, 403",
        document_reply(
            "TISTORY",
            "<h1>접근이 제한된 티스토리입니다.</h1><p>운영원칙 위반으로 이용이 제한된"
            " 블로그입니다.</p>",
            status=403,
            lang="ko",
        ),
    ),
    "Jimdo has it no more": (
        "Jimdo: not available, 410",
        document_reply(
            "Diese Webseite ist nicht mehr verfügbar",
            "<h1>Diese Webseite ist nicht mehr verfügbar</h1><p>Der Betreiber hat die"
            " Webseite gelöscht oder sein Konto geschlossen.</p>",
            status=410,
            lang="de",
        ),
    ),
    "Webflow's site was taken offline": (
        "Webflow: 404 at the root, too (can-i-take-over-xyz)",
        document_reply(
            "404 - Page not found",
            "<div class='wrap'><h1>404</h1><p class='description'>The page you are"
            " looking for doesn't exist or has been moved.</p></div>",
            status=404,
        ),
    ),
    "a hosting account in French was suspended": (
        "LWS, PlanetHoster: site suspendu, 403",
        document_reply(
            "Site suspendu",
            "<h1>Ce site est suspendu</h1><p>L'hébergement de $HOST a été suspendu. Si"
            " vous en êtes le propriétaire, connectez-vous à votre espace client.</p>",
            status=403,
            lang="fr",
        ),
    ),
    "a hosting account in Spanish was suspended": (
        "Latin American hosts: cuenta suspendida, 403",
        document_reply(
            "Cuenta suspendida",
            "<h1>Cuenta suspendida</h1><p>Esta cuenta de hosting ha sido suspendida."
            " Póngase en contacto con su proveedor.</p>",
            status=403,
            lang="es",
        ),
    ),
    "a hosting account in Greek was suspended": (
        "Greek hosts: ο λογαριασμός έχει ανασταλεί, 403",
        document_reply(
            "Ο λογαριασμός έχει ανασταλεί",
            "<h1>Ο λογαριασμός φιλοξενίας έχει ανασταλεί</h1><p>Επικοινωνήστε με το"
            " τμήμα χρεώσεων.</p>",
            status=403,
            lang="el",
        ),
    ),
    "a hosting account in Thai was suspended": (
        "Thai hosts: เว็บไซต์ถูกระงับ, 503",
        document_reply(
            "เว็บไซต์ถูกระงับการใช้งาน",
            "<h1>เว็บไซต์นี้ถูกระงับการใช้งาน</h1><p>กรุณาติดต่อผู้ให้บริการโฮสติ้งเพื่อชำระค่าบริการ</p>",
            status=503,
            lang="th",
        ),
    ),
    "a hosting account in Danish was closed": (
        "Danish hosts: webhotellet er lukket, 403",
        document_reply(
            "Webhotellet er lukket",
            "<h1>Webhotellet er lukket</h1><p>Abonnementet på $HOST er ikke betalt."
            " Kontakt kundeservice for at genåbne det.</p>",
            status=403,
            lang="da",
        ),
    ),
    "a hosting account in Bulgarian was stopped": (
        "Bulgarian hosts: хостинг акаунтът е спрян, 402",
        document_reply(
            "Хостинг акаунтът е спрян",
            "<h1>Хостинг акаунтът е спрян</h1><p>Срокът на услугата е изтекъл и не е"
            " подновена.</p>",
            status=402,
            lang="bg",
        ),
    ),
    "a hosting account in Romanian was suspended": (
        "Romanian hosts: cont suspendat, 503",
        document_reply(
            "Cont suspendat",
            "<h1>Acest cont a fost suspendat</h1><p>Contul de găzduire $HOST a fost"
            " suspendat. Contactați furnizorul.</p>",
            status=503,
            lang="ro",
        ),
    ),
}

# With a 200.
_POLITE: dict[str, tuple[str, Reply]] = {
    "HestiaCP suspended it and calls it an access": (
        "HestiaCP: templates/web/suspend/index.html, 200",
        document_reply(
            "Access Denied",
            "<div class='container u-text-center'><h1 class='animated fadeIn'>This site is"
            " currently suspended</h1><div class='description-text'><p>Owners learn more from"
            " the support of their host.</p></div></div>",
        ),
    ),
    "Atomia suspended the account": (
        "Atomia: suspend.php, 200 (puppet-atomia)",
        document_reply(
            "Account suspended",
            "<div class='settingsbox'><h4>Account suspended</h4><p>The web sites and mailboxes of"
            " this account are closed for now. Its owner can open them again by a word to the"
            " customer service.</p></div>",
        ),
    ),
    "Tilda wants the subscription renewed": (
        "Tilda: Please renew your subscription, 200 (can-i-take-over-xyz)",
        document_reply(
            "Please renew your subscription",
            "<h1>Please renew your subscription</h1><p>The plan of this site has"
            " expired.</p><a href='https://tilda.cc'>Tilda Publishing</a>",
        ),
    ),
    "Canny has no such company": (
        "Canny: Company Not Found, 200 (can-i-take-over-xyz)",
        document_reply(
            "Company Not Found",
            "<div class='errorPage'><h1>Company Not Found</h1><p>There is no such"
            " company. Did you enter the right URL?</p></div>",
        ),
    ),
    "a job board's account is not active": (
        "JazzHR: This account no longer active, 200 (nuclei-templates)",
        document_reply("JazzHR", "<p>This account no longer active</p>"),
    ),
    "a job board has expired": (
        "SmartJobBoard, 200 (can-i-take-over-xyz)",
        document_reply(
            "SmartJobBoard",
            "<h1>This job board website is either expired or its domain name is invalid.</h1>",
        ),
    ),
    "a help desk's name was not set up": (
        "Helprace: Alias not configured!, 200 (nuclei-templates)",
        document_reply(
            "Alias not configured!",
            "<h1>Alias not configured!</h1><p>Admin of this Helprace account needs to"
            " set up domain alias</p>",
        ),
    ),
    "a panel in Russian switched it off": (
        "panels of Russian hosters: return 200 with Сайт отключен",
        document_reply("Сайт отключен", "<h1>Сайт отключен</h1>", lang="ru"),
    ),
    "uCoz switched it off for silence": (
        "uCoz: отключён из-за неактивности, 200",
        document_reply(
            "Сайт отключён",
            "<h1>Сайт отключён</h1><p>Сайт отключён, так как владелец не заходил в"
            " панель управления более 40 дней.</p><a"
            " href='https://www.ucoz.ru'>uCoz</a>",
            lang="ru",
        ),
    ),
    "Goo's blogs ended": (
        "goo blog, 18 November 2025",
        document_reply(
            "サービス終了のお知らせ",
            "<h1>gooブログはサービスを終了しました</h1><p>2025年11月18日をもちまして、"
            "サービスを終了いたしました。長らくのご利用、誠にありがとうございました。</"
            "p>",
            lang="ja",
        ),
    ),
    "Gitee's pages ended": (
        "Gitee Pages: 服务已下线",
        document_reply(
            "Gitee Pages",
            "<h1>Gitee Pages 服务已下线</h1><p>您访问的站点不存在。</p>",
            lang="zh",
        ),
    ),
}


def _by_redirects() -> Iterator[Case]:
    """Yield sites whose host sends everybody to its own page on it."""
    for name, source, host, way, page in (
        (
            "Fandom sends to its page on communities that are none",
            "Fandom: Not_a_valid_community?from=",
            "community.fan-wikis.example",
            "/wiki/Community_Central:Not_a_valid_community?from=clocks",
            modern(
                "Not a valid community | Community Central",
                "<h1>Not a valid community</h1><p>The wiki address you followed does"
                " not exist, or the wiki was closed.</p>",
            ),
        ),
        (
            "a panel sends to its page on suspended users",
            "DirectAdmin, Virtualmin: 302 to a common page on suspension",
            "panel.many-sites.example",
            "/suspended.html",
            modern(
                "Website suspended",
                "<h1>Website suspended</h1><p>Contact the provider of this website.</p>",
            ),
        ),
    ):
        yield of_truth(
            Truth.CLOSED,
            name,
            source,
            only(redirect(f"http://{host}:PORT{way}")),
            others={host: only(html(page))},
            flags=_FLAGS,
            outcomes=_EITHER,
        )


CASES: list[Case] = [
    *(
        of_truth(Truth.CLOSED, name, source, only(reply))
        for name, (source, reply) in _HOSTS.items()
    ),
    *(
        of_truth(Truth.CLOSED, name, source, only(reply), flags=_FLAGS, outcomes=_EITHER)
        for name, (source, reply) in _POLITE.items()
    ),
    *_by_redirects(),
]
