"""Pages that are gone, with a status that says so: the templates that links in manuals meet most."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, Reply, gone, plain
from tests.zoo.wild.year2026_seventh.frames import (
    Met,
    alone,
    app,
    blog,
    counter,
    forum,
    manual,
    met,
    office,
    paper,
    story,
)

_BLOGS: dict[str, Met] = {
    "a post that a theme of Ghost called Source does not find": met(
        "TryGhost/Source: error-404.hbs, 404",
        alone(
            "404 — Page not found",
            "<main class='gh-main'><section class='gh-error'><h1 class='gh-error-code'>404</h1><p class='gh-error-description'>Page not found</p><a class='gh-error-link' href='/'>Go to the front page →</a></section></main>",
            head='<meta name="generator" content="Ghost 6.2">',
        ),
        "/the-float-that-sank/",
        status=404,
    ),
    "a post that PaperMod does not find": met(
        "adityatelange/hugo-PaperMod: layouts/404.html, 404",
        alone(
            "404 Page not found | Mole notes",
            "<header class='header'><a href='/'>Mole notes</a></header><main class='main'><div class='not-found'>404</div></main><footer><span>Powered by <a href='https://gohugo.io/'>Hugo</a> &amp; PaperMod</span></footer>",
        ),
        "/posts/reading-the-float/",
        "Server: GitHub.com",
        status=404,
    ),
    "a guide that Docsy does not find": met(
        "google/docsy: layouts/404.html, Oops! This page doesn't exist., 404",
        office(
            "404 Page not found | Gauge",
            "<div class='td-content'><h1>Not found</h1><p>Oops! This page doesn't exist. Try going back to our <a href='/'>home page</a>.</p><p>You can learn how to make a 404 page like this in <a href='https://gohugo.io/templates/404/'>Custom 404 Pages</a>.</p></div>",
            name="Gauge",
        ),
        "/docs/tasks/calibrate/",
        "Server: Netlify",
        status=404,
    ),
    "a page that Jekyll does not find on GitHub's pages": met(
        "jekyll/minima: 404.html, 404",
        alone(
            "404",
            "<div class='container'><h1>404</h1><p><strong>Page not found :(</strong></p><p>The requested page could not be found.</p></div>",
        ),
        "/2018/03/12/well-cleaning.html",
        "Server: GitHub.com",
        status=404,
    ),
    "a page of a handbook that Docusaurus does not find": met(
        "facebook/docusaurus: theme-classic NotFound/Content, 404",
        app(
            "Page Not Found | Gauge",
            "<nav class='navbar'><a href='/'>Gauge</a><a href='/docs/intro'>Docs</a></nav><main class='container margin-vert--xl'><div class='row'><div class='col col--6 col--offset-3'><h1 class='hero__title'>Page Not Found</h1><p>We could not find what you were looking for.</p><p>Please contact the owner of the site that linked you to the original URL and let them know their link is broken.</p></div></div></main>",
        ),
        "/docs/2.x/float-well",
        "Server: GitHub.com",
        status=404,
    ),
    "a page that Material for MkDocs does not find in French": met(
        "squidfunk/mkdocs-material: 404.html, 404",
        alone(
            "Manuel du marégraphe",
            "<header class='md-header'><a href='/'>Manuel du marégraphe</a></header><main class='md-main'><article class='md-content__inner md-typeset'><h1>404 - Not found</h1></article></main><footer>Made with Material for MkDocs</footer>",
            lang="fr",
        ),
        "/guide/nettoyage/",
        lang="fr",
        status=404,
    ),
    "a post that Twenty Twenty-Four does not find": met(
        "WordPress, Twenty Twenty-Four: patterns/hidden-404.php, 404",
        blog(
            "Page not found – Tidewrack",
            "<h1 class='wp-block-heading'>Page Not Found</h1><p>The page you are looking for does not exist, or it has been moved. Please try searching using the form below.</p><form role='search' class='wp-block-search'><input type='search' name='s'></form>",
        ),
        "/2016/11/a-gauge-in-the-fog/",
        "X-Powered-By: PHP/8.3.14",
        status=404,
    ),
    "a post that Astra does not find": met(
        "WordPress, Astra: This page doesn't seem to exist., 404",
        blog(
            "Page not found - Tidewrack",
            "<section class='error-404 not-found'><h1 class='page-title'>This page doesn't seem to exist.</h1><div class='page-sub-title'>It looks like the link pointing here was faulty. Maybe try searching?</div><form class='search-form'><input name='s'></form></section>",
        ),
        "/shop-news/ropes/",
        status=404,
    ),
    "a post that Divi does not find": met(
        "WordPress, Divi: No Results Found, 404",
        blog(
            "Page not found | Tidewrack",
            "<div class='et_pb_post'><h1 class='not-found-title'>No Results Found</h1><p>The page you requested could not be found. Try refining your search, or use the navigation above to locate the post.</p></div>",
        ),
        "/project/mole-lamp/",
        status=404,
    ),
    "a post that Hello does not find in German": met(
        "WordPress, Hello Elementor in German: 404.php",
        blog(
            "Seite nicht gefunden – Strandgut",
            "<header class='page-header'><h1 class='entry-title'>Diese Seite kann nicht gefunden werden.</h1></header><div class='page-content'><p>Es sieht so aus, als ob an dieser Stelle nichts gefunden wurde.</p></div>",
            lang="de",
            name="Strandgut",
        ),
        "/vereinsfahrt-2017/",
        lang="de",
        status=404,
    ),
    "a post that GeneratePress does not find in Polish": met(
        "WordPress, GeneratePress: Oops! That page can’t be found., pl, 404",
        blog(
            "Nie znaleziono strony – Falochron",
            "<h1 class='entry-title'>Ups! Nie można znaleźć tej strony.</h1><p>Wygląda na to, że nic tu nie ma. Może warto spróbować wyszukać?</p>",
            lang="pl",
            name="Falochron",
        ),
        "/2015/06/regaty/",
        lang="pl",
        status=404,
    ),
    "a post that a theme for papers does not find in Portuguese": met(
        "WordPress, Newspaper: Ooops... Error 404, pt-br",
        blog(
            "Página não encontrada - O Molhe",
            "<div class='td-404-title'>Ooops... Erro 404</div><div class='td-404-sub-title'>Desculpe, mas a página que você está procurando não existe.</div><div class='td-404-sub-sub-title'>Você pode ir para a <a href='/'>PÁGINA INICIAL</a></div><h4>NOSSAS ÚLTIMAS POSTAGENS</h4><ul><li><a href='/2026/09/mare/'>A maré de setembro</a></li></ul>",
            lang="pt",
            name="O Molhe",
        ),
        "/noticias/pesca-2019/",
        lang="pt",
        status=404,
    ),
}

_SYSTEMS: dict[str, Met] = {
    "a node that Drupal does not find in German": met(
        "Drupal 11, Olivero: Die angeforderte Seite konnte nicht gefunden werden., 404",
        office(
            "Seite nicht gefunden | Hafenamt",
            "<h1 class='page-title'>Seite nicht gefunden</h1><div class='region'>Die angeforderte Seite konnte nicht gefunden werden.</div>",
            lang="de",
            name="Hafenamt",
            head='<meta name="Generator" content="Drupal 11 (https://www.drupal.org)">',
        ),
        "/node/1864",
        "X-Generator: Drupal 11 (https://www.drupal.org)",
        lang="de",
        status=404,
    ),
    "an article that Joomla does not find in French": met(
        "Joomla 5 in French: templates/cassiopeia/error.php",
        office(
            "Erreur : 404 Article introuvable",
            "<h1 class='page-header'>La page demandée est introuvable.</h1><div class='card'><p><strong>Une erreur s'est produite lors du traitement de votre requête.</strong></p><p>Il se peut que vous ne puissiez pas visiter cette page en raison de :</p><ul><li>un favori obsolète</li><li>une adresse mal saisie</li></ul><blockquote><span class='badge bg-secondary'>404</span> Article introuvable</blockquote></div>",
            lang="fr",
            name="Capitainerie",
        ),
        "/index.php/le-port/42-le-maregraphe",
        lang="fr",
        status=404,
    ),
    "a page that TYPO3 tells why it lost": met(
        "TYPO3 13: ErrorPageController, 404",
        alone(
            "Page Not Found",
            "<div class='message'><h1>Page Not Found</h1><p>The page did not exist or was inaccessible. Reason: ID was not an accessible page</p></div><footer>Provided by TYPO3 CMS</footer>",
        ),
        "/index.php?id=1864",
        status=404,
    ),
    "a page that Plone does not find in German": met(
        "Plone in German: default_error_message, NotFound",
        office(
            "Hafenamt",
            "<article id='content'><h1 class='documentFirstHeading'>Diese Seite scheint nicht zu existieren…</h1><p>Wir bitten um Entschuldigung für die Unannehmlichkeiten, aber die angeforderte Seite befindet sich nicht an dieser Stelle.</p><p>Möglicherweise haben Sie nach einem dieser Artikel gesucht:</p><ul><li><a href='/pegel'>Der Pegel</a></li></ul></article>",
            lang="de",
            name="Hafenamt",
        ),
        "/amt/satzung-2004",
        "Server: Zope/(5.11)",
        lang="de",
        status=404,
    ),
    "a page that Odoo does not find": met(
        "odoo/odoo: website, http_routing.404",
        counter(
            "404",
            "<div id='wrap'><div class='container'><h1 class='mb-4'>Error 404</h1><p>We couldn't find the page you're looking for!</p><p>Maybe you were looking for one of these <b>popular pages?</b></p><ul><li><a href='/shop'>Shop</a></li><li><a href='/contactus'>Contact us</a></li></ul></div></div>",
        ),
        "/shop/product/hemp-line-42",
        status=404,
    ),
    "a page that Concrete CMS does not find": met(
        "concretecms: single_pages/page_not_found, 404",
        office(
            "Page Not Found :: Harbour Office",
            "<h1 class='error'>Page Not Found</h1><p>No page could be found at this address.</p><p>Or visit another page below:</p><ul class='nav'><li><a href='/library'>Library</a></li></ul><a href='/'>Back to Home</a>.",
        ),
        "/visit/opening-hours",
        status=404,
    ),
    "a page that a site of Wix does not find": met(
        "Wix: the page for errors, There's Nothing Here..., 404",
        app(
            "404 | Ropewalk",
            "<div id='SITE_CONTAINER'><h1>404</h1><h2>There’s Nothing Here...</h2><p>We can’t find the page you’re looking for. Check the URL, or head back home.</p><a href='/'>Go Home</a></div>",
            head='<meta name="generator" content="Wix.com Website Builder">',
        ),
        "/lines-and-ropes",
        "Server: Pepyaka",
        status=404,
    ),
    "a page that a site of Webflow does not find": met(
        "Webflow: .utility-page-wrap, 404",
        alone(
            "Not Found",
            "<div class='utility-page-wrap'><div class='utility-page-content'><h2>Page Not Found</h2><div>The page you are looking for doesn't exist or has been moved</div></div></div>",
            head='<meta content="Webflow" name="generator">',
        ),
        "/customers/lighthouse",
        status=404,
    ),
    "a record that JSPUI of DSpace 6 does not know": met(
        "DSpace 6, JSPUI: jsp.error.404.text, Invalid Identifier",
        office(
            "Repository: Invalid Identifier",
            "<h1>Invalid Identifier</h1><p>The identifier <em>1864/42</em> does not correspond to a valid object in the repository. This may be because of one of the following reasons:</p><ul><li>The URL of the current page is incorrect - if you followed a link from outside of DSpace it may be mistyped or corrupt.</li><li>You entered an invalid ID into a form - please try again.</li></ul><p><a href='/jspui/'>Go to the DSpace home page</a></p>",
            name="Repository",
        ),
        "/jspui/handle/1864/42",
        status=404,
    ),
    "an article that OJS does not find": met(
        "pkp/ojs: Dispatcher handle404, 404 Not Found",
        "<!DOCTYPE html><html><head><title>404 Not Found</title></head><body><h1>404 Not Found</h1></body></html>",
        "/index.php/tides/article/view/1864/42",
        status=404,
    ),
    "a page that Dataverse does not find": met(
        "IQSS/dataverse: 404.xhtml, error.404.page.title",
        office(
            "404 Not Found - Tide Dataverse",
            "<div class='alert alert-danger'><span class='glyphicon glyphicon-exclamation-sign'></span> <strong>Page Not Found</strong> - The page you are looking for was not found.</div>",
            name="Tide Dataverse",
        ),
        "/dataset.xhtml?persistentId=doi:10.5072/FK2/TIDE42",
        status=404,
    ),
    "a set of data that CKAN does not find in Spanish": met(
        "ckan: error_document_template, Conjunto de datos no encontrado, 404",
        office(
            "Error 404 - Datos del puerto",
            "<section class='error'><h1>404 No encontrado</h1><p>Conjunto de datos no encontrado</p></section>",
            lang="es",
            name="Datos del puerto",
        ),
        "/dataset/mareas-1864",
        lang="es",
        status=404,
    ),
    "a record that VuFind cannot load in German": met(
        "vufind-org/vufind: languages/de.ini, Cannot find record, 404",
        office(
            "Ein Fehler ist aufgetreten",
            "<div class='alert alert-danger'><h2>Ein Fehler ist aufgetreten</h2><p class='errorMsg'>Der Datensatz Solr:0001864 konnte nicht gefunden werden</p></div><p>Bitte wenden Sie sich an die Auskunft der Bibliothek.</p>",
            lang="de",
            name="Hafenbibliothek",
        ),
        "/Record/0001864",
        lang="de",
        status=404,
    ),
    "a page that Confluence does not find": met(
        "Confluence: pagenotfound.action, Page Not Found, 404",
        office(
            "Page Not Found - Gauge wiki",
            "<h1 id='title-text'>Page Not Found</h1><p>The page you were looking for could not be found.</p><p>Perhaps you're looking for one of the pages below?</p><ul><li><a href='/display/GA/Floats'>Floats</a></li></ul><p>Otherwise, please contact your site administrator.</p>",
            name="Gauge wiki",
        ),
        "/display/GA/Well+cleaning",
        "X-Confluence-Request-Time: 1759200000000",
        status=404,
    ),
    "an article of a help centre of Freshdesk that was deleted": met(
        "Freshdesk: The page you are looking for does not exist, 404",
        office(
            "Page not found : Ropewalk support",
            "<section class='main content rounded-6'><h2 class='heading'>We couldn't find the page you were looking for</h2><p>You may have mistyped the address or the page may have moved.</p><a href='/support/solutions'>Go to the solution home page</a></section>",
            name="Ropewalk support",
        ),
        "/support/solutions/articles/1864",
        status=404,
    ),
}

_SERVERS: dict[str, Met] = {
    "a path that Rails 8 does not know": met(
        "rails/rails: 8.0 public/404.html",
        alone(
            "The page you were looking for doesn’t exist (404 Not found)",
            "<main><article><p><strong>The page you were looking for doesn’t exist.</strong> You may have mistyped the address or the page may have moved. If you’re the application owner check the logs for more information.</p></article></main>",
            head='<meta name="robots" content="noindex, nofollow">',
        ),
        "/stations/1864",
        status=404,
    ),
    "a path that Django does not know while it debugs": met(
        "django/django: technical_404.html",
        alone(
            "Page not found at /stations/1864/",
            "<header id='summary'><h1>Page not found <small>(404)</small></h1><table class='meta'><tr><th scope='row'>Request Method:</th><td>GET</td></tr></table></header><main id='info'><p>Using the URLconf defined in <code>gauge.urls</code>, Django tried these URL patterns, in this order:</p><ol><li><code>admin/</code></li><li><code>login/</code></li></ol></main><footer id='explanation'><p>You’re seeing this error because you have <code>DEBUG = True</code> in your Django settings file.</p></footer>",
        ),
        "/stations/1864/",
        "Server: WSGIServer/0.2 CPython/3.12.7",
        status=404,
    ),
    "a path that Flask does not know": met(
        "pallets/werkzeug: NotFound.description",
        "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.</p>\n",
        "/api/heights/1864",
        "Server: gunicorn",
        status=404,
    ),
    "a path that Symfony does not know": met(
        "symfony/error-handler: error.html.php",
        alone(
            "An Error Occurred: Not Found",
            "<div class='container'><h1>Oops! An Error Occurred</h1><h2>The server returned a \"404 Not Found\".</h2><p>Something is broken. Please let us know what you were doing when this error occurred. We will fix it as soon as possible. Sorry for any inconvenience caused.</p></div>",
        ),
        "/fr/produit/aussiere",
        status=404,
    ),
    "a path that Jetty does not know": met(
        "jetty: ErrorHandler, HTTP ERROR 404 Not Found",
        '<html>\n<head>\n<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>\n<title>Error 404 Not Found</title>\n</head>\n<body>\n<h2>HTTP ERROR 404 Not Found</h2>\n<table>\n<tr><th>URI:</th><td>/tides/heights.jsp</td></tr>\n<tr><th>STATUS:</th><td>404</td></tr>\n</table>\n<hr/><a href="https://jetty.org/">Powered by Jetty:// 12.0.15</a><hr/>\n</body>\n</html>\n',
        "/tides/heights.jsp",
        status=404,
    ),
    "a file that IIS lost and hopes to be back, in German": met(
        "IIS in German: 404.htm, vorübergehend nicht verfügbar",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html><head><title>404 - Datei oder Verzeichnis wurde nicht gefunden.</title></head><body><div id="header"><h1>Serverfehler</h1></div><div id="content"><h2>404 - Datei oder Verzeichnis wurde nicht gefunden.</h2><h3>Die gesuchte Ressource wurde möglicherweise entfernt oder umbenannt, oder sie ist vorübergehend nicht verfügbar.</h3></div></body></html>',
        "/downloads/pegel_1998.pdf",
        "Server: Microsoft-IIS/10.0",
        "X-Powered-By: ASP.NET",
        lang="de",
        status=404,
    ),
    "a file that Caddy says nothing of": Met(
        source="caddyserver/caddy: an error without a body, 404",
        reply=Reply(status=404, headers=("Server: Caddy", 'Alt-Svc: h3=":443"; ma=2592000')),
        path="/files/heights-1998.csv",
    ),
    "a function that Vercel does not find": Met(
        source="Vercel: NOT_FOUND, 404",
        reply=plain(
            "The page could not be found\n\nNOT_FOUND\n\nfra1::7xk2q-1759200000000-1864abcd\n",
            "Server: Vercel",
            "X-Vercel-Error: NOT_FOUND",
            status=404,
        ),
        path="/gallery/mole.html",
    ),
    "a page that Netlify does not find": met(
        "Netlify: Page not found, Looks like you've followed a broken link, 404",
        alone(
            "Page not found",
            "<div class='main'><div class='card'><div class='header'><h1>Page not found</h1></div><div class='body'><p>Looks like you've followed a broken link or entered a URL that doesn't exist on this site.</p><p><a href='/'>← Back to our site</a></p></div></div></div>",
        ),
        "/talks/2019-tides/",
        "Server: Netlify",
        status=404,
    ),
    "a file that Firebase does not find": met(
        "Firebase Hosting: the default 404.html",
        alone(
            "Page Not Found",
            "<div id='message'><h2>404</h2><h1>Page Not Found</h1><p>The specified file was not found on this website. Please check the URL for mistakes and try again.</p><h3>Why am I seeing this?</h3><p>This page was generated by the Firebase Command-Line Interface. To modify it, edit the <code>404.html</code> file in your project's configured <code>public</code> directory.</p></div>",
        ),
        "/viewer/1864",
        status=404,
    ),
    "a page that a static web app of Azure does not find": met(
        "Azure Static Web Apps: 404: Not Found",
        alone(
            "Azure Static Web Apps - 404: Not found",
            "<h1>404: Not Found</h1><p>We couldn't find that page, please check the URL and try again.</p>",
        ),
        "/reports/1864",
        status=404,
    ),
    "a project that Bitbucket does not have": met(
        "Bitbucket Cloud: Repository not found, 404",
        office(
            "Page not found — Bitbucket",
            "<h1>Repository not found</h1><p>We looked everywhere, but we couldn't find this repository.</p><p>Use the links below to get back to Bitbucket.</p><a href='/account/signin/'>Log in</a>",
            name="Bitbucket",
        ),
        "/keeper/float/src/master/README.md",
        status=404,
    ),
    "a project that GitLab does not show": met(
        "gitlab-org/gitlab: app/views/errors/not_found.html.haml, 404",
        office(
            "Not Found",
            "<h1>404</h1><h3>Page not found</h3><p>Make sure the address is correct and the page has not moved.</p><p>Please contact your GitLab administrator if you think this is a mistake.</p><a class='btn' href='/users/sign_in'>Sign In / Register</a>",
            name="GitLab",
        ),
        "/keeper/float/-/blob/master/doc/wiring.md",
        status=404,
    ),
    "a paper that arXiv does not know by its number": met(
        "arXiv: Article identifier not recognized, 404",
        office(
            "Article not found | arXiv e-print repository",
            "<h1>Article not found</h1><p>Paper identifier '2613.18640v1' not recognized. Did you mistype the identifier?</p><p>See the <a href='/help/arxiv_identifier'>documentation on arXiv identifiers</a>.</p>",
            name="arXiv",
        ),
        "/abs/2613.18640v1",
        status=404,
    ),
    "a paste that expired or was removed": met(
        "Pastebin: Not Found (#404), 404",
        office(
            "Pastebin.com - Not Found (#404)",
            "<div class='content__title -no-border'><h1>Not Found (#404)</h1></div><div class='notice -info'>This page is no longer available. It has either expired, been removed by its creator, or removed by one of the Pastebin staff.</div>",
            name="Pastebin",
        ),
        "/Q1w2E3r4",
        "Server: cloudflare",
        "CF-RAY: 8f1c0a2b3c4d5e6f-AMS",
        status=404,
    ),
    "a book of a shop whose dogs say sorry": met(
        "Amazon: Sorry! We couldn't find that page., 404",
        alone(
            "Page Not Found",
            "<a href='/ref=cs_404_logo'><img alt='logo'></a><form action='/s'><input name='field-keywords'></form><a href='/dogsofamazon'><img alt='Sorry! We couldn&#39;t find that page. Try searching or go to the home page.' src='/error/title._TTD_.png'></a>",
        ),
        "/dp/0000018640",
        status=404,
    ),
    "a film that a database of films does not find": met(
        "IMDb: 404 Error, The requested URL was not found on our server, 404",
        office(
            "404 Error - IMDb",
            "<div class='error_code_404'><h1>404 Error</h1><p>The requested URL was not found on our server.</p><p>Go to the homepage »</p><p>\"Toto, I've a feeling we're not in Kansas any more.\"</p></div>",
            name="IMDb",
        ),
        "/title/tt18640042/",
        status=404,
    ),
    "a model that a hub of models does not have": met(
        "Hugging Face: 404, Sorry, we can't find the page you are looking for., 404",
        office(
            "404 – Hugging Face",
            "<div class='container'><h1>404</h1><p>Sorry, we can't find the page you are looking for.</p></div>",
            name="Hugging Face",
        ),
        "/keeper/tide-forecaster",
        status=404,
    ),
    "a work of an archive of fan works that was deleted": met(
        "otwarchive: public/404.html",
        office(
            "Error 404",
            "<div class='system errors'><h2 class='heading'>Error 404</h2><h3>The page you were looking for doesn't exist.</h3><p>You may have mistyped the address or the page may have been deleted.</p></div>",
            name="Archive",
        ),
        "/works/18640042",
        status=404,
    ),
    "an add-on that a store of add-ons does not find": met(
        "mozilla/addons-frontend: Oops! We can’t find that page, 404",
        app(
            "Page not found – Add-ons",
            "<div class='Errors'><h1>Oops! We can’t find that page</h1><p>If you’ve followed a link from another site for an extension or theme, that item is no longer available. This could be because:</p><ul><li>The developer removed it. Developers commonly do this because they no longer support the extension or theme, or have replaced it.</li><li>Mozilla removed it.</li></ul></div>",
        ),
        "/en-US/firefox/addon/tide-clock/",
        status=404,
    ),
    "a photograph that was deleted": met(
        "Flickr: This is not the page you’re looking for., 404",
        office(
            "Flickr: Page not found",
            "<h1>This is not the page you’re looking for.</h1><p>It seems you’re trying to find something on Flickr. Perhaps searching can help.</p><form action='/search'><input name='text'></form>",
            name="Flickr",
        ),
        "/photos/keeper/18640042/",
        status=404,
    ),
    "a film that a host of films does not find": met(
        "Vimeo: Sorry, we couldn’t find that page, 404",
        office(
            "VimeUhOh",
            "<h1 class='exception_title'>Sorry, we couldn’t find that page</h1><p>Try searching for it, or check the URL again.</p>",
            name="Vimeo",
        ),
        "/18640042",
        status=404,
    ),
}

_OTHERS: dict[str, Met] = {
    "a topic of phpBB in Spanish that does not exist": met(
        "phpBB 3.3 in Spanish: NO_TOPIC, 404",
        forum(
            "Foro del puerto - Información",
            "<div class='panel' id='message'><div class='inner'><h2 class='message-title'>Información</h2><p>El tema solicitado no existe.</p></div></div>",
            lang="es",
            name="Foro del puerto",
        ),
        "/viewtopic.php?t=1864",
        lang="es",
        status=404,
    ),
    "a thread of XenForo in German that is not found": met(
        "XenForo 2 in German: requested_thread_not_found, 404",
        forum(
            "Fehler | Seglerforum",
            "<div class='blockMessage'>Das angeforderte Thema konnte nicht gefunden werden.</div>",
            lang="de",
            name="Seglerforum",
        ),
        "/threads/pegel-defekt.1864/",
        lang="de",
        status=404,
    ),
    "a discussion of Flarum that was deleted": met(
        "flarum/framework: core.views.error.not_found, 404",
        forum(
            "Not Found - Slipway",
            "<div class='container'><p>The page you requested could not be found.</p><p><a href='/'>Return to Slipway</a></p></div>",
            name="Slipway",
        ),
        "/d/1864-float-repairs",
        status=404,
    ),
    "a community of Lemmy that was purged": met(
        "LemmyNet/lemmy-ui: error_page, 404",
        app(
            "Error! - Tide Lemmy",
            "<nav><a href='/'>Tide Lemmy</a><a href='/login'>Login</a></nav><div class='error-page container-lg text-center'><h1>There was an error on the server!</h1><p>404: couldnt_find_community</p></div>",
        ),
        "/c/tidegauges",
        status=404,
    ),
    "a film of PeerTube that was deleted, in French": met(
        "Chocobozzz/PeerTube: not-found, fr, 404",
        app(
            "404 - PeerTube du port",
            "<my-page-not-found><div class='root'><div class='box'><strong>404.</strong><span class='ms-1'>C'est une erreur.</span><div class='mt-3'><p>Nous n'avons pas trouvé de ressource liée à l'URL que vous cherchiez.</p><ul><li>Vous avez peut-être utilisé un lien obsolète ou cassé</li><li>La page a peut-être été déplacée ou supprimée</li></ul></div></div></div></my-page-not-found>",
            lang="fr",
        ),
        "/w/9xK2mareeSud",
        lang="fr",
        status=404,
    ),
    "an article of a wiki in Polish that was deleted": met(
        "MediaWiki in Polish: noarticletext and moveddeleted-notice, 404",
        office(
            "Mareograf Ostrów – Wikiport",
            "<h1 id='firstHeading'>Mareograf Ostrów</h1><div class='mw-warning-with-logexcerpt'><p>Ta strona została usunięta. Poniżej znajduje się rejestr usunięć tej strony.</p><ul><li>12:01, 4 maj 2021 Strażnik usunął stronę Mareograf Ostrów (nieencyklopedyczny)</li></ul></div><div class='noarticletext'><p>Obecnie na tej stronie nie ma żadnej treści.</p></div>",
            lang="pl",
            name="Wikiport",
        ),
        "/wiki/Mareograf_Ostr%C3%B3w",
        lang="pl",
        status=404,
    ),
    "a good of a Shopify shop in French that was deleted": met(
        "Shopify, Dawn in French: templates.404",
        counter(
            "404 Introuvable",
            "<div class='template-404 page-width'><p>404</p><h1 class='title'>Page introuvable</h1><a href='/collections/all' class='button'>Continuer les achats</a></div>",
            lang="fr",
            name="La Corderie",
        ),
        "/products/aussiere-12-mm",
        lang="fr",
        status=404,
    ),
    "a good of WooCommerce in Dutch whose page has a captcha in its footer": met(
        "WordPress in Dutch with a form of Turnstile in its footer, 404",
        blog(
            "Pagina niet gevonden – Touwslagerij",
            "<h1>Oeps! Die pagina kan niet worden gevonden.</h1><p>Er is niets gevonden op deze locatie.</p><form class='newsletter' method='post'><input type='email' name='e'><div class='cf-turnstile' data-sitekey='0x4AAA1864'></div></form><script src='https://challenges.cloudflare.com/turnstile/v0/api.js' async defer></script>",
            lang="nl",
            name="Touwslagerij",
        ),
        "/product/hennep-touw/",
        "Server: cloudflare",
        "CF-RAY: 8f1c0a2b3c4d5e70-AMS",
        lang="nl",
        status=404,
    ),
    "a page of Magento in Italian that is not found": met(
        "Magento 2 in Italian: cms/noroute",
        counter(
            "404 Not Found",
            "<div class='page-title-wrapper'><h1 class='page-title'>Ops, la pagina richiesta non è stata trovata.</h1></div><dl><dt>La pagina che hai richiesto non è stata trovata, e noi abbiamo un'idea del perché.</dt><dd><ul><li>Se hai digitato l'URL direttamente, assicurati che sia corretto.</li><li>Se hai cliccato su un link per arrivare qui, il link è obsoleto.</li></ul></dd></dl>",
            lang="it",
            name="Corderia",
        ),
        "/cima-di-canapa.html",
        lang="it",
        status=404,
    ),
    "a story of a broadcaster that was moved, under its box to sign in": met(
        "BBC: 404: Page not found, Sorry, we couldn't find that page",
        paper(
            "BBC - 404: Not Found",
            "<h1>Sorry, we couldn't find that page</h1><p>Check the page address or search for it below. You can also use our homepage, or one of the links below.</p><p><a href='/signin'>Sign in</a> to see your saved pages.</p>",
        ),
        "/news/science-environment-1864042",
        status=404,
    ),
    "a paper's story that an agreement ended, in Spanish": met(
        "papers of Spain: 410, contenido eliminado",
        paper(
            "Contenido no disponible",
            "<h1>Este contenido ya no está disponible</h1><p>La noticia fue eliminada en cumplimiento de un acuerdo de licencia.</p>",
            lang="es",
            name="El Correo del Muelle",
        ),
        "/sociedad/2014/03/04/mareografo.html",
        lang="es",
        status=410,
    ),
    "a post of a microblog in Japanese that was deleted": met(
        "mastodon: config/locales/ja.yml, errors.410",
        alone(
            "お探しのページは存在しません。 - 港どん",
            "<div class='dialog'><div class='dialog__illustration'></div><div class='dialog__message'><h1>あなたが見ようとしたページはもう存在しません。</h1></div></div>",
            lang="ja",
        ),
        "/@keeper/111864000000000042",
        "Server: Mastodon",
        lang="ja",
        status=410,
    ),
    "a page of an office under Cloudflare whose 404 asks for cookies": met(
        "sites with a banner of consent over their 404",
        office(
            "Page not found | Harbour Office",
            "<div id='CybotCookiebotDialog' role='dialog'><h2>This website uses cookies</h2><p>We use cookies to personalise content. By clicking Allow all you consent to our use of cookies. If access is denied to cookies some parts will not work.</p><button>Allow all</button></div><h1>404</h1><p>Sorry, the page you are looking for cannot be found.</p>",
        ),
        "/tenders/2017/dredging",
        "Server: cloudflare",
        "CF-RAY: 8f1c0a2b3c4d5e71-AMS",
        status=404,
    ),
    "a page of an agency that was put away with a date": met(
        "agencies of the EU: 410, This page has been archived and removed",
        office(
            "This page has been removed",
            "<h1>This page has been removed</h1><p>The consultation you are looking for closed in 2012. Its page was removed on 1 March 2021.</p><p>Earlier versions are in the <a href='https://archive-it.example/'>web archive of the institutions</a>.</p>",
        ),
        "/consultations/tides-2012_en.htm",
        status=410,
    ),
    "a manual's page for a version that was taken down": met(
        "sphinx-notfound-page: 404.rst of a project",
        manual(
            "Page not found",
            f"<section id='page-not-found'><h1>Page not found</h1><p>Unfortunately we couldn't find the content you were looking for.</p><p>The old pages for 1.x were removed in 2024.</p></section><section><h2>What this manual is</h2>{story()}</section>",
        ),
        "/en/1.4/reading/float.html",
        "Server: cloudflare",
        status=404,
    ),
}

CASES: list[Case] = [
    gone(name, each.source, each.site, path=each.path)
    for part in (_BLOGS, _SYSTEMS, _SERVERS, _OTHERS)
    for name, each in part.items()
]
