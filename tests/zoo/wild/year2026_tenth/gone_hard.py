"""Missing pages with a 404 or a 410, in the words of common systems and with odd bodies."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import ELSE, Case, Reply, gone, html, plain
from tests.zoo.wild.year2026_tenth.frames import (
    ROBOTS,
    Seen,
    alone,
    app,
    board,
    every,
    home,
    manual,
    news,
    office,
    prose,
    seen,
    store,
)

_SYSTEMS: dict[str, Seen] = {
    "Nextcloud in French does not find a share": seen(
        "Nextcloud: Page not found, in French, 404",
        alone(
            "Nextcloud",
            "<div class='body-login-container'><h2>Page non trouvée</h2><p>La page n'a pas pu être trouvée sur le serveur ou vous n'êtes pas autorisé à la visualiser.</p></div>",
            lang="fr",
        ),
        "/index.php/s/WagonSept1904",
        lang="fr",
        status=404,
    ),
    "PeerTube does not find a video": seen(
        "PeerTube: its page for missing videos, 404",
        app(
            "Video not found",
            "<div class='box'><strong>404.</strong><span>That's an error.</span><div>We couldn't find any video tied to the URL /w/tram1904 you were looking for.</div></div>",
        ),
        "/w/tram1904",
        status=404,
    ),
    "Misskey in Japanese does not find a note": seen(
        "Misskey: NO_SUCH_NOTE, in Japanese, 404",
        app(
            "指定されたノートは存在しません",
            "<div class='error'><p>指定されたノートは存在しません</p></div>",
            lang="ja",
        ),
        "/notes/9tram1904x",
        lang="ja",
        status=404,
    ),
    "BookStack does not find a page": seen(
        "BookStack: Page Not Found, 404",
        office(
            "Page not found",
            "<h1 class='list-heading'>Page not found</h1><h5>Sorry, The page you were looking for could not be found.</h5><p>If you expected this page to exist, you might not have permission to view it.</p>",
        ),
        "/books/brakes/page/sanding",
        status=404,
    ),
    "Sphinx with the notfound extension says that it lost a page": seen(
        "readthedocs/sphinx-notfound-page issue 254: its 404.html, here with a 404",
        manual(
            "Page not found &mdash; tram 4.2",
            "<h1>Page not found</h1><p>Unfortunately we couldn't find the content you were looking for.</p>",
        ),
        "/en/stable/sanding.html",
        "Server: cloudflare",
        status=404,
    ),
    "Plone in Spanish does not find a document": seen(
        "Plone: Esta página parece no existir, 404",
        office(
            "Esta página parece no existir",
            "<h1 class='documentFirstHeading'>Esta página parece no existir…</h1><p>Perdone el inconveniente, pero la página a la que intenta acceder no se encuentra en esta dirección.</p>",
            lang="es",
        ),
        "/areas/tranvia/informe-1904",
        lang="es",
        status=404,
    ),
    "Joomla in Polish reports its error": seen(
        "Joomla: JERROR_LAYOUT_PAGE_NOT_FOUND, in Polish, 404",
        office(
            "Błąd: 404 Nie znaleziono artykułu",
            "<h1>Żądana strona nie została znaleziona.</h1><p>Wystąpił błąd podczas przetwarzania żądania.</p><blockquote><span class='badge'>404</span> Nie znaleziono artykułu</blockquote>",
            lang="pl",
        ),
        "/index.php/aktualnosci/1904-wagon",
        lang="pl",
        status=404,
    ),
    "Magento in Italian has no such product": seen(
        "Magento: the page no-route, Whoops, our bad..., in Italian, 404",
        store(
            "404 Non Trovato",
            "<div class='page-title-wrapper'><h1>Ops, pagina non trovata...</h1></div><dl><dt>La pagina richiesta non è stata trovata e abbiamo una buona ipotesi sul motivo.</dt><dd>Se hai digitato l'URL direttamente, verifica che sia corretto.</dd></dl>",
            lang="it",
        ),
        "/freno-a-mano-1904.html",
        lang="it",
        status=404,
    ),
    "WooCommerce in Turkish has no such product": seen(
        "WordPress: tr_TR, Bu sayfa bulunamıyor, 404",
        store(
            "Sayfa bulunamadı &#8211; Tramvay",
            "<header class='page-header'><h1 class='page-title'>Hay aksi! Bu sayfa bulunamıyor.</h1></header><p>Bu konumda bir şey bulunamadı. Belki bir arama yapmayı denersiniz?</p>",
            lang="tr",
        ),
        "/urun/fren-kolu/",
        lang="tr",
        status=404,
    ),
    "XenForo does not find a thread": seen(
        "XenForo: requested_thread_not_found, Oops! We ran into some problems., 404",
        board(
            "Oops! We ran into some problems. | Tram forum",
            "<div class='p-title'><h1>Oops! We ran into some problems.</h1></div><div class='blockMessage'>The requested thread could not be found.</div>",
        ),
        "/threads/hand-brakes.1904/",
        status=404,
    ),
    "a mailing list archive in HyperKitty has no such message": seen(
        "HyperKitty: its 404 page, I can't find this page",
        office(
            "Error 404",
            "<h1>Error 404</h1><h2>Oh No!</h2><p>I can't find this page.</p><p>Back to the <a href='/archives/'>main page</a>.</p>",
        ),
        "/archives/list/tram@lists.example.org/message/QX1904/",
        status=404,
    ),
    "a container registry's web page has no such image": seen(
        "Docker Hub: 404 Route Not Found, Oops! Page Not Found",
        app(
            "Docker Hub",
            "<h1>404</h1><p>Oops! Page Not Found</p><p>Sorry, the page you are looking for doesn't exist or is private.</p>",
        ),
        "/r/tramworks/brake",
        status=404,
    ),
    "a model hub says that the repository does not exist": seen(
        "huggingface.co: 404, Sorry, we can't find the page you are looking for.",
        app(
            "Error 404",
            "<main><h1>404</h1><p>Sorry, we can't find the page you are looking for.</p></main>",
        ),
        "/tramworks/line-7-small",
        "X-Error-Code: RepoNotFound",
        status=404,
    ),
    "SourceHut does not know a file": seen(
        "sr.ht: 404 Not Found, the page you requested could not be found",
        office(
            "404 Not Found",
            "<h3>404 Not Found</h3><p>The page you requested could not be found. Perhaps it used to exist, or perhaps it will exist someday.</p>",
        ),
        "/~conductor/brake/tree/master/item/sand.c",
        status=404,
    ),
    "a paper's article in Norwegian was deleted for good": seen(
        "nettaviser: Artikkelen er slettet, 410",
        news(
            "Artikkelen er slettet",
            f"<h1>Artikkelen er slettet</h1><p>Artikkelen du leter etter er fjernet av redaksjonen.</p><aside>{prose('no')}</aside>",
            lang="no",
        ),
        "/nyheter/i/7Ltram/linje-7",
        lang="no",
        status=410,
    ),
    "a profile of a federated network was deleted": seen(
        "Pixelfed: Sorry, this page isn't available., 404",
        app(
            "Page Not Found",
            "<div class='error-page'><h2>Sorry, this page isn't available.</h2><p>The link you followed may be broken, or the page may have been removed. Go back to Pixelfed.</p></div>",
        ),
        "/p/conductor/1904007",
        status=404,
        near={"/i/web": html(app("Pixelfed", "<form action='/login'><input name='email'></form>"))},
    ),
    "a job in French that its board answers with gone": seen(
        "sites d'emploi: Cette offre a expiré, 410",
        store(
            "Offre expirée",
            "<h1>Cette offre d'emploi a expiré</h1><p>Voici d'autres offres qui pourraient vous intéresser :</p><ul><li>Conducteur</li><li>Mécanicien</li></ul>",
            lang="fr",
        ),
        "/emploi/detail/1904007.html",
        lang="fr",
        status=410,
    ),
    "an advertisement in German that its market answers with gone": seen(
        "Kleinanzeigenmärkte: gelöschte Anzeige, 410",
        store(
            "Anzeige gelöscht",
            "<h1>Diese Anzeige wurde gelöscht</h1><p>Vielleicht gefällt dir eine von diesen:</p><ul><li>Bremsklotz</li></ul>",
            lang="de",
        ),
        "/iad/kaufen-und-verkaufen/d/bremskurbel-1904007",
        lang="de",
        status=410,
    ),
    "nginx in a container answers for a whole static site": every(
        "nginx: 404 Not Found, alpine image",
        "<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx/1.29.1</center>\r\n</body>\r\n</html>\r\n",
        "/handbook/2021/brakes/",
        "Server: nginx/1.29.1",
        status=404,
    ),
    "Next.js prints its one line": every(
        "vercel/next.js: not-found default, This page could not be found., 404",
        app(
            "404: This page could not be found.",
            "<div style='height:100vh;text-align:center'><h1 class='next-error-h1'>404</h1><h2>This page could not be found.</h2></div>",
        ),
        "/blog/line-7",
        "X-Powered-By: Next.js",
        status=404,
    ),
    "SvelteKit prints its two words": every(
        "sveltejs/kit: default error page, 404, Not Found",
        app(
            "404",
            "<div class='error'><span class='status'>404</span><div class='message'><h1>Not Found</h1></div></div>",
        ),
        "/posts/line-7",
        status=404,
    ),
}

_ODD: dict[str, Reply] = {
    "a 404 that greets a visitor with the news of the day": html(
        news("Tramway Review", f"<h1>Today</h1>{prose('en', 2)}<h2>Most read</h2>{prose()}"),
        status=404,
    ),
    "a 404 with a single full stop": Reply(
        status=404, headers=("Content-Type: text/html",), body=b"."
    ),
    "a 404 of a gateway of interfaces": plain(
        '{"message":"no Route matched with those values","request_id":"1904007"}',
        "Server: kong/3.8.0",
        status=404,
        kind="application/json",
    ),
    "a 410 in the words of an office that keeps no old notices": html(
        office(
            "Notice withdrawn",
            "<h1>Notice withdrawn</h1><p>This notice was published for the legal period and has been deleted under data protection law.</p>",
        ),
        status=410,
    ),
    "a 404 whose title says welcome": html(
        alone("Welcome", "<h1>Welcome</h1><img src='/tram.gif' alt=''>"), status=404
    ),
    "a 404 in a picture": Reply(
        status=404,
        headers=("Content-Type: image/png",),
        body=b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00",
    ),
}


def _odd(name: str, reply: Reply) -> Case:
    site = {"/": home(), "/robots.txt": ROBOTS, ELSE: reply}
    return gone(name, "servers: bodies that do not fit the status", site, path="/notices/2019/7")


CASES: list[Case] = [
    *(gone(name, each.source, each.site, path=each.path) for name, each in _SYSTEMS.items()),
    *(_odd(name, reply) for name, reply in _ODD.items()),
]
