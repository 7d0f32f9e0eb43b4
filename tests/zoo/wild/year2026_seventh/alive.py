"""Pages that are there: they tell of errors, ends, sales and absences, or show little before their scripts."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, alive
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

# About errors, names and walls.
_WORDS: dict[str, Met] = {
    "a manual of nginx on its pages for errors": met(
        "nginx documentation: ngx_http_core_module, error_page",
        alone(
            "Module ngx_http_core_module",
            "<h1>Module ngx_http_core_module</h1><h2>error_page</h2><p>Defines the URI that will be shown for the specified errors.</p><pre>error_page 404             /404.html;\nerror_page 500 502 503 504 /50x.html;</pre><p>If an error response is processed by a proxied server, and it may return different response codes, it is possible to let it return its own code.</p>",
        ),
        "/en/docs/http/ngx_http_core_module.html",
    ),
    "a handbook of WordPress on making a 404 page": met(
        "developer.wordpress.org: Creating an Error 404 Page",
        blog(
            "404 Pages – Theme Handbook",
            "<h1>404 Pages</h1><p>A 404 page is shown when a visitor asks for a page that does not exist, was removed or was mistyped.</p><pre>&lt;h1&gt;&lt;?php _e( 'Not Found', 'mole' ); ?&gt;&lt;/h1&gt;\n&lt;p&gt;&lt;?php _e( 'It looks like nothing was found at this location.' ); ?&gt;&lt;/p&gt;</pre>",
            name="Theme Handbook",
        ),
        "/themes/template-files-section/partial-and-miscellaneous-template-files/404-pages/",
    ),
    "a host's advice titled as the error itself": met(
        "hosts' blogs: 404 Not Found: What It Is and How to Fix It",
        blog(
            "404 Not Found Error: What It Is and How to Fix It",
            f"<article><h1>404 Not Found Error: What It Is and How to Fix It</h1><p>You follow a link, and instead of the page you read “404 Not Found”. This guide explains the message.</p><h2>What causes it</h2><p>The page was deleted, or its address changed.</p><h2>How to fix it</h2><ol><li>Reload the page.</li><li>Check the URL.</li></ol>{story()}</article>",
        ),
        "/error-404-not-found/",
    ),
    "an encyclopaedia's article on the status 410 in German": met(
        "Wikipedia, de: HTTP-Statuscode",
        office(
            "HTTP-Statuscode – Hafenwiki",
            "<h1 id='firstHeading'>HTTP-Statuscode</h1><p>Ein HTTP-Statuscode wird von einem Server auf jede HTTP-Anfrage als Antwort geliefert.</p><table><tr><td>404</td><td>Not Found</td><td>Die angeforderte Ressource wurde nicht gefunden.</td></tr><tr><td>410</td><td>Gone</td><td>Die angeforderte Ressource wird nicht länger bereitgestellt und wurde dauerhaft entfernt.</td></tr></table>",
            lang="de",
            name="Hafenwiki",
        ),
        "/wiki/HTTP-Statuscode",
        lang="de",
    ),
    "a base of knowledge on what a parking page is": met(
        "registrars' knowledge bases: What is a parking page?",
        office(
            "What is a parking page? - Domains - Knowledgebase",
            "<h1>What is a parking page?</h1><p>When a domain is registered and no website is set up, visitors see a parking page such as “This domain is parked” or “This domain may be for sale”.</p><p>To remove it, change the nameservers of the domain to those of your hosting.</p>",
            name="Knowledgebase",
        ),
        "/support/knowledgebase/article.aspx/1864/what-is-a-parking-page",
    ),
    "a question on a framework's not found page": met(
        "Stack Overflow: Next.js page returns 404 in production",
        office(
            "next.js - Page returns 404 in production but works locally - Stack Overflow",
            "<div id='question-header'><h1>Page returns 404 in production but works locally</h1></div><div class='js-vote-count'>404</div><div class='s-prose'><p>After the deploy I get “404 | This page could not be found.” for every dynamic route.</p><pre>404 | This page could not be found.</pre></div><div class='answer'><div class='s-prose'><p>Your static parameters leave out the new slugs.</p></div></div>",
            name="Stack Overflow",
        ),
        "/questions/18640421/page-returns-404-in-production",
    ),
    "an issue at a forge whose title is Page not found": met(
        "GitHub: an issue that was closed",
        office(
            "Page not found · Issue #1864 · keeper/float",
            "<div class='gh-header-show'><h1><bdi>Page not found</bdi> <span>#1864</span></h1><span class='State State--merged'>Closed</span></div><div class='comment-body'><p>The link to the wiring guide in the README gives a 404.</p></div><div class='comment-body'><p>Fixed in 3.2, thanks!</p></div>",
            name="GitHub",
        ),
        "/keeper/float/issues/1864",
    ),
    "a thread on a link checker's false alarms": met(
        "lycheeverse/lychee issue 1157: a list of 403s",
        office(
            "Don't treat sites with 403 status codes as broken links? · Issue #1157",
            "<h1>Don't treat sites with 403 status codes as broken links?</h1><pre>✗ [403] https://cell.example/ | Failed: Network error: Forbidden\n✗ [403] https://kraken.example/ | Failed: Network error: Forbidden</pre><p>These sites work in a browser.</p>",
            name="GitHub",
        ),
        "/lycheeverse/lychee/issues/1157",
    ),
    "a page on soft 404s that shows many of them": met(
        "adobe/spacecat-audit-worker pull request 941: indicators",
        manual(
            "Soft 404 indicators",
            "<section><h1>Soft 404 indicators</h1><p>A page is a soft 404 if its status is 200 and its text has one of:</p><ul><li>“page not found”</li><li>“this page no longer exists”</li><li>“the page you requested cannot be found”</li><li>“404 error”</li></ul></section>",
        ),
        "/en/stable/soft404.html",
    ),
    "a description of a captcha that is not one": met(
        "TecharoHQ/anubis: Why does Anubis use Proof-of-Work",
        manual(
            "Why am I seeing this?",
            f"<section><h1>Why am I seeing “Making sure you're not a bot!”?</h1><p>Administrators put Anubis before their sites. The check takes a few seconds; then the page is shown.</p><p>If the message “Access Denied” appears, contact the administrator.</p></section>{story()}",
            name="anubis",
        ),
        "/docs/user/why-see-this",
    ),
    "an explanation of Cloudflare's error 1020": met(
        "developers.cloudflare.com: Error 1020: Access Denied",
        office(
            "Error 1020: Access Denied · Docs",
            "<h1>Error 1020: Access Denied</h1><h2>Common cause</h2><p>A client or browser is blocked by a customer's firewall rules.</p><h2>Resolution</h2><p>If you are not the site owner, provide the owner with a screenshot of the 1020 error message.</p>",
            name="Docs",
        ),
        "/support/troubleshooting/http-status-codes/error-1020/",
        "Server: cloudflare",
        "CF-RAY: 93f1864abcde0043-LHR",
    ),
    "a help page on suspended accounts in Spanish": met(
        "hosts' help in Spanish: ¿Por qué mi sitio muestra Cuenta suspendida?",
        office(
            "¿Por qué mi sitio muestra «Cuenta suspendida»? | Centro de ayuda",
            f"<h1>¿Por qué mi sitio muestra «Cuenta suspendida»?</h1><p>El mensaje «This account has been suspended» aparece cuando hay una factura pendiente o un uso indebido.</p>{story('es')}",
            lang="es",
            name="Centro de ayuda",
        ),
        "/ayuda/cuenta-suspendida",
        lang="es",
    ),
    "a novel called The Missing Page": met(
        "bookshops: titles that sound like errors",
        counter(
            "The Page You Are Looking For",
            "<h1>The Page You Are Looking For</h1><p>A novel by P. Keeper. 312 pages, paperback.</p><span class='price-item'>$16.00</span><button>Add to cart</button><p>When a page goes missing from the harbour log, nobody can say that it ever existed.</p>",
        ),
        "/products/the-page-you-are-looking-for",
    ),
    "a record shop's album called Not Found": met(
        "Bandcamp: albums named after errors",
        counter(
            "404 | Not Found | The Moles",
            "<h1>404 | Not Found</h1><p>by The Moles</p><ol><li>Gone</li><li>Forbidden</li><li>Bad Gateway</li></ol><button>Buy Digital Album</button><p>released March 4, 2024</p>",
            name="The Moles",
        ),
        "/album/404-not-found",
    ),
    "a museum's gallery of pages for errors in French": met(
        "musées du Web: galeries de pages 404",
        office(
            "Page introuvable : une histoire de l'erreur 404",
            f"<h1>Page introuvable : une histoire de l'erreur 404</h1><p>L'exposition réunit quarante pages d'erreur, de 1992 à nos jours.</p>{story('fr')}",
            lang="fr",
            name="Musée du Web",
        ),
        "/expositions/page-introuvable",
        lang="fr",
    ),
    "a blog in Chinese on what to do when a page is lost": met(
        "blogs in Chinese: 网站出现404怎么办",
        blog(
            "网站出现404页面不存在怎么办？ – 潮位笔记",
            f"<article><h1>网站出现404页面不存在怎么办？</h1><p>当访客打开一个已被删除的页面时，服务器会返回404。</p>{story('zh', 2)}</article>",
            lang="zh",
            name="潮位笔记",
        ),
        "/archives/1864.html",
        lang="zh",
    ),
    "a help page in Japanese on the end of a listing": met(
        "help of boards in Japan: 掲載終了と表示される",
        office(
            "「この求人は掲載を終了しました」と表示される | ヘルプ",
            "<h1>「この求人は掲載を終了しました」と表示される</h1><p>求人の掲載期間が終わると、このメッセージが表示されます。似た求人を探すには、検索をご利用ください。</p>",
            lang="ja",
            name="ヘルプ",
        ),
        "/hc/ja/articles/1864042",
        lang="ja",
    ),
    "a column in Russian on the sites that vanish": met(
        "papers in Russian: articles on lost sites",
        paper(
            "Страница не найдена: как исчезают сайты",
            f"<article><h1>Страница не найдена: как исчезают сайты</h1><p>Каждая четвёртая ссылка десятилетней давности ведёт в никуда.</p>{story('ru', 2)}</article>",
            lang="ru",
            name="Портовая газета",
        ),
        "/articles/2026/page-not-found",
        lang="ru",
    ),
    "a standard's chapter on the status 404": met(
        "RFC 9110: 15.5.5. 404 Not Found",
        "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>RFC 9110: HTTP Semantics</title></head><body><h1 id='rfcnum'>RFC 9110</h1><h1 id='title'>HTTP Semantics</h1><section><h3>15.5.5. 404 Not Found</h3><p>The 404 (Not Found) status code indicates that the origin server did not find a current representation for the target resource.</p><h3>15.5.11. 410 Gone</h3><p>Access to the target resource is no longer available at the origin server.</p></section></body></html>",
        "/rfc/rfc9110.html",
    ),
}

# About ends and absences of other things.
_ENDS: dict[str, Met] = {
    "a repository that was archived by its owner": met(
        "GitHub: This repository was archived by the owner, read-only",
        office(
            "keeper/float-firmware: Firmware for the float sensor",
            f"<div class='flash flash-warn'>This repository was archived by the owner on Nov 9, 2022. It is now read-only.</div><h1>float-firmware</h1><article class='markdown-body'><h2>float-firmware</h2><p>Firmware for the float sensor. No longer maintained; use <a href='/keeper/gauge'>gauge</a>.</p>{story()}</article>",
            name="GitHub",
        ),
        "/keeper/float-firmware",
    ),
    "a package that its maintainers call deprecated": met(
        "npm: This package has been deprecated",
        office(
            "tide-clock - npm",
            "<div class='bg-washed-red'><h3>This package has been deprecated</h3><p>Author message: this package is no longer supported</p></div><h1>tide-clock</h1><p>4.2.0 • Public • Published 6 years ago</p><h2>Install</h2><pre>npm i tide-clock</pre><h2>Readme</h2><p>A clock for the tide.</p>",
            name="npm",
        ),
        "/package/tide-clock",
    ),
    "a version of a crate that was yanked": met(
        "crates.io: this version has been yanked",
        office(
            "tidegauge - crates.io: Rust Package Registry",
            "<h1>tidegauge v2.0.1</h1><p class='yanked'>This version has been yanked and can no longer be added as a dependency.</p><h2>Metadata</h2><p>42 KiB, MIT</p><h2>tidegauge</h2><p>Read heights from floats.</p>",
            name="crates.io",
        ),
        "/crates/tidegauge/2.0.1",
    ),
    "a standard that ISO withdrew, with its life": met(
        "ISO: Withdrawn, Status",
        office(
            "ISO 1864:1998 - Tide gauges — Requirements",
            "<h1>ISO 1864:1998</h1><h2>Tide gauges — Requirements</h2><span class='badge'>Withdrawn (Edition 1, 1998)</span><ul><li>This standard has been revised by ISO 1864:2015</li></ul><h3>Abstract</h3><p>Specifies requirements for wells and floats.</p><h3>Life cycle</h3>",
            name="ISO",
        ),
        "/standard/1864.html",
    ),
    "a guidance of a state's institute that was withdrawn on a date": met(
        "NIST CSRC: Withdrawn on, Warning Notice",
        office(
            "SP 800-1864, Guide to Tide Data | CSRC",
            f"<h1>NIST SP 800-1864 (Withdrawn)</h1><h2>Guide to Tide Data</h2><div class='alert'>Withdrawn on March 01, 2024. Superseded by SP 800-1864 Rev. 1.</div><h3>Abstract</h3>{story()}",
            name="CSRC",
        ),
        "/pubs/sp/800/1864/final",
    ),
    "a post of readers whose words were deleted, with its answers": met(
        "Reddit: Sorry, this post was deleted by the person who originally posted it., with comments",
        office(
            "How do you clean a stilling well? : tidegauges",
            "<h1>How do you clean a stilling well?</h1><div class='removed'>Sorry, this post was deleted by the person who originally posted it.</div><h2>42 comments</h2><div class='comment'><p>keeper_1864: Scrape the pipe in spring, when the mussels are small. Use a wooden blade.</p></div><div class='comment'><p>[deleted]</p></div><div class='comment'><p>molewatch: And flush it with fresh water after that.</p></div>",
            name="tidegauges",
        ),
        "/r/tidegauges/comments/1864ab/how_do_you_clean_a_stilling_well/",
    ),
    "a topic of a forum that is closed after 90 days": met(
        "Discourse: This topic was automatically closed 90 days after the last reply.",
        forum(
            "Float stuck at low water - Slipway",
            "<h1>Float stuck at low water</h1><div class='post'><p>My float hangs at low water. Any ideas?</p></div><div class='post'><p>Look for weed around the pulley.</p></div><div class='small-action'><p>This topic was automatically closed 90 days after the last reply. New replies are no longer allowed.</p></div>",
        ),
        "/t/float-stuck-at-low-water/1864",
    ),
    "a message of a list whose subject is not found": met(
        "Mailman: archives of lists",
        "<HTML><HEAD><TITLE>[keepers] 404 Not Found when fetching heights</TITLE></HEAD><BODY BGCOLOR='#ffffff'><H1>[keepers] 404 Not Found when fetching heights</H1><B>P. Keeper</B><PRE>Hello,\n\nsince this morning the script says\n\n    HTTP Error 404: Not Found\n\nHas the file been moved?\n</PRE></BODY></HTML>",
        "/pipermail/keepers/2011-March/001864.html",
    ),
    "a bug of a program that nobody will fix": met(
        "Launchpad: Won't Fix, File not found",
        office(
            "Bug #1864042 “File not found on first start” : Bugs : tidegauge",
            "<h1>File not found on first start</h1><table><tr><td>tidegauge</td><td>Won't Fix</td></tr></table><p>On first start the program says “No such file or directory”.</p><div class='boardComment'><p>This release has reached end of life.</p></div>",
            name="Launchpad",
        ),
        "/tidegauge/+bug/1864042",
    ),
    "a good that is sold out in French": met(
        "Shopify, Dawn in French: Épuisé",
        counter(
            "Aussière de chanvre",
            "<h1>Aussière de chanvre</h1><span class='price'>48,00 €</span><span class='badge'>Épuisé</span><button disabled>Épuisé</button><div class='product__description'><p>Aussière à trois torons, 12 mm, filée à la main.</p></div><a href='#'>M'avertir du retour en stock</a>",
            lang="fr",
            name="La Corderie",
        ),
        "/products/aussiere-de-chanvre",
        lang="fr",
    ),
    "a good that is not sold any more but still described, in Italian": met(
        "shops of Italy: Prodotto fuori produzione, with its data",
        counter(
            "Galleggiante in ottone G-12",
            "<h1>Galleggiante in ottone G-12</h1><p class='stato'>Prodotto fuori produzione</p><p>Diametro 120 mm, peso 840 g. Sostituito dal modello G-14.</p><table><tr><th>Materiale</th><td>Ottone</td></tr></table><a href='/products/g-14'>Vedi G-14</a>",
            lang="it",
            name="Corderia",
        ),
        "/products/galleggiante-g-12",
        lang="it",
    ),
    "a good of a German shop that will come again": met(
        "Shopware 6: Dieser Artikel ist derzeit nicht verfügbar, with a form",
        counter(
            "Reepschnur 6 mm",
            "<h1>Reepschnur 6 mm</h1><p>18,90 €*</p><p class='delivery-information'>Dieser Artikel ist derzeit nicht verfügbar.</p><form><input type='email' placeholder='E-Mail-Adresse'><button>Benachrichtigen</button></form><p>Geflochtene Schnur aus Polyester.</p>",
            lang="de",
            name="Reeperbahn",
        ),
        "/Reepschnur-6-mm/SW1864",
        lang="de",
    ),
    "an instrument that ended on a market and shows all of it": met(
        "Reverb: This listing has ended, with photographs and text",
        counter(
            "Keeper's Concertina 1864",
            f"<p class='ended'>This listing has ended. Seller keeps other items.</p><h1>Keeper's Concertina 1864</h1><p>Condition: Good</p><p>Forty-eight keys, brass reeds, six-fold bellows. Original case.</p>{story()}<h2>About the seller</h2>",
        ),
        "/item/1864042-keepers-concertina",
    ),
    "a violin that is sold as it is": met(
        "tests of finders of dead adverts: sold as is, no returns",
        counter(
            "Great violin, sold as is",
            "<h1>Great violin, sold as is, no returns</h1><p>Currently sold out in blue.</p><span class='price'>$240.00</span><button>Buy It Now</button><button>Add to cart</button>",
        ),
        "/item/great-violin",
    ),
    "a job that is open, with a list of questions on closed ones": met(
        "boards: an open job with an FAQ on closed jobs",
        office(
            "Tide Reader (m/f/x) – Harbour Careers",
            "<h1>Tide Reader (m/f/x)</h1><p>Full time, permanent. Apply by 31 December 2026.</p><button>Apply now</button><h2>What you do</h2><p>Read the gauge twice a day and clean the well in spring.</p><h2>Questions</h2><h3>What if a job is no longer available?</h3><p>When a position has been filled, its page says “This job is no longer accepting applications”.</p>",
            name="Harbour Careers",
        ),
        "/jobs/1865/tide-reader",
    ),
    "a bath that closes for good, on its own page, in German": met(
        "shops and baths: Wir schließen zum Jahresende",
        office(
            "Hallenbad am Hafen",
            f"<h1>Hallenbad am Hafen</h1><p><strong>Wir schließen zum 31. Dezember 2026 für immer.</strong> Guthaben wird ausgezahlt.</p>{story('de')}<h2>Öffnungszeiten bis dahin</h2><p>Di–So 9–18 Uhr</p>",
            lang="de",
            name="Hallenbad",
        ),
        "/baeder/hallenbad",
        lang="de",
    ),
    "a town's page on its car parks": met(
        "towns: Parking, lots for sale and permits",
        office(
            "Parking – Harbour Town",
            "<h1>Parking</h1><p>This domain of the harbour is for permit holders.</p><ul><li>Mole car park: 42 spaces, free</li><li>Fish market: closed for works until May</li></ul><h2>Parking lots for sale</h2><p>The town sells three lots by the mole. Offers to the clerk.</p>",
            name="Harbour Town",
        ),
        "/parking",
    ),
    "an estate agent's house under offer": met(
        "agents: Sold subject to contract, with its rooms",
        office(
            "Keeper's Cottage, Mole Lane – for sale",
            f"<h1>Keeper's Cottage, Mole Lane</h1><span class='tag'>Sold STC</span><p>Guide price £186,400</p><p>Three bedrooms, a view of the gauge and a shed for the scraper.</p>{story()}",
            name="Mole &amp; Sons",
        ),
        "/properties/keepers-cottage",
    ),
    "a law that no longer applies, with its text, in Polish": met(
        "ISAP: akt uchylony",
        office(
            "Ustawa z dnia 4 marca 1964 r. o mareografach",
            f"<h1>Ustawa z dnia 4 marca 1964 r. o mareografach</h1><p>Status aktu: <strong>uchylony</strong></p><p>Data uchylenia: 2004-05-01</p>{story('pl')}",
            lang="pl",
            name="Akty prawne",
        ),
        "/isap.nsf/DocDetails.xsp?id=WDU19640100042",
        lang="pl",
    ),
    "a preprint that its authors withdrew, with its record": met(
        "arXiv: This paper has been withdrawn by its author",
        office(
            "[1864.00042] On floats",
            "<h1 class='title'>On floats</h1><div class='authors'>P. Keeper</div><blockquote class='abstract'>Abstract: We study floats in wells.</blockquote><p>Comments: This paper has been withdrawn by the author due to an error in equation 4</p><p>No PDF available, click to view other formats</p><h2>Submission history</h2>",
            name="arXiv",
        ),
        "/abs/1864.00042",
    ),
    "a data set whose newer version has its place": met(
        "Dataverse: Deaccessioned Version, with its citation",
        office(
            "Heights 1864-1899 - Tide Dataverse",
            "<h1>Heights 1864-1899</h1><span class='label label-danger'>Deaccessioned</span><p>Version 1.0. Reason: a newer version is available.</p><h2>Citation</h2><p>Keeper, P., 2019, “Heights 1864-1899”.</p><h2>Description</h2><p>Hourly heights.</p>",
            name="Tide Dataverse",
        ),
        "/dataset.xhtml?persistentId=doi:10.5072/FK2/TIDE64&version=1.0",
    ),
    "a broadcast whose recording cannot be heard now": met(
        "BBC programmes: Sorry, this episode is not currently available, with its text",
        paper(
            "The Keeper's Hour, Series 4",
            f"<h1>The Keeper's Hour</h1><p>Series 4, episode 2</p><div class='playout'><p>Sorry, this episode is not currently available</p></div><p>Anne Float visits the mole. First broadcast on 4 March 2019.</p>{story()}<h2>Music played</h2>",
        ),
        "/programmes/m0001864",
    ),
    "a course that has ended and keeps its lessons": met(
        "edX: This course is archived",
        office(
            "Tides and Floats | Course",
            f"<h1>Tides and Floats</h1><p class='badge'>Archived: future dates to be announced</p><p>This course has ended. You can still read its materials.</p>{story('en', 2)}",
            name="Courses",
        ),
        "/course/tides-and-floats",
    ),
    "a cemetery's record of one who is gone": met(
        "memorials: Gone but not forgotten",
        office(
            "Peter Keeper (1841–1907) – Memorial",
            "<h1>Peter Keeper</h1><p>Born 1841, died 4 March 1907. Burial: lost at sea, grave not found.</p><p>Inscription: GONE BUT NOT FORGOTTEN</p>",
            name="Memorials",
        ),
        "/memorial/1864042/peter-keeper",
    ),
    "a status page that tells of an outage": met(
        "Statuspage: Major Outage",
        office(
            "Harbour Status",
            "<h1>Harbour Status</h1><div class='unresolved-incident'><h2>Heights API unavailable</h2><p>Investigating – requests fail with 503 Service Unavailable. We are working on it.</p></div><ul><li>Website – Operational</li><li>API – Major Outage</li></ul>",
            name="Status",
        ),
        "/",
    ),
    "a page under a banner on maintenance to come": met(
        "portals: scheduled maintenance, above the page",
        office(
            "Tide tables 2026",
            f"<div class='alert'>This site will be unavailable due to scheduled maintenance on Sunday from 2:00 to 6:00.</div><h1>Tide tables 2026</h1>{story()}<table><tr><td>1 March</td><td>04:12</td><td>4.2 m</td></tr></table>",
        ),
        "/tables/2026",
    ),
}

# Lists that are rightly short, and pages that hide their errors.
_SHORT: dict[str, Met] = {
    "a search of WordPress that found nothing": met(
        "WordPress: search results without hits",
        blog(
            "You searched for mareograph – Tidewrack",
            "<h1>Search results for: “mareograph”</h1><p>Sorry, but nothing was found. Please try a search with different keywords.</p><form role='search'><input name='s' value='mareograph'></form>",
        ),
        "/?s=mareograph",
    ),
    "a category of a shop without goods, in Spanish": met(
        "WooCommerce in Spanish: No se han encontrado productos que se correspondan con tu selección",
        blog(
            "Boyas – Cordelería",
            "<h1 class='page-title'>Boyas</h1><p>Boyas de corcho y de vidrio, hechas en el puerto.</p><p class='woocommerce-info'>No se han encontrado productos que se correspondan con tu selección.</p>",
            lang="es",
            name="Cordelería",
        ),
        "/categoria-producto/boyas/",
        lang="es",
    ),
    "an agenda without dates, in French": met(
        "The Events Calendar in French: aucun évènement à venir",
        blog(
            "Agenda – Le Môle",
            "<h1>Agenda</h1><div class='tribe-events-c-messages__message'>Il n’y a aucun évènement à venir.</div>",
            lang="fr",
            name="Le Môle",
        ),
        "/agenda/",
        lang="fr",
    ),
    "a register of notices with none now, in Dutch": met(
        "councils of the Netherlands: Er zijn op dit moment geen bekendmakingen",
        office(
            "Bekendmakingen",
            "<h1>Bekendmakingen</h1><p>Er zijn op dit moment geen bekendmakingen.</p>",
            lang="nl",
            name="Gemeente",
        ),
        "/bekendmakingen",
        lang="nl",
    ),
    "a page that says that it works": met(
        "Apache: It works!, as an address of a check",
        "<html><body><h1>It works!</h1><p>Gauge relay 4 is up. Last height: 4.12 m.</p></body></html>",
        "/relay/4",
    ),
    "a page of two words for a short question": met(
        "sites of one answer",
        alone("Is it high tide?", "<h1>Not yet.</h1>"),
        "/is-it-high-tide",
    ),
    "a picture of the day with nothing but its caption": met(
        "diaries of photographs",
        alone(
            "4 March",
            "<img src='/i/0304.jpg' alt='The mole in fog'><p>The mole, missing.</p><p><a href='/d/0303'>&larr;</a> <a href='/d/0305'>&rarr;</a></p>",
        ),
        "/d/0304",
    ),
    "an application whose data hold the words for every error": met(
        "next-intl: messages in __NEXT_DATA__",
        app(
            "Moorings – Harbour",
            f"<main><h1>Moorings</h1>{story()}</main>",
            data='<script id="__NEXT_DATA__" type="application/json">{"props":{"messages":{"errors":{"404":"This page could not be found.","gone":"This listing is no longer available.","login":"Please log in to continue."}}},"page":"/moorings","query":{}}</script>',
        ),
        "/moorings",
    ),
    "a page of Next.js whose tree names its not-found part": met(
        "Next.js 15: self.__next_f with the not-found of the layout",
        app(
            "Heights – Harbour",
            f"<main><h1>Heights</h1>{story('en', 2)}</main>",
            data='<script>self.__next_f.push([1,"6:[\\"$\\",\\"h1\\",null,{\\"className\\":\\"next-error-h1\\",\\"children\\":404}]\\n7:[\\"$\\",\\"h2\\",null,{\\"children\\":\\"This page could not be found.\\"}]"])</script>',
        ),
        "/heights",
    ),
    "a page of Nuxt that hides its error's part": met(
        "Nuxt: v-show with display none",
        app(
            "Library – Harbour",
            f"<div class='error-box' style='display:none'><h1>404</h1><p>Page not found</p></div><article><h1>Library</h1>{story('en', 2)}</article>",
        ),
        "/library/opening",
    ),
    "a page of comments some of which were deleted": met(
        "papers: comments that moderators removed",
        paper(
            "Mussels in the well",
            f"<article><h1>Mussels in the well</h1>{story()}</article><section class='comments'><div>This comment has been removed by the moderators.</div><div>This user's account has been suspended.</div><div>Good read.</div></section>",
        ),
        "/harbour/mussels-in-the-well",
    ),
    "a shell whose head says what it is": met(
        "Vite and a head that a server fills",
        app(
            "Float sensor – Gauge docs",
            "",
            head='<meta property="og:title" content="Float sensor"><meta name="description" content="How the float sensor is wired, read and calibrated."><link rel="canonical" href="http://$HOST/docs/float-sensor">',
        ),
        "/docs/float-sensor",
    ),
    "a shell that says that scripts are needed": met(
        "Create React App: You need to enable JavaScript to run this app.",
        "<!doctype html><html lang='en'><head><meta charset='utf-8'/><title>Tide board</title><script defer='defer' src='/static/js/main.1864.js'></script></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id='root'></div></body></html>",
        "/board",
    ),
    "a map of tides that is a canvas": met(
        "Leaflet: a map and nothing else",
        "<!doctype html><html lang='de'><head><meta charset='utf-8'><title>Pegelkarte</title><link rel='stylesheet' href='/leaflet.css'></head><body><div id='map'></div><script src='/leaflet.js'></script><script>L.map('map').setView([54.3,10.1],9)</script></body></html>",
        "/karte/",
        lang="de",
    ),
    "a viewer of a book's pages": met(
        "IIIF, Mirador: a viewer",
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Log of the gauge, vol. 1 (1864)</title></head><body><div id='viewer' data-manifest='/iiif/1864/manifest'></div><script src='/mirador.min.js'></script></body></html>",
        "/viewer/1864",
    ),
    "a page behind a banner that asks for an update of the browser": met(
        "sites with browser-update.org",
        office(
            "Dredging 2026",
            f"<div class='buorg'>Your web browser is out of date. Update your browser for more security.</div><h1>Dredging 2026</h1>{story()}",
        ),
        "/works/dredging-2026",
    ),
    "a contact form with a captcha of its own": met(
        "forms with reCAPTCHA on ordinary pages",
        office(
            "Contact the keeper",
            f"<h1>Contact the keeper</h1>{story()}<form method='post'><input name='name'><textarea name='text'></textarea><div class='g-recaptcha' data-sitekey='1864'></div><button>Send</button></form>",
        ),
        "/contact-the-keeper",
    ),
    "a door to sign in that is linked for itself": met(
        "manuals that link a console's log-in",
        office(
            "Sign in – Gauge console",
            "<h1>Sign in to the Gauge console</h1><form method='post'><input name='user'><input type='password' name='password'><button>Sign in</button></form><p>New here? <a href='/register'>Create an account</a></p>",
            name="Gauge",
        ),
        "/console/login",
    ),
    "a notice of a register that a name is for sale in an article, in Dutch": met(
        "papers in Dutch: domeinnamen te koop",
        paper(
            "Dorp zet domeinnaam te koop",
            f"<article><h1>Dorp zet domeinnaam te koop</h1><p>«Deze domeinnaam is te koop», stond gisteren op de site van het dorp.</p>{story('nl', 2)}</article>",
            lang="nl",
            name="De Pierbode",
        ),
        "/regio/domeinnaam-te-koop",
        lang="nl",
    ),
    "a page on a bus 410 in Portuguese": met(
        "timetables: lines with the numbers of errors",
        office(
            "Linha 410 – Cais / Molhe",
            "<h1>Linha 410 – Cais / Molhe</h1><p>Não circula aos domingos. Paragem «Erro» suprimida até maio.</p><table><tr><td>07:04</td><td>08:04</td></tr></table>",
            lang="pt",
            name="Transportes",
        ),
        "/linhas/410",
        lang="pt",
    ),
    "a catalogue's item 404 in a collection of lost things": met(
        "museums: objects with the numbers of errors",
        office(
            "404 – Float, missing its ring | Collection",
            "<h1>404 – Float, missing its ring</h1><p>Brass, 1864. Object not on display. Location: store.</p><p>The ring was removed in 1902 and could not be found.</p>",
            name="Collection",
        ),
        "/collection/404",
    ),
    "an old page of a hobby in a table": met(
        "sites by hand: tables and fonts",
        "<HTML><HEAD><TITLE>Peters Pegelseite</TITLE></HEAD><BODY BGCOLOR='#CCFFFF'><CENTER><TABLE BORDER=1><TR><TD><FONT SIZE=5>Peters Pegelseite</FONT></TD></TR><TR><TD>Hier entsteht bald noch mehr! Diese Seite ist im Aufbau. Bisher: <A HREF='bilder.htm'>Bilder</A>, <A HREF='werte.htm'>Werte 1998</A></TD></TR></TABLE></CENTER></BODY></HTML>",
        "/~peter/pegel.htm",
        lang="de",
    ),
    "a good of an auction house that was sold, with its price": met(
        "auction houses: Lot sold, with its description",
        counter(
            "Lot 404: A brass tide gauge, 1864",
            "<h1>Lot 404: A brass tide gauge, 1864</h1><p>Sold for £4,200</p><p>This lot is closed.</p><p>Height 42 cm, on a mahogany base, signed. Provenance: the harbour office.</p>",
        ),
        "/auction/1864/lot/404",
    ),
    "a film's page on a country that may not see it": met(
        "mediatheques: not available in your country, with its text",
        paper(
            "Die Pegelwärterin – Film",
            f"<article><h1>Die Pegelwärterin</h1><p>Aus rechtlichen Gründen ist das Video in Ihrem Land nicht abspielbar.</p>{story('de', 2)}</article>",
            lang="de",
            name="Küstenfunk",
        ),
        "/filme/die-pegelwaerterin-100.html",
        lang="de",
    ),
    "a company's page on its former name": met(
        "mergers: We are now, with its text",
        office(
            "Mole Instruments is now Gauge",
            f"<h1>Mole Instruments is now Gauge</h1><p>Our old site closed in March; all manuals moved here.</p>{story()}",
            name="Gauge",
        ),
        "/mole-instruments",
    ),
}

_PARTS = (_WORDS, _ENDS, _SHORT)
_FLAGS = {
    "a door to sign in that is linked for itself": ("login", "restricted"),
}
CASES: list[Case] = [
    alive(name, each.source, each.site, *_FLAGS.get(name, ()), path=each.path)
    for part in _PARTS
    for name, each in part.items()
]
