"""Products that show people the page, and robots a refusal or a riddle: the large networks'."""

from tests.zoo.wild.case import Case, Reply, Truth, html, of_truth, only, plain
from tests.zoo.wild.pages import modern

CLOUDFLARE = ("Server: cloudflare", "CF-RAY: 8f1a2b3c4d5e6f70-FRA")


def _akamai(reference: str) -> str:
    return (
        "<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \nYou"
        ' don\'t have permission to access "http&#58;&#47;&#47;museum&#46;example&#47;" on this'
        f" server.<P>\n{reference}\n</BODY>\n</HTML>\n"
    )


def _cloudflare_page(title: str, content: str) -> str:
    return (
        "<!DOCTYPE html>\n<!--[if lt IE 7]> <html class='no-js ie6 oldie' lang='en-US'>"
        f" <![endif]-->\n<head><title>{title}</title><meta name='robots' content='noindex,"
        " nofollow'><link rel='stylesheet' id='cf_styles-css'"
        " href='/cdn-cgi/styles/cf.errors.css'></head><body><div id='cf-wrapper'><div"
        f" id='cf-error-details' class='cf-error-details-wrapper'>{content}<p"
        " class='cf-error-footer'>Cloudflare Ray ID: <strong>8f1a2b3c4d5e6f70</strong> &bull;"
        " Performance &amp; security by Cloudflare</p></div></div></body></html>"
    )


_JUST_A_MOMENT = (
    "<!DOCTYPE html><html lang='en-US'><head><title>Just a moment...</title><meta http-equiv="
    "'refresh' content='360'></head><body><div class='main-wrapper'><noscript>Enable JavaScript and"
    " cookies to continue</noscript></div><script>(function(){window._cf_chl_opt={cvId:'3',cType:"
    "'managed',cRay:'8f1a2b3c4d5e6f70'};var a=document.createElement('script');a.src='/cdn-cgi/"
    "challenge-platform/h/b/orchestrate/chl_page/v1?ray=8f1a';}());</script></body></html>"
)

# By what it is called: public form, answer.
WALLS: dict[str, tuple[str, Reply]] = {
    "Akamai denies, with an entity-encoded reference": (
        "Akamai block page",
        html(
            _akamai(
                "Reference&#32;&#35;18&#46;c52f655f&#46;1700000000&#46;1a2b3c4d\n<P>https&#58;&#47;"
                "&#47;errors&#46;edgesuite&#46;net&#47;18&#46;c52f655f&#46;1700000000&#46;1a2b3c4d</P>"
            ),
            "Server: AkamaiGHost",
            status=403,
            charset="iso-8859-1",
            said=None,
        ),
    ),
    "Akamai denies, with a reference only": (
        "Akamai block page, older form",
        html(
            _akamai("Reference&#32;&#35;18&#46;c52f655f&#46;1700000000&#46;1a2b3c4d"),
            "Server: AkamaiGHost",
            "Mime-Version: 1.0",
            status=403,
        ),
    ),
    "Akamai denies in plain letters": (
        "Akamai block page",
        html(
            _akamai("Reference #18.c52f655f https://errors.edgesuite.net/18.c52f655f"), status=403
        ),
    ),
    "Akamai asks for proof": (
        "Akamai Bot Manager's challenge: 428",
        html(
            "<!DOCTYPE html><html><head><title>Challenge Validation</title></head><body><div"
            " id='sec-if-container'><div id='sec-if-cpt-container' class='behavioral-content'"
            " data-duration=5></div></div><script src='/sec/cpt.js?t=1'></script></body></html>",
            status=428,
        ),
    ),
    "Cloudflare challenges": (
        "Cloudflare managed challenge",
        html(_JUST_A_MOMENT, *CLOUDFLARE, "cf-mitigated: challenge", status=403),
    ),
    "Cloudflare challenges, as it did with 503": (
        "Cloudflare, older form",
        html(_JUST_A_MOMENT, *CLOUDFLARE, status=503),
    ),
    "Cloudflare blocks": (
        "Cloudflare WAF block page",
        html(
            _cloudflare_page(
                "Attention Required! | Cloudflare",
                "<h1 data-translate='block_headline'>Sorry, you have been blocked</h1><h2>You are"
                " unable to access $HOST</h2>",
            ),
            *CLOUDFLARE,
            status=403,
        ),
    ),
    **{
        f"Cloudflare says {code}": (
            "Cloudflare's 1xxx pages",
            html(
                _cloudflare_page(
                    "Access denied | $HOST used Cloudflare to restrict access",
                    f"<h1><span>Error</span> <span>{code}</span></h1><h2>{words}</h2>",
                ),
                *CLOUDFLARE,
                status=403,
            ),
        )
        for code, words in (
            ("1009", "Access denied: country or region banned"),
            (
                "1010",
                "The owner of this website has banned your access based on your browser's"
                " signature",
            ),
            ("1020", "Access denied: this website is using a security service"),
        )
    },
    "Cloudflare says 1020 in one line": (
        "Cloudflare's answer to clients that are no browser",
        plain("error code: 1020", *CLOUDFLARE, status=403),
    ),
    "Cloudflare says 1010 in one line": (
        "Cloudflare's answer to clients that are no browser",
        plain("error code: 1010", *CLOUDFLARE, status=403),
    ),
    "Cloudflare limits in one line": (
        "Cloudflare error 1015",
        plain("error code: 1015", *CLOUDFLARE, status=429),
    ),
    "DataDome by a script": (
        "DataDome",
        html(
            "<html lang='en'><head><title>$HOST</title><style>#cmsg{animation: A 1.5s;}"
            "</style></head><body><p id='cmsg'>Please enable JS and disable any ad blocker</p>"
            "<script>var dd={'rt':'c','cid':'AHrlqAAAAAMA','hsh':'A55FBF','t':'bv','s':1,'host':"
            "'geo.captcha-delivery.com'}</script></body></html>",
            "x-datadome: protected",
            "x-dd-b: 1",
            status=403,
        ),
    ),
    "DataDome by a header alone": (
        "DataDome, to a client that takes no HTML",
        Reply(status=403, headers=("Server: DataDome", "X-DataDome: protected", "X-DD-B: 2")),
    ),
    "DataDome by its server's name alone": (
        "DataDome behind another CDN, which drops its headers",
        Reply(status=403, headers=("Server: DataDome", "X-DataDome-CID: AHrlqAAAAAMA")),
    ),
    "PerimeterX asks to press and hold": (
        "PerimeterX, now HUMAN",
        html(
            "<!DOCTYPE html><html lang='en'><head><title>Access to this page has been denied"
            "</title></head><body><h1>Press &amp; Hold to confirm you are a human (and not a bot)."
            "</h1><div id='px-captcha'></div><p>Reference ID 1f2e3d4c</p><script>window._pxAppId="
            "'PXabcd1234';window._pxJsClientSrc='/abcd1234/init.js';</script></body></html>",
            status=403,
        ),
    ),
    "PerimeterX in JSON": (
        "PerimeterX, advanced blocking response",
        plain(
            '{"appId":"PXabcd1234","jsClientSrc":"/abcd1234/init.js","firstPartyEnabled":true,'
            '"blockScript":"/abcd1234/captcha/captcha.js?a=c"}',
            status=403,
            kind="application/json",
        ),
    ),
    "Imperva's frame": (
        "Imperva, older form",
        html(
            "<html style='height:100%'><head><META NAME='ROBOTS' CONTENT='NOINDEX,"
            " NOFOLLOW'></head><body><iframe id='main-iframe'"
            " src='/_Incapsula_Resource?CWUDNSAI=9&xinfo=1&incident_id=500000-1'>Request"
            " unsuccessful. Incapsula incident ID: 500000-1</iframe></body></html>",
            "X-Iinfo: 10-1-1 NNNN",
            status=403,
        ),
    ),
    "Imperva's new page": (
        "Imperva's page since the name Incapsula was given up",
        html(
            modern(
                "Pardon Our Interruption",
                "<h1>Pardon Our Interruption</h1><p>As you were browsing something about your"
                " browser made us think you were a bot.</p><script src='/vice-come-Soldenyson?s=1'>"
                "</script>",
            ),
            "X-CDN: Imperva",
            status=403,
        ),
    ),
    "Imperva's page of error 15": (
        "Imperva's error pages",
        html(
            modern(
                "Access denied",
                "<h1>Access denied</h1><p>Error 15</p><p>This request was blocked by our security"
                " service</p><p>Powered by Imperva</p>",
            ),
            "X-CDN: Imperva",
            status=403,
        ),
    ),
    "Imperva's riddle with a 200": (
        "Imperva's script challenge",
        html(
            "<html><head><META NAME='robots' CONTENT='noindex,nofollow'><script src='/_Incapsula_"
            "Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3'></script></head><body></body></html>"
        ),
    ),
    "F5 rejects": (
        "F5 BIG-IP ASM, with a 200 as it comes by default",
        html(
            "<html><head><title>Request Rejected</title></head><body>The requested URL was"
            " rejected. Please consult with your administrator.<br><br>Your support ID is:"
            " 1234567890123456789<br><br><a href='javascript:history.back();'>[Go"
            " Back]</a></body></html>"
        ),
    ),
    "F5 rejects with 403": (
        "F5 BIG-IP ASM",
        html(
            "<html><head><title>Request Rejected</title></head><body>The requested URL was"
            " rejected. Please consult with your administrator. Your support ID is:"
            " 1234567890</body></html>",
            status=403,
        ),
    ),
    "Amazon's load balancer forbids": (
        "AWS WAF behind an ALB",
        html(
            "<html>\r\n<head><title>403 Forbidden</title></head>\r\n<body>\r\n<center><h1>403"
            " Forbidden</h1></center>\r\n</body>\r\n</html>\r\n",
            "Server: awselb/2.0",
            status=403,
        ),
    ),
    "AWS WAF challenges": (
        "AWS WAF challenge action",
        html(
            "<!DOCTYPE html><html><head><script>window.awsWafCookieDomainList=[];window.gokuProps="
            "{'key':'AQ'};</script><script src='https://x.token.awswaf.example/challenge.js'></script>"
            "</head><body><div id='challenge-container'></div><noscript><h1>JavaScript is disabled"
            "</h1>In order to continue, we need to verify that you're not a"
            " robot.</noscript></body>",
            "x-amzn-waf-action: challenge",
            status=202,
        ),
    ),
    "AWS WAF asks for a captcha": (
        "AWS WAF captcha action",
        html(
            "<!DOCTYPE html><html><head><title>Human Verification</title></head><body><div id="
            "'captcha-container'></div></body></html>",
            "x-amzn-waf-action: captcha",
            status=405,
        ),
    ),
    "CloudFront could not satisfy": (
        "CloudFront with WAF",
        html(
            "<HTML><HEAD><TITLE>ERROR: The request could not be"
            " satisfied</TITLE></HEAD><BODY><H1>403 ERROR</H1><H2>The request could not be"
            " satisfied.</H2>Request blocked.<PRE>Generated by cloudfront (CloudFront)\nRequest"
            " ID: AbC==</PRE></BODY></HTML>",
            "X-Cache: Error from cloudfront",
            status=403,
        ),
    ),
    "Fastly forbids": (
        "Fastly next-generation WAF",
        plain("Forbidden\n", "X-Served-By: cache-fra-1", "Via: 1.1 varnish", status=403),
    ),
    "Fastly says 406": (
        "Fastly next-generation WAF: 406 is its default",
        Reply(status=406, headers=("Server: Varnish", "X-Served-By: cache-fra-1")),
    ),
}

CASES: list[Case] = [
    of_truth(Truth.WALL, name, f"public form: {who}", only(reply))
    for name, (who, reply) in WALLS.items()
]
