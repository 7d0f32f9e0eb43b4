"""Walls that answer 2xx: riddles, forms and scripts in the place of the page, and live twins."""

# ruff: noqa: RUF001
from tests.zoo.wild.case import ELSE, Case, Reply, Truth, alive, html, of_truth, only, redirect
from tests.zoo.wild.pages import HOME, modern, prose, site
from tests.zoo.wild.year2026.forms import document, document_reply

_RISK = "<script src='https://challenges.cloudflare.com/turnstile/v0/api.js' async defer></script>"

_RIDDLES: dict[str, tuple[str, Reply]] = {
    "a Turnstile and nothing else, 200": (
        "Turnstile's documentation: an explicit page before the site",
        document_reply(
            "$HOST",
            "<form method='POST' action='/verify'><div class='cf-turnstile' data-sitekey='0x4AAAA'"
            " data-callback='go'></div></form>",
            head=_RISK,
        ),
    ),
    "a Turnstile with a sentence, 200": (
        "DSpace and VuFind sites behind a Turnstile",
        document_reply(
            "Verifying...",
            "<h2>We need to check that you are a person</h2><p>This takes a second.</p><form id="
            "'f' method='post'><div class='cf-turnstile' data-sitekey='0x4AAAA'></div></form>",
            head=_RISK,
        ),
    ),
    "an ALTCHA and nothing else, 200": (
        "ALTCHA Sentinel: altcha-widget in a form",
        document_reply(
            "Security",
            "<form action='/altcha/verify' method='post'><altcha-widget challengeurl='/altcha/"
            "challenge' auto='onload'></altcha-widget></form>",
        ),
    ),
    "a Friendly Captcha and nothing else, 200": (
        "Friendly Captcha's documentation: frc-captcha",
        document_reply(
            "Bitte warten",
            "<form method='post'><p>Einen Augenblick bitte.</p><div class='frc-captcha' data-"
            "sitekey='FCMV4FO2HHD696HK' data-start='auto'></div></form>",
            lang="de",
        ),
    ),
    "a reCAPTCHA and nothing else, 200": (
        "BunkerWeb's antibot and hand-made gates: g-recaptcha",
        document_reply(
            "Bot Detection",
            "<form method='POST'><p>Please solve it to go on.</p><div class='g-recaptcha' data-"
            "sitekey='6LfeqUoUAAAAANe'></div><input type='submit'></form>",
        ),
    ),
    "an mCaptcha before the page, 200": (
        "BunkerWeb's antibot: mCaptcha",
        document_reply(
            "Bot Detection",
            "<form method='POST'><div id='mcaptcha__widget-container'></div><label data-mcaptcha_"
            "url='https://mcaptcha.example/widget/?sitekey=1'></label></form>",
        ),
    ),
    "Akamai's interstitial, 200": (
        "Akamai Bot Manager (test fixtures of public crawlers): bm-verify",
        html(
            '<!DOCTYPE html><html><head><meta http-equiv="refresh" content="5; URL=\''
            "/archive/2019/annual-report?bm-verify=AAQAAAAN_____478lCWF5'\" />\n<title>&nbsp;"
            '</title><script> var i = 1786622965; var j = i + Number("9598" + "22629");'
            " </script></head><body><iframe src='/interstitial/ic.html'></iframe><script>function"
            " triggerInterstitialChallenge(){var x=new XMLHttpRequest();x.open('POST','/_sec/"
            "verify?provider=interstitial',false)}</script></body></html>"
        ),
    ),
    "Akamai's interstitial with a name, 200": (
        "Akamai: Powered and protected by",
        document_reply(
            "&nbsp;",
            "<p>Powered and protected by</p><img alt='akamai-logo' src='/a.svg'><script>var bm='/"
            "?bm-verify=AAQAAAAN_____token'</script>",
        ),
    ),
    "Alibaba's arg1 riddle, 200": (
        "Alibaba WAF: arg1 and acw_sc__v2 (public solvers)",
        html(
            "<html><script>var arg1='2F3B1A0C9D8E7F6A5B4C3D2E1F0A9B8C7D6E5F4A';var _0x4818=['csKH'"
            "];function setCookie(n,v){document.cookie=n+'='+v+';path=/'}function reload(x){"
            "setCookie('acw_sc__v2',x);document.location.reload()}</script></html>",
            "Set-Cookie: acw_tc=76b20f6a; path=/; HttpOnly",
        ),
    ),
    "Alibaba's aliyun_waf riddle, 200": (
        "Alibaba WAF: aliyun_waf_aa in a meta tag",
        html(
            "<!doctypehtml><html><head><meta charset='UTF-8'><meta name='aliyun_waf_aa' content="
            "'3b1a'><meta name='aliyun_waf_bb' content='9c'></head><body><textarea id='renderData'"
            ' style=\'display:none\'>{"_waf_bd8ce2ce37":"x"}</textarea><script>var acw_sc__v2='
            "''</script></body></html>"
        ),
    ),
    "Ruishu's riddle, 202": (
        "Ruishu: $_ts with 202",
        html(
            "<!DOCTYPE html><html><head><script r='m'>$_ts=window['$_ts'];if(!$_ts)$_ts={};$_ts."
            "nsd=1;$_ts.cd='qE';</script><script src='/a1/b2.js' r='m'></script></head><body>"
            "</body></html>",
            status=202,
        ),
    ),
    "a publisher's governor, 200": (
        "Silverchair: /crawlprevention/governor (Citation bot's bug threads)",
        document_reply(
            "Validate User",
            "<form action='/crawlprevention/governor?content=%2farticle' method='post'><p>Please"
            " confirm.</p><div class='g-recaptcha' data-sitekey='6Lf'></div><button id='btnSubmit'"
            " disabled>Continue</button></form>",
        ),
    ),
    "a support ID, 200": (
        "F5 BIG-IP ASM, in a site's own words",
        document_reply(
            "$HOST",
            "<p>We are unable to complete your request.</p><p>If you need help, please mention"
            " this support ID: 4810928374650192837</p>",
        ),
    ),
    "a support ID in French, 200": (
        "F5 BIG-IP ASM, translated",
        document_reply(
            "Requête rejetée",
            "<p>La page demandée a été rejetée. Votre support ID est : 481092837465019283</p>",
            lang="fr",
        ),
    ),
    "a script that sets a cookie and reloads, 200": (
        "testcookie-nginx-module and hand-made gates",
        html(
            "<html><body><script>document.cookie='_ck=1a2b3c; path=/';window.location.reload();"
            "</script></body></html>"
        ),
    ),
    "an AES riddle of a free host, 200": (
        "InfinityFree: /aes.js and __test",
        html(
            "<html><body><script type='text/javascript' src='/aes.js'></script><script>function"
            " toNumbers(d){var e=[];return e}var a=toNumbers('f655ba9d'),b=toNumbers('98344c2e');"
            "document.cookie='__test='+a+'; max-age=21600; path=/';location.href='http://$HOST/"
            "?i=1';</script><noscript>This site requires Javascript to work, please enable it"
            "</noscript></body></html>"
        ),
    ),
    "a cookie gate with a title, 200": (
        "hosters' gates: One moment",
        html(
            "<html><head><title>One moment, please...</title></head><body><script>document.cookie="
            "'wsidchk=42;path=/';setTimeout(function(){location.reload(true)},1)</script></body>"
            "</html>",
        ),
    ),
    "DDoS-Guard with 200": (
        "DDoS-Guard: js-challenge",
        document_reply(
            "DDoS-Guard",
            "<div id='ddg-l10n-title'></div><script src='/.well-known/ddos-guard/js-challenge/"
            "index.js'></script>",
            "Server: ddos-guard",
        ),
    ),
    "a library's proof of work, 200": (
        "cgit and wiki operators' own: haproxy-protection",
        document_reply(
            "Hold on...",
            "<h3>Checking your browser for robots</h3><noscript>JavaScript is required on this"
            " page.</noscript><script src='/.basedflare/js/challenge.min.js'></script>",
        ),
    ),
    "a slide to verify in Chinese, 200": (
        "Taobao's punish page: x5sec",
        document_reply(
            "验证码拦截",
            "<div id='nocaptcha'></div><p>亲，请拖动下方滑块完成验证</p><script>var"
            " x5='/_____tmd_____/punish'"
            "</script>",
            lang="zh",
        ),
    ),
    "Naver's riddle, 200": (
        "Korean sites' captcha pages",
        document_reply(
            "자동입력 방지문자",
            "<form><p>아래 문자를 입력해 주세요.</p><img src='/captcha.png'><input"
            " name='key'></form>",
            lang="ko",
        ),
    ),
    "Yandex's SmartCaptcha, 200": (
        "Yandex SmartCaptcha: /showcaptcha",
        document_reply(
            "Вы не робот?",
            "<form id='checkbox-captcha-form' action='/checkcaptcha?key=1'><p>Подтвердите, что"
            " запросы отправляли вы, а не робот</p></form>",
            lang="ru",
        ),
    ),
}


def _behind_a_redirect(name: str, source: str, target: str, riddle: str) -> Case:
    return of_truth(
        Truth.WALL, name, source, {"/": HOME, target: _RIDDLES[riddle][1], ELSE: redirect(target)}
    )


# People see these pages; each has a part of a riddle in it.
_PAGES = {
    "a comment form with a Turnstile": modern(
        "The bridge of 1931",
        f"<h1>The bridge of 1931</h1>{prose()}<form id='comment'><textarea></textarea><div class="
        "'cf-turnstile' data-sitekey='0x4AAAA'></div></form>",
        head=_RISK,
    ),
    "a newsletter form with a Friendly Captcha": modern(
        "Newsletter des Museums",
        f"<h1>Newsletter</h1>{prose('de')}<form><input name='mail'><div class='frc-captcha' data-"
        "sitekey='FC1'></div></form>",
        lang="de",
    ),
    "a guest book with an ALTCHA": modern(
        "Guest book",
        f"<h1>Guest book</h1>{prose()}<form><altcha-widget challengeurl='/a'></altcha-widget>"
        "</form>",
    ),
    "a short contact page with a reCAPTCHA": modern(
        "Contact the museum",
        "<h1>Contact</h1><p>River Museum, Quay 3. Telephone +49 89 1234, open Tuesday to Sunday"
        " from ten to six.</p><form><input name='mail'><textarea></textarea><div class="
        "'g-recaptcha'></div></form>",
    ),
    "a page that sets a cookie by script": modern(
        "The bridge of 1931",
        f"<script>document.cookie='seen=1;path=/'</script><h1>The bridge of 1931</h1>{prose()}",
    ),
    "a page that reloads itself when its tab wakes": modern(
        "Water level at the quay",
        "<script>document.cookie='tz=1';document.onvisibilitychange=function(){location.reload()}"
        f"</script><h1>Water level</h1><p>2.31 m</p>{prose('en', 1)}",
    ),
    "an article on bm-verify": modern(
        "What is bm-verify= in my address?",
        f"<h1>What is bm-verify= in my address?</h1><p>Akamai's interstitial adds it, as Alibaba's"
        f" adds the cookie acw_sc__v2 and Ruishu its $_ts=.</p>{prose()}",
    ),
    "a help page on support IDs": modern(
        "Where do I find my support ID?",
        f"<h1>Where do I find my support ID?</h1><p>Your support ID is on the"
        f" invoice.</p>{prose()}",
    ),
    "a page with a comment in its source that names a wall": document(
        "The ferry",
        f"<!-- anubis: weight 0; /crawlprevention/ off --><h1>The ferry</h1>{prose()}",
    ),
}

CASES: list[Case] = [
    *(of_truth(Truth.WALL, name, who, only(reply)) for name, (who, reply) in _RIDDLES.items()),
    _behind_a_redirect(
        "a redirect to the governor, 200",
        "Silverchair: 302 to /crawlprevention/governor",
        "/crawlprevention/governor?content=%2farchive",
        "a publisher's governor, 200",
    ),
    _behind_a_redirect(
        "a redirect to showcaptcha, 200",
        "Yandex: 302 to /showcaptcha",
        "/showcaptcha?retpath=%2Farchive",
        "Yandex's SmartCaptcha, 200",
    ),
    *(
        alive(name, "false alarms of lists of riddles' marks", site(html(text)))
        for name, text in _PAGES.items()
    ),
]
