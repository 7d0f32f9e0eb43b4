"""Sites that their hoster, builder or state closed, with a status that is not always an error's."""

# ruff: noqa: RUF001
from tests.zoo.wild.case import (
    ELSE,
    FAILURE,
    INCONCLUSIVE,
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
from tests.zoo.wild.year2026.forms import document_reply

_HOSTS: dict[str, tuple[str, Reply]] = {
    "Vercel wants to be paid": (
        "bug threads: 402 PAYMENT_REQUIRED, DEPLOYMENT_DISABLED",
        document_reply(
            "402: PAYMENT_REQUIRED",
            "<h1>This Deployment has been disabled.</h1><p>Your connection is working correctly."
            "</p><p>Vercel is working correctly.</p><code>402: PAYMENT_REQUIRED</code><p>Code:"
            " <code>DEPLOYMENT_DISABLED</code> ID: <code>arn1::6zsv8-1704985243623</code></p>",
            "Server: Vercel",
            "X-Vercel-Error: DEPLOYMENT_DISABLED",
            "X-Vercel-Id: arn1::6zsv8-1704985243623",
            status=402,
        ),
    ),
    "Vercel wants to be paid, in one line": (
        "Vercel's errors as text",
        plain(
            "Payment required\n\nDEPLOYMENT_DISABLED\n\nfra1::abcde-1700000000000-0123\n",
            "Server: Vercel",
            "X-Vercel-Error: DEPLOYMENT_DISABLED",
            status=402,
        ),
    ),
    "Vercel has no such deployment": (
        "Vercel: DEPLOYMENT_NOT_FOUND",
        plain(
            "The deployment could not be found on Vercel.\n\nDEPLOYMENT_NOT_FOUND\n\nfra1::a1-0\n",
            "Server: Vercel",
            "X-Vercel-Error: DEPLOYMENT_NOT_FOUND",
            status=404,
        ),
    ),
    "Vercel blocked it by law": (
        "Vercel: DEPLOYMENT_BLOCKED",
        plain(
            "The deployment is blocked\n\nDEPLOYMENT_BLOCKED\n\nfra1::a1-0\n",
            "Server: Vercel",
            "X-Vercel-Error: DEPLOYMENT_BLOCKED",
            status=403,
        ),
    ),
    "Shopify's shop did not pay": (
        "Shopify: status codes, 402 Payment Required for a frozen shop",
        document_reply(
            "Unavailable",
            "<div id='shop-not-found'><h1>Sorry, this store is currently unavailable.</h1></div>",
            "X-ShopId: 1234567",
            "X-Request-ID: 7d4a",
            "powered-by: Shopify",
            status=402,
        ),
    ),
    "Shopify's shop did not pay, by its header": (
        "Shopify: 402 with nothing but headers",
        Reply(status=402, headers=("powered-by: Shopify", "X-ShopId: 1234567")),
    ),
    "Shopify closed the shop": (
        "Shopify: 404 for a shop that was closed (can-i-take-over-xyz)",
        document_reply(
            "$HOST",
            "<h1>Sorry, this shop is currently unavailable.</h1>",
            "powered-by: Shopify",
            status=404,
        ),
    ),
    "Netlify's site was paused": (
        "Netlify's support forum: 503 usage exceeded",
        document_reply(
            "Site not available",
            "<h1>Site not available</h1><p>This site was paused as it reached its usage limits."
            " Please contact the site owner for more information.</p>",
            "Server: Netlify",
            status=503,
        ),
    ),
    "Netlify has no such site": (
        "Netlify: Not Found - Request ID",
        plain(
            "Not Found - Request ID: 01HQ0000000000000000000000",
            "Server: Netlify",
            "X-Nf-Request-Id: 01HQ0000000000000000000000",
            status=404,
        ),
    ),
    "Render suspended the service": (
        "Render: x-render-routing: suspend-by-user, 503 (notes of developers)",
        document_reply(
            "Service Suspended",
            "<h1>Service Suspended</h1><p>This service has been suspended by its owner.</p>",
            "x-render-routing: suspend-by-user",
            status=503,
        ),
    ),
    "Heroku has no such app": (
        "Heroku: error-pages/no-such-app.html",
        html(
            "<!DOCTYPE html><html><head><title>No such app</title><style>iframe{border:0}</style>"
            "</head><body><iframe src='//www.herokucdn.com/error-pages/no-such-app.html'></iframe>"
            "</body></html>",
            "Server: Cowboy",
            status=404,
        ),
    ),
    "GitHub Pages has no site here": (
        "GitHub Pages: There isn't a GitHub Pages site here",
        document_reply(
            "Site not found &middot; GitHub Pages",
            "<h1>404</h1><p><strong>There isn't a GitHub Pages site here.</strong></p><p>If you're"
            " trying to publish one, read the full documentation.</p>",
            "Server: GitHub.com",
            status=404,
        ),
    ),
    "ngrok's endpoint is offline": (
        "ngrok: ERR_NGROK_3200",
        plain(
            "The endpoint $HOST is offline.\n\nERR_NGROK_3200\n",
            "Ngrok-Error-Code: ERR_NGROK_3200",
            status=404,
        ),
    ),
    "Squarespace's account expired": (
        "Squarespace: expired sites answer 400 or 404",
        document_reply(
            "Squarespace - Website Expired",
            "<h1>Website Expired</h1><p>This account has expired. If you are the site owner, click"
            " below to login.</p><a href='/config'>Login</a>",
            "Server: Squarespace",
            status=400,
        ),
    ),
    "Squarespace has no such account": (
        "Squarespace: No Such Account",
        document_reply(
            "Squarespace - No Such Account",
            "<h1>No Such Account</h1><p>This account does not exist on Squarespace. Please check"
            " the URL and try again.</p>",
            "Server: Squarespace",
            status=404,
        ),
    ),
    "Tumblr has nothing here": (
        "Tumblr (can-i-take-over-xyz)",
        document_reply(
            "Not found.",
            "<h1>There's nothing here.</h1><p>Whatever you were looking for doesn't currently"
            " exist at this address. Unless you were looking for this error page.</p>",
            status=404,
        ),
    ),
    "WordPress.com archived the blog": (
        "WordPress.com: suspended for its terms, 410",
        document_reply(
            "$HOST is no longer available",
            "<h1>$HOST is no longer available.</h1><p>This blog has been archived or suspended in"
            " accordance with our Terms of Service.</p>",
            status=410,
        ),
    ),
    "Pantheon has no such site": (
        "Pantheon: 404 error unknown site",
        document_reply(
            "404 - Unknown site",
            "<h1>404</h1><p>The gods are wise, but do not know of the site which you seek.</p>",
            "Server: Pantheon",
            status=404,
        ),
    ),
    "the help centre was closed": (
        "Zendesk: Help Center Closed",
        document_reply(
            "Help Center Closed | Zendesk",
            "<h1>Oops, this help center no longer exists</h1><p>The page you were looking for may"
            " have been moved.</p>",
            status=404,
        ),
    ),
    "cPanel suspended it, with 403": (
        "cPanel: suspended page by a rule",
        document_reply(
            "Account Suspended",
            "<h1>Account Suspended</h1><p>This Account has been suspended.</p>",
            status=403,
        ),
    ),
    "suspended, with a status of its own": (
        "Pantheon: 530 Site is frozen",
        document_reply(
            "Site frozen", "<p>This site has been frozen due to inactivity.</p>", status=530
        ),
    ),
    "Strato blocked it for its bills": (
        "German hosters",
        document_reply(
            "Diese Website ist gesperrt",
            "<h1>Diese Website wurde gesperrt</h1><p>Der Betreiber dieser Website wird gebeten,"
            " sich mit dem Kundenservice in Verbindung zu setzen.</p>",
            status=403,
            lang="de",
        ),
    ),
    "OVH closed it for its bills": (
        "OVH: suspended hosting",
        document_reply(
            "Site suspendu",
            "<h1>Ce site est suspendu</h1><p>L'hébergement a été suspendu. Si vous en êtes le"
            " propriétaire, rendez-vous dans votre espace client.</p>",
            status=403,
            lang="fr",
        ),
    ),
    "Aruba suspended it": (
        "Aruba Hosting",
        document_reply(
            "Sito sospeso",
            "<h1>Sito web sospeso</h1><p>Questo sito è stato sospeso. Se sei il proprietario,"
            " contatta l'assistenza.</p>",
            status=403,
            lang="it",
        ),
    ),
    "Beget blocked the account": (
        "Beget: blocked accounts",
        document_reply(
            "Аккаунт заблокирован",
            "<h1>Аккаунт заблокирован</h1><p>Сайт временно недоступен: аккаунт владельца"
            " заблокирован хостинг-провайдером.</p>",
            status=403,
            lang="ru",
        ),
    ),
    "Timeweb turned the service off": (
        "Russian hosters",
        document_reply(
            "Сайт отключён",
            "<h1>Сайт отключён за неуплату</h1><p>Владельцу сайта: пополните баланс в панели"
            " управления.</p>",
            status=402,
            lang="ru",
        ),
    ),
    "home.pl locked it": (
        "Polish hosters",
        document_reply(
            "Strona zablokowana",
            "<h1>Ta strona została zablokowana</h1><p>Usługa wygasła lub nie została opłacona."
            " Właścicielu, zaloguj się do panelu klienta.</p>",
            status=403,
            lang="pl",
        ),
    ),
    "Xserver froze the account": (
        "Xserver: サーバーアカウント凍結, 403",
        document_reply(
            "アカウント凍結",
            "<h1>このウェブサイトは凍結されています</h1><p>ご契約者様はサポートまでお問い合わせく"
            "ださい。</p>",
            status=403,
            lang="ja",
        ),
    ),
    "a Korean host stopped the account": (
        "Cafe24, Gabia: expired hosting",
        document_reply(
            "서비스 이용기간 만료",
            "<h1>호스팅 서비스 이용기간이 만료되었습니다</h1><p>관리자는 서비스를 연장해 주세"
            "요.</p>",
            status=403,
            lang="ko",
        ),
    ),
    "an unlicensed site at Alibaba": (
        "Alibaba's Beaver: 403, beian-block (deployment notes of Chinese developers)",
        document_reply(
            "Non-compliance ICP Filing",
            "<div id='block'><iframe src='https://batit.aliyun.com/alww.html?id=0000' width='100%'>"
            "</iframe></div><script src='https://www.aliyun.com/beian/beian-block'></script>",
            "Server: Beaver",
            status=403,
            lang="zh",
        ),
    ),
    "an unlicensed site at Huawei": (
        "Huawei Cloud: 该网站暂时无法访问",
        document_reply(
            "该网站暂时无法访问",
            "<h1>该网站暂时无法访问</h1><p>您访问的域名未备案接入或不允许访问，请联系网站管理员"
            "。</p>",
            status=403,
            lang="zh",
        ),
    ),
    "a site that its Chinese host stopped": (
        "Baota panel: 站点已停止",
        document_reply(
            "恭喜，站点已停止！",
            "<h1>抱歉！该站点已经被管理员停止运行，请联系管理员了解详情！</h1>",
            status=404,
            lang="zh",
        ),
    ),
}

_BLOCK = "dnspod.qcloud.com"
_IN_THE_END = frozenset({FAILURE, INCONCLUSIVE})


def _to_this_machine(name: str, location: str) -> Case:
    source = "owners who send visitors, and bots, of a closed site to their own machine"
    return of_truth(Truth.CLOSED, name, source, {ELSE: redirect(location)}, outcomes=_IN_THE_END)


CASES: list[Case] = [
    *(
        of_truth(Truth.CLOSED, name, source, only(reply))
        for name, (source, reply) in _HOSTS.items()
    ),
    of_truth(
        Truth.CLOSED,
        "an unlicensed site at Tencent",
        "Tencent Cloud: 302 to dnspod.qcloud.com/static/webblock.html (notes of developers)",
        {ELSE: redirect(f"http://{_BLOCK}:PORT/static/webblock.html?d=$HOST")},
        others={
            _BLOCK: only(
                document_reply(
                    "网站暂时无法访问",
                    "<h1>网站暂时无法访问</h1><p>该网站未根据工信部相关法律规定进行备案。</p>",
                    lang="zh",
                )
            )
        },
        flags=frozenset({"parked", "error_page"}),
        outcomes=frozenset({FAILURE, SUCCESS}),
    ),
    _to_this_machine("closed, and sent to 127.0.0.1", "http://127.0.0.1/"),
    _to_this_machine("closed, and sent to IPv6's loopback", "http://[::1]/"),
    _to_this_machine("closed, and sent to 0.0.0.0", "http://0.0.0.0/"),
    _to_this_machine("closed, and sent to a link-local address", "http://169.254.1.1/"),
]
