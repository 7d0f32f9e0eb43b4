"""Hosts' templates that say at each address, the root's too, that there is no site any more."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import (
    FAILURE,
    SUCCESS,
    Case,
    Reply,
    Truth,
    of_truth,
    only,
    plain,
    redirect,
)
from tests.zoo.wild.year2026.forms import cloudflare_error, document_reply, xml_error

_JSON = "application/json"

_HOSTS: dict[str, tuple[str, Reply]] = {
    "Railway has no such application": (
        "Railway: x-railway-fallback",
        plain(
            '{"status":"error","code":404,"message":"Application not found","request_id":"x4"}',
            "x-railway-fallback: true",
            "Server: railway-edge",
            kind=_JSON,
            status=404,
        ),
    ),
    "Supabase paused the project": (
        "Supabase: status 540, project paused",
        plain(
            '{"message":"Project paused","code":540}', "sb-request-id: 0197", kind=_JSON, status=540
        ),
    ),
    "Bunny's zone is suspended or was never set up": (
        "bunny.net: Domain suspended or not configured",
        document_reply(
            "Domain suspended or not configured",
            "<h1>Domain suspended or not configured</h1><p>The domain you are trying to"
            " access is suspended or not configured. If you are the owner, log in to your"
            " dashboard.</p>",
            "Server: BunnyCDN-DE1-1081",
            status=403,
        ),
    ),
    "Cloudflare's host serves no web traffic": (
        "Cloudflare: 1004, 403",
        cloudflare_error(
            1004,
            "Host not configured to serve web traffic",
            "The owner has not set this host up, or the change is not everywhere yet.",
            status=403,
        ),
    ),
    "Cloudflare could not find the host": (
        "Cloudflare: 1023, 409",
        cloudflare_error(
            1023,
            "Could not find host",
            "The owner just signed up, or the domain is not in any account.",
            status=409,
        ),
    ),
    "Cloudflare restricts the address at its edge": (
        "Cloudflare: 1034, 409",
        cloudflare_error(
            1034,
            "Edge IP Restricted",
            "The domain resolves to an address of another customer of the network.",
            status=409,
        ),
    ),
    "a worker was never deployed": (
        "Cloudflare Workers: There is nothing here yet",
        document_reply(
            "There is nothing here yet",
            "<h1>There is nothing here yet</h1><p>If you expect something to be here, it"
            " may take some time. Please check back again later.</p>",
            "Server: cloudflare",
            status=404,
        ),
    ),
    "Deno has no such deployment": (
        "Deno Deploy: DEPLOYMENT_NOT_FOUND",
        plain(
            "404 Not Found. The requested deployment does not exist.\n\nDEPLOYMENT_NOT_FOUND\n",
            "Server: deno/edge",
            status=404,
        ),
    ),
    "Kinsta has no site for the domain": (
        "Kinsta: No Site For Domain",
        document_reply(
            "No Site For Domain",
            "<h1>No Site For Domain</h1><p>There is no site at Kinsta for this domain."
            " Owners: add it in your dashboard.</p>",
            status=404,
        ),
    ),
    "Acquia finds no web site": (
        "Acquia: Web Site Not Found",
        document_reply(
            "Web Site Not Found",
            "<h1>Web Site Not Found</h1><p>Sorry, we could not find any content for this"
            " web address. If you are an Acquia Cloud customer, check your domains.</p>",
            "X-Request-ID: v-404",
            status=404,
        ),
    ),
    "Wix wants the domain to be connected": (
        "Wix: ConnectYourDomain",
        document_reply(
            "Error ConnectYourDomain occurred",
            "<h1>Looks like this domain isn't connected to a website yet</h1><p>If it's"
            " your domain, connect it to your site in your account.</p>",
            "X-Wix-Request-Id: 404",
            "Server: Pepyaka",
            status=404,
        ),
    ),
    "Freshdesk has no helpdesk here": (
        "Freshdesk: There is no helpdesk here!",
        document_reply(
            "Helpdesk not found",
            "<h1>There is no helpdesk here!</h1><p>May be this is still fresh! You can"
            " claim it now.</p>",
            status=404,
        ),
    ),
    "Odoo suspended the database": (
        "Odoo Online: database suspended, 403",
        document_reply(
            "Database suspended",
            "<h1>This database has been suspended</h1><p>The subscription has expired."
            " Administrator: renew your subscription to use the database again.</p>",
            status=403,
        ),
    ),
    "Atlassian's site was deactivated": (
        "Atlassian Cloud: site unavailable, 410",
        document_reply(
            "Atlassian Cloud Notifications - Page Unavailable",
            "<h1>Your Atlassian Cloud site is currently unavailable</h1><p>The site was"
            " deactivated. Site admins: check your subscription.</p>",
            status=410,
        ),
    ),
    "PythonAnywhere disabled the site": (
        "PythonAnywhere: disabled after three months without a login, 403",
        document_reply(
            "Site disabled",
            "<h1>Website disabled</h1><p>This website has been disabled due to inactivity"
            " of its owner's free account.</p>",
            "Server: PythonAnywhere",
            status=403,
        ),
    ),
    "Scalingo's application is stopped": (
        "Scalingo: stopped, 503",
        document_reply(
            "Application stopped",
            "<h1>This application is currently stopped</h1><p>The owner has stopped it,"
            " or its trial has ended.</p>",
            status=503,
        ),
    ),
    "Zeabur suspended the service": (
        "Zeabur: SERVICE_SUSPENDED, 402",
        document_reply(
            "402: SERVICE_SUSPENDED",
            "<h1>Service suspended</h1><p>The service has been suspended since the"
            " project's owner has unpaid invoices.</p><code>SERVICE_SUSPENDED</code>",
            status=402,
        ),
    ),
    "Netlify's credits are used up, with 402": (
        "hosts of static sites: 402 on used credits",
        document_reply(
            "Site not available",
            "<h1>Site not available</h1><p>This site's team has used up its credits."
            " Owners: add credits or upgrade the plan.</p>",
            status=402,
        ),
    ),
    "a builder of applications wants to be paid": (
        "Bubble, Softr, Glide: 402",
        document_reply(
            "App unavailable",
            "<h1>This app has been deactivated</h1><p>If you are the owner, choose a plan"
            " to put it online again.</p>",
            status=402,
        ),
    ),
    "a network of blogs archived the site": (
        "WordPress multisite: ms-settings, 410",
        document_reply(
            "WordPress › Error",
            "<div class='wp-die-message'>This site has been archived or suspended.</div>",
            status=410,
        ),
    ),
    "DreamHost finds no site": (
        "DreamHost: Site Not Found",
        document_reply(
            "Site Not Found",
            "<h1>Site Not Found</h1><h2>Well, this is awkward.</h2><p>The site you're"
            " looking for is not here. Is this your website? Contact support.</p>",
            status=404,
        ),
    ),
    "Loopia closed the account": (
        "Swedish hosts: Kontot är avstängt, 403",
        document_reply(
            "Kontot är avstängt",
            "<h1>Webbplatsen är avstängd</h1><p>Kontot är avstängt på grund av utebliven"
            " betalning. Är du ägare? Logga in i kundzonen.</p>",
            status=403,
            lang="sv",
        ),
    ),
    "WEDOS suspended the service": (
        "Czech hosts: Služba je pozastavena, 403",
        document_reply(
            "Služba pozastavena",
            "<h1>Webhosting je pozastaven</h1><p>Služba byla pozastavena. Jste-li"
            " majitelem domény, přihlaste se do zákaznické administrace.</p>",
            status=403,
            lang="cs",
        ),
    ),
    "Websupport stopped the service": (
        "Slovak hosts: Služba bola pozastavená, 503",
        document_reply(
            "Stránka je pozastavená",
            "<h1>Táto stránka bola pozastavená</h1><p>Majiteľ neuhradil služby hostingu.</p>",
            status=503,
            lang="sk",
        ),
    ),
    "TransIP closed the package": (
        "Dutch hosts: hostingpakket opgeschort, 403",
        document_reply(
            "Website opgeschort",
            "<h1>Deze website is opgeschort</h1><p>Het hostingpakket is geblokkeerd. Bent"
            " u de eigenaar? Neem contact op met de klantenservice.</p>",
            status=403,
            lang="nl",
        ),
    ),
    "Natro suspended the account": (
        "Turkish hosts: hesap askıya alınmıştır, 403",
        document_reply(
            "Hesap Askıya Alındı",
            "<h1>Bu hosting hesabı askıya alınmıştır</h1><p>Site sahibi iseniz müşteri"
            " panelinden ödemenizi yapınız.</p>",
            status=403,
            lang="tr",
        ),
    ),
    "Locaweb suspended the site": (
        "Brazilian hosts: site suspenso, 403",
        document_reply(
            "Site suspenso",
            "<h1>Este site está suspenso</h1><p>A hospedagem foi suspensa por falta de"
            " pagamento. Se você é o responsável, acesse a central do cliente.</p>",
            status=403,
            lang="pt-BR",
        ),
    ),
    "a Vietnamese host suspended the account": (
        "Vietnamese hosts: tạm ngưng, 403",
        document_reply(
            "Tài khoản bị tạm ngưng",
            "<h1>Tài khoản hosting này đã bị tạm ngưng</h1><p>Quý khách vui lòng liên hệ"
            " nhà cung cấp để gia hạn dịch vụ.</p>",
            status=403,
            lang="vi",
        ),
    ),
    "an Indonesian host suspended the account": (
        "Niagahoster, Rumahweb: akun ditangguhkan, 403",
        document_reply(
            "Akun Ditangguhkan",
            "<h1>Akun hosting ini telah ditangguhkan</h1><p>Jika Anda pemilik situs ini,"
            " silakan perpanjang layanan Anda.</p>",
            status=403,
            lang="id",
        ),
    ),
    "a Persian host suspended the account": (
        "Iranian hosts: حساب معلق, 403",
        document_reply(
            "حساب کاربری معلق شده است",
            "<h1>این سایت مسدود شده است</h1><p>سرویس میزبانی این دامنه به دلیل عدم تمدید"
            " معلق شده است. مدیر سایت با پشتیبانی تماس بگیرد.</p>",
            status=403,
            lang="fa",
        ),
    ),
    "a Ukrainian host stopped the site": (
        "Ukrainian hosts: хостинг не сплачено, 402",
        document_reply(
            "Сайт вимкнено",
            "<h1>Сайт вимкнено</h1><p>Послугу хостингу не сплачено. Власнику сайту:"
            " поповніть рахунок.</p>",
            status=402,
            lang="uk",
        ),
    ),
    "a Hungarian host stopped the service": (
        "Hungarian hosts: felfüggesztve, 503",
        document_reply(
            "Felfüggesztett szolgáltatás",
            "<h1>A tárhelyszolgáltatás felfüggesztve</h1><p>A domain tulajdonosa rendezze"
            " tartozását.</p>",
            status=503,
            lang="hu",
        ),
    ),
    "a Chinese host's space has expired": (
        "West.cn and others: 空间到期, 403",
        document_reply(
            "网站已到期",
            "<h1>该虚拟主机已到期，网站已关闭</h1><p>如您是网站管理员，请登录控制面板续费。</p>",
            status=403,
            lang="zh",
        ),
    ),
    "a Japanese host froze the site": (
        "FC2, Lolipop: 凍結, 403",
        document_reply(
            "このホームページは凍結されています",
            "<h1>このホームページは凍結されています</h1><p>規約違反のため、または料金のお"
            "支払いが確認できないため公開を停止しています。</p>",
            status=403,
            lang="ja",
        ),
    ),
    "a store of Tencent's is in arrears": (
        "Tencent COS: an account in arrears, 403",
        xml_error(
            "AccountArrears",
            "Your account is in arrears; the bucket is disabled.",
            "Server: tencent-cos",
            status=403,
        ),
    ),
    "a store of Google's is closed with its account": (
        "Google Cloud Storage: UserProjectAccountProblem, 403",
        xml_error(
            "UserProjectAccountProblem",
            "The project to be billed is associated with a closed billing account.",
            "Server: UploadServer",
            status=403,
        ),
    ),
}


def _by_redirects() -> Iterator[Case]:
    """Yield hosts that send every address to a page of their own."""
    flags = frozenset({"parked", "error_page", "home_page", "same_for_all", "login"})
    either = frozenset({FAILURE, SUCCESS})
    for name, source, host, way, page in (
        (
            "sent to a free host's page for suspended domains",
            "InfinityFree: suspended-domain",
            "suspended-website.free-host.example",
            "/",
            document_reply(
                "Website suspended",
                "<h1>This website is suspended</h1><p>The website owner can sign in to the"
                " client area to see why.</p>",
            ),
        ),
        (
            "sent to where a network of blogs signs up",
            "WordPress multisite: wp-signup.php?new=",
            "blogs.skerry-uni.example",
            "/wp-signup.php?new=keeper",
            document_reply(
                "Sign up – Blogs of the university",
                "<h2>Registration has been disabled.</h2><p>The site you were looking for"
                " does not exist.</p>",
            ),
        ),
        (
            "sent to a status service's own home",
            "Statuspage: pages that were deleted",
            "www.status-service.example",
            "/",
            document_reply(
                "Status pages for your team",
                "<h1>The best way to tell your users</h1><p>Start your free trial.</p>",
            ),
        ),
        (
            "sent to a registrar's page on verification",
            "registrars of ICANN: suspended until the e-mail is verified",
            "verify.registrar-one.example",
            "/?d=x",
            document_reply(
                "Domain suspended",
                "<h1>This domain has been suspended</h1><p>The contact information has not"
                " been verified. Owners: look for our letter and follow its link.</p>",
            ),
        ),
    ):
        yield of_truth(
            Truth.CLOSED,
            name,
            source,
            only(redirect(f"http://{host}:PORT{way}")),
            others={host: only(page)},
            flags=flags,
            outcomes=either,
        )


CASES: list[Case] = [
    *(
        of_truth(Truth.CLOSED, name, source, only(reply))
        for name, (source, reply) in _HOSTS.items()
    ),
    *_by_redirects(),
]
