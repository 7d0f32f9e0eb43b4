"""Living pages: ordinary ones, ones about errors and closures, and ones of things that ended."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, alive
from tests.zoo.wild.year2026_eleventh.frames import (
    Seen,
    app,
    blog,
    docs,
    forge,
    forum,
    office,
    on,
    prose,
    shop,
)


def _text(title: str, lang: str = "en", more: str = "") -> str:
    return f"<article><h1>{title}</h1>{prose(lang, 2)}{more}</article>"


_ORDINARY: dict[str, Seen] = {
    "a module's reference with its functions": on(
        "Sphinx: API references of Python libraries",
        "/en/stable/api/lampclock.html",
        docs(
            "lampclock.clock",
            f"<h1>lampclock.clock</h1><dl><dt>wind(turns: int = 42) -&gt; None</dt><dd>Winds the clock. Raises <code>NotFound</code> if there is no clock.</dd></dl>{prose()}",
            name="lampclock",
        ),
    ),
    "a readme of a repository on a forge": on(
        "Forgejo: a repository with its readme",
        "/keepers/lantern",
        forge(
            "keepers/lantern: A lantern in 200 lines",
            f"<div class='file-view markup markdown'><h1>lantern</h1>{prose()}<h2>Known issues</h2><p>If you get <code>404 page not found</code>, set ROOT_URL.</p></div>",
        ),
        scope="/keepers/lantern",
    ),
    "an article of a journal with its abstract": on(
        "Open Journal Systems: an article's landing page",
        "/index.php/jlh/article/view/1911",
        office(
            "Broken Panes: Storm Damage to Lanterns, 1900–1914 | Journal of Lighthouse History",
            f"<h1>Broken Panes: Storm Damage to Lanterns, 1900–1914</h1><h2>Abstract</h2>{prose()}<h2>Published</h2><p>2024-11-03</p><a class='galley-link pdf' href='/d/1'>PDF</a>",
            more='<meta name="citation_title" content="Broken Panes">\n<meta name="citation_doi" content="10.9999/jlh.1911">\n',
        ),
    ),
    "an abstract of a preprint with its versions": on(
        "arXiv: an abstract's page",
        "/abs/2411.18620",
        office(
            "[2411.18620] Where Did the Light Go? Lost Photons in Fresnel Lenses",
            f"<h1>Where Did the Light Go? Lost Photons in Fresnel Lenses</h1><blockquote class='abstract'>{prose()}</blockquote><h2>Submission history</h2><p>[v1] Wed, 27 Nov 2024</p>",
            name="arXiv.org",
        ),
    ),
    "an article of an encyclopedia in French": on(
        "Wikipédia: un article",
        "/wiki/Phare_du_Nord",
        office(
            "Phare du Nord — Wikipédia",
            _text(
                "Phare du Nord",
                "fr",
                "<h2>Notes et références</h2><p>(en) « Page not found », sur lights.example [archive du 3 mai 2011].</p>",
            ),
            lang="fr",
            name="Wikipédia",
        ),
        lang="fr",
    ),
    "a statute in German": on(
        "Gesetze im Internet: ein Gesetz",
        "/leuchtfeuerg/__7.html",
        office(
            "§ 7 LeuchtfeuerG - Einzelnorm",
            f"<h1>§ 7 Erlöschen der Befugnis</h1><p>(1) Die Befugnis erlischt, wenn das Feuer endgültig gelöscht ist.</p><p>(2) (weggefallen)</p>{prose('de')}",
            lang="de",
        ),
        lang="de",
    ),
    "a data set of a city's portal": on(
        "CKAN: a data set's page",
        "/dataset/lights-2024",
        office(
            "Lights 2024 - Open Data",
            f"<h1>Lights 2024</h1>{prose()}<table><tr><th>Field</th><td>Status</td></tr><tr><td>extinguished</td><td>7</td></tr></table><a href='/dataset/lights-2024/resource/1'>lights.csv</a>",
        ),
    ),
    "a post of a blog in Portuguese": on(
        "WordPress: um artigo",
        "/2024/11/a-escada-do-farol/",
        blog("A escada do farol", _text("A escada do farol", "pt"), lang="pt"),
        lang="pt",
    ),
    "a recipe of a blog in Turkish": on(
        "yemek blogları: bir tarif",
        "/tarif/bekci-corbasi",
        blog(
            "Bekçi Çorbası Tarifi",
            f"<h1>Bekçi Çorbası</h1><ul><li>2 soğan</li><li>1 balık</li></ul>{prose('tr', 2)}",
            lang="tr",
        ),
        lang="tr",
    ),
    "a topic of a forum in Russian with answers": on(
        "phpBB, Discourse: тема с ответами",
        "/t/lampa-ne-gorit/1862",
        forum(
            "Лампа не горит, что делать? - Маячный листок",
            f"<h1>Лампа не горит, что делать?</h1><div class='topic-body'><p>Сайт мастера удалён, страница не найдена. Помогите!</p></div><div class='topic-body'>{prose('ru')}</div>",
            lang="ru",
        ),
        lang="ru",
    ),
    "a lamp in a shop in Spanish": on(
        "Shopify: una ficha de producto",
        "/products/farol-de-laton",
        shop(
            "Farol de latón – Cuaderno de Faros",
            f"<h1>Farol de latón</h1><p class='price'>42,00 €</p>{prose('es')}<button>Añadir al carrito</button><p>¿No encontraste lo que buscabas?</p>",
            lang="es",
            more='<script type="application/ld+json">{"@type":"Product","name":"Farol","offers":{"@type":"Offer","price":"42.00","availability":"https://schema.org/InStock"}}</script>\n',
        ),
        scope="one",
        lang="es",
    ),
    "a syllabus in Japanese": on(
        "大学シラバス",
        "/syllabus/2025/L1862.html",
        office("灯台史概論｜シラバス", _text("灯台史概論", "ja"), lang="ja"),
        lang="ja",
    ),
    "an object of a museum in Korean": on(
        "e뮤지엄: 소장품 상세",
        "/relic/detail?relicId=PS01862",
        office(
            "등롱 - 소장품 검색",
            _text("등롱", "ko", "<p>전시 여부: 현재 전시되지 않음</p>"),
            lang="ko",
        ),
        lang="ko",
    ),
    "a story of a daily in Ukrainian": on(
        "новинні сайти: стаття",
        "/articles/2025/11/27/1862/",
        blog("Маяк знову світить", _text("Маяк знову світить", "uk"), lang="uk"),
        lang="uk",
    ),
    "a talk of a conference with its player": on(
        "media.ccc.de, PeerTube: a talk's page",
        "/v/38c3-1862-lamps",
        app(
            "Lamps for the rest of us - media",
            f"<video controls><source src='/cdn/1862.mp4'></video><h1>Lamps for the rest of us</h1>{prose()}",
        ),
    ),
    "a teacher's page at a university in Chinese": on(
        "高校教师主页",
        "/teacher/dengta.htm",
        office("灯塔史研究所 王守灯 教授", _text("王守灯 教授", "zh"), lang="zh"),
        lang="zh",
    ),
    "a letter of a mailing list in its archive": on(
        "Pipermail: a message",
        "/pipermail/keepers/2009-November/001862.html",
        "<HTML><HEAD><TITLE> [Keepers] Lost: one oil can</TITLE></HEAD><BODY BGCOLOR='#ffffff'><H1>[Keepers] Lost: one oil can</H1><B>North Keeper</B><I>Fri Nov 27 19:02:11 UTC 2009</I><PRE>The can is gone. Not found in the store.\nThe link you sent gives a 404, by the way.\n-- \nN.</PRE></BODY></HTML>",
    ),
    "a page of a manual on a command": on(
        "man7, Debian manpages: a command's page",
        "/linux/man-pages/man1/lamp.1.html",
        docs(
            "lamp(1) - Linux manual page",
            f"<h1>lamp(1)</h1><pre>NAME\n  lamp - light a lamp\nEXIT STATUS\n  127 if the lamp is not found\nBUGS\n  The page for wick(1) does not exist.</pre>{prose()}",
        ),
    ),
    "a list of frequent questions in Vietnamese": on(
        "trang hỏi đáp",
        "/hoi-dap/",
        office(
            "Câu hỏi thường gặp",
            _text(
                "Câu hỏi thường gặp",
                "vi",
                "<h2>Vì sao tôi không tìm thấy trang?</h2><p>Hãy kiểm tra lại đường dẫn.</p>",
            ),
            lang="vi",
        ),
        lang="vi",
    ),
    "the terms of a service": on(
        "terms of use: suspension and termination of accounts",
        "/legal/terms",
        office(
            "Terms of Service",
            f"<h1>Terms of Service</h1>{prose()}<h2>7. Termination</h2><p>If you break these terms, your account will be suspended or terminated, and your pages will no longer be available.</p>",
        ),
    ),
    "a post of a federated network with its replies": on(
        "Mastodon: a post rendered for visitors without an account",
        "/@keeper/111862186218621862",
        app(
            "North Keeper: “Wound the clock. 142 steps, again.” - mastodon",
            "<noscript>To use the Mastodon web application, please enable JavaScript.</noscript>",
            more='<meta property="og:title" content="North Keeper (@keeper)">\n<meta property="og:description" content="Wound the clock. 142 steps, again. The oil is nearly gone.">\n',
        ),
    ),
    "a package of a registry with its versions": on(
        "npm, crates.io, PyPI: a package's page",
        "/project/lampclock/",
        office(
            "lampclock · PyPI",
            f"<h1>lampclock 3.2.1</h1><pre>pip install lampclock</pre>{prose()}<h2>Release history</h2><p>3.2.0 yanked: missing file</p>",
        ),
    ),
    "a meeting to come in Finnish": on(
        "tapahtumasivut: tuleva tapahtuma",
        "/tapahtumat/majakkapaiva",
        office("Majakkapäivä 2027", _text("Majakkapäivä 2027", "fi"), lang="fi"),
        lang="fi",
    ),
    "a column of a weekly in Polish": on(
        "portale: felieton",
        "/felietony/1862-latarnik",
        blog("Latarnik nie odpowiada", _text("Latarnik nie odpowiada", "pl"), lang="pl"),
        lang="pl",
    ),
    "a page of a village in Italian": on(
        "siti dei comuni: una pagina",
        "/it/vivere/faro",
        office("Il faro - Comune", _text("Il faro", "it"), lang="it"),
        lang="it",
    ),
    "a poem on a page in Persian": on(
        "وبلاگ‌ها: یک نوشته",
        "/post/142",
        blog("فانوس شمال", _text("فانوس شمال", "fa"), lang="fa"),
        lang="fa",
    ),
    "a page of a ministry in Arabic": on(
        "مواقع حكومية: صفحة خدمة",
        "/services/lights",
        office("خدمة تراخيص المنارات", _text("خدمة تراخيص المنارات", "ar"), lang="ar"),
        lang="ar",
    ),
    "an album of a label": on(
        "Bandcamp: an album's page",
        "/album/dark-since-1988",
        shop(
            "Dark Since 1988 | North Rock",
            f"<h1>Dark Since 1988</h1><ol><li>Gone</li><li>Nobody Home</li><li>Connection Lost</li></ol>{prose()}<button>Buy Digital Album</button>",
        ),
    ),
}

# About errors, walls, names for sale and the ends of services.
_WORDS: dict[str, Seen] = {
    "a guide of a host to pages for errors of one's own": on(
        "Netlify, Cloudflare Pages, GitHub Pages documentation: custom 404 pages",
        "/docs/routing/custom-404",
        docs(
            "Custom 404 pages",
            f"<h1>Custom 404 pages</h1><p>Add a <code>404.html</code> file. Visitors then see it instead of “Page not found. Looks like you've followed a broken link”.</p>{prose()}",
        ),
    ),
    "an answer on a site of Pages that is not there": on(
        "questions on GitHub Pages: There isn't a GitHub Pages site here",
        "/questions/18621863/there-isnt-a-github-pages-site-here",
        forum(
            "GitHub Pages: There isn't a GitHub Pages site here - Stack Overflow",
            f"<h1>GitHub Pages: There isn't a GitHub Pages site here</h1><div class='question'><p>I pushed, and get a 404.</p></div><div class='answer'><p>Rename the branch.</p>{prose()}</div>",
        ),
    ),
    "an answer on a denied access to a database": on(
        "Stack Overflow: Access denied for user 'root'@'localhost'",
        "/questions/17975120/access-denied-for-user-rootlocalhost",
        forum(
            "mysql - Access denied for user 'root'@'localhost' (using password: YES) - Stack Overflow",
            f"<h1>Access denied for user 'root'@'localhost' (using password: YES)</h1><div class='answer'><pre>ALTER USER 'root'@'localhost' IDENTIFIED BY '…';</pre>{prose()}</div>",
        ),
    ),
    "an answer on a moment that does not end": on(
        "community threads: stuck on Just a moment..., Verify you are human loop",
        "/t/stuck-on-just-a-moment/618624",
        forum(
            'Stuck on "Just a moment..." in a loop - Community',
            f'<h1>Stuck on "Just a moment..." in a loop</h1><p>The page says: Verify you are human by completing the action below. cf-ray 1862.</p><p>Clear your cookies, and check the clock of your machine.</p>{prose()}',
        ),
    ),
    "an article of an encyclopedia on rotten links": on(
        "Wikipedia: Link rot",
        "/wiki/Link_rot",
        office(
            "Link rot - Wikipedia",
            _text(
                "Link rot",
                "en",
                "<p>Detecting link rot is hard: some servers answer “404 Not Found” with a status of 200, a so-called soft 404; others lead to a parked domain.</p>",
            ),
            name="Wikipedia",
        ),
    ),
    "a readme of a page for sites that are missing": on(
        "walitoff/website-not-found: 404 Page for Missing Website (Domain)",
        "/walitoff/website-not-found",
        forge(
            "walitoff/website-not-found: 404 Page for Missing Website (Domain)",
            "<div class='markup markdown'><h1>404 Page for Missing Website (Domain)</h1><h2>About</h2><p>If you offer a hosting service then you need a page that shows that a website does not exist: it was deleted, suspended, expired, or has a wrong DNS configuration.</p><h2>Features</h2><p>Single page, multilingual, responsive.</p></div>",
        ),
    ),
    "a preview of a template for error pages": on(
        "galleries of templates: Error Page #7",
        "/templates/error-404-v7/",
        shop(
            "404 Error Page #7 - Free Template",
            f"<h1>404 Error Page #7</h1><p>A free template for your lost pages, with “Oops! This page could not be found” in large letters.</p><a class='btn'>Download</a><a class='btn'>Preview</a>{prose()}",
        ),
    ),
    "a reference in French of the status for too many requests": on(
        "MDN, fr: 429 Too Many Requests",
        "/fr/docs/Web/HTTP/Status/429",
        docs(
            "429 Too Many Requests - HTTP",
            f"<h1>429 Too Many Requests</h1><p>Le code de statut indique que l'utilisateur a envoyé trop de requêtes en un temps donné.</p><pre>HTTP/1.1 429 Too Many Requests\nRetry-After: 3600</pre>{prose('fr')}",
            lang="fr",
        ),
        lang="fr",
    ),
    "a guide of a cloud to its own puzzle": on(
        "AWS WAF Developer Guide: CAPTCHA and Challenge",
        "/waf/latest/developerguide/waf-captcha-puzzle.html",
        docs(
            "What the puzzle looks like",
            f"<h1>What the puzzle looks like</h1><p>The visitor sees: <em>Let's confirm you are human. Complete the security check before continuing.</em></p><pre>HTTP/1.1 405\nx-amzn-waf-action: captcha</pre>{prose()}",
        ),
    ),
    "a lesson on the market of names": on(
        "domain brokers' help: what This domain is for sale means",
        "/blog/this-domain-is-for-sale-now-what",
        blog(
            "“This domain is for sale”: what it means and how to make an offer",
            _text(
                "“This domain is for sale”: what it means and how to make an offer",
                "en",
                "<p>Parked pages show “Buy this domain”, links to related searches, and a form. Here is how to find the owner.</p>",
            ),
        ),
    ),
    "a registrar's help in Spanish on a name that ran out": on(
        "registradores: mi dominio ha caducado, qué hago",
        "/ayuda/dominio-caducado",
        docs(
            "Mi dominio ha caducado, ¿qué hago?",
            f"<h1>Mi dominio ha caducado, ¿qué hago?</h1><p>Si ves «Este dominio ha expirado», entra en tu cuenta y renuévalo.</p>{prose('es')}",
            lang="es",
        ),
        lang="es",
    ),
    "a story in German on a telephone that was switched off": on(
        "heise, 2025: Skype ist abgeschaltet",
        "/news/Skype-ist-Geschichte-1862186.html",
        blog(
            "Skype ist Geschichte: Der Dienst wurde eingestellt",
            _text(
                "Skype ist Geschichte: Der Dienst wurde eingestellt",
                "de",
                "<p>Wer die Seite aufruft, liest: „Dieser Dienst ist nicht mehr verfügbar.“</p>",
            ),
            lang="de",
        ),
        lang="de",
    ),
    "a story in French on a reader of articles that closes": on(
        "Next, 2025: Pocket ferme",
        "/article/1862/pocket-ferme",
        blog(
            "Pocket ferme ses portes le 8 juillet",
            _text("Pocket ferme ses portes le 8 juillet", "fr"),
            lang="fr",
        ),
        lang="fr",
    ),
    "a post on what happens to data when a service ends": on(
        "statusdetector.com: Service Shutdown: What Happens to Your Data",
        "/blog/service-shutdown-data-fate",
        blog(
            "When a service shuts down, what actually happens to your data?",
            _text(
                "When a service shuts down, what actually happens to your data?",
                "en",
                "<p>“We are shutting down. Thank you for everything. Export your data before July 8.” Four patterns.</p>",
            ),
        ),
    ),
    "an issue on a domain that expired": on(
        "theskumar/python-dotenv issue 556: Expired domain",
        "/theskumar/python-dotenv/issues/556",
        forge(
            "Expired domain · Issue #556 · python-dotenv",
            "<h1>Expired domain #556</h1><span class='state'>Closed</span><div class='comment'><p>Visiting the documentation gives the error “saurabh-kumar.com has expired.”</p></div><div class='comment'><p>Renewed today, it should not be an issue for the next 5 years.</p></div>",
        ),
    ),
    "an issue on status 200 for what is not found": on(
        "vercel/next.js issue 45801: notFound returns a 200 when loading.tsx is used",
        "/vercel/next.js/issues/45801",
        forge(
            "notFound returns a 200 when loading.tsx is used · Issue #45801 · next.js",
            f"<h1>notFound returns a 200 when loading.tsx is used</h1><span>Open</span><p>Even if loading.tsx is used, a 404 should still be returned.</p>{prose()}",
        ),
    ),
    "a list of fingerprints of hosts that one may claim": on(
        "EdOverflow/can-i-take-over-xyz: README.md",
        "/EdOverflow/can-i-take-over-xyz",
        forge(
            "EdOverflow/can-i-take-over-xyz: Can I take over XYZ?",
            "<table><tr><th>Engine</th><th>Fingerprint</th></tr><tr><td>Heroku</td><td>No such app</td></tr><tr><td>Ghost</td><td>Site unavailable. Failed to resolve DNS path for this host</td></tr><tr><td>Surge.sh</td><td>project not found</td></tr><tr><td>Shopify</td><td>Sorry, this shop is currently unavailable.</td></tr></table>",
        ),
    ),
    "a song whose whole title is an error": on(
        "Genius, Bandcamp: songs named 404 Not Found",
        "/track/page-not-found",
        shop(
            "Page Not Found",
            f"<h2 class='trackTitle'>Page Not Found</h2><p>from Dark Since 1988 by North Rock</p><p>Lyrics: I wound the clock and climbed the stair, the light I left is no more there.</p>{prose()}<button>Buy Digital Track</button>",
        ),
    ),
    "a question on a module that was not found": on(
        "Stack Overflow: ModuleNotFoundError: No module named",
        "/questions/18624242/modulenotfounderror-no-module-named-lamp",
        forum(
            "python - ModuleNotFoundError: No module named 'lamp' - Stack Overflow",
            f"<h1>ModuleNotFoundError: No module named 'lamp'</h1><div class='answer'><p>Install it.</p>{prose()}</div>",
        ),
    ),
    "a question in Chinese on an interface that answers nothing": on(
        "SegmentFault、CSDN: 接口返回 404 怎么办",
        "/q/1010000018624",
        forum(
            "接口一直报 404 页面不存在，怎么解决？",
            f"<h1>接口一直报 404 页面不存在，怎么解决？</h1><p>部署以后您访问的页面不存在。</p><div class='answer'>{prose('zh')}</div>",
            lang="zh",
        ),
        lang="zh",
    ),
    "a help page in Japanese for customers who cannot see a page": on(
        "ヘルプ: ページが表示されない場合",
        "/help/not-displayed",
        docs(
            "「ページが見つかりません」と表示される場合",
            f"<h1>「ページが見つかりません」と表示される場合</h1><p>アドレスをご確認のうえ、再度お試しください。</p>{prose('ja')}",
            lang="ja",
        ),
        lang="ja",
    ),
}

# Ended, sold, withdrawn, replaced or rejected, with pages that still stand.
_ENDS: dict[str, Seen] = {
    "a module that left its standard library has its page": on(
        "docs.python.org: asyncore, Deprecated since version 3.6, removed in version 3.12",
        "/3.13/library/asyncore.html",
        docs(
            "asyncore — Asynchronous socket handler",
            f"<h1>asyncore — Asynchronous socket handler</h1><p>Deprecated since version 3.6, removed in version 3.12.</p><p>This module is no longer part of the standard library. It was removed after being deprecated. The last version that provided it was 3.11.</p>{prose()}",
        ),
    ),
    "a record of a weakness that was rejected": on(
        "NVD: This CVE has been marked Rejected in the CVE List",
        "/vuln/detail/CVE-2024-18620",
        office(
            "NVD - CVE-2024-18620",
            "<h1>CVE-2024-18620 Detail</h1><h2>Rejected</h2><p>This CVE has been marked Rejected in the CVE List. These CVEs are stored in the NVD, but do not show up in search results by default.</p><h3>Description</h3><p>Rejected reason: This CVE ID has been rejected or withdrawn by its CVE Numbering Authority.</p>",
        ),
    ),
    "a patent that has expired": on(
        "Google Patents: Status: Expired - Fee Related",
        "/patent/US186242A/en",
        office(
            "US186242A - Clockwork for lanterns - Google Patents",
            f"<h1>Clockwork for lanterns</h1><dl><dt>Legal status</dt><dd>Expired - Fee Related</dd></dl><h2>Abstract</h2>{prose()}<h2>Claims</h2><p>1. A clockwork.</p>",
        ),
    ),
    "a company of a register that was dissolved": on(
        "Companies House: company status Dissolved",
        "/company/00186242",
        office(
            "NORTH ROCK OIL LIMITED overview - Find and update company information",
            "<h1>NORTH ROCK OIL LIMITED</h1><dl><dt>Company number</dt><dd>00186242</dd><dt>Company status</dt><dd>Dissolved</dd><dt>Dissolved on</dt><dd>7 May 1991</dd></dl><a href='/company/00186242/filing-history'>Filing history</a>",
        ),
    ),
    "a documentation whose release is at its end": on(
        "OpenStack docs: this release is no longer maintained",
        "/lamp/rocky/admin/wicks.html",
        docs(
            "Wicks",
            f"<div class='alert'>This release is no longer maintained. The content of this page may be out of date. See the current release.</div><h1>Wicks</h1>{prose('en', 2)}",
        ),
    ),
    "a repository that is a mirror no longer": on(
        "code hosts: This repository has been archived by the owner",
        "/keepers/oil-can",
        forge(
            "keepers/oil-can: MOVED TO another forge",
            f"<div class='ui warning message'>This repository has been archived on 2023-05-07. You can view files and clone it, but you cannot push or open issues.</div><h1>oil-can</h1><p>This project is dead. Use lantern instead.</p>{prose()}",
        ),
    ),
    "a bill of a parliament that lapsed": on(
        "parliaments: a bill that fell at the end of a session",
        "/bills/1862",
        office(
            "Lights (Extinguished Towers) Bill - Parliamentary Bills",
            f"<h1>Lights (Extinguished Towers) Bill</h1><p>This Bill will make no further progress. It failed to complete its passage before the end of the session.</p>{prose()}",
        ),
    ),
    "a recall of a stove": on(
        "product safety portals: a recall's notice",
        "/recalls/2024/north-stove",
        office(
            "North Stove recalled due to fire hazard",
            f"<h1>North Stove recalled due to fire hazard</h1><p>The stove is no longer sold. Stop using it immediately.</p>{prose()}",
        ),
    ),
    "an obituary of a keeper": on(
        "regional papers: an obituary",
        "/obituaries/keeper-of-the-north-rock",
        blog(
            "Gone, but not forgotten: the keeper of the north rock",
            _text("Gone, but not forgotten"),
        ),
    ),
    "a book that a library has lent out": on(
        "library catalogs: all copies checked out",
        "/Record/1862",
        office(
            "The keeper's lamp - Catalog",
            f"<h1>The keeper's lamp</h1><p>0 of 2 copies available. Checked out, due 7 May.</p>{prose()}",
        ),
    ),
    "a camera in Japanese that is made no more": on(
        "メーカー製品ページ: 生産終了品",
        "/products/l-1862/",
        shop(
            "L-1862｜生産終了品",
            f"<p>この商品は生産を終了しました。</p><h1>L-1862</h1>{prose('ja')}<h2>仕様</h2><p>重さ 420 g</p>",
            lang="ja",
        ),
        lang="ja",
    ),
    "a shirt that is out of stock in Dutch": on(
        "webwinkels: uitverkocht, mail mij als het weer op voorraad is",
        "/products/wachtershemd",
        shop(
            "Wachtershemd",
            f"<h1>Wachtershemd</h1><p>€ 42,00</p><button disabled>Uitverkocht</button><p>Niet beschikbaar? Laat je e-mailadres achter.</p>{prose('nl')}",
            lang="nl",
        ),
        lang="nl",
    ),
    "a course in Swedish that is given no more": on(
        "universitet: kursen ges inte längre, med kursplan",
        "/kurser/FYR186",
        office(
            "FYR186 Fyrhistoria",
            f"<h1>FYR186 Fyrhistoria, 7,5 hp</h1><p>Kursen ges inte längre.</p><h2>Kursplan</h2>{prose('sv')}",
            lang="sv",
        ),
        lang="sv",
    ),
    "a festival in Romanian that was canceled keeps its page": on(
        "site-uri de evenimente: eveniment anulat",
        "/festival-2020",
        blog(
            "Festivalul Farurilor 2020 – ANULAT",
            _text(
                "Festivalul Farurilor 2020 – ANULAT", "ro", "<p>Biletele au fost rambursate.</p>"
            ),
            lang="ro",
        ),
        lang="ro",
    ),
    "a line of ferries in Greek that runs no more": on(
        "σελίδες δρομολογίων: η γραμμή καταργήθηκε",
        "/grammes/7",
        office(
            "Γραμμή 7 (καταργήθηκε)",
            f"<h1>Γραμμή 7 (καταργήθηκε)</h1><p>Η γραμμή δεν εκτελείται πλέον από το 2019.</p>{prose('el')}",
            lang="el",
        ),
        lang="el",
    ),
    "a careers page of a house that hires nobody today": on(
        "careers pages: There are currently no open positions",
        "/careers",
        office(
            "Careers at North Rock",
            f"<h1>Careers</h1>{prose()}<h2>Open positions</h2><p>There are currently no open positions. Please check back later.</p>",
        ),
    ),
}

CASES: list[Case] = [
    alive(name, each.source, each.site, path=each.path)
    for part in (_ORDINARY, _WORDS, _ENDS)
    for name, each in part.items()
]
