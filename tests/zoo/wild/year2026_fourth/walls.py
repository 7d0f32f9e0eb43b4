"""Pages that people see and a robot does not: challenges, blocks, bans and limits."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.year2026_fourth.frames import document, plain_site

_CLOUDFLARE = ("Server: cloudflare", "CF-RAY: 9b0e2f4c1d77a1b2-AMS")

_WALLS: dict[str, tuple[str, Reply]] = {
    "Cloudflare says just a moment": (
        "Cloudflare: managed challenge, 403",
        html(
            '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><meta http-equiv="X-UA-Compatible" content="IE=Edge"><meta name="robots" content="noindex,nofollow"><meta name="viewport" content="width=device-width,initial-scale=1"><style>*{box-sizing:border-box;margin:0;padding:0}</style><meta http-equiv="refresh" content="360"></head><body><div class="main-wrapper" role="main"><div class="main-content"><noscript><div class="h2"><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript></div></div><script>(function(){window._cf_chl_opt = {cvId: \'3\',cZone: "$HOST",cType: \'managed\',cRay: \'9b0e2f4c1d77a1b2\'};var a = document.createElement(\'script\');a.src = \'/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=9b0e2f4c1d77a1b2\';document.getElementsByTagName(\'head\')[0].appendChild(a);}());</script></body></html>',
            *_CLOUDFLARE,
            "cf-mitigated: challenge",
            "critical-ch: Sec-CH-UA-Bitness, Sec-CH-UA-Arch",
            status=403,
        ),
    ),
    "Cloudflare says that attention is required": (
        "Cloudflare: Sorry, you have been blocked, 403",
        html(
            '<!DOCTYPE html>\n<html class="no-js" lang="en-US">\n<head>\n<title>Attention Required! | Cloudflare</title>\n<meta charset="UTF-8" />\n<meta name="robots" content="noindex, nofollow" />\n<link rel="stylesheet" id="cf_styles-css" href="/cdn-cgi/styles/cf.errors.css" />\n</head>\n<body>\n<div id="cf-wrapper"><div class="cf-alert cf-alert-error cf-cookie-error" id="cookie-alert" data-translate="enable_cookies">Please enable cookies.</div><div id="cf-error-details" class="cf-error-details-wrapper"><div class="cf-wrapper cf-header cf-error-overview"><h1 data-translate="block_headline">Sorry, you have been blocked</h1><h2 class="cf-subheadline"><span data-translate="unable_to_access">You are unable to access</span> $HOST</h2></div><h2 data-translate="blocked_why_headline">Why have I been blocked?</h2><p data-translate="blocked_why_detail">This website is using a security service to protect itself from online attacks. The action you just performed triggered the security solution.</p><h2>What can I do to resolve this?</h2><p>You can email the site owner to let them know you were blocked.</p><div class="cf-error-footer"><p>Cloudflare Ray ID: <strong>9b0e2f4c1d77a1b2</strong></p></div></div></div>\n</body>\n</html>',
            *_CLOUDFLARE,
            status=403,
        ),
    ),
    "Cloudflare limits the rate": (
        "Cloudflare 1015: You are being rate limited, 429",
        plain(
            "error code: 1015",
            *_CLOUDFLARE,
            "Retry-After: 30",
            status=429,
            kind="text/plain; charset=UTF-8",
        ),
    ),
    "Cloudflare bars the country": (
        "Cloudflare 1009: Access denied, country banned, 403",
        html(
            '<!DOCTYPE html>\n<html class="no-js" lang="en-US">\n<head>\n<title>Access denied | $HOST used Cloudflare to restrict access</title>\n<meta name="robots" content="noindex, nofollow" />\n</head>\n<body>\n<div id="cf-wrapper"><div id="cf-error-details"><h1><span>Error</span> <span class="code-label">1009</span></h1><span>Ray ID: 9b0e2f4c1d77a1b2</span><h2>Access denied</h2><section><h2>What happened?</h2><p>The owner of this website ($HOST) has banned the country or region your IP address is in (NL) from accessing this website.</p></section></div></div>\n</body>\n</html>',
            *_CLOUDFLARE,
            status=403,
        ),
    ),
    "Akamai denies": (
        "Akamai: Access Denied, Reference #18",
        html(
            '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \nYou don\'t have permission to access "http&#58;&#47;&#47;$HOST&#47;garden&#47;tools" on this server.<P>\nReference&#32;&#35;18&#46;4f2c1702&#46;1764000000&#46;1a2b3c4d\n<P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;4f2c1702&#46;1764000000&#46;1a2b3c4d</P>\n</BODY>\n</HTML>\n',
            "Server: AkamaiGHost",
            "Mime-Version: 1.0",
            status=403,
        ),
    ),
    "Imperva shows its frame": (
        "Imperva: _Incapsula_Resource, 200",
        html(
            '<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"><meta name="format-detection" content="telephone=no"><meta name="viewport" content="initial-scale=1.0"><meta http-equiv="X-UA-Compatible" content="IE=edge,chrome=1"></head><body style="margin:0px;height:100%"><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=9-33298478-0%200NNN%20RT%281764000000000%200%29&incident_id=742000230051442402-35943808254739916&edet=12&cinfo=04000000&rpinfo=0" frameborder=0 width="100%" height="100%" marginheight="0px" marginwidth="0px">Request unsuccessful. Incapsula incident ID: 742000230051442402-35943808254739916</iframe></body></html>',
            "X-Iinfo: 9-33298478-0 0NNN RT(1764000000000 0) q(0 -1 -1 -1) r(0 -1)",
            "X-CDN: Imperva",
            "Set-Cookie: visid_incap_812=abc; path=/",
        ),
    ),
    "DataDome asks": (
        "DataDome: Please enable JS and disable any ad blocker, 403",
        html(
            "<html lang=\"en\"><head><title>$HOST</title><style>#cmsg{animation: A 1.5s;}@keyframes A{0%{opacity:0;}99%{opacity:0;}100%{opacity:1;}}</style></head><body style=\"margin:0\"><p id=\"cmsg\">Please enable JS and disable any ad blocker</p><script data-cfasync=\"false\">var dd={'rt':'c','cid':'AHrlqAAAAAMA','hsh':'D66B23AC3F48A302A7654416846381','t':'bv','s':17434,'e':'a1','host':'geo.captcha-delivery.com'}</script><script data-cfasync=\"false\" src=\"https://ct.captcha-delivery.com/c.js\"></script></body></html>",
            "X-DataDome: protected",
            "X-DD-B: 1",
            status=403,
        ),
    ),
    "PerimeterX denies the access to this page": (
        "HUMAN, PerimeterX: Access to this page has been denied, 403",
        html(
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="description" content="px-captcha">\n<title>Access to this page has been denied</title>\n</head>\n<body>\n<script>window._pxVid = "";window._pxUuid = "a1b2";window._pxAppId = "PXabc123";window._pxHostUrl = "/abc123/xhr";</script>\n<script src="//captcha.px-cloud.net/PXabc123/captcha.js?a=c&m=0"></script>\n</body>\n</html>',
            status=403,
        ),
    ),
    "the firewall of Amazon challenges": (
        "AWS WAF: challenge, 202 without a body of the page",
        html(
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title></title>\n<style>body{font-family:"Arial"}</style>\n<script type="text/javascript">window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQID","iv":"CgAH","context":"xw=="};</script>\n<script src="https://1a2b3c.edge.sdk.awswaf.com/1a2b3c/challenge.js"></script>\n</head>\n<body>\n<div id="challenge-container"></div>\n<script type="text/javascript">AwsWafIntegration.saveReferrer();AwsWafIntegration.checkForceRefresh().then((forceRefresh) => {});</script>\n<noscript><h1>JavaScript is disabled</h1>In order to continue, we need to verify that you\'re not a robot. This requires JavaScript. Enable JavaScript and then reload the page.</noscript>\n</body>\n</html>',
            "x-amzn-waf-action: challenge",
            "Server: CloudFront",
            status=202,
        ),
    ),
    "CloudFront blocks the request": (
        "CloudFront: The request could not be satisfied, 403",
        html(
            '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">\n<HTML><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=iso-8859-1">\n<TITLE>ERROR: The request could not be satisfied</TITLE>\n</HEAD><BODY>\n<H1>403 ERROR</H1>\n<H2>The request could not be satisfied.</H2>\n<HR noshade size="1px">\nRequest blocked.\nWe can\'t connect to the server for this app or website at this time. There might be too much traffic or a configuration error. Try again later, or contact the app or website owner.\n<BR clear="all">\nIf you provide content to customers through CloudFront, you can find steps to troubleshoot and help prevent this error by reviewing the CloudFront documentation.\n<BR clear="all">\n<HR noshade size="1px">\n<PRE>\nGenerated by cloudfront (CloudFront)\nRequest ID: kq1Zx8==\n</PRE>\n<ADDRESS>\n</ADDRESS>\n</BODY></HTML>',
            "Server: CloudFront",
            "X-Cache: Error from cloudfront",
            status=403,
        ),
    ),
    "Anubis weighs the browser": (
        "Anubis 1.21: Making sure you're not a bot!, 200",
        html(
            '<!doctype html><html lang="en"><head><title>Making sure you&#39;re not a bot!</title><link rel="stylesheet" href="/.within.website/x/xess/xess.css?cachebuster=1.21.3"><meta name="viewport" content="width=device-width, initial-scale=1.0"><meta name="robots" content="noindex,nofollow"><script id="anubis_version" type="application/json">"1.21.3"</script><script id="anubis_challenge" type="application/json">{"rules":{"algorithm":"fast","difficulty":4,"report_as":4},"challenge":"b1a2"}</script></head><body id="top"><main><h1 id="title" class="centered-div">Making sure you&#39;re not a bot!</h1><div class="centered-div"><img id="image" src="/.within.website/x/cmd/anubis/static/img/pensive.webp"><p id="status">Loading...</p><details><summary>Why am I seeing this?</summary><p>You are seeing this because the administrator of this website has set up Anubis to protect the server against the scourge of AI companies aggressively scraping websites.</p></details><noscript><p>Sadly, you must enable JavaScript to get past this challenge.</p></noscript></div><footer><p>Protected by <a href="https://github.com/TecharoHQ/anubis">Anubis</a> from <a href="https://techaro.lol">Techaro</a>. Made with ❤️ in 🇨🇦.</p></footer></main></body></html>',
            "Cache-Control: no-store",
            "Set-Cookie: techaro.lol-anubis-cookie-verification=1; Path=/",
        ),
    ),
    "Vercel verifies the browser": (
        "Vercel Security Checkpoint, 429",
        html(
            '<!DOCTYPE html><html lang="en" data-astro-cid-j7pv25f6><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Vercel Security Checkpoint</title></head><body><div class="container"><main role="main" aria-labelledby="header-text"><div id="spinner"></div><div id="header-text" class="header-text">We\'re verifying your browser</div><div id="footer-text"><a href="https://vercel.link/security-checkpoint" target="_blank">Website owner? Click here to fix</a></div><noscript>Enable JavaScript to continue</noscript></main><div>Vercel Security Checkpoint | fra1::1764000000-aB1cD2</div></div></body></html>',
            "Server: Vercel",
            "X-Vercel-Mitigated: challenge",
            status=429,
        ),
    ),
    "the firewall of Sucuri denies a bot": (
        "Sucuri: Website Firewall, 403",
        html(
            document(
                "Sucuri WebSite Firewall - Access Denied",
                '<div id="main-container"><div class="app-header clearfix"><a href="https://sucuri.net"><img src="https://cdn.sucuri.net/logo.svg" alt="Sucuri"></a><h1>Sucuri WebSite Firewall</h1></div><section class="app-content"><h2>Access Denied - Sucuri Website Firewall</h2><p>If you are the site owner (or you manage this site), please whitelist your IP or if you think this block is an error please <a href="https://support.sucuri.net">open a support ticket</a> and make sure to include the block details (displayed in the box below), so we can assist you in troubleshooting the issue.</p><h2>Block details:</h2><table class="property-table"><tr><td>Block ID:</td><td>BNP007</td></tr><tr><td>Block reason:</td><td>Bad bot access attempt.</td></tr></table></section><footer>© 2026 Sucuri Inc. All rights reserved.</footer></div>',
            ),
            "Server: Sucuri/Cloudproxy",
            "X-Sucuri-Block: BNP007",
            status=403,
        ),
    ),
    "Wordfence limits the visits from an area": (
        "Wordfence: Your access to this site has been limited, 503",
        html(
            document(
                "Your access to this site has been limited by the site owner",
                "<h1>Your access to this site has been limited by the site owner</h1><p>Your access to this service has been limited. (HTTP response code 503)</p><p>If you think you have been blocked in error, contact the owner of this site for assistance.</p><h2>Block Technical Data</h2><table><tr><th>Block Reason:</th><td>Access from your area has been temporarily limited for security reasons.</td></tr><tr><th>Time:</th><td>Tue, 3 Feb 2026 10:00:00 GMT</td></tr></table><h2>About Wordfence</h2><p>Wordfence is a security plugin installed on over 5 million WordPress sites.</p><p>Generated by Wordfence at Tue, 3 Feb 2026 10:00:00 GMT.</p>",
            ),
            "Retry-After: 3600",
            status=503,
        ),
    ),
    "F5 rejects with a 200": (
        "F5 BIG-IP ASM: Request Rejected, 200",
        html(
            "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 8842119234411902881<br><br><a href='javascript:history.back();'>[Go Back]</a></body></html>",
            "Cache-Control: no-cache",
            "Connection: close",
        ),
    ),
    "ModSecurity does not find it acceptable": (
        "ModSecurity on shared hosts: Not Acceptable!, 406",
        html(
            "<head><title>Not Acceptable!</title></head><body><h1>Not Acceptable!</h1><p>An appropriate representation of the requested resource could not be found on this server. This error was generated by Mod_Security.</p></body></html>",
            "Server: Apache",
            status=406,
        ),
    ),
    "LinkedIn has its own status": (
        "LinkedIn: 999",
        html(
            '<html><head>\n<script type="text/javascript">\nwindow.onload = function() {\n  // Parse the tracking code from cookies.\n  var trk = "bf";\n  var trkInfo = "bf";\n  var domain = "www.linkedin.com";\n  window.location.href = "https://" + domain + "/authwall?trk=" + trk + "&trkInfo=" + trkInfo;\n}\n</script>\n</head></html>',
            "X-Li-Fabric: prod-lva1",
            "Set-Cookie: trkCode=bf; Max-Age=5",
            status=999,
        ),
    ),
    "Reddit blocks by network security": (
        "Reddit: You've been blocked by network security, 403",
        html(
            '<!doctype html><html><head><title>Blocked</title><style>body{font-family:system-ui}</style></head><body><div class="main"><div class="theme-beta"><img src="data:image/png;base64,iVBORw0" alt="snoo"><h1>You\'ve been blocked by network security.</h1><p>To continue, log in to your Reddit account or use your developer token</p><p>If you think you\'ve been blocked by mistake, file a ticket below and we\'ll look into it.</p><a href="https://www.reddit.com/login">Log in</a> <a href="https://support.reddithelp.com/hc/en-us/requests/new?ticket_form_id=21879292693140">File a ticket</a></div></div></body></html>',
            "Server: snooserv",
            status=403,
        ),
    ),
    "Amazon wants a click": (
        "Amazon: Click the button below to continue shopping, 200",
        html(
            '<!doctype html><html class="a-no-js" lang="en-us"><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"><title dir="ltr">Amazon.com</title><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="https://images-na.ssl-images-amazon.com/images/G/01/AUIClients/AmazonUI.css"></head><body><!-- To discuss automated access to Amazon data please contact api-services-support@amazon.com. --><div class="a-container"><h4>Click the button below to continue shopping</h4><form method="get" action="/errors/validateCaptcha" name=""><input type="hidden" name="amzn" value="x" /><button type="submit" class="a-button-text" alt="Continue shopping">Continue shopping</button></form></div><div><a href="https://www.amazon.com/gp/help/customer/display.html/ref=footer_cou?ie=UTF8&nodeId=508088">Conditions of Use</a> <a href="#">Privacy Policy</a> &copy; 1996-2025, Amazon.com, Inc. or its affiliates</div></body></html>',
            "Server: Server",
        ),
    ),
    "an Iranian network delays the visit": (
        "ArvanCloud: در حال انتقال به سایت مورد نظر هستید, 200",
        html(
            document(
                "در حال انتقال به سایت مورد نظر هستید...",
                '<div class="container"><div class="loader"></div><h1>در حال انتقال به سایت مورد نظر هستید...</h1><p>لطفا چند ثانیه صبر کنید. این فرآیند خودکار است.</p><noscript>لطفا جاوااسکریپت را فعال کنید</noscript><div class="footer">ArvanCloud</div></div><script>document.cookie="__arcsjs=8a1b2c;path=/";location.reload();</script>',
                lang="fa",
            ),
            "Server: ArvanCloud",
        ),
    ),
    "a Russian shield checks the browser": (
        "DDoS-Guard: Проверка браузера, 403",
        html(
            '<!DOCTYPE html><html><head><meta charset="utf-8"><title>DDoS-Guard</title><meta name="robots" content="noindex, nofollow"></head><body><div class="container"><h1 id="title">Checking your browser before accessing $HOST</h1><p id="wait">Please wait a few seconds. Once this check is complete, the website will open automatically</p><noscript>Please enable JavaScript in your browser</noscript><div class="bottom">DDoS protection by <a href="https://ddos-guard.net">DDoS-Guard</a></div></div><script src="/.well-known/ddos-guard/js-challenge/index.js"></script></body></html>',
            "Server: ddos-guard",
            status=403,
        ),
    ),
    "SafeLine of China intercepts": (
        "雷池 SafeLine WAF: 403",
        html(
            document(
                "访问已被拦截",
                '<div class="box"><h2>您的访问请求可能对网站造成安全威胁，请求已被 管理员设置的拦截策略 阻断。</h2><p>Event ID: 8842a1b2c3</p><p>安全检测能力由 <a href="https://waf-ce.chaitin.cn/">长亭雷池 SafeLine</a> 提供</p></div>',
                lang="zh",
            ),
            "Server: nginx",
            status=403,
        ),
    ),
    "a portal limits the number of requests, in Polish": (
        "sites with their own limits: 429",
        html(
            plain_site(
                "Zbyt wiele zapytań",
                "<h1>Zbyt wiele zapytań</h1><p>Z Twojego adresu IP przyszło zbyt wiele zapytań w krótkim czasie. Spróbuj ponownie za kilka minut.</p>",
                lang="pl",
            ),
            "Retry-After: 120",
            status=429,
        ),
    ),
    "a paper does not serve Europe": (
        "American local papers: 451: Unavailable due to legal reasons",
        html(
            document(
                "451: Unavailable due to legal reasons",
                "<h1>451: Unavailable due to legal reasons</h1><p>We recognize you are attempting to access this website from a country belonging to the European Economic Area (EEA) including the EU which enforces the General Data Protection Regulation (GDPR) and therefore access cannot be granted at this time. For any issues, contact webmaster@paper.example or call 555-0142.</p>",
            ),
            "Server: nginx",
            status=451,
        ),
    ),
}


def _behind_redirects() -> Iterator[Case]:
    for name, source, host, way, reply in (
        (
            "Google is sorry",
            "Google: 302 to /sorry/index, 429",
            "sorry.searches.example",
            "/sorry/index?continue=http%3A%2F%2Fx&q=EgQ",
            html(
                '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<html>\n<head><meta http-equiv="content-type" content="text/html; charset=utf-8"><meta name="viewport" content="initial-scale=1"><title>http://x</title></head>\n<body><form id="captcha-form" action="index" method="post"><noscript>In order to continue, please enable javascript on your web browser.</noscript><div id="recaptcha" class="g-recaptcha" data-sitekey="6LfwuyUTAAAAAOAmoS0fdqijC2PbbdH4kjq62Y1b"></div></form><b>About this page</b><br><br>Our systems have detected unusual traffic from your computer network.  This page checks to see if it&#39;s really you sending the requests, and not a robot.<br><br>IP address: 192.0.2.7<br>Time: 2026-02-03T10:00:00Z<br>URL: http://x<br></body></html>',
                status=429,
            ),
        ),
        (
            "Yandex asks for its captcha, in Russian",
            "Yandex: 302 to /showcaptcha, 200",
            "captcha.searches.example",
            "/showcaptcha?cc=1&form-fb-hint=4.128&mt=A1&retpath=aHR0",
            html(
                document(
                    "Вы не робот?",
                    '<div class="CheckboxCaptcha"><h1>Подтвердите, что запросы отправляли вы, а не робот</h1><form method="POST" action="/checkcaptcha"><input type="submit" class="CheckboxCaptcha-Button" aria-label="SmartCaptcha нужна проверка пользователя"><span>Я не робот</span></form><p>Нам очень жаль, но запросы с вашего устройства похожи на автоматические. <a href="https://yandex.ru/support/captcha">Почему это могло произойти?</a></p><p>Если у вас возникли проблемы, пожалуйста, воспользуйтесь формой обратной связи</p></div>',
                    lang="ru",
                )
            ),
        ),
        (
            "a shop of tickets puts into a queue",
            "Queue-it: 302 to the waiting room",
            "queue-rooms.example",
            "/?c=tickets&e=plantsale&t=http%3A%2F%2Fx",
            html(
                document(
                    "Queue-it",
                    '<div id="main"><h1>You are now in line</h1><p>Thank you for your patience. You are in line for the Plant Sale 2026. When it is your turn, you will have 10 minutes to enter the website.</p><div id="MainPart_divProgressbar"></div><p>Your number in line: <b>4,212</b></p><p>Number of users in line ahead of you: <b>3,980</b></p></div><footer>Powered by <a href="https://queue-it.com">Queue-it</a></footer>',
                ),
                "X-Queueit-Connector: akamai",
            ),
        ),
    ):
        yield of_truth(
            Truth.WALL,
            name,
            source,
            {ELSE: redirect(f"http://{host}:PORT{way}")},
            others={host: only(reply)},
        )


CASES: list[Case] = [
    *(of_truth(Truth.WALL, name, source, only(reply)) for name, (source, reply) in _WALLS.items()),
    *_behind_redirects(),
]
