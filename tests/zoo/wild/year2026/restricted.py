"""Pages that are there for others: 403 and redirects of sites with members, and their gone"
" twins."""

# ruff: noqa: RUF001
from typing import Any

from tests.zoo.wild.case import (
    ELSE,
    INCONCLUSIVE,
    SUCCESS,
    Case,
    Reply,
    Site,
    Truth,
    gone,
    html,
    of_truth,
    only,
    redirect,
)
from tests.zoo.wild.pages import HOME, bare, modern, prose, site
from tests.zoo.wild.year2026.forms import CLOUDFLARE, document_reply

_FORM = (
    "<form method='post' action='/session'><input name='user'><input type='password' name="
    "'password'><button>Sign in</button></form>"
)
_BARE = html(bare("403 Forbidden", "<hr><center>Apache</center>"), status=403)
_LOGIN_PAGE = html(modern("Sign in – River Intranet", f"<h1>Sign in</h1>{_FORM}"))

# By what it is called: public form, answer; the home page is open.
_PAGES: dict[str, tuple[str, Reply]] = {
    "403 with a password field": (
        "MediaWiki, Plone, phpBB: a form below the refusal",
        html(
            modern(
                "Insufficient privileges",
                f"<h1>Insufficient privileges</h1><p>You do not have rights to view this page.</p>"
                f"{_FORM}",
            ),
            status=403,
        ),
    ),
    "403 with a password field in French": (
        "SPIP, Drupal: accès refusé with a form",
        html(
            modern("Accès restreint", f"<h1>Accès restreint aux membres</h1>{_FORM}", lang="fr"),
            status=403,
        ),
    ),
    "403 with a password field in German": (
        "TYPO3: a page for members with felogin",
        html(
            modern("Geschützter Bereich", f"<h1>Geschützter Bereich</h1>{_FORM}", lang="de"),
            status=403,
        ),
    ),
    "403 whose only way out is to sign in": (
        "GitLab, Confluence: a refusal with one link",
        document_reply(
            "Restricted",
            "<h1>You need permission to view this</h1><a href='/users/sign_in'>Sign in</a>",
            status=403,
        ),
    ),
    "403 whose only way out is single sign-on": (
        "universities' Shibboleth: a refusal with one link",
        document_reply(
            "Not authorised",
            "<p>This resource is available to members of the university.</p><a href='/Shibboleth."
            "sso/Login?target=%2Farchive'>Log in with your university account</a>",
            status=403,
        ),
    ),
    "403 whose only way out is to log in, in Spanish": (
        "Moodle and others",
        document_reply(
            "Acceso restringido",
            "<p>Debe identificarse para ver esta página.</p><a href='/login/index.php'>Iniciar"
            " sesión</a>",
            status=403,
            lang="es",
        ),
    ),
    "403 outside of the campus network": (
        "university libraries: available on the campus network only",
        document_reply(
            "Access restricted",
            "<p>This document is available from the campus network only. Please use the VPN.</p>",
            status=403,
        ),
    ),
    "403 outside of the campus, in German": (
        "repositories of German universities: nur im Campusnetz",
        document_reply(
            "Zugriff nur im Campusnetz",
            "<p>Dieses Dokument ist nur im Campusnetz der Universität zugänglich.</p>",
            status=403,
            lang="de",
        ),
    ),
    "403 outside of the campus, in Chinese": (
        "Chinese university libraries: 校园网",
        document_reply("访问受限", "<p>该资源仅限校园网内访问。</p>", status=403, lang="zh"),
    ),
    "SharePoint wants its form": (
        "SharePoint Online: 403 Forbidden with X-Forms_Based_Auth_Required",
        html(
            "403 FORBIDDEN",
            "X-Forms_Based_Auth_Required: https://river.sharepoint.example/_forms/default.aspx",
            "X-Forms_Based_Auth_Return_Url:"
            " https://river.sharepoint.example/_layouts/15/error.aspx",
            "X-MSDAVEXT_Error: 917656; Access+denied",
            "MicrosoftSharePointTeamServices: 16.0.0.24000",
            status=403,
        ),
    ),
    "an Office server wants its form": (
        "MS-OFBA, Nextcloud: 403 with X-FORMS_BASED_AUTH_REQUIRED",
        Reply(
            status=403, headers=("X-FORMS_BASED_AUTH_REQUIRED: https://cloud.museum.example/login",)
        ),
    ),
    "401 with negotiation": (
        "intranets: WWW-Authenticate: Negotiate",
        Reply(status=401, headers=("WWW-Authenticate: Negotiate", "WWW-Authenticate: NTLM")),
    ),
    "401 with a bearer's challenge": (
        "APIs: WWW-Authenticate: Bearer",
        html("{}", 'WWW-Authenticate: Bearer realm="api"', status=401),
    ),
    "402 of a newspaper": (
        "publishers that answer 402 to those who did not pay",
        html(
            modern("Subscribe – The River Times", f"<h1>Subscribe</h1>{prose('en', 1)}"),
            status=402,
        ),
    ),
    "402 of a machine's payment": (
        "x402: payment by machines, application/json",
        Reply(
            status=402,
            headers=("Content-Type: application/json",),
            body=b'{"x402Version":1,"accepts":[{"scheme":"exact","network":"base"}]}',
        ),
    ),
}


def _restricted(name: str, source: str, what: Site, **more: Any) -> Case:
    flags = frozenset({"restricted", "login"})
    return of_truth(Truth.RESTRICTED, name, source, what, flags=flags, **more)


_BY_ROOT = [
    _restricted(
        "403, and the root wants a password",
        "a site for members: 401 at the root",
        {"/": Reply(status=401, headers=('WWW-Authenticate: Basic realm="x"',)), ELSE: _BARE},
    ),
    _restricted(
        "403, and the root is a log-in", "an intranet's front door", {"/": _LOGIN_PAGE, ELSE: _BARE}
    ),
    _restricted(
        "403, and the root leads to a log-in",
        "an intranet's front door, by redirect",
        {"/": redirect("/login"), "/login": _LOGIN_PAGE, ELSE: _BARE},
    ),
    _restricted(
        "a redirect to a log-in of Microsoft's form",
        "SharePoint, Entra: oauth2/authorize",
        {ELSE: redirect("http://login.online.example:PORT/common/oauth2/authorize?client_id=1")},
        others={"login.online.example": only(_LOGIN_PAGE)},
    ),
    _restricted(
        "a redirect to the log-in of an app for documents",
        "Google Drive: accounts/ServiceLogin",
        {ELSE: redirect("http://accounts.docs.example:PORT/ServiceLogin?continue=%2Ffile")},
        others={"accounts.docs.example": only(_LOGIN_PAGE)},
        path="/file/d/1AbC/view",
    ),
]

# The same status, but nobody may sign in: it was taken away.
_GONE = [
    gone(
        "403 for one page of a site with a log-in in its menu",
        "pages withdrawn by a rule of the server",
        site(
            html(
                modern(
                    "Forbidden",
                    "<h1>Forbidden</h1><p>This page is not available.</p>",
                    top="<a href='/login'>Log in</a>",
                ),
                status=403,
            )
        ),
    ),
    gone("403 for one page, open root", "pages withdrawn", {"/": HOME, ELSE: _BARE}),
    gone(
        "403 for one page whose words are French",
        "pages withdrawn",
        site(
            document_reply(
                "Interdit", "<h1>Interdit</h1><p>Page retirée.</p>", status=403, lang="fr"
            )
        ),
    ),
]

CASES: list[Case] = [
    *(_restricted(name, source, site(reply)) for name, (source, reply) in _PAGES.items()),
    *_BY_ROOT,
    of_truth(
        Truth.WALL,
        "402 of a crawler's payment",
        "Cloudflare pay per crawl: crawler-price; people do not pay",
        only(Reply(status=402, headers=("crawler-price: USD 0.01", *CLOUDFLARE))),
        outcomes=frozenset({SUCCESS, INCONCLUSIVE}),
        flags=frozenset({"restricted"}),
    ),
    *_GONE,
]
