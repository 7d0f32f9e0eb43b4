"""Missing pages at sites that answer every unknown address with a 200."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, gone
from tests.zoo.wild.year2026_tenth.frames import (
    Seen,
    alone,
    app,
    below,
    board,
    every,
    manual,
    news,
    office,
    prose,
    store,
)

_FLAGS = ("error_page", "same_for_all")

_SITES: dict[str, Seen] = {
    "a learning tool renders its 404 page with a 200": every(
        "ucfopen/Materia issue 306: several 404s are soft, the status code is 200",
        office(
            "404 | Widgets",
            "<section class='page'><h1>404</h1><p>We may have lost the page you're looking for.</p><p>If you're in need of assistance, please contact support.</p></section>",
        ),
        "/widgets/99-tram-quiz",
        "Server: nginx",
    ),
    "an open data portal in Dutch serves its not-found page with a 200": every(
        "opendatasoft/ods-documentation-landing-page: src/translations/not-found.js",
        manual(
            "Pagina niet gevonden",
            "<h1>Pagina niet gevonden</h1><p>De pagina die je zoekt, kon niet worden gevonden</p><a href='/'>Terug naar de homepagina</a>",
            lang="nl",
        ),
        "/handleiding/halte-export",
        lang="nl",
    ),
    "a personal site in Catalan serves a bare 404 title with a 200": every(
        "PauSeguesDev/PauSegues: src/i18n/notFoundTranslations.ts",
        app(
            "404",
            "<main><h1>404</h1><p>Sembla que la pàgina que busques no existeix.</p></main>",
            lang="ca",
        ),
        "/ca/projectes/tramvia",
        "Server: Vercel",
        lang="ca",
    ),
    "an image editor in Italian says that the resource does not exist": every(
        "finest-app/codeimage: src/i18n/notFound.ts",
        app(
            "CodeImage",
            "<div><h1>404</h1><p>La risorsa che stai cercando non esiste</p><a href='/'>Torna alla home</a></div>",
            lang="it",
        ),
        "/it/p/carrozza",
        lang="it",
    ),
    "a portfolio in Arabic numbers its error in Arabic digits": every(
        "not-found dictionaries: ar, ٤٠٤, عذرًا! الصفحة غير موجودة",
        app(
            "٤٠٤",
            "<h1>٤٠٤</h1><p>عذرًا! الصفحة غير موجودة</p><a href='/'>العودة إلى الصفحة الرئيسية</a>",
            lang="ar",
        ),
        "/ar/works/tram",
        lang="ar",
    ),
    "a travel guide in Polish lost an address": every(
        "not-found dictionaries: pl, Ups! Strona nie znaleziona.",
        news(
            "Ups! Strona nie znaleziona.",
            "<h1>404</h1><h2>Ups! Strona nie znaleziona.</h2><p>Strona, której szukasz, nie istnieje lub została przeniesiona.</p><a href='/'>Powrót do Strony Głównej</a>",
            lang="pl",
        ),
        "/przewodnik/linia-7",
        lang="pl",
    ),
    "a link-in-bio service says that the page does not seem to exist anymore": every(
        "WebBreacher/WhatsMyName: Beacons, The page you are looking for does not seem to exist anymore, 200",
        app(
            "Beacons",
            "<main><h2>The page you are looking for does not seem to exist anymore</h2><a href='/signup'>Claim this link</a></main>",
        ),
        "/tramconductor7",
    ),
    "a video portal in Polish says that the page does not exist": every(
        "WebBreacher/WhatsMyName: cda.pl, Strona na którą chcesz wejść nie istnieje, 200",
        news(
            "Wideo",
            "<div class='communicate'><h3>Strona na którą chcesz wejść nie istnieje.</h3><p>Być może film został usunięty.</p></div>",
            lang="pl",
        ),
        "/motorniczy/vfilm",
        lang="pl",
    ),
    "a health paper keeps its columns beside a missing author": every(
        "WebBreacher/WhatsMyName: NaturalNews, The page you are looking for cannot be found or is no longer available, 200",
        news(
            "Page Not Found",
            f"<div class='Col1'><h1>404</h1><p>The page you are looking for cannot be found or is no longer available.</p></div><aside><h3>Most viewed</h3>{prose()}</aside>",
        ),
        "/author/conductor/",
    ),
    "a university press in Slovenian misses a page": every(
        "univerze: Iskane strani ni mogoče najti, 200",
        office(
            "Strani ni mogoče najti",
            "<h1>Iskane strani ni mogoče najti</h1><p>Morda je bila premaknjena, preimenovana ali izbrisana.</p>",
            lang="sl",
        ),
        "/zalozba/zbirka/tramvaji",
        lang="sl",
    ),
    "a city administration in Serbian misses a page": every(
        "градске управе: Страница коју тражите не постоји, 200",
        office(
            "Грешка",
            "<h1>Страница коју тражите не постоји</h1><p>Проверите адресу или се вратите на <a href='/'>почетну страну</a>.</p>",
            lang="sr",
        ),
        "/sr/javne-nabavke/2018/tramvaj",
        lang="sr",
    ),
    "a newspaper in Bengali misses a story": every(
        "বাংলা সংবাদপত্র: দুঃখিত, পাতাটি খুঁজে পাওয়া যায়নি, 200",
        news(
            "পাতাটি পাওয়া যায়নি",
            "<h1>দুঃখিত!</h1><p>আপনি যে পাতাটি খুঁজছেন তা পাওয়া যায়নি অথবা সরিয়ে ফেলা হয়েছে।</p>",
            lang="bn",
        ),
        "/bangladesh/article/190407",
        lang="bn",
    ),
    "a county library in Hungarian misses a page": every(
        "könyvtárak: A keresett oldal nem található, 200",
        office(
            "Hiba",
            "<h1>Hoppá! A keresett oldal nem található</h1><p>Lehet, hogy megváltozott a címe, vagy töröltük.</p>",
            lang="hu",
        ),
        "/gyujtemenyek/villamos-kepek",
        lang="hu",
    ),
    "a water company in Romanian misses a page": every(
        "companii de apă: Pagina pe care o căutați nu există, 200",
        office(
            "Eroare 404",
            "<h1>Ne pare rău!</h1><p>Pagina pe care o căutați nu există sau a fost mutată. Folosiți căutarea sau harta site-ului.</p>",
            lang="ro",
        ),
        "/achizitii/anunt-1904",
        lang="ro",
    ),
    "a hospital in Greek misses a page": every(
        "νοσοκομεία: Η σελίδα που ζητήσατε δεν υπάρχει, 200",
        office(
            "Σφάλμα 404",
            "<h1>Η σελίδα που ζητήσατε δεν υπάρχει</h1><p>Πιθανόν να έχει μετακινηθεί ή διαγραφεί.</p>",
            lang="el",
        ),
        "/tmimata/odontiatriko/programma-2017",
        lang="el",
    ),
    "a bus company in Finnish misses a page": every(
        "liikennelaitokset: Etsimääsi sivua ei löytynyt, 200",
        office(
            "Sivua ei löydy",
            "<h1>Harmin paikka, etsimääsi sivua ei löytynyt</h1><p>Sivu on ehkä poistettu tai sen osoite on muuttunut.</p>",
            lang="fi",
        ),
        "/reitit/linja-7-kesa",
        lang="fi",
    ),
    "a seed shop in Czech misses a page": every(
        "e-shopy na PrestaShopu: Stránka nebyla nalezena, 200",
        store(
            "Chyba 404",
            "<section id='pagenotfound'><h1>Tato stránka není k dispozici</h1><p>Je nám líto, ale hledaná adresa už neexistuje.</p></section>",
            lang="cs",
        ),
        "/semena/112-tramvajova-smes.html",
        lang="cs",
    ),
    "a Swiss association in German and French misses a page": every(
        "intl error pages: Diese Seite wurde nicht gefunden. Cette page est introuvable., 200",
        alone(
            "404",
            "<h2>Diese Seite wurde nicht gefunden.</h2><a href='/de'>Zurück zur Startseite</a><h2>Cette page est introuvable.</h2><a href='/fr'>Retour à l'accueil</a>",
            lang="de",
        ),
        "/de/abstimmungen/tram-2019",
        lang="de",
    ),
    "a state forest in Swedish misses a page": every(
        "myndigheter: Sidan du söker finns inte, 200",
        office(
            "404",
            "<h1>Vi hittar inte sidan</h1><p>Sidan du söker finns inte längre eller har bytt adress. Kontakta gärna vår webbredaktion.</p>",
            lang="sv",
        ),
        "/djur-och-natur/rapport-7-2015",
        lang="sv",
    ),
    "a city transport firm in Russian apologizes on an old CMS": every(
        "сайты на NetCat, UMI.CMS: Запрашиваемая страница не найдена, 200",
        office(
            "404 - страница не найдена",
            "<h1>Страница не найдена</h1><p>К сожалению, запрашиваемая Вами страница не найдена. Почему? Ссылка, по которой Вы пришли, неверна, либо страница удалена.</p>",
            lang="ru",
        ),
        "/passazhiram/marshrut-7/",
        lang="ru",
    ),
    "a theater in Ukrainian misses a page": every(
        "театри: Такої сторінки немає, 200",
        news(
            "Нічого не знайдено",
            "<h1>Ой! Такої сторінки немає</h1><p>Спробуйте скористатися пошуком або перейдіть на головну.</p>",
            lang="uk",
        ),
        "/vystavy/tramvai",
        lang="uk",
    ),
    "a municipality in Turkish misses a page": every(
        "belediyeler: Aradığınız sayfa bulunamamaktadır, 200",
        office(
            "Sayfa Bulunamadı",
            "<h1>404</h1><p>Aradığınız sayfa kaldırılmış, adı değiştirilmiş veya geçici olarak kullanım dışı olabilir.</p>",
            lang="tr",
        ),
        "/projeler/tramvay-hatti-2016",
        lang="tr",
    ),
    "a college in Vietnamese misses a page": every(
        "trường học: Không tìm thấy trang bạn yêu cầu, 200",
        office(
            "Không tìm thấy trang",
            "<h1>Rất tiếc!</h1><p>Không tìm thấy trang bạn yêu cầu. Trang có thể đã bị xóa hoặc đổi địa chỉ.</p>",
            lang="vi",
        ),
        "/tuyen-sinh/2018/thong-bao-7",
        lang="vi",
    ),
    "a radio station in Indonesian misses a page": every(
        "radio dan media: Halaman tidak ditemukan, 200",
        news(
            "Halaman Tidak Ditemukan",
            "<h1>Maaf, halaman yang Anda cari tidak ditemukan</h1><p>Mungkin sudah dihapus, atau tautannya salah.</p>",
            lang="id",
        ),
        "/berita/trem-lama-7",
        lang="id",
    ),
    "a department in Thai misses a page": every(
        "หน่วยงานราชการ: ไม่พบหน้าที่ท่านต้องการ, 200",
        office(
            "ไม่พบหน้านี้",
            "<h1>ขออภัย ไม่พบหน้าที่ท่านต้องการ</h1><p>หน้านี้อาจถูกลบหรือเปลี่ยนที่อยู่แล้ว</p>",
            lang="th",
        ),
        "/th/announce/1904",
        lang="th",
    ),
    "a prefecture library in Japanese misses a page": every(
        "図書館: お探しのページは移動または削除された可能性があります, 200",
        office(
            "ページが見つかりません",
            "<h1>ページが見つかりません</h1><p>お探しのページは、移動または削除された可能性があります。お手数ですが、トップページからお探しください。</p>",
            lang="ja",
        ),
        "/archive/densha/1904.html",
        lang="ja",
    ),
    "a district office in Korean misses a page": every(
        "구청 누리집: 요청하신 페이지를 찾을 수 없습니다, 200",
        office(
            "안내",
            "<div class='error_wrap'><strong>이용에 불편을 드려 죄송합니다.</strong><p>요청하신 페이지를 찾을 수 없습니다. 주소가 정확한지 다시 한 번 확인해 주시기 바랍니다.</p></div>",
            lang="ko",
        ),
        "/portal/bbs/B0000007/view.do?nttId=1904",
        lang="ko",
    ),
    "a newspaper in Chinese counts down to its home page": every(
        "新闻网站: 您访问的页面不存在或已被删除, 秒后自动跳转, 200",
        news(
            "404",
            "<div class='error'><p>抱歉！您访问的页面不存在或已被删除</p><p><span id='s'>5</span> 秒后自动跳转到首页</p></div>",
            lang="zh",
        ),
        "/c/2019-04-07/doc-1904.shtml",
        lang="zh",
    ),
    "a school district in Chinese of Taiwan misses a page": every(
        "校園網站: 找不到您要的網頁, 200",
        office(
            "找不到網頁",
            "<h1>很抱歉，找不到您要的網頁</h1><p>該網頁可能已經移除、更名或暫時無法使用。</p>",
            lang="tw",
        ),
        "/p/404-1007-1904.php",
        lang="tw",
    ),
    "a pension fund in Hebrew misses a page": every(
        "אתרי ארגונים: העמוד המבוקש לא נמצא, 200",
        office(
            "העמוד לא נמצא",
            "<h1>אופס, העמוד המבוקש לא נמצא</h1><p>ייתכן שהוא הוסר או שכתובתו השתנתה.</p>",
            lang="he",
        ),
        "/tfasim/1904",
        lang="he",
    ),
    "a weblog host in Persian misses a post": every(
        "سرویس‌های وبلاگ: صفحه مورد نظر شما یافت نشد, 200",
        news(
            "یافت نشد",
            "<h1>صفحهٔ مورد نظر شما یافت نشد</h1><p>ممکن است نشانی آن تغییر کرده یا نویسنده آن را حذف کرده باشد.</p>",
            lang="fa",
        ),
        "/post/1904",
        lang="fa",
    ),
    "a coaching site in Hindi misses a page": every(
        "शिक्षा साइटें: यह पेज उपलब्ध नहीं है, 200",
        news(
            "पेज नहीं मिला",
            "<h1>क्षमा करें, यह पेज नहीं मिला</h1><p>हो सकता है कि इसे हटा दिया गया हो या लिंक ग़लत हो।</p>",
            lang="hi",
        ),
        "/notes/tram-itihas",
        lang="hi",
    ),
    "a state portal in Spanish on a content server answers with its error page": every(
        "portales institucionales en Liferay: No se ha encontrado el recurso solicitado, 200",
        office(
            "Estado",
            "<h3 class='portlet-msg-error'>No encontrado</h3><p>No se ha encontrado el recurso solicitado.</p><p>http://$HOST/web/guest/tranvias</p><a href='javascript:history.go(-1)'>« Atrás</a>",
            lang="es",
        ),
        "/web/guest/tranvias",
        "Liferay-Portal: Liferay Digital Experience Platform",
        lang="es",
    ),
    "a German museum answers with a search for the lost words": every(
        "Websites auf Contao: Seite nicht gefunden, Suchformular, 200",
        office(
            "Seite nicht gefunden",
            "<h1>Diese Adresse führt leider ins Leere</h1><p>Vielleicht hilft die Suche weiter:</p><form action='/suche.html'><input name='keywords' value='wagen 7'><button>Suchen</button></form>",
            lang="de",
        ),
        "/sammlung/wagen-7.html",
        lang="de",
    ),
    "a French theater serves the frame of its site with one sentence": every(
        "sites sous SPIP: Pas d'article à cette adresse, 200",
        news(
            "Erreur 404",
            "<h1>Erreur 404</h1><p>Pas d'article à cette adresse</p>",
            lang="fr",
        ),
        "/spip.php?article1904",
        "Composed-By: SPIP",
        lang="fr",
    ),
    "a Portuguese chamber says that the content is unavailable": every(
        "câmaras municipais: O conteúdo que procura não está disponível, 200",
        office(
            "Conteúdo indisponível",
            "<h1>O conteúdo que procura não está disponível</h1><p>Pode ter sido removido ou o seu nome ter sido alterado.</p>",
            lang="pt",
        ),
        "/pages/1904?news_id=7",
        lang="pt",
    ),
    "an aviary of games lost a page in a single-page application": every(
        "SPA hosts with a fallback to index.html: rendered by scripts, here prerendered",
        app(
            "Looks like you got lost",
            "<section><h1>Looks like you got lost</h1><p>There's nothing at this address. Let's get you back to the worlds.</p></section>",
        ),
        "/worlds/tram-yard",
    ),
    "a docs site on a JavaScript router shows its own missing page": every(
        "docsify: notFoundPage, 404 - Not found, every path is a 200 with a rewrite to index.html",
        app(
            "Tram manual",
            "<aside class='sidebar'><ul><li><a href='#/'>Intro</a></li></ul></aside><section class='content'><article class='markdown-section' id='main'><h1>404 - Not found</h1></article></section>",
        ),
        "/guide/brakes",
    ),
    "a knowledge base says that the article may be private or deleted": below(
        "Zoho Desk, Freshdesk portals: the article doesn't exist or you have no permission, every unknown slug is a 200",
        office(
            "Article not found",
            "<div class='kb-error'><h2>We could not find that article</h2><p>It was deleted or is not published.</p><a href='/portal/en/kb'>All articles</a></div>",
        ),
        "/portal/en/kb/articles/",
        "sand-box-refill",
    ),
    "a message board says that its thread number is invalid, in old words": below(
        "vBulletin 3: Invalid Thread specified. If you followed a valid link, please notify the administrator, 200",
        board(
            "vBulletin Message",
            "<div class='panelsurround'><p>Invalid Thread specified. If you followed a valid link, please notify the <a href='/sendmessage.php'>administrator</a></p></div>",
        ),
        "/showthread.php?t=",
        "1904",
    ),
}

CASES: list[Case] = [
    gone(name, each.source, each.site, *_FLAGS, path=each.path) for name, each in _SITES.items()
]
