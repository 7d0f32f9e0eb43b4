"""Pages that are there for those who sign in, belong, or know a password, of further products."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, only, redirect
from tests.zoo.wild.pages import HOME, NGINX_404, PATH, modern, site
from tests.zoo.wild.year2026.forms import document_reply
from tests.zoo.wild.year2026_third.frames import ghost, story

_FLAGS = frozenset({"restricted", "login"})
_FORM = (
    "<form method='post' action='{way}'><input name='user'><input type='password'"
    " name='password'><button>{go}</button></form>"
)
_SECRET = (
    "<form method='post' action='{way}'><input type='password'"
    " name='password'><button>{go}</button></form>"
)

# By what it is called: where it is known from, the answer; the rest of the site is open.
_PAGES: dict[str, tuple[str, Reply]] = {
    "a bug that only some may see": (
        "Bugzilla: You are not authorized to access bug, with 401",
        html(
            modern(
                "Access Denied",
                "<div id='error_msg' class='throw_error'>You are not authorized to"
                " access bug #4077. To see this bug, you must first <a"
                " href='/index.cgi?GoAheadAndLogIn=1'>log in to an account</a> with"
                " the appropriate permissions.</div>",
            ),
            status=401,
        ),
    ),
    "a page of a project's wiki with privileges": (
        "Trac: WIKI_VIEW privileges are required, 403",
        html(
            modern(
                "Error – Clock Tracker",
                "<div id='content' class='error'><h1>Error: Forbidden</h1><p"
                " class='message'>WIKI_VIEW privileges are required to perform this"
                " operation on Annual/2019. You don't have the required"
                " permissions.</p><p><a href='/login'>Login</a></p></div>",
            ),
            status=403,
        ),
    ),
    "a task of a restricted kind": (
        "Phabricator, Phorge: You Shall Not Pass: Restricted Task, 403",
        html(
            modern(
                "Access Denied: Restricted Task",
                "<h1>Access Denied: Restricted Task</h1><p>You do not have permission"
                ' to view this object.</p><p>Users with the "Can View" capability:'
                " subscribers of this task.</p><a href='/auth/start/'>Log In</a>",
            ),
            status=403,
        ),
    ),
    "a deployment that wants an account of its host": (
        "Vercel: Authentication Required, 401, by Deployment Protection",
        document_reply(
            "Authentication Required",
            "<h1>Authentication Required</h1><p>Authenticating</p><script>window.locati"
            "on.href='https://vercel.example/sso-api?url=x'</script><noscript>This"
            " page requires Vercel authentication.</noscript>",
            "Server: Vercel",
            "Set-Cookie: _vercel_sso_nonce=77; Path=/",
            status=401,
        ),
    ),
    "a site of a host with one password": (
        "Netlify: password protection, 401",
        document_reply(
            "Password Protected Site",
            "<h1>This site is protected</h1>" + _SECRET.format(way="/", go="Submit"),
            "Server: Netlify",
            status=401,
        ),
    ),
    "a page of a builder with a password": (
        "Webflow: .w-password-page, 401",
        document_reply(
            "Protected page",
            "<div class='utility-page-wrap w-password-page'><h2>Protected page</h2>"
            + _SECRET.format(way="/.wf_auth", go="Submit")
            + "</div>",
            status=401,
        ),
    ),
    "a film with a password": (
        "Vimeo: a password for the video, 401",
        document_reply(
            "Private Video on Clockfilm",
            "<h1>This video is password protected</h1><p>If you have the password,"
            " enter it below.</p>" + _SECRET.format(way="/77/password", go="Watch Video"),
            status=401,
        ),
    ),
    "a course that one is not enrolled in": (
        "ILIAS: Zugriff verweigert, 403",
        html(
            modern(
                "Hinweis",
                "<div class='alert alert-danger'>Sie haben keine ausreichenden Rechte,"
                " um auf dieses Objekt zuzugreifen.</div><p><a"
                " href='/login.php?target=crs_77'>Anmelden</a></p>",
                lang="de",
            ),
            status=403,
        ),
    ),
    "a post for those who pay for the letter": (
        "Substack: This post is for paid subscribers, 200",
        html(
            modern(
                "The forty notebooks - by A. Maker",
                f"<article><h1>The forty notebooks</h1>{story('en', 1)}<div"
                f" class='paywall'><h2>This post is for paid subscribers</h2><a"
                f" href='/subscribe'>Subscribe</a><a href='/sign-in'>Already a paid"
                f" subscriber? Sign in</a></div></article>",
            )
        ),
    ),
    "a post for patrons": (
        "Patreon: Join to unlock, 200",
        html(
            modern(
                "Plans of the tower clock | A. Maker",
                "<h1>Plans of the tower clock</h1><p>Join to unlock this"
                " post</p><p>Become a member to get access to 77 posts.</p><a"
                " href='/login'>Already a member? Log in</a>",
            )
        ),
    ),
    "a community in Russian that is closed": (
        "VK: Это закрытое сообщество, 200",
        html(
            modern(
                "Часовщики | сообщество",
                "<h1>Часовщики</h1><p>Это закрытое сообщество. Чтобы читать записи,"
                " подайте заявку на вступление.</p>",
                lang="ru",
            )
        ),
    ),
    "a post of a cafe in Korean for its members": (
        "Naver Cafe: 카페 멤버만, 200",
        html(
            modern(
                "시계 카페",
                "<h1>시계 카페</h1><p>카페 멤버만 볼 수 있는 글입니다. 로그인 후"
                " 카페에 가입해 주세요.</p><a href='/login'>로그인</a>",
                lang="ko",
            )
        ),
    ),
    "an article of a journal for subscribers": (
        "Open Journal Systems: Restricted Access, 403",
        html(
            modern(
                "Restricted Access",
                "<h1>Restricted Access</h1><p>Subscription required to access this"
                " item. To verify a subscription, <a href='/login'>log in</a>.</p>",
            ),
            status=403,
        ),
    ),
}


def _doors() -> Iterator[Case]:
    """Yield pages that lead to a log-in on the same site, while the rest of it is open."""
    for name, source, way, page in (
        (
            "a share of files with a password",
            "Nextcloud: /s/…/authenticate/showShare, This share is password-protected",
            "/s/pQ77/authenticate/showShare",
            document_reply(
                "Nextcloud",
                "<div class='guest-box'><h2>This share is"
                " password-protected</h2><p>The password is wrong or expired. Please"
                " try again or request a new one.</p>" + _SECRET.format(way="", go="→") + "</div>",
            ),
        ),
        (
            "an issue that a visitor may not see",
            "Jira: /login.jsp?permissionViolation=true&os_destination=",
            "/login.jsp?permissionViolation=true&os_destination=%2Farchive%2F2019%2Fannual-report",
            document_reply(
                "Log in - Clock Jira",
                "<h1>Welcome to Clock Jira</h1><p>You must log in to access this page.</p>"
                + _FORM.format(way="/login.jsp", go="Log In"),
            ),
        ),
        (
            "an issue of a private project",
            "Redmine: /login?back_url=",
            "/login?back_url=%2Farchive%2F2019%2Fannual-report",
            document_reply(
                "Redmine",
                "<div id='login-form'>" + _FORM.format(way="/login", go="Login") + "</div>",
            ),
        ),
        (
            "a project of a forge that is not public",
            "GitLab: 302 to /users/sign_in",
            "/users/sign_in",
            document_reply(
                "Sign in · GitLab",
                "<h1>GitLab Community Edition</h1><div class='gl-alert'>You need to"
                " sign in or sign up before continuing.</div>"
                + _FORM.format(way="/users/sign_in", go="Sign in"),
            ),
        ),
        (
            "a community of a seller of customer lists",
            "Salesforce Experience Cloud: /s/login/?ec=302&startURL=",
            "/s/login/?ec=302&startURL=%2Farchive%2F2019%2Fannual-report",
            document_reply(
                "Login", "<h1>Partners of the clock house</h1>" + _FORM.format(way="", go="Log in")
            ),
        ),
        (
            "a course of a school",
            "Canvas: 302 to /login/canvas",
            "/login/canvas",
            document_reply(
                "Log in to canvas",
                "<h1>Log In</h1><p>Please log in to view the course.</p>"
                + _FORM.format(way="/login/canvas", go="Log In"),
            ),
        ),
        (
            "a publication that is private as a whole, at one of its posts",
            "Ghost: 302 to /private/?r=",
            "/private/?r=%2Farchive%2F2019%2Fannual-report",
            html(
                ghost(
                    "The Escapement",
                    "<h1>This site is private.</h1>"
                    + _SECRET.format(way="/private/", go="Access site →"),
                )
            ),
        ),
    ):
        yield of_truth(
            Truth.RESTRICTED,
            name,
            source,
            {"/": HOME, PATH: redirect(way), way: page, ELSE: NGINX_404},
            flags=_FLAGS,
        )


def _other_doors() -> Iterator[Case]:
    """Yield pages that lead to the log-in of another host."""
    for name, source, host, way, door in (
        (
            "a database of a library behind its proxy",
            "EZproxy: 302 to /login?url=",
            "ezproxy.clock-college.example",
            "/login?url=http%3A%2F%2Fx",
            "Library log-in for off-campus access",
        ),
        (
            "a collection behind the federation of libraries",
            "OpenAthens: 302 to login…/auth",
            "login.athens-of-libraries.example",
            "/auth/clock-college/o/404?t=%2Fsaml",
            "Sign in with OpenAthens",
        ),
        (
            "an office's document that wants a permission",
            "Google Docs: 302 to ServiceLogin?passive=1209600&continue=",
            "accounts.docs-giant.example",
            "/v3/signin/identifier?continue=http%3A%2F%2Fx&followup=http%3A%2F%2Fx&passive=1209600",
            "Sign in - Docs Accounts",
        ),
    ):
        page = document_reply(door, f"<h1>{door}</h1>" + _FORM.format(way="", go="Next"))
        yield of_truth(
            Truth.RESTRICTED,
            name,
            source,
            {"/": HOME, PATH: redirect(f"http://{host}:PORT{way}"), ELSE: NGINX_404},
            others={host: only(page)},
            flags=_FLAGS,
        )


CASES: list[Case] = [
    *(
        of_truth(Truth.RESTRICTED, name, source, site(reply), flags=_FLAGS)
        for name, (source, reply) in _PAGES.items()
    ),
    *_doors(),
    *_other_doors(),
]
