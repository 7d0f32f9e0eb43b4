"""Live pages whose subjects are errors, closures, parking, captchas and what is not found."""

# ruff: noqa: RUF001
from tests.zoo.wild.case import Case, alive, html
from tests.zoo.wild.pages import modern, old, shop, site
from tests.zoo.wild.year2026.forms import document
from tests.zoo.wild.year2026_second.makes import forum, manual, post, shell, text, wiki, wordpress

# By what it is called: where such pages are known from, the page.
_PAGES: dict[str, tuple[str, str]] = {
    "a knowledge base's page on the error 522": (
        "vendors' help centres on single status codes",
        manual(
            "Error 522: connection timed out",
            "<p>The proxy could not open a TCP connection to your origin within 19"
            " seconds.</p><h2>Causes</h2><ul><li>The origin's firewall drops the"
            " addresses of the proxy.</li><li>Keep-alive is"
            " off.</li></ul><h2>Resolution</h2><p>Allow the ranges below, then try"
            " again.</p>",
        ),
    ),
    "a forum's thread titled 403 Forbidden": (
        "Discourse: threads titled by an error message alone",
        forum(
            "403 Forbidden",
            "Since the update every upload ends so. The access log has nothing.",
            "Check the owner of /var/www/uploads; ours had become root.",
            "That was it, thank you.",
        ),
    ),
    "a forum's thread titled page not found": (
        "Discourse: threads titled by an error message alone",
        forum(
            "Page not found",
            "I see this after I changed the permalink structure. What am I to do?",
            "Save the permalinks once more; the rewrite rules are written then.",
        ),
    ),
    "a solved thread on an endless captcha": (
        "forums of browsers: verification loops",
        forum(
            "Verify you are human, again and again",
            "Checking your browser before accessing… and then the same tick box. Firefox"
            " 140, no add-ons.",
            "Your clock is wrong. Set it and the loop ends.",
            "Just a moment… is gone! Thanks.",
        ),
    ),
    "an encyclopaedia's page on parked domains": (
        "wikis: articles named as an error is",
        wiki(
            "Domain parking",
            "<p><b>Domain parking</b> is the registration of a domain name without any"
            " service being placed on it. Phrases such as <i>this domain may be for"
            " sale</i> or <i>buy this domain</i> are common on such"
            " pages.</p><h2>Monetised parking</h2><p>Pages with related searches earn by"
            " the click.</p>" + text("en", 1),
        ),
    ),
    "a disambiguation of Not Found": (
        "wikis: lists of what bears a name",
        wiki(
            "Not Found",
            "<p><b>Not Found</b> may refer to:</p><ul><li>HTTP 404</li><li><a"
            " href='/wiki/Not_Found_(album)'>Not Found (album)</a>, 2013</li><li>“Not"
            " Found”, an episode of a series</li></ul>",
        ),
    ),
    "a wiki's list of deleted articles": (
        "wikis: logs that are pages",
        wiki(
            "Deletion log",
            "<ul><li>3 May 2026 Keeper deleted page Old ferry (spam)</li><li>2 May 2026"
            " Keeper deleted page Test (does not exist elsewhere)</li><li>1 May 2026"
            " Keeper restored page Skerry</li></ul>" + text("en", 1),
        ),
    ),
    "an album called 404": (
        "music shops: Bandcamp and others",
        shop(
            "404, by The Missing Pages | Skerry Records",
            "<h2 class='trackTitle'>404</h2><h3>by The Missing Pages</h3><ol><li>Not"
            " Found 03:12</li><li>Gone 04:10</li><li>Service Unavailable"
            " 02:58</li></ol><p>Released on 4 April 2026. Digital album, 7 EUR.</p>",
        ),
    ),
    "a song in Korean about what is lost": (
        "lyrics sites",
        modern(
            "페이지를 찾을 수 없습니다 – 가사",
            "<h1>페이지를 찾을 수 없습니다</h1><p>노래: 등대지기, 작사:"
            " 김하늘</p><pre>너의 이름을 눌렀는데\n없는 주소라 하네\n밤바다는 대답이"
            " 없고\n나는 새로고침만 하네\n다시 또 다시\n파도처럼</pre>",
            lang="ko",
        ),
    ),
    "a film with the title Access Denied": (
        "film databases",
        shell(
            "Access Denied (2024) - Skerry Film Base",
            {"id": "tt77", "title": "Access Denied", "year": 2024},
            content="<h1>Access Denied</h1><p>2024, 1 h 38 min. A night guard finds that her card"
            " opens every door but one.</p><h2>Cast</h2><ul><li>M. Ahlin</li><li>R."
            " Okafor</li></ul>",
        ),
    ),
    "a game called Just a Moment": (
        "shops of games",
        shop(
            "Just a Moment… on Skerry Games",
            "<h1>Just a Moment…</h1><p>A quiet puzzle about waiting rooms. Windows,"
            " Linux. 88% of 1,204 reviews are positive.</p><h2>System"
            " requirements</h2><p>4 GB of memory; JavaScript is not required.</p>",
        ),
    ),
    "a T-shirt that says site not found": (
        "print-on-demand shops",
        shop(
            "Site Not Found T-Shirt",
            "<h1>Site Not Found T-Shirt</h1><p>Organic cotton, sizes S to XXL. 24.00"
            " €</p><button>Add to cart</button>",
        ),
    ),
    "a poster in German that says Seite nicht gefunden": (
        "print-on-demand shops",
        shop(
            "Poster „Seite nicht gefunden“",
            "<h1>Poster „Seite nicht gefunden“</h1><p>50 × 70 cm, Recyclingpapier, 19,90"
            " €. Lieferzeit 2 Tage.</p><button>In den Warenkorb</button>",
            lang="de",
        ),
    ),
    "a product that was discontinued, with its manual": (
        "makers' support pages of discontinued products",
        modern(
            "SK-404 Access Controller – Discontinued | Skerry Instruments",
            "<h1>SK-404 Access Controller</h1><p><strong>This product has been"
            " discontinued.</strong> Its successor is the"
            " SK-410.</p><h2>Downloads</h2><ul><li><a href='/sk404.pdf'>Manual (PDF, 2"
            " MB)</a></li><li><a href='/sk404.zip'>Firmware"
            " 4.0.4</a></li></ul><h2>Specification</h2><p>Supply 12 V, 0.4 A; 404 users;"
            " reads cards at 13.56 MHz.</p>",
        ),
    ),
    "a recall of a product": (
        "authorities' recall pages",
        modern(
            "Recall: heaters sold under the name Glow | Product safety",
            "<h1>Recall: heaters sold under the name Glow</h1><p>The product has been"
            " removed from sale. Stop using it and return it. The seller's site is no"
            " longer available.</p><h2>What to do</h2><p>Unplug the heater. Take it to"
            " any shop of the chain.</p>",
        ),
    ),
    "a restaurant that closed for good, in a guide": (
        "guides of places: permanently closed",
        modern(
            "Zum Leuchtturm (geschlossen) | Küstenführer",
            "<h1>Zum Leuchtturm</h1><p>Dauerhaft geschlossen</p><p>Hafenstraße 4, 25980"
            " Skerry. 312 Bewertungen, 4,4 von 5.</p><h2>Bewertungen</h2><p>Die Scholle"
            " war die beste der Küste. Schade, dass es vorbei ist.</p>" + text("de", 1),
            lang="de",
        ),
    ),
    "a closed school's record": (
        "registers of schools",
        modern(
            "Skerry Primary School - closed | Register of schools",
            "<h1>Skerry Primary School</h1><dl><dt>Status</dt><dd>Closed</dd><dt>Close"
            " date</dt><dd>31 August 2019</dd><dt>Reason</dt><dd>Falling"
            " rolls</dd><dt>URN</dt><dd>100404</dd></dl>",
        ),
    ),
    "a company that was dissolved": (
        "registers of companies",
        modern(
            "SKERRY HOSTING LIMITED overview - Register of companies",
            "<h1>SKERRY HOSTING LIMITED</h1><p>Company status: Dissolved</p><p>Dissolved"
            " on 4 April 2023</p><h2>Nature of business</h2><p>63110 - Data processing,"
            " hosting and related activities</p><h2>Filing history</h2><p>12"
            " documents</p>",
        ),
    ),
    "a site's notice of its own shutdown, with the archive": (
        "services that end and keep their pages",
        post(
            "We are shutting down on 30 June",
            "<p>After fourteen years Skerry Press will close. Accounts will be suspended,"
            " and uploads will no longer be accepted. All articles stay where they are,"
            " read-only.</p>" + text("en", 2),
        ),
    ),
    "an obituary of a web host": (
        "magazines on the ends of services",
        post(
            "This account has been suspended: an obituary of a host",
            "<p>For a generation of owners that sentence was the last thing they saw of"
            " their sites. The company that said it has now gone the same way.</p>" + text("en", 3),
        ),
    ),
    "an article in Portuguese on blocked sites": (
        "newspapers on what courts ordered",
        post(
            "Site bloqueado: o que diz a decisão",
            "<p>A decisão manda suspender o domínio em 48 horas. «Acesso negado» é o que"
            " o leitor verá.</p>" + text("pt", 3),
            lang="pt",
        ),
    ),
    "an article in Swedish on domains for sale": (
        "newspapers on the domain market",
        post(
            "Domänen är till salu – för två miljoner",
            "<p>Den som vill köpa domänen får betala. Ägaren säger att budgivningen pågår"
            " till midsommar.</p>" + text("sv", 3),
            lang="sv",
        ),
    ),
    "an article in Ukrainian on error 404": (
        "blogs that explain status codes",
        post(
            "Помилка 404: сторінку не знайдено – що це означає",
            "<p>Сервер каже, що сторінки немає. Пояснюємо, звідки береться помилка і як"
            " її виправити.</p>" + text("uk", 3),
            lang="uk",
        ),
    ),
    "an article in Vietnamese on error 404": (
        "blogs that explain status codes",
        post(
            "Lỗi 404 Not Found là gì? Cách khắc phục",
            "<p>Đây là mã trạng thái khi máy chủ không tìm thấy trang. Bài viết nêu năm"
            " cách xử lý.</p>" + text("vi", 3),
            lang="vi",
        ),
    ),
    "an article in Thai on suspended accounts": (
        "hosters' help pages",
        post(
            "เว็บไซต์ขึ้นว่า Account Suspended ต้องทำอย่างไร",
            "<p>ตรวจสอบใบแจ้งหนี้และปริมาณการใช้งานก่อน แล้วจึงติดต่อฝ่ายสนับสนุน</p>" + text("th", 3),
            lang="th",
        ),
    ),
    "an article in Persian on captchas": (
        "blogs on captchas",
        post(
            "کپچا چیست و چرا می‌پرسد «من ربات نیستم»؟",
            "<p>کپچا آزمونی است برای تشخیص انسان از ربات.</p>" + text("fa", 3),
            lang="fa",
        ),
    ),
    "an article in Hebrew on what is not found": (
        "blogs on page design",
        post(
            "הדף לא נמצא: עשר דוגמאות לעיצוב",
            "<p>אספנו עמודי שגיאה יפים מן השנה האחרונה.</p>" + text("he", 3),
            lang="he",
        ),
    ),
    "an article in Indonesian on a blocked country": (
        "blogs on geography of services",
        post(
            "Maaf, layanan ini tidak tersedia di negara Anda: apa artinya?",
            "<p>Pesan itu muncul bila hak siar tidak mencakup Indonesia.</p>" + text("id", 3),
            lang="id",
        ),
    ),
    "a gallery of pages for errors": (
        "design galleries of 404 pages",
        modern(
            "404 pages – Inspiration",
            "<h1>404 pages</h1>"
            + "".join(
                f"<figure><a href='/d/{n}'><img src='/d/{n}.webp' alt='Oops! Page not"
                f" found'></a><figcaption>{who}</figcaption></figure>"
                for n, who in enumerate(("A lost astronaut", "An empty desk", "A torn map"))
            ),
        ),
    ),
    "a template of a page for errors, for sale": (
        "markets of templates",
        shop(
            "Oops – 404 Error Page Template",
            "<h1>Oops – 404 Error Page Template</h1><p>HTML and CSS, 12 colours, 9 €."
            " 1,204 sales.</p><a href='/demo/oops'>Live preview</a>",
        ),
    ),
    "a template of a page that comes soon, for sale": (
        "markets of templates",
        shop(
            "Coming Soon & Under Construction Template",
            "<h1>Coming Soon & Under Construction Template</h1><p>A countdown, a form for"
            " letters, 7 €. 310 sales.</p><a href='/demo/soon'>Live preview</a>",
        ),
    ),
    "a domain market's page on a name that is under auction": (
        "markets of domains: an auction under way",
        modern(
            "lighthouse.example | Domain auctions",
            "<h1>lighthouse.example</h1><p>Current bid: $1,310. 14 bids. Ends in 2 d 4"
            " h.</p><h2>Bids</h2><table><tr><td>keeper</td><td>$1,310</td></tr><tr><td>qu"
            "ay7</td><td>$1,200</td></tr></table><h2>About this name</h2><p>Registered"
            " 1998; 10 letters; no trademark known.</p>",
        ),
    ),
    "a registrar's own page that sells domains": (
        "registrars' product pages",
        modern(
            "Buy a domain name from 3.99 € | Skerry Registrar",
            "<h1>Find your domain name</h1><form action='/search'><input"
            " name='domain'><button>Search</button></form><h2>Domain parking is"
            " included</h2><p>Until your site is ready, we show a page that says"
            " so.</p><h2>Questions</h2><p>What if the domain is taken? Make its owner an"
            " offer.</p>",
        ),
    ),
    "a house for sale whose agent's site parks cars": (
        "estate agents",
        shell(
            "House with parking for sale, Quay Road 4 | Skerry Homes",
            {"listing": {"id": 404, "status": "ACTIVE", "error": None}},
            content="<h1>House with parking for sale</h1><p>Quay Road 4. 310,000 €. Four rooms,"
            " two parking spaces, sea view.</p><button>Arrange a viewing</button>",
        ),
    ),
    "a live job for a tester of error pages": (
        "job boards",
        modern(
            "Engineer, Anti-Bot & Captcha | Skerry Jobs",
            "<h1>Engineer, Anti-Bot & Captcha</h1><p>Hamburg or remote. Posted 3 days"
            " ago.</p><h2>Your tasks</h2><p>You decide who is a robot. You see to it that"
            " nobody reads “access denied” who is none.</p><button>Apply now</button>",
        ),
    ),
    "a status page that says partial outage": (
        "Statuspage and others",
        modern(
            "Skerry Status",
            "<h1>Partial system outage</h1><ul><li>API: degraded performance</li><li>Web"
            " site: operational</li></ul><h2>Past incidents</h2><h3>3 May 2026: 503"
            " Service Unavailable</h3><p>Resolved. A database had run out of"
            " connections.</p>",
        ),
    ),
    "a page on a museum's maintenance": (
        "museums: rooms under restoration",
        modern(
            "Under maintenance: room 5 | Lighthouse Museum",
            "<h1>Under maintenance: room 5</h1><p>The lens of 1884 is being cleaned until"
            " autumn. You may watch the restorers on Thursdays.</p>" + text("en", 1),
        ),
    ),
    "a museum's record of a torn page": (
        "museums: catalogue records",
        modern(
            "Page (missing) from a logbook | Collections online",
            "<h1>Page (missing) from a logbook</h1><dl><dt>Object"
            " number</dt><dd>1987.404</dd><dt>Status</dt><dd>Not found at stocktaking"
            " 1999</dd><dt>Material</dt><dd>Paper, ink</dd></dl><p>Image not"
            " available</p>",
        ),
    ),
    "an archive's finding aid with nothing online": (
        "archives: no digital object",
        modern(
            "Letters, 1901–1904 | Archive of the coast",
            "<h1>Letters, 1901–1904</h1><p>No digital object is available. Order the"
            " original to the reading room under HA 404/2.</p><h2>Scope and"
            " content</h2><p>Letters of the keeper to the board, on oil and wicks.</p>",
        ),
    ),
    "a gene that was withdrawn": (
        "gene databases: withdrawn records that are kept",
        modern(
            "SKR4 (withdrawn) - Gene record",
            "<h1>SKR4 symbol report</h1><p>Entry withdrawn</p><dl><dt>Previous"
            " symbol</dt><dd>SKR4</dd><dt>Status</dt><dd>Symbol withdrawn, see"
            " SKR2</dd><dt>Date</dt><dd>2011-04-04</dd></dl>",
        ),
    ),
    "a security advisory that was rejected": (
        "lists of vulnerabilities: rejected numbers",
        modern(
            "CVE-2025-40404 - Rejected",
            "<h1>CVE-2025-40404 Detail</h1><p>Rejected</p><p>Rejected reason: this number"
            " was not used. It has been withdrawn by its numbering"
            " authority.</p><h2>Change history</h2><p>2 records</p>",
        ),
    ),
    "a court's decision on a suspended site": (
        "collections of court decisions",
        old(
            "Skerry v. Harbour Hosting",
            "<H2>Skerry v. Harbour Hosting</H2><P>The host replaced the claimant's pages"
            " by the words 'This site has been suspended'. Held: that was a"
            " breach.</P><P>" + text("en", 2),
        ),
    ),
    "an RFC's section on 410": (
        "RFCs as HTML",
        document(
            "RFC 9110: HTTP Semantics, 15.5.11. 410 Gone",
            "<pre>15.5.11.  410 Gone\n\n   A server uses it where access to the target is"
            " no longer\n   available and the condition is likely to be"
            " permanent.\n\n15.5.12.  411 Length Required\n</pre>",
        ),
    ),
    "a reference of an API's errors": (
        "documentation of APIs",
        manual(
            "Errors",
            "<table><tr><th>Status</th><th>Code</th><th>Meaning</th></tr><tr><td>401</td>"
            "<td>unauthorized</td><td>Log in first.</td></tr><tr><td>404</td><td>not_foun"
            "d</td><td>The resource does not exist.</td></tr><tr><td>429</td><td>rate_lim"
            "ited</td><td>Too many requests: slow down.</td></tr></table>",
        ),
    ),
    "a repository's file named 404.html": (
        "forges: the source of an error page",
        shell(
            "site/404.html at main · keeper/site",
            {"path": "404.html", "ref": "main"},
            content="<h1>keeper/site</h1><nav>Code Issues 4 Pull requests</nav><div"
            " class='blob'><pre>&lt;!DOCTYPE html&gt;\n&lt;title&gt;Page not"
            " found&lt;/title&gt;\n&lt;h1&gt;Page not found&lt;/h1&gt;</pre></div>",
        ),
    ),
    "an issue of a project on a false 404": (
        "forges: issues titled by an error",
        shell(
            "404 on every page after upgrade · Issue #404 · keeper/site",
            {"issue": {"number": 404, "state": "closed"}},
            content="<h1>404 on every page after upgrade #404</h1><span>Closed</span><div><p>Step"
            "s: upgrade, restart, open any page. Expected: the page. Seen: “This page"
            " could not be found”.</p><p>Fixed in 4.1.</p></div>",
        ),
    ),
    "a package that is called not-found": (
        "registries of packages",
        modern(
            "not-found 1.2.0 | Packages",
            "<h1>not-found</h1><p>Middleware that answers 404. Last published 2 years"
            " ago.</p><pre>add not-found</pre><h2>Usage</h2><pre>app.use(notFound({"
            " message: 'Page not found' }))</pre>",
        ),
    ),
    "a calendar's month without events": (
        "calendars: months in which nothing happens",
        wordpress(
            "Events for February 2019",
            "<h1>Events for February 2019</h1><p>There were no results found.</p><a"
            " href='/events/2019-03/'>Next month</a><table"
            " class='tribe-events-calendar'><tr><td>1</td><td>2</td><td>3</td></tr></tabl"
            "e>",
        ),
    ),
    "the last page of a list": (
        "paginated lists",
        modern(
            "All articles, page 31 of 31",
            "<h1>All articles</h1><p>Page 31 of 31</p><ul><li><a href='/a/1'>The keeper's"
            " book</a></li></ul><a rel='prev' href='?page=30'>Previous</a>",
        ),
    ),
    "an application that says nothing without scripts": (
        "networks of short posts: JavaScript is not available",
        document(
            "Skerry on the sea",
            "<div id='react-root'></div><noscript><div"
            " class='errorContainer'><h1>JavaScript is not available.</h1><p>We’ve"
            " detected that JavaScript is disabled in this browser. Please enable it or"
            " switch to a supported one.</p></div></noscript><script"
            " src='/main.4f1.js'></script>",
        ),
    ),
    "an application whose shell has its error boundary": (
        "Next.js: the words of errors are in each bundle",
        shell(
            "Tides of May | Skerry",
            {
                "notFound": False,
                "statusCode": 200,
                "messages": {"404": "This page could not be found"},
            },
            content="<h1>Tides of May</h1><p>High water 04:04 and 16:31.</p>",
        ),
    ),
    "a shop behind a gate for its cookies": (
        "consent dialogs of OneTrust, Usercentrics, Didomi",
        shop(
            "Brass lamp",
            "<div id='didomi-host' role='dialog'><h2>Votre vie privée</h2><p>Nous et nos"
            " 404 partenaires…</p><button>Accepter</button><button>Refuser</button></div>"
            "<h1>Brass lamp</h1><p>120 €</p>",
        ),
    ),
    "a newspaper's page that is half behind a wall for payers": (
        "newspapers that show the first paragraphs",
        post(
            "The keeper's last winter",
            text("en", 1)
            + "<div class='paywall'><h2>Subscribe to read on</h2><p>Already a subscriber?"
            " <a href='/login'>Sign in</a></p></div>",
        ),
    ),
    "a thread whose first post was removed by its author": (
        "boards of questions",
        forum(
            "How do I grind a Fresnel lens?",
            "(post deleted by author)",
            "You start with the flat face and work with emery of three grades.",
            "And keep the water cold.",
        ),
    ),
    "a tender that was cancelled": (
        "portals of public procurement",
        modern(
            "Notice 404-2026: cancelled | Public tenders",
            "<h1>Repair of a lighthouse</h1><p>Procedure cancelled. No tenders were"
            " received.</p><dl><dt>Buyer</dt><dd>Board of the"
            " coast</dd><dt>Published</dt><dd>3 May 2026</dd></dl>",
        ),
    ),
    "a flight's route that is suspended": (
        "airlines and ferries: suspended routes",
        modern(
            "Service suspended: route 4 to Skerry",
            "<h1>Service suspended: route 4 to Skerry</h1><p>Until 30 June no boats run"
            " because of work at the quay. A bus runs instead at 7.10 and"
            " 16.40.</p><h2>Fares</h2><p>Adults 4 €, children free.</p>",
        ),
    ),
}

CASES: list[Case] = [
    alive(name, source, site(html(page))) for name, (source, page) in _PAGES.items()
]
