"""Pages that people see and a robot does not: challenges, limits, regions."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.year2026_ninth.frames import alone, app, market, office

_WALLS: dict[str, tuple[str, Reply]] = {
    "a new challenge of Cloudflare in English": (
        "Cloudflare: Just a moment..., cf-mitigated: challenge, 403",
        html(
            alone(
                "Just a moment...",
                "<noscript><div>Enable JavaScript and cookies to continue</div></noscript><script>(function(){window._cf_chl_opt={cvId:'3',cZone:'$HOST',cType:'managed',cRay:'1843abcd'};}());</script>",
                more='<meta name="robots" content="noindex,nofollow">',
            ),
            "Server: cloudflare",
            "cf-mitigated: challenge",
            status=403,
        ),
    ),
    "a challenge of Cloudflare in Portuguese": (
        "Cloudflare: Um momento…, 403",
        html(
            alone(
                "Um momento…",
                "<h1>$HOST</h1><p>Verificando se você é humano. Isso pode levar alguns segundos.</p><p>$HOST precisa verificar a segurança da sua conexão antes de continuar.</p>",
                lang="pt",
            ),
            "Server: cloudflare",
            "cf-mitigated: challenge",
            status=403,
        ),
    ),
    "a block of Cloudflare at a forum of software": (
        "lycheeverse/lychee pull request 2187: forum.winehq.org, Sorry, you have been blocked, 403",
        html(
            alone(
                "Attention Required! | Cloudflare",
                "<h1>Sorry, you have been blocked</h1><h2>You are unable to access $HOST</h2><h2>Why have I been blocked?</h2><p>This website is using a security service to protect itself from online attacks. The action you just performed triggered the security solution.</p><p>Cloudflare Ray ID: <strong>1843abcd</strong></p>",
            ),
            "Server: cloudflare",
            status=403,
        ),
    ),
    "a shard of an old game that blocks centers of data": (
        "felladrin/uo-is-not-dead issue 158: 403s that come and go, loads from a residential connection",
        html(
            "<html><head><title>403 Forbidden</title></head><body><h1>403 Forbidden</h1><p>Access from hosting networks is not permitted.</p></body></html>",
            status=403,
        ),
    ),
    "a host of sounds blocks who is no browser": (
        "apify/apify-docs pull request 2261: soundcloud.com, fandom.com return 403 to non-browser clients",
        html(
            '<html><head><title>soundcloud</title></head><body><p>Please enable JS and disable any ad blocker</p><script data-cfasync="false">var dd={"rt":"c","cid":"AHrlq1843","hsh":"1843","t":"bv","host":"geo.captcha-delivery.example"}</script><script src="https://ct.captcha-delivery.example/c.js"></script></body></html>',
            "X-DataDome: protected",
            status=403,
        ),
    ),
    "a security journal blocks crawlers": (
        "OWASP/threat-dragon issue 1540: 403 forbidden, the pages are accessible in a browser",
        html(
            alone(
                "403 - Forbidden",
                "<h1>Access to this page is forbidden.</h1><p>Automated clients are not allowed on this site.</p>",
            ),
            status=403,
        ),
    ),
    "Anubis weighs the soul of a connection, in Spanish": (
        "TecharoHQ/anubis: lib/localization/locales/es.json, making_sure_not_bot",
        html(
            alone(
                "¡Asegurándonos de que no eres un robot!",
                "<h1 id='title'>¡Asegurándonos de que no eres un robot!</h1><p id='status'>Cargando...</p><script id='anubis_challenge' type='application/json'>{\"rules\":{\"algorithm\":\"fast\",\"difficulty\":4}}</script><p>Protegido por Anubis de Techaro.</p>",
                lang="es",
            ),
        ),
    ),
    "Anubis weighs the soul of a connection, in Turkish": (
        "TecharoHQ/anubis: lib/localization/locales/tr.json",
        html(
            alone(
                "Bot olmadığınızdan emin oluyoruz!",
                "<h1 id='title'>Bot olmadığınızdan emin oluyoruz!</h1><p id='status'>Yükleniyor...</p><script id='anubis_challenge' type='application/json'>{\"rules\":{\"algorithm\":\"fast\"}}</script><p>Techaro'dan Anubis tarafından korunuyor.</p>",
                lang="tr",
            ),
            status=401,
        ),
    ),
    "a store says that one robots, in French": (
        "Amazon.fr: Saisissez les caractères que vous voyez ci-dessous, 503",
        html(
            market(
                "Amazon.fr",
                "<h4>Saisissez les caractères que vous voyez ci-dessous</h4><p>Toutes nos excuses, nous devons simplement nous assurer que vous n'êtes pas un robot.</p><form action='/errors/validateCaptcha'><img src='/captcha/1843.jpg'><input id='captchacharacters' name='field-keywords'></form>",
                lang="fr",
            ),
            status=503,
        ),
    ),
    "a store says continue shopping and no more": (
        "Amazon.com, 2025: Click the button below to continue shopping, 200",
        html(
            market(
                "Amazon.com",
                "<h4>Click the button below to continue shopping</h4><form method='get' action='/errors/validateCaptcha'><input type='hidden' name='amzn' value='1843'><button type='submit' alt='Continue shopping'>Continue shopping</button></form>",
            )
        ),
    ),
    "a company of tickets in Japanese wants a check": (
        "チケットサイト: アクセスが拒否されました, 自動化されたアクセス, 403",
        html(
            alone(
                "アクセスが制限されています",
                "<h1>アクセスが制限されています</h1><p>自動化されたプログラムによるアクセスの可能性があるため、ご利用を制限しております。</p><p>参照番号: 1843</p>",
                lang="ja",
            ),
            status=403,
        ),
    ),
    "an edge of Tencent stops a request": (
        "腾讯云 EdgeOne: 访问被拒绝, 安全策略, 567",
        html(
            alone(
                "访问被拦截",
                "<h1>您的请求已被该站点的安全策略拦截</h1><p>如有疑问，请联系网站所有者并提供请求 ID：1843abcd</p><p>由 Tencent Cloud EdgeOne 提供防护</p>",
                lang="zh",
            ),
            "Server: edgeone",
            status=567,
        ),
    ),
    "a firewall of Huawei stops a request": (
        "华为云 WAF: 您的请求疑似攻击行为, 418",
        html(
            alone(
                "访问被拦截！",
                "<h1>您的请求疑似攻击行为！</h1><p>事件ID：1843abcd</p><p>如果您是网站管理员，请前往控制台设置误报处理。</p>",
                lang="zh",
            ),
            "Server: CloudWAF",
            status=418,
        ),
    ),
    "a portal of Russia's state checks the browser": (
        "порталы: Проверка браузера, ожидайте, 403",
        html(
            alone(
                "Проверка браузера",
                "<h1>Проверяем ваш браузер</h1><p>Это займёт несколько секунд. Включите JavaScript и файлы cookie.</p><p>Идентификатор запроса: 1843</p>",
                lang="ru",
            ),
            status=403,
        ),
    ),
    "a site of tenders in Ukrainian suspects a bot": (
        "портали: Ми виявили підозрілу активність, 429",
        html(
            office(
                "Підтвердіть, що ви не робот",
                "<h1>Підтвердіть, що ви не робот</h1><p>Ми виявили підозрілу активність із вашої мережі.</p><div class='g-recaptcha' data-sitekey='1843'></div>",
                lang="uk",
            ),
            status=429,
        ),
    ),
    "a registry of patents counts one's requests": (
        "Espacenet, DEPATISnet: too many requests, robot detection, 429",
        plain("Too many requests. Fair use policy exceeded.\n", "Retry-After: 3600", status=429),
    ),
    "a wiki of code limits those who did not sign in": (
        "GitHub: Too many requests, You have exceeded a secondary rate limit, 429",
        html(
            alone(
                "Too many requests · GitHub",
                "<h1>Too many requests</h1><p>You have exceeded a secondary rate limit. Please wait a few minutes before you try again.</p>",
            ),
            "Retry-After: 60",
            "Server: github.com",
            status=429,
        ),
    ),
    "an encyclopaedia asks robots for their names": (
        "Wikimedia: Please respect our robot policy, 403 for clients without a proper user agent",
        plain(
            "Please set a user-agent and respect our robot policy https://w.wiki/4wJS. See also T400119.\n",
            status=403,
        ),
    ),
    "a broadcaster in French is not to be seen from abroad": (
        "france.tv: Cette vidéo n'est pas disponible depuis votre position géographique, 403",
        html(
            app(
                "Contenu indisponible",
                "<h1>Ce contenu n'est pas disponible depuis votre pays</h1><p>Pour des raisons de droits, il ne peut être vu qu'en France.</p>",
                lang="fr",
            ),
            status=403,
        ),
    ),
    "a paper of a county is closed to Europe": (
        "papers of the United States: 451: Unavailable due to legal reasons, GDPR",
        html(
            alone(
                "451: Unavailable due to legal reasons",
                "<h1>451: Unavailable due to legal reasons</h1><p>We recognize you are attempting to access this website from a country belonging to the European Economic Area (EEA) including the EU which enforces the General Data Protection Regulation (GDPR) and therefore access cannot be granted at this time.</p>",
            ),
            status=451,
        ),
    ),
    "a host of pictures is closed to an island": (
        "Imgur, 30 September 2025: Content not available in your region",
        plain(
            '{"data":{"error":"Content not available in your region."},"status":403}',
            status=403,
            kind="application/json",
        ),
    ),
    "a bank of India answers at home only": (
        "banks of India: Access denied from your location, 403",
        html(
            '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \nYou don\'t have permission to access "http&#58;&#47;&#47;$HOST&#47;" on this server.<P>\nReference&#32;&#35;18&#46;1843abcd\n<P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;1843abcd</P>\n</BODY>\n</HTML>\n',
            "Server: AkamaiGHost",
            status=403,
        ),
    ),
    "a tracker runs Iocaine's cousin for robots": (
        "go-away, Iocaine: a page for robots, 403, Please prove that you are human",
        html(
            alone(
                "Checking",
                "<h1>One second, please</h1><p>We get a lot of visits by robots that read everything. A short computation shows that you are not one of them.</p><script src='/.well-known/challenge.js'></script><noscript>Please turn on JavaScript.</noscript>",
            ),
            status=403,
        ),
    ),
    "a shop in Italian asks for a puzzle": (
        "GeeTest and others: Verifica di sicurezza, fai scorrere per completare il puzzle, 200",
        html(
            alone(
                "Verifica di sicurezza",
                "<h1>Completa la verifica di sicurezza</h1><p>Fai scorrere il cursore per completare il puzzle e continuare.</p><div id='captcha-box' class='geetest_captcha'></div>",
                lang="it",
            )
        ),
    ),
    "a board of Sweden blocks an address by its list": (
        "boards: Din IP-adress har blockerats, 403",
        html(
            alone(
                "Blockerad",
                "<h1>Din IP-adress har blockerats</h1><p>För många förfrågningar på kort tid. Kontakta oss om du anser att detta är fel.</p>",
                lang="sv",
            ),
            status=403,
        ),
    ),
}


def _ways() -> Iterator[Case]:
    yield of_truth(
        Truth.WALL,
        "a shop of parts leads to a check of the browser at another address",
        "shops: 302 to /challenge?return=, Checking your browser, 200",
        {
            "/challenge?return=%2Fp%2F1843": html(
                alone(
                    "Checking your browser",
                    "<h1>Checking your browser before accessing the shop</h1><p>This process is automatic. Your browser will redirect to your requested content shortly.</p><script src='/challenge.js'></script>",
                )
            ),
            ELSE: redirect("/challenge?return=%2Fp%2F1843"),
        },
        path="/p/1843",
    )
    yield of_truth(
        Truth.WALL,
        "a seller of flights leads to a hall to wait in",
        "Cloudflare Waiting Room, Queue-Fair: You are now in the waiting room, 200",
        only(
            html(
                alone(
                    "Waiting Room",
                    "<h1>You are now in line.</h1><p>Thanks for your patience. Your estimated wait time is 12 minutes.</p><p>This page automatically refreshes. Do not close your browser.</p>",
                    more='<meta http-equiv="refresh" content="20">',
                ),
                "Set-Cookie: __cfwaitingroom=1843; Path=/",
            )
        ),
        path="/offers/summer",
    )


CASES: list[Case] = [
    *(of_truth(Truth.WALL, name, source, only(reply)) for name, (source, reply) in _WALLS.items()),
    *_ways(),
]
