"""Pages that people see and a robot does not: by a status, by a 2xx, by a price."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.year2026_sixth.frames import campus, lone, shell, store

_CLOUDFLARE = ("Server: cloudflare", "CF-RAY: a3c8dee46fe7f288-LHR")
_JSON = "application/json"

_WALLS: dict[str, tuple[str, Reply]] = {
    "an index of packages has a client challenge": (
        "pypi/warehouse issue 17285: Fastly's Client Challenge, 200",
        html(
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Client Challenge</title></head><body><noscript><div class="noscript-container"><div class="noscript-content"><img src="/_fs-ch-1T1wmsGaOgGaSxcX/assets/errorIcon.svg" alt=""><span class="noscript-span">JavaScript is disabled in your browser.</span> Please enable JavaScript to proceed.</div></div></noscript><div id="loading-error">A required part of this site couldn’t load. This may be due to a browser extension, network issues, or browser settings.</div><script src="/_fs-ch-1T1wmsGaOgGaSxcX/script.js?reload=true"></script></body></html>',
            "X-Served-By: cache-lhr-egll1980042-LHR",
        ),
    ),
    "Cloudflare asks a price for each page": (
        "Cloudflare pay per crawl: 402 with crawler-price",
        Reply(
            status=402,
            headers=(*_CLOUDFLARE, "crawler-price: USD 0.01", "Content-Type: text/plain"),
            body=b"Payment required to access this resource.",
        ),
    ),
    "Cloudflare tells crawlers whom to ask": (
        "Cloudflare AI Crawl Control: custom 402 responses",
        plain(
            '{ "message": "Please contact the site owner for access." }',
            *_CLOUDFLARE,
            status=402,
            kind=_JSON,
        ),
    ),
    "Cloudflare forbids the crawler by name": (
        "Cloudflare pay per crawl: CrawlerForbidden, 403",
        Reply(status=403, headers=(*_CLOUDFLARE, "crawler-error: CrawlerForbidden")),
    ),
    "an endpoint asks for coins": (
        "x402: payment requirements in JSON, 402",
        plain(
            '{"x402Version":1,"error":"X-PAYMENT header is required","accepts":[{"scheme":"exact","network":"base","maxAmountRequired":"10000","resource":"http://$HOST/","payTo":"0x42"}]}',
            status=402,
            kind=_JSON,
        ),
    ),
    "Cloudflare performs a security verification": (
        "zeek/zeek issue 5819: Performing security verification, 403",
        html(
            lone(
                "Just a moment...",
                "<div class='main-wrapper'><h1>$HOST</h1><h2>Performing security verification</h2><p>This website uses a security service to protect against malicious bots. This page is displayed while the website verifies you are not a bot.</p><noscript>Enable JavaScript and cookies to continue</noscript></div><script>window._cf_chl_opt={cType:'managed'}</script>",
            ),
            *_CLOUDFLARE,
            "cf-mitigated: challenge",
            status=403,
        ),
    ),
    "Cloudflare challenges with a 429": (
        "zeek/zeek issue 5819: 429 with a challenge",
        html(
            lone(
                "Just a moment...",
                "<noscript>Enable JavaScript and cookies to continue</noscript><script>window._cf_chl_opt={cType:'non-interactive'}</script>",
            ),
            *_CLOUDFLARE,
            "cf-mitigated: challenge",
            status=429,
        ),
    ),
    "Anubis denies with a 200": (
        "Anubis 1.26: a denial is a 200 unless configured",
        html(
            lone(
                "Oh noes!",
                "<h1>Oh noes!</h1><img src='/.within.website/x/cmd/anubis/static/img/reject.webp?cacheBuster=1.26.2' alt='Anubis is upset'><p>Access Denied: error code 42ab.</p><p><a href='/'>Go home</a></p><footer>Protected by Anubis from Techaro.</footer>",
                head='<meta name="robots" content="noindex,nofollow">',
            )
        ),
    ),
    "Anubis challenges in German": (
        "Anubis: locales, de",
        html(
            lone(
                "Ich stelle sicher, dass du kein Bot bist!",
                "<h1>Ich stelle sicher, dass du kein Bot bist!</h1><p id='status'>Lade...</p><script id='anubis_version' type='application/json'>\"1.23.1\"</script><script id='anubis_challenge' type='application/json'>{\"rules\":{\"algorithm\":\"fast\",\"difficulty\":4}}</script><noscript>Leider musst du JavaScript aktivieren, um diese Überprüfung zu bestehen.</noscript>",
                lang="de",
                head='<meta name="robots" content="noindex,nofollow">',
            )
        ),
    ),
    "Anubis challenges without a script": (
        "Anubis: metarefresh challenge, 200",
        html(
            lone(
                "Making sure you're not a bot!",
                "<h1>Making sure you're not a bot!</h1><p id='status'>Loading...</p><p>Please wait a moment while we ensure the security of your connection.</p>",
                head='<meta http-equiv="refresh" content="2; url=/.within.website/x/cmd/anubis/api/pass-challenge?challenge=42ab&redir=%2F">',
            )
        ),
    ),
    "Anubis challenges with a 503": (
        "omicron pull request 66: Anubis set to answer 503",
        html(
            lone(
                "Making sure you're not a bot!",
                "<h1>Making sure you're not a bot!</h1><p id='status'>Loading...</p><script id='anubis_challenge' type='application/json'>{\"rules\":{\"algorithm\":\"preact\"}}</script>",
            ),
            status=503,
        ),
    ),
    "a network of delivery in Chinese is a teapot for strangers": (
        "is-antibot: Douban's pictures, 418 with thirteen bytes",
        Reply(
            status=418,
            headers=("Content-Type: image/jpeg", "Server: marco/3.2", "X-Cache-Status: MISS"),
            body=b"cdn error 001",
        ),
    ),
    "a gallery of designers forbids in one word": (
        "is-antibot: Dribbble, 403, text/plain",
        plain(
            "Forbidden\n",
            "Server: nginx",
            "X-Cache: Error from cloudfront",
            status=403,
        ),
    ),
    "a network in Chinese lets visitors in by a script": (
        "is-antibot: Sina Visitor System, 200",
        html(
            '<!DOCTYPE html>\n<html>\n<head>\n<meta http-equiv="Content-type" content="text/html; charset=utf-8"/>\n<title>Sina Visitor System</title>\n</head>\n<body>\n<span id="message"></span>\n<script type="text/javascript" src="/js/visitor/mini_original.js?v=20161116"></script>\n<script type="text/javascript">window.use_fp = "1" == "1"; var url = url || {};</script>\n</body>\n</html>',
            "Server: APISIX/3.14.1",
        ),
    ),
    "a guide to homes has had enough": (
        "is-antibot: Houzz, 429",
        html(
            lone("Too Many Requests", "<h1>Too Many Requests</h1>"),
            status=429,
        ),
    ),
    "a link aggregator wants a verification": (
        "is-antibot: Reddit, Please wait for verification, 200",
        html(
            lone(
                "Reddit - Please wait for verification",
                '<form method="GET"><input type="hidden" name="solution"><input type="hidden" name="js_challenge" value="1"><input type="hidden" name="token" value="42ab"></form><script>document.forms[0].submit()</script>',
            )
        ),
    ),
    "a video wants a sign-in to show that one is no bot": (
        "yt-dlp issues: Sign in to confirm you’re not a bot, 200",
        html(
            '<!DOCTYPE html><html lang="en"><head><title> - YouTube</title></head><body><script>var ytInitialPlayerResponse = {"playabilityStatus":{"status":"LOGIN_REQUIRED","reason":"Sign in to confirm you’re not a bot"}};</script><div id="player"></div></body></html>',
            "Server: ESF",
        ),
    ),
    "a site in Chinese wants a slider of GeeTest": (
        "is-antibot: GeeTest, 200",
        html(
            lone(
                "安全验证",
                "<h1>请完成安全验证</h1><div id='captcha'></div><script src='https://static.geetest.com/v4/gt4.js'></script><script>initGeetest4({captchaId:'42ab'},function(c){c.appendTo('#captcha')})</script>",
                lang="zh",
            )
        ),
    ),
    "a site in Chinese wants a captcha of Tencent": (
        "is-antibot: qcloud-captcha, 200",
        html(
            lone(
                "访问验证",
                "<p>当前访问人数较多，请完成验证后继续</p><script src='https://turing.captcha.qcloud.com/TJCaptcha.js'></script><script>new TencentCaptcha('4242',function(){location.reload()}).show()</script>",
                lang="zh",
            )
        ),
    ),
    "a catalogue in German wants a friendly captcha": (
        "is-antibot: Friendly Captcha, 200",
        html(
            lone(
                "Sicherheitsabfrage",
                "<h1>Einen Moment bitte</h1><p>Wegen vieler automatischer Zugriffe prüfen wir kurz, ob Sie ein Mensch sind.</p><form method='post'><div class='frc-captcha' data-sitekey='FCMG42' data-start='auto' data-callback='go'></div></form><script src='https://cdn.example/friendly-challenge@0.9.18/widget.module.min.js' type='module'></script>",
                lang="de",
            )
        ),
    ),
    "a shop wants a puzzle of Arkose": (
        "is-antibot: funcaptcha, 403",
        html(
            lone(
                "Verify you are human",
                "<h1>Protecting our customers</h1><p>Please solve the puzzle so we know you are a real person.</p><script src='https://client-api.arkoselabs.com/v2/42AB/api.js' data-callback='setup' async defer></script>",
            ),
            status=403,
        ),
    ),
    "a host's captcha comes by a refresh and a 202": (
        "SiteGround: sg-captcha, 202",
        html(
            '<html><head><link rel="icon" href="data:;"><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F&y=ipc:192.0.2.7:1764000000.42"></meta></head></html>',
            "SG-Captcha: challenge",
            "Server: nginx",
            status=202,
        ),
    ),
    "a host's captcha comes by a refresh and a 200": (
        "readers of shops: SiteGround's captcha, 200 with 221 bytes",
        html(
            '<html><head><link rel="icon" href="data:;"><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2Fp%2F42&y=ipr:192.0.2.7:1764000000.42"></meta></head></html>'
        ),
    ),
    "Sucuri is redirecting by a script": (
        "Sucuri CloudProxy: You are being redirected..., 200",
        html(
            "<html><title>You are being redirected...</title>\n<noscript>Javascript is required. Please enable javascript before you are allowed to see this page.</noscript>\n<script>var s={},u,c,U,r,i,l=0,a,e=eval,w=String.fromCharCode,sucuri_cloudproxy_js='',S='dD0=';L=S.length;</script></html>",
            "Server: Sucuri/Cloudproxy",
            "X-Sucuri-ID: 15042",
        ),
    ),
    "a proxy checks the browser for robots": (
        "haproxy-protection, BasedFlare: Hold on..., 403",
        html(
            lone(
                "Hold on...",
                "<h3 class='pt'>Checking your browser for robots 🤖</h3><noscript><p class='red'>JavaScript is required on this page.</p></noscript><div class='powimg'></div><footer>Performance &amp; security by BasedFlare</footer>",
            ),
            status=403,
        ),
    ),
    "a news agency says 401 to robots": (
        "Reuters: DataDome, 401",
        html(
            "<html lang=\"en\"><head><title>reuters.com</title><style>#cmsg{animation: A 1.5s;}</style></head><body style=\"margin:0\"><p id=\"cmsg\">Please enable JS and disable any ad blocker</p><script data-cfasync=\"false\">var dd={'rt':'c','cid':'42ab','hsh':'2013457A','t':'bv','host':'geo.captcha-delivery.com'}</script><script data-cfasync=\"false\" src=\"https://ct.captcha-delivery.com/c.js\"></script></body></html>",
            "Server: DataDome",
            "X-DataDome: protected",
            status=401,
        ),
    ),
    "an agency of money asks whether one is a robot": (
        "Bloomberg: Are you a robot?, 403",
        html(
            lone(
                "Bloomberg - Are you a robot?",
                "<h1>We've detected unusual activity from your computer network</h1><p>To continue, please click the box below to let us know you're not a robot.</p><div id='px-captcha'></div><p>Block reference ID: 42ab</p>",
            ),
            status=403,
        ),
    ),
    "a board of jobs has a security check": (
        "Indeed: Security Check, 403",
        html(
            lone(
                "Security Check - Indeed.com",
                "<h1>Additional Verification Required</h1><p>Your Ray ID for this request is a3c8dee4</p><script>window._cf_chl_opt={cType:'managed'}</script>",
            ),
            *_CLOUDFLARE,
            status=403,
        ),
    ),
    "a site about employers asks for help": (
        "Glassdoor: Help Us Protect Glassdoor, 403",
        html(
            lone(
                "Security | Glassdoor",
                "<h1>Help Us Protect Glassdoor</h1><p>Please help us protect Glassdoor by verifying that you're a real person. We are sorry for the inconvenience.</p>",
            ),
            *_CLOUDFLARE,
            status=403,
        ),
    ),
    "a seller of tickets put the browsing to rest": (
        "Ticketmaster: Your Browsing Activity Has Been Paused, 403",
        html(
            lone(
                "ticketmaster",
                "<h1>Your Browsing Activity Has Been Paused</h1><p>We've detected unusual behavior from your network or browser.</p>",
            ),
            status=403,
        ),
    ),
    "a list of small ads blocked the address": (
        "craigslist: This IP has been automatically blocked, 403",
        html(
            "<html><head><title>blocked</title></head><body>This IP has been automatically blocked.<br>If you have questions, please email: blocks-42ab@craigslist.example<br></body></html>",
            status=403,
        ),
    ),
    "a guide to restaurants does not allow it": (
        "Yelp, before another shield: Sorry, you’re not allowed to access this page., 503",
        html(
            lone(
                "Yelp",
                "<h1>Sorry, you're not allowed to access this page.</h1><p>Your IP address is 192.0.2.7. Want to learn more? Please contact support.</p>",
            ),
            status=503,
        ),
    ),
    "Alibaba's firewall blocks with 405": (
        "Alibaba Cloud WAF: 405, potential threats",
        html(
            '<!doctypehtml><html lang="zh-cn"><meta charset="utf-8"><title>405</title><body><div id="block_message"></div><script>(function(){var en="Sorry, your request has been blocked as it may cause potential threats to the server\'s security.",zh="很抱歉，由于您访问的URL有可能对网站造成安全威胁，您的访问被阻断。";document.getElementById("block_message").innerText=zh;})();</script><p>您的请求ID是: 42ab</p></body></html>',
            "Server: Tengine",
            status=405,
        ),
    ),
    "a Russian shield frames a captcha": (
        "ServicePipe: id_captcha_frame_div, 200",
        html(
            '<!doctype html><html lang="ru"><head><meta charset="utf-8"><title></title><script>get_cookie_spsc_encrypted_part=1</script></head><body><noscript>Для продолжения включите JavaScript</noscript><div id="id_spinner" class="container"><div class="load_container"></div></div><div id="id_captcha_frame_div" style="display:none"><iframe id="id_captcha_frame"></iframe></div></body></html>',
            "Server: servicepipe.ru",
        ),
    ),
    "a portal of Mexico validates a challenge": (
        "gob.mx: Challenge Validation, 200",
        html(
            lone(
                "Challenge Validation",
                "<div class='spinner'></div><script src='/_sec/cp_challenge/sec-4-4.js' async defer></script><script>if(window.sec_cpt){}</script>",
                lang="es",
            )
        ),
    ),
    "offices of India serve only their country": (
        "NIC of India: geo-fenced sites, 403",
        html(
            lone(
                "Access Restricted",
                "<h1>Access Restricted</h1><p>This website is not accessible from your location. Access is allowed from within India only.</p>",
            ),
            status=403,
        ),
    ),
    "a forge asks to retry later": (
        "rack-attack: Retry later, 429",
        plain("Retry later\n", status=429),
    ),
    "an index of crates wants a name of the agent": (
        "crates.io: data access policy, 403",
        plain(
            "We are unable to process your request at this time. This usually means that you are in violation of our API data access policy (https://crates.io/data-access). Please email help@crates.io and mention the request id 42ab",
            status=403,
        ),
    ),
    "a map blocks by its policy of use": (
        "Nominatim: usage policy, 403",
        html(
            "<html>\n<head>\n<title>Access blocked</title>\n</head>\n<body>\n<h1>Access blocked</h1>\n<p>You have been blocked because you have violated the <a href='https://operations.osmfoundation.org/policies/nominatim/'>usage policy</a> of OSM's Nominatim geocoding service.</p>\n</body>\n</html>",
            status=403,
        ),
    ),
    "a library of medicine blocked the address for misuse": (
        "NCBI: Access Denied, temporarily blocked, 403",
        html(
            lone(
                "NCBI - WWW Error Blocked Diagnostic",
                "<h1>Access Denied</h1><p>Your access to the NCBI website at www.ncbi.nlm.nih.gov has been temporarily blocked due to a possible misuse/abuse situation involving your site. This is not an indication of a security issue such as a virus or attack.</p>",
            ),
            status=403,
        ),
    ),
    "a store of preprints does not like the client": (
        "arXiv: Sadly, your client violates the automated access guidelines, 403",
        html(
            lone(
                "Access Denied",
                '<h1>Access Denied</h1><p>Sadly, your client "Linkwatch/1.0" violates the automated access guidelines posted at arxiv.org, and is consequently excluded.</p>',
            ),
            status=403,
        ),
    ),
    "an archive of the web limits the visits": (
        "web.archive.org: 429 Too Many Requests",
        html(
            lone(
                "429 Too Many Requests",
                "<h1>Too Many Requests</h1><p>We are limiting the number of URLs you can request from the Wayback Machine in a minute. Please wait.</p>",
            ),
            "Retry-After: 60",
            status=429,
        ),
    ),
    "a shop's shell asks for its own human check": (
        "shops of headless make: a challenge within the application, 200",
        html(
            shell(
                "Checking…",
                "<div class='gate'><h1>Are you human?</h1><p>Confirm that you are not a robot to continue to the shop.</p><button id='human'>I'm not a robot</button></div>",
            )
        ),
    ),
}


def _ways() -> Iterator[Case]:
    """Yield walls that are met on another page or another host."""
    yield of_truth(
        Truth.WALL,
        "a big shop sends to its page for blocked visitors",
        "Walmart: 307 to /blocked, Robot or human?, 200",
        {
            "/blocked?url=L2lw&uuid=42ab": html(
                store(
                    "Robot or human?",
                    "<h1>Robot or human?</h1><p>Activate and hold the button to confirm that you’re human. Thank You!</p><div id='px-captcha'></div>",
                )
            ),
            ELSE: redirect("/blocked?url=L2lw&uuid=42ab", status=307),
        },
        path="/ip/4242424",
    )
    yield of_truth(
        Truth.WALL,
        "a shield sends to its challenge",
        "BunkerWeb: antibot, 302 to /challenge",
        {
            "/challenge": html(
                lone(
                    "Bot Detection",
                    "<h1>Please wait while we check if you are a Human 🤖</h1><noscript>Please enable JavaScript</noscript><p>Protected by BunkerWeb</p>",
                )
            ),
            ELSE: redirect("/challenge", "Set-Cookie: bw_session=42ab; Path=/; HttpOnly"),
        },
        path="/orchard/sorts/42",
    )
    yield of_truth(
        Truth.WALL,
        "an identifier leads to a publisher that challenges",
        "doi.org: 302 to a publisher behind Cloudflare",
        only(redirect("http://journals.pomology-press.example:PORT/doi/10.5555/pear.42")),
        path="/10.5555/pear.42",
        others={
            "journals.pomology-press.example": only(
                html(
                    lone(
                        "Just a moment...",
                        "<noscript>Enable JavaScript and cookies to continue</noscript><script>window._cf_chl_opt={cType:'managed'}</script>",
                    ),
                    *_CLOUDFLARE,
                    "cf-mitigated: challenge",
                    status=403,
                )
            )
        },
    )
    yield of_truth(
        Truth.WALL,
        "a portal of a university has a queue for its catalogue",
        "DSpace and VuFind behind a home-made check of cookies, 200",
        only(
            html(
                campus(
                    "Access check",
                    "<h1>Checking your connection</h1><p>Because of heavy crawling by AI bots we verify each new visitor. This takes a few seconds.</p><script>document.cookie='human=1;path=/';location.reload()</script>",
                )
            )
        ),
        path="/handle/1892/424",
    )


CASES: list[Case] = [
    *(of_truth(Truth.WALL, name, source, only(reply)) for name, (source, reply) in _WALLS.items()),
    *_ways(),
]
