"""Pages that people see and a robot does not: challenges, firewalls, limits, regions."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator
from urllib.parse import quote

from tests.zoo.server import Visit
from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.year2026_tenth.frames import ROBOTS, alone, app, news, office, store

_WALLS: dict[str, tuple[str, Reply]] = {
    "an encyclopedia of films behind the silent challenge of AWS": (
        "germondai/trawl pull request 82: 202 with x-amzn-waf-action: challenge, an empty body",
        Reply(
            status=202,
            headers=("Content-Type: text/html; charset=UTF-8", "x-amzn-waf-action: challenge"),
        ),
    ),
    "a store behind the puzzle of AWS": (
        "germondai/trawl pull request 82: 405 with x-amzn-waf-action: captcha",
        html(
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Human Verification</title>\n<script>window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQIDAHj1904"};</script>\n<script src="https://1904.token.awswaf.example/challenge.js"></script>\n</head>\n<body><div id="captcha-container"></div><noscript><h1>JavaScript is disabled</h1>In order to continue, we need to verify that you\'re not a robot.</noscript></body>\n</html>\n',
            "x-amzn-waf-action: captcha",
            status=405,
        ),
    ),
    "a support forum whose challenge comes with a 200": (
        "mozilla/sumo issue 3208: the challenge responds with 200 OK",
        html(
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title></title>\n<script>window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQIDAHj1904","iv":"CgAH","context":"1904"};</script>\n<script src="https://1904.token.awswaf.example/1904/challenge.js"></script>\n</head>\n<body><div id="challenge-container"></div><script>AwsWafIntegration.checkForceRefresh().then(() => AwsWafIntegration.getToken());</script><noscript><h1>JavaScript is disabled</h1>In order to continue, we need to verify that you\'re not a robot. This requires JavaScript.</noscript></body>\n</html>\n'
        ),
    ),
    "a toy shop behind Incapsula with a 200": (
        "cmintey/wishlist pull request 770: behind Incapsula, the challenge page comes back as HTTP 200",
        html(
            '<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"><meta name="format-detection" content="telephone=no"><script src="/_Incapsula_Resource?SWJIYLWA=1904"></script></head><body style="margin:0px;height:100%"><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=23&xinfo=1904&incident_id=1904-7" frameborder=0 width="100%" height="100%">Request unsuccessful. Incapsula incident ID: 1904-7</iframe></body></html>',
            "X-Iinfo: 19-04-7",
            "X-CDN: Imperva",
        ),
    ),
    "an airline pardons its interruption": (
        "Imperva: Pardon Our Interruption, As you were browsing something about your browser made us think you were a bot, 200",
        html(
            alone(
                "Pardon Our Interruption",
                "<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen:</p><ul><li>You're a power user moving through this website with super-human speed.</li><li>You've disabled cookies in your web browser.</li></ul>",
            )
        ),
    ),
    "a seller of shoes denies access to a page": (
        "HUMAN (PerimeterX): Access to this page has been denied, 403",
        html(
            alone(
                "Access to this page has been denied",
                "<h1>Before we continue...</h1><p>Press & Hold to confirm you are a human (and not a bot).</p><div id='px-captcha'></div><p>Reference ID #1904-7</p>",
                more='<script>window._pxAppId="PX1904";window._pxJsClientSrc="/PX1904/init.js";</script>\n',
            ),
            status=403,
        ),
    ),
    "a discussion network blocks by network security": (
        "Reddit: You've been blocked by network security, 403",
        html(
            alone(
                "Blocked",
                "<h1>whoa there, pardner!</h1><p>You've been blocked by network security.</p><p>To continue, log in to your account or use your developer token. If you think you've been blocked by mistake, file a ticket below.</p>",
            ),
            status=403,
        ),
    ),
    "a search engine sees unusual traffic": (
        "Google: Our systems have detected unusual traffic from your computer network, /sorry/, 429",
        html(
            "<html><head><title>http://$HOST/</title></head><body><form id='captcha-form' action='index' method='post'><div id='recaptcha' class='g-recaptcha' data-sitekey='6Lf1904'></div></form><hr>Our systems have detected unusual traffic from your computer network. This page checks to see if it's really you sending the requests, and not a robot.</body></html>",
            status=429,
        ),
    ),
    "a map service in Russian shows its captcha": (
        "Яндекс: Вы не робот?, SmartCaptcha, 200",
        html(
            alone(
                "Вы не робот?",
                "<form action='/checkcaptcha' method='POST'><h1>Подтвердите, что запросы отправляли вы, а не робот</h1><p>Нам очень жаль, но запросы с вашего устройства похожи на автоматические.</p><div class='CheckboxCaptcha'><input type='submit' id='js-button' aria-label='Я не робот'></div></form>",
                lang="ru",
            )
        ),
    ),
    "a firewall of F5 rejects the address": (
        "F5 BIG-IP ASM: The requested URL was rejected. Please consult with your administrator., 200",
        html(
            "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1904190419041904<br><br><a href='javascript:history.back();'>[Go Back]</a></body></html>"
        ),
    ),
    "a firewall for IIS raises its alert": (
        "WebKnight: WebKnight Application Firewall Alert, 999 No Hacking, named in wafw00f",
        html(
            "<html><head><title>WebKnight Application Firewall Alert</title></head><body><h1>WebKnight Application Firewall Alert</h1><p>Your request triggered an alert! If you feel that you have received this page in error, please contact the administrator of this web site.</p><h2>What is WebKnight?</h2><p>AQTRONIX WebKnight is an application firewall for web servers.</p></body></html>",
            "Server: WWW Server/1.1",
            status=999,
        ),
    ),
    "a rule of Cloudflare denies access": (
        "Cloudflare: Error 1020, Access denied, 403",
        html(
            alone(
                "Access denied | $HOST used Cloudflare to restrict access",
                "<h1>Error 1020</h1><h2>Access denied</h2><p>What happened? This website is using a security service to protect itself from online attacks.</p><p>Ray ID: 1904abcd</p>",
            ),
            "Server: cloudflare",
            status=403,
        ),
    ),
    "Cloudflare says that one is rate limited": (
        "Cloudflare: Error 1015, You are being rate limited, 429",
        html(
            alone(
                "Access denied | $HOST used Cloudflare to restrict access",
                "<h1>Error 1015</h1><h2>You are being rate limited</h2><p>The owner of this website ($HOST) has banned you temporarily from accessing this website.</p>",
            ),
            "Server: cloudflare",
            status=429,
        ),
    ),
    "a challenge of Cloudflare in German": (
        "Cloudflare: Nur einen Moment…, 403",
        html(
            alone(
                "Nur einen Moment…",
                "<h1>$HOST</h1><p>Bestätigen Sie, dass Sie ein Mensch sind, indem Sie die folgende Aktion durchführen.</p><p>$HOST muss die Sicherheit Ihrer Verbindung überprüfen, bevor Sie fortfahren können.</p>",
                lang="de",
            ),
            "Server: cloudflare",
            "cf-mitigated: challenge",
            status=403,
        ),
    ),
    "a challenge of Cloudflare in Japanese": (
        "Cloudflare: しばらくお待ちください..., 403",
        html(
            alone(
                "しばらくお待ちください...",
                "<h1>$HOST</h1><p>人間であることを確認します。これには数秒かかる場合があります。</p><p>続行する前に、$HOST は接続のセキュリティを確認する必要があります。</p>",
                lang="ja",
            ),
            "Server: cloudflare",
            "cf-mitigated: challenge",
            status=403,
        ),
    ),
    "Anubis in French weighs a reader of an archive": (
        "TecharoHQ/anubis: lib/localization/locales/fr.json, making_sure_not_bot",
        html(
            alone(
                "Vérification que vous n'êtes pas un robot !",
                "<h1 id='title'>Vérification que vous n'êtes pas un robot !</h1><p id='status'>Chargement...</p><details><summary>Pourquoi je vois ceci ?</summary><p>Vous voyez ceci car l'administrateur de ce site web a configuré Anubis pour protéger le serveur contre le fléau des entreprises d'IA qui scrapent agressivement les sites web.</p></details><script id='anubis_challenge' type='application/json'>{\"rules\":{\"algorithm\":\"fast\",\"difficulty\":4}}</script>",
                lang="fr",
            )
        ),
    ),
    "Anubis stands before the feed of a blog": (
        "TecharoHQ/anubis issue 721: Making sure you're not a bot!, instead of index.xml",
        html(
            '<!doctype html><html><head><title>Making sure you&#39;re not a bot!</title><link rel="stylesheet" href="/.within.website/x/xess/xess.min.css?cachebuster=1.15.2"></head><body id="top"><main><h1 id="title" class="centered-div">Making sure you&#39;re not a bot!</h1><p id="status">Loading...</p><noscript><p>Sadly, you must enable JavaScript to get past this challenge.</p></noscript></main></body></html>'
        ),
    ),
    "a wiki of documents checks for bots with a plugin": (
        "splitbrain/botcheck, named in linkchecker/linkchecker issue 926: a page that sets a cookie",
        html(
            alone(
                "Checking your browser",
                "<p>We need to check that you are not a bot. This only takes a second.</p><script>document.cookie='botcheck=1904;path=/';location.reload();</script><noscript>Please enable JavaScript and cookies.</noscript>",
            ),
            status=403,
        ),
    ),
    "a host in Bulgaria asks for a small proof": (
        "SiteGround: Robot Challenge Screen, sgcaptcha, 202",
        html(
            '<html><head><link rel="icon" href="data:;"><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2Fposts%2Ftram&y=ipc:192.0.2.7:1904"></head></html>',
            "SG-Captcha: challenge",
            status=202,
        ),
    ),
    "a shield of China sends a script instead of a page": (
        "加速乐 (Jiasule): 521 with a script that sets __jsl_clearance",
        html(
            "<script>document.cookie=('_')+('_')+('j')+('s')+('l')+('_')+('clearance')+('=1904|-1|x');location.href=location.pathname+location.search</script>",
            "Set-Cookie: __jsluid_h=1904; path=/",
            status=521,
        ),
    ),
    "a shield of China takes a visit for an attack": (
        "创宇盾: 当前访问疑似黑客攻击，已被网站管理员设置为拦截",
        html(
            alone(
                "创宇盾",
                "<h1>当前访问疑似黑客攻击，已被网站管理员设置为拦截</h1><p>事件编号：1904-7</p>",
                lang="zh",
            ),
            status=405,
        ),
    ),
    "an encyclopedia of China asks for a slide": (
        "百度安全验证: 请完成下方验证后继续操作, 200",
        html(
            alone(
                "百度安全验证",
                "<div class='timeout-title'>网络不给力，请稍后重试</div><p>请完成下方验证后继续操作</p><div class='vcode-spin'></div>",
                lang="zh",
            )
        ),
    ),
    "a portal of Korea limits an address": (
        "포털: 비정상적인 접근이 감지되어 접속이 일시적으로 제한되었습니다, 403",
        html(
            office(
                "접속 제한 안내",
                "<h1>서비스 접속이 일시적으로 제한되었습니다</h1><p>비정상적인 접근이 감지되었습니다. 자동입력 방지문자를 입력해 주세요.</p><img src='/captcha/1904.png' alt='보안문자'>",
                lang="ko",
            ),
            status=403,
        ),
    ),
    "a market in Spanish sees suspicious traffic": (
        "Mercado Libre: Hemos detectado tráfico sospechoso, 403",
        html(
            store(
                "Verificación",
                "<h1>Para continuar, confirma que no eres un robot</h1><p>Detectamos tráfico inusual desde tu conexión.</p><div class='h-captcha' data-sitekey='1904'></div>",
                lang="es",
            ),
            status=403,
        ),
    ),
    "a Dutch shop slows requests down": (
        "webwinkels: Te veel verzoeken, 429",
        html(
            alone(
                "Te veel verzoeken",
                "<h1>Rustig aan!</h1><p>U heeft te veel pagina's in korte tijd opgevraagd. Probeer het over een minuut opnieuw.</p>",
                lang="nl",
            ),
            "Retry-After: 60",
            status=429,
        ),
    ),
    "an application firewall in Polish blocks a request": (
        "zapory WAF: Twoje zapytanie zostało zablokowane, 403",
        html(
            alone(
                "Dostęp zablokowany",
                "<h1>Twoje zapytanie zostało zablokowane przez zaporę aplikacyjną</h1><p>Jeśli uważasz, że to błąd, podaj administratorowi numer 1904-7.</p>",
                lang="pl",
            ),
            status=403,
        ),
    ),
    "a limit of a plugin counts page requests": (
        "Wordfence: You have exceeded the maximum number of page requests per minute for humans/crawlers, 503",
        html(
            alone(
                "Your access to this site has been temporarily limited by the site owner",
                "<h1>Your access to this site has been temporarily limited by the site owner</h1><p>Reason: Exceeded the maximum number of page requests per minute for crawlers.</p><p>Generated by Wordfence</p>",
            ),
            "Retry-After: 1800",
            status=503,
        ),
    ),
    "a broadcaster of Japan serves its own country only": (
        "TVer, NHK: 日本国外からはご利用になれません, 403",
        html(
            app(
                "ご利用いただけません",
                "<p>このサービスは日本国内でのみご利用いただけます。お客様の地域からはアクセスできません。</p>",
                lang="ja",
            ),
            status=403,
        ),
    ),
    "a media library in German is not for this country": (
        "Mediatheken: Dieses Video ist in Ihrem Land leider nicht verfügbar, 403",
        html(
            app(
                "Nicht verfügbar",
                "<p>Aus rechtlichen Gründen kann dieser Inhalt nur innerhalb Deutschlands abgerufen werden.</p>",
                lang="de",
            ),
            status=403,
        ),
    ),
    "a forum closes itself to a kingdom for its law": (
        "small forums and the Online Safety Act, 2025: not available to visitors from the UK, 451",
        html(
            alone(
                "Not available in the United Kingdom",
                "<h1>Not available in the United Kingdom</h1><p>Because of the Online Safety Act we have to block visitors from your country.</p>",
            ),
            status=451,
        ),
    ),
    "a radio's streams are licensed for other countries": (
        "radio portals: Due to licensing restrictions this content is not available in your country, 451",
        plain(
            '{"error":"GEO_BLOCKED","message":"Due to licensing restrictions this content is not available in your country."}',
            status=451,
            kind="application/json",
        ),
    ),
    "a state portal of Russia is not opened from abroad": (
        "госпорталы: Доступ из вашей страны ограничен, 403",
        html(
            alone(
                "Доступ ограничен",
                "<h1>Доступ к сайту из вашей страны ограничен</h1><p>Если вы используете VPN, отключите его и обновите страницу.</p>",
                lang="ru",
            ),
            status=403,
        ),
    ),
}
_WITH_ROBOTS = {
    "a toy shop behind Incapsula with a 200",
    "Anubis in French weighs a reader of an archive",
    "Anubis stands before the feed of a blog",
    "a discussion network blocks by network security",
    "a challenge of Cloudflare in German",
    "a market in Spanish sees suspicious traffic",
}


def _ways() -> Iterator[Case]:
    yield of_truth(
        Truth.WALL,
        "a console of an AI service bounces a client until it gives up",
        "mondoohq/mql pull request 9801: bounces into a login flow which the checker follows until it gives up",
        {
            "/robots.txt": ROBOTS,
            ELSE: lambda visit, times: redirect(f"/self-service/browser?flow={times}"),
        },
        path="/api-keys",
    )
    yield of_truth(
        Truth.WALL,
        "a seller of tickets lets visitors wait in a queue at another host",
        "Queue-it: 302 to a queue with c=, e= and t=, You are now in line, 200",
        {
            "/robots.txt": ROBOTS,
            ELSE: redirect("http://queue-of-tickets-ten.example:PORT/?c=arena&e=final2026"),
        },
        path="/event/final",
        others={
            "queue-of-tickets-ten.example": only(
                html(
                    alone(
                        "Queue-it",
                        "<h1>You are now in line</h1><p>When it is your turn, you will have 10 minutes to enter the website. Number of users in line ahead of you: 1904</p>",
                    )
                )
            )
        },
    )
    yield of_truth(
        Truth.WALL,
        "a newspaper in Portuguese leads to a check with a puzzle",
        "jornais: 302 para /verificacao, Confirme que não é um robô, 403",
        {"/robots.txt": ROBOTS, ELSE: _checked},
        path="/noticia/7",
    )


def _checked(visit: Visit, _times: int) -> Reply:
    """Lead every address to a check that keeps the address in its query."""
    if not visit.target.startswith("/verificacao"):
        return redirect("/verificacao?url=" + quote(visit.target, safe=""))
    return html(
        news(
            "Verificação de segurança",
            "<h1>Confirme que não é um robô</h1><div class='cf-turnstile' data-sitekey='0x1904'></div>",
            lang="pt",
        ),
        status=403,
    )


def _around(name: str, reply: Reply) -> dict[str, Reply]:
    return {"/robots.txt": ROBOTS, ELSE: reply} if name in _WITH_ROBOTS else {ELSE: reply}


CASES: list[Case] = [
    *(
        of_truth(Truth.WALL, name, source, _around(name, reply))
        for name, (source, reply) in _WALLS.items()
    ),
    *_ways(),
]
