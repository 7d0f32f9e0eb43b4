"""Pages that people see and a robot does not: refusals, checks of browsers, questions, queues."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.year2026_seventh.frames import alone, app, counter, office

_CLOUDFLARE = ("Server: cloudflare", "CF-RAY: 93f1864abcde0042-LHR")


def _just_a_moment(title: str, line: str, lang: str = "en") -> str:
    return alone(
        title,
        f"<div class='main-wrapper' role='main'><div class='main-content'><noscript><div class='h2'><span id='challenge-error-text'>{line}</span></div></noscript></div></div><script>(function(){{window._cf_chl_opt = {{cvId: '3',cZone: '$HOST',cType: 'managed'}};var a = document.createElement('script');a.src = '/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=93f1864abcde0042';document.getElementsByTagName('head')[0].appendChild(a);}}());</script>",
        lang=lang,
        head='<meta name="robots" content="noindex,nofollow">',
    )


_WALLS: dict[str, tuple[str, Reply]] = {
    "a forum of a translator of programs is behind Cloudflare": (
        "lycheeverse/lychee pull request 2187: forum.winehq.org, 403",
        html(
            _just_a_moment("Just a moment...", "Enable JavaScript and cookies to continue"),
            *_CLOUDFLARE,
            "cf-mitigated: challenge",
            status=403,
        ),
    ),
    "a journal of medicine asks for a moment in German": (
        "Cloudflare: Nur einen Moment…, 403",
        html(
            _just_a_moment(
                "Nur einen Moment…",
                "Aktivieren Sie JavaScript und Cookies, um fortzufahren",
                lang="de",
            ),
            *_CLOUDFLARE,
            "cf-mitigated: challenge",
            status=403,
        ),
    ),
    "a journal of medicine asks for a moment in Japanese": (
        "Cloudflare: しばらくお待ちください..., 403",
        html(
            _just_a_moment(
                "しばらくお待ちください...",
                "続行するには、JavaScript と Cookie を有効にしてください",
                lang="ja",
            ),
            *_CLOUDFLARE,
            "cf-mitigated: challenge",
            status=403,
        ),
    ),
    "an owner of a site restricts the access by a rule": (
        "Cloudflare 1020: Access denied, 403",
        html(
            alone(
                "Access denied | $HOST used Cloudflare to restrict access",
                "<div id='cf-wrapper'><h1><span>Error</span> <span>1020</span></h1><h2>Access denied</h2><p>You do not have access to $HOST. The site owner may have set restrictions that prevent you from accessing the site.</p><p>Ray ID: 93f1864abcde0042</p></div>",
            ),
            *_CLOUDFLARE,
            status=403,
        ),
    ),
    "a family of journals refuses the runners of a forge": (
        "FreeGym/FreeGym-Wiki pull request 177: journals.physiology.org, 403",
        html(
            alone(
                "Attention Required! | Cloudflare",
                "<div id='cf-wrapper'><h1>Sorry, you have been blocked</h1><h2>You are unable to access $HOST</h2><p>This website is using a security service to protect itself from online attacks.</p><p>Cloudflare Ray ID: <strong>93f1864abcde0042</strong></p></div>",
            ),
            *_CLOUDFLARE,
            status=403,
        ),
    ),
    "a coach's site sends its cookies and refuses": (
        "lycheeverse/lychee issue 799: svpg.com, 403 with apbct cookies",
        html(
            alone(
                "Blacklisted",
                "<h1>Anti-Crawler Protection is activated for your IP</h1><p>To continue working with the web site, please make sure that you have enabled JavaScript.</p><p>You will be automatically redirected to the requested page after 3 seconds.</p><p>Anti-Spam by CleanTalk</p>",
            ),
            "Set-Cookie: apbct_timestamp=1759200000; path=/; secure; SameSite=Lax",
            status=403,
        ),
    ),
    "a shield against crawlers checks the browser in German": (
        "CleanTalk in German: Anti-Crawler-Schutz, 403",
        html(
            alone(
                "Auf Sperrliste",
                "<p>Der Anti-Crawler-Schutz ist für deine IP aktiviert. Um weiter auf der Website zu arbeiten, stelle sicher, dass du JavaScript aktiviert hast.</p><p>Du wirst automatisch nach 3 Sekunden zur angeforderten Seite weitergeleitet. Diese Seite nicht schließen.</p>",
                lang="de",
            ),
            status=403,
        ),
    ),
    "a shield against crawlers checks the browser in French": (
        "CleanTalk in French: La protection anti-crawler vérifie votre navigateur, 200",
        html(
            alone(
                "Vérification",
                "<p>La protection anti-crawler vérifie votre navigateur et votre adresse IP contre les robots spameurs.</p><p>Vous serez automatiquement redirigé vers la page demandée après 3 secondes. Ne pas fermer cette page.</p><script>setTimeout(function(){document.cookie='apbct_antibot=1864;path=/';location.reload()},3000)</script>",
                lang="fr",
            )
        ),
    ),
    "a shield waits for the redirection": (
        "BitNinja: Waiting for the redirection..., 200",
        html(
            alone(
                "Waiting for the redirectiron...",
                "<noscript><h1>Please, turn Javascript on in your browser then reload the page.</h1></noscript><h2>Accessing $HOST securely…</h2><p>This is an automatic process. Your browser will redirect to your requested content in 5 seconds.</p><p>Security check by BitNinja.IO</p><script>var x=1864;</script>",
            ),
            "Server: BitNinja Captcha Server",
        ),
    ),
    "a shield for civil society verifies the connection": (
        "Deflect: Verifying if your connection is secure..., 200",
        html(
            alone(
                "Verifying if your connection is secure...",
                "<noscript>Please turn on JavaScript and reload the page.</noscript><h1>Verifying if your connection is secure</h1><p>$HOST is protected by Deflect.ca, DDoS protection for civil society</p>",
            )
        ),
    ),
    "a Slovak host's firewall wants a proof of being no robot": (
        "Wexbo: DDoS Firewall, 429",
        html(
            alone(
                "Wexbo | Firewall",
                "<h1>$HOST</h1><p>Z dôvodu prekročenia maximálneho limitu požiadaviek je nutné potvrdiť, že nie ste robot.</p><form method='post'><div class='g-recaptcha' data-sitekey='1864'></div></form>",
                lang="sk",
            ),
            status=429,
        ),
    ),
    "a shield in PHP denies a service of the cloud": (
        "CIDRAM: Access Denied!, 403",
        html(
            alone(
                "CIDRAM",
                '<h1>Access Denied!</h1><p>ID: 1701881505-830238<br>Script Version: CIDRAM v3.4.2<br>Signatures Count: 2<br>Why Blocked: Cloud service ("Amazon.com, Inc")!</p>',
            ),
            status=403,
        ),
    ),
    "a shield of WordPress restricts an address for a day": (
        "Shield Security: Access Restricted, 403",
        html(
            alone(
                "Access Restricted | ShieldPRO",
                "<h1>Access Restricted</h1><p>Access from your IP address has been temporarily restricted.</p><p>In collaboration with CrowdSec and their crowd-sourced IP reputation data, your IP address has been identified as malicious.</p><button>Unblock My IP Address</button>",
            ),
            status=403,
        ),
    ),
    "a shield of shops says that this is not allowed": (
        "Astra Security: Sorry, this is not allowed., 403",
        html(
            alone(
                "Attention!",
                "<h1>Sorry, this is not allowed.</h1><p>Thank you for visiting our website, unfortunately our website protection system has detected an issue with your IP address and wont let you proceed any further.</p>",
            ),
            status=403,
        ),
    ),
    "a cleaner of viruses blocks an address": (
        "Virusdie: This page has been blocked by our protection services, 403",
        html(
            alone(
                "Access denied",
                "<h1>Access denied</h1><p>This page has been blocked by our protection services.</p><h2>Why your IP address has been blocked?</h2><p>Your last request was unfortunately blocked by our system due to malicious activity.</p>",
            ),
            status=403,
        ),
    ),
    "a daily of the south refuses unauthorised activity": (
        "stuff.co.nz: Denied, 403",
        html(
            alone(
                "Denied | $HOST",
                "<h1>Denied</h1><p>This request has been refused by $HOST due to undesirable or unauthorised activity. If you believe this is in error, please raise with the domain technical contact.</p>",
            ),
            status=403,
        ),
    ),
    "a firewall has a status of its own": (
        "web application firewalls: 555 Security Incident Detected",
        html(
            alone(
                "555 Security Incident Detected",
                "<h1>555 Security Incident Detected</h1><p>Your request was blocked.</p><p>If you are the visitor: the public IP address assigned to you by your internet provider might be suffering from poor reputation.</p>",
            ),
            status=555,
        ),
    ),
    "a host of Catalonia blocks in three languages": (
        "Pangea: ModSecurity, Bloquejat per seguretat, 400",
        html(
            alone(
                "400 - Forbidden",
                "<h1># ModSecurity - Bloquejat per seguretat / Bloqueado por seguridad / Blocked for security reasons</h1><p>El sistema de seguretat ha detectat que la seva petició és potencialment maliciosa.</p><p>The server's security system has flagged your request as potentially malicious. Please contact the website operators.</p><p>Unique ID: Zwve8n01c41keeag</p>",
                lang="ca",
            ),
            status=400,
        ),
    ),
    "a German host's firewall says 406": (
        "hosts in Germany: 406 Blocked, Die Anfrage wurde durch die Webserver Firewall geblockt.",
        html(
            alone(
                "406 Blocked",
                "<h1>406 Blocked</h1><p>Die Anfrage wurde durch die Webserver Firewall geblockt. Sofern Sie einen Fehler vermuten, wenden Sie sich bitte an den Support.</p><p>The request was blocked by the web server firewall.</p>",
                lang="de",
            ),
            status=406,
        ),
    ),
    "a host's firewall explains its 406": (
        "hosts: Generally a 406 error is caused because a request has been blocked by Mod Security, 406",
        html(
            "<html><head><title>Error 406 - Not Acceptable</title></head><body><h1>Error 406 - Not Acceptable</h1><p>Generally a 406 error is caused because a request has been blocked by Mod Security. If you believe that your request has been blocked by mistake please contact the web site owner.</p></body></html>",
            "Server: Apache",
            status=406,
        ),
    ),
    "a comparer of prices bans who is too fast, in German": (
        "geizhals.at: 429 Too fast, you are temporarily banned",
        html(
            alone(
                "429 Too fast, you are temporarily banned",
                "<h1>Banned</h1><p>Status Code: 429 Too fast, you are temporarily banned</p><p>Unser automatisches System hat ungewöhnlichen Datenverkehr von deinem Computer, aus deinem Netzwerk oder von deinem Internetanbieter festgestellt.</p>",
                lang="de",
            ),
            status=429,
        ),
    ),
    "a shop's platform has too many requests from a place": (
        "Shopify: Page temporarily unavailable, 429",
        html(
            alone(
                "Page temporarily unavailable",
                "<h1>Page temporarily unavailable</h1><p>This page is temporarily unavailable because a device from your location is sending large amounts of web requests. Visitors from other locations can still view the page.</p>",
            ),
            status=429,
        ),
    ),
    "a market of cars in Spanish takes one for a bot": (
        "coches.net: Ups! Parece que algo no va bien..., 403",
        html(
            alone(
                "Ups! Parece que algo no va bien...",
                "<h1>Ups! Parece que algo no va bien...</h1><p>Algo en tu navegador nos hizo pensar que eres un bot. Hay algunas razones por las que esto podría suceder:</p><ul><li>Eres un usuario avanzado que se mueve a través de este sitio web con velocidad super humana</li></ul>",
                lang="es",
            ),
            status=403,
        ),
    ),
    "a board of jobs in Spanish asks whether one is human": (
        "InfoJobs: ¿Eres humano o un robot?, 405",
        html(
            office(
                "InfoJobs",
                "<h1>¿Eres humano o un robot?</h1><p>Hemos detectado una actividad poco habitual y necesitamos comprobar que no eres una máquina. Disculpa las molestias.</p><div class='geetest_holder'></div>",
                lang="es",
                name="InfoJobs",
            ),
            status=405,
        ),
    ),
    "a portal of houses in Portuguese verifies the safety": (
        "gocache and others: Verificação de segurança, 403",
        html(
            alone(
                "Verificação de segurança",
                "<h1>Verificação de segurança</h1><p>Complete o desafio abaixo para acessar $HOST</p><div class='g-recaptcha'></div><p>ID da requisição: ab67807b34aca882 - Seu endereço IP: 192.0.2.42</p>",
                lang="pt",
            ),
            status=403,
        ),
    ),
    "a Russian firewall blocked the request and gives an id": (
        "F5 and others in Russian: Ваш запрос заблокирован, 403",
        html(
            alone(
                "Access blocked",
                "<h1>Ваш запрос заблокирован</h1><p>Подсистема безопасности сайта обнаружила и заблокировала активность, которая потенциально может быть небезопасной.</p><p>Reason or Support ID: 8418e37e-fcae-4eda-8a58-c79d91e1a74b.</p>",
                lang="ru",
            ),
            status=403,
        ),
    ),
    "a firewall of pages for caching blocks": (
        "CacheWall: Security Block, 403",
        html(
            alone(
                "Security Block",
                "<h1>Sorry, your request was blocked.</h1><p>We've recently detected malicious activity from your connection or network.</p><p>REQID: 25682958638987199 • IP: 192.0.2.42</p><p>Security by CacheWall</p>",
            ),
            status=403,
        ),
    ),
    "a site for studios flagged the request": (
        "Mindbody: Security Block!, 403 at Cloudflare",
        html(
            alone(
                "Security Block",
                "<h1>Security Block!</h1><p>Requestor IP: 192.0.2.42 Error Ray ID: 93f1864abcde0042</p><p>We're sorry for the inconvenience but something about your request was flagged by our security system.</p>",
            ),
            *_CLOUDFLARE,
            status=403,
        ),
    ),
    "an index of reagents saw a suspicious network": (
        "CiteAb: Suspicious activity detected, 403",
        html(
            alone(
                "CiteAb",
                "<h1>Suspicious activity detected</h1><p>Suspicious activity from your network has been detected by one of our administrators. This may include detection of an attempt to scrape the site.</p>",
            ),
            status=403,
        ),
    ),
    "a guide for travellers cannot tell a human from a bot": (
        "travel sites: Bot or Not?, Show us your human side..., 429",
        html(
            alone(
                "Bot or Not?",
                "<h1>Show us your human side...</h1><p>We can't tell if you're a human or a bot.</p><p>c5607da2-a94a-4300-ab77-a55fa90b7042</p>",
            ),
            status=429,
        ),
    ),
    "a market of things wants a button held": (
        "eBay and others: Access to this page has been blocked, 403",
        html(
            alone(
                "Access to this page has been blocked",
                "<p>Please click and hold the button below to help us keep your account safe:</p><div id='px-captcha'></div><p>We need additional confirmation that you're human. Please reference Block ID: #c9585e84-8e75-11ee-bffa-c894983992c5</p>",
            ),
            "Set-Cookie: _pxhd=1864abcd; path=/",
            status=403,
        ),
    ),
    "an index of companies wants its script": (
        "kompass.com: DataDome, Please enable JS, 403",
        html(
            "<html lang=\"en\"><head><title>$HOST</title><style>#cmsg{animation: A 1.5s;}</style></head><body style=\"margin:0\"><p id=\"cmsg\">Please enable JS and disable any ad blocker</p><script data-cfasync=\"false\">var dd={'rt':'c','cid':'AHrlqA1864','hsh':'1864ABCD','t':'bv','host':'geo.captcha-delivery.com'}</script><script src=\"https://ct.captcha-delivery.com/c.js\"></script></body></html>",
            "X-DataDome: protected",
            "Set-Cookie: datadome=1864abcd; Max-Age=31536000; Path=/; Secure",
            status=403,
        ),
    ),
    "a builder's host refuses a client that is not branded": (
        "Wix: Error 403-NotBranded occurred, 403",
        html(
            "<html><body><h1>Error 403-NotBranded occurred</h1><p>Regardless, we recommend you to update your browser.</p></body></html>",
            "Server: Pepyaka",
            status=403,
        ),
    ),
    "a network of short messages dislikes the browser": (
        "stevenvachon/broken-link-checker issue 210: Twitter sniffs the user-agent and returns 400",
        html(
            alone(
                "Twitter",
                "<div class='errorContainer'><h1>This browser is no longer supported.</h1><p>Please switch to a supported browser to continue. You can see a list of supported browsers in our Help Center.</p></div>",
            ),
            status=400,
        ),
    ),
    "a proxy in Go checks whether one is a bot with a teapot": (
        "go-away: Checking you are not a bot, js-refresh, 418",
        html(
            alone(
                "Checking you are not a bot",
                "<h1 id='title'>Checking you are not a bot</h1><p id='status'>Loading challenge <em>js-refresh</em>...</p><details><summary>Why am I seeing this?</summary><p>You are seeing this because the administrator of this website has set up go-away to protect the server against the scourge of AI companies aggressively scraping websites.</p></details>",
                head='<link rel="stylesheet" href="/.well-known/.git.gammaspectra.live/git/go-away/cmd/go-away/assets/static/anubis/style.css"><meta http-equiv="refresh" content="1; url=/?__goaway_challenge=1864">',
            ),
            status=418,
        ),
    ),
    "a small server of the fediverse deters scrapers by work": (
        "superseriousbusiness/gotosocial pull request 4043: nollamas, 200",
        html(
            alone(
                "Tide social",
                "<main class='nollamas'><h1>Checking you're not a creepy crawler...</h1><noscript>The page you're visiting is guarded from crawlers and other automated clients by a computed challenge. Please enable JavaScript.</noscript></main><script>const challenge='1864abcd';</script>",
            )
        ),
    ),
    "a software of mirrors weighs its visitors by a wasm": (
        "sjtug/cerberus: Making sure you're not a bot, 200",
        html(
            alone(
                "Cerberus Challenge",
                "<h1 id='title'>Making sure you're not a bot</h1><p>Your browser is being checked. It may take a few seconds.</p><script type='module' src='/.cerberus/static/pow.js' x-challenge='{&quot;difficulty&quot;:4}'></script><footer>Protected by Cerberus</footer>",
            )
        ),
    ),
    "a wiki of a program to draw parts is behind Anubis": (
        "wiki.freecad.org: Anubis 1.22, Making sure you're not a bot!, 200",
        html(
            alone(
                "Making sure you're not a bot!",
                "<main><h1 id='title'>Making sure you're not a bot!</h1><img src='/.within.website/x/cmd/anubis/static/img/pensive.webp?cacheBuster=1.22.0-pre1'><p id='status'>Loading...</p><details><summary>Why am I seeing this?</summary><p>You are seeing this because the administrator of this website has set up Anubis.</p></details><noscript><p>Sadly, you must enable JavaScript to get past this challenge.</p></noscript></main><script id='anubis_challenge' type='application/json'>{\"challenge\":\"1864\"}</script>",
            )
        ),
    ),
    "a forge of a desktop is behind Anubis in French": (
        "Anubis: locales, fr",
        html(
            alone(
                "Nous vérifions que vous n'êtes pas un robot !",
                "<main><h1 id='title'>Nous vérifions que vous n'êtes pas un robot !</h1><p id='status'>Chargement...</p><noscript><p>Malheureusement, vous devez activer JavaScript pour passer ce défi.</p></noscript></main><script async type='module' src='/.within.website/x/cmd/anubis/static/js/main.mjs?cacheBuster=1.23.1'></script><script id='anubis_challenge' type='application/json'>{}</script>",
                lang="fr",
            ),
            status=401,
        ),
    ),
    "a library of papers of engineers rejects with a teapot": (
        "IEEE Xplore: Request Rejected, 418",
        html(
            "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 18640421864042186404<br><br></body></html>",
            status=418,
        ),
    ),
    "a shelf of journals had a problem with the content": (
        "ScienceDirect: There was a problem providing the content you requested, 403",
        html(
            alone(
                "ScienceDirect",
                "<h1>There was a problem providing the content you requested</h1><p>Please contact our support team for more information and provide the details below.</p><p>Reference number: 93f1864abcde0042<br>IP Address: 192.0.2.42</p>",
            ),
            *_CLOUDFLARE,
            status=403,
        ),
    ),
    "a portal of questions in Chinese finds the network abnormal": (
        "知乎: 您当前请求存在异常，暂时限制本次访问, 403",
        plain(
            '{"error":{"message":"您当前请求存在异常，暂时限制本次访问。如有疑问，您可以通过手机摇一摇联系我们。","code":40352}}',
            status=403,
            kind="application/json; charset=utf-8",
        ),
    ),
    "a market in Chinese punishes by a slider": (
        "淘宝: _____tmd_____/punish, x5secdata, 200",
        html(
            '<!DOCTYPE html><html><head><meta charset="utf-8"><title>验证码拦截</title><script>sessionStorage.x5referer=window.location.href;window.location.replace("/_____tmd_____/punish?x5secdata=1864abcd&x5step=1");</script></head><body></body></html>',
            "bx-x5action: captcha",
        ),
    ),
    "a site in Korean blocks an abnormal access": (
        "sites of Korea: 비정상적인 접근이 감지되어 차단되었습니다, 403",
        html(
            alone(
                "접근 차단",
                "<h1>비정상적인 접근이 감지되어 차단되었습니다</h1><p>자동화된 프로그램에 의한 접속으로 의심됩니다. 보안문자를 입력해 주세요.</p>",
                lang="ko",
            ),
            status=403,
        ),
    ),
    "a site in Turkish confirms that one is human": (
        "sites of Turkey: Robot olmadığınızı doğrulayın, 403",
        html(
            alone(
                "Güvenlik doğrulaması",
                "<h1>Robot olmadığınızı doğrulayın</h1><p>Olağan dışı trafik algılandı. Devam etmek için kutuyu işaretleyin.</p><div class='h-captcha' data-sitekey='1864'></div>",
                lang="tr",
            ),
            status=403,
        ),
    ),
    "a network of readers lets nobody from a data centre in": (
        "Reddit: whoa there, pardner!, 403",
        html(
            alone(
                "Blocked",
                "<h1>whoa there, pardner!</h1><p>Your request has been blocked due to a network policy.</p><p>Try logging in or creating an account here to get back to browsing.</p><p>If you're running a script or application, please register or sign in with your developer credentials.</p>",
            ),
            status=403,
        ),
    ),
    "a shop in the Netherlands is checked by an outside page": (
        "Imperva: Pardon Our Interruption, 403",
        html(
            alone(
                "Pardon Our Interruption",
                "<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen:</p><ul><li>You've disabled cookies in your web browser.</li><li>A third-party browser plugin is preventing JavaScript from running.</li></ul>",
            ),
            "X-CDN: Imperva",
            "Set-Cookie: reese84=3:1864; Path=/",
            status=403,
        ),
    ),
    "a bank's portal answers by Shape": (
        "F5 Distributed Cloud Bot Defense: istlWasHere, 200",
        html(
            "<html><head><meta charset='utf-8'><script>var istlWasHere=1;</script><script src='/_imp_apg_r_/1864.js?cache'></script></head><body><noscript>Please enable JavaScript to view the page content.<br/>Your support ID is: 186404218640421.</noscript></body></html>"
        ),
    ),
    "a seller of travels answers by Akamai with a 428": (
        "Akamai Bot Manager: sec-if-cpt-container, 428",
        html(
            "<html><head><script src='/1864abcd/init.js' async></script></head><body><div id='sec-if-cpt-container' class='sec-if-cpt'></div><script src='/_sec/cp_challenge/ak-challenge-4-2.js'></script></body></html>",
            "Server: AkamaiGHost",
            "Set-Cookie: ak_bmsc=1864abcd; Path=/",
            status=428,
        ),
    ),
    "an edge of Amazon wants its script with a 202": (
        "AWS WAF: awsWafCookieDomainList, gokuProps, 202",
        html(
            "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title></title><script type='text/javascript'>window.awsWafCookieDomainList = [];window.gokuProps = {'key':'AQIDAHj1864','iv':'CgAE','context':'abcd'};</script><script src='https://1864.token.awswaf.com/1864/challenge.js'></script></head><body><div id='challenge-container'></div><noscript><h1>JavaScript is disabled</h1>In order to continue, we need to verify that you're not a robot. This requires JavaScript.</noscript></body></html>",
            "x-amzn-waf-action: challenge",
            status=202,
        ),
    ),
}


def _ways() -> Iterator[Case]:
    """Yield walls on another page or another host, and those that spare the front page."""
    yield of_truth(
        Truth.WALL,
        "a network of scholars leads to its own check",
        "ResearchGate: 302 to /crawler-check, then a challenge, 403",
        {
            "/crawler-check?to=%2Fpublication%2F1864": html(
                _just_a_moment("Just a moment...", "Enable JavaScript and cookies to continue"),
                *_CLOUDFLARE,
                "cf-mitigated: challenge",
                status=403,
            ),
            ELSE: redirect("/crawler-check?to=%2Fpublication%2F1864"),
        },
        path="/publication/1864",
    )
    yield of_truth(
        Truth.WALL,
        "a shop of tickets leads to a host of captchas",
        "shops behind GeeTest: 302 to captcha.…/verify?return=",
        only(redirect("http://captcha.shop-of-tickets.example:PORT/verify?return=%2Fe%2F1864")),
        path="/e/1864",
        others={
            "captcha.shop-of-tickets.example": only(
                html(
                    alone(
                        "Security verification",
                        "<h1>Please complete the verification</h1><div id='captcha-box'></div><script src='https://static.geetest.com/v4/gt4.js'></script>",
                    )
                )
            )
        },
    )
    yield of_truth(
        Truth.WALL,
        "an application lets its shell ask for a turnstile",
        "sites of one page: a Turnstile before anything else, 200",
        only(
            html(
                app(
                    "Verify",
                    "<div id='gate'><h1>One more step</h1><p>Please verify that you are human to continue to $HOST.</p><form method='post' action='/verify'><div class='cf-turnstile' data-sitekey='0x4AAA1864'></div></form></div>",
                )
            )
        ),
        path="/listing/1864",
    )
    yield of_truth(
        Truth.WALL,
        "a good of a shop is behind a question for humans",
        "shops: hCaptcha in the middle of the theme, 403",
        only(
            html(
                counter(
                    "Are you human?",
                    "<h1>Are you human?</h1><p>We have seen many automated visits from your network. Please tick the box to go on.</p><form method='post'><div class='h-captcha' data-sitekey='1864'></div><button>Continue</button></form>",
                ),
                status=403,
            )
        ),
        path="/products/rope-mat",
    )


CASES: list[Case] = [
    *(of_truth(Truth.WALL, name, source, only(reply)) for name, (source, reply) in _WALLS.items()),
    *_ways(),
]
