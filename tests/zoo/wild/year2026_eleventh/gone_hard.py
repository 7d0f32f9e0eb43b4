"""Missing pages with a 404 or a 410, in the words of common systems and with odd bodies."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import ELSE, Case, Reply, gone, html, plain
from tests.zoo.wild.year2026_eleventh.frames import (
    ROBOTS,
    Seen,
    app,
    bare,
    blog,
    forge,
    home,
    office,
    on,
    prose,
    shop,
)

_SYSTEMS: dict[str, Seen] = {
    "a repository on a forge that was deleted, page and all": on(
        "Forgejo: templates/status/404.tmpl, Page not found, 404",
        "/keepers/lamp-clock",
        forge(
            "Page Not Found - Forge",
            "<div class='ui container center'><h1 class='error-code'>404</h1><p>Sorry, you don't have permission to view this page, or it does not exist: the page you are trying to reach was removed.</p></div>",
        ),
        scope="/keepers/",
        status=404,
    ),
    "a manual on Read the Docs without the version that was linked": on(
        "Read the Docs: 404 for a version that was deactivated",
        "/en/1.8/lamp.html",
        bare(
            "404 Not Found - Read the Docs",
            "<h1>404 Not Found</h1><p>The documentation page you requested does not exist or may have been removed.</p><p>Documentation hosted on Read the Docs</p>",
        ),
        scope="all",
        status=404,
    ),
    "a file that left a branch of a project on GitHub Pages": on(
        "GitHub Pages: File not found, The site configured at this address does not contain the requested file, 404",
        "/lamp/guide/winding.html",
        bare(
            "Page not found &middot; GitHub Pages",
            "<h1>404</h1><p><strong>File not found</strong></p><p>The site configured at this address does not contain the requested file.</p><p>If this is your site, make sure that the filename case matches the URL as well as any file permissions.</p>",
        ),
        scope="all",
        status=404,
    ),
    "a crate's documentation for a release without one": on(
        "docs.rs: The requested crate does not exist, 404",
        "/lampclock/0.3.1/lampclock/",
        bare("The requested crate does not exist", "<h1>The requested crate does not exist</h1>"),
        scope="/lampclock/",
        status=404,
    ),
    "a story that its author deleted from a platform for essays": on(
        "markerikson/react-redux-links pull request 67: a 410, The author deleted this Medium story",
        "/@keeper/winding-the-clock-1862a",
        app(
            "Medium",
            "<div><h2>Error</h2><h1>410</h1><p>The author deleted this Medium story.</p><p>If you are looking for something to read, try these.</p></div>",
        ),
        scope="/@keeper/",
        status=410,
    ),
    "WordPress in German lost a post": on(
        "WordPress, de_DE: Seite nicht gefunden, a 404 with the theme",
        "/2016/03/die-alte-linse/",
        blog(
            "Seite nicht gefunden &#8211; Leuchtturmblatt",
            "<h1>Seite nicht gefunden</h1><p>Die gesuchte Seite existiert nicht oder wurde verschoben. Versuche es mit einer Suche.</p><form role='search'><input name='s'></form>",
            lang="de",
        ),
        scope="all",
        lang="de",
        status=404,
    ),
    "WordPress in Japanese lost a post": on(
        "kurozumi/wp-theme: 404.php, お探しのページが見つかりません",
        "/archives/1862",
        blog(
            "ページが見つかりませんでした &#8211; 灯台通信",
            "<h1>404 Not Found</h1><p>お探しのページが見つかりません。</p><p>ご指定のページは、削除されたか移動した可能性がございます。</p>",
            lang="ja",
        ),
        scope="all",
        lang="ja",
        status=404,
    ),
    "Drupal in French lost a node": on(
        "Drupal core, fr: La page demandée n'a pas pu être trouvée, 404",
        "/node/1862",
        office(
            "Page non trouvée | Le Journal des phares",
            "<h1>Page non trouvée</h1><div class='region-content'>La page demandée n'a pas pu être trouvée.</div>",
            lang="fr",
        ),
        scope="all",
        lang="fr",
        status=404,
    ),
    "an article of Zendesk's help center that was archived": on(
        "Zendesk Guide: oops, The page you were looking for doesn't exist, 404",
        "/hc/en-us/articles/360012261862-Trim-the-wick",
        office(
            "The page you were looking for doesn't exist",
            "<h1>oops</h1><p>The page you were looking for doesn't exist</p><p>You may have mistyped the address or the page may have moved</p>",
        ),
        scope="/hc/",
        status=404,
    ),
    "a page of a software giant's documentation that was retired": on(
        "MicrosoftDocs/azure-docs issue 122290: a redirect to /previous-versions/ that results in a 404",
        "/en-us/previous-versions/lamps/workloads/oil-storage",
        office(
            "404 - Content Not Found | Learn",
            "<h1>404 - Page not found</h1><p>We couldn't find this page.</p><p>The page you requested is not here. Check the address, or search the documentation.</p>",
        ),
        scope="/en-us/",
        status=404,
    ),
    "OJS has no such article any more": on(
        "Open Journal Systems: 404 Not Found, for an article that was unpublished",
        "/index.php/jlh/article/view/1862",
        office(
            "404 Not Found",
            "<h1>404 Not Found</h1><p>The requested URL was not recognized, or the article was unpublished.</p>",
            name="Journal of Lighthouse History",
        ),
        scope="/index.php/",
        status=404,
    ),
    "DSpace in Spanish withdrew an item": on(
        "DSpace 8, es.json5: 410, No se puede encontrar el elemento, 404 by server-side rendering",
        "/handle/10261/186242",
        office(
            "Página no encontrada",
            "<ds-pagenotfound><h1>404</h1><h2><small>página no encontrada</small></h2><p>No podemos encontrar la página que busca. La página puede haber sido movida o eliminada.</p></ds-pagenotfound>",
            lang="es",
        ),
        scope="/handle/",
        lang="es",
        status=404,
    ),
    "a DOI that its agency does not know": on(
        "doi.org: DOI Not Found, 404",
        "/10.9999/lamp.1862.7",
        office(
            "Error: DOI Not Found",
            "<h1>DOI NOT FOUND</h1><p>10.9999/lamp.1862.7</p><p>This DOI cannot be found in the DOI System. Possible reasons are: the DOI is incorrect in your source; the DOI was copied incorrectly; the DOI has not been activated yet.</p>",
            name="DOI",
        ),
        scope="/10.",
        status=404,
    ),
    "Spring in a container prints its label for errors": on(
        "Spring Boot: Whitelabel Error Page, 404",
        "/keepers/1862/journal",
        "<html><body><h1>Whitelabel Error Page</h1><p>This application has no explicit mapping for /error, so you are seeing this as a fallback.</p><div id='created'>Tue Mar 03 18:06:20 UTC 2026</div><div>There was an unexpected error (type=Not Found, status=404).</div></body></html>",
        scope="all",
        status=404,
    ),
    "Tomcat reports its status on a lost servlet": on(
        "Apache Tomcat/10.1: HTTP Status 404 – Not Found",
        "/museum/lamp.do?id=7",
        '<!doctype html><html lang="en"><head><title>HTTP Status 404 – Not Found</title><style type="text/css">body {font-family:Tahoma,Arial,sans-serif;}</style></head><body><h1>HTTP Status 404 – Not Found</h1><hr class="line" /><p><b>Type</b> Status Report</p><p><b>Message</b> The requested resource [$PATH] is not available</p><hr class="line" /><h3>Apache Tomcat/10.1.34</h3></body></html>',
        scope="all",
        status=404,
    ),
    "a product in Dutch that its shop answers with gone": on(
        "Lightspeed, Shopware: Dit product bestaat niet meer, 410",
        "/stormlamp-messing.html",
        shop(
            "Product niet gevonden",
            "<h1>Dit product bestaat niet meer</h1><p>Bekijk onze andere lampen.</p>",
            lang="nl",
        ),
        lang="nl",
        status=410,
    ),
    "Laravel in Polish shows two words": on(
        "Laravel: errors::minimal, 404, in Polish",
        "/aktualnosci/1862-stara-latarnia",
        bare(
            "Nie znaleziono",
            "<div class='flex'><div class='code'>404</div><div>Nie znaleziono</div></div>",
            lang="pl",
        ),
        scope="all",
        lang="pl",
        status=404,
    ),
    "a Jekyll blog in Chinese jokes with its number": on(
        "themes of Hexo: 404 - 抱歉，您访问的页面不存在或已被删除",
        "/posts/18620701/",
        bare(
            "404 - 页面未找到",
            "<div>404</div><div>抱歉，您访问的页面不存在或已被删除</div><ul><li>检查网址是否输入正确</li><li>返回上一页</li></ul>",
            lang="zh",
        ),
        scope="all",
        lang="zh",
        status=404,
    ),
}

_ODD: dict[str, Reply] = {
    "a 404 with the shell of an application that routes by itself to nothing": html(
        app("Lamp Tracker", "<div class='spinner'></div>"), status=404
    ),
    "a 404 with an article that the server thinks one meant": html(
        blog(
            "Did you mean: The lens of 1862?",
            f"<h1>Did you mean one of these?</h1><ul><li><a href='/lens-of-1862'>The lens of 1862</a></li><li><a href='/clockwork'>Clockwork</a></li></ul>{prose()}",
        ),
        status=404,
    ),
    "a 410 under a note of a rights holder": html(
        bare(
            "Content removed",
            "<h1>Removed</h1><p>This content was removed in response to a notice by the rights holder.</p>",
        ),
        status=410,
    ),
    "a 404 as JSON of a framework": plain(
        '{"statusCode":404,"message":"Cannot GET /notices/1862/7","error":"Not Found"}',
        status=404,
        kind="application/json",
    ),
    "a 404 whose body is the picture of a lost buoy": Reply(
        status=404,
        headers=("Content-Type: image/svg+xml",),
        body=b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>',
    ),
    "a 404 of nginx padded with comments for an old browser": html(
        "<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>openresty</center>\r\n</body>\r\n</html>\r\n"
        + "<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n" * 6,
        status=404,
    ),
}


def _odd(name: str, reply: Reply) -> Case:
    site = {"/": home(), "/robots.txt": ROBOTS, ELSE: reply}
    source = "servers: bodies that do not fit the status"
    return gone(name, source, site, path="/notices/1862/7")


CASES: list[Case] = [
    *(gone(name, each.source, each.site, path=each.path) for name, each in _SYSTEMS.items()),
    *(_odd(name, reply) for name, reply in _ODD.items()),
]
