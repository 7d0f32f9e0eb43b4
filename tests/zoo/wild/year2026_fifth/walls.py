"""Pages that people see and a robot does not, behind other products and portals."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.year2026_fifth.frames import portal
from tests.zoo.wild.year2026_fourth.frames import document, plain_site

_WALLS: dict[str, tuple[str, Reply]] = {
    "Kasada answers with nothing but a script": (
        "Kasada: 429 with KPSDK",
        html(
            "<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=typeof performance!=='undefined'&&performance.now?performance.now.bind(performance):Date.now.bind(Date);KPSDK.start=KPSDK.now();</script><script src=\"/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?tkrm_alpekz_s1.3=0a1b\"></script></body></html>",
            "x-kpsdk-ct: 0a1b2c",
            status=429,
        ),
    ),
    "the firewall of Amazon asks for a captcha": (
        "AWS WAF: captcha, 405",
        html(
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Human Verification</title>\n<script type="text/javascript">window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQID","iv":"A6","context":"g"};</script>\n<script src="https://0a1b.edge.captcha-sdk.awswaf.com/0a1b/captcha.js"></script>\n</head>\n<body>\n<div id="captcha-container"></div>\n<noscript><h1>JavaScript is disabled</h1>In order to continue, you need to verify that you\'re not a robot by solving a CAPTCHA puzzle. The CAPTCHA puzzle requires JavaScript. Enable JavaScript and then reload the page.</noscript>\n</body>\n</html>',
            "x-amzn-waf-action: captcha",
            "Server: CloudFront",
            status=405,
        ),
    ),
    "Azure's door blocks the request": (
        "Azure Front Door WAF: The request is blocked., 403",
        html(
            "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\"'http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd'><html xmlns='http://www.w3.org/1999/xhtml'><head><meta content='text/html; charset=utf-8' http-equiv='content-type'/><style type='text/css'>body {font-family:Arial; margin-left:40px; }</style><title></title></head><body><div>20260203T100000Z-r1b2c3d4</div><h2>The request is blocked.</h2></body></html>",
            "x-azure-ref: 20260203T100000Z-r1b2c3d4",
            status=403,
        ),
    ),
    "Imunify360 wants a moment": (
        "Imunify360: One moment, please..., 200",
        html(
            '<!DOCTYPE html><html><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width, initial-scale=1.0"><meta http-equiv="refresh" content="5"><title>One moment, please...</title><style>body{background:#F6F7F8;color:#303131;font-family:sans-serif;margin-top:45vh;text-align:center}</style></head><body><h1>Please wait while your request is being verified...</h1><form id="wsidchk-form" style="display:none;" action="/z0f76a1d14fd21a8fb5fd0d03e0fdc3d3cedae52f" method="GET"><input type="hidden" id="wsidchk" name="wsidchk"/></form><script>(function(){var west=+((+!+[])+(+!+[]+!![])),east=+((+!+[]));document.getElementById("wsidchk").value=west+east;document.getElementById("wsidchk-form").submit();})();</script></body></html>',
            "Server: openresty",
            "cf-edge-cache: no-cache",
        ),
    ),
    "FortiWeb blocks the page": (
        "FortiWeb: Web Page Blocked!, 200",
        html(
            document(
                "Web Page Blocked!",
                '<div class="header"><h1>Web Page Blocked!</h1></div><p>The page cannot be displayed. Please contact the administrator for additional information.</p><table><tr><td>URL:</td><td>$HOST/archive</td></tr><tr><td>Client IP:</td><td>192.0.2.7</td></tr><tr><td>Attack ID:</td><td>20000010</td></tr><tr><td>Message ID:</td><td>001042424242</td></tr></table>',
            )
        ),
    ),
    "Radware sends a page of its bot manager": (
        "Radware: We apologize for the inconvenience, 200",
        html(
            document(
                "Radware Captcha Page",
                '<div class="container"><h2>We apologize for the inconvenience...</h2><p>...but your activity and behavior on this site made us think that you are a bot.</p><p>Note: A number of things could be going on here.</p><ul><li>If you are attempting to access this site using an anonymous Private/Proxy network, please disable that and try accessing site again.</li><li>Due to previously detected malicious behavior which originated from the network you\'re using, please request unblock to site.</li></ul><p>Please solve this CAPTCHA to request unblock to the website</p><div class="h-captcha" data-sitekey="ae73173b-7003-44e0-bc87-654d0dab8b75"></div><p>Incident ID: 42ab42ab-cnvj</p></div>',
            )
        ),
    ),
    "LiteSpeed checks with reCAPTCHA": (
        "LiteSpeed: Verifying that you are not a robot..., 403",
        html(
            document(
                "Verifying that you are not a robot...",
                '<div id="ls-recaptcha"><h2>Verifying that you are not a robot...</h2><form id="lsrecaptcha-form" method="POST" action="/.lsrecap/recaptcha?"><div id="recaptchadiv" class="g-recaptcha" data-sitekey="6LewU34UAAAAAHvXqFOcQlm8z1MP1xpGAZCYEeZY"></div><noscript>Please enable javascript to be verified as a human.</noscript></form><p>Powered By LiteSpeed Web Server</p></div>',
            ),
            "Server: LiteSpeed",
            status=403,
        ),
    ),
    "the SEC asks who is there": (
        "SEC.gov: Undeclared Automated Tool, 403",
        html(
            document(
                "SEC.gov | Your Request Originates from an Undeclared Automated Tool",
                '<div id="header"><img alt="SEC" src="data:image/png;base64,iVBOR"></div><h1>Your Request Originates from an Undeclared Automated Tool</h1><p>To allow for equitable access to all users, SEC reserves the right to limit requests originating from undeclared automated tools. Your request has been identified as part of a network of automated tools outside of the acceptable policy and will be managed until action is taken to declare your traffic.</p><p>Please declare your traffic by updating your user agent to include company specific information.</p><p>Reference ID: 0.42ab1702.1764000000.1a2b3c</p>',
            ),
            "Server: AkamaiGHost",
            status=403,
        ),
    ),
    "GitHub has had too many requests": (
        "GitHub: Whoa there!, 429",
        html(
            document(
                "Too many requests · GitHub",
                '<div class="c"><h1>Whoa there!</h1><p>You have exceeded a secondary rate limit.<br><br>Please wait a few minutes before you try again;<br>in some cases this may take up to an hour.</p><div id="suggestions"><a href="https://support.github.com/contact">Contact Support</a> &mdash; <a href="https://githubstatus.com">GitHub Status</a></div></div>',
            ),
            "Server: github.com",
            "Retry-After: 60",
            status=429,
        ),
    ),
    "Hacker News cannot serve so quickly": (
        "news.ycombinator.com: Sorry., 503",
        html(
            '<html><body>Sorry, we\'re not able to serve your requests this quickly. <a href="javascript:window.location.reload()">Reload</a></body></html>',
            "Server: nginx",
            status=503,
        ),
    ),
    "a store of articles asks about robots": (
        "ScienceDirect: Are you a robot?, 403",
        html(
            document(
                "ScienceDirect",
                '<div class="error-card"><div class="logo"><img alt="ScienceDirect"></div><h1>Are you a robot?</h1><p>Please confirm you are a human by completing the captcha challenge below.</p><div id="captcha-box"></div><dl><dt>Reference number:</dt><dd>9c1d2e3f4a5b6c7d</dd><dt>IP Address:</dt><dd>192.0.2.7</dd></dl><footer>Elsevier</footer></div>',
            ),
            "Server: cloudflare",
            "cf-mitigated: challenge",
            status=403,
        ),
    ),
    "a library of journals checks the browser": (
        "JSTOR: Access Check, 403",
        html(
            document(
                "JSTOR: Access Check",
                '<div class="message"><h1>Access Check</h1><p>Our systems have detected unusual traffic activity from your network. Please complete this reCAPTCHA to demonstrate that it\'s you making the requests and not a robot. If you are having trouble seeing or completing this challenge, this page may help.</p><div id="px-captcha"></div><p>Block Reference: #42ab42ab-0000</p><p>©2000-2026 ITHAKA. All Rights Reserved.</p></div>',
            ),
            status=403,
        ),
    ),
    "a shield of Chinese offices answers in a script": (
        "瑞数: 412 with a script that sets a cookie",
        html(
            '<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta content="q8Zk42AbCd" id="9DhefwqGPrzGxEp9hPaoag" r="m"><script type="text/javascript" r=\'m\'>$_ts=window[\'$_ts\'];if(!$_ts)$_ts={};$_ts.nsd=42424;$_ts.cd="qhqErqqDqaqcrkVtoGqn";</script><script type="text/javascript" charset="utf-8" src="/4QbVtADbnLVIc/d.FxJzG50F.4242.js" r=\'m\'></script></head><body></body></html>',
            "Server: nginx",
            "Set-Cookie: FSSBBIl1UgzbN7NO=5a; Path=/; HttpOnly",
            status=412,
        ),
    ),
    "Baidu checks for safety": (
        "百度安全验证: 200",
        html(
            document(
                "百度安全验证",
                '<div class="timeout-title">网络不给力，请稍后重试</div><div class="timeout-button">返回首页</div><div class="timeout-feedback">问题反馈</div><script src="https://ppui-static-wap.cdn.bcebos.com/static/touch/js/mkdjump_v2.js"></script>',
                lang="zh",
            )
        ),
    ),
    "WeChat finds the surroundings odd": (
        "mp.weixin.qq.com: 环境异常, 200",
        html(
            document(
                "微信公众平台",
                '<div class="weui-msg"><div class="weui-msg__icon-area"><i class="weui-icon-warn"></i></div><div class="weui-msg__text-area"><h2 class="weui-msg__title">环境异常</h2><p class="weui-msg__desc">当前环境异常，完成验证后即可继续访问。</p></div><div class="weui-msg__opr-area"><a href="javascript:;" id="js_verify" class="weui-btn weui-btn_primary">去验证</a></div></div>',
                lang="zh",
            )
        ),
    ),
    "Avito limits the access by address": (
        "avito.ru: Доступ ограничен: проблема с IP, 429",
        html(
            document(
                "Доступ ограничен: проблема с IP",
                '<div class="firewall-container"><h2 class="firewall-title">Доступ ограничен: проблема с IP</h2><div class="form-captcha"><p>Нажмите «Продолжить», чтобы снять ограничение. Возможно, в вашей сети работает программа, которая отправляет автоматические запросы.</p><button>Продолжить</button></div></div>',
                lang="ru",
            ),
            "Server: QRATOR",
            status=429,
        ),
    ),
    "Ozon limits the access": (
        "ozon.ru: Доступ ограничен, 403",
        html(
            document(
                "Доступ ограничен",
                "<main><h1>Доступ ограничен</h1><p>Пожалуйста, выключите VPN или подключитесь к другой сети. Если ничего не помогло, напишите нам.</p><p>Код инцидента: fab_42ab42ab</p></main>",
                lang="ru",
            ),
            "Server: nginx",
            status=403,
        ),
    ),
    "an office of Korea blocks by its policy": (
        "Korean offices' firewalls: 보안정책에 의해 차단, 200",
        html(
            document(
                "접근 차단 안내",
                '<div class="block"><h1>접근이 차단되었습니다.</h1><p>요청하신 페이지는 보안정책에 의해 접근이 차단되었습니다.</p><p>정상적인 접속임에도 차단된 경우 관리자에게 문의하여 주시기 바랍니다.</p><p>접속 IP : 192.0.2.7</p></div>',
                lang="ko",
            )
        ),
    ),
    "a portal serves only its country, in Persian": (
        "Iranian offices: دسترسی از خارج از کشور, 403",
        html(
            document(
                "دسترسی محدود شده است",
                "<h1>دسترسی محدود شده است</h1><p>دسترسی به این سامانه از خارج از کشور امکان‌پذیر نیست. لطفاً فیلترشکن خود را خاموش کنید.</p><p>کد خطا: 403</p>",
                lang="fa",
            ),
            status=403,
        ),
    ),
    "a broadcaster does not show the film here, in German": (
        "ARD, ZDF: in Ihrem Land nicht verfügbar, 403",
        html(
            portal(
                "Video nicht verfügbar",
                "<h1>Dieses Video ist in Ihrem Land nicht verfügbar</h1><p>Aus rechtlichen Gründen kann dieses Video nur in Deutschland, Österreich und der Schweiz abgespielt werden.</p>",
                lang="de",
                name="Küsten-TV",
            ),
            status=403,
        ),
    ),
    "a shop of Spain is behind DataDome": (
        "DataDome on Idealista: 403, uso indebido",
        html(
            "<html lang=\"es\"><head><title>idealista.com</title><style>#cmsg{animation: A 1.5s;}</style></head><body style=\"margin:0\"><p id=\"cmsg\">Please enable JS and disable any ad blocker</p><script data-cfasync=\"false\">var dd={'rt':'c','cid':'AHrlq42','hsh':'AC81AADC3279CA4C7B968B717FBB30','t':'bv','s':17156,'host':'geo.captcha-delivery.com'}</script><script data-cfasync=\"false\" src=\"https://ct.captcha-delivery.com/c.js\"></script></body></html>",
            "X-DataDome: protected",
            "Set-Cookie: datadome=42ab; Max-Age=31536000; Path=/",
            status=403,
        ),
    ),
    "a French site is behind a shield and says so": (
        "French portals: Vérification de sécurité, 403",
        html(
            document(
                "Vérification de sécurité",
                "<h1>Vérification de sécurité</h1><p>Nous vérifions que vous n'êtes pas un robot. Cette opération est automatique et votre navigateur sera redirigé vers la page demandée sous peu.</p><noscript>Veuillez activer JavaScript pour continuer.</noscript>",
                lang="fr",
                head='<meta http-equiv="refresh" content="6">',
            ),
            status=403,
        ),
    ),
    "an interface has been asked too often": (
        "api.github.com: 403 with X-RateLimit-Remaining: 0",
        plain(
            '{"message":"API rate limit exceeded for 192.0.2.7. (But here\'s the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)","documentation_url":"https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting"}',
            "X-RateLimit-Remaining: 0",
            "X-RateLimit-Reset: 1764000000",
            status=403,
            kind="application/json; charset=utf-8",
        ),
    ),
    "Akamai wants its script to run": (
        "Akamai Bot Manager: bm-verify, 200",
        html(
            '<html lang="en"><head><meta charset="UTF-8"><meta http-equiv="refresh" content="5; URL=\'/archive/2019/annual-report?bm-verify=AAQAAAAJ_____42ab\'"><title></title></head><body><iframe src="/_sec/cp_challenge/ak-challenge-4-5.htm" style="display:none"></iframe><script>var i = 1764000000;var j = i + Number("4242" + "1700");var xhr = new XMLHttpRequest();xhr.open("POST", "/_sec/verify?provider=interstitial", false);</script><noscript>Please enable JavaScript to view the page content.</noscript></body></html>',
            "Server: AkamaiGHost",
            "Set-Cookie: bm_sc=1; Path=/",
        ),
    ),
}


def _ways() -> Iterator[Case]:
    """Yield pages that send a robot on to a riddle at another host."""
    yield of_truth(
        Truth.WALL,
        "Taobao sends to its slider",
        "Alibaba: 302 to /_____tmd_____/punish",
        {
            "/_____tmd_____/punish?x5secdata=42ab&x5step=1": html(
                document(
                    "验证码拦截",
                    '<div class="warnning-text">通过验证以确保正常访问</div><div id="nocaptcha"></div><div class="bx-feedback">亲，请拖动下方滑块完成验证</div><script src="//g.alicdn.com/sd/punish/waf_block.js"></script>',
                    lang="zh",
                ),
                "Server: Tengine",
            ),
            ELSE: redirect("/_____tmd_____/punish?x5secdata=42ab&x5step=1", "bxpunish: 1"),
        },
    )
    yield of_truth(
        Truth.WALL,
        "a reader of journals is sent to the check of its browser",
        "Oxford Academic, Silverchair: 302 to /crawlprevention/governor",
        {
            "/crawlprevention/governor?content=%2farticle": html(
                plain_site(
                    "Validate User",
                    '<h1>Validate User</h1><p>We are sorry, but we are experiencing unusual traffic at this time. Please help us confirm that you are not a robot and we will take you to your content.</p><form method="post"><div class="g-recaptcha" data-sitekey="6Lc_42"></div><button>Continue</button></form><p>Could not validate captcha. Please try again.</p>',
                    name="Academic",
                )
            ),
            ELSE: redirect("/crawlprevention/governor?content=%2farticle"),
        },
    )


CASES: list[Case] = [
    *(of_truth(Truth.WALL, name, source, only(reply)) for name, (source, reply) in _WALLS.items()),
    *_ways(),
]
