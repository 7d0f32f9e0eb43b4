"""Pages that are there for those who sign in, pay, belong or hold a key."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import ELSE, Case, Truth, html, of_truth, plain, redirect
from tests.zoo.wild.year2026_eighth.frames import (
    LOST,
    Seen,
    bare,
    home,
    press,
    seen,
    shell,
    tale,
    thread,
)

_FLAGS = frozenset({"restricted", "login"})

_PAGES: dict[str, Seen] = {
    "a story of a paper in pink that one subscribes to": seen(
        "Financial Times: Subscribe to unlock this article, 200",
        press(
            "Cider makers squeeze their margins",
            f"<article><h1>Cider makers squeeze their margins</h1><div id='barrier-page'><h2>Subscribe to unlock this article</h2><p>Try unlimited access. Only $1 for 4 weeks.</p><a href='/login'>Already a subscriber? Sign in</a></div></article>{tale()}",
            name="The Pomona Times",
        ),
        "/content/1871abcd-1871-11ee",
    ),
    "a story of a German weekly for those with a plus": seen(
        "SPIEGEL+: Jetzt weiterlesen mit SPIEGEL+, 200",
        press(
            "Der letzte Borsdorfer",
            f"<article><h1>Der letzte Borsdorfer</h1>{tale('de')}<div data-area='paywall'><h2>Jetzt weiterlesen mit Obst+</h2><p>Sie haben keinen Zugang? Jetzt Abonnement abschließen. Bereits Abonnent? <a href='/anmelden'>Anmelden</a></p></div></article>",
            lang="de",
        ),
        "/panorama/der-letzte-borsdorfer-a-1871abcd",
        lang="de",
    ),
    "a story of a Spanish daily for subscribers": seen(
        "El País: Suscríbete para seguir leyendo, 200",
        press(
            "El último manzano",
            f"<article><h1>El último manzano</h1>{tale('es')}<section class='a_pw'><h2>Suscríbete para seguir leyendo</h2><p>Lee sin límites. ¿Ya eres suscriptor? <a href='/login'>Inicia sesión</a></p></section></article>",
            lang="es",
        ),
        "/ciencia/2026-03-01/el-ultimo-manzano.html",
        lang="es",
    ),
    "a story of a Dutch daily for subscribers": seen(
        "NRC: Lees verder met een abonnement, 200",
        press(
            "De oudste perenboom",
            f"<article><h1>De oudste perenboom</h1>{tale('nl')}<div class='paywall'><h2>Verder lezen?</h2><p>Neem een abonnement of log in om dit artikel te lezen.</p></div></article>",
            lang="nl",
        ),
        "/nieuws/2026/03/01/de-oudste-perenboom-a1871",
        lang="nl",
    ),
    "a story of a Polish daily for subscribers": seen(
        "Gazeta Wyborcza: Artykuł dostępny tylko dla prenumeratorów, 200",
        press(
            "Sad pod młynem",
            f"<article><h1>Sad pod młynem</h1>{tale('pl')}<div class='paywall'><p>Artykuł dostępny tylko dla prenumeratorów cyfrowych.</p><a href='/prenumerata'>Wykup dostęp</a></div></article>",
            lang="pl",
        ),
        "/7,114883,1871,sad-pod-mlynem.html",
        lang="pl",
    ),
    "a story of a Japanese daily for paying members": seen(
        "朝日新聞: この記事は有料記事です。残り, 200",
        press(
            "最後の紅玉",
            f"<article><h1>最後の紅玉</h1>{tale('ja')}<div class='paywall'><p>この記事は有料会員記事です。有料会員になると続きをお読みいただけます。</p><p>残り1871文字</p></div></article>",
            lang="ja",
        ),
        "/articles/ASV3187118.html",
        lang="ja",
    ),
    "a letter for those who pay for it": seen(
        "Substack: This post is for paid subscribers, 200",
        press(
            "Notes on scab",
            f"<article><h1>Notes on scab</h1>{tale()}<div class='paywall'><h2>This post is for paid subscribers</h2><button>Subscribe</button><p>Already a paid subscriber? <a href='/sign-in'>Sign in</a></p></div></article>",
            name="Orchard Letters",
        ),
        "/p/notes-on-scab",
    ),
    "a story for members of a place for stories": seen(
        "Medium: Member-only story, 200",
        shell(
            "Why I whip and tongue",
            f"<article><p>Member-only story</p><h1>Why I whip and tongue</h1>{tale()}<div><h2>Create an account to read the full story.</h2><p>The author made this story available to Medium members only.</p><a href='/signin'>Sign in</a></div></article>",
        ),
        "/why-i-whip-and-tongue-1871abcd",
    ),
    "a post of a maker for patrons": seen(
        "Patreon: Join to unlock, 200",
        shell(
            "Graft plans | The Pruner on Patreon",
            "<h1>Graft plans</h1><p>Locked</p><h2>Unlock this post by becoming a member</h2><button>Join to unlock</button><a href='/login'>Log in</a>",
        ),
        "/posts/graft-plans-18711871",
    ),
    "a chapter of a house of science that one buys": seen(
        "SpringerLink: This is a preview of subscription content, log in via an institution, 200",
        press(
            "Rootstocks and Vigour | SpringerLink",
            "<article><h1>Rootstocks and Vigour</h1><h2>Abstract</h2><p>Dwarfing stocks reduce vigour by limiting flow.</p><p>This is a preview of subscription content, log in via an institution to check access.</p><h2>Access this chapter</h2><ul><li>Chapter EUR 29.95</li><li>eBook EUR 85.59</li></ul></article>",
            name="SpringerLink",
        ),
        "/chapter/10.5555/978-0-1871-1871-1_4",
    ),
    "a book that is searched only": seen(
        "HathiTrust: Full view is not available for this item, Limited (search only), 200",
        press(
            "The Pomologist's Companion | HathiTrust",
            "<h1>The Pomologist's Companion</h1><h2>Limited (search only)</h2><p>Full view is not available for this item due to copyright © restrictions. You can search the text.</p><form><input name='q'></form>",
            name="HathiTrust",
        ),
        "/cgi/pt?id=uc1.b1871871",
    ),
    "a page of WordPress under a password": seen(
        "WordPress: This content is password protected. To view it please enter your password below:, 200",
        press(
            "Protected: Minutes of March – Orchard Trust",
            "<h1>Protected: Minutes of March</h1><form action='/wp-login.php?action=postpass' class='post-password-form' method='post'><p>This content is password protected. To view it please enter your password below:</p><label>Password: <input name='post_password' type='password'></label><input type='submit' value='Enter'></form>",
        ),
        "/minutes-of-march/",
    ),
    "a wiki whose pages one must log in to read, in French": seen(
        "MediaWiki in French: loginreqpagetext, Vous devez vous connecter pour voir d’autres pages., 403",
        press(
            "Connexion nécessaire — Vergers",
            "<h1 id='firstHeading'>Connexion nécessaire</h1><p>Vous devez vous <a href='/index.php?title=Sp%C3%A9cial:Connexion'>connecter</a> pour voir d’autres pages.</p>",
            lang="fr",
        ),
        "/index.php/Comptes_1871",
        lang="fr",
        status=403,
    ),
    "a thread of XenForo for those who are logged in": seen(
        "XenForo: You must be logged-in to do that., 403",
        thread(
            "Log in | Orchard talk",
            "<h1>Log in</h1><div class='blockMessage blockMessage--error'>You must be logged-in to do that.</div><form action='/login/login' method='post'><input name='login'><input type='password' name='password'><button>Log in</button></form>",
        ),
        "/threads/secret-orchards.1871/",
        status=403,
    ),
    "a share of files for a campus": seen(
        "libraries of universities: only from the campus network, 403",
        press(
            "Access restricted",
            "<h1>Access restricted</h1><p>This resource is only available from the campus network. Please connect by VPN or <a href='/login'>log in with your university account</a>.</p>",
            name="University Library",
        ),
        "/ejournals/pomology/1871.pdf",
        status=403,
    ),
    "a registry of packages that wants a token": Seen(
        source='registries of packages: WWW-Authenticate: Bearer realm=, {"errors":[{"code":"UNAUTHORIZED"}]}, 401',
        reply=plain(
            '{"errors":[{"code":"UNAUTHORIZED","message":"authentication required","detail":null}]}',
            'WWW-Authenticate: Bearer realm="https://auth.example/token",service="registry.example"',
            status=401,
            kind="application/json",
        ),
        path="/v2/orchard/pruner/manifests/1.8",
        everywhere=True,
    ),
}

# Elsewhere: where such are known from, the address, the host, the way there, its title, its page.
_ELSEWHERE: dict[str, tuple[str, str, str, str, str, str]] = {
    "a document behind Google's door": (
        "Google Docs: 302 to accounts.…/ServiceLogin, Sign in - Google Accounts",
        "/document/d/1871abcd/edit",
        "accounts.google-like-door.example",
        "/ServiceLogin?service=wise&passive=1209600&continue=https%3A%2F%2Fdocs.example%2F1871",
        "Sign in - Google Accounts",
        "<h1>Sign in</h1><p>to continue to Docs</p><form><input type='email' name='identifier' aria-label='Email or phone'><button>Next</button></form>",
    ),
    "a record behind Keycloak": (
        "Keycloak: 302 to /realms/…/protocol/openid-connect/auth, Sign in to your account",
        "/records/1871",
        "sso.orchard-keycloak.example",
        "/realms/orchard/protocol/openid-connect/auth?client_id=app&response_type=code&scope=openid",
        "Sign in to orchard",
        "<h1 id='kc-page-title'>Sign in to your account</h1><form id='kc-form-login' method='post'><input id='username' name='username'><input id='password' name='password' type='password'><input type='submit' value='Sign In'></form>",
    ),
    "a calendar behind a service of CAS": (
        "Apereo CAS: 302 to /cas/login?service=, Enter Username & Password",
        "/calendrier/1871",
        "cas.universite-des-vergers.example",
        "/cas/login?service=http%3A%2F%2Fcalendrier.example%2F1871",
        "Connexion - CAS – Service Central d'Authentification",
        "<h2>Entrez votre identifiant et votre mot de passe.</h2><form id='fm1' method='post'><input name='username'><input type='password' name='password'><button>SE CONNECTER</button></form>",
    ),
    "a minute behind ADFS, in German": (
        "AD FS: 302 to /adfs/ls/?wa=wsignin1.0, Anmelden",
        "/protokolle/1871",
        "fs.landkreis-obst.example",
        "/adfs/ls/?wa=wsignin1.0&wtrealm=urn%3Aprotokolle",
        "Anmelden",
        "<div id='loginArea'><h1>Melden Sie sich mit Ihrem Organisationskonto an.</h1><form method='post' id='loginForm'><input name='UserName' type='email'><input name='Password' type='password'><span id='submitButton'>Anmelden</span></form></div>",
    ),
}

# At the same site: where such are known from, the address, the door, its title, its page.
_DOORS: dict[str, tuple[str, str, str, str, str]] = {
    "a course of Moodle": (
        "Moodle: 303 to /login/index.php",
        "/course/view.php?id=1871",
        "/login/index.php",
        "Log in to the site | Orchard School",
        "<h1 class='login-heading'>Log in to Orchard School</h1><form class='login-form' action='/login/index.php' method='post'><input name='username'><input type='password' name='password'><button>Log in</button></form><p>Some courses may allow guest access</p>",
    ),
    "a project of GitLab that is private": (
        "GitLab: 302 to /users/sign_in",
        "/orchard/private/-/issues/1871",
        "/users/sign_in",
        "Sign in · GitLab",
        "<div class='flash-alert'>You need to sign in or sign up before continuing.</div><form class='new_user' action='/users/sign_in' method='post'><input name='user[login]'><input type='password' name='user[password]'><button>Sign in</button></form>",
    ),
    "an issue of Jira that one logs in for": (
        "Jira: 302 to /login.jsp?permissionViolation=true&os_destination=",
        "/browse/PRUNE-1871",
        "/login.jsp?permissionViolation=true&os_destination=%2Fbrowse%2FPRUNE-1871",
        "Log in - Jira",
        "<h2>Welcome to Jira</h2><p>You must log in to access this page.</p><form method='post' action='/login.jsp'><input name='os_username'><input type='password' name='os_password'><input type='submit' value='Log In'></form>",
    ),
    "a set of tests for a class, in Russian": (
        "portals of schools in Russian: 302 to /login?back=, Вход в систему",
        "/tests/1871",
        "/login?back=%2Ftests%2F1871",
        "Вход в систему",
        "<h1>Вход в систему</h1><p>Чтобы открыть страницу, войдите под своей учётной записью.</p><form method='post'><input name='login'><input type='password' name='password'><button>Войти</button></form>",
    ),
    "a dashboard of Grafana": (
        "Grafana: 302 to /login, Welcome to Grafana",
        "/d/1871abcd/orchard-frost",
        "/login",
        "Grafana",
        "<h1>Welcome to Grafana</h1><form><input name='user' placeholder='email or username'><input name='password' type='password'><button>Log in</button></form>",
    ),
}


def _elsewhere(name: str) -> Case:
    source, path, host, way, title, words = _ELSEWHERE[name]
    return of_truth(
        Truth.RESTRICTED,
        name,
        source,
        {"/": home(), path: redirect(f"http://{host}:PORT{way}"), ELSE: LOST},
        path=path,
        others={host: {way: html(bare(title, words)), ELSE: LOST}},
        flags=_FLAGS,
    )


def _door(name: str) -> Case:
    source, path, door, title, words = _DOORS[name]
    site = {"/": home(), path: redirect(door), door: html(press(title, words)), ELSE: LOST}
    return of_truth(Truth.RESTRICTED, name, source, site, path=path, flags=_FLAGS)


CASES: list[Case] = [
    *(
        of_truth(Truth.RESTRICTED, name, each.source, each.site, path=each.path, flags=_FLAGS)
        for name, each in _PAGES.items()
    ),
    *map(_elsewhere, _ELSEWHERE),
    *map(_door, _DOORS),
]
