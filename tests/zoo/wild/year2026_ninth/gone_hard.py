"""Pages that are gone with a 404 or a 410, some with a body that does not fit the status."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import ELSE, Case, Reply, gone, html, plain
from tests.zoo.wild.year2026_ninth.frames import (
    ROBOTS,
    Seen,
    alone,
    app,
    blocks,
    board,
    docs,
    home,
    market,
    office,
    seen,
    story,
)

# Systems and what they say by themselves.
_SYSTEMS: dict[str, Seen] = {
    "Docusaurus speaks Portuguese of a page": seen(
        "facebook/docusaurus: theme-translations/pt-BR, theme.NotFound.title, 404",
        docs(
            "Página não encontrada | Lâmpadas",
            "<main class='container'><h1 class='hero__title'>Página não encontrada</h1><p>Não conseguimos encontrar o que você estava procurando.</p><p>Entre em contato com o proprietário do site que lhe trouxe para cá e lhe informe que o link está quebrado.</p></main>",
            lang="pt",
        ),
        "/docs/1.x/pavios",
        "Server: GitHub.com",
        lang="pt",
        status=404,
        everywhere=True,
    ),
    "Hugo with Docsy has no such page": seen(
        "google/docsy: layouts/404.html, Not found, Oops! This page doesn't exist. Try going back to the home page., 404",
        docs(
            "404 Page not found",
            "<main class='td-main'><h1>Not found</h1><p>Oops! This page doesn't exist. Try going back to the <a href='/'>home page</a>.</p></main>",
        ),
        "/docs/concepts/wick/",
        "Server: Netlify",
        status=404,
        everywhere=True,
    ),
    "Material for MkDocs has no such page and says two words": seen(
        "squidfunk/mkdocs-material: 404.html, 404 - Not found",
        docs(
            "Keeper's manual",
            "<article class='md-content__inner'><h1>404 - Not found</h1></article>",
        ),
        "/setup/gas/",
        "Server: GitHub.com",
        status=404,
        everywhere=True,
    ),
    "Rails says what it always says": seen(
        "rails/rails: railties/lib/rails/generators/rails/app/templates/public/404.html, 404",
        alone(
            "The page you were looking for doesn't exist (404 Not found)",
            "<main><article><p><strong>The page you were looking for doesn't exist.</strong> You may have mistyped the address or the page may have moved. If you're the application owner check the logs for more information.</p></article></main>",
        ),
        "/lights/1843-old-head",
        status=404,
        everywhere=True,
    ),
    "Django in its plain words": seen(
        "django/django: views/defaults.py, ERROR_PAGE_TEMPLATE, 404",
        '\n<!doctype html>\n<html lang="en">\n<head>\n  <title>Not Found</title>\n</head>\n<body>\n  <h1>Not Found</h1><p>The requested resource was not found on this server.</p>\n</body>\n</html>\n',
        "/logbook/1843/november/",
        status=404,
        everywhere=True,
    ),
    "Express cannot get a lamp": seen(
        "expressjs/express, finalhandler: Cannot GET, 404",
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot GET /lamps/argand</pre>\n</body>\n</html>\n',
        "/lamps/argand",
        "X-Powered-By: Express",
        status=404,
        everywhere=True,
    ),
    "IIS in Spanish": seen(
        "IIS: 404 - Archivo o directorio no encontrado., 404",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">\r\n<html>\r\n<head>\r\n<title>404 - Archivo o directorio no encontrado.</title>\r\n</head>\r\n<body>\r\n<div id="header"><h1>Error del servidor</h1></div>\r\n<div id="content"><fieldset><h2>404 - Archivo o directorio no encontrado.</h2><h3>Puede que se haya quitado el recurso que está buscando, que se le haya cambiado el nombre o que no esté disponible temporalmente.</h3></fieldset></div>\r\n</body>\r\n</html>\r\n',
        "/descargas/faros.pdf",
        "Server: Microsoft-IIS/10.0",
        lang="es",
        status=404,
    ),
    "LiteSpeed has no such file": seen(
        "LiteSpeed: The resource requested could not be found on this server!, 404",
        '<!DOCTYPE html>\n<html style="height:100%">\n<head>\n<title> 404 Not Found\r\n</title></head>\n<body><div><h1>404</h1>\n<h2>Not Found</h2>\n<p>The resource requested could not be found on this server!</p></div><div>Proudly powered by LiteSpeed Web Server</div></body></html>\n',
        "/images/keeper.html",
        "Server: LiteSpeed",
        status=404,
        everywhere=True,
    ),
    "MediaWiki in Dutch has no such page": seen(
        "MediaWiki in Dutch: noarticletext, 404",
        blocks(
            "Oude lamp – Wiki",
            "<h1 id='firstHeading'>Oude lamp</h1><div class='noarticletext'><p>Deze pagina bevat geen tekst. U kunt naar deze term zoeken in andere pagina's, de gerelateerde logboeken doorzoeken of deze pagina aanmaken.</p></div>",
            lang="nl",
        ),
        "/wiki/Oude_lamp",
        lang="nl",
        status=404,
    ),
    "Gitea in Chinese has no such repository": seen(
        "go-gitea/gitea: locale_zh-CN.ini, error404, 404",
        office(
            "页面不存在 - Gitea",
            "<div class='ui container center'><h1>404</h1><p>您正尝试访问的页面 不存在 或 您尚未被授权 查看该页面。</p></div>",
            lang="zh",
        ),
        "/keeper/lamp/src/branch/master/README.md",
        lang="zh",
        status=404,
    ),
    "GitLab has no such project": seen(
        "gitlab-org/gitlab: public/404.html, Page not found, 404",
        alone(
            "Page not found (404)",
            "<h1>404: Page not found</h1><p>Make sure the address is correct and the page has not moved. Please contact your GitLab administrator if you think this is a mistake.</p>",
        ),
        "/harbor/old-lamp/-/blob/main/wick.c",
        status=404,
        everywhere=True,
    ),
    "cgit has no such repository": seen(
        "cgit: No repositories found, 404",
        office("Git repository browser", "<div class='error'>No repositories found</div>"),
        "/cgit/lamp.git/tree/wick.c",
        status=404,
    ),
    "phpBB in Czech has no such topic": seen(
        "phpbb: language/cs/viewtopic.php, NO_TOPIC, 404",
        board(
            "Informace",
            "<div class='panel' id='message'><h2 class='message-title'>Informace</h2><p>Požadované téma neexistuje.</p></div>",
            lang="cs",
        ),
        "/viewtopic.php?t=1843",
        lang="cs",
        status=404,
    ),
    "Lemmy has no such post": seen(
        "LemmyNet/lemmy-ui: not_found_page_title, Page Not Found, 404",
        app(
            "Page Not Found - Harbor",
            "<div class='error-page'><h1>Page Not Found</h1><p>The page you are looking for does not exist.</p><a href='/'>Return to home</a></div>",
        ),
        "/post/1843",
        status=404,
    ),
    "Mastodon in Ukrainian has no such status": seen(
        "mastodon/mastodon: config/locales/uk.yml, errors.'404', 404",
        alone(
            "Сторінку, яку ви шукали, не знайдено",
            "<div class='dialog'><div class='dialog__message'><h1>Сторінку, яку ви шукали, не знайдено.</h1></div></div>",
            lang="uk",
        ),
        "/@keeper/110001843",
        "Server: Mastodon",
        lang="uk",
        status=404,
    ),
    "a status of Mastodon whose author is gone": seen(
        "mastodon/mastodon: errors.'410', The page you were looking for doesn't exist here anymore., 410",
        alone(
            "The page you were looking for doesn't exist here anymore",
            "<div class='dialog'><div class='dialog__message'><h1>The page you were looking for doesn&#39;t exist here anymore.</h1></div></div>",
        ),
        "/@gonekeeper",
        "Server: Mastodon",
        status=410,
    ),
    "Shopify in German has no such product": seen(
        "Shopify/dawn: locales/de.json, templates.404.title, 404",
        market(
            "404 Nicht gefunden",
            "<div class='template-404'><p>404</p><h1 class='title'>Seite nicht gefunden</h1><a href='/collections/all' class='button'>Weiter shoppen</a></div>",
            lang="de",
        ),
        "/products/docht-no-43",
        lang="de",
        status=404,
    ),
    "TYPO3 in its gray box": seen(
        "TYPO3: ErrorPageController, The requested page does not exist, Reason: ID was not an accessible page, 404",
        alone(
            "Page Not Found",
            "<div class='callout callout-danger'><h1>Page Not Found</h1><p>The page did not exist or was inaccessible. Reason: The requested page does not exist</p></div>",
        ),
        "/verein/satzung-2014",
        status=404,
        everywhere=True,
    ),
    "npm has no such package": seen(
        "npmjs.com: 404, not found",
        app(
            "npm | 404",
            "<main><h1>404</h1><p>not found</p><p>This package has been unpublished or never was.</p></main>",
        ),
        "/package/wick-trimmer",
        status=404,
    ),
    "PyPI looked everywhere": seen(
        "pypi/warehouse: 404.html, Page not found (404), We looked everywhere but couldn't find this page",
        office(
            "Page Not Found (404) · PyPI",
            "<h1>We looked everywhere but couldn't find this page</h1><p>404</p><p>And now for something completely different.</p>",
        ),
        "/project/wick-trimmer/",
        status=404,
    ),
}

# Answers whose body does not fit their status.
_ODD: dict[str, Reply] = {
    "gone without a word": Reply(status=410),
    "a 404 without a body from a server of files": Reply(status=404, headers=("Server: Caddy",)),
    "a 404 under the whole front page": Reply(
        status=404,
        headers=("Content-Type: text/html; charset=utf-8",),
        body=home().body,
    ),
    "a 404 under a list of what else one may read": html(
        blocks(
            "Harbor Lights",
            f"<h1>You may also like</h1>{story('en', 2)}<ul><li><a href='/j/1'>Fog</a></li><li><a href='/j/2'>Oil</a></li></ul>",
        ),
        status=404,
    ),
    "a 404 under a form to sign in": html(
        office(
            "Sign in",
            "<h1>Sign in</h1><p>The page was not found, but you can sign in here.</p><form method='post' action='/login'><input name='user'><input type='password' name='password'><button>Sign in</button></form>",
        ),
        status=404,
    ),
    "a 404 that plays a game": html(
        app(
            "Fly the gull!",
            "<canvas id='game' width='600' height='200'></canvas><p>Press space to fly.</p><p>Score: 0</p>",
        ),
        status=404,
    ),
    "a 404 that leads home after five seconds": html(
        alone(
            "Weiterleitung",
            "<p>Sie werden in 5 Sekunden zur Startseite weitergeleitet.</p>",
            lang="de",
            more='<meta http-equiv="refresh" content="5;url=/">',
        ),
        status=404,
    ),
    "a 404 with a poem of a keeper": html(
        alone(
            "Lost at sea",
            "<blockquote><p>No lamp is lit upon this rock,<br>no keeper climbs the stair,<br>the page you steered for, sailor, sank:<br>there's only water there.</p></blockquote>",
        ),
        status=404,
    ),
    "gone by the words of a law, in a line of text": plain(
        "Removed at the request of the rights holder.\n", status=410
    ),
    "a 404 as a problem in JSON": plain(
        '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.5","title":"Not Found","status":404,"traceId":"00-1843abcd-01"}',
        status=404,
        kind="application/problem+json",
    ),
    "a 404 in XML of a store of objects": plain(
        '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>logs/1843.pdf</Key><RequestId>1843ABCD</RequestId></Error>',
        "Server: AmazonS3",
        status=404,
        kind="application/xml",
    ),
    "a 404 whose page wishes one to accept cookies": html(
        blocks(
            "Vi värnar om din integritet",
            "<div id='cookie'><h2>Vi använder kakor</h2><p>Godkänn alla kakor för att fortsätta.</p><button>Godkänn</button></div>",
            lang="sv",
        ),
        status=404,
    ),
}


def _odd(name: str, reply: Reply) -> Case:
    site = {"/": home(), "/robots.txt": ROBOTS, ELSE: reply}
    return gone(
        name, "servers: bodies that do not fit the status", site, path="/logs/1843/index.html"
    )


CASES: list[Case] = [
    *(gone(name, each.source, each.site, path=each.path) for name, each in _SYSTEMS.items()),
    *(_odd(name, reply) for name, reply in _ODD.items()),
]
