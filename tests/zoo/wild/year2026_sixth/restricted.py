"""Pages that are there for those who sign in, pay, belong or are old enough."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, plain, redirect
from tests.zoo.wild.year2026_sixth.frames import (
    LOST,
    Met,
    board,
    campus,
    daily,
    home,
    lone,
    met,
    tale,
)

_FLAGS = frozenset({"restricted", "login"})

_PAGES: dict[str, Met] = {
    "a wiki of MediaWiki that only members read": met(
        "MediaWiki: Login required, loginreqpagetext",
        campus(
            "Login required - Pomopedia",
            "<h1 id='firstHeading'>Login required</h1><p>Please <a href='/index.php?title=Special:UserLogin&amp;returnto=Rootstocks'>log in</a> to view other pages.</p><p>Return to <a href='/index.php/Main_Page'>Main Page</a>.</p>",
            name="Pomopedia",
        ),
        "/index.php/Rootstocks",
        everywhere=True,
    ),
    "a page of DokuWiki without the permission": met(
        "DokuWiki: denied.txt, 403",
        lone(
            "staff:budget [Orchard wiki]",
            "<div class='dokuwiki'><h1 class='sectionedit1' id='permission_denied'>Permission Denied</h1><p>Sorry, you don't have enough rights to continue.</p><h2>Login</h2><p>You are currently not logged in! Enter your authentication credentials below to log in.</p><form id='dw__login' method='post'><input name='u'><input type='password' name='p'><button type='submit'>Log In</button></form></div>",
        ),
        "/doku.php?id=staff:budget",
        status=403,
    ),
    "a job of Jenkins that wants a name": met(
        "Jenkins: Authentication required, 403 with a refresh",
        "<html><head><meta http-equiv='refresh' content='1;url=/login?from=%2Fjob%2Fcider%2F42%2Fconsole'/><script id='redirect' data-redirect-url='/login?from=%2Fjob%2Fcider%2F42%2Fconsole' src='/static/42ab/scripts/redirect.js'></script></head><body style='background-color:white; color:white;'>\nAuthentication required\n<!--\n-->\n\n</body></html>",
        "/job/cider/42/console",
        "X-Jenkins: 2.528.1",
        "Server: Jetty(12.0.25)",
        status=403,
    ),
    "a repository of images that wants a token": Met(
        source="Docker registry: UNAUTHORIZED, 401",
        reply=plain(
            '{"errors":[{"code":"UNAUTHORIZED","message":"authentication required","detail":[{"Type":"repository","Name":"cider/press","Action":"pull"}]}]}',
            'Www-Authenticate: Bearer realm="https://auth.registry.example/token",service="registry"',
            status=401,
            kind="application/json",
        ),
        path="/v2/cider/press/manifests/latest",
    ),
    "a post of LiveJournal for friends": met(
        "LiveJournal: Access is closed, 403",
        lone(
            "Access is closed",
            "<h1>Access is closed</h1><p>You do not have permission to view this post: its author has limited who may see it. <a href='/login.bml'>Log in</a></p>",
        ),
        "/2019/11/42.html",
        status=403,
    ),
    "a post of Ghost for subscribers": met(
        "Ghost: gh-post-upgrade-cta, This post is for subscribers only",
        campus(
            "Notes on quince stock",
            f"<article><h1>Notes on quince stock</h1>{tale()}<aside class='gh-post-upgrade-cta'><div class='gh-post-upgrade-cta-content'><h2>This post is for subscribers only</h2><a href='#/portal/signup'>Subscribe now</a><p>Already have an account? <a href='#/portal/signin'>Sign in</a></p></div></aside></article>",
            name="Scion",
        ),
        "/notes-on-quince-stock/",
    ),
    "an article of the Financial Times": met(
        "FT: Subscribe to read, 200",
        daily(
            "Subscribe to read",
            "<div class='barrier'><h1>Pear prices climb after frost</h1><h2>Subscribe to unlock this article</h2><p>Try unlimited access</p><p>Only $1 for 4 weeks</p><p>Already a subscriber? <a href='/login'>Sign in</a></p></div>",
            name="Financial Orchard",
        ),
        "/content/42ab42ab-0000-4242-8888-424242424242",
    ),
    "an article of a Spanish paper for subscribers": met(
        "El País: Suscríbete para seguir leyendo, 200",
        daily(
            "La helada arruina los perales del valle | Deportes y campo",
            f"<article><h1>La helada arruina los perales del valle</h1>{tale('es')}<div id='ctn_freemium_article'><p>Suscríbete para seguir leyendo</p><p>Lee sin límites</p></div></article>",
            lang="es",
        ),
        "/economia/2026-04-02/la-helada-arruina-los-perales.html",
        lang="es",
    ),
    "an article of a Dutch paper for subscribers": met(
        "NRC: alleen voor abonnees, 200",
        daily(
            "Nachtvorst nekt perenoogst",
            f"<article><h1>Nachtvorst nekt perenoogst</h1>{tale('nl')}<div class='paywall'><h2>Dit artikel is exclusief voor abonnees</h2><a href='/abonneren'>Neem een abonnement</a> <a href='/login'>Inloggen</a></div></article>",
            lang="nl",
        ),
        "/nieuws/2026/04/02/nachtvorst-nekt-perenoogst-a4242424",
        lang="nl",
    ),
    "an article of a Polish paper for subscribers": met(
        "Gazeta Wyborcza: artykuł dostępny tylko w prenumeracie, 200",
        daily(
            "Przymrozki w sadach",
            f"<article><h1>Przymrozki w sadach</h1>{tale('pl')}<div class='paywall'><p>Artykuł otwarty tylko dla prenumeratorów</p><p>Wypróbuj prenumeratę</p></div></article>",
            lang="pl",
        ),
        "/7,75400,42424242,przymrozki-w-sadach.html",
        lang="pl",
    ),
    "an article of a Chinese paper for subscribers": met(
        "财新: 订阅后继续阅读, 200",
        daily(
            "梨价上涨",
            f"<article><h1>梨价上涨</h1>{tale('zh')}<div id='chargeWall'><p>本文共计 3218 字，订阅后继续阅读</p><a href='/login'>登录</a></div></article>",
            lang="zh",
        ),
        "/2026-04-02/102424242.html",
        lang="zh",
    ),
    "an article of Nature in preview": met(
        "Nature: This is a preview of subscription content",
        campus(
            "The genome of the pear | Nature Orchards",
            f"<article><h1>The genome of the pear</h1><h2>Abstract</h2>{tale()}<div id='access-options'><h3>This is a preview of subscription content, access via your institution</h3><h4>Access options</h4><a href='/buy'>Buy this article</a></div></article>",
            name="Nature Orchards",
        ),
        "/articles/s42424-026-00042-1",
    ),
    "a court's file for parties, in German": met(
        "Portale der Justiz: Anmeldung erforderlich, 401",
        campus(
            "Anmeldung erforderlich",
            "<h1>Anmeldung erforderlich</h1><p>Dieses Dokument ist nur für angemeldete Verfahrensbeteiligte sichtbar.</p><form action='/anmelden' method='post'><input name='kennung'><input type='password' name='kennwort'><button>Anmelden</button></form>",
            lang="de",
            name="Justizportal",
        ),
        "/akten/42-O-4242-25.pdf",
        status=401,
        lang="de",
    ),
    "a course of Stud.IP, in German": met(
        "Stud.IP: Sie müssen sich anmelden, 200",
        campus(
            "Anmeldung - Stud.IP",
            "<h1>Herzlich willkommen!</h1><form id='login-form' method='post'><label>Benutzername<input name='loginname'></label><label>Passwort<input type='password' name='password'></label><button>Anmelden</button></form><p>Um auf diese Seite zuzugreifen, müssen Sie sich anmelden.</p>",
            lang="de",
            name="Stud.IP",
        ),
        "/dispatch.php/course/details?sem_id=42ab",
        lang="de",
    ),
    "a resource behind Google's proxy of identities": met(
        "Google IAP: Invalid IAP credentials, 401",
        "Invalid IAP credentials: empty token",
        "/dashboards/42",
        "X-Goog-IAP-Generated-Response: true",
        status=401,
        everywhere=True,
    ),
    "a tool behind oauth2-proxy": met(
        "oauth2-proxy: Sign In, 403",
        lone(
            "Sign In",
            "<section class='section'><form method='GET' action='/oauth2/start'><input type='hidden' name='rd' value='/reports/42'><button type='submit' class='button'>Sign in with Keycloak OIDC</button></form></section><footer><p>Secured with <a href='https://github.com/oauth2-proxy/oauth2-proxy#oauth2_proxy'>OAuth2 Proxy</a> version v7.12.0</p></footer>",
        ),
        "/reports/42",
        status=403,
        everywhere=True,
    ),
    "a build of Azure DevOps behind a 203": met(
        "Azure DevOps: 203 Non-Authoritative with the page to sign in",
        lone(
            "Azure DevOps Services | Sign In",
            "<h1>Sign in to your account</h1><form method='post' action='https://login.example/common/oauth2/authorize'><input type='email' name='loginfmt'><input type='password' name='passwd'></form>",
        ),
        "/pomona/cider/_build/results?buildId=42",
        "X-TFS-FedAuthRealm: https://app.vssps.example/",
        status=203,
    ),
    "a topic of XMB for staff": met(
        "boards: You are not permitted to view this forum, 403",
        board(
            "Error",
            "<div class='error'>You are not permitted to view this forum. You may need to <a href='/misc.php?action=login'>log in</a> or ask to be made a member of the group Staff.</div>",
        ),
        "/viewthread.php?tid=4242",
        status=403,
    ),
    "a survey of a panel that wants its code": met(
        "LimeSurvey: this is a controlled survey, 200",
        lone(
            "Growers' panel",
            "<h1>Growers' panel</h1><p>To participate in this restricted survey, you need a valid access code.</p><form method='post'><label>Access code:<input type='password' name='token'></label><button>Continue</button></form>",
        ),
        "/index.php/424243?lang=en",
    ),
    "a folder of Seafile under a password": met(
        "Seafile: share_access_validation, Password required, 200",
        lone(
            "Seafile",
            "<h2>Access to the link is password protected</h2><p>Please input the password if you want to browse the shared file/directory.</p><form method='post'><input type='password' name='password'><button type='submit'>Submit</button></form>",
        ),
        "/d/42ab42ab42ab42ab42ab/",
    ),
}

# Doors at another address: where such are known from, the page asked for, the door, what it shows.
_DOORS: dict[str, tuple[str, str, str, str]] = {
    "a community of Discourse behind a log-in": (
        "Discourse: login_required, 302 to /login",
        "/t/minutes-of-the-committee/424",
        "/login",
        "<h1>Log in</h1><form method='post'><input name='login'><input type='password' name='password'></form><p>This community is for members.</p>",
    ),
    "an issue of Redmine behind a log-in": (
        "Redmine: 302 to /login?back_url=",
        "/issues/4243",
        "/login?back_url=http%3A%2F%2Fprojects.example%2Fissues%2F4243",
        "<h1>Orchard tools</h1><div id='login-form'><form method='post'><input name='username'><input type='password' name='password'><input type='submit' value='Login'></form></div>",
    ),
    "a dashboard of Grafana behind a log-in": (
        "Grafana: 302 to /login",
        "/d/42ab/cold-store?orgId=1",
        "/login",
        "<h1>Welcome to Grafana</h1><form><input name='user'><input name='password' type='password'><button>Log in</button></form>",
    ),
    "a site of Ghost that is private": (
        "Ghost: private mode, 302 to /private/?r=",
        "/a-letter-in-spring/",
        "/private/?r=%2Fa-letter-in-spring%2F",
        "<main><h1>This site is private.</h1><form class='gh-signin' method='post'><input type='password' name='password' placeholder='Password'><button>Access site</button></form></main>",
    ),
    "a blog of Tumblr for those who sign in": (
        "Tumblr: 302 to /login_required/",
        "/pomona/424242424242/pears",
        "/login_required/pomona",
        "<h1>This Tumblr may contain sensitive media.</h1><p>Log in to view this blog.</p><form><input name='email'><input type='password' name='password'><button>Log in</button></form>",
    ),
}

_PUBLIC = {"a blog of Tumblr for those who sign in"}  # whose front page needs no log-in

# Doors at another host: where such are known from, the host, the way there, its title and language.
_ELSEWHERE: dict[str, tuple[str, str, str, str, str]] = {
    "a French university's CAS": (
        "CAS: 302 to /cas/login?service=",
        "cas.universite-du-verger.example",
        "/cas/login?service=http%3A%2F%2Fent.example%2Fgroups%2F42",
        "Service central d'authentification",
        "fr",
    ),
    "an office's Keycloak": (
        "Keycloak: 302 to the realm's auth",
        "sso.pomology-office.example",
        "/realms/office/protocol/openid-connect/auth?client_id=intranet&response_type=code&scope=openid",
        "Sign in to Office",
        "en",
    ),
    "a company's ADFS": (
        "AD FS: 302 to /adfs/ls/",
        "sts.cider-company.example",
        "/adfs/ls/?wa=wsignin1.0&wtrealm=urn%3Aintranet&wctx=42",
        "Sign In",
        "en",
    ),
    "a household's Authelia": (
        "Authelia: 302 with rd=",
        "auth.orchard-home.example",
        "/?rd=http%3A%2F%2Ffiles.orchard-home.example%2Fgroups%2F42&rm=GET",
        "Login - Authelia",
        "en",
    ),
    "a workspace of Slack": (
        "Slack: 302 to the sign-in with redir",
        "slack.workspace-host.example",
        "/signin?redir=%2Farchives%2FC42%2Fp1700000000000042",
        "Login | Slack",
        "en",
    ),
}


def _door(name: str) -> Case:
    source, path, door, shown = _DOORS[name]
    front = home() if name in _PUBLIC else redirect(door)
    site = {"/": front, path: redirect(door), door: html(campus("Log in", shown)), ELSE: LOST}
    return of_truth(Truth.RESTRICTED, name, source, site, path=path, flags=_FLAGS)


def _elsewhere(name: str) -> Case:
    source, host, way, title, lang = _ELSEWHERE[name]
    page: Reply = html(
        lone(
            title,
            f"<h1>{title}</h1><form method='post'><input name='username'><input type='password' name='password'><button>OK</button></form>",
            lang=lang,
        )
    )
    site = {
        "/": home("fr" if lang == "fr" else "en"),
        "/groups/42": redirect(f"http://{host}:PORT{way}"),
        ELSE: LOST,
    }
    return of_truth(
        Truth.RESTRICTED,
        name,
        source,
        site,
        path="/groups/42",
        others={host: {ELSE: page}},
        flags=_FLAGS,
    )


CASES: list[Case] = [
    *(
        of_truth(Truth.RESTRICTED, name, each.source, each.site, path=each.path, flags=_FLAGS)
        for name, each in _PAGES.items()
    ),
    *map(_door, _DOORS),
    *map(_elsewhere, _ELSEWHERE),
]
