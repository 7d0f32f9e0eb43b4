"""Sites that are closed, as further hosts and platforms say it, and some that are down."""

# ruff: noqa: E501, RUF001
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
from tests.zoo.wild.year2026_fifth.frames import portal
from tests.zoo.wild.year2026_fourth.frames import LOST, document, plain_site

_FLAGS = frozenset({"parked", "error_page", "home_page", "same_for_all"})
_EITHER = frozenset({FAILURE, SUCCESS})
_CLOUDFLARE = ("Server: cloudflare", "CF-RAY: 9c1d2e3f4a5b6c7d-LHR")

# With a status that says so: where it is known from, the answer.
_HARD: dict[str, tuple[str, Reply]] = {
    "Squarespace ended the subscription": (
        "Squarespace: Website Expired, 404 (bug threads)",
        html(
            document(
                "Squarespace - Website Expired",
                '<main><div class="logo"></div><h1>Website Expired</h1><p>This account has expired. If you are the site owner, click below to login.</p><a class="btn" href="https://login.squarespace.com/">Login to your account</a></main>',
            ),
            "Server: Squarespace",
            status=404,
        ),
    ),
    "Squarespace holds a name that nobody claimed": (
        "Squarespace: Domain Not Claimed, 404",
        html(
            document(
                "Squarespace - Domain Not Claimed",
                '<main><h1>Domain Not Claimed</h1><p>This domain has been mapped to Squarespace, but it has not yet been claimed by a website. If this is your domain, claim it by visiting the Domains tab of your website manager.</p><p><a href="https://support.squarespace.com">Learn more</a></p></main>',
            ),
            "Server: Squarespace",
            status=404,
        ),
    ),
    "Cargo no longer shows the site": (
        "Cargo: 404 Not Found, moving your domain (takeover fingerprints)",
        html(
            document(
                "404 &mdash; Cargo",
                "<div class=\"notfound\"><b>404 Not Found</b><p>If you're moving your domain away from Cargo you must make this configuration through your registrar's DNS control panel.</p></div>",
            ),
            status=404,
        ),
    ),
    "Kinsta has no site for the name": (
        "Kinsta: No Site For Domain (takeover fingerprints)",
        html(
            document(
                "No Site For Domain",
                "<h1>No Site For Domain</h1><p>There is no site configured for this domain. If you are the owner, add the domain to your site in MyKinsta.</p>",
            ),
            *_CLOUDFLARE,
            status=404,
        ),
    ),
    "WP Engine does not find the site": (
        "WP Engine: The site you were looking for couldn't be found, 404",
        html(
            document(
                "WP Engine",
                '<div id="not-found"><h1>The site you were looking for couldn\'t be found.</h1><p>This domain is successfully pointed at WP Engine, but is not configured for an account on our platform.</p><p><a href="https://wpengine.com/support/">Learn more</a></p></div>',
            ),
            "Server: nginx",
            status=404,
        ),
    ),
    "Pantheon does not know the site": (
        "Pantheon: 404 Unknown Site",
        html(
            document(
                "404 - Unknown site",
                '<div class="wrapper"><h1>The gods are wise, but do not know of the site which you seek.</h1><h2>404 - Unknown site!</h2><p>Are you the site owner? <a href="https://docs.pantheon.io/errors-and-server-responses#404-unknown-site">Learn more</a></p></div>',
            ),
            "Server: nginx",
            "X-Pantheon-Styx-Hostname: styx-fe",
            status=404,
        ),
    ),
    "Zendesk closed the help center": (
        "Zendesk: Help Center Closed, 404 (takeover fingerprints)",
        html(
            document(
                "Help Center Closed | Zendesk",
                '<div class="content"><h1>Oops, this help center no longer exists</h1><p>The Help Center you are looking for has been closed. <a href="https://www.zendesk.com">Visit Zendesk</a></p></div><footer>© Zendesk</footer>',
            ),
            *_CLOUDFLARE,
            status=404,
        ),
    ),
    "UserVoice gives the name away": (
        "UserVoice: This UserVoice subdomain is currently available!, 404",
        html(
            document(
                "UserVoice",
                '<div id="content"><h1>This UserVoice subdomain is currently available!</h1><p>You can <a href="https://www.uservoice.com/plans/">sign up</a> for it now.</p></div>',
            ),
            status=404,
        ),
    ),
    "a project of Surge was torn down": (
        "Surge: project not found, 404",
        html(
            '<!DOCTYPE html><html><head><title>project not found</title><meta name="robots" content="noindex"></head><body><h1>project not found</h1></body></html>',
            "Server: SurgeCDN/1.0",
            status=404,
        ),
    ),
    "Firebase has no such site": (
        "Firebase Hosting: Site Not Found, 404",
        html(
            document(
                "Site Not Found",
                '<div id="message"><h2>404</h2><h1>Site Not Found</h1><h3>Why am I seeing this?</h3><p>There are a few potential reasons:</p><ol><li>You haven\'t deployed an app yet.</li><li>You may have deployed an empty directory.</li><li>This is a custom domain, but we haven\'t finished setting it up yet.</li></ol><h3>How can I deploy my first app?</h3><p>Refer to <a href="https://firebase.google.com/docs/hosting/">our hosting documentation</a> to get started.</p></div>',
            ),
            "Strict-Transport-Security: max-age=31556926",
            status=404,
        ),
    ),
    "Hatena has no such blog, in Japanese": (
        "はてなブログ: 404 Blog is not found",
        html(
            document(
                "404 Blog is not found",
                '<div id="container"><h1>404 Blog is not found</h1><p>お探しのブログは見つかりませんでした。削除されたか、URLが間違っている可能性があります。</p><p><a href="https://hatena.blog/">はてなブログ トップ</a></p></div>',
                lang="ja",
            ),
            status=404,
        ),
    ),
    "Tumblr has nothing there": (
        "Tumblr: There's nothing here., 404",
        html(
            document(
                "Not found.",
                "<div class=\"content\"><h1>There's nothing here.</h1><p>Whatever you were looking for doesn't currently exist at this address. Unless you were looking for this error page, in which case: Congrats! You totally found it.</p></div>",
            ),
            "Server: openresty",
            status=404,
        ),
    ),
    "a bucket of Google's storage is no more": (
        "Google Cloud Storage: NoSuchBucket",
        plain(
            "<?xml version='1.0' encoding='UTF-8'?><Error><Code>NoSuchBucket</Code><Message>The specified bucket does not exist.</Message></Error>",
            "Server: UploadServer",
            status=404,
            kind="application/xml; charset=UTF-8",
        ),
    ),
    "CloudFront has no distribution for the name": (
        "CloudFront: Bad request, 403",
        html(
            '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">\n<HTML><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=iso-8859-1">\n<TITLE>ERROR: The request could not be satisfied</TITLE>\n</HEAD><BODY>\n<H1>403 ERROR</H1>\n<H2>The request could not be satisfied.</H2>\n<HR noshade size="1px">\nBad request.\nWe can\'t connect to the server for this app or website at this time. There might be too much traffic or a configuration error. Try again later, or contact the app or website owner.\n<BR clear="all">\n<HR noshade size="1px">\n<PRE>\nGenerated by cloudfront (CloudFront)\nRequest ID: b42==\n</PRE>\n</BODY></HTML>',
            "Server: CloudFront",
            "X-Cache: Error from cloudfront",
            status=403,
        ),
    ),
    "Cloudflare finds no tunnel": (
        "Cloudflare 1033: Cloudflare Tunnel error, 530",
        plain("error code: 1033", *_CLOUDFLARE, status=530, kind="text/plain; charset=UTF-8"),
    ),
    "an unregistered site of China, at Aliyun": (
        "Alibaba Cloud: 该网站未根据工信部相关法规提供完整的备案信息, 403",
        html(
            document(
                "网站暂时无法访问",
                '<div class="error"><h1>网站暂时无法访问</h1><p>该网站未根据工信部相关法规提供完整的备案信息，暂时无法访问。</p><p>若您是该网站的负责人，请尽快登录阿里云备案系统提交接入备案申请。</p><p>网站未备案或未在阿里云完成接入备案。</p></div>',
                lang="zh",
            ),
            "Server: Beaver",
            status=403,
        ),
    ),
    "a deployment of Deno is no more": (
        "Deno Deploy: DEPLOYMENT_NOT_FOUND, 404",
        plain(
            "404: Not Found\nThe requested deployment does not exist.\nDEPLOYMENT_NOT_FOUND\n",
            "Server: deno/gcp-europe-west4",
            status=404,
            kind="text/plain;charset=UTF-8",
        ),
    ),
    "a repository that served a site is no more": (
        "Bitbucket: bitbucket.io, Repository not found, 404",
        html(
            '<!DOCTYPE html><html lang="en"><head><title>Repository not found</title></head><body><div id="content"><h1>Repository not found</h1><p>The repository that serves this site does not exist.</p></div></body></html>',
            "Server: AtlassianEdge",
            status=404,
        ),
    ),
    "a site of GitLab Pages is no more": (
        "GitLab Pages: The page you're looking for could not be found., 404",
        html(
            document(
                "The page you're looking for could not be found (404)",
                '<a href="/"><img src="data:image/svg+xml;base64,PHN2" alt="GitLab Logo" /></a><h1>404</h1><div class="container"><h3>The page you\'re looking for could not be found.</h3><hr /><p>The resource that you are attempting to access does not exist or you don\'t have the necessary permissions to view it.</p><p>Make sure the address is correct and that the page hasn\'t moved.</p><p>Please contact your GitLab administrator if you think this is a mistake.</p></div>',
            ),
            status=404,
        ),
    ),
}

# With a 200.
_SOFT: dict[str, tuple[str, Reply]] = {
    "a free host suspended the site": (
        "InfinityFree and other free hosts: Website Suspended",
        html(
            document(
                "Website Suspended",
                '<div class="box"><h1>This website has been suspended</h1><p>The website you are trying to reach has been suspended for exceeding a resource limit or for a violation of the terms of service.</p><p>Are you the owner? <a href="https://app.host.example/">Log in to your client area</a> to learn more.</p></div>',
            )
        ),
    ),
    "a French host suspended the site": (
        "OVHcloud, o2switch: site suspendu",
        html(
            document(
                "Site suspendu",
                "<h1>Ce site a été suspendu</h1><p>L'hébergement associé à ce nom de domaine a expiré ou a été suspendu. Si vous êtes le propriétaire de ce site, connectez-vous à votre espace client pour renouveler votre service.</p><p><a href='https://hebergeur.example/manager'>Espace client</a></p>",
                lang="fr",
            )
        ),
    ),
    "an Italian host suspended the name": (
        "Italian hosts: dominio scaduto o sospeso",
        html(
            document(
                "Dominio sospeso",
                "<h1>$HOST</h1><h2>Questo dominio è scaduto o è stato sospeso</h2><p>Se sei il titolare del dominio puoi rinnovarlo dal pannello di controllo.</p><a href='https://hosting.example/rinnovi'>Rinnova ora</a>",
                lang="it",
            )
        ),
    ),
    "a Brazilian host suspended the account": (
        "HostGator Brasil: Conta suspensa",
        html(
            document(
                "Conta Suspensa",
                '<div class="container"><h1>Conta Suspensa</h1><p>Esta conta foi suspensa.</p><p>Entre em contato com o seu provedor de hospedagem para mais informações.</p></div>',
                lang="pt",
            )
        ),
    ),
    "a Polish host holds an expired name": (
        "Polish registrars: domena wygasła",
        html(
            document(
                "Domena wygasła",
                "<h1>Domena $HOST wygasła</h1><p>Abonament za domenę nie został opłacony. Jeżeli jesteś abonentem, zaloguj się do panelu klienta i przedłuż domenę.</p><a href='https://rejestrator.example/panel'>Panel klienta</a>",
                lang="pl",
            )
        ),
    ),
    "a Turkish host suspended the account": (
        "Turkish hosts: hesap askıya alınmıştır",
        html(
            document(
                "Hesap Askıya Alındı",
                "<h1>Bu hesap askıya alınmıştır</h1><p>Bu web sitesinin hosting hesabı geçici olarak durdurulmuştur. Site sahibi iseniz lütfen hosting firmanızla iletişime geçiniz.</p>",
                lang="tr",
            )
        ),
    ),
    "a Persian host blocked the service": (
        "Persian hosts: این سرویس مسدود شده است",
        html(
            document(
                "سرویس مسدود است",
                "<h1>این سایت موقتاً مسدود شده است</h1><p>سرویس میزبانی این وب‌سایت به دلیل عدم تمدید مسدود شده است. اگر مالک سایت هستید با پشتیبانی هاستینگ تماس بگیرید.</p>",
                lang="fa",
            )
        ),
    ),
}

# The home page of a server that shows no site, while all else is a 404.
_FRESH: dict[str, tuple[str, Reply]] = {
    "nginx greets": (
        "nginx: index.html of the package",
        html(
            '<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!</title>\n<style>\nhtml { color-scheme: light dark; }\nbody { width: 35em; margin: 0 auto;\nfont-family: Tahoma, Verdana, Arial, sans-serif; }\n</style>\n</head>\n<body>\n<h1>Welcome to nginx!</h1>\n<p>If you see this page, the nginx web server is successfully installed and\nworking. Further configuration is required.</p>\n\n<p>For online documentation and support please refer to\n<a href="http://nginx.org/">nginx.org</a>.<br/>\nCommercial support is available at\n<a href="http://nginx.com/">nginx.com</a>.</p>\n\n<p><em>Thank you for using nginx.</em></p>\n</body>\n</html>\n',
            "Server: nginx/1.24.0 (Ubuntu)",
        ),
    ),
    "Apache of Ubuntu says that it works": (
        "Apache of Ubuntu: default page",
        html(
            document(
                "Apache2 Ubuntu Default Page: It works",
                '<div class="main_page"><div class="page_header floating_element"><span class="floating_element">Apache2 Default Page</span><div class="section_header"><div id="about"></div>It works!</div></div><div class="content_section_text"><p>This is the default welcome page used to test the correct operation of the Apache2 server after installation on Ubuntu systems. If you can read this page, it means that the Apache HTTP server installed at this site is working properly. You should <b>replace this file</b> (located at <tt>/var/www/html/index.html</tt>) before continuing to operate your HTTP server.</p><p>If you are a normal user of this web site and don\'t know what this page is about, this probably means that the site is currently unavailable due to maintenance. If the problem persists, please contact the site\'s administrator.</p></div></div>',
            ),
            "Server: Apache/2.4.58 (Ubuntu)",
        ),
    ),
}

_DOWN: dict[str, tuple[str, Reply]] = {
    "a portal has too many visitors, in Japanese": (
        "Japanese portals: アクセスが集中しています, 503",
        html(
            document(
                "アクセス集中",
                "<h1>ただいまアクセスが集中しております</h1><p>恐れ入りますが、しばらく時間をおいてから再度アクセスしてください。</p>",
                lang="ja",
            ),
            "Retry-After: 60",
            status=503,
        ),
    ),
    "Cloudflare finds the host down": (
        "Cloudflare 521: Web server is down",
        html(
            '<!DOCTYPE html>\n<html class="no-js" lang="en-US">\n<head>\n<title>$HOST | 521: Web server is down</title>\n<meta charset="UTF-8" />\n<link rel="stylesheet" id="cf_styles-css" href="/cdn-cgi/styles/main.css" />\n</head>\n<body>\n<div id="cf-wrapper"><div id="cf-error-details"><header><h1><span>Web server is down</span> <span class="code-label">Error code 521</span></h1></header><h2>What happened?</h2><p>The web server is not returning a connection. As a result, the web page is not displaying.</p><h2>What can I do?</h2><h3>If you are a visitor of this website:</h3><p>Please try again in a few minutes.</p></div></div>\n</body>\n</html>',
            *_CLOUDFLARE,
            status=521,
        ),
    ),
    "Drupal met an unexpected error": (
        "Drupal 10: The website encountered an unexpected error, 500",
        html(
            "The website encountered an unexpected error. Try again later.<br />",
            "Server: Apache",
            status=500,
        ),
    ),
    "TYPO3 met an error": (
        "TYPO3: Oops, an error occurred!, 503",
        html(
            document(
                "Oops, an error occurred!",
                '<div class="error-page"><h1>Oops, an error occurred!</h1><p>Code: 2026020310000042ab42ab</p></div>',
            ),
            status=503,
        ),
    ),
    "a shop of Magento is in maintenance": (
        "Magento 2: pub/errors/default/503.phtml",
        html(
            document(
                "503: Service Unavailable",
                '<main class="page-main"><h1>Service Temporarily Unavailable</h1><p>The server is temporarily unable to service your request due to maintenance downtime or capacity problems. Please try again later.</p></main>',
            ),
            "Retry-After: 300",
            status=503,
        ),
    ),
    "Heroku's application crashed": (
        "Heroku: H10, Application error, 503",
        html(
            '<!DOCTYPE html>\n<html>\n\t<head>\n\t\t<title>Application Error</title>\n\t</head>\n\t<body>\n\t\t<iframe src="//www.herokucdn.com/error-pages/application-error.html"></iframe>\n\t</body>\n</html>',
            "Server: Cowboy",
            status=503,
        ),
    ),
    "a portal is being maintained, in Chinese": (
        "Chinese portals: 系统维护中, 503",
        html(
            portal(
                "系统维护中",
                "<h1>系统维护中</h1><p>为了给您提供更好的服务，网站正在进行系统升级与维护，预计今日18:00恢复访问。给您带来的不便，敬请谅解！</p>",
                lang="zh",
                name="海事服务网",
            ),
            "Retry-After: 7200",
            status=503,
        ),
    ),
    "a page of a French site in maintenance": (
        "French sites: Site en maintenance, 503",
        html(
            plain_site(
                "Site en maintenance",
                "<h1>Site en maintenance</h1><p>Notre site fait peau neuve ! Nous serons de retour dans quelques heures. Merci de votre patience.</p>",
                lang="fr",
                name="Le Feu du Môle",
            ),
            status=503,
        ),
    ),
}


def _by_redirects() -> Iterator[Case]:
    """Yield sites that send everything to where it is said that they are closed."""
    yield of_truth(
        Truth.CLOSED,
        "a free host sends everything to its page on suspensions",
        "free hosts: 302 to /suspended/",
        only(redirect("http://suspended.free-host.example:PORT/?d=$HOST")),
        others={
            "suspended.free-host.example": only(
                html(
                    document(
                        "Account suspended",
                        "<h1>Account suspended</h1><p>The hosting account behind this website is suspended. Its files will be deleted after 60 days.</p><p><a href='https://free-host.example/'>Get free hosting</a></p>",
                    )
                )
            )
        },
        flags=_FLAGS,
        outcomes=_EITHER,
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
    *_by_redirects(),
    *(of_truth(Truth.DOWN, name, source, only(reply)) for name, (source, reply) in _DOWN.items()),
]
