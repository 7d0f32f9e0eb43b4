"""Single sites and smaller products that show people the page, and robots something else."""

from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.pages import ARTICLE, HOME, bare, modern, site
from tests.zoo.wild.walls import CLOUDFLARE, WALLS

_BARE_403 = html(bare("403 Forbidden", "<hr><center>nginx</center>"), status=403)

_WALLS: dict[str, tuple[str, Reply]] = {
    "a shop sells nothing to robots": (
        "Amazon: 503 to robots",
        html(
            "<!DOCTYPE html><html><head><title>Sorry! Something went"
            " wrong!</title></head><body><!--\nTo discuss automated access to Amazon data please"
            " contact api-services-support@amazon.example.\n--><a href='/ref=cs_503_link/'><img"
            ' alt="Sorry! Something went wrong on our end. Please go back and try again or go to'
            " Amazon's home page.\"></a></body></html>",
            status=503,
        ),
    ),
    "a shop asks for letters": (
        "Amazon: captcha with a 200",
        html(
            "<!DOCTYPE html><html><head><title dir='ltr'>Robot Check</title></head><body><h4>Enter"
            " the characters you see below</h4><p>Sorry, we just need to make sure you're not a"
            " robot.</p><form method='get' action='/errors/validateCaptcha'><input"
            " name='amzn'><img src='/captcha/Captcha_x.jpg'></form></body></html>"
        ),
    ),
    "a link aggregator blocks the network": (
        "Reddit",
        html(
            modern(
                "Blocked",
                "<h1>You've been blocked by network security.</h1><p>To continue, log in to your"
                " Reddit account or use your developer token</p>",
            ),
            status=403,
        ),
    ),
    "a link aggregator says whoa": (
        "Reddit, older form",
        html(
            "<html><head><title>Blocked</title></head><body><h1>whoa there, pardner!</h1><p>Your"
            " request has been blocked due to a network policy.</p></body></html>",
            status=403,
        ),
    ),
    "an authority wants to know who asks": (
        "SEC's EDGAR",
        html(
            "<!DOCTYPE html><html><head><title>SEC.gov | Your Request Originates from an"
            " Undeclared Automated Tool</title></head><body><h1>Your Request Originates from an"
            " Undeclared Automated Tool</h1><p>To allow for equitable access to all users, SEC"
            " reserves the right to limit requests originating from undeclared automated"
            " tools.</p></body></html>",
            status=403,
        ),
    ),
    "an encyclopaedia has had too many requests": (
        "Wikimedia",
        html(
            modern("Wikimedia Error", "<h1>Error</h1><p>Too many requests (f061ab2)</p>"),
            "Server: Varnish",
            "Retry-After: 1",
            status=429,
        ),
    ),
    "an encyclopaedia's rules for robots": (
        "Wikimedia's user agent policy",
        plain(
            "Please respect our robot policy https://w.wiki/4wJS when accessing our sites.\n",
            "Server: Varnish",
            status=403,
        ),
    ),
    "a network of professionals": ("LinkedIn", html("<html><script>1</script></html>", status=999)),
    "Sucuri denies": (
        "Sucuri",
        html(
            modern(
                "Sucuri WebSite Firewall - Access Denied",
                "<h1>Access Denied - Sucuri Website Firewall</h1>",
            ),
            "X-Sucuri-ID: 18015",
            "Server: Sucuri/Cloudproxy",
            status=403,
        ),
    ),
    "Vercel's checkpoint": (
        "Vercel",
        html(
            modern("Vercel Security Checkpoint", "<p>We're verifying your browser</p>"),
            "x-vercel-mitigated: challenge",
            status=429,
        ),
    ),
    "a proof of work with a 200": (
        "Anubis",
        html(
            modern(
                "Making sure you're not a bot!",
                "<h1 id='title'>Making sure you're not a bot!</h1><img"
                " src='/.within.website/x/cmd/anubis/static/img/pensive.webp'><p"
                " id='status'>Loading...</p><p>Protected by Anubis From Techaro.</p>",
                head="<script id='anubis_challenge' type='application/json'>{}</script>",
            )
        ),
    ),
    "go-away asks for a moment": (
        "go-away",
        html(
            modern(
                "Checking you are not a bot",
                "<h1 id='title'>Checking you are not a bot</h1><p id='status'>Loading challenge"
                " <em>js-refresh</em>...</p>",
            ),
            status=418,
        ),
    ),
    "DDoS-Guard checks": (
        "DDoS-Guard",
        html(
            "<!doctype html><html><head><title>DDoS-Guard</title></head><body><h1>Checking your"
            " browser before accessing $HOST</h1><script src='/.well-known/ddos-guard/"
            "js-challenge/index.js'></script></body></html>",
            "Server: ddos-guard",
            status=403,
        ),
    ),
    "Kasada asks for a script": (
        "Kasada",
        html(
            "<!DOCTYPE html><html><body><script>window.KPSDK={};KPSDK.now=0;</script><script src="
            "'/149e9513-01fa-4fb0-aad4-566afd725d1b/ips.js'></script></body></html>",
            "x-kpsdk-ct: 0a1b",
            status=429,
        ),
    ),
    "StackPath's sweet captcha": (
        "StackPath",
        html(
            "<html><head><title>Site Verification</title></head><body><noscript>This website is"
            " using a security service to protect itself from online attacks.</noscript><script"
            " src='/sbbi/?sbbpg=sbbShell'></script></body></html>",
            status=403,
        ),
    ),
    "Wordfence limits": (
        "Wordfence",
        html(
            modern(
                "Your access to this site has been limited",
                "<h1>Your access to this site has been limited by the site owner</h1><p>(HTTP"
                " response code 503) Generated by Wordfence at Sun, 1 Mar 2026</p>",
            ),
            status=503,
        ),
    ),
    "ModSecurity finds it not acceptable": (
        "ModSecurity on shared hosts",
        html(
            "<head><title>Not Acceptable!</title></head><body><h1>Not Acceptable!</h1><p>An"
            " appropriate representation of the requested resource could not be found on this"
            " server. This error was generated by Mod_Security.</p></body></html>",
            status=406,
        ),
    ),
    "a search engine saw unusual traffic": (
        "Google: 429",
        html(
            modern(
                "Sorry...",
                "<p>Our systems have detected unusual traffic from your computer network.</p>",
            ),
            status=429,
        ),
    ),
    "an encyclopaedia of papers asks for a tick": (
        "publishers behind Turnstile",
        html(
            modern(
                "Are you a robot?",
                "<h1>Are you a robot?</h1><p>Please confirm you are a human by completing the"
                " captcha challenge below.</p><div class='cf-turnstile'"
                " data-sitekey='0x4AAA'></div>",
            ),
            status=403,
        ),
    ),
    "a publisher had a problem providing the content": (
        "ScienceDirect",
        html(
            modern(
                "ScienceDirect",
                "<h1>There was a problem providing the content you requested</h1><p>Please"
                " contact our support team for more information and provide the details below."
                " Reference number: 8f1a2b3c4d5e6f70. IP Address: 192.0.2.1</p>",
            ),
            *CLOUDFLARE,
            status=403,
        ),
    ),
    "a library of journals checks the access": (
        "JSTOR",
        html(
            modern(
                "JSTOR: Access Check",
                "<h1>Access Check</h1><p>Our systems have detected unusual traffic activity from"
                " your network. Please complete this reCAPTCHA to demonstrate that it's you"
                " making the requests and not a robot.</p>",
            ),
            status=403,
        ),
    ),
    "a network that answers robots with 400": (
        "Facebook",
        html(
            modern("Error", "<h1>Sorry, something went wrong.</h1><p>We're working on it.</p>"),
            status=400,
        ),
    ),
    "hCaptcha with a 200": (
        "sites that put a captcha before everything",
        html(
            modern(
                "Security check",
                "<h1>One more step</h1><p>Please complete the security check to access"
                " $HOST</p><form id='challenge-form' method='post'><div class='h-captcha'>"
                "</div></form>",
            )
        ),
    ),
    "a bare 403 for everything": ("nginx rules against user agents", _BARE_403),
    "a bare 406 for everything": (
        "servers that want a browser's Accept",
        html(bare("406 Not Acceptable", ""), status=406),
    ),
    "a bare 400 for everything": (
        "front ends that want a browser's headers",
        html(bare("400 Bad Request", ""), status=400),
    ),
    "a bare 405 for everything": ("front ends of the AWS WAF", Reply(status=405)),
}


def _on_the_way() -> Iterator[Case]:
    wall = of_truth(
        Truth.WALL,
        "a resolver of identifiers leads to a wall",
        "doi.org to a publisher behind Cloudflare",
        only(redirect("http://publisher-wall.example:PORT/doi/full/10.1000/182")),
        path="/10.1000/182",
        others={"publisher-wall.example": only(WALLS["Cloudflare challenges"][1])},
    )
    yield wall
    yield of_truth(
        Truth.WALL,
        "redirected to a page of captchas",
        "walls that redirect to their riddle, which comes with 403",
        {
            "/captcha?back=%2F": WALLS["DataDome by a script"][1],
            ELSE: redirect("/captcha?back=%2F"),
        },
    )
    yield of_truth(
        Truth.WALL,
        "the page is forbidden, the home page behind a challenge",
        "the issue: a bare refusal, and a wall at the root",
        {"/": WALLS["Cloudflare challenges"][1], ELSE: _BARE_403},
    )
    yield of_truth(
        Truth.WALL,
        "the page is behind a challenge, the home page is not",
        "walls before single sections",
        site(WALLS["Cloudflare challenges"][1], ferry=ARTICLE) | {"/": HOME},
    )


CASES: list[Case] = [
    *(
        of_truth(Truth.WALL, name, f"public form: {who}", only(reply))
        for name, (who, reply) in _WALLS.items()
    ),
    *_on_the_way(),
]
