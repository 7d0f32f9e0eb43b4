"""Walls by statuses of their own, and in languages other than English."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain
from tests.zoo.wild.pages import HOME, bare, site
from tests.zoo.wild.year2026.forms import CLOUDFLARE, document_reply

_RUISHU = (
    '<!DOCTYPE html><html><head><meta charset="utf-8"><meta id="9DhefwqGPrzGxEp9hPaoag" content='
    '"{&quot;k&quot;:1}" r="m"><script type="text/javascript" r="m">$_ts=window[\'$_ts\'];if(!$_ts)'
    '$_ts={};$_ts.nsd=47362;$_ts.cd="qEyxrrAlWaqYcGAoDGa9qqGarnl";</script><script type=\'text/'
    'javascript\' charset="utf-8" src="/mK8nQYjVw2Ji/uFDFg1a2b3c.js" r=\'m\'></script></head>'
    "<body></body></html>"
)
_JIASULE = (
    "<script>document.cookie=('_')+('_')+('j')+('s')+('l')+('_clearance_s=')+('1714542141.604|-1|"
    "y1V;')+('max-age=')+('3600;')+('path=/');location.href=location.pathname+location.search"
    "</script>"
)

# By what it is called: public form, answer. All of them answer every address so.
_WALLS: dict[str, tuple[str, Reply]] = {
    "Ruishu's riddle with 412": (
        "Ruishu (Riversecurity) on Chinese government sites: 412, $_ts, a cookie, a reload",
        html(_RUISHU, "Set-Cookie: FSSBBIl1UgzbN7NS=5abc; Path=/; HttpOnly", status=412),
    ),
    "Ruishu's riddle with 412, older form": (
        "Ruishu: document.cookie and a reload written out",
        html(
            "<html><head><script>document.cookie='FSSBBIl1UgzbN7NT=4kQ;path=/';location.reload()"
            "</script></head><body></body></html>",
            status=412,
        ),
    ),
    "Knownsec's riddle with 521": (
        "Knownsec Jiasule: 521, __jsl_clearance_s by script",
        html(_JIASULE, "Set-Cookie: __jsluid_s=32988571; max-age=31536000", status=521),
    ),
    "Knownsec's second riddle with 521": (
        "Knownsec Jiasule: the obfuscated second layer",
        html(
            "<script>var _0x1a2b=['w7bDuA'];function go(_0x3){document.cookie=_0x3['tn']+'='+"
            '_0x3[\'bts\'][0];location.href=location.pathname}go({"bts":["1714542141.604|0|y1V"],'
            '"chars":"yKjBlbzgKbwIsHlQ","ct":"b7399ba3","ha":"sha1","is":true,"tn":'
            '"__jsl_clearance_s","vt":"3600","wt":"1500"})</script>',
            status=521,
        ),
    ),
    "a bare 412 for everything": (
        "front ends that want a browser's headers: 412 Precondition Failed",
        html(bare("412 Precondition Failed", "<hr><center>nginx</center>"), status=412),
    ),
    "a bare 418 for everything": (
        "sites that answer crawlers with a teapot (Douban: 418)",
        Reply(status=418, headers=("Server: dae",)),
    ),
    "a bare 428 for everything": (
        "front ends that want a precondition",
        plain("Precondition Required", status=428),
    ),
    "a bare 498 for everything": (
        "front ends that want a token of a script's: 498 Invalid Token (Esri's name for it)",
        html(bare("498 Invalid Token", ""), status=498),
    ),
    "a bare 420 for everything": ("JSTOR and older APIs: 420", Reply(status=420)),
    "JSTOR's 420 with a page": (
        "JSTOR: 420 to robots",
        document_reply(
            "JSTOR: Access Check", "<p>Block reference: #a1b2c3. VID: #0000</p>", status=420
        ),
    ),
    "Shopify's 430": (
        "Shopify: 430 Security Rejection, where 429 is the limit of a rate",
        document_reply(
            "Security rejection",
            "<h1>Request was rejected</h1><p>This shop's security system did not let it through."
            "</p>",
            "powered-by: Shopify",
            "X-ShopId: 7654321",
            status=430,
        ),
    ),
    "Shopify's bare 430": ("Shopify: 430", Reply(status=430, headers=("powered-by: Shopify",))),
    "Anubis with 403": (
        "Anubis: STATUS_CODES={CHALLENGE: 403}",
        document_reply(
            "Making sure you&#39;re not a bot!",
            "<h1 id='title' class='centered-div'>Making sure you&#39;re not a bot!</h1><div"
            " id='progress' role='progressbar'></div><script async type='module' src='/.within."
            "website/x/cmd/anubis/static/js/main.mjs?cacheBuster=1.21'></script>",
            status=403,
            head="<script id='anubis_challenge' type='application/json'>{\"rules\":{}}</script>",
        ),
    ),
    "Anubis with 401": (
        "Anubis: status of its own choice",
        document_reply(
            "Making sure you&#39;re not a bot!",
            "<p>Calculating...</p>",
            status=401,
            head="<script id='anubis_challenge' type='application/json'>{}</script>",
        ),
    ),
    "Anubis denies with 500": (
        "Anubis: Oh noes!",
        document_reply(
            "Oh noes!",
            "<h1>Oh noes!</h1><img src='/.within.website/x/cmd/anubis/static/img/reject.webp'>"
            "<p>Access Denied: error code 8c1b2f</p>",
            status=500,
        ),
    ),
    "Cloudflare's 403 with nothing but a Ray ID": (
        "Cloudflare custom block pages",
        document_reply(
            "Forbidden",
            "<h1>Sorry</h1><p>Ray ID: 9a1b2c3d4e5f6071</p>",
            *CLOUDFLARE,
            status=403,
        ),
    ),
    "Cloudflare says 1006": (
        "Cloudflare's 1xxx pages",
        plain("error code: 1006", *CLOUDFLARE, status=403),
    ),
    "rate limit exceeded, with 403": (
        "services that limit with 403",
        plain('{"message":"Rate limit exceeded"}', status=403, kind="application/json"),
    ),
    "too many requests from a network, with 403": (
        "publishers and Reddit: too many requests from your network",
        document_reply(
            "Blocked",
            "<h1>Too many requests from your network</h1><p>Please try again later.</p>",
            status=403,
        ),
    ),
    "rate limit exceeded, with 400": (
        "front ends that answer 400 to those in a hurry",
        document_reply("Error", "<p>Rate limit exceeded. Slow down.</p>", status=400),
    ),
    "an F5 with its support ID and 403": (
        "F5 BIG-IP ASM, in words of the site's own",
        document_reply(
            "Forbidden",
            "<p>Your request cannot be processed. Support ID: 12345678901234567890</p>",
            status=403,
        ),
    ),
    "Qrator wants a cookie": (
        "Qrator: qauth by script, 401",
        html(
            "<html><head><script src='/__qrator/qauth_utm_v2_d1f8704240eac2423bbef5f6eb92df4.js'>"
            "</script></head><body><div id='_qp'></div></body></html>",
            "Server: QRATOR",
            status=401,
        ),
    ),
    "SafeLine's riddle with 468": (
        "Chaitin SafeLine: 468 and a human check",
        document_reply(
            "Protected By Chaitin SafeLine WAF",
            "<div id='slg-box'></div><script src='/.safeline/static/favicon.js'></script>"
            "<p>Confirm you are human</p>",
            status=468,
        ),
    ),
    "Alibaba's firewall with 405": (
        "Alibaba WAF: 405, errors.aliyun.com",
        html(
            "<!doctypehtml><html lang='zh-cn'><head><meta charset='utf-8'><title>405</title>"
            "</head><body><div id='block_message'></div><script>var block_message='很抱歉，由于您"
            "访问"
            "的URL有可能对网站造成安全威胁，您的访问被阻断。';</script></body></html>",
            status=405,
        ),
    ),
    "Baota's firewall": (
        "Baota WAF: 您的请求带有不合法参数",
        document_reply(
            "网站防火墙",
            "<h1>网站防火墙</h1><p>您的请求带有不合法参数，已被网站管理员设置拦截！</p>",
            status=403,
            lang="zh",
        ),
    ),
    "Imunify360 asks for a moment": (
        "hosters' firewalls: Imunify360",
        document_reply(
            "One moment, please...",
            "<h1>Please wait while your request is being verified...</h1><script>setTimeout("
            "function(){location.reload()},5000)</script>",
            "Server: imunify360-webshield/1.21",
            status=403,
        ),
    ),
}

# Sentences that walls say, with 403, in other languages; the home page says so, too, or is open.
_WORDS = [
    ("zh", "访问被拒绝", "您的访问过于频繁，请稍后再试。"),
    ("zh", "安全验证", "请完成安全验证后继续访问。"),
    ("ja", "アクセスが制限されています", "ロボットによるアクセスと判断されました。"),
    ("ja", "アクセス拒否", "ご利用の環境からのアクセスをブロックしました。"),
    ("ko", "접근이 차단되었습니다", "비정상적인 접근이 감지되어 차단되었습니다."),
    ("ko", "자동입력 방지", "로봇이 아님을 확인해 주세요."),
    ("de", "Zugriff verweigert", "Bitte bestätigen Sie, dass Sie kein Roboter sind."),
    ("de", "Zugriff blockiert", "Ihre Anfrage wurde als automatisiert erkannt und blockiert."),
    ("fr", "Accès refusé", "Veuillez confirmer que vous n'êtes pas un robot."),
    ("fr", "Accès bloqué", "Votre requête a été bloquée par notre système de sécurité."),
    ("es", "Acceso denegado", "Confirme que no es un robot para continuar."),
    ("es", "Solicitud bloqueada", "Hemos detectado tráfico inusual desde su red."),
    ("ru", "Доступ ограничен", "Подтвердите, что вы не робот."),
    ("ru", "Доступ запрещён", "С вашего IP-адреса поступает слишком много запросов."),
]


def _in_languages() -> Iterator[Case]:
    for number, (lang, title, sentence) in enumerate(_WORDS):
        wall = document_reply(title, f"<h1>{title}</h1><p>{sentence}</p>", status=403, lang=lang)
        site = only(wall) if number % 2 else {"/": HOME, ELSE: wall}
        place = "everywhere" if number % 2 else "but not on the home page"
        yield of_truth(
            Truth.WALL,
            f"a wall in {lang}, {number}, {place}",
            "sites' own pages for robots, in their language",
            site,
        )


def _with_a_silent_root() -> Iterator[Case]:
    """Yield bare refusals that nobody can tell from a deletion: the root says nothing."""
    refusal = html(bare("403 Forbidden", "<hr><center>nginx</center>"), status=403)
    for name, root in (
        ("answers 503", html(bare("503 Service Unavailable", ""), status=503)),
        ("is reset", Reply(wire=b"")),
        ("never answers in time", Reply(body=b"late", delay=30.0)),
    ):
        yield of_truth(
            Truth.WALL,
            f"forbidden, and the root {name}",
            "front ends that drop robots at the root",
            {"/": root, ELSE: refusal},
            policy={"timeout": 3.0, "retries": 0},
        )


def _before_one_page() -> Iterator[Case]:
    """Yield walls that are statuses of their own, before one page of an open site."""
    for name in ("a bare 420", "Shopify's bare 430", "Ruishu's riddle with 412"):
        key = name if name in _WALLS else f"{name} for everything"
        source, reply = _WALLS[key]
        yield of_truth(Truth.WALL, f"{name}, before one page", source, site(reply))


CASES: list[Case] = [
    *(of_truth(Truth.WALL, name, who, only(reply)) for name, (who, reply) in _WALLS.items()),
    *_in_languages(),
    *_before_one_page(),
    *_with_a_silent_root(),
]
