"""Pages that are there for those who sign in, belong, pay or come from the right network."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    Case,
    Reply,
    Site,
    Truth,
    html,
    of_truth,
    only,
    plain,
    redirect,
)
from tests.zoo.wild.pages import HOME, NGINX_404, PATH, modern, site
from tests.zoo.wild.year2026.forms import document, document_reply
from tests.zoo.wild.year2026_second.makes import post, shell, text, wiki

_FLAGS = frozenset({"restricted", "login"})
_PASSWORD = (
    "<form method='post'><label>{user}<input name='u'></label><label>{word}<input"
    " type='password' name='p'></label><button>{go}</button></form>"
)

# By what it is called: where it is known from, the answer; the rest of the site is open.
_PAGES: dict[str, tuple[str, Reply]] = {
    "a wiki lets only its groups read": (
        "MediaWiki: Permission error, 403",
        html(
            wiki(
                "Login required",
                "<p>Please <a href='/w/index.php?title=Special:UserLogin'>log in</a> to view"
                " other pages.</p>",
            ),
            status=403,
        ),
    ),
    "a wiki lets only some groups do this": (
        "MediaWiki: badaccess-groups, 403",
        html(
            wiki(
                "Permission error",
                "<p>You do not have permission to read this page, for the following"
                " reason:</p><p>The action you have requested is limited to users in the"
                " group: Members.</p>",
            ),
            status=403,
        ),
    ),
    "a Drupal site denies to visitors, with its form": (
        "Drupal: r4032login, the block for log-in beside the refusal",
        html(
            modern(
                "Access denied | Board",
                "<h1>Access denied</h1><p>You are not authorized to access this page. Log in"
                " to continue.</p>"
                + _PASSWORD.format(user="Username", word="Password", go="Log in"),
            ),
            status=403,
        ),
    ),
    "a Plone site in Dutch for its members": (
        "Plone: onvoldoende rechten, 401",
        html(
            modern(
                "Aanmelden",
                "<h1>Onvoldoende rechten</h1>"
                + _PASSWORD.format(user="Naam", word="Wachtwoord", go="Aanmelden"),
                lang="nl",
            ),
            'WWW-Authenticate: Basic realm="Plone"',
            status=401,
        ),
    ),
    "an intranet in Finnish": (
        "schools and towns: vain henkilökunnalle",
        document_reply(
            "Pääsy evätty",
            "<h1>Sivu on vain henkilökunnalle</h1><p>Kirjaudu sisään nähdäksesi"
            " sivun.</p><a href='/kirjaudu'>Kirjaudu sisään</a>",
            status=403,
            lang="fi",
        ),
    ),
    "a page for members in Swedish": (
        "associations: endast för medlemmar",
        document_reply(
            "Endast för medlemmar",
            "<h1>Endast för medlemmar</h1><p>Du måste logga in för att läsa sidan.</p><a"
            " href='/login'>Logga in</a>",
            status=403,
            lang="sv",
        ),
    ),
    "a page for members in Korean": (
        "boards of Gnuboard and XE: 회원만",
        document_reply(
            "오류안내",
            "<p>글을 읽을 권한이 없습니다.<br>회원이시라면 로그인 후 이용해"
            " 보십시오.</p><a href='/bbs/login.php'>로그인</a>",
            status=403,
            lang="ko",
        ),
    ),
    "a thread for higher groups in Chinese": (
        "Discuz!: 您所在的用户组没有权限, 403",
        document_reply(
            "提示信息",
            "<p>抱歉，您所在的用户组(游客)无法进行此操作，请登录后访问</p><form"
            " method='post' action='member.php?mod=logging'><input name='username'><input"
            " type='password' name='password'><button>登录</button></form>",
            status=403,
            lang="zh",
        ),
    ),
    "a journal's article for subscribers": (
        "publishers: 403 with institutional log-in",
        html(
            modern(
                "Access through your institution",
                "<h1>The keeper's books: a reading</h1><p>You do not have access to this"
                " article. Access through your institution, or purchase it for 39.95 €.</p><a"
                " href='/action/ssostart'>Log in via your institution</a>",
            ),
            status=403,
        ),
    ),
    "a thesis under embargo": (
        "DSpace 7: This item is restricted, 403",
        document_reply(
            "Restricted item",
            "<h1>Restricted</h1><p>The full text is under embargo until 2027-05-01."
            " Members of the university may log in to read it.</p><a href='/login'>Log"
            " in</a>",
            status=403,
        ),
    ),
    "a private project of a forge": (
        "Gitea: sign-in required, 303 to /user/login",
        redirect("/user/login?redirect_to=%2farchive%2f2019%2fannual-report", status=303),
    ),
    "a course of a learning system": (
        "Moodle: 303 to /login/index.php",
        redirect(
            "/user/login?redirect_to=%2farchive%2f2019%2fannual-report",
            "Set-Cookie: MoodleSession=q; path=/",
            status=303,
        ),
    ),
    "a board's API wants a key": (
        "APIs: 401 with a problem document",
        plain(
            '{"type":"about:blank","title":"Unauthorized","status":401,"detail":"An API'
            ' key is required."}',
            "WWW-Authenticate: ApiKey",
            status=401,
            kind="application/problem+json",
        ),
    ),
    "a folder with a password": (
        "Apache, nginx: auth_basic",
        html(
            "<html><head><title>401 Authorization Required</title></head><body><center><h"
            "1>401 Authorization Required</h1></center></body></html>",
            'WWW-Authenticate: Basic realm="Keepers"',
            status=401,
        ),
    ),
    "a newspaper that wants to be paid, with 402": (
        "newspapers' front ends",
        html(
            post(
                "Der letzte Winter des Wärters",
                text("de", 1) + "<p>Abonnieren Sie, um weiterzulesen.</p>",
                lang="de",
            ),
            status=402,
        ),
    ),
    "a post of WordPress with a password": (
        "WordPress: This content is password-protected, 200",
        html(
            post(
                "Protected: the keeper's letters",
                "<form action='/wp-login.php?action=postpass' method='post'><p>This content"
                " is password-protected. To view it, please enter the password"
                " below.</p><input name='post_password' type='password'><input type='submit'"
                " value='Enter'></form>",
            )
        ),
    ),
    "a shop of Shopify's that opens with a password": (
        "Shopify: /password, a shop for its friends",
        html(
            document(
                "Skerry Lamps",
                "<h1>Skerry Lamps</h1><p>Enter store using password</p><form method='post'"
                " action='/password'><input type='password'"
                " name='password'><button>Enter</button></form>",
            )
        ),
    ),
    "a private profile of a network": (
        "networks of pictures: This account is private, 200",
        html(
            shell(
                "Keeper (@keeper) | Skerry Photos",
                {"user": {"private": True}},
                content="<h1>keeper</h1><p>404 followers</p><h2>This account is private</h2><p>"
                "Follow to see their photos.</p><a href='/login'>Log in</a>",
            )
        ),
    ),
}
_LOGIN = html(
    modern(
        "Sign In - Forge",
        "<h1>Sign In</h1>" + _PASSWORD.format(user="Username", word="Password", go="Sign In"),
    )
)


def _site(reply: Reply) -> Site:
    return {
        "/": HOME,
        PATH: reply,
        "/user/login?redirect_to=%2farchive%2f2019%2fannual-report": _LOGIN,
        ELSE: NGINX_404,
    }


def _whole_sites() -> Iterator[Case]:
    """Yield sites where everything is behind a door."""
    for name, source, host, way, door in (
        (
            "everything is behind Okta",
            "companies: /oauth2/v1/authorize",
            "skerry.okta-login.example",
            "/oauth2/v1/authorize?client_id=0oa404",
            "Sign In",
        ),
        (
            "everything is behind Keycloak",
            "towns, hospitals: realms/…/openid-connect/auth",
            "sso.skerry-town.example",
            "/realms/town/protocol/openid-connect/auth?client_id=web",
            "Anmelden bei Stadt",
        ),
        (
            "everything is behind CAS",
            "universities: /cas/login?service=",
            "cas.skerry-uni.example",
            "/cas/login?service=http%3A%2F%2Fx",
            "Connexion - CAS",
        ),
        (
            "everything is behind Cloudflare Access",
            "Zero Trust: cdn-cgi/access/login",
            "skerry.access-login.example",
            "/cdn-cgi/access/login/x?kid=404",
            "Sign in ・ Cloudflare Access",
        ),
        (
            "everything is behind Authelia",
            "home servers: /?rd=",
            "auth.keeper-home.example",
            "/?rd=http%3A%2F%2Fx",
            "Login - Authelia",
        ),
    ):
        page = document_reply(
            door, f"<h1>{door}</h1>" + _PASSWORD.format(user="User", word="Password", go="Go on")
        )
        yield of_truth(
            Truth.RESTRICTED,
            name,
            source,
            {ELSE: redirect(f"http://{host}:PORT{way}")},
            others={host: only(page)},
            flags=_FLAGS,
        )
    form = document_reply(
        "Log in",
        "<h1>Forum of the keepers</h1><p>The board requires you to be registered and"
        " logged in to view this forum.</p>"
        + _PASSWORD.format(user="Username:", word="Password:", go="Login"),
        status=403,
    )
    yield of_truth(
        Truth.RESTRICTED,
        "a board that shows itself to members only",
        "phpBB: 403 with its form for everything",
        only(form),
        flags=_FLAGS,
    )
    yield of_truth(
        Truth.RESTRICTED,
        "an intranet that knows its own network, in French",
        "ministries: réservé au réseau interne",
        site(
            document_reply(
                "Accès réservé",
                "<h1>Accès réservé</h1><p>Cette page n'est accessible que depuis le réseau"
                " interne du ministère.</p>",
                status=403,
                lang="fr",
            )
        ),
        flags=_FLAGS,
    )


CASES: list[Case] = [
    *(
        of_truth(Truth.RESTRICTED, name, source, _site(reply), flags=_FLAGS)
        for name, (source, reply) in _PAGES.items()
    ),
    *_whole_sites(),
]
