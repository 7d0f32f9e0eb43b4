"""Pages for those who sign in, subscribe, belong, are old enough or hold a key."""

# ruff: noqa: E501, RUF001
from urllib.parse import quote

from tests.zoo.server import Visit
from tests.zoo.wild.case import ELSE, Case, Reply, Site, Truth, html, of_truth, plain, redirect
from tests.zoo.wild.year2026_tenth.frames import (
    LOST,
    ROBOTS,
    Seen,
    alone,
    app,
    board,
    home,
    manual,
    news,
    office,
    prose,
    seen,
)

_FLAGS = frozenset({"restricted", "login"})


def _story(title: str, lang: str, wall: str) -> str:
    main = f"<article><h1>{title}</h1>{prose(lang)}<div class='paywall'>{wall}</div></article>"
    return news(title, main, lang=lang)


_PAGES: dict[str, Seen] = {
    "a column of a Norwegian daily for subscribers": seen(
        "Aftenposten, DN: For abonnenter, 200",
        _story(
            "Den siste vognføreren",
            "no",
            "<h2>Denne artikkelen er for abonnenter</h2><p><a href='/login'>Logg inn</a> eller <a href='/kjop'>kjøp tilgang</a></p>",
        ),
        "/kultur/i/7L1904/den-siste-vognfoereren",
        lang="no",
    ),
    "a report of a Czech weekly for subscribers": seen(
        "Respekt, Deník N: Tento článek je pouze pro předplatitele, 200",
        _story(
            "Poslední průvodčí",
            "cs",
            "<p>Tento článek je exkluzivním obsahem pro předplatitele.</p><a href='/predplatne'>Předplatit</a><a href='/prihlaseni'>Přihlásit se</a>",
        ),
        "/clanek/1904/posledni-pruvodci",
        lang="cs",
    ),
    "an analysis of a Turkish paper for members": seen(
        "gazeteler: Bu içerik abonelere özeldir, 200",
        _story(
            "Son vatman",
            "tr",
            "<p>Bu içerik abonelere özeldir. Devamını okumak için abone olun veya giriş yapın.</p><a href='/giris'>Giriş yap</a>",
        ),
        "/yazarlar/son-vatman-1904",
        lang="tr",
    ),
    "an essay of a Hungarian paper for supporters": seen(
        "magyar lapok: A cikk folytatása csak előfizetőinknek, 200",
        _story(
            "Az utolsó kalauz",
            "hu",
            "<p>A cikk folytatását csak előfizetőink olvashatják.</p><a href='/elofizetes'>Előfizetek</a><a href='/belepes'>Belépés</a>",
        ),
        "/2026/04/07/az-utolso-kalauz",
        lang="hu",
    ),
    "a story of a Chinese weekly for members": seen(
        "财新: 您可以查看的内容到此为止，剩余内容请订阅, 200",
        _story(
            "最后的售票员",
            "zh",
            "<p>本文共1904字，剩余内容为会员专享，请登录或订阅后阅读。</p><a href='/login'>登录</a>",
        ),
        "/2026-04-07/101904007.html",
        lang="zh",
    ),
    "a story of an Arabic magazine for subscribers": seen(
        "مجلات: هذا المحتوى متاح للمشتركين فقط, 200",
        _story(
            "آخر محصّل",
            "ar",
            "<p>هذا المحتوى متاح للمشتركين فقط.</p><a href='/login'>تسجيل الدخول</a>",
        ),
        "/articles/1904",
        lang="ar",
    ),
    "a newsletter's issue for paying readers": seen(
        "Substack, beehiiv, Ghost: This post is for paid subscribers, 200",
        news(
            "Sand and brakes",
            f"<article><h1>Sand and brakes</h1>{prose()}<section class='gh-post-upgrade-cta'><h2>This post is for paying subscribers only</h2><a href='#/portal/signup'>Subscribe now</a><p>Already have an account? <a href='#/portal/signin'>Sign in</a></p></section></article>",
        ),
        "/sand-and-brakes/",
    ),
    "a chapter of a serial that costs coins, in Korean": seen(
        "웹소설: 이 회차는 유료입니다, 200",
        app(
            "전차 7호 12화",
            "<h1>전차 7호 12화</h1><div class='lock'><p>이 회차는 유료 회차입니다. 로그인 후 이용권을 구매해 주세요.</p><button>로그인</button></div>",
            lang="ko",
        ),
        "/viewer/1904/12",
        lang="ko",
    ),
    "a thread of a Russian board for registered readers": seen(
        "phpBB: ru, LOGIN_VIEWFORUM, Для просмотра этого форума вы должны быть авторизованы, 403",
        board(
            "Вход",
            "<form method='post' action='/ucp.php?mode=login'><h2>Для просмотра этого форума вы должны быть авторизованы</h2><input name='username'><input type='password' name='password'><input type='submit' value='Вход'></form>",
            lang="ru",
        ),
        "/viewtopic.php?f=7&t=1904",
        lang="ru",
        status=403,
    ),
    "a social profile that shows its posts to followers only": seen(
        "Instagram: This account is private, follow to see photos and videos, 200",
        app(
            "Conductor (@conductor7)",
            "<header><h1>conductor7</h1><ul><li>190 posts</li><li>4 followers</li></ul></header><h2>This account is private</h2><p>Follow this account to see their photos and videos.</p>",
        ),
        "/conductor7/",
    ),
    "a film that one must be eighteen to see, in Spanish": seen(
        "servicios de vídeo: contenido con restricción de edad, inicia sesión, 200",
        app(
            "Choque de tranvías",
            "<h1>Choque de tranvías</h1><div class='age-gate'><p>Este vídeo tiene restricción de edad.</p><a href='/signin'>Iniciar sesión para confirmar tu edad</a></div>",
            lang="es",
        ),
        "/video/1904007",
        lang="es",
    ),
    "a page of a parish in German under a password": seen(
        "WordPress: Dieser Inhalt ist passwortgeschützt., 200",
        news(
            "Geschützt: Dienstplan",
            "<h1>Geschützt: Dienstplan</h1><form class='post-password-form' method='post' action='/wp-login.php?action=postpass'><p>Dieser Inhalt ist passwortgeschützt. Um ihn anzuzeigen, geben Sie bitte Ihr Passwort unten ein:</p><input name='post_password' type='password'><input type='submit' value='Enter'></form>",
            lang="de",
        ),
        "/dienstplan/",
        lang="de",
    ),
    "a share of a cloud that asks for its password": seen(
        "nextcloud/server: publicshareauth.php, This share is password-protected, 200",
        alone(
            "Cloud",
            "<form method='post'><h2>This share is password-protected</h2><input type='password' name='password' placeholder='Password'><input type='submit' value='Continue'></form>",
        ),
        "/s/BrakeSevenX/authenticate/showShare",
    ),
    "an e-book that the library lends to its members": seen(
        "Internet Archive: Borrow, Log In and Borrow, 200",
        app(
            "The open cars of line 7",
            "<h1>The open cars of line 7</h1><p>Books to Borrow</p><button>Log In and Borrow</button><p>1 copy available. Limited preview.</p>",
        ),
        "/details/opencarsofline7",
    ),
    "a dataset that one gets after a request": seen(
        "Zenodo: Restricted, The record is publicly accessible, but files are restricted to users with access., 200",
        office(
            "Brake measurements",
            f"<h1>Brake measurements</h1><span class='label'>Restricted</span>{prose()}<p>The record is publicly accessible, but files are restricted. Log in to check if you have access.</p>",
        ),
        "/records/1904007",
    ),
    "a gated model that wants one to accept its terms": seen(
        "huggingface.co: You need to agree to share your contact information to access this model, 200",
        app(
            "tramworks/line-7",
            "<h1>tramworks/line-7</h1><p>You need to agree to share your contact information to access this model.</p><a href='/login'>Log in</a> or <a href='/join'>Sign Up</a> to review the conditions.",
        ),
        "/tramworks/line-7",
    ),
    "a staging site under basic authentication": seen(
        "nginx: 401 Authorization Required",
        "<html>\r\n<head><title>401 Authorization Required</title></head>\r\n<body>\r\n<center><h1>401 Authorization Required</h1></center>\r\n<hr><center>nginx/1.26.3</center>\r\n</body>\r\n</html>\r\n",
        "/preview/brakes",
        "Server: nginx/1.26.3",
        'WWW-Authenticate: Basic realm="Staging"',
        status=401,
    ),
    "a manual for customers of a vendor": seen(
        "vendors' portals: You must be logged in with a support contract, 403",
        manual(
            "Restricted content",
            "<h1>This content is restricted</h1><p>The article is available to customers with a support contract. <a href='/login'>Log in</a> to read it.</p>",
        ),
        "/kb/solutions/1904007",
        status=403,
    ),
}

# Doors at the same site: the source, the prefix whose every address leads to the door, the rest of
# the address, the door, its title, its words, its language. The door's address ends with the
# address that was asked for where it ends with "=".
_DOORS: dict[str, tuple[str, str, str, str, str, str, str]] = {
    "an intranet in French of a university": (
        "Moodle, Ametys: 302 vers /login/index.php",
        "/mod/",
        "resource/view.php?id=1904",
        "/login/index.php",
        "Connexion",
        "<h1>Connexion au site</h1><form method='post'><input name='username'><input type='password' name='password'><button>Connexion</button></form>",
        "fr",
    ),
    "a workspace of notes that is not public": (
        "Outline, Notion: 302 to /login?redirect=",
        "/doc/",
        "brakes-1904",
        "/login?redirect=",
        "Login - Outline",
        "<h1>Log in to Tramworks</h1><button>Continue with SSO</button><button>Continue with Email</button>",
        "en",
    ),
    "a register of a chamber in Italian": (
        "servizi pubblici: 302 verso /accesso, SPID, CIE",
        "/pratiche/",
        "1904",
        "/accesso?next=",
        "Accedi ai servizi",
        "<h1>Accedi all'area riservata</h1><button>Entra con SPID</button><button>Entra con CIE</button>",
        "it",
    ),
    "a dashboard of a monitoring system": (
        "Zabbix, Kibana: 302 to /login?next=",
        "/app/",
        "dashboards/1904",
        "/login?next=",
        "Elastic",
        "<h1>Welcome to Elastic</h1><form><input name='username'><input name='password' type='password'><button>Log in</button></form>",
        "en",
    ),
    "a patient portal in Swedish": (
        "vårdportaler: 302 till /logga-in, BankID",
        "/journal/",
        "1904",
        "/logga-in?retur=",
        "Logga in",
        "<h1>Logga in</h1><button>BankID på samma enhet</button><button>Mobilt BankID</button>",
        "sv",
    ),
    "an order of a shop in Japanese": (
        "通販サイト: 302 で /login へ",
        "/mypage/",
        "orders/1904",
        "/login?next=",
        "ログイン",
        "<h1>ログイン</h1><form method='post'><input name='email'><input type='password' name='pass'><button>ログイン</button></form>",
        "ja",
    ),
}


def _door(name: str) -> Case:
    source, under, rest, door, title, words, lang = _DOORS[name]
    page = html(alone(title, words, lang=lang))

    def answer(visit: Visit, _times: int) -> Reply:
        if visit.target.startswith(door):
            return page
        if not visit.target.startswith(under):
            return LOST
        back = quote(visit.target, safe="") if door.endswith("=") else ""
        return redirect(door + back)

    site: Site = {"/": home(lang), "/robots.txt": ROBOTS, ELSE: answer}
    return of_truth(Truth.RESTRICTED, name, source, site, path=under + rest, flags=_FLAGS)


_SSO: Site = {
    "/": html(alone("Single sign-on", "<h1>Single sign-on</h1>")),
    "/saml2/sso?SAMLRequest=fVLB1904": html(
        alone(
            "Sign in",
            "<h1>Sign in with your organizational account</h1><form method='post'><input name='loginfmt' type='email'><input name='passwd' type='password'><button>Sign in</button></form>",
        )
    ),
    ELSE: LOST,
}

CASES: list[Case] = [
    *(
        of_truth(Truth.RESTRICTED, name, each.source, each.site, path=each.path, flags=_FLAGS)
        for name, each in _PAGES.items()
    ),
    *map(_door, _DOORS),
    of_truth(
        Truth.RESTRICTED,
        "a lecture on a campus server behind a sign-on at another host",
        "Panopto, SharePoint: 302 to an identity provider over SAML",
        {
            "/": home("en", "Lecture server"),
            "/robots.txt": ROBOTS,
            "/lectures/1904/07": redirect(
                "http://login-of-a-campus-ten.example:PORT/saml2/sso?SAMLRequest=fVLB1904"
            ),
            ELSE: LOST,
        },
        path="/lectures/1904/07",
        others={"login-of-a-campus-ten.example": _SSO},
        flags=_FLAGS,
    ),
    of_truth(
        Truth.RESTRICTED,
        "a private package of a registry",
        "GitHub Packages, GitLab: 401, authentication required",
        {
            "/": home("en", "Registry"),
            "/v2/tramworks/brake/manifests/1.9": plain(
                '{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}',
                'WWW-Authenticate: Bearer realm="http://$HOST/token",service="registry"',
                status=401,
                kind="application/json",
            ),
            ELSE: LOST,
        },
        path="/v2/tramworks/brake/manifests/1.9",
        flags=_FLAGS,
    ),
]
