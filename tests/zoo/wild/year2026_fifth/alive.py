"""Pages that are there: they speak of ends and errors, show what is sold, or come by odd ways."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.server import Visit
from tests.zoo.wild.case import (
    ELSE,
    INCONCLUSIVE,
    SUCCESS,
    Case,
    Reply,
    alive,
    html,
    only,
    plain,
    redirect,
)
from tests.zoo.wild.year2026_fifth.frames import by_hand, code_host, manual, market, portal, story
from tests.zoo.wild.year2026_fourth.frames import (
    LOST,
    Met,
    document,
    front,
    mediawiki,
    news,
    phpbb,
    plain_site,
    shopify,
    wordpress,
)

_PAGES: dict[str, Met] = {
    "a manual's chapter on errors": Met(
        source="Flask, Django: custom error pages in the manual",
        reply=html(
            manual(
                "Handling Application Errors",
                '<section id="handling-application-errors"><h1>Handling Application Errors</h1><p>Applications fail, servers fail. If a page is not found, the client gets a 404.</p><section id="custom-error-pages"><h2>Custom Error Pages</h2><pre>@app.errorhandler(404)\ndef page_not_found(e):\n    return render_template(\'404.html\'), 404</pre><p>An example template:</p><pre>{% block title %}Page Not Found{% endblock %}\n  &lt;h1&gt;Page Not Found&lt;/h1&gt;\n  &lt;p&gt;What you were looking for is just not there.</pre></section></section>',
            )
        ),
        path="/en/stable/errorhandling/",
    ),
    "a repository that was archived": Met(
        source="GitHub: This repository was archived by the owner",
        reply=html(
            code_host(
                "GitHub - keepers/colza: A lamp driver",
                '<div class="flash flash-warn">This repository was archived by the owner on Mar 3, 2025. It is now read-only.</div><h1><a href="/keepers">keepers</a> / <a href="/keepers/colza">colza</a> <span class="Label">Public archive</span></h1><ul><li>src</li><li>README.md</li><li>LICENSE</li></ul><article class="markdown-body"><h2>colza</h2><p><strong>This project is no longer maintained.</strong> Use lens instead.</p></article>',
            ),
            "Server: github.com",
        ),
        path="/keepers/colza",
    ),
    "the support page of a product that has ended": Met(
        source="Microsoft Learn: end of support",
        reply=html(
            plain_site(
                "Foglamp 2010 end of support",
                "<h1>Foglamp 2010 end of support</h1><p>Foglamp 2010 reached the end of support on October 13, 2020. It no longer receives security updates and is no longer available for download.</p><h2>What are my options?</h2><p>Upgrade to Foglamp 365 or move your data.</p><table><tr><th>Listing</th><th>End date</th></tr><tr><td>Foglamp 2010</td><td>13 October 2020</td></tr></table>",
                name="Foglamp Learn",
            )
        ),
        path="/lifecycle/products/foglamp-2010",
    ),
    "a museum's page on an exhibition that closed, in French": Met(
        source="museums: expositions passées",
        reply=html(
            portal(
                "Lumières de la côte - Exposition terminée",
                "<p class='status'>Exposition terminée</p><h1>Lumières de la côte</h1><p>Du 4 avril au 12 octobre 2025</p>"
                + story("fr", 2)
                + "<h2>Catalogue</h2><p>42 € à la librairie du musée</p>",
                lang="fr",
                name="Musée maritime",
            )
        ),
        path="/expositions/lumieres-de-la-cote",
        lang="fr",
    ),
    "an auction of a lamp that ended": Met(
        source="eBay: This listing ended, with the item and the price",
        reply=html(
            market(
                "Brass ship's lamp 1874 | Quayside",
                '<div class="statusMessage"><span>This listing was ended on Sun, Jan 18 at 8:42 PM.</span></div><h1>Brass ship\'s lamp 1874</h1><p>Winning bid: £142.00 [14 bids]</p><p>Condition: Used. Height 42 cm, burner by Sherwoods.</p><p>Seller: keeper1874 (99.8% positive feedback)</p><h2>Similar items</h2><a href="/itm/1">Anchor light</a>',
            )
        ),
        path="/itm/142424242424",
    ),
    "a house that was sold, in Dutch": Met(
        source="Funda: Verkocht, with pictures and description",
        reply=html(
            market(
                "Verkocht: Havendam 42 [funda]",
                "<span class='label'>Verkocht</span><h1>Havendam 42</h1><p>1012 AB Havenstad</p><p>€ 424.000 k.k. – Verkoopdatum 3 november 2025</p><h2>Omschrijving</h2><p>Voormalige lichtwachterswoning met uitzicht over de havenmond. Woonoppervlakte 112 m², bouwjaar 1874.</p>",
                lang="nl",
                name="Kadewoning",
            )
        ),
        path="/detail/koop/verkocht/havenstad/huis-havendam-42/42424242/",
        lang="nl",
    ),
    "a car that was sold, in Polish": Met(
        source="dealers: sprzedany, with its data",
        reply=html(
            market(
                "SPRZEDANY Fiat 126p 1982",
                "<h1>Fiat 126p 1982 <b>SPRZEDANY</b></h1><p>Cena: 14 200 zł</p><table><tr><td>Przebieg</td><td>42 000 km</td></tr><tr><td>Kolor</td><td>żółty</td></tr></table><p>Samochód znalazł nowego właściciela. Zobacz nasze pozostałe ogłoszenia.</p>",
                lang="pl",
                name="Auto Molo",
            )
        ),
        path="/oferta/fiat-126p-1982-42",
        lang="pl",
    ),
    "a restaurant that a directory calls closed": Met(
        source="Yelp, TripAdvisor: Closed, with its reviews",
        reply=html(
            plain_site(
                "THE KEEPER'S TABLE - CLOSED - 112 Photos & 142 Reviews",
                "<h1>The Keeper's Table</h1><p>4.2 (142 reviews)</p><div class='alert'>This business has closed. Find similar spots.</div><p>Breakwater 1, Harbour Town</p><h2>Recommended Reviews</h2><p>The chowder was worth the climb.</p><p>Sad to hear that it closed.</p>",
                name="Plates",
            )
        ),
        path="/biz/the-keepers-table-harbour-town",
    ),
    "a company that a register calls dissolved": Met(
        source="Companies House: Dissolved",
        reply=html(
            portal(
                "BREAKWATER OIL LIMITED overview - Find and update company information",
                "<h1>BREAKWATER OIL LIMITED</h1><dl><dt>Company number</dt><dd>00042424</dd><dt>Registered office address</dt><dd>1 Breakwater, Harbour Town</dd><dt>Company status</dt><dd>Dissolved</dd><dt>Dissolved on</dt><dd>3 March 2015</dd></dl>",
                name="Companies Register",
            )
        ),
        path="/company/00042424",
    ),
    "the end of a game's service, in Chinese": Met(
        source="game publishers: 停服公告, still published",
        reply=html(
            portal(
                "《守塔人》停服公告",
                "<h1>《守塔人》停服公告</h1><p>亲爱的玩家：《守塔人》将于2025年12月31日10:00正式停止运营，届时游戏服务器将关闭，账号数据将全部删除。</p><p>感谢您三年来的陪伴。退款说明见附件。</p>",
                lang="zh",
                name="灯火游戏",
            )
        ),
        path="/news/notice/4242.html",
        lang="zh",
    ),
    "a campaign that is over, in Japanese": Met(
        source="makers: このキャンペーンは終了しました",
        reply=html(
            portal(
                "灯台めぐりキャンペーン（終了）",
                "<h1>灯台めぐりキャンペーン</h1><p>このキャンペーンは終了しました。たくさんのご応募ありがとうございました。</p><h2>当選発表</h2><p>賞品の発送をもってかえさせていただきます。</p><h2>対象商品</h2><p>みなと茶 500ml、1L</p>",
                lang="ja",
                name="みなと飲料",
            )
        ),
        path="/campaign/2025/lighthouse/",
        lang="ja",
    ),
    "a recruitment that has closed, in Korean": Met(
        source="Korean offices: 접수마감, still published",
        reply=html(
            portal(
                "2025년 등대 해설사 모집 공고",
                "<h1>2025년 등대 해설사 모집 공고</h1><p>상태: 접수마감</p><p>접수기간: 2025.03.03 ~ 2025.03.14</p><p>모집인원: 4명</p><a href='/file/42'>공고문.hwp</a><a href='/file/43'>합격자 명단.pdf</a>",
                lang="ko",
                name="항만청",
            )
        ),
        path="/kor/notice/view?seq=4242",
        lang="ko",
    ),
    "a petition that is closed, in Spanish": Met(
        source="Change.org: petición cerrada",
        reply=html(
            plain_site(
                "Petición · Salvemos el faro del dique",
                "<p>Petición cerrada</p><h1>Salvemos el faro del dique</h1><p>Esta petición consiguió 4.242 firmas</p>"
                + story("es")
                + "<h2>Actualizaciones</h2><p>¡Victoria! El ayuntamiento retira el proyecto.</p>",
                lang="es",
                name="Firmas",
            )
        ),
        path="/p/salvemos-el-faro-del-dique",
        lang="es",
    ),
    "an article on links that die": Met(
        source="papers: link rot",
        reply=html(
            news(
                "This page no longer exists: a quarter of the web has vanished",
                "<h1>This page no longer exists: a quarter of the web has vanished</h1><p>Click on an old link and you will often read “Sorry, the page you are looking for could not be found”. A new study counted how often.</p><p>Of the pages that existed in 2013, thirty-eight per cent are no longer accessible today.</p><p>The authors followed links from government sites, news and Wikipedia.</p>",
                name="The Fog Horn",
            )
        ),
        path="/technology/2024/may/17/link-rot-study",
    ),
    "an article on sites that were seized, in German": Met(
        source="papers: Diese Domain wurde beschlagnahmt",
        reply=html(
            news(
                "„Diese Domain wurde beschlagnahmt“: Ermittler schalten Marktplatz ab",
                "<h1>„Diese Domain wurde beschlagnahmt“: Ermittler schalten Marktplatz ab</h1><p>Wer seit Dienstag die Adresse aufruft, sieht nur noch das Banner der Behörden.</p><p>Die Server standen in drei Ländern. Zwölf Verdächtige wurden festgenommen.</p>",
                lang="de",
                name="Molenkurier",
            )
        ),
        path="/netzwelt/marktplatz-abgeschaltet-a-42.html",
        lang="de",
    ),
    "an article on a law against pages, in Russian": Met(
        source="papers: доступ к сайту ограничен",
        reply=html(
            news(
                "Доступ к сайту ограничен: что означает эта надпись",
                "<h1>Доступ к сайту ограничен: что означает эта надпись</h1><p>Вместо привычной страницы пользователи видят сообщение о том, что ресурс заблокирован. Разбираемся, кто и почему принимает такие решения.</p>"
                + story("ru"),
                lang="ru",
                name="Моряк",
            )
        ),
        path="/articles/2025/11/04/dostup-ogranichen",
        lang="ru",
    ),
    "a help page on accounts that were suspended": Met(
        source="hosts' help: This Account Has Been Suspended",
        reply=html(
            wordpress(
                "This Account Has Been Suspended: Why It Happens and How to Fix It",
                "<article><h1>This Account Has Been Suspended: Why It Happens and How to Fix It</h1><p>You open your site and see “Account Suspended. Contact your hosting provider for more information.” Don't panic.</p><h2>1. Unpaid bills</h2><p>Log in to billing and settle the invoice.</p><h2>2. Too many resources</h2><p>Check the logs of the last days.</p><h2>3. Malware</h2><p>Scan your files.</p></article>",
                name="Harbour Hosting",
            )
        ),
        path="/kb/this-account-has-been-suspended/",
    ),
    "a help page on domains not connected, in Portuguese": Met(
        source="builders' help: domínio não conectado",
        reply=html(
            plain_site(
                "Domínio não conectado: como resolver",
                "<h1>Meu site mostra “Este domínio não está conectado a um site”. E agora?</h1><p>Essa mensagem aparece quando o DNS aponta para os nossos servidores, mas o domínio ainda não foi adicionado à conta.</p><ol><li>Acesse o painel</li><li>Clique em Domínios</li><li>Aguarde até 48 horas</li></ol>",
                lang="pt",
                name="Central de Ajuda",
            )
        ),
        path="/pt/artigo/dominio-nao-conectado",
        lang="pt",
    ),
    "a song that is called Gone": Met(
        source="sites of lyrics: titles of one word",
        reply=html(
            plain_site(
                "410 Gone – The Breakwaters Lyrics",
                "<h1>410 Gone Lyrics</h1><p>by The Breakwaters, from the album Status Codes (2019)</p><p>I knocked upon your port last night<br>You said there's nothing here<br>The page is gone, turn off the light<br>And do not reappear</p>",
                name="Lyricbay",
            )
        ),
        path="/the-breakwaters-410-gone-lyrics",
    ),
    "an article of a wiki on an error": Met(
        source="Wikipedia: HTTP 404",
        reply=html(
            mediawiki(
                "HTTP 404",
                '<p>In computer network communications, the <b>HTTP 404</b>, <b>404 not found</b>, <b>404</b>, <b>404 error</b>, <b>page not found</b>, or <b>file not found</b> error message is a hypertext transfer protocol standard response code.</p><h2>Overview</h2><p>The website hosting server will typically generate a "404 Not Found" web page when a user attempts to follow a broken or dead link.</p><h2>Soft 404 errors</h2><p>Some websites report a "not found" error by returning a standard web page with a "200 OK" response code.</p>',
                name="Lanternpedia",
            )
        ),
        path="/wiki/HTTP_404",
    ),
    "an article that has not been translated": Met(
        source="MDN, Microsoft: this page is not available in your language",
        reply=html(
            plain_site(
                "Light lists | Harbour Docs",
                "<div class='notecard'><p>Diese Seite ist in Ihrer Sprache nicht verfügbar. Sie sehen die englische Fassung.</p></div><h1>Light lists</h1>"
                + story("en", 2),
                lang="en",
                name="Harbour Docs",
            )
        ),
        path="/de/docs/light-lists",
    ),
    "a page whose script shows its error only when needed": Met(
        source="Vue, Alpine: hidden templates of errors in each page",
        reply=html(
            portal(
                "Tide tables 2026",
                '<h1>Tide tables 2026</h1><div id="error" hidden style="display:none"><h2>Page not found</h2><p>Sorry, we could not find this harbour.</p></div><template id="expired"><h2>Session expired</h2></template><table><tr><th>Date</th><th>High water</th></tr><tr><td>3 Feb</td><td>04:42</td></tr><tr><td>4 Feb</td><td>05:21</td></tr></table>',
            )
        ),
        path="/tides/2026",
    ),
    "a topic of phpBB whose author was deleted, in Italian": Met(
        source="phpBB: guest authors, Argomento bloccato",
        reply=html(
            phpbb(
                "Lampada a olio: dove trovare lo stoppino?",
                '<h2 class="topic-title">Lampada a olio: dove trovare lo stoppino?</h2><div class="post"><p class="author">utente cancellato</p><div class="content">Cerco uno stoppino da 42 mm. Il negozio di prima ha chiuso e il link porta a “pagina non trovata”.</div></div><div class="post"><div class="content">Prova dal cordaio del porto.</div></div><p>Argomento bloccato</p>',
                lang="it",
                name="Forum dei fari",
            )
        ),
        path="/viewtopic.php?f=4&t=2424",
        lang="it",
    ),
    "a notice of recall": Met(
        source="offices of consumers: recalled products",
        reply=html(
            portal(
                "Product recall: Foglamp oil heater (2503-0042)",
                "<h1>Product recall: Foglamp oil heater</h1><p>The product has been withdrawn from the market and recalled from end users.</p><dl><dt>Hazard</dt><dd>Fire</dd><dt>Corrective action</dt><dd>Stop using the product and return it for a refund. It is no longer available for sale.</dd></dl>",
                name="Product Safety",
            )
        ),
        path="/product-safety-alerts/2503-0042-foglamp",
    ),
    "a pre-order that has not opened, in Turkish": Met(
        source="shops: çok yakında, with the product",
        reply=html(
            shopify(
                "Mendirek Feneri Maketi",
                "<section class='product'><h1>Mendirek Feneri Maketi</h1><p>1.142,00 TL</p><button disabled>Çok yakında</button><p>1/42 ölçekli, 28 cm. Stoklarımıza girince haber verelim mi?</p><input type='email' placeholder='E-posta'></section>",
                lang="tr",
                name="Fener Dükkanı",
            )
        ),
        path="/products/mendirek-feneri-maketi",
        lang="tr",
    ),
    "a product out of stock, in Vietnamese": Met(
        source="Vietnamese shops: Hết hàng",
        reply=html(
            market(
                "Đèn dầu cổ 1874 | Hải Đăng",
                "<h1>Đèn dầu cổ 1874</h1><p>1.420.000₫</p><span class='out'>Hết hàng</span><button>Báo tôi khi có hàng</button><p>Đèn đồng, cao 42 cm, bấc dệt tay.</p>"
                + story("vi"),
                lang="vi",
                name="Hải Đăng",
            )
        ),
        path="/den-dau-co-1874-p1874.html",
        lang="vi",
    ),
    "a product that is not available now, in Persian": Met(
        source="Digikala: ناموجود",
        reply=html(
            market(
                "چراغ نفتی برنجی | اسکله",
                "<h1>چراغ نفتی برنجی</h1><p class='out-of-stock'>این کالا فعلا موجود نیست اما می‌توانید زنگوله را بزنید تا به محض موجود شدن، به شما خبر دهیم</p><button>خبرم کن</button><h2>مشخصات</h2><p>ارتفاع ۴۲ سانتی‌متر، جنس برنج</p>",
                lang="fa",
                name="اسکله",
            )
        ),
        path="/product/dkp-4242424/",
        lang="fa",
    ),
    "an announcement of an office, in Arabic": Met(
        source="Arabic portals: انتهت فترة التقديم",
        reply=html(
            portal(
                "إعلان وظائف مرشدي الفنار",
                "<h1>إعلان وظائف مرشدي الفنار</h1><p>انتهت فترة التقديم. سيتم إعلان النتائج على هذه الصفحة.</p>"
                + story("ar"),
                lang="ar",
                name="هيئة الموانئ",
            )
        ),
        path="/ar/jobs/42",
        lang="ar",
    ),
    "a page made by hand in 2004": Met(
        source="hand-made sites: windows-1252, no doctype",
        reply=html(
            by_hand(
                "Lights of the coast",
                "<h2>Breakwater Light</h2><p>Built 1874. Height 42 m. Fl(2) W 10s 18M.</p><p><img src='bw.jpg' alt='' width=200 height=300></p><p>Some of my links are dead, sorry about the 404 errors – I will fix them one day.</p>",
            ),
            "Server: Apache/1.3.42",
            charset="windows-1252",
        ),
        path="/bw.htm",
    ),
    "a document that the web archive kept": Met(
        source="web.archive.org: a capture with its bar",
        reply=html(
            document(
                "Harbour Society - Not updated since 2009",
                '<!-- BEGIN WAYBACK TOOLBAR INSERT --><div id="wm-ipp-base">INTERNET ARCHIVE Wayback Machine 42 captures 14 Mar 2004 - 3 Feb 2026</div><!-- END WAYBACK TOOLBAR INSERT --><h1>Harbour Society</h1><p>Welcome to our site!</p>'
                + story(),
            ),
            "x-archive-src: 42.warc.gz",
            "memento-datetime: Sun, 14 Mar 2004 10:00:00 GMT",
        ),
        path="/web/20040314100000/http://harbour-society.example/",
    ),
    "an application behind a screen that loads": Met(
        source="Angular, Flutter: a spinner until the scripts are there",
        reply=html(
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour Live</title><base href="/"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="styles.4f1b.css"></head><body><app-root><div class="loading"><div class="spinner"></div><p>Loading…</p></div></app-root><noscript>Please enable JavaScript to continue using this application.</noscript><script src="polyfills.42.js" type="module"></script><script src="main.42.js" type="module"></script></body></html>'
        ),
        path="/vessels/42",
    ),
    "a game that tells of a lost page": Met(
        source="galleries of pages of errors: 404 design",
        reply=html(
            plain_site(
                "50 best 404 page designs of 2025",
                "<h1>50 best 404 page designs of 2025</h1><p>“Oops! Page not found.” It need not be dull. We picked fifty pages that make losing one's way a pleasure.</p><ol><li><h2>Lost at sea</h2><p>A lighthouse sweeps over the words “The page you requested has drifted away”.</p></li><li><h2>Fog</h2><p>The code 404 appears only when the fog lifts.</p></li></ol>",
                name="Studio Mole",
            )
        ),
        path="/inspiration/404-pages",
    ),
}


def _head_is_refused(visit: Visit, _times: int) -> Reply:
    """Answer to GET alone."""
    if visit.request.startswith(b"HEAD"):
        return plain("", "Allow: GET, POST", status=405, kind="text/html")
    return html(plain_site("Light list", f"<h1>Light list</h1>{story('en', 2)}"))


def _ways() -> Iterator[Case]:
    """Yield pages that odd ways lead to, and answers that are no pages."""
    page = html(portal("Breakwater Light", f"<h1>Breakwater Light</h1>{story('en', 2)}"))
    yield alive(
        "a page that HEAD may not ask for",
        "old applications: 405 to HEAD, 200 to GET",
        {"/": front(), "/lights.cgi?id=42": _head_is_refused, ELSE: LOST},
        path="/lights.cgi?id=42",
    )
    yield alive(
        "a chain of four redirects",
        "http to https to www to a slash to a new path",
        {
            "/": front(),
            "/lights/42": redirect("/lights/42/", status=301),
            "/lights/42/": redirect("/en/lights/42/", status=302),
            "/en/lights/42/": redirect("/en/lights/breakwater/", status=308),
            "/en/lights/breakwater/": redirect("/en/heritage/breakwater-light/", status=307),
            "/en/heritage/breakwater-light/": page,
            ELSE: LOST,
        },
        path="/lights/42",
    )
    yield alive(
        "an identifier leads to the page of a publisher",
        "doi.org: 302 to the article",
        only(
            redirect(
                "http://publisher-of-lights.example:PORT/article/42", "Vary: Accept", status=302
            )
        ),
        path="/10.5555/lights.42",
        others={"publisher-of-lights.example": {"/": front(), "/article/42": page, ELSE: LOST}},
    )
    yield alive(
        "a page of YouTube behind the question of consent",
        "consent.youtube.com: 302, Before you continue",
        only(redirect("http://consent.tube-giant.example:PORT/m?continue=x&gl=NL&hl=en")),
        path="/watch?v=42abAB42abA",
        others={
            "consent.tube-giant.example": only(
                html(
                    document(
                        "Before you continue to YouTube",
                        '<div class="saveButtonContainer"><h1>Before you continue to YouTube</h1><p>We use cookies and data to deliver and maintain Google services.</p><form action="/save" method="POST"><button>Reject all</button><button>Accept all</button></form></div>',
                    ),
                    "Server: ESF",
                )
            )
        },
        outcomes=frozenset({SUCCESS, INCONCLUSIVE}),
    )
    yield alive(
        "a text of an order of the net",
        "rfc-editor.org: text/plain",
        {
            "/": front(),
            "/rfc/rfc9110.txt": plain(
                "Internet Engineering Task Force (IETF)                  R. Fielding, Ed.\nRequest for Comments: 9110                                         Adobe\n\n                             HTTP Semantics\n\n15.5.5.  404 Not Found\n\n   The 404 (Not Found) status code indicates that the origin server did\n   not find a current representation for the target resource or is not\n   willing to disclose that one exists.\n"
            ),
            ELSE: LOST,
        },
        path="/rfc/rfc9110.txt",
    )
    yield alive(
        "a calendar to subscribe to",
        "sites of clubs: text/calendar",
        {
            "/": front(),
            "/events.ics": plain(
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Harbour//EN\r\nBEGIN:VEVENT\r\nUID:42@harbour\r\nDTSTART:20260503T100000Z\r\nSUMMARY:CANCELLED: Open tower\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
                kind="text/calendar; charset=utf-8",
            ),
            ELSE: LOST,
        },
        path="/events.ics",
    )
    yield alive(
        "an interface that tells of a thing that was ended",
        "interfaces: a status of closed is an answer",
        {
            "/": front(),
            "/api/tickets/42": plain(
                '{"id":42,"title":"404 on the tide tables","state":"closed","closed_at":"2025-11-04T07:30:00Z","error":null}',
                kind="application/json",
            ),
            ELSE: LOST,
        },
        path="/api/tickets/42",
    )
    yield alive(
        "a picture in vectors",
        "sites: image/svg+xml",
        {
            "/": front(),
            "/img/404-badge.svg": plain(
                '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><title>404</title><text x="4" y="14">404 not found</text></svg>',
                kind="image/svg+xml",
            ),
            ELSE: LOST,
        },
        path="/img/404-badge.svg",
    )


CASES: list[Case] = [
    *(alive(name, met.source, met.site, path=met.path) for name, met in _PAGES.items()),
    *_ways(),
]
