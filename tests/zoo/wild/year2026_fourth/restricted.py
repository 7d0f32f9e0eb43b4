"""Pages that are there for those who sign in, pay or belong."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Truth, html, of_truth, plain, redirect
from tests.zoo.wild.year2026_fourth.frames import (
    LOST,
    Met,
    document,
    front,
    news,
    next_app,
    phpbb,
    plain_site,
)

_FLAGS = frozenset({"restricted", "login"})

_PAGES: dict[str, Met] = {
    "a folder that asks for a password": Met(
        source="Apache: AuthType Basic, 401",
        reply=html(
            '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>401 Unauthorized</title>\n</head><body>\n<h1>Unauthorized</h1>\n<p>This server could not verify that you\nare authorized to access the document\nrequested.  Either you supplied the wrong\ncredentials (e.g., bad password), or your\nbrowser doesn\'t understand how to supply\nthe credentials required.</p>\n</body></html>\n',
            'WWW-Authenticate: Basic realm="Committee"',
            "Server: Apache",
            status=401,
        ),
        path="/committee/minutes-2026.pdf",
    ),
    "an interface that wants a token": Met(
        source="interfaces: 401 with WWW-Authenticate: Bearer",
        reply=plain(
            '{"message":"401 Unauthorized"}',
            'WWW-Authenticate: Bearer realm="api"',
            status=401,
            kind="application/json",
        ),
        path="/api/v4/projects/42/issues",
    ),
    "a forum of phpBB that only members read": Met(
        source="phpBB 3.3: SORRY_AUTH_READ, 403, with its form",
        reply=html(
            phpbb(
                "Login",
                '<form action="./ucp.php?mode=login" method="post" id="login"><div class="panel"><div class="inner"><div class="content"><h2 class="login-title">The board requires you to be registered and logged in to view this forum.</h2><fieldset class="fields1"><dl><dt><label for="username">Username:</label></dt><dd><input type="text" name="username" id="username" /></dd></dl><dl><dt><label for="password">Password:</label></dt><dd><input type="password" id="password" name="password" /></dd></dl><input type="submit" name="login" value="Login" class="button1" /></fieldset></div></div></div></form>',
            ),
            status=403,
        ),
        path="/viewforum.php?f=12",
    ),
    "a thread of XenForo for members": Met(
        source="XenForo: You must be logged-in to do that., 403",
        reply=html(
            plain_site(
                "Log in | Growers' Forum",
                '<div class="p-title"><h1 class="p-title-value">Log in</h1></div><div class="blockMessage blockMessage--error blockMessage--iconic">You must be logged-in to do that.</div><div class="blocks"><form action="/login/login" method="post" class="block"><label>Your name or email address</label><input type="text" name="login"><label>Password</label><input type="password" name="password"><button type="submit">Log in</button><p>Don\'t have an account? <a href="/register/">Register now</a></p></form></div>',
                name="Growers' Forum",
            ),
            status=403,
        ),
        path="/threads/members-seed-list.60112/",
    ),
    "a private video of YouTube": Met(
        source="YouTube: playabilityStatus LOGIN_REQUIRED, Private video",
        reply=html(
            '<!DOCTYPE html><html lang="en"><head><title> - YouTube</title><meta name="robots" content="noindex"></head><body dir="ltr"><ytd-app></ytd-app><script nonce="a">var ytInitialPlayerResponse = {"playabilityStatus":{"status":"LOGIN_REQUIRED","messages":["This is a private video. Please sign in to verify that you may see it."],"errorScreen":{"playerErrorMessageRenderer":{"subreason":{"simpleText":"Sign in if you\'ve been granted access to this video"},"reason":{"simpleText":"Private video"},"proceedButton":{"buttonRenderer":{"text":{"simpleText":"Sign in"}}}}}}};</script></body></html>',
            "Server: ESF",
        ),
        path="/watch?v=0aBcD1eFgHi",
    ),
    "an article behind a paywall, in German": Met(
        source="German papers: Plus articles",
        reply=html(
            news(
                "Kleingärten: Warum die Wartelisten länger werden",
                '<h1>Kleingärten: Warum die Wartelisten länger werden</h1><p class="lead">Wer eine Parzelle sucht, wartet in vielen Städten sieben Jahre.</p><p>In der alten Signalmeisterei sitzt der Vorstand und zählt die Anträge.</p><div class="paywall" data-paywall="true"><h2>Dieser Artikel ist nur für Abonnenten</h2><p>Jetzt 4 Wochen für 1 € testen und sofort weiterlesen.</p><a class="btn" href="/abo">Jetzt testen</a><p>Sie haben bereits ein Abo? <a href="/login">Anmelden</a></p></div>',
                lang="de",
                name="Stellwerk-Bote",
            )
        ),
        path="/lokales/kleingaerten-wartelisten-plus-4112.html",
        lang="de",
    ),
    "an article of Medium for members": Met(
        source="Medium: member-only story",
        reply=html(
            next_app(
                "Why leeks need patience | by Rod Marrow | Medium",
                '<article><p class="member">Member-only story</p><h1>Why leeks need patience</h1><p>Rod Marrow · 6 min read · Nov 4, 2025</p><p>Every spring I tell myself the same thing: sow early, thin late.</p><div class="paywall"><h2>Create an account to read the full story.</h2><p>The author made this story available to Medium members only. If you’re new to Medium, create a new account to read this story on us.</p><a href="/m/signin">Continue in app</a><p>Already have an account? <a href="/m/signin">Sign in</a></p></div></article>',
                name="Medium",
            )
        ),
        path="/@rodmarrow/why-leeks-need-patience-1f2e3d4c5b6a",
    ),
    "an article of a journal that must be bought": Met(
        source="publishers: Access through your institution, Buy this article",
        reply=html(
            plain_site(
                "Root depth of Allium under railway ballast | Journal of Allotment Studies",
                '<article><h1>Root depth of Allium under railway ballast</h1><ul class="authors"><li>R. Marrow</li><li>P. Seed</li></ul><section><h2>Abstract</h2><p>We measured root depth in forty-two plots over nine seasons and found that ballast drains faster than loam.</p></section><section class="access"><h2>Access options</h2><p>This is a preview of subscription content, <a href="/login">access via your institution</a></p><h3>Buy Now</h3><p>Buy article PDF 39,95 € Price includes VAT. Instant access to the full article PDF.</p></section><section><h2>References</h2><ol><li>Rail, A. (1908) Ballast and beans.</li></ol></section></article>',
                name="Journal of Allotment Studies",
            )
        ),
        path="/article/10.5072/s00425-025-0042-1",
    ),
    "a shop that opens with a password": Met(
        source="Shopify: /password, Opening soon, for those who hold it",
        reply=redirect("http://$HOST:PORT/password"),
        path="/products/rare-leek-seed",
    ),
    "a page of Confluence for those who sign in": Met(
        source="Confluence: 302 to /login.action?os_destination=",
        reply=redirect(
            "http://$HOST:PORT/login.action?os_destination=%2Fpages%2Fviewpage.action%3FpageId%3D4212&permissionViolation=true"
        ),
        path="/pages/viewpage.action?pageId=4212",
    ),
    "a repository of records under embargo": Met(
        source="DSpace 7: restricted bitstream, form of request-a-copy",
        reply=html(
            plain_site(
                "Request a copy of the document :: University repository",
                '<h1>Request a copy of the document</h1><p>Enter the following information to request a copy for the following item: <a href="/items/42">Allotments and the railway, 1908–1914</a></p><form><label>Name *</label><input name="name"><label>Your e-mail address *</label><input name="email"><p>This email address is used for sending the file.</p><label>Files</label><input type="radio"> Only the requested file <label>Message</label><textarea></textarea><button>Request copy</button></form>',
                name="University repository",
            )
        ),
        path="/items/42/request-a-copy",
    ),
    "a course of Moodle for those enrolled, in Spanish": Met(
        source="Moodle 4.5: login/index.php after 303",
        reply=redirect("http://$HOST:PORT/login/index.php", status=303),
        path="/course/view.php?id=212",
        lang="es",
    ),
    "a page of an intranet, in French": Met(
        source="CAS: Service d'authentification, 302 to /cas/login?service=",
        reply=redirect(
            "http://$HOST:PORT/cas/login?service=https%3A%2F%2Fintranet.example%2Fdoc%2F42"
        ),
        path="/intranet/doc/42",
        lang="fr",
    ),
    "a members' page of WordPress": Met(
        source="MemberPress, Paid Memberships Pro: unauthorized message, 200",
        reply=html(
            plain_site(
                "Seed catalogue 2026 – Allotment",
                '<h1>Seed catalogue 2026</h1><div class="mp_wrapper"><div class="mepr-unauthorized-message"><p>You are unauthorized to view this page.</p></div><div class="mepr-login-form-wrap"><form name="mepr_loginform" id="mepr_loginform" action="/login/" method="post"><label>Username or E-mail</label><input type="text" name="log"><label>Password</label><input type="password" name="pwd"><input type="submit" value="Log In"></form><a href="/login/?action=forgot_password">Forgot Password</a></div></div>',
            )
        ),
        path="/seed-catalogue-2026/",
    ),
    "a post of WordPress under a password, in Japanese": Met(
        source="WordPress: get_the_password_form (ja)",
        reply=html(
            plain_site(
                "保護中: 会員だより 第42号",
                '<article><h1>保護中: 会員だより 第42号</h1><div class="entry-content"><form action="/wp-login.php?action=postpass" class="post-password-form" method="post"><p>このコンテンツはパスワードで保護されています。閲覧するには以下にパスワードを入力してください。</p><p><label>パスワード: <input name="post_password" type="password" /></label> <input type="submit" name="Submit" value="確定" /></p></form></div></article>',
                lang="ja",
                name="菜園の会",
            )
        ),
        path="/archives/4210",
        lang="ja",
    ),
    "a profile of Instagram for those who sign in": Met(
        source="Instagram: 302 to /accounts/login/?next=",
        reply=redirect("http://$HOST:PORT/accounts/login/?next=%2Ffortytworods%2F"),
        path="/fortytworods/",
    ),
    "a document of Google that was not shared": Met(
        source="Google Docs: 401 to those who are not signed in",
        reply=html(
            document(
                "Google Docs: Sign-in",
                '<div class="access"><img src="//ssl.gstatic.com/docs/common/images/logo_docs.png" alt=""><h1>You need access</h1><p>Request access, or switch to an account with access. <a href="https://support.google.com/docs/answer/6160301">Learn more</a></p><textarea placeholder="Message (optional)"></textarea><button>Request access</button></div>',
            ),
            "Server: ESF",
            status=401,
        ),
        path="/document/d/1aBcDeFgHiJkLmNoPq/edit",
    ),
}

_DOORS: dict[str, str] = {
    "/password": document(
        "Leek & Pea – Opening soon",
        '<div class="password-main"><h1>Opening soon</h1><p>Be the first to know when we launch.</p><form method="post" action="/password"><h2>Enter store using password</h2><label>Your password</label><input type="password" name="password"><button>Enter</button></form><p>Are you the store owner? <a href="/admin">Log in here</a></p><footer>This shop will be powered by <a href="https://www.shopify.com">Shopify</a></footer></div>',
    ),
    "/login.action?os_destination=%2Fpages%2Fviewpage.action%3FpageId%3D4212&permissionViolation=true": document(
        "Log In - Confluence",
        '<div id="login-container"><h1>Log in to Confluence</h1><p class="warning">You are not permitted to view this page. Log in with another account.</p><form name="loginform" method="post" action="/dologin.action"><input name="os_username" placeholder="Username"><input type="password" name="os_password" placeholder="Password"><input type="submit" value="Log in"></form></div><footer>Powered by Atlassian Confluence 9.2.1</footer>',
    ),
    "/login/index.php": document(
        "Entrar al sitio | Aula Virtual",
        '<div class="login-container"><h1 class="login-heading">Entrar en Aula Virtual</h1><form class="login-form" action="/login/index.php" method="post"><input type="hidden" name="logintoken" value="a1"><input type="text" name="username" placeholder="Nombre de usuario"><input type="password" name="password" placeholder="Contraseña"><button type="submit">Acceder</button><a href="/login/forgot_password.php">¿Ha extraviado la contraseña?</a></form></div>',
        lang="es",
    ),
    "/cas/login?service=https%3A%2F%2Fintranet.example%2Fdoc%2F42": document(
        "Service d'authentification centralisé",
        '<h1>Entrez votre identifiant et votre mot de passe.</h1><form method="post" id="fm1"><label>Identifiant :</label><input name="username"><label>Mot de passe :</label><input type="password" name="password"><input type="hidden" name="execution" value="e1s1"><button>Se connecter</button></form><p>Pour des raisons de sécurité, déconnectez-vous et fermez votre navigateur lorsque vous avez fini.</p>',
        lang="fr",
    ),
    "/accounts/login/?next=%2Ffortytworods%2F": document(
        "Login • Instagram",
        '<div id="splash-screen"></div><main><form id="loginForm"><input name="username" aria-label="Phone number, username, or email"><input type="password" name="password" aria-label="Password"><button type="submit">Log in</button></form><p>Don\'t have an account? <a href="/accounts/emailsignup/">Sign up</a></p></main><footer>© 2026 Instagram from Meta</footer>',
    ),
}


def _cases() -> Iterator[Case]:
    for name, met in _PAGES.items():
        site = {
            "/": front(met.lang),
            met.path: met.reply,
            **{path: html(page) for path, page in _DOORS.items()},
            ELSE: LOST,
        }
        yield of_truth(Truth.RESTRICTED, name, met.source, site, path=met.path, flags=_FLAGS)


CASES: list[Case] = list(_cases())
