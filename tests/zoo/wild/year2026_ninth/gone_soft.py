"""Pages that are gone, at sites that answer missing pages with a 200."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import ELSE, Case, gone, html
from tests.zoo.wild.year2026_ninth.frames import (
    LOST,
    ROBOTS,
    Seen,
    alone,
    app,
    below,
    blocks,
    board,
    docs,
    every,
    home,
    market,
    office,
    story,
)

_FLAGS = ("error_page", "same_for_all")

_SITES: dict[str, Seen] = {
    "a network of classes for coding shows its lovely error with a 200": every(
        "girldevelopit/gdi-website issue 402: the server returns 200 with the 404 page",
        blocks(
            "Oops!",
            "<section class='error'><h1>404</h1><h2>Well, this is awkward.</h2><p>We can't find the page you were looking for. Try one of our chapters instead.</p><a href='/chapters'>Chapters</a></section>",
        ),
        "/brokenlinkcheck",
    ),
    "a monitor of uptime routes an unknown address by its scripts": every(
        "louislam/uptime-kuma pull request 1633: Page Not Found, status 200",
        app(
            "Page Not Found",
            "<div class='container'><h1><strong>Page Not Found</strong></h1><p>Sorry, the page you are looking for doesn't exist. Double-check the URL.</p><p>Most likely causes: the resource is no longer available, or there might be a typing error in the address.</p></div>",
        ),
        "/status/old-lamp",
        "Server: cloudflare",
    ),
    "a board of Korea sends its shell for an address it does not route": every(
        "gnuboard/g7 issue 47: unknown public routes are a 200 with the SPA shell",
        app(
            "항구의 불빛",
            "<main><h2>페이지를 찾을 수 없습니다</h2><p>요청하신 페이지가 존재하지 않거나 이동되었습니다.</p><a href='/'>홈으로</a></main>",
            lang="ko",
        ),
        "/board/free/1843",
        lang="ko",
    ),
    "a shop of Germany on Shopware finds nothing at an old article": every(
        "shops of Germany: Die angeforderte Seite wurde leider nicht gefunden, 200",
        market(
            "Seite nicht gefunden | Leuchtfeuer",
            "<div class='error-404'><h1>Hoppla!</h1><p>Die angeforderte Seite wurde leider nicht gefunden. Vielleicht gibt es das Produkt nicht mehr.</p><a class='btn' href='/'>Zum Shop</a></div>",
            lang="de",
        ),
        "/laternen/sturmlaterne-messing",
        lang="de",
    ),
    "a canton's portal knows no such page": every(
        "portals of cantons: Diese Seite existiert leider nicht (mehr), 200",
        office(
            "Seite existiert nicht",
            "<h1>Diese Seite existiert leider nicht (mehr)</h1><p>Unsere Website wurde neu aufgebaut. Bitte benutzen Sie die Suche oder die Navigation, um den gewünschten Inhalt zu finden.</p>",
            lang="de",
        ),
        "/verwaltung/bau/formulare/2018/gesuch.html",
        lang="de",
    ),
    "a prefecture in French": every(
        "préfectures: La page que vous recherchez est introuvable, 200",
        office(
            "Page introuvable",
            "<h1>La page que vous recherchez est introuvable</h1><p>Excusez-nous pour la gêne occasionnée. Si vous avez saisi l'adresse à la main, vérifiez qu'elle ne comporte pas d'erreur. Sinon, la page n'est plus disponible.</p><a href='/'>Retour à l'accueil</a>",
            lang="fr",
        ),
        "/Actions-de-l-Etat/Mer/Phares-2019",
        lang="fr",
    ),
    "a museum in Catalan": every(
        "museus: No s'ha trobat la pàgina, 200",
        blocks(
            "Pàgina no trobada – Llums del Port",
            "<h1>No s'ha trobat la pàgina</h1><p>La pàgina que cerqueu no existeix o ha canviat d'adreça.</p>",
            lang="ca",
        ),
        "/colleccio/lents-1843",
        lang="ca",
    ),
    "a city hall in Spanish apologizes": every(
        "ayuntamientos: Lo sentimos, la página solicitada no se encuentra disponible, 200",
        office(
            "Ayuntamiento",
            "<h1>Lo sentimos</h1><p>La página solicitada no se encuentra disponible. Es posible que el contenido haya sido eliminado o que la dirección haya cambiado.</p><ul><li><a href='/'>Portada</a></li><li><a href='/mapa'>Mapa web</a></li></ul>",
            lang="es",
            name="Ayuntamiento del Puerto",
        ),
        "/tramites/licencia-faro",
        lang="es",
        name="Ayuntamiento del Puerto",
    ),
    "a regional paper in Italian lost a page": every(
        "giornali locali: Ops! Pagina non disponibile, 200",
        blocks(
            "Ops!",
            "<div class='err404'><span>404</span><h1>Ops! La pagina che stai cercando non c'è più</h1><p>L'articolo potrebbe essere stato rimosso.</p></div>",
            lang="it",
        ),
        "/cronaca/2019/11/05/faro-spento-1.1843",
        lang="it",
    ),
    "a federal institute of Brazil": every(
        "institutos federais: Página não encontrada, Desculpe-nos, 200",
        office(
            "Página não encontrada",
            "<h1 class='documentFirstHeading'>Esta página parece não existir...</h1><p>Pedimos desculpas pela inconveniência, mas a página que você estava tentando acessar não existe neste endereço.</p>",
            lang="pt",
        ),
        "/campus/editais/2017/edital-1843",
        lang="pt",
    ),
    "a water board in Dutch": every(
        "waterschappen: Deze pagina bestaat niet (meer), 200",
        office(
            "Pagina niet gevonden",
            "<h1>Deze pagina bestaat niet (meer)</h1><p>Misschien is de pagina verplaatst of verwijderd. Gebruik de zoekfunctie om verder te gaan.</p>",
            lang="nl",
        ),
        "/projecten/vuurtoren-dijk",
        lang="nl",
    ),
    "a region of Denmark": every(
        "kommuner og regioner: Siden findes ikke, 200",
        office(
            "Siden findes ikke",
            "<h1>Siden findes ikke</h1><p>Vi beklager, men den side du leder efter, findes ikke længere. Den er måske flyttet eller slettet.</p>",
            lang="da",
        ),
        "/om/projekter/fyr-2016.aspx",
        lang="da",
    ),
    "a municipality of Norway": every(
        "kommuner: Vi finner ikke siden du leter etter, 200",
        office(
            "Fant ikke siden",
            "<h1>Oi! Vi finner ikke siden du leter etter</h1><p>Siden kan være flyttet eller fjernet. Prøv søket, eller gå til <a href='/'>forsiden</a>.</p>",
            lang="no",
        ),
        "/tjenester/kultur/fyrvakt",
        lang="no",
    ),
    "a ministry's archive in Bulgarian": every(
        "министерства: Страницата не е намерена, 200",
        office(
            "Грешка 404",
            "<h1>Страницата не е намерена</h1><p>Търсената от Вас страница не съществува или е била преместена.</p>",
            lang="bg",
        ),
        "/bg/novini/farove-1843",
        lang="bg",
    ),
    "a county in Croatian": every(
        "županije: Stranica koju tražite ne postoji, 200",
        blocks(
            "Stranica nije pronađena",
            "<h1>Ups!</h1><p>Stranica koju tražite ne postoji, premještena je ili uklonjena.</p>",
            lang="hr",
        ),
        "/natjecaji/svjetionik-2020",
        lang="hr",
    ),
    "a university in Slovak": every(
        "univerzity: Požadovaná stránka neexistuje, 200",
        office(
            "Stránka sa nenašla",
            "<h1>Požadovaná stránka neexistuje</h1><p>Skontrolujte adresu alebo pokračujte na <a href='/'>úvodnú stránku</a>.</p>",
            lang="sk",
        ),
        "/veda/projekty/majaky",
        lang="sk",
    ),
    "a port of Lithuania": every(
        "įstaigos: Puslapis nerastas, 200",
        office(
            "Puslapis nerastas",
            "<h1>Puslapis nerastas</h1><p>Atsiprašome, ieškomas puslapis neegzistuoja arba buvo perkeltas.</p>",
            lang="lt",
        ),
        "/lt/naujienos/svyturys-1843",
        lang="lt",
    ),
    "a library of Latvia": every(
        "bibliotēkas: Lapa nav atrasta, 200",
        blocks(
            "Lapa nav atrasta",
            "<h1>404</h1><p>Diemžēl meklētā lapa nav atrasta. Iespējams, tā ir dzēsta.</p>",
            lang="lv",
        ),
        "/izstades/bakas",
        lang="lv",
    ),
    "a board of Estonia": every(
        "ametid: Lehekülge ei leitud, 200",
        office(
            "Lehte ei leitud",
            "<h1>Lehekülge ei leitud</h1><p>Otsitavat lehte ei ole olemas või on selle aadress muutunud.</p>",
            lang="et",
        ),
        "/uudised/tuletorn",
        lang="et",
    ),
    "an exchange of Moscow": every(
        "сайты России: Такой страницы нет или она была удалена, 200",
        app(
            "Ошибка 404",
            "<div class='error-page'><div class='error-page__code'>404</div><h1>Такой страницы не существует</h1><p>Возможно, она была удалена или вы перешли по неправильной ссылке. <a href='/'>Вернуться на главную</a></p></div>",
            lang="ru",
        ),
        "/press/releases/1843/",
        lang="ru",
    ),
    "a Bitrix site of old in windows-1251": Seen(
        source="Битрикс: Страница не найдена, карта сайта, 200",
        reply=html(
            "<html><head><meta http-equiv='Content-Type' content='text/html; charset=windows-1251'><title>404 Not Found</title></head><body><table><tr><td><a href='/'>Главная</a> | <a href='/catalog/'>Каталог</a></td></tr><tr><td><h1>Страница не найдена</h1><p>К сожалению, запрошенная Вами страница не найдена. Воспользуйтесь картой сайта.</p></td></tr></table></body></html>",
            charset="windows-1251",
        ),
        path="/catalog/detail.php?ID=1843",
        lang="ru",
        everywhere=True,
    ),
    "a bank of Turkey": every(
        "bankalar: Aradığınız sayfa bulunamadı, 200",
        app(
            "Sayfa bulunamadı",
            "<h1>Aradığınız sayfa bulunamadı.</h1><p>Sayfa kaldırılmış, adı değişmiş veya geçici olarak kullanım dışı olabilir.</p><a href='/'>Ana sayfaya dön</a>",
            lang="tr",
        ),
        "/kampanyalar/fener-2021",
        lang="tr",
    ),
    "a daily in Persian": every(
        "روزنامه‌ها: صفحه مورد نظر شما یافت نشد, 200",
        blocks(
            "خطای ۴۰۴",
            "<h1>صفحه مورد نظر شما یافت نشد</h1><p>ممکن است این صفحه حذف شده یا نشانی آن تغییر کرده باشد.</p>",
            lang="fa",
        ),
        "/fa/news/1843",
        lang="fa",
    ),
    "an authority in Hebrew": every(
        "רשויות: הדף המבוקש לא נמצא, 200",
        office(
            "הדף לא נמצא",
            "<h1>הדף המבוקש לא נמצא</h1><p>ייתכן שהדף הוסר, ששמו שונה או שאינו זמין עוד.</p>",
            lang="he",
        ),
        "/pages/migdalor.aspx",
        lang="he",
    ),
    "a board of examinations in Hindi": every(
        "आयोग: पृष्ठ नहीं मिला, 200",
        office(
            "पृष्ठ नहीं मिला",
            "<h1>पृष्ठ नहीं मिला</h1><p>आप जिस पृष्ठ की तलाश कर रहे हैं वह मौजूद नहीं है या हटा दिया गया है।</p><a href='/'>मुखपृष्ठ पर जाएँ</a>",
            lang="hi",
        ),
        "/hi/notice/1843",
        lang="hi",
    ),
    "a magazine in Thai": every(
        "นิตยสาร: ขออภัย ไม่พบหน้าที่คุณต้องการ, 200",
        blocks(
            "404",
            "<h1>ขออภัย ไม่พบหน้าที่คุณต้องการ</h1><p>หน้านี้อาจถูกลบหรือย้ายไปแล้ว</p>",
            lang="th",
        ),
        "/lighthouse/1843",
        lang="th",
    ),
    "a school of Indonesia": every(
        "kampus: Halaman yang Anda cari tidak ditemukan, 200",
        blocks(
            "Halaman tidak ditemukan",
            "<h1>Oops! Halaman yang Anda cari tidak ditemukan.</h1><p>Sepertinya tidak ada apa pun di sini. Coba pencarian?</p>",
            lang="id",
        ),
        "/berita/mercusuar-2018/",
        lang="id",
    ),
    "a city of Japan moved its tree of pages": every(
        "自治体: お探しのページは見つかりません, リニューアル, 200",
        office(
            "ページが見つかりません",
            "<h1>お探しのページは見つかりません</h1><p>ホームページのリニューアルに伴い、ページのURLが変更になったか、掲載期間が終了して削除された可能性があります。お手数ですが、サイト内検索をご利用ください。</p>",
            lang="ja",
        ),
        "/kurashi/kanko/000001843.html",
        lang="ja",
    ),
    "a bureau of Taiwan": every(
        "機關網站: 您要找的網頁不存在, 200",
        office(
            "找不到網頁",
            "<h1>很抱歉，您要找的網頁不存在</h1><p>該網頁可能已被移除、更名，或暫時無法使用。請使用網站導覽。</p>",
            lang="tw",
        ),
        "/News_Content.aspx?n=1843",
        lang="tw",
    ),
    "an academy of China": every(
        "高校网站: 您访问的页面不存在或已被删除, 200",
        office(
            "系统提示",
            "<div class='tip'><h3>提示信息</h3><p>您访问的页面不存在或已被删除！</p><p><a href='/'>返回首页</a></p></div>",
            lang="zh",
        ),
        "/info/1042/1843.htm",
        lang="zh",
    ),
    "a tool of documents made with blocks by Notion": every(
        "sites made of Notion: This page couldn't be found, 200",
        app(
            "Page not found",
            "<div><h1>This page couldn’t be found</h1><p>You may not have access, or it might have been deleted or moved. Check the link and try again.</p><a href='/'>Back to my content</a></div>",
        ),
        "/Keepers-log-1843abcd1843abcd",
    ),
    "a learning system's scripts show a plain word for an address of old": every(
        "frappe/lms issue 2577: unknown URLs, then a view that says Page not found, 200",
        app(
            "Harbor School",
            "<div class='flex h-screen'><aside><a href='/'>Courses</a></aside><div class='m-auto'><h2>Page not found</h2><p>This link is outdated or mistyped.</p><a href='/'>Back to Home</a></div></div>",
        ),
        "/lms/keepers-course",
    ),
    "a page eaten by a dog, in Japanese": every(
        "oic-ogma/smart-remote: i18n/error-404-page.js, 200",
        app(
            "このページはワンちゃんに食べられました。",
            "<h1>このページはワンちゃんに食べられました。</h1><p>右のリンクからアクセスしてください。<a href='/'>トップページ</a></p>",
            lang="ja",
        ),
        "/remote/living-room",
        lang="ja",
    ),
    "a shop of lamps jokes about an empty shelf": every(
        "shops on hosted themes: Nothing to see here, 200",
        market(
            "Nothing here",
            "<div class='page-width center'><p class='code'>404</p><h1>There's nothing on this shelf</h1><p>The link may be broken or the page may have been removed.</p><a href='/collections/all'>Continue shopping</a></div>",
        ),
        "/products/brass-wick-trimmer",
    ),
    "a manual built into one application has no such chapter": every(
        "docsify: 404 - Not found, 200, from scripts, here rendered",
        docs("Keeper", "<article class='markdown-section'><h1>404 - Not found</h1></article>"),
        "/guide/wicks-v1.md",
    ),
}

# Boards, wikis and trackers: so for each name or number that they do not have.
_PAGES: dict[str, Seen] = {
    "SMF has no such topic": below(
        "SimpleMachines/SMF: Errors.english.php, topic_gone, 200",
        board(
            "An Error Has Occurred!",
            "<div id='fatal_error'><h3 class='catbg'>An Error Has Occurred!</h3><div class='padding'>The topic or board you are looking for appears to be either missing or off limits to you.</div></div>",
        ),
        "/index.php?topic=",
        "1843.0",
    ),
    "Vanilla in Spanish has no such discussion": below(
        "vanilla/vanilla: Discusión no encontrada, 200",
        board(
            "Discusión no encontrada",
            "<div class='Center SplashInfo'><h1>Discusión no encontrada</h1><p>La discusión que buscas no existe o ha sido eliminada.</p></div>",
            lang="es",
        ),
        "/discussion/",
        "1843/lamparas",
        lang="es",
    ),
    "Invision in Russian has no such topic": below(
        "форумы на Invision: К сожалению, мы не можем найти то, что вы запрашиваете, 200",
        board(
            "Мы не можем найти запрашиваемый контент",
            "<div id='elError'><p id='elErrorMessage'>К сожалению, мы не можем найти то, что вы запрашиваете.</p><p>Код ошибки: 2F173/1</p></div>",
            lang="ru",
        ),
        "/topic/",
        "1843-linzy/",
        lang="ru",
    ),
    "Discuz has no such theme": below(
        "Discuz: 抱歉，指定的主题不存在或已被删除或正在被审核, 200",
        board(
            "提示信息 - 港口灯火",
            "<div id='messagetext' class='alert_error'><p>抱歉，指定的主题不存在或已被删除或正在被审核</p><p class='alert_btnleft'><a href='javascript:history.back()'>[ 点击这里返回上一页 ]</a></p></div>",
            lang="zh",
        ),
        "/thread-",
        "1843-1-1.html",
        lang="zh",
    ),
    "DokuWiki in French, set to answer a 200, has no such topic": below(
        "dokuwiki/dokuwiki: inc/lang/fr/newpage.txt, send404 off, 200",
        blocks(
            "lampe:meches",
            "<h1 class='sectionedit1' id='cette_page_n_existe_pas_encore'>Cette page n'existe pas encore</h1><p>Vous avez suivi un lien vers une page qui n'existe pas encore. Si vos droits sont suffisants, vous pouvez utiliser le bouton <code>Créer cette page</code>.</p>",
            lang="fr",
        ),
        "/doku.php?id=",
        "lampe:meches",
        lang="fr",
    ),
    "PmWiki has no such page": below(
        "pmwiki: PageNotFound, The page doesn't exist, 200",
        office(
            "Harbor Wiki | Main / OldWicks",
            "<div id='wikitext'><p>The page &quot;Main/OldWicks&quot; doesn't exist. <a href='?action=edit'>Create Main.OldWicks</a></p></div>",
        ),
        "/wiki/",
        "Main/OldWicks",
    ),
    "TWiki has no such topic, in German": below(
        "TWiki in German: oopsmissing, das Topic existiert nicht, 200",
        office(
            "OopsMissing &lt; Main &lt; TWiki",
            "<h1>Hinweis: Das Topic existiert nicht</h1><p>Das Topic <b>AlteDochte</b>, auf das Sie zugreifen wollen, existiert nicht (mehr).</p><p>Sind Sie sicher, dass Sie den richtigen Namen verwenden?</p>",
            lang="de",
        ),
        "/bin/view/",
        "Main/AlteDochte",
        lang="de",
    ),
    "a wiki of a game answers in Portuguese of an empty article": below(
        "MediaWiki with $wgSend404Code off: noarticletext in Portuguese, 200",
        blocks(
            "Lanterna antiga – Wiki",
            "<h1 id='firstHeading'>Lanterna antiga</h1><div class='noarticletext'><p>Não existe atualmente conteúdo nesta página. Pode pesquisar o título desta página noutras páginas ou procurar nos registos relacionados, mas não tem permissão para criar esta página.</p></div>",
            lang="pt",
        ),
        "/wiki/",
        "Lanterna_antiga",
        lang="pt",
    ),
    "Confluence has no such page": below(
        "Confluence: Page Not Found, 200 by an old version",
        office(
            "Page Not Found - Confluence",
            "<h1 id='title-text'>Page Not Found</h1><p>The page you were trying to reach cannot be found. It may have been renamed, moved or deleted.</p><h2>Did you mean one of these?</h2><ul><li><a href='/display/LAMP/Home'>Home</a></li></ul>",
        ),
        "/display/",
        "LAMP/Trimming",
    ),
    "a tracker of old has no such bug, in two words": below(
        "flyspray: This task does not exist, 200",
        office(
            "Flyspray",
            "<div id='errpage'><h2>Error</h2><p>The requested task does not exist.</p></div>",
        ),
        "/task/",
        "1843",
    ),
}

# The same page for every address, and no word of an error in it.
_SAME: list[Case] = [
    gone(
        "a map's shell is all that an address of old shows",
        "psibase issue 758 and many: index.html for every path",
        {ELSE: html(app("Chart room", "", more="<meta name='description' content='Charts.'>"))},
        *_FLAGS,
        "home_page",
        path="/charts/1843/approach",
        earlier={
            "/": home(),
            "/charts/1843/approach": html(
                blocks("The approach", f"<h1>The approach</h1>{story('en', 2)}")
            ),
            ELSE: LOST,
        },
    ),
    gone(
        "a hotel shows its front page for any address that it lost",
        "renevoorburg/robustify.js issue 4: a random address returns the home page, 200",
        {ELSE: home("nl", "Hotel De Vuurtoren")},
        *_FLAGS,
        "home_page",
        path="/arrangementen/storm-2019",
    ),
    gone(
        "a restaurant's old menu shows the front page in Spanish",
        "sitios de una página: index.html para todo, 200",
        {"/robots.txt": ROBOTS, ELSE: home("es", "Casa del Faro")},
        *_FLAGS,
        "home_page",
        path="/carta/2018.pdf",
    ),
    gone(
        "a file for print is a page of HTML that says sorry",
        "portals: a .pdf that was taken down is answered with the site's page, 200",
        {
            "/": home("pl"),
            ELSE: html(
                office(
                    "Błąd",
                    "<h1>Przepraszamy</h1><p>Plik, którego szukasz, został usunięty lub przeniesiony.</p>",
                    lang="pl",
                )
            ),
        },
        *_FLAGS,
        path="/pliki/raport-1843.pdf",
    ),
    gone(
        "a picture that is lost is a page of HTML",
        "sites: a rewrite of everything to index.php, 200",
        {
            "/": home(),
            ELSE: html(
                alone(
                    "Oops", "<h1>Oops!</h1><p>We looked everywhere, but that file isn't here.</p>"
                )
            ),
        },
        *_FLAGS,
        path="/uploads/2016/lens.jpg",
    ),
]

CASES: list[Case] = [
    *(
        gone(name, each.source, each.site, *_FLAGS, path=each.path)
        for part in (_SITES, _PAGES)
        for name, each in part.items()
    ),
    *_SAME,
]
