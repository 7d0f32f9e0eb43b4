"""Pages for those who sign in, subscribe, belong, are old enough or hold a key."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator
from urllib.parse import quote

from tests.zoo.server import Visit
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
from tests.zoo.wild.year2026_eleventh.frames import (
    LOST,
    ROBOTS,
    Seen,
    app,
    bare,
    blog,
    docs,
    home,
    office,
    on,
    prose,
)

_FLAGS = frozenset({"restricted", "login"})


def _story(title: str, lang: str, wall: str, more: str = "") -> str:
    main = f"<article><h1>{title}</h1>{prose(lang)}</article><aside class='gate'>{wall}</aside>"
    return blog(title, main, lang=lang, more=more)


_PAGES: dict[str, Seen] = {
    "a letter of a newsletter for those who pay": on(
        "Substack: This post is for paid subscribers, 200",
        "/p/the-last-gallon",
        _story(
            "The last gallon",
            "en",
            "<h2>This post is for paid subscribers</h2><button>Subscribe</button><p>Already a paid subscriber? <a href='/sign-in'>Sign in</a></p>",
            '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>\n',
        ),
    ),
    "a post of a publication on Ghost for members": on(
        "Ghost: content-cta, This post is for subscribers only, 200",
        "/the-oil-thieves/",
        _story(
            "The oil thieves",
            "en",
            "<div class='gh-post-upgrade-cta'><h2>This post is for subscribers only</h2><a data-portal='signup'>Subscribe now</a><p>Already have an account? <a data-portal='signin'>Sign in</a></p></div>",
        ),
    ),
    "a lesson of a lens grinder for patrons": on(
        "Patreon: Unlock this post by becoming a member, 200",
        "/posts/lens-grinding-18624",
        app(
            "Lens grinding, part 7 | North Rock on Patreon",
            "<h1>Lens grinding, part 7</h1><p>Join to unlock. Become a member to get access to this post and other benefits.</p><button>Join to unlock</button>",
        ),
    ),
    "an article of a French daily for subscribers": on(
        "Le Monde: Article réservé aux abonnés, 200",
        "/m-perso/article/2025/11/27/le-dernier-phare_186242_44.html",
        _story(
            "Le dernier phare",
            "fr",
            "<p>Article réservé aux abonnés</p><p>Il vous reste 82.4% de cet article à lire. La suite est réservée aux abonnés.</p>",
        ),
        lang="fr",
    ),
    "an article of a German daily with a plus": on(
        "FAZ, SZ: Jetzt mit Plus weiterlesen, 200",
        "/aktuell/gesellschaft/der-letzte-waerter-186242.html",
        _story(
            "Der letzte Wärter",
            "de",
            "<h3>Jetzt abonnieren und weiterlesen</h3><p>Sie sind bereits Abonnent? <a href='/login'>Hier anmelden</a></p>",
        ),
        lang="de",
    ),
    "a report of a Spanish daily for subscribers": on(
        "El País: Suscríbete para seguir leyendo, 200",
        "/cultura/2025-11-27/la-torrera.html",
        _story(
            "La torrera",
            "es",
            "<h3>Suscríbete para seguir leyendo</h3><p>Lee sin límites. ¿Ya eres suscriptor? <a href='/login'>Inicia sesión</a></p>",
        ),
        lang="es",
    ),
    "a column of an Italian daily for subscribers": on(
        "Corriere, Repubblica: Contenuto riservato agli abbonati, 200",
        "/cronache/25_novembre_27/guardiano.shtml",
        _story(
            "Il guardiano che restò",
            "it",
            "<p>Contenuto riservato agli abbonati. <a href='/abbonati'>Abbonati</a> o <a href='/login'>Accedi</a></p>",
        ),
        lang="it",
    ),
    "an article of a Japanese daily for members": on(
        "日本経済新聞: この記事は会員限定です, 200",
        "/article/DGXZQO18624/",
        _story(
            "最後の灯台守",
            "ja",
            "<p>この記事は会員限定記事です。登録すると続きをお読みいただけます。</p><p>残り862文字</p><a href='/login'>ログイン</a>",
        ),
        lang="ja",
    ),
    "an article of a Korean weekly for those who pay": on(
        "시사 주간지: 유료 회원 전용 기사, 200",
        "/news/articleView.html?idxno=1862",
        _story(
            "마지막 등대지기",
            "ko",
            "<p>이 기사는 유료 회원만 보실 수 있습니다. <a href='/login'>로그인</a> 또는 구독해 주세요.</p>",
        ),
        lang="ko",
    ),
    "an article of a Polish daily for subscribers": on(
        "Gazeta Wyborcza: Dalsza część artykułu tylko dla prenumeratorów, 200",
        "/7,186242,ostatni-latarnik.html",
        _story(
            "Ostatni latarnik",
            "pl",
            "<p>Dalsza część artykułu jest dostępna tylko dla prenumeratorów.</p><a href='/prenumerata'>Wykup dostęp</a>",
        ),
        lang="pl",
    ),
    "a story of a Dutch daily behind its wall": on(
        "NRC, Volkskrant: Log in om verder te lezen, 200",
        "/nieuws/2025/11/27/de-laatste-wachter-a186242",
        _story(
            "De laatste wachter",
            "nl",
            "<h2>Lees verder als abonnee</h2><p>Al abonnee? <a href='/login'>Log in om verder te lezen</a></p>",
        ),
        lang="nl",
    ),
    "a chapter of a publisher that one may buy": on(
        "Springer: Access this chapter, Log in via an institution, 200 with an abstract",
        "/chapter/10.9999/978-1-18624-7_11",
        office(
            "Clockwork and Oil | Link",
            f"<h1>Clockwork and Oil</h1><h2>Abstract</h2>{prose()}<h2>Access this chapter</h2><p><a href='/wayf'>Log in via an institution</a></p><p>Chapter EUR 29.95. Buy Chapter</p>",
        ),
    ),
    "a profile of a network for work that wants one to sign in": on(
        "LinkedIn: the authwall, Sign in to view the profile, 200",
        "/in/keeper-of-the-north-rock",
        app(
            "Sign Up | LinkedIn",
            "<main class='authwall'><h1>Join to view the full profile</h1><form><input name='email'><input type='password' name='password'></form><p>Already on the network? <a href='/login'>Sign in</a></p></main>",
        ),
        scope="/in/",
    ),
    "a volume that a library of scans may not show": on(
        "HathiTrust: Full view is not available for this item due to copyright, 200",
        "/cgi/pt?id=nrk.18624",
        office(
            "Keepers' wages | Digital Library",
            "<h1>Keepers' wages</h1><p>Limited (search only). Full view is not available for this item due to copyright. Members may request access.</p><form><input name='q1'></form>",
        ),
    ),
    "a page for grown-ups of a video site under a law of 2025": on(
        "age checks since the UK's Online Safety Act in July 2025: Verify your age to continue, 200",
        "/watch/18624",
        bare(
            "Age verification required",
            "<h1>You must verify your age to view this content</h1><p>Laws in your region require us to check that you are over 18.</p><button>Verify my age</button><button>Leave</button>",
        ),
        scope="all",
    ),
    "a page of a server for the campus": on(
        "universities: access only from the university's network, 403",
        "/intern/lehre/skripte/leuchten.pdf",
        office(
            "Zugriff beschränkt",
            "<h1>Zugriff nur aus dem Hochschulnetz</h1><p>Diese Seite ist nur aus dem Netz der Universität oder über VPN erreichbar.</p>",
            lang="de",
        ),
        scope="/intern/",
        lang="de",
        status=403,
    ),
    "a members' page of a Danish union": on(
        "foreninger: Denne side er kun for medlemmer, 200",
        "/medlem/loen/1862",
        office(
            "Kun for medlemmer",
            "<h1>Denne side er kun for medlemmer</h1><p><a href='/log-ind'>Log ind</a> for at se indholdet, eller <a href='/bliv-medlem'>bliv medlem</a>.</p>",
            lang="da",
        ),
        lang="da",
    ),
    "a board in Chinese whose article wants one to sign in": on(
        "Discuz: 抱歉，您需要登录后才能查看本主题, 200",
        "/thread-18624-1-1.html",
        office(
            "提示信息",
            "<div class='alert_info'><p>抱歉，本帖要求阅读权限高于 10 才能浏览，您需要登录后继续</p><a href='/member.php?mod=logging'>登录</a></div>",
            lang="zh",
        ),
        lang="zh",
    ),
    "a wiki of a project that only its people read": on(
        "MediaWiki: Login required, a private wiki, 200",
        "/wiki/Board_minutes_2025",
        office(
            "Login required - Keepers' Wiki",
            "<h1>Login required</h1><p>Please <a href='/wiki/Special:UserLogin'>log in</a> to view other pages.</p>",
        ),
        scope="/wiki/",
    ),
}

# Doors at the same site: the source, the prefix whose every address leads to the door, the rest of
# the address, the door, its title, its words, its language. The door's address ends with the
# address that was asked for where it ends with "=".
_DOORS: dict[str, tuple[str, str, str, str, str, str, str]] = {
    "a project of GitLab that is not public": (
        "GitLab: a private project leads to /users/sign_in, 302",
        "/internal/",
        "lamp-firmware/-/issues/7",
        "/users/sign_in",
        "Sign in · GitLab",
        "<h1>GitLab</h1><p>You need to sign in or sign up before continuing.</p><form><input name='user[login]'><input type='password'></form>",
        "en",
    ),
    "a course in Spanish that guests may not see": (
        "Moodle: /login/index.php, Los invitados no pueden acceder a este curso",
        "/course/",
        "view.php?id=1862",
        "/login/index.php",
        "Entrar al sitio | Campus",
        "<p>Los invitados no pueden acceder a este curso. Por favor, identifíquese.</p><form><input name='username'><input type='password' name='password'></form>",
        "es",
    ),
    "a page of a team's wiki on Confluence": (
        "Confluence: /login.action?os_destination=, permission needed",
        "/display/",
        "LAMP/Wick+budget",
        "/login.action?permissionViolation=true&os_destination=",
        "Log In - Confluence",
        "<h1>Log in</h1><p>You need to log in to view this page.</p><form><input name='os_username'><input type='password' name='os_password'></form>",
        "en",
    ),
    "a profile of pictures that leads to the login": (
        "Instagram: /accounts/login/?next=, 302",
        "/north_rock_light",
        "/",
        "/accounts/login/?next=",
        "Login • Instagram",
        "<form id='loginForm'><input name='username'><input type='password' name='password'><button>Log in</button></form>",
        "en",
    ),
    "a game for grown-ups that asks for a birthday": (
        "Steam: /agecheck/app/, This game may contain content not appropriate for all ages",
        "/app/18624/",
        "Keepers_of_Blood/",
        "/agecheck/app/18624/",
        "Age Check",
        "<h2>Please enter your birth date to continue:</h2><p>Content in this product may not be appropriate for all ages.</p><select id='ageYear'></select>",
        "en",
    ),
    "a journal that a library's proxy opens": (
        "EZproxy: /login?url=",
        "/journals/",
        "jlh/1911/7",
        "/login?url=",
        "Library Proxy Login",
        "<h1>Library Proxy</h1><p>Access to this resource is limited to current students, faculty and staff. Please log in.</p><form><input name='user'><input type='password' name='pass'></form>",
        "en",
    ),
    "a letter of an office in Swedish that one opens with a bank's sign": (
        "myndigheter: Logga in med BankID, 302",
        "/mina-sidor/",
        "brev/1862",
        "/logga-in?mal=",
        "Logga in",
        "<h1>Logga in</h1><p>Du behöver legitimera dig för att se sidan.</p><button>BankID</button>",
        "sv",
    ),
}


def _door(name: str) -> Case:
    source, under, rest, door, title, words, lang = _DOORS[name]
    page = html(bare(title, words, lang=lang))

    def answer(visit: Visit, _times: int) -> Reply:
        if visit.target.partition("?")[0] == door.partition("?")[0]:
            return page
        if visit.target.startswith(under):
            asked = quote(visit.target, safe="") if door.endswith("=") else ""
            return redirect(door + asked)
        return LOST

    site: Site = {"/": home(lang), "/robots.txt": ROBOTS, ELSE: answer}
    return of_truth(Truth.RESTRICTED, name, source, site, path=under + rest, flags=_FLAGS)


def _others() -> Iterator[Case]:
    there = "login-of-a-giant-elf.example"
    yield of_truth(
        Truth.RESTRICTED,
        "a file of a team at a cloud of offices",
        "SharePoint Online: a 302 to the sign-in of the tenant's directory",
        only(redirect(f"http://{there}:PORT/1862/oauth2/authorize?client_id=00000003")),
        host="keepers-sharepoint-elf.example",
        path="/sites/lamps/Shared%20Documents/oil.xlsx",
        others={
            there: {
                "/1862/oauth2/authorize?client_id=00000003": html(
                    app(
                        "Sign in to your account",
                        "<div id='lightbox'><h1>Sign in</h1><input type='email' name='loginfmt' placeholder='Email, phone, or Skype'></div>",
                    )
                ),
                ELSE: LOST,
            }
        },
        flags=_FLAGS,
    )
    yield of_truth(
        Truth.RESTRICTED,
        "a service that wants a certificate of its visitors",
        "nginx: 400 No required SSL certificate was sent",
        only(
            html(
                "<html>\r\n<head><title>400 No required SSL certificate was sent</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r\n<center>No required SSL certificate was sent</center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n",
                status=400,
            )
        ),
        path="/api/keepers",
        flags=_FLAGS,
    )
    yield of_truth(
        Truth.RESTRICTED,
        "a folder under a password of Apache's",
        "Apache: 401 Unauthorized with Basic",
        {
            "/": home(),
            "/robots.txt": ROBOTS,
            "/minutes/2025/": html(
                '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>401 Unauthorized</title>\n</head><body>\n<h1>Unauthorized</h1>\n<p>This server could not verify that you are authorized to access the document requested.</p>\n</body></html>\n',
                'WWW-Authenticate: Basic realm="Minutes"',
                status=401,
            ),
            ELSE: LOST,
        },
        path="/minutes/2025/",
        flags=_FLAGS,
    )
    yield of_truth(
        Truth.RESTRICTED,
        "an interface of lights that wants a token of its bearer",
        "interfaces: 401 with Bearer and a body in JSON",
        {
            "/": html(docs("API", f"<h1>API</h1>{prose()}", name="Lamp API")),
            "/robots.txt": ROBOTS,
            "/v2/lights/7": Reply(
                status=401,
                headers=(
                    "Content-Type: application/json",
                    'WWW-Authenticate: Bearer realm="api", error="invalid_token"',
                ),
                body=b'{"message":"Requires authentication"}',
            ),
            ELSE: plain('{"message":"Not Found"}', status=404, kind="application/json"),
        },
        path="/v2/lights/7",
        flags=_FLAGS,
    )


CASES: list[Case] = [
    *(
        of_truth(Truth.RESTRICTED, name, each.source, each.site, path=each.path, flags=_FLAGS)
        for name, each in _PAGES.items()
    ),
    *map(_door, _DOORS),
    *_others(),
]
