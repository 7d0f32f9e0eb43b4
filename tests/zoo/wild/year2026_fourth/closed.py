"""Sites that are closed, each in the words of its host, and some that are down for now."""

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
from tests.zoo.wild.year2026_fourth.frames import document, plain_site

_FLAGS = frozenset({"parked", "error_page", "home_page", "same_for_all"})
_EITHER = frozenset({FAILURE, SUCCESS})
_CLOUDFLARE = ("Server: cloudflare", "CF-RAY: 9b0e2f4c1d77a1b2-AMS")


def _cloudflare(code: str, name: str, what: str, do: str, *, status: int) -> Reply:
    """Return a page of Cloudflare on its errors from 1000 on."""
    return html(
        f'<!DOCTYPE html>\n<!--[if lt IE 7]> <html class="no-js ie6 oldie" lang="en-US"> <![endif]-->\n<html class="no-js" lang="en-US">\n<head>\n<title>{name} | $HOST | Cloudflare</title>\n<meta charset="UTF-8" />\n<meta name="robots" content="noindex, nofollow" />\n<link rel="stylesheet" id="cf_styles-css" href="/cdn-cgi/styles/main.css" />\n</head>\n<body>\n<div id="cf-wrapper"><div id="cf-error-details" class="p-0"><header class="mx-auto pt-10"><h1 class="inline-block"><span class="inline-block">Error</span> <span class="code-label">{code}</span></h1><span class="inline-block font-mono">Ray ID: 9b0e2f4c1d77a1b2 &bull;</span> <span>2026-02-03 10:00:00 UTC</span><h2 class="text-gray-600">{name}</h2></header><section><div class="w-1/2"><h2>What happened?</h2><p>{what}</p></div><div class="w-1/2"><h2>What can I do?</h2>{do}</div></section><div class="cf-error-footer"><p>Cloudflare Ray ID: <strong>9b0e2f4c1d77a1b2</strong> &bull; Your IP: 192.0.2.7 &bull; <span>Performance &amp; security by <a href="https://www.cloudflare.com/5xx-error-landing">Cloudflare</a></span></p></div></div></div>\n</body>\n</html>\n',
        *_CLOUDFLARE,
        "Cache-Control: private, max-age=0, no-store",
        status=status,
    )


# With a status that says so: where it is known from, the answer.
_HARD: dict[str, tuple[str, Reply]] = {
    "Heroku has no such application": (
        "Heroku: no-such-app.html, 404",
        html(
            '<!DOCTYPE html>\n<html>\n\t<head>\n\t\t<meta name="viewport" content="width=device-width, initial-scale=1">\n\t\t<meta charset="utf-8">\n\t\t<title>No such app</title>\n\t\t<style media="screen">html,body,iframe{margin:0;padding:0}html,body{height:100%;overflow:hidden}</style>\n\t</head>\n\t<body>\n\t\t<iframe src="//www.herokucdn.com/error-pages/no-such-app.html"></iframe>\n\t</body>\n</html>',
            "Server: Cowboy",
            status=404,
        ),
    ),
    "GitHub Pages has no such site": (
        "GitHub Pages: Site not found, 404",
        html(
            document(
                "Site not found &middot; GitHub Pages",
                '<div class="container"><h1>404</h1><p><strong>There isn\'t a GitHub Pages site here.</strong></p><p>If you\'re trying to publish one, <a href="https://help.github.com/pages/">read the full documentation</a> to learn how to set up <strong>GitHub Pages</strong> for your repository, organization, or user account.</p><div id="suggestions"><a href="https://githubstatus.com">GitHub Status</a> &mdash; <a href="https://twitter.com/githubstatus">@githubstatus</a></div></div>',
            ),
            "Server: GitHub.com",
            "X-GitHub-Request-Id: 1A2B:3C4D",
            status=404,
        ),
    ),
    "a site of Netlify was deleted": (
        "Netlify: Not Found - Request ID, 404",
        plain(
            "Not Found - Request ID: 01JK5M8ZQ3T9V7W2X4Y6A8B0CD",
            "Server: Netlify",
            status=404,
            kind="text/plain; charset=utf-8",
        ),
    ),
    "a deployment of Vercel was deleted": (
        "Vercel: DEPLOYMENT_NOT_FOUND, 404",
        plain(
            "The deployment could not be found on Vercel.\n\nDEPLOYMENT_NOT_FOUND\n\nfra1::x4k2p-1764000000000-0a1b2c3d4e5f\n",
            "Server: Vercel",
            "X-Vercel-Error: DEPLOYMENT_NOT_FOUND",
            status=404,
            kind="text/plain; charset=utf-8",
        ),
    ),
    "a deployment of Vercel waits for payment": (
        "Vercel: DEPLOYMENT_DISABLED, 402",
        plain(
            "Payment required\n\nDEPLOYMENT_DISABLED\n\nfra1::q8d2m-1764000000000-9f8e7d6c5b4a\n",
            "Server: Vercel",
            "X-Vercel-Error: DEPLOYMENT_DISABLED",
            status=402,
            kind="text/plain; charset=utf-8",
        ),
    ),
    "a service of Render was suspended by its owner": (
        "Render: Service Suspended, 503",
        html(
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n    <meta charset="UTF-8">\n    <meta name="viewport" content="width=device-width, initial-scale=1" />\n    <title>Service Suspended</title>\n</head>\n<body>\nThis service has been suspended by its owner.\n</body>\n</html>',
            "x-render-routing: suspend-by-user",
            "Server: cloudflare",
            status=503,
        ),
    ),
    "Railway has no application there": (
        "Railway: The train has not arrived at the station, 404",
        html(
            document(
                "Railway",
                '<main><h1>Not Found</h1><p>The train has not arrived at the station.</p><p>Please check your network settings to confirm that your domain has provisioned.</p><p>If you are a visitor, please let the owner know you\'re stuck at the station.</p><p class="id">Request ID: rK3m9ZQ</p><a href="https://railway.com">Go to Railway</a></main>',
            ),
            "Server: railway-edge",
            "X-Railway-Fallback: true",
            status=404,
        ),
    ),
    "a bucket of S3 is no more": (
        "Amazon S3 websites: NoSuchBucket, 404",
        html(
            "<html>\n<head><title>404 Not Found</title></head>\n<body>\n<h1>404 Not Found</h1>\n<ul>\n<li>Code: NoSuchBucket</li>\n<li>Message: The specified bucket does not exist</li>\n<li>BucketName: www.allotments-rail.example</li>\n<li>RequestId: 9QZ1X</li>\n<li>HostId: aGVsbG8=</li>\n</ul>\n<hr/>\n</body>\n</html>\n",
            "Server: AmazonS3",
            status=404,
        ),
    ),
    "Azure has no such application": (
        "Azure App Service: 404 Web Site not found",
        html(
            document(
                "Microsoft Azure Web App - Error 404",
                '<div id="feature"><div id="content"><h1>404 Web Site not found.</h1><p>You may be seeing this error due to one of the reasons listed below :</p><ul><li>Custom domain has not been configured inside Azure. See <a href="https://aka.ms/mapdomain">how to map an existing domain</a> to resolve this.</li><li>Client cache is still pointing the domain to old IP address. Clear the cache by running the command <i>ipconfig/flushdns.</i></li></ul><p>Checkout <a href="https://aka.ms/appservicefaq">App Service Domain FAQ</a> for more questions.</p></div></div>',
            ),
            status=404,
        ),
    ),
    "a shop of Shopify is unavailable": (
        "Shopify: Sorry, this shop is currently unavailable, 404",
        html(
            document(
                "Create an Ecommerce Website and Sell Online! Ecommerce Software by Shopify",
                '<div id="container"><header><a href="https://www.shopify.com">Shopify</a></header><div id="shop-not-found"><h1 class="tc">Sorry, this shop is currently unavailable.</h1></div><div id="signup"><p>Are you the store owner? <a href="https://accounts.shopify.com/lookup">Log in here</a></p></div></div>',
            ),
            *_CLOUDFLARE,
            "x-storefront-renderer-rendered: 0",
            status=404,
        ),
    ),
    "Wix knows no site for the name": (
        "Wix: ConnectYourDomain, 404",
        html(
            document(
                "Error ConnectYourDomain Page",
                '<div class="page-wrapper"><div class="header"><a href="https://www.wix.com">Wix.com</a></div><h1>Looks Like This Domain Isn\'t Connected To A Website Yet!</h1><p>Is this your domain?</p><p>Connect it to your Wix website in just a few easy steps:</p><ol><li>Sign in to your Wix account</li><li>Go to <a href="https://manage.wix.com/my-account/domains/">My Domains</a></li><li>Connect it to your website</li></ol><a href="https://support.wix.com/">Visit the Help Center</a></div>',
            ),
            "X-Wix-Request-Id: 1764000000.21",
            "Server: Pepyaka",
            status=404,
        ),
    ),
    "Tilda does not know the name": (
        "Tilda: Domain has been assigned, 404",
        html(
            document(
                "Tilda",
                '<center><img src="https://tilda.ws/img/logo404.png" border="0" alt="Tilda"><br><br><br><br><b>Domain has been assigned</b>.<br>Please go to the site settings and put the domain name in the Domain tab.</center>',
            ),
            "Server: nginx",
            status=404,
        ),
    ),
    "Blogger has no such blog": (
        "Blogger: Blog not found, 404",
        html(
            document(
                "Blog not found",
                '<div class="header"><a href="https://www.blogger.com"><img alt="Blogger" src="https://www.blogger.com/img/logo.png"></a></div><div class="mainClm"><h1>Blog not found</h1><p>Sorry, the blog you were looking for does not exist. However, the name <em>forty-two-rods</em> is available to register!</p><p><a class="maia-button" href="https://www.blogger.com/start">Register forty-two-rods</a></p></div><div class="footer">Terms of Service | Privacy | Content Policy | Copyright © 1999 - 2026 Google</div>',
            ),
            "Server: GSE",
            status=404,
        ),
    ),
    "WordPress.com suspended the blog": (
        "WordPress.com: archived or suspended, 410",
        html(
            document(
                "forty-two-rods.example is no longer available",
                '<div class="wpcom-error"><a href="https://wordpress.com">WordPress.com</a><h1>forty-two-rods.example is no longer available.</h1><p>This site has been archived or suspended in accordance with our <a href="https://en.wordpress.com/tos/">Terms of Service</a>. For more information and to contact us please read <a href="https://en.support.wordpress.com/suspended-blogs/">this support document</a>.</p></div>',
            ),
            "Server: nginx",
            "X-hacker: If you're reading this, you should visit wpvip.com/careers",
            status=410,
        ),
    ),
    "Fastly does not know the name": (
        "Fastly: unknown domain, 500",
        html(
            "\n<html>\n<head>\n<title>Fastly error: unknown domain $HOST</title>\n</head>\n<body>\n<p>Fastly error: unknown domain: $HOST. Please check that this domain has been added to a service.</p>\n<p>Details: cache-fra-eddf8230045-FRA</p></body></html>",
            "Server: Varnish",
            "Via: 1.1 varnish",
            status=500,
        ),
    ),
    "Cloudflare cannot resolve the origin's name": (
        "Cloudflare 1016: Origin DNS error, 530",
        _cloudflare(
            "1016",
            "Origin DNS error",
            "You've requested a page on a website ($HOST) that is on the <a href='https://www.cloudflare.com/5xx-error-landing'>Cloudflare</a> network. Cloudflare is currently unable to resolve your requested domain ($HOST).",
            "<p><strong>If you are a visitor of this website:</strong><br>Please try again in a few minutes.</p><p><strong>If you are the owner of this website:</strong><br>Check your DNS settings. If you are using a CNAME origin record, make sure it is valid and resolvable.</p>",
            status=530,
        ),
    ),
    "Cloudflare may not lead to that customer": (
        "Cloudflare 1014: CNAME Cross-User Banned, 403",
        _cloudflare(
            "1014",
            "CNAME Cross-User Banned",
            "You've requested a page on a website that is part of the Cloudflare network. The host ($HOST) is configured as a CNAME across accounts on Cloudflare, which is prohibited by security policy.",
            "<p>If this is your website and you want to use a CNAME record, refer to the documentation on Cloudflare for SaaS.</p>",
            status=403,
        ),
    ),
}

# With a 200.
_SOFT: dict[str, tuple[str, Reply]] = {
    "a panel says that it was set up without a site": (
        "cPanel: defaultwebpage.cgi",
        html(
            document(
                "Default Web Site Page",
                '<div class="container"><h1><span>SORRY!</span></h1><p class="reason">If you are the owner of this website, please contact your hosting provider: <a href="mailto:webmaster@$HOST">webmaster@$HOST</a></p><p>It is possible you have reached this page because:</p><ul><li><b>The IP address has changed.</b> The IP address for this domain may have changed recently. Check your DNS settings to verify that the domain is set up correctly.</li><li><b>There has been a server misconfiguration.</b> You must verify that your hosting provider has the correct IP address configured for your Apache settings and DNS records.</li><li><b>The site may have moved to a different server.</b> The URL for this domain may have changed or the hosting provider may have moved the account to a different server.</li></ul></div><footer><a href="https://cpanel.net">cPanel, L.L.C.</a> <a href="https://go.cpanel.net/privacy">Privacy Policy</a></footer>',
            ),
            "Server: Apache",
        ),
    ),
    "Plesk has no site for the name": (
        "Plesk: Domain Default page",
        html(
            document(
                "Web Server's Default Page",
                '<div class="page-container"><h1>Web Server\'s Default Page</h1><p>This page is generated by <a href="https://www.plesk.com">Plesk</a>, the leading hosting automation software. You see this page because there is no Web site at this address.</p><p>You can do the following:</p><ul><li>Create domains and set up Web hosting using <a href="https://$HOST:8443">Plesk</a>.</li></ul></div><footer>&copy; 1999-2026 WebPros International GmbH. All rights reserved.</footer>',
            ),
            "X-Powered-By: PleskLin",
        ),
    ),
    "a panel of China has no such site": (
        "BaoTa: 没有找到站点, 200 and 404 alike",
        html(
            '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>没有找到站点</title>\n<style>*{margin:0;padding:0;color:#444}body{font-size:14px;font-family:"宋体"}.main{width:600px;margin:10% auto}.title{background:#20a53a;color:#fff;font-size:16px;height:40px}</style>\n</head>\n<body>\n<div class="main"><div class="title">没有找到站点</div><div class="content"><p class="t1">您的请求在Web服务器中没有找到对应的站点！</p><p class="t2">可能原因：</p><ul><li>您没有将此域名或IP绑定到对应站点!</li><li>配置文件未生效!</li></ul><p class="t3">如何解决：</p><ul><li>检查是否已经绑定到对应站点，若确认已绑定，请尝试重载Web服务；</li><li>检查端口是否正确；</li><li>若您使用了CDN产品，请尝试清除CDN缓存；</li><li>普通网站访客，请联系网站管理员；</li></ul></div></div>\n</body>\n</html>',
            "Server: nginx",
        ),
    ),
    "a panel of China stopped the site": (
        "BaoTa: 抱歉！该站点已经被管理员停止运行",
        html(
            '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>抱歉，站点已暂停</title>\n<style>html,body,div,h1{margin:0;padding:0}body{font:12px "microsoft Yahei"}.box{width:90%;max-width:700px;margin:0 auto}</style>\n</head>\n\n<body>\n<div class="box">\n<h1>抱歉！该站点已经被管理员停止运行，请联系管理员了解详情！</h1>\n<div style="text-align: center;font-size: 15px">Power by <a class="btlink" href="https://www.bt.cn/?from=404" target="_blank">堡塔 (免费，高效和安全的托管控制面板)</a></div>\n</div>\n</body>\n</html>\n',
            "Server: nginx",
        ),
    ),
    "a Russian host blocked the account": (
        "Timeweb, Beget: Аккаунт заблокирован",
        html(
            document(
                "Сайт заблокирован",
                '<div class="wrapper"><img src="/logo.svg" alt="hosting"><h1>Сайт заблокирован</h1><p>Работа сайта $HOST приостановлена хостинг-провайдером. Если вы владелец этого сайта, пожалуйста, пополните баланс аккаунта или обратитесь в службу поддержки.</p><p><a href="https://hosting.example/login">Панель управления</a></p></div>',
                lang="ru",
            )
        ),
    ),
    "a German host holds the place of a site": (
        "STRATO, IONOS: Platzhalterseite",
        html(
            document(
                "Hier entsteht eine neue Internetpräsenz",
                "<h1>Hier entsteht eine neue Internetpräsenz</h1><p>Herzlichen Glückwunsch! Diese Domain wurde erfolgreich registriert und ist über uns gehostet. Der Inhaber dieser Domain hat noch keine Inhalte hinterlegt.</p><p><a href='https://hoster.example/domains'>Domains, Webhosting und E-Mail</a> | <a href='https://hoster.example/impressum'>Impressum</a></p>",
                lang="de",
            )
        ),
    ),
    "a Vietnamese host locked the account": (
        "hosts of Vietnam: Tài khoản đã bị tạm khóa",
        html(
            document(
                "Website tạm ngưng hoạt động",
                "<h1>Website tạm ngưng hoạt động</h1><p>Tài khoản hosting của website này đã bị tạm khóa do hết hạn sử dụng. Vui lòng liên hệ nhà cung cấp dịch vụ để gia hạn.</p><p>Hotline: 1900 0000 - Email: hotro@hosting.example</p>",
                lang="vi",
            )
        ),
    ),
}

_DOWN: dict[str, tuple[str, Reply]] = {
    "Netlify paused the site": (
        "Netlify: usage_exceeded, 503",
        html(
            document(
                "Site not available",
                '<div class="main"><div class="card"><div class="header"><h1>Site not available</h1></div><div class="body"><p>This site was paused as it reached its usage limits. Please contact the site owner for more information.</p></div></div></div>',
            ),
            "Server: Netlify",
            status=503,
        ),
    ),
    "a web app of Azure was stopped": (
        "Azure App Service: Error 403 - This web app is stopped.",
        html(
            document(
                "Web App - Unavailable",
                '<div id="feature"><div id="content"><h1 id="unavailable">Error 403 - This web app is stopped.</h1><p id="tryAgain">The web app you have attempted to reach is currently stopped and does not accept any requests. Please try to reload the page or visit it again soon.</p><p id="toAdmin">If you are the web app administrator, please find the common 403 error scenarios and resolution <a href="https://go.microsoft.com/fwlink/?linkid=2095007">here</a>. For further troubleshooting tools and recommendations, please visit <a href="https://portal.azure.com/">Azure Portal</a>.</p></div></div>',
            ),
            "x-ms-error: Site stopped",
            status=403,
        ),
    ),
    "the application behind ngrok is offline": (
        "ngrok: ERR_NGROK_3200, 404",
        html(
            document(
                "ngrok",
                '<div id="root"></div><noscript>The endpoint forty-two.ngrok-free.app is offline. (ERR_NGROK_3200)</noscript><script>window.data={"code":"3200","message":"The endpoint forty-two.ngrok-free.app is offline."}</script>',
            ),
            "Ngrok-Error-Code: ERR_NGROK_3200",
            status=404,
        ),
    ),
    "Cloudflare waits in vain for the host": (
        "Cloudflare 522",
        html(
            '<!DOCTYPE html>\n<html class="no-js" lang="en-US">\n<head>\n<title>$HOST | 522: Connection timed out</title>\n<meta charset="UTF-8" />\n<link rel="stylesheet" id="cf_styles-css" href="/cdn-cgi/styles/main.css" />\n</head>\n<body>\n<div id="cf-wrapper"><div id="cf-error-details" class="p-0"><header><h1><span class="inline-block">Connection timed out</span> <span class="code-label">Error code 522</span></h1><div>Visit <a href="https://www.cloudflare.com/5xx-error-landing">cloudflare.com</a> for more information.</div></header><div class="my-8"><span>You</span> Browser Working <span>Amsterdam</span> Cloudflare Working <span>$HOST</span> Host Error</div><h2>What happened?</h2><p>The initial connection between Cloudflare\'s network and the origin web server timed out. As a result, the web page can not be displayed.</p><h2>What can I do?</h2><h3>If you\'re a visitor of this website:</h3><p>Please try again in a few minutes.</p></div></div>\n</body>\n</html>',
            *_CLOUDFLARE,
            status=522,
        ),
    ),
    "WordPress has lost its database": (
        "WordPress: Error establishing a database connection, 500",
        html(
            '<!DOCTYPE html>\n<html lang="en-US">\n<head>\n<meta name="viewport" content="width=device-width">\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8" />\n<meta name=\'robots\' content=\'max-image-preview:large, noindex, follow\' />\n<title>Database Error</title>\n</head>\n<body id="error-page">\n<div class="wp-die-message"><h1>Error establishing a database connection</h1></div></body>\n</html>',
            status=500,
        ),
    ),
    "WordPress is being updated": (
        "WordPress: wp_maintenance(), 503",
        html(
            "<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body>\n<h1>Briefly unavailable for scheduled maintenance. Check back in a minute.</h1>\n</body></html>",
            "Retry-After: 600",
            status=503,
        ),
    ),
    "a shop of PrestaShop is in maintenance, in Spanish": (
        "PrestaShop: errors/maintenance.tpl, 503",
        html(
            plain_site(
                "Semillas del Norte",
                '<section id="main"><header class="page-header"><h1>Volveremos pronto.</h1></header><section id="content" class="page-content page-maintenance"><p>Estamos actualizando la tienda y volveremos muy pronto. Gracias por su paciencia.</p></section></section>',
                lang="es",
                name="Semillas del Norte",
            ),
            "Retry-After: 3600",
            status=503,
        ),
    ),
    "nginx has nobody behind it": (
        "nginx: 502",
        html(
            "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.24.0 (Ubuntu)</center>\r\n</body>\r\n</html>\r\n",
            "Server: nginx/1.24.0 (Ubuntu)",
            status=502,
        ),
    ),
}


def _by_redirects() -> Iterator[Case]:
    """Yield sites that send everything to a page that says that they are closed."""
    yield of_truth(
        Truth.CLOSED,
        "a panel sends to its page on a suspended account",
        "cPanel: 302 to /cgi-sys/suspendedpage.cgi",
        {
            "/cgi-sys/suspendedpage.cgi": html(
                document(
                    "Account Suspended",
                    '<div class="container"><img src="/img-sys/IP_changed.png" alt=""><h1>Account Suspended</h1><p>This Account has been suspended.</p><p><a href="mailto:webmaster@$HOST">Contact your hosting provider for more information.</a></p></div>',
                    head='<meta http-equiv="cache-control" content="no-store"><meta http-equiv="cache-control" content="max-age=0">',
                ),
                "Server: Apache",
            ),
            ELSE: redirect("http://$HOST:PORT/cgi-sys/suspendedpage.cgi"),
        },
        flags=_FLAGS,
        outcomes=_EITHER,
    )
    yield of_truth(
        Truth.CLOSED,
        "WordPress.com knows no such blog",
        "WordPress.com: 302 to /typo/?subdomain=",
        only(redirect("http://blogs-giant.example:PORT/typo/?subdomain=fortytworods")),
        others={
            "blogs-giant.example": only(
                html(
                    document(
                        "Do you want to register fortytworods.wordpress.com?",
                        '<div id="content"><h1><em>fortytworods.wordpress.com</em> doesn’t exist</h1><p>Do you want to register <em>fortytworods.wordpress.com</em>?</p><a class="button" href="/start">Sign up</a><p>If you followed a link here, the site may have been deleted.</p></div>',
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
    *_by_redirects(),
    *(of_truth(Truth.DOWN, name, source, only(reply)) for name, (source, reply) in _DOWN.items()),
]
