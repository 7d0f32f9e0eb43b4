"""Living pages about errors, closures, names and walls, and living pages of things that ended."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, alive
from tests.zoo.wild.year2026_tenth.frames import (
    Seen,
    app,
    board,
    manual,
    news,
    office,
    prose,
    seen,
    store,
)

# About errors, walls, names and closures.
_WORDS: dict[str, Seen] = {
    "a specification whose changelog says that a note has been removed": seen(
        "SteveHedden/open-knowledge-graphs pull request 48: has been removed, in the changes of a specification",
        manual(
            "Web Ontology Language Document Overview (Second Edition)",
            f"<h1>Document Overview</h1>{prose()}<h2>Changes since the proposed recommendation</h2><p>The note on line 7 has been removed from the “Status of this Document” section. The table of routes is no longer available in this draft.</p>",
        ),
        "/TR/overview/",
    ),
    "a guide to error handling of a framework": seen(
        "cyberpower678/Cyberbot_II pull request 16: expressjs.com/en/guide/error-handling.html",
        manual(
            "Error handling",
            "<h1>Error Handling</h1><p>Error Handling refers to how a framework catches and processes errors that occur both synchronously and asynchronously.</p><pre>app.use((req, res) =&gt; { res.status(404).send('Sorry, page not found') })</pre><h2>Catching errors</h2><p>Errors in route handlers require no extra work.</p>",
        ),
        "/en/guide/error-handling.html",
    ),
    "a bug report on soft errors with the words in its title": seen(
        "video-game-randomizers/rando-list issue 16: Soft 404 errors: /404 and /404.html incorrectly return HTTP 200 OK",
        app(
            "Soft 404 errors: /404 and /404.html incorrectly return HTTP 200 OK · Issue #16 · tramworks/list",
            "<main><h1>Soft 404 errors: /404 and /404.html incorrectly return HTTP 200 OK <span>#16</span></h1><span class='State'>Closed</span><article><p>Requesting /404 returns HTTP 200 OK even though the response body claims that it's a 404 error page.</p></article><article><p>To my knowledge this is expected behaviour.</p></article></main>",
        ),
        "/tramworks/list/issues/16",
    ),
    "a bug report on a name that a casino took": seen(
        "nodejs/nodejs.org issue 8553: Old npm donation domain now links to shady online casino",
        app(
            "Old donation domain now links to shady online casino · Issue #8553",
            "<main><h1>Old donation domain now links to shady online casino</h1><span>Closed</span><p>That domain appears to be hosting casino content. Slots, roulette and bonus links everywhere.</p><p>Maybe we should use the archive's variant?</p></main>",
        ),
        "/org/site/issues/8553",
    ),
    "a question on a single-page application that fails on reload": seen(
        "questions on React Router and nginx: 404 Not Found when reloading",
        board(
            "React router gives “404 Not Found nginx” when I reload the page",
            "<h1>React router gives “404 Not Found nginx” when I reload the page</h1><div class='post'><p>After a reload I only get <code>404 Not Found</code>. What is missing in my configuration?</p></div><div class='answer'><p>Use <code>try_files $uri /index.html;</code> and reload nginx.</p></div>",
        ),
        "/questions/1904007/react-router-404-nginx",
    ),
    "a help page of a host on suspended sites": seen(
        "GearHost/Docs: my-site-is-suspended.md",
        manual(
            "My site is suspended",
            "<h1>My site is suspended</h1><h2>What causes suspension?</h2><ol><li>Over usage of resources</li><li>Your payment details need to be updated</li></ol><h2>How do I update my billing details?</h2><p>Log in to your account and select the billing menu.</p>",
        ),
        "/docs/my-site-is-suspended",
    ),
    "a policy of a free host on inactive accounts": seen(
        "HelioNetworks/wiki: accounts/suspension-policy.md",
        manual(
            "Suspension Policy",
            "<h1>Suspension Policy</h1><p>There are a number of reasons why we might suspend you.</p><h2>Inactivity Policy</h2><p>If your account is to be suspended due to inactivity, you will receive an email. Your account has been suspended? Go to the renewal page.</p>",
        ),
        "/accounts/suspension-policy/",
    ),
    "a magazine in German explains the error by its number": seen(
        "Ratgeber: Fehler 404 – was bedeutet das?",
        news(
            "Fehler 404: Was tun, wenn die Seite nicht gefunden wurde?",
            f"<h1>Fehler 404: Was tun, wenn die Seite nicht gefunden wurde?</h1><p>„Die angeforderte Seite wurde nicht gefunden“ – diese Meldung kennt jeder. Wir erklären, woher sie kommt.</p>{prose('de')}",
            lang="de",
        ),
        "/ratgeber/internet/fehler-404",
        lang="de",
    ),
    "a reference on the status for legal reasons": seen(
        "developer.mozilla.org: 451 Unavailable For Legal Reasons",
        manual(
            "451 Unavailable For Legal Reasons - HTTP | Reference",
            "<h1>451 Unavailable For Legal Reasons</h1><p>The HTTP 451 client error response status code indicates that the user requested a resource that is not available due to legal reasons, such as a web page for which a legal action has been issued.</p><h2>Examples</h2><pre>HTTP/1.1 451 Unavailable For Legal Reasons</pre>",
        ),
        "/docs/Web/HTTP/Status/451",
    ),
    "a helper in Japanese on sites that cannot be reached": seen(
        "パソコンサポート: このサイトにアクセスできませんの対処法",
        news(
            "「このサイトにアクセスできません」と表示されたときの対処法",
            f"<h1>「このサイトにアクセスできません」と表示されたときの対処法</h1><p>原因ごとに解決方法を紹介します。「404 Not Found」「ページが見つかりません」との違いも解説します。</p>{prose('ja', 2)}",
            lang="ja",
        ),
        "/howto/cannot-access/",
        lang="ja",
    ),
    "a weblog in Korean on an alert of a message board": seen(
        "블로그: 글이 존재하지 않습니다 오류 해결 방법",
        news(
            "그누보드 '글이 존재하지 않습니다' 오류 해결하기",
            f"<h1>그누보드 '글이 존재하지 않습니다' 오류 해결하기</h1><p>게시물을 옮긴 뒤 이런 메시지가 나오면 데이터베이스의 wr_id를 확인해 보세요.</p>{prose('ko')}",
            lang="ko",
        ),
        "/entry/gnuboard-error-7",
        lang="ko",
    ),
    "an article in Chinese on names that expire": seen(
        "知识文章: 域名过期后会发生什么",
        news(
            "域名过期后会发生什么？多久会被删除",
            f"<h1>域名过期后会发生什么？</h1><p>域名过期后，网站会显示“该域名已过期”或停放页面，随后进入赎回期，最后被删除并可由他人注册。</p>{prose('zh', 2)}",
            lang="zh",
        ),
        "/article/1904.html",
        lang="zh",
    ),
    "a reference of an exception for missing files": seen(
        "docs.python.org: FileNotFoundError, exceptions",
        manual(
            "Built-in Exceptions &mdash; documentation",
            "<h1>Built-in Exceptions</h1><dl><dt>exception FileNotFoundError</dt><dd>Raised when a file or directory is requested but doesn't exist. Corresponds to errno ENOENT.</dd><dt>exception PermissionError</dt><dd>Raised when access is denied.</dd></dl>",
        ),
        "/3/library/exceptions.html",
    ),
    "a manual of a firewall on its challenge": seen(
        "docs.aws.amazon.com: CAPTCHA and Challenge in AWS WAF",
        manual(
            "CAPTCHA and Challenge in WAF",
            "<h1>CAPTCHA and Challenge in WAF</h1><p>Challenge runs a silent challenge that requires the client session to verify that it's a browser, and not a bot. The response has the status 202 and the header <code>x-amzn-waf-action: challenge</code>.</p><p>“Human Verification: Confirm you are not a robot” is the title of the puzzle.</p>",
        ),
        "/waf/latest/developerguide/captcha-and-challenge.html",
    ),
    "a page of a wall's maker that tells why one sees it": seen(
        "TecharoHQ/anubis docs: Why am I seeing this?, Making sure you're not a bot!",
        manual(
            "How does it work?",
            "<h1>How does it work?</h1><p>When a visitor comes, they see “Making sure you're not a bot!” for a moment while their browser solves a challenge.</p><h2>Challenge presentation</h2><p>User-Agent contains “Mozilla”.</p>",
        ),
        "/docs/design/how-it-works",
    ),
    "a paper reports that a platform for weblogs shuts down": seen(
        "newspapers, August 2025: Typepad is shutting down on September 30",
        news(
            "Blogging platform shuts down for good at the end of September",
            f"<h1>Blogging platform shuts down for good at the end of September</h1><p>“After September 30, 2025, access to all content will no longer be available,” the company says.</p>{prose('en', 2)}",
        ),
        "/2025/08/27/blogging-platform-shuts-down",
    ),
    "a story of a paper named after the error": seen(
        "404 Media: a newspaper whose name is the number",
        news(
            "The Trams That Ran Without a Driver - 404 Media",
            f"<h1>The Trams That Ran Without a Driver</h1>{prose('en', 3)}",
            name="404 Media",
        ),
        "/the-trams-that-ran-without-a-driver/",
        name="404 Media",
    ),
    "a restaurant in French that took the error for its name": seen(
        "restaurants nommés 404",
        news(
            "Restaurant 404 – Introuvable",
            f"<h1>404 – Introuvable</h1><p>Cuisine de marché, du mardi au samedi. Réservez votre table.</p><h2>La carte</h2><ul><li>Tajine 18 €</li><li>Pastilla 14 €</li></ul>{prose('fr')}",
            lang="fr",
            name="404",
        ),
        "/carte/",
        lang="fr",
        name="404",
    ),
    "a film whose title is a refusal": seen(
        "film databases: films named Access Denied",
        app(
            "Access Denied",
            f"<main><h1>Access Denied</h1><p>1997 · Thriller · 1h 32m</p><p>A tram driver finds the control room locked.</p><h2>Cast</h2><ul><li>Ann Brake</li></ul>{prose()}</main>",
        ),
        "/title/tt0190407/",
    ),
    "a unit of a translation service that holds an error's sentence": seen(
        "Weblate, Transifex: a string Page not found and its German",
        office(
            "tram/website — German @ Translations",
            "<h1>tram/website — German</h1><table><tr><th>English</th><td>Page not found</td></tr><tr><th>German</th><td>Seite nicht gefunden</td></tr><tr><th>English</th><td>This item has been deleted.</td></tr></table>",
            name="Translations",
        ),
        "/translate/tram/website/de/?q=404",
    ),
    "a column in Spanish on advertisements that vanish": seen(
        "centros de ayuda: ¿Por qué mi anuncio ya no está disponible?",
        office(
            "¿Por qué mi anuncio ya no está disponible?",
            "<h1>¿Por qué mi anuncio ya no está disponible?</h1><p>Si al abrir tu anuncio lees «Este anuncio ya no está disponible», puede que haya caducado. Puedes renovarlo desde tu cuenta.</p><h2>¿Te ha resultado útil?</h2>",
            lang="es",
        ),
        "/ayuda/anuncios/no-disponible",
        lang="es",
    ),
    "a lesson in Portuguese on building a page for errors": seen(
        "tutoriais: Como criar uma página de erro 404",
        news(
            "Como criar uma página de erro 404 no seu site",
            f"<h1>Como criar uma página de erro 404</h1><p>Passo 1: crie um arquivo 404.html com o texto «Página não encontrada».</p><pre>ErrorDocument 404 /404.html</pre>{prose('pt')}",
            lang="pt",
        ),
        "/blog/pagina-de-erro-404",
        lang="pt",
    ),
    "a question in Vietnamese on an error of permission": seen(
        "diễn đàn: Lỗi 403 Forbidden là gì, cách khắc phục",
        board(
            "Lỗi 403 Forbidden là gì và cách khắc phục",
            f"<h1>Lỗi 403 Forbidden là gì?</h1><div class='post'><p>Trang của mình hiện “403 Forbidden - Truy cập bị từ chối”. Phải làm sao?</p></div><div class='post'><p>Kiểm tra quyền thư mục 755.</p></div>{prose('vi')}",
            lang="vi",
        ),
        "/threads/loi-403.1904/",
        lang="vi",
    ),
    "a wire in Russian reports that a site was blocked": seen(
        "новости: Роскомнадзор заблокировал сайт",
        news(
            "Сайт трамвайного общества заблокирован на территории страны",
            f"<h1>Сайт трамвайного общества заблокирован</h1><p>При попытке открыть страницу пользователи видят: «Доступ к ресурсу ограничен».</p>{prose('ru', 2)}",
            lang="ru",
        ),
        "/news/2026/04/07/sajt-zablokirovan",
        lang="ru",
    ),
    "release notes that list mended errors": seen(
        "changelogs: Fixed a 404 when opening a deleted item",
        manual(
            "Release notes 4.2",
            "<h1>Release notes 4.2</h1><ul><li>Fixed: “Page not found” after renaming a stop.</li><li>Fixed: “This account has been suspended” was shown to new users.</li><li>Removed: the old API is no longer available.</li></ul>",
        ),
        "/docs/releases/4.2.html",
    ),
}

# Ended, sold out, archived, superseded or closed, with pages that still stand.
_ENDS: dict[str, Seen] = {
    "a drill in German that is discontinued, with its data": seen(
        "Hersteller: Auslaufartikel, nicht mehr lieferbar, mit technischen Daten",
        store(
            "Gleisbohrer GB 7",
            "<h1>Gleisbohrer GB 7</h1><p class='stock'>Dieser Artikel ist nicht mehr lieferbar. Nachfolger: GB 8.</p><table><tr><td>Leistung</td><td>1904 W</td></tr><tr><td>Gewicht</td><td>7 kg</td></tr></table><a href='/d/gb7.pdf'>Bedienungsanleitung</a>",
            lang="de",
            more='<script type="application/ld+json">{"@type":"Product","name":"GB 7","offers":{"availability":"https://schema.org/Discontinued"}}</script>\n',
        ),
        "/produkte/gb-7",
        lang="de",
    ),
    "a jacket in Italian that is sold out": seen(
        "negozi: Esaurito, avvisami quando torna disponibile",
        store(
            "Giacca da tranviere",
            f"<h1>Giacca da tranviere</h1><p>149 €</p><p class='badge'>Esaurito</p><button>Avvisami quando torna disponibile</button>{prose('it')}",
            lang="it",
        ),
        "/prodotti/giacca-da-tranviere",
        lang="it",
    ),
    "a concert in Polish whose tickets are sold out": seen(
        "serwisy biletowe: WYPRZEDANE",
        store(
            "Koncert w zajezdni – 12.06",
            f"<h1>Koncert w zajezdni</h1><p>12 czerwca, godz. 19:00, Zajezdnia Wola</p><strong>WYPRZEDANE – brak biletów</strong>{prose('pl')}",
            lang="pl",
        ),
        "/bilety/koncert-w-zajezdni",
        lang="pl",
    ),
    "a conference in Korean that was held years ago": seen(
        "학회: 지난 행사 안내",
        office(
            "2019 노면전차 학술대회",
            f"<p>이 행사는 종료되었습니다.</p><h1>2019 노면전차 학술대회</h1>{prose('ko')}<h2>발표 자료</h2><ul><li><a href='/f/1.pdf'>발표 1</a></li></ul>",
            lang="ko",
        ),
        "/conference/2019",
        lang="ko",
    ),
    "a project of GitLab that is archived": seen(
        "GitLab: This is an archived project. Repository and other project resources are read-only.",
        app(
            "tramworks / brake · GitLab",
            f"<div class='gl-alert'>This is an archived project. Repository and other project resources are read-only.</div><h1>brake</h1><p>1,904 Commits</p><h2>README.md</h2>{prose()}",
        ),
        "/tramworks/brake",
    ),
    "a project of a package index that is archived": seen(
        "pypi.org: This project has been archived. The maintainers of this project have marked this project as archived. No new releases are expected.",
        office(
            "tram-brake · PyPI",
            f"<div class='callout'><h3>This project has been archived.</h3><p>The maintainers of this project have marked this project as archived. No new releases are expected.</p></div><h1>tram-brake 1.9.4</h1>{prose()}",
            name="Package index",
        ),
        "/project/tram-brake/",
    ),
    "a manual in Japanese of a version without support": seen(
        "文書: このバージョンのサポートは終了しました",
        manual(
            "インストール — 1.4 ドキュメント",
            f"<div class='warning'>このバージョンのサポートは終了しました。最新版をご覧ください。</div><h1>インストール</h1>{prose('ja', 2)}",
            lang="ja",
        ),
        "/ja/1.4/install.html",
        lang="ja",
    ),
    "a request for comments that is obsolete": seen(
        "rfc-editor.org: Obsoleted by",
        "<!DOCTYPE html><html lang='en'><head><title>RFC 1904: Conformance Statements</title></head><body><pre>Network Working Group\nRequest for Comments: 1904\nObsoleted by: 2580\nCategory: Standards Track\n\n      Conformance Statements for a Simple Protocol\n\n1.  Introduction\n   A tram is controlled by a set of registers.  A request for an\n   unknown register returns \"not found\".\n</pre></body></html>",
        "/rfc/rfc1904.html",
    ),
    "an article of a journal that was retracted": seen(
        "journals: RETRACTED ARTICLE, with the text",
        news(
            "RETRACTED ARTICLE: Sand as a brake",
            f"<div class='notice'>This article was retracted on 7 April 2025.</div><h1>RETRACTED ARTICLE: Sand as a brake</h1><h2>Abstract</h2>{prose('en', 2)}",
        ),
        "/articles/s1904-025-00007-1",
    ),
    "a café on a site of reviews that is permanently closed": seen(
        "Tripadvisor, Yelp: Permanently closed, with its reviews",
        store(
            "CAFÉ AM DEPOT - CLOSED",
            f"<h1>Café am Depot</h1><p class='closed'>Permanently closed</p><p>4.5, 190 reviews</p><blockquote>Good cake next to the rails.</blockquote>{prose()}",
        ),
        "/Restaurant_Review-d1904-Cafe_am_Depot.html",
    ),
    "an issue that was closed as not planned": seen(
        "GitHub: Closed as not planned, This issue was automatically closed",
        app(
            "Error: stop not found · Issue #190",
            "<h1>Error: stop not found</h1><span>Closed as not planned</span><p>It prints “Error: stop not found. The page you requested was removed.”</p><p>This issue has been automatically closed because it has not had recent activity.</p>",
        ),
        "/tramworks/brake/issues/190",
    ),
    "a voucher in Spanish that has expired": seen(
        "webs de cupones: Cupón caducado",
        store(
            "Cupón 7 % en recambios",
            f"<p class='expired'>Este cupón ha caducado</p><h1>7 % en recambios de tranvía</h1><p>Válido hasta el 31/12/2025. Otros cupones vigentes más abajo.</p>{prose('es')}",
            lang="es",
        ),
        "/cupones/recambios-7",
        lang="es",
    ),
    "a campaign that did not reach its goal": seen(
        "Kickstarter: Funding Unsuccessful, The project's funding goal was not reached",
        app(
            "Line 7 on the phone by Ann Brake",
            f"<h1>Line 7 on the phone</h1><div class='banner'>Funding Unsuccessful: the project's funding goal was not reached on April 7, 2024.</div><p>19 backers pledged €704.</p>{prose()}",
        ),
        "/projects/annbrake/line-7-on-the-phone",
    ),
    "an exhibition in French that is over": seen(
        "musées: Exposition terminée",
        office(
            "Tramways d'hier",
            f"<p class='status'>Exposition terminée</p><h1>Tramways d'hier</h1><p>Du 7 avril au 4 septembre 2022.</p>{prose('fr', 2)}",
            lang="fr",
        ),
        "/expositions/tramways-d-hier",
        lang="fr",
    ),
    "a station in Japanese that was abolished": seen(
        "ja.wikipedia.org: 廃駅",
        news(
            "魚市場前停留場 - 百科事典",
            f"<h1>魚市場前停留場</h1><p>魚市場前停留場は、かつて存在した停留場（廃止）である。一九五八年に廃止され、現存しない。</p>{prose('ja', 2)}",
            lang="ja",
        ),
        "/wiki/%E9%AD%9A%E5%B8%82%E5%A0%B4%E5%89%8D",
        lang="ja",
    ),
    "a topic in Turkish that was locked": seen(
        "forumlar: Konu kilitlendi",
        board(
            "Fren kolu tamiri",
            f"<p class='locked'>Bu konu kilitlenmiştir, yeni mesaj gönderemezsiniz.</p><h1>Fren kolu tamiri</h1><div class='post'>{prose('tr')}</div>",
            lang="tr",
        ),
        "/konu/fren-kolu-tamiri.1904/",
        lang="tr",
    ),
    "a topic that closed by itself after ninety days": seen(
        "Discourse: This topic was automatically closed 90 days after the last reply.",
        board(
            "Sander valve sticks",
            f"<h1>Sander valve sticks</h1><div class='post'>{prose()}</div><div class='small-action'>This topic was automatically closed 90 days after the last reply. New replies are no longer allowed.</div>",
        ),
        "/t/sander-valve-sticks/1904",
    ),
    "a job in French that takes no more letters, with its text": seen(
        "sites d'emploi: Cette offre n'accepte plus de candidatures, avec le texte",
        office(
            "Conducteur de tram (H/F)",
            f"<p class='alert'>Cette offre n'accepte plus de candidatures.</p><h1>Conducteur de tram (H/F)</h1><h2>Missions</h2>{prose('fr', 2)}<h2>Profil</h2><p>Permis D souhaité.</p>",
            lang="fr",
        ),
        "/emploi/conducteur-de-tram-1904",
        lang="fr",
    ),
    "a flat that is let already, with its rooms": seen(
        "estate agents: Let agreed",
        store(
            "2 bedroom flat, Depot Lane",
            f"<span class='tag'>Let agreed</span><h1>2 bedroom flat, Depot Lane</h1><p>£1,190 pcm</p>{prose()}<h2>Floor plan</h2>",
        ),
        "/properties/31904007",
    ),
    "a release of a system past its end of life": seen(
        "releases pages: End of Life, archived images",
        manual(
            "Tram OS 14.04 (end of life)",
            "<h1>Tram OS 14.04</h1><p>This release has reached its end of life and is no longer supported.</p><table><tr><td>tramos-14.04-server-amd64.iso</td><td>573M</td></tr><tr><td>SHA256SUMS</td><td>1K</td></tr></table>",
        ),
        "/releases/14.04/",
    ),
    "a book in Chinese that is out of print": seen(
        "书店: 已绝版, 缺货登记",
        store(
            "七号线旧事",
            f"<h1>七号线旧事</h1><p>作者：沈沙　定价：19.04 元</p><p>本书已绝版，暂时缺货</p><button>到货提醒</button>{prose('zh')}",
            lang="zh",
        ),
        "/19040007.html",
        lang="zh",
    ),
    "a standard in Danish that was withdrawn": seen(
        "standardiseringsorganer: Status: Tilbagetrukket",
        office(
            "DS 1904:2004 Sporvognsbremser",
            "<h1>DS 1904:2004 Sporvognsbremser</h1><dl><dt>Status</dt><dd>Tilbagetrukket</dd><dt>Erstattet af</dt><dd>DS 1904:2019</dd><dt>Omfang</dt><dd>Denne standard fastlægger krav til håndbremser.</dd></dl>",
            lang="da",
        ),
        "/standard/ds-1904-2004",
        lang="da",
    ),
    "a capture of a dead page in an archive of the web": seen(
        "web.archive.org: a capture under its toolbar",
        "<!DOCTYPE html><html><head><title>Line 7 - Welcome</title><script src='/_static/js/bundle-playback.js'></script></head><body><!-- BEGIN WAYBACK TOOLBAR INSERT --><div id='wm-ipp-base'>19 captures, 7 Apr 2004 - 4 Sep 2019</div><!-- END WAYBACK TOOLBAR INSERT --><h1>Line 7</h1><p>Line 7 opened in the spring of 1904 with six open cars. This site is closed; thank you for your visits.</p></body></html>",
        "/web/20190904190400/http://line7.example/",
    ),
    "an association in Swedish that ended keeps its history online": seen(
        "föreningar: föreningen är nedlagd, sidan finns kvar som arkiv",
        news(
            "Spårvägssällskapets arkiv",
            f"<p class='info'>Föreningen lades ned 2021. Sidan uppdateras inte längre men finns kvar som arkiv.</p><h1>Spårvägssällskapets arkiv</h1>{prose('sv', 2)}<ul><li><a href='/arkiv/1998'>1998</a></li></ul>",
            lang="sv",
        ),
        "/arkiv/",
        lang="sv",
    ),
}

CASES: list[Case] = [
    alive(name, each.source, each.site, path=each.path)
    for part in (_WORDS, _ENDS)
    for name, each in part.items()
]
