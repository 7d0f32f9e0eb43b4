"""Refusals and riddles that robots get, and people with a browser do not."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.pages import bare
from tests.zoo.wild.year2026.forms import CLOUDFLARE, document_reply

_JSON = "application/json"

# By what it is called: where it is known from, the answer to every address.
_WALLS: dict[str, tuple[str, Reply]] = {
    "NetScaler's application firewall": (
        "Citrix NetScaler AppFW: its own error object, 403",
        document_reply(
            "Application Firewall Block Page",
            "<h1>Application Firewall Block Page</h1><p>Your request has been blocked. NS"
            " Transaction ID: 404771. AppFW Session ID: 4f0a. Violation Category:"
            " APPFW_BOT. Contact the site's owner.</p>",
            "Set-Cookie: citrix_ns_id=AAM7; Path=/; HttpOnly",
            "Cneonction: close",
            status=403,
        ),
    ),
    "Airlock finds a syntax error": (
        "Airlock Gateway: 400 for robots",
        document_reply(
            "Bad Request",
            "<h1>Bad Request</h1><p>The server detected a syntax error in your request."
            " Please check your request and all parameters.</p>",
            "Set-Cookie: AL_SESS-S=AAAB; Path=/; HttpOnly",
            status=400,
        ),
    ),
    "COMODO's firewall": (
        "cWatch: Server: Protected by COMODO WAF",
        html(
            bare("403 Forbidden", "<p>Protected by COMODO WAF</p>"),
            "Server: Protected by COMODO WAF",
            status=403,
        ),
    ),
    "dotDefender": (
        "Applicure dotDefender: X-dotDefender-denied",
        document_reply(
            "dotDefender Blocked Your Request",
            "<h1>dotDefender Blocked Your Request</h1><p>Please contact the site"
            " administrator, and provide the following Reference ID: 4b7c-77</p>",
            "X-dotDefender-denied: 1",
        ),
    ),
    "NAXSI's page": (
        "NAXSI behind nginx",
        document_reply(
            "Blocked",
            "<h1>This request has been blocked by NAXSI</h1><p>If you are a person, write"
            " to the webmaster.</p>",
            "X-Data-Origin: naxsi/waf",
            status=403,
        ),
    ),
    "Nexusguard": (
        "Nexusguard: 403 with its name",
        document_reply(
            "Nexusguard",
            "<h1>Unauthorized activity has been detected</h1><p>Powered by Nexusguard</p>",
            status=403,
        ),
    ),
    "a queue of Cloudflare's": (
        "Cloudflare Waiting Room, 200",
        document_reply(
            "Waiting Room powered by Cloudflare",
            "<div id='waitTime'><h1>You are now in line.</h1><p>Thank you for your"
            " patience. Your estimated wait time is 4 minutes.</p><p>This page will"
            " auto-refresh. Please don't close your browser.</p></div>",
            *CLOUDFLARE,
            "Set-Cookie: __cfwaitingroom=Chhk; Path=/",
            "Refresh: 20",
        ),
    ),
    "Prosopo asks": (
        "Prosopo Procaptcha before everything, 200",
        document_reply(
            "Human check",
            "<h1>Are you human?</h1><form method='post'><div class='procaptcha'"
            " data-sitekey='5FZ404'></div><button>Continue</button></form><script"
            " src='https://js.prosopo.example/js/procaptcha.bundle.js'></script>",
        ),
    ),
    "Cap asks": (
        "Cap, a proof of work: <cap-widget>, 200",
        document_reply(
            "One moment",
            "<p>We check your browser. This takes a second or two.</p><cap-widget"
            " id='cap' data-cap-api-endpoint='/cap/'></cap-widget><script"
            " src='/cap/widget.js'></script>",
        ),
    ),
    "Private Captcha asks": (
        "Private Captcha before everything, 403",
        document_reply(
            "Security check",
            "<h1>Security check</h1><p>Please confirm that you are not a bot.</p><form"
            " method='post'><div class='private-captcha'"
            " data-sitekey='aaaa404'></div></form>",
            status=403,
        ),
    ),
    "GeeTest asks in Chinese": (
        "GeeTest before everything, 200",
        document_reply(
            "安全验证",
            "<h1>请完成安全验证</h1><p>为了您的正常访问，请点击按钮进行验证。</p><div"
            " id='geetest-captcha'></div><script src='https://static.geetest.example/v4/g"
            "t4.js'></script>",
            lang="zh",
        ),
    ),
    "Arkose asks": (
        "Arkose Labs: the puzzle before everything, 403",
        document_reply(
            "Verify",
            "<h1>Protecting your visit</h1><p>Please solve this puzzle so we know you are"
            " a real person.</p><div id='arkose'></div><input type='hidden'"
            " id='FunCaptcha-Token'><script src='https://client-api.arkoselabs.example/v2"
            "/KEY/api.js'></script>",
            status=403,
        ),
    ),
    "a Russian market has no connection": (
        "Ozon: 403 with an incident of its antibot",
        document_reply(
            "Доступ ограничен",
            "<h1>Доступ ограничен</h1><p>Отключите VPN, проверьте соединение с интернетом"
            " и обновите страницу.</p><p>Инцидент: fab_chlg_20260503_01H404</p>",
            status=403,
            lang="ru",
        ),
    ),
    "a Russian board has a problem with the address": (
        "Avito: Доступ ограничен: проблема с IP",
        document_reply(
            "Доступ ограничен: проблема с IP",
            "<h2 class='firewall-title'>Доступ ограничен: проблема с IP</h2><p>Иногда так"
            " бывает: кто-то из вашей сети делает слишком много запросов. Решите капчу,"
            " чтобы продолжить.</p>",
            status=403,
            lang="ru",
        ),
    ),
    "a Russian shop wants a token": (
        "Wildberries: 498, X-Wbaas-Token",
        document_reply(
            "Почти готово...",
            "<h1>Почти готово...</h1><p>Проверяем браузер перед входом.</p><script"
            " src='/__wbaas/challenges/antibot/static/js/index.js'></script>",
            "X-Wbaas-Token: get",
            status=498,
            lang="ru",
        ),
    ),
    "NGENIX's riddle": (
        "NGENIX: ngenix_jscv_, a cookie by script and a reload",
        html(
            "<html><head></head><body><script>(function(){var"
            " v=41*7;document.cookie='ngenix_jscv_cd881f1695eb='+v+';"
            " path=/';location.reload();})();</script></body></html>",
            "Set-Cookie: ngenix_valid=false; path=/",
        ),
    ),
    "a network of questions in Chinese sees something unusual": (
        "Zhihu: 403, code 40362",
        plain(
            '{"error":{"message":"您当前请求存在异常，暂时限制本次访问。如有疑问，您可以'
            '通过手机摇一摇或登录后私信小管家反馈。","code":40362}}',
            kind=_JSON,
            status=403,
        ),
    ),
    "a video host in Chinese intercepts the request": (
        "Bilibili: 412, code -412",
        plain('{"code":-412,"message":"请求被拦截","ttl":1,"data":null}', kind=_JSON, status=412),
    ),
    "a video host in Chinese says why": (
        "Bilibili: 412 as a page",
        document_reply(
            "出错啦! - bilibili.com",
            "<div class='error-container'><p>错误号:"
            " 412</p><p>由于触发哔哩哔哩安全风控策略，该次访问请求被拒绝。</p></div>",
            status=412,
            lang="zh",
        ),
    ),
    "a board of small ads blocked the address": (
        "Craigslist: 403 in one line",
        plain(
            "This IP has been automatically blocked. If you have questions, please email"
            " blocks-b1@board.example\n",
            kind="text/html",
            status=403,
        ),
    ),
    "a financial newspaper asks": (
        "Bloomberg: Are you a robot?, 403",
        document_reply(
            "River Finance - Are you a robot?",
            "<h1>We've detected unusual activity from your computer network</h1><p>To"
            " continue, please click the box below to let us know you're not a"
            " robot.</p><p>Block reference ID: 4f0c</p>",
            status=403,
        ),
    ),
    "a publisher's challenge of the client": (
        "Springer Nature: Client Challenge, 200",
        document_reply(
            "Client Challenge",
            "<noscript><p>JavaScript is disabled in your browser. Please enable"
            " JavaScript to proceed.</p></noscript><div id='loading-error' hidden><p>A"
            " required part of this site couldn’t load. This may be due to a browser"
            " extension, network issues, or browser settings.</p></div><script"
            " src='/_fs-ch-1T1wmsGaOgGaSxcX/script.js'></script>",
        ),
    ),
    "a job board verifies in addition": (
        "Indeed: Additional Verification Required, 403",
        document_reply(
            "Security Check",
            "<h1>Additional Verification Required</h1><p>Your Ray ID for this request is"
            " 9a1b2c3d4e5f6071</p><div id='challenge'></div>",
            *CLOUDFLARE,
            status=403,
        ),
    ),
    "a seller of tickets paused the browsing": (
        "Ticketmaster: Your Browsing Activity Has Been Paused, 403",
        document_reply(
            "Let's Get Your Identity Verified",
            "<h1>Your Browsing Activity Has Been Paused</h1><p>We’ve detected unusual"
            " behavior on either your network or your browser.</p>",
            status=403,
        ),
    ),
    "a market of flats takes us for a robot, with 401": (
        "ImmoScout24: Ich bin kein Roboter, 401",
        document_reply(
            "Ich bin kein Roboter - Flatscout",
            "<div class='main__captcha'><h1>Ich bin kein Roboter</h1><p>Bitte löse das"
            " Rätsel, damit wir sehen, dass du ein Mensch bist.</p><div"
            " id='captcha-box'></div></div>",
            status=401,
            lang="de",
        ),
    ),
    "a news agency behind DataDome, with 401": (
        "Reuters: DataDome with 401",
        html(
            "<html lang='en'><head><title>news.example</title><style>#cmsg{animation: A"
            " 1.5s;}</style></head><body><p id='cmsg'>Please enable JS and disable any ad"
            " blocker</p><script data-cfasync='false'>var"
            " dd={'rt':'c','cid':'AHrl','hsh':'2013','t':'bv','host':'geo.captcha-deliver"
            "y.com'}</script></body></html>",
            "X-DataDome: protected",
            "Set-Cookie: datadome=x; Path=/",
            status=401,
        ),
    ),
    "a board of small ads in German locked the range": (
        "Kleinanzeigen: IP-Bereich gesperrt, 403",
        document_reply(
            "Kleine Anzeigen",
            "<h1>Dein IP-Bereich wurde vorübergehend gesperrt</h1><p>Aus deinem"
            " IP-Bereich kamen ungewöhnlich viele Anfragen. Nutzt du ein VPN? Schalte es"
            " aus.</p>",
            status=403,
            lang="de",
        ),
    ),
    "a market of flats in Spanish saw misuse": (
        "Idealista: uso indebido, 403",
        document_reply(
            "casas.example",
            "<h1>Uy, parece que estamos recibiendo muchas peticiones tuyas en poco"
            " tiempo.</h1><p>El acceso se ha bloqueado. ¿Eres un robot?</p>",
            status=403,
            lang="es",
        ),
    ),
    "a search engine asks for ducks": (
        "DuckDuckGo: anomaly-modal, 202",
        document_reply(
            "Search",
            "<form id='challenge-form' action='/anomaly.js'><div"
            " class='anomaly-modal__title'>Unfortunately, bots use this search"
            " too.</div><div class='anomaly-modal__description'>Please complete the"
            " following challenge to confirm this search was made by a"
            " human.</div></form>",
            status=202,
        ),
    ),
    "a search engine is not in this country": (
        "Qwant: not yet available in your country, 403",
        document_reply(
            "Search",
            "<h1>Unfortunately we are not yet available in your country</h1><p>IP:"
            " 198.51.100.44</p>",
            status=403,
        ),
    ),
    "an American newspaper is not for Europe, with 200": (
        "local newspapers: access denied from the EEA, 200",
        document_reply(
            "River Gazette",
            "<h1>Unavailable in your region</h1><p>We recognize you are attempting to"
            " access this website from a country belonging to the European Economic Area"
            " (EEA) including the EU, which enforces the GDPR, and therefore access"
            " cannot be granted at this time.</p>",
        ),
    ),
    "an authority in Turkish blocks foreign addresses": (
        "Turkish ministries: yurt dışı",
        document_reply(
            "Erişim Engellendi",
            "<h1>Erişim Engellendi</h1><p>Yurt dışından erişim kapalıdır. IP adresiniz:"
            " 198.51.100.44</p>",
            status=403,
            lang="tr",
        ),
    ),
    "an authority in Ukrainian blocks foreign addresses": (
        "Ukrainian registers: geography",
        document_reply(
            "Доступ обмежено",
            "<h1>Доступ обмежено</h1><p>Доступ до сайту з вашої країни або через VPN обмежено.</p>",
            status=403,
            lang="uk",
        ),
    ),
    "an authority in Vietnamese blocks foreign addresses": (
        "Vietnamese authorities: geography",
        document_reply(
            "Truy cập bị từ chối",
            "<h1>Truy cập bị từ chối</h1><p>Địa chỉ IP của bạn đến từ quốc gia không được"
            " phép truy cập.</p>",
            status=403,
            lang="vi",
        ),
    ),
    "a host in Japanese blocks foreign addresses": (
        "Japanese hosts: 国外IPアドレスからのアクセス制限",
        document_reply(
            "403 Forbidden",
            "<h1>閲覧できません</h1><p>国外IPアドレスからのアクセスは制限されています。</p>",
            status=403,
            lang="ja",
        ),
    ),
    "a firewall in Korean, with 200": (
        "WAPPLES, Cloudbric: 웹 방화벽에 의해 차단, 200",
        document_reply(
            "차단 안내",
            "<h1>요청하신 접속은 보안정책에 의해 차단되었습니다</h1><p>웹 방화벽이"
            " 비정상적인 요청을 탐지했습니다. 관리자에게 문의하십시오. (IP:"
            " 198.51.100.44)</p>",
            lang="ko",
        ),
    ),
    "a firewall in Polish": (
        "Polish hosts: firewalls of their own",
        document_reply(
            "Dostęp zablokowany",
            "<h1>Dostęp zablokowany</h1><p>Twój adres IP został zablokowany z powodu"
            " podejrzanej aktywności.</p>",
            status=403,
            lang="pl",
        ),
    ),
    "a firewall in Persian": (
        "Iranian hosts: geography",
        document_reply(
            "دسترسی محدود شده",
            "<h1>دسترسی شما محدود شده است</h1><p>دسترسی از خارج از کشور امکان‌پذیر نیست."
            " آی‌پی شما: 198.51.100.44</p>",
            status=403,
            lang="fa",
        ),
    ),
    "a plugin locked us out": (
        "Solid Security (iThemes) of WordPress: 403",
        document_reply(
            "Forbidden",
            "<h1>You have been locked out.</h1><p>Your IP address has been flagged as a"
            " threat by the security network.</p>",
            status=403,
        ),
    ),
    "a black hole for bad robots": (
        "Blackhole for Bad Bots, a plugin of WordPress",
        document_reply(
            "Blackhole",
            "<h1>You have been banned from this domain</h1><p>If you think there has been"
            " a mistake, contact the administrator via proxy server.</p>",
            status=403,
        ),
    ),
    "a shield saw too many offences": (
        "Shield Security, a plugin of WordPress",
        document_reply(
            "Access blocked",
            "<h1>Your IP address is blocked</h1><p>Too many requests or offenses have"
            " been made from your IP address 198.51.100.44. Unblock yourself below.</p>",
            status=403,
        ),
    ),
    "an archive of snapshots asks for one more step": (
        "archive.today: 429 with a captcha",
        document_reply(
            "snapshots.example",
            "<h1>One more step</h1><h2>Please complete the security check to"
            " access</h2><div class='g-recaptcha' data-sitekey='6L404'></div>",
            status=429,
        ),
    ),
    "a tile server wants a name": (
        "OpenStreetMap: 403, blocked for its policy",
        plain(
            "Access blocked\nYour application does not follow the usage policy: no valid"
            " User-Agent.\n",
            status=403,
        ),
    ),
}


def _behind_redirects() -> Iterator[Case]:
    """Yield walls that send everybody to where they ask."""
    for name, source, host, way, status, page in (
        (
            "sent to wait in a queue",
            "Queue-it: 302 to c=…&e=…&t=…",
            "skerry.queue-it.example",
            "/?c=skerry&e=sale&t=http%3A%2F%2Fx",
            302,
            document_reply(
                "Queue-it",
                "<h1>You are now in line</h1><p>When it is your turn, you will have 10"
                " minutes to enter the website.</p><p>Your number in line: 4044</p>",
                "X-Queueit-Connector: edge",
            ),
        ),
        (
            "sent to an anti-robot page in Chinese",
            "58.com: callback…/antibot/verifycode",
            "callback.wuba.example",
            "/antibot/verifycode?serialId=404",
            302,
            document_reply(
                "请输入验证码",
                "<h1>访问过于频繁，本次访问做以下验证码校验</h1><p>请点击按钮进行验证</p><inp"
                "ut type='button' id='btnSubmit' value='点击按钮进行验证'>",
                lang="zh",
            ),
        ),
        (
            "sent to a captcha of a market of flats in Chinese",
            "Lianjia: hip…/captcha",
            "hip.flats-china.example",
            "/captcha?location=http%3A%2F%2Fx&ext=404",
            302,
            document_reply(
                "CAPTCHA",
                "<div id='captcha'><h1>人机验证</h1><p>请在下图中按顺序点击</p></div>",
                lang="zh",
            ),
        ),
    ):
        yield of_truth(
            Truth.WALL,
            name,
            source,
            {ELSE: redirect(f"http://{host}:PORT{way}", status=status)},
            others={host: only(page)},
        )
    for name, source, way, status, page in (
        (
            "sent to press and hold",
            "Walmart: 307 to /blocked?url=",
            "/blocked?url=L2FyY2hpdmU=&g=b",
            307,
            document_reply(
                "Robot or human?",
                "<h1>Robot or human?</h1><p>Activate and hold the button to confirm that"
                " you’re human. Thank You!</p><div id='px-captcha'></div>",
            ),
        ),
        (
            "sent to a challenge of a network in Russian",
            "VK: 302 to /challenge.html?hash429=",
            "/challenge.html?hash429=4f&redirect=%2Farchive",
            302,
            document_reply(
                "Проверка",
                "<h1>Проверяем, что вы не робот</h1><script src='/challenge/main.js'></script>",
                lang="ru",
            ),
        ),
        (
            "sent to a page on traffic in Vietnamese",
            "Shopee: /verify/traffic/error",
            "/verify/traffic/error?home_url=http%3A%2F%2Fx&is_logged_in=false",
            302,
            document_reply(
                "Xác minh",
                "<h1>Xác minh lưu lượng</h1><p>Hệ thống phát hiện lưu lượng bất thường từ"
                " mạng của bạn.</p>",
                lang="vi",
            ),
        ),
        (
            "sent to a captcha of a network of notes",
            "Xiaohongshu: 302 to /website-login/captcha",
            "/website-login/captcha?redirectPath=%2Farchive&verifyType=124",
            302,
            document_reply(
                "安全验证", "<div id='captcha-div'><p>请向右拖动滑块完成验证</p></div>", lang="zh"
            ),
        ),
    ):
        yield of_truth(Truth.WALL, name, source, {ELSE: redirect(way, status=status), way: page})


CASES: list[Case] = [
    *(of_truth(Truth.WALL, name, source, only(reply)) for name, (source, reply) in _WALLS.items()),
    *_behind_redirects(),
]
