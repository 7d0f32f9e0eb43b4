"""Pages that are there and tell of errors, ends, sales and absences, or show little of themselves."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, alive
from tests.zoo.wild.year2026_eighth.frames import (
    Seen,
    bare,
    guide,
    press,
    seen,
    shell,
    stall,
    tale,
    thread,
)

# About errors, names and walls.
_WORDS: dict[str, Seen] = {
    "a guide of VitePress on its own page for what is not found": seen(
        "vitepress.dev: themeConfig.notFound",
        guide(
            "notFound | Default theme config",
            "<h1>notFound</h1><p>Customizes the text of the 404 page.</p><pre><code>interface NotFoundOptions {\n  /** @default 'PAGE NOT FOUND' */\n  title?: string\n  /** @default 'Take me home' */\n  linkText?: string\n}</code></pre>",
        ),
        "/reference/default-theme-config/not-found",
    ),
    "a reference of an exception for what is not found": seen(
        "Spring Framework: NoResourceFoundException, javadoc",
        guide(
            "NoResourceFoundException (API)",
            "<h1>Class NoResourceFoundException</h1><p>Raised when a static resource is not found. Sets the status to 404 (Not Found).</p><dl><dt>Since</dt><dd>6.1</dd></dl>",
            name="Javadoc",
        ),
        "/javadoc/org/web/NoResourceFoundException.html",
    ),
    "an answer on the Whitelabel page for errors": seen(
        "Stack Overflow: This application has no explicit mapping for /error",
        thread(
            "java - This application has no explicit mapping for /error - Answers",
            f"<h1>This application has no explicit mapping for /error</h1><div class='post'><p>My controller returns “Whitelabel Error Page ... There was an unexpected error (type=Not Found, status=404).” Why?</p></div><div class='post'><p>Put your main class in a package above the controllers.</p></div>{tale()}",
        ),
        "/questions/31134333/this-application-has-no-explicit-mapping-for-error",
    ),
    "a maker's page on the film Gone": seen(
        "encyclopaedias of films: Gone",
        press(
            "Gone (1931) – Orchard Film Archive",
            f"<h1>Gone</h1><p>Silent, 71 minutes. A farmer finds that his orchard is gone.</p>{tale()}",
        ),
        "/films/gone-1931",
    ),
    "a paper's column in Italian on errors of the web": seen(
        "giornali: storie di errori del web",
        press(
            "Pagina non trovata: storia di un errore",
            f"<article><h1>Pagina non trovata: storia di un errore</h1><p>«La pagina richiesta non esiste», diceva il primo server.</p>{tale('it', 2)}</article>",
            lang="it",
        ),
        "/2026/04/01/pagina-non-trovata",
        lang="it",
    ),
    "a help page of a host in Portuguese on its suspended accounts": seen(
        "ajuda de hospedagens: Por que vejo 'Conta suspensa'?",
        press(
            "Por que vejo “Conta suspensa”? | Ajuda",
            f"<h1>Por que vejo “Conta suspensa”?</h1><p>A conta é suspensa quando há fatura em atraso. Pague a fatura e o site volta em minutos.</p>{tale('pt')}",
            lang="pt",
        ),
        "/kb/conta-suspensa",
        lang="pt",
    ),
    "a glossary in German on parked domains": seen(
        "Lexika für Webmaster: Domain-Parking",
        press(
            "Domain-Parking – Lexikon",
            f"<h1>Domain-Parking</h1><p>Beim Domain-Parking zeigt eine ungenutzte Domain Werbung oder den Hinweis „Diese Domain steht zum Verkauf“.</p>{tale('de')}",
            lang="de",
        ),
        "/lexikon/domain-parking",
        lang="de",
    ),
    "a blog in French on a well-made page for errors": seen(
        "blogs en français: réussir sa page 404",
        press(
            "Page introuvable : dix idées pour une page 404 réussie",
            f"<article><h1>Page introuvable : dix idées pour une page 404 réussie</h1><p>« Oups, cette page n'existe pas » ne suffit pas : proposez une recherche.</p>{tale('fr', 2)}</article>",
            lang="fr",
        ),
        "/blog/page-404-reussie",
        lang="fr",
    ),
    "a manual in Japanese on errors of a server": seen(
        "レンタルサーバーのマニュアル: 404 Not Found が表示される",
        guide(
            "「404 Not Found」が表示される場合の対処",
            f"<h1>「404 Not Found」が表示される場合の対処</h1><p>ファイル名の大文字と小文字を確認してください。</p>{tale('ja')}",
            lang="ja",
        ),
        "/manual/error/404.html",
        lang="ja",
    ),
    "a question in Chinese on a firewall that stops one": seen(
        "问答: 您的访问被阻断 怎么办",
        thread(
            "访问网站提示“您的访问被阻断”怎么办？",
            f"<h1>访问网站提示“您的访问被阻断”怎么办？</h1><div class='post'><p>清除 Cookie 后再试，或联系网站管理员加入白名单。</p></div>{tale('zh', 2)}",
            lang="zh",
        ),
        "/question/18711871",
        lang="zh",
    ),
    "a lesson in Russian on handling errors": seen(
        "учебники: обработка ошибки 404",
        guide(
            "Обработка ошибки 404 | Учебник",
            f"<h1>Обработка ошибки 404</h1><p>Если страница не найдена, представление возвращает шаблон 404.html.</p>{tale('ru')}",
            lang="ru",
        ),
        "/django/obrabotka-404/",
        lang="ru",
    ),
    "a lexicon in Polish with an entry on absence": seen(
        "słowniki: nie ma",
        press(
            "nie ma – Słownik",
            f"<h1>nie ma</h1><p>„Tej strony już nie ma” – przykład użycia.</p>{tale('pl')}",
            lang="pl",
        ),
        "/haslo/nie-ma",
        lang="pl",
    ),
}

# About ends and absences of other things than the page.
_ENDS: dict[str, Seen] = {
    "a manual of an old version says that there is a newer": seen(
        "Python documentation: this document is for an old version that is no longer supported",
        guide(
            "pruner — cut twigs — Pruner 2.7",
            f"<div role='note'>This document is for an old version of Pruner that is no longer supported. You should upgrade, and read the documentation for the current stable release.</div><h1>pruner — cut twigs</h1>{tale('en', 2)}",
        ),
        "/2.7/library/pruner.html",
    ),
    "a reprint of a paper was retracted and is shown": seen(
        "journals: RETRACTED:, with its text",
        press(
            "RETRACTED: Moon phases and grafts",
            f"<article><h1>RETRACTED: Moon phases and grafts</h1><p>This article has been retracted. The retraction notice is available.</p><h2>Abstract</h2>{tale('en', 2)}</article>",
        ),
        "/article/S0001-1871(09)00042-1",
    ),
    "an obsoleted standard": seen(
        "datatracker: Obsoleted by",
        press(
            "RFC 2616 - Hypertext Transfer Protocol",
            f"<h1>Hypertext Transfer Protocol</h1><p>Obsoleted by: 7230, 7231. This document is obsolete.</p><h2>10.4.5 404 Not Found</h2><p>The server has not found anything matching the Request-URI.</p><h2>10.4.11 410 Gone</h2><p>The requested resource is no longer available at the server and no forwarding address is known.</p>{tale()}",
        ),
        "/doc/html/rfc2616",
    ),
    "a package that was removed from testing": seen(
        "tracker.debian.org: removed from testing",
        press(
            "pruner - Package Tracker",
            "<h1>pruner</h1><ul><li>[2026-02-01] pruner REMOVED from testing</li><li>[2025-11-11] Accepted pruner 1.8-2 into unstable</li></ul><h2>versions</h2><p>stable: 1.7-1, unstable: 1.8-2</p>",
        ),
        "/pkg/pruner",
    ),
    "a module in Dutch that is discontinued, with its files": seen(
        "makers of hardware: Niet meer leverbaar, with manuals",
        stall(
            "Vorstsensor FS-71",
            f"<h1>Vorstsensor FS-71</h1><span class='badge'>Niet meer leverbaar</span><p>Opvolger: FS-72.</p><h2>Downloads</h2><ul><li><a href='/d/fs71.pdf'>Handleiding (PDF)</a></li><li><a href='/d/fs71.zip'>Firmware 1.4</a></li></ul>{tale('nl')}",
            lang="nl",
        ),
        "/producten/fs-71",
        lang="nl",
    ),
    "a house in Spanish that was sold, with its rooms": seen(
        "portals of Spain: Vendido, with its rooms",
        press(
            "Casa con huerto en Molino 18 – Vendida",
            f"<h1>Casa con huerto en Molino 18</h1><p>Vendida en 2019.</p><p>3 habitaciones, 2 baños, 187 m²</p><h2>Características</h2><p>Construida en 1871.</p>{tale('es')}",
            lang="es",
        ),
        "/inmueble/1871871/",
        lang="es",
    ),
    "a question that was closed, with its answers": seen(
        "Stack Exchange: Closed. This question is off-topic.",
        thread(
            "Which rootstock for clay? [closed]",
            f"<h1>Which rootstock for clay? [closed]</h1><div class='notice'>Closed. This question is off-topic. It is not currently accepting answers.</div><div class='post'><p>MM106, or seedling if there is room.</p></div>{tale()}",
        ),
        "/questions/1871/which-rootstock-for-clay",
    ),
    "a call for papers in Russian whose day has passed": seen(
        "конференции: приём заявок завершён",
        press(
            "Приём докладов – Помология 2025",
            f"<h1>Приём докладов</h1><p>Приём заявок завершён. Конференция состоялась.</p><h2>Темы</h2>{tale('ru')}",
            lang="ru",
        ),
        "/cfp",
        lang="ru",
    ),
    "a page in Korean of a fund whose campaign has ended": seen(
        "텀블벅: 펀딩 종료, with the text",
        press(
            "마을 착즙기",
            f"<h1>마을 착즙기</h1><p>2019년 3월 1일 펀딩에 성공했습니다. 후원이 종료되었습니다.</p>{tale('ko', 2)}",
            lang="ko",
        ),
        "/project/press-1871",
        lang="ko",
    ),
    "a grocer's box that is sold out in Swedish": seen(
        "shops of Sweden: Slutsåld, with data",
        stall(
            "Äppelmust, låda",
            f"<h1>Äppelmust, låda</h1><p class='stock'>Tillfälligt slutsåld</p><span>189 kr</span><button>Bevaka</button>{tale('sv')}",
            lang="sv",
        ),
        "/produkt/appelmust-lada",
        lang="sv",
    ),
    "a law in Portuguese that was revoked": seen(
        "Diário da República: Revogado, with its text",
        press(
            "Decreto-Lei n.º 187/1971",
            f"<h1>Decreto-Lei n.º 187/1971</h1><p>Diploma revogado.</p><h2>Artigo 1.º</h2><p>É proibido o abate de pomares.</p>{tale('pt')}",
            lang="pt",
        ),
        "/dr/detalhe/decreto-lei/187-1971",
        lang="pt",
    ),
    "an inn in Italian that is closed for winter": seen(
        "inns: Chiuso per ferie",
        press(
            "Osteria del Frutteto – Chiuso per ferie",
            f"<h1>Osteria del Frutteto</h1><p>Siamo chiusi per ferie fino al 7 gennaio.</p><h2>Menù</h2><p>Torta di mele, sidro.</p>{tale('it')}",
            lang="it",
        ),
        "/osteria",
        lang="it",
    ),
    "an office in Czech that was moved to another street": seen(
        "offices of Czechia: přestěhovali jsme se",
        press(
            "Přestěhovali jsme se",
            f"<h1>Přestěhovali jsme se</h1><p>Kancelář už na staré adrese není. Najdete nás v Mlýnské 18.</p>{tale('cs')}",
            lang="cs",
        ),
        "/aktuality/prestehovani",
        lang="cs",
    ),
    "a register in Hungarian of lapsed kinds": seen(
        "registers: törölt fajták",
        press(
            "Törölt fajták jegyzéke",
            f"<h1>Törölt fajták jegyzéke</h1><p>Az alábbi fajtákat törölték a jegyzékből, és már nem elérhetők.</p>{tale('hu')}",
            lang="hu",
        ),
        "/jegyzek/torolt",
        lang="hu",
    ),
    "a vacancy in Ukrainian that is open": seen(
        "boards of Ukraine: вакансія, with her text",
        press(
            "Садівник – вакансія",
            f"<h1>Садівник</h1><p>Повна зайнятість. Якщо вакансію буде закрито, ми повідомимо всіх.</p><button>Відгукнутися</button>{tale('uk')}",
            lang="uk",
        ),
        "/jobs/1871",
        lang="uk",
    ),
    "a shop in Turkish that sells names for trees": seen(
        "shops: isim satışı",
        stall(
            "Ağaç isim levhası",
            f"<h1>Ağaç isim levhası</h1><p>Satılık isim levhaları, 40 TL.</p><button>Sepete ekle</button>{tale('tr')}",
            lang="tr",
        ),
        "/urun/isim-levhasi",
        lang="tr",
    ),
}

# Little before their scripts, or alike for other reasons.
_LITTLE: dict[str, Seen] = {
    "a map of trees that needs its scripts": seen(
        "Vite: an empty root and a noscript",
        shell(
            "Map of trees",
            "",
            data="<noscript>You need to enable JavaScript to run this app.</noscript>",
        ),
        "/map",
    ),
    "an application that carries its sentences for errors along": seen(
        "i18next: resources of all sentences in the page",
        shell(
            "Varieties | Orchard Trust",
            f"<h1>Varieties</h1>{tale()}",
            data='<script id="i18n" type="application/json">{"error":{"notFound":"Page not found","gone":"This page no longer exists"},"login":{"required":"Please log in to continue"}}</script>',
        ),
        "/varieties/all",
    ),
    "a search in a catalogue without hits": seen(
        "Koha: No results found!",
        press(
            "Results of search for 'codlin' › Orchard Library catalog",
            "<h1>No results found!</h1><p>No results match your search for 'codlin' in Orchard Library catalog.</p><form><input name='q' value='codlin'></form>",
        ),
        "/cgi-bin/koha/opac-search.pl?q=codlin",
    ),
    "a page of three words by hand": seen(
        "sites by hand: a page that says one thing",
        "<html><head><title>Is it March yet?</title></head><body><h1>Not yet.</h1></body></html>",
        "/is-it-march",
    ),
    "a form to log in, asked for as such": seen(
        "pages for log-in that are linked on purpose",
        bare(
            "Log in – Orchard Trust",
            "<h1>Members' log-in</h1><form method='post'><input name='user'><input type='password' name='password'><button>Log in</button></form>",
        ),
        "/login",
    ),
    "a form of a wiki with a question for humans": seen(
        "wikis: a captcha in the form for comments under an article",
        press(
            "How to cut a whip",
            f"<h1>How to cut a whip</h1>{tale('en', 2)}<form><h2>Leave a comment</h2><textarea></textarea><div class='h-captcha' data-sitekey='1871'></div><button>Send</button></form>",
        ),
        "/howto/whip",
    ),
    "a page that tells in Korean of a service's end to come": seen(
        "서비스 종료 예정 안내, with its page",
        press(
            "사진관 서비스 종료 예정 안내",
            f"<h1>사진관 서비스는 2027년 3월에 종료됩니다</h1><p>그때까지 모든 사진을 내려받을 수 있습니다.</p>{tale('ko')}",
            lang="ko",
        ),
        "/notice/1871",
        lang="ko",
    ),
    "a page in Arabic with a notice of upkeep to come": seen(
        "portals: maintenance to come, in Arabic",
        press(
            "الأصناف القديمة",
            f"<div class='alert'>سيتوقف الموقع للصيانة يوم الجمعة من الساعة 2 إلى 4.</div><h1>الأصناف القديمة</h1>{tale('ar', 2)}",
            lang="ar",
        ),
        "/varieties/old",
        lang="ar",
    ),
}

CASES: list[Case] = [
    alive(name, each.source, each.site, path=each.path)
    for part in (_WORDS, _ENDS, _LITTLE)
    for name, each in part.items()
]
