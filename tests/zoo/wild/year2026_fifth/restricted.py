"""Pages that are there for those who sign in, subscribe, belong or hold a certificate."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, plain, redirect
from tests.zoo.wild.year2026_fifth.frames import portal, story
from tests.zoo.wild.year2026_fourth.frames import LOST, Met, document, front, news, plain_site

_FLAGS = frozenset({"restricted", "login"})

_PAGES: dict[str, Met] = {
    "a server that wants a certificate": Met(
        source="nginx: ssl_verify_client, 400 No required SSL certificate was sent",
        reply=html(
            "<html>\r\n<head><title>400 No required SSL certificate was sent</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n<center>No required SSL certificate was sent</center>\r\n<hr><center>nginx/1.26.2</center>\r\n</body>\r\n</html>\r\n",
            "Server: nginx/1.26.2",
            status=400,
        ),
        path="/pilot/orders",
        everywhere=True,
    ),
    "a server of Windows that wants a name": Met(
        source="IIS: 401 with Negotiate and NTLM",
        reply=html(
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml">\n<head>\n<title>401 - Unauthorized: Access is denied due to invalid credentials.</title>\n</head>\n<body>\n<div id="header"><h1>Server Error</h1></div>\n<div id="content">\n <div class="content-container"><fieldset>\n  <h2>401 - Unauthorized: Access is denied due to invalid credentials.</h2>\n  <h3>You do not have permission to view this directory or page using the credentials that you supplied.</h3>\n </fieldset></div>\n</div>\n</body>\n</html>\n',
            "WWW-Authenticate: Negotiate",
            "WWW-Authenticate: NTLM",
            "Server: Microsoft-IIS/10.0",
            status=401,
        ),
        path="/sites/pilots/Shared%20Documents/roster.xlsx",
    ),
    "an interface of Django that wants credentials": Met(
        source="Django REST framework: NotAuthenticated, 403 with sessions",
        reply=plain(
            '{"detail":"Authentication credentials were not provided."}',
            "Allow: GET, HEAD, OPTIONS",
            status=403,
            kind="application/json",
        ),
        path="/api/v1/rosters/42/",
    ),
    "a topic of Discuz for members, in Chinese": Met(
        source="Discuz! X3.4: 您需要登录才可以, 200",
        reply=html(
            document(
                "提示信息 -  航标论坛 -  Powered by Discuz!",
                '<div id="hd"><h2><a href="./">航标论坛</a></h2></div><div id="wp" class="wp"><div id="messagetext" class="alert_info"><p>抱歉，本帖要求阅读权限高于 10 才能浏览，您需要登录才可以继续本操作</p></div><form method="post" name="login" action="member.php?mod=logging&amp;action=login&amp;loginsubmit=yes"><label>用户名<input type="text" name="username"></label><label>密码<input type="password" name="password"></label><button type="submit">登录</button><a href="member.php?mod=register">立即注册</a></form></div><div id="ft"><p>Powered by <strong>Discuz!</strong> X3.4</p></div>',
                lang="zh",
            )
        ),
        path="/thread-4242-1-1.html",
        lang="zh",
    ),
    "a thread of vBulletin that asks who one is": Met(
        source="vBulletin 3/4: You are not logged in or you do not have permission to access this page, 403",
        reply=html(
            plain_site(
                "Old Engines - vBulletin Message",
                '<table class="tborder" width="70%" align="center"><tr><td class="tcat">vBulletin Message</td></tr><tr><td class="panelsurround"><div class="panel"><p>You are not logged in or you do not have permission to access this page. This could be due to one of several reasons:</p><ol><li>You are not logged in. Fill in the form at the bottom of this page and try again.</li><li>You may not have sufficient privileges to access this page.</li><li>If you are trying to post, the administrator may have disabled your account, or it may be awaiting activation.</li></ol><form action="login.php?do=login" method="post"><fieldset><legend>Log in</legend>User Name: <input type="text" name="vb_login_username"> Password: <input type="password" name="vb_login_password"><input type="submit" value="Log in"></fieldset></form></div></td></tr></table>',
                name="Old Engines",
            ),
            status=403,
        ),
        path="/showthread.php?t=42424",
    ),
    "an article of Le Monde for subscribers": Met(
        source="Le Monde: Article réservé aux abonnés",
        reply=html(
            news(
                "Sur la jetée, le dernier gardien",
                "<p class='article__status'>Article réservé aux abonnés</p><h1>Sur la jetée, le dernier gardien</h1><p>Il montait quatre fois par nuit. Depuis 1968, le feu s'allume sans lui.</p><section class='paywall'><h2>Il vous reste 82.4% de cet article à lire. La suite est réservée aux abonnés.</h2><a href='/abo'>S’abonner</a><p>Déjà abonné ? <a href='/connexion'>Se connecter</a></p></section>",
                lang="fr",
                name="Le Mondial",
            )
        ),
        path="/m-perso/article/2025/11/04/sur-la-jetee-le-dernier-gardien_6642424_4497916.html",
        lang="fr",
    ),
    "an article of a Japanese paper for members": Met(
        source="日本経済新聞: この記事は会員限定です",
        reply=html(
            news(
                "灯台、無人化から半世紀",
                "<h1>灯台、無人化から半世紀</h1><p>2025年11月4日 7:30 [会員限定記事]</p><p>最後の灯台守が塔を降りて五十年がたつ。</p><div class='paywall'><p>この記事は会員限定です。登録すると続きをお読みいただけます。</p><p>残り1874文字</p><a href='/register'>無料で登録する</a><a href='/login'>ログイン</a></div>",
                lang="ja",
                name="みなと経済新聞",
            )
        ),
        path="/article/DGXZQOUE042420U5A101C2000000/",
        lang="ja",
    ),
    "an article of a Swedish paper for subscribers": Met(
        source="Swedish papers: Plus-artiklar",
        reply=html(
            news(
                "Sista fyrvaktaren minns",
                "<h1>Sista fyrvaktaren minns</h1><p class='ingress'>Fyra gånger varje natt gick han upp.</p>"
                + story("sv")
                + "<div class='premium'><h2>Det här är en låst artikel</h2><p>Bli prenumerant för att läsa vidare. Första månaden 1 kr.</p><a href='/kop'>Köp</a> <a href='/logga-in'>Logga in</a></div>",
                lang="sv",
                name="Kustbladet",
            )
        ),
        path="/kultur/sista-fyrvaktaren-minns/",
        lang="sv",
    ),
    "a post of Patreon for patrons": Met(
        source="Patreon: Locked, Join to unlock",
        reply=html(
            document(
                "Drawings of the lens room | Patreon",
                '<header><a href="/home">Patreon</a><a href="/login">Log in</a></header><main><h1>Drawings of the lens room</h1><p>The Last Keeper · Nov 4, 2025</p><div data-tag="locked-rich-text-post"><p>Join to unlock</p><p>By becoming a member, you’ll instantly unlock access to 112 exclusive posts</p><button>Join for free</button><button>Unlock post · $5</button></div></main>',
            )
        ),
        path="/posts/drawings-of-lens-142424242",
    ),
    "a distillery that asks for the age": Met(
        source="stores: age gate in front of the page, 200",
        reply=html(
            plain_site(
                "Keeper's Rum – Age verification",
                '<div class="age-gate" role="dialog"><h1>Are you of legal drinking age?</h1><p>You must be 18 or older to enter this site.</p><form method="post"><button name="age" value="yes">Yes, I am</button><button name="age" value="no">No</button></form></div>',
                name="Keeper's Rum",
            )
        ),
        path="/rum/colza-cask",
    ),
    "a recording of Zoom under a passcode": Met(
        source="Zoom: Enter the passcode to watch",
        reply=html(
            document(
                "Recording - Zoom",
                '<header><a href="https://zoom.us">Zoom</a></header><main><div class="passcode"><h1>Harbour meeting</h1><p>Enter the passcode to watch</p><form><label for="passcode">Passcode</label><input type="password" id="passcode"><button>Watch Recording</button></form></div></main><footer>© 2026 Zoom Communications, Inc. All rights reserved.</footer>',
            )
        ),
        path="/rec/share/42abAB-cdEF",
    ),
    "a page of the library that readers unlock": Met(
        source="EZproxy: Database access, log in with your library card",
        reply=html(
            portal(
                "Library Login",
                '<h1>Off-campus access</h1><p>Please log in with your university account to use this licensed resource.</p><form action="/login" method="post"><input type="hidden" name="url" value="https://journal.example/42"><label>Username</label><input name="user"><label>Password</label><input type="password" name="pass"><input type="submit" value="Log in"></form>',
                name="University Library",
            )
        ),
        path="/login?url=https://journal.example/42",
    ),
    "a page of VKontakte for those who sign in, in Russian": Met(
        source="vk.com: страница доступна только авторизованным пользователям, 200",
        reply=html(
            document(
                "Мол | ВКонтакте",
                '<div id="page_header"><a href="/">ВКонтакте</a></div><div class="profile_closed_wall_dummy"><h2 class="page_name">Мол</h2><p>Страница доступна только авторизованным пользователям.</p></div><form method="post" action="https://login.vk.com/?act=login"><input name="email" placeholder="Телефон или почта"><input type="password" name="pass"><button>Войти</button></form>',
                lang="ru",
            )
        ),
        path="/mol1874",
        lang="ru",
    ),
    "a work of an archive for members": Met(
        source="Archive of Our Own: 302 to /users/login?restricted=true",
        reply=redirect("http://$HOST:PORT/users/login?restricted=true"),
        path="/works/42424242",
    ),
    "an issue of Jira for those who sign in": Met(
        source="Jira: 302 to /login.jsp?permissionViolation=true",
        reply=redirect(
            "http://$HOST:PORT/login.jsp?permissionViolation=true&os_destination=%2Fbrowse%2FFOG-42"
        ),
        path="/browse/FOG-42",
    ),
}

_DOORS: dict[str, str] = {
    "/users/login?restricted=true": document(
        "Log In | Archive of Our Own",
        '<div id="main"><p class="flash notice">This work is only available to registered users of the Archive. If you already have an Archive of Our Own account, log in now.</p><h2 class="heading">Log In</h2><form class="new_user" action="/users/login" method="post"><label>Username or email:</label><input name="user[login]"><label>Password:</label><input type="password" name="user[password]"><input type="submit" value="Log In"></form></div>',
    ),
    "/login.jsp?permissionViolation=true&os_destination=%2Fbrowse%2FFOG-42": document(
        "Log in - Foglamp Jira",
        '<section id="content"><h1>Welcome to Foglamp Jira</h1><div class="aui-message aui-message-error"><p>You do not have the permission to see the specified issue. You must log in to access this page.</p></div><form action="/login.jsp" method="post" id="login-form"><label>Username</label><input name="os_username"><label>Password</label><input type="password" name="os_password"><input type="submit" value="Log In"></form></section><footer>Atlassian Jira Project Management Software (v10.3.2)</footer>',
    ),
}


def _elsewhere() -> Iterator[Case]:
    """Yield pages whose door is at another host."""
    for name, source, host, way, door, lang in (
        (
            "a document of SharePoint behind Microsoft's door",
            "SharePoint Online: 302 to login.microsoftonline.com",
            "login.office-giant.example",
            "/common/oauth2/authorize?client_id=00000003&response_mode=form_post&redirect_uri=x",
            document(
                "Sign in to your account",
                '<div id="lightbox"><img alt="Microsoft"><div role="heading" aria-level="1">Sign in</div><form><input type="email" name="loginfmt" placeholder="Email, phone, or Skype"><input type="password" name="passwd" placeholder="Password"><input type="submit" value="Next"></form></div>',
            ),
            "en",
        ),
        (
            "an application behind Cloudflare Access",
            "Cloudflare Access: 302 to cloudflareaccess.com",
            "keepers.access-edge.example",
            "/cdn-cgi/access/login/app.example?kid=42ab&redirect_url=%2F",
            document(
                "Sign in ・ Cloudflare Access",
                '<div class="App"><h1>Get a login code emailed to you</h1><form method="POST"><label>Email</label><input type="email" name="email"><button>Send me a code</button></form><p>keepers.cloudflareaccess.com</p></div>',
            ),
            "en",
        ),
        (
            "a journal behind the door of a German federation",
            "Shibboleth: 302 to the discovery service, DFN-AAI",
            "wayf.federation.example",
            "/DFN-AAI/wayf?entityID=https%3A%2F%2Fsp&return=https%3A%2F%2Fsp%2FShibboleth.sso%2FLogin",
            document(
                "Auswahl der Heimateinrichtung",
                '<h1>Anmelden über Ihre Einrichtung</h1><p>Um auf diesen Dienst zuzugreifen, wählen Sie bitte Ihre Heimateinrichtung aus.</p><form><select name="user_idp"><option>Hochschule am Hafen</option><option>Universität Küste</option></select><button>Auswählen</button></form>',
                lang="de",
            ),
            "de",
        ),
        (
            "a page of Facebook for those who sign in",
            "Facebook: 302 to /login/?next=",
            "www.face-giant.example",
            "/login/?next=https%3A%2F%2Fwww.facebook.com%2Fgroups%2F42",
            document(
                "Log in to Facebook",
                '<div id="content"><h2>Log in to Facebook</h2><div>You must log in to continue.</div><form id="login_form" action="/login/" method="post"><input name="email" placeholder="Email address or phone number"><input type="password" name="pass" placeholder="Password"><button name="login">Log in</button></form><a href="/recover/initiate/">Forgotten account?</a></div>',
            ),
            "en",
        ),
    ):
        yield of_truth(
            Truth.RESTRICTED,
            name,
            source,
            {"/": front(lang), "/groups/42": redirect(f"http://{host}:PORT{way}"), ELSE: LOST},
            path="/groups/42",
            others={host: only(html(door))},
            flags=_FLAGS,
        )


def _site(met: Met) -> dict[str, Reply]:
    doors = {path: html(page) for path, page in _DOORS.items()}
    return {**doors, **met.site}  # type: ignore[dict-item]


CASES: list[Case] = [
    *(
        of_truth(Truth.RESTRICTED, name, met.source, _site(met), path=met.path, flags=_FLAGS)
        for name, met in _PAGES.items()
    ),
    *_elsewhere(),
]
