"""Riddles, refusals and queues that robots get, and people with a browser do not."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.pages import bare
from tests.zoo.wild.year2026.forms import document_reply

# By what it is called: where it is known from, the answer to every address.
_WALLS: dict[str, tuple[str, Reply]] = {
    "a rabbit's shield": (
        "bunny.net Shield: /.bunny-shield/assets, 403",
        html(
            '<!DOCTYPE html><html lang="en"><head><title>Establishing a secure'
            ' connection ...</title><link rel="stylesheet"'
            ' href="/.bunny-shield/assets/challenge-styles.css"><script'
            ' src="/.bunny-shield/assets/shield-challenge.js"'
            ' data-pow="404"></script></head><body><div'
            ' class="container"><h1>Establishing a secure connection ...</h1><p>We are'
            " checking your browser to establish a secure connection and keep you"
            " safe.</p></div></body></html>",
            "Server: BunnyCDN-DE1-1331",
            status=403,
        ),
    ),
    "Radware's captcha in the place of the page": (
        "Radware Bot Manager: Radware Captcha Page, 200 (tests of public readers)",
        html(
            '<!DOCTYPE html><html lang="en"><head><title>Radware Captcha'
            ' Page</title><script>window.SSJSInternal=77;window.__uzdbm_1="4f";</script'
            '><script src="https://cdn.perfdrive.example/aperture/aperture.js"'
            ' id="ssjsConnectorObj"></script></head><body><div'
            ' class="captcha-mid"><h1>We apologize for the'
            " inconvenience...</h1><p>...but your activity and behavior on this site"
            " made us think that you are a bot.</p><p>Please solve this CAPTCHA to"
            ' request unblock to the website</p><div class="h-captcha"'
            ' data-sitekey="ae73"></div></div></body></html>'
        ),
    ),
    "Azure's firewall runs a script": (
        "Azure WAF: JavaScript challenge, afd_azwaf_jsclearance, 403",
        html(
            '<!DOCTYPE html><html><head><title>Azure WAF</title><meta name="robots"'
            ' content="noindex,nofollow"></head><body><div id="main"><p>Please wait'
            " while we validate your browser.</p><noscript>Enable JavaScript and"
            " cookies to continue</noscript></div><script>var"
            ' challenge="4f04";document.cookie="afd_azwaf_jsclearance=1";</script></bod'
            "y></html>",
            "x-azure-ref: 20260503T100000Z-r404",
            status=403,
        ),
    ),
    "Azure's front door blocked the request": (
        "Azure Front Door WAF: The request is blocked., 403",
        html(
            "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//EN'><html"
            " xmlns='http://www.w3.org/1999/xhtml'><head><meta content='text/html;"
            " charset=utf-8' http-equiv='content-type'/></head><body>The request is"
            " blocked.<br/><br/>20260503T100000Z-16f77cb</body></html>",
            "x-azure-ref: 20260503T100000Z-16f77cb",
            status=403,
        ),
    ),
    "Wallarm saw malice": (
        "Wallarm: wallarm_blocked.html, 403",
        document_reply(
            "You are blocked",
            "<div class='content'><h1>Malicious activity blocked</h1><p>Your request"
            " is blocked since it was identified as a malicious one.</p><h2>Why it"
            " happened</h2><p>You might have used symbols similar to a malicious code"
            " sequence, or uploaded a specific file.</p><p>UUID: 4b7c-404</p></div>",
            status=403,
        ),
    ),
    "CrowdSec bans": (
        "CrowdSec: ban.html of its bouncers, 403",
        document_reply(
            "CrowdSec Ban",
            "<div class='card'><h1>CrowdSec Access Forbidden</h1><p>You are unable to"
            " visit the website.</p><p>This security check has been powered by <a"
            " href='https://crowdsec.net/'>CrowdSec</a></p></div>",
            status=403,
        ),
    ),
    "CrowdSec asks": (
        "CrowdSec: captcha.html of its bouncers, 200",
        document_reply(
            "CrowdSec Captcha",
            "<h1>CrowdSec Captcha</h1><form action='' method='POST'"
            " id='captcha-form'><div id='captcha' class='cf-turnstile'"
            " data-sitekey='0x4'></div></form><p>This security check has been powered"
            " by CrowdSec</p>",
        ),
    ),
    "a Russian shield spins": (
        "Servicepipe: id_spinner, get_cookie_spsn, 200 (pages kept by public readers)",
        html(
            '<!DOCTYPE html><html><head><meta name="viewport"'
            ' content="width=device-width"><title></title></head><body><div'
            ' id="id_spinner" class="container"><div class="spinner"></div></div><div'
            ' id="id_captcha_frame_div" style="display: none;height:'
            ' 100vh;"></div><script src="//servicepipe.example/static/jsrsasign-all-min'
            '.js"></script><script>function get_cookie_spsn() {return'
            ' "spsn=1764000000404_";}\nfunction get_cookie_spid() {return'
            ' "oirutpspid=1764000000404_77";}</script><script'
            ' src="//servicepipe.example/static/checkjs/404/77.js"></script></body></ht'
            "ml>"
        ),
    ),
    "Yunsuo asks for the size of the screen": (
        "Yunsuo: security_verify_data, 200 (notes of Chinese developers)",
        html(
            '<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><meta'
            ' http-equiv="Content-Type" content="text/html; charset=utf-8"'
            ' /><script>function stringToHex(str){var val="";for(var i = 0; i <'
            " str.length; i++){val += str.charCodeAt(i).toString(16);}return"
            " val;}function YunSuoAutoJump(){ var width =screen.width; var"
            ' height=screen.height; var screendate = width + "," + height;'
            ' self.location = "/archive/2019/annual-report?security_verify_data=" +'
            ' stringToHex(screendate);}</script><script>setTimeout("YunSuoAutoJump()",'
            " 50);</script></head></html>",
            "Set-Cookie: yunsuo_session_verify=7692d004; path=/; HttpOnly",
        ),
    ),
    "EdgeOne refuses with a number of its own": (
        "Tencent EdgeOne: 567 by its rules, EO-LOG-UUID",
        document_reply(
            "The requested was blocked",
            "<h1>Sorry, you have been blocked</h1><p>The site owner may have set"
            " restrictions that prevent you from accessing the site. Please contact"
            " the site owner or try again later.</p><p>Request ID: 4047710</p>",
            "EO-LOG-UUID: 4047710",
            status=567,
        ),
    ),
    "Huawei's firewall is a teapot": (
        "Huawei Cloud WAF: 418, CloudWAF",
        document_reply(
            "访问被拦截！",
            "<h1>您的请求疑似攻击行为！</h1><p>如果您是网站管理员，请登录云平台查看详情"
            "。事件ID: 04-0404</p>",
            "Server: CloudWAF",
            status=418,
            lang="zh",
        ),
    ),
    "Reblaze has a status of its own": (
        "Reblaze: 247, window.rbzns",
        html(
            '<html><head><meta charset="utf-8"></head><body><script>window.rbzns={beres'
            'hit: "1",seed: "x77",storage:"3"};winsocks();</script></body></html>',
            "Set-Cookie: rbzsessionid=4f; path=/",
            status=247,
        ),
    ),
    "a messenger in Chinese finds the surroundings odd": (
        "WeChat: 当前环境异常，完成验证后即可继续访问, 200 (tests of public exporters)",
        html(
            '<!DOCTYPE html><html><head><meta charset="utf-8"><title></title></head><bo'
            'dy><div class="weui-msg"><div class="weui-msg__text-area"><h2'
            ' class="weui-msg__title">环境异常</h2><p class="weui-msg__desc">当前环境异'
            '常，完成验证后即可继续访问。</p></div><div class="weui-msg__opr-area"><a'
            ' id="js_verify" class="weui-btn weui-btn_primary">去验证</a></div></div></'
            "body></html>"
        ),
    ),
    "a queue in Korean": (
        "NetFUNNEL: 서비스 접속대기 중입니다, 200",
        html(
            '<!DOCTYPE html><html lang="ko"><head><meta charset="utf-8"><title>서비스'
            ' 접속대기 중입니다.</title><script src="/netfunnel/netfunnel.js"></script>'
            '</head><body><div id="NetFunnel_Loading_Popup"><h1>서비스 접속대기'
            " 중입니다.</h1><p>예상대기시간 : 3분 20초</p><p>고객님 앞에 404명, 뒤에"
            " 77명의 대기자가 있습니다. 현재 접속 사용자가 많아 대기 중이며, 잠시만"
            " 기다리시면 서비스로 자동 접속됩니다.</p></div><script>NetFunnel_Action({a"
            'ction_id:"main"});</script></body></html>'
        ),
    ),
    "a consent box for humans, with a bill": (
        "splitbrain's botcheck: ErrorDocument 402, Are you Human?",
        document_reply(
            "Bot Check",
            "<div class='consent-box'><h1>Are you Human?</h1><p>Bots keep us busy these days."
            " Please tell us that you are none of them.</p><form action='/botcheck-confirm'"
            " method='post'><button type='submit'>Yes</button></form><small>Powered by"
            " splitbrain's <a href='https://github.com/splitbrain/botcheck'>botcheck</a>.</small>"
            "</div>",
            status=402,
        ),
    ),
    "a library of medicine checks the browser": (
        "PMC: Checking your browser, reCAPTCHA, 200",
        document_reply(
            "Checking your browser - reCAPTCHA",
            "<h1>Checking your browser before accessing $HOST ...</h1><p>Click <a"
            " href='#'>here</a> if you are not automatically redirected after 5"
            " seconds.</p><form id='form' method='post'><div class='g-recaptcha'"
            " data-sitekey='6L404' data-size='invisible'></div></form>",
        ),
    ),
    "a big shop asks for a click to go on": (
        "Amazon, 2025: Click the button below to continue shopping, 200",
        html(
            '<!DOCTYPE html><html lang="en-us" class="a-no-js"><head><title'
            ' dir="ltr">Amazon.com</title></head><body><div class="a-container"><div'
            ' class="a-box"><div class="a-box-inner"><h4>Click the button below to'
            ' continue shopping</h4><form method="get"'
            ' action="/errors/validateCaptcha"><input type="hidden" name="amzn"'
            ' value="k7" /><button type="submit" class="a-button-text" alt="Continue'
            ' shopping">Continue shopping</button></form></div></div><a'
            ' href="/gp/help">Conditions of Use</a></div></body></html>'
        ),
    ),
    "NinjaFirewall logged it": (
        "NinjaFirewall (WP Edition): 403",
        html(
            "<html><head><title>NinjaFirewall: 403 Forbidden</title><meta"
            " name='robots' content='noindex, nofollow,"
            " noarchive'></head><body><center><p>Sorry <b>198.51.100.7</b>, your"
            " request cannot be processed.<br />For security reasons, it was blocked"
            " and logged.</p><p>If you believe this was an error please contact the"
            " webmaster and enclose the following incident ID:</p><p>[ <b>#4047710</b>"
            " ]</p></center></body></html>",
            status=403,
        ),
    ),
    "BulletProof sends back": (
        "BulletProof Security for WordPress: BPS Plugin 403 Error Page",
        document_reply(
            "403 Forbidden",
            "<h1>$HOST 403 Forbidden Error Page</h1><p>If you arrived here due to a"
            " search or clicking on a link click your Browser's back button to return"
            " to the previous page. Thank you.</p><p>IP Address:"
            " 198.51.100.7</p><p>BPS Plugin 403 Error Page</p>",
            status=403,
        ),
    ),
    "CleanTalk checks for spam bots": (
        "CleanTalk: Anti-Crawler and SpamFireWall, 403",
        document_reply(
            "Blacklisted",
            "<h1>SpamFireWall is checking your browser and IP 198.51.100.7 for spam"
            " bots</h1><p>To continue working with the web site, please make sure that"
            " you have enabled JavaScript.</p><p>Anti-Crawler Protection</p><div"
            " class='footer'><a href='https://cleantalk.org'>CleanTalk</a></div>",
            status=403,
        ),
    ),
    "MalCare's firewall": (
        "MalCare: Blocked because of Malicious Activities, 403",
        document_reply(
            "Forbidden",
            "<div style='text-align:center'><h1>Firewall</h1><h3>powered by"
            " MalCare</h3><p>Blocked because of Malicious Activities</p><p>Reference"
            " ID: 4b7c404</p></div>",
            status=403,
        ),
    ),
    "CloudFront is closed to the country": (
        "Amazon CloudFront: geographic restrictions, 403",
        html(
            bare(
                "ERROR: The request could not be satisfied",
                "<h1>403 ERROR</h1><h2>The request could not be satisfied.</h2><hr>The"
                " Amazon CloudFront distribution is configured to block access from"
                " your country. We can't connect to the server for this app or website"
                " at this time.<pre>Generated by cloudfront (CloudFront)\nRequest ID:"
                " h404==</pre>",
            ),
            "X-Cache: Error from cloudfront",
            "Server: CloudFront",
            status=403,
        ),
    ),
    "an authority in Russian is closed to other countries": (
        "Russian authorities: доступ из-за рубежа ограничен, 403",
        document_reply(
            "Доступ ограничен",
            "<h1>Доступ к сайту ограничен</h1><p>Доступ с IP-адресов, расположенных за"
            " пределами Российской Федерации, временно ограничен.</p>",
            status=403,
            lang="ru",
        ),
    ),
    "an authority in Portuguese is closed to other countries": (
        "Brazilian courts: acesso restrito ao território nacional, 403",
        document_reply(
            "Acesso negado",
            "<h1>Acesso negado</h1><p>O acesso a este serviço é permitido somente a"
            " partir de endereços IP localizados no Brasil. Seu IP: 198.51.100.7</p>",
            status=403,
            lang="pt",
        ),
    ),
    "a map's interface has no slot": (
        "Overpass: rate_limited, 429",
        html(
            '<?xml version="1.0" encoding="UTF-8"?><html><head><title>OSM3S'
            " Response</title></head><body><p>The data included in this document is"
            " from www.openstreetmap.org.</p><p><strong"
            ' style="color:#FF0000">Error</strong>: runtime error: open64: 0 Success'
            " /osm3s_osm_base Dispatcher_Client::request_read_and_idx::rate_limited."
            " Please check /api/status for the quota of your IP"
            " address.</p></body></html>",
            status=429,
        ),
    ),
    "FortiWeb has an attack's number": (
        "Fortinet FortiWeb: Attack ID, 500",
        document_reply(
            "Web Page Blocked!",
            "<h1>Web Page Blocked!</h1><p>The page cannot be displayed. Please contact"
            " the administrator for additional information.</p><p>URL:"
            " $HOST/archive/2019/annual-report</p><p>Client IP:"
            " 198.51.100.7</p><p>Attack ID: 20000010</p><p>Message ID: 000404</p>",
            "Set-Cookie: cookiesession1=678B; path=/; HttpOnly",
            status=500,
        ),
    ),
    "a line of text for whoever is no person": (
        "sites' own words to crawlers of models, 403",
        plain(
            "Automated access to this site is not permitted. If you are a human reader"
            " and see this, your browser sends an unusual User-Agent. Contact:"
            " webmaster@$HOST\n",
            status=403,
        ),
    ),
}


def _behind_redirects() -> Iterator[Case]:
    """Yield walls that send everybody to where they ask."""
    for name, source, host, way, page in (
        (
            "sent to validate that it is no robot",
            "Radware: 302 to validate.perfdrive.com with ssa to ssm",
            "validate.perf-drive.example",
            "/64b926de080836ab?ssa=be69e7ab&ssb=850&ssc=http%3A%2F%2Fx&ssi=d3347f58&ssk=support",
            document_reply(
                "Radware Captcha Page",
                "<h1>We apologize for the inconvenience...</h1><p>...but your activity"
                " and behavior on this site made us think that you are a bot.</p><div"
                " class='h-captcha' data-sitekey='ae73'></div>",
            ),
        ),
        (
            "sent to the visitors' system of a network in Chinese",
            "Weibo: 302 to passport/visitor, Sina Visitor System, 200 (is-antibot)",
            "passport.weiblog.example",
            "/visitor/visitor?entry=miniblog&a=enter&url=http%3A%2F%2Fx&domain=.weiblog.example",
            document_reply(
                "Sina Visitor System",
                "<span id='message'></span><script>window.use_fp='1'||0;var"
                " url=url||{};(function(){this.l=function(u,c){}}).call(url);</script>",
                lang="zh",
            ),
        ),
        (
            "sent to a proof of work of a network of books",
            "Douban: 302 to sec.douban.com/c?r=",
            "sec.book-circle.example",
            "/c?r=http%3A%2F%2Fx",
            document_reply(
                "书圈",
                "<p>载入中 ...</p><form name='sec' id='sec' method='POST'"
                " action='/c'><input type='hidden' id='tok' name='tok'"
                " value='4f'/><input type='hidden' id='cha' name='cha'"
                " value='77'/><input type='hidden' id='sol' name='sol'"
                " value=''/></form><script>function process(cha){return"
                " sha512(cha)}</script>",
                lang="zh",
            ),
        ),
        (
            "sent to a search engine's verification in Chinese",
            "Baidu: 302 to wappass…/static/captcha",
            "wappass.search-cn.example",
            "/static/captcha/tuxing_v2.html?ak=c27b&backurl=http%3A%2F%2Fx",
            document_reply(
                "百度安全验证",
                "<div class='timeout hide'><div class='timeout-title'>网络不给力，请稍"
                "后重试</div><button id='timeout-button'>返回首页</button></div><div"
                " class='passmod'></div>",
                lang="zh",
            ),
        ),
        (
            "sent to a waiting room of a crowd's handler",
            "CrowdHandler: 302 to wait…?url=&ch-id=",
            "wait.crowd-room.example",
            "/sld77?url=http%3A%2F%2Fx&ch-code=&ch-id=tok404",
            document_reply(
                "You are in the waiting room",
                "<h1>You are in the waiting room</h1><p>We are experiencing high"
                " demand. Your place in line: 404. This page will refresh itself; keep"
                " it open.</p>",
                "Refresh: 30",
            ),
        ),
        (
            "sent to a fair queue",
            "Queue-Fair: 302 to …queue-fair.net/?target=",
            "clock-house.fair-queue.example",
            "/sale?target=http%3A%2F%2Fx",
            document_reply(
                "Queue-Fair",
                "<h1>Please wait</h1><p>You are in the queue. There are <b>404</b>"
                " people ahead of you, and you will be sent on when it is your"
                " turn.</p><script src='https://files.queue-fair.example/queue-fair-ada"
                "pter.js'></script>",
            ),
        ),
    ):
        yield of_truth(
            Truth.WALL,
            name,
            source,
            {ELSE: redirect(f"http://{host}:PORT{way}")},
            others={host: only(page)},
        )


def _behind_a_refresh() -> Iterator[Case]:
    gate = "/.well-known/sgcaptcha/?r=%2Farchive%2F2019%2Fannual-report&y=ipc:198.51.100.7:1764"
    screen = document_reply(
        "Robot Challenge Screen",
        "<h1>Checking the site connection security</h1><p>$HOST is verifying that you"
        " are a person.</p><script>const sgchallenge='20:1764:4f:77:';const"
        " sgsubmit_url='/.well-known/sgcaptcha/?r=%2F';</script>",
        "SG-Captcha: challenge",
        status=202,
    )
    refresh = html(
        f'<html><head><link rel="icon" href="data:;"><meta http-equiv="refresh" content="0;{gate}">'
        "</meta></head></html>",
        "SG-Captcha: challenge",
        "X-Robots-Tag: noindex",
        status=202,
    )
    yield of_truth(
        Truth.WALL,
        "a host of PHP sites has its riddle behind a refresh",
        "SiteGround: 202, sg-captcha: challenge (bug threads of readers)",
        {gate: screen, ELSE: refresh},
    )


CASES: list[Case] = [
    *(of_truth(Truth.WALL, name, source, only(reply)) for name, (source, reply) in _WALLS.items()),
    *_behind_redirects(),
    *_behind_a_refresh(),
]
