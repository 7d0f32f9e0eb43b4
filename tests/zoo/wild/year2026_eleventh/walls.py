"""Pages that people see and a robot does not: challenges, firewalls, limits, regions."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.server import Visit
from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.year2026_eleventh.frames import ROBOTS, app, bare, home, office, shop

_WALLS: dict[str, tuple[str, Reply]] = {
    "a site for radio behind the challenge that a header names": (
        "hexsecs/awesome-embedded-security pull request 52: 403 with cf-mitigated: challenge",
        html(
            '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><meta name="robots" content="noindex,nofollow"><meta http-equiv="refresh" content="360"></head><body><div class="main-wrapper" role="main"><div class="main-content"><noscript><div class="h2"><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript></div></div><script>(function(){window._cf_chl_opt = {cvId: "3",cZone: "$HOST",cType: "managed",cRay: "1862abc"};var a = document.createElement("script");a.src = "/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=1862abc";})();</script></body></html>',
            "cf-mitigated: challenge",
            "Server: cloudflare",
            "CF-RAY: 1862abc-FRA",
            status=403,
        ),
    ),
    "a challenge in Spanish of the same wall": (
        "Cloudflare, es: Un momento…, Verifica que eres un ser humano, 403",
        html(
            bare(
                "Un momento…",
                "<h1>$HOST</h1><p>Verifica que eres un ser humano completando la acción a continuación.</p><p>$HOST necesita revisar la seguridad de tu conexión antes de continuar.</p><script>window._cf_chl_opt={cType:'managed'};</script>",
                lang="es",
            ),
            "cf-mitigated: challenge",
            "Server: cloudflare",
            status=403,
        ),
    ),
    "a challenge in Russian of the same wall": (
        "Cloudflare, ru: Один момент…, Подтвердите, что вы человек, 403",
        html(
            bare(
                "Один момент…",
                "<h1>$HOST</h1><p>Подтвердите, что вы человек, выполнив указанное действие.</p><script>window._cf_chl_opt={cType:'managed'};</script>",
                lang="ru",
            ),
            "Server: cloudflare",
            status=403,
        ),
    ),
    "a journal on which the wall's rule says that one was blocked": (
        "DOAJ/doaj issue 2203: Error code 1020, Access denied",
        html(
            bare(
                "Attention Required! | Cloudflare",
                "<h1>Sorry, you have been blocked</h1><h2>You are unable to access ai-journal.example</h2><p>This website is using a security service to protect itself from online attacks. The action you just performed triggered the security solution.</p><p>Cloudflare Ray ID: 7914eb5038e527ae</p>",
            ),
            "Server: cloudflare",
            "CF-RAY: 7914eb5038e527ae-SEA",
            status=403,
        ),
    ),
    "an archive of letters on a kernel behind a proof of work": (
        "fzakaria/anubis-fetch issue 1: Making sure you're not a bot!, lore.kernel.org, 200",
        html(
            '<!doctype html><html lang="en"><head><title>Making sure you&#39;re not a bot!</title><link rel="stylesheet" href="/.within.website/x/xess/xess.min.css?cachebuster=v1.21.3"><script id="anubis_version" type="application/json">"v1.21.3"</script><script id="anubis_challenge" type="application/json">{"rules":{"algorithm":"fast","difficulty":4},"challenge":{"id":"1862"}}</script></head><body id="top"><main><h1 id="title">Making sure you&#39;re not a bot!</h1><p id="status">Loading...</p><noscript><p>Sadly, you must enable JavaScript to get past this challenge.</p></noscript></main></body></html>'
        ),
    ),
    "a forge of a desktop whose proof of work failed": (
        "TecharoHQ/anubis issue 1007: Oh noes! invalid response, 500",
        html(
            bare(
                "Oh noes!",
                "<h1>Oh noes!</h1><p>invalid response.</p><p>Protected by Anubis from Techaro.</p>",
            ),
            status=500,
        ),
    ),
    "a forge behind a wall that asks to wait for go-away": (
        "git.gammaspectra.live/git/go-away: Checking you are not a bot, 418 or 200",
        html(
            bare(
                "Checking you are not a bot",
                "<h1>Checking you are not a bot</h1><p>Please wait while we check your request. Protected by go-away.</p>",
                more='<meta http-equiv="refresh" content="3; url=/?__goaway_challenge=meta-refresh">\n',
            ),
            status=418,
        ),
    ),
    "a shop of sporting goods behind Kasada": (
        "Kasada: 429 with a script under /149e9513-01fa-4fb0-aad4-566afd725d1b/ and x-kpsdk headers",
        html(
            "<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=typeof performance!=='undefined'&&performance.now?performance.now.bind(performance):Date.now.bind(Date);KPSDK.start=KPSDK.now();</script><script src=\"/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js\"></script></body></html>",
            "x-kpsdk-ct: 1862",
            status=429,
        ),
    ),
    "a paper of classified advertisements behind DataDome": (
        "DataDome: 403, Please enable JS and disable any ad blocker",
        html(
            "<html lang=\"fr\"><head><title>leboncoin.example</title><style>#cmsg{animation: A 1.5s;}</style></head><body style=\"margin:0\"><script data-cfasync=\"false\">var dd={'rt':'c','cid':'AHrlqAAAAA1862','hsh':'1862','t':'bv','s':18624,'e':'c0ffee','host':'geo.captcha-delivery.example'}</script><script data-cfasync=\"false\" src=\"https://ct.captcha-delivery.example/c.js\"></script><noscript><p id=\"cmsg\">Please enable JS and disable any ad blocker</p></noscript></body></html>",
            "X-DataDome: protected",
            "x-dd-b: 1",
            status=403,
        ),
    ),
    "a bank behind Akamai": (
        "Akamai: Access Denied, You don't have permission to access … on this server, errors.edgesuite.net, 403",
        html(
            '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \nYou don\'t have permission to access "http&#58;&#47;&#47;$HOST&#47;" on this server.<P>\nReference&#32;&#35;18&#46;62acf17&#46;1764&#46;7\n<P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;62acf17</P>\n</BODY>\n</HTML>\n',
            "Server: AkamaiGHost",
            status=403,
        ),
    ),
    "an agency that thinks that it saw an undeclared tool": (
        "SEC.gov: Your Request Originates from an Undeclared Automated Tool, 403",
        html(
            bare(
                "SEC.gov | Your Request Originates from an Undeclared Automated Tool",
                "<h1>Your Request Originates from an Undeclared Automated Tool</h1><p>To allow for equitable access to all users, we reserve the right to limit requests originating from undeclared automated tools. Please declare your traffic by updating your user agent.</p>",
            ),
            status=403,
        ),
    ),
    "a publisher of chemistry asks whether one is human": (
        "ACS, Wiley, ScienceDirect in .lycheeignore lists: 403 with a puzzle of hCaptcha",
        html(
            office(
                "Are you a robot?",
                "<h1>Are you a robot?</h1><p>Please confirm you are a human by completing the captcha challenge below.</p><div class='h-captcha' data-sitekey='1862'></div><p>Reference number: 1862abc</p>",
            ),
            status=403,
        ),
    ),
    "a shop of books that wants the characters in a picture": (
        "Amazon: Robot Check / Type the characters you see in this image, 200 or 503",
        html(
            bare(
                "Robot Check",
                "<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you're not a robot. For best results, please make sure your browser is accepting cookies.</p><form action='/errors/validateCaptcha'><input name='field-keywords'><button>Continue shopping</button></form>",
            )
        ),
    ),
    "a code host limits a link checker": (
        "UmbrellaDocs/action-linkspector issue 43: GitHub links always give 429",
        html(
            bare(
                "Too many requests · GitHub",
                "<h1>Whoa there!</h1><p>You have exceeded a secondary rate limit.</p><p>Please wait a few minutes before you try again; in some cases this may take up to an hour.</p>",
            ),
            "Retry-After: 60",
            status=429,
        ),
    ),
    "a documentation host counts requests": (
        "upstash/upstash-web pull request 597: hosts that answer 403 or 429 to a link checker, readthedocs among them",
        plain("Too Many Requests\n", "Retry-After: 120", status=429),
    ),
    "a network for work answers with a number of its own": (
        "LinkedIn: Request denied, 999",
        html(
            "<html><head><script type=\"text/javascript\">window.onload = function() { var trk = 'bf', trkInfo = 'bf'; window.location.href = '/authwall?trk=' + trk; };</script></head></html>",
            status=999,
        ),
    ),
    "a university in Chinese whose wall stops a request": (
        "安全狗、长亭雷池: 您的访问可能存在安全风险，已被拦截, 403",
        html(
            bare(
                "请求被拦截",
                "<h1>您的请求疑似攻击行为，已被拦截</h1><p>如您认为是误判，请联系管理员并提供事件编号：1862abc。</p><p>雷池 WAF</p>",
                lang="zh",
            ),
            status=403,
        ),
    ),
    "a shop in Japanese that stops a robot": (
        "ECサイト: アクセスが集中しているか自動アクセスと判断, 403",
        html(
            bare(
                "アクセスが制限されています",
                "<h1>アクセスが制限されています</h1><p>お客様のアクセスは自動化されたツールによるものと判断されました。時間をおいて再度お試しください。</p>",
                lang="ja",
            ),
            status=403,
        ),
    ),
    "a state's portal in Italian behind a firewall": (
        "Fortinet, Radware su siti pubblici: Richiesta bloccata, 403",
        html(
            bare(
                "Richiesta bloccata",
                "<h1>Web Page Blocked!</h1><p>La pagina richiesta è stata bloccata dalle regole di sicurezza.</p><p>Attack ID: 20000051</p><p>Message ID: 001862</p>",
                lang="it",
            ),
            status=403,
        ),
    ),
    "a blog whose plugin limits visitors": (
        "Wordfence: Your access to this site has been limited by the site owner, 503",
        html(
            bare(
                "Your access to this site has been limited by the site owner",
                "<h1>Your access to this site has been limited by the site owner</h1><p>Your access to this service has been limited. (HTTP response code 503)</p><p>If you think you have been blocked in error, contact the owner of this site for assistance.</p><p>Block Technical Data: Block Reason: Exceeded the maximum number of requests per minute for crawlers.</p><p>Generated by Wordfence</p>",
            ),
            "Retry-After: 300",
            status=503,
        ),
    ),
    "a site whose firewall of Sucuri blocks": (
        "Sucuri: Access Denied - Sucuri Website Firewall, 403",
        html(
            bare(
                "Sucuri WebSite Firewall - Access Denied",
                "<h1>Access Denied - Sucuri Website Firewall</h1><p>If you are the site owner (or you manage this site), please whitelist your IP or contact support.</p><table><tr><td>Block ID:</td><td>BNP005</td></tr><tr><td>Block reason:</td><td>Bad bot access attempt.</td></tr></table>",
            ),
            "Server: Sucuri/Cloudproxy",
            status=403,
        ),
    ),
    "a site whose rules of Apache do not like a robot": (
        "ModSecurity: Not Acceptable!, An appropriate representation could not be found, 406",
        html(
            "<head><title>Not Acceptable!</title></head><body><h1>Not Acceptable!</h1><p>An appropriate representation of the requested resource could not be found on this server. This error was generated by Mod_Security.</p></body></html>",
            status=406,
        ),
    ),
    "a host of small sites that checks a browser by a cookie": (
        "InfinityFree: This site requires Javascript to work, aes.js and __test, 200",
        html(
            '<html><body><script type="text/javascript" src="/aes.js" ></script><script>function toNumbers(d){var e=[];d.replace(/(..)/g,function(d){e.push(parseInt(d,16))});return e}var a=toNumbers("1862"),b=toNumbers("7");document.cookie="__test="+a+"; path=/"; location.href="http://$HOST/?i=1";</script><noscript>This site requires Javascript to work, please enable Javascript in your browser or use a browser with Javascript support</noscript></body></html>'
        ),
    ),
    "a paper of America is not for Europe": (
        "Lee Enterprises, Tribune: 451, We recognize you are attempting to access this website from a country belonging to the EEA",
        html(
            bare(
                "451: Unavailable due to legal reasons",
                "<h1>451: Unavailable due to legal reasons</h1><p>We recognize you are attempting to access this website from a country belonging to the European Economic Area (EEA) including the EU which enforces the General Data Protection Regulation (GDPR) and therefore access cannot be granted at this time.</p>",
            ),
            status=451,
        ),
    ),
    "a shop for those in need that says the country": (
        "OHFLesvos/free-shop: errors/451.blade.php, This site is not available in :country",
        html(
            bare(
                "Unavailable for legal reasons",
                "<div>451</div><div>This site is not available in Germany</div>",
            ),
            status=451,
        ),
    ),
    "a service that Europe may not use yet, in Chinese": (
        "EuropeBlockedPage: 服务暂不支持欧洲地区, GDPR 合规, 200",
        html(
            app(
                "Service not available in your region",
                "<h1>服务暂不支持欧洲地区</h1><p>由于 GDPR 合规要求，我们暂时无法向您所在的地区提供服务。</p><p>Sorry, our service is not available in Europe yet.</p>",
                lang="zh",
            )
        ),
    ),
    "a channel of Britain plays only there": (
        "ITVX, Channel 4: not available in your region, 200",
        html(
            app(
                "Not available in your region",
                "<h1>Sorry, this programme is not available in your region</h1><p>You can only watch from within the UK. If you are using a VPN or proxy, switch it off.</p>",
            )
        ),
    ),
    "a site of a state in Russian that a foreign address may not open": (
        "НСДИ, DDoS-Guard: доступ из вашей страны ограничен, 403",
        html(
            bare(
                "Доступ ограничен",
                "<h1>Доступ к сайту из вашей страны ограничен</h1><p>Если вы используете VPN, отключите его. DDoS-Guard.</p><p>Request ID: 1862</p>",
                lang="ru",
            ),
            "Server: ddos-guard",
            status=403,
        ),
    ),
    "a wall that asks with a script of its own in Ukrainian": (
        "хостинги: Перевірка браузера перед входом на сайт, 503",
        html(
            bare(
                "Перевірка браузера",
                "<h1>Перевіряємо ваш браузер</h1><p>Це автоматичний процес. Зачекайте до 5 секунд, вас буде переспрямовано.</p>",
                lang="uk",
            ),
            status=503,
        ),
    ),
}
_WITH_HOME = {
    "a code host limits a link checker",
    "a channel of Britain plays only there",
    "an agency that thinks that it saw an undeclared tool",
}


def _around(name: str, reply: Reply) -> dict[str, Reply]:
    if name in _WITH_HOME:
        return {"/": home(), "/robots.txt": ROBOTS, ELSE: reply}
    return {ELSE: reply}


def _ways() -> Iterator[Case]:
    there = "validate-requests-elf.example"
    puzzle = html(
        bare(
            "Validate User",
            "<h1>Validating your request</h1><p>Please complete the check to go on to the journal.</p><div class='cf-turnstile'></div>",
        )
    )
    yield of_truth(
        Truth.WALL,
        "a university's press leads to a host that validates a visitor",
        "Oxford University Press, Silverchair: /crawlprevention/governor, validate.perfdrive.com, 302",
        only(redirect(f"http://{there}:PORT/governor?content=%2fjlh%2f1911")),
        host="academic-press-elf.example",
        path="/jlh/article/7/1/1911",
        others={there: {"/governor?content=%2fjlh%2f1911": puzzle, ELSE: puzzle}},
    )

    def room(visit: Visit, _times: int) -> Reply:
        if visit.target.startswith("/waiting"):
            return html(
                shop(
                    "You are now in line",
                    "<h1>You are now in line</h1><p>Number of people ahead of you: 1862. Do not close this tab.</p>",
                )
            )
        return redirect("/waiting?target=lamp")

    yield of_truth(
        Truth.WALL,
        "a shop lets its visitors wait in a line of its own",
        "Shopify, Queue-it: You are now in line",
        {"/robots.txt": ROBOTS, ELSE: room},
        path="/products/the-last-lamp",
    )


CASES: list[Case] = [
    *(
        of_truth(Truth.WALL, name, source, _around(name, reply), path="/articles/1862-the-lamp")
        for name, (source, reply) in _WALLS.items()
    ),
    *_ways(),
]
