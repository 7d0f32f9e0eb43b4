"""Pages that are not there: hosts of code, archives, papers, markets and servers themselves."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, gone, html, plain
from tests.zoo.wild.year2026_fifth.frames import by_hand, code_host, manual, market, portal
from tests.zoo.wild.year2026_fourth.frames import Met, document, mediawiki, news, wordpress

_FLAGS = ("error_page", "same_for_all")

# With a status that says so.
_HARD: dict[str, Met] = {
    "a repository of GitHub that was deleted": Met(
        source="GitHub: 404, the parallax page",
        reply=html(
            code_host(
                "Page not found · GitHub · GitHub",
                '<div class="position-relative"><img alt="404 &ldquo;This is not the web page you are looking for&rdquo;" src="data:image/png;base64,iVBORw0KGgo"></div><div class="container-xl"><p>Find code, projects, and people on GitHub:</p><form action="/search"><input type="text" name="q" placeholder="Search"><button>Search</button></form><p><a href="https://support.github.com">Contact Support</a> &mdash; <a href="https://githubstatus.com">GitHub Status</a></p></div>',
            ),
            "Server: github.com",
            "X-GitHub-Request-Id: 8C1E:2F",
            status=404,
        ),
        path="/keepers/colza-lamp",
    ),
    "a page of a manual that was renamed": Met(
        source="Sphinx with sphinx-notfound-page: 404.html",
        reply=html(
            manual(
                "Page not found",
                '<section id="page-not-found"><h1>Page not found</h1><p>Unfortunately we couldn\'t find the content you were looking for.</p><p>Try using the search box or go to the homepage.</p></section>',
            ),
            "x-rtd-path: /proxito/html/beacon/latest/404.html",
            status=404,
        ),
        path="/en/latest/guides/lamp.html",
        everywhere=True,
    ),
    "a project of PyPI that was removed": Met(
        source="PyPI: 404.html",
        reply=html(
            document(
                "Page Not Found (404) · PyPI",
                '<header class="site-header"><a class="site-header__logo" href="/">PyPI</a><form action="/search/"><input name="q" placeholder="Search projects"></form></header><div class="horizontal-section horizontal-section--medium"><div class="page-404"><h1 class="page-title">We looked everywhere but couldn\'t find this page</h1><p>And now you and the Cheese Shop are sad.</p><img src="/static/images/empty-cheese-shop.svg" alt="Empty cheese shop"><p><a href="/">Go Home</a></p></div></div><footer class="footer">Developed and maintained by the Python community, for the Python community.</footer>',
            ),
            status=404,
        ),
        path="/project/colza-lamp/",
    ),
    "a record of Zenodo that was removed": Met(
        source="Zenodo, InvenioRDM: tombstone, 410",
        reply=html(
            portal(
                "Gone | Zenodo",
                '<div class="ui container"><h1><i aria-hidden="true" class="frown icon"></i> Gone</h1><p>The record you are trying to access was removed from Zenodo. The metadata of the record is kept for archival purposes.</p><dl><dt>Reason for removal</dt><dd>Spam</dd><dt>Removal date</dt><dd>March 3, 2025</dd><dt>Citation</dt><dd>Keeper, J. (2024). Free coins 2024. Zenodo. https://doi.org/10.5281/zenodo.1000042</dd></dl></div>',
                name="Zenodo",
            ),
            status=410,
        ),
        path="/records/1000042",
    ),
    "an item of DSpace that is unknown": Met(
        source="DSpace 7: 404.page-not-found, rendered on the server",
        reply=html(
            portal(
                "Page not found :: University Repository",
                '<ds-page-not-found class="ng-star-inserted"><div class="page-not-found container"><h1>404</h1><h2><small>Page not found</small></h2><br><p>We can\'t find the page you\'re looking for. The page may have been moved or deleted. You can use the button below to get back to the home page.</p><br><p class="text-center"><a href="/home" class="btn btn-primary">Take me to the home page</a></p></div></ds-page-not-found>',
                name="University Repository",
                head='<meta name="Generator" content="DSpace 7.6.3">',
            ),
            "X-Powered-By: Express",
            status=404,
        ),
        path="/handle/10568/42424",
    ),
    "a file of a wiki that was deleted, in Spanish": Met(
        source="MediaWiki: nofile (es), 404",
        reply=html(
            mediawiki(
                "Archivo:Faro del dique 1874.jpg",
                '<div id="mw-imagepage-nofile"><p>No existe ningún archivo con este nombre.</p></div><div class="noarticletext"><p>En este momento no hay texto en esta página. Puedes buscar el título de esta página en otras páginas o buscar en los registros relacionados.</p></div>',
                lang="es",
                name="Farología",
            ),
            status=404,
        ),
        path="/wiki/Archivo:Faro_del_dique_1874.jpg",
        lang="es",
    ),
    "a page of the British government that was withdrawn": Met(
        source="GOV.UK: 410, The page you're looking for is no longer available",
        reply=html(
            portal(
                "The page you’re looking for is no longer available - GOV.UK",
                '<div class="govuk-grid-row"><div class="govuk-grid-column-two-thirds"><h1 class="govuk-heading-l">The page you’re looking for is no longer available</h1><p class="govuk-body">The information on this page has been removed because it was published in error or is out of date.</p><p class="govuk-body">You can browse from the <a href="/">homepage</a> or use the search box above to find the information you need.</p><pre>Status code: 410</pre></div></div>',
                name="GOV.UK",
            ),
            status=410,
        ),
        path="/government/publications/lights-dues-2014",
        everywhere=True,
    ),
    "an article of the Guardian that was removed": Met(
        source="The Guardian: this page has been removed, 410",
        reply=html(
            news(
                "Sorry – this page has been removed.",
                "<h1>Sorry – this page has been removed.</h1><p>This could be because it launched early, our rights have expired, there was a legal issue, or for another reason.</p><p><a href='/'>Go to the homepage</a></p>",
                name="The Guardian",
            ),
            status=410,
        ),
        path="/travel/2011/aug/14/lighthouse-breaks",
    ),
    "a page of a German authority that is no more": Met(
        source="Government Site Builder: Fehlerseite 404",
        reply=html(
            portal(
                "Schifffahrtsamt - Fehler 404",
                '<h1 class="isFirstInSlot">Fehler 404 - Seite nicht gefunden</h1><p>Die von Ihnen angeforderte Seite konnte leider nicht gefunden werden. Möglicherweise wurde die Seite verschoben, umbenannt oder ist nicht mehr verfügbar.</p><p>Bitte nutzen Sie die Suche oder die <a href="/DE/Service/Inhalt/inhalt_node.html">Inhaltsübersicht</a>.</p>',
                lang="de",
                name="Schifffahrtsamt",
            ),
            status=404,
        ),
        path="/SharedDocs/Downloads/DE/leuchtfeuer_2012.html?nn=4212",
        lang="de",
        everywhere=True,
    ),
    "a page of a Spanish city that is no more": Met(
        source="Spanish councils: La página que busca no existe",
        reply=html(
            portal(
                "Error 404 - Ayuntamiento de Puerto Viejo",
                "<h1>Lo sentimos, la página que busca no existe</h1><p>Es posible que la dirección se haya escrito mal o que el contenido se haya trasladado a nuestra nueva sede electrónica.</p><ul><li><a href='/'>Volver a la página de inicio</a></li><li><a href='/mapa-web'>Mapa web</a></li></ul>",
                lang="es",
                name="Ayuntamiento de Puerto Viejo",
            ),
            status=404,
        ),
        path="/turismo/faro.aspx",
        lang="es",
        everywhere=True,
    ),
    "a page of an Italian region that is no more": Met(
        source="Design system of Italian public bodies: Pagina non trovata",
        reply=html(
            portal(
                "Pagina non trovata - Regione Litorale",
                '<section class="container py-5"><h1>Pagina non trovata</h1><p class="lead">La pagina che stai cercando non esiste oppure è stata spostata.</p><a class="btn btn-primary" href="/">Torna alla home</a></section>',
                lang="it",
                name="Regione Litorale",
            ),
            status=404,
        ),
        path="/avvisi/2015/fari-in-concessione",
        lang="it",
        everywhere=True,
    ),
    "an article of a Japanese paper whose term has passed": Met(
        source="Japanese papers: 掲載期間が終了, 404",
        reply=html(
            news(
                "ページが見つかりません",
                "<h1>お探しのページは見つかりませんでした</h1><p>記事の掲載期間が終了したか、URLが変更された可能性があります。</p><p><a href='/'>トップページへ</a></p>",
                lang="ja",
                name="みなと新聞",
            ),
            status=404,
        ),
        path="/articles/20190412/k10011880421000.html",
        lang="ja",
        everywhere=True,
    ),
    "an old article of Sina": Met(
        source="sina.com.cn: 页面没有找到, 404",
        reply=html(
            document(
                "页面没有找到",
                '<div class="wrap"><div class="error"><p class="tit">页面没有找到</p><p><span id="cnt">5</span>秒钟之后将会带您进入新浪首页！</p><p><a href="http://www.sina.com.cn/">新浪首页</a> | <a href="http://news.sina.com.cn/">新闻</a></p></div></div><script>setTimeout(function(){location.href="http://www.sina.com.cn/"},5000)</script>',
                lang="zh",
            ),
            status=404,
        ),
        path="/c/2012-03-14/104224112233.shtml",
        lang="zh",
        everywhere=True,
    ),
    "a page of a Polish office that is no more": Met(
        source="gov.pl: Nie znaleziono strony",
        reply=html(
            portal(
                "404 - Strona nie została znaleziona - Urząd Morski",
                "<article><h1>Nie znaleziono strony</h1><p>Przepraszamy, strona, której szukasz, nie została znaleziona. Mogła zostać usunięta, zmieniono jej nazwę lub jest tymczasowo niedostępna.</p><p><a href='/'>Wróć na stronę główną</a></p></article>",
                lang="pl",
                name="Urząd Morski",
            ),
            status=404,
        ),
        path="/web/um/latarnie-2016",
        lang="pl",
        everywhere=True,
    ),
    "an article of a Turkish paper that is no more": Met(
        source="Turkish papers: Aradığınız sayfa bulunamadı",
        reply=html(
            news(
                "Sayfa Bulunamadı",
                "<h1>404</h1><h2>Aradığınız sayfa bulunamadı</h2><p>Aradığınız sayfa taşınmış, kaldırılmış veya adı değiştirilmiş olabilir.</p><a href='/'>Ana sayfaya dön</a>",
                lang="tr",
                name="Fener Postası",
            ),
            status=404,
        ),
        path="/gundem/mendirek-feneri-yeniden-yanacak-haberi-42423",
        lang="tr",
        everywhere=True,
    ),
    "an article of an Indonesian portal that is no more": Met(
        source="Indonesian portals: Halaman tidak ditemukan",
        reply=html(
            news(
                "Halaman Tidak Ditemukan",
                "<h1>Halaman Tidak Ditemukan</h1><p>Maaf, halaman yang Anda cari tidak ada atau sudah dipindahkan.</p><a href='/'>Kembali ke Beranda</a>",
                lang="id",
                name="Mercu Berita",
            ),
            status=404,
        ),
        path="/berita/d-4242424/mercusuar-tua-dibuka",
        lang="id",
        everywhere=True,
    ),
    "a good of a Ukrainian market that is no more": Met(
        source="Ukrainian shops: Сторінку не знайдено",
        reply=html(
            market(
                "Сторінку не знайдено | Маяк-маркет",
                "<h1>Сторінку не знайдено</h1><p>Схоже, ця сторінка не існує або була переміщена. Можливо, товар знято з продажу.</p><a href='/'>На головну</a>",
                lang="uk",
                name="Маяк-маркет",
            ),
            status=404,
        ),
        path="/ua/p42424242-lampa-gasova.html",
        lang="uk",
        everywhere=True,
    ),
    "a page of a Czech town that is no more": Met(
        source="Czech towns: Stránka nenalezena",
        reply=html(
            portal(
                "Stránka nenalezena | Město Přístav",
                "<h1>Stránka nenalezena</h1><p>Omlouváme se, ale požadovaná stránka neexistuje. Byla pravděpodobně přesunuta nebo odstraněna.</p><p><a href='/'>Přejít na úvodní stránku</a></p>",
                lang="cs",
                name="Město Přístav",
            ),
            status=404,
        ),
        path="/vismo/dokumenty2.asp?id_org=42&id=1042",
        lang="cs",
        everywhere=True,
    ),
    "a toot that was deleted": Met(
        source="Mastodon: errors/404",
        reply=html(
            document(
                "The page you are looking for isn't here. - harbour.social",
                '<div class="dialog"><div class="dialog__illustration"><img alt="Mastodon" src="/oops.png"></div><div class="dialog__message"><h1>The page you are looking for isn\'t here.</h1></div></div>',
            ),
            "Server: Mastodon",
            status=404,
        ),
        path="/@keeper/109911223344556677",
    ),
    "a story that its author deleted from Medium": Met(
        source="Medium: 410, The author deleted this Medium story",
        reply=html(
            document(
                "Medium",
                '<div id="root"><header><a href="/">Medium</a><a href="/m/signin">Sign in</a></header><main><p>ERROR</p><h1>410</h1><h2>The author deleted this Medium story.</h2><p>Maybe these stories will interest you instead.</p><a href="/">Home</a></main></div>',
            ),
            "Server: cloudflare",
            status=410,
        ),
        path="/@keeper/colza-and-light-42ab42ab42ab",
    ),
    "a share of Nextcloud that ended": Met(
        source="Nextcloud: core/404-file, This share does not exist or is no longer available",
        reply=html(
            document(
                "Nextcloud",
                '<div class="body-login-container update"><div class="icon-big icon-error"></div><h2>Share not found</h2><p class="infogroup">This share does not exist or is no longer available</p><p><a class="button primary" href="/index.php">Back to Nextcloud</a></p></div><footer class="guest-box"><p class="info"><a href="https://nextcloud.com">Nextcloud</a> – a safe home for all your data</p></footer>',
            ),
            status=404,
        ),
        path="/index.php/s/q4ZkT2aBcDeFgHi",
    ),
    "a file of Google Drive that does not exist": Met(
        source="Google Drive: 404, Sorry, the file you have requested does not exist",
        reply=html(
            '<!DOCTYPE html><html lang="en"><head><meta name="description" content="Web word processing, presentations and spreadsheets"><meta name="viewport" content="width=device-width, initial-scale=1.0"><link rel="shortcut icon" href="//docs.google.com/favicon.ico"><title>Page Not Found</title><meta name="referrer" content="origin"></head><body><div id="outerContainer"><div id="innerContainer"><div style="position: absolute; top: -80px;"><div style="margin: 18px 0 0 0"><a href="https://drive.google.com/"><img alt="Google Drive" src="//ssl.gstatic.com/docs/doclist/images/drive_icon_text.png" /></a></div></div><div align="center"><p class="errorMessage" style="padding-top: 50px">Sorry, the file you have requested does not exist.</p><p>Make sure that you have the correct URL and the file exists.</p><div style="background: #F0F6FF; border: 1px solid black; margin-top: 35px; padding: 10px 125px; width: 300px;"><p><strong>Get stuff done with Google Drive</strong></p><p>Apps in Google Drive make it easy to create, store and share online documents, spreadsheets, presentations and more.</p><p>Learn more at <a href="https://drive.google.com/start/apps">drive.google.com/start/apps</a>.</p></div></div></div></div></body></html>',
            "Server: GSE",
            status=404,
        ),
        path="/file/d/1ZxYwVuTsRqPoNm/view",
    ),
    "an app that was taken off Google Play": Met(
        source="Google Play: 404, We're sorry, the requested URL was not found on this server.",
        reply=html(
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not Found</title><link href="//fonts.googleapis.com/css?family=Roboto" rel="stylesheet"></head><body><div id="header-container"><a href="/store"><img src="//www.gstatic.com/android/market_images/web/play_prism.png" alt="Google Play"></a><form id="search-form" action="/store/search"><input name="q" placeholder="Search"></form></div><div id="body-content"><div class="body-content-loaded"><div id="error-section">We\'re sorry, the requested URL was not found on this server.</div></div></div></body></html>',
            status=404,
        ),
        path="/store/apps/details?id=org.keepers.colza",
    ),
    "a track of SoundCloud that was deleted": Met(
        source="SoundCloud: 404, Something went wrong on SoundCloud",
        reply=html(
            document(
                "Something went wrong on SoundCloud",
                '<div id="app"><div class="header"><a href="/">SoundCloud</a></div><div class="errorPage"><h1 class="errorTitle">We can\'t find that track.</h1><p class="errorText">Did you try to access a private track, but were denied? The person who posted it may have deleted it.</p><a href="/discover" class="sc-button">Go to the home page</a></div></div>',
            ),
            status=404,
        ),
        path="/keepers/foghorn-1968",
    ),
    "a page of Squarespace that is no more": Met(
        source="Squarespace: 404, We couldn't find the page you were looking for",
        reply=html(
            document(
                "Page not found — Breakwater Inn",
                '<header id="header"><a href="/">Breakwater Inn</a><nav><a href="/rooms">Rooms</a><a href="/book">Book</a></nav></header><main id="page"><p>We couldn\'t find the page you were looking for. This is either because:</p><ul><li>There is an error in the URL entered into your web browser. Please check the URL and try again.</li><li>The page you are looking for has been moved or deleted.</li></ul><p>You can return to our homepage by <a href="/">clicking here</a>, or you can try searching for the content you are seeking by <a href="/search">clicking here</a>.</p></main><footer>Powered by Squarespace</footer>',
                head="<!-- This is Squarespace. --><!-- breakwater-inn -->",
            ),
            "Server: Squarespace",
            status=404,
        ),
        path="/wedding-packages",
        everywhere=True,
    ),
    "a help article of Zendesk that was archived": Met(
        source="Zendesk Guide, Copenhagen: error_page.hbs",
        reply=html(
            document(
                "Page not found – Foglamp Help Center",
                '<header class="header"><div class="logo"><a href="/hc/en-us">Foglamp</a></div><a class="login" href="/access">Sign in</a></header><main role="main"><div class="container"><h1>Oops</h1><h2>The page you were looking for doesn\'t exist</h2><p class="error-page">You may have mistyped the address or the page may have moved</p><a href="/hc/en-us">Take me back to the home page</a></div></main><footer class="footer"><a href="https://www.zendesk.com/service/help-center/">Powered by Zendesk</a></footer>',
            ),
            "x-zendesk-zorg: yes",
            status=404,
        ),
        path="/hc/en-us/articles/115004242-Lamp-settings",
        everywhere=True,
    ),
    "a post of a Dutch shop with Storefront": Met(
        source="WooCommerce, Storefront: 404.php (nl)",
        reply=html(
            wordpress(
                "Pagina niet gevonden",
                '<div class="error-404 not-found"><div class="page-content"><header class="page-header"><h1 class="page-title">Oeps! Die pagina kan niet worden gevonden.</h1></header><p>Er is niets gevonden op deze locatie. Probeer te zoeken, of bekijk de onderstaande links.</p><section aria-label="Populaire producten"><h2>Populaire producten</h2><ul class="products"><li class="product"><a href="/product/misthoorn/">Misthoorn € 42,00</a></li></ul></section></div></div>',
                lang="nl",
                name="Havenlicht",
                kind="error404 woocommerce-no-js",
            ),
            status=404,
        ),
        path="/product/olielamp-1874/",
        lang="nl",
        everywhere=True,
    ),
    "Laravel's own page": Met(
        source="Laravel: errors::minimal",
        reply=html(
            document(
                "Not Found",
                '<div class="relative flex items-top justify-center min-h-screen"><div class="max-w-xl mx-auto"><div class="flex items-center"><div class="px-4 text-lg text-gray-500 border-r border-gray-400 tracking-wider">404</div><div class="ml-4 text-lg text-gray-500 uppercase tracking-wider">Not Found</div></div></div></div>',
            ),
            "Set-Cookie: XSRF-TOKEN=eyJ; path=/",
            status=404,
        ),
        path="/lights/42",
        everywhere=True,
    ),
    "Rails' own page": Met(
        source="Ruby on Rails 7: public/404.html",
        reply=html(
            document(
                "The page you were looking for doesn't exist (404)",
                '<div class="dialog"><div><h1>The page you were looking for doesn\'t exist.</h1><p>You may have mistyped the address or the page may have moved.</p></div><p>If you are the application owner check the logs for more information.</p></div>',
            ),
            "X-Request-Id: 42ab",
            status=404,
        ),
        path="/keepers/42",
        everywhere=True,
    ),
    "Tomcat's own page, in German": Met(
        source="Apache Tomcat 9: ErrorReportValve (de)",
        reply=html(
            '<!doctype html><html lang="de"><head><title>HTTP Status 404 – nicht gefunden</title><style type="text/css">body {font-family:Tahoma,Arial,sans-serif;} h1, h2, h3, b {color:white;background-color:#525D76;}</style></head><body><h1>HTTP Status 404 – nicht gefunden</h1><hr class="line" /><p><b>Type</b> Status Report</p><p><b>Beschreibung</b> Der Server hat für die angeforderte Ressource keine aktuelle Darstellung gefunden, oder ist nicht bereit, offenzulegen, dass eine solche existiert.</p><hr class="line" /><h3>Apache Tomcat/9.0.98</h3></body></html>',
            status=404,
        ),
        path="/portal/show.do?id=42",
        lang="de",
    ),
    "ASP.NET's own page": Met(
        source="ASP.NET 4: The resource cannot be found.",
        reply=html(
            '<!DOCTYPE html>\n<html>\n    <head>\n        <title>The resource cannot be found.</title>\n        <meta name="viewport" content="width=device-width" />\n    </head>\n    <body bgcolor="white">\n            <span><H1>Server Error in \'/\' Application.<hr width=100% size=1 color=silver></H1>\n            <h2> <i>The resource cannot be found.</i> </h2></span>\n            <b> Description: </b>HTTP 404. The resource you are looking for (or one of its dependencies) could have been removed, had its name changed, or is temporarily unavailable. &nbsp;Please review the following URL and make sure that it is spelled correctly.\n            <br><br>\n            <b> Requested URL: </b>/lights/list.aspx<br><br>\n            <hr width=100% size=1 color=silver>\n            <b>Version Information:</b>&nbsp;Microsoft .NET Framework Version:4.0.30319; ASP.NET Version:4.8.4718.0\n    </body>\n</html>\n',
            "X-AspNet-Version: 4.0.30319",
            status=404,
        ),
        path="/lights/list.aspx",
        everywhere=True,
    ),
    "Express has no such route": Met(
        source="Express: finalhandler, Cannot GET",
        reply=html(
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot GET /api/lamps/42</pre>\n</body>\n</html>\n',
            "X-Powered-By: Express",
            "Content-Security-Policy: default-src 'none'",
            status=404,
        ),
        path="/api/lamps/42",
        everywhere=True,
    ),
    "a cluster has nothing behind the name": Met(
        source="ingress-nginx: default backend - 404",
        reply=plain("default backend - 404", status=404, kind="text/plain; charset=utf-8"),
        path="/app/keepers",
        everywhere=True,
    ),
}

# With a 200.
_SOFT: dict[str, Met] = {
    "an item of Steam's workshop that was removed": Met(
        source="steamcommunity.com: Steam Community :: Error, 200",
        reply=html(
            document(
                "Steam Community :: Error",
                '<div id="global_header"><a href="https://store.steampowered.com/">STORE</a><a href="https://steamcommunity.com/">COMMUNITY</a></div><div class="error_ctn"><div id="message"><h2>Error</h2><h3>That item does not exist. It may have been removed by the author.</h3><p>You can return to the <a href="/workshop/">Workshop</a>.</p></div></div><div id="footer">&copy; Valve Corporation. All rights reserved.</div>',
            )
        ),
        path="/sharedfiles/filedetails/?id=424242424",
    ),
    "a good of Mercari that was deleted": Met(
        source="jp.mercari.com: 該当する商品は削除されています (scrapers' tests)",
        reply=html(
            market(
                "メルカリ - 日本最大のフリマサービス",
                '<main id="main"><div class="merEmptyState"><p>該当する商品は削除されています。</p></div><section><h2>おすすめの商品</h2><a href="/item/m1">真鍮の灯具 ¥4,200</a><a href="/item/m2">航海ランプ ¥9,800</a></section></main>',
                lang="ja",
                name="メルカリ",
            )
        ),
        path="/item/m42424242424",
        lang="ja",
    ),
    "a share of Baidu's disk that was deleted": Met(
        source="pan.baidu.com: 链接不存在, 200",
        reply=html(
            document(
                "百度网盘-链接不存在",
                '<div id="doc"><div class="hd-main"><a href="/">百度网盘</a></div><div id="bd"><div class="error-img"></div><div id="share_nofound_des" class="share-nofound-des">啊哦，你来晚了，分享的文件已经被删除了，下次要早点哟。</div><a href="/disk/main">返回首页</a></div><div class="foot">©2026 Baidu 移动开放平台 | 服务协议 | 权利声明</div></div>',
                lang="zh",
            ),
            "Server: nginx",
        ),
        path="/s/1aBcDeFgHiJkLm",
        lang="zh",
    ),
    "an article of Naver that its paper deleted": Met(
        source="Korean portals: 언론사 요청으로 삭제된 기사",
        reply=html(
            news(
                "네이버 뉴스",
                '<div class="error_area"><h2>삭제된 기사입니다.</h2><p>해당 기사는 언론사의 요청에 의해 삭제되었거나 서비스가 종료되었습니다.</p><a href="/">뉴스 홈으로 가기</a></div>',
                lang="ko",
                name="네이버 뉴스",
            )
        ),
        path="/mnews/article/042/0001042424",
        lang="ko",
    ),
    "a post of a Korean board that was deleted": Met(
        source="boards of Korea: 삭제되었거나 존재하지 않는 게시물입니다, alert",
        reply=html(
            '<html><head><meta charset="utf-8"></head><body><script>alert("삭제되었거나 존재하지 않는 게시물입니다.");history.back();</script></body></html>',
        ),
        path="/board/view.do?seq=4242",
        lang="ko",
    ),
    "an offer of France Travail that ended": Met(
        source="France Travail: L'offre que vous souhaitez afficher n'est plus disponible",
        reply=html(
            portal(
                "Offre d'emploi non disponible - France Travail",
                '<div class="panel"><h1>Offre non disponible</h1><p>L\'offre que vous souhaitez afficher n\'est plus disponible.</p><p><a href="/offres/recherche">Rechercher d\'autres offres</a></p></div>',
                lang="fr",
                name="France Travail",
            )
        ),
        path="/offres/recherche/detail/142KXYZ",
        lang="fr",
    ),
    "an offer of InfoJobs that was closed": Met(
        source="InfoJobs: Esta oferta ya no está disponible",
        reply=html(
            market(
                "Oferta no disponible - InfoJobs",
                '<div class="ij-Box"><h1>Esta oferta ya no está disponible</h1><p>La empresa ha cerrado el proceso de selección. Echa un vistazo a estas ofertas similares:</p><ul><li><a href="/of-1">Farero/a auxiliar, A Coruña</a></li><li><a href="/of-2">Técnico/a de balizas, Vigo</a></li></ul></div>',
                lang="es",
                name="InfoJobs",
            )
        ),
        path="/a-coruna/farero/of-i42ab42ab42ab",
        lang="es",
    ),
    "a position at Taleo that is filled": Met(
        source="Oracle Taleo: jobdetail.ftl, The job is no longer available",
        reply=html(
            document(
                "Job Description - Assistant Keeper",
                '<div id="ftlcontent"><div class="topbar"><a href="jobsearch.ftl">Job Search</a> <a href="mysubmissions.ftl">My Jobpage</a></div><div class="editablesection"><h1>Job Description</h1><p class="text">The job description you are trying to view is no longer available. The position may have been filled or the posting may have expired.</p><a href="jobsearch.ftl">Search for other jobs</a></div></div>',
            ),
            "Server: Taleo Web Server 8",
        ),
        path="/careersection/2/jobdetail.ftl?job=19000424",
    ),
    "an advert of a French market that ended": Met(
        source="French markets: Cette annonce n'est plus disponible",
        reply=html(
            market(
                "Annonce introuvable",
                '<div class="empty"><h1>Cette annonce n\'est plus disponible</h1><p>Elle a peut-être été supprimée par son auteur ou le bien a été vendu.</p><a href="/recherche">Voir les annonces similaires</a></div>',
                lang="fr",
                name="Bon Quai",
            )
        ),
        path="/ad/nautisme/2424242424",
        lang="fr",
    ),
    "an advert of Divar that expired": Met(
        source="Persian markets: این آگهی منقضی شده است (tests of readers)",
        reply=html(
            market(
                "آگهی حذف شده است",
                '<div class="kt-page-title"><h1>این آگهی حذف شده یا منقضی شده است</h1><p>ممکن است فروشنده آن را حذف کرده باشد. آگهی‌های مشابه را ببینید.</p><a href="/s/tehran">بازگشت به آگهی‌ها</a></div>',
                lang="fa",
                name="اسکله",
            )
        ),
        path="/v/cheragh-naftii/AZa42b",
        lang="fa",
    ),
    "an advert of an Arabic market that ended": Met(
        source="Arabic markets: هذا الإعلان لم يعد متاحاً",
        reply=html(
            market(
                "الإعلان غير متاح",
                '<div class="empty-state"><h1>هذا الإعلان لم يعد متاحاً</h1><p>ربما تم بيع السلعة أو حذف الإعلان من قبل المعلن.</p><a href="/ar/listings">تصفح إعلانات مشابهة</a></div>',
                lang="ar",
                name="الرصيف",
            )
        ),
        path="/ar/listings/42424242",
        lang="ar",
    ),
    "a product of a Vietnamese shop that is no longer sold": Met(
        source="Vietnamese shops: Sản phẩm này không tồn tại hoặc đã ngừng bán",
        reply=html(
            market(
                "Không tìm thấy sản phẩm",
                '<div class="prv-empty-page"><h1>Không tìm thấy sản phẩm</h1><p>Sản phẩm này không tồn tại hoặc đã ngừng bán.</p><a href="/shop">Quay lại cửa hàng</a></div>',
                lang="vi",
                name="Hải Đăng",
            )
        ),
        path="/den-dau-co-p4242.html",
        lang="vi",
    ),
    "a post of Telegram that was deleted": Met(
        source="t.me: widget, Post not found, 200",
        reply=html(
            '<!DOCTYPE html>\n<html>\n  <head>\n    <meta charset="utf-8">\n    <title>Telegram Widget</title>\n    <base target="_blank">\n    <link href="//telegram.org/css/widget-frame.css?72" rel="stylesheet">\n  </head>\n  <body class="widget_frame_base tgme_widget body_widget_post">\n    <div class="tgme_widget_message js-widget_message"><div class="tgme_widget_message_error">Post not found</div></div>\n    <script src="//telegram.org/js/widget-frame.js?65"></script>\n  </body>\n</html>',
            "Server: nginx/1.18.0",
        ),
        path="/breakwater/4242?embed=1",
    ),
    "an article of a system of old, by hand": Met(
        source="hand-made PHP: no such article, 200",
        reply=html(
            by_hand(
                "Lights of the coast",
                "<h2>Error</h2><p>Article #4242 does not exist in the database.</p><p><a href='news.php'>Back to the list of articles</a></p>",
            )
        ),
        path="/news.php?article=4242",
    ),
    "a Russian site of series whose page was removed": Met(
        source="DataLife Engine: Внимание, обнаружена ошибка, 200 on old versions",
        reply=html(
            wordpress(
                "Маяк смотреть онлайн",
                '<div class="berrors"><b>Внимание, обнаружена ошибка</b><br>К сожалению, данная страница была удалена по требованию правообладателя и более недоступна. Пожалуйста, воспользуйтесь поиском.</div>',
                lang="ru",
                name="Киномаяк",
            )
        ),
        path="/4242-mayak-2019.html",
        lang="ru",
    ),
    "a page of a Swedish chain that closed its old site": Met(
        source="Swedish sites: Sidan finns inte, 200",
        reply=html(
            portal(
                "Sidan finns inte",
                "<h1>Hoppsan! Sidan finns inte</h1><p>Sidan du letar efter finns inte längre eller har fått en ny adress. Prova att söka eller gå till startsidan.</p>",
                lang="sv",
                name="Fyrbolaget",
            )
        ),
        path="/Produkter/Lampor/Tabid/142/Default.aspx",
        lang="sv",
        everywhere=True,
    ),
    "a Brazilian portal that lost its archive": Met(
        source="Brazilian portals: Página não encontrada, 200",
        reply=html(
            news(
                "Página não encontrada",
                "<h1>Ops! Página não encontrada</h1><p>O conteúdo que você procura foi removido ou mudou de endereço. Use a busca ou volte para a página inicial.</p>",
                lang="pt",
                name="Folha do Molhe",
            )
        ),
        path="/noticias/2012/03/farol-reabre.html",
        lang="pt",
        everywhere=True,
    ),
}

CASES: list[Case] = [
    *(gone(name, met.source, met.site, path=met.path) for name, met in _HARD.items()),
    *(gone(name, met.source, met.site, *_FLAGS, path=met.path) for name, met in _SOFT.items()),
]
