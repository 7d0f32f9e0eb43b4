"""Pages that are there and speak of errors, ends, sales and absences."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, alive
from tests.zoo.wild.year2026_ninth.frames import (
    Seen,
    app,
    blocks,
    board,
    docs,
    market,
    office,
    seen,
    story,
)

# About errors, walls and names.
_WORDS: dict[str, Seen] = {
    "a reference on the status of what is gone for good": seen(
        "developer.mozilla.org: 410 Gone",
        docs(
            "410 Gone - HTTP | Docs",
            "<h1>410 Gone</h1><p>The HTTP <code>410 Gone</code> client error response status code indicates that the target resource is no longer available at the origin server and that this condition is likely to be permanent.</p><pre>HTTP/1.1 410 Gone\nContent-Type: text/html\n\n&lt;h1&gt;This page is gone&lt;/h1&gt;</pre>",
        ),
        "/en-US/docs/Web/HTTP/Reference/Status/410",
    ),
    "an encyclopaedia in Japanese on the error by its number": seen(
        "ja.wikipedia.org: HTTP 404",
        blocks(
            "HTTP 404 - 百科事典",
            f"<h1 id='firstHeading'>HTTP 404</h1><p>HTTP 404、またはエラーメッセージ Not Found（「未検出」「見つかりません」）は、ページが見つからないことを示すステータスコードである。</p><p>「お探しのページは見つかりませんでした」などと表示される。</p>{story('ja')}",
            lang="ja",
        ),
        "/wiki/HTTP_404",
        lang="ja",
    ),
    "an encyclopaedia in Spanish on the error by its number": seen(
        "es.wikipedia.org: Error 404",
        blocks(
            "Error 404 - Enciclopedia",
            f"<h1>Error 404</h1><p>Error 404, o no encontrado, es un código de estado HTTP que indica que el servidor no ha encontrado el recurso solicitado: «Página no encontrada».</p><h2>Véase también</h2>{story('es')}",
            lang="es",
        ),
        "/wiki/Error_404",
        lang="es",
    ),
    "an encyclopaedia in Arabic on the error by its number": seen(
        "ar.wikipedia.org: خطأ 404",
        blocks(
            "خطأ 404 - الموسوعة",
            f"<h1>خطأ 404</h1><p>خطأ 404 أو «الصفحة غير موجودة» هو رمز حالة يدل على أن الخادم لم يجد ما طُلب.</p>{story('ar', 2)}",
            lang="ar",
        ),
        "/wiki/404",
        lang="ar",
    ),
    "a guide to a component named after what is not found": seen(
        "react-router, Next.js: not-found.js",
        docs(
            "not-found.js | File conventions",
            "<h1>not-found.js</h1><p>The <code>not-found</code> file is used to render UI when the <code>notFound</code> function is thrown within a route segment.</p><pre><code>export default function NotFound() {\n  return (\n    &lt;div&gt;\n      &lt;h2&gt;Not Found&lt;/h2&gt;\n      &lt;p&gt;Could not find requested resource&lt;/p&gt;\n    &lt;/div&gt;\n  )\n}</code></pre>",
        ),
        "/docs/app/api-reference/file-conventions/not-found",
    ),
    "a thread on soft errors of a school's tool": seen(
        "ucfopen/Materia issue 306 and others: Soft 404s, as pages of the forge",
        board(
            "Soft 404s · Issue #306",
            "<h1>Soft 404s</h1><div class='comment'><p>Several 404s appear to be soft 404s, where the 404 page is returned but the status code is 200.</p><pre>HTTP/1.1 200 OK\n&lt;title&gt;Page not found&lt;/title&gt;</pre></div><div class='comment'><p>Fixed.</p></div>",
        ),
        "/ucf/materia/issues/306",
    ),
    "a question on a page of GitHub's that is not there": seen(
        "Stack Overflow: GitHub Pages site not found, There isn't a GitHub Pages site here",
        board(
            "There isn't a GitHub Pages site here. - Answers",
            f"<h1>“There isn't a GitHub Pages site here.” after a push</h1><div class='post'><p>My site shows 404 There isn't a GitHub Pages site here. What have I done?</p></div><div class='post'><p>Select a branch in the settings.</p></div>{story()}",
        ),
        "/questions/11577147/site-not-found",
    ),
    "a report on the day an edge failed": seen(
        "Cloudflare's blog: outage on November 18, 2025",
        blocks(
            "Outage on November 18, 2025",
            f"<h1>Outage on November 18, 2025</h1><p>Visitors saw “Internal server error, Error code 500” on many sites. The cause was a file of features that doubled in size.</p>{story()}",
        ),
        "/18-november-2025-outage/",
    ),
    "a help page on how to leave the waiting room": seen(
        "help centers: what does Just a moment... mean?",
        blocks(
            "What does “Just a moment...” mean?",
            f"<h1>What does “Just a moment...” mean?</h1><p>“Verify you are human” and “Checking your browser before accessing” are shown by a service in front of the site. Enable JavaScript and cookies.</p>{story()}",
        ),
        "/hc/articles/1843-just-a-moment",
    ),
    "a registrar's lesson in French on names for sale": seen(
        "registrars: comment vendre un nom de domaine",
        blocks(
            "Ce nom de domaine est à vendre : comment le faire savoir",
            f"<h1>« Ce nom de domaine est à vendre » : comment le faire savoir</h1><p>Une page de parking affiche « Ce domaine est à vendre » et un formulaire d'offre.</p>{story('fr', 2)}",
            lang="fr",
        ),
        "/aide/vendre-un-domaine",
        lang="fr",
    ),
    "a host's help in German on accounts that are suspended": seen(
        "Hilfe von Hostern: Account gesperrt, was tun?",
        blocks(
            "„This account has been suspended“ – was tun?",
            f"<h1>„This account has been suspended“ – was tun?</h1><p>Diese Meldung erscheint, wenn Ihr Webhosting-Paket gesperrt wurde, etwa wegen offener Rechnungen.</p>{story('de')}",
            lang="de",
        ),
        "/hilfe/account-suspended",
        lang="de",
    ),
    "a paper's obituary of a reader of articles": seen(
        "news of 2025: Pocket has shut down",
        blocks(
            "Pocket has shut down. Here is where to go",
            f"<article><h1>Pocket has shut down. Here is where to go</h1><p>The service is no longer available since July 8, 2025. All user data has been deleted.</p>{story('en', 2)}</article>",
        ),
        "/tech/2025/11/pocket-has-shut-down",
    ),
    "a list of services that a company has killed": seen(
        "lists of discontinued products",
        blocks(
            "Killed: a list of discontinued services",
            "<h1>Killed: a list of discontinued services</h1><ul><li>Reader, 2005–2013. It was discontinued.</li><li>Wave, 2009–2012. Shut down.</li><li>Stadia, 2019–2023. This service is no longer available.</li></ul><p>Each was loved by someone.</p>",
        ),
        "/graveyard",
    ),
    "a shop in German for shirts with an error on them": seen(
        "shops of shirts: Error 404 Shirt",
        market(
            "T-Shirt „404 – Motivation nicht gefunden“",
            "<h1>T-Shirt „404 – Motivation nicht gefunden“</h1><p class='price'>24,90 €</p><p>Größen S bis XXL, Baumwolle. Seite nicht gefunden? Dieses Shirt schon.</p><button name='add'>In den Warenkorb</button>",
            lang="de",
        ),
        "/products/error-404-shirt",
        lang="de",
    ),
    "a song named after a lost page, in Portuguese": seen(
        "letras: Página não encontrada",
        blocks(
            "Página não encontrada – letra",
            "<h1>Página não encontrada</h1><p>Procurei teu nome na rede do mar<br>Página não encontrada, foi o que ela disse<br>Voltei para o início, não sei mais entrar</p><p>Composição: E. Faroleiro. Álbum: Erro 404 (2024).</p>",
            lang="pt",
        ),
        "/faroleiro/pagina-nao-encontrada/",
        lang="pt",
    ),
    "a course in Russian on tests of what is missing": seen(
        "учебники: проверка ответа 404 в тестах",
        docs(
            "Тестируем «Страница не найдена»",
            f"<h1>Тестируем «Страница не найдена»</h1><pre><code>def test_missing(client):\n    assert client.get('/net/').status_code == 404\n    # «Такой страницы не существует»</code></pre>{story('ru')}",
            lang="ru",
        ),
        "/testing/404/",
        lang="ru",
    ),
    "a file of messages shown by a forge": seen(
        "ManvelmManucharyan/testt and others: src/local/error.js, in a view of the file",
        office(
            "testt/src/local/error.js at main",
            "<h1>error.js</h1><table><tr><td>1</td><td>export default {</td></tr><tr><td>2</td><td>  title: '404 - Page Not Found',</td></tr><tr><td>3</td><td>  description: 'Sorry, the page you are looking for does not exist.',</td></tr><tr><td>4</td><td>};</td></tr></table>",
            name="Forge",
        ),
        "/manvel/testt/blob/main/src/local/error.js",
    ),
    "a lexicon on the word for what has left": seen(
        "Wiktionary: gone",
        blocks(
            "gone - dictionary",
            "<h1>gone</h1><h2>English</h2><p>Past participle of go. Adjective: away, having left; no longer existing; used up.</p><ul><li>“Are they gone already?”</li><li>“The days of my youth are gone.”</li></ul>",
        ),
        "/wiki/gone",
    ),
    "a museum's essay on pages left blank on purpose": seen(
        "essays: This page intentionally left blank",
        blocks(
            "This page intentionally left blank",
            f"<h1>This page intentionally left blank</h1><p>Why do manuals print a sentence that makes itself untrue?</p>{story('en', 2)}",
        ),
        "/essays/intentionally-left-blank",
    ),
    "a page of a status says that errors were resolved": seen(
        "status pages: resolved incidents",
        app(
            "Harbor Status",
            "<h1>All Systems Operational</h1><section><h2>Past incidents</h2><h3>Some pages returned 404 errors</h3><p>Resolved - This incident has been resolved.</p><p>Identified - Pages could not be found for some visitors.</p></section>",
        ),
        "/incidents/l843lamp",
    ),
    "a poem in Chinese of a page that is lost": seen(
        "诗集: 页面不存在",
        blocks(
            "《页面不存在》",
            f"<h1>页面不存在</h1><p>灯灭以后，海还在翻页。</p>{story('zh', 2)}",
            lang="zh",
        ),
        "/poems/1843",
        lang="zh",
    ),
    "a manual of a proxy that lists its own pages of errors": seen(
        "manuals of servers: error_page 404 /404.html",
        docs(
            "error_page",
            "<h1>error_page</h1><pre>error_page 404             /404.html;\nerror_page 500 502 503 504 /50x.html;\nerror_page 403      http://example.com/forbidden.html;</pre><p>Defines the URI that will be shown for the specified errors.</p>",
        ),
        "/en/docs/http/error_page.html",
    ),
    "a set of lines for pages of errors, in Turkish": seen(
        "ahmetanilgur/blogfoni and others: a blog on words for errors",
        blocks(
            "404 sayfaları için 20 güzel cümle",
            f"<h1>404 sayfaları için 20 güzel cümle</h1><ol><li>Aradığınız sayfa bulunamadı.</li><li>Sanırım kayboldunuz.</li></ol>{story('tr', 2)}",
            lang="tr",
        ),
        "/blog/404-cumleleri",
        lang="tr",
    ),
}

# What has ended, is sold out, archived or old, and has its page still.
_ENDS: dict[str, Seen] = {
    "a job whose date has passed, with its text, since links to jobs are to last": seen(
        "numfocus/jobs-board issue 25: the permalinks to the job are meant to remain active",
        blocks(
            "Lamp software engineer",
            f"<div class='banner'>This posting has expired.</div><h1>Lamp software engineer</h1><p>Deadline: 31 January 2022. The post is for two years at the observatory.</p><h2>Duties</h2>{story()}",
        ),
        "/job/2021-12-03_lamp",
    ),
    "a job of a network that takes no more applications": seen(
        "MadsLorentzen/ai-job-search pull request 383: No longer accepting applications, with the text",
        app(
            "Harbor Lights hiring Keeper in Pier 4",
            f"<h1>Keeper</h1><figure class='closed-job'><figcaption class='closed-job__flavor--closed'>No longer accepting applications</figcaption></figure><div class='description__text'>{story('en', 2)}</div>",
        ),
        "/jobs/view/keeper-at-harbor-lights-4374001843",
    ),
    "a lamp in Italian that was sold stays up with its badge": seen(
        "morrolinux/subito-it-searcher issue 21: item-sold-badge, Venduto",
        market(
            "Lampada a petrolio del 1843",
            f"<span class='item-sold-badge'>Venduto</span><h1>Lampada a petrolio del 1843</h1><p>120 €, Trieste. Vetro originale, stoppino nuovo.</p>{story('it')}",
            lang="it",
        ),
        "/arredamento/lampada-1843.htm",
        lang="it",
    ),
    "a lamp in German that was sold stays up with its badge": seen(
        "DanielWTE/ebay-kleinanzeigen-api pull request 7: status sold, data-soldlabel",
        market(
            "Petroleumlampe, Messing",
            f"<h1 id='viewad-title' data-soldlabel='Verkauft'>Verkauft • Petroleumlampe, Messing</h1><p>45 € VB, 18439 Stralsund</p><p>Nur Abholung.</p>{story('de')}",
            lang="de",
        ),
        "/s-anzeige/petroleumlampe-messing/2418431843-240-1843",
        lang="de",
    ),
    "a house in Dutch that was sold stays up with its rooms": seen(
        "whchien/funda-scraper issue 51: sold listings, Verkocht",
        market(
            "Vuurtorenweg 43 – Verkocht",
            f"<span class='label'>Verkocht</span><h1>Vuurtorenweg 43</h1><dl><dt>Woonoppervlakte</dt><dd>143 m²</dd><dt>Verkoopdatum</dt><dd>11 november 2025</dd></dl>{story('nl')}",
            lang="nl",
        ),
        "/detail/koop/verkocht/huis-vuurtorenweg-43/43181843/",
        lang="nl",
    ),
    "a lantern that is out of stock in French": seen(
        "boutiques: Rupture de stock, prévenez-moi",
        market(
            "Lanterne de brume",
            f"<h1>Lanterne de brume</h1><p class='price'>89 €</p><p class='stock'>Rupture de stock</p><form><input type='email'><button>Me prévenir</button></form>{story('fr')}",
            lang="fr",
            more='<script type="application/ld+json">{"@type":"Product","name":"Lanterne de brume","offers":{"availability":"https://schema.org/OutOfStock"}}</script>\n',
        ),
        "/produits/lanterne-de-brume",
        lang="fr",
    ),
    "a lantern that is out of stock in Japanese": seen(
        "通販: 在庫切れ, 再入荷お知らせ",
        market(
            "霧笛ランタン",
            f"<h1>霧笛ランタン</h1><p>12,800円（税込）</p><p>在庫切れ 入荷未定</p><button>再入荷のお知らせを受け取る</button>{story('ja')}",
            lang="ja",
        ),
        "/shop/g/g1843/",
        lang="ja",
    ),
    "a lantern that was sold out in Korean": seen(
        "쇼핑몰: 품절, 재입고 알림",
        market(
            "안개 등",
            f"<h1>안개 등</h1><p>48,000원</p><strong>일시 품절된 상품입니다</strong><button>재입고 알림 신청</button>{story('ko')}",
            lang="ko",
        ),
        "/goods/view?no=1843",
        lang="ko",
    ),
    "a camera that its maker makes no more, with its manuals, in Spanish": seen(
        "fabricantes: Producto descatalogado, con manuales",
        office(
            "LX-43 – Producto descatalogado",
            "<h1>LX-43</h1><p>Este producto está descatalogado y ya no se encuentra a la venta.</p><h2>Descargas</h2><ul><li><a href='/d/lx43-manual.pdf'>Manual (PDF, 4 MB)</a></li><li><a href='/d/lx43-fw.zip'>Firmware 1.8</a></li></ul><h2>Especificaciones</h2><table><tr><td>Peso</td><td>843 g</td></tr></table>",
            lang="es",
        ),
        "/soporte/productos/lx-43",
        lang="es",
    ),
    "a repository that its owner archived": seen(
        "GitHub: This repository was archived by the owner. It is now read-only.",
        office(
            "keeper/lamp: A lamp in C",
            "<div class='flash-warn'>This repository was archived by the owner on Mar 1, 2025. It is now read-only.</div><h1>keeper/lamp</h1><h2>README</h2><p>A lamp in C. Build with make.</p><table><tr><td>wick.c</td><td>Trim by default</td></tr></table>",
            name="Forge",
        ),
        "/keeper/lamp",
    ),
    "a package that its author deprecated": seen(
        "npmjs.com: This package has been deprecated",
        app(
            "wick - npm",
            f"<div class='deprecated'><h3>This package has been deprecated</h3><p>Author message: no longer maintained, use wick2.</p></div><h1>wick</h1><p>1.8.43 • Public • Published 4 years ago</p><h2>Readme</h2>{story()}",
        ),
        "/package/wick",
    ),
    "a release that was yanked": seen(
        "pypi.org: This release has been yanked",
        office(
            "lamp · PyPI",
            f"<h1>lamp 1.8.3</h1><div class='callout'>This release has been yanked. Reason: broken metadata.</div><p>pip install lamp==1.8.3</p><h2>Project description</h2>{story()}",
            name="PyPI",
        ),
        "/project/lamp/1.8.3/",
    ),
    "a preprint that was withdrawn has its page and its reason": seen(
        "arXiv: This paper has been withdrawn by",
        office(
            "[2504.01843] On the curvature of fog",
            "<h1>On the curvature of fog</h1><p>This paper has been withdrawn by E. Keeper.</p><blockquote>Abstract: We show that fog is curved.</blockquote><p>Comments: Withdrawn owing to an error in Lemma 4. No PDF available for the latest version; see v1.</p><h2>Submission history</h2>",
            name="arXiv",
        ),
        "/abs/2504.01843",
    ),
    "an evening that is over has its page with the pictures": seen(
        "Eventbrite, Meetup: This event has ended",
        blocks(
            "Night at the lamp",
            f"<p class='status'>This event has ended. Sales ended on 11 Nov 2025.</p><h1>Night at the lamp</h1>{story('en', 2)}<h2>About the organizer</h2>",
        ),
        "/e/night-at-the-lamp-1843",
    ),
    "an auction that is over shows what was paid": seen(
        "auction houses: Bidding ended, Sold for",
        market(
            "Lot 43: a first-order lens",
            f"<h1>Lot 43: a first-order lens</h1><p>Bidding ended 11 November 2025. Sold for £18,430.</p>{story()}",
        ),
        "/lots/43",
    ),
    "a call for tenders in Polish that was cancelled": seen(
        "platformy zakupowe: postępowanie unieważnione",
        office(
            "Remont latarni – postępowanie unieważnione",
            f"<h1>Remont latarni morskiej</h1><p>Status: postępowanie unieważnione. Termin składania ofert minął 3 listopada 2025.</p>{story('pl')}<h2>Załączniki</h2>",
            lang="pl",
        ),
        "/transakcja/101843",
        lang="pl",
    ),
    "a thread in Ukrainian that was closed": seen(
        "форуми: Тему закрито",
        board(
            "Гніт для лампи",
            f"<p class='locked'>Тему закрито. Ви не можете відповідати.</p><h1>Гніт для лампи</h1><div class='post'>{story('uk')}</div><div class='post'><p>Дякую!</p></div>",
            lang="uk",
        ),
        "/viewtopic.php?t=43",
        lang="uk",
    ),
    "a documentation of a version without support, in Chinese": seen(
        "文档: 此版本已不再维护",
        docs(
            "灯具 1.x 手册",
            f"<div class='admonition'>此版本的文档已不再维护，请查看最新版本。</div><h1>安装</h1>{story('zh', 2)}",
            lang="zh",
        ),
        "/docs/1.x/install",
        lang="zh",
    ),
    "an account that moved to another server": seen(
        "Mastodon: has indicated that their new account is now",
        app(
            "Keeper (@keeper)",
            "<p>Keeper has indicated that their new account is now: @keeper@other.example</p><h1>Keeper</h1><p>1,843 posts. Lamps, fog, seals.</p><article><p>Fog again.</p></article>",
        ),
        "/@keeper",
    ),
    "an article under discussion for its deletion": seen(
        "Wikipedia in German: Dieser Artikel wurde zur Löschung vorgeschlagen",
        blocks(
            "Dochtschere – Enzyklopädie",
            f"<div class='hinweis'>Dieser Artikel wurde zur Löschung vorgeschlagen. Falls du Autor des Artikels bist, lies dir bitte durch, was ein Löschantrag bedeutet.</div><h1>Dochtschere</h1>{story('de', 2)}",
            lang="de",
        ),
        "/wiki/Dochtschere",
        lang="de",
    ),
    "a bug that nobody will mend": seen(
        "Bugzilla: RESOLVED WONTFIX, Product no longer supported",
        office(
            "1843 – Lamp not found at startup",
            "<h1>Bug 1843 - Lamp not found at startup</h1><table><tr><th>Status</th><td>RESOLVED WONTFIX</td></tr><tr><th>Version</th><td>unsupported</td></tr></table><div class='bz_comment'><p>It says “error: lamp not found” and exits.</p></div>",
            name="Bugzilla",
        ),
        "/show_bug.cgi?id=1843",
    ),
    "a tower in Swedish that is closed for the winter": seen(
        "museums: stängt för säsongen",
        blocks(
            "Fyrtornet",
            f"<h1>Fyrtornet</h1><p>Stängt för säsongen. Vi öppnar igen den 1 maj.</p>{story('sv', 2)}",
            lang="sv",
        ),
        "/besok/fyrtornet",
        lang="sv",
    ),
    "a petition in Portuguese that is closed": seen(
        "petições: Esta petição está encerrada, 4.312 apoiadores",
        blocks(
            "Salvem o farol",
            f"<p>Esta petição está encerrada. 4.312 apoiadores.</p><h1>Salvem o farol</h1>{story('pt', 2)}",
            lang="pt",
        ),
        "/p/salvem-o-farol",
        lang="pt",
    ),
    "a shelter of France that burned down has its page": seen(
        "encyclopédies: bâtiment disparu",
        blocks(
            "Refuge du Phare (disparu)",
            f"<h1>Refuge du Phare</h1><p>Le refuge a été détruit en 1987 et n'existe plus.</p>{story('fr', 2)}",
            lang="fr",
        ),
        "/wiki/Refuge_du_Phare",
        lang="fr",
    ),
    "a course in Hindi whose places are taken": seen(
        "पाठ्यक्रम: पंजीकरण बंद",
        office(
            "दीप प्रशिक्षण",
            f"<h1>दीप प्रशिक्षण</h1><p>पंजीकरण बंद हो चुका है। अगला सत्र जनवरी में।</p>{story('hi', 2)}",
            lang="hi",
        ),
        "/courses/deep",
        lang="hi",
    ),
    "a law in Greek that was repealed, with its text": seen(
        "νομοθεσία: Καταργήθηκε, με το κείμενό του",
        office(
            "Νόμος 1843/1988 – Καταργήθηκε",
            f"<p>Ο νόμος αυτός καταργήθηκε.</p><h1>Νόμος 1843/1988 περί φάρων</h1>{story('el', 2)}",
            lang="el",
        ),
        "/nomos/1843-1988",
        lang="el",
    ),
    "an app that left one country's store and is in its other ones": seen(
        "stores of apps: not available in your region, with its description",
        app(
            "Foghorn – App",
            f"<h1>Foghorn</h1><p>4.8 stars, 1,843 ratings. Not available for your device.</p><h2>Description</h2>{story()}<h2>What's new</h2><p>1.8.43: quieter.</p>",
        ),
        "/us/app/foghorn/id1018430001",
    ),
}

CASES: list[Case] = [
    alive(name, each.source, each.site, path=each.path)
    for part in (_WORDS, _ENDS)
    for name, each in part.items()
]
