"""Pages that need a subscription, a membership, an account, an age or a key."""

# ruff: noqa: E501
from tests.zoo.wild.case import ELSE, Case, Truth, html, of_truth, plain, redirect
from tests.zoo.wild.year2026_ninth.frames import (
    LOST,
    ROBOTS,
    Seen,
    alone,
    app,
    blocks,
    board,
    docs,
    home,
    office,
    seen,
    story,
)

_FLAGS = frozenset({"restricted", "login"})


def _story(title: str, lang: str, wall: str) -> str:
    main = f"<article><h1>{title}</h1>{story(lang)}<aside class='paywall'>{wall}</aside></article>"
    return blocks(title, main, lang=lang)


_PAGES: dict[str, Seen] = {
    "a story of a French daily kept for subscribers": seen(
        "Le Monde: Il vous reste 78 % de cet article à lire. La suite est réservée aux abonnés., 200",
        _story(
            "Le dernier gardien",
            "fr",
            "<p>Il vous reste 78.43% de cet article à lire. La suite est réservée aux abonnés.</p><a href='/abo'>S'abonner</a>",
        ),
        "/m-styles/article/2026/03/01/le-dernier-gardien_1843.html",
        lang="fr",
    ),
    "a story of an Italian daily kept for subscribers": seen(
        "Corriere: Questo contenuto è riservato agli abbonati, 200",
        _story(
            "L'ultimo fanale",
            "it",
            "<h2>Contenuto riservato agli abbonati</h2><p>Hai già un abbonamento? <a href='/accedi'>Accedi</a></p>",
        ),
        "/cronache/26_marzo_01/ultimo-fanale-1843.shtml",
        lang="it",
    ),
    "a story of a Danish daily kept for subscribers": seen(
        "Politiken: Log ind eller køb abonnement for at læse videre, 200",
        _story(
            "Den sidste fyrmester",
            "da",
            "<h2>Læs videre med et abonnement</h2><p>Allerede abonnent? <a href='/login'>Log ind</a></p>",
        ),
        "/kultur/art1843/den-sidste-fyrmester",
        lang="da",
    ),
    "a story of a Finnish daily kept for subscribers": seen(
        "Helsingin Sanomat: Tämä artikkeli on vain tilaajille, 200",
        _story(
            "Viimeinen majakanvartija",
            "fi",
            "<h2>Tämä artikkeli on vain tilaajille</h2><p>Oletko jo tilaaja? <a href='/kirjaudu'>Kirjaudu sisään</a></p>",
        ),
        "/kulttuuri/art-2000011843.html",
        lang="fi",
    ),
    "a story of a Brazilian daily kept for subscribers": seen(
        "Folha: Continue lendo com acesso ilimitado, assine, 200",
        _story(
            "O último faroleiro",
            "pt",
            "<h2>Assine para continuar lendo</h2><p>Já é assinante? <a href='/login'>Faça seu login</a></p>",
        ),
        "/cotidiano/2026/03/o-ultimo-faroleiro.shtml",
        lang="pt",
    ),
    "a story of a Korean paper for members": seen(
        "중앙일보 더중앙플러스: 회원 전용 콘텐츠, 200",
        _story(
            "마지막 등대지기",
            "ko",
            "<p>이 기사는 유료 회원 전용 콘텐츠입니다.</p><a href='/login'>로그인</a> <a href='/sub'>구독하기</a>",
        ),
        "/article/25301843",
        lang="ko",
    ),
    "a story of a Hebrew daily for subscribers": seen(
        "הארץ: כתבה זו פתוחה למנויים בלבד, 200",
        _story(
            "שומר המגדלור האחרון",
            "he",
            "<h2>הכתבה פתוחה למנויים בלבד</h2><p>כבר מנויים? <a href='/login'>התחברו</a></p>",
        ),
        "/magazine/2026-03-01/ty-article/1843",
        lang="he",
    ),
    "an article of a house of science behind its price": seen(
        "ScienceDirect, Wiley: Get access to the full version of this article, 200",
        office(
            "Attenuation of Fresnel lenses in salt air",
            "<h1>Attenuation of Fresnel lenses in salt air</h1><h2>Abstract</h2><p>We measured the transmission of eleven lenses over forty winters.</p><div class='access'><h2>Access options</h2><p>Get access to the full version of this article. Institutional login, or purchase for $39.95.</p></div>",
        ),
        "/doi/10.5555/lens.1843",
    ),
    "a standard whose text is sold": seen(
        "ISO, DIN: preview of a standard, price, 200",
        office(
            "EN 1843:2026 Aids to navigation",
            "<h1>EN 1843:2026 Aids to navigation — Lanterns</h1><p>Status: Published. Price: CHF 132. Format: PDF.</p><p>Read sample. The full text is available for purchase only.</p><button>Add to cart</button>",
        ),
        "/standard/1843.html",
    ),
    "a channel of a chat that one must join": seen(
        "Discord, Telegram: an invitation, with a button to open the app, 200",
        app(
            "Join the keepers' channel",
            "<main><h1>You've been invited to join Keepers of the Light</h1><p>412 members, 31 online</p><button>Accept invite</button><p>Log in to continue.</p></main>",
        ),
        "/invite/LampKeep",
    ),
    "a private profile of a network of runners": seen(
        "Strava: This athlete's activities are private, log in to follow, 200",
        app(
            "Keeper | Profile",
            "<h1>Elias K.</h1><p>This account is private. Log in to send a follow request.</p><a href='/login'>Log in</a>",
        ),
        "/athletes/101843",
    ),
    "a film for grown people behind a name": seen(
        "YouTube: Sign in to confirm your age. This video may be inappropriate for some users., 200",
        app(
            "Storm - YouTube",
            "<div id='reason'>Sign in to confirm your age</div><p>This video may be inappropriate for some users.</p><a href='/signin'>Sign in</a>",
        ),
        "/watch?v=St0rm1843xx",
    ),
    "a board whose part is for members, in German": seen(
        "WoltLab, vBulletin: Sie haben keine Berechtigung, diese Seite zu betreten, Anmelden, 403",
        board(
            "Zugriff verweigert",
            "<div class='error'><p>Der Zutritt zu dieser Seite ist Ihnen leider verwehrt. Sie besitzen nicht die notwendigen Zugriffsrechte. Möglicherweise müssen Sie sich anmelden.</p></div><form action='/login' method='post'><input name='username'><input type='password' name='password'><button>Anmelden</button></form>",
            lang="de",
        ),
        "/thread/1843-docht/",
        lang="de",
        status=403,
    ),
    "a wiki of a company that wants one to log in": seen(
        "Confluence: Log in to view this page, 401",
        docs(
            "Log in",
            "<h1>Log in</h1><p>You must log in to view this page.</p><form><input name='os_username'><input name='os_password' type='password'></form>",
        ),
        "/spaces/LAMP/pages/1843",
        status=401,
    ),
    "a folder under a key of the old kind": seen(
        "Apache: 401 Unauthorized, WWW-Authenticate: Basic",
        '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>401 Unauthorized</title>\n</head><body>\n<h1>Unauthorized</h1>\n<p>This server could not verify that you\nare authorized to access the document\nrequested.</p>\n</body></html>\n',
        "/intern/protokolle/2026.pdf",
        'WWW-Authenticate: Basic realm="Vorstand"',
        status=401,
    ),
    "a post in Russian for patrons": seen(
        "Boosty: Этот пост доступен по подписке, 200",
        app(
            "Масло и фитили",
            "<h1>Масло и фитили</h1><div class='lock'><p>Пост доступен по подписке от 300 ₽ в месяц</p><button>Подписаться</button><a href='/login'>Войти</a></div>",
            lang="ru",
        ),
        "/keeper/posts/1843abcd",
        lang="ru",
    ),
    "a page of WordPress in Dutch under a password": seen(
        "WordPress: Deze inhoud is beschermd met een wachtwoord., 200",
        blocks(
            "Beschermd: Notulen maart",
            "<h1>Beschermd: Notulen maart</h1><form class='post-password-form' method='post' action='/wp-login.php?action=postpass'><p>Deze inhoud is beschermd met een wachtwoord. Vul hieronder je wachtwoord in om deze te bekijken.</p><input name='post_password' type='password'><input type='submit' value='Invoeren'></form>",
            lang="nl",
        ),
        "/notulen-maart/",
        lang="nl",
    ),
}

# Doors at the same site: where such are known from, the address, the door, its title, its words.
_DOORS: dict[str, tuple[str, str, str, str, str]] = {
    "a board of Trello's kind that is private": (
        "Trello, Miro: 302 to /login?returnUrl=",
        "/b/Lamp1843/winter",
        "/login?returnUrl=%2Fb%2FLamp1843%2Fwinter",
        "Log in to continue",
        "<h1>Log in to continue</h1><form><input name='email' type='email'><button>Continue</button></form>",
    ),
    "a course of OLAT in German": (
        "OpenOLAT, ILIAS: 302 to /login.php?target=",
        "/goto.php?target=crs_1843",
        "/login.php?target=crs_1843&cmd=force_login",
        "Anmeldung",
        "<h1>Bei ILIAS anmelden</h1><form method='post'><input name='username'><input name='password' type='password'><button>Anmelden</button></form><p>Sie müssen sich anmelden, um diese Ressource zu sehen.</p>",
    ),
    "an item of a system for tickets in French": (
        "GLPI: 302 to /index.php?redirect=",
        "/front/ticket.form.php?id=1843",
        "/index.php?redirect=%2Ffront%2Fticket.form.php%3Fid%3D1843",
        "GLPI - Authentification",
        "<h1>Connexion à votre compte</h1><form method='post'><input name='login_name'><input type='password' name='login_password'><button>Se connecter</button></form>",
    ),
    "a report of a system for figures": (
        "Superset, Redash: 302 to /login/?next=",
        "/superset/dashboard/1843/",
        "/login/?next=%2Fsuperset%2Fdashboard%2F1843%2F",
        "Superset",
        "<h2>Sign In</h2><p>Enter your login and password below:</p><form method='post'><input name='username'><input type='password' name='password'></form>",
    ),
    "an admin's page of Django": (
        "Django admin: 302 to /admin/login/?next=",
        "/admin/lamps/lamp/1843/change/",
        "/admin/login/?next=/admin/lamps/lamp/1843/change/",
        "Log in | Django site admin",
        "<form method='post' id='login-form'><label>Username:</label><input name='username'><label>Password:</label><input type='password' name='password'><input type='submit' value='Log in'></form>",
    ),
}


def _door(name: str) -> Case:
    source, path, door, title, words = _DOORS[name]
    site = {
        "/": home(),
        "/robots.txt": ROBOTS,
        path: redirect(door),
        door: html(alone(title, words)),
        ELSE: LOST,
    }
    return of_truth(Truth.RESTRICTED, name, source, site, path=path, flags=_FLAGS)


CASES: list[Case] = [
    *(
        of_truth(Truth.RESTRICTED, name, each.source, each.site, path=each.path, flags=_FLAGS)
        for name, each in _PAGES.items()
    ),
    *map(_door, _DOORS),
    of_truth(
        Truth.RESTRICTED,
        "an interface of logs that wants a token",
        "interfaces: 401, Bearer, invalid_token",
        {
            "/": home(),
            "/api/v2/logs/1843": plain(
                '{"error":"unauthorized","message":"Full authentication is required to access this resource"}',
                'WWW-Authenticate: Bearer realm="logs"',
                status=401,
                kind="application/json",
            ),
            ELSE: LOST,
        },
        path="/api/v2/logs/1843",
        flags=_FLAGS,
    ),
]
