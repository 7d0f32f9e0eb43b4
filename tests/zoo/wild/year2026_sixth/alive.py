"""Pages that are there: they tell of what is missing, closed, empty or broken, and are none of it."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, alive
from tests.zoo.wild.year2026_sixth.frames import (
    Met,
    board,
    campus,
    daily,
    handbook,
    lone,
    met,
    shell,
    store,
    tale,
)

# About errors, by name or by subject.
_WORDS: dict[str, Met] = {
    "a standard whose changelog tells what has been removed": met(
        "open-knowledge-graphs pull request 48: w3.org/TR/owl2-overview pruned for its changelog",
        lone(
            "OWL 2 Web Ontology Language Document Overview (Second Edition)",
            "<h1>OWL 2 Web Ontology Language Document Overview (Second Edition)</h1><h2>W3C Recommendation 11 December 2012</h2><h2>1 Introduction</h2><p>OWL 2 ontologies provide classes, properties, individuals, and data values.</p><h2>Changes Since Proposed Recommendation</h2><ul><li>A sentence has been removed from the Status of this Document section.</li><li>A link that no longer exists was replaced.</li></ul>",
        ),
        "/TR/owl2-overview/",
    ),
    "a reference on a status kept back by law, in French": met(
        "MDN: 451 Unavailable For Legal Reasons, fr",
        campus(
            "451 Unavailable For Legal Reasons - HTTP | MDN",
            '<main><h1>451 Unavailable For Legal Reasons</h1><p>Le code de réponse HTTP 451 indique que la personne a demandé une ressource qui n\'est pas disponible pour des raisons légales, comme une page censurée par un gouvernement.</p><h2>Statut</h2><pre>451 Unavailable For Legal Reasons</pre><h2>Exemple</h2><pre>HTTP/1.1 451 Unavailable For Legal Reasons\nLink: &lt;https://search.example.net/legal&gt;; rel="blocked-by"</pre></main>',
            lang="fr",
            name="MDN",
        ),
        "/fr/docs/Web/HTTP/Reference/Status/451",
        lang="fr",
    ),
    "a manual of Apache on its documents of errors": met(
        "Apache HTTP Server: Custom Error Responses",
        lone(
            "Custom Error Responses - Apache HTTP Server Version 2.4",
            "<div id='page-header'><p class='menu'><a href='/mod/'>Modules</a></p></div><div id='preamble'><h1>Custom Error Responses</h1><p>Although the Apache HTTP Server provides generic error responses in the event of 4xx or 5xx HTTP status codes, these responses are rather stark.</p></div><h2>Configuration</h2><pre>ErrorDocument 500 \"Sorry, our script crashed. Oh dear\"\nErrorDocument 404 /errors/not_found.html\nErrorDocument 403 \"Sorry, you are not allowed here\"</pre>",
        ),
        "/docs/2.4/custom-error.html",
        "Server: Apache",
    ),
    "a handbook's page on a file that is called not-found": met(
        "Next.js documentation: not-found.js",
        handbook(
            "not-found.js",
            "<article><h1>not-found.js</h1><p>The <strong>not-found</strong> file is used to render UI when the notFound function is thrown within a route segment.</p><pre>export default function NotFound() {\n  return (\n    &lt;div&gt;\n      &lt;h2&gt;Not Found&lt;/h2&gt;\n      &lt;p&gt;Could not find requested resource&lt;/p&gt;\n    &lt;/div&gt;\n  )\n}</pre><h2>Reference</h2><h3>Props</h3></article>",
        ),
        "/docs/app/api-reference/file-conventions/not-found",
    ),
    "a search engine's page on soft 404s, in Spanish": met(
        "Google Search Central: errores soft 404",
        campus(
            "Errores soft 404 | Central de la Búsqueda",
            "<article><h1>Errores soft 404</h1><p>Un error soft 404 se produce cuando una URL devuelve una página en la que se indica al usuario que la página no existe y también un código de estado 200 (correcto).</p><h2>Qué hacer</h2><p>Si la página ya no está disponible, devuelve un código 404 o 410.</p></article>",
            lang="es",
            name="Central de la Búsqueda",
        ),
        "/search/docs/crawling-indexing/soft-404?hl=es",
        lang="es",
    ),
    "a change at a forge that removes a page": met(
        "Forgejo: a pull request",
        lone(
            "#42 - docs: remove the page that no longer exists - keeper/graft - Codeberg.org",
            "<nav><a href='/'>Home</a></nav><div class='issue-title'><h1>docs: remove the page that no longer exists <span class='index'>#42</span></h1></div><div class='ui label purple'>Merged</div><div class='comment'><p>The link to the old guide gives “404 Not Found: the page you are trying to reach does not exist”. This drops it.</p></div><form><textarea disabled></textarea><a href='/user/login'>Sign in to join this conversation.</a></form>",
        ),
        "/keeper/graft/pulls/42",
    ),
    "a bar that is called after an error, in Spanish": met(
        "bars and clubs named 404",
        store(
            "404 Not Found – Bar de cócteles en Valencia",
            "<h1>404 Not Found</h1><p>El bar que no encontrarás a la primera. Cócteles de autor detrás de una puerta sin cartel, de martes a sábado.</p><h2>Carta</h2><ul><li>Error de servidor – 9 €</li><li>Página perdida – 10 €</li></ul><a href='/reservas'>Reserva tu mesa</a>",
            lang="es",
        ),
        "/",
        lang="es",
    ),
    "a lost cat, in Spanish": met(
        "boards for lost animals",
        campus(
            "Gata perdida en Ruzafa – aún no se ha encontrado",
            "<h1>Gata perdida: Pera</h1><p>Se perdió el 2 de abril. Todavía no se ha encontrado. Es tricolor, tímida y lleva un collar verde.</p><p>Si la ves, llama al 600 424 242.</p>",
            lang="es",
            name="Animales perdidos",
        ),
        "/perdidos/gata-pera-4242",
        lang="es",
    ),
    "an office for things that were found, in German": met(
        "Fundbüros online: 0 Treffer",
        campus(
            "Fundbüro Online – Suchergebnis",
            "<h1>Fundbüro</h1><p>Zu Ihrer Suche „Regenschirm, grün“ wurde nichts gefunden. Fundsachen erscheinen oft erst nach einigen Tagen.</p><h2>Öffnungszeiten</h2><p>Mo–Fr 8–12 Uhr</p>",
            lang="de",
            name="Stadt Birnau",
        ),
        "/fundbuero/suche?q=regenschirm",
        lang="de",
    ),
    "a person who is missing, in Dutch": met(
        "politie.nl: Vermist",
        campus(
            "Vermist: Piet Boomgaard (72) uit Tiel",
            "<h1>Vermist: Piet Boomgaard</h1><p>Piet is sinds 2 april niet meer gezien en nog niet gevonden. Hij draagt een blauwe jas.</p><a href='/tips'>Geef een tip</a>",
            lang="nl",
            name="Politie",
        ),
        "/gezocht-en-vermist/vermiste-personen/2026/april/piet.html",
        lang="nl",
    ),
    "a film that is called page introuvable, in French": met(
        "festivals of short films",
        campus(
            "Page introuvable, court métrage de L. Verger (2024)",
            f"<article><h1>Page introuvable</h1><p>Court métrage, 14 min, France, 2024.</p><p>Une archiviste cherche la page manquante d'un registre de vergers.</p>{tale('fr')}<h2>Séances</h2></article>",
            lang="fr",
            name="Festival du court",
        ),
        "/films/page-introuvable",
        lang="fr",
    ),
    "a list of ships that went missing": met(
        "Wikipedia: List of missing ships",
        campus(
            "List of missing ships - Pomopedia",
            "<h1 id='firstHeading'>List of missing ships</h1><p>This is a list of ships that disappeared and were never found.</p><table class='wikitable'><tr><th>Year</th><th>Ship</th><th>Fate</th></tr><tr><td>1892</td><td>Pomona</td><td>Not found</td></tr><tr><td>1909</td><td>Waratah</td><td>Gone without trace</td></tr></table>",
            name="Pomopedia",
        ),
        "/wiki/List_of_missing_ships",
    ),
    "a lecture on pages that vanish, in Japanese": met(
        "library science in Japan: リンク切れ",
        campus(
            "「ページが見つかりません」をなくすために | 大学図書館",
            f"<h1>「ページが見つかりません」をなくすために</h1><p>論文に引かれたリンクの四割は十年で切れる。講演ではその理由と対策を述べる。</p>{tale('ja')}",
            lang="ja",
            name="大学図書館",
        ),
        "/lectures/2026/linkrot",
        lang="ja",
    ),
    "a glossary of a host on suspended accounts, in Portuguese": met(
        "hosts' bases of knowledge: conta suspensa",
        campus(
            "Por que minha conta foi suspensa? - Central de Ajuda",
            "<article><h1>Por que aparece “Esta conta foi suspensa” no meu site?</h1><p>A mensagem “This Account has been suspended” aparece quando há faturas em aberto, abuso ou uso excessivo.</p><h2>Como reativar</h2><ol><li>Entre na área do cliente.</li><li>Pague a fatura.</li></ol><p>Este artigo foi útil?</p></article>",
            lang="pt",
            name="Hospeda",
        ),
        "/kb/324/conta-suspensa.html",
        lang="pt",
    ),
    "a column on buying lapsed names, in Polish": met(
        "trade papers on domains: giełda domen",
        daily(
            "Ta domena jest na sprzedaż – jak działa rynek wygasłych nazw",
            f"<article><h1>„Ta domena jest na sprzedaż”. Jak działa rynek wygasłych nazw</h1><p>Połowa kupionych nazw trafia na parking z reklamami.</p>{tale('pl')}</article>",
            lang="pl",
        ),
        "/biznes/domena-na-sprzedaz-4242.html",
        lang="pl",
    ),
    "an advisory on a captcha that robots pass": met(
        "security blogs: captchas solved by agents",
        daily(
            "Verify you are human? The robots already can",
            f"<article><h1>Verify you are human? The robots already can</h1><p>“Checking your browser before accessing” used to stop scripts. In our tests, agents solved 94% of the challenges.</p>{tale()}</article>",
        ),
        "/2026/05/verify-you-are-human",
    ),
    "a survey of a state that was archived on the Web": met(
        "Canada: This page has been archived on the Web",
        campus(
            "Archived – Orchard Survey 2011",
            f"<section class='alert alert-warning'><h2>This page has been archived on the Web</h2><p>Information identified as archived is provided for reference, research or recordkeeping purposes. It is not subject to the Government of Canada Web Standards and has not been altered or updated since it was archived.</p></section><h1>Orchard Survey 2011</h1>{tale('en', 2)}",
            name="Government",
        ),
        "/reports/orchard-survey-2011.html",
    ),
    "an old manual of a version that is no longer supported": met(
        "docs.python.org: This document is for an old version of Python that is no longer supported",
        lone(
            "urllib — Open arbitrary resources by URL — Python v2.6 documentation",
            "<div id='outdated-warning' style='padding:.5em;background:#ffbaba'>This document is for an old version of Python that is no longer supported. You should upgrade, and read the Python documentation for the current stable release.</div><div class='body'><h1>urllib — Open arbitrary resources by URL</h1><p>This module provides a high-level interface for fetching data across the World Wide Web.</p><p>exception IOError: raised if the page is not found.</p></div>",
        ),
        "/2.6/library/urllib.html",
    ),
    "an article of a code that was repealed, in French": met(
        "Légifrance: Version abrogée",
        campus(
            "Article L42 (abrogé) - Code rural - Légifrance",
            "<h1>Article L42 (abrogé)</h1><p class='etat'>Version en vigueur du 01 janvier 1992 au 01 juillet 2010. Abrogé par Ordonnance n°2010-462.</p><p>Les plants de poirier destinés à la vente portent une étiquette.</p>",
            lang="fr",
            name="Légifrance",
        ),
        "/codes/article_lc/LEGIARTI000004242424",
        lang="fr",
    ),
}

# Closed, ended, out of order, in the world and not on the web.
_WORLD: dict[str, Met] = {
    "a swimming pool that is shut for its revision, in Czech": met(
        "pools of towns: plavecký bazén uzavřen",
        campus(
            "Plavecký bazén – odstávka",
            f"<h1>Bazén je do 31. 8. uzavřen</h1><p>Probíhá pravidelná technická odstávka. Sauna je v provozu.</p>{tale('cs')}",
            lang="cs",
            name="Městské lázně",
        ),
        "/bazen",
        lang="cs",
    ),
    "a mountain road that is shut, in Norwegian": met(
        "Vegvesenet: Vegen er stengt",
        campus(
            "Fv. 55 Sognefjellet – stengt",
            "<h1>Fv. 55 Sognefjellet</h1><p>Vegen er stengt på grunn av vinter. Ny vurdering 1. mai.</p><h2>Alternativ rute</h2><p>Rv. 15 Strynefjellet er åpen.</p>",
            lang="nb",
            name="Trafikk",
        ),
        "/trafikk/vei/fv55",
        lang="nb",
    ),
    "a school that is shut for snow": met(
        "districts of schools: closings and delays",
        campus(
            "School closings and delays | Orchard County",
            "<h1>All schools closed today</h1><p>Because of snow, all schools and offices are closed on Tuesday, January 20. Meals can be picked up at noon.</p>",
            name="Orchard County Schools",
        ),
        "/closings",
    ),
    "a branch of a bank that will close, in Polish": met(
        "banks: likwidacja oddziału",
        campus(
            "Oddział w Gruszkowie zostaje zamknięty",
            f"<h1>Oddział w Gruszkowie zostaje zamknięty</h1><p>Od 1 czerwca obsługę przejmuje oddział w Sadach.</p>{tale('pl')}",
            lang="pl",
            name="Bank Sadowniczy",
        ),
        "/oddzialy/gruszkow",
        lang="pl",
    ),
    "a lift that is out of order": met(
        "railways: lifts out of service",
        campus(
            "Pear Street station – accessibility",
            "<h1>Pear Street</h1><p class='alert'>Lift 2 is out of service until further notice. We are sorry for the inconvenience. Please use the lift at Orchard Road.</p><h2>Facilities</h2><ul><li>Toilets</li><li>Tickets</li></ul>",
            name="Valley Railway",
        ),
        "/stations/pear-street/",
    ),
    "a scholarship whose call has closed, in Italian": met(
        "universities: bando scaduto",
        campus(
            "Borsa di studio in pomologia – bando scaduto",
            f"<h1>Borsa di studio in pomologia</h1><p class='stato'>Bando scaduto il 30/09/2026. Le domande non sono più accettate.</p>{tale('it')}<h2>Graduatoria</h2><a href='/g.pdf'>Graduatoria definitiva</a>",
            lang="it",
            name="Università del Frutteto",
        ),
        "/bandi/2026/pomologia",
        lang="it",
    ),
    "a conference whose registration is over": met(
        "Indico: registration is closed",
        campus(
            "Pears 2026 – International Pear Symposium (14-18 September 2026): Overview · Indico",
            f"<h1>Pears 2026 – International Pear Symposium</h1><p>Registration for this event is closed.</p><p>The call for abstracts has ended.</p>{tale()}<h2>Timetable</h2>",
            name="Indico",
        ),
        "/event/4242/",
    ),
    "a house for rent that is taken, with all its rooms shown": met(
        "portals of holiday homes: fully booked, with the page kept",
        store(
            "The Pear Loft, sleeps 4",
            "<h1>The Pear Loft</h1><p class='notice'>No availability for your dates. Please choose other dates.</p><ul><li>2 bedrooms</li><li>Wood stove</li></ul><h2>Reviews</h2><p>“We could not find a nicer place.”</p><form><input type='date'><button>Check again</button></form>",
        ),
        "/cottages/pear-loft?from=2026-12-24",
    ),
    "a drug that is discontinued, with its leaflet": met(
        "agencies of medicines: authorisation withdrawn at the holder's request",
        campus(
            "Pomocillin: Withdrawn | European Agency",
            "<h1>Pomocillin</h1><p class='status'>Withdrawn</p><p>This medicine's authorisation has been withdrawn at the request of the marketing-authorisation holder. This medicine is no longer authorised.</p><h2>Product information</h2><a href='/leaflet.pdf'>Leaflet</a>",
            name="European Agency",
        ),
        "/en/medicines/human/EPAR/pomocillin",
    ),
    "a football player whose contract ended, in Turkish": met(
        "clubs: yollarımız ayrıldı",
        daily(
            "Ahmet Armut ile yollarımızı ayırdık",
            f"<h1>Ahmet Armut ile yollarımızı ayırdık</h1><p>Sözleşmesi sona eren oyuncumuza teşekkür ederiz.</p>{tale('tr')}",
            lang="tr",
        ),
        "/haber/4242/ahmet-armut",
        lang="tr",
    ),
    "a shop's product that went out of the range, in Korean": met(
        "shops of Korea: 단종 상품",
        store(
            "배나무 전정가위 P-42 (단종)",
            f"<h1>배나무 전정가위 P-42</h1><p>본 제품은 단종되었습니다. 후속 모델 P-43을 확인해 주세요.</p><h2>사양</h2><table><tr><td>길이</td><td>21cm</td></tr></table>{tale('ko')}",
            lang="ko",
        ),
        "/product/p-42",
        lang="ko",
    ),
    "a notice that a service of the state moves, in Arabic": met(
        "portals of states: إشعار بتوقف خدمة",
        campus(
            "إشعار بتوقف خدمة التصاريح يوم الجمعة",
            f"<h1>توقف خدمة التصاريح يوم الجمعة لأعمال الصيانة</h1><p>تتوقف الخدمة من الساعة 12 حتى 6 صباحاً، وتبقى بقية الخدمات متاحة.</p>{tale('ar')}",
            lang="ar",
            name="البوابة",
        ),
        "/ar/announcements/424",
        lang="ar",
    ),
    "a bank's page with a banner on its maintenance": met(
        "banks: scheduled maintenance banner",
        store(
            "Savings accounts – Orchard Bank",
            f"<div class='banner'>Scheduled maintenance: online banking will be unavailable on Sunday from 1am to 5am.</div><h1>Savings accounts</h1>{tale()}<a href='/login'>Log in</a>",
        ),
        "/savings",
    ),
}

# Empty, and rightly so.
_EMPTY: dict[str, Met] = {
    "a search of Bugzilla that finds nothing": met(
        "Bugzilla: Zarro Boogs found",
        lone(
            "Bug List",
            "<div id='bugzilla-body'><span class='bz_result_count'>Zarro Boogs found.</span><p><span class='zero_result_links'>We couldn't find any bugs matching your search terms.</span></p><ul><li><a href='/enter_bug.cgi'>File a new bug</a></li><li><a href='/query.cgi'>Edit Search</a></li></ul></div>",
        ),
        "/buglist.cgi?component=press&resolution=---",
    ),
    "a category of MediaWiki without pages": met(
        "MediaWiki: category-empty",
        campus(
            "Category:Lost sorts - Pomopedia",
            "<h1 id='firstHeading'>Category:Lost sorts</h1><p>Sorts of pear that were grown in the county and may survive in gardens.</p><div class='mw-category-generated'><p><i>This category currently contains no pages or media.</i></p></div>",
            name="Pomopedia",
        ),
        "/wiki/Category:Lost_sorts",
    ),
    "a repository of Gitea that is empty": met(
        "Gitea: repo.empty_message",
        lone(
            "keeper/scions: Scions to come - Pomona Git",
            "<nav><a href='/'>Home</a></nav><h1><a href='/keeper'>keeper</a>/<a href='/keeper/scions'>scions</a></h1><h4>Quick Guide</h4><p>This repository does not contain any content.</p><h3>Clone this repository</h3><pre>git clone https://git.pomona.example/keeper/scions.git</pre>",
        ),
        "/keeper/scions",
    ),
    "a tag of Discourse without topics": met(
        "Discourse: topics.none.tag",
        board(
            "#quince - Pomology",
            "<h1>quince</h1><div class='topic-list-bottom'><p>There are no more latest topics tagged quince. Why not create a topic?</p></div>",
        ),
        "/tag/quince",
    ),
    "a basket with nothing in it": met(
        "shops: Your basket is empty",
        store(
            "Your basket",
            "<h1>Your basket is empty</h1><p>There are no items in your basket.</p><a href='/'>Continue shopping</a>",
            kind="cart",
        ),
        "/cart",
    ),
    "a search of VuFind without results, in German": met(
        "VuFind: nohit_heading",
        campus(
            "Suchergebnisse - Katalog",
            "<h1>Keine Treffer!</h1><p>Ihre Suche - <strong>Birnenwein 1892</strong> - ergab keine Treffer.</p><p>Versuchen Sie es mit einem anderen Begriff oder per Fernleihe.</p>",
            lang="de",
            name="Bibliothek",
        ),
        "/Search/Results?lookfor=Birnenwein+1892",
        lang="de",
    ),
    "a search of packages without results": met(
        "packages.debian.org: Sorry, your search gave no results",
        campus(
            "Debian -- Package Search Results -- graft-cli",
            "<h1>Package graft-cli</h1><p>Sorry, your search gave no results</p><form action='/search'><input name='keywords' value='graft-cli'></form>",
            name="Debian",
        ),
        "/search?keywords=graft-cli",
    ),
    "a list of tenders without tenders, in Chinese": met(
        "offices of China: 暂无数据",
        campus(
            "招标公告",
            "<h1>招标公告</h1><ul class='list'></ul><p class='nodata'>暂无数据</p>",
            lang="zh",
            name="农业农村局",
        ),
        "/zbgg/index.html",
        lang="zh",
    ),
    "a timetable of a line that does not run today, in French": met(
        "transport in France: aucun passage",
        campus(
            "Ligne 42 – Prochains passages",
            "<h1>Ligne 42 · arrêt Verger</h1><p>Aucun passage n'a été trouvé pour aujourd'hui. La ligne ne circule pas le dimanche.</p><h2>Plan</h2>",
            lang="fr",
            name="Transports",
        ),
        "/horaires/ligne-42/verger",
        lang="fr",
    ),
    "a memorial whose records are still being sought": met(
        "CWGC and others: no further information",
        campus(
            "Private J. Keeper | War memorial",
            "<h1>Private J. Keeper</h1><p>Service number 4242. Died 1 July 1916.</p><p>No grave has been found. No photograph is available. Can you help?</p>",
            name="War memorial",
        ),
        "/casualty/424242",
    ),
    "a page of a language that waits for its translation, in Russian": met(
        "handbooks: эта страница ещё не переведена",
        handbook(
            "Прививка",
            f"<article><div class='admonition'>Эта страница ещё не переведена. Показан английский текст.</div><h1>Grafting</h1>{tale()}</article>",
            lang="ru",
        ),
        "/ru/docs/grafting",
        lang="ru",
    ),
}

# Much script, or what scripts keep hidden.
_SCRIPTS: dict[str, Met] = {
    "a page whose Vue keeps a message for later": met(
        "Vue: v-cloak and v-if in templates within the page",
        campus(
            "Pear sorts",
            f"<div id='app' v-cloak><div v-if='error' style='display:none'><h2>Page not found</h2><p>The sort you are looking for does not exist.</p></div><h1>Pear sorts</h1>{tale()}</div><script src='https://unpkg.example/vue@3'></script>",
            head="<style>[v-cloak]>div{display:none}</style>",
        ),
        "/sorts/",
    ),
    "a page whose dialogue of errors is hidden": met(
        "HTML: dialog without open",
        store(
            "Grafting knife",
            "<h1>Grafting knife</h1><p class='price'>24.90</p><button>Add to basket</button><dialog id='gone'><h1>404 – product not found</h1><p>This product is no longer available.</p><button>Close</button></dialog>",
        ),
        "/p/grafting-knife",
    ),
    "a page with a template of Handlebars for no results": met(
        "Handlebars: script type text/x-handlebars-template",
        campus(
            "Find a nursery",
            f"<h1>Find a nursery</h1>{tale()}<script id='none' type='text/x-handlebars-template'><h1>Nothing found</h1><p>Sorry, this page could not be found.</p></script>",
        ),
        "/nurseries",
    ),
    "a page that holds all its messages as data": met(
        "i18next: resources within the page",
        campus(
            "Öffnungszeiten",
            f'<h1>Öffnungszeiten</h1>{tale("de")}<script>window.__I18N__={{"errors":{{"404":{{"title":"Seite nicht gefunden","text":"Diese Seite existiert nicht mehr."}},"maintenance":"Wartungsarbeiten"}}}}</script>',
            lang="de",
        ),
        "/oeffnungszeiten",
        lang="de",
    ),
    "a page of Alpine with a notice that is off": met(
        "Alpine.js: x-show with display none",
        daily(
            "Frost warning for the valley",
            f"<div x-data='{{missing:false}}'><div x-show='missing' style='display: none'><h1>Article not found</h1></div><article><h1>Frost warning for the valley</h1>{tale('en', 2)}</article></div>",
        ),
        "/weather/frost-warning",
    ),
    "a map that is one script": met(
        "ArcGIS Experience Builder: a shell",
        shell(
            "Orchards of the county | Experience",
            "<div class='jimu-loading'></div>",
            head='<meta property="og:title" content="Orchards of the county"><meta property="og:description" content="Map of 214 orchards, surveyed 2019-2024.">',
        ),
        "/experience/42ab42ab42ab",
    ),
    "a reference of an interface that is one script": met(
        "Swagger UI: index.html",
        lone(
            "Swagger UI",
            "<div id='swagger-ui'></div><script src='./swagger-ui-bundle.js' charset='UTF-8'></script><script src='./swagger-initializer.js' charset='UTF-8'></script>",
        ),
        "/api/docs/",
    ),
    "a game that is one canvas": met(
        "itch.io and others: Unity WebGL",
        lone(
            "Unity Web Player | Pear Drop",
            "<div id='unity-container'><canvas id='unity-canvas' width=960 height=600></canvas><div id='unity-loading-bar'></div><div id='unity-warning'></div></div><script src='Build/pear.loader.js'></script>",
        ),
        "/games/pear-drop/index.html",
    ),
    "a page of frames of 1998": met(
        "sites by hand: FRAMESET",
        "<HTML><HEAD><TITLE>Die Birnenseite</TITLE></HEAD>\n<FRAMESET COLS='160,*'><FRAME SRC='menu.htm' NAME='menu'><FRAME SRC='start.htm' NAME='main'>\n<NOFRAMES><BODY>Ihr Browser kann diese Seite leider nicht anzeigen, da er keine Frames unterst&uuml;tzt.</BODY></NOFRAMES></FRAMESET></HTML>",
        "/birnen/index.htm",
        lang="de",
    ),
}

_PARTS = (_WORDS, _WORLD, _EMPTY, _SCRIPTS)
CASES: list[Case] = [
    alive(name, each.source, each.site, path=each.path)
    for part in _PARTS
    for name, each in part.items()
]
