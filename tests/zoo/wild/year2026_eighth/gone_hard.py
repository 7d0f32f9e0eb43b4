"""Pages that are gone, with a status that says so."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, Reply, gone, plain
from tests.zoo.wild.year2026_eighth.frames import (
    Seen,
    bare,
    guide,
    press,
    seen,
    shell,
    stall,
    thread,
)

_GUIDES: dict[str, Seen] = {
    "VitePress speaks Chinese of a page": seen(
        "vuejs/vitepress: docs/.vitepress/config/zh.ts, notFound, 404",
        shell(
            "404 | 嫁接指南",
            "<div class='NotFound'><p class='code'>404</p><h1 class='title'>页面未找到</h1><div class='divider'></div><blockquote class='quote'>但如果你不改变方向，并且继续寻找，你可能最终会到达你所前往的地方。</blockquote><div class='action'><a class='link' href='/zh/' aria-label='前往首页'>带我回首页</a></div></div>",
            lang="zh",
        ),
        "/zh/guide/rootstocks-v1",
        "Server: GitHub.com",
        lang="zh",
        status=404,
        everywhere=True,
    ),
    "Starlight speaks German of a page": seen(
        "withastro/starlight: translations/de.json, 404.text, 404",
        guide(
            "404 | Veredeln",
            "<div class='hero'><h1 id='_top' data-page-title>404</h1><div class='tagline'>Seite nicht gefunden. Überprüfe die URL oder nutze die Suchleiste.</div></div>",
            lang="de",
        ),
        "/de/reference/configuration-old/",
        "Server: cloudflare",
        lang="de",
        status=404,
        everywhere=True,
    ),
    "mdBook has no such chapter": seen(
        "rust-lang/mdBook: Document not found (404)",
        guide(
            "Page not found - The Grafting Book",
            "<h1 id='document-not-found-404'><a class='header' href='#document-not-found-404'>Document not found (404)</a></h1><p>This URL is invalid, sorry. Please use the navigation bar or search to continue.</p>",
            name="The Grafting Book",
        ),
        "/book/ch07-whips.html",
        "Server: GitHub.com",
        status=404,
        everywhere=True,
    ),
    "Antora has no such page": seen(
        "antora-ui-default: 404.hbs, Page Not Found, 404",
        guide(
            "Page Not Found :: Graft Docs",
            "<article class='doc'><h1 class='page'>Page Not Found</h1><div class='paragraph'><p>The page you&#8217;re looking for does not exist. It may have been moved. You can <a href='javascript:history.go(-1)'>return</a> to the previous page, or follow one of the links to the left.</p></div></article>",
        ),
        "/graft/2.3/operator/budding.html",
        status=404,
        everywhere=True,
    ),
    "a starter of Gatsby has no such route": seen(
        "gatsbyjs/gatsby-starter-default: 404.js, 404",
        shell(
            "404: Not found | Orchard Trust",
            "<header><a href='/'>Orchard Trust</a></header><main><h1>404: Not Found</h1><p>You just hit a route that doesn&#39;t exist... the sadness.</p></main>",
        ),
        "/posts/spring-grafts/",
        "Server: Netlify",
        status=404,
        everywhere=True,
    ),
    "Nuxt has no such page": seen(
        "nuxt/nuxt: error-404.vue, Page not found, 404",
        bare(
            "404 - Page not found: /varieties/codlin",
            "<div class='spotlight'></div><h1>404</h1><p>Page not found: /varieties/codlin</p><a href='/'>Go back home</a>",
        ),
        "/varieties/codlin",
        "X-Powered-By: Nuxt",
        status=404,
    ),
    "a manual of a server of logs was not built for that version": seen(
        "Read the Docs: 404, The requested page does not exist or may have been removed",
        bare(
            "404 Not Found - Read the Docs Community",
            "<h1>404 Not Found</h1><p>The documentation page you requested does not exist or may have been removed.</p><p>Hosted by <a href='https://readthedocs.example'>Read the Docs</a></p>",
        ),
        "/en/0.9/api/pruner.html",
        status=404,
        everywhere=True,
    ),
}

_SYSTEMS: dict[str, Seen] = {
    "Spring has no mapping": seen(
        "spring-boot: ErrorMvcAutoConfiguration, Whitelabel Error Page, 404",
        "<html><body><h1>Whitelabel Error Page</h1><p>This application has no explicit mapping for /error, so you are seeing this as a fallback.</p><div id='created'>Fri Nov 27 10:00:00 UTC 2026</div><div>There was an unexpected error (type=Not Found, status=404).</div></body></html>",
        "/trees/1871",
        status=404,
        everywhere=True,
    ),
    "Tomcat speaks French of a resource": seen(
        "apache/tomcat: LocalStrings_fr.properties, État HTTP 404 – Non trouvé",
        '<!doctype html><html lang="fr"><head><title>État HTTP 404 – Non trouvé</title></head><body><h1>État HTTP 404 – Non trouvé</h1><hr class="line" /><p><b>Type</b> Rapport d&#39;état</p><p><b>Description</b> La ressource demandée n&#39;est pas disponible.</p><hr class="line" /><h3>Apache Tomcat/9.0.98</h3></body></html>',
        "/catalogue/fiche.jsp?id=1871",
        lang="fr",
        status=404,
        everywhere=True,
    ),
    "Laravel says it in two words of Spanish": seen(
        "laravel/framework and Laravel-Lang: 404.blade.php, No encontrado",
        bare(
            "No encontrado",
            "<div class='relative flex items-top justify-center'><div class='px-4 text-lg text-gray-500'>404</div><div class='ml-4 text-lg uppercase'>No encontrado</div></div>",
            lang="es",
        ),
        "/articulos/hoja-plateada",
        lang="es",
        status=404,
        everywhere=True,
    ),
    "ASP.NET speaks German of a resource": seen(
        "ASP.NET in German: Serverfehler in der Anwendung /., Die Ressource kann nicht gefunden werden., 404",
        "<!DOCTYPE html><html lang=\"de\"><head><title>Die Ressource kann nicht gefunden werden.</title></head><body bgcolor='white'><span><H1>Serverfehler in der Anwendung /.<hr width=100% size=1 color=silver></H1><h2> <i>Die Ressource kann nicht gefunden werden.</i> </h2></span><b> Beschreibung: </b>HTTP 404. Die gesuchte Ressource oder eine ihrer Abhängigkeiten wurde möglicherweise entfernt, umbenannt oder ist vorübergehend nicht verfügbar. <br><br><b> Angeforderter URL: </b>/Seiten/Schorf.aspx</body></html>",
        "/Seiten/Schorf.aspx",
        "X-Powered-By: ASP.NET",
        lang="de",
        status=404,
        everywhere=True,
    ),
    "Apache speaks German of an object": seen(
        "Apache: error/HTTP_NOT_FOUND.html.var, Objekt nicht gefunden!, 404",
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml" lang="de"><head><title>Objekt nicht gefunden!</title></head><body><h1>Objekt nicht gefunden!</h1><p>Der angeforderte URL konnte auf dem Server nicht gefunden werden. Sofern Sie den URL manuell eingegeben haben, überprüfen Sie bitte die Schreibweise und versuchen Sie es erneut.</p><h2>Error 404</h2><address><span>Apache</span></address></body></html>',
        "/~obst/sorten/boskoop.html",
        lang="de",
        status=404,
        everywhere=True,
    ),
    "Redmine speaks French of a page": seen(
        "redmine/redmine: config/locales/fr.yml, notice_file_not_found, 404",
        press(
            "404 - Vergers",
            "<h2>404</h2><p id='errorExplanation'>La page à laquelle vous souhaitez accéder n'existe pas ou a été supprimée.</p><p><a href='javascript:history.back()'>Retour</a></p>",
            lang="fr",
        ),
        "/issues/1871",
        lang="fr",
        status=404,
    ),
    "Forgejo has no such repository": seen(
        "forgejo: locale_en-US.ini, error.not_found, 404",
        press(
            "Page not found - Forgejo: Beyond coding. We Forge.",
            "<div class='status-page-error'><div class='status-page-error-title'>404 Not Found</div><p>The page you are trying to reach either does not exist, has been removed or you are not authorized to view it.</p></div>",
            name="Forgejo",
        ),
        "/orchard/pruner",
        name="Forgejo",
        status=404,
        everywhere=True,
    ),
    "Discourse speaks Portuguese of a topic": seen(
        "discourse/discourse: config/locales/server.pt_BR.yml, page_not_found.title, 404",
        thread(
            "Página não encontrada - Conversa de pomar",
            "<div class='page-not-found'><h1 class='title'>Opa! Essa página não existe ou é privada.</h1></div><div class='popular-topics'><h2>Popular</h2><a href='/t/garfos/3'>Garfos</a></div><div class='recent-topics'><h2>Recente</h2><a href='/t/musgo/9'>Qual musgo?</a></div>",
            lang="pt",
        ),
        "/t/cancro-em-anos-de-chuva/1871",
        lang="pt",
        status=404,
        everywhere=True,
    ),
    "PrestaShop speaks French of a product": seen(
        "PrestaShop/PrestaShop: themes/classic/templates/errors/not-found.tpl in French, 404",
        stall(
            "Page introuvable",
            "<section id='content' class='page-content page-not-found'><h4>Aucun produit disponible pour le moment</h4><p>Désolés pour le désagrément.</p><p>Effectuez une nouvelle recherche</p></section>",
            lang="fr",
            name="La Pépinière",
        ),
        "/pommiers/871-reinette.html",
        lang="fr",
        name="La Pépinière",
        status=404,
        everywhere=True,
    ),
    "OpenCart speaks Russian of a page": seen(
        "ocStore, opencart ru-ru: error/not_found.php, Запрашиваемая страница не найдена!, 404",
        stall(
            "Запрашиваемая страница не найдена!",
            "<h1>Запрашиваемая страница не найдена!</h1><p>Запрашиваемая страница не найдена.</p><a class='btn btn-primary' href='/'>Продолжить</a>",
            lang="ru",
            name="Питомник",
        ),
        "/index.php?route=product/product&product_id=1871",
        lang="ru",
        name="Питомник",
        status=404,
        everywhere=True,
    ),
    "Umbraco has no document for the address": seen(
        "umbraco/Umbraco-CMS: NotFound.cshtml, Page Not Found, 404",
        bare(
            "Page Not Found",
            "<section><article><div><h1>Page Not Found</h1><h3>No umbraco document matches the URL '/our-work/pears'.</h3><p>This page can be replaced with a custom 404. Check the documentation for \"custom 404\".</p></div></article></section>",
        ),
        "/our-work/pears",
        status=404,
        everywhere=True,
    ),
    "Squarespace has no such page": seen(
        "Squarespace: We couldn't find the page you were looking for., 404",
        press(
            "Orchard Trust",
            "<div id='sqs-404'><h2>We couldn't find the page you were looking for.</h2><p>This is either because:</p><ul><li>There is an error in the URL entered into your web browser. Please check the URL and try again.</li><li>The page you are looking for has been moved or deleted.</li></ul><p>You can return to our homepage by <a href='/'>clicking here</a>, or you can try searching for the content you are seeking.</p></div>",
        ),
        "/journal/wassail-2015",
        "Server: Squarespace",
        status=404,
        everywhere=True,
    ),
    "Drupal speaks Hungarian of a page": seen(
        "Drupal in Hungarian: A kért oldal nem található., 404",
        press(
            "Az oldal nem található | Gyümölcsös Egylet",
            "<h1 class='page-title'>Az oldal nem található</h1><p>A kért oldal nem található.</p>",
            lang="hu",
        ),
        "/node/1871",
        "X-Generator: Drupal 10 (https://www.drupal.org)",
        lang="hu",
        status=404,
        everywhere=True,
    ),
    "Flatsome speaks Vietnamese of a page": seen(
        "WordPress, Flatsome: Oops! That page can’t be found. in Vietnamese, 404",
        press(
            "Không tìm thấy trang - Vườn Thung Lũng",
            "<section class='error-404 not-found'><h1 class='page-title'>Oops! Không tìm thấy trang này.</h1><p>Có vẻ như không có gì được tìm thấy tại vị trí này. Hãy thử một trong các liên kết dưới đây hoặc tìm kiếm?</p></section>",
            lang="vi",
        ),
        "/giong-cay/tao-do/",
        lang="vi",
        status=404,
        everywhere=True,
    ),
    "a WordPress in Persian has no such page": seen(
        "WordPress in Persian: صفحه پیدا نشد, 404",
        press(
            "صفحه پیدا نشد – باغ‌های دره",
            "<h1>این برگه پیدا نشد.</h1><p>به نظر می‌رسد در این مکان چیزی پیدا نشده است. شاید جستجو کمک کند؟</p>",
            lang="fa",
        ),
        "/archives/1871",
        lang="fa",
        status=404,
        everywhere=True,
    ),
    "Blogger speaks Portuguese of a page": seen(
        "Blogger: Desculpe, a página que você está procurando neste blog não existe., 404",
        press(
            "Pomares do Vale: Página não encontrada",
            "<div class='main section'><div class='status-msg-body'>Desculpe, a página que você está procurando neste blog não existe.</div><a href='/'>Página inicial</a></div>",
            lang="pt",
        ),
        "/2013/05/enxertos.html",
        "Server: GSE",
        lang="pt",
        status=404,
        everywhere=True,
    ),
}

_RECORDS: dict[str, Seen] = {
    "a handle that nobody registered": seen(
        "hdl.handle.net: Handle Not Found, 404",
        bare(
            "Error: Handle Not Found",
            "<h1>Handle Not Found</h1><p>The requested handle 20.500.99999/1871 cannot be found.</p>",
        ),
        "/20.500.99999/1871",
        status=404,
        everywhere=True,
    ),
    "a record of a repository of research was removed": seen(
        "zenodo, invenio-app-rdm: tombstone.html, 410 Gone",
        press(
            "Gone",
            "<h1><i class='icon trash'></i> Gone</h1><p>The record you are trying to access was removed from Zenodo. The metadata of the record is kept for archival purposes.</p><dl><dt>Reason for removal</dt><dd>Copyright infringement</dd><dt>Removed by</dt><dd>Zenodo</dd></dl>",
            name="Zenodo",
        ),
        "/records/1871871",
        name="Zenodo",
        status=410,
    ),
    "Koha has no such record": seen(
        "Koha: opac-detail.tt, Record not found, 404",
        press(
            "Record not found › Orchard Library catalog",
            "<h1>Record not found</h1><p>The record you requested does not exist (1871).</p>",
            name="Orchard Library catalog",
        ),
        "/cgi-bin/koha/opac-detail.pl?biblionumber=1871",
        status=404,
    ),
    "Trac has no such ticket": seen(
        "edgewall/trac: Ticket does not exist, Invalid ticket number, 404",
        press(
            "Invalid ticket number – Pruner",
            "<div id='content' class='error'><h1>Error: Invalid ticket number</h1><p class='message'>Ticket 1871 does not exist.</p><div id='help'><strong>Note:</strong> See <a href='/wiki/TracTickets'>TracTickets</a> for help on using tickets.</div></div>",
            name="Pruner",
        ),
        "/ticket/1871",
        status=404,
    ),
    "gitweb has no such project": seen(
        "git/gitweb: 404 - No such project",
        "<html><head><title>git.orchard.example Git</title></head><body><div class='page_header'><a href='/'>projects</a></div><div class='page_body'><br /><br />404 - No such project<br /></div></body></html>",
        "/?p=pruner.git;a=summary",
        status=404,
    ),
    "a deleted story of a place for stories": seen(
        "Medium: The author deleted this Medium story, 410",
        shell(
            "Medium",
            "<div><h2>410</h2><p>The author deleted this Medium story.</p><a href='/'>Homepage</a></div>",
        ),
        "/@keeper/why-we-prune-1871abcd",
        status=410,
    ),
    "a journal on LiveJournal was deleted, in Russian": seen(
        "Живой Журнал: Журнал удалён, 410 Gone",
        press(
            "Журнал удалён",
            "<h1>Журнал удалён</h1><p>Этот журнал был удалён его владельцем.</p>",
            lang="ru",
            name="Живой Журнал",
        ),
        "/18710.html",
        lang="ru",
        name="Живой Журнал",
        status=410,
        everywhere=True,
    ),
    "a page of a government was withdrawn": seen(
        "alphagov/static: 410.html.erb, The page you're looking for is no longer here, 410",
        press(
            "The page you’re looking for is no longer here - GOV.UK",
            "<h1>The page you’re looking for is no longer here</h1><p>The information on this page has been removed because it was published in error or is out of date.</p>",
            name="GOV.UK",
        ),
        "/guidance/fire-blight-orders",
        name="GOV.UK",
        status=410,
    ),
    "a page of a Korean wiki that nobody wrote": seen(
        "나무위키, MediaWiki in Korean: 해당 문서를 찾을 수 없습니다., 404",
        press(
            "부사 접목 - 과수원 위키",
            "<h1>부사 접목</h1><p>해당 문서를 찾을 수 없습니다.</p><a href='/edit/1871'>[새 문서 만들기]</a>",
            lang="ko",
        ),
        "/w/graft-1871",
        lang="ko",
        status=404,
    ),
    "a profile of a network of pictures, in Spanish": seen(
        "Instagram in Spanish: Esta página no está disponible., 404",
        shell(
            "Página no encontrada • Instagram",
            "<h2>Esta página no está disponible.</h2><p>Es posible que el enlace que has seguido sea incorrecto o que se haya eliminado la página. <a href='/'>Volver a Instagram.</a></p>",
            lang="es",
        ),
        "/huertos.del.valle.1871/",
        lang="es",
        status=404,
    ),
    "an item of a house of auctions, in Italian": seen(
        "eBay in Italian: Abbiamo cercato dappertutto, 404",
        stall(
            "Pagina di errore | eBay",
            "<h1>Abbiamo cercato dappertutto.</h1><p>Sembra che questa pagina non esista. Se hai bisogno di aiuto, visita le pagine della Guida.</p><a href='/'>Vai alla home page</a>",
            lang="it",
            name="eBay",
        ),
        "/itm/187118711871",
        lang="it",
        name="eBay",
        status=404,
    ),
    "a page of a market in Latin America": seen(
        "Mercado Libre: Parece que esta página no existe, 404",
        stall(
            "Mercado Libre",
            "<div class='ui-empty-state'><h3>Parece que esta página no existe</h3><a href='/'>Ir a la página principal</a></div>",
            lang="es",
            name="Mercado Libre",
        ),
        "/MLA-1871187118-escalera-de-poda-_JM",
        lang="es",
        name="Mercado Libre",
        status=404,
    ),
    "a video of Niconico": seen(
        "niconico: この動画は存在しないか、削除された可能性があります。, 404",
        shell(
            "ニコニコ動画",
            "<div class='ErrorMessage'><h1>お探しの動画は視聴できません</h1><p>この動画は存在しないか、削除された可能性があります。</p></div>",
            lang="ja",
        ),
        "/watch/sm1871",
        lang="ja",
        status=404,
    ),
    "an opening at Lever that was closed": seen(
        "Lever: Sorry, we couldn't find anything here, 404",
        bare(
            "Not found – 404 error",
            "<h2>Sorry, we couldn't find anything here</h2><p>The job posting you're looking for might have closed, or it has been removed. (404 error)</p><a href='/orchard'>Go to job board</a>",
        ),
        "/orchard/1871abcd-1871-4abc-8abc-1871abcd1871",
        status=404,
    ),
    "a capture that was never made": seen(
        "web.archive.org: Hrm. The Wayback Machine has not archived that URL., 404",
        press(
            "Internet Archive Wayback Machine",
            "<div id='error'><h2>Hrm.</h2><p>The Wayback Machine has not archived that URL.</p><p>This page is not available on the web because page does not exist</p></div>",
            name="Internet Archive",
        ),
        "/web/20090101000000/http://orchard.example/grafts",
        status=404,
    ),
}

_FILES: dict[str, Seen] = {
    "a raw file of a forge": Seen(
        source="raw.githubusercontent.com: 404: Not Found, text/plain, 404",
        reply=plain("404: Not Found", status=404),
        path="/orchard/pruner/master/INSTALL.md",
        everywhere=True,
    ),
    "an artefact of Artifactory": Seen(
        source="Artifactory: {errors:[{status:404,message:File not found.}]}, 404",
        reply=plain(
            '{\n  "errors" : [ {\n    "status" : 404,\n    "message" : "File not found."\n  } ]\n}',
            status=404,
            kind="application/json",
        ),
        path="/artifactory/libs-release/org/pruner/1.8/pruner-1.8.jar",
    ),
    "a page of a bucket that is a website": Seen(
        source="Amazon S3 website endpoints: Code: NoSuchKey, as HTML, 404",
        reply=Reply(
            status=404,
            headers=("Content-Type: text/html; charset=utf-8", "Server: AmazonS3"),
            body=b"<html>\n<head><title>404 Not Found</title></head>\n<body>\n<h1>404 Not Found</h1>\n<ul>\n<li>Code: NoSuchKey</li>\n<li>Message: The specified key does not exist.</li>\n<li>Key: reports/2014.html</li>\n<li>RequestId: 1871ABCD</li>\n</ul>\n<hr/>\n</body>\n</html>\n",
        ),
        path="/reports/2014.html",
        everywhere=True,
    ),
    "a model that an interface does not find": Seen(
        source="Laravel: No query results for model, 404 as JSON",
        reply=plain(
            '{"message":"No query results for model [App\\\\Models\\\\Tree] 1871"}',
            status=404,
            kind="application/json",
        ),
        path="/api/trees/1871",
    ),
}

CASES: list[Case] = [
    gone(name, each.source, each.site, path=each.path)
    for part in (_GUIDES, _SYSTEMS, _RECORDS, _FILES)
    for name, each in part.items()
]
